"""Numerals: the outlines of the ten digits, and numbers drawn with them.

The digits are lines for a pen: their height is 1, their width `_WIDTH`, and their top left corner
is (0, 0).
"""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Final

from bot.pictures.canvas import Canvas
from bot.pictures.shapes import arc

if TYPE_CHECKING:
    from PIL import Image

    from bot.pictures.shapes import Line
    from bot.pictures.theme import Colour

_WIDTH: Final = 0.56
_PEN: Final = 0.205
_ADVANCE: Final = _WIDTH + 0.285


def _digits() -> tuple[tuple[Line, ...], ...]:
    w = _WIDTH
    m = w / 2
    round_zero = arc((m, 0.5), (m, 0.5), 0.0, 360.0, steps=48, power=0.86)
    six_bowl = arc((m, 0.68), (m, 0.32), 0.0, 360.0, steps=36, power=0.94)
    six_neck = arc((0.56, 0.68), (0.56, 0.68), 180.0, 262.0, steps=16)
    nine_bowl = tuple((w - x, 1 - y) for x, y in six_bowl)
    nine_neck = tuple((w - x, 1 - y) for x, y in six_neck)
    return (
        (round_zero,),
        (((0.06, 0.2), (0.33, 0.0), (0.33, 1.0)),),
        ((*arc((m, 0.29), (m, 0.29), 190.0, 390.0), (0.0, 1.0), (w, 1.0)),),
        (
            arc((m, 0.245), (0.265, 0.245), 200.0, 450.0),
            arc((m, 0.735), (m, 0.265), 270.0, 520.0),
            ((0.2, 0.48), (m, 0.48)),
        ),
        (((0.42, 1.0), (0.42, 0.0), (0.0, 0.68), (w + 0.02, 0.68)),),
        (((0.5, 0.0), (0.07, 0.0), (0.04, 0.46)), ((0.04, 0.46), *_five_bowl(m))),
        (six_neck, six_bowl),
        (((0.0, 0.0), (w, 0.0), (0.18, 1.0)),),
        (
            arc((m, 0.24), (0.235, 0.24), 0.0, 360.0, steps=36, power=0.94),
            arc((m, 0.735), (m, 0.265), 0.0, 360.0, steps=36, power=0.94),
        ),
        (nine_neck, nine_bowl),
    )


def _five_bowl(middle: float) -> Line:
    return arc((middle - 0.02, 0.68), (middle + 0.02, 0.32), 222.0, 510.0, steps=36)


_DIGITS: Final = _digits()


def numerals(text: str, height: int, colour: Colour, lit: Colour | None) -> Image.Image:
    """Return digits cut as with a chisel.

    Args:
        text: the digits.
        height: how high they are; the image is two pixels higher.
        colour: of the digits.
        lit: colour of the lower edge that catches light, or None for flat digits.
    """
    unit = height / (1 + _PEN)
    width = math.ceil(unit * (_WIDTH + _PEN + (len(text) - 1) * _ADVANCE)) + 2
    canvas = Canvas(width, height + 2)
    pen = _PEN * unit
    step = _ADVANCE * unit
    passes = [(0.0, colour)] if lit is None else [(max(1.0, 0.03 * height), lit), (0.0, colour)]
    for shift, paint in passes:
        for place, digit in enumerate(text):
            left = place * step + pen / 2 + shift
            for line in _DIGITS[int(digit)]:
                path = [(left + x * unit, pen / 2 + shift + y * unit) for x, y in line]
                canvas.line(path, pen, paint)
    return canvas.image()
