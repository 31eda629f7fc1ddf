"""The calls that show one match: post, edit, delete. A call that fails raises."""

from __future__ import annotations

from dataclasses import dataclass
from functools import partial
from typing import TYPE_CHECKING, Final

import discord

from bot.channel.layout import draw_files, layout
from bot.channel.pacing import answers, edits, posts
from bot.channel.posts import ShownMessage

if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable, Sequence

    from bot.channel.drawing import Studio
    from bot.channel.outgoing import OutgoingPost
    from bot.channel.pacing import Meter
    from bot.games.sheet import Sheet
    from bot.matches.ports import Venue
    from bot.matches.server_time import Clock

TOKEN_USE_S: Final = 14 * 60.0
"""How long an interaction's token is used for edits; Discord accepts it for fifteen minutes."""

_MOST_AT_ONCE: Final = 100
"""How many messages Discord deletes in one call."""


@dataclass(frozen=True, slots=True)
class PreparedCall:
    """A call whose pictures are drawn.

    Attributes:
        send: makes it, and returns the message as it is then.
        target: the post that it sends, or the message that it edits.
        counts: whether Discord's global limit counts it.
    """

    send: Callable[[], Awaitable[ShownMessage]]
    target: OutgoingPost | ShownMessage
    counts: bool = True


class Calls:
    """Makes the calls of one match.

    Args:
        venue: where the match is shown.
        match: the match's own key.
        theme: the theme of its pictures.
        client: makes the calls.
        studio: draws.
        meter: keeps track of the calls.
        clock: monotonic time.

    Attributes:
        channel: where the match is shown.
    """

    def __init__(
        self,
        venue: Venue,
        match: int,
        *,
        theme: str,
        client: discord.Client,
        studio: Studio,
        meter: Meter,
        clock: Clock,
    ) -> None:
        self._venue = venue
        self._match = match
        self._theme = theme
        self._client = client
        self._studio = studio
        self._meter = meter
        self._clock = clock
        self.channel = client.get_partial_messageable(venue.channel, guild_id=venue.guild)

    async def prepare_post(self, outgoing: OutgoingPost) -> PreparedCall:
        """Draw the pictures of a new message."""
        files = await draw_files(self._studio, outgoing.form.pictures, self._theme)
        return PreparedCall(partial(self._post, outgoing, files), outgoing)

    def route(self, shown: ShownMessage) -> str:
        """Return the route on which a message is edited next."""
        token = self._young_token(shown)
        return answers(token.token) if token else edits(self._venue.channel)

    async def prepare_edit(self, shown: ShownMessage, sheet: Sheet) -> PreparedCall:
        """Draw the pictures that a message lacks; after the edit it has exactly the sheet's.

        While the message has a young token, the edit goes through it, since Discord's global
        limit does not count that.
        """
        kept = self._kept(shown, sheet)
        new = [picture for picture in sheet.pictures if picture.name not in kept]
        files = iter(await draw_files(self._studio, new, self._theme))
        attachments = [kept.get(picture.name) or next(files) for picture in sheet.pictures]
        token = self._young_token(shown)
        send = partial(self._edit, shown, sheet, attachments, token)
        return PreparedCall(send, shown, counts=token is None)

    async def delete(self, message: int) -> None:
        """Delete a message of the bot."""
        await self.channel.get_partial_message(message).delete()

    async def delete_claims(self, messages: Sequence[int]) -> None:
        """Delete players' messages in bulk; without the permission, or its knowledge, none."""
        channel = self._client.get_channel(self._venue.channel)
        if not isinstance(channel, discord.TextChannel | discord.VoiceChannel | discord.Thread):
            return
        if not channel.permissions_for(channel.guild.me).manage_messages:
            return
        for start in range(0, len(messages), _MOST_AT_ONCE):
            some = messages[start : start + _MOST_AT_ONCE]
            await channel.delete_messages([discord.Object(found) for found in some])

    async def _post(self, outgoing: OutgoingPost, files: list[discord.File]) -> ShownMessage:
        began = self._clock.monotonic()
        sent = await self.channel.send(
            view=layout(outgoing.form, self._match),
            files=files,
            silent=outgoing.form.silent,
            nonce=outgoing.nonce,
            allowed_mentions=discord.AllowedMentions.none(),
        )
        self._meter.note_call(posts(self._venue.channel), began)
        self._meter.note_call(edits(self._venue.channel), began)
        return ShownMessage(
            sent.id,
            outgoing.sheet.key,
            # A notice in the posted form stays until the sheet changes: it needs no edit.
            outgoing.sheet,
            attachments=_by_name(sent),
            posted_at=self._clock.monotonic(),
        )

    async def _edit(
        self,
        shown: ShownMessage,
        sheet: Sheet,
        attachments: list[discord.Attachment | discord.File],
        token: discord.Interaction | None,
    ) -> ShownMessage:
        view, silence = layout(sheet, self._match), discord.AllowedMentions.none()
        began = self._clock.monotonic()
        edited: discord.Message
        if token is not None:
            edited = await token.edit_original_response(
                view=view, attachments=attachments, allowed_mentions=silence
            )
        else:
            message = self.channel.get_partial_message(shown.id)
            edited = await message.edit(
                view=view, attachments=attachments, allowed_mentions=silence
            )
        route = answers(token.token) if token else edits(self._venue.channel)
        self._meter.note_call(route, began)
        shown.sheet, shown.attachments = sheet, _by_name(edited)
        return shown

    def _young_token(self, shown: ShownMessage) -> discord.Interaction | None:
        if shown.token is None:
            return None
        interaction, pressed_at = shown.token
        young = self._clock.monotonic() - pressed_at < TOKEN_USE_S
        return interaction if young else None

    def _kept(self, shown: ShownMessage, sheet: Sheet) -> dict[str, discord.Attachment]:
        """Return pictures that have not changed; uploads are the scarcest good of a small host."""
        before = {p.name: p.scene for p in shown.sheet.pictures} if shown.sheet else {}
        return {
            picture.name: shown.attachments[picture.name]
            for picture in sheet.pictures
            if picture.name in shown.attachments and before.get(picture.name) == picture.scene
        }


def _by_name(message: discord.Message) -> dict[str, discord.Attachment]:
    return {found.filename: found for found in message.attachments}
