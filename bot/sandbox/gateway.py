"""Discord's gateway: a WebSocket with sessions, heartbeats, intents, shards and resumes."""

from __future__ import annotations

import asyncio
import json
import logging
from typing import TYPE_CHECKING, Any, cast

from aiohttp import WSMsgType, web

from bot.sandbox.interceptor import ApiRequest, ApiResponse
from bot.sandbox.session import GatewayError, Session, create_session

if TYPE_CHECKING:
    from collections.abc import Mapping

    from bot.sandbox.interceptor import Interceptor
    from bot.sandbox.world import Payload, World

__all__ = ["Gateway"]

_log = logging.getLogger(__name__)

_HEARTBEAT, _IDENTIFY, _PRESENCE, _VOICE, _RESUME, _MEMBERS = 1, 2, 3, 4, 6, 8
_RECONNECT, _INVALID_SESSION, _HELLO, _ACK = 7, 9, 10, 11
_SWITCHING_PROTOCOLS, _SERVICE_UNAVAILABLE = 101, 503
_NORMAL_CLOSE = (1000, 1001)
_CLOSE_TIMEOUT_S = 2.0


class Gateway:
    """Accepts connections and passes the world's events to the sessions.

    Attributes:
        interceptor: the hook that connections and events pass.
        url: where clients connect.
        heartbeat_interval: seconds between the heartbeats of a client.
        resume_window: seconds during which a lost session can be resumed.
        disallowed_intents: the value of the privileged intents that are switched off.
        refuses_resumes: whether every resume is answered with an invalid session.
        sessions: by id; connected ones, and lost ones that can be resumed.
    """

    def __init__(
        self,
        world: World,
        interceptor: Interceptor,
        *,
        url: str,
        heartbeat_interval: float = 41.25,
        resume_window: float = 120,
    ) -> None:
        self._world = world
        self.interceptor = interceptor
        self.url = url
        self.heartbeat_interval = heartbeat_interval
        self.resume_window = resume_window
        self.disallowed_intents = 0
        self.refuses_resumes = False
        self.sessions: dict[str, Session] = {}
        self._connections: set[_Connection] = set()
        world.subscribers.append(self._broadcast)

    def _broadcast(self, event: str, payload: Mapping[str, Any]) -> None:
        for session in list(self.sessions.values()):
            session.handle_event(event, payload)

    async def handle(self, request: web.Request) -> web.StreamResponse:
        """Serve one connection from HELLO to its end."""
        call = ApiRequest("GET", "/gateway", dict(request.query))
        try:
            answer = await self.interceptor.handle_connect(
                call, lambda _: ApiResponse(_SWITCHING_PROTOCOLS)
            )
        except ConnectionResetError:
            if request.transport is not None:
                request.transport.abort()
            answer = ApiResponse(_SERVICE_UNAVAILABLE)
        if answer.status != _SWITCHING_PROTOCOLS:
            return web.Response(status=answer.status, headers=answer.headers)
        socket = web.WebSocketResponse(timeout=_CLOSE_TIMEOUT_S, max_msg_size=64 * 1024)
        await socket.prepare(request)
        connection = _Connection(self, self._world, socket, request.transport)
        self._connections.add(connection)
        try:
            await connection.run()
        finally:
            self._connections.discard(connection)
        return socket

    def close_connections(self, code: int = 4000) -> None:
        """Close every connection; the sessions can be resumed."""
        for connection in list(self._connections):
            connection.close(code)

    def abort_connections(self) -> None:
        """Break every connection without a close frame; the sessions can be resumed."""
        for connection in list(self._connections):
            connection.abort()

    def request_reconnect(self) -> None:
        """Ask every client to reconnect and resume, as Discord does before it restarts."""
        for connection in list(self._connections):
            connection.send(_RECONNECT, None)

    def invalidate_sessions(self, *, resumable: bool = False) -> None:
        """Tell every client that its session is invalid; drop those that are not resumable."""
        if not resumable:
            self.sessions.clear()
        for connection in list(self._connections):
            connection.send(_INVALID_SESSION, resumable)

    def drop_sessions(self) -> None:
        """Drop all sessions, so that every client must identify again."""
        self.sessions.clear()
        self.close_connections()

    async def stop(self) -> None:
        """Close all connections and wait until they have ended."""
        self.drop_sessions()
        await asyncio.gather(*(connection.ended.wait() for connection in self._connections))

    def keep_for_resume(self, session: Session) -> None:
        """Drop a lost session when its resume window is over."""

        def expire() -> None:
            if not session.connected:
                self.sessions.pop(session.id, None)

        asyncio.get_running_loop().call_later(self.resume_window, expire)


class _Connection:
    """A client's socket: receives the client's messages and sends queued ones in order."""

    def __init__(
        self,
        gateway: Gateway,
        world: World,
        socket: web.WebSocketResponse,
        transport: asyncio.Transport | None,
    ) -> None:
        self._gateway = gateway
        self._transport = transport
        self._world = world
        self._socket = socket
        self._outbox: asyncio.Queue[str | None] = asyncio.Queue()
        self._session: Session | None = None
        self._close_code = 1000
        self.ended = asyncio.Event()

    async def run(self) -> None:
        interval_ms = round(self._gateway.heartbeat_interval * 1000)
        self.send(_HELLO, {"heartbeat_interval": interval_ms})
        writer = asyncio.create_task(self._write())
        try:
            await self._read()
        finally:
            self._detach()
            self._outbox.put_nowait(None)
            await writer
            self.ended.set()

    async def _read(self) -> None:
        # As on Discord, a client that misses two heartbeats is disconnected.
        timeout = self._gateway.heartbeat_interval * 2
        while True:
            try:
                frame = await self._socket.receive(timeout=timeout)
            except TimeoutError:
                return self.close(4009)
            if frame.type is not WSMsgType.TEXT:
                return None
            try:
                self._handle(cast("str", frame.data))
            except GatewayError as error:
                _log.warning("Closing a gateway connection: %s", error)
                return self.close(error.code)

    def _handle(self, text: str) -> None:
        try:
            message = json.loads(text)
            op, data = message["op"], message.get("d")
        except (ValueError, KeyError, TypeError, AttributeError):
            raise GatewayError(4002, "not a gateway message") from None
        if op == _HEARTBEAT:
            self._send_json({"op": _ACK})
        elif op == _IDENTIFY:
            self._identify(data)
        elif op == _RESUME:
            self._resume(data)
        elif self._session is None:
            raise GatewayError(4003, "nothing but a heartbeat comes before identify")
        elif op == _MEMBERS:
            self._session.send_members(data)
        elif op not in (_PRESENCE, _VOICE):
            raise GatewayError(4001, f"unknown opcode {op}")

    def _identify(self, data: Payload) -> None:
        if self._session is not None:
            raise GatewayError(4005, "already identified")
        gateway = self._gateway
        session = create_session(
            self._world, gateway.interceptor, data, disallowed=gateway.disallowed_intents
        )
        gateway.sessions[session.id] = session
        self._session = session
        session.attach(self._outbox.put_nowait)
        session.send_ready(gateway.url)
        self._world.wake_waiters()

    def _resume(self, data: Payload) -> None:
        session = self._gateway.sessions.get(str(data.get("session_id")))
        if session is not None and self._gateway.refuses_resumes:
            del self._gateway.sessions[session.id]
            session = None
        if session is None or data.get("token") != session.application.token:
            self.send(_INVALID_SESSION, data=False)
            return
        if not session.resume(int(data["seq"] or 0), self._outbox.put_nowait):
            self._gateway.sessions.pop(session.id, None)
            self.send(_INVALID_SESSION, data=False)
            return
        self._session = session
        self._world.wake_waiters()

    async def _write(self) -> None:
        while (text := await self._outbox.get()) is not None:
            try:
                await self._socket.send_str(text)
            except (ConnectionError, RuntimeError):
                return
        await self._socket.close(code=self._close_code)

    def send(self, op: int, data: object) -> None:
        """Queue a message that is not an event of the session."""
        self._send_json({"op": op, "d": data})

    def _send_json(self, message: Payload) -> None:
        self._outbox.put_nowait(json.dumps(message))

    def abort(self) -> None:
        """Break the TCP connection without a close frame."""
        self._detach()
        transport = self._transport
        if transport is not None:
            transport.abort()

    def close(self, code: int) -> None:
        """Detach at once, so that later events are kept for a resume, then close the socket."""
        self._detach()
        self._close_code = code
        self._outbox.put_nowait(None)

    def _detach(self) -> None:
        session, self._session = self._session, None
        if session is None:
            return
        session.detach()
        if self._socket.close_code in _NORMAL_CLOSE:
            self._gateway.sessions.pop(session.id, None)
        else:
            self._gateway.keep_for_resume(session)
        self._world.wake_waiters()
