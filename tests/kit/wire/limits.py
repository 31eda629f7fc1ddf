"""An interceptor with Discord's rate limits: headers on every answer, and 429 beyond them.

The numbers are those commonly seen; Discord publishes none. Each limit is a window that opens with
its first request. The global limit slides: whatever the second looks at, it holds no more than
fifty requests; answers to interactions are not counted.
"""

from __future__ import annotations

import asyncio
import re
import time
from collections import deque
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING

from bot.sandbox.interceptor import ApiResponse, Interceptor
from tests.kit.wire.faults import too_many

if TYPE_CHECKING:
    from collections.abc import Callable

    from bot.sandbox.interceptor import ApiRequest

GLOBAL = 50
SECOND = 1.0
ROUTES = (
    ("post", "POST", r"/channels/(\d+)/messages", 5, 5.0),
    ("edit", "PATCH", r"/channels/(\d+)/messages/\d+", 5, 5.0),
    ("bulk", "POST", r"/channels/(\d+)/messages/bulk-delete", 1, 1.0),
    ("delete", "DELETE", r"/channels/(\d+)/messages/\d+", 5, 1.0),
    ("react", "PUT", r"/channels/(\d+)/messages/\d+/reactions/.+", 1, 0.25),
    ("follow-up", "POST", r"/webhooks/\d+/([^/]+)", 5, 2.0),
    ("answer", "PATCH", r"/webhooks/\d+/([^/]+)/messages/@original", 5, 2.0),
    ("unfollow", "DELETE", r"/webhooks/\d+/([^/]+)/messages/[^/]+", 5, 2.0),
    ("callback", "POST", r"/interactions/\d+/([^/]+)/callback", 50, 1.0),
)
EXEMPT = {"follow-up", "answer", "unfollow", "callback"}


@dataclass(slots=True)
class Call:
    """A request that was let through.

    Attributes:
        at: when it arrived, in monotonic seconds.
        kind: of which limit it is.
        major: what the limit is counted for.
        request: itself.
        answer: what came of it.
        size: how many bytes of files it carried.
    """

    at: float
    kind: str
    major: str
    request: ApiRequest
    answer: ApiResponse
    size: int


@dataclass(slots=True)
class _Window:
    limit: int
    period: float
    used: int = 0
    ends: float = 0.0

    def take(self, now: float) -> bool:
        if now >= self.ends:
            self.used, self.ends = 0, now + self.period
        self.used += 1
        return self.used <= self.limit


@dataclass
class Limits(Interceptor):
    """Lets through what the limits allow.

    Attributes:
        latency: how long a request travels each way, in seconds.
        calls: what was let through.
        refused: what was answered with 429: kind and path.
    """

    latency: float = 0.04
    calls: list[Call] = field(default_factory=list)
    refused: list[tuple[str, str]] = field(default_factory=list)
    served: Callable[[Call], None] | None = None
    _windows: dict[tuple[str, str], _Window] = field(default_factory=dict)
    _second: deque[float] = field(default_factory=deque)

    def of(self, *kinds: str) -> list[Call]:
        return [call for call in self.calls if call.kind in kinds]

    def busiest_second(self) -> int:
        """The most requests in any second that count for the global limit."""
        times = [call.at for call in self.calls if call.kind not in EXEMPT]
        first = most = 0
        for last, at in enumerate(times):
            while at - times[first] >= SECOND:
                first += 1
            most = max(most, last - first + 1)
        return most

    async def handle_request(self, request, serve):
        await asyncio.sleep(self.latency)
        kind, major, window = self._window(request)
        now = time.monotonic()
        if kind not in EXEMPT and not self._within_global(now):
            answer = self._refuse(request, "global", self._second[0] + SECOND - now)
        elif not window.take(now):
            answer = self._refuse(request, kind, window.ends - now)
        else:
            answer = serve(request)
            size = sum(len(upload.data) for upload in request.uploads)
            call = Call(now, kind, major, request, answer, size)
            self.calls.append(call)
            if self.served is not None:
                self.served(call)
        headers = self._headers(kind, window, time.monotonic())
        await asyncio.sleep(self.latency)
        return replace(answer, headers={**headers, **answer.headers})

    def _window(self, request: ApiRequest) -> tuple[str, str, _Window]:
        for kind, method, pattern, limit, period in ROUTES:
            found = re.fullmatch(pattern, request.path)
            if found and request.method == method:
                window = self._windows.setdefault((kind, found[1]), _Window(limit, period))
                return kind, found[1], window
        bucket = request.bucket
        return "other", bucket, self._windows.setdefault(("other", bucket), _Window(50, 1.0))

    def _within_global(self, now: float) -> bool:
        while self._second and now - self._second[0] >= SECOND:
            self._second.popleft()
        if len(self._second) >= GLOBAL:
            return False
        self._second.append(now)
        return True

    def _refuse(self, request: ApiRequest, kind: str, wait: float) -> ApiResponse:
        self.refused.append((kind, request.path))
        return too_many(wait, "global" if kind == "global" else "user")

    def _headers(self, kind: str, window: _Window, now: float) -> dict[str, str]:
        left = max(0.0, window.ends - now)
        return {
            "X-RateLimit-Limit": str(window.limit),
            "X-RateLimit-Remaining": str(max(0, window.limit - window.used)),
            "X-RateLimit-Reset": f"{time.time() + left:.3f}",
            "X-RateLimit-Reset-After": f"{left:.3f}",
            "X-RateLimit-Bucket": f"of-{kind}",
        }
