"""Posts, edits and farewells of which two or three fail one after the other."""

from __future__ import annotations

import pytest

from bot.matches.ports import NotNowError

DOWN = {"status": 503, "code": 0}


def down(world, table, method="POST", *, times):
    """Let Discord not carry out calls for messages of a channel, for so many attempts."""
    rest = "" if method == "POST" else "/*"
    path = f"/channels/{table.channel.id}/messages{rest}"
    world.env.inject_error(method, path, times=times, **DOWN)


def refuse(world, table, method, *, times=None):
    """Let Discord refuse calls for what they say, which it does again and again."""
    down(world, table, method, times=times)
    world.env.backend.faults[-1].update(status=400, code=50035)


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
