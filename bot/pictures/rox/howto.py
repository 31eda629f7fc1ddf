"""A turn in one worked example.

The player counts the ring, finds a card whose centre is the most frequent element, and types its
number.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from bot.pictures.canvas import Canvas, stamp
from bot.pictures.marks import arrow, bubble
from bot.pictures.palette import mix
from bot.pictures.rox.cards import EXAMPLE_CARD, HAND_CARD, CardRenderer
from bot.pictures.rox.marks import eye
from bot.pictures.rox.stones import stone
from game.rox.cards import DECK, Difficulty

if TYPE_CHECKING:
    from PIL import Image

    from bot.pictures.rox.sprites import RoxSprites
    from bot.pictures.rox.theme import RoxTheme
    from game.rox.cards import Card

SIZE: Final = (1200, 414)

_NUMBER: Final = 37
_MIDDLE: Final = 207


def draw_howto(sprites: RoxSprites) -> Image.Image:
    """Return the example, from left to right."""
    theme = sprites.theme
    first = next(card for card in DECK if card.difficulty is Difficulty.EASY)
    after = next(card for card in DECK if card.centre is first.answer)
    image = sprites.on_board(Canvas(*SIZE, scale=1).image())
    left = CardRenderer(theme, HAND_CARD).face(first.id)
    image.paste(left, (24, _MIDDLE - left.height // 2))
    _draw_tally(theme, image, first)
    cards = CardRenderer(theme, EXAMPLE_CARD)
    right = cards.face(after.id)
    right.paste(cards.number(_NUMBER), EXAMPLE_CARD.number_box[:2])
    image.paste(right, (962, 14))
    stamp(image, bubble(theme, str(_NUMBER)), 930, 250)
    return sprites.palette.reduced(image)


def _draw_tally(theme: RoxTheme, image: Image.Image, card: Card) -> None:
    """Draw a line of symbols for every element; the longest has a frame and leads to the eye."""
    step, side, left, top = 52, 44, 372, 58
    stamp(image, arrow(theme.chalk, 44, 44), 316, _MIDDLE - 22)
    most = card.edge.count(card.answer)
    frame = Canvas(most * step + 18, 60)
    frame.rounded_rectangle((0, 0, most * step + 18, 60), 14, theme.gold)
    frame.rounded_rectangle((4, 4, most * step + 14, 56), 11, mix(theme.board, theme.gold, 0.22))
    stamp(image, frame.image(), left - 9, top - 8)
    for row, element in enumerate(card.ranking):
        symbol = stone(theme, element, side)
        for number in range(card.edge.count(element)):
            stamp(image, symbol, left + 4 + step * number, top + 66 * row)
    sight = eye(theme, card.answer, 150, 88)
    stamp(image, sight, left + most * step + 36, top - 22)
    path = left + most * step + 194
    stamp(image, arrow(theme.gold, 56, 48), path, top - 2)
