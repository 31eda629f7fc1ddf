"""One scene of every kind, and the means to look at what became of it."""

from __future__ import annotations

from io import BytesIO
from random import Random

from PIL import Image

from bot.pictures.scenes import (
    CardScene,
    CoveredScene,
    HandScene,
    HowToScene,
    LastCardsScene,
    PodiumScene,
    PodiumSeat,
    Scene,
    TableScene,
    VerdictRow,
    VerdictScene,
)
from game.rox.cards import DECK


def table(seed: int = 5, taken: int = 12) -> TableScene:
    chance = Random(seed)
    cards = list(range(len(DECK)))
    chance.shuffle(cards)
    seats: list[int | None] = [None] * len(DECK)
    for number, place in enumerate(chance.sample(range(len(DECK)), taken)):
        seats[place] = number % 4
    return TableScene(tuple(cards), tuple(seats))


def chain(start: int, length: int) -> tuple[int, ...]:
    """A row that holds."""
    row = [start]
    while len(row) < length:
        answer = DECK[row[-1]].answer
        row.append(next(c.id for c in DECK if c.centre is answer and c.id not in row))
    return tuple(row)


def verdict(revealed: int = 4) -> VerdictScene:
    rows = (
        VerdictRow(2, chain(0, 6), 6, caller=True, prize=10, revealed=revealed > 0),
        VerdictRow(3, (*chain(7, 3), 30, 31), 3, caller=False, prize=4, revealed=revealed > 1),
        VerdictRow(0, (22, 23, 50, 51), 1, caller=False, prize=None, revealed=revealed > 2),
        VerdictRow(1, chain(44, 2), 2, caller=False, prize=None, revealed=revealed > 3),
    )
    return VerdictScene(rows)


LAST_CARDS = LastCardsScene(
    (HandScene(0, 3, 4), HandScene(1, 17, 6), HandScene(2, None, 0), HandScene(3, 58, 1))
)
PODIUM = PodiumScene(
    (
        PodiumSeat(0, 2, (4, None, 6, 1, 3), 14),
        PodiumSeat(1, 1, (10, 8, None, 2, 9), 29),
        PodiumSeat(2, 3, (None, 1, None, None, 5), 6),
        PodiumSeat(3, 4, (2, None, None, None, None), 2, out=True),
    )
)
SCENES: dict[str, Scene] = {
    "table": table(),
    "covered": CoveredScene(),
    "last-cards": LAST_CARDS,
    "card": CardScene(41),
    "verdict": verdict(),
    "podium": PODIUM,
    "how-to": HowToScene(),
}


def opened(png: bytes) -> Image.Image:
    picture = Image.open(BytesIO(png))
    picture.load()
    return picture


def shown(png: bytes, width: int) -> Image.Image:
    """A picture as Discord shows it at a width."""
    picture = opened(png).convert("RGB")
    height = round(picture.height * width / picture.width)
    return picture.resize((width, height), Image.Resampling.LANCZOS)
