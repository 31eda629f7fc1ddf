"""Shows all matches in their channels; see `bot.matches.ports.Display`."""

from __future__ import annotations

import asyncio
import logging
from typing import TYPE_CHECKING

import discord

from bot.channel.calls import Calls
from bot.channel.display import MatchDisplay
from bot.channel.pacing import Budget, reactions
from bot.channel.permission_notice import PermissionNotices
from bot.channel.private_cards import PrivateCards
from bot.games.look import read_look
from bot.games.plug import MatchView
from bot.matches.ports import Notice
from bot.replies.errors import CALL_ERRORS
from game.events import Paused
from game.match import PauseReason, Phase

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from collections.abc import Set as AbstractSet

    from bot.channel.drawing import Studio
    from bot.channel.pacing import Meter
    from bot.games.plug import GamePlug
    from bot.locales.catalogue import Words
    from bot.matches.ports import LiveMatch, Venue
    from bot.matches.server_time import Clock
    from bot.pictures.scenes import Scene
    from game.events import Event

log = logging.getLogger(__name__)


class Displays:
    """Keeps one `MatchDisplay` for each match; implements `bot.matches.ports.Display`.

    Args:
        client: makes the calls.
        games: the games by name.
        studio: draws the pictures.
        words: the language.
        clock: monotonic time.
        meter: knows Discord's rate limits.
        typing: whether typed numbers reach the bot.

    Attributes:
        studio: draws the pictures.
    """

    def __init__(
        self,
        client: discord.Client,
        games: Mapping[str, GamePlug],
        studio: Studio,
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
        self._by_match: dict[int, MatchDisplay] = {}
        self._reactions: dict[int, asyncio.Task[None]] = {}
        self._warming: dict[tuple[str, str], asyncio.Task[None]] = {}
        self._closing: dict[int, asyncio.Task[None]] = {}
        self._closed = False
        self.studio = studio
        self._private_cards = PrivateCards(self.studio, clock)
        self._permission_notices = PermissionNotices(client, words, self._budget)

    def show(self, live: LiveMatch, events: Sequence[Event]) -> None:
        """Show a match that these events have changed."""
        if self._closed:
            return
        game, view = self._games[live.match.opening.game], self._view(live)
        display = self._display(live)
        display.show(view)
        self._private_cards.show(live.id, game, view)
        for decided in game.decided_messages(events):
            display.note_decided(decided.message)
            if decided.emoji is not None:
                self._react(live, decided.message, decided.emoji)
        if live.match.pause is PauseReason.PERMISSION and Paused() in events:
            self._permission_notices.send(live)
        if live.match.phase is Phase.CLOSED and live.id not in self._closing:
            self._closing[live.id] = asyncio.get_running_loop().create_task(
                self._forget(live.id, display), name=f"display-{live.id}-closes"
            )

    def post_again(self, live: LiveMatch) -> None:
        """Show a match in a new message."""
        if self._closed:
            return
        self._display(live).post_again(self._view(live))

    def note_message(self, live: LiveMatch, message: int) -> None:
        """Note a message in a match's channel."""
        display = self._by_match.get(live.id)
        if display is not None:
            display.note_message(message)

    def note_deleted(self, live: LiveMatch, messages: AbstractSet[int]) -> None:
        """Note messages that were deleted in a match's channel."""
        display = self._by_match.get(live.id)
        if display is not None:
            display.note_deleted(messages)

    def note_post(self, live: LiveMatch, message: int) -> None:
        """Note the gateway's copy of a message that shows a match."""
        display = self._by_match.get(live.id)
        if display is not None:
            display.note_post(message)

    def remove_unknown(self, live: LiveMatch, message: int) -> None:
        """Delete a message that shows a match and that its log does not know."""
        if not self._closed:
            self._display(live).note_post(message)

    def pressed(self, live: LiveMatch, press: discord.Interaction) -> None:
        """Note a press on a match's message."""
        display = self._by_match.get(live.id)
        if display is not None and press.message is not None:
            display.pressed(press.message.id, press)

    def follow(self, live: LiveMatch, press: discord.Interaction) -> bool:
        """Show the presser their own card from now on; return False if there is none now."""
        game = self._games[live.match.opening.game]
        return self._private_cards.follow(live, game, self._words, press)

    async def say(self, venue: Venue, notice: Notice, game: str) -> None:
        """Post a notice once; a channel that can't be written to gets none."""
        # A match may outlive its game: an update can remove one that the log still names.
        known = game if game in self._games else next(iter(self._games))
        channel = self._client.get_partial_messageable(venue.channel, guild_id=venue.guild)
        await self._budget.acquire()
        try:
            await channel.send(
                _notice_text(notice, self._words, known),
                silent=True,
                allowed_mentions=discord.AllowedMentions.none(),
            )
        except CALL_ERRORS as error:
            log.info("channel %d can't be told %s: %s", venue.channel, notice, error)

    async def draw(self, scene: Scene, theme: str) -> bytes:
        """Return a picture as a PNG file, drawn off the event loop."""
        return await self.studio.draw(scene, theme)

    def close(self) -> None:
        """Show nothing more."""
        self._closed = True
        for display in self._by_match.values():
            display.close()
        running = (self._reactions, self._warming, self._closing)
        for task in [task for tasks in running for task in tasks.values()]:
            task.cancel()
        self._private_cards.close()
        self._permission_notices.close()
        self.studio.close()

    def _display(self, live: LiveMatch) -> MatchDisplay:
        display = self._by_match.get(live.id)
        if display is None:
            display = self._by_match[live.id] = self._new_display(live)
        return display

    def _new_display(self, live: LiveMatch) -> MatchDisplay:
        look = read_look(live.match.opening.look)
        self._warm(live.match.opening.game, look.theme)
        return MatchDisplay(
            live,
            self._games[live.match.opening.game],
            look,
            calls=self._calls(live, look.theme),
            meter=self._meter,
            budget=self._budget,
            clock=self._clock,
            return_notice=self._words.text("I was away for a moment; the match goes on."),
        )

    def _warm(self, game: str, theme: str) -> None:
        """Draw the sprites of a game's first picture while people gather in the lobby."""
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
        """Mark a refused claim, but only if no other call has to wait for that."""
        channel = live.venue.channel
        if channel in self._reactions or self._meter.wait(reactions(channel)) > 0:
            return
        if not _may_react(self._client.get_channel(channel)) or not self._budget.try_acquire():
            return
        task = asyncio.get_running_loop().create_task(self._add_reaction(channel, message, emoji))
        self._reactions[channel] = task
        task.add_done_callback(lambda _: self._reactions.pop(channel, None))

    async def _add_reaction(self, channel: int, message: int, emoji: str) -> None:
        began = self._clock.monotonic()
        try:
            target = self._client.get_partial_messageable(channel).get_partial_message(message)
            await target.add_reaction(emoji)
        except CALL_ERRORS as error:
            log.debug("a reaction was refused: %s", error)
        self._meter.note_call(reactions(channel), began)

    async def _forget(self, match: int, display: MatchDisplay) -> None:
        """Forget a closed match once its last message is posted and the rest cleaned up."""
        await display.rest()
        display.live.mark_announced()
        del self._by_match[match], self._closing[match]
        self._private_cards.forget(match)
        self._permission_notices.forget(match)

    def _view(self, live: LiveMatch) -> MatchView:
        return MatchView(live.match, self._words, self._typing)


def _notice_text(notice: Notice, words: Words, game: str) -> str:
    match notice:
        case Notice.RESTARTING:
            return words.text(
                "I have to restart. The match is saved and goes on in a moment: numbers you "
                "type meanwhile count."
            )
        case Notice.CANNOT_SAVE:
            return words.text(
                "I can't save anything at the moment, so the match stands still. Nothing is "
                "lost: what you type counts as soon as I can save again."
            )
        case Notice.SAVES_AGAIN:
            return words.text("I can save again; the match goes on.")
        case Notice.BROKEN:
            return words.text(
                "Something broke in this match, and I had to end it. It is void; sorry! "
                "`/{game} play` starts a new one.",
                game=game,
            )
        case Notice.NO_REMATCH:
            return words.text(
                "The rematch could not be opened; sorry! `/{game} play` starts a new match.",
                game=game,
            )
        case Notice.UNKNOWN_RULES:
            return words.text(
                "I was updated, and a match that was open here can't go on: it is void. Sorry! "
                "`/{game} play` opens a new one.",
                game=game,
            )


def _may_react(channel: object) -> bool:
    if not isinstance(channel, discord.abc.GuildChannel | discord.Thread):
        return False
    return channel.permissions_for(channel.guild.me).add_reactions
