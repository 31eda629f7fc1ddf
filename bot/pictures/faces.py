"""Whole cards in the sizes that the pictures use."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from PIL import Image

from bot.pictures.ink import Picture, Sheet, lighter, stamp
from bot.pictures.parts import back_sign, badge, notches, numerals, slab, stone
from game.rox.cards import DECK

if TYPE_CHECKING:
    from collections.abc import Iterator

    from bot.pictures.ink import Box
    from bot.pictures.shapes import Point
    from bot.pictures.theme import Theme


@dataclass(frozen=True, slots=True)
class Format:
    """The measures of a card, in pixels.

    Attributes:
        width: its width.
        height: its height.
        margin: from the card's edge to the middle of a ring symbol.
        symbol: the side of a ring symbol.
        centre: the side of the centre stone.
        number: the height of its number, 0 for a card without one.
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


TABLE_CARD: Final = Format(114, 129, 11.5, 17, 42, number=42)
VERDICT_CARD: Final = Format(132, 150, 13.5, 20, 66)
HAND_CARD: Final = Format(280, 354, 30.5, 46, 132)
SINGLE_CARD: Final = Format(456, 544, 49.0, 76, 210)
EXAMPLE_CARD: Final = Format(200, 226, 20.0, 30, 76, number=72)


class Mason:
    """Makes cards of one format; keeps the pieces that all of them share."""

    def __init__(self, theme: Theme, form: Format) -> None:
        self._theme = theme
        self.form = form
        self._blank = slab(theme, form.width, form.height, panel=form.panel)
        self._symbols = {e: stone(theme, e, form.symbol) for e in theme.elements}
        self._centres = {e: stone(theme, e, form.centre) for e in theme.elements}

    def face(self, card: int) -> Picture:
        """The open card, its number's field still blank."""
        picture = self._blank.copy()
        half = self.form.symbol / 2
        for element, (x, y) in zip(DECK[card].edge, ring(self.form), strict=True):
            stamp(picture, self._symbols[element], x - half, y - half)
        self._centre(picture, self.centre(card))
        return picture

    def centre(self, card: int) -> Picture:
        """The centre stone of a card, on nothing."""
        return self._centres[DECK[card].centre]

    def back(self) -> Picture:
        """The covered card, its number's field still blank."""
        picture = self._blank.copy()
        sign = round(self.form.centre * 1.1)
        self._centre(picture, back_sign(self._theme, sign))
        notch = notches(self._theme, self.form.symbol)
        half = self.form.symbol / 2
        for place, (x, y) in enumerate(ring(self.form)):
            stamp(picture, notch[place % len(notch)], x - half, y - half)
        return picture

    def number(self, value: int) -> Picture:
        """A number on the blank field of `Format.number_box`."""
        box = self.form.number_box
        picture = self._blank.crop(box)
        text = numerals(
            str(value),
            self.form.number,
            self._theme.ink,
            lighter(self._theme.panel, 0.7),
        )
        stamp(picture, text, (picture.width - text.width) / 2 + 0.5, 0)
        return picture

    def slot(self, seat: int | None) -> Picture:
        """The hollow that a card leaves, with the badge of who holds it."""
        theme, form = self._theme, self.form
        sheet = Sheet(form.width, form.height)
        unit = form.width / 114
        edge = (3 * unit, 3 * unit, form.width - 3 * unit, form.height - 3 * unit)
        rim = lighter(theme.board, 0.22 if theme.grain else 0.45)
        sheet.rounded(edge, 9 * unit, rim)
        left, top, right, bottom = edge
        line = 1.5 * unit
        inner = (left + line, top + line, right - line, bottom - line)
        sheet.rounded(inner, 8 * unit, theme.slot)
        picture = Image.new("RGB", (form.width, form.height), theme.board)
        stamp(picture, sheet.done(), 0, 0)
        if seat is not None:
            side = round(form.width * 0.54)
            mark = badge(theme, seat, side)
            stamp(picture, mark, (form.width - side) / 2, (form.height - side) / 2)
        return picture

    def _centre(self, picture: Picture, top: Picture) -> None:
        _, above, _, below = self.form.panel
        middle = (above + below - top.height) / 2
        upper = above - 1 if self.form.number else middle
        stamp(picture, top, (self.form.width - top.width) / 2, upper)


def ring(form: Format) -> Iterator[Point]:
    """The middles of the sixteen symbols, clockwise from the top left corner."""
    across = (form.width - 2 * form.margin) / 4
    down = (form.height - 2 * form.margin) / 4
    steps = (
        *((i, 0) for i in range(5)),
        *((4, i) for i in range(1, 4)),
        *((i, 4) for i in range(4, -1, -1)),
        *((0, i) for i in range(3, 0, -1)),
    )
    for column, row in steps:
        yield (form.margin + across * column, form.margin + down * row)
