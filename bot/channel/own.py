"""What players see privately: their own last card, large, at the bottom of the channel.

Whoever presses "My card" gets it as a follow-up to that press; each new card comes as another
one, and the one before goes, for as long as the press's token lives.
"""

from __future__ import annotations

import asyncio
import logging
from dataclasses import dataclass, replace
from io import BytesIO
from typing import TYPE_CHECKING

import discord

from bot.channel.calls import YOUNG_S
from bot.channel.layout import layout
from bot.channel.troubles import CALL_ERRORS
from bot.games.look import read_look
from bot.games.sheet import Button, Buttons, Sheet, Text, Verb

if TYPE_CHECKING:
    from bot.channel.drawing import Studio
    from bot.games.hosted import HostedGame, Showing
    from bot.matches.ports import Clock

log = logging.getLogger(__name__)


@dataclass(slots=True)
class _Follower:
    """Somebody who wants to see the own card.

    Attributes:
        interaction: the press that asked for it.
        since: when that was, in monotonic seconds.
        wanted: what is to be shown; None: nothing at present.
        shown: what is shown.
        message: the message that shows it.
        task: shows it.
    """

    interaction: discord.Interaction
    since: float
    wanted: Sheet | None = None
    shown: Sheet | None = None
    message: discord.WebhookMessage | None = None
    task: asyncio.Task[None] | None = None


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
        self, match: int, game: HostedGame, showing: Showing, interaction: discord.Interaction
    ) -> bool:
        """Show somebody the own card from now on; False when there is none at present.

        The interaction must have been answered.
        """
        user = interaction.user.id
        if game.own_sheet(showing, user) is None:
            return False
        before = self._followers.get((match, user))
        follower = _Follower(interaction, self._clock.monotonic())
        if before is not None:
            follower.message = before.message
            before.message = None
        self._followers[match, user] = follower
        self._want(match, user, game, showing)
        return True

    def show(self, match: int, game: HostedGame, showing: Showing) -> None:
        """Show everybody who follows a match what has changed."""
        for followed, user in tuple(self._followers):
            if followed == match:
                self._want(match, user, game, showing)

    def forget(self, match: int) -> None:
        """Stop showing a match."""
        for key in [key for key in self._followers if key[0] == match]:
            del self._followers[key]

    def close(self) -> None:
        """Show nothing any more."""
        for follower in self._followers.values():
            if follower.task is not None:
                follower.task.cancel()

    def _want(self, match: int, user: int, game: HostedGame, showing: Showing) -> None:
        follower = self._followers[match, user]
        sheet = game.own_sheet(showing, user)
        ending = self._clock.monotonic() - follower.since > YOUNG_S
        if sheet is not None and ending:
            sheet = _with_offer(sheet, showing)
            del self._followers[match, user]
        follower.wanted = sheet
        theme = read_look(showing.match.opening.look).theme
        if follower.task is None:
            follower.task = asyncio.get_running_loop().create_task(
                self._send(match, follower, theme), name=f"own-{match}"
            )

    async def _send(self, match: int, follower: _Follower, theme: str) -> None:
        try:
            while follower.shown != follower.wanted:
                before, sheet = follower.message, follower.wanted
                follower.message = None
                if sheet is not None:
                    follower.message = await self._sent(match, follower, sheet, theme)
                follower.shown = sheet
                if before is not None:
                    await before.delete()
        except CALL_ERRORS as error:
            log.info("match %d: a private card was not shown: %s", match, error)
            follower.shown = follower.wanted
        finally:
            follower.task = None

    async def _sent(
        self, match: int, follower: _Follower, sheet: Sheet, theme: str
    ) -> discord.WebhookMessage:
        files = [
            discord.File(
                BytesIO(await self._studio.draw(picture.scene, theme)),
                filename=picture.name,
                description=picture.alt,
            )
            for picture in sheet.pictures
        ]
        return await follower.interaction.followup.send(
            view=layout(sheet, match), files=files, ephemeral=True, wait=True
        )


def _with_offer(sheet: Sheet, showing: Showing) -> Sheet:
    """Return the last sheet that a press can bring, with a button for more."""
    words = showing.words
    text = Text(words.text("Press the button to keep seeing your card."))
    button = Button(Verb.MY_CARD, words.text("My card"), "primary")
    return replace(sheet, key="now", blocks=(*sheet.blocks, text, Buttons((button,))))
