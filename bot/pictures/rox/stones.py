"""The elements' stones: their outlines and signs, and the stones drawn with them."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Final

from bot.pictures.canvas import Canvas
from bot.pictures.palette import darker, lighter
from bot.pictures.shapes import arc, placed, polar, spiral
from game.rox.cards import Element

if TYPE_CHECKING:
    from PIL import Image

    from bot.pictures.rox.theme import RoxTheme
    from bot.pictures.shapes import Line
    from bot.pictures.theme import Colour

_SIGNED_FROM: Final = 34
_DEEP_FROM: Final = 60


def _drop() -> Line:
    bowl = arc((0.0, 0.32), (0.68, 0.66), -32.0, 212.0, steps=40)
    return ((0.0, -1.0), (0.16, -0.68), *bowl, (-0.16, -0.68))


_OUTLINES: Final[dict[Element, Line]] = {
    Element.FIRE: ((0.0, -0.88), (0.96, 0.78), (-0.96, 0.78)),
    Element.AIR: polar((1.02, 0.47) * 5),
    Element.EARTH: ((-0.8, -0.8), (0.8, -0.8), (0.8, 0.8), (-0.8, 0.8)),
    Element.WATER: _drop(),
    Element.MAGIC: arc((0.0, 0.0), (0.9, 0.9), 0.0, 360.0, steps=48),
}


def _wave(down: float, reach: float) -> Line:
    steps = 24
    return tuple(
        (reach * (2 * i / steps - 1), down - 0.1 * math.sin(3 * math.pi * i / steps))
        for i in range(steps + 1)
    )


def triskele(radius: float) -> tuple[Line, ...]:
    """Return three spirals that meet in the middle, as lines for a pen."""
    arms: list[Line] = []
    for third in range(3):
        angle = -90.0 + 120.0 * third
        away = math.radians(angle)
        centre = (0.52 * radius * math.cos(away), 0.52 * radius * math.sin(away))
        curl = spiral(centre, 0.46 * radius, angle + 160.0, 1.45, inner=0.12)
        arms.append(((0.0, 0.0), *curl))
    return tuple(arms)


# The sign carved into each stone, as lines for a pen.
_SIGNS: Final[dict[Element, tuple[Line, ...]]] = {
    Element.FIRE: (
        ((-0.2, 0.0), (0.0, -0.4), (0.2, 0.0)),
        ((-0.42, 0.44), (0.0, -0.1), (0.42, 0.44)),
    ),
    Element.AIR: (spiral((0.0, 0.02), 0.4, -90.0, 1.7, inner=0.08),),
    Element.EARTH: (
        ((0.0, -0.46), (0.0, 0.46)),
        ((-0.46, 0.0), (0.46, 0.0)),
        arc((0.0, 0.0), (0.46, 0.46), 0.0, 360.0, steps=36),
    ),
    Element.WATER: (_wave(0.12, 0.4), _wave(0.46, 0.4)),
    Element.MAGIC: triskele(0.74),
}


def stone(theme: RoxTheme, element: Element, side: int) -> Image.Image:
    """Return an element's stone in a square; large ones carry a carved sign."""
    canvas = Canvas(side, side, scale=8 if side < _SIGNED_FROM else 4)
    colour = theme.elements[element]
    centre, radius = (side / 2, side / 2), side / 2
    rim = max(theme.outline * radius, 1.0)
    shape = placed(_OUTLINES[element], centre, (radius - rim) * 0.98)
    canvas.line(shape, 2 * rim, theme.ink, closed=True)
    canvas.polygon(shape, theme.ink)
    soft = rim * 0.5
    canvas.line(shape, soft, colour, closed=True)
    canvas.polygon(shape, colour)
    if side >= _SIGNED_FROM:
        _carve(canvas, element, colour, side)
    return canvas.image()


def _carve(canvas: Canvas, element: Element, colour: Colour, side: int) -> None:
    centre, radius = (side / 2, side / 2), side / 2 * 0.8
    if element is Element.FIRE:
        centre = (side / 2, side / 2 + radius * 0.22)
    if element is Element.WATER:
        centre = (side / 2, side / 2 + radius * 0.12)
    width = max(1.0, side * 0.045)
    depth = 0.38 if side >= _DEEP_FROM else 0.24
    groove = darker(colour, depth * (0.75 if element is Element.MAGIC else 1))
    lit = lighter(colour, 0.45 if side >= _DEEP_FROM else 0.15)
    for line in _SIGNS[element]:
        path = placed(line, centre, radius)
        nudge = width * 0.5
        canvas.line([(x + nudge, y + nudge) for x, y in path], width, lit)
        canvas.line(path, width, groove)
