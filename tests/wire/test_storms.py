"""A storm of claims while Discord limits what the bot may show: deciding does not wait for it."""

import asyncio
import sys
import time
from random import Random
from statistics import median

import pytest

from game.rox.state import Stage
from tests.kit.wire.faults import EDIT, POST, REACT, limited
from tests.kit.wire.limits import Limits
from tests.kit.wire.match import PATIENT, hosted

FOUR = ("Ada", "Bo", "Cy", "Dee")
EACH_PER_SECOND = 5
RULES = {**PATIENT, "rest_ms": 500}
"""Hands are busy now and then, so that claims are refused for every reason there is."""
CHANNEL_CALLS = "* /channels/**"
LIMIT_S = 1.5
COUPLE = 5
"""An edit, a post, the removal of what the post replaces, a mark: what may go out at once."""


class Watch:
    """Sees when each message gets into the database."""

    def __init__(self, table):
        self._table = table
        self._typed = {}
        self.delays = []

    def typed(self, message):
        self._typed[message.id] = time.monotonic()

    async def run(self):
        """Look every few milliseconds; the longest that a look may be late is noise."""
        newest = self._newest()
        while True:
            for seq, source in self._table.wire.rows(
                "select seq, source_id from actions where match_id = ? and seq > ? order by seq",
                self._table.id,
                newest,
            ):
                newest = seq
                began = self._typed.pop(source, None)
                if began is not None:
                    self.delays.append(time.monotonic() - began)
            await asyncio.sleep(0.004)

    def _newest(self):
        return self._table.wire.rows(
            "select max(seq) from actions where match_id = ?", self._table.id
        )[0][0]

    @property
    def undecided(self):
        return len(self._typed)


async def storm(table, seconds, random):
    """Four people claim and put back; return how long each claim took to be decided."""
    watch = Watch(table)
    looking = asyncio.create_task(watch.run())
    began = time.monotonic()
    for turn in range(round(seconds * EACH_PER_SECOND)):
        for seat, person in enumerate(table.people):
            moment = began + (turn + seat / len(table.people)) / EACH_PER_SECOND
            await asyncio.sleep(max(0.0, moment - time.monotonic()))
            if turn % 3 == 2:
                person.say("0")
            else:
                watch.typed(person.say(str(random.randint(10, 69))))
    await table.until(lambda: not watch.undecided)
    looking.cancel()
    assert table.stage is Stage.RACE
    return watch.delays


def figures(delays):
    ordered = sorted(delays)
    return median(ordered), ordered[int(0.95 * len(ordered))], ordered[-1]


async def weather(folder, seconds, seed):
    """A quiet run and a storm in which nothing can be shown; return the delays of both."""
    sys.stderr.write(f"\n  seed {seed}\n")
    random = Random(seed)
    async with hosted(folder, rules=RULES, beyond=Limits()) as wire:
        table = wire.table("rox-table", *FOUR)
        await table.race()
        quiet = await storm(table, seconds, random)
        await table.until(table.is_current)
        assert wire.faults.beyond.refused == []

        began = len(wire.faults.calls)
        with (
            wire.faults.on(EDIT, limited(LIMIT_S)) as edits,
            wire.faults.on(POST, limited(LIMIT_S)) as posts,
            wire.faults.on(REACT, limited(0.5)),
        ):
            stormy = await storm(table, seconds / 2, random)
        with wire.faults.on(CHANNEL_CALLS, limited(seconds / 2, "global")) as everywhere:
            stormy += await storm(table, seconds / 2, random)
            assert not table.is_current()
        assert edits.met or posts.met
        assert everywhere.met
        held_up = wire.faults.calls[began:]
        await table.until(table.is_current)
        after = wire.faults.calls[began + len(held_up) :]
        for name, delays in (("quiet", quiet), ("storm", stormy)):
            middle, most, longest = (1000 * value for value in figures(delays))
            sys.stderr.write(
                f"  {name}: {len(delays)} claims decided after {middle:.0f} ms, 95 % within "
                f"{most:.0f} ms, all within {longest:.0f} ms\n"
            )
        sys.stderr.write(
            f"  {len(held_up)} calls tried in the storm, {len(after)} after it: "
            f"{[call.method for call in after]}\n"
        )
        assert len(after) <= COUPLE
        await table.puts_back()
        await asyncio.sleep(1.2 * RULES["rest_ms"] / 1000)
        await table.goes_on()
    return quiet, stormy


def check(quiet, stormy):
    """What waited for a call would take as long as its limit: a second and a half, or longer."""
    assert median(stormy) < median(quiet) + LIMIT_S / 4
    assert max(stormy) < max(quiet) + LIMIT_S


async def test_limits_hold_up_no_decision_and_build_no_queue(tmp_path):
    check(*await weather(tmp_path, 4, seed=1))


@pytest.mark.slow
@pytest.mark.parametrize("seed", [1, 2, 3])
async def test_long_storms(tmp_path, seed):
    check(*await weather(tmp_path, 20, seed))
