"""A turn in one worked example.

Count the ring, find a card whose centre is what is most frequent, type its number.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from bot.pictures import marks
from bot.pictures.faces import EXAMPLE_CARD, HAND_CARD, Mason
from bot.pictures.ink import Picture, Sheet, darker, mix, stamp
from bot.pictures.parts import numerals, stone
from game.rox.cards import DECK, Difficulty

if TYPE_CHECKING:
    from bot.pictures.sprites import Sprites
    from bot.pictures.theme import Theme
    from game.rox.cards import Card

SIZE: Final = (1200, 414)

_NUMBER: Final = 37
_MIDDLE: Final = 207


def draw_howto(sprites: Sprites) -> Picture:
    """The example, from left to right."""
    theme = sprites.theme
    first = next(card for card in DECK if card.difficulty is Difficulty.EASY)
    after = next(card for card in DECK if card.centre is first.answer)
    picture = sprites.on_board(Sheet(*SIZE, scale=1).done())
    left = Mason(theme, HAND_CARD).face(first.id)
    picture.paste(left, (24, _MIDDLE - left.height // 2))
    _draw_tally(theme, picture, first)
    mason = Mason(theme, EXAMPLE_CARD)
    right = mason.face(after.id)
    right.paste(mason.number(_NUMBER), EXAMPLE_CARD.number_box[:2])
    picture.paste(right, (962, 14))
    _draw_bubble(theme, picture)
    return sprites.palette.reduced(picture)


def _draw_tally(theme: Theme, picture: Picture, card: Card) -> None:
    """One line of symbols for every element, the longest framed and seen by the eye."""
    step, side, left, top = 52, 44, 372, 58
    arrow = marks.arrow(theme.chalk, 44, 44)
    stamp(picture, arrow, 316, _MIDDLE - 22)
    most = card.edge.count(card.answer)
    frame = Sheet(most * step + 18, 60)
    frame.rounded((0, 0, most * step + 18, 60), 14, theme.gold)
    frame.rounded((4, 4, most * step + 14, 56), 11, mix(theme.board, theme.gold, 0.22))
    stamp(picture, frame.done(), left - 9, top - 8)
    for row, element in enumerate(card.ranking):
        symbol = stone(theme, element, side)
        for number in range(card.edge.count(element)):
            stamp(picture, symbol, left + 4 + step * number, top + 66 * row)
    sight = marks.eye(theme, card.answer, 150, 88)
    stamp(picture, sight, left + most * step + 36, top - 22)
    path = left + most * step + 194
    stamp(picture, marks.arrow(theme.gold, 56, 48), path, top - 2)


def _draw_bubble(theme: Theme, picture: Picture) -> None:
    """The number as a message."""
    sheet = Sheet(260, 150)
    paper = theme.chalk
    sheet.rounded((0, 30, 260, 150), 34, darker(paper, 0.1))
    sheet.fill([(118, 34), (134, 2), (156, 34)], darker(paper, 0.1))
    sheet.rounded((3, 33, 257, 147), 31, paper)
    stamp(picture, sheet.done(), 930, 250)
    text = numerals(str(_NUMBER), 74, theme.ink, None)
    stamp(picture, text, 930 + (260 - text.width) / 2, 303)
