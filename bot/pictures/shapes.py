"""Outlines as points, and the curves that they consist of.

Most outlines lie in the square from (-1, -1) to (1, 1), y downwards; `placed` moves them onto a
canvas.
"""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, TypeAlias

if TYPE_CHECKING:
    from collections.abc import Iterable

Point: TypeAlias = tuple[float, float]
Line: TypeAlias = tuple[Point, ...]


def arc(
    centre: Point, radius: Point, start: float, end: float, *, steps: int = 24, power: float = 1.0
) -> Line:
    """Return points along an ellipse from one angle to another.

    Angles are in degrees, clockwise from the right. A power below 1 makes the ellipse squarer.
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
    """Return a closed outline through points at equal angles, the first one at the top."""
    listed = tuple(radii)
    angles = (math.radians(turn + 360 * i / len(listed)) for i in range(len(listed)))
    pairs = zip(listed, angles, strict=True)
    return tuple((radius * math.cos(a), radius * math.sin(a)) for radius, a in pairs)


def spiral(centre: Point, radius: float, start: float, turns: float, *, inner: float = 0.0) -> Line:
    """Return a spiral that winds inwards from an angle in degrees."""
    steps = max(8, int(28 * abs(turns)))
    points: list[Point] = []
    for step in range(steps + 1):
        part = step / steps
        angle = math.radians(start + 360 * turns * part)
        reach = radius * (1 - (1 - inner) * part)
        points.append((centre[0] + reach * math.cos(angle), centre[1] + reach * math.sin(angle)))
    return tuple(points)


def placed(points: Iterable[Point], centre: Point, radius: float) -> list[Point]:
    """Return an outline of the unit square, moved and scaled to pixels."""
    return [(centre[0] + radius * x, centre[1] + radius * y) for x, y in points]


def shifted(points: Iterable[Point], by: float) -> list[Point]:
    """Return an outline moved to the right and down by the same length."""
    return [(x + by, y + by) for x, y in points]
