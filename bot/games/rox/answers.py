"""Private answers to the commands and buttons of Rox."""

from __future__ import annotations

from typing import TYPE_CHECKING

from bot.games import shared_actions
from bot.games.names import escaped
from game.events import Refusal, Refused
from game.rox.events import Claimed, ClaimOutcome, MadeReady, RoundBegan

if TYPE_CHECKING:
    from collections.abc import Sequence

    from bot.games.plug import MatchView
    from bot.locales.catalogue import Words
    from game.events import Event


def answer(view: MatchView, events: Sequence[Event], user: int) -> str | None:
    """Return the private answer to an action, or None if none is needed."""
    words = view.words
    for event in events:
        match event:
            case Claimed():
                return _claim_text(view, event)
            case Refused() if (text := _refusal_text(event.reason, words)) is not None:
                return text
            case MadeReady() if not any(isinstance(other, RoundBegan) for other in events):
                return words.text("Noted. The next round starts when everybody is ready.")
            case _:
                continue
    return shared_actions.answer(view, events, user)


def _refusal_text(reason: Refusal, words: Words) -> str | None:
    """Return why a move was refused, or None for a reason that every game has."""
    match reason:
        case Refusal.RACE_CLOSED:
            return words.text("No race is open right now. Wait for **Rox!**")
        case Refusal.NOTHING_TO_PUT_BACK:
            return words.text("You hold your start card only; that one stays.")
        case Refusal.NO_SUCH_NUMBER:
            return words.text("The table's numbers go from 10 to 69.")
        case _:
            return None


def _claim_text(view: MatchView, event: Claimed) -> str:
    words, seats = view.words, view.match.seats
    number = event.number
    match event.outcome:
        case ClaimOutcome.TAKEN:
            return words.text("{number} is yours.", number=number)
        case ClaimOutcome.LATE:
            owner = seats[event.owner if event.owner is not None else event.seat]
            if owner.number == event.seat:
                return words.text("{number} is in your row already.", number=number)
            return words.text(
                "Too late: {owner} has {number}.", owner=escaped(owner.name), number=number
            )
        case ClaimOutcome.BUSY:
            return words.text(
                "Your hand is busy for another {seconds} s; try again then.",
                seconds=words.number(round(event.wait_ms / 1000, 1)),
            )
        case ClaimOutcome.WRONG:
            return words.text(
                "{number} is the wrong stone. Count again; you can claim in {seconds} s.",
                number=number,
                seconds=words.number(event.wait_ms // 1000),
            )
        case ClaimOutcome.BACK:
            return words.text("{number} lies on the table again.", number=number)
