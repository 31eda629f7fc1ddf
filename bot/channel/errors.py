"""Which of Discord's refusals means what."""

from __future__ import annotations

from enum import StrEnum

import discord

_CHANNEL_GONE = {10003, 10004}
_MESSAGE_GONE = {10008, 30046}
_FORBIDDEN = {50001, 50013, 50083, 160005}
_BAD_REQUEST = 400


class ErrorKind(StrEnum):
    """What a failed call says about where it went."""

    CHANNEL_GONE = "channel-gone"
    MESSAGE_GONE = "message-gone"
    FORBIDDEN = "forbidden"
    INVALID = "invalid"
    TEMPORARY = "temporary"


def error_kind(error: BaseException) -> ErrorKind:
    """Return what a failed call means.

    30046 (an old message was edited too often) counts as a message that is gone: it has to be
    posted anew. What is refused for what it says will most likely be refused again.
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
