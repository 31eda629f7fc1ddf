"""The structure of the code: who imports whom, and what an installation contains."""

from __future__ import annotations

import subprocess
import sys
import tomllib
from pathlib import Path

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
