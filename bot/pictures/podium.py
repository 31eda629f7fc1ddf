"""Pieces of the picture that ends a match: standing stones, each as high as its place."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from bot.pictures.canvas import Canvas, on_ground, stamp
from bot.pictures.marks import cross, crown
from bot.pictures.numerals import numerals
from bot.pictures.palette import darker, lighter, mix
from bot.pictures.tokens import token

if TYPE_CHECKING:
    from PIL import Image

    from bot.pictures.shapes import Point
    from bot.pictures.theme import Colour, Theme

SIZE: Final = (1200, 640)
GROUND: Final = 548
"""Where the ground begins, on which the stones are; below it there is room for details."""

_HEIGHTS: Final = (350, 300, 255, 215)
_STONE: Final = 178
_TOKEN: Final = 92


@dataclass(frozen=True, slots=True)
class Stand:
    """One seat's standing stone.

    Attributes:
        seat: which seat.
        place: its final place from 1; equal places are shared.
        total: the number carved into the stone.
        out: whether the seat left before the end.
    """

    seat: int
    place: int
    total: int
    out: bool = False


def landscape(theme: Theme) -> Image.Image:
    """Return the ground of a podium, without its stones, as an opaque image."""
    canvas = Canvas(*SIZE, scale=2)
    if theme.grain:
        moon = (SIZE[0] / 2, 290)
        for radius, part in ((330, 0.03), (262, 0.06), (204, 0.1), (156, 0.17)):
            canvas.circle(moon, radius, mix(theme.board, theme.panel, part))
        hill: list[Point] = [(0.0, GROUND - 30.0), (260.0, GROUND - 62.0)]
        hill += [(620.0, GROUND - 28.0), (930.0, GROUND - 70.0), (1200.0, GROUND - 36.0)]
        canvas.polygon(
            [*hill, (1200.0, GROUND + 5.0), (0.0, GROUND + 5.0)], darker(theme.board, 0.25)
        )
    canvas.rectangle((0, GROUND, *SIZE), theme.slot)
    canvas.rectangle((0, GROUND, SIZE[0], GROUND + 3), lighter(theme.board, 0.3))
    return on_ground(theme.board, canvas.image())


def draw_stand(
    theme: Theme, image: Image.Image, stand: Stand, middle: float, *, grass: Colour
) -> None:
    """Draw a seat's stone, number and token on a landscape.

    Args:
        theme: the colours.
        image: the landscape.
        stand: the stone.
        middle: the middle of the stone, from the left edge.
        grass: colour of the grass, in themes that show grain.
    """
    height = _HEIGHTS[min(stand.place, len(_HEIGHTS)) - 1]
    top = GROUND - height
    stone = _menhir(theme, height, stand, grass)
    stamp(image, stone, middle - stone.width / 2, top)
    text = numerals(str(stand.total), 76, theme.ink, lighter(theme.panel, 0.7))
    stamp(image, text, middle - text.width / 2 - 6, top + 58)
    stamp(image, token(theme, stand.seat, _TOKEN), middle - _TOKEN / 2, top - _TOKEN + 2)
    if stand.out:
        stamp(image, cross(theme.breach, theme.slot, 58), middle + 22, top - 48)
    elif stand.place == 1:
        winner = crown(theme, 96, 58)
        stamp(image, winner, middle - winner.width / 2, top - _TOKEN - 58)


def _menhir(theme: Theme, height: int, stand: Stand, grass: Colour) -> Image.Image:
    """Return a standing stone with a notch for every place, and grass at its foot."""
    canvas = Canvas(_STONE, height)
    face = mix(theme.band, theme.panel, 0.5)
    if stand.out:
        face = mix(face, theme.board, 0.5)
    foot = float(height)
    waist = 0.58 * height
    crest: list[Point] = [(0.09, 40.0), (0.29, 10.0), (0.55, 1.0), (0.79, 18.0), (0.94, 66.0)]
    whole = [(0.04, foot), (0.01, waist), *crest, (0.99, waist), (0.97, foot)]
    brow = [*crest[:4], (0.75, 46.0), (0.53, 26.0), (0.3, 34.0), (0.14, 70.0)]
    side = [(0.79, 18.0), (0.94, 66.0), (0.99, waist), (0.97, foot), (0.84, foot), (0.87, waist)]
    canvas.polygon(_across(whole), face)
    canvas.polygon(_across([*side, (0.81, 74.0)]), darker(face, 0.3))
    canvas.polygon(_across(brow), lighter(face, 0.42))
    for notch in range(stand.place):
        y = height - 27 - 12 * notch
        path = [(_STONE * 0.3, y + 3.0), (_STONE * 0.58, y - 3.0)]
        canvas.line([(x + 1.5, y + 2) for x, y in path], 5, lighter(face, 0.5))
        canvas.line(path, 5, darker(face, 0.62))
    if theme.grain:
        blades = mix(grass, theme.slot, 0.5)
        for blade in range(23):
            x = 4 + (_STONE - 8) * blade / 22
            reach = 7 + 11 * (0.5 + 0.618034 * blade) % 11
            canvas.line([(x, foot), (x + 3 - blade % 3 * 3, foot - reach)], 3, blades)
    return canvas.image()


def _across(points: list[Point]) -> list[Point]:
    return [(x * _STONE, y) for x, y in points]
