"""The real bot against a simulated Discord in virtual time, and people who drive it.

``World`` is Discord with the bot in it; ``Table`` is one of its channels. Time stops
unless a method says that it moves: ``act`` methods (``press``, ``type``, ``slash``) let a tenth of
a second pass, which is more than the settle time.
"""

from __future__ import annotations

import asyncio
import json
import sqlite3
from contextlib import asynccontextmanager, closing, contextmanager
from functools import partial
from random import Random
from typing import TYPE_CHECKING, Any

import discord
from sqlalchemy import event

from bot.app.client import RoxBot
from bot.games.table import GAMES
from bot.sandbox.virtual import virtual_discord
from game.actions import decode
from game.ids import ms_of

if TYPE_CHECKING:
    from collections.abc import AsyncIterator, Awaitable, Callable, Iterator, Mapping, Sequence
    from contextlib import AbstractContextManager
    from pathlib import Path

    import simcord
    from simcord import ChannelHandle, MemberActor
    from simcord.results import InteractionResult
    from sqlalchemy.engine.interfaces import DBAPIConnection

    from bot.channel.drawing import Drawer
    from bot.games.plug import GamePlug
    from bot.matches.runner import Runner
    from game.match import Match
    from game.rox.state import RoxGame

from tests.kit.table import ACT_S, SETTLE_S, Table

NAMES = ("Ada", "Bo", "Cy", "Dee", "Eve", "Fay")
IDLE_S = 0.002
"""How long simcord really waits before it looks again whether the bot rests."""
PIXEL = bytes.fromhex(
    "89504e470d0a1a0a0000000d4948445200000001000000010800000000"
    "3a7e9b550000000a49444154789c6360000000020001e221bc330000000049454e44ae426082"
)


class Blank:
    """An artist who leaves every picture blank, for matches whose pictures nobody looks at."""

    def __init__(self, theme: str = "") -> None:
        self.theme = theme

    def draw(self, scene: object, *, quick: bool = False) -> bytes:
        return PIXEL


def _commit_without_syncing(connection: DBAPIConnection, _record: object) -> None:
    """Leave it to the system when to write to disk: no power is cut in a simulation."""
    connection.cursor().execute("PRAGMA synchronous = OFF")


@asynccontextmanager
async def simulated(
    database: Path,
    *,
    games: Mapping[str, GamePlug] = GAMES,
    seed: int = 1,
    typing: bool = True,
    pictures: bool = False,
) -> AsyncIterator[World]:
    """Run the bot on a migrated database, in a server with people and one channel."""
    url = f"sqlite+aiosqlite:///{database}"

    def artist_of(theme: str) -> Drawer:
        return world.artist(theme)

    def make() -> RoxBot:
        bot = RoxBot(
            games=games,
            database_url=url,
            settle=SETTLE_S,
            typing=typing,
            random=Random(seed),
            artist=None if pictures else artist_of,
        )
        event.listen(bot.database.writer.sync_engine, "connect", _commit_without_syncing)
        return bot

    bot = make()
    async with virtual_discord(bot) as env:
        world = World(env, database, make, bot)
        try:
            yield world
        finally:
            await world.bot.close()


@asynccontextmanager
async def in_one_task(manager):
    """Enter and leave a context manager in one task: simcord's is bound to its context."""
    entered = asyncio.get_running_loop().create_future()
    leaving = asyncio.Event()

    async def hold():
        async with manager as value:
            entered.set_result(value)
            await leaving.wait()

    task = asyncio.create_task(hold())
    await asyncio.wait({task, entered}, return_when=asyncio.FIRST_COMPLETED)
    if task.done():
        task.result()
    try:
        yield entered.result()
    finally:
        leaving.set()
        await task


def replace_settling(
    env: simcord.Env, settle: Callable[..., Awaitable[None]] | None = None
) -> Callable[..., Awaitable[None]]:
    """Let simcord wait for the bot to rest by another function; return the one so far.

    Every act of a person ends with this wait. simcord has no setting for how long it really
    waits, nor for acts that follow each other at once.
    """
    before = env._settle_internal  # noqa: SLF001 - see above
    if settle is not None:
        env._settle_internal = settle  # noqa: SLF001 - see above
    return before


async def slash_unchecked(
    person: MemberActor,
    channel: ChannelHandle,
    command: str,
    options: Sequence[Mapping[str, Any]],
    resolved: Mapping[str, Any],
) -> InteractionResult:
    """Use a command with options that simcord would refuse, as a client of anybody's making can."""
    name, subcommand = command.split()
    root = person._resolve_root(name, 1, channel.id)  # noqa: SLF001 - `slash` refuses such options
    data = {
        "id": root["id"],
        "name": name,
        "type": 1,
        "resolved": resolved,
        "options": [{"name": subcommand, "type": 1, "options": options}],
    }
    return await person._dispatch_interaction(2, channel, data)  # noqa: SLF001 - see above


class World:
    """A simulated Discord with one server, in which the bot is.

    Attributes:
        env: simcord's environment.
        bot: the bot that runs at present.
        guild: the server.
        people: who is in it.
        database: the file of its database.
        artist: makes the artist of a theme, when the bot first needs one.
        make_bot: makes the bot that takes over at a restart.
        faulty: whether faults were brought in on purpose, so that the log may tell of them.
    """

    def __init__(
        self, env: simcord.Env, database: Path, make: Callable[[], RoxBot], bot: RoxBot
    ) -> None:
        self.env = env
        self.bot = bot
        self.artist: Callable[[str], Drawer] = Blank
        self.faulty = False
        self.guild = env.create_guild("Stone Circle")
        self.people: list[MemberActor] = [
            self.guild.add_member(env.create_user(name)) for name in NAMES
        ]
        self.runners: dict[int, Runner] = {}
        self.database = database
        self.make_bot = make
        self._settle = partial(replace_settling(env), idle=IDLE_S)
        replace_settling(env, self._settle)

    def table(self, name: str = "rox-table") -> Table:
        """Return a new channel to play in."""
        return Table(self, self.guild.create_text_channel(name))

    def warden(self) -> MemberActor:
        """Return somebody who may manage channels."""
        permissions = discord.Permissions.general() | discord.Permissions.text()
        role = self.guild.create_role("Warden", permissions=permissions)
        return self.guild.add_member(self.env.create_user("Warden"), roles=[role])

    @property
    def now_ms(self) -> int:
        """The present in match time."""
        return ms_of(self.env.backend.snowflake())

    async def advance(self, seconds: float) -> None:
        await self.env.advance_time(seconds)

    @contextmanager
    def unsettled(self) -> Iterator[None]:
        """Let people act without the bot doing anything in between."""

        async def not_yet(**_: object) -> None:
            return

        replace_settling(self.env, not_yet)
        try:
            yield
        finally:
            replace_settling(self.env, self._settle)

    @asynccontextmanager
    async def at_once(self) -> AsyncIterator[None]:
        """Let everything that is done inside reach the bot before it does anything."""
        with self.unsettled():
            yield
        await self.env.settle(idle=IDLE_S)
        await self.advance(ACT_S)

    async def unheard(self, act: Awaitable[object]) -> Callable[[], None]:
        """Let a press or a command happen of which the bot is not told; return how to tell it."""
        with self.silence(), self.unsettled():
            await act
        _, event, payload = self.env.backend.transcript[-1]
        assert event == "INTERACTION_CREATE"
        return partial(self.env.backend.emit, event, payload)

    @contextmanager
    def silence(self) -> Iterator[None]:
        """Let nothing that happens inside reach the bot through the gateway."""
        subscribers = self.env.backend.subscribers
        held = list(subscribers)
        subscribers.clear()
        try:
            yield
        finally:
            subscribers.extend(held)

    async def restart(self, meanwhile: Callable[[], object] | None = None) -> None:
        """Let a new process take over on the same database.

        Args:
            meanwhile: done while no bot is there; what is typed then reaches nobody.
        """
        old, new = self.bot, self.make_bot()
        load = new.setup_hook

        async def setup_hook() -> None:
            old.display.close()
            await old.database.close()
            if meanwhile is not None:
                with self.silence():
                    meanwhile()
            # Every answer of Discord's tells the time; simcord's have no headers.
            new.matches.services.time.note_id(self.env.backend.snowflake())
            await load()

        new.setup_hook = setup_hook
        self.bot = new
        self.runners.clear()
        await self.env.restart_bot(new)
        await self.advance(ACT_S)

    def pass_time(self, seconds: float) -> None:
        """Let Discord's time pass while no bot is there to notice."""
        self.env.backend.advance_clock(seconds)

    def dispatch(self, event: str) -> None:
        """Let the client tell of something about its connection."""
        with self.as_bot():
            self.bot.dispatch(event)

    def as_bot(self) -> AbstractContextManager[None]:
        """Let what runs inside count as work of the bot's, for which simcord waits."""
        return self.env._bot_scope()  # noqa: SLF001 - simcord enters it for events alone

    def alter(self, change: str, *values: object) -> None:
        """Change the database behind the bot's back."""
        with closing(sqlite3.connect(self.database)) as connection, connection:
            connection.execute(change, values)

    def rows(self, query: str, *values: object) -> list[tuple[Any, ...]]:
        """Ask the database, as somebody beside the bot would."""
        connection = sqlite3.connect(f"file:{self.database}?mode=ro", uri=True)
        try:
            return connection.execute(query, values).fetchall()
        finally:
            connection.close()

    def replayed(self, match_id: int) -> Match[RoxGame]:
        """Return the match that the stored log leads to."""
        game = self.rows("select game from matches where id = ?", match_id)[0][0]
        lines = self.rows(
            "select kind, action_id, payload from actions where match_id = ? order by seq",
            match_id,
        )
        actions = [decode(kind, action_id, json.loads(text)) for kind, action_id, text in lines]
        return self.bot.services.games[game].machine.replay(actions).match

    def check_logs(self) -> None:
        """Every match that was looked at is exactly what its log says."""
        for match_id, runner in self.runners.items():
            assert self.replayed(match_id) == runner.match
