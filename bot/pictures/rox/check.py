"""The check: every row in full, with the answers of the magic eye below the cards."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING, Final

from bot.pictures.png import Strip
from bot.pictures.rox.cards import CHECK_CARD
from bot.pictures.rox.sprites import CRACK, EYE, LINK, PRIZE, SEAT
from game.rox.cards import DECK

if TYPE_CHECKING:
    from collections.abc import Iterator

    from PIL import Image

    from bot.pictures.rox.scenes import CheckScene, CheckSceneRow
    from bot.pictures.rox.sprites import RoxSprites

_WIDTH: Final = 1200
_ROW: Final = 240
_EDGE: Final = 12
_FIRST_CARD: Final = 122
_PITCH: Final = 154
_ROOM: Final = 6 * _PITCH
_CARD_TOP: Final = 10
_EYE_TOP: Final = _CARD_TOP + CHECK_CARD.height + 6
_PRIZE_LEFT: Final = _WIDTH - PRIZE - 14


def check_size(rows: int) -> tuple[int, int]:
    """Return the width and height of a check with a number of rows."""
    return (_WIDTH, 2 * _EDGE + _ROW * rows)


def check_strips(sprites: RoxSprites, scene: CheckScene) -> Iterator[Strip]:
    """Yield the rows between two edges, as far as the eye has looked at them."""
    edge = Strip("edge", lambda: sprites.blank((_WIDTH, _EDGE)))
    yield edge
    for number, row in enumerate(scene.rows):
        first = number == 0
        yield Strip((row, first), partial(_draw_strip, sprites, row, first=first))
    yield edge


def _draw_strip(sprites: RoxSprites, row: CheckSceneRow, *, first: bool) -> Image.Image:
    image = sprites.blank((_WIDTH, _ROW))
    if not first:
        line = sprites.palette.blank((_WIDTH - 2 * _EDGE, 2), sprites.theme.slot)
        image.paste(line, (_EDGE, 0))
    middle = _CARD_TOP + (CHECK_CARD.height - SEAT) // 2
    image.paste(sprites.seat(row.seat, caller=row.caller), (_EDGE, middle))
    _draw_row(sprites, image, row)
    if row.prize is not None:
        above = _CARD_TOP + (CHECK_CARD.height - PRIZE) // 2
        image.paste(sprites.prize(row.prize), (_PRIZE_LEFT, above))
    return image


def _draw_row(sprites: RoxSprites, image: Image.Image, row: CheckSceneRow) -> None:
    pitch = min(_PITCH, _ROOM // max(1, len(row.cards)))
    for place, card in enumerate(row.cards):
        left = _FIRST_CARD + pitch * place
        eye_left = left + (CHECK_CARD.width - EYE[0]) // 2
        if not row.revealed:
            image.paste(sprites.covered(), (left, _CARD_TOP))
            image.paste(sprites.eye(None), (eye_left, _EYE_TOP))
            continue
        holds = place < row.valid
        image.paste(sprites.judged(card, holds=holds), (left, _CARD_TOP))
        image.paste(sprites.eye(DECK[card].answer, holds=holds), (eye_left, _EYE_TOP))
        if place:
            _draw_link(sprites, image, row, place, left)


def _draw_link(
    sprites: RoxSprites, image: Image.Image, row: CheckSceneRow, place: int, left: int
) -> None:
    """Draw the link from the card before `place`; `left` is the left edge of the card there."""
    if place > row.valid:
        return
    gap = _PITCH - CHECK_CARD.width
    across = left - gap // 2 - LINK[0] // 2
    down = _EYE_TOP + (EYE[1] - LINK[1]) // 2
    image.paste(sprites.link(holds=place < row.valid), (across, down))
    if place == row.valid:
        crack_left = left - gap // 2 - CRACK[0] // 2
        image.paste(sprites.crack(), (crack_left, _CARD_TOP))
