"""The figures of a match of Rox: how many cards held, and how fast rows were filled."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from game.figures import Aggregation

FIGURES: Final = {"cards": Aggregation.SUM, "right": Aggregation.SUM, "fastest_ms": Aggregation.MIN}
"""The figures that are kept, by name, and how each adds up over matches."""


@dataclass(frozen=True, slots=True)
class Tally:
    """One seat's figures so far.

    Attributes:
        cards: how many cards the checks looked at beyond start cards.
        right: how many of them held.
        fastest_ms: the shortest time from "Rox!" to a full row that held, if there was one.
    """

    cards: int = 0
    right: int = 0
    fastest_ms: int | None = None

    def figures(self) -> dict[str, int]:
        """Return the figures by name; without a full row there is no fastest one.

        >>> Tally(5, 4).figures()
        {'cards': 5, 'right': 4}
        """
        figures = {"cards": self.cards, "right": self.right}
        return figures if self.fastest_ms is None else figures | {"fastest_ms": self.fastest_ms}
