"""The check of a row, and the scoring cards: which are turned over, and which seat wins which."""

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
    """What the check found in one seat's row.

    Attributes:
        seat: whose row it is.
        valid: how many cards held, the start card included.
        length: how many cards lay there.
        last_valid: the id at which the last card that held was taken; decides equal rows when
            nobody called.
    """

    seat: int
    valid: int
    length: int
    last_valid: int


def turn_over(
    pile: Sequence[int], preset: Preset, started: int, seat_counts: Sequence[int]
) -> tuple[int, ...]:
    """Return the scoring cards of the newest round, highest first.

    By the rulebook each round turns over one card less than there are players, from the top of
    the pile. Under `fair` all are drawn before round one and come in rising order of the rounds'
    sums; who has left since costs each later round its lowest card.

    Args:
        pile: the shuffled scoring cards, top first.
        preset: which rules the server plays.
        started: how many seats the match began with.
        seat_counts: how many seats played each round so far, the newest last.
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
    """Return which seat gets which scoring card.

    The longest valid row takes the highest card, the next longest the next, until cards or valid
    rows run out. Equal rows at any rank: the caller first, then the seats to the caller's left.
    Under `fair` the caller is first among equals only with a row that held; a caller whose row
    broke is last. When nobody called, equal rows rank by whose last valid card came first.

    Args:
        rows: the checked rows of everybody still seated.
        prizes: the cards turned over.
        caller: the seat that took the sixth card, if any; it may have left since.
        seats: how many seats the table has, those that left included.
        shortest: how many cards make a row valid.
        preset: which rules the server plays.
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
