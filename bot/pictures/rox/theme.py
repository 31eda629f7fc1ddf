"""The elements of Rox: their colours in every theme, and their emoji."""

from __future__ import annotations

from dataclasses import dataclass, field, fields
from typing import TYPE_CHECKING, Final

from bot.pictures.theme import THEMES, Theme
from game.rox.cards import Element

if TYPE_CHECKING:
    from bot.pictures.theme import Colour

SEATS: Final = 4
"""How many seats the pictures of Rox draw."""

ELEMENT_EMOJI: Final[dict[Element, str]] = {
    Element.FIRE: "🔺",
    Element.AIR: "⭐",
    Element.EARTH: "🟩",
    Element.WATER: "💧",
    Element.MAGIC: "⚪",
}
"""The five elements in text, in the shapes and colours of the drawn stones."""


@dataclass(frozen=True, slots=True, kw_only=True)
class RoxTheme(Theme):
    """A theme with the colours that only Rox has.

    Attributes:
        elements: the colours of the five elements.
    """

    elements: dict[Element, Colour] = field(hash=False)

    @property
    def palette(self) -> tuple[Colour, ...]:
        """The colours that must be exact in every picture; their order is the palette's."""
        return (*self.surfaces, *self.elements.values(), *self.seats[:SEATS])


_ELEMENTS: Final[dict[str, dict[Element, Colour]]] = {
    "stones": {
        Element.FIRE: (0xC8, 0x24, 0x1C),
        Element.AIR: (0xFF, 0xC8, 0x14),
        Element.EARTH: (0x2F, 0xA8, 0x72),
        Element.WATER: (0x1F, 0x50, 0xD0),
        Element.MAGIC: (0xFF, 0xFF, 0xFF),
    },
    "muted": {
        Element.FIRE: (0xA0, 0x3C, 0x34),
        Element.AIR: (0xE3, 0xB5, 0x48),
        Element.EARTH: (0x74, 0xAC, 0x7C),
        Element.WATER: (0x3A, 0x5C, 0x9C),
        Element.MAGIC: (0xFB, 0xF8, 0xF2),
    },
    "high-contrast": {
        Element.FIRE: (0xCC, 0x00, 0x00),
        Element.AIR: (0xFF, 0xD8, 0x00),
        Element.EARTH: (0x00, 0xA8, 0x68),
        Element.WATER: (0x00, 0x38, 0xE0),
        Element.MAGIC: (0xFF, 0xFF, 0xFF),
    },
}


def _with_elements(theme: Theme) -> RoxTheme:
    shared = {each.name: getattr(theme, each.name) for each in fields(theme)}
    return RoxTheme(**shared, elements=_ELEMENTS[theme.name])


ROX_THEMES: Final = {name: _with_elements(theme) for name, theme in THEMES.items()}
"""Every theme by its name, with the elements."""
