"""Elements and seat tokens differ in shape, and in colour for every kind of sight."""

from __future__ import annotations

from itertools import combinations

import pytest
from PIL import Image, ImageChops, ImageStat

from bot.pictures.rox.stones import stone
from bot.pictures.rox.theme import ELEMENT_EMOJI, ROX_THEMES, RoxTheme
from bot.pictures.theme import SEAT_EMOJI
from bot.pictures.tokens import token
from game.rox.cards import Element
from tests.kit.pictures.colour import SIGHTS, Colour, contrast, delta, lab

PAIRS = list(combinations(Element, 2))


@pytest.fixture(params=list(ROX_THEMES))
def theme(request: pytest.FixtureRequest) -> RoxTheme:
    return ROX_THEMES[request.param]


def on(ground: Colour, top: Image.Image) -> Image.Image:
    picture = Image.new("RGB", top.size, ground)
    picture.paste(top, (0, 0), top)
    return picture


@pytest.mark.parametrize(
    ("one", "other", "expected"),
    [
        ((50.0, 2.6772, -79.7751), (50.0, 0.0, -82.7485), 2.0425),
        ((50.0, 2.5, 0.0), (73.0, 25.0, -18.0), 27.1492),
        ((22.7233, 20.0904, -46.694), (23.0331, 14.973, -42.5619), 2.0373),
        ((2.0776, 0.0795, -1.135), (0.9033, -0.0636, -0.5514), 0.9082),
    ],
)
def test_colour_distances_match_the_published_ones(
    one: tuple[float, float, float], other: tuple[float, float, float], expected: float
) -> None:
    assert delta(one, other) == pytest.approx(expected, abs=5e-5)


@pytest.mark.parametrize("sight", SIGHTS)
def test_elements_differ_in_colour_for_every_kind_of_sight(theme: RoxTheme, sight: str) -> None:
    seen = {element: lab(colour, sight) for element, colour in theme.elements.items()}
    least = 20.0 if sight == "normal" else 12.0
    assert min(delta(seen[one], seen[other]) for one, other in PAIRS) >= least


@pytest.mark.parametrize("sight", SIGHTS)
def test_symbols_differ_in_colour_at_ten_pixels(theme: RoxTheme, sight: str) -> None:
    seen = {}
    for element in Element:
        small = on(theme.band, stone(theme, element, 17)).resize((10, 10), Image.Resampling.LANCZOS)
        core = small.crop((4, 5, 6, 7)).resize((1, 1), Image.Resampling.BOX)
        pixel = core.getpixel((0, 0))
        assert isinstance(pixel, tuple)
        seen[element] = lab((int(pixel[0]), int(pixel[1]), int(pixel[2])), sight)
    least = 20.0 if sight == "normal" else 12.0
    assert min(delta(seen[one], seen[other]) for one, other in PAIRS) >= least


def test_symbols_differ_in_shape_at_ten_pixels(theme: RoxTheme) -> None:
    masks = {e: stone(theme, e, 10).getchannel("A") for e in Element}
    for one, other in PAIRS:
        difference = ImageChops.difference(masks[one], masks[other])
        assert ImageStat.Stat(difference).mean[0] >= 0.08 * 255, (one, other)


def test_symbols_differ_in_greyscale_at_ten_pixels(theme: RoxTheme) -> None:
    greys = {e: on(theme.band, stone(theme, e, 10)).convert("L") for e in Element}
    for one, other in PAIRS:
        difference = ImageChops.difference(greys[one], greys[other])
        assert ImageStat.Stat(difference).rms[0] >= 30, (one, other)


def test_tokens_differ_in_shape_from_each_other_and_from_stones(theme: RoxTheme) -> None:
    shapes = [token(theme, seat, 16).getchannel("A") for seat in range(len(theme.seats))]
    stones = [stone(theme, element, 16).getchannel("A") for element in Element]
    for number, shape in enumerate(shapes):
        for other in (*shapes[:number], *stones):
            difference = ImageChops.difference(shape, other)
            assert ImageStat.Stat(difference).mean[0] >= 0.06 * 255


@pytest.mark.parametrize("sight", SIGHTS)
def test_tokens_differ_in_colour_for_every_kind_of_sight(theme: RoxTheme, sight: str) -> None:
    seen = [lab(colour, sight) for colour in theme.seats]
    assert min(delta(one, other) for one, other in combinations(seen, 2)) >= 10


def test_digits_and_marks_contrast_with_their_grounds(theme: RoxTheme) -> None:
    assert contrast(theme.ink, theme.panel) >= 10
    assert contrast(theme.chalk, theme.board) >= 7
    assert contrast(theme.breach, theme.board) >= 3
    assert all(contrast(colour, theme.slot) >= 3 for colour in theme.seats)
    assert contrast(theme.panel, theme.slot) >= 10


def test_every_element_and_seat_has_an_emoji_of_its_own() -> None:
    assert set(ELEMENT_EMOJI) == set(Element)
    assert len({*ELEMENT_EMOJI.values(), *SEAT_EMOJI}) == len(ELEMENT_EMOJI) + len(SEAT_EMOJI)
