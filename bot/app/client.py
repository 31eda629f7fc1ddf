"""The bot: builds its parts, passes them to each other, and starts and stops them."""

from __future__ import annotations

import hashlib
import json
import logging
from functools import partial
from typing import TYPE_CHECKING, Any, Final

import discord
from discord.ext import commands

from bot.app.gateway_events import EventHandlers
from bot.app.server_date import note_server_dates
from bot.channel.displays import Displays
from bot.channel.drawing import Studio
from bot.channel.lookup import DiscordChannels
from bot.channel.pacing import Meter
from bot.commands.group import game_group
from bot.commands.tree import Tree
from bot.locales.catalogue import Words
from bot.matches.lifecycle import Matches
from bot.matches.ports import MatchServices
from bot.matches.server_time import LoopClock, ServerTime
from bot.pictures.artist import Artist
from bot.store import key_values
from bot.store.database import Database
from bot.store.journal import Journal
from bot.views.buttons import MatchButton
from bot.views.selects import MatchSelect
from bot.views.services import Services
from bot.views.settings import ChannelsPicker, ChoicePicker, RolePicker

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping
    from random import Random

    from bot.channel.drawing import Drawer
    from bot.games.plug import GamePlug

log = logging.getLogger(__name__)

STOP_SECONDS: Final = 8.0


class RoxBot(EventHandlers):
    """The bot.

    Args:
        games: the games by name.
        database_url: the database; it must be at the newest revision.
        settle: how long a claim is held for earlier ones, in seconds.
        typing: whether to ask for the message content intent, without which the bot can't read
            numbers that players type.
        random: the source of all random decisions.
        artist: makes the artist of a theme; by default one that draws the games' pictures.

    Attributes:
        services: the parts that buttons and commands use.
        matches: the matches of this process.
        display: shows matches in their channels.
        channels: looks things up in channels.
        journal: records matches.
        database: the database that the journal writes to.
    """

    services: Services

    def __init__(
        self,
        *,
        games: Mapping[str, GamePlug],
        database_url: str,
        settle: float,
        typing: bool,
        random: Random,
        artist: Callable[[str], Drawer] | None = None,
    ) -> None:
        clock = LoopClock()
        meter = Meter(clock)
        time, trace = ServerTime(clock), meter.trace()
        note_server_dates(trace, time)
        intents = discord.Intents(guilds=True, guild_messages=True, message_content=typing)
        super().__init__(
            command_prefix=commands.when_mentioned,
            help_command=None,
            intents=intents,
            tree_cls=Tree,
            allowed_mentions=discord.AllowedMentions.none(),
            member_cache_flags=discord.MemberCacheFlags.none(),
            chunk_guilds_at_startup=False,
            max_messages=None,
            http_trace=trace,
        )
        words = Words()
        self.database = Database.open(database_url)
        pictures = [game.pictures for game in games.values() if game.pictures is not None]
        studio = Studio(artist or partial(Artist, games=pictures))
        self.display = Displays(
            self, games, studio, words=words, clock=clock, meter=meter, typing=typing
        )
        self.channels = DiscordChannels(self)
        self.journal = Journal(
            self.database, {name: game.machine.rules.figures for name, game in games.items()}
        )
        services = MatchServices(
            store=self.journal,
            display=self.display,
            channels=self.channels,
            clock=clock,
            time=time,
            random=random,
            settle=settle,
        )
        self.matches = Matches(games, services)
        self.services = Services(games, self.matches, self.database, words, typing, self.display)

    async def setup_hook(self) -> None:
        """Load open matches before the session begins, because claims can arrive at once."""
        self.add_dynamic_items(MatchButton, MatchSelect, ChoicePicker, ChannelsPicker, RolePicker)
        for game in self.services.games.values():
            self.tree.add_command(game_group(self.services, game))
        await self.matches.recovery.load()
        await self._sync_commands()

    async def stop(self) -> None:
        """Open no more matches, announce the restart in their channels, and close."""
        try:
            await self.matches.stop(STOP_SECONDS)
        except TimeoutError:
            log.warning("matches were not stopped within %d seconds", STOP_SECONDS)
        await self.close()

    async def close(self) -> None:
        """Close the connection to Discord; write out the journal and close the database."""
        self.display.close()
        await super().close()
        await self.journal.flush()
        await self.database.close()

    async def _sync_commands(self) -> None:
        """Send the commands to Discord if they have changed; more often would hit a limit."""
        payload: list[Any] = [command.to_dict(self.tree) for command in self.tree.get_commands()]
        digest = hashlib.sha256(json.dumps(payload, sort_keys=True, default=str).encode())
        name = f"commands:{self.application_id}"
        async with self.database.read() as session:
            sent = await key_values.get_value(session, name)
        if sent == digest.hexdigest():
            return
        await self.tree.sync()
        async with self.database.write() as session:
            await key_values.set_value(session, name, digest.hexdigest())
        log.info("the commands were sent to Discord")
