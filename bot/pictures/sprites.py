"""The pieces that pictures are composed of, drawn once and reduced to the theme's palette.

What every frame needs is drawn at the start; the rest when first asked for, and kept while it
fits into `BUDGET`.
"""

from __future__ import annotations

from collections import OrderedDict
from functools import cached_property
from typing import TYPE_CHECKING, Final

from PIL import Image

from bot.pictures import marks
from bot.pictures.faces import HAND_CARD, SINGLE_CARD, TABLE_CARD, VERDICT_CARD, Mason
from bot.pictures.ink import Picture, stamp
from bot.pictures.palette import Palette
from bot.pictures.parts import badge
from game.rox.cards import DECK
from game.rox.elements import Element

if TYPE_CHECKING:
    from collections.abc import Callable, Hashable

    from bot.pictures.theme import Theme

BUDGET: Final = 8 * 2**20
"""How many bytes of pieces drawn on demand are kept, per theme."""

EYE: Final = (104, 62)
PRIZE: Final = 124
SEAT: Final = 96
BAR: Final = (280, 42)
LINK: Final = (42, 42)
CRACK: Final = (22, 150)


class Sprites:
    """All pieces of one theme, palette pictures; only the ground is there to be drawn on."""

    def __init__(self, theme: Theme) -> None:
        self.theme = theme
        self._table = Mason(theme, TABLE_CARD)
        self._hand = Mason(theme, HAND_CARD)
        self._verdict = Mason(theme, VERDICT_CARD)
        faces = [self._table.face(card.id) for card in DECK]
        numbers = [self._table.number(10 + place) for place in range(len(DECK))]
        slots = [self._table.slot(seat) for seat in range(len(theme.seats))]
        self.palette = Palette(theme, [*faces[::5], *numbers[::7], *slots, *self._samples()])
        self.faces = tuple(map(self.palette.reduced, faces))
        self.numbers = tuple(map(self.palette.reduced, numbers))
        self.slots = tuple(map(self.palette.reduced, slots))
        self.back = self.palette.reduced(self._table.back())
        self._kept: OrderedDict[Hashable, Picture] = OrderedDict()
        self._bytes = 0
        self._grounds: dict[tuple[int, int], Picture] = {}

    @cached_property
    def _single(self) -> Mason:
        return Mason(self.theme, SINGLE_CARD)

    def ground(self, size: tuple[int, int]) -> Picture:
        """An empty board when first asked for; later with what was drawn on it last."""
        if size not in self._grounds:
            self._grounds[size] = self.palette.sheet(size, self.theme.board)
        return self._grounds[size]

    def hand(self, card: int) -> Picture:
        """A last card."""
        return self._keep(("hand", card), lambda: self._hand.face(card))

    def empty_hand(self, seat: int) -> Picture:
        """The place of a seat that is out."""
        return self._keep(
            ("empty", seat),
            lambda: marks.dimmed(self.theme, self._hand.slot(seat), 0.6),
        )

    def bar(self, seat: int, held: int, full: int) -> Picture:
        """How many cards a seat holds."""
        return self._keep(
            ("bar", seat, held, full),
            lambda: self.on_board(marks.held(self.theme, seat, held, full, BAR)),
        )

    def single(self, card: int) -> Picture:
        """A card alone; too large to keep."""
        return self.palette.reduced(self._single.face(card))

    def judged(self, card: int, *, holds: bool) -> Picture:
        """A card under the magic eye."""

        def draw() -> Picture:
            face = self._verdict.face(card)
            centre = self._verdict.centre(card)
            return face if holds else marks.struck(self.theme, face, centre)

        return self._keep(("judged", card, holds), draw)

    def covered(self) -> Picture:
        """A card that the magic eye has not looked at."""
        return self._keep("covered", self._verdict.back)

    def eye(self, element: Element | None, *, holds: bool = True) -> Picture:
        """The magic eye with its answer, faded below a card that goes back; shut without one."""

        def draw() -> Picture:
            picture = self.on_board(marks.eye(self.theme, element, *EYE))
            return picture if holds else marks.dimmed(self.theme, picture, 0.6)

        return self._keep(("eye", element, holds), draw)

    def link(self, *, holds: bool) -> Picture:
        """From an eye to the next card: an arrow, or a cross where the row breaks."""

        def draw() -> Picture:
            if holds:
                return self.on_board(marks.arrow(self.theme.chalk, *LINK))
            return self.on_board(marks.cross(self.theme.breach, self.theme.slot, LINK[0]))

        return self._keep(("link", holds), draw)

    def crack(self) -> Picture:
        """Where a row breaks, between two cards."""
        return self._keep("crack", lambda: self.on_board(marks.crack(self.theme, *CRACK)))

    def prize(self, value: int) -> Picture:
        """A scoring card."""
        return self._keep(
            ("prize", value),
            lambda: self.on_board(marks.prize(self.theme, value, PRIZE)),
        )

    def seat(self, seat: int, *, caller: bool) -> Picture:
        """A seat's badge, amid rays if it called."""

        def draw() -> Picture:
            if caller:
                return self.on_board(marks.caller(self.theme, seat, SEAT))
            plain = Image.new("RGB", (SEAT, SEAT), self.theme.board)
            mark = badge(self.theme, seat, round(SEAT * 0.62))
            edge = (SEAT - mark.width) / 2
            stamp(plain, mark, edge, edge)
            return plain

        return self._keep(("seat", seat, caller), draw)

    def on_board(self, picture: Picture) -> Picture:
        """A picture on nothing laid on the board."""
        ground = Image.new("RGB", picture.size, self.theme.board)
        stamp(ground, picture, 0, 0)
        return ground

    def _samples(self) -> list[Picture]:
        theme = self.theme
        loose = [marks.eye(theme, element, *EYE) for element in (*Element, None)]
        loose += [marks.caller(theme, seat, SEAT) for seat in range(len(theme.seats))]
        loose += [marks.held(theme, seat, 3, 6, BAR) for seat in range(len(theme.seats))]
        loose += [marks.prize(theme, 8, PRIZE), marks.crack(theme, *CRACK)]
        faces = [self._hand.face(card) for card in (0, 12, 24, 36, 48)]
        struck = [
            marks.struck(theme, self._verdict.face(card), self._verdict.centre(card))
            for card in (0, 12, 24, 36, 48)
        ]
        hollow = marks.dimmed(theme, self._hand.slot(2), 0.6)
        return [*map(self.on_board, loose), *faces, *struck, hollow]

    def _keep(self, key: Hashable, draw: Callable[[], Picture]) -> Picture:
        if key in self._kept:
            self._kept.move_to_end(key)
            return self._kept[key]
        picture = self.palette.reduced(draw())
        self._kept[key] = picture
        self._bytes += picture.width * picture.height
        while self._bytes > BUDGET:
            _, old = self._kept.popitem(last=False)
            self._bytes -= old.width * old.height
        return picture
