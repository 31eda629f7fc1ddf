"""Lets monotonic time run faster in a process that has this folder in its PYTHONPATH.

`ROX_TEST_SPEED` says how many times. On SIGUSR1 the process counts its objects and says so in a
line of its own.
"""

import gc
import os
import selectors
import signal
import sys
import time
from collections import Counter

SPEED = float(os.environ["ROX_TEST_SPEED"])

_real, _began = time.monotonic, time.monotonic()
_select = selectors.DefaultSelector.select


def _monotonic():
    return _began + (_real() - _began) * SPEED


def _hasty(self, timeout=None):
    return _select(self, timeout / SPEED if timeout else timeout)


def _count(*_):
    gc.collect()
    names = Counter(f"{type(o).__module__}.{type(o).__qualname__}" for o in gc.get_objects())
    most = [f"{name}={n}" for name, n in sorted(names.items()) if name.startswith("bot.")]
    pieces = [o for o in gc.get_objects() if type(o).__name__ in {"Encoder", "SpriteCache"}]
    kept = sum(getattr(o, "_bytes", 0) for o in pieces)
    sys.stderr.write(f"objects {sum(names.values())} kept={kept} {' '.join(most)}\n")
    sys.stderr.flush()


time.monotonic = _monotonic
selectors.DefaultSelector.select = _hasty
signal.signal(signal.SIGUSR1, _count)
