"""An interceptor that brings in faults: which requests or events, what happens to them, how often.

    faults = Faults()
    async with LoopbackDiscord(interceptor=faults) as discord:
        faults.on(POST, refused(503), times=2)               # the next two posts
        faults.on(EDIT, limited(4, scope="global"), times=1)
        with faults.on(HISTORY, hanging()):                  # until the block ends
            ...
        with faults.events(repeated(3), "MESSAGE_CREATE"):
            ...

Of several rules for one request the newest that is not used up holds. What no rule is about goes
through the interceptor behind, so limits and faults can be had together.
"""

from __future__ import annotations

import asyncio
import re
import time
from dataclasses import dataclass, field
from functools import partial
from typing import TYPE_CHECKING, Final, Literal, TypeAlias

from bot.sandbox.interceptor import ApiResponse, Interceptor

if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable
    from random import Random
    from typing import Self

    from bot.sandbox.interceptor import ApiRequest, GatewayEvent

Arrive: TypeAlias = "Callable[[], None]"
Serve: TypeAlias = "Callable[[ApiRequest], ApiResponse]"
Deliver: TypeAlias = "Callable[[GatewayEvent], None]"
Fault: TypeAlias = "Callable[[ApiRequest, Serve, asyncio.Event], Awaitable[ApiResponse]]"
"""Makes the answer to a request; the last argument is set once the rule is lifted."""

EventFault: TypeAlias = "Callable[[Arrive, list[Arrive]], None]"
"""Lets an event arrive now, later, several times or never; what is held arrives at the end."""

__all__ = [
    "ANSWER",
    "CALLBACK",
    "CONNECT",
    "DELETE",
    "EDIT",
    "EVERYTHING",
    "HISTORY",
    "POST",
    "REACT",
    "EventFault",
    "EventRule",
    "Fault",
    "Faults",
    "Rule",
    "delayed",
    "hanging",
    "hung_up",
    "kept",
    "limited",
    "lost",
    "missing",
    "refused",
    "repeated",
    "scattered",
    "too_many",
]

EVERYTHING: Final = "* /**"
POST: Final = "POST /channels/*/messages"
EDIT: Final = "PATCH /channels/*/messages/*"
DELETE: Final = "DELETE /channels/*/messages/*"
HISTORY: Final = "GET /channels/*/messages"
REACT: Final = "PUT /channels/*/messages/*/reactions/**"
CALLBACK: Final = "POST /interactions/*/*/callback"
ANSWER: Final = "PATCH /webhooks/*/*/messages/@original"
CONNECT: Final = "GET /gateway"
"""A client opens its gateway connection."""

_WORDS: Final = {
    403: (50013, "Missing Permissions"),
    404: (10008, "Unknown Message"),
}
_HASH: Final = "of-the-faults"

Scope: TypeAlias = Literal["user", "global", "shared"]


def too_many(seconds: float, scope: Scope = "user") -> ApiResponse:
    """Discord's answer to one request too many: of one bucket, or of all together."""
    everywhere = scope == "global"
    words = "You are being rate limited."
    body = {"message": words, "retry_after": seconds, "global": everywhere}
    headers = {
        "Retry-After": str(int(seconds) + 1),
        "Via": "1.1 google",
        "X-RateLimit-Scope": scope,
    }
    if everywhere:
        headers["X-RateLimit-Global"] = "true"
    return ApiResponse(429, body, headers)


# -- what happens to a request


def refused(
    status: int, code: int | None = None, message: str | None = None, *, body: bool = True
) -> Fault:
    """Nothing is done, and the answer says so; without a body as a proxy's answer has it."""
    usual_code, usual = _WORDS.get(status, (0, f"{status}: Not now"))
    json = {"code": usual_code if code is None else code, "message": message or usual}

    async def happen(_request: ApiRequest, _serve: Serve, _lifted: asyncio.Event) -> ApiResponse:
        return ApiResponse(status, json if body else None)

    return happen


def limited(seconds: float, scope: Scope = "user") -> Fault:
    """One request too many: it may be made again after so long.

    The wait is counted from the first request that is refused, as on Discord; a rule that lasts
    until it is lifted tells the later ones the rest of it, and then begins again.
    """
    ends = 0.0

    async def happen(request: ApiRequest, _serve: Serve, _lifted: asyncio.Event) -> ApiResponse:
        nonlocal ends
        now = time.monotonic()
        if now >= ends:
            ends = now + seconds
        answer = too_many(ends - now, scope)
        if scope != "global":
            left = f"{ends - now:.3f}"
            bucket = {
                "X-RateLimit-Limit": "5",
                "X-RateLimit-Remaining": "0",
                "X-RateLimit-Reset": f"{time.time() + ends - now:.3f}",
                "X-RateLimit-Reset-After": left,
                "X-RateLimit-Bucket": f"{_HASH}-{request.bucket.split('/')[-1]}",
            }
            answer = ApiResponse(429, answer.json, {**answer.headers, **bucket})
        return answer

    return happen


def lost() -> Fault:
    """The work is done, but the connection breaks before the answer is out."""

    async def happen(request: ApiRequest, serve: Serve, _lifted: asyncio.Event) -> ApiResponse:
        serve(request)
        raise ConnectionResetError

    return happen


def hung_up() -> Fault:
    """The connection breaks before anything is done."""

    async def happen(_request: ApiRequest, _serve: Serve, _lifted: asyncio.Event) -> ApiResponse:
        raise ConnectionResetError

    return happen


def hanging() -> Fault:
    """Nothing comes back until the rule is lifted; then the connection breaks."""

    async def happen(_request: ApiRequest, _serve: Serve, lifted: asyncio.Event) -> ApiResponse:
        await lifted.wait()
        raise ConnectionResetError

    return happen


def delayed(seconds: float) -> Fault:
    """The work is done at once, and the answer takes so long."""

    async def happen(request: ApiRequest, serve: Serve, _lifted: asyncio.Event) -> ApiResponse:
        answer = serve(request)
        await asyncio.sleep(seconds)
        return answer

    return happen


# -- what happens to an event


def repeated(times: int = 2) -> EventFault:
    """The event arrives several times."""

    def happen(arrive: Arrive, _held: list[Arrive]) -> None:
        for _ in range(times):
            arrive()

    return happen


def missing() -> EventFault:
    """The event never arrives."""
    return lambda _arrive, _held: None


def kept(*, last_first: bool = False) -> EventFault:
    """Events wait until the rule is lifted, and arrive then in their order or backwards."""
    return lambda arrive, held: held.insert(0 if last_first else len(held), arrive)


def scattered(seconds: float, random: Random) -> EventFault:
    """Each event is late by a chance of its own, so that they overtake each other."""

    def happen(arrive: Arrive, _held: list[Arrive]) -> None:
        asyncio.get_running_loop().call_later(random.random() * seconds, arrive)

    return happen


# -- rules


@dataclass(eq=False)
class Rule:
    """A fault for the requests of a route; a context manager that lifts it at its end.

    Attributes:
        route: method and path; ``*`` is one part of a path, ``**`` any number of them.
        fault: what happens.
        times: how many requests it is for; None: all, until it is lifted.
        met: the requests that it happened to.
    """

    route: str
    fault: Fault
    times: int | None = None
    met: list[ApiRequest] = field(default_factory=list["ApiRequest"])
    _lifted: asyncio.Event = field(default_factory=asyncio.Event)

    def __post_init__(self) -> None:
        self._pattern = _pattern(self.route)

    def holds(self, request: ApiRequest) -> bool:
        """Whether it is this request's turn to fail."""
        used_up = self.times is not None and len(self.met) >= self.times
        if used_up or self._lifted.is_set():
            return False
        return self._pattern.fullmatch(f"{request.method} {request.path}") is not None

    async def apply(self, request: ApiRequest, serve: Serve) -> ApiResponse:
        """Let it happen."""
        self.met.append(request)
        return await self.fault(request, serve, self._lifted)

    def lift(self) -> None:
        """End it; what hangs is broken off."""
        self._lifted.set()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.lift()


@dataclass(eq=False)
class EventRule:
    """A fault for events; a context manager that lifts it at its end.

    Attributes:
        fault: what happens.
        names: of which events; none: of all.
        only: of which of them.
        met: the events that it happened to.
    """

    fault: EventFault
    names: frozenset[str]
    only: Callable[[GatewayEvent], bool] | None
    met: list[GatewayEvent] = field(default_factory=list["GatewayEvent"])
    _held: list[Arrive] = field(default_factory=list["Arrive"])
    _over: bool = False

    def holds(self, event: GatewayEvent) -> bool:
        """Whether this event is meant."""
        named = not self.names or event.name in self.names
        return named and not self._over and (self.only is None or self.only(event))

    def apply(self, event: GatewayEvent, deliver: Deliver) -> None:
        """Let it happen."""
        self.met.append(event)
        self.fault(partial(deliver, event), self._held)

    def lift(self) -> None:
        """End it; what was kept back may arrive now."""
        self._over = True
        held, self._held = self._held, []
        for arrive in held:
            arrive()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.lift()


class Faults(Interceptor):
    """An interceptor with rules, in front of another one.

    Args:
        beyond: the interceptor behind, such as one that keeps limits.
    """

    def __init__(self, beyond: Interceptor | None = None) -> None:
        self.beyond = beyond or Interceptor()
        self.calls: list[ApiRequest] = []
        self._rules: list[Rule] = []
        self._event_rules: list[EventRule] = []

    def on(self, route: str, fault: Fault, *, times: int | None = None) -> Rule:
        """Let a fault happen to the requests of a route, so many times or until it is lifted."""
        rule = Rule(route, fault, times)
        self._rules.append(rule)
        return rule

    def events(
        self,
        fault: EventFault,
        *names: str,
        only: Callable[[GatewayEvent], bool] | None = None,
    ) -> EventRule:
        """Let a fault happen to events of these names (all, if none is given)."""
        rule = EventRule(fault, frozenset(names), only)
        self._event_rules.append(rule)
        return rule

    def lift_all(self) -> None:
        """End every rule."""
        rules, self._rules = self._rules, []
        events, self._event_rules = self._event_rules, []
        for rule in (*rules, *events):
            rule.lift()

    async def handle_request(self, request: ApiRequest, serve: Serve) -> ApiResponse:
        """Let the newest rule that holds happen; else pass the request on."""
        self.calls.append(request)
        for rule in reversed(self._rules):
            if rule.holds(request):
                return await rule.apply(request, serve)
        return await self.beyond.handle_request(request, serve)

    async def handle_connect(self, request: ApiRequest, serve: Serve) -> ApiResponse:
        """A client that opens the gateway meets the same rules."""
        for rule in reversed(self._rules):
            if rule.holds(request):
                return await rule.apply(request, serve)
        return await self.beyond.handle_connect(request, serve)

    def handle_event(self, event: GatewayEvent, deliver: Deliver) -> None:
        """Let the newest rule that holds happen; else pass the event on."""
        for rule in reversed(self._event_rules):
            if rule.holds(event):
                rule.apply(event, deliver)
                return
        self.beyond.handle_event(event, deliver)


def _pattern(route: str) -> re.Pattern[str]:
    pieces = re.split(r"(\*\*|\*)", route)
    kinds = {"**": r".*", "*": r"[^/ ]+"}
    return re.compile("".join(kinds.get(piece) or re.escape(piece) for piece in pieces))
