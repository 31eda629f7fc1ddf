"""One text message -> numbers, putting back, or chat.

A claim is a message that, stripped of white space and zero-width characters, is exactly two
decimal digits of any script, with at most one leading `#` or one trailing `.` or `!`. A message
that is `0`, or a word for it, puts the last card back. All else is chat.
"""

from __future__ import annotations

import unicodedata
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from collections.abc import Collection

LOWEST: Final = 10
HIGHEST: Final = 69
BACK_WORDS: Final = frozenset({"back"})
_LONGEST: Final = 64
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
    word = _strip(text)
    if not word or len(word) > _LONGEST:
        return None
    if _digits(word) == [0] or word.casefold() in back_words:
        return PutBack()
    if word[0] == "#":
        word = word[1:]
    elif word[-1] in ".!":
        word = word[:-1]
    digits = _digits(word)
    if digits is None or len(digits) != _DIGITS:
        return None
    value = digits[0] * 10 + digits[1]
    return Number(value) if LOWEST <= value <= HIGHEST else None


def _strip(text: str) -> str:
    start, end = 0, len(text)
    while start < end and _invisible(text[start]):
        start += 1
    while end > start and _invisible(text[end - 1]):
        end -= 1
    return text[start:end]


def _invisible(char: str) -> bool:
    return char.isspace() or unicodedata.category(char) == "Cf"


def _digits(word: str) -> list[int] | None:
    """Return the values of a word of decimal digits; superscripts and circled ones are none."""
    if not word or not all(unicodedata.category(char) == "Nd" for char in word):
        return None
    return [unicodedata.decimal(char) for char in word]
