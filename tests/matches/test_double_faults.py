"""Two or three things that go wrong one after the other, each of which alone is made good."""

from __future__ import annotations

import asyncio
import sqlite3
from contextlib import closing

import pytest

from bot.matches.ports import StoreUnavailableError
from game.actions import Shown
from game.match import OFFER_MS, PAUSE_MS, End, Phase
from game.rox.state import Stage
from tests.channel.test_double_faults import down, live
from tests.channel.test_hindrances import forbid, goes_on, paused
from tests.matches.faulty import (
    FaultError,
    FaultyMachine,
    FaultyStore,
    Wrapper,
    with_machine,
    with_store,
)
from tests.matches.harness import ACT_S
from tests.matches.test_claims import slow_posts
from tests.matches.test_faults import SlowStore
from tests.matches.test_leaving import asked, to
from tests.matches.test_left_behind import FOR_EVER_S, agree, never_deletes, new_processes, statuses
from tests.matches.test_rematch import finish
from tests.matches.test_restarts import BACK, to_phase
from tests.matches.test_unread_history import unread

HOUR_S = 3_600
DOWN = {"status": 503, "code": 0}


# --- a deadline that passed while the bot was away ---


@pytest.mark.parametrize("where", ["lobby", "race", "break", "pause"])
async def test_a_long_absence_and_posts_that_fail_do_not_end_the_match(world, table, where):
    """Discord is still coming back: no id of the present has been seen when posting fails."""
    ada, bo, cy, *_ = world.people
    await to_phase(table, [ada, bo], where)
    down(world, table, times=3)
    await world.restart(lambda: world.pass_time(HOUR_S))
    await table.advance(10)
    assert not table.is_free
    if where == "lobby":
        await table.press(cy, "Join")
        assert len(table.match.seats) == 3
    else:
        await table.press(ada, "Go on")
        assert table.match.phase is Phase.PLAYING


async def test_a_long_absence_and_a_channel_that_is_closed_do_not_end_the_match(world, table):
    ada, bo, *_ = world.people
    await table.race([ada, bo])
    path = f"/channels/{table.channel.id}/messages"
    world.env.inject_error("POST", path, status=403, code=50013, times=None)
    await world.restart(lambda: world.pass_time(HOUR_S))
    await table.advance(5)
    assert paused(table)
    world.env.backend.faults.clear()
    assert await table.slash(ada, "table") == "Here it comes."
    await goes_on(table, ada)


@pytest.mark.parametrize("where", ["lobby", "full", "break", "leaver", "pause"])
async def test_what_is_done_before_the_bot_says_that_it_is_back_has_its_usual_time(
    world, table, where
):
    """The message takes longer than the deadline that the press has set."""
    ada, bo, cy, dee, *_ = world.people
    people = [ada, bo, cy] if where in {"full", "leaver"} else [ada, bo]
    await to_phase(table, people, {"full": "lobby", "leaver": "break"}.get(where, where))
    if where == "leaver":
        question = await asked(table, cy)
        await table.press(ada, "Ready")
        await table.press(bo, "Ready")
    before = table.newest
    await world.restart(lambda: (world.pass_time(HOUR_S), slow_posts(world, drawing=11)))
    for person, label in {
        "lobby": [(ada, "Start")],
        "break": [(ada, "Ready"), (bo, "Ready")],
        "pause": [(bo, "Go on")],
        "full": [(dee, "Join")],
        "leaver": [],
    }[where]:
        await table.press(person, label, before)
    if where == "leaver":
        await cy.click(question, label="Leave the match")
        await table.advance(ACT_S)
    assert table.stage is (None if where == "full" else Stage.READY)
    await table.until(lambda: table.stage is Stage.RACE, limit=90)


async def test_a_press_after_the_deadline_and_another_end_leave_what_was_left_of_it(world, table):
    """It is the last line of the log, and no moment from which anything was left."""
    ada, bo, *_ = world.people
    await to(table, [ada, bo], "break")
    before, machine = table.match, table.runner.hosted.machine
    left = machine.deadline(before) - before.last_ms
    with new_processes(world, slow_posts, drawing=FOR_EVER_S):
        await world.restart(lambda: world.pass_time(HOUR_S))
        await table.press(ada, "Ready")
    await world.restart(lambda: world.pass_time(60))
    await table.advance(0.5)
    assert table.stage is Stage.BREAK
    assert machine.deadline(table.match) == (table.newest.id >> 22) + left


async def test_a_post_from_before_a_second_absence_does_not_end_it(world, table):
    """The answer to the message that the bot is back with comes when it is away once more."""
    ada, bo, *_ = world.people
    await table.race([ada, bo])
    await world.restart(lambda: slow_posts(world, gateway=False, answer=20))
    await table.advance(1)
    assert table.said(BACK)
    world.dispatch("disconnect")
    await table.advance(60)
    world.dispatch("connect")
    await table.advance(5)
    assert table.stage is Stage.RACE
    await table.advance(20)
    assert table.stage is Stage.RACE
    await table.until(lambda: table.stage is Stage.VERDICT, limit=40)


async def test_a_slow_store_during_a_second_absence_does_not_end_it(world, table):
    """The line that ends the first absence is being recorded all the while."""
    ada, bo, *_ = world.people
    await table.race([ada, bo])
    await table.advance(25)

    def slow_store():
        with_store(world, SlowStore)
        world.bot.host.registry.tools.store.seconds = 8

    await world.restart(slow_store)
    await table.advance(0.5)
    assert table.said(BACK)
    world.dispatch("disconnect")
    await table.advance(5)
    world.dispatch("connect")
    world.bot.host.registry.tools.store.seconds = 0
    await table.advance(4)
    assert table.game.round == 1
    assert table.stage is Stage.RACE


async def test_posts_that_failed_during_a_second_absence_do_not_end_the_match(world, table):
    ada, bo, *_ = world.people
    await table.race([ada, bo])
    down(world, table, times=3)
    await world.restart()
    world.dispatch("disconnect")
    await table.advance(900)
    world.dispatch("connect")
    await table.advance(3)
    assert not table.is_free
    if table.match.phase is Phase.PAUSED:
        await table.press(bo, "Go on")
    await goes_on(table, ada)
    assert table.game.round == 1


async def test_a_permission_that_goes_while_history_is_read_leaves_the_race_its_time(world, table):
    """The race's deadline has passed meanwhile; what was left of it runs anew all the same."""
    ada, bo, *_ = world.people
    await table.race([ada, bo])
    await table.type(ada, table.right(ada))
    world.dispatch("disconnect")
    await table.advance(60)
    unread(world, table, times=3)
    world.dispatch("connect")
    await forbid(world, table.channel, "send_messages")
    await table.advance(10)
    assert paused(table)
    await forbid(world, table.channel)
    await goes_on(table, ada)
    assert table.game.round == 1


async def test_claims_typed_while_away_count_although_a_wish_to_stop_has_lapsed(world, table):
    ada, bo, *_ = world.people
    await to(table, [ada, bo], "break")
    await table.next_round([ada, bo])
    await table.to_race()
    await table.slash(ada, "stop")
    assert table.match.stop_asked is not None
    await table.advance(22)
    await table.type(ada, table.right(ada))
    await table.advance(22)
    await table.type(bo, table.right(bo))
    await table.advance(10)
    number = table.right(ada)
    await world.restart(lambda: (world.pass_time(10), table.say(ada, number)))
    assert table.stage is Stage.RACE
    assert table.owner(number) == 0


@pytest.mark.parametrize("new", ["process", "session"])
async def test_an_offered_rematch_ends_though_the_bot_was_away_meanwhile(world, table, new):
    ada, bo, *_ = world.people
    await finish(table, [ada, bo])
    if new == "process":
        await world.restart(lambda: world.pass_time(60))
    else:
        world.dispatch("disconnect")
        await table.advance(60)
        world.dispatch("connect")
    await table.advance(1)
    assert table.buttons() == ["Rematch"]
    await table.advance(OFFER_MS / 1_000)
    assert not table.buttons()
    assert statuses(world) == [("finished", 1)]


async def test_a_channel_that_stays_closed_after_an_absence_is_free_after_ten_minutes(world, table):
    ada, bo, *_ = world.people
    await table.race([ada, bo])
    path = f"/channels/{table.channel.id}/messages*"
    world.env.inject_error("*", path, status=403, code=50013, times=None)
    await world.restart(lambda: world.pass_time(HOUR_S))
    await table.advance(5)
    assert paused(table)
    await table.advance(PAUSE_MS / 1_000)
    assert table.is_free
    assert table.match.end is End.PAUSE_LAPSED


async def test_who_presses_rematch_when_the_bot_is_back_is_not_too_late(world, table):
    ada, bo, *_ = world.people
    await finish(table, [ada, bo])
    await table.press(ada, "Rematch")
    await world.restart(lambda: world.pass_time(120))
    await table.press(bo, "Rematch")
    await table.advance(1)
    assert not table.is_free
    assert table.stage is Stage.READY


# --- a match that stands for ever ---


async def test_a_fault_in_reading_history_leaves_no_match_standing(world, table, faults):
    ada, bo, *_ = world.people
    await table.race([ada, bo])

    def break_history():
        channels = world.bot._channels
        history = channels.history

        async def faulty(*args):
            channels.history = history
            raise FaultError
            yield

        channels.history = faulty

    await world.restart(break_history)
    await table.until(lambda: table.stage is Stage.VERDICT, limit=90)


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
            world.bot.host.registry.tools.store.first = fault == "store"

    await world.restart(meanwhile)
    await table.advance(5)
    assert faults.raised == 1
    assert table.game.round == 1
    assert table.stage is Stage.RACE
    assert table.owner(number) == 0
    await table.until(lambda: table.stage is Stage.VERDICT, limit=40)


class FaultyAtShown(Wrapper):
    """Fails when it is to record that a message stands: before it is committed, or after."""

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
    await finish(table, [ada, bo])
    await table.press(bo, "Rematch")
    await other.open([bo])
    store = world.bot._journal
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
    assert statuses(world) == [("finished", 1), ("void", 1)]


async def test_a_match_that_was_told_to_be_broken_does_not_come_back(world, table, faults):
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
    assert statuses(world) == [("void", 1)]


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
    table.runner._tools.store.broken = True
    await table.type(ada, table.right(ada))
    await table.advance(60)
    assert table.said("Something broke in this match")
    assert statuses(world) == [("void", 1)]
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
    table.runner._tools.store.left = 2
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
    await finish(table, [ada, bo])
    create = world.bot._journal.create

    async def slowly(*args):
        await asyncio.sleep(5)
        return await create(*args)

    world.bot._journal.create = slowly
    await agree(table, [ada, bo])
    world.dispatch("disconnect")
    await table.advance(90)
    assert statuses(world)[-1] == ("open", 0)
    assert table.match.game is None or not table.game.scores
    world.dispatch("connect")
    await table.until(lambda: table.stage is Stage.RACE, limit=20)


async def test_a_rematch_that_had_to_wait_for_the_store_has_its_time_to_get_ready(
    world, table, faults
):
    ada, bo, *_ = world.people
    with_store(world, Down)
    await finish(table, [ada, bo])
    await table.press(ada, "Rematch")
    record = world.bot.host.registry.tools.store._real.record
    store = world.bot.host.registry.tools.store

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


async def test_a_table_of_which_only_the_history_tells_opens_the_race(world, table):
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
    down(world, table, "PATCH", times=2)
    await forbid(world, table.channel, "attach_files")
    number = table.right(ada)
    await table.type(ada, number)
    slow_posts(world, drawing=1_000)
    await forbid(world, table.channel)
    assert table.stage is Stage.OPENING
    world.dispatch("disconnect")
    await table.advance(0.5)
    world.dispatch("connect")
    await table.advance(0.5)
    assert table.stage is Stage.OPENING
    assert table.owner(number) is None


# --- what is left in the channel ---


@pytest.mark.parametrize("what", ["rules", "log"])
async def test_the_buttons_of_a_match_that_can_not_be_taken_over_go(world, table, faults, what):
    ada, bo, *_ = world.people
    await table.race([ada, bo])
    change = {
        "rules": "update matches set rules_version = 99",
        "log": "update actions set payload = '{\"no\": 1}' where seq = 3",
    }[what]

    def spoil():
        with closing(sqlite3.connect(world._database)) as connection, connection:
            connection.execute(change)

    await world.restart(spoil)
    await table.advance(3)
    world.runners.clear()
    assert statuses(world) == [("void", 1)]
    assert live(table) == []


@pytest.mark.parametrize("where", ["lobby", "race"])
async def test_messages_of_many_processes_that_ended_in_a_row_all_go(world, table, where):
    ada, bo, *_ = world.people
    await to_phase(table, [ada, bo], where)
    before = {m.id for m in table.messages} - {table.match.post.id}
    for _ in range(5):
        with new_processes(world, never_deletes):
            await world.restart(lambda: world.pass_time(1))
        await table.advance(1)
    await world.restart(lambda: world.pass_time(1))
    await table.advance(2)
    assert {m.id for m in table.messages} == before | {table.match.post.id}


async def test_a_table_that_stood_long_before_the_log_s_last_line_does_not_stay(world, table):
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
    assert live(table) == [table.match.post.id]


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
    assert not world.bot._presenter._boards
    assert statuses(world) == [("void", 1)]
    assert "The lobby is open" in await world.table("elsewhere").slash(bo, "play")
