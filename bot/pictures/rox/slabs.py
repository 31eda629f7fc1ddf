"""Blank cards: slabs of stone, with or without the marks of a card's back."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Final

from bot.pictures.canvas import Canvas, on_ground
from bot.pictures.palette import darker, lighter, mix
from bot.pictures.rox.stones import triskele
from bot.pictures.shapes import placed, shifted

if TYPE_CHECKING:
    from PIL import Image

    from bot.pictures.canvas import Box
    from bot.pictures.shapes import Point
    from bot.pictures.theme import Theme

_GRAINED_FROM: Final = 180
_FLECKS: Final = 70


def slab(theme: Theme, width: int, height: int, *, panel: Box) -> Image.Image:
    """Return a blank card on the board; `panel` is its smooth inner field."""
    canvas = Canvas(width, height)
    unit = width / 114
    canvas.rectangle((0, 0, width, height), theme.board)
    if theme.grain:
        canvas.polygon(shifted(_outline(width, height, 2, 6 * unit, 0.6 * unit), 1.4), theme.slot)
    whole = _outline(width, height, 1.2 * unit, 7 * unit, 0.7 * unit)
    canvas.polygon(whole, darker(theme.band, 0.42))
    canvas.polygon(
        shifted(_inset(whole, width, height, 1.6 * unit), -0.7 * unit), lighter(theme.band, 0.5)
    )
    canvas.polygon(_inset(whole, width, height, 2.4 * unit), theme.band)
    left, top, right, bottom = panel
    edge = 1.3 * unit
    groove = (left - edge, top - edge, right + edge, bottom + edge)
    round_ = 8 * unit
    canvas.rounded_rectangle(_moved(groove, -0.4 * unit), round_ + edge, darker(theme.band, 0.36))
    canvas.rounded_rectangle(_moved(groove, 0.8 * unit), round_ + edge, lighter(theme.band, 0.42))
    canvas.rounded_rectangle(panel, round_, theme.panel)
    if theme.grain and width >= _GRAINED_FROM:
        _grain(canvas, theme, (width, height), panel)
    return on_ground(theme.board, canvas.image())


def back_sign(theme: Theme, side: int) -> Image.Image:
    """Return the triskele that is on the back of every card."""
    canvas = Canvas(side, side)
    width = max(1.2, side * 0.055)
    for line in triskele(0.98):
        path = placed(line, (side / 2, side / 2 + side * 0.06), side / 2 * 0.94)
        canvas.line(shifted(path, width * 0.4), width, lighter(theme.band, 0.5))
        canvas.line(path, width, mix(theme.ink, theme.band, 0.25))
    return canvas.image()


def notches(theme: Theme, side: int) -> tuple[Image.Image, ...]:
    """Return groups of one, three and two strokes, as druids cut their letters."""
    images: list[Image.Image] = []
    width = max(1.2, side * 0.13)
    for count in (1, 3, 2):
        canvas = Canvas(side, side)
        for stroke in range(count):
            x = side / 2 + (stroke - (count - 1) / 2) * side * 0.3
            path = [(x + side * 0.08, side * 0.16), (x - side * 0.08, side * 0.84)]
            canvas.line(shifted(path, width * 0.4), width, lighter(theme.band, 0.5))
            canvas.line(path, width, mix(theme.ink, theme.band, 0.3))
        images.append(canvas.image())
    return tuple(images)


def _outline(width: float, height: float, inset: float, cut: float, wobble: float) -> list[Point]:
    """Return a hewn rectangle: cut corners, and edges that are not quite straight."""
    left, top, right, bottom = inset, inset, width - inset, height - inset
    points: list[Point] = []
    sides = (
        ((left + cut, top), (right - cut, top)),
        ((right, top + cut), (right, bottom - cut)),
        ((right - cut, bottom), (left + cut, bottom)),
        ((left, bottom - cut), (left, top + cut)),
    )
    for number, ((x1, y1), (x2, y2)) in enumerate(sides):
        for step in range(6):
            part = step / 5
            off = wobble * math.sin(2.7 * number + 4.1 * part + 1.9 * part * part)
            across = off if number % 2 else 0.0
            down = 0.0 if number % 2 else off
            points.append((x1 + (x2 - x1) * part + across, y1 + (y2 - y1) * part + down))
    return points


def _inset(points: list[Point], width: float, height: float, by: float) -> list[Point]:
    middle_x, middle_y = width / 2, height / 2
    shrink_x, shrink_y = 1 - by / middle_x, 1 - by / middle_y
    return [
        (middle_x + (x - middle_x) * shrink_x, middle_y + (y - middle_y) * shrink_y)
        for x, y in points
    ]


def _moved(box: Box, by: float) -> Box:
    left, top, right, bottom = box
    return (left + by, top + by, right + by, bottom + by)


def _grain(canvas: Canvas, theme: Theme, size: tuple[int, int], panel: Box) -> None:
    width, height = size
    unit = width / 280
    for fleck in range(_FLECKS):
        x = (0.04 + 0.92 * _scatter(fleck, 0.7548776662)) * width
        y = (0.04 + 0.92 * _scatter(fleck, 0.5698402910)) * height
        turn, reach = 6.3 * _scatter(fleck, 0.618034), (1 + 3 * _scatter(fleck, 0.324718)) * unit
        left, top, right, bottom = panel
        ground = theme.panel if left < x < right and top < y < bottom else theme.band
        paint = darker(ground, 0.1 * theme.grain) if fleck % 3 else lighter(ground, 0.3)
        across, down = reach * math.cos(turn), reach * math.sin(turn)
        canvas.line([(x - across, y - down), (x + across, y + down)], 1.6 * unit, paint)


def _scatter(index: int, step: float) -> float:
    return (0.5 + step * index) % 1.0
