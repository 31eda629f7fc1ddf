"""Shows players their own last card: large, private, at the bottom of the channel.

A press of "My card" is answered by a follow-up message with the card. Each new card is sent as
another follow-up and the one before is deleted, for as long as the token of the press is valid.
Before it expires, a button offers to go on.
"""

from __future__ import annotations

import asyncio
import logging
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final, TypeAlias

from bot.channel.calls import TOKEN_USE_S
from bot.channel.layout import draw_files, layout
from bot.games import shared
from bot.games.look import read_look
from bot.games.plug import MatchView
from bot.games.sheet import Button, Buttons, Sheet, Text, Verb
from bot.replies.errors import CALL_ERRORS
from game.match import Phase

if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable

    import discord

    from bot.channel.drawing import Studio
    from bot.games.plug import GamePlug
    from bot.locales.catalogue import Words
    from bot.matches.ports import LiveMatch
    from bot.matches.server_time import Clock

log = logging.getLogger(__name__)

TOKEN_LIFE_S: Final = 14 * 60.0 + 50.0
"""How long an interaction's token is used at all; Discord accepts it for fifteen minutes."""

Removal: TypeAlias = "Callable[[], Awaitable[None]]"


@dataclass(slots=True)
class _Follower:
    """A player who follows their own card by one press.

    Attributes:
        interaction: the press.
        since: when it was made, in monotonic seconds.
        earlier: the same player's follower by an earlier press, until this one takes over.
        wanted: the sheet that has to be shown; None: none at present.
        shown: the sheet that is shown.
        remove: deletes the message that shows it.
        task: shows the wanted sheet.
        timer: offers to go on before the token of the press expires.
    """

    interaction: discord.Interaction
    since: float
    earlier: _Follower | None = None
    wanted: Sheet | None = None
    shown: Sheet | None = None
    remove: Removal | None = None
    task: asyncio.Task[None] | None = None
    timer: asyncio.TimerHandle | None = None

    def stop(self) -> None:
        """Offer nothing more."""
        if self.timer is not None:
            self.timer.cancel()
            self.timer = None


class PrivateCards:
    """Shows players of all matches their own cards.

    Args:
        studio: draws.
        clock: monotonic time.
    """

    def __init__(self, studio: Studio, clock: Clock) -> None:
        self._studio = studio
        self._clock = clock
        self._followers: dict[tuple[int, int], _Follower] = {}

    def follow(
        self, live: LiveMatch, game: GamePlug, words: Words, interaction: discord.Interaction
    ) -> bool:
        """Show the presser their own card from now on; return False if there is none now.

        The interaction must have been acknowledged by a deferred update.
        """
        user = interaction.user.id
        earlier = self._followers.get((live.id, user))
        follower = _Follower(interaction, self._clock.monotonic(), earlier)
        if earlier is not None:
            earlier.stop()
        if interaction.message is not None and interaction.message.flags.ephemeral:
            # The button of the private message itself was pressed. This press can delete that
            # message even if the token that it was sent with has expired.
            follower.remove = interaction.delete_original_response
        self._followers[live.id, user] = follower

        def refresh() -> None:
            self._want(live.id, user, game, MatchView(live.match, words))

        follower.timer = self._clock.call_later(TOKEN_USE_S, refresh)
        refresh()
        return follower.wanted is not None

    def show(self, match: int, game: GamePlug, view: MatchView) -> None:
        """Show the followers of a match their newest cards."""
        for followed, user in tuple(self._followers):
            if followed == match:
                self._want(match, user, game, view)

    def forget(self, match: int) -> None:
        """Stop showing a match."""
        for key in [key for key in self._followers if key[0] == match]:
            self._followers.pop(key).stop()

    def close(self) -> None:
        """Show nothing more."""
        for follower in self._followers.values():
            follower.stop()
            if follower.task is not None:
                follower.task.cancel()

    def _want(self, match: int, user: int, game: GamePlug, view: MatchView) -> None:
        follower = self._followers[match, user]
        age = self._clock.monotonic() - follower.since
        if age >= TOKEN_LIFE_S:
            return
        sheet = game.private_sheet(view, user)
        playing = view.match.phase is Phase.PLAYING and view.match.seat_of(user) is not None
        if age >= TOKEN_USE_S and playing:
            sheet = _with_offer(sheet, view)
        follower.wanted = sheet
        theme = read_look(view.match.opening.look).theme
        if follower.task is None:
            follower.task = asyncio.get_running_loop().create_task(
                self._work(match, follower, theme), name=f"private-{match}"
            )

    async def _work(self, match: int, follower: _Follower, theme: str) -> None:
        try:
            await self._take_over(follower)
            while follower.shown != follower.wanted:
                sheet = follower.shown = follower.wanted
                await self._replace(match, follower, sheet, theme)
        except Exception:
            log.exception("match %d: a private card was not shown: a fault", match)
        finally:
            follower.task = None

    async def _take_over(self, follower: _Follower) -> None:
        """End the task of an earlier press; the next card replaces the one that it showed."""
        earlier, follower.earlier = follower.earlier, None
        if earlier is None:
            return
        earlier.wanted = earlier.shown
        if earlier.task is not None:
            await asyncio.wait((earlier.task,))
        follower.remove = follower.remove or earlier.remove

    async def _replace(
        self, match: int, follower: _Follower, sheet: Sheet | None, theme: str
    ) -> None:
        """Post a card at the bottom of the channel, then delete the one before."""
        old = follower.remove
        try:
            if sheet is None:
                follower.remove = None
            else:
                follower.remove = await self._send(match, follower, sheet, theme)
            if old is not None:
                await old()
        except CALL_ERRORS as error:
            log.info("match %d: a private card was not shown or deleted: %s", match, error)

    async def _send(self, match: int, follower: _Follower, sheet: Sheet, theme: str) -> Removal:
        files = await draw_files(self._studio, sheet.pictures, theme)
        sent = await follower.interaction.followup.send(
            view=layout(sheet, match), files=files, ephemeral=True, wait=True
        )
        return sent.delete


def _with_offer(sheet: Sheet | None, view: MatchView) -> Sheet:
    """Return the last sheet that a press can show, with a button to go on."""
    words = view.words
    text = Text(words.text("Press the button to keep seeing your card."))
    button = Button(Verb.MY_CARD, words.text("My card"), "primary")
    blocks = () if sheet is None else sheet.blocks
    colour = shared.GOLD if sheet is None else sheet.colour
    return Sheet("now", colour, (*blocks, text, Buttons((button,))))
