"""`rox demo`: a whole match without a token, the same for the same seed."""

import asyncio
import os
import re
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]


async def demo(folder, *options):
    """Run the command in a process of its own; return its status and what it printed."""
    process = await asyncio.create_subprocess_exec(
        sys.executable,
        "-m",
        "bot",
        "demo",
        "--out",
        str(folder),
        *options,
        cwd=folder.parent,
        env={"PATH": os.environ["PATH"], "PYTHONPATH": str(ROOT)},
        stdout=asyncio.subprocess.PIPE,
        stderr=asyncio.subprocess.STDOUT,
    )
    async with asyncio.timeout(120):
        output, _ = await process.communicate()
    return process.returncode, output.decode()


def pictures(folder):
    return sorted(path.name for path in folder.glob("*.png"))


async def test_the_same_seed_plays_the_same_match(tmp_path):
    one, other = tmp_path / "one", tmp_path / "other"
    first = await demo(one, "--seed", "7", "--players", "2")
    second = await demo(other, "--seed", "7", "--players", "2")
    assert first[0] == second[0] == 0, first[1]

    transcript = (one / "transcript.txt").read_text(encoding="utf-8")
    assert transcript == (other / "transcript.txt").read_text(encoding="utf-8")
    assert pictures(one) == pictures(other)
    assert all((one / n).read_bytes() == (other / n).read_bytes() for n in pictures(one))

    for number in range(1, 6):
        assert f"Round {number} of 5" in transcript
    stamps = re.findall(r"^\[(\d\d):(\d\d\.\d\d\d)\]", transcript, flags=re.MULTILINE)
    assert stamps == sorted(stamps)

    numbers = [int(name[:3]) for name in pictures(one)]
    assert numbers == list(range(1, len(numbers) + 1))
    kinds = {name[4:] for name in pictures(one)}
    assert kinds == {"covered.png", "table.png", "last-cards.png", "check.png", "podium.png"}
    for name in pictures(one):
        assert name in transcript
        assert (one / name).read_bytes().startswith(b"\x89PNG")

    printed = first[1]
    assert re.search(r"🏆 .* wins!|share the win!", printed)
    assert "Rox: leaderboard" in printed
    assert f"{len(numbers)} pictures" in printed
    assert "Traceback" not in printed


async def test_old_pictures_go_and_other_files_stay(tmp_path):
    folder = tmp_path / "out"
    folder.mkdir()
    (folder / "999-table.png").write_bytes(b"old")
    (folder / "notes.txt").write_text("mine")
    status, printed = await demo(folder, "--players", "4", "--seed", "3")
    assert status == 0, printed
    assert not (folder / "999-table.png").exists()
    assert (folder / "notes.txt").read_text() == "mine"
    transcript = (folder / "transcript.txt").read_text(encoding="utf-8")
    assert all(f"] {name}: " in transcript for name in ("Ada", "Bo", "Cy", "Dee"))
    for kind in ("took", "is gone", "❌", "✅"):
        assert kind in transcript, kind
    assert re.search(r"\] (Ada|Bo|Cy|Dee): [a-z 0-9.!']{3,}$", transcript, flags=re.MULTILINE)


@pytest.mark.parametrize("players", ["1", "5", "x"])
async def test_two_to_four_people_play(tmp_path, players):
    status, printed = await demo(tmp_path / "out", "--players", players)
    assert status != 0
    assert "Traceback" not in printed
    assert not (tmp_path / "out").exists()
