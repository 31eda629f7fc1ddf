"""What a process that has ended left of its matches, beside what their logs lead to."""

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

_SOON: Final = 4
"""After so many more messages a process has parted from one."""


@dataclass(frozen=True, slots=True)
class Remains:
    """What is left of one match.

    Attributes:
        posts: the messages that were known to show it, and what each showed, by their ids.
        doubtful: those of them from which a process may not have parted before it ended.
        agreed: who wants the rematch that was agreed and is not open yet.
        superseded: whether its channel has had another match since.
    """

    posts: Mapping[int, str]
    doubtful: tuple[int, ...]
    agreed: tuple[int, ...]
    superseded: bool


def remains_of(stored: StoredMatch, actions: Sequence[Action], step: Step[Any]) -> Remains:
    """Return what is left of a match.

    Args:
        stored: the match as it was found.
        actions: its log.
        step: where the log leads to, and everything that happened on the way.
    """
    shown = [action for action in actions if isinstance(action, Shown)]
    agreed = (event.users for event in step.events if isinstance(event, RematchAgreed))
    users = () if stored.superseded else next(agreed, ())
    posts = {post.id: post.key for post in shown}
    return Remains(posts, _doubtful(actions), tuple(users), stored.superseded)


def _doubtful(actions: Sequence[Action]) -> tuple[int, ...]:
    """Messages of which it is not known that they were parted from.

    That is done soon after the next message stands. So whoever went on to post a few more had done
    it; not so where another process came to post them.
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
        if len(shown) - index <= _SOON or any(after_return[index + 2 : index + 1 + _SOON])
    )


async def tidy_up(
    runner: Runner,
    remains: Remains,
    unknown: Iterable[int],
    *,
    channels: Channels,
    gate: Semaphore,
    clock: Clock,
) -> None:
    """Part from messages that no process has parted from.

    Args:
        runner: the match, which goes on already.
        remains: what is left of it.
        unknown: messages of the match of which the log does not know.
        channels: makes the calls.
        gate: how many calls are made at once, for all matches.
        clock: monotonic time.
    """
    venue, present = runner.venue, runner.match.post
    for post in unknown:
        if present is None or post != present.id:
            await _at_last(lambda post=post: channels.delete(venue, post), gate, clock)
    for post in remains.doubtful:
        if present is not None and post == present.id:
            continue
        key = remains.posts[post]
        shown_since = {later for other, later in remains.posts.items() if other > post}
        if present is not None:
            shown_since.add(present.key)
        goes = key in shown_since or not runner.hosted.stays(key)
        part = channels.delete if goes else channels.remove_buttons
        await _at_last(lambda part=part, post=post: part(venue, post), gate, clock)


async def _at_last(call: Callable[[], Awaitable[None]], gate: Semaphore, clock: Clock) -> None:
    """Do something as soon as Discord lets it be done; after a while it stays undone."""
    patience = Backoff(clock)
    while not patience.exhausted:
        try:
            async with gate:
                await call()
            break
        except NotNowError:
            patience.fail()
        await asyncio.sleep(patience.retry_at - clock.monotonic())
