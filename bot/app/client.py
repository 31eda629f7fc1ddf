"""The one place that wires everything together, by constructor."""

from __future__ import annotations

import hashlib
import json
import logging
from typing import TYPE_CHECKING, Any, Final

import discord
from discord.ext import commands

from bot.app.present import learn_the_present
from bot.channel.lookup import DiscordChannels
from bot.channel.pacing import Meter
from bot.channel.presenter import Presenter
from bot.commands.group import game_group
from bot.commands.tree import Tree
from bot.locales.catalogue import Words
from bot.matches.lifecycle import Matches
from bot.matches.ports import MatchServices, OwnPost, Typed
from bot.matches.server_time import LoopClock, ServerTime
from bot.store import key_values
from bot.store.engines import Database
from bot.store.journal import Journal
from bot.views.buttons import MatchButton
from bot.views.forms import handle_submit
from bot.views.selects import MatchSelect
from bot.views.services import Services
from bot.views.settings import ChannelsPicker, ChoicePicker, RolePicker
from game.actions import Resume
from game.match import End, PauseReason, Phase

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping
    from collections.abc import Set as AbstractSet
    from random import Random

    from bot.games.plug import GamePlug
    from bot.matches.runner import Runner

log = logging.getLogger(__name__)

STOP_SECONDS: Final = 8.0


class RoxBot(commands.Bot):
    """The bot.

    Args:
        games: the games by name.
        database_url: where matches are kept; the database is up to date already.
        settle: how long a claim waits for earlier ones, in seconds.
        typing: whether typed numbers are asked for (the privileged message content intent).
        random: what chance decides by.
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
    ) -> None:
        clock = LoopClock()
        meter = Meter(clock)
        time, trace = ServerTime(clock), meter.trace()
        learn_the_present(trace, time)
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
        self._database = Database.open(database_url)
        self._presenter = Presenter(
            self, games, words=words, clock=clock, meter=meter, typing=typing
        )
        self._channels = DiscordChannels(self)
        self._journal = Journal(
            self._database, {name: game.machine.rules.figures for name, game in games.items()}
        )
        services = MatchServices(
            store=self._journal,
            display=self._presenter,
            channels=self._channels,
            clock=clock,
            time=time,
            random=random,
            settle=settle,
        )
        self.matches = Matches(games, services)
        self.services = Services(
            games, self.matches, self._database, words, typing, self._presenter
        )

    async def setup_hook(self) -> None:
        """Load open matches before the session begins, since claims can arrive at once."""
        self.add_dynamic_items(MatchButton, MatchSelect, ChoicePicker, ChannelsPicker, RolePicker)
        for game in self.services.games.values():
            self.tree.add_command(game_group(self.services, game))
        await self.matches.recovery.load()
        await self._sync_commands()

    async def on_connect(self) -> None:
        """A session begins: feed every open match what was typed meanwhile."""
        for runner in self.matches.registry:
            # Every server that the bot is in is known by now, also one with an outage.
            if self.get_guild(runner.venue.guild) is None:
                runner.close(End.CHANNEL_GONE)
        await self.matches.recovery.session_begun()

    async def on_disconnect(self) -> None:
        """Events may be missing from here on."""
        self.matches.recovery.connection_lost()

    async def on_resumed(self) -> None:
        """Every missed event has arrived."""
        self.matches.recovery.session_resumed()

    async def on_message(self, message: discord.Message, /) -> None:
        """Hand a typed message to the channel's match, without an await."""
        self.matches.services.time.note_id(message.id)
        runner = self.matches.registry.at(message.channel.id)
        if runner is not None:
            self._presenter.pushed(runner, message.id)
        match self._channels.entry(message):
            case Typed(message_id, user, text) if runner is not None:
                runner.hear(text, user, message_id)
            case OwnPost() as post:
                self._saw_post(post)
            case _:
                return

    async def on_interaction(self, interaction: discord.Interaction, /) -> None:
        """Learn Discord's time from it; it may also be the answer to a form."""
        self.matches.services.time.note_id(interaction.id)
        await handle_submit(interaction)

    async def on_raw_message_delete(self, payload: discord.RawMessageDeleteEvent) -> None:
        """A moderator may have deleted a match's message."""
        self._messages_gone(payload.channel_id, {payload.message_id})

    async def on_raw_bulk_message_delete(self, payload: discord.RawBulkMessageDeleteEvent) -> None:
        """A moderator may have cleaned up the channel."""
        self._messages_gone(payload.channel_id, payload.message_ids)

    async def on_guild_channel_delete(self, channel: discord.abc.GuildChannel) -> None:
        """A match can't go on without its channel."""
        self._channel_gone(channel.id)

    async def on_raw_thread_delete(self, payload: discord.RawThreadDeleteEvent) -> None:
        """A match can't go on without its thread."""
        self._channel_gone(payload.thread_id)

    async def on_guild_remove(self, guild: discord.Guild) -> None:
        """Without the server its matches end; an outage is another event."""
        for runner in self._matches_of(guild):
            runner.close(End.CHANNEL_GONE)

    async def on_guild_available(self, guild: discord.Guild) -> None:
        """After an absence or an outage, permissions may have changed without an event."""
        self._check_permissions(guild)

    async def on_guild_channel_update(
        self, _before: discord.abc.GuildChannel, after: discord.abc.GuildChannel
    ) -> None:
        """Permissions may have changed."""
        self._check_permissions(after.guild)

    async def on_guild_role_update(self, _before: discord.Role, after: discord.Role) -> None:
        """Permissions may have changed."""
        self._check_permissions(after.guild)

    async def on_member_update(self, _before: discord.Member, after: discord.Member) -> None:
        """The bot's own roles may have changed; others' updates do not come."""
        self._check_permissions(after.guild)

    async def on_raw_thread_update(self, payload: discord.RawThreadUpdateEvent) -> None:
        """An archived or locked thread can't be written to; an archived one is not cached."""
        runner = self.matches.registry.at(payload.thread_id)
        guild = self.get_guild(payload.guild_id)
        if runner is None or guild is None:
            return
        state: Any = payload.data.get("thread_metadata", {})
        if not state.get("archived") and not state.get("locked"):
            self._check_permissions(guild)
        elif runner.match.phase is Phase.PLAYING:
            runner.pause_unwritable()

    async def stop(self) -> None:
        """Open nothing new, tell the channels, save, and close."""
        try:
            await self.matches.stop(STOP_SECONDS)
        except TimeoutError:
            log.warning("not everything was told within %d seconds", STOP_SECONDS)
        await self.close()

    async def close(self) -> None:
        """Close the connection and what stands behind it."""
        self._presenter.close()
        await super().close()
        await self._journal.flush()
        await self._database.close()

    def _saw_post(self, post: OwnPost) -> None:
        """The gateway's copy of a post may arrive before the answer to the call, or without it."""
        runner = self.matches.registry.get(post.match)
        if runner is None or post.key is None:
            return
        self._presenter.saw(runner, post.id)
        if runner.game.machine.awaits_post(runner.match):
            runner.post_shown(post.key, post.id)

    def _messages_gone(self, channel: int, messages: AbstractSet[int]) -> None:
        for runner in self.matches.registry:
            if runner.venue.channel == channel:
                self._presenter.deleted(runner, messages)

    def _channel_gone(self, channel: int) -> None:
        runner = self.matches.registry.at(channel)
        if runner is not None:
            runner.close(End.CHANNEL_GONE)

    def _matches_of(self, guild: discord.Guild) -> Iterable[Runner]:
        return (runner for runner in self.matches.registry if runner.venue.guild == guild.id)

    def _check_permissions(self, guild: discord.Guild) -> None:
        """Pause matches that can't be shown any more; go on with those that can again."""
        for runner in self._matches_of(guild):
            match = runner.match
            waiting = match.phase is Phase.PAUSED and match.pause is PauseReason.PERMISSION
            if not waiting and match.phase is not Phase.PLAYING:
                continue
            hindered = self._channels.is_unwritable(runner.venue)
            if waiting and hindered is False:
                runner.submit(Resume(id=runner.now(), user=None))
            elif hindered and not waiting:
                runner.pause_unwritable()

    async def _sync_commands(self) -> None:
        """Send the commands to Discord, but only when they have changed."""
        payload: list[Any] = [command.to_dict(self.tree) for command in self.tree.get_commands()]
        digest = hashlib.sha256(json.dumps(payload, sort_keys=True, default=str).encode())
        known = f"commands:{self.application_id}"
        async with self._database.read() as session:
            before = await key_values.get_value(session, known)
        if before == digest.hexdigest():
            return
        await self.tree.sync()
        async with self._database.write() as session:
            await key_values.set_value(session, known, digest.hexdigest())
        log.info("the commands were sent to Discord")
