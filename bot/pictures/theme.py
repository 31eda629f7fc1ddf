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
    (0xFF, 0x8A, 0x1F),
    (0xA4, 0x63, 0xF0),
    (0x6F, 0xD8, 0xEE),
    (0xFF, 0x8F, 0xC4),
)
"""The colours of the seat badges, seat 0 first."""


@dataclass(frozen=True, slots=True)
class Theme:
    """One look: colours as 8-bit sRGB."""

    name: str
    board: Colour
    stone: Colour
    ink: Colour
    elements: dict[Element, Colour] = field(hash=False)
    seats: tuple[Colour, Colour, Colour, Colour] = SEAT_COLOURS


_STONES: Final = Theme(
    name="stones",
    board=(0x1D, 0x24, 0x22),
    stone=(0xDD, 0xD3, 0xBC),
    ink=(0x1A, 0x17, 0x14),
    elements={
        Element.FIRE: (0xD2, 0x2B, 0x24),
        Element.AIR: (0xFB, 0xC4, 0x16),
        Element.EARTH: (0x3F, 0xA6, 0x4A),
        Element.WATER: (0x22, 0x5B, 0xD6),
        Element.MAGIC: (0xFF, 0xFF, 0xFF),
    },
)

THEMES: Final[dict[str, Theme]] = {
    name: Theme(name, _STONES.board, _STONES.stone, _STONES.ink, _STONES.elements)
    for name in ("stones", "muted", "high-contrast")
}
"""Every theme by the name that a server chooses it by."""

DEFAULT_THEME: Final = "stones"
