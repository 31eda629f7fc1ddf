"""Discord's gateway: a real WebSocket with sessions, heartbeats, intents, shards and resume."""

from __future__ import annotations

import asyncio
import json
import logging
from typing import TYPE_CHECKING, Any, cast

from aiohttp import WSMsgType, web

from bot.sandbox.interceptor import ApiRequest, ApiResponse
from bot.sandbox.members import member_chunks
from bot.sandbox.session import GatewayError, Session, parse_identify

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from bot.sandbox.interceptor import Interceptor
    from bot.sandbox.world import Payload, World

__all__ = ["Gateway"]

_log = logging.getLogger(__name__)

_HEARTBEAT, _IDENTIFY, _PRESENCE, _VOICE, _RESUME, _MEMBERS = 1, 2, 3, 4, 6, 8
_RECONNECT, _INVALID_SESSION, _HELLO, _ACK = 7, 9, 10, 11
_OPENED, _AWAY = 101, 503
_NORMAL_CLOSE = (1000, 1001)
_CLOSE_PATIENCE = 2.0


class Gateway:
    """Accepts connections and carries the world's events to the sessions that want them."""

    def __init__(
        self,
        world: World,
        interceptor: Interceptor,
        *,
        url: str,
        heartbeat_interval: float = 41.25,
        resume_window: float = 120,
    ) -> None:
        """Seconds for both times: how often a client must beat, how long a lost session waits."""
        self._world = world
        self.interceptor = interceptor
        self.url = url
        self.heartbeat_interval = heartbeat_interval
        self.resume_window = resume_window
        self.refused_intents = 0
        self.refuses_resumes = False
        self.sessions: dict[str, Session] = {}
        self._connections: set[_Connection] = set()
        world.subscribers.append(self._broadcast)

    def _broadcast(self, event: str, payload: Mapping[str, Any]) -> None:
        for session in list(self.sessions.values()):
            session.offer(event, payload)

    async def handle(self, request: web.Request) -> web.StreamResponse:
        """One connection, from hello to its end."""
        asked = ApiRequest("GET", "/gateway", dict(request.query))
        try:
            answer = await self.interceptor.handle_connect(asked, lambda _: ApiResponse(_OPENED))
        except ConnectionResetError:
            if request.transport is not None:
                request.transport.abort()
            answer = ApiResponse(_AWAY)
        if answer.status != _OPENED:
            return web.Response(status=answer.status, headers=answer.headers)
        socket = web.WebSocketResponse(timeout=_CLOSE_PATIENCE, max_msg_size=64 * 1024)
        await socket.prepare(request)
        connection = _Connection(self, self._world, socket, request.transport)
        self._connections.add(connection)
        try:
            await connection.run()
        finally:
            self._connections.discard(connection)
        return socket

    def cut(self, code: int = 4000) -> None:
        """Break every connection off; the sessions stay and can be resumed."""
        for connection in list(self._connections):
            connection.hang_up(code)

    def cut_off(self) -> None:
        """Lose every connection without a word, as a broken line does; sessions stay."""
        for connection in list(self._connections):
            connection.drop()

    def ask_to_reconnect(self) -> None:
        """Tell every client to connect again and resume, as Discord does before it restarts."""
        for connection in list(self._connections):
            connection.tell(_RECONNECT, None)

    def invalidate(self, *, resumable: bool = False) -> None:
        """Tell every client that its session is invalid; one that is not resumable is lost."""
        if not resumable:
            self.sessions.clear()
        for connection in list(self._connections):
            connection.tell(_INVALID_SESSION, resumable)

    def forget_sessions(self) -> None:
        """Lose all sessions: who tries to resume must identify anew."""
        self.sessions.clear()
        self.cut()

    async def stop(self) -> None:
        """Close all connections and wait until they are gone."""
        self.forget_sessions()
        await asyncio.gather(*(connection.ended.wait() for connection in self._connections))

    def park(self, session: Session) -> None:
        """Keep a session whose connection was lost, for as long as it may be resumed."""

        def expire() -> None:
            if not session.connected:
                self.sessions.pop(session.id, None)

        asyncio.get_running_loop().call_later(self.resume_window, expire)


class _Connection:
    """One client's socket: what it says, and the order in which it is told things."""

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
        self._send({"op": _HELLO, "d": {"heartbeat_interval": self._interval_ms}})
        writer = asyncio.create_task(self._write())
        try:
            await self._listen()
        finally:
            self._detach()
            self._outbox.put_nowait(None)
            await writer
            self.ended.set()

    @property
    def _interval_ms(self) -> int:
        return round(self._gateway.heartbeat_interval * 1000)

    async def _listen(self) -> None:
        # A client that misses two beats is gone, as on Discord.
        patience = self._gateway.heartbeat_interval * 2
        while True:
            try:
                frame = await self._socket.receive(timeout=patience)
            except TimeoutError:
                return self.hang_up(4009)
            if frame.type is not WSMsgType.TEXT:
                return None
            try:
                self._take(cast("str", frame.data))
            except GatewayError as error:
                _log.warning("Closing a gateway connection: %s", error)
                return self.hang_up(error.code)

    def _take(self, text: str) -> None:
        try:
            message = json.loads(text)
            op, data = message["op"], message.get("d")
        except (ValueError, KeyError, TypeError, AttributeError):
            raise GatewayError(4002, "not a gateway message") from None
        if op == _HEARTBEAT:
            self._send({"op": _ACK})
        elif op == _IDENTIFY:
            self._identify(data)
        elif op == _RESUME:
            self._resume(data)
        elif self._session is None:
            raise GatewayError(4003, "nothing but a heartbeat comes before identify")
        elif op == _MEMBERS:
            self._send_members(self._session, data)
        elif op not in (_PRESENCE, _VOICE):
            raise GatewayError(4001, f"unknown opcode {op}")

    def _identify(self, data: Payload) -> None:
        if self._session is not None:
            raise GatewayError(4005, "already identified")
        gateway = self._gateway
        session = parse_identify(
            self._world, gateway.interceptor, data, refused=gateway.refused_intents
        )
        gateway.sessions[session.id] = session
        self._session = session
        session.attach(self._outbox.put_nowait)
        session.open(gateway.url)
        self._world.recheck()

    def _resume(self, data: Payload) -> None:
        session = self._gateway.sessions.get(str(data.get("session_id")))
        if session is not None and self._gateway.refuses_resumes:
            del self._gateway.sessions[session.id]
            session = None
        if session is None or data.get("token") != session.application.token:
            self._send({"op": _INVALID_SESSION, "d": False})
            return
        if not session.resume(int(data["seq"] or 0), self._outbox.put_nowait):
            self._gateway.sessions.pop(session.id, None)
            self._send({"op": _INVALID_SESSION, "d": False})
            return
        self._session = session
        self._world.recheck()

    def _send_members(self, session: Session, data: Payload) -> None:
        chunks: Iterable[Payload] = member_chunks(self._world, data)
        for chunk in chunks:
            session.pass_on("GUILD_MEMBERS_CHUNK", chunk)

    def _send(self, message: Payload) -> None:
        self._outbox.put_nowait(json.dumps(message))

    async def _write(self) -> None:
        while (text := await self._outbox.get()) is not None:
            try:
                await self._socket.send_str(text)
            except (ConnectionError, RuntimeError):
                return
        await self._socket.close(code=self._close_code)

    def tell(self, op: int, data: object) -> None:
        """Say something that belongs to no session."""
        self._send({"op": op, "d": data})

    def drop(self) -> None:
        """Break the line itself, without a closing frame."""
        self._detach()
        transport = self._transport
        if transport is not None:
            transport.abort()

    def hang_up(self, code: int) -> None:
        """Detach at once, so that what happens next is kept for the resume; then close."""
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
            self._gateway.park(session)
        self._world.recheck()
