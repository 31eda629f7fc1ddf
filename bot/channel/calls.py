"""The calls that show one match: post, edit, remove. Each says how it went by what it raises."""

from __future__ import annotations

from dataclasses import dataclass, field
from functools import partial
from io import BytesIO
from typing import TYPE_CHECKING, Final

import discord

from bot.channel.layout import layout
from bot.channel.pacing import answers, edits, posts
from bot.channel.stripping import strip

if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable, Sequence

    from bot.channel.drawing import Studio
    from bot.channel.pacing import Meter
    from bot.games.sheet import Picture, Sheet
    from bot.matches.ports import Venue
    from bot.matches.server_time import Clock

YOUNG_S: Final = 14 * 60.0
"""How long an interaction's token is used for edits; it lives for fifteen minutes."""

_MOST_AT_ONCE: Final = 100


@dataclass(slots=True)
class ShownMessage:
    """A message that stands in the channel.

    Attributes:
        id: its id.
        key: what it shows; empty when nobody knows.
        sheet: its present form; None when nobody knows, as after a restart.
        attachments: its pictures' files by name.
        token: the newest press on one of its buttons, and when that was.
        pushed: how many messages stand below it.
    """

    id: int
    key: str = ""
    sheet: Sheet | None = None
    attachments: dict[str, discord.Attachment] = field(
        default_factory=dict[str, "discord.Attachment"]
    )
    token: tuple[discord.Interaction, float] | None = None
    pushed: int = 0


@dataclass(frozen=True, slots=True)
class PreparedCall:
    """A call whose pictures are drawn.

    Attributes:
        send: makes it; returns the message as it stands then.
        standing: the message that it edits; None: it posts a new one.
        counts: whether Discord's global limit counts it.
    """

    send: Callable[[], Awaitable[ShownMessage]]
    standing: ShownMessage | None = None
    counts: bool = True


class Calls:
    """Makes the calls of one match.

    Args:
        venue: where the match is shown.
        match: the match's own key.
        theme: of its pictures.
        client: makes the calls.
        studio: draws.
        meter: is told of each call.
        clock: monotonic time.
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
        self._channel = client.get_partial_messageable(venue.channel, guild_id=venue.guild)

    async def prepare_post(self, sheet: Sheet, nonce: str) -> PreparedCall:
        """Draw what a new message needs."""
        files = await self._files(sheet.pictures)
        return PreparedCall(partial(self._post, sheet, nonce, files))

    def route(self, standing: ShownMessage) -> str:
        """Return the route on which a message is edited next."""
        token = self._young_token(standing)
        return answers(token.token) if token else edits(self._venue.channel)

    async def prepare_edit(self, standing: ShownMessage, sheet: Sheet) -> PreparedCall:
        """Draw what a message needs to be edited into a form; exactly its pictures will remain.

        While the message has a young token, the edit goes through it: that costs nothing of the
        process's global limit.
        """
        kept = self._kept(standing, sheet)
        files = iter(await self._files([p for p in sheet.pictures if p.name not in kept]))
        attachments = [kept.get(picture.name) or next(files) for picture in sheet.pictures]
        token = self._young_token(standing)
        send = partial(self._edit, standing, sheet, attachments, token)
        return PreparedCall(send, standing, counts=token is None)

    async def remove(self, standing: ShownMessage) -> None:
        """Delete a message."""
        await self._channel.get_partial_message(standing.id).delete()

    async def strip(self, standing: ShownMessage) -> None:
        """Take the buttons from a message of which nothing else is known."""
        await strip(self._channel, standing.id)

    async def remove_all(self, messages: Sequence[int]) -> None:
        """Delete messages of players in bulk; where the bot may not, or knows too little, none."""
        channel = self._client.get_channel(self._venue.channel)
        if not isinstance(channel, discord.TextChannel | discord.VoiceChannel | discord.Thread):
            return
        if not channel.permissions_for(channel.guild.me).manage_messages:
            return
        for start in range(0, len(messages), _MOST_AT_ONCE):
            some = messages[start : start + _MOST_AT_ONCE]
            await channel.delete_messages([discord.Object(found) for found in some])

    async def _post(self, sheet: Sheet, nonce: str, files: list[discord.File]) -> ShownMessage:
        began = self._clock.monotonic()
        sent = await self._channel.send(
            view=layout(sheet, self._match),
            files=files,
            silent=sheet.silent,
            nonce=nonce,
            allowed_mentions=discord.AllowedMentions.none(),
        )
        self._meter.sent(posts(self._venue.channel), began)
        self._meter.sent(edits(self._venue.channel), began)
        files_by_name = {found.filename: found for found in sent.attachments}
        return ShownMessage(sent.id, sheet.key, sheet, files_by_name)

    async def _edit(
        self,
        standing: ShownMessage,
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
            message = self._channel.get_partial_message(standing.id)
            edited = await message.edit(
                view=view, attachments=attachments, allowed_mentions=silence
            )
        self._meter.sent(answers(token.token) if token else edits(self._venue.channel), began)
        standing.sheet = sheet
        standing.attachments = {found.filename: found for found in edited.attachments}
        return standing

    def _young_token(self, standing: ShownMessage) -> discord.Interaction | None:
        if standing.token is None:
            return None
        interaction, pressed_at = standing.token
        young = self._clock.monotonic() - pressed_at < YOUNG_S
        return interaction if young else None

    def _kept(self, standing: ShownMessage, sheet: Sheet) -> dict[str, discord.Attachment]:
        """Return pictures that have not changed; uploads are what a small host runs out of."""
        before = {p.name: p.scene for p in standing.sheet.pictures} if standing.sheet else {}
        return {
            picture.name: standing.attachments[picture.name]
            for picture in sheet.pictures
            if picture.name in standing.attachments and before.get(picture.name) == picture.scene
        }

    async def _files(self, pictures: Sequence[Picture]) -> list[discord.File]:
        drawn = await self._studio.draw_all([p.scene for p in pictures], self._theme)
        return [
            discord.File(BytesIO(png), filename=picture.name, description=picture.alt)
            for picture, png in zip(pictures, drawn, strict=True)
        ]
