"""Shows matches in their channels; see `bot.matches.ports.Table`."""

from __future__ import annotations

import logging
from typing import TYPE_CHECKING

import discord

from bot.channel.board import Board
from bot.channel.drawing import Studio
from bot.channel.troubles import CALL_ERRORS
from bot.games import GAMES
from bot.games.hosted import Showing
from bot.matches.ports import Notice

if TYPE_CHECKING:
    from bot.locales.catalogue import Words
    from bot.matches.ports import Clock, LiveMatch, Venue

log = logging.getLogger(__name__)


class Presenter:
    """Keeps one `Board` for each match that is shown.

    Args:
        client: makes the calls.
        words: the language.
        clock: for the pace of edits.
        typing: whether typed numbers reach the bot.
    """

    def __init__(self, client: discord.Client, words: Words, clock: Clock, *, typing: bool) -> None:
        self._client = client
        self._words = words
        self._clock = clock
        self._typing = typing
        self._boards: dict[int, Board] = {}
        self.studio = Studio()

    def show(self, live: LiveMatch) -> None:
        """Show a match that has changed."""
        self._board(live).show(self._showing(live))
        for match_id, board in tuple(self._boards.items()):
            if board.finished:
                del self._boards[match_id]

    def post_again(self, live: LiveMatch, *, away_since: int | None = None) -> None:
        """Show a match in a new message."""
        self._board(live).post_again(self._showing(live), away_since)

    async def say(self, venue: Venue, notice: Notice) -> None:
        """Tell a channel something, once."""
        channel = self._client.get_partial_messageable(venue.channel, guild_id=venue.guild)
        try:
            await channel.send(
                self._notice(notice),
                silent=True,
                allowed_mentions=discord.AllowedMentions.none(),
            )
        except CALL_ERRORS as error:
            log.info("channel %d can't be told %s: %s", venue.channel, notice, error)

    def close(self) -> None:
        """Stop drawing."""
        self.studio.close()

    def _board(self, live: LiveMatch) -> Board:
        board = self._boards.get(live.id)
        if board is None:
            game = GAMES[live.match.opening.game]
            greeting = self._words.text("I was away for a moment; the match goes on.")
            board = Board(
                live,
                game,
                client=self._client,
                studio=self.studio,
                clock=self._clock,
                greeting=greeting,
            )
            self._boards[live.id] = board
        return board

    def _showing(self, live: LiveMatch) -> Showing:
        return Showing(live.match, self._words, self._typing)

    def _notice(self, notice: Notice) -> str:
        match notice:
            case Notice.RESTARTING:
                return self._words.text(
                    "I have to restart. The match is saved and goes on in a moment: numbers you "
                    "type meanwhile count."
                )
            case Notice.UNKNOWN_RULES:
                return self._words.text(
                    "I was updated, and a match that was open here can't go on: it is void. Sorry! "
                    "`/rox play` opens a new one."
                )
