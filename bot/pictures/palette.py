"""Mixing colours, and images that share one palette of at most 256."""

from __future__ import annotations

import math
from collections import OrderedDict
from typing import TYPE_CHECKING, Final

from PIL import Image

if TYPE_CHECKING:
    from collections.abc import Callable, Hashable, Iterable

    from bot.pictures.theme import Colour

BUDGET: Final = 8 * 2**20
"""How many bytes of images a `SpriteCache` keeps."""

_BLACK: Final = (0, 0, 0)
_WHITE: Final = (255, 255, 255)
_COLOURS: Final = 256
# Pillow looks for the nearest colour in cells of four levels a channel.
_CELL: Final = 4


def mix(one: Colour, other: Colour, fraction: float) -> Colour:
    """Return the colour that lies a fraction (0 to 1) of the way from one to the other."""
    red, green, blue = (round(a + (b - a) * fraction) for a, b in zip(one, other, strict=True))
    return (red, green, blue)


def darker(colour: Colour, fraction: float) -> Colour:
    """Return a colour moved towards black."""
    return mix(colour, _BLACK, fraction)


def lighter(colour: Colour, fraction: float) -> Colour:
    """Return a colour moved towards white."""
    return mix(colour, _WHITE, fraction)


class Palette:
    """At most 256 colours: some exactly as given, and others that fit samples best.

    Args:
        exact: colours that must be in the palette; they come first.
        samples: opaque images whose colours the others should fit.
    """

    def __init__(self, exact: Iterable[Colour], samples: Iterable[Image.Image]) -> None:
        own = list(dict.fromkeys(exact))
        taken = {_snapped(colour) for colour in own}
        fitted = _fitted(samples, _COLOURS - len(own))
        others = (colour for colour in fitted if _snapped(colour) not in taken)
        self.colours: tuple[Colour, ...] = (*own, *others)
        self._flat = [level for colour in self.colours for level in colour]
        self._reference = Image.new("P", (1, 1))
        self._reference.putpalette([level for c in self.colours for level in _snapped(c)])

    def blank(self, size: tuple[int, int], colour: Colour) -> Image.Image:
        """Return an image of one colour, which must be one of the exact colours."""
        image = Image.new("P", size, self.colours.index(colour))
        image.putpalette(self._flat)
        return image

    def reduced(self, image: Image.Image) -> Image.Image:
        """Return an image in the palette's colours, each pixel in the nearest one."""
        opaque = image if image.mode == "RGB" else image.convert("RGB")
        reduced = opaque.quantize(palette=self._reference, dither=Image.Dither.NONE)
        reduced.putpalette(self._flat)
        return reduced


class SpriteCache:
    """Palette images, drawn when first needed and kept while they fit into `BUDGET`.

    Attributes:
        kept_bytes: how much the kept images take.
    """

    def __init__(self, palette: Palette) -> None:
        self._palette = palette
        self._kept: OrderedDict[Hashable, Image.Image] = OrderedDict()
        self.kept_bytes = 0

    def get(self, key: Hashable, draw: Callable[[], Image.Image]) -> Image.Image:
        """Return the image of a key; `draw` makes it in full colour if it is not kept."""
        if key in self._kept:
            self._kept.move_to_end(key)
            return self._kept[key]
        image = self._palette.reduced(draw())
        self._kept[key] = image
        self.kept_bytes += image.width * image.height
        while self.kept_bytes > BUDGET:
            _, old = self._kept.popitem(last=False)
            self.kept_bytes -= old.width * old.height
        return image


def _fitted(samples: Iterable[Image.Image], count: int) -> list[Colour]:
    """Return colours that fit samples; a rare colour counts for more than its pixels."""
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
    """Return the corner of the cell that Pillow searches: it finds a colour there exactly."""
    red, green, blue = (level - level % _CELL for level in colour)
    return (red, green, blue)
