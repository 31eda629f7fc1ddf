"""What is left of matches that are over: nothing, however many there were."""

from __future__ import annotations

import gc
import os
import subprocess
import sys
from collections import Counter

import discord
import pytest

from bot.store.migrate import upgrade
from game.rox.prizes import ROUNDS
from game.rox.state import Stage
from tests.kit.observed import tasks_of_matches
from tests.kit.simulation import simulated
from tests.kit.wire.memory import played

FROM_DISCORD = (discord.Interaction, discord.ui.LayoutView, discord.ui.View)
BOUNDED = {"_Limit": 200, "UtcDateTime": 10}
"""Classes of which some objects stay: limits of many channels, and types of cached statements."""
OFFER_S = 601
MATCHES = 12


def instances():
    """How many objects there are of each class of ours, and of those that Discord's events make."""
    gc.collect()
    classes = Counter(map(type, gc.get_objects()))
    return Counter(
        {
            cls.__qualname__: count
            for cls, count in classes.items()
            if cls in FROM_DISCORD or str(cls.__module__).startswith(("bot.", "game."))
        }
    )


def forget(world):
    """Let the simulated Discord, and the test, forget what happened in them."""
    backend = world.env.backend
    for log in (backend.transcript, backend.http_requests):
        log.clear()
    for known in (backend.interactions, backend.interaction_tokens, *backend.messages.values()):
        known.clear()
    world.runners.clear()


async def play(table, people):
    """Play from the get-ready time to the end; everybody looks at their card now and then."""
    for number in range(ROUNDS):
        await table.advance(4)
        await table.to_race()
        await table.press(people[number % 2], "My card")
        await table.rows({people[0]: "rrrrr", people[1]: "rw"})
        await table.advance(7.6)
        assert table.stage is not Stage.CHECK
        if number < ROUNDS - 1:
            await table.next_round(people)
    await table.advance(2)


async def evening(world, people, matches):
    """A lobby, its rematch, another lobby and so on; then nobody wants any more."""
    table = world.table()
    for number in range(matches):
        if number % 3:
            for person in people:
                await table.press(person, "Rematch")
            await table.advance(1.1)
        else:
            await table.start(people, opponents=number % 2)
        await play(table, people)
    await table.advance(OFFER_S)
    assert table.is_free


async def test_nothing_is_left_of_matches_that_are_over(tmp_path):
    """Sixty rounds in three channels, with rematches, opponents and private cards."""
    database = tmp_path / "rox.sqlite3"
    upgrade(f"sqlite+aiosqlite:///{database}")
    async with simulated(database) as world:
        before = instances()
        for pair in range(3):
            await evening(world, world.people[2 * pair : 2 * pair + 2], MATCHES // 3)
        assert world.rows("select count(*), min(closed) from matches") == [(MATCHES, 1)]
        forget(world)
        grown = instances() - before
        assert all(grown.pop(name, 0) <= most for name, most in BOUNDED.items())
        assert grown == {}
        registry, seats = world.bot.matches.registry, world.bot.matches.seats
        assert list(registry) == []
        for channel in world.env.backend.channels:
            assert registry.at(channel) is registry.offer_at(channel) is None
        for person in world.people:
            assert seats.of(world.guild.id, person.id) is None
        assert tasks_of_matches() == []


LARGE_PIECES = """
import re, sys
from pathlib import Path
from bot.app.library_settings import set_mmap_threshold

def held():
    return int(re.search(r"VmRSS:\\s+(\\d+)", Path("/proc/self/status").read_text())[1])

if "set" in sys.argv:
    set_mmap_threshold()
largest = b"x" * (30 << 20)
del largest
before = held()
pieces, between = [], []
for _ in range(40):
    pieces.append(b"x" * (1 << 20))
    between.append(b"x" * 1000)
pieces.clear()
print(held() - before)
"""


@pytest.mark.parametrize("how", ["set", "not set"])
def test_memory_of_large_pictures_is_given_back(how):
    """As a process of its own, since a limit that is set stays."""
    command = [sys.executable, "-c", LARGE_PIECES, *(["set"] if how == "set" else [])]
    result = subprocess.run(command, capture_output=True, text=True, check=True)
    kept_kib = int(result.stdout)
    assert (kept_kib < 5_000) is (how == "set"), f"{kept_kib} KiB of 40 MiB are kept"


@pytest.mark.slow
async def test_memory_stays_flat_over_two_thousand_rounds(tmp_path, capsys):
    """The bot in a process of its own, 400 matches in 25 channels, all pictures drawn.

    ``pytest -n 0 -m slow tests/wire/test_memory.py`` takes five to ten minutes on two cores;
    ``ROX_TEST_SPEED`` says how much faster than real the matches' time runs, ten times if nothing
    else is said. What is compared is the most memory that the kernel ever saw (VmHWM).
    """

    def tell(line):
        with capsys.disabled():
            sys.stdout.write(f"  {line}\n")

    speed = float(os.environ.get("ROX_TEST_SPEED", "10"))
    figures = await played(tmp_path, matches=16, channels=25, speed=speed, tell=tell)
    assert figures.matches * ROUNDS == 2000
    early = max(peak for rounds, peak in figures.peaks.items() if rounds < 250)
    last = max(figures.peaks.values())
    tell(f"from round 200 on the peak grew by {100 * (last / early - 1):.1f} %")
    assert last < 1.1 * early
