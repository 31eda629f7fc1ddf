"""The check of a row, and the scoring cards that rows win."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import pairwise
from typing import TYPE_CHECKING, Final

from game.rox.settings import Preset

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from game.rox.cards import Card

SCORING_CARDS: Final = (1, 1, 2, 2, 3, 3, 4, 4, 5, 5, 6, 7, 8, 9, 10)
ROUNDS: Final = 5
FULL_ROW: Final = 6


def valid_length(row: Sequence[Card]) -> int:
    """Return how many cards of a row hold, the start card included.

    A row holds up to the first card whose centre is not the answer of the card before it. That
    card and all cards after it go back (German, English and French rulebooks).
    """
    for length, (before, after) in enumerate(pairwise(row), start=1):
        if after.centre is not before.answer:
            return length
    return len(row)


@dataclass(frozen=True, slots=True)
class CheckedRow:
    """The row of one seat after the check.

    Attributes:
        seat: the number of the seat.
        valid: how many cards held, the start card included.
        length: how many cards the row has.
        last_valid: the id of the claim that took the last card that held; it ranks equal rows
            of a round without a caller.
    """

    seat: int
    valid: int
    length: int
    last_valid: int


def turn_over(
    pile: Sequence[int], preset: Preset, started: int, seat_counts: Sequence[int]
) -> tuple[int, ...]:
    """Return the scoring cards of the newest round, highest first.

    With the preset RULEBOOK each round turns over one card fewer than there are seats, from the
    top of the pile. With FAIR the cards of all rounds are drawn before round one, and the rounds
    are ordered by the sums of their cards, the lowest first. Each player who has left since costs
    the later rounds their lowest card.

    Args:
        pile: the shuffled scoring cards, top first.
        preset: the preset of the match.
        started: how many seats the match began with.
        seat_counts: how many seats each round so far began with, the newest last.
    """
    drawn = seat_counts[-1] - 1
    if preset is Preset.RULEBOOK:
        gone = sum(seats - 1 for seats in seat_counts[:-1])
        return tuple(sorted(pile[gone : gone + drawn], reverse=True))
    size = started - 1
    groups = [pile[number * size : (number + 1) * size] for number in range(ROUNDS)]
    groups.sort(key=sum)
    return tuple(sorted(groups[len(seat_counts) - 1], reverse=True)[:drawn])


def award(
    rows: Sequence[CheckedRow],
    prizes: Sequence[int],
    *,
    caller: int | None,
    seats: int,
    shortest: int,
    preset: Preset,
) -> Mapping[int, int]:
    """Return the scoring cards won, by seat number.

    The longest valid row wins the highest card, the next longest the next, until no card or no
    valid row is left. Of equal rows the caller's is first, then those of the seats to the caller's
    left in order. With the preset FAIR the caller is first among equals only if all six cards held,
    and else last. In a round without a caller, equal rows rank by the claims of their last valid
    cards, the earliest first.

    Args:
        rows: the checked rows of the active seats.
        prizes: the cards turned over.
        caller: the seat that took the sixth card, or None; it can have left since.
        seats: how many seats the match began with.
        shortest: how many cards a row needs to be valid.
        preset: the preset of the match.
    """

    def rank(row: CheckedRow) -> tuple[int, int]:
        if caller is None:
            return -row.valid, row.last_valid
        steps = (row.seat - caller) % seats
        broke = row.valid < FULL_ROW
        if preset is Preset.FAIR and row.seat == caller and broke:
            steps = seats
        return -row.valid, steps

    ranked = sorted((row for row in rows if row.valid >= shortest), key=rank)
    highest_first = sorted(prizes, reverse=True)
    return {row.seat: prize for row, prize in zip(ranked, highest_first, strict=False)}
