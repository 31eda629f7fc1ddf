"""The grammar of Rox: one text message -> a number, putting back, or chat.

A claim is a message that, stripped of white space and zero-width characters, is exactly two
decimal digits of any script, with at most one leading `#` or one trailing `.` or `!`. A message
that is `0`, or a word for it, puts the last card back. All else is chat.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from game.numbers import digits_of, trimmed, undecorated

if TYPE_CHECKING:
    from collections.abc import Collection

LOWEST: Final = 10
HIGHEST: Final = 69
BACK_WORDS: Final = frozenset({"back"})
_DIGITS: Final = 2


@dataclass(frozen=True, slots=True)
class Number:
    """A claim on the card that lies at a numbered place."""

    value: int


@dataclass(frozen=True, slots=True)
class PutBack:
    """The wish to put the last card back."""


def parse(text: str, back_words: Collection[str] = BACK_WORDS) -> Number | PutBack | None:
    """Read one message; None means that it is chat.

    Args:
        text: the message as it was typed, of any length.
        back_words: words that put back, in lower case (casefolded).

    >>> parse("42"), parse(" #42"), parse("42!"), parse("0"), parse("Back")
    (Number(value=42), Number(value=42), Number(value=42), PutBack(), PutBack())
    >>> parse("give me 42"), parse("9"), parse("70"), parse("-12"), parse("**12**")
    (None, None, None, None, None)
    """
    word = trimmed(text)
    if digits_of(word) == (0,) or word.casefold() in back_words:
        return PutBack()
    digits = digits_of(undecorated(word))
    if digits is None or len(digits) != _DIGITS:
        return None
    value = digits[0] * 10 + digits[1]
    return Number(value) if LOWEST <= value <= HIGHEST else None
