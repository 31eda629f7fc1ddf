"""The words of Rox: elements, presets, checking, claims."""

from __future__ import annotations

from enum import StrEnum
from typing import TYPE_CHECKING, Final

from bot.games.shared import seat_name, token
from bot.pictures.rox.theme import ELEMENT_EMOJI
from game.rox.elements import Element
from game.rox.events import Fate
from game.rox.settings import Checking, Preset

if TYPE_CHECKING:
    from bot.games.plug import MatchView
    from bot.locales.catalogue import Words
    from game.rox.events import Claimed
    from game.rox.settings import RoxSettings


class Verb(StrEnum):
    """What the buttons do that only Rox has."""

    READY = "ready"
    BACK = "back"


REFUSALS: Final = {Fate.LATE: "💨", Fate.BUSY: "✋", Fate.WRONG: "❌"}
"""What a refused claim may be marked with."""


def element_name(element: Element, words: Words) -> str:
    """Return what an element is called."""
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


def element(value: Element, words: Words) -> str:
    """Return an element's mark and name."""
    return f"{ELEMENT_EMOJI[value]} {element_name(value, words)}"


def preset_text(preset: Preset, words: Words) -> str:
    """Return what a preset means, in one sentence."""
    if preset is Preset.FAIR:
        return words.text(
            "Rules: fair. A caller whose row broke comes last among equal rows, "
            "and prizes grow from round to round."
        )
    return words.text("Rules: rulebook. Of equal rows the caller's comes first.")


def checking_text(checking: Checking, words: Words) -> str:
    """Return what a way of checking means, in one sentence."""
    if checking is Checking.INSTANT:
        return words.text("Checking: instant. A wrong stone is refused at once and costs a rest.")
    return words.text("Checking: magic eye. Mistakes show when the round is over.")


def shortest_text(settings: RoxSettings, words: Words) -> str:
    """Return how long a row must be to win anything."""
    return words.count(
        "A row wins something from {n} card on.",
        "A row wins something from {n} cards on.",
        settings.shortest,
    )


def leaving_text(words: Words) -> str:
    """Return the question before somebody leaves a match under way."""
    return words.text(
        "Leave for good? Your row goes back, your points stay, and leavers never win."
    )


def rest_text(words: Words) -> str:
    """Return why a match pauses by itself."""
    return words.text("Two rounds in a row nobody reached six cards, so the match takes a rest.")


def play_text(view: MatchView) -> str:
    """Return how players take cards."""
    words = view.words
    if view.typing:
        return words.text(
            "Take a card by typing its number, like `42`; `0` puts your last card back."
        )
    return words.text(
        "I can't read messages here, so take cards with `/rox take` and put back with `/rox back`."
    )


def claim_line(view: MatchView, note: Claimed) -> str:
    """Return one of the last claims in a few words."""
    words, seats = view.words, view.match.seats
    who = seat_name(seats[note.seat])
    match note.fate:
        case Fate.TAKEN:
            return words.text("{who} took {number}", who=who, number=note.number)
        case Fate.LATE:
            owner = seats[note.owner if note.owner is not None else note.seat]
            return words.text(
                "{who}: {number} is gone, {owner} has it",
                who=who,
                number=note.number,
                owner=token(owner),
            )
        case Fate.BUSY:
            return words.text("{who}: {number}, but the hand was busy", who=who, number=note.number)
        case Fate.WRONG:
            return words.text("{who}: {number} is the wrong stone", who=who, number=note.number)
        case Fate.BACK:
            return words.text("{who} put {number} back", who=who, number=note.number)
