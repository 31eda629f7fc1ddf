"""Reading numbers from typed text, in the digits of any script.

The grammars of the games use these functions: they trim a message, remove one decoration, and read
the digits that are left.
"""

from __future__ import annotations

import unicodedata
from typing import Final

LONGEST: Final = 64
"""The length of the longest text that can be a move; a longer one is chat."""


def trimmed(text: str) -> str:
    r"""Return a text without white space and zero-width characters at its ends.

    For a text that is too long for a move, return an empty string.

    >>> trimmed(" 42\u200b\n")
    '42'
    """
    start, end = 0, len(text)
    while start < end and _invisible(text[start]):
        start += 1
    while end > start and _invisible(text[end - 1]):
        end -= 1
    return text[start:end] if end - start <= LONGEST else ""


def undecorated(word: str) -> str:
    """Return a word without one leading `#`, or without one trailing `.` or `!`.

    >>> undecorated("#42"), undecorated("42!"), undecorated("#42!")
    ('42', '42', '42!')
    """
    if word.startswith("#"):
        return word[1:]
    return word[:-1] if word.endswith((".", "!")) else word


def digits_of(word: str) -> tuple[int, ...] | None:
    """Return the values of a word of decimal digits of any script, or None for other words.

    Superscripts and circled digits are not decimal.

    >>> digits_of("42"), digits_of("٤٢"), digits_of("4²"), digits_of("")
    ((4, 2), (4, 2), None, None)
    """
    if not word or not all(unicodedata.category(char) == "Nd" for char in word):
        return None
    return tuple(unicodedata.decimal(char) for char in word)


def _invisible(char: str) -> bool:
    return char.isspace() or unicodedata.category(char) == "Cf"
