"""The scenes of Rox.

Cards are ids in `game.rox.cards.DECK`. Seats are 0 to 3 in the order of joining.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from bot.pictures.scenes import Scene


@dataclass(frozen=True, slots=True)
class TableScene(Scene):
    """The open table.

    Attributes:
        cards: sixty deck ids in the order of their places, from number 10 to number 69.
        taken: for each place the seat that holds its card, or None while it lies there.
    """

    cards: tuple[int, ...]
    taken: tuple[int | None, ...]


@dataclass(frozen=True, slots=True)
class CoveredScene(Scene):
    """The table face down, with its numbers; exactly as large as the open table."""

    constant: ClassVar[bool] = True


@dataclass(frozen=True, slots=True)
class LastCardsHand:
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
class LastCardsScene(Scene):
    """Every player's last card, large enough to count; one to four hands."""

    hands: tuple[LastCardsHand, ...]


@dataclass(frozen=True, slots=True)
class CardScene(Scene):
    """One card alone, as large as a phone shows it."""

    card: int


@dataclass(frozen=True, slots=True)
class CheckSceneRow:
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
class CheckScene(Scene):
    """The check at a round's end, from the caller around the table; one to four rows."""

    rows: tuple[CheckSceneRow, ...]


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
class PodiumScene(Scene):
    """The end of a match; one to four seats, drawn from left to right as given."""

    seats: tuple[PodiumSeat, ...]


@dataclass(frozen=True, slots=True)
class HowToScene(Scene):
    """The rules of a turn in one worked example, without words."""

    constant: ClassVar[bool] = True
