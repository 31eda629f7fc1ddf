"""Handlers of gateway events: they pass on to the matches what happens in Discord."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from discord.ext import commands

from bot.matches.ports import OwnPost, Typed
from bot.views.forms import handle_submit
from game.actions import Resume
from game.match import End, Phase

if TYPE_CHECKING:
    from collections.abc import Iterable
    from collections.abc import Set as AbstractSet

    import discord

    from bot.channel.displays import Displays
    from bot.channel.lookup import DiscordChannels
    from bot.matches.lifecycle import Matches
    from bot.matches.runner import Runner


class EventHandlers(commands.Bot):
    """A bot that handles the events that matter to matches; `RoxBot` sets its attributes.

    Attributes:
        matches: the matches of the process.
        display: shows them in their channels.
        channels: looks things up in channels.
    """

    matches: Matches
    display: Displays
    channels: DiscordChannels

    async def on_connect(self) -> None:
        """Begin a session: give every open match the messages that it missed."""
        for runner in self.matches.registry:
            # READY lists every server that the bot is in, even one with an outage.
            if self.get_guild(runner.venue.guild) is None:
                runner.close(End.CHANNEL_GONE)
        await self.matches.recovery.session_begun()

    async def on_disconnect(self) -> None:
        """Hold every match, because events can be missing from here on."""
        self.matches.recovery.connection_lost()

    async def on_resumed(self) -> None:
        """Let every match go on, because every missed event has arrived."""
        self.matches.recovery.session_resumed()

    async def on_message(self, message: discord.Message, /) -> None:
        """Pass a message to its channel's match.

        Without an await, so that messages reach the inbox in the order of their events.
        """
        self.matches.services.time.note_id(message.id)
        runner = self.matches.registry.at(message.channel.id)
        if runner is not None:
            self.display.note_message(runner, message.id)
        match self.channels.entry(message):
            case Typed(message_id, user, text) if runner is not None:
                runner.hear(text, user, message_id)
            case OwnPost() as post:
                self._note_own_post(post)
            case _:
                return

    async def on_interaction(self, interaction: discord.Interaction, /) -> None:
        """Note Discord's time, and handle the interaction if it submits a form."""
        self.matches.services.time.note_id(interaction.id)
        await handle_submit(interaction)

    async def on_raw_message_delete(self, payload: discord.RawMessageDeleteEvent) -> None:
        """Post a match's message again if it was deleted."""
        self._note_deleted(payload.channel_id, {payload.message_id})

    async def on_raw_bulk_message_delete(self, payload: discord.RawBulkMessageDeleteEvent) -> None:
        """Post a match's message again if it was among those deleted."""
        self._note_deleted(payload.channel_id, payload.message_ids)

    async def on_guild_channel_delete(self, channel: discord.abc.GuildChannel) -> None:
        """End the channel's match."""
        self._close_match_at(channel.id)

    async def on_raw_thread_delete(self, payload: discord.RawThreadDeleteEvent) -> None:
        """End the thread's match."""
        self._close_match_at(payload.thread_id)

    async def on_guild_remove(self, guild: discord.Guild) -> None:
        """End the matches of a server that the bot has left; an outage is another event."""
        for runner in self._matches_in(guild):
            runner.close(End.CHANNEL_GONE)

    async def on_guild_available(self, guild: discord.Guild) -> None:
        """Check permissions, which may have changed without an event during an outage."""
        self._check_permissions(guild)

    async def on_guild_channel_update(
        self, _before: discord.abc.GuildChannel, after: discord.abc.GuildChannel
    ) -> None:
        """Check permissions, which depend on the channel."""
        self._check_permissions(after.guild)

    async def on_guild_role_update(self, _before: discord.Role, after: discord.Role) -> None:
        """Check permissions, which depend on the bot's roles."""
        self._check_permissions(after.guild)

    async def on_member_update(self, _before: discord.Member, after: discord.Member) -> None:
        """Check permissions: without the members intent, only the bot's own updates arrive."""
        self._check_permissions(after.guild)

    async def on_raw_thread_update(self, payload: discord.RawThreadUpdateEvent) -> None:
        """Pause the match of an archived or locked thread, and check permissions otherwise.

        An archived thread is not cached, so its permissions can't be checked.
        """
        runner = self.matches.registry.at(payload.thread_id)
        guild = self.get_guild(payload.guild_id)
        if runner is None or guild is None:
            return
        state: Any = payload.data.get("thread_metadata", {})
        if not state.get("archived") and not state.get("locked"):
            self._check_permissions(guild)
        elif runner.match.phase is Phase.PLAYING:
            runner.pause_unwritable()

    def _note_own_post(self, post: OwnPost) -> None:
        """Note that a message of the bot shows a match.

        The gateway's event can arrive before the answer to the call, or the answer can be lost.
        """
        runner = self.matches.registry.get(post.match)
        if runner is None or post.key is None:
            return
        self.display.note_post(runner, post.id)
        if runner.game.machine.awaits_post(runner.match):
            runner.post_shown(post.key, post.id)

    def _note_deleted(self, channel: int, messages: AbstractSet[int]) -> None:
        for runner in self.matches.registry:
            if runner.venue.channel == channel:
                self.display.note_deleted(runner, messages)

    def _close_match_at(self, channel: int) -> None:
        runner = self.matches.registry.at(channel)
        if runner is not None:
            runner.close(End.CHANNEL_GONE)

    def _matches_in(self, guild: discord.Guild) -> Iterable[Runner]:
        return (runner for runner in self.matches.registry if runner.venue.guild == guild.id)

    def _check_permissions(self, guild: discord.Guild) -> None:
        """Pause matches that can't be shown any more, and resume those that can be again."""
        for runner in self._matches_in(guild):
            if not runner.match.playing:
                continue
            unwritable = self.channels.is_unwritable(runner.venue)
            if unwritable is False:
                # A pause may be recorded and not announced yet, so the rules decide if it ends.
                runner.submit(Resume(id=runner.now(), user=None))
            elif unwritable and runner.match.phase is Phase.PLAYING:
                runner.pause_unwritable()
