"""The kinds of errors of calls to Discord, as far as a match has to tell them apart."""

from __future__ import annotations

from enum import StrEnum
from typing import Final

import aiohttp
import discord

CALL_ERRORS: Final = (discord.HTTPException, aiohttp.ClientError, TimeoutError, OSError)
"""The errors that a call to Discord may raise."""

LOST: Final = (aiohttp.ClientError, OSError)
"""The errors of a call that Discord may have carried out or not."""

_CHANNEL_GONE = {10003, 10004}
_MESSAGE_GONE = {10008, 30046}
_FORBIDDEN = {50001, 50013, 50083, 160005}
_BAD_REQUEST = 400


class ErrorKind(StrEnum):
    """The kind of an error of a call.

    Attributes:
        CHANNEL_GONE: the channel or the server does not exist any more.
        MESSAGE_GONE: the message does not exist any more, or can't be edited any more.
        FORBIDDEN: the bot lacks a permission, or the thread is archived or locked.
        INVALID: Discord refuses the content, and most likely will again.
        TEMPORARY: the call may go through later.
    """

    CHANNEL_GONE = "channel-gone"
    MESSAGE_GONE = "message-gone"
    FORBIDDEN = "forbidden"
    INVALID = "invalid"
    TEMPORARY = "temporary"


def error_kind(error: BaseException) -> ErrorKind:
    """Return the kind of an error of a call.

    30046 (too many edits of a message that is older than an hour) counts as a message that is
    gone: its content has to be posted.
    """
    if isinstance(error, discord.HTTPException):
        if error.code in _CHANNEL_GONE:
            return ErrorKind.CHANNEL_GONE
        if error.code in _MESSAGE_GONE:
            return ErrorKind.MESSAGE_GONE
        if error.code in _FORBIDDEN or isinstance(error, discord.Forbidden):
            return ErrorKind.FORBIDDEN
        if error.status == _BAD_REQUEST:
            return ErrorKind.INVALID
    return ErrorKind.TEMPORARY
