"""A copy made while people play, put back as the README says: matches go on from there."""

import asyncio
import os
import sys
from pathlib import Path

import pytest

from game.match import Phase
from tests.kit.wire.match import hosted
from tests.kit.wire.process import connected, disconnected, said

ROOT = Path(__file__).parents[2]
SENTENCE = (
    "To restore, stop the bot, put the copy in the file's place, remove `rox.sqlite3-wal` and "
    "`rox.sqlite3-shm` if they are there, and start it."
)


def test_the_readme_says_what_is_done_here():
    assert SENTENCE in " ".join((ROOT / "README.md").read_text(encoding="utf-8").split())


async def rox(folder, *command):
    process = await asyncio.create_subprocess_exec(
        sys.executable,
        "-m",
        "bot",
        *command,
        cwd=folder,
        env={"PATH": os.environ["PATH"], "PYTHONPATH": str(ROOT)},
        stdout=asyncio.subprocess.PIPE,
        stderr=asyncio.subprocess.STDOUT,
    )
    told, _ = await process.communicate()
    return process.returncode, told.decode()


class Folder:
    """The folder with the database and what may lie beside it."""

    def __init__(self, path):
        self.database = path / "rox.sqlite3"
        self.copy = path / "copy.sqlite3"
        self.left_over = [path / "rox.sqlite3-wal", path / "rox.sqlite3-shm"]

    def let_go(self, wire):
        """Close the test's own look at the database, and leave beside it what a kill leaves."""
        found = [(file, file.read_bytes()) for file in self.left_over]
        wire.close_database()
        for file, content in found:
            file.write_bytes(content)
        assert len(self.left_over[0].read_bytes()) > 0

    def restore(self):
        """Do what the README says."""
        self.copy.replace(self.database)
        for file in self.left_over:
            file.unlink(missing_ok=True)

    def look_again(self, wire):
        wire.open_database()


@pytest.mark.parametrize("end", [pytest.param("stop", marks=pytest.mark.slow), "kill"])
async def test_matches_of_the_copy_go_on_and_what_was_typed_after_it_counts(tmp_path, end):
    folder = Folder(tmp_path)
    async with hosted(tmp_path, channels=("rox-table", "later", "third")) as wire:
        table = wire.table("rox-table", "Ada", "Bo")
        ada, bo = table.people
        await table.race()
        first = await table.takes(ada)
        status, told = await rox(tmp_path, "backup", folder.copy.name)
        assert (status, told) == (0, f"Copied to {folder.copy.name}\n")
        second, third = await table.takes(bo), await table.takes(ada)
        late = wire.table("later", "Cy")
        assert "The lobby is open" in await said(wire.loopback, late.host.slash("rox play"))
        lost = await late.host.wait_for_message("who plays?")
        lost_id = late.id

        await (wire.bot.kill() if end == "kill" else wire.bot.stop())
        await disconnected(wire.loopback)
        fourth = table.free()[0]
        bo.say(str(fourth))
        folder.let_go(wire)
        folder.restore()
        folder.look_again(wire)
        assert table.row(ada)[1:] == [first]
        assert table.row(bo)[1:] == []
        await wire.start()
        await connected(wire.loopback)

        await table.until(lambda: table.owner(fourth) is bo)
        assert table.row(ada)[1:] == [first, third]
        assert table.row(bo)[1:] == [second, fourth]
        await ada.wait_for_message("I was away for a moment")
        await table.goes_on()
        assert table.match.phase is Phase.PLAYING
        # What began after the copy is unknown: its channel is free, and its buttons belong to no
        # other match, although the next one gets its number.
        third = wire.table("third", "Dee")
        assert "The lobby is open" in await said(wire.loopback, third.host.slash("rox play"))
        await third.host.wait_for_message("who plays?")
        assert third.id == lost_id
        await late.host.press(lost.id, "Join").response()
        await late.host.wait_for_message("That match is over")
        assert [seat.name for seat in third.match.seats] == ["Dee"]
        assert "The lobby is open" in await said(wire.loopback, late.host.slash("rox play"))
