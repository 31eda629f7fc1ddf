"""Marks that only Rox draws: the magic eye, a break, the call, cards held."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Final

from bot.pictures.canvas import Canvas, faded, on_ground, stamp
from bot.pictures.palette import darker, mix
from bot.pictures.rox.stones import stone
from bot.pictures.tokens import token

if TYPE_CHECKING:
    from PIL import Image

    from bot.pictures.rox.theme import RoxTheme
    from bot.pictures.shapes import Line, Point
    from bot.pictures.theme import Theme
    from game.rox.cards import Element

_FADE: Final = 0.55
_CRACK: Final[Line] = (
    (0.1, -1.0),
    (-0.35, -0.62),
    (0.3, -0.38),
    (-0.3, -0.02),
    (0.35, 0.24),
    (-0.25, 0.58),
    (0.05, 1.0),
)


def _lids(width: float, height: float) -> tuple[list[Point], list[Point]]:
    """Return the upper and the lower lid of an eye that fills a box, from left to right."""
    steps = 28
    upper: list[Point] = []
    lower: list[Point] = []
    for step in range(steps + 1):
        part = step / steps
        bow = math.sin(math.pi * part) ** 0.8 * height / 2
        upper.append((width * part, height / 2 - bow))
        lower.append((width * part, height / 2 + bow))
    return upper, lower


def eye(theme: RoxTheme, element: Element | None, width: int, height: int) -> Image.Image:
    """Return the magic eye with an answer in it, or shut without one."""
    canvas = Canvas(width, height)
    rim = height * 0.06
    upper, lower = _lids(width - 4 * rim, height - 4 * rim)
    upper = [(x + 2 * rim, y + 2 * rim) for x, y in upper]
    lower = [(x + 2 * rim, y + 2 * rim) for x, y in lower]
    if element is None:
        shut = mix(theme.chalk, theme.board, 0.45)
        canvas.line(lower, rim, shut)
        for place in (0.22, 0.5, 0.78):
            x, y = lower[round(place * (len(lower) - 1))]
            lash = height * 0.15
            canvas.line([(x, y), (x + (place - 0.5) * lash, y + lash * 0.8)], rim, shut)
        return canvas.image()
    outline = [*upper, *reversed(lower)]
    canvas.line(outline, 2.4 * rim, theme.ink, closed=True)
    canvas.line(outline, 1.2 * rim, theme.gold, closed=True)
    canvas.polygon(outline, mix(theme.panel, theme.band, 0.15))
    image = canvas.image()
    side = round(height * 0.66)
    answer = stone(theme, element, side)
    image.alpha_composite(answer, ((width - side) // 2, (height - side) // 2))
    return image


def crack(theme: Theme, width: int, height: int) -> Image.Image:
    """Return the jagged line that marks where a row breaks."""
    canvas = Canvas(width, height)
    path = [(width / 2 + x * width * 0.6, height / 2 + y * (height / 2 - 3)) for x, y in _CRACK]
    canvas.line(path, width * 0.46, darker(theme.breach, 0.8))
    canvas.line(path, width * 0.3, theme.breach)
    return canvas.image()


def caller(theme: Theme, seat: int, side: int) -> Image.Image:
    """Return a token amid rays, for the seat that called."""
    canvas = Canvas(side, side)
    half = side / 2
    for ray in range(16):
        angle = 2 * math.pi * ray / 16
        near = 0.72
        far = 0.96 if ray % 2 == 0 else 0.85
        ends = [
            (half + half * r * math.cos(angle), half + half * r * math.sin(angle))
            for r in (near, far)
        ]
        canvas.line(ends, side * 0.045, theme.gold)
    image = canvas.image()
    inner = round(side * 0.62)
    image.alpha_composite(token(theme, seat, inner), ((side - inner) // 2, (side - inner) // 2))
    return image


def struck(theme: Theme, face: Image.Image, centre: Image.Image) -> Image.Image:
    """Return a card that goes back: faded and struck through, its centre stone still visible."""
    card = faded(face, theme.board, _FADE)
    width, height = face.size
    canvas = Canvas(width, height)
    inset = width * 0.1
    path = [(inset, height - inset), (width - inset, inset)]
    canvas.line(path, width * 0.085, darker(theme.breach, 0.75))
    canvas.line(path, width * 0.05, theme.breach)
    stamp(card, canvas.image(), 0, 0)
    plain = on_ground(theme.panel, centre)
    corner = (round((width - centre.width) / 2), round((height - centre.height) / 2))
    card.paste(faded(plain, theme.board, _FADE * 0.7), corner, centre)
    return card


def held(theme: Theme, seat: int, count: int, full: int, size: tuple[int, int]) -> Image.Image:
    """Return a bar of small stones, one for each card that a seat holds, behind its token."""
    width, height = size
    colour = theme.seats[seat]
    canvas = Canvas(width, height)
    canvas.rounded_rectangle((0, 0, width, height), height / 2, colour)
    line = height * 0.08
    inside = (line, line, width - line, height - line)
    canvas.rounded_rectangle(inside, height / 2 - line, darker(colour, 0.82))
    left, right = height * 1.18, width - height * 0.42
    step = (right - left) / full
    for place in range(full):
        box = (
            left + step * place + step * 0.13,
            height * 0.24,
            left + step * (place + 1) - step * 0.13,
            height * 0.76,
        )
        paint = theme.chalk if place < count else darker(colour, 0.62)
        canvas.rounded_rectangle(box, height * 0.12, paint)
    image = canvas.image()
    side = round(height * 0.78)
    image.alpha_composite(token(theme, seat, side), (round(height * 0.22), (height - side) // 2))
    return image
