"""Names of players and seats in messages: one line, with markdown and mentions disabled."""

from __future__ import annotations

import string
import unicodedata
from typing import TYPE_CHECKING, Final

from bot.pictures.theme import SEAT_EMOJI

if TYPE_CHECKING:
    from collections.abc import Sequence

    from bot.locales.catalogue import Words
    from game.match import Seat

MAX_LENGTH: Final = 32
_JOINERS: Final = {"\u200c", "\u200d"}
_ISOLATE, _END_ISOLATE = "\u2068", "\u2069"


def unformatted(name: str) -> str:
    r"""Return a name for text without markdown: one line, without invisible control characters.

    >>> unformatted("Ada\n\u202eevil")
    'Ada evil'
    """
    kept = "".join(" " if char.isspace() else char for char in name if _visible(char))
    return " ".join(kept.split())[:MAX_LENGTH] or "?"


def _visible(char: str) -> bool:
    """Return whether a character is kept.

    Joiners are kept, because some emoji and scripts need them. Other format characters would
    only disguise the name.
    """
    if char.isspace() or char in _JOINERS:
        return True
    return unicodedata.category(char) not in {"Cc", "Cf", "Cs", "Co"}


def escaped(name: str) -> str:
    r"""Return a name for a message: markdown, mentions and links in it have no effect.

    A backslash escapes any punctuation in Discord. Bidirectional isolates around the name keep a
    name written from right to left from reordering the text around it.

    >>> escaped("_a_")
    '\u2068\\_a\\_\u2069'
    """
    text = "".join(f"\\{c}" if c in string.punctuation else c for c in unformatted(name))
    return f"{_ISOLATE}{text}{_END_ISOLATE}"


def token(seat: Seat) -> str:
    """Return a seat's token as emoji; a simulated opponent has a second one."""
    return SEAT_EMOJI[seat.number] + ("🤖" if seat.user is None else "")


def seat_name(seat: Seat) -> str:
    """Return a seat's token and name for a message."""
    return f"{token(seat)} **{escaped(seat.name)}**"


def seat_names(seats: Sequence[Seat], words: Words) -> str:
    """Return the names of seats as a list in a sentence."""
    return words.listed([seat_name(seat) for seat in seats])


def alt_name(seat: Seat) -> str:
    """Return a seat's name for alt text."""
    return unformatted(seat.name)
