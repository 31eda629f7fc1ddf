"""The gallery: every kind of picture, in every theme, in every width."""

from __future__ import annotations

from bot.pictures.gallery import EXAMPLES, WIDTHS, write_gallery
from bot.pictures.scenes import Scene
from bot.pictures.theme import THEMES
from tests.pictures.examples import opened


def test_every_kind_of_picture_is_in_the_gallery() -> None:
    assert {type(scene) for scene in EXAMPLES.values()} == set(Scene.__args__)


def test_every_theme_is_written_in_every_width(tmp_path) -> None:
    written = write_gallery(tmp_path)
    names = {path.name for path in tmp_path.iterdir()}
    assert written == len(names)
    for theme in THEMES:
        for kind in EXAMPLES:
            full = opened((tmp_path / f"{theme}-{kind}.png").read_bytes())
            for width in WIDTHS:
                if width < full.width:
                    scaled = opened((tmp_path / f"{theme}-{kind}-{width}.png").read_bytes())
                    assert scaled.width == width
                    assert abs(scaled.height / width - full.height / full.width) < 0.01
