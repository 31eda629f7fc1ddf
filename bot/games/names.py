"""People's names in messages: as typed, and harmless."""

from __future__ import annotations

import string
import unicodedata
from typing import Final

LONGEST: Final = 32
_JOINERS: Final = {"\u200c", "\u200d"}
_ISOLATE, _END_ISOLATE = "\u2068", "\u2069"


def unformatted(name: str) -> str:
    r"""Return a name for text without markdown: one line, without invisible controls.

    >>> unformatted("Ada\n\u202eevil")
    'Ada evil'
    """
    kept = "".join(" " if char.isspace() else char for char in name if _visible(char))
    return " ".join(kept.split())[:LONGEST] or "?"


def _visible(char: str) -> bool:
    """Joiners hold emoji and some scripts together; other format characters only mislead."""
    if char.isspace() or char in _JOINERS:
        return True
    return unicodedata.category(char) not in {"Cc", "Cf", "Cs", "Co"}


def escaped(name: str) -> str:
    r"""Return a name for a message: markdown, mentions and addresses in it do nothing.

    Discord takes a backslash before any punctuation as "as it stands". The name is isolated, so
    that one written from right to left does not turn the words around it.

    >>> escaped("_a_")
    '\u2068\\_a\\_\u2069'
    """
    text = "".join(f"\\{c}" if c in string.punctuation else c for c in unformatted(name))
    return f"{_ISOLATE}{text}{_END_ISOLATE}"
