"""The deck of Rox: sixty fixed cards with symbols of five elements.

A card has a stone in its centre and a ring of sixteen symbols on its edge. One element is strictly
the most frequent on the edge; it is the answer of the card. The cards of the original game are not
published, so this deck has its own: twelve cards for each centre, and each ordered pair of centre
and answer three times, once in each difficulty. The symbols of a ring are in mixed, fixed order.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from enum import IntEnum, StrEnum
from functools import cached_property
from typing import Final


class Element(StrEnum):
    """An element; its value is the letter that represents it in the deck."""

    FIRE = "F"
    AIR = "A"
    EARTH = "E"
    WATER = "W"
    MAGIC = "M"


class Difficulty(IntEnum):
    """The lead of the answer: by three, by one, or by one over two equal second elements."""

    EASY = 0
    MEDIUM = 1
    HARD = 2


_PATTERNS: Final[dict[tuple[int, ...], Difficulty]] = {
    (6, 3, 3, 2, 2): Difficulty.EASY,
    (5, 4, 3, 2, 2): Difficulty.MEDIUM,
    (5, 4, 4, 2, 1): Difficulty.HARD,
}


@dataclass(frozen=True)
class Card:
    """One element card.

    Attributes:
        id: its index in `DECK`.
        centre: the stone in the middle, which must match the answer of the card before.
        edge: the sixteen symbols, clockwise from the top left corner.
    """

    id: int
    centre: Element
    edge: tuple[Element, ...]

    @cached_property
    def answer(self) -> Element:
        """The element that is strictly the most frequent on the edge."""
        return self.ranking[0]

    @cached_property
    def ranking(self) -> tuple[Element, ...]:
        """The elements from the most to the least frequent; equal ones by their letters."""
        counts = Counter(self.edge)
        return tuple(sorted(counts, key=lambda element: (-counts[element], element.value)))

    @cached_property
    def seconds(self) -> tuple[Element, ...]:
        """The second most frequent elements, which a miscount takes for the answer."""
        counts = Counter(self.edge)
        most = counts[self.ranking[1]]
        return tuple(element for element in self.ranking[1:] if counts[element] == most)

    @cached_property
    def difficulty(self) -> Difficulty:
        """The difficulty of counting the answer."""
        return _PATTERNS[tuple(sorted(Counter(self.edge).values(), reverse=True))]


_DECK: Final = """
    F:EEFAEAWMAWAAMAMF F:AAEAWMFWAMMFEAWM F:FWWAEFAWWFAAMAFE
    F:WEFAMFEEMEFEWAEW F:EFWFEWEEMFAWWEMA F:WEFEFAEAFEEMAMFA
    F:WFWMWAEAEAWEWWMF F:EAFWEMWWFWMEAWAE F:EWMMFAWWFWAWMFFM
    F:MMEMEAWFFMAWMEMA F:WAMMEEWFMFAMEMAA F:MEWMFAFEEMWMFEFM
    A:EFAMEWFFEMFWFAFW A:MFAAFEFMEFFMWWMA A:AFFAMWAEEWEFEFAF
    A:EFAEEWEFEAEMWFWM A:WEFAEFEMEFMMWFAE A:FMAEFFEFWWEEWAEW
    A:FMMAWWEFWFAWAWEW A:MWAWEAMWFFEAWAMW A:MWAMWAMFWEFWWFFM
    A:MAMAEMMAWFFMWMEF A:MEEMMFWWMAWEMEAF A:AMEFAMEEMMAWMAWE
    E:FFEWMWMFMWAFFAFE E:AAMFWFEFWEMWEFEF E:FEAMFFAEFWMFAEAE
    E:MAFAFMAAEAWWFAME E:MEWFAMEAEAAWEFWA E:WEAAEFWWAEAFAWEM
    E:WWAFWFFWMEMAWAWE E:AMAEMWFWMFWWMFWE E:EAEWFWAEWMAMWWEA
    E:EMWMFMFAMEAMMWAE E:AFMMFAWFMMEMWEFE E:AMWMAEFFEFAAMMFM
    W:FAFWFFEFAMEEMMFW W:FWFMMAWMMFWEFFAE W:WFFAMAWEFMWWFAAF
    W:AEFAAEMFWAMEAFAW W:EWAMAEEAFAWWFAMW W:MAAMMAFFWEMFAFEA
    W:EEWWEAFEEMAFWAEM W:EWWAFEFAFEEMFEWM W:AEFWEAEAEMAMFEMM
    W:MWEMFMEWFEMMAAMW W:AEMWAEMAMMWEEFMF W:WMEWAMEMMWAMEFEW
    M:FAAFMEFWFWAWFEFM M:FWFEAFEFMFWAWWMA M:FEWMFMFWWFAWEEFE
    M:EWMAMAAFAWWFAMAE M:WAMWAAFMEAAMFMFE M:FMMAEAAMFAFMFWAW
    M:WEMWEFEEMMEFAFEA M:FEFMAEWEEAAWMEMA M:WEMMFMAFMEWEWEEW
    M:WEWAWFEMWWAMMFWA M:FAWWEFWFWWMEAFMM M:MWAAFMWEAMWWFAWM
"""


def _read(deck: str) -> tuple[Card, ...]:
    return tuple(
        Card(index, Element(word[0]), tuple(Element(letter) for letter in word[2:]))
        for index, word in enumerate(deck.split())
    )


DECK: Final[tuple[Card, ...]] = _read(_DECK)
