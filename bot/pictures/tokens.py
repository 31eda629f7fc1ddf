"""Seat tokens: the shape that marks everything of a seat, in text and in pictures."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Final

from bot.pictures.canvas import Canvas
from bot.pictures.palette import darker, lighter
from bot.pictures.shapes import arc, placed, polar

if TYPE_CHECKING:
    from PIL import Image

    from bot.pictures.shapes import Line, Point
    from bot.pictures.theme import Theme


def _heart() -> Line:
    points: list[Point] = []
    for step in range(48):
        t = 2 * math.pi * step / 48
        across = 16 * math.sin(t) ** 3
        up = 13 * math.cos(t) - 5 * math.cos(2 * t) - 2 * math.cos(3 * t) - math.cos(4 * t)
        points.append((across / 17.5, -(up + 2.5) / 16.5))
    return tuple(points)


def _snowflake() -> Line:
    points: list[Point] = []
    for arm in range(6):
        middle = math.radians(-90 + 60 * arm)
        for reach, off in ((0.32, -30.0), (0.98, -12.5), (0.98, 12.5)):
            angle = middle + math.radians(off)
            points.append((reach * math.cos(angle), reach * math.sin(angle)))
    return tuple(points)


def _blossom() -> Line:
    outline: list[Point] = []
    for petal in range(5):
        middle = -90.0 + 72.0 * petal
        away = math.radians(middle)
        centre = (0.55 * math.cos(away), 0.55 * math.sin(away))
        outline.extend(arc(centre, (0.43, 0.43), middle - 112.0, middle + 112.0, steps=16))
    return tuple(outline)


def _crescent(reach: float, opening: float, near: float) -> Line:
    """Return a crescent open towards the top left, as its emoji is.

    Args:
        reach: radius of the outer edge.
        opening: half the angle between the horns, in degrees.
        near: how far the inner edge is from the centre, towards the bottom right.
    """
    half = math.radians(opening)
    across, along = reach * math.sin(half), reach * math.cos(half)
    # The inner edge is a circle through both horns and through the point at `near`.
    away = (reach**2 - near**2) / (2 * (along + near))
    radius = away + near
    bend = math.degrees(math.atan2(across, along - away))
    centre = (away * math.cos(math.radians(225.0)), away * math.sin(math.radians(225.0)))
    outer = arc((0.0, 0.0), (reach, reach), 225.0 + opening, 585.0 - opening, steps=40)
    inner = arc(centre, (radius, radius), 585.0 - bend, 225.0 + bend, steps=32)
    return (*outer, *inner)


_OUTLINES: Final[tuple[Line, Line, Line, Line, Line]] = (
    ((0.0, -1.0), (1.0, 0.0), (0.0, 1.0), (-1.0, 0.0)),
    _heart(),
    _snowflake(),
    _blossom(),
    _crescent(0.98, 62.0, 0.36),
)
# The lighter middle of each token.
_MIDDLES: Final[tuple[Line, Line, Line, Line, Line]] = (
    tuple((0.5 * x, 0.5 * y) for x, y in _OUTLINES[0]),
    tuple((0.5 * x, 0.5 * y) for x, y in _OUTLINES[1]),
    polar((0.26,) * 6, turn=-60.0),
    arc((0.0, 0.0), (0.32, 0.32), 0.0, 360.0),
    _crescent(0.8, 84.0, 0.54),
)


def token(theme: Theme, seat: int, side: int) -> Image.Image:
    """Return a seat's token in a square."""
    canvas = Canvas(side, side)
    colour = theme.seats[seat]
    centre, radius = (side / 2, side / 2), side / 2
    rim = max(0.09 * radius, 1.0)
    shape = placed(_OUTLINES[seat], centre, radius - rim)
    canvas.line(shape, 2 * rim, darker(colour, 0.72), closed=True)
    canvas.polygon(shape, colour)
    canvas.polygon(placed(_MIDDLES[seat], centre, radius - rim), lighter(colour, 0.4))
    return canvas.image()
