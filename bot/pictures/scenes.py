"""What a picture shows: one value per kind of picture.

A scene holds everything its picture depends on and nothing else, so equal scenes have equal
pictures: whoever shows them compares scenes to know whether a picture has to be sent again.
Cards are ids in `game.rox.cards.DECK`, seats are 0 to 3 in the order of joining.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TypeAlias


@dataclass(frozen=True, slots=True)
class TableScene:
    """The open table.

    Attributes:
        cards: sixty deck ids in the order of their places, from number 10 to number 69.
        taken: for each place the seat that holds its card, or None while it lies there.
    """

    cards: tuple[int, ...]
    taken: tuple[int | None, ...]


@dataclass(frozen=True, slots=True)
class CoveredScene:
    """The table face down, with its numbers; exactly as large as the open table."""


@dataclass(frozen=True, slots=True)
class HandScene:
    """The end of one player's row.

    Attributes:
        seat: whose row it is.
        card: the last card of the row, or None when the seat is out.
        held: how many cards the row holds.
        full: how many cards end the round.
    """

    seat: int
    card: int | None
    held: int
    full: int = 6


@dataclass(frozen=True, slots=True)
class LastCardsScene:
    """Every player's last card, large enough to count; one to four hands."""

    hands: tuple[HandScene, ...]


@dataclass(frozen=True, slots=True)
class CardScene:
    """One card alone, as large as a phone shows it."""

    card: int


@dataclass(frozen=True, slots=True)
class VerdictRow:
    """One row under the magic eye.

    Attributes:
        seat: whose row it is.
        cards: the row in full, the start card first.
        valid: how many cards from the left hold; the others go back.
        caller: whether this seat called the end of the round.
        prize: the value of the scoring card it won, or None.
        revealed: whether the eye has looked at it yet; if not, only its length shows.
    """

    seat: int
    cards: tuple[int, ...]
    valid: int
    caller: bool
    prize: int | None
    revealed: bool


@dataclass(frozen=True, slots=True)
class VerdictScene:
    """The check at a round's end, from the caller around the table; one to four rows."""

    rows: tuple[VerdictRow, ...]


@dataclass(frozen=True, slots=True)
class PodiumSeat:
    """One seat's match.

    Attributes:
        seat: which seat.
        place: its final place from 1; equal places are shared.
        rounds: its points round by round, None where it won nothing or did not play.
        total: its points in all.
        out: whether it left before the end.
    """

    seat: int
    place: int
    rounds: tuple[int | None, ...]
    total: int
    out: bool = False


@dataclass(frozen=True, slots=True)
class PodiumScene:
    """The end of a match; one to four seats, drawn from left to right as given."""

    seats: tuple[PodiumSeat, ...]


@dataclass(frozen=True, slots=True)
class HowToScene:
    """The rules of a turn in one worked example, without words."""


Scene: TypeAlias = (
    TableScene | CoveredScene | LastCardsScene | CardScene | VerdictScene | PodiumScene | HowToScene
)
