"""What the bot needs to know of a game, and what it tells a game when it asks."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final, Protocol

if TYPE_CHECKING:
    from collections.abc import Sequence

    from bot.games.sheet import Sheet
    from bot.locales.catalogue import Words
    from game.actions import Action
    from game.events import Event
    from game.machine import Machine
    from game.match import Match

DISCORD_EPOCH_MS: Final = 1_420_070_400_000


@dataclass(frozen=True, slots=True)
class Showing:
    """A match that is to be put into words.

    Attributes:
        match: its state.
        words: the language.
        typing: whether typed numbers reach the bot; if not, players use the slash commands.
    """

    match: Match[Any]
    words: Words
    typing: bool = True


@dataclass(frozen=True, slots=True)
class Mark:
    """A typed message that was decided.

    Attributes:
        message: its id.
        emoji: a reaction that says why it was refused; None when it was not.
    """

    message: int
    emoji: str | None


class HostedGame(Protocol):
    """A game, as the bot hosts it."""

    @property
    def machine(self) -> Machine[Any]:
        """What moves its matches."""
        ...

    def read(self, text: str, user: int, message: int) -> Action | None:
        """Return what a typed message does, or None for chat."""
        ...

    def stays(self, key: str) -> bool:
        """Whether a message that showed this stays in the channel, without its buttons."""
        ...

    def begins_round(self, events: Sequence[Event]) -> bool:
        """Whether these events begin a round."""
        ...

    def ends_round(self, events: Sequence[Event]) -> bool:
        """Whether these events end a round."""
        ...

    def press(self, verb: str, user: int, interaction: int) -> Action | None:
        """Return what a button of the game's own does, or None if it has no such button."""
        ...

    def sheet(self, showing: Showing) -> Sheet | None:
        """Return the message that shows the match now; None while there is nothing to show."""
        ...

    def farewell(self, showing: Showing, key: str, last: Sheet | None) -> Sheet | None:
        """Return what stays of an earlier message once a new one stands; None: it goes.

        Args:
            showing: the match as it is now.
            key: what the earlier message showed.
            last: the last sheet made for that message, if it is known.
        """
        ...

    def own_sheet(self, showing: Showing, user: int) -> Sheet | None:
        """Return what one person is shown privately, if they wish; None: nothing now."""
        ...

    def marks(self, events: Sequence[Event]) -> Sequence[Mark]:
        """Return the typed messages that these events decided."""
        ...

    def answer(self, showing: Showing, events: Sequence[Event], user: int) -> str | None:
        """Return what a person is told privately about what came of an action."""
        ...


def relative(ms: int) -> str:
    """Return a moment, in milliseconds of Discord's ids, as a countdown that Discord renders."""
    return f"<t:{(ms + DISCORD_EPOCH_MS + 500) // 1000}:R>"
