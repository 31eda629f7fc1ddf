"""The pieces that pictures of Rox are put together from, in the palette of a theme.

The pieces of the table are drawn at the start, because every picture needs them. The others are
drawn when first needed.
"""

from __future__ import annotations

from functools import cached_property
from typing import TYPE_CHECKING, Final

from PIL import Image

from bot.pictures.canvas import faded, on_ground, stamp
from bot.pictures.marks import arrow, coin, cross
from bot.pictures.palette import Palette, SpriteCache
from bot.pictures.rox import marks
from bot.pictures.rox.cards import (
    CHECK_CARD,
    HAND_CARD,
    SINGLE_CARD,
    TABLE_CARD,
    CardRenderer,
)
from bot.pictures.rox.theme import SEATS
from bot.pictures.tokens import token
from game.rox.cards import DECK, Element

if TYPE_CHECKING:
    from bot.pictures.rox.theme import RoxTheme

EYE: Final = (104, 62)
PRIZE: Final = 124
SEAT: Final = 96
BAR: Final = (280, 42)
LINK: Final = (42, 42)
CRACK: Final = (22, 150)


class RoxSprites:
    """All pieces of one theme; palette images, which must not be drawn on."""

    def __init__(self, theme: RoxTheme) -> None:
        self.theme = theme
        self._table = CardRenderer(theme, TABLE_CARD)
        self._hand = CardRenderer(theme, HAND_CARD)
        self._check = CardRenderer(theme, CHECK_CARD)
        faces = [self._table.face(card.id) for card in DECK]
        numbers = [self._table.number(10 + place) for place in range(len(DECK))]
        slots = [self._table.slot(seat) for seat in range(SEATS)]
        samples = [*faces[::5], *numbers[::7], *slots, *self._samples()]
        self.palette = Palette(theme.palette, samples)
        self.faces = tuple(map(self.palette.reduced, faces))
        self.numbers = tuple(map(self.palette.reduced, numbers))
        self.slots = tuple(map(self.palette.reduced, slots))
        self.back = self.palette.reduced(self._table.back())
        self._cache = SpriteCache(self.palette)
        self._grounds: dict[tuple[int, int], Image.Image] = {}

    @cached_property
    def _single(self) -> CardRenderer:
        return CardRenderer(self.theme, SINGLE_CARD)

    def blank(self, size: tuple[int, int]) -> Image.Image:
        """Return an empty board of its own, to be drawn on."""
        return self.palette.blank(size, self.theme.board)

    def reused(self, size: tuple[int, int]) -> Image.Image:
        """Return the one board of a size, to be drawn over from edge to edge.

        It still shows the last drawing. A new board for each row of the table would take long.
        """
        if size not in self._grounds:
            self._grounds[size] = self.blank(size)
        return self._grounds[size]

    def hand(self, card: int) -> Image.Image:
        """Return a last card."""
        return self._cache.get(("hand", card), lambda: self._hand.face(card))

    def empty_hand(self, seat: int) -> Image.Image:
        """Return the place of a seat that is out."""
        return self._cache.get(
            ("empty", seat), lambda: faded(self._hand.slot(seat), self.theme.board, 0.6)
        )

    def bar(self, seat: int, held: int, full: int) -> Image.Image:
        """Return the bar that shows how many cards a seat holds."""
        return self._cache.get(
            ("bar", seat, held, full),
            lambda: self.on_board(marks.held(self.theme, seat, held, full, BAR)),
        )

    def single(self, card: int) -> Image.Image:
        """Return a card to be shown alone; it is too large to keep."""
        return self.palette.reduced(self._single.face(card))

    def judged(self, card: int, *, holds: bool) -> Image.Image:
        """Return a card under the magic eye."""

        def draw() -> Image.Image:
            face = self._check.face(card)
            centre = self._check.centre(card)
            return face if holds else marks.struck(self.theme, face, centre)

        return self._cache.get(("judged", card, holds), draw)

    def covered(self) -> Image.Image:
        """Return a card that the magic eye has not looked at."""
        return self._cache.get("covered", self._check.back)

    def eye(self, element: Element | None, *, holds: bool = True) -> Image.Image:
        """Return the magic eye with its answer, faded below a card that goes back.

        Without an answer the eye is shut.
        """

        def draw() -> Image.Image:
            image = self.on_board(marks.eye(self.theme, element, *EYE))
            return image if holds else faded(image, self.theme.board, 0.6)

        return self._cache.get(("eye", element, holds), draw)

    def link(self, *, holds: bool) -> Image.Image:
        """Return the link from an eye to the next card: an arrow, or a cross at a break."""

        def draw() -> Image.Image:
            if holds:
                return self.on_board(arrow(self.theme.chalk, *LINK))
            return self.on_board(cross(self.theme.breach, self.theme.slot, LINK[0]))

        return self._cache.get(("link", holds), draw)

    def crack(self) -> Image.Image:
        """Return the line between two cards where a row breaks."""
        return self._cache.get("crack", lambda: self.on_board(marks.crack(self.theme, *CRACK)))

    def prize(self, value: int) -> Image.Image:
        """Return a scoring card."""
        return self._cache.get(
            ("prize", value), lambda: self.on_board(coin(self.theme, value, PRIZE))
        )

    def seat(self, seat: int, *, caller: bool) -> Image.Image:
        """Return a seat's token, amid rays if the seat called."""

        def draw() -> Image.Image:
            if caller:
                return self.on_board(marks.caller(self.theme, seat, SEAT))
            image = Image.new("RGB", (SEAT, SEAT), self.theme.board)
            mark = token(self.theme, seat, round(SEAT * 0.62))
            edge = (SEAT - mark.width) / 2
            stamp(image, mark, edge, edge)
            return image

        return self._cache.get(("seat", seat, caller), draw)

    def on_board(self, image: Image.Image) -> Image.Image:
        """Return a transparent image laid on the board."""
        return on_ground(self.theme.board, image)

    def _samples(self) -> list[Image.Image]:
        """Return pieces with the colours that the palette must fit, beside those of the table."""
        theme = self.theme
        loose = [marks.eye(theme, element, *EYE) for element in (*Element, None)]
        loose += [marks.caller(theme, seat, SEAT) for seat in range(SEATS)]
        loose += [marks.held(theme, seat, 3, 6, BAR) for seat in range(SEATS)]
        loose += [coin(theme, 8, PRIZE), marks.crack(theme, *CRACK)]
        faces = [self._hand.face(card) for card in (0, 12, 24, 36, 48)]
        struck = [
            marks.struck(theme, self._check.face(card), self._check.centre(card))
            for card in (0, 12, 24, 36, 48)
        ]
        hollow = faded(self._hand.slot(2), theme.board, 0.6)
        return [*map(self.on_board, loose), *faces, *struck, hollow]
