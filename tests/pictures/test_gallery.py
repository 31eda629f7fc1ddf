"""The gallery: every example, in every theme and width."""

from __future__ import annotations

from bot.pictures.gallery import WIDTHS, write_gallery
from bot.pictures.rox.game_pictures import ROX_PICTURES
from bot.pictures.theme import THEMES
from tests.kit.pictures.examples import opened


def test_every_class_of_scene_has_an_example() -> None:
    assert {type(scene) for scene in ROX_PICTURES.examples.values()} == set(ROX_PICTURES.scenes)


def test_every_theme_is_written_in_every_width(tmp_path) -> None:
    written = write_gallery(tmp_path, ROX_PICTURES)
    names = {path.name for path in tmp_path.iterdir()}
    assert written == len(names)
    for theme in THEMES:
        for kind in ROX_PICTURES.examples:
            full = opened((tmp_path / f"{theme}-{kind}.png").read_bytes())
            for width in WIDTHS:
                if width < full.width:
                    scaled = opened((tmp_path / f"{theme}-{kind}-{width}.png").read_bytes())
                    assert scaled.width == width
                    assert abs(scaled.height / width - full.height / full.width) < 0.01
