"""Posts, edits and farewells of which two or three fail one after the other."""

from __future__ import annotations

import asyncio

import pytest

from bot.matches.ports import NotNowError
from game.rox.state import Stage
from tests.matches.faulty import FaultError
from tests.matches.test_claims import slow_posts
from tests.matches.test_leaving import to
from tests.matches.test_left_behind import FOR_EVER_S, new_processes

DOWN = {"status": 503, "code": 0}


def down(world, table, method="POST", *, times):
    """Let Discord not carry out calls for messages of a channel, for so many attempts."""
    rest = "" if method == "POST" else "/*"
    path = f"/channels/{table.channel.id}/messages{rest}"
    world.env.inject_error(method, path, times=times, **DOWN)


def is_post(route):
    return route.method == "POST" and route.path.endswith("/messages")


def faulty_posts(world, times):
    """Let sending a message fail by a fault of ours."""
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
    """It was to be posted again as it is, and then because the bot was away."""
    ada, bo, *_ = world.people
    await table.race([ada, bo])
    studio = world.bot._presenter.studio
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
    await table.until(lambda: table.stage is Stage.VERDICT, limit=90)


async def test_faults_in_sending_after_a_restart_leave_no_match_standing(world, table, faults):
    ada, bo, *_ = world.people
    await table.race([ada, bo])
    await world.restart(lambda: faulty_posts(world, 3))
    await table.until(lambda: table.stage is Stage.VERDICT, limit=90)


@pytest.mark.parametrize("when", ["ready", "unknown"])
async def test_a_message_that_could_not_be_removed_at_once_goes_later(world, table, when):
    ada, bo, *_ = world.people
    if when == "ready":
        await table.start([ada, bo])
        left = table.newest.id
        down(world, table, "DELETE", times=1)
        await table.to_race()
    else:
        await to(table, [ada, bo], "verdict")
        with new_processes(world, slow_posts, gateway=False, answer=FOR_EVER_S):
            await world.restart(lambda: world.pass_time(1))
            await table.advance(0.5)
            left = table.newest.id
            assert left != table.match.post.id
        down(world, table, "DELETE", times=None)
        await world.restart()
        await table.advance(3)
        world.env.backend.faults.clear()
    await table.advance(60)
    assert left not in {m.id for m in table.messages}


def refuse(world, table, method, *, times=None):
    """Let Discord refuse calls for what they say, which it does again and again."""
    down(world, table, method, times=times)
    world.env.backend.faults[-1].update(status=400, code=50035)


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
    assert world.bot._presenter._boards[table.runner.id]._parting.task is None


@pytest.mark.parametrize("call", ["remove", "strip"])
async def test_a_message_of_before_that_can_not_be_reached_now_is_told_apart(world, table, call):
    """From one that can never be edited or deleted."""
    ada, bo, *_ = world.people
    await table.race([ada, bo])
    channels, venue, message = world.bot._channels, table.runner.venue, table.newest.id
    method = {"remove": "DELETE", "strip": "GET"}[call]
    down(world, table, method, times=1)
    with world.env._bot_scope(), pytest.raises(NotNowError):
        await getattr(channels, call)(venue, message)
    refuse(world, table, method, times=1)
    with world.env._bot_scope():
        await getattr(channels, call)(venue, message)
    assert message in {m.id for m in table.messages}
