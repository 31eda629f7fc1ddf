"""The magic eye: how far a row of cards holds."""

from __future__ import annotations

from itertools import pairwise
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from collections.abc import Sequence

    from game.rox.cards import Card

FULL: Final = 6


def valid_length(row: Sequence[Card]) -> int:
    """Return how many cards of a row hold, the start card included.

    A row holds up to the first card whose centre is not the answer of the card before it; that
    card and all after it go back (German, English and French rulebooks).
    """
    for length, (before, after) in enumerate(pairwise(row), start=1):
        if after.centre is not before.answer:
            return length
    return len(row)
