"""How the C library keeps the memory that the bot no longer uses."""

from __future__ import annotations

import ctypes
from contextlib import suppress
from typing import Final

_M_MMAP_THRESHOLD: Final = -3
_LARGE: Final = 512 * 1024
"""From how many bytes on a piece is given back to the system as soon as it is let go."""


def give_back_large_pieces() -> None:
    """Keep glibc from keeping what large pictures took while they were drawn.

    Whenever a large piece is freed, glibc keeps pieces of that size from then on, and between
    them its heaps break up: over two thousand rounds the bot came to hold a third more than it
    used. A limit that is set stays. Other C libraries do without it.
    """
    with suppress(OSError, AttributeError):
        ctypes.CDLL(None).mallopt(_M_MMAP_THRESHOLD, _LARGE)
