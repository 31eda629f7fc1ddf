"""The pictures of Rox: sizes, bytes, and what changes them."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

import pytest
from PIL import ImageChops

from bot.pictures import palette
from bot.pictures.rox.painter import RoxPainter
from bot.pictures.rox.scenes import (
    CardScene,
    CheckScene,
    CoveredScene,
    LastCardsHand,
    LastCardsScene,
    PodiumScene,
    TableScene,
)
from bot.pictures.theme import DEFAULT_THEME
from game.rox.cards import DECK
from tests.kit.pictures.examples import LAST_CARDS, PODIUM, SCENES, check, opened, table

if TYPE_CHECKING:
    from bot.pictures.artist import Artist
    from bot.pictures.scenes import Scene

KIB = 1024


def pixels(artist: Artist, scene: Scene) -> bytes:
    return opened(artist.draw(scene)).tobytes()


def chunks(png: bytes) -> list[bytes]:
    kinds, at = [], 8
    while at < len(png):
        length = int.from_bytes(png[at : at + 4], "big")
        kinds.append(png[at + 4 : at + 8])
        at += 12 + length
    return kinds


@pytest.mark.parametrize("kind", SCENES)
def test_a_picture_is_a_palette_png_without_extra_chunks(artist: Artist, kind: str) -> None:
    png = artist.draw(SCENES[kind])
    picture = opened(png)
    assert picture.mode == "P"
    assert picture.size == artist.size(SCENES[kind])
    assert chunks(png) == [b"IHDR", b"PLTE", b"IDAT", b"IEND"]
    assert not picture.info


def test_equal_scenes_have_equal_pixels_in_any_order_of_drawing() -> None:
    one, other = RoxPainter(DEFAULT_THEME), RoxPainter(DEFAULT_THEME)
    forwards = {kind: opened(one.draw(SCENES[kind])) for kind in SCENES}
    backwards = {kind: opened(other.draw(SCENES[kind])) for kind in reversed(SCENES)}
    assert forwards == backwards
    assert all(opened(one.draw(SCENES[kind])) == forwards[kind] for kind in SCENES)


def test_table_and_last_cards_fit_above_a_phone_s_keyboard() -> None:
    painter = RoxPainter(DEFAULT_THEME)
    width, table_height = painter.size(table())
    assert width == 1200
    assert painter.size(CoveredScene()) == (width, table_height)
    last_width, last_height = painter.size(LAST_CARDS)
    assert last_width == width
    assert (table_height + last_height) * 330 / width <= 340


@pytest.mark.parametrize(
    ("one", "other"),
    [
        (table(), table(seed=6, taken=40)),
        (LAST_CARDS, LastCardsScene((LastCardsHand(1, None, 0),))),
        (CardScene(0), CardScene(59)),
        (check(), check(revealed=0)),
        (PODIUM, PodiumScene(PODIUM.seats[:1])),
    ],
)
def test_the_size_does_not_depend_on_cards_or_hands(
    stones: Artist, one: Scene, other: Scene
) -> None:
    assert opened(stones.draw(one)).size == opened(stones.draw(other)).size


def test_bytes_stay_within_their_budgets(artist: Artist) -> None:
    full = LastCardsScene(tuple(LastCardsHand(seat, 11 + 13 * seat, 5) for seat in range(4)))
    assert all(len(artist.draw(table(seed, 4))) <= 130 * KIB for seed in range(3))
    assert len(artist.draw(CoveredScene())) <= 130 * KIB
    assert len(artist.draw(full)) <= 45 * KIB


def test_quick_pictures_stay_within_the_same_budgets_and_look_the_same(artist: Artist) -> None:
    for seed in range(10):
        scenes = (
            LastCardsScene(
                tuple(LastCardsHand(seat, (7 * seed + 13 * seat) % 60, 5) for seat in range(4))
            ),
            table(seed + 20, 4),
            table(seed + 20, 5),
        )
        for scene, most in zip(scenes, (45, 130, 130), strict=True):
            quick = artist.draw(scene, quick=True)
            assert len(quick) <= most * KIB
            assert opened(quick).tobytes() == opened(artist.draw(scene)).tobytes()


def test_taking_a_card_changes_its_place_and_nothing_else(stones: Artist) -> None:
    before = table(taken=0)
    for place in (0, 9, 33, 59):
        taken = tuple(2 if i == place else None for i in range(60))
        after = replace(before, taken=taken)
        change = ImageChops.difference(
            opened(stones.draw(before)).convert("RGB"), opened(stones.draw(after)).convert("RGB")
        ).getbbox()
        assert change is not None
        left, top, right, bottom = change
        row, column = divmod(place, 10)
        assert 119 * column <= left < right <= 119 * (column + 1) + 12
        assert 134 * row <= top < bottom <= 134 * (row + 1)


def test_the_slots_of_all_seats_differ(artist: Artist) -> None:
    before = table(taken=0)
    pictures = {
        pixels(artist, replace(before, taken=(seat,) + (None,) * 59)) for seat in (None, 0, 1, 2, 3)
    }
    assert len(pictures) == 5


def test_a_slot_is_much_darker_than_a_card(artist: Artist) -> None:
    before = table(taken=0)
    after = replace(before, taken=(1,) + (None,) * 59)
    box = (14, 12, 114, 128)
    levels = [
        sum(grey.histogram()[i] * i for i in range(256)) / (100 * 116)
        for grey in (opened(artist.draw(s)).convert("L").crop(box) for s in (before, after))
    ]
    assert levels[0] > 2.5 * levels[1]


def test_a_covered_row_shows_only_its_length(stones: Artist) -> None:
    hidden = check(revealed=0)
    others = tuple(
        replace(row, cards=tuple((card + 5) % 60 for card in row.cards), valid=1)
        for row in hidden.rows
    )
    assert opened(stones.draw(hidden)) == opened(stones.draw(CheckScene(others)))
    shorter = (replace(hidden.rows[0], cards=hidden.rows[0].cards[:-1]), *hidden.rows[1:])
    assert opened(stones.draw(hidden)) != opened(stones.draw(CheckScene(shorter)))


def test_every_field_of_a_check_row_changes_the_picture(stones: Artist) -> None:
    shown = check().rows[1]
    variants = (
        shown,
        replace(shown, valid=2),
        replace(shown, caller=True),
        replace(shown, prize=None),
        replace(shown, prize=5),
        replace(shown, seat=0),
        replace(shown, revealed=False),
    )
    assert len({pixels(stones, CheckScene((row,))) for row in variants}) == len(variants)


def test_cards_held_and_fields_of_a_podium_change_the_picture(stones: Artist) -> None:
    hands = {pixels(stones, LastCardsScene((LastCardsHand(0, 3, held),))) for held in range(7)}
    assert len(hands) == 7
    seat = PODIUM.seats[0]
    variants = (
        seat,
        replace(seat, place=1),
        replace(seat, total=15),
        replace(seat, out=True),
        replace(seat, rounds=(4, None, 6, 1, None)),
    )
    assert len({pixels(stones, PodiumScene((one,))) for one in variants}) == len(variants)


def test_the_faces_of_all_cards_differ(stones: Artist) -> None:
    assert len({pixels(stones, CardScene(card.id)) for card in DECK}) == len(DECK)


def test_cached_sprites_stay_within_their_budget(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(palette, "BUDGET", 400_000)
    painter = RoxPainter(DEFAULT_THEME)
    for card in range(12):
        painter.draw(LastCardsScene((LastCardsHand(0, card, 3),)))
    cache = painter._sprites._cache
    kept = sum(image.width * image.height for image in cache._kept.values())
    assert kept == cache._bytes <= 400_000


def test_a_table_needs_sixty_places(stones: Artist) -> None:
    with pytest.raises(ValueError, match="zip"):
        stones.draw(TableScene(tuple(range(60)), (None,) * 59))
