"""What players see privately: their own last card, large, at the bottom of the channel.

Whoever presses "My card" gets it as a follow-up to that press; each new card comes as another
one, and the one before goes, for as long as the press's token lives. Before it ends, a button
offers to go on.
"""

from __future__ import annotations

import asyncio
import logging
from dataclasses import dataclass
from io import BytesIO
from typing import TYPE_CHECKING, Final, TypeAlias

import discord

from bot.channel.calls import YOUNG_S
from bot.channel.layout import layout
from bot.games.look import read_look
from bot.games.plug import MatchView
from bot.games.sheet import GOLD, Button, Buttons, Sheet, Text, Verb
from bot.views.refusals import CALL_ERRORS
from game.match import Phase

if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable

    from bot.channel.drawing import Studio
    from bot.games.plug import GamePlug
    from bot.locales.catalogue import Words
    from bot.matches.ports import LiveMatch
    from bot.matches.server_time import Clock

log = logging.getLogger(__name__)

DEAD_S: Final = 14 * 60.0 + 50.0
"""From when on an interaction's token is used for nothing: it ends after fifteen minutes."""


Removal: TypeAlias = "Callable[[], Awaitable[None]]"


@dataclass(slots=True)
class _Follower:
    """Somebody who wants to see the own card.

    Attributes:
        interaction: the press that asked for it.
        since: when that was, in monotonic seconds.
        before: what an earlier press of the same person brought.
        wanted: what is to be shown; None: nothing at present.
        shown: what is shown.
        remove: removes what is shown.
        task: shows it.
        timer: offers to go on before the press's token ends.
    """

    interaction: discord.Interaction
    since: float
    before: _Follower | None = None
    wanted: Sheet | None = None
    shown: Sheet | None = None
    remove: Removal | None = None
    task: asyncio.Task[None] | None = None
    timer: asyncio.TimerHandle | None = None

    def stop(self) -> None:
        """Offer nothing any more."""
        if self.timer is not None:
            self.timer.cancel()
            self.timer = None


class OwnCards:
    """Sends players their own cards.

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
        """Show somebody the own card from now on; False when there is none at present.

        The interaction must have been answered by a deferred update.
        """
        user = interaction.user.id
        before = self._followers.get((live.id, user))
        follower = _Follower(interaction, self._clock.monotonic(), before)
        if before is not None:
            before.stop()
        if interaction.message is not None and interaction.message.flags.ephemeral:
            # Its own button was pressed: this press can remove it, whatever became of the token
            # that it was sent with.
            follower.remove = interaction.delete_original_response
        self._followers[live.id, user] = follower

        def refresh() -> None:
            self._want(live.id, user, game, MatchView(live.match, words))

        follower.timer = self._clock.call_later(YOUNG_S, refresh)
        refresh()
        return follower.wanted is not None

    def show(self, match: int, game: GamePlug, view: MatchView) -> None:
        """Show everybody who follows a match what has changed."""
        for followed, user in tuple(self._followers):
            if followed == match:
                self._want(match, user, game, view)

    def forget(self, match: int) -> None:
        """Stop view a match."""
        for key in [key for key in self._followers if key[0] == match]:
            self._followers.pop(key).stop()

    def close(self) -> None:
        """Show nothing any more."""
        for follower in self._followers.values():
            follower.stop()
            if follower.task is not None:
                follower.task.cancel()

    def _want(self, match: int, user: int, game: GamePlug, view: MatchView) -> None:
        follower = self._followers[match, user]
        age = self._clock.monotonic() - follower.since
        if age >= DEAD_S:
            return
        sheet = game.private_sheet(view, user)
        playing = view.match.phase is Phase.PLAYING and view.match.seat_of(user) is not None
        if age >= YOUNG_S and playing:
            sheet = _with_offer(sheet, view)
        follower.wanted = sheet
        theme = read_look(view.match.opening.look).theme
        if follower.task is None:
            follower.task = asyncio.get_running_loop().create_task(
                self._work(match, follower, theme), name=f"own-{match}"
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
        """Let an earlier press's work end; what it brought goes with the next card."""
        before, follower.before = follower.before, None
        if before is None:
            return
        before.wanted = before.shown
        if before.task is not None:
            await asyncio.wait((before.task,))
        follower.remove = follower.remove or before.remove

    async def _replace(
        self, match: int, follower: _Follower, sheet: Sheet | None, theme: str
    ) -> None:
        """Show a card below everything else, then remove the one before."""
        old = follower.remove
        try:
            if sheet is None:
                follower.remove = None
            else:
                follower.remove = await self._sent(match, follower, sheet, theme)
            if old is not None:
                await old()
        except CALL_ERRORS as error:
            log.info("match %d: a private card was not shown or removed: %s", match, error)

    async def _sent(self, match: int, follower: _Follower, sheet: Sheet, theme: str) -> Removal:
        drawn = await self._studio.draw_all([p.scene for p in sheet.pictures], theme)
        files = [
            discord.File(BytesIO(png), filename=picture.name, description=picture.alt)
            for picture, png in zip(sheet.pictures, drawn, strict=True)
        ]
        sent = await follower.interaction.followup.send(
            view=layout(sheet, match), files=files, ephemeral=True, wait=True
        )
        return sent.delete


def _with_offer(sheet: Sheet | None, view: MatchView) -> Sheet:
    """Return the last sheet that a press can bring, with a button for more."""
    words = view.words
    text = Text(words.text("Press the button to keep seeing your card."))
    button = Button(Verb.MY_CARD, words.text("My card"), "primary")
    blocks = () if sheet is None else sheet.blocks
    colour = GOLD if sheet is None else sheet.colour
    return Sheet("now", colour, (*blocks, text, Buttons((button,))))
