"""The cards that players count: every last card, or one alone."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from bot.pictures.faces import HAND_CARD, SINGLE_CARD

if TYPE_CHECKING:
    from bot.pictures.ink import Picture
    from bot.pictures.scenes import CardScene, LastCardsScene
    from bot.pictures.sprites import Sprites

LAST_CARDS_SIZE: Final = (1200, 420)
CARD_SIZE: Final = (480, 568)

_BAR_TOP: Final = 8
_CARD_TOP: Final = 59
_SEATS: Final = 4


def draw_last_cards(sprites: Sprites, scene: LastCardsScene) -> Picture:
    """Every last card under its player's bar; fewer than four stand in the middle."""
    picture = sprites.palette.sheet(LAST_CARDS_SIZE, sprites.theme.board)
    pitch = LAST_CARDS_SIZE[0] // _SEATS
    start = (LAST_CARDS_SIZE[0] - pitch * len(scene.hands)) // 2
    for place, hand in enumerate(scene.hands):
        left = start + pitch * place + (pitch - HAND_CARD.width) // 2
        picture.paste(sprites.bar(hand.seat, hand.held, hand.full), (left, _BAR_TOP))
        shown = sprites.empty_hand(hand.seat) if hand.card is None else sprites.hand(hand.card)
        picture.paste(shown, (left, _CARD_TOP))
    return picture


def draw_card(sprites: Sprites, scene: CardScene) -> Picture:
    """One card alone."""
    picture = sprites.palette.sheet(CARD_SIZE, sprites.theme.board)
    left = (CARD_SIZE[0] - SINGLE_CARD.width) // 2
    top = (CARD_SIZE[1] - SINGLE_CARD.height) // 2
    picture.paste(sprites.single(scene.card), (left, top))
    return picture
