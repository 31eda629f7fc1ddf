"""The deal: the random order of the scoring pile, the places and the start cards.

Of `Random`, only `random()` gives the same numbers in all versions of Python. So this module does
not use `Random.shuffle`.
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
    """Return a deal for a match with this number of seats."""
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
