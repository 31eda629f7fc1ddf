"""The pictures of Rox as the artist and the gallery need them, with examples of every scene."""

from __future__ import annotations

from random import Random
from typing import TYPE_CHECKING, Final

from bot.pictures.rox.painter import SCENES, RoxPainter
from bot.pictures.rox.scenes import (
    CardScene,
    CheckScene,
    CheckSceneRow,
    CoveredScene,
    HowToScene,
    LastCardsHand,
    LastCardsScene,
    PodiumScene,
    PodiumSeat,
    TableScene,
)
from bot.pictures.rox.theme import SEATS
from bot.pictures.scenes import GamePictures
from game.rox.cards import DECK

if TYPE_CHECKING:
    from bot.pictures.scenes import Scene


def example_table(seed: int = 5, taken: int = 12) -> TableScene:
    """Return a table in random order on which a number of cards are taken."""
    chance = Random(seed)
    cards = list(range(len(DECK)))
    chance.shuffle(cards)
    seats: list[int | None] = [None] * len(DECK)
    for number, place in enumerate(chance.sample(range(len(DECK)), taken)):
        seats[place] = number % SEATS
    return TableScene(tuple(cards), tuple(seats))


def example_check(revealed: int = 4) -> CheckScene:
    """Return a check with rows that hold and rows that break; the eye has seen the first ones."""
    first, second, third, fourth = (number < revealed for number in range(4))
    rows = (
        CheckSceneRow(2, _chain(0, 6), 6, caller=True, prize=10, revealed=first),
        CheckSceneRow(3, (*_chain(7, 3), 30, 31), 3, caller=False, prize=4, revealed=second),
        CheckSceneRow(0, (22, 23, 50, 51), 1, caller=False, prize=None, revealed=third),
        CheckSceneRow(1, _chain(44, 2), 2, caller=False, prize=None, revealed=fourth),
    )
    return CheckScene(rows)


def _chain(start: int, length: int) -> tuple[int, ...]:
    """Return a row without a break."""
    row = [start]
    while len(row) < length:
        answer = DECK[row[-1]].answer
        row.append(next(c.id for c in DECK if c.centre is answer and c.id not in row))
    return tuple(row)


_EXAMPLES: Final[dict[str, Scene]] = {
    "table": example_table(),
    "covered": CoveredScene(),
    "last-cards": LastCardsScene(
        (
            LastCardsHand(0, 3, 4),
            LastCardsHand(1, 17, 6),
            LastCardsHand(2, None, 0),
            LastCardsHand(3, 58, 1),
        )
    ),
    "card": CardScene(41),
    "check": example_check(),
    "podium": PodiumScene(
        (
            PodiumSeat(0, 2, (4, None, 6, 1, 3), 14),
            PodiumSeat(1, 1, (10, 8, None, 2, 9), 29),
            PodiumSeat(2, 3, (None, 1, None, None, 5), 6),
            PodiumSeat(3, 4, (2, None, None, None, None), 2, out=True),
        )
    ),
    "how-to": HowToScene(),
}

ROX_PICTURES: Final = GamePictures(
    scenes=SCENES,
    seats=SEATS,
    painter=RoxPainter,
    examples=_EXAMPLES,
    warm_up=(CoveredScene(),),
)
"""The pictures of Rox."""
