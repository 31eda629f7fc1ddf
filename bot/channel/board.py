"""One match's messages: the newest state wins, one call at a time.

A match that shows something new wants a message with another key; then the new one is posted,
the runner is told its id, and the earlier one gets its last form or goes. While the key stays,
the message is edited, and a picture that has not changed is kept instead of being sent again.
"""

from __future__ import annotations

import asyncio
import logging
from dataclasses import dataclass, replace
from io import BytesIO
from typing import TYPE_CHECKING, Final
from uuid import uuid4

import discord

from bot.channel.layout import layout
from bot.channel.troubles import CALL_ERRORS, Trouble, trouble_of
from bot.games.sheet import Sheet, Text
from game.match import Phase

if TYPE_CHECKING:
    from bot.channel.drawing import Studio
    from bot.games.hosted import HostedGame, Showing
    from bot.matches.ports import Clock, LiveMatch

log = logging.getLogger(__name__)

PACE: Final = 1.0
"""Seconds between two edits: Discord lets about five pass in five seconds."""

ATTEMPTS: Final = 3


@dataclass(slots=True)
class _Message:
    """A message that stands.

    Attributes:
        id: its id.
        key: what it shows.
        sheet: its present form; None when it was made before a restart.
        attachments: its pictures' files by name.
    """

    id: int
    key: str
    sheet: Sheet | None
    attachments: dict[str, discord.Attachment]


class Board:
    """Shows one match in its channel.

    Args:
        live: the match.
        game: its game.
        client: makes the calls.
        studio: draws.
        clock: for the pace.
        greeting: what a message says first after the bot was away.
    """

    def __init__(
        self,
        live: LiveMatch,
        game: HostedGame,
        *,
        client: discord.Client,
        studio: Studio,
        clock: Clock,
        greeting: str,
    ) -> None:
        self.live = live
        self._greeting = greeting
        self._game = game
        self._studio = studio
        self._clock = clock
        self._channel = client.get_partial_messageable(
            live.venue.channel, guild_id=live.venue.guild
        )
        post = live.match.post
        self._message = _Message(post.id, post.key, None, {}) if post else None
        self._showing: Showing | None = None
        self._wanted: Sheet | None = None
        self._newest: dict[str, Sheet] = {}
        self._leaving: list[tuple[_Message, Sheet | None]] = []
        self._again = False
        self._away_since: int | None = None
        self._next_edit = 0.0
        self._task: asyncio.Task[None] | None = None

    @property
    def finished(self) -> bool:
        """Whether nothing is left to show."""
        return self._task is None and self.live.match.phase is Phase.CLOSED

    def show(self, showing: Showing) -> None:
        """Want the match's newest state to be shown."""
        sheet = self._game.sheet(showing)
        if sheet is None:
            return
        self._showing = showing
        self._wanted = self._newest[sheet.key] = sheet
        self._take_leave(sheet)
        self._wake()

    def post_again(self, showing: Showing, away_since: int | None) -> None:
        """Show the match in a new message and let the present one go."""
        self._again = True
        if away_since is not None:
            self._away_since = away_since
        self.show(showing)

    def _take_leave(self, wanted: Sheet) -> None:
        """Part from the standing message if another one is wanted."""
        standing = self._message
        if standing is None or standing.key == wanted.key or self._showing is None:
            return
        known = self._newest.pop(standing.key, standing.sheet)
        last = self._game.farewell(self._showing, standing.key, known)
        self._leaving.append((standing, last))
        self._message = None

    def _wake(self) -> None:
        if self._task is None:
            self._task = asyncio.get_running_loop().create_task(
                self._work(), name=f"board-{self.live.id}"
            )

    async def _work(self) -> None:
        try:
            while await self._step():
                pass
        finally:
            self._task = None

    async def _step(self) -> bool:
        """Bring the channel one call nearer to what is wanted; False when nothing is left."""
        sheet = self._wanted
        if sheet is None:
            return False
        # What is wanted may have changed while the message was on its way.
        self._take_leave(sheet)
        if self._message is None or self._again:
            return await self._post(sheet)
        if self._leaving:
            await self._part(*self._leaving.pop(0))
            return True
        if self._message.sheet == sheet:
            return False
        wait = self._next_edit - self._clock.monotonic()
        if wait > 0:
            await asyncio.sleep(wait)
            return True
        return await self._edit(self._message, sheet)

    async def _post(self, sheet: Sheet) -> bool:
        away_since, self._away_since = self._away_since, None
        self._again = False
        form = sheet if away_since is None else self._with_greeting(sheet)
        # A new nonce for every message, also after a restart, and one for all of its attempts:
        # of two calls with the same nonce Discord carries out the first alone.
        nonce = uuid4().hex[:25]
        for attempt in range(ATTEMPTS):
            try:
                sent = await self._send(form, nonce)
                break
            except CALL_ERRORS as error:
                trouble = trouble_of(error)
                log.warning("match %d can't be posted: %s", self.live.id, error)
                if trouble is not Trouble.PASSING or attempt + 1 == ATTEMPTS:
                    return self._give_up(trouble)
                await asyncio.sleep(2**attempt)
        else:
            return False
        if self._message is not None:
            self._leaving.append((self._message, None))
        files = {attachment.filename: attachment for attachment in sent.attachments}
        # The greeting is no part of what is shown, so it stays until that changes.
        self._message = _Message(sent.id, sheet.key, sheet, files)
        self._next_edit = self._clock.monotonic() + PACE
        self.live.posted(sheet.key, sent.id, away_since=away_since)
        return True

    def _give_up(self, trouble: Trouble) -> bool:
        """Stop trying until the match wants something new."""
        self._wanted = None
        if trouble is Trouble.CHANNEL_GONE:
            self.live.channel_gone()
        else:
            self.live.hindered()
        return False

    def _with_greeting(self, sheet: Sheet) -> Sheet:
        return replace(sheet, blocks=(Text(self._greeting), *sheet.blocks))

    async def _send(self, sheet: Sheet, nonce: str) -> discord.Message:
        files = [await self._file(picture.name, sheet) for picture in sheet.pictures]
        return await self._channel.send(
            view=layout(sheet, self.live.id),
            files=files,
            silent=sheet.silent,
            nonce=nonce,
            allowed_mentions=discord.AllowedMentions.none(),
        )

    async def _file(self, name: str, sheet: Sheet) -> discord.File:
        picture = next(picture for picture in sheet.pictures if picture.name == name)
        drawn = await self._studio.draw(picture.scene)
        return discord.File(BytesIO(drawn), filename=name, description=picture.alt)

    async def _edit(self, message: _Message, sheet: Sheet) -> bool:
        try:
            await self._change(message, sheet)
        except CALL_ERRORS as error:
            log.warning("match %d can't be edited: %s", self.live.id, error)
            match trouble_of(error):
                case Trouble.MESSAGE_GONE:
                    self._message = None
                    return True
                case Trouble.PASSING:
                    self._next_edit = self._clock.monotonic() + PACE * 3
                    return True
                case trouble:
                    return self._give_up(trouble)
        self._next_edit = self._clock.monotonic() + PACE
        return True

    async def _change(self, message: _Message, sheet: Sheet) -> None:
        """Edit a message into a form; exactly the pictures of that form remain."""
        before = {p.name: p.scene for p in message.sheet.pictures} if message.sheet else {}
        attachments: list[discord.Attachment | discord.File] = []
        for picture in sheet.pictures:
            kept = message.attachments.get(picture.name)
            if kept is not None and before.get(picture.name) == picture.scene:
                attachments.append(kept)
            else:
                attachments.append(await self._file(picture.name, sheet))
        edited = await self._channel.get_partial_message(message.id).edit(
            view=layout(sheet, self.live.id),
            attachments=attachments,
            allowed_mentions=discord.AllowedMentions.none(),
        )
        message.sheet = sheet
        message.attachments = {found.filename: found for found in edited.attachments}

    async def _part(self, message: _Message, last: Sheet | None) -> None:
        """Give an earlier message its last form, or delete it."""
        try:
            if last is None:
                await self._channel.get_partial_message(message.id).delete()
            elif message.sheet != last:
                await self._change(message, last)
        except CALL_ERRORS as error:
            log.info("match %d: an earlier message stays as it is: %s", self.live.id, error)
