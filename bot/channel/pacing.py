"""Says when the next call to Discord can go out; calls are spread evenly over a rate limit.

discord.py keeps to the rate limits by sleeping inside a call, when the payload is fixed already.
A display asks here first, and draws the newest state only when its call can go out at once.
"""

from __future__ import annotations

import asyncio
import re
from collections import deque
from dataclasses import dataclass
from math import isfinite
from typing import TYPE_CHECKING, Any, Final, Protocol, TypeVar

import aiohttp

if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable
    from types import SimpleNamespace

    from bot.matches.server_time import Clock

USUAL_GAP: Final = 1.0
"""Seconds between two calls on one route while no header has said more."""

CALLS_PER_SECOND: Final = 44.0
"""How much a process uses of Discord's global limit of 50; interactions do not count."""

LANE: Final = 2
"""How many calls are prepared at a time: the event loop and the drawing worker overlap."""

FORGET_AT: Final = 200
_TOO_MANY: Final = 429
_ROUTES: Final = (
    ("PATCH", re.compile(r"/channels/(\d+)/messages/\d+$"), "edit"),
    ("POST", re.compile(r"/channels/(\d+)/messages$"), "post"),
    ("PUT", re.compile(r"/channels/(\d+)/messages/\d+/reactions/.+$"), "react"),
    ("PATCH", re.compile(r"/webhooks/\d+/([^/]+)/messages/@original$"), "answer"),
)


class Prepared(Protocol):
    """A call that can go out."""

    @property
    def counts(self) -> bool:
        """Whether Discord's global limit counts it."""
        ...


T = TypeVar("T")
R = TypeVar("R", bound=Prepared | None)


def edits(channel: int) -> str:
    """Return the route of edits in a channel."""
    return f"edit:{channel}"


def posts(channel: int) -> str:
    """Return the route of new messages in a channel."""
    return f"post:{channel}"


def reactions(channel: int) -> str:
    """Return the route of reactions in a channel."""
    return f"react:{channel}"


def answers(token: str) -> str:
    """Return the route of edits through an interaction's token."""
    return f"answer:{token}"


@dataclass(slots=True)
class _Limit:
    """The rate limit of one route.

    Attributes:
        next_at: when the next call should go out, in monotonic seconds.
        sent_at: when the last call was sent.
        full_at: when the whole limit is available again.
    """

    next_at: float
    sent_at: float
    full_at: float


class Meter:
    """Reads the rate limit headers of every response, through aiohttp's tracing."""

    def __init__(self, clock: Clock) -> None:
        self._clock = clock
        self._limits: dict[str, _Limit] = {}

    def trace(self) -> aiohttp.TraceConfig:
        """Return the trace config for `discord.Client(http_trace=...)`."""
        config = aiohttp.TraceConfig()
        config.on_request_end.append(self._on_request_end)
        return config

    @property
    def known_routes(self) -> frozenset[str]:
        """The routes of which a limit is known, or was until it was available in full again."""
        return frozenset(self._limits)

    def wait(self, route: str) -> float:
        """Return how many seconds to wait before the next call on a route."""
        limit = self._limits.get(route)
        return 0.0 if limit is None else max(0.0, limit.next_at - self._clock.monotonic())

    def note_call(self, route: str, since: float) -> None:
        """Note a call that was carried out; without headers the usual gap follows.

        Args:
            route: the route of the call.
            since: monotonic seconds at which the call began.
        """
        limit = self._limits.get(route)
        if limit is None or limit.sent_at < since:
            now = self._clock.monotonic()
            self._learn(route, _Limit(now + USUAL_GAP, now, now + USUAL_GAP))

    async def _on_request_end(
        self,
        _session: aiohttp.ClientSession,
        _context: SimpleNamespace,
        params: aiohttp.TraceRequestEndParams,
    ) -> None:
        route = _route(params.method, params.url.path)
        if route is None:
            return
        headers, refused = params.response.headers, params.response.status == _TOO_MANY
        left = _number(headers.get("X-RateLimit-Remaining"))
        reset = _number(headers.get("X-RateLimit-Reset-After"))
        if refused:
            left, reset = 0.0, max(reset or 0.0, _number(headers.get("Retry-After")) or 0.0)
        if left is None or reset is None or (refused and not reset):
            return
        now = self._clock.monotonic()
        self._learn(route, _Limit(now + reset / (left + 1), now, now + reset))

    def _learn(self, route: str, limit: _Limit) -> None:
        """Store the limit of a route.

        Every press has a route of its own, so limits that are available in full are dropped now
        and then.
        """
        self._limits[route] = limit
        if len(self._limits) > FORGET_AT:
            now = self._clock.monotonic()
            self._limits = {r: known for r, known in self._limits.items() if known.full_at > now}


def _number(header: str | None) -> float | None:
    """Return the number in a header; None if it is missing, or no finite number of at least 0."""
    try:
        value = float(header or "")
    except ValueError:
        return None
    return value if isfinite(value) and value >= 0 else None


def _route(method: str, path: str) -> str | None:
    for verb, pattern, kind in _ROUTES:
        found = pattern.search(path) if method == verb else None
        if found is not None:
            return f"{kind}:{found[1]}"
    return None


class Budget:
    """Discord's global limit, shared by all matches of a process: first come, first served.

    Calls queue for a short lane. In the lane, a match draws its newest state, waits until the
    global limit allows another call, and leaves the lane to send it. A match asks for its next
    turn only after its last call, so matches take turns. However long they were held up, no more
    than `LANE` calls go out at once.
    """

    def __init__(self, clock: Clock, per_second: float = CALLS_PER_SECOND) -> None:
        self._clock = clock
        self._gap = 1.0 / per_second
        self._next_at = 0.0
        self._waiting = 0
        self._turns: deque[asyncio.Task[Any]] = deque(maxlen=LANE)

    @property
    def idle(self) -> bool:
        """Whether the queue is empty, and a call could go out almost at once."""
        return not self._waiting and self._next_at - self._clock.monotonic() < 1.5 * self._gap

    @property
    def queue_delay(self) -> float:
        """About how many seconds a match that joins the queue now waits for its turn."""
        return self._waiting * self._gap

    def try_acquire(self) -> bool:
        """Make a call count if it can go out at once; return whether it can."""
        if not self.idle:
            return False
        self._next_at = max(self._clock.monotonic(), self._next_at) + self._gap
        return True

    async def turn(self, prepare: Callable[[], Awaitable[R]]) -> R:
        """Prepare a call in its turn; it may go out as soon as this returns."""

        async def go() -> R:
            ready = await prepare()
            if ready is not None and ready.counts:
                await self._spaced()
            return ready

        return await self._queued(go)

    async def acquire(self) -> None:
        """Wait until a call that needs no preparation may go out."""
        await self._queued(self._spaced)

    async def _queued(self, go: Callable[[], Awaitable[T]]) -> T:
        """Run a coroutine once there is room in the lane.

        Each turn waits for the task of an earlier turn and not for a lock, so that a simulated
        clock can see the task that a turn waits for.
        """
        before = self._turns[0] if len(self._turns) == LANE else None

        async def follow() -> T:
            if before is not None and not before.done():
                self._waiting += 1
                try:
                    await asyncio.wait((before,))
                finally:
                    self._waiting -= 1
            return await go()

        turn = asyncio.get_running_loop().create_task(follow(), name="turn")
        self._turns.append(turn)
        turn.add_done_callback(self._leave)
        return await turn

    def _leave(self, turn: asyncio.Task[Any]) -> None:
        """Drop a turn that is over, and with it the pictures that it has drawn."""
        if turn in self._turns:
            self._turns.remove(turn)

    async def _spaced(self) -> None:
        now = self._clock.monotonic()
        at = max(now, self._next_at)
        self._next_at = at + self._gap
        if at > now:
            await asyncio.sleep(at - now)
