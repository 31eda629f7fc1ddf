"""The structure of the code: who imports whom, and what an installation contains."""

from __future__ import annotations

import ast
import subprocess
import sys
import tomllib
from itertools import permutations
from pathlib import Path

import grimp
import pytest
from grimp import ImportGraph

ROOT = Path(__file__).parent.parent
LONGEST = 450


def modules() -> list[Path]:
    return [path for room in ("bot", "game") for path in sorted((ROOT / room).rglob("*.py"))]


def test_import_contracts_hold() -> None:
    command = [sys.executable, "-c", "from importlinter.cli import lint_imports_command as c; c()"]
    checked = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False)
    assert checked.returncode == 0, checked.stdout + checked.stderr


def test_modules_fit_one_subject() -> None:
    long = {
        str(path.relative_to(ROOT)): lines
        for path in modules()
        if (lines := len(path.read_text(encoding="utf-8").splitlines())) > LONGEST
    }
    assert not long


def test_an_installation_contains_what_the_bot_reads() -> None:
    declared = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))
    globs = declared["tool"]["setuptools"]["package-data"]
    for package in ("bot", "migrations"):
        packed = {path for glob in globs[package] for path in (ROOT / package).glob(glob)}
        data = {
            path
            for path in (ROOT / package).rglob("*")
            if path.is_file() and path.suffix not in {".py", ".pyc"}
        }
        assert data
        assert not data - packed


@pytest.fixture(scope="module")
def graph() -> ImportGraph:
    return grimp.build_graph("game", "bot")


def games() -> set[str]:
    """Return the names of the games, as their rooms tell them."""
    return {path.parent.name for path in (ROOT / "game").glob("*/__init__.py")}


def rooms(graph: ImportGraph, game: str) -> set[str]:
    """Return a game's rooms, as far as it has them."""
    return {f"{floor}.{game}" for floor in ("game", "bot.games", "bot.pictures")} & graph.modules


def roads(graph: ImportGraph, one: str, other: str) -> set[tuple[str, ...]]:
    """Return how one game's rooms import another's, indirect roads included."""
    return {
        road
        for start in rooms(graph, one)
        for end in rooms(graph, other)
        for road in graph.find_shortest_chains(start, end, as_packages=True)
    }


def test_games_do_not_import_each_other(graph: ImportGraph) -> None:
    assert all(len(rooms(graph, game)) >= 2 for game in games())
    for one, other in permutations(games(), 2):
        assert not roads(graph, one, other)


def test_a_road_between_games_would_be_found() -> None:
    graph = ImportGraph()
    for module in ("game.one", "game.one.state", "game.shared", "bot.games.two", "bot.games.two.x"):
        graph.add_module(module)
    graph.add_import(importer="bot.games.two.x", imported="game.shared")
    assert not roads(graph, "two", "one")
    graph.add_import(importer="game.shared", imported="game.one.state")
    assert roads(graph, "two", "one") == {("bot.games.two.x", "game.shared", "game.one.state")}
    assert not roads(graph, "one", "two")


def test_the_shared_rules_know_no_game(graph: ImportGraph) -> None:
    shared = graph.find_children("game") - {f"game.{game}" for game in games()}
    assert "game.machine" in shared
    for module in shared:
        for game in games():
            assert not graph.find_shortest_chains(module, f"game.{game}", as_packages=True)


def test_the_contract_names_all_that_games_share() -> None:
    """A module beside the games' rooms has no road to them, but for the table."""
    declared = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))
    contracts = declared["tool"]["importlinter"]["contracts"]
    (contract,) = [c for c in contracts if "bot.games.*.*" in c.get("forbidden_modules", ())]
    shared = {
        f"bot.{room}.{path.stem}"
        for room in ("games", "pictures")
        for path in (ROOT / "bot" / room).glob("*.py")
        if path.name != "__init__.py"
    }
    assert shared - {"bot.games.table"} <= set(contract["source_modules"])


def test_no_module_of_the_product_is_imported_by_nobody() -> None:
    sources = "\n".join(path.read_text(encoding="utf-8") for path in modules())
    entries = {"bot.__main__", "bot.locales.template"}
    unused: list[str] = []
    for path in modules():
        name = ".".join(path.relative_to(ROOT).with_suffix("").parts).removesuffix(".__init__")
        package, _, last = name.rpartition(".")
        if name in entries or path.name == "__init__.py":
            continue
        ways = (f"import {name}", f"from {name} import", f"from {package} import")
        if not any(way in sources for way in ways[:2]) and not (
            ways[2] in sources and last in sources
        ):
            unused.append(name)
    assert not unused


def imported(path: Path) -> set[str]:
    """Return the dotted names of all that a module of the tests imports, wherever it does."""
    package = path.relative_to(ROOT).with_suffix("").parts[:-1]
    found: set[str] = set()
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Import):
            found |= {alias.name for alias in node.names}
        elif isinstance(node, ast.ImportFrom):
            above = package[: len(package) - node.level + 1] if node.level else ()
            origin = ".".join((*above, *(node.module or "").split("."))).strip(".")
            found |= {origin} | {f"{origin}.{alias.name}" for alias in node.names}
    return found


def is_no_library(module: str) -> bool:
    """Return whether a module of the tests is there for pytest alone."""
    room, *path = module.split(".")
    return room == "tests" and any(part.startswith("test_") or part == "conftest" for part in path)


def test_what_tests_share_is_in_the_kit() -> None:
    """No module imports a test module or a conftest: it could not be changed for itself."""
    for path in sorted((ROOT / "tests").rglob("*.py")):
        assert not {name for name in imported(path) if is_no_library(name)}, path


@pytest.mark.parametrize(
    "line",
    [
        "import tests.game.test_race",
        "from tests.game.test_race import only",
        "from tests.game import conftest",
        "from . import test_race",
        "from .conftest import only",
        "def test():\n    from tests.game.test_race import only",
    ],
)
def test_an_import_of_a_test_module_would_be_found(
    line: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(sys.modules[__name__], "ROOT", tmp_path)
    path = tmp_path / "tests" / "game" / "test_deck.py"
    path.parent.mkdir(parents=True)
    path.write_text(line, encoding="utf-8")
    assert any(map(is_no_library, imported(path)))
