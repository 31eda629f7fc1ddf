"""Pictures stay legible at the sizes at which Discord shows them."""

from __future__ import annotations

from itertools import combinations
from typing import TYPE_CHECKING

import pytest
from PIL import Image, ImageChops, ImageStat

from bot.pictures.numerals import numerals
from bot.pictures.rox.cards import HAND_CARD, SINGLE_CARD, TABLE_CARD, CardSize, ring
from bot.pictures.rox.scenes import (
    CardScene,
    CoveredScene,
    LastCardsHand,
    LastCardsScene,
    TableScene,
)
from bot.pictures.rox.theme import ROX_THEMES
from bot.pictures.theme import THEMES
from game.rox.cards import DECK, Element
from tests.kit.pictures.colour import Colour, contrast, delta, lab
from tests.kit.pictures.examples import shown, table

if TYPE_CHECKING:
    from collections.abc import Iterator

    from bot.pictures.artist import Artist
    from bot.pictures.scenes import Scene

PHONES = (400, 330)
OPEN = table(taken=0)


def corner(place: int) -> tuple[int, int]:
    row, column = divmod(place, 10)
    return (7 + 119 * column, 5 + 134 * row)


def crop(picture: Image.Image, box: tuple[float, float, float, float]) -> Image.Image:
    """Return a part of a picture; the box is in pixels of its full size."""
    scale = picture.width / 1200
    left, top, right, bottom = (round(edge * scale) for edge in box)
    return picture.crop((left, top, right, bottom))


def number_part(picture: Image.Image, place: int) -> Image.Image:
    x, y = corner(place)
    left, top, right, bottom = TABLE_CARD.number_box
    return crop(picture, (x + left, y + top, x + right, y + bottom))


def stone_part(picture: Image.Image, place: int) -> Image.Image:
    x, y = corner(place)
    left, top, right, _ = (int(edge) for edge in TABLE_CARD.panel)
    return crop(picture, (x + left + 8, y + top, x + right - 8, y + TABLE_CARD.number_box[1]))


def extremes(picture: Image.Image) -> tuple[Colour, Colour]:
    """Return the darkest and the lightest grey, without one pixel in twenty at each end."""
    histogram = picture.convert("L").histogram()
    levels = [level for level in range(256) for _ in range(histogram[level])]
    low, high = levels[len(levels) // 20], levels[-1 - len(levels) // 20]
    return ((low, low, low), (high, high, high))


@pytest.mark.parametrize("width", PHONES)
@pytest.mark.parametrize("scene", [OPEN, CoveredScene()], ids=["open", "covered"])
def test_numbers_contrast_with_their_card_on_a_phone(
    artist: Artist, scene: Scene, width: int
) -> None:
    picture = shown(artist.draw(scene), width)
    assert min(contrast(*extremes(number_part(picture, place))) for place in range(60)) >= 7


@pytest.mark.parametrize("width", PHONES)
def test_stones_contrast_with_their_card_on_a_phone(artist: Artist, width: int) -> None:
    picture = shown(artist.draw(OPEN), width)
    assert min(contrast(*extremes(stone_part(picture, place))) for place in range(60)) >= 3


def average(pictures: list[Image.Image]) -> Image.Image:
    total = pictures[0]
    for number, picture in enumerate(pictures[1:], start=2):
        total = Image.blend(total, picture, 1 / number)
    return total


@pytest.mark.parametrize("mode", ["RGB", "L"])
@pytest.mark.parametrize("width", PHONES)
def test_every_stone_resembles_its_element_most(artist: Artist, width: int, mode: str) -> None:
    picture = shown(artist.draw(OPEN), width).convert(mode)
    side = (round(width / 25), round(width / 25))
    views = [stone_part(picture, place).resize(side) for place in range(60)]
    kinds = [DECK[card].centre for card in OPEN.cards]
    typical = {
        e: average([view for view, kind in zip(views, kinds, strict=True) if kind is e])
        for e in Element
    }

    def distance(view: Image.Image, element: Element) -> float:
        return sum(ImageStat.Stat(ImageChops.difference(view, typical[element])).rms)

    for view, kind in zip(views, kinds, strict=True):
        own, *others = sorted(Element, key=lambda element: distance(view, element))
        assert own is kind
        assert distance(view, own) * 1.5 < distance(view, others[0])


def test_digits_differ_at_the_height_of_a_phone() -> None:
    theme = THEMES["stones"]
    views: list[Image.Image] = []
    for digit in "0123456789":
        picture = Image.new("RGB", (40, 48), theme.panel)
        mark = numerals(digit, TABLE_CARD.number, theme.ink, None)
        picture.paste(mark, ((40 - mark.width) // 2, 2), mark)
        views.append(picture.convert("L").resize((11, 13), Image.Resampling.LANCZOS))
    for one, other in combinations(views, 2):
        assert ImageStat.Stat(ImageChops.difference(one, other)).rms[0] >= 28


def symbols(
    picture: Image.Image, size: CardSize, corner: tuple[int, int], scale: float
) -> Iterator[Colour]:
    """Yield the colour in the middle of every ring symbol."""
    for x, y in ring(size):
        reach = size.symbol * 0.18
        middle = (corner[0] + x, corner[1] + y + size.symbol * 0.08)
        box = [round(at * scale + side * reach * scale) for side in (-1, 1) for at in middle]
        left, top, right, bottom = box
        core = picture.crop((left, top, max(right, left + 1), max(bottom, top + 1)))
        red, green, blue = (round(level) for level in ImageStat.Stat(core).mean)
        yield (red, green, blue)


def read(colours: Iterator[Colour], palette: dict[Element, Colour]) -> list[Element]:
    known = {element: lab(colour) for element, colour in palette.items()}
    return [min(known, key=lambda e: delta(known[e], lab(colour))) for colour in colours]


@pytest.mark.parametrize("first", range(0, 60, 12))
def test_last_cards_can_be_counted_at_550_pixels(artist: Artist, first: int) -> None:
    cards = range(first, first + 4)
    scene = LastCardsScene(tuple(LastCardsHand(i, card, 3) for i, card in enumerate(cards)))
    picture = shown(artist.draw(scene), 550)
    for place, card in enumerate(cards):
        seen = symbols(picture, HAND_CARD, (10 + 300 * place, 59), 550 / 1200)
        assert read(seen, ROX_THEMES[artist.theme.name].elements) == list(DECK[card].edge)


@pytest.mark.parametrize("card", range(0, 60, 7))
def test_a_single_card_can_be_counted_on_a_phone(artist: Artist, card: int) -> None:
    picture = shown(artist.draw(CardScene(card)), 330)
    seen = symbols(picture, SINGLE_CARD, (12, 12), 330 / 480)
    assert read(seen, ROX_THEMES[artist.theme.name].elements) == list(DECK[card].edge)


def test_cards_on_the_table_can_be_counted_at_full_size(artist: Artist) -> None:
    picture = shown(artist.draw(TableScene(OPEN.cards, OPEN.taken)), 1200)
    for place, card in enumerate(OPEN.cards):
        seen = symbols(picture, TABLE_CARD, corner(place), 1.0)
        assert read(seen, ROX_THEMES[artist.theme.name].elements) == list(DECK[card].edge)


@pytest.mark.parametrize("card", range(0, 60, 7))
def test_symbols_of_a_ring_do_not_touch_at_550_pixels(artist: Artist, card: int) -> None:
    scene = LastCardsScene((LastCardsHand(0, card, 3),))
    picture = shown(artist.draw(scene), 550)
    places = list(ring(HAND_CARD))
    band = lab(artist.theme.band)
    for (x1, y1), (x2, y2) in zip(places, (*places[1:], places[0]), strict=True):
        at = (round((460 + (x1 + x2) / 2) * 550 / 1200), round((59 + (y1 + y2) / 2) * 550 / 1200))
        pixel = picture.getpixel(at)
        assert isinstance(pixel, tuple)
        assert delta(band, lab((int(pixel[0]), int(pixel[1]), int(pixel[2])))) < 12
