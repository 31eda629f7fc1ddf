"""Calls of a simulated Discord that fail, or are slow, from now on."""

from __future__ import annotations

import asyncio
from contextlib import contextmanager

DOWN = {"status": 503, "code": 0}
FOR_EVER_S = 100_000
"""A wait that no test lives to see the end of."""


def fail_calls(world, table, method="POST", *, times):
    """Let Discord not carry out calls for messages of a channel, for so many attempts."""
    rest = "" if method == "POST" else "/*"
    path = f"/channels/{table.channel.id}/messages{rest}"
    world.env.inject_error(method, path, times=times, **DOWN)


def fail_history(world, table, times):
    """Let a channel's messages not be read, for so many attempts."""
    world.env.inject_error("GET", f"/channels/{table.channel.id}/messages", times=times, **DOWN)


def slow_posts(world, *, drawing=0.0, gateway=True, answer=0.0):
    """Let posts take their time: to be made, and for the answer that says their id.

    Without `gateway` the gateway's copy is lost.
    """
    ask = world.bot.http.request

    async def request(route, **kwargs):
        if route.method != "POST" or not route.path.endswith("/messages"):
            return await ask(route, **kwargs)
        await asyncio.sleep(drawing)
        if gateway:
            told = await ask(route, **kwargs)
        else:
            with world.silence():
                told = await ask(route, **kwargs)
        await asyncio.sleep(answer)
        return told

    world.bot.http.request = request


@contextmanager
def changing_new_bots(world, change, **how):
    """Apply a change to every bot that a restart makes, before it connects."""
    make = world.make_bot

    def changed():
        bot = make()
        load = bot.setup_hook

        async def setup_hook():
            change(world, **how)
            await load()

        bot.setup_hook = setup_hook
        return bot

    world.make_bot = changed
    yield
    world.make_bot = make
