"""After a fault a match starts again from its stored log: its state in memory may be wrong."""

from __future__ import annotations

import asyncio
import logging
import re
from dataclasses import replace

import pytest

from bot.matches.ports import StoreUnavailableError
from game.match import End, Phase
from game.rox.actions import Claim, Deal
from game.rox.state import Stage
from tests.kit.fault_doubles import (
    FaultError,
    FaultyDisplay,
    FaultyMachine,
    FaultyStore,
    Wrapper,
    with_display,
    with_machine,
    with_store,
)


def spoil(table):
    """Let what a process remembers of a match be wrong, so that no claim can be decided."""
    runner = table.runner
    runner.log.match = replace(runner.match, game=replace(table.game, owner=()))


def claims(world):
    return world.rows("select count(*) from actions where kind = 'rox.claim'")[0][0]


async def test_a_match_whose_state_in_memory_is_wrong_goes_on_from_its_log(world, table, faults):
    ada, bo, *_ = world.people
    await table.race([ada, bo])
    await table.rows({ada: "rr", bo: "r"})
    rows, number = table.row(ada), table.right(ada)
    other = table.right(bo, but=[number])
    spoil(table)
    await table.type(ada, number)
    assert table.row(ada) == [*rows, number]
    await table.type(bo, other)
    await table.advance(2)
    assert f"Bo took {other}" in table.texts()
    await table.rows({ada: "rr"})
    await table.until(lambda: table.stage is Stage.BREAK)
    assert table.game.caller == 0


class FaultyAfterwards(FaultyStore):
    """Commits, and then faults: what it was asked for is done although it says otherwise."""

    error = FaultError

    async def record(self, batch):
        await self._real.record(batch)
        try:
            self._faults.strike(batch.match)
        except FaultError:
            raise self.error from None


class UnsureAfterwards(FaultyAfterwards):
    """Commits, and then says that it can't, as a disk may."""

    error = StoreUnavailableError


@pytest.mark.parametrize("store", [FaultyAfterwards, UnsureAfterwards])
async def test_what_was_committed_before_the_fault_counts_once(world, table, faults, store):
    ada, bo, *_ = world.people
    with_store(world, lambda real: store(real, faults))
    await table.race([ada, bo])
    number, other = table.right(ada), table.wrong(bo)
    faults.next(1)
    async with world.at_once():
        asked = await ada.slash(table.channel, "rox take", number=number)
        table.say(bo, other)
        table.say(bo, number)
    await table.advance(2)
    assert faults.raised == 1
    assert table.owner(number) == 0
    assert table.owner(other) == 1
    assert claims(world) == 3
    assert asked.response.content == f"{number} is yours."
    await table.advance(2)
    assert f"Ada took {number}" in table.texts()
    await table.rows({ada: "rrrr"})
    assert table.game.caller == 0


async def test_an_end_that_was_committed_before_the_fault_is_announced_and_counted(
    world, table, faults
):
    ada, bo, *_ = world.people
    with_store(world, lambda real: FaultyAfterwards(real, faults))
    await table.open([ada, bo])
    faults.next(1)
    await table.press(ada, "Cancel")
    await table.advance(2)
    assert faults.raised == 1
    assert table.match.end is End.CANCELLED
    assert table.is_free
    await table.open([bo, ada])


class Unreadable(Wrapper):
    """Gives no log out while it is shut."""

    shut = True
    asked = 0

    async def find(self, match):
        self.asked += 1
        if self.shut:
            raise StoreUnavailableError("it is shut")
        return await self._real.find(match)


async def test_a_log_that_cannot_be_read_yet_is_waited_for(world, table, faults):
    ada, bo, *_ = world.people
    with_store(world, Unreadable)
    store = world.bot.matches.services.store
    await table.race([ada, bo])
    number = table.right(ada)
    spoil(table)
    await table.type(ada, number)
    await table.advance(10)
    assert len(table.said("I can't save anything at the moment")) == 1
    assert 1 < store.asked < 6
    assert table.match.phase is Phase.PLAYING
    store.shut = False
    await table.advance(12)
    assert table.owner(number) == 0
    assert len(table.said("I can save again; the match goes on")) == 1


class Illegible(Wrapper):
    """Gives out logs with a line that nobody knows."""

    async def find(self, match):
        stored = await self._real.find(match)
        return replace(stored, lines=(*stored.lines, (1, "no-such-kind", {})))


async def test_a_match_whose_log_is_illegible_ends_alone(world, table, faults):
    ada, bo, *_ = world.people
    with_store(world, Illegible)
    await table.race([ada, bo])
    number = table.right(ada)
    spoil(table)
    await table.type(ada, number)
    await table.advance(2)
    assert table.match.end is End.FAULT
    world.runners.clear()
    assert len(table.said("Something broke in this match")) == 1
    assert table.is_free
    assert world.rows("select status, end_reason, closed from matches") == [("void", "fault", 1)]


class Hopeless(FaultyMachine):
    """Once it has faulted at a claim, it can't do anything with that match any more."""

    def apply(self, match, action):
        if self._faults.raised:
            self._faults.next(1)
        return super().apply(match, action if not self._faults.raised else Claim(1, 1, 10))


async def test_a_match_that_cannot_be_decided_to_close_is_closed_by_force(world, table, faults):
    ada, bo, *_ = world.people
    with_machine(world, lambda real: Hopeless(real, faults))
    await table.race([ada, bo])
    faults.next(1)
    await table.type(ada, table.right(ada))
    assert table.is_free
    assert world.rows("select status, end_reason, closed from matches") == [("void", "fault", 1)]
    await table.advance(2)
    assert "Something broke in this match" in table.texts()
    assert world.bot.matches.seats.of(world.guild.id, ada.id) is None
    world.runners.clear()


class Sleepwalker(Wrapper):
    """Faults when it is asked whether a match waits for its post, which every step begins with."""

    def __init__(self, real, faults):
        super().__init__(real)
        self._faults = faults

    def awaits_post(self, match):
        self._faults.strike(match.opening.id)
        return self._real.awaits_post(match)


async def test_a_fault_between_decisions_does_not_stop_a_match(world, table, faults):
    ada, bo, *_ = world.people
    with_machine(world, lambda real: Sleepwalker(real, faults))
    await table.race([ada, bo])
    number = table.right(ada)
    faults.next(1)
    await table.type(ada, number)
    assert faults.raised == 1
    assert table.owner(number) == 0
    faults.next(1_000)
    await table.type(bo, table.right(bo))
    assert table.match.end is End.FAULT
    assert table.is_free


async def test_a_match_that_could_not_be_shown_is_shown_from_its_log(world, table, faults):
    ada, bo, *_ = world.people
    with_display(world, lambda real: FaultyDisplay(real, faults))
    await table.race([ada, bo])
    number = table.right(ada)
    faults.next(1)
    await table.type(ada, number)
    await table.advance(3)
    assert faults.raised == 1
    assert f"Ada took {number}" in table.texts()
    assert table.owner(number) == 0
    faults.next(2)
    await table.type(bo, table.right(bo))
    assert faults.raised == 3
    assert table.match.end is End.FAULT
    await table.advance(3)
    assert "Something broke in this match" in table.texts()
    assert table.is_free


class Mute(Wrapper):
    """Can't tell channels anything, by a fault of its own."""

    async def say(self, venue, notice):
        raise FaultError


async def test_a_match_goes_on_although_no_notice_can_be_posted(world, table, faults):
    ada, bo, *_ = world.people
    with_store(world, Unreadable)
    with_display(world, Mute)
    store = world.bot.matches.services.store
    await table.race([ada, bo])
    number = table.right(ada)
    spoil(table)
    await table.type(ada, number)
    store.shut = False
    await table.advance(12)
    assert table.owner(number) == 0


async def test_the_log_file_says_what_it_takes_to_play_the_round_again(
    world, table, faults, caplog
):
    ada, bo, *_ = world.people
    with_machine(world, lambda real: FaultyMachine(real, faults))
    await table.race([ada, bo])
    await table.rows({ada: "r"})
    lines = world.rows("select count(*) from actions")[0][0]
    number = table.right(bo)
    faults.next(1)
    message = await table.type(bo, number)
    told = [record.getMessage() for record in caplog.records if record.levelno > logging.INFO]
    fault, dealt = told
    assert f"match {table.runner.id} in channel {table.channel.id}" in fault
    assert f"{lines} lines of its log, table-1 shown" in fault
    assert repr(Claim(message.id, user=bo.id, number=number, typed=True)) in fault
    (deal,) = re.findall(r"dealt: \[(.*)\]$", dealt)
    assert eval(deal, {"Deal": Deal}) == table.game.deal  # noqa: S307 - what it reads is our own


async def test_faults_of_many_matches_do_not_mix(world, faults):
    """One fault each, all in the same tick; a second one ends only its own match."""
    ada, bo, cy, dee, *_ = world.people
    one, other = world.table("one"), world.table("other")
    with_machine(world, lambda real: FaultyMachine(real, faults))
    await one.race([ada, bo])
    await other.race([cy, dee])
    first, second = one.right(ada), other.right(cy)
    faults.next(2)
    async with world.at_once():
        one.say(ada, first)
        other.say(cy, second)
    await asyncio.sleep(0)
    assert faults.raised == 2
    assert one.owner(first) == 0
    assert other.owner(second) == 0


async def test_at_the_start_a_log_that_is_illegible_ends_its_match_alone(world, table, faults):
    ada, bo, cy, dee, *_ = world.people
    other = world.table("other")
    await table.race([ada, bo])
    await other.race([cy, dee])
    broken = table.runner.id

    change = "update actions set payload = '{\"no\": 1}' where match_id = ? and seq = 3"
    await world.restart(lambda: world.alter(change, broken))
    await world.advance(3)
    assert len(table.said("Something broke in this match")) == 1
    assert world.rows("select end_reason, closed from matches order by id") == [
        ("fault", 1),
        (None, 0),
    ]
    number = other.right(cy)
    await other.type(cy, number)
    assert other.row(cy)[-1] == number
    await table.open([ada, bo])
