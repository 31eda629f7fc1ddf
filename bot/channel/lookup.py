"""Looks up in Discord what matches need: history, members, permissions."""

from __future__ import annotations

import logging
from typing import TYPE_CHECKING, Final

import discord

from bot.channel.cleanup import remove_buttons
from bot.matches.ports import NotNowError, OwnPost, Typed
from bot.replies.errors import CALL_ERRORS, ErrorKind, error_kind
from bot.replies.permissions import missing
from bot.views.buttons import match_of_component, read_custom_id

if TYPE_CHECKING:
    from collections.abc import AsyncIterator, Iterable, Iterator

    from bot.matches.ports import Venue

log = logging.getLogger(__name__)

_MOST: Final = 1_000
"""The most messages that are read; people type fewer while a race lasts."""

_WRITTEN = {discord.MessageType.default, discord.MessageType.reply}


class DiscordChannels:
    """Discord's channels and members, through a client; see `bot.matches.ports.Channels`."""

    def __init__(self, client: discord.Client) -> None:
        self._client = client

    async def history(self, venue: Venue, after: int) -> AsyncIterator[Typed | OwnPost]:
        """Yield the messages after a message id; none where the bot may not read them.

        Raises:
            NotNowError: Discord does not answer at present.
        """
        channel = self._client.get_partial_messageable(venue.channel, guild_id=venue.guild)
        start, read = discord.Object(after), 0
        try:
            async for message in channel.history(limit=_MOST, after=start, oldest_first=True):
                read += 1
                entry = self.entry(message)
                if entry is not None:
                    yield entry
        except CALL_ERRORS as error:
            log.warning("the history of channel %d can't be read: %s", venue.channel, error)
            if error_kind(error) is ErrorKind.TEMPORARY:
                raise NotNowError from error
        if read == _MOST:
            log.warning("the history of channel %d is read only in part", venue.channel)

    def entry(self, message: discord.Message) -> Typed | OwnPost | None:
        """Return a message as matches take it; None if it is edited, of a bot or of a webhook.

        Discord's own messages in a user's name are ignored, too: opening a thread named 42 is no
        claim.
        """
        user = self._client.user
        if user is not None and message.author.id == user.id:
            return own_post(message)
        if message.type not in _WRITTEN:
            return None
        if message.author.bot or message.webhook_id is not None or message.edited_at is not None:
            return None
        return Typed(message.id, message.author.id, message.content)

    async def remove_buttons(self, venue: Venue, message: int) -> None:
        """Remove the buttons from a message of the bot, if it can be edited.

        Raises:
            NotNowError: Discord does not carry it out at present.
        """
        channel = self._client.get_partial_messageable(venue.channel, guild_id=venue.guild)
        try:
            await remove_buttons(channel, message)
        except CALL_ERRORS as error:
            log.info("message %d stays as it is: %s", message, error)
            if error_kind(error) is ErrorKind.TEMPORARY:
                raise NotNowError from error

    async def delete(self, venue: Venue, message: int) -> None:
        """Delete a message of the bot, if it can be deleted.

        Raises:
            NotNowError: Discord does not carry it out at present.
        """
        channel = self._client.get_partial_messageable(venue.channel, guild_id=venue.guild)
        try:
            await channel.get_partial_message(message).delete()
        except CALL_ERRORS as error:
            log.info("message %d stays: %s", message, error)
            if error_kind(error) is ErrorKind.TEMPORARY:
                raise NotNowError from error

    def is_unwritable(self, venue: Venue) -> bool | None:
        """Return whether a match can't be shown in a channel; None if that is unknown."""
        guild = self._client.get_guild(venue.guild)
        channel = guild and guild.get_channel_or_thread(venue.channel)
        if guild is None or channel is None or guild.me is None:  # pyright: ignore[reportUnnecessaryComparison] - None until the guild is available
            return None
        thread = isinstance(channel, discord.Thread)
        if thread and (channel.archived or channel.locked):
            return True
        return bool(missing(channel.permissions_for(guild.me), thread=thread))

    async def is_member(self, guild: int, user: int) -> bool:
        """Return whether a user is in the server; in doubt, yes."""
        server = self._client.get_guild(guild)
        if server is None:
            return True
        try:
            await server.fetch_member(user)
        except discord.NotFound:
            return False
        except CALL_ERRORS:
            return True
        return True


def own_post(message: discord.Message) -> OwnPost | None:
    """Return the match that a message of the bot shows, read from its buttons or its mark."""
    for custom_id in _custom_ids(message.components):
        named = read_custom_id(custom_id)
        if named is not None:
            return OwnPost(message.id, *named)
    for component in message.components:
        match = match_of_component(getattr(component, "id", None))
        if match is not None:
            return OwnPost(message.id, match, None)
    return None


def _custom_ids(components: Iterable[object]) -> Iterator[str]:
    for component in components:
        custom_id = getattr(component, "custom_id", None)
        if isinstance(custom_id, str):
            yield custom_id
        yield from _custom_ids(getattr(component, "children", ()))
