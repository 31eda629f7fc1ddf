"""Cleans up a match's channel: earlier messages, their buttons, decided claims."""

from __future__ import annotations

import asyncio
import logging
from dataclasses import dataclass
from functools import partial
from typing import TYPE_CHECKING
from urllib.parse import urlsplit

import discord
from discord import ui

from bot.channel.failures import Next, after_failed_cleanup
from bot.matches.backoff import Backoff
from bot.replies.errors import CALL_ERRORS, error_kind

if TYPE_CHECKING:
    from collections.abc import Collection

    from bot.channel.calls import Calls
    from bot.channel.pacing import Budget, Meter
    from bot.channel.posts import ShownMessage
    from bot.games.sheet import Sheet
    from bot.matches.server_time import Clock

log = logging.getLogger(__name__)


@dataclass(frozen=True, eq=False, slots=True)
class _Earlier:
    """A message that no longer shows the match.

    Attributes:
        shown: the message.
        last: its last content; None: it is deleted, or only its buttons are removed.
        stays: whether it stays in the channel.
        backoff: says when to try again, and for how long.
    """

    shown: ShownMessage
    last: Sheet | None
    stays: bool
    backoff: Backoff


class Cleanup:
    """Cleans up after one match, in a task of its own so that no edit has to wait for it.

    If Discord can't carry out a call at present, it is tried again for some minutes, at growing
    intervals.

    Args:
        match: the match's own key.
        calls: makes the calls.
        meter: says when a call can go out.
        budget: shared by all matches.
        clock: monotonic time.

    Attributes:
        task: the work under way.
    """

    def __init__(
        self, match: int, calls: Calls, meter: Meter, budget: Budget, clock: Clock
    ) -> None:
        self._match = match
        self._calls = calls
        self._meter = meter
        self._budget = budget
        self._clock = clock
        self._added: list[_Earlier] = []
        self._added_claims: list[int] = []
        self._started: list[_Earlier] = []
        self._started_claims: list[int] = []
        self._sleep: asyncio.Task[None] | None = None
        self.task: asyncio.Task[None] | None = None

    def add(self, shown: ShownMessage, last: Sheet | None = None, *, stays: bool = False) -> None:
        """Add a message that is cleaned up after the next `start`.

        Args:
            shown: the message.
            last: its last content, if that is known.
            stays: whether it stays without it, too, then without its buttons.
        """
        self._added.append(_Earlier(shown, last, stays, Backoff(self._clock)))

    def add_claim(self, message: int) -> None:
        """Add the message of a decided claim, which is deleted after the next `start`."""
        self._added_claims.append(message)

    def start(self) -> None:
        """Clean up what has been added."""
        self._started += self._added
        self._started_claims += self._added_claims
        self._added, self._added_claims = [], []
        if self.task is None:
            self.task = asyncio.get_running_loop().create_task(
                self._work(), name=f"cleanup-{self._match}"
            )
        elif self._sleep is not None:
            self._sleep.cancel()

    def close(self) -> None:
        """Leave everything as it is."""
        for task in (self.task, self._sleep):
            if task is not None:
                task.cancel()

    async def _work(self) -> None:
        try:
            while self._started or self._started_claims:
                await self._step()
        finally:
            self.task = None

    async def _step(self) -> None:
        """Do one thing that is due, or wait until something is."""
        earlier = min(self._started, key=lambda e: e.backoff.retry_at, default=None)
        wait = 0.0 if earlier is None else earlier.backoff.delay
        if earlier is not None and wait <= 0:
            self._started.remove(earlier)
            if not await self._try_message(earlier):
                self._started.append(earlier)
        elif self._started_claims:
            await self._delete_claims()
        else:
            self._sleep = asyncio.get_running_loop().create_task(asyncio.sleep(wait))
            await asyncio.wait((self._sleep,))

    async def _try_message(self, earlier: _Earlier) -> bool:
        """Clean up a message; return False if that has to be tried again."""
        shown, backoff = earlier.shown, earlier.backoff
        try:
            await self._clean_message(earlier)
        except CALL_ERRORS as error:
            log.info("match %d: an earlier message stays as it is: %s", self._match, error)
            by_token, shown.token = shown.token is not None, None
            if not by_token:
                backoff.fail()
            kind = error_kind(error)
            step = after_failed_cleanup(kind, by_token=by_token, exhausted=backoff.exhausted)
            return step is Next.GIVE_UP
        except Exception:
            log.exception("match %d: an earlier message stays as it is: a fault", self._match)
        return True

    async def _clean_message(self, earlier: _Earlier) -> None:
        """Give an earlier message its last content, remove its buttons, or delete it."""
        shown, last = earlier.shown, earlier.last
        if last is None:
            await self._budget.acquire()
            if earlier.stays:
                await remove_buttons(self._calls.channel, shown.id)
            else:
                await self._calls.delete(shown.id)
        elif shown.sheet != last:
            await asyncio.sleep(self._meter.wait(self._calls.route(shown)))
            prepared = await self._budget.turn(partial(self._calls.prepare_edit, shown, last))
            await prepared.send()

    async def _delete_claims(self) -> None:
        """Delete the messages of decided claims, which a server can choose."""
        messages, self._started_claims = self._started_claims, []
        try:
            await self._budget.acquire()
            await self._calls.delete_claims(messages)
        except CALL_ERRORS as error:
            log.info("match %d: claims stay in the channel: %s", self._match, error)


async def remove_buttons(channel: discord.abc.Messageable, message_id: int) -> None:
    """Remove the buttons from a message of the bot whose content is not known here.

    Raises:
        discord.HTTPException: the message is gone, or can't be edited.
    """
    message = await channel.fetch_message(message_id)
    view = ui.LayoutView.from_message(message, timeout=None)
    rows = [item for item in view.walk_children() if isinstance(item, ui.ActionRow)]
    if not rows:
        return
    names = {attachment.filename for attachment in message.attachments}
    for item in list(view.walk_children()):
        if isinstance(item, ui.MediaGallery):
            _refer_to_attachments(item, names)
        elif isinstance(item, ui.ActionRow):
            holder = item.parent if isinstance(item.parent, ui.Container) else view
            holder.remove_item(item)
    await message.edit(
        view=view,
        attachments=message.attachments,
        allowed_mentions=discord.AllowedMentions.none(),
    )


def _refer_to_attachments(gallery: ui.MediaGallery[ui.LayoutView], names: Collection[str]) -> None:
    """Name pictures by their attachments again: the addresses that Discord returns expire."""
    for item in gallery.items:
        name = urlsplit(item.media.url).path.rsplit("/", 1)[-1] or urlsplit(item.media.url).netloc
        if name in names:
            item.media = f"attachment://{name}"
