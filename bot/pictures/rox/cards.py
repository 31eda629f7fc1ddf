"""Whole cards in the sizes that the pictures use."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from bot.pictures.canvas import Canvas, on_ground, stamp
from bot.pictures.numerals import numerals
from bot.pictures.palette import lighter
from bot.pictures.rox.slabs import back_sign, notches, slab
from bot.pictures.rox.stones import stone
from bot.pictures.tokens import token
from game.rox.cards import DECK

if TYPE_CHECKING:
    from collections.abc import Iterator

    from PIL import Image

    from bot.pictures.canvas import Box
    from bot.pictures.rox.theme import RoxTheme
    from bot.pictures.shapes import Point


@dataclass(frozen=True, slots=True)
class CardSize:
    """The measures of a card, in pixels.

    Attributes:
        width: of the card.
        height: of the card.
        margin: from the card's edge to the middle of a ring symbol.
        symbol: the side of a ring symbol.
        centre: the side of the centre stone.
        number: the height of the card's number, 0 for a card without one.
    """

    width: int
    height: int
    margin: float
    symbol: int
    centre: int
    number: int = 0

    @property
    def panel(self) -> Box:
        """The field inside the ring: left, top, right, bottom."""
        inset = round(self.margin + self.symbol / 2 + self.width * 0.008)
        return (inset, inset, self.width - inset, self.height - inset)

    @property
    def number_box(self) -> tuple[int, int, int, int]:
        """The field of the number, which is free of everything else."""
        left, _, right, bottom = (int(edge) for edge in self.panel)
        return (left + 1, bottom - self.number - 2, right - 1, bottom - 1)


TABLE_CARD: Final = CardSize(114, 129, 11.5, 17, 42, number=42)
CHECK_CARD: Final = CardSize(132, 150, 13.5, 20, 66)
HAND_CARD: Final = CardSize(280, 354, 30.5, 46, 132)
SINGLE_CARD: Final = CardSize(456, 544, 49.0, 76, 210)
EXAMPLE_CARD: Final = CardSize(200, 226, 20.0, 30, 76, number=72)


class CardRenderer:
    """Draws cards of one size, and keeps the pieces that all of them share."""

    def __init__(self, theme: RoxTheme, size: CardSize) -> None:
        self._theme = theme
        self.size = size
        self._blank = slab(theme, size.width, size.height, panel=size.panel)
        self._symbols = {e: stone(theme, e, size.symbol) for e in theme.elements}
        self._centres = {e: stone(theme, e, size.centre) for e in theme.elements}

    def face(self, card: int) -> Image.Image:
        """Return an open card without its number."""
        image = self._blank.copy()
        half = self.size.symbol / 2
        for element, (x, y) in zip(DECK[card].edge, ring(self.size), strict=True):
            stamp(image, self._symbols[element], x - half, y - half)
        self._centre(image, self.centre(card))
        return image

    def centre(self, card: int) -> Image.Image:
        """Return the centre stone of a card on a transparent image."""
        return self._centres[DECK[card].centre]

    def back(self) -> Image.Image:
        """Return a covered card without its number."""
        image = self._blank.copy()
        sign = round(self.size.centre * 1.1)
        self._centre(image, back_sign(self._theme, sign))
        notch = notches(self._theme, self.size.symbol)
        half = self.size.symbol / 2
        for place, (x, y) in enumerate(ring(self.size)):
            stamp(image, notch[place % len(notch)], x - half, y - half)
        return image

    def number(self, value: int) -> Image.Image:
        """Return a number on the blank field of `CardSize.number_box`."""
        box = self.size.number_box
        image = self._blank.crop(box)
        text = numerals(
            str(value),
            self.size.number,
            self._theme.ink,
            lighter(self._theme.panel, 0.7),
        )
        stamp(image, text, (image.width - text.width) / 2 + 0.5, 0)
        return image

    def slot(self, seat: int | None) -> Image.Image:
        """Return the hollow that a card leaves, with the token of its holder."""
        theme, size = self._theme, self.size
        canvas = Canvas(size.width, size.height)
        unit = size.width / 114
        edge = (3 * unit, 3 * unit, size.width - 3 * unit, size.height - 3 * unit)
        rim = lighter(theme.board, 0.22 if theme.grain else 0.45)
        canvas.rounded_rectangle(edge, 9 * unit, rim)
        left, top, right, bottom = edge
        line = 1.5 * unit
        inner = (left + line, top + line, right - line, bottom - line)
        canvas.rounded_rectangle(inner, 8 * unit, theme.slot)
        image = on_ground(theme.board, canvas.image())
        if seat is not None:
            side = round(size.width * 0.54)
            mark = token(theme, seat, side)
            stamp(image, mark, (size.width - side) / 2, (size.height - side) / 2)
        return image

    def _centre(self, image: Image.Image, top: Image.Image) -> None:
        _, above, _, below = self.size.panel
        middle = (above + below - top.height) / 2
        upper = above - 1 if self.size.number else middle
        stamp(image, top, (self.size.width - top.width) / 2, upper)


def ring(size: CardSize) -> Iterator[Point]:
    """Yield the middles of the sixteen symbols, clockwise from the top left corner."""
    across = (size.width - 2 * size.margin) / 4
    down = (size.height - 2 * size.margin) / 4
    steps = (
        *((i, 0) for i in range(5)),
        *((4, i) for i in range(1, 4)),
        *((i, 4) for i in range(4, -1, -1)),
        *((0, i) for i in range(3, 0, -1)),
    )
    for column, row in steps:
        yield (size.margin + across * column, size.margin + down * row)
