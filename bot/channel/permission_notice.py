"""Tells hosts which permissions a paused match lacks, by direct message."""

from __future__ import annotations

import asyncio
import logging
from typing import TYPE_CHECKING

import discord

from bot.replies.errors import CALL_ERRORS
from bot.replies.permissions import missing, permission_names

if TYPE_CHECKING:
    from bot.channel.pacing import Budget
    from bot.locales.catalogue import Words
    from bot.matches.ports import LiveMatch

log = logging.getLogger(__name__)


class PermissionNotices:
    """Sends the host of a paused match one direct message for each thing that is missing.

    Where the bot may not post, the channel itself can't say why the match is paused.

    Args:
        client: makes the calls.
        words: the language.
        budget: shared by all matches.
    """

    def __init__(self, client: discord.Client, words: Words, budget: Budget) -> None:
        self._client = client
        self._words = words
        self._budget = budget
        self._sent: dict[int, set[str]] = {}
        self._tasks: set[asyncio.Task[None]] = set()

    def send(self, live: LiveMatch) -> None:
        """Send a notice to a match's host; one who takes no direct messages gets none."""
        task = asyncio.get_running_loop().create_task(self._send(live))
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)

    def forget(self, match: int) -> None:
        """Forget a closed match."""
        self._sent.pop(match, None)

    def close(self) -> None:
        """Send nothing more."""
        for task in self._tasks:
            task.cancel()

    async def _send(self, live: LiveMatch) -> None:
        await self._budget.acquire()
        host, notice = live.match.host, self._notice(live)
        sent = self._sent.setdefault(live.id, set())
        if host is None or notice in sent:
            return
        sent.add(notice)
        try:
            channel = await self._client.create_dm(discord.Object(host))
            await channel.send(notice, allowed_mentions=discord.AllowedMentions.none())
        except CALL_ERRORS as error:
            log.info("match %d: its host can't be told what is missing: %s", live.id, error)

    def _notice(self, live: LiveMatch) -> str:
        words, venue = self._words, live.venue
        where = f"<#{venue.channel}>"
        channel = self._client.get_channel(venue.channel)
        lacking: list[str] = []
        thread = isinstance(channel, discord.Thread)
        if isinstance(channel, discord.abc.GuildChannel | discord.Thread):
            lacking = missing(channel.permissions_for(channel.guild.me), thread=thread)
        if thread and (channel.archived or channel.locked):
            what = words.text(
                "Your match in {where} stands still: the thread is archived or locked. It goes on "
                "once the thread is open again.",
                where=where,
            )
        elif lacking:
            what = words.text(
                "Your match in {where} stands still: there I need {permissions}. Somebody who "
                "manages the channel can allow that under Edit Channel → Permissions, and it goes "
                "on.",
                where=where,
                permissions=permission_names(lacking, words),
            )
        else:
            what = words.text(
                "Your match in {where} stands still: I could not post there. Use `/{game} table` "
                "there to try again.",
                where=where,
                game=live.match.opening.game,
            )
        lapse = words.text("After ten minutes it ends without a result.")
        return f"{what} {lapse}"
