"""Marks that several games draw, each on a transparent image."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

from bot.pictures.canvas import Canvas
from bot.pictures.numerals import numerals
from bot.pictures.palette import darker, lighter

if TYPE_CHECKING:
    from PIL import Image

    from bot.pictures.theme import Colour, Theme


def arrow(colour: Colour, width: int, height: int) -> Image.Image:
    """Return a bold arrow to the right."""
    canvas = Canvas(width, height)
    middle, pen = height / 2, height * 0.24
    tip = (width - pen * 0.7, middle)
    wing = height / 2 - pen / 2
    canvas.line([(pen / 2, middle), tip], pen, colour)
    canvas.line([(tip[0] - wing, middle - wing), tip, (tip[0] - wing, middle + wing)], pen, colour)
    return canvas.image()


def cross(colour: Colour, rim: Colour, side: int) -> Image.Image:
    """Return a bold diagonal cross with a rim."""
    canvas = Canvas(side, side)
    low, high = side * 0.2, side * 0.8
    for width, paint in ((side * 0.3, rim), (side * 0.2, colour)):
        canvas.line([(low, low), (high, high)], width, paint)
        canvas.line([(low, high), (high, low)], width, paint)
    return canvas.image()


def crown(theme: Theme, width: int, height: int) -> Image.Image:
    """Return the winner's crown."""
    canvas = Canvas(width, height)
    rim = height * 0.09
    shape = [
        (0.0, -0.5),
        (0.5, 0.1),
        (0.95, -0.75),
        (0.8, 0.85),
        (-0.8, 0.85),
        (-0.95, -0.75),
        (-0.5, 0.1),
    ]
    points = [
        (width / 2 + x * (width / 2 - rim), height / 2 + y * (height / 2 - rim)) for x, y in shape
    ]
    points[0] = (width / 2, rim * 1.5)
    canvas.line(points, 2 * rim, darker(theme.gold, 0.7), closed=True)
    canvas.line(points, rim * 0.6, theme.gold, closed=True)
    canvas.polygon(points, theme.gold)
    return canvas.image()


def coin(theme: Theme, value: int, side: int) -> Image.Image:
    """Return a gold disc with a number: points that somebody won."""
    canvas = Canvas(side, side)
    centre, radius = (side / 2, side / 2), side / 2
    canvas.circle(centre, radius - 0.5, darker(theme.gold, 0.6))
    canvas.circle((centre[0] - 0.5, centre[1] - 0.5), radius * 0.95, lighter(theme.gold, 0.35))
    canvas.circle(centre, radius * 0.9, theme.gold)
    for notch in range(24):
        angle = 2 * math.pi * notch / 24
        x, y = math.cos(angle), math.sin(angle)
        ends = [(centre[0] + x * r * radius, centre[1] + y * r * radius) for r in (0.79, 0.85)]
        canvas.line(ends, radius * 0.05, darker(theme.gold, 0.45))
    canvas.circle(centre, radius * 0.72, lighter(theme.gold, 0.22))
    image = canvas.image()
    height = round(side * (0.46 if len(str(value)) == 1 else 0.4))
    text = numerals(str(value), height, theme.ink, lighter(theme.gold, 0.75))
    corner = ((side - text.width) // 2 + 1, (side - text.height) // 2 + 1)
    image.alpha_composite(text, corner)
    return image


def bubble(theme: Theme, text: str) -> Image.Image:
    """Return digits in a speech bubble: a number that somebody types."""
    width, height = 260, 150
    canvas = Canvas(width, height)
    paper = theme.chalk
    canvas.rounded_rectangle((0, 30, width, height), 34, darker(paper, 0.1))
    canvas.polygon([(118, 34), (134, 2), (156, 34)], darker(paper, 0.1))
    canvas.rounded_rectangle((3, 33, width - 3, height - 3), 31, paper)
    image = canvas.image()
    digits = numerals(text, 74, theme.ink, None)
    image.alpha_composite(digits, (round((width - digits.width) / 2), 53))
    return image
