"""The grammar of Rox: a text message is a claim, a put-back or chat.

A claim consists of exactly two decimal digits of any script, with at most one leading `#` or one
trailing `.` or `!`. A put-back is `0` or a word for it. White space and zero-width characters
around both are ignored. All other messages are chat.
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
    """A claim of the card at a number."""

    value: int


@dataclass(frozen=True, slots=True)
class PutBack:
    """A request to put the last card back."""


def parse(text: str, back_words: Collection[str] = BACK_WORDS) -> Number | PutBack | None:
    """Return the meaning of a message, or None for chat.

    Args:
        text: the message as typed, of any length.
        back_words: the casefolded words that mean a put-back.

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
