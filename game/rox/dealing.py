"""What chance decides: the scoring pile, the places, the start cards.

Python promises the same numbers across versions for `random()` alone, so the shuffle is ours.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, TypeVar

from game.rox.actions import Deal
from game.rox.cards import DECK, Difficulty
from game.rox.prizes import ROUNDS, SCORING_CARDS

if TYPE_CHECKING:
    from collections.abc import Iterable
    from random import Random

T = TypeVar("T")


def shuffled(items: Iterable[T], random: Random) -> tuple[T, ...]:
    """Return the items in random order (Fisher-Yates)."""
    pool = list(items)
    for last in range(len(pool) - 1, 0, -1):
        chosen = int(random.random() * (last + 1))
        pool[last], pool[chosen] = pool[chosen], pool[last]
    return tuple(pool)


def draw_deal(action_id: int, seats: int, random: Random) -> Deal:
    """Return a deal for a match of so many seats."""
    starts: list[tuple[int, ...]] = []
    for _ in range(ROUNDS):
        difficulty = Difficulty(int(random.random() * len(Difficulty)))
        fitting = [card.id for card in DECK if card.difficulty is difficulty]
        starts.append(shuffled(fitting, random)[:seats])
    return Deal(
        id=action_id,
        pile=shuffled(SCORING_CARDS, random),
        places=tuple(shuffled(range(len(DECK)), random) for _ in range(ROUNDS)),
        starts=tuple(starts),
        dice=int(random.random() * 2**53),
    )
