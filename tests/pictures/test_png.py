from __future__ import annotations

import zlib
from typing import TYPE_CHECKING

from hypothesis import given
from hypothesis import strategies as st
from PIL import Image

from bot.pictures import png
from bot.pictures.png import Encoder, Strip
from tests.pictures.examples import opened

if TYPE_CHECKING:
    import pytest

COLOURS = tuple((i, 255 - i, i // 2) for i in range(256))


def strip(pixels: bytes, width: int) -> Strip:
    picture = Image.frombytes("P", (width, len(pixels) // width), pixels)
    return Strip((pixels, width), lambda: picture)


@given(st.integers(1, 9), st.lists(st.binary(min_size=1, max_size=40), min_size=1, max_size=5))
def test_strips_read_back_as_one_picture(width: int, parts: list[bytes]) -> None:
    parts = [part * width for part in parts]
    whole = b"".join(parts)
    encoder = Encoder(COLOURS)
    size = (width, len(whole) // width)
    first = encoder.encode(size, [strip(part, width) for part in parts])
    again = encoder.encode(size, [strip(part, width) for part in parts])
    assert first == again
    assert opened(first).tobytes() == whole
    stream = first[first.index(b"IDAT") + 4 : -16]
    assert len(zlib.decompress(stream)) == len(whole) + size[1]


def test_a_known_strip_is_not_drawn_again() -> None:
    calls: list[int] = []

    def draw() -> Image.Image:
        calls.append(1)
        return Image.new("P", (8, 8), 3)

    encoder = Encoder(COLOURS)
    for _ in range(3):
        encoder.encode((8, 16), [Strip("upper", draw), Strip("upper", draw)])
    assert len(calls) == 1


def test_strips_are_forgotten_beyond_the_budget(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(png, "BUDGET", 1000)
    encoder = Encoder(COLOURS)
    for value in range(200):
        encoder.encode((64, 64), [strip(bytes([value]) * 4096, 64)])
    kept = sum(len(packed.deflated) for packed in encoder._kept.values())
    assert kept == encoder._bytes <= 1000
