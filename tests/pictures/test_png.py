"""The encoder of palette PNG files."""

from __future__ import annotations

import zlib
from random import Random
from typing import TYPE_CHECKING

from hypothesis import given
from hypothesis import strategies as st
from PIL import Image

from bot.pictures import png
from bot.pictures.png import Encoder, Strip
from tests.kit.pictures.examples import opened

if TYPE_CHECKING:
    import pytest

COLOURS = tuple((i, 255 - i, i // 2) for i in range(256))


def strip(pixels: bytes, width: int) -> Strip:
    picture = Image.frombytes("P", (width, len(pixels) // width), pixels)
    return Strip((pixels, width), lambda: picture)


@given(st.integers(1, 9), st.lists(st.binary(min_size=1, max_size=40), min_size=1, max_size=5))
def test_strips_decode_to_one_picture(width: int, parts: list[bytes]) -> None:
    parts = [part * width for part in parts]
    whole = b"".join(parts)
    encoder = Encoder(COLOURS)
    size = (width, len(whole) // width)
    for _ in range(len(parts) + 2):
        file = encoder.encode(size, [strip(part, width) for part in parts])
        assert opened(file).tobytes() == whole
        stream = file[file.index(b"IDAT") + 4 : -16]
        assert len(zlib.decompress(stream)) == len(whole) + size[1]


def test_strips_that_were_new_together_are_deflated_thoroughly_one_by_one() -> None:
    chance = Random(1)
    parts = [bytes(chance.choices(range(9), k=9000)) * 3 for _ in range(4)]
    drawn: list[int] = []

    def noted(number: int) -> Strip:
        plain = strip(parts[number], 100)
        return Strip(number, lambda: drawn.append(number) or plain.draw())

    encoder = Encoder(COLOURS)
    files = [encoder.encode((100, 1080), [noted(i) for i in range(4)]) for _ in range(7)]
    assert drawn == [0, 1, 2, 3, 0, 1, 2, 3]
    sizes = [len(file) for file in files]
    assert sizes == sorted(sizes, reverse=True)
    assert sizes[-1] < sizes[0]


def test_a_single_new_strip_is_deflated_thoroughly_at_once() -> None:
    part = bytes(Random(2).choices(range(9), k=9000)) * 3
    alone = len(Encoder(COLOURS).encode((100, 270), [strip(part, 100)]))
    encoder = Encoder(COLOURS)
    known = strip(b"\5" * 100, 100)
    before = len(encoder.encode((100, 1), [known]))
    assert len(encoder.encode((100, 271), [known, strip(part, 100)])) < alone + before


def test_strips_deflated_quickly_become_smaller_in_later_pictures() -> None:
    chance = Random(3)
    strips = [strip(bytes(chance.choices(range(9), k=9000)) * 3, 100) for _ in range(2)]
    encoder = Encoder(COLOURS)
    hurried = [len(encoder.encode((100, 540), strips, quick=True)) for _ in range(3)]
    assert len(set(hurried)) == 1
    calm = [len(encoder.encode((100, 540), strips)) for _ in range(3)]
    assert hurried[0] > calm[0] > calm[1] == calm[2]


def test_old_strips_are_dropped_beyond_the_budget(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(png, "BUDGET", 1000)
    encoder = Encoder(COLOURS)
    for value in range(200):
        encoder.encode((64, 64), [strip(bytes([value]) * 4096, 64)])
    kept = sum(len(packed.deflated) for packed in encoder._kept.values())
    assert kept == encoder._bytes <= 1000
