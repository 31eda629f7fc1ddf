"""Every kind of picture in every theme, to be looked at."""

from __future__ import annotations

from io import BytesIO
from random import Random
from typing import TYPE_CHECKING, Final

from PIL import Image

from bot.pictures.artist import Artist
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
from bot.pictures.theme import THEMES
from game.rox.cards import DECK

if TYPE_CHECKING:
    from pathlib import Path

WIDTHS: Final = (550, 400, 330)
"""Widths in pixels at which clients show pictures: a desktop, a large phone, a small one."""


def write_gallery(folder: Path) -> int:
    """Write every picture into a folder, full and scaled down; return how many were written."""
    written = 0
    for theme in THEMES:
        artist = Artist(theme)
        for name, scene in EXAMPLES.items():
            drawn = artist.draw(scene)
            (folder / f"{theme}-{name}.png").write_bytes(drawn)
            written += 1 + _write_scaled(folder, f"{theme}-{name}", drawn)
    return written


def _write_scaled(folder: Path, name: str, drawn: bytes) -> int:
    full = Image.open(BytesIO(drawn)).convert("RGB")
    widths = [width for width in WIDTHS if width < full.width]
    for width in widths:
        height = round(full.height * width / full.width)
        box = (width, height)
        scaled = full.resize(box, Image.Resampling.LANCZOS)  # pyright: ignore[reportUnknownMemberType] - Pillow names array types it lacks
        scaled.save(folder / f"{name}-{width}.png")
    return len(widths)


def example_table(seed: int = 5, taken: int = 12) -> TableScene:
    """Return a table on which so many cards are taken."""
    chance = Random(seed)
    cards = list(range(len(DECK)))
    chance.shuffle(cards)
    seats: list[int | None] = [None] * len(DECK)
    for number, place in enumerate(chance.sample(range(len(DECK)), taken)):
        seats[place] = number % 4
    return TableScene(tuple(cards), tuple(seats))


def example_verdict(revealed: int = 4) -> VerdictScene:
    """Return a check with rows that hold and rows that break; so many are shown."""
    first, second, third, fourth = (number < revealed for number in range(4))
    rows = (
        VerdictRow(2, _chain(0, 6), 6, caller=True, prize=10, revealed=first),
        VerdictRow(3, (*_chain(7, 3), 30, 31), 3, caller=False, prize=4, revealed=second),
        VerdictRow(0, (22, 23, 50, 51), 1, caller=False, prize=None, revealed=third),
        VerdictRow(1, _chain(44, 2), 2, caller=False, prize=None, revealed=fourth),
    )
    return VerdictScene(rows)


def _chain(start: int, length: int) -> tuple[int, ...]:
    """Return a row that holds."""
    row = [start]
    while len(row) < length:
        answer = DECK[row[-1]].answer
        row.append(next(c.id for c in DECK if c.centre is answer and c.id not in row))
    return tuple(row)


EXAMPLES: Final[dict[str, Scene]] = {
    "table": example_table(),
    "covered": CoveredScene(),
    "last-cards": LastCardsScene(
        (HandScene(0, 3, 4), HandScene(1, 17, 6), HandScene(2, None, 0), HandScene(3, 58, 1))
    ),
    "card": CardScene(41),
    "verdict": example_verdict(),
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
"""One scene of every kind."""
