"""One palette for everything that a theme draws."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Final

from PIL import Image

if TYPE_CHECKING:
    from collections.abc import Iterable

    from bot.pictures.ink import Picture
    from bot.pictures.theme import Colour, Theme

_COLOURS: Final = 256
# Pillow looks for the nearest colour in cells of four levels a channel.
_CELL: Final = 4


class Palette:
    """At most 256 colours: the theme's own, exactly, and those that fit the samples best."""

    def __init__(self, theme: Theme, samples: Iterable[Picture]) -> None:
        own = list(dict.fromkeys(_own(theme)))
        taken = {_snapped(colour) for colour in own}
        fitted = _fitted(samples, _COLOURS - len(own))
        apart = (colour for colour in fitted if _snapped(colour) not in taken)
        self.colours: tuple[Colour, ...] = (*own, *apart)
        self._flat = [part for colour in self.colours for part in colour]
        self._reference = Image.new("P", (1, 1))
        self._reference.putpalette([part for c in self.colours for part in _snapped(c)])

    def sheet(self, size: tuple[int, int], colour: Colour) -> Picture:
        """An empty picture in one of the theme's own colours."""
        picture = Image.new("P", size, self.colours.index(colour))
        picture.putpalette(self._flat)
        return picture

    def reduced(self, picture: Picture) -> Picture:
        """A picture in the palette's colours, each pixel in the nearest one."""
        plain = picture if picture.mode == "RGB" else picture.convert("RGB")
        reduced = plain.quantize(palette=self._reference, dither=Image.Dither.NONE)
        reduced.putpalette(self._flat)
        return reduced


def _own(theme: Theme) -> Iterable[Colour]:
    yield from (theme.board, theme.slot, theme.band, theme.panel, theme.ink)
    yield from (theme.chalk, theme.gold, theme.breach)
    yield from theme.elements.values()
    yield from theme.seats


def _fitted(samples: Iterable[Picture], count: int) -> list[Colour]:
    """Colours for the samples, where a rare colour counts for more than its pixels."""
    pixels = bytearray()
    for sample in samples:
        for often, colour in sample.getcolors(sample.width * sample.height) or ():
            if isinstance(colour, tuple):
                pixels += bytes(colour[:3]) * math.isqrt(often)
    strip = Image.frombytes("RGB", (len(pixels) // 3, 1), bytes(pixels))
    reduced = strip.quantize(count, Image.Quantize.MEDIANCUT, kmeans=1)
    flat = reduced.getpalette() or []
    return [(flat[i], flat[i + 1], flat[i + 2]) for i in range(0, min(len(flat), 3 * count), 3)]


def _snapped(colour: Colour) -> Colour:
    """The corner of the cell that Pillow looks for: it finds a colour there exactly."""
    red, green, blue = (part - part % _CELL for part in colour)
    return (red, green, blue)
