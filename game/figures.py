"""How the figures of a player (numbers such as cards taken) add up over matches."""

from __future__ import annotations

from enum import StrEnum
from typing import TYPE_CHECKING, TypeAlias

if TYPE_CHECKING:
    from collections.abc import Mapping

    FigureRules: TypeAlias = "Mapping[str, Aggregation]"


class Aggregation(StrEnum):
    """How the values of one figure in several matches become one value."""

    SUM = "sum"
    MIN = "min"
    MAX = "max"


def aggregate(
    rules: FigureRules, before: Mapping[str, int], match: Mapping[str, int]
) -> dict[str, int]:
    """Return the figures of a person after one more match.

    Figures that neither mapping has, or that the rules do not name, are left out.

    >>> rules = {"cards": Aggregation.SUM, "fastest_ms": Aggregation.MIN}
    >>> aggregate(rules, {"cards": 7, "fastest_ms": 900}, {"cards": 5})
    {'cards': 12, 'fastest_ms': 900}
    """
    return {
        name: _combine(
            aggregation, [figures[name] for figures in (before, match) if name in figures]
        )
        for name, aggregation in rules.items()
        if name in before or name in match
    }


def _combine(aggregation: Aggregation, values: list[int]) -> int:
    match aggregation:
        case Aggregation.SUM:
            return sum(values)
        case Aggregation.MIN:
            return min(values)
        case Aggregation.MAX:
            return max(values)
