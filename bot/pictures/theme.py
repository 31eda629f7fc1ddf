"""The looks of the pictures, and the emoji that stand for the same things in text."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Final, TypeAlias

from game.rox.elements import Element

Colour: TypeAlias = tuple[int, int, int]

SEAT_EMOJI: Final[tuple[str, str, str, str]] = ("🔶", "💜", "❄️", "🌸")
"""Seat badges in text: a diamond, a heart, a snowflake, a blossom."""

ELEMENT_EMOJI: Final[dict[Element, str]] = {
    Element.FIRE: "🔺",
    Element.AIR: "⭐",
    Element.EARTH: "🟩",
    Element.WATER: "💧",
    Element.MAGIC: "⚪",
}
"""The five elements in text, in the shapes and colours of the drawn stones."""

SEAT_COLOURS: Final[tuple[Colour, Colour, Colour, Colour]] = (
    (0xFF, 0x98, 0x1F),
    (0x8F, 0x52, 0xF0),
    (0x86, 0xE6, 0xF7),
    (0xE0, 0x48, 0x9C),
)
"""The colours of the seat badges, seat 0 first."""


@dataclass(frozen=True, slots=True)
class Theme:
    """One look; every colour is 8-bit sRGB.

    Attributes:
        name: what a server chooses it by.
        board: the ground that everything lies on.
        slot: the hollow where a card was.
        band: the part of a card that carries the ring of symbols.
        panel: the part of a card that carries stone and number.
        ink: numbers and outlines on cards.
        chalk: numbers and lines on the board.
        gold: prizes.
        breach: where a row breaks.
        outline: width of a symbol's outline, as a part of its radius.
        grain: how strongly the stone shows its grain, from 0 to 1.
        elements: the five elements.
        seats: the badges of the seats, seat 0 first.
    """

    name: str
    board: Colour
    slot: Colour
    band: Colour
    panel: Colour
    ink: Colour
    chalk: Colour
    gold: Colour
    breach: Colour
    outline: float
    grain: float
    elements: dict[Element, Colour] = field(hash=False)
    seats: tuple[Colour, Colour, Colour, Colour] = SEAT_COLOURS


_STONES: Final = Theme(
    name="stones",
    board=(0x1C, 0x25, 0x23),
    slot=(0x0E, 0x14, 0x13),
    band=(0xB9, 0xAE, 0x99),
    panel=(0xF0, 0xE8, 0xD6),
    ink=(0x1B, 0x18, 0x15),
    chalk=(0xE9, 0xE4, 0xD6),
    gold=(0xE8, 0xB2, 0x3A),
    breach=(0xE2, 0x3B, 0x2E),
    outline=0.17,
    grain=1.0,
    elements={
        Element.FIRE: (0xC8, 0x24, 0x1C),
        Element.AIR: (0xFF, 0xC8, 0x14),
        Element.EARTH: (0x2F, 0xA8, 0x72),
        Element.WATER: (0x1F, 0x50, 0xD0),
        Element.MAGIC: (0xFF, 0xFF, 0xFF),
    },
)

_MUTED: Final = Theme(
    name="muted",
    board=(0x2A, 0x2E, 0x31),
    slot=(0x1B, 0x1E, 0x20),
    band=(0xA9, 0xA9, 0xA2),
    panel=(0xE0, 0xDE, 0xD5),
    ink=(0x24, 0x24, 0x25),
    chalk=(0xD6, 0xD5, 0xCF),
    gold=(0xCB, 0xA6, 0x55),
    breach=(0xC4, 0x57, 0x4C),
    outline=0.16,
    grain=0.6,
    seats=((0xE0, 0x96, 0x42), (0x80, 0x5C, 0xC8), (0x97, 0xD3, 0xDD), (0xC4, 0x55, 0x90)),
    elements={
        Element.FIRE: (0xA0, 0x3C, 0x34),
        Element.AIR: (0xE3, 0xB5, 0x48),
        Element.EARTH: (0x74, 0xAC, 0x7C),
        Element.WATER: (0x3A, 0x5C, 0x9C),
        Element.MAGIC: (0xFB, 0xF8, 0xF2),
    },
)

_HIGH_CONTRAST: Final = Theme(
    name="high-contrast",
    board=(0x00, 0x00, 0x00),
    slot=(0x00, 0x00, 0x00),
    band=(0xD2, 0xD2, 0xD2),
    panel=(0xFF, 0xFF, 0xFF),
    ink=(0x00, 0x00, 0x00),
    chalk=(0xFF, 0xFF, 0xFF),
    gold=(0xFF, 0xCC, 0x33),
    breach=(0xFF, 0x30, 0x30),
    outline=0.21,
    grain=0.0,
    elements={
        Element.FIRE: (0xCC, 0x00, 0x00),
        Element.AIR: (0xFF, 0xD8, 0x00),
        Element.EARTH: (0x00, 0xA8, 0x68),
        Element.WATER: (0x00, 0x38, 0xE0),
        Element.MAGIC: (0xFF, 0xFF, 0xFF),
    },
)

THEMES: Final[dict[str, Theme]] = {theme.name: theme for theme in (_STONES, _MUTED, _HIGH_CONTRAST)}
"""Every theme by its name."""

DEFAULT_THEME: Final = _STONES.name
