"""Marks that say what happened: the magic eye, the break, prizes, the call."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Final

from PIL import Image

from bot.pictures.ink import Picture, Sheet, darker, lighter, mix, stamp
from bot.pictures.parts import badge, numerals, stone
from bot.pictures.shapes import CRACK

if TYPE_CHECKING:
    from bot.pictures.shapes import Point
    from bot.pictures.theme import Colour, Theme
    from game.rox.elements import Element


_FADE: Final = 0.55


def _lids(width: float, height: float) -> tuple[list[Point], list[Point]]:
    """The upper and the lower lid of an eye that fills the box, from left to right."""
    steps = 28
    upper: list[Point] = []
    lower: list[Point] = []
    for step in range(steps + 1):
        part = step / steps
        bow = math.sin(math.pi * part) ** 0.8 * height / 2
        upper.append((width * part, height / 2 - bow))
        lower.append((width * part, height / 2 + bow))
    return upper, lower


def eye(theme: Theme, element: Element | None, width: int, height: int) -> Picture:
    """The magic eye with an answer in it; shut without one."""
    sheet = Sheet(width, height)
    rim = height * 0.06
    upper, lower = _lids(width - 4 * rim, height - 4 * rim)
    upper = [(x + 2 * rim, y + 2 * rim) for x, y in upper]
    lower = [(x + 2 * rim, y + 2 * rim) for x, y in lower]
    if element is None:
        shut = mix(theme.chalk, theme.board, 0.45)
        sheet.line(lower, rim, shut)
        for place in (0.22, 0.5, 0.78):
            x, y = lower[round(place * (len(lower) - 1))]
            lash = height * 0.15
            sheet.line([(x, y), (x + (place - 0.5) * lash, y + lash * 0.8)], rim, shut)
        return sheet.done()
    outline = [*upper, *reversed(lower)]
    sheet.line(outline, 2.4 * rim, theme.ink, closed=True)
    sheet.line(outline, 1.2 * rim, theme.gold, closed=True)
    sheet.fill(outline, mix(theme.panel, theme.band, 0.15))
    picture = sheet.done()
    side = round(height * 0.66)
    answer = stone(theme, element, side)
    picture.alpha_composite(answer, ((width - side) // 2, (height - side) // 2))
    return picture


def crack(theme: Theme, width: int, height: int) -> Picture:
    """The jagged line where a row breaks."""
    sheet = Sheet(width, height)
    path = [(width / 2 + x * width * 0.6, height / 2 + y * (height / 2 - 3)) for x, y in CRACK]
    sheet.line(path, width * 0.46, darker(theme.breach, 0.8))
    sheet.line(path, width * 0.3, theme.breach)
    return sheet.done()


def cross(colour: Colour, rim: Colour, side: int) -> Picture:
    """A bold diagonal cross."""
    sheet = Sheet(side, side)
    low, high = side * 0.2, side * 0.8
    for width, paint in ((side * 0.3, rim), (side * 0.2, colour)):
        sheet.line([(low, low), (high, high)], width, paint)
        sheet.line([(low, high), (high, low)], width, paint)
    return sheet.done()


def arrow(colour: Colour, width: int, height: int) -> Picture:
    """A bold arrow to the right."""
    sheet = Sheet(width, height)
    middle, pen = height / 2, height * 0.24
    tip = (width - pen * 0.7, middle)
    wing = height / 2 - pen / 2
    sheet.line([(pen / 2, middle), tip], pen, colour)
    sheet.line([(tip[0] - wing, middle - wing), tip, (tip[0] - wing, middle + wing)], pen, colour)
    return sheet.done()


def prize(theme: Theme, value: int, side: int) -> Picture:
    """A scoring card: a gold disc with its value."""
    sheet = Sheet(side, side)
    centre, radius = (side / 2, side / 2), side / 2
    sheet.disc(centre, radius - 0.5, darker(theme.gold, 0.6))
    sheet.disc((centre[0] - 0.5, centre[1] - 0.5), radius * 0.95, lighter(theme.gold, 0.35))
    sheet.disc(centre, radius * 0.9, theme.gold)
    for notch in range(24):
        angle = 2 * math.pi * notch / 24
        x, y = math.cos(angle), math.sin(angle)
        ends = [(centre[0] + x * r * radius, centre[1] + y * r * radius) for r in (0.79, 0.85)]
        sheet.line(ends, radius * 0.05, darker(theme.gold, 0.45))
    sheet.disc(centre, radius * 0.72, lighter(theme.gold, 0.22))
    picture = sheet.done()
    height = round(side * (0.46 if len(str(value)) == 1 else 0.4))
    text = numerals(str(value), height, theme.ink, lighter(theme.gold, 0.75))
    corner = ((side - text.width) // 2 + 1, (side - text.height) // 2 + 1)
    picture.alpha_composite(text, corner)
    return picture


def caller(theme: Theme, seat: int, side: int) -> Picture:
    """A badge amid rays: this seat called."""
    sheet = Sheet(side, side)
    half = side / 2
    for ray in range(16):
        angle = 2 * math.pi * ray / 16
        near = 0.72
        far = 0.96 if ray % 2 == 0 else 0.85
        ends = [
            (half + half * r * math.cos(angle), half + half * r * math.sin(angle))
            for r in (near, far)
        ]
        sheet.line(ends, side * 0.045, theme.gold)
    picture = sheet.done()
    inner = round(side * 0.62)
    picture.alpha_composite(badge(theme, seat, inner), ((side - inner) // 2, (side - inner) // 2))
    return picture


def dimmed(theme: Theme, picture: Picture, part: float) -> Picture:
    """An opaque picture faded towards the board."""
    return Image.blend(picture, Image.new("RGB", picture.size, theme.board), part)


def struck(theme: Theme, face: Picture, centre: Picture) -> Picture:
    """A card that goes back: faded and struck through, its centre stone still in view."""
    faded = dimmed(theme, face, _FADE)
    width, height = face.size
    sheet = Sheet(width, height)
    inset = width * 0.1
    path = [(inset, height - inset), (width - inset, inset)]
    sheet.line(path, width * 0.085, darker(theme.breach, 0.75))
    sheet.line(path, width * 0.05, theme.breach)
    stamp(faded, sheet.done(), 0, 0)
    plain = Image.new("RGB", centre.size, theme.panel)
    stamp(plain, centre, 0, 0)
    corner = (round((width - centre.width) / 2), round((height - centre.height) / 2))
    faded.paste(dimmed(theme, plain, _FADE * 0.7), corner, centre)
    return faded


def crown(theme: Theme, width: int, height: int) -> Picture:
    """A crown for who won."""
    sheet = Sheet(width, height)
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
    sheet.line(points, 2 * rim, darker(theme.gold, 0.7), closed=True)
    sheet.line(points, rim * 0.6, theme.gold, closed=True)
    sheet.fill(points, theme.gold)
    return sheet.done()


def held(theme: Theme, seat: int, count: int, full: int, size: tuple[int, int]) -> Picture:
    """A bar that says how many of the cards a seat holds: its badge and a small stone for each."""
    width, height = size
    colour = theme.seats[seat]
    sheet = Sheet(width, height)
    sheet.rounded((0, 0, width, height), height / 2, colour)
    line = height * 0.08
    inside = (line, line, width - line, height - line)
    sheet.rounded(inside, height / 2 - line, darker(colour, 0.82))
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
        sheet.rounded(box, height * 0.12, paint)
    picture = sheet.done()
    side = round(height * 0.78)
    picture.alpha_composite(badge(theme, seat, side), (round(height * 0.22), (height - side) // 2))
    return picture
