"""What a frame of the table costs, beside the plain way of drawing it, in CPU time of one run.

``pytest -n 0 --benchmark-enable tests/bench/test_frames.py`` reports the ratios.
"""

from __future__ import annotations

import sys
from dataclasses import replace
from io import BytesIO
from time import process_time
from typing import TYPE_CHECKING

import pytest
from PIL import Image

from bot.pictures.rox.cards import TABLE_CARD, CardRenderer
from bot.pictures.rox.painter import RoxPainter
from bot.pictures.rox.theme import ROX_THEMES
from tests.kit.pictures.examples import LAST_CARDS, opened, race_frames, table

if TYPE_CHECKING:
    from collections.abc import Callable

    from pytest_benchmark.fixture import BenchmarkFixture

    from bot.pictures.rox.scenes import TableScene

THEME = ROX_THEMES["stones"]
TABLE_SIZE = (1200, 810)
CLAIMS = 20


class PlainWay:
    """Sixty RGB sprites pasted onto an RGB picture, encoded as Pillow encodes by default."""

    def __init__(self) -> None:
        cards = CardRenderer(THEME, TABLE_CARD)
        self.faces = [cards.face(card) for card in range(60)]
        for place, face in enumerate(self.faces):
            face.paste(cards.number(10 + place), TABLE_CARD.number_box[:2])
        self.slots = [cards.slot(seat) for seat in range(4)]

    def draw(self, scene: TableScene) -> bytes:
        picture = Image.new("RGB", TABLE_SIZE, THEME.board)
        for place, (card, seat) in enumerate(zip(scene.cards, scene.taken, strict=True)):
            corner = (7 + 119 * (place % 10), 5 + 134 * (place // 10))
            picture.paste(self.faces[card] if seat is None else self.slots[seat], corner)
        out = BytesIO()
        picture.save(out, "PNG")
        return out.getvalue()


def cpu(draw: Callable[[TableScene], bytes], frames: list[TableScene]) -> list[float]:
    """The CPU time of each frame, in milliseconds."""
    times: list[float] = []
    for frame in frames:
        start = process_time()
        draw(frame)
        times.append(1000 * (process_time() - start))
    return times


def middle(times: list[float]) -> float:
    return sorted(times)[len(times) // 2]


def test_a_frame_beside_the_plain_way(
    benchmark: BenchmarkFixture, capsys: pytest.CaptureFixture[str]
) -> None:
    artist, plain_way = RoxPainter("stones"), PlainWay()
    artist.draw(LAST_CARDS)
    rounds = 15 if benchmark.enabled else 1
    opening: list[float] = []
    following: list[float] = []
    plain: list[float] = []
    for seed in range(rounds):
        frames = race_frames(seed)
        first, *others = cpu(artist.draw, frames)
        opening.append(first)
        following += others
        plain += cpu(plain_way.draw, frames[:: 5 if benchmark.enabled else 20])
    whole = (sum(opening) + sum(following)) / (len(opening) + len(following))
    figures = {
        "plain way, ms": middle(plain),
        "a round's first frame, ms": middle(opening),
        "a frame after a claim, ms": middle(following),
        "plain / first frame": middle(plain) / middle(opening),
        "plain / frame after a claim": middle(plain) / middle(following),
        "plain / mean of a round": middle(plain) / whole,
        "bytes": len(artist.draw(race_frames(0)[0])),
        "bytes, plain way": len(plain_way.draw(race_frames(0)[0])),
    }
    benchmark.extra_info.update(figures)
    if benchmark.enabled:
        with capsys.disabled():
            lines = (f"  {name}: {value:.1f}\n" for name, value in figures.items())
            sys.stdout.write("\n" + "".join(lines))
    endless = iter(race_frames(99) * 1000)
    png = benchmark(lambda: artist.draw(next(endless)))
    assert opened(png).size == TABLE_SIZE


@pytest.mark.parametrize("theme", list(ROX_THEMES))
def test_the_start_of_a_theme(benchmark: BenchmarkFixture, theme: str) -> None:
    png = benchmark.pedantic(lambda: RoxPainter(theme).draw(table()), rounds=3)
    assert opened(png).mode == "P"


def test_last_cards(benchmark: BenchmarkFixture) -> None:
    artist = RoxPainter("stones")
    scenes = [
        replace(LAST_CARDS, hands=tuple(replace(h, card=(n + 13 * h.seat) % 60) for h in hands))
        for n in range(60)
        for hands in [LAST_CARDS.hands]
    ]
    endless = iter(scenes * 1000)
    png = benchmark(lambda: artist.draw(next(endless)))
    assert opened(png).size == artist.size(LAST_CARDS)
