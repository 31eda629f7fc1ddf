"""The table: six rows of ten places, open or covered."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING, Final

from bot.pictures.faces import TABLE_CARD
from bot.pictures.png import Strip

if TYPE_CHECKING:
    from collections.abc import Iterator

    from bot.pictures.ink import Picture
    from bot.pictures.scenes import TableScene
    from bot.pictures.sprites import Sprites

SIZE: Final = (1200, 810)

_COLUMNS: Final = 10
_ROWS: Final = 6
_PITCH: Final = (119, 134)
_CORNER: Final = (7, 5)


def table_strips(sprites: Sprites, scene: TableScene) -> Iterator[Strip]:
    """The open table, row by row."""
    for row in range(_ROWS):
        places = slice(row * _COLUMNS, (row + 1) * _COLUMNS)
        cards, taken = scene.cards[places], scene.taken[places]
        yield Strip((row, cards, taken), partial(_open_row, sprites, row, cards, taken))


def covered_strips(sprites: Sprites) -> Iterator[Strip]:
    """The table face down, row by row."""
    for row in range(_ROWS):
        yield Strip((row, "covered"), partial(_covered_row, sprites, row))


def _open_row(
    sprites: Sprites, row: int, cards: tuple[int, ...], taken: tuple[int | None, ...]
) -> Picture:
    picture = _ground(sprites, row)
    for column, (card, seat) in enumerate(zip(cards, taken, strict=True)):
        if seat is None:
            _lay(picture, column, sprites.faces[card], sprites.numbers[row * _COLUMNS + column])
        else:
            picture.paste(sprites.slots[seat], _corner(column))
    return picture


def _covered_row(sprites: Sprites, row: int) -> Picture:
    picture = _ground(sprites, row)
    for column in range(_COLUMNS):
        _lay(picture, column, sprites.back, sprites.numbers[row * _COLUMNS + column])
    return picture


def _ground(sprites: Sprites, row: int) -> Picture:
    """The board that a row's ten places cover; one for all rows, since making it takes long."""
    last = row == _ROWS - 1
    return sprites.ground((SIZE[0], SIZE[1] - (_ROWS - 1) * _PITCH[1] if last else _PITCH[1]))


def _lay(picture: Picture, column: int, card: Picture, number: Picture) -> None:
    x, y = _corner(column)
    picture.paste(card, (x, y))
    left, top, _, _ = TABLE_CARD.number_box
    picture.paste(number, (x + left, y + top))


def _corner(column: int) -> tuple[int, int]:
    return (_CORNER[0] + _PITCH[0] * column, _CORNER[1])
