"""The log on standard error: one record, one line; no secrets, and nothing that a terminal obeys.

Names, messages and what Discord answers reach log lines, ours and the library's. A newline in a
nickname must not begin a record that nobody wrote, nor a control sequence repaint a terminal.
"""

from __future__ import annotations

import logging
import unicodedata
from copy import copy
from typing import TYPE_CHECKING, Any, Final

import discord
from discord.voice_client import VoiceClient

from bot.replies.errors import CALL_ERRORS
from bot.settings import level_number

if TYPE_CHECKING:
    from bot.settings import Settings

CONTINUED: Final = "    "
"""What every further line of a record, as of a traceback, begins with."""

_CONNECTION_ERRORS: Final = (*CALL_ERRORS, discord.ConnectionClosed, discord.GatewayNotFound)
_FORMAT: Final = "%(asctime)s %(levelname)-7s %(name)s: %(message)s"
_ESCAPED: Final = frozenset({"Cc", "Cf", "Cs", "Co", "Cn", "Zl", "Zp"})


def one_line(text: str) -> str:
    r"""Return a text with everything escaped that is not to be seen as it stands.

    >>> print(one_line("Ada\n2026-05-01 ERROR \x1b[31mall is lost\u202e"))
    Ada\n2026-05-01 ERROR \x1b[31mall is lost\u202e
    """
    if text.isprintable():
        return text
    return "".join(_escaped(c) if unicodedata.category(c) in _ESCAPED else c for c in text)


def _escaped(char: str) -> str:
    return char.encode("unicode_escape").decode("ascii")


class LineFormatter(logging.Formatter):
    """Writes records so that only the first line of one can be mistaken for a record.

    Args:
        token: blanked wherever it would be written.
    """

    def __init__(self, token: str) -> None:
        super().__init__(_FORMAT)
        self._token = token

    def format(self, record: logging.LogRecord) -> str:
        """Return the record as text; its message is one line, a traceback is indented."""
        mine = copy(record)
        mine.exc_text = None  # another handler's form of the traceback
        return super().format(mine).replace(self._token, "[token]")

    def formatMessage(self, record: logging.LogRecord) -> str:  # noqa: N802 - logging's name
        """Return the line before any traceback."""
        return one_line(super().formatMessage(record))

    def formatException(self, ei: Any) -> str:  # noqa: N802 - logging's name
        """Return a traceback; an exception's text may hold whatever people wrote."""
        return _indented(super().formatException(ei))

    def formatStack(self, stack_info: str) -> str:  # noqa: N802 - logging's name
        """Return a stack."""
        return _indented(super().formatStack(stack_info))


def _indented(text: str) -> str:
    return "\n".join(CONTINUED + one_line(line) for line in text.split("\n"))


class BrokenConnections(logging.Filter):
    """Says in one line what the library fills a page with: that Discord can't be reached.

    It tries again by itself, so that is no fault, and there is nothing to be found in the code.
    """

    def filter(self, record: logging.LogRecord) -> bool:
        """Put the error's own words in the place of its traceback."""
        error = record.exc_info[1] if record.exc_info else None
        if record.name.startswith("discord.") and isinstance(error, _CONNECTION_ERRORS):
            said = str(error) or type(error).__name__
            record.msg, record.args = "%s: %s", (record.getMessage(), said)
            record.exc_info, record.levelno, record.levelname = None, logging.WARNING, "WARNING"
        return True


def log_to_stderr(settings: Settings, token: str) -> None:
    """Send the log to standard error, for the whole process."""
    handler = logging.StreamHandler()
    handler.setFormatter(LineFormatter(token))
    handler.addFilter(BrokenConnections())
    root = logging.getLogger()
    root.addHandler(handler)
    root.setLevel(level_number(settings))
    logging.captureWarnings(capture=True)
    logging.getLogger("alembic").setLevel(logging.WARNING)
    logging.getLogger("aiosqlite").setLevel(logging.INFO)  # it tells of every single statement
    VoiceClient.warn_nacl = VoiceClient.warn_dave = False  # nobody speaks here
