"""The messages that show one match: the current one, and those that nothing refers to."""

from __future__ import annotations

from dataclasses import dataclass, field
from math import inf
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Set as AbstractSet

    import discord

    from bot.games.sheet import Sheet


@dataclass(eq=False, slots=True)
class ShownMessage:
    """A message in the channel that shows the match, or did.

    Attributes:
        id: its id.
        key: the key of its sheet; empty if unknown.
        sheet: its present content; None if unknown, as after a restart.
        attachments: the files of its pictures by name.
        token: the newest press on one of its buttons, and when that was.
        below: how many messages were posted after it.
        posted_at: when it was posted, in monotonic seconds.
    """

    id: int
    key: str = ""
    sheet: Sheet | None = None
    attachments: dict[str, discord.Attachment] = field(
        default_factory=dict[str, "discord.Attachment"]
    )
    token: tuple[discord.Interaction, float] | None = None
    below: int = 0
    posted_at: float = -inf


class KnownPosts:
    """Tells the known messages of one match from unknown ones.

    Discord may carry out a post whose answer is lost, as are those of the later attempts. Only
    the gateway's copy shows that such a message exists. But the gateway sends a copy of every
    post, usually before the answer, so a message is unknown for certain only while no post is
    under way.

    Args:
        first: the message that is known from the start, if there is one.
    """

    def __init__(self, first: int | None) -> None:
        self._known = set[int]() if first is None else {first}
        self._unconfirmed: set[int] = set()
        self._deleted: set[int] = set()

    def note(self, message: int) -> None:
        """Note a message that shows the match."""
        if message not in self._known:
            self._unconfirmed.add(message)

    def note_deleted(self, messages: AbstractSet[int]) -> None:
        """Note messages that were deleted while a post was under way."""
        self._deleted |= messages

    def confirm(self, message: int) -> bool:
        """Note the answer to a post; return False if its message was deleted before it came."""
        self._known.add(message)
        self._unconfirmed.discard(message)
        deleted, self._deleted = self._deleted, set()
        return message not in deleted

    def take_unknown(self) -> list[int]:
        """Return the unknown messages, each only once; no post may be under way."""
        unknown, self._unconfirmed = self._unconfirmed, set()
        self._known |= unknown
        return sorted(unknown)
