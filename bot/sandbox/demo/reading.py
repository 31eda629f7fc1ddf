"""Reading a table the way somebody does who can't see the pictures: from their alt text."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final

from bot.games.rox.wording import element_name
from bot.locales.catalogue import Words
from game.rox.cards import Element

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

_GALLERY: Final = 12
_TEXT: Final = 10
_STONES: Final = {element_name(element, Words()): element for element in Element}


@dataclass(frozen=True, slots=True)
class Reading:
    """What a message about an open table says.

    Attributes:
        free: the numbers of the free cards by their stone.
        edges: by player's name, the sixteen symbols around the last card.
    """

    free: dict[Element, tuple[int, ...]]
    edges: dict[str, tuple[Element, ...]]

    def ranking(self, name: str) -> list[Element]:
        """Return the elements around somebody's last card, the most frequent first."""
        return [element for element, _ in Counter(self.edges[name]).most_common()]


def read_table(components: Iterable[dict[str, Any]]) -> Reading | None:
    """Return what a message says about an open table, or None if it shows none."""
    alts = [
        item.get("description") or ""
        for component in _walk(components)
        if component.get("type") == _GALLERY
        for item in component["items"]
    ]
    if len(alts) != len(("table", "last cards")):
        return None
    free: dict[Element, tuple[int, ...]] = {}
    for line in alts[0].splitlines()[1:]:
        stone, _, numbers = line.partition(": ")
        free[_STONES[stone]] = tuple(int(word) for word in numbers.split() if word.isdigit())
    edges: dict[str, tuple[Element, ...]] = {}
    for line in alts[1].splitlines()[1:]:
        name, _, rest = line.partition(", ")
        edges[name] = tuple(_STONES[word] for word in rest.partition(": ")[2].split())
    return Reading(free, edges)


def texts(components: Iterable[dict[str, Any]]) -> list[str]:
    """Return the texts of a message, from top to bottom."""
    return [c["content"] for c in _walk(components) if c.get("type") == _TEXT]


def labels(components: Iterable[dict[str, Any]]) -> list[str]:
    """Return the labels of a message's buttons."""
    return [c["label"] for c in _walk(components) if c.get("label")]


def _walk(components: Iterable[dict[str, Any]]) -> Iterator[dict[str, Any]]:
    for component in components:
        yield component
        yield from _walk(component.get("components", ()))
