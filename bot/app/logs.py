"""The log on standard error, with control characters escaped and the token removed.

Log records contain names, messages and Discord's answers. Unescaped, a newline in a nickname could
forge a record, and a control sequence could repaint the terminal.
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
"""The indentation of all lines of a record after the first, such as a traceback's."""

_CONNECTION_ERRORS: Final = (*CALL_ERRORS, discord.ConnectionClosed, discord.GatewayNotFound)
_FORMAT: Final = "%(asctime)s %(levelname)-7s %(name)s: %(message)s"
_ESCAPED: Final = frozenset({"Cc", "Cf", "Cs", "Co", "Cn", "Zl", "Zp"})


def one_line(text: str) -> str:
    r"""Return a text with control, format and other invisible characters escaped.

    >>> print(one_line("Ada\n2026-05-01 ERROR \x1b[31mall is lost\u202e"))
    Ada\n2026-05-01 ERROR \x1b[31mall is lost\u202e
    """
    if text.isprintable():
        return text
    return "".join(_escaped(c) if unicodedata.category(c) in _ESCAPED else c for c in text)


def _escaped(char: str) -> str:
    return char.encode("unicode_escape").decode("ascii")


class LineFormatter(logging.Formatter):
    """Formats records so that only the first line of each looks like a record.

    Args:
        token: the bot's token, which is replaced by a placeholder.
    """

    def __init__(self, token: str) -> None:
        super().__init__(_FORMAT)
        self._token = token

    def format(self, record: logging.LogRecord) -> str:
        """Return the record as text: the message on one line, any traceback indented."""
        record = copy(record)
        record.exc_text = None  # Another handler may have cached the traceback unescaped.
        return super().format(record).replace(self._token, "[token]")

    def formatMessage(self, record: logging.LogRecord) -> str:  # noqa: N802 - logging's name
        """Return the record's first line."""
        return one_line(super().formatMessage(record))

    def formatException(self, ei: Any) -> str:  # noqa: N802 - logging's name
        """Return a traceback, escaped, because an exception can quote what people wrote."""
        return _indented(super().formatException(ei))

    def formatStack(self, stack_info: str) -> str:  # noqa: N802 - logging's name
        """Return a stack trace."""
        return _indented(super().formatStack(stack_info))


def _indented(text: str) -> str:
    return "\n".join(CONTINUED + one_line(line) for line in text.split("\n"))


class ConnectionErrorFilter(logging.Filter):
    """Shortens the library's records of connection errors to one line, a warning.

    The library reconnects, so the error needs no traceback: its cause is not in the code.
    """

    def filter(self, record: logging.LogRecord) -> bool:
        """Replace a connection error's traceback by its message; keep every record."""
        error = record.exc_info[1] if record.exc_info else None
        if record.name.startswith("discord.") and isinstance(error, _CONNECTION_ERRORS):
            reason = str(error) or type(error).__name__
            record.msg, record.args = "%s: %s", (record.getMessage(), reason)
            record.exc_info, record.levelno, record.levelname = None, logging.WARNING, "WARNING"
        return True


def log_to_stderr(settings: Settings, token: str) -> None:
    """Send all logs of the process to standard error, at the level of the settings."""
    handler = logging.StreamHandler()
    handler.setFormatter(LineFormatter(token))
    handler.addFilter(ConnectionErrorFilter())
    root = logging.getLogger()
    root.addHandler(handler)
    root.setLevel(level_number(settings))
    logging.captureWarnings(capture=True)
    logging.getLogger("alembic").setLevel(logging.WARNING)
    logging.getLogger("aiosqlite").setLevel(logging.INFO)  # At DEBUG it logs every statement.
    VoiceClient.warn_nacl = VoiceClient.warn_dave = False  # The bot uses no voice channels.
