"""The demo in real time, on the sandbox's page: `rox demo --live`."""

from __future__ import annotations

import asyncio
import contextlib
import tempfile
from pathlib import Path
from random import Random
from typing import TYPE_CHECKING, Any, Final

from bot.demo.director import DemoError
from bot.demo.people import NAMES, Person, look
from bot.demo.reading import labels, texts
from bot.demo.transcript import readable
from bot.sandbox.play import run_bot_on
from bot.sandbox.run import LoopbackDiscord

if TYPE_CHECKING:
    from collections.abc import Callable

    from simcord.backend.models import Message

    from bot.sandbox.people import Person as Member

STEP_S: Final = 0.25
CONNECT_S: Final = 30.0
LONGEST_S: Final = 1_800.0


async def play_live(seed: int, players: int, port: int, tell: Callable[[str], None]) -> str:
    """Play a whole match before the eyes of whoever opens the page; return the final standing.

    Args:
        seed: decides what the people do; the deal is drawn anew each time.
        players: how many people play, 2 to 4.
        port: where the page is; 0 takes any free port.
        tell: takes lines for the terminal.

    Raises:
        OSError: the port is taken.
        DemoError: the match did not come to an end.
    """
    with tempfile.TemporaryDirectory() as data:
        async with LoopbackDiscord(port=port) as discord:
            bot = asyncio.ensure_future(run_bot_on(discord, Path(data) / "demo.sqlite3"))
            try:
                return await _play(discord, seed, players, tell)
            finally:
                bot.cancel()
                with contextlib.suppress(asyncio.CancelledError):
                    await bot


async def _play(
    discord: LoopbackDiscord, seed: int, players: int, tell: Callable[[str], None]
) -> str:
    members = {name: discord.person(name) for name in NAMES[:players]}
    people = [Person(name, Random(f"{seed}:{name}")) for name in members]
    host, *others = members.values()
    world = discord.world
    await world.until(lambda: bool(world.commands_for(host.id, host.channel_id)), CONNECT_S)
    tell(f"Watch at {discord.page_for('Guest')} (Ctrl-C ends it).")
    await host.slash("rox play").answer()
    lobby = await host.sees("Start")
    for member in others:
        await asyncio.sleep(1)
        await member.press(lobby.id, "Join").answer()
    await asyncio.sleep(1)
    await host.press(lobby.id, "Start").answer()
    return await _race(discord, people, members, host)


async def _race(
    discord: LoopbackDiscord, people: list[Person], members: dict[str, Member], host: Member
) -> str:
    loop = asyncio.get_running_loop()
    ends = loop.time() + LONGEST_S
    while loop.time() < ends:
        await asyncio.sleep(STEP_S)
        components = _newest(host)
        if "Rematch" in labels(components):
            now = discord.world.clock.now().timestamp()
            return readable("\n".join(texts(components)), now)
        for name, typed in look(people, components, loop.time()):
            members[name].say(typed)
    raise DemoError("the match did not come to an end")


def _newest(member: Member) -> list[dict[str, Any]]:
    def shows(message: Message) -> bool:
        return bool(message.components) and not message.is_ephemeral

    found = (message for message in reversed(member.messages()) if shows(message))
    message = next(found, None)
    return [] if message is None else list(message.components)
