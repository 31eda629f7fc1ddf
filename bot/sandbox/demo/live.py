"""The demo in real time, on the sandbox's page: `rox demo --live`."""

from __future__ import annotations

import asyncio
import tempfile
from pathlib import Path
from random import Random
from typing import TYPE_CHECKING, Any, Final

from bot.sandbox.demo.director import DemoError
from bot.sandbox.demo.people import NAMES, Person, look
from bot.sandbox.demo.reading import labels, texts
from bot.sandbox.demo.transcript import readable
from bot.sandbox.play import run_bot_on
from bot.sandbox.run import LoopbackDiscord, signals_set, until_first, until_offered

if TYPE_CHECKING:
    from collections.abc import Callable

    from simcord.backend.models import Message

    from bot.sandbox.person import Person as Member

STEP_S: Final = 0.25
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
    ended = asyncio.Event()
    with tempfile.TemporaryDirectory() as data, signals_set(ended):
        async with LoopbackDiscord(port=port) as discord:
            match = asyncio.create_task(_play(discord, seed, players, tell))
            bot = asyncio.create_task(run_bot_on(discord, Path(data) / "demo.sqlite3"))
            stop = asyncio.create_task(ended.wait())
            await until_first([match, bot, stop], [match, bot, stop])
            return "Stopped before the end." if match.cancelled() else match.result()


async def _play(
    discord: LoopbackDiscord, seed: int, players: int, tell: Callable[[str], None]
) -> str:
    members = {name: discord.person(name) for name in NAMES[:players]}
    people = [Person(name, Random(f"{seed}:{name}")) for name in members]
    host, *others = members.values()
    try:
        await until_offered(discord, host, "rox play")
        tell(f"Watch at {discord.page_for('Guest')}")
        tell("It listens on 127.0.0.1 only. Ctrl-C ends it.")
        await host.slash("rox play").response()
        await discord.world.wait_until(lambda: "Join" in labels(_newest(host)[1]))
        lobby, _ = _newest(host)
        for member in others:
            await asyncio.sleep(1)
            await member.press(lobby, "Join").response()
        await asyncio.sleep(1)
        await host.press(lobby, "Start").response()
    except TimeoutError:
        raise DemoError("the bot did not answer") from None
    return await _race(discord, people, members, host)


async def _race(
    discord: LoopbackDiscord, people: list[Person], members: dict[str, Member], host: Member
) -> str:
    loop = asyncio.get_running_loop()
    ends = loop.time() + LONGEST_S
    while loop.time() < ends:
        await asyncio.sleep(STEP_S)
        _, components = _newest(host)
        if "Rematch" in labels(components):
            now = discord.world.clock.now().timestamp()
            return readable("\n".join(texts(components)), now)
        for name, typed in look(people, components, loop.time()):
            members[name].say(typed)
    raise DemoError("the match did not come to an end")


def _newest(member: Member) -> tuple[int, list[dict[str, Any]]]:
    """Return the id and the components of the newest post that shows the match."""

    def shows(message: Message) -> bool:
        return bool(message.components) and not message.is_ephemeral

    found = (message for message in reversed(member.messages()) if shows(message))
    message = next(found, None)
    return (0, []) if message is None else (message.id, list(message.components))
