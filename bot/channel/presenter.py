"""Shows matches in their channels; see `bot.matches.ports.Table`."""

from __future__ import annotations

import asyncio
import logging
from functools import partial
from typing import TYPE_CHECKING

import discord

from bot.channel.board import Board
from bot.channel.calls import Calls
from bot.channel.drawing import Studio
from bot.channel.own import OwnCards
from bot.channel.pacing import Budget, reactions
from bot.channel.summons import Summons
from bot.games.look import read_look
from bot.games.plug import MatchView
from bot.matches.ports import Notice
from bot.pictures.artist import Artist
from bot.views.refusals import CALL_ERRORS
from game.events import Paused
from game.match import PauseReason, Phase

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from collections.abc import Set as AbstractSet

    from bot.channel.pacing import Meter
    from bot.games.plug import GamePlug
    from bot.locales.catalogue import Words
    from bot.matches.ports import LiveMatch, Venue
    from bot.matches.server_time import Clock
    from bot.pictures.scenes import Scene
    from game.events import Event

log = logging.getLogger(__name__)


class Presenter:
    """Keeps one `Board` for each match that is shown.

    Args:
        client: makes the calls.
        games: the games by name.
        words: the language.
        clock: monotonic time.
        meter: reads Discord's limits from its answers.
        typing: whether typed numbers reach the bot.
    """

    def __init__(
        self,
        client: discord.Client,
        games: Mapping[str, GamePlug],
        *,
        words: Words,
        clock: Clock,
        meter: Meter,
        typing: bool,
    ) -> None:
        self._client = client
        self._games = games
        self._words = words
        self._clock = clock
        self._meter = meter
        self._typing = typing
        self._budget = Budget(clock)
        self._boards: dict[int, Board] = {}
        self._reacting: dict[int, asyncio.Task[None]] = {}
        self._warming: dict[tuple[str, str], asyncio.Task[None]] = {}
        self._leaving: dict[int, asyncio.Task[None]] = {}
        self._closed = False
        pictures = [game.pictures for game in games.values() if game.pictures is not None]
        self.studio = Studio(partial(Artist, games=pictures))
        self._own = OwnCards(self.studio, clock)
        self._summons = Summons(client, words, self._budget)

    def show(self, live: LiveMatch, events: Sequence[Event]) -> None:
        """Show a match that has changed."""
        if self._closed:
            return
        game, view = self._games[live.match.opening.game], self._showing(live)
        board = self._board(live)
        board.show(view)
        self._own.show(live.id, game, view)
        for decided in game.decided_messages(events):
            board.decided(decided.message)
            if decided.emoji is not None:
                self._react(live, decided.message, decided.emoji)
        if live.match.pause is PauseReason.PERMISSION and Paused() in events:
            self._summons.send(live)
        if live.match.phase is Phase.CLOSED and live.id not in self._leaving:
            self._leaving[live.id] = asyncio.get_running_loop().create_task(
                self._forget(live.id, board), name=f"last-words-{live.id}"
            )

    def post_again(self, live: LiveMatch) -> None:
        """Show a match in a new message."""
        if self._closed:
            return
        self._board(live).post_again(self._showing(live))

    def pushed(self, live: LiveMatch, message: int) -> None:
        """Take note of a message in a match's channel."""
        board = self._boards.get(live.id)
        if board is not None:
            board.pushed(message)

    def deleted(self, live: LiveMatch, messages: AbstractSet[int]) -> None:
        """Take note of messages that were deleted in a match's channel."""
        board = self._boards.get(live.id)
        if board is not None:
            board.deleted(messages)

    def saw(self, live: LiveMatch, message: int) -> None:
        """Take note of a message that shows a match, as the gateway tells of every one."""
        board = self._boards.get(live.id)
        if board is not None:
            board.saw(message)

    def remove_unknown(self, live: LiveMatch, message: int) -> None:
        """Part from a message that shows a match and that nobody here knew of."""
        if not self._closed:
            self._board(live).saw(message)

    def pressed(self, live: LiveMatch, press: discord.Interaction) -> None:
        """Take note of a press on a match's message."""
        board = self._boards.get(live.id)
        if board is not None and press.message is not None:
            board.pressed(press.message.id, press)

    def follow(self, live: LiveMatch, press: discord.Interaction) -> bool:
        """Show somebody the own card from now on; False when there is none at present."""
        game = self._games[live.match.opening.game]
        return self._own.follow(live, game, self._words, press)

    async def say(self, venue: Venue, notice: Notice, game: str) -> None:
        """Tell a channel something, once; of a game that is not hosted any more, too."""
        known = game if game in self._games else next(iter(self._games))
        channel = self._client.get_partial_messageable(venue.channel, guild_id=venue.guild)
        await self._budget.place()
        try:
            await channel.send(
                self._notice(notice, known),
                silent=True,
                allowed_mentions=discord.AllowedMentions.none(),
            )
        except CALL_ERRORS as error:
            log.info("channel %d can't be told %s: %s", venue.channel, notice, error)

    async def draw(self, scene: Scene, theme: str) -> bytes:
        """Return a picture, drawn off the event loop."""
        return await self.studio.draw(scene, theme)

    def close(self) -> None:
        """Show nothing any more."""
        self._closed = True
        for board in self._boards.values():
            board.close()
        running = (self._reacting, self._warming, self._leaving)
        for task in [task for tasks in running for task in tasks.values()]:
            task.cancel()
        self._own.close()
        self._summons.close()
        self.studio.close()

    def _board(self, live: LiveMatch) -> Board:
        board = self._boards.get(live.id)
        if board is None:
            board = self._boards[live.id] = self._new_board(live)
        return board

    def _new_board(self, live: LiveMatch) -> Board:
        look = read_look(live.match.opening.look)
        self._warm(live.match.opening.game, look.theme)
        return Board(
            live,
            self._games[live.match.opening.game],
            look,
            calls=self._calls(live, look.theme),
            meter=self._meter,
            budget=self._budget,
            clock=self._clock,
            greeting=self._words.text("I was away for a moment; the match goes on."),
        )

    def _warm(self, game: str, theme: str) -> None:
        """While people gather, draw the pieces that a game's first picture in a theme needs."""
        pictures = self._games[game].pictures
        if pictures is not None and (game, theme) not in self._warming:
            self._warming[game, theme] = asyncio.get_running_loop().create_task(
                self.studio.warm(theme, pictures.warm_up)
            )

    def _calls(self, live: LiveMatch, theme: str) -> Calls:
        return Calls(
            live.venue,
            live.id,
            theme=theme,
            client=self._client,
            studio=self.studio,
            meter=self._meter,
            clock=self._clock,
        )

    def _react(self, live: LiveMatch, message: int, emoji: str) -> None:
        """Mark a refused claim, but only if that costs nothing and disturbs nobody."""
        channel = live.venue.channel
        if channel in self._reacting or self._meter.wait(reactions(channel)) > 0:
            return
        if not _may_react(self._client.get_channel(channel)) or not self._budget.seize():
            return
        task = asyncio.get_running_loop().create_task(self._reacted(channel, message, emoji))
        self._reacting[channel] = task
        task.add_done_callback(lambda _: self._reacting.pop(channel, None))

    async def _reacted(self, channel: int, message: int, emoji: str) -> None:
        began = self._clock.monotonic()
        try:
            target = self._client.get_partial_messageable(channel).get_partial_message(message)
            await target.add_reaction(emoji)
        except CALL_ERRORS as error:
            log.debug("a reaction was refused: %s", error)
        self._meter.sent(reactions(channel), began)

    async def _forget(self, match: int, board: Board) -> None:
        """Let go of a closed match once its last message stands."""
        await board.rest()
        board.live.mark_announced()
        del self._boards[match], self._leaving[match]
        self._own.forget(match)
        self._summons.forget(match)

    def _showing(self, live: LiveMatch) -> MatchView:
        return MatchView(live.match, self._words, self._typing)

    def _notice(self, notice: Notice, game: str) -> str:
        match notice:
            case Notice.RESTARTING:
                return self._words.text(
                    "I have to restart. The match is saved and goes on in a moment: numbers you "
                    "type meanwhile count."
                )
            case Notice.CANNOT_SAVE:
                return self._words.text(
                    "I can't save anything at the moment, so the match stands still. Nothing is "
                    "lost: what you type counts as soon as I can save again."
                )
            case Notice.SAVES_AGAIN:
                return self._words.text("I can save again; the match goes on.")
            case Notice.BROKEN:
                return self._words.text(
                    "Something broke in this match, and I had to end it. It is void; sorry! "
                    "`/{game} play` starts a new one.",
                    game=game,
                )
            case Notice.NO_REMATCH:
                return self._words.text(
                    "The rematch could not be opened; sorry! `/{game} play` starts a new match.",
                    game=game,
                )
            case Notice.UNKNOWN_RULES:
                return self._words.text(
                    "I was updated, and a match that was open here can't go on: it is void. Sorry! "
                    "`/{game} play` opens a new one.",
                    game=game,
                )


def _may_react(channel: object) -> bool:
    if not isinstance(channel, discord.abc.GuildChannel | discord.Thread):
        return False
    return channel.permissions_for(channel.guild.me).add_reactions
