"""Lets the wall clock of a process that has this folder in its PYTHONPATH jump.

SIGUSR1 sets it an hour ahead of the true time, SIGUSR2 an hour behind it. Monotonic time goes on.
"""

import datetime as dt
import signal
import sys
import time

HOUR_S = 3600.0

_true, _real = time.time, dt.datetime
_ahead = 0.0


def _time():
    return _true() + _ahead


class _Any(type):
    def __instancecheck__(cls, instance):
        return isinstance(instance, _real)

    def __subclasscheck__(cls, subclass):
        return issubclass(subclass, _real)


class _Datetime(_real, metaclass=_Any):
    def __new__(cls, *args, **kwargs):
        return _real(*args, **kwargs)

    @classmethod
    def now(cls, tz=None):
        return _real.fromtimestamp(_time(), tz)

    @classmethod
    def utcnow(cls):
        return _real.fromtimestamp(_time(), dt.UTC).replace(tzinfo=None)


def _jump(number, _frame):
    global _ahead  # noqa: PLW0603 - there is one wall clock
    _ahead = HOUR_S if number == signal.SIGUSR1 else -HOUR_S
    sys.stderr.write(f"the clock says {_Datetime.now(dt.UTC).isoformat()}\n")
    sys.stderr.flush()


time.time, dt.datetime = _time, _Datetime
time.time_ns = lambda: int(_time() * 1e9)
for _number in (signal.SIGUSR1, signal.SIGUSR2):
    signal.signal(_number, _jump)
