"""The check: every row in full, and what the magic eye sees below each card."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING, Final

from bot.pictures import sprites as pieces
from bot.pictures.faces import VERDICT_CARD
from bot.pictures.png import Strip
from game.rox.cards import DECK

if TYPE_CHECKING:
    from collections.abc import Iterator

    from bot.pictures.ink import Picture
    from bot.pictures.scenes import VerdictRow, VerdictScene
    from bot.pictures.sprites import Sprites

_WIDTH: Final = 1200
_ROW: Final = 240
_EDGE: Final = 12
_FIRST_CARD: Final = 122
_PITCH: Final = 154
_ROOM: Final = 6 * _PITCH
_CARD_TOP: Final = 10
_EYE_TOP: Final = _CARD_TOP + VERDICT_CARD.height + 6
_PRIZE_LEFT: Final = _WIDTH - pieces.PRIZE - 14


def verdict_size(rows: int) -> tuple[int, int]:
    """Width and height of a check of so many rows."""
    return (_WIDTH, 2 * _EDGE + _ROW * rows)


def verdict_strips(sprites: Sprites, scene: VerdictScene) -> Iterator[Strip]:
    """The rows as far as the eye has looked at them, between two edges."""
    edge = Strip("edge", lambda: sprites.palette.sheet((_WIDTH, _EDGE), sprites.theme.board))
    yield edge
    for number, row in enumerate(scene.rows):
        first = number == 0
        yield Strip((row, first), partial(_draw_strip, sprites, row, first=first))
    yield edge


def _draw_strip(sprites: Sprites, row: VerdictRow, *, first: bool) -> Picture:
    picture = sprites.palette.sheet((_WIDTH, _ROW), sprites.theme.board)
    if not first:
        line = sprites.palette.sheet((_WIDTH - 2 * _EDGE, 2), sprites.theme.slot)
        picture.paste(line, (_EDGE, 0))
    middle = _CARD_TOP + (VERDICT_CARD.height - pieces.SEAT) // 2
    picture.paste(sprites.seat(row.seat, caller=row.caller), (_EDGE, middle))
    _draw_row(sprites, picture, row)
    if row.prize is not None:
        above = _CARD_TOP + (VERDICT_CARD.height - pieces.PRIZE) // 2
        picture.paste(sprites.prize(row.prize), (_PRIZE_LEFT, above))
    return picture


def _draw_row(sprites: Sprites, picture: Picture, row: VerdictRow) -> None:
    pitch = min(_PITCH, _ROOM // max(1, len(row.cards)))
    for place, card in enumerate(row.cards):
        left = _FIRST_CARD + pitch * place
        eye_left = left + (VERDICT_CARD.width - pieces.EYE[0]) // 2
        if not row.revealed:
            picture.paste(sprites.covered(), (left, _CARD_TOP))
            picture.paste(sprites.eye(None), (eye_left, _EYE_TOP))
            continue
        holds = place < row.valid
        picture.paste(sprites.judged(card, holds=holds), (left, _CARD_TOP))
        picture.paste(sprites.eye(DECK[card].answer, holds=holds), (eye_left, _EYE_TOP))
        if place:
            _draw_link(sprites, picture, row, place, left)


def _draw_link(sprites: Sprites, picture: Picture, row: VerdictRow, place: int, left: int) -> None:
    """The link from the card before `place`, whose left edge is given."""
    if place > row.valid:
        return
    gap = _PITCH - VERDICT_CARD.width
    across = left - gap // 2 - pieces.LINK[0] // 2
    down = _EYE_TOP + (pieces.EYE[1] - pieces.LINK[1]) // 2
    picture.paste(sprites.link(holds=place < row.valid), (across, down))
    if place == row.valid:
        crack_left = left - gap // 2 - pieces.CRACK[0] // 2
        picture.paste(sprites.crack(), (crack_left, _CARD_TOP))
