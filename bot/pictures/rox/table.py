"""The cards that players look at: the table, every last card, and one card alone."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING, Final

from bot.pictures.png import Strip
from bot.pictures.rox.cards import HAND_CARD, SINGLE_CARD, TABLE_CARD
from bot.pictures.rox.theme import SEATS

if TYPE_CHECKING:
    from collections.abc import Iterator

    from PIL import Image

    from bot.pictures.rox.scenes import CardScene, LastCardsScene, TableScene
    from bot.pictures.rox.sprites import RoxSprites

TABLE_SIZE: Final = (1200, 810)
LAST_CARDS_SIZE: Final = (1200, 420)
CARD_SIZE: Final = (480, 568)

_COLUMNS: Final = 10
_ROWS: Final = 6
_PITCH: Final = (119, 134)
_CORNER: Final = (7, 5)
_BAR_TOP: Final = 8
_HAND_TOP: Final = 59


def table_strips(sprites: RoxSprites, scene: TableScene) -> Iterator[Strip]:
    """Yield the open table, row by row."""
    for row in range(_ROWS):
        places = slice(row * _COLUMNS, (row + 1) * _COLUMNS)
        cards, taken = scene.cards[places], scene.taken[places]
        yield Strip((row, cards, taken), partial(_open_row, sprites, row, cards, taken))


def covered_strips(sprites: RoxSprites) -> Iterator[Strip]:
    """Yield the table face down, row by row."""
    for row in range(_ROWS):
        yield Strip((row, "covered"), partial(_covered_row, sprites, row))


def draw_last_cards(sprites: RoxSprites, scene: LastCardsScene) -> Image.Image:
    """Return every last card under its player's bar; fewer than four are centred."""
    image = sprites.blank(LAST_CARDS_SIZE)
    pitch = LAST_CARDS_SIZE[0] // SEATS
    start = (LAST_CARDS_SIZE[0] - pitch * len(scene.hands)) // 2
    for place, hand in enumerate(scene.hands):
        left = start + pitch * place + (pitch - HAND_CARD.width) // 2
        image.paste(sprites.bar(hand.seat, hand.held, hand.full), (left, _BAR_TOP))
        shown = sprites.empty_hand(hand.seat) if hand.card is None else sprites.hand(hand.card)
        image.paste(shown, (left, _HAND_TOP))
    return image


def draw_card(sprites: RoxSprites, scene: CardScene) -> Image.Image:
    """Return one card alone."""
    image = sprites.blank(CARD_SIZE)
    left = (CARD_SIZE[0] - SINGLE_CARD.width) // 2
    top = (CARD_SIZE[1] - SINGLE_CARD.height) // 2
    image.paste(sprites.single(scene.card), (left, top))
    return image


def _open_row(
    sprites: RoxSprites, row: int, cards: tuple[int, ...], taken: tuple[int | None, ...]
) -> Image.Image:
    image = _board(sprites, row)
    for column, (card, seat) in enumerate(zip(cards, taken, strict=True)):
        if seat is None:
            _lay(image, column, sprites.faces[card], sprites.numbers[row * _COLUMNS + column])
        else:
            image.paste(sprites.slots[seat], _corner(column))
    return image


def _covered_row(sprites: RoxSprites, row: int) -> Image.Image:
    image = _board(sprites, row)
    for column in range(_COLUMNS):
        _lay(image, column, sprites.back, sprites.numbers[row * _COLUMNS + column])
    return image


def _board(sprites: RoxSprites, row: int) -> Image.Image:
    """Return the board of a row; its ten places cover all that an earlier row left on it."""
    last = row == _ROWS - 1
    height = TABLE_SIZE[1] - (_ROWS - 1) * _PITCH[1] if last else _PITCH[1]
    return sprites.reused((TABLE_SIZE[0], height))


def _lay(image: Image.Image, column: int, card: Image.Image, number: Image.Image) -> None:
    x, y = _corner(column)
    image.paste(card, (x, y))
    left, top, _, _ = TABLE_CARD.number_box
    image.paste(number, (x + left, y + top))


def _corner(column: int) -> tuple[int, int]:
    return (_CORNER[0] + _PITCH[0] * column, _CORNER[1])
