"""The themes: colours of everything that games share, and the seats' emoji."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final, TypeAlias

Colour: TypeAlias = tuple[int, int, int]
SeatColours: TypeAlias = tuple[Colour, Colour, Colour, Colour, Colour]

SEAT_EMOJI: Final[tuple[str, str, str, str, str]] = ("🔶", "💜", "❄️", "🌸", "🌙")
"""Seat tokens in text: a diamond, a heart, a snowflake, a blossom, a crescent."""

_SEATS: Final[SeatColours] = (
    (0xFF, 0x98, 0x1F),
    (0x8F, 0x52, 0xF0),
    (0x86, 0xE6, 0xF7),
    (0xE0, 0x48, 0x9C),
    (0xFF, 0xEE, 0x99),
)


@dataclass(frozen=True, slots=True)
class Theme:
    """One look; every colour is 8-bit sRGB.

    A game derives its own theme from this one and adds the colours that only it has.

    Attributes:
        name: the name by which a server chooses the theme.
        board: the ground that everything lies on.
        slot: the hollow that a taken card leaves.
        band: the darker part of a stone, which carries a card's ring of symbols.
        panel: the lighter part of a stone, which carries a card's number.
        ink: numbers and outlines on stone.
        chalk: numbers and lines on the board.
        gold: prizes.
        breach: marks of mistakes.
        outline: width of a symbol's outline, as a fraction of its radius.
        grain: how strongly stone shows its grain, from 0 to 1.
        seats: the seats' tokens, seat 0 first.
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
    seats: SeatColours = _SEATS

    @property
    def surfaces(self) -> tuple[Colour, ...]:
        """Every colour except those of the seats, in the order in which palettes list them."""
        return (
            self.board,
            self.slot,
            self.band,
            self.panel,
            self.ink,
            self.chalk,
            self.gold,
            self.breach,
        )


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
    seats=(
        (0xE0, 0x96, 0x42),
        (0x80, 0x5C, 0xC8),
        (0x97, 0xD3, 0xDD),
        (0xC4, 0x55, 0x90),
        (0xED, 0xDF, 0x9E),
    ),
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
)

THEMES: Final[dict[str, Theme]] = {theme.name: theme for theme in (_STONES, _MUTED, _HIGH_CONTRAST)}
"""Every theme by its name."""

DEFAULT_THEME: Final = _STONES.name
