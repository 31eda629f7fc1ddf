"""The one place that every HTTP request and every gateway event passes.

The plain door lets everything through. Whoever wants to see how a bot takes an unkind Discord
(limits, lost answers, late, doubled or reordered events) hands the server a door of their own.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, cast

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

__all__ = ["ApiAnswer", "ApiRequest", "Door", "GatewayEvent", "Upload"]

_MAJOR = ("channels", "guilds", "webhooks")


@dataclass(frozen=True, slots=True)
class Upload:
    """A file of a multipart request."""

    filename: str
    data: bytes
    description: str | None = None


@dataclass(frozen=True, slots=True)
class ApiRequest:
    """A request as the bot sent it. ``path`` is below ``/api/vN`` and still percent-encoded."""

    method: str
    path: str
    query: Mapping[str, str]
    json: Any = None
    uploads: tuple[Upload, ...] = ()
    token: str | None = None
    reason: str | None = None

    @property
    def body(self) -> dict[str, Any]:
        """The JSON object sent, or an empty one."""
        value: Any = self.json
        return cast("dict[str, Any]", value) if isinstance(value, dict) else {}

    @property
    def bucket(self) -> str:
        """What Discord counts together: the route with its first id, other ids left open."""
        parts = self.path.strip("/").split("/")
        keep = 1 if parts[0] in _MAJOR else 0
        named = [
            part if index <= keep or not part.isdecimal() else "id"
            for index, part in enumerate(parts)
        ]
        return f"{self.method} /{'/'.join(named)}"


@dataclass(frozen=True, slots=True)
class ApiAnswer:
    """What goes back: a status, a JSON value (None for an empty body), and extra headers."""

    status: int
    json: Any = None
    headers: Mapping[str, str] = field(default_factory=dict[str, str])


@dataclass(frozen=True, slots=True)
class GatewayEvent:
    """A dispatch on its way to one session; its sequence number is given at delivery."""

    name: str
    data: Mapping[str, Any]
    shard_id: int = 0


class Door:
    """Lets everything through at once. Subclasses may answer, hold, drop, double or reorder."""

    async def request(
        self, request: ApiRequest, serve: Callable[[ApiRequest], ApiAnswer]
    ) -> ApiAnswer:
        """Answer a request; ``serve`` is Discord itself and may be called any number of times.

        Rate-limit headers are added here. Raising ``ConnectionResetError`` hangs up.
        """
        return serve(request)

    async def connect(
        self, request: ApiRequest, serve: Callable[[ApiRequest], ApiAnswer]
    ) -> ApiAnswer:
        """Let a client open its gateway connection (``GET /gateway``).

        What ``serve`` answers, 101, opens it; another status refuses it, and a
        ``ConnectionResetError`` hangs up.
        """
        return serve(request)

    def event(self, event: GatewayEvent, deliver: Callable[[GatewayEvent], None]) -> None:
        """Pass an event to a session; ``deliver`` may be called now, later, twice or never."""
        deliver(event)
