"""Sentences of Rox that several of its modules use."""

from __future__ import annotations

from enum import StrEnum
from typing import TYPE_CHECKING, Final

from bot.games.names import seat_name, token
from bot.pictures.rox.theme import ELEMENT_EMOJI
from game.rox.cards import Element
from game.rox.events import ClaimOutcome
from game.rox.settings import Checking, Preset

if TYPE_CHECKING:
    from bot.games.plug import MatchView
    from bot.locales.catalogue import Words
    from game.rox.events import Claimed
    from game.rox.settings import RoxSettings


class Verb(StrEnum):
    """The verbs of the buttons that only Rox has."""

    READY = "ready"
    BACK = "back"


REFUSAL_EMOJI: Final = {ClaimOutcome.LATE: "💨", ClaimOutcome.BUSY: "✋", ClaimOutcome.WRONG: "❌"}
"""The reactions to refused claims."""


def element_name(element: Element, words: Words) -> str:
    """Return the name of an element."""
    match element:
        case Element.FIRE:
            return words.text("fire")
        case Element.AIR:
            return words.text("air")
        case Element.EARTH:
            return words.text("earth")
        case Element.WATER:
            return words.text("water")
        case Element.MAGIC:
            return words.text("magic")


def element_label(element: Element, words: Words) -> str:
    """Return the emoji and the name of an element."""
    return f"{ELEMENT_EMOJI[element]} {element_name(element, words)}"


def preset_text(preset: Preset, words: Words) -> str:
    """Return the description of a preset."""
    if preset is Preset.FAIR:
        return words.text(
            "Rules: fair. A caller whose row broke comes last among equal rows, "
            "and prizes grow from round to round."
        )
    return words.text("Rules: rulebook. Of equal rows the caller's comes first.")


def checking_text(checking: Checking, words: Words) -> str:
    """Return the description of a way of checking."""
    if checking is Checking.INSTANT:
        return words.text("Checking: instant. A wrong stone is refused at once and costs a rest.")
    return words.text("Checking: magic eye. Mistakes show when the round is over.")


def shortest_text(settings: RoxSettings, words: Words) -> str:
    """Return the description of the shortest row that wins a prize."""
    return words.count(
        "A row wins something from {n} card on.",
        "A row wins something from {n} cards on.",
        settings.shortest,
    )


def leave_question(words: Words) -> str:
    """Return the question to a player who presses Leave during a match."""
    return words.text(
        "Leave for good? Your row goes back, your points stay, and leavers never win."
    )


def pause_reason(words: Words) -> str:
    """Return why a match without callers is paused."""
    return words.text("Two rounds in a row nobody reached six cards, so the match takes a rest.")


def play_text(view: MatchView) -> str:
    """Return the explanation of how players take cards."""
    words = view.words
    if view.typing:
        return words.text(
            "Take a card by typing its number, like `42`; `0` puts your last card back."
        )
    return words.text(
        "I can't read messages here, so take cards with `/rox take` and put back with `/rox back`."
    )


def claim_line(view: MatchView, note: Claimed) -> str:
    """Return a decided claim in a few words."""
    words, seats = view.words, view.match.seats
    who = seat_name(seats[note.seat])
    match note.outcome:
        case ClaimOutcome.TAKEN:
            return words.text("{who} took {number}", who=who, number=note.number)
        case ClaimOutcome.LATE:
            owner = seats[note.owner if note.owner is not None else note.seat]
            return words.text(
                "{who}: {number} is gone, {owner} has it",
                who=who,
                number=note.number,
                owner=token(owner),
            )
        case ClaimOutcome.BUSY:
            return words.text("{who}: {number}, but the hand was busy", who=who, number=note.number)
        case ClaimOutcome.WRONG:
            return words.text("{who}: {number} is the wrong stone", who=who, number=note.number)
        case ClaimOutcome.BACK:
            return words.text("{who} put {number} back", who=who, number=note.number)
