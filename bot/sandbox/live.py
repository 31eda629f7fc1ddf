"""The page's own line: one WebSocket for each open tab, everything pushed, actions in order."""

from __future__ import annotations

import asyncio
import json
import logging
from typing import TYPE_CHECKING, Any, cast

from aiohttp import WSMsgType, web

from bot.sandbox.people import Person, Refused
from bot.sandbox.view import commands_view, guild_view, message_view

if TYPE_CHECKING:
    from collections.abc import Callable

    from simcord.backend.models import Interaction

    from bot.sandbox.interactions import PendingInteraction
    from bot.sandbox.world import Payload, World

__all__ = ["LivePage"]

_log = logging.getLogger(__name__)

_HISTORY = 1000
_ANSWER_WITHIN = 3.0
_LONGEST_NAME = 32
_FAILED = "This interaction failed"
_SILENT = "The application did not respond"
_GUILD_EVENTS = ("GUILD_", "CHANNEL_", "THREAD_")


class LivePage:
    """Knows the open tabs, and which private answers were dismissed."""

    def __init__(
        self, world: World, guild_id: int, *, answer_within: float = _ANSWER_WITHIN
    ) -> None:
        self.world = world
        self.guild_id = guild_id
        self.answer_within = answer_within
        self.dismissed: set[tuple[int, int]] = set()
        self._tabs: set[_Tab] = set()
        world.message_listeners.append(self._message_changed)
        world.interaction_listeners.append(self._answered)
        world.command_listeners.append(self._commands_changed)
        world.subscribers.append(self._guild_changed)

    def person(self, name: str, channel: str | None = None) -> Person:
        """Somebody of this name in a channel (the first one by default), a member from now on.

        Raises:
            KeyError: there is no such channel.
        """
        guild = self.world.guilds[self.guild_id]
        channel_id = guild.channel_ids[0]
        if channel is not None:
            channel_id = self.world.find_channel(guild.id, channel).id
        return Person(self.world, guild.id, channel_id, self.world.ensure_member(guild.id, name))

    async def handle(self, request: web.Request) -> web.WebSocketResponse:
        """Serve one tab from its opening to its end."""
        name = " ".join(request.query.get("as", "").split())[:_LONGEST_NAME]
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
        """Close every tab's line; the pages try to come back by themselves."""
        await asyncio.gather(*(tab.close() for tab in self._tabs))

    def _message_changed(self, channel_id: int, message_id: int) -> None:
        for tab in self._tabs:
            if tab.person.channel_id == channel_id:
                tab.show(message_id)

    def _answered(self, record: Interaction) -> None:
        for tab in self._tabs:
            tab.answered(record)

    def _commands_changed(self) -> None:
        for tab in self._tabs:
            tab.tell("commands", commands=commands_view(self.world, tab.person))

    def _guild_changed(self, event: str, _payload: object) -> None:
        if event.startswith(_GUILD_EVENTS):
            for tab in self._tabs:
                tab.tell("guild", guild=guild_view(tab.person))


class _Tab:
    """One open page: its person, what it has asked, and the order of what it is told."""

    def __init__(self, page: LivePage, person: Person, socket: web.WebSocketResponse) -> None:
        self._page = page
        self.person = person
        self._socket = socket
        self._outbox: asyncio.Queue[str | int | None] = asyncio.Queue()
        self._changed: set[int] = set()
        self._asked: dict[int, str] = {}
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
        self._greet()
        writer = asyncio.create_task(self._write())
        try:
            async for frame in self._socket:
                if frame.type is WSMsgType.TEXT:
                    self._take(json.loads(frame.data))
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
                await self._socket.send_str(item if isinstance(item, str) else self._state(item))
            except (ConnectionError, RuntimeError):
                return

    # -- telling

    def tell(self, kind: str, **fields: Any) -> None:
        self._outbox.put_nowait(json.dumps({"t": kind, **fields}))

    def _greet(self) -> None:
        person = self.person
        messages = [m for m in person.messages() if self._wanted(m.id)][-_HISTORY:]
        self.tell(
            "hello",
            guild=guild_view(person),
            commands=commands_view(self._page.world, person),
            messages=[message_view(person, message) for message in messages],
        )

    def _wanted(self, message_id: int) -> bool:
        return (self.person.id, message_id) not in self._page.dismissed

    def show(self, message_id: int) -> None:
        """Show a message as it is when its turn comes; until then further changes are one."""
        message = self._page.world.messages[self.person.channel_id].get(message_id)
        hidden = message is not None and not message.visible_to(self.person.id)
        if message_id not in self._changed and not hidden:
            self._changed.add(message_id)
            self._outbox.put_nowait(message_id)

    def _state(self, message_id: int) -> str:
        self._changed.discard(message_id)
        message = self._page.world.messages[self.person.channel_id].get(message_id)
        if message is None or not self._wanted(message_id) or not self.person.can_see(message):
            return json.dumps({"t": "gone", "id": str(message_id)})
        return json.dumps({"t": "message", "message": message_view(self.person, message)})

    def answered(self, record: Interaction) -> None:
        """A bot has answered something; if this tab asked it, say so."""
        ref = self._asked.pop(record.id, None)
        if ref is None:
            return
        if record.autocomplete_choices is not None:
            self.tell("choices", ref=ref, choices=record.autocomplete_choices)
        elif record.modal is not None:
            self.tell("modal", ref=ref, interaction=str(record.id), modal=record.modal)
        else:
            self.tell("answered", ref=ref)

    # -- acting

    def _take(self, message: Payload) -> None:
        ref = str(message.get("ref", ""))
        try:
            asked = self._actions[str(message["do"])](message)
        except Refused as refusal:
            self.tell("refused", ref=ref, why=str(refusal))
        except (KeyError, TypeError, ValueError) as error:
            _log.exception("A page sent something malformed")
            self.tell("refused", ref=ref, why=f"Not understood: {error!r}")
        else:
            if asked is not None:
                self._await(asked, ref, silent=message["do"] == "slash")

    def _await(self, asked: PendingInteraction, ref: str, *, silent: bool) -> None:
        self._asked[asked.id] = ref

        def give_up() -> None:
            self._timers.discard(timer)
            if self._asked.pop(asked.id, None) is not None:
                self.tell("refused", ref=ref, why=_SILENT if silent else _FAILED)

        loop = asyncio.get_running_loop()
        timer = loop.call_later(self._page.answer_within, give_up)
        self._timers.add(timer)

    def _say(self, data: Payload) -> None:
        nonce = str(data["ref"])
        reply_to = data.get("reply_to")
        message = self.person.say(
            data["content"], nonce=nonce, reply_to=int(cast("str", reply_to)) if reply_to else None
        )
        self.tell("said", ref=nonce, id=str(message.id))

    def _dismiss(self, data: Payload) -> None:
        self._page.dismissed.add((self.person.id, int(data["message"])))
        self.tell("gone", id=str(data["message"]))

    def _join(self, _data: Payload) -> None:
        self.person.join()
        self._greet()
