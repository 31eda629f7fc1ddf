"""Which messages that show a match are known, and which stand without anybody knowing of them."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Set as AbstractSet


class KnownPosts:
    """Tells one match's own messages from strangers.

    A post that Discord carried out may stand unknown: its answer was lost, and so were the
    attempts after it. The gateway's copy tells of it all the same, but it tells of every post,
    mostly before the answer. So who is a stranger shows only once no post is under way.

    Args:
        first: the message that is known from the start, if there is one.
    """

    def __init__(self, first: int | None) -> None:
        self._known = set[int]() if first is None else {first}
        self._strangers: set[int] = set()
        self._deleted: set[int] = set()

    def saw(self, message: int) -> None:
        """Take note of a message that shows the match."""
        if message not in self._known:
            self._strangers.add(message)

    def deleted(self, messages: AbstractSet[int]) -> None:
        """Take note of messages that were deleted while a post was under way."""
        self._deleted |= messages

    def stands(self, message: int) -> bool:
        """Take note of the answer to a post; False: its message was deleted before that came."""
        self._known.add(message)
        self._strangers.discard(message)
        deleted, self._deleted = self._deleted, set()
        return message not in deleted

    def take_strangers(self) -> list[int]:
        """Return messages that nobody here knew of, each once, while no post is under way."""
        strangers, self._strangers = self._strangers, set()
        self._known |= strangers
        return sorted(strangers)
