"""Rox, as the bot hosts it."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from bot.games.hosted import Mark
from bot.games.rox.answers import answer
from bot.games.rox.sheets import farewell, own_card, sheet, stays
from bot.games.rox.terms import REFUSALS
from bot.games.sheet import Verb
from game.rox.actions import Back, Claim, Ready
from game.rox.claims import Number, PutBack, parse
from game.rox.engine import ROX
from game.rox.events import Claimed, Revealed, RoundBegan
from game.rox.state import REVEAL_MS

if TYPE_CHECKING:
    from collections.abc import Sequence

    from bot.games.hosted import Showing
    from bot.games.sheet import Sheet
    from game.actions import Action
    from game.events import Event
    from game.machine import Machine


class RoxTable:
    """Rox, as `bot.games.hosted.HostedGame` describes it."""

    @property
    def machine(self) -> Machine[Any]:
        """The machine of Rox."""
        return ROX

    def read(self, text: str, user: int, message: int) -> Action | None:
        """Return a claim, a put-back, or None for chat."""
        match parse(text):
            case Number(value):
                return Claim(id=message, user=user, number=value, typed=True)
            case PutBack():
                return Back(id=message, user=user, typed=True)
            case None:
                return None

    def stays(self, key: str) -> bool:
        """Tables, verdicts and lobbies stay; what only says that something comes goes."""
        return stays(key)

    def begins_round(self, events: Sequence[Event]) -> bool:
        """A round begins when its get-ready time does."""
        return any(isinstance(event, RoundBegan) for event in events)

    def ends_round(self, events: Sequence[Event]) -> bool:
        """A round ends when its prizes are shown."""
        return any(isinstance(event, Revealed) and event.step == len(REVEAL_MS) for event in events)

    def press(self, verb: str, user: int, interaction: int) -> Action | None:
        """Put back and Ready are Rox's own buttons."""
        match verb:
            case Verb.BACK:
                return Back(id=interaction, user=user)
            case Verb.READY:
                return Ready(id=interaction, user=user)
            case _:
                return None

    def sheet(self, showing: Showing) -> Sheet | None:
        """Return the message that shows the match now."""
        return sheet(showing)

    def farewell(self, showing: Showing, key: str, last: Sheet | None) -> Sheet | None:
        """Return what stays of an earlier message."""
        return farewell(showing, key, last)

    def own_sheet(self, showing: Showing, user: int) -> Sheet | None:
        """Return somebody's last card, large, while a race is open."""
        return own_card(showing, user)

    def marks(self, events: Sequence[Event]) -> Sequence[Mark]:
        """Return the typed claims and put-backs that these events decided."""
        return [
            Mark(event.id, REFUSALS.get(event.fate))
            for event in events
            if isinstance(event, Claimed) and event.typed
        ]

    def answer(self, showing: Showing, events: Sequence[Event], user: int) -> str | None:
        """Return what a person is told privately."""
        return answer(showing, events, user)
