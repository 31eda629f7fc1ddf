"""Decides how a display goes on after a failed call or a fault of our code: pure functions."""

from __future__ import annotations

from dataclasses import dataclass, replace
from enum import StrEnum
from typing import TYPE_CHECKING, Final

from bot.channel.outgoing import ATTEMPTS
from bot.matches.backoff import FIRST_S, GIVE_UP_S
from bot.replies.errors import ErrorKind

if TYPE_CHECKING:
    from bot.channel.outgoing import OutgoingPost
    from bot.channel.plan import DisplayState
    from game.match import Phase

RETRY_EDIT_S: Final = 3.0
"""The longest wait after a failed edit: people are looking at what it should have changed."""

NOT_CARRIED_OUT: Final = frozenset({ErrorKind.TEMPORARY, ErrorKind.INVALID})
"""Errors for which the same or another message may go through later."""


@dataclass(frozen=True, slots=True)
class EditFailures:
    """The edits that failed since one was carried out.

    Attributes:
        since: when the first of them failed, in monotonic seconds; None: none has.
        count: how many have failed.
        invalid: how many of them Discord refused for their content; a new post does not reset
            it, so that a match is posted again once for this reason.
        retry_at: when the next edit may be made, in monotonic seconds.
    """

    since: float | None = None
    count: int = 0
    invalid: int = 0
    retry_at: float = 0.0

    def after_failure(self, now: float, *, invalid: bool) -> EditFailures:
        """Return them with one more."""
        return EditFailures(
            since=now if self.since is None else self.since,
            count=self.count + 1,
            invalid=self.invalid + invalid,
            retry_at=now + min(FIRST_S * 2**self.count, RETRY_EDIT_S),
        )

    def after_post(self) -> EditFailures:
        """Return them after a new message was posted, or posting was given up."""
        return replace(self, since=None, count=0)

    def is_hopeless(self, now: float) -> bool:
        """Whether edits have failed for so long that the match should pause."""
        return self.since is not None and now - self.since > GIVE_UP_S


class Next(StrEnum):
    """How a display goes on after a failed call or a fault.

    Attributes:
        RETRY: the call is made again, later.
        RETRY_BY_CHANNEL: it is made again at once, without the token of a press.
        REPOST: it is made again, and the match is posted in a new message meanwhile.
        DROP: the outgoing post is dropped, and the sheet that is wanted by now is posted.
        FORGET_MESSAGE: the message is gone, and the wanted sheet goes into a new one.
        REPLAN: the message is no longer the one that shows the match, so nothing is done.
        GIVE_UP: nothing more is tried until the match changes.
        REBUILD: the match is rebuilt from its log and shown again.
        CLOSE: the match is ended.
    """

    RETRY = "retry"
    RETRY_BY_CHANNEL = "retry-by-channel"
    REPOST = "repost"
    DROP = "drop"
    FORGET_MESSAGE = "forget-message"
    REPLAN = "replan"
    GIVE_UP = "give-up"
    REBUILD = "rebuild"
    CLOSE = "close"


def after_failed_post(
    kind: ErrorKind, state: DisplayState, outgoing: OutgoingPost, phase: Phase, now: float
) -> Next:
    """Return how to go on after a failed post.

    Args:
        kind: the kind of the error.
        state: the state after the failure.
        outgoing: the message, with this failure counted.
        phase: the match's phase now.
        now: monotonic seconds.
    """
    if kind is ErrorKind.FORBIDDEN and state.has_moved_on(outgoing):
        # The permission may have been given back while Discord answered: the next post shows it.
        return Next.DROP
    if kind not in NOT_CARRIED_OUT or outgoing.is_hopeless(phase, now):
        return Next.GIVE_UP
    return Next.RETRY


def after_failed_edit(
    kind: ErrorKind, failures: EditFailures, now: float, *, by_token: bool, is_current: bool
) -> Next:
    """Return how to go on after a failed edit.

    Args:
        kind: the kind of the error.
        failures: those before this one.
        now: monotonic seconds.
        by_token: whether the message had the token of a press.
        is_current: whether the message still is the one that shows the match.
    """
    if by_token:
        return Next.RETRY_BY_CHANNEL
    if kind is ErrorKind.MESSAGE_GONE:
        return Next.FORGET_MESSAGE if is_current else Next.REPLAN
    if kind is ErrorKind.FORBIDDEN and not is_current:
        return Next.REPLAN
    if kind not in NOT_CARRIED_OUT or failures.is_hopeless(now):
        return Next.GIVE_UP
    if kind is ErrorKind.INVALID and failures.invalid + 1 == ATTEMPTS:
        return Next.REPOST
    return Next.RETRY


def after_failed_cleanup(kind: ErrorKind, *, by_token: bool, exhausted: bool) -> Next:
    """Return how to go on after a failed call that cleans up an earlier message.

    Args:
        kind: the kind of the error.
        by_token: whether the message had the token of a press.
        exhausted: whether it has been tried for long enough.
    """
    if by_token:
        return Next.RETRY_BY_CHANNEL
    if kind is not ErrorKind.TEMPORARY or exhausted:
        return Next.GIVE_UP
    return Next.RETRY


def after_fault(faults: int) -> Next:
    """Return how to go on after a fault of our own code, as in drawing a picture.

    Args:
        faults: how many there have been since a call was carried out, this one included.
    """
    if faults % ATTEMPTS:
        return Next.RETRY
    return Next.REBUILD if faults == ATTEMPTS else Next.CLOSE


def fault_delay(faults: int) -> float:
    """Return the seconds to wait after a fault that is retried: one, then two."""
    return 2.0 ** (faults % ATTEMPTS - 1)
