"""Palette PNG files whose unchanged parts are deflated once.

When a card is taken from a table, one row of six changes. So a picture is a stack of strips, and
each strip has a key. A strip is deflated alone and ends in a full flush, after which another strip
can follow in the same stream (zlib manual, Z_FULL_FLUSH).

Strips are deflated quickly where several are new at once, as at the start of a round, or where
other pictures wait. When later pictures show them again, they are deflated thoroughly, one strip
a picture. Filters do not make palette pictures smaller, so there are none.
"""

from __future__ import annotations

import zlib
from collections import OrderedDict
from dataclasses import dataclass
from struct import pack
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from collections.abc import Callable, Hashable, Iterable, Iterator, Sequence

    from PIL import Image

    from bot.pictures.theme import Colour

BUDGET: Final = 16 * 2**20
"""How many bytes of deflated strips an encoder keeps: the tables of a hundred races at once."""

_SIGNATURE: Final = b"\x89PNG\r\n\x1a\n"
_HEADER: Final = b"\x78\x9c"
_END: Final = b"\x03\x00"
_THOROUGH: Final = 6
_BRISK: Final = 3
_QUICK: Final = 1
_EIGHT_BITS: Final = 8
_INDEXED: Final = 3
_ADLER: Final = 65521


@dataclass(frozen=True, slots=True)
class Strip:
    """A part of a picture, as wide as the whole.

    Attributes:
        key: strips with equal keys have equal pixels.
        draw: returns the strip as a palette image, which is valid until the next strip is drawn.
    """

    key: Hashable
    draw: Callable[[], Image.Image]


@dataclass(frozen=True, slots=True)
class _Packed:
    deflated: bytes
    check: int
    length: int
    level: int


class Encoder:
    """Writes pictures of one palette, and keeps their deflated strips while they fit `BUDGET`.

    Attributes:
        kept_bytes: how much the kept strips take.
    """

    def __init__(self, colours: tuple[Colour, ...]) -> None:
        self._palette = _chunk(b"PLTE", bytes(part for colour in colours for part in colour))
        self._kept: OrderedDict[Hashable, _Packed] = OrderedDict()
        self.kept_bytes = 0

    def encode(
        self, size: tuple[int, int], strips: Iterable[Strip], *, quick: bool = False
    ) -> bytes:
        """Return a file of IHDR, PLTE, IDAT and IEND.

        Args:
            size: width and height in pixels.
            strips: the strips from top to bottom.
            quick: whether new strips are deflated quickly.
        """
        listed = tuple(strips)
        check = 1
        stream = [_HEADER]
        for strip, level in zip(listed, self._levels(listed, quick=quick), strict=True):
            packed = self._packed(strip, level)
            check = _joined(check, packed)
            stream.append(packed.deflated)
        stream += [_END, pack(">I", check)]
        return b"".join(
            (
                _SIGNATURE,
                _chunk(b"IHDR", pack(">IIBBBBB", *size, _EIGHT_BITS, _INDEXED, 0, 0, 0)),
                self._palette,
                _chunk(b"IDAT", b"".join(stream)),
                _chunk(b"IEND", b""),
            )
        )

    def _levels(self, strips: Sequence[Strip], *, quick: bool) -> Iterator[int]:
        """Yield the level at which each strip is deflated, so that no picture takes long."""
        new = sum(strip.key not in self._kept for strip in strips)
        turns = 1 if len(strips) > 1 >= new and not quick else 0
        for strip in strips:
            kept = self._kept.get(strip.key)
            if kept is None:
                yield _QUICK if new > 1 else _BRISK if quick else _THOROUGH
            elif kept.level < _THOROUGH and turns:
                turns -= 1
                yield _THOROUGH
            else:
                yield kept.level

    def _packed(self, strip: Strip, level: int) -> _Packed:
        kept = self._kept.pop(strip.key, None)
        if kept is not None:
            self.kept_bytes -= len(kept.deflated)
        packed = kept if kept is not None and kept.level >= level else _pack(strip.draw(), level)
        self._kept[strip.key] = packed
        self.kept_bytes += len(packed.deflated)
        while self.kept_bytes > BUDGET:
            _, old = self._kept.popitem(last=False)
            self.kept_bytes -= len(old.deflated)
        return packed


def _pack(image: Image.Image, level: int) -> _Packed:
    # Cropping beyond the left edge puts a zero before each line: the number of the filter "none".
    lines = image.crop((-1, 0, *image.size)).tobytes()
    packer = zlib.compressobj(level, zlib.DEFLATED, -zlib.MAX_WBITS)
    deflated = packer.compress(lines) + packer.flush(zlib.Z_FULL_FLUSH)
    return _Packed(deflated, zlib.adler32(lines), len(lines), level)


def _joined(check: int, packed: _Packed) -> int:
    """Return the Adler-32 checksum of data with the checksum `check` followed by a strip."""
    low, high = check & 0xFFFF, check >> 16
    low_after = low + (packed.check & 0xFFFF) - 1
    high_after = high + (packed.check >> 16) + packed.length * (low - 1)
    return (high_after % _ADLER) << 16 | low_after % _ADLER


def _chunk(kind: bytes, body: bytes) -> bytes:
    return pack(">I", len(body)) + kind + body + pack(">I", zlib.crc32(kind + body))
