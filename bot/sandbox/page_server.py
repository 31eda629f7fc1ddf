"""The page's server: a WebSocket for each open tab, which pushes changes and takes actions."""

from __future__ import annotations

import asyncio
import json
import logging
from typing import TYPE_CHECKING, Any, cast

from aiohttp import WSMsgType, web

from bot.sandbox.page_json import serialize_commands, serialize_guild, serialize_message
from bot.sandbox.person import Person, RefusedError

if TYPE_CHECKING:
    from collections.abc import Callable

    from simcord.backend.models import Interaction

    from bot.sandbox.interactions import PendingInteraction
    from bot.sandbox.world import Payload, World

__all__ = ["PageServer"]

_log = logging.getLogger(__name__)

_HISTORY_LIMIT = 1000
_RESPONSE_TIMEOUT_S = 3.0
_MAX_NAME_LENGTH = 32
_FAILED = "This interaction failed"
_NO_RESPONSE = "The application did not respond"
_GUILD_EVENTS = ("GUILD_", "CHANNEL_", "THREAD_")


class PageServer:
    """Keeps the open tabs up to date.

    Attributes:
        response_timeout: seconds after which a tab shows that an interaction failed.
        dismissed: the ephemeral messages that were dismissed, as (user id, message id).
    """

    def __init__(
        self, world: World, guild_id: int, *, response_timeout: float = _RESPONSE_TIMEOUT_S
    ) -> None:
        self.world = world
        self.guild_id = guild_id
        self.response_timeout = response_timeout
        self.dismissed: set[tuple[int, int]] = set()
        self._tabs: set[_Tab] = set()
        world.message_listeners.append(self._send_message)
        world.interaction_listeners.append(self._send_response)
        world.command_listeners.append(self._send_commands)
        world.subscribers.append(self._send_guild)

    def person(self, name: str, channel: str | None = None) -> Person:
        """Return the person of this name in a channel; a new person joins the guild.

        Args:
            name: the person's name.
            channel: the channel's name; the first channel by default.

        Raises:
            KeyError: there is no such channel.
        """
        guild = self.world.guilds[self.guild_id]
        channel_id = guild.channel_ids[0]
        if channel is not None:
            channel_id = self.world.find_channel(guild.id, channel).id
        return Person(self.world, guild.id, channel_id, self.world.ensure_member(guild.id, name))

    async def handle(self, request: web.Request) -> web.WebSocketResponse:
        """Serve one tab until it closes."""
        name = " ".join(request.query.get("as", "").split())[:_MAX_NAME_LENGTH]
        if not name:
            raise web.HTTPBadRequest(text="Say who you are: ?as=NAME")
        try:
            person = self.person(name, request.query.get("channel"))
        except KeyError:
            raise web.HTTPNotFound(text="There is no such channel") from None
        person.locale = request.query.get("locale", person.locale)
        socket = web.WebSocketResponse(heartbeat=30, max_msg_size=256 * 1024)
        await socket.prepare(request)
        tab = _Tab(self, person, socket)
        self._tabs.add(tab)
        try:
            await tab.run()
        finally:
            self._tabs.discard(tab)
        return socket

    async def stop(self) -> None:
        """Close the connection of every tab; the pages try to reconnect."""
        await asyncio.gather(*(tab.close() for tab in self._tabs))

    def _send_message(self, channel_id: int, message_id: int) -> None:
        for tab in self._tabs:
            if tab.person.channel_id == channel_id:
                tab.send_message(message_id)

    def _send_response(self, record: Interaction) -> None:
        for tab in self._tabs:
            tab.send_response(record)

    def _send_commands(self) -> None:
        for tab in self._tabs:
            tab.send("commands", commands=serialize_commands(self.world, tab.person))

    def _send_guild(self, event: str, _payload: object) -> None:
        if event.startswith(_GUILD_EVENTS):
            for tab in self._tabs:
                tab.send("guild", guild=serialize_guild(tab.person))


class _Tab:
    """An open page: sends messages in order, and carries out its person's actions.

    A message of the page names its action (``do``) and has a reference (``ref``), which the
    response to it repeats.
    """

    def __init__(self, page: PageServer, person: Person, socket: web.WebSocketResponse) -> None:
        self._page = page
        self.person = person
        self._socket = socket
        self._outbox: asyncio.Queue[str | int | None] = asyncio.Queue()
        self._changed: set[int] = set()
        self._pending: dict[int, str] = {}
        self._timers: set[asyncio.TimerHandle] = set()
        self._actions: dict[str, Callable[[Payload], PendingInteraction | None]] = {
            "say": self._say,
            "edit": lambda d: self.person.edit(int(d["message"]), d["content"]),
            "delete": lambda d: self.person.delete(int(d["message"])),
            "react": lambda d: self.person.react(
                int(d["message"]), d["emoji"], reacted=bool(d["reacted"])
            ),
            "dismiss": self._dismiss,
            "leave": lambda _: self.person.leave(),
            "join": self._join,
            "slash": lambda d: self.person.slash(d["path"], **d["options"]),
            "complete": lambda d: self.person.complete(
                d["path"], d["option"], d["text"], d["options"]
            ),
            "click": lambda d: self.person.click(int(d["message"]), d["custom_id"]),
            "select": lambda d: self.person.select(int(d["message"]), d["custom_id"], d["values"]),
            "submit": lambda d: self.person.submit(int(d["interaction"]), d["values"]),
        }

    async def run(self) -> None:
        self._send_hello()
        writer = asyncio.create_task(self._write())
        try:
            async for frame in self._socket:
                if frame.type is WSMsgType.TEXT:
                    self._handle(json.loads(frame.data))
        finally:
            for timer in self._timers:
                timer.cancel()
            self._outbox.put_nowait(None)
            await writer

    async def close(self) -> None:
        await self._socket.close(code=1012)

    async def _write(self) -> None:
        while (item := await self._outbox.get()) is not None:
            try:
                text = item if isinstance(item, str) else self._message_json(item)
                await self._socket.send_str(text)
            except (ConnectionError, RuntimeError):
                return

    # -- sending

    def send(self, kind: str, **fields: Any) -> None:
        self._outbox.put_nowait(json.dumps({"t": kind, **fields}))

    def _send_hello(self) -> None:
        person = self.person
        messages = [m for m in person.messages() if not self._is_dismissed(m.id)][-_HISTORY_LIMIT:]
        self.send(
            "hello",
            guild=serialize_guild(person),
            commands=serialize_commands(self._page.world, person),
            messages=[serialize_message(person, message) for message in messages],
        )

    def _is_dismissed(self, message_id: int) -> bool:
        return (self.person.id, message_id) in self._page.dismissed

    def send_message(self, message_id: int) -> None:
        """Queue a message by its id, so that changes that follow before it is sent are merged."""
        message = self._page.world.messages[self.person.channel_id].get(message_id)
        hidden = message is not None and not message.visible_to(self.person.id)
        if message_id not in self._changed and not hidden:
            self._changed.add(message_id)
            self._outbox.put_nowait(message_id)

    def _message_json(self, message_id: int) -> str:
        self._changed.discard(message_id)
        message = self._page.world.messages[self.person.channel_id].get(message_id)
        if message is None or self._is_dismissed(message_id) or not self.person.can_see(message):
            return json.dumps({"t": "gone", "id": str(message_id)})
        return json.dumps({"t": "message", "message": serialize_message(self.person, message)})

    def send_response(self, record: Interaction) -> None:
        """Send a bot's response if the interaction came from this tab."""
        ref = self._pending.pop(record.id, None)
        if ref is None:
            return
        if record.autocomplete_choices is not None:
            self.send("choices", ref=ref, choices=record.autocomplete_choices)
        elif record.modal is not None:
            self.send("modal", ref=ref, interaction=str(record.id), modal=record.modal)
        else:
            self.send("answered", ref=ref)

    # -- actions

    def _handle(self, message: Payload) -> None:
        ref = str(message.get("ref", ""))
        try:
            interaction = self._actions[str(message["do"])](message)
        except RefusedError as error:
            self.send("refused", ref=ref, why=str(error))
        except (KeyError, TypeError, ValueError) as error:
            _log.exception("A page sent something malformed")
            self.send("refused", ref=ref, why=f"Not understood: {error!r}")
        else:
            if interaction is not None:
                self._start_timeout(interaction, ref, is_command=message["do"] == "slash")

    def _start_timeout(
        self, interaction: PendingInteraction, ref: str, *, is_command: bool
    ) -> None:
        self._pending[interaction.id] = ref

        def expire() -> None:
            self._timers.discard(timer)
            if self._pending.pop(interaction.id, None) is not None:
                self.send("refused", ref=ref, why=_NO_RESPONSE if is_command else _FAILED)

        loop = asyncio.get_running_loop()
        timer = loop.call_later(self._page.response_timeout, expire)
        self._timers.add(timer)

    def _say(self, data: Payload) -> None:
        nonce = str(data["ref"])
        reply_to = data.get("reply_to")
        message = self.person.say(
            data["content"], nonce=nonce, reply_to=int(cast("str", reply_to)) if reply_to else None
        )
        self.send("said", ref=nonce, id=str(message.id))

    def _dismiss(self, data: Payload) -> None:
        self._page.dismissed.add((self.person.id, int(data["message"])))
        self.send("gone", id=str(data["message"]))

    def _join(self, _data: Payload) -> None:
        self.person.join()
        self._send_hello()
