"""Figures of players: which numbers of a match are kept, and how they add up over matches."""

from __future__ import annotations

from enum import StrEnum
from typing import TYPE_CHECKING, TypeAlias

if TYPE_CHECKING:
    from collections.abc import Mapping

    FigureRules: TypeAlias = "Mapping[str, Adds]"


class Adds(StrEnum):
    """How one figure adds up over several matches."""

    SUM = "sum"
    LEAST = "least"
    GREATEST = "greatest"


def add_up(
    rules: FigureRules, before: Mapping[str, int], match: Mapping[str, int]
) -> dict[str, int]:
    """Return a person's figures with those of one more match.

    A figure that neither has is left out, and so is one that the rules do not name.

    >>> rules = {"cards": Adds.SUM, "fastest_ms": Adds.LEAST}
    >>> add_up(rules, {"cards": 7, "fastest_ms": 900}, {"cards": 5})
    {'cards': 12, 'fastest_ms': 900}
    """
    return {
        name: _together(adds, [figures[name] for figures in (before, match) if name in figures])
        for name, adds in rules.items()
        if name in before or name in match
    }


def _together(adds: Adds, values: list[int]) -> int:
    match adds:
        case Adds.SUM:
            return sum(values)
        case Adds.LEAST:
            return min(values)
        case Adds.GREATEST:
            return max(values)
