"""A hook that sees every HTTP request and gateway event before it is carried out.

The plain interceptor changes nothing. Tests pass a subclass to the server to see how a bot copes
with rate limits, lost responses, and late, repeated or reordered events.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, cast

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

__all__ = ["ApiRequest", "ApiResponse", "GatewayEvent", "Interceptor", "Upload"]

_MAJOR = ("channels", "guilds", "webhooks")


@dataclass(frozen=True, slots=True)
class Upload:
    """A file of a multipart request."""

    filename: str
    data: bytes
    description: str | None = None


@dataclass(frozen=True, slots=True)
class ApiRequest:
    """A request as the bot sent it; ``path`` omits ``/api/vN`` and is still percent-encoded."""

    method: str
    path: str
    query: Mapping[str, str]
    json: Any = None
    uploads: tuple[Upload, ...] = ()
    token: str | None = None
    reason: str | None = None

    @property
    def body(self) -> dict[str, Any]:
        """The JSON object of the request, or an empty one."""
        value: Any = self.json
        return cast("dict[str, Any]", value) if isinstance(value, dict) else {}

    @property
    def bucket(self) -> str:
        """The rate-limit bucket: the route with its major id, and ``id`` for all other ids."""
        parts = self.path.strip("/").split("/")
        keep = 1 if parts[0] in _MAJOR else 0
        named = [
            part if index <= keep or not part.isdecimal() else "id"
            for index, part in enumerate(parts)
        ]
        return f"{self.method} /{'/'.join(named)}"


@dataclass(frozen=True, slots=True)
class ApiResponse:
    """A response: a status, a JSON value (None for an empty body), and extra headers."""

    status: int
    json: Any = None
    headers: Mapping[str, str] = field(default_factory=dict[str, str])


@dataclass(frozen=True, slots=True)
class GatewayEvent:
    """A dispatch for one session; it gets its sequence number when it is delivered."""

    name: str
    data: Mapping[str, Any]
    shard_id: int = 0


class Interceptor:
    """Passes everything on at once; a subclass can answer, delay, drop, repeat or reorder it."""

    async def handle_request(
        self, request: ApiRequest, serve: Callable[[ApiRequest], ApiResponse]
    ) -> ApiResponse:
        """Return the response to an HTTP request; rate-limit headers are added here.

        Args:
            request: what the bot sent.
            serve: Discord itself; a subclass can call it any number of times.

        Raises:
            ConnectionResetError: the server breaks the connection without a response.
        """
        return serve(request)

    async def handle_connect(
        self, request: ApiRequest, serve: Callable[[ApiRequest], ApiResponse]
    ) -> ApiResponse:
        """Return the response to a client that opens its gateway connection (``GET /gateway``).

        The status 101, which ``serve`` returns, opens the connection; any other refuses it.

        Raises:
            ConnectionResetError: the server breaks the connection without a response.
        """
        return serve(request)

    def handle_event(self, event: GatewayEvent, deliver: Callable[[GatewayEvent], None]) -> None:
        """Pass an event to a session; a subclass can call ``deliver`` later, twice or never."""
        deliver(event)
