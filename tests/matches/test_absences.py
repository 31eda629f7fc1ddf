"""What an absence of the bot does to time when something else goes wrong, or comes, meanwhile."""

from __future__ import annotations

import pytest

from game.match import OFFER_MS, PAUSE_MS, End, Phase
from game.rox.state import Stage
from tests.kit.failing_calls import (
    FOR_EVER_S,
    changing_new_bots,
    fail_calls,
    fail_history,
    slow_posts,
)
from tests.kit.fault_doubles import SlowStore, with_store
from tests.kit.observed import WAS_AWAY, paused_for_permission, stored_statuses
from tests.kit.progress import ask_to_leave, assert_goes_on, bring_to, play_match
from tests.kit.server import forbid
from tests.kit.table import ACT_S

HOUR_S = 3_600


@pytest.mark.parametrize("where", ["lobby", "race", "break", "pause"])
async def test_a_long_absence_and_posts_that_fail_do_not_end_the_match(world, table, where):
    """Discord is still coming back: no id of the present has been seen when posting fails."""
    ada, bo, cy, *_ = world.people
    await bring_to(table, [ada, bo], where)
    fail_calls(world, table, times=3)
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
    assert paused_for_permission(table)
    world.env.backend.faults.clear()
    assert await table.slash(ada, "table") == "Here it comes."
    await assert_goes_on(table, ada)


@pytest.mark.parametrize("where", ["lobby", "full", "break", "leaver", "pause"])
async def test_an_action_before_the_message_after_an_absence_gets_its_usual_time(
    world, table, where
):
    """The message takes longer than the deadline that the press has set."""
    ada, bo, cy, dee, *_ = world.people
    people = [ada, bo, cy] if where in {"full", "leaver"} else [ada, bo]
    await bring_to(table, people, {"full": "lobby", "leaver": "break"}.get(where, where))
    if where == "leaver":
        question = await ask_to_leave(table, cy)
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


async def test_a_press_after_the_deadline_and_another_restart_keep_the_rest_of_the_time(
    world, table
):
    """It is the last line of the log, and no moment from which anything was left."""
    ada, bo, *_ = world.people
    await bring_to(table, [ada, bo], "break")
    before = table.match
    left = table.deadline_ms - before.last_ms
    with changing_new_bots(world, slow_posts, drawing=FOR_EVER_S):
        await world.restart(lambda: world.pass_time(HOUR_S))
        await table.press(ada, "Ready")
    await world.restart(lambda: world.pass_time(60))
    await table.advance(0.5)
    assert table.stage is Stage.BREAK
    assert table.deadline_ms == (table.newest.id >> 22) + left


async def test_a_post_from_before_a_second_absence_does_not_end_it(world, table):
    """The answer to the message that the bot is back with comes when it is away once more."""
    ada, bo, *_ = world.people
    await table.race([ada, bo])
    await world.restart(lambda: slow_posts(world, gateway=False, answer=20))
    await table.advance(1)
    assert table.said(WAS_AWAY)
    world.dispatch("disconnect")
    await table.advance(60)
    world.dispatch("connect")
    await table.advance(5)
    assert table.stage is Stage.RACE
    await table.advance(20)
    assert table.stage is Stage.RACE
    await table.until(lambda: table.stage is Stage.CHECK, limit=40)


async def test_a_slow_store_during_a_second_absence_does_not_end_it(world, table):
    """The line that ends the first absence is being recorded all the while."""
    ada, bo, *_ = world.people
    await table.race([ada, bo])
    await table.advance(25)

    def slow_store():
        with_store(world, SlowStore)
        world.bot.matches.services.store.seconds = 8

    await world.restart(slow_store)
    await table.advance(0.5)
    assert not table.said(WAS_AWAY), "no notice is posted before it is recorded"
    world.dispatch("disconnect")
    await table.advance(5)
    world.dispatch("connect")
    world.bot.matches.services.store.seconds = 0
    await table.advance(4)
    assert table.said(WAS_AWAY)
    assert table.game.round == 1
    assert table.stage is Stage.RACE


async def test_posts_that_failed_during_a_second_absence_do_not_end_the_match(world, table):
    ada, bo, *_ = world.people
    await table.race([ada, bo])
    fail_calls(world, table, times=3)
    await world.restart()
    world.dispatch("disconnect")
    await table.advance(900)
    world.dispatch("connect")
    await table.advance(3)
    assert not table.is_free
    if table.match.phase is Phase.PAUSED:
        await table.press(bo, "Go on")
    await assert_goes_on(table, ada)
    assert table.game.round == 1


async def test_a_permission_that_goes_while_history_is_read_leaves_the_race_its_time(world, table):
    """The race's deadline has passed meanwhile; the remaining time is given all the same."""
    ada, bo, *_ = world.people
    await table.race([ada, bo])
    await table.type(ada, table.right(ada))
    world.dispatch("disconnect")
    await table.advance(60)
    fail_history(world, table, times=3)
    world.dispatch("connect")
    await forbid(world, table.channel, "send_messages")
    await table.advance(10)
    assert paused_for_permission(table)
    await forbid(world, table.channel)
    await assert_goes_on(table, ada)
    assert table.game.round == 1


async def test_claims_typed_while_away_count_although_a_request_to_stop_has_lapsed(world, table):
    ada, bo, *_ = world.people
    await bring_to(table, [ada, bo], "break")
    await table.next_round([ada, bo])
    await table.to_race()
    await table.slash(ada, "stop")
    assert table.match.stop_asked_at is not None
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
    await play_match(table, [ada, bo])
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
    assert stored_statuses(world) == [("finished", 1)]


async def test_a_channel_that_stays_closed_after_an_absence_is_free_after_ten_minutes(world, table):
    ada, bo, *_ = world.people
    await table.race([ada, bo])
    path = f"/channels/{table.channel.id}/messages*"
    world.env.inject_error("*", path, status=403, code=50013, times=None)
    await world.restart(lambda: world.pass_time(HOUR_S))
    await table.advance(5)
    assert paused_for_permission(table)
    await table.advance(PAUSE_MS / 1_000)
    assert table.is_free
    assert table.match.end is End.PAUSE_LAPSED


async def test_a_press_on_rematch_after_an_absence_is_not_too_late(world, table):
    ada, bo, *_ = world.people
    await play_match(table, [ada, bo])
    await table.press(ada, "Rematch")
    await world.restart(lambda: world.pass_time(120))
    await table.press(bo, "Rematch")
    await table.advance(1)
    assert not table.is_free
    assert table.stage is Stage.READY
