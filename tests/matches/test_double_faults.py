"""Two or three things that go wrong one after the other, each of which alone is made good."""

from __future__ import annotations

import asyncio

import pytest

from bot.matches.ports import StoreUnavailableError
from game.actions import Shown
from game.match import Phase
from game.rox.state import Stage
from tests.kit.failing_calls import FOR_EVER_S, fail_calls, slow_posts
from tests.kit.fault_doubles import (
    FaultError,
    FaultyMachine,
    FaultyStore,
    SlowStore,
    Wrapper,
    with_machine,
    with_store,
)
from tests.kit.observed import ids_with_buttons, stored_statuses, tasks_of_matches
from tests.kit.progress import play_match, press_rematch
from tests.kit.server import forbid

HOUR_S = 3_600


# --- matches that stop for ever ---


async def test_a_match_goes_on_after_a_fault_in_reading_history(world, table, faults):
    ada, bo, *_ = world.people
    await table.race([ada, bo])

    def break_history():
        channels = world.bot.channels
        history = channels.history

        async def faulty(*args):
            channels.history = history
            raise FaultError
            yield

        channels.history = faulty

    await world.restart(break_history)
    await table.until(lambda: table.stage is Stage.CHECK, limit=90)


@pytest.mark.parametrize("fault", ["machine", "store", "unsure"])
async def test_a_fault_after_a_long_absence_leaves_the_race_its_time(world, table, faults, fault):
    """At the claim typed meanwhile, or as the message that the bot is back with is recorded."""
    ada, bo, *_ = world.people
    await table.race([ada, bo])
    number = table.right(ada)

    def meanwhile():
        world.pass_time(3)
        table.say(ada, number)
        world.pass_time(HOUR_S)
        if fault == "machine":
            with_machine(world, lambda real: FaultyMachine(real, faults))
            faults.next(1)
        else:
            with_store(world, lambda real: FaultyAtShown(real, faults))
            faults.next(1)
            world.bot.matches.services.store.first = fault == "store"

    await world.restart(meanwhile)
    await table.advance(5)
    assert faults.raised == 1
    assert table.game.round == 1
    assert table.stage is Stage.RACE
    assert table.owner(number) == 0
    await table.until(lambda: table.stage is Stage.CHECK, limit=40)


class FaultyAtShown(Wrapper):
    """Fails at recording that a message is shown: before it is committed, or after."""

    def __init__(self, real, faults):
        super().__init__(real)
        self._faults = faults
        self.first = True

    async def record(self, batch):
        shown = any(isinstance(entry.action, Shown) for entry in batch.entries)
        if shown and self.first:
            self._faults.strike(None)
        await self._real.record(batch)
        if shown:
            try:
                self._faults.strike(None)
            except FaultError:
                raise StoreUnavailableError("it is not sure") from None


async def test_a_rematch_that_could_not_be_opened_is_not_opened_by_a_later_process(
    world, table, faults
):
    """That nothing is left to do could not be recorded at once."""
    ada, bo, *_ = world.people
    other = world.table("other")
    await play_match(table, [ada, bo])
    await table.press(bo, "Rematch")
    await other.open([bo])
    store = world.bot.journal
    record = store.record

    async def recorded(batch):
        if batch.closed:
            store.record = record
            raise StoreUnavailableError("it is down")
        await record(batch)

    store.record = recorded
    await table.press(ada, "Rematch")
    await table.advance(60)
    assert store.record is record
    assert table.is_free
    await other.press(bo, "Cancel")
    await world.restart(lambda: world.pass_time(HOUR_S))
    await table.advance(3)
    assert table.is_free
    assert stored_statuses(world) == [("finished", 1), ("void", 1)]


async def test_a_match_that_was_announced_as_broken_is_not_restored(world, table, faults):
    """It could not be closed at once, which has nothing to do with the next process."""
    ada, bo, *_ = world.people
    with_store(world, lambda real: FaultyStore(real, faults))
    await table.race([ada, bo])
    faults.next(3, table.runner.id)
    await table.type(ada, table.right(ada))
    await table.advance(60)
    assert table.said("Something broke in this match")
    assert table.is_free
    world.runners.clear()
    await world.restart()
    await table.advance(3)
    assert table.is_free
    assert stored_statuses(world) == [("void", 1)]


class Unwritable(Wrapper):
    """From some time on it can't record any line."""

    broken = False

    async def record(self, batch):
        if self.broken and batch.entries:
            raise FaultError
        await self._real.record(batch)


async def test_a_match_whose_lines_can_not_be_written_is_closed_without_them(world, table, faults):
    ada, bo, *_ = world.people
    with_store(world, Unwritable)
    await table.race([ada, bo])
    world.bot.matches.services.store.broken = True
    await table.type(ada, table.right(ada))
    await table.advance(60)
    assert table.said("Something broke in this match")
    assert stored_statuses(world) == [("void", 1)]
    world.runners.clear()


class Down(Wrapper):
    """Can't be written to so many times."""

    def __init__(self, real):
        super().__init__(real)
        self.left = 0

    def _strike(self):
        if self.left:
            self.left -= 1
            raise StoreUnavailableError("it is down")

    async def record(self, batch):
        self._strike()
        await self._real.record(batch)

    async def create(self, *args):
        self._strike()
        return await self._real.create(*args)


async def test_a_store_that_failed_before_a_long_absence_is_tried_again_for_long_enough(
    world, table, faults
):
    ada, bo, *_ = world.people
    with_store(world, Down)
    await table.race([ada, bo])
    world.bot.matches.services.store.left = 2
    number = table.right(ada)
    await table.type(ada, number)
    world.dispatch("disconnect")
    await table.advance(700)
    world.dispatch("connect")
    await table.advance(5)
    assert table.match.end is None
    assert table.owner(number) == 0


# --- nobody is cheated ---


async def test_a_rematch_that_opens_while_the_connection_is_broken_waits_for_it(world, table):
    """Its race would be over before the bot hears anybody."""
    ada, bo, *_ = world.people
    await play_match(table, [ada, bo])
    create = world.bot.journal.create

    async def slowly(*args):
        await asyncio.sleep(5)
        return await create(*args)

    world.bot.journal.create = slowly
    await press_rematch(table, [ada, bo])
    world.dispatch("disconnect")
    await table.advance(90)
    assert stored_statuses(world)[-1] == ("open", 0)
    assert table.match.game is None or not table.game.scores
    world.dispatch("connect")
    await table.until(lambda: table.stage is Stage.RACE, limit=20)


async def test_a_rematch_that_had_to_wait_for_the_store_has_its_time_to_get_ready(
    world, table, faults
):
    ada, bo, *_ = world.people
    with_store(world, Down)
    await play_match(table, [ada, bo])
    await table.press(ada, "Rematch")
    record = world.bot.journal.record
    store = world.bot.matches.services.store

    async def recorded(batch):
        await record(batch)
        if batch.entries:
            store.left = 5

    store.record = recorded
    await table.press(bo, "Rematch")
    del store.record
    first = table.runner
    await table.until(lambda: table.runner is not first, step=0.1)
    await table.advance(3)
    assert table.stage is Stage.READY


async def test_a_table_that_is_posted_again_does_not_cut_the_wait_for_earlier_claims_short(
    world, table
):
    """Two claims come in the wrong order, and between them the answer to a post."""
    ada, bo, cy, *_ = world.people
    await table.race([ada, bo, cy])
    number = table.right(ada)
    other = table.wrong(cy, but=[number])
    slow_posts(world, drawing=1)
    await table.slash(bo, "table")
    before = table.newest.id
    await table.advance(0.85)
    early = table.unheard(bo, number)
    table.say(cy, other)
    await table.advance(0.03)
    table.say(ada, number)
    assert table.newest.id == before
    await table.advance(0.035)
    assert table.newest.id != before
    table.deliver(early)
    await table.advance(0.2)
    assert table.owner(number) == 1


async def test_claims_of_a_connection_that_was_dead_already_count(world, table):
    """Opponents have moved since; that is nothing that anybody typed."""
    ada, *_ = world.people
    await table.race([ada], opponents=2, level="master")
    number = max(n for n in range(10, 70) if table.owner(n) is None and fits(table, ada, n))
    claim = table.unheard(ada, number)
    await table.until(lambda: table.match.last_ms > (claim >> 22) + 6_000)
    assert table.stage is Stage.RACE
    assert table.owner(number) is None
    world.dispatch("disconnect")
    await table.advance(0.5)
    world.dispatch("connect")
    await table.advance(0.5)
    assert table.owner(number) == table.seat(ada)


async def test_a_table_known_only_from_the_history_opens_the_race(world, table):
    """Its answer and its copy are lost, and then the session is; people have seen it."""
    ada, bo, *_ = world.people
    await table.start([ada, bo])
    shown = len(table.messages)
    slow_posts(world, gateway=False, answer=FOR_EVER_S)
    await table.until(lambda: len(table.messages) > shown, limit=20)
    await table.advance(2.2)
    number = table.right(ada)
    table.say(ada, number)
    await table.advance(1)
    assert table.stage is Stage.OPENING
    world.dispatch("disconnect")
    await table.advance(0.5)
    world.dispatch("connect")
    await table.advance(0.5)
    assert table.stage is Stage.RACE
    assert table.owner(number) == 0


def fits(table, person, number):
    last = table.game.last_card(table.seat(person))
    return table.game.card_at(number - 10).centre is last.answer


async def test_a_table_from_before_a_pause_does_not_open_the_race_again(world, table):
    """A new session finds it in the history, with the buttons that it could not lose."""
    ada, bo, *_ = world.people
    await table.start([ada, bo])
    await table.until(lambda: table.stage is Stage.RACE, step=0.1)
    fail_calls(world, table, "PATCH", times=2)
    await forbid(world, table.channel, "attach_files")
    number = table.right(ada)
    await table.type(ada, number)
    slow_posts(world, drawing=1_000)
    await forbid(world, table.channel)
    assert table.awaits_post
    world.dispatch("disconnect")
    await table.advance(0.5)
    world.dispatch("connect")
    await table.advance(0.5)
    assert table.awaits_post
    assert table.owner(number) is None


# --- what is left in the channel ---


@pytest.mark.parametrize("what", ["rules", "log"])
async def test_the_buttons_of_a_match_that_cannot_be_restored_are_removed(
    world, table, faults, what
):
    ada, bo, *_ = world.people
    await table.race([ada, bo])
    change = {
        "rules": "update matches set rules_version = 99",
        "log": "update actions set payload = '{\"no\": 1}' where seq = 3",
    }[what]

    await world.restart(lambda: world.alter(change))
    await table.advance(3)
    world.runners.clear()
    assert stored_statuses(world) == [("void", 1)]
    assert ids_with_buttons(table) == []


async def test_a_table_posted_long_before_the_log_s_last_line_is_deleted(world, table):
    """The answer to its post was lost, somebody left, and the process ended."""
    ada, bo, cy, *_ = world.people
    await table.start([ada, bo, cy])
    slow_posts(world, gateway=False, answer=FOR_EVER_S)
    await table.until(lambda: table.stage is Stage.OPENING)
    await table.advance(3)
    unknown = table.newest.id
    number = table.right(ada)
    claim = table.say(ada, number)
    await table.advance(8)
    await table.leave(cy)
    assert (claim >> 22) < table.match.last_ms - 5_000
    await world.restart()
    await table.advance(3)
    assert unknown not in {m.id for m in table.messages}
    assert table.owner(number) == 0
    assert ids_with_buttons(table) == [table.match.post.id]


async def test_a_channel_that_goes_while_a_post_is_under_way_leaves_nothing_open(world, table):
    ada, bo, *_ = world.people
    await table.start([ada, bo])
    slow_posts(world, drawing=5)
    await table.until(lambda: table.stage is Stage.OPENING)
    runner = table.runner
    world.env.backend.delete_channel(table.channel.id)
    await world.env.settle()
    await world.advance(20)
    assert runner.match.phase is Phase.CLOSED
    assert not tasks_of_matches()
    assert stored_statuses(world) == [("void", 1)]
    assert "The lobby is open" in await world.table("elsewhere").slash(bo, "play")


async def test_a_pause_that_ends_before_it_is_recorded_waits_for_a_new_table(world, table, faults):
    """Otherwise the race would wait for ever: the message of before shows it as it was."""
    ada, bo, *_ = world.people
    with_store(world, Down)
    store = world.bot.matches.services.store
    await table.race([ada, bo])
    before = table.newest.id
    store.left = 1
    await forbid(world, table.channel, "attach_files")
    await forbid(world, table.channel)
    await table.until(lambda: not table.awaits_post and table.newest.id != before, limit=30)
    assert table.stage is Stage.RACE
    await table.advance(3)
    number = table.right(ada)
    await table.type(ada, number)
    assert table.owner(number) == 0


async def test_a_rematch_that_can_not_be_saved_for_ten_minutes_is_given_up(world, table, faults):
    ada, bo, *_ = world.people
    with_store(world, Down)
    store = world.bot.matches.services.store
    await play_match(table, [ada, bo])
    await table.press(ada, "Rematch")
    create = store.create

    async def refuse(*_):
        raise StoreUnavailableError("it is down")

    store.create = refuse
    await table.press(bo, "Rematch")
    await table.advance(700)
    store.create = create
    await table.advance(60)
    assert table.said("The rematch could not be opened")
    assert table.is_free


async def test_a_finished_match_of_other_rules_is_closed_and_tells_nobody(world, table, faults):
    ada, bo, *_ = world.people
    await play_match(table, [ada, bo])
    await world.restart(lambda: world.alter("update matches set rules_version = 99"))
    await table.advance(3)
    assert stored_statuses(world) == [("finished", 1)]
    assert not table.said("I was updated")


async def test_a_permission_that_comes_back_while_its_pause_is_recorded_ends_it(
    world, table, faults
):
    """The event comes between the commit and its announcement, when the race seems to go on."""
    ada, bo, *_ = world.people
    with_store(world, SlowStore)
    store = world.bot.matches.services.store
    await table.race([ada, bo])
    before = table.newest.id
    store.seconds = 4
    await forbid(world, table.channel, "attach_files")
    assert table.match.phase is Phase.PLAYING, "the pause is being recorded"
    await forbid(world, table.channel)
    store.seconds = 0
    await table.until(lambda: table.newest.id != before and not table.awaits_post, limit=60)
    assert table.stage is Stage.RACE
