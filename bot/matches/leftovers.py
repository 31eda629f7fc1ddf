"""Work that an earlier process left undone: messages to clean up, and rematches to open."""

from __future__ import annotations

import asyncio
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final

from bot.matches.backoff import Backoff
from bot.matches.ports import NotNowError
from game.actions import Returned, Shown
from game.events import RematchAgreed

if TYPE_CHECKING:
    from asyncio import Semaphore
    from collections.abc import Awaitable, Callable, Iterable, Mapping, Sequence

    from bot.matches.ports import Channels, StoredMatch
    from bot.matches.runner import Runner
    from bot.matches.server_time import Clock
    from game.actions import Action
    from game.match import Step

_CLEANED_AFTER: Final = 4
"""The number of later posts after which a process has certainly cleaned up a message."""


@dataclass(frozen=True, slots=True)
class Leftovers:
    """The work left undone of one match.

    Attributes:
        posts: the keys of the messages that the log contains, by their ids.
        doubtful: ids of those messages that a process may not have cleaned up before it ended.
        agreed: ids of the users of a rematch that was agreed and is not open yet.
        superseded: whether the match's channel has had another match since.
    """

    posts: Mapping[int, str]
    doubtful: tuple[int, ...]
    agreed: tuple[int, ...]
    superseded: bool


def leftovers_of(stored: StoredMatch, actions: Sequence[Action], step: Step[Any]) -> Leftovers:
    """Return the work left undone of a match.

    Args:
        stored: the match as loaded from the store.
        actions: its decoded log.
        step: the state and all events that replaying the log gives.
    """
    agreed = (event.users for event in step.events if isinstance(event, RematchAgreed))
    return Leftovers(
        posts={action.id: action.key for action in actions if isinstance(action, Shown)},
        doubtful=_doubtful(actions),
        agreed=() if stored.superseded else tuple(next(agreed, ())),
        superseded=stored.superseded,
    )


def _doubtful(actions: Sequence[Action]) -> tuple[int, ...]:
    """Return the ids of messages that may not have been cleaned up.

    A process cleans up a message soon after it posts the next one, and certainly before it has
    posted `_CLEANED_AFTER` more. If another process posted some of those, the first one may have
    ended too early.
    """
    shown: list[int] = []
    after_return: list[bool] = []
    returned = False
    for action in actions:
        returned = returned or isinstance(action, Returned)
        if isinstance(action, Shown):
            shown.append(action.id)
            after_return.append(returned)
            returned = False
    return tuple(
        post
        for index, post in enumerate(shown)
        if len(shown) - index <= _CLEANED_AFTER
        or any(after_return[index + 2 : index + 1 + _CLEANED_AFTER])
    )


async def clean_up(
    runner: Runner,
    leftovers: Leftovers,
    unknown: Iterable[int],
    *,
    channels: Channels,
    gate: Semaphore,
    clock: Clock,
) -> None:
    """Clean up messages that no process may have cleaned up.

    Args:
        runner: the match, which runs already.
        leftovers: the work left undone of it.
        unknown: ids of messages of the match that its log does not contain.
        channels: the port that makes the calls.
        gate: limits the number of calls at once, for all matches.
        clock: monotonic time.
    """
    venue, present = runner.venue, runner.match.post
    for post in unknown:
        if present is None or post != present.id:
            await _retried(lambda post=post: channels.delete(venue, post), gate, clock)
    for post in leftovers.doubtful:
        if present is not None and post == present.id:
            continue
        key = leftovers.posts[post]
        later_keys = {later for other, later in leftovers.posts.items() if other > post}
        if present is not None:
            later_keys.add(present.key)
        superseded = key in later_keys or not runner.game.stays(key)
        clean = channels.delete if superseded else channels.remove_buttons
        await _retried(lambda clean=clean, post=post: clean(venue, post), gate, clock)


async def _retried(call: Callable[[], Awaitable[None]], gate: Semaphore, clock: Clock) -> None:
    """Make a call, and repeat it while Discord fails to carry it out, for ten minutes."""
    backoff = Backoff(clock)
    while not backoff.exhausted:
        try:
            async with gate:
                await call()
            break
        except NotNowError:
            backoff.fail()
        await asyncio.sleep(backoff.delay)
