"""Outlines as points: the elements' stones and signs, the seats' badges, the numerals.

Stones and badges lie in the square from (-1, -1) to (1, 1), y downwards. Numerals are lines for a
pen: their height is 1, their width `NUMERAL_WIDTH`, from the top left corner (0, 0).
"""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Final, TypeAlias

from game.rox.elements import Element

if TYPE_CHECKING:
    from collections.abc import Iterable

Point: TypeAlias = tuple[float, float]
Line: TypeAlias = tuple[Point, ...]

NUMERAL_WIDTH: Final = 0.56


def arc(
    centre: Point, radius: Point, start: float, end: float, *, steps: int = 24, power: float = 1.0
) -> Line:
    """Points along an ellipse from one angle to another, in degrees clockwise from the right.

    A power below 1 makes the ellipse squarer.
    """
    points: list[Point] = []
    for step in range(steps + 1):
        angle = math.radians(start + (end - start) * step / steps)
        across, down = math.cos(angle), math.sin(angle)
        points.append(
            (
                centre[0] + radius[0] * math.copysign(abs(across) ** power, across),
                centre[1] + radius[1] * math.copysign(abs(down) ** power, down),
            )
        )
    return tuple(points)


def polar(radii: Iterable[float], *, turn: float = -90.0) -> Line:
    """A closed outline through points at equal angles, the first one at the top."""
    listed = tuple(radii)
    angles = (math.radians(turn + 360 * i / len(listed)) for i in range(len(listed)))
    pairs = zip(listed, angles, strict=True)
    return tuple((radius * math.cos(a), radius * math.sin(a)) for radius, a in pairs)


def spiral(centre: Point, radius: float, start: float, turns: float, *, inner: float = 0.0) -> Line:
    """A spiral that winds inwards from an angle in degrees."""
    steps = max(8, int(28 * abs(turns)))
    points: list[Point] = []
    for step in range(steps + 1):
        part = step / steps
        angle = math.radians(start + 360 * turns * part)
        reach = radius * (1 - (1 - inner) * part)
        points.append((centre[0] + reach * math.cos(angle), centre[1] + reach * math.sin(angle)))
    return tuple(points)


def _drop() -> Line:
    bowl = arc((0.0, 0.32), (0.68, 0.66), -32.0, 212.0, steps=40)
    return ((0.0, -1.0), (0.16, -0.68), *bowl, (-0.16, -0.68))


STONES: Final[dict[Element, Line]] = {
    Element.FIRE: ((0.0, -0.88), (0.96, 0.78), (-0.96, 0.78)),
    Element.AIR: polar((1.02, 0.47) * 5),
    Element.EARTH: ((-0.8, -0.8), (0.8, -0.8), (0.8, 0.8), (-0.8, 0.8)),
    Element.WATER: _drop(),
    Element.MAGIC: arc((0.0, 0.0), (0.9, 0.9), 0.0, 360.0, steps=48),
}
"""The outline of each element."""


def _wave(down: float, reach: float) -> Line:
    steps = 24
    return tuple(
        (reach * (2 * i / steps - 1), down - 0.1 * math.sin(3 * math.pi * i / steps))
        for i in range(steps + 1)
    )


def triskele(radius: float) -> tuple[Line, ...]:
    """Three spirals that meet in the middle."""
    arms: list[Line] = []
    for third in range(3):
        angle = -90.0 + 120.0 * third
        away = math.radians(angle)
        centre = (0.52 * radius * math.cos(away), 0.52 * radius * math.sin(away))
        curl = spiral(centre, 0.46 * radius, angle + 160.0, 1.45, inner=0.12)
        arms.append(((0.0, 0.0), *curl))
    return tuple(arms)


SIGNS: Final[dict[Element, tuple[Line, ...]]] = {
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
"""The sign carved into each stone, as lines for a pen."""


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


BADGES: Final[tuple[Line, Line, Line, Line]] = (
    ((0.0, -1.0), (1.0, 0.0), (0.0, 1.0), (-1.0, 0.0)),
    _heart(),
    _snowflake(),
    _blossom(),
)
"""The outline of each seat's badge, seat 0 first: diamond, heart, snowflake, blossom."""

BADGE_HEARTS: Final[tuple[Line, Line, Line, Line]] = (
    tuple((0.5 * x, 0.5 * y) for x, y in BADGES[0]),
    tuple((0.5 * x, 0.5 * y) for x, y in BADGES[1]),
    polar((0.26,) * 6, turn=-60.0),
    arc((0.0, 0.0), (0.32, 0.32), 0.0, 360.0),
)
"""The lighter middle of each badge."""


def _numerals() -> tuple[tuple[Line, ...], ...]:
    w = NUMERAL_WIDTH
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


NUMERALS: Final = _numerals()
"""The ten digits, as lines for a pen."""

CRACK: Final[Line] = (
    (0.1, -1.0),
    (-0.35, -0.62),
    (0.3, -0.38),
    (-0.3, -0.02),
    (0.35, 0.24),
    (-0.25, 0.58),
    (0.05, 1.0),
)
"""A jagged line from top to bottom: where a row breaks."""
