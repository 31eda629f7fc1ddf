"""Two or three calls in a row that fail: posts, edits, deletions."""

from __future__ import annotations

import asyncio
from contextlib import nullcontext

import pytest

from bot.channel.calls import Calls
from bot.matches.ports import NotNowError
from game.match import Phase
from game.rox.state import Stage
from tests.kit.failing_calls import DOWN, FOR_EVER_S, changing_new_bots, fail_calls, slow_posts
from tests.kit.fault_doubles import FaultError
from tests.kit.observed import WAS_AWAY, ids_with_buttons
from tests.kit.progress import bring_to
from tests.kit.server import forbid


def is_post(route):
    return route.method == "POST" and route.path.endswith("/messages")


def lost_after_the_next_post(world, *, gateway):
    """Let the answer to the next post be lost, and every later post fail.

    Without `gateway` its copy is lost, too. Returns what ends that.
    """
    ask, carried_out = world.bot.http.request, []

    async def request(route, **kwargs):
        if not is_post(route):
            return await ask(route, **kwargs)
        if not carried_out:
            with nullcontext() if gateway else world.silence():
                carried_out.append(await ask(route, **kwargs))
        raise OSError("the connection is lost")

    world.bot.http.request = request
    return lambda: setattr(world.bot.http, "request", ask)


def faulty_posts(world, times):
    """Let sending a message raise an error of our own code."""
    ask, left = world.bot.http.request, [None] * times

    async def request(route, **kwargs):
        if is_post(route) and left:
            left.pop()
            raise FaultError
        return await ask(route, **kwargs)

    world.bot.http.request = request


async def test_a_picture_that_fails_while_a_new_session_begins_leaves_no_match_standing(
    world, table, faults
):
    """A post was asked for, and another became necessary because the bot was away."""
    ada, bo, *_ = world.people
    await table.race([ada, bo])
    studio = world.bot.display.studio
    draw_all = studio.draw_all

    async def fails_late(*args):
        studio.draw_all = draw_all
        await asyncio.sleep(5)
        raise FaultError

    studio.draw_all = fails_late
    await table.slash(ada, "table")
    world.dispatch("disconnect")
    await table.advance(1)
    world.dispatch("connect")
    await table.until(lambda: table.stage is Stage.CHECK, limit=90)


async def test_faults_in_sending_after_a_restart_leave_no_match_standing(world, table, faults):
    ada, bo, *_ = world.people
    await table.race([ada, bo])
    await world.restart(lambda: faulty_posts(world, 3))
    await table.until(lambda: table.stage is Stage.CHECK, limit=90)


@pytest.mark.parametrize("session", ["kept", "lost"])
@pytest.mark.parametrize("where", ["lobby", "ready", "table"])
async def test_an_unknown_message_does_not_stay(world, table, session, where):
    """It was carried out, but the answer is lost, and the next attempts do not get through."""
    ada, bo, *_ = world.people
    if where != "lobby":
        await table.start([ada, bo])
    if where == "ready":
        await table.to_race()
        await table.rows({ada: "rrrrr"})
        await table.until(lambda: table.stage is Stage.BREAK)
        await table.advance(1.1)
    shown = {m.id for m in table.messages}
    restore = lost_after_the_next_post(world, gateway=session == "kept")
    if where == "lobby":
        await table.slash(ada, "play")
    if where == "ready":
        await table.press(ada, "Ready")
        await table.press(bo, "Ready")
    await table.until(lambda: len(table.messages) > len(shown), step=0.1)
    (unknown,) = {m.id for m in table.messages} - shown
    if session == "lost":
        world.dispatch("disconnect")
    await table.advance(4)
    restore()
    if session == "lost":
        world.dispatch("connect")
    await table.advance(5)
    if table.match.phase is Phase.PAUSED:
        await table.press(ada, "Go on")
    await table.slash(bo, "table")
    await table.advance(10)
    assert unknown not in {m.id for m in table.messages}
    assert ids_with_buttons(table) == [table.match.post.id]


async def test_a_message_known_from_the_gateway_alone_goes_with_the_next_answer(world, table):
    """No other copy comes by which it could be noticed."""
    ada, *_ = world.people
    restore = lost_after_the_next_post(world, gateway=True)
    await table.slash(ada, "play")
    (unknown,) = ids_with_buttons(table)
    await table.advance(2)
    restore()
    slow_posts(world, gateway=False)
    await table.advance(10)
    assert ids_with_buttons(table) == [table.match.post.id]
    assert table.match.post.id != unknown


async def test_an_unknown_final_standing_does_not_stay(world, table):
    ada, bo, *_ = world.people
    await to_last_check(table, ada, bo)
    restore = lost_after_the_next_post(world, gateway=True)
    await table.until(lambda: table.stage is not Stage.CHECK)
    await table.advance(2)
    assert len(table.said("wins!")) == 1
    restore()
    await table.advance(10)
    assert len(table.said("wins!")) == 1
    assert ids_with_buttons(table) == [table.match.post.id]


@pytest.mark.parametrize("then", ["wait", "restart"])
async def test_the_end_is_told_although_discord_was_down_for_a_while(world, table, then):
    ada, bo, *_ = world.people
    await table.race([ada, bo])
    fail_calls(world, table, times=3)
    await table.slash(ada, "stop")
    await table.advance(4)
    assert not world.env.backend.faults or not world.env.backend.faults[0]["times"]
    if then == "restart":
        await world.restart()
    await table.advance(60)
    assert table.said("was stopped")
    assert ids_with_buttons(table) == []


async def test_a_match_that_lapsed_where_nothing_may_be_posted_leaves_no_buttons(world, table):
    ada, bo, *_ = world.people
    await table.race([ada, bo])
    await forbid(world, table.channel, "send_messages")
    await table.until(lambda: table.is_free, limit=700, step=50)
    await table.advance(5)
    assert ids_with_buttons(table) == []


async def to_last_check(table, ada, bo):
    await bring_to(table, [ada, bo], "break")
    while table.game.round < 5:
        await table.until(lambda: table.stage is Stage.BREAK)
        await table.next_round([ada, bo])
        await table.to_race()
        await table.rows({ada: "rrrrr", bo: "r"})
        await table.advance(1.1)
    assert table.stage is Stage.CHECK


@pytest.mark.parametrize("then", ["wait", "resumed", "connect"])
async def test_who_has_won_is_told_although_discord_was_down_for_a_while(world, table, then):
    ada, bo, *_ = world.people
    await to_last_check(table, ada, bo)
    fail_calls(world, table, times=3)
    await table.until(lambda: table.stage is not Stage.CHECK)
    assert table.match.phase is Phase.OVER
    await table.advance(1)
    if then != "wait":
        world.dispatch("disconnect")
    await table.advance(5)
    if then != "wait":
        world.dispatch(then)
    await table.advance(60)
    assert len(table.said("wins!")) == 1
    assert table.buttons() == ["Rematch"]


async def test_a_lobby_is_shown_although_discord_was_down_for_a_while(world, table):
    """Nobody could join it, and no other can be opened in its channel."""
    ada, bo, *_ = world.people
    fail_calls(world, table, times=3)
    await table.slash(ada, "play")
    await table.advance(30)
    await table.press(
        bo, "Join", next(m for m in table.messages if m.id in ids_with_buttons(table))
    )
    assert len(table.match.seats) == 2


async def test_a_pause_is_told_although_discord_was_down_for_a_while(world, table):
    """Otherwise nobody knows that the match will be void in ten minutes."""
    ada, bo, *_ = world.people
    await table.start([ada, bo])
    fail_calls(world, table, times=None)
    await table.advance(25)
    assert table.match.phase is Phase.PAUSED
    world.env.backend.faults.clear()
    await table.advance(60)
    assert table.said("Paused")


@pytest.mark.parametrize("when", ["ready", "unknown"])
async def test_a_message_that_could_not_be_removed_at_once_goes_later(world, table, when):
    ada, bo, *_ = world.people
    if when == "ready":
        await table.start([ada, bo])
        left = table.newest.id
        fail_calls(world, table, "DELETE", times=1)
        await table.to_race()
    else:
        await bring_to(table, [ada, bo], "check")
        with changing_new_bots(world, slow_posts, gateway=False, answer=FOR_EVER_S):
            await world.restart(lambda: world.pass_time(1))
            await table.advance(0.5)
            left = table.newest.id
            assert left != table.match.post.id
        fail_calls(world, table, "DELETE", times=None)
        await world.restart()
        await table.advance(3)
        world.env.backend.faults.clear()
    await table.advance(60)
    assert left not in {m.id for m in table.messages}


async def test_a_table_that_is_deleted_before_its_answer_comes_is_posted_again(world, table):
    ada, bo, *_ = world.people
    await table.start([ada, bo])
    slow_posts(world, answer=3)
    await table.until(lambda: table.stage is Stage.RACE, step=0.1)
    world.env.backend.delete_message(table.channel.id, table.newest.id)
    await table.advance(8)
    assert table.stage is Stage.RACE
    assert "Put back" in table.buttons()


def posts_of(table):
    """The messages that show a match, with buttons or without."""
    return [m.id for m in table.messages if m.components]


def refuse(world, table, method, *, times=None):
    """Let Discord refuse the content of every call."""
    fail_calls(world, table, method, times=times)
    world.env.backend.faults[-1].update(status=400, code=50035)


async def test_a_pause_that_could_not_be_told_makes_way_for_the_race(world, table):
    """Players don't wait for its next attempt, and never see the outdated message."""
    ada, bo, *_ = world.people
    await table.start([ada, bo])
    fail_calls(world, table, times=None)
    await table.until(lambda: table.match.phase is Phase.PAUSED, limit=30)
    await table.advance(100)
    world.env.backend.faults.clear()
    transcript = world.env.backend.transcript
    before = len(transcript)
    assert await table.slash(ada, "table") == "Here it comes."
    await table.advance(1)
    posted = [payload for _, event, payload in transcript[before:] if event == "MESSAGE_CREATE"]
    assert len(posted) == 1
    assert "Paused" not in str(posted)
    await table.until(lambda: table.stage is Stage.RACE, limit=20)


@pytest.mark.parametrize("fail", [fail_calls, refuse])
@pytest.mark.parametrize("where", ["lobby", "race"])
async def test_an_end_that_can_not_be_told_is_let_go_of_after_ten_minutes(
    world, table, where, fail
):
    ada, bo, *_ = world.people
    await (table.open([ada]) if where == "lobby" else table.race([ada, bo]))
    for method in ("POST", "PATCH"):
        fail(world, table, method, times=None)
    await table.slash(ada, "stop")
    assert table.match.phase is Phase.CLOSED
    displays = world.bot.display._by_match  # noqa: SLF001 - that it is empty shows nowhere else
    await table.advance(590)
    assert displays
    await table.advance(120)
    assert not displays
    await world.restart()
    world.env.backend.faults.clear()
    await table.advance(60)
    assert not table.said("was stopped" if where == "race" else "was cancelled")


async def test_the_end_is_not_told_with_the_words_that_the_match_goes_on(world, table):
    """They were part of a message that was never posted."""
    ada, bo, *_ = world.people
    await bring_to(table, [ada, bo], "pause")
    fail_calls(world, table, times=4)
    await world.restart()
    await table.advance(4)
    assert table.match.phase is Phase.PAUSED
    for person in (ada, bo):
        await table.slash(person, "stop")
    assert table.match.phase is Phase.CLOSED
    await table.advance(60)
    assert table.said("was stopped")
    assert not table.said(WAS_AWAY)
    assert ids_with_buttons(table) == []


async def test_nobody_is_told_over_and_over_that_a_pause_can_not_be_told(world, table):
    ada, bo, *_ = world.people
    await table.start([ada, bo])
    fail_calls(world, table, times=None)
    await table.until(lambda: table.match.phase is Phase.PAUSED, limit=30)
    runner, pauses = table.runner, []
    runner.pause_unwritable = lambda **how: pauses.append(how)
    await table.advance(590)
    assert not pauses


async def test_a_table_that_takes_no_edits_is_posted_again_once(world, table):
    ada, bo, *_ = world.people
    await table.race([ada, bo])
    refuse(world, table, "PATCH")
    before, number = posts_of(table), table.right(ada)
    await table.type(ada, number)
    await table.advance(8)
    assert len(set(posts_of(table)) - set(before)) == 1
    assert f"Ada took {number}" in table.texts()
    shown = table.newest.id
    number = table.right(bo)
    await table.type(bo, number)
    await table.advance(15)
    assert table.newest.id == shown
    assert table.stage is Stage.RACE
    world.env.backend.faults.clear()
    await table.advance(4)
    assert f"Bo took {number}" in table.texts()


async def test_a_post_under_way_is_not_taken_for_one_that_was_left_behind(world, table):
    """A new session finds it in the history before the answer to it comes."""
    ada, bo, *_ = world.people
    await table.start([ada, bo])
    slow_posts(world, answer=3)
    await table.until(lambda: table.stage is Stage.RACE, step=0.1)
    shown = table.newest.id
    world.bot.display.remove_unknown(table.runner, shown)
    await table.advance(8)
    world.bot.display.remove_unknown(table.runner, shown)
    await table.advance(2)
    assert ids_with_buttons(table) == [shown]


async def test_a_message_that_was_left_behind_goes_as_soon_as_it_is_known(world, table):
    ada, bo, *_ = world.people
    await table.race([ada, bo])
    backend = world.env.backend
    left = backend.create_message(table.channel.id, backend.bot_user.id, "Put back?").id
    await table.advance(1)
    assert left in {m.id for m in table.messages}
    fail_calls(world, table, "DELETE", times=3)
    with world.as_bot():
        world.bot.display.remove_unknown(table.runner, left)
    await table.advance(1)
    assert left in {m.id for m in table.messages}
    await table.advance(10)
    assert left not in {m.id for m in table.messages}


async def test_one_message_that_can_not_be_removed_holds_up_no_other(world, table):
    ada, bo, *_ = world.people
    await table.start([ada, bo])
    ready = table.newest.id
    path = f"/channels/{table.channel.id}/messages/{ready}"
    world.env.inject_error("DELETE", path, times=None, **DOWN)
    await table.to_race()
    shown = table.newest.id
    await table.advance(9)
    await table.slash(ada, "table")
    await table.advance(2)
    assert shown not in {m.id for m in table.messages}
    assert ready in {m.id for m in table.messages}
    await table.advance(600)
    display = world.bot.display._by_match[table.runner.id]  # noqa: SLF001 - a task is no message
    assert display._cleanup.task is None  # noqa: SLF001 - see above


@pytest.mark.parametrize("call", ["delete", "remove_buttons"])
async def test_a_message_of_before_that_can_not_be_reached_now_is_told_apart(world, table, call):
    """It is told apart from a message that can never be edited or deleted."""
    ada, bo, *_ = world.people
    await table.race([ada, bo])
    channels, venue, message = world.bot.channels, table.runner.venue, table.newest.id
    method = {"delete": "DELETE", "remove_buttons": "GET"}[call]
    fail_calls(world, table, method, times=1)
    with world.as_bot(), pytest.raises(NotNowError):
        await getattr(channels, call)(venue, message)
    refuse(world, table, method, times=1)
    with world.as_bot():
        await getattr(channels, call)(venue, message)
    assert message in {m.id for m in table.messages}


async def test_a_fault_in_the_cleanup_leaves_one_message_and_holds_up_nothing(
    world, table, faults, monkeypatch
):
    ada, bo, *_ = world.people
    await table.start([ada, bo])
    ready, delete = table.newest.id, Calls.delete

    async def fails(calls, message):
        if message == ready:
            raise FaultError
        await delete(calls, message)

    monkeypatch.setattr(Calls, "delete", fails)
    await table.to_race()
    shown = table.newest.id
    await table.advance(9)
    await table.slash(ada, "table")
    await table.advance(2)
    left = {m.id for m in table.messages}
    assert ready in left
    assert shown not in left
