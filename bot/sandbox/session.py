"""A gateway session: the events that one bot, or one of its shards, receives."""

from __future__ import annotations

import copy
import json
import secrets
from collections import deque
from typing import TYPE_CHECKING, Any, cast

import discord
from simcord import intents as content_rules
from simcord.backend import serializers
from simcord.backend.access import channel_accessible

from bot.sandbox.interceptor import GatewayEvent

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping

    from bot.sandbox.interceptor import Interceptor
    from bot.sandbox.world import Application, Payload, World

__all__ = ["GatewayError", "Session", "create_session"]

_DISPATCH = 0
_REPLAY_SIZE = 2000
_MEMBERS_PER_CHUNK = 1000
_COMPONENT_AND_MODAL = (3, 5)


class GatewayError(Exception):
    """The client broke the protocol; ``code`` closes the connection."""

    def __init__(self, code: int, reason: str) -> None:
        super().__init__(f"{code}: {reason}")
        self.code = code


class Session:
    """Numbers the events of an identified connection and keeps them for a resume."""

    def __init__(
        self,
        world: World,
        interceptor: Interceptor,
        application: Application,
        *,
        shard: tuple[int, int],
        intents: discord.Intents,
    ) -> None:
        self.id = secrets.token_hex(16)
        self.application = application
        self.shard_id, self.shard_count = shard
        self.intents = intents
        self._world = world
        self._interceptor = interceptor
        self._sequence = 0
        self._sent: deque[tuple[int, str]] = deque(maxlen=_REPLAY_SIZE)
        self._send: Callable[[str], None] | None = None

    @property
    def connected(self) -> bool:
        """Whether the session has a connection at present."""
        return self._send is not None

    def attach(self, send: Callable[[str], None]) -> None:
        """Send the events over this connection from now on."""
        self._send = send

    def detach(self) -> None:
        """Record that the connection is lost; events are kept until the client resumes."""
        self._send = None

    def send_ready(self, url: str) -> None:
        """Send READY to a client that has identified, then its guilds one by one."""
        guilds = [g for g in self._world.guilds.values() if self._shard_of(g.id) == self.shard_id]
        self.dispatch(
            "READY",
            {
                "v": 10,
                "user": dict(serializers.user_payload(self.application.user)),
                "guilds": [{"id": str(guild.id), "unavailable": True} for guild in guilds],
                "private_channels": [],
                "session_id": self.id,
                "resume_gateway_url": url,
                "shard": [self.shard_id, self.shard_count],
                "application": {"id": str(self.application.id), "flags": 0},
            },
        )
        for guild in guilds:
            payload = dict(serializers.guild_create_payload(self._world, guild))
            self.handle_event("GUILD_CREATE", payload)

    def resume(self, sequence: int, send: Callable[[str], None]) -> bool:
        """Replay the events after ``sequence``; return false if some are no longer kept."""
        oldest = self._sent[0][0] if self._sent else self._sequence + 1
        if not oldest - 1 <= sequence <= self._sequence:
            return False
        self.attach(send)
        for number, text in self._sent:
            if number > sequence:
                send(text)
        self.dispatch("RESUMED", {})
        return True

    def send_members(self, request: Payload) -> None:
        """Answer a request for guild members (opcode 8) with GUILD_MEMBERS_CHUNK events."""
        for chunk in _member_chunks(self._world, request):
            self.dispatch("GUILD_MEMBERS_CHUNK", chunk)

    def handle_event(self, event: str, payload: Mapping[str, Any]) -> None:
        """Dispatch an event of the world if the session's shard and intents include it."""
        if self._receives(event, payload):
            self.dispatch(event, self._without_hidden_fields(event, payload))

    def dispatch(self, event: str, payload: Mapping[str, Any]) -> None:
        """Send an event to the client by way of the interceptor."""
        self._interceptor.handle_event(GatewayEvent(event, payload, self.shard_id), self._deliver)

    def _deliver(self, event: GatewayEvent) -> None:
        self._sequence += 1
        message = {"op": _DISPATCH, "t": event.name, "s": self._sequence, "d": event.data}
        text = json.dumps(message)
        self._sent.append((self._sequence, text))
        if self._send is not None:
            self._send(text)

    def _shard_of(self, guild_id: int) -> int:
        return (guild_id >> 22) % self.shard_count

    def _receives(self, event: str, payload: Mapping[str, Any]) -> bool:
        if event == "INTERACTION_CREATE" and int(payload["application_id"]) != self.application.id:
            return False
        guild_id = payload.get("guild_id")
        if guild_id is None and event in ("GUILD_CREATE", "GUILD_UPDATE", "GUILD_DELETE"):
            guild_id = payload["id"]
        shard = self._shard_of(int(guild_id)) if guild_id is not None else 0
        intent = content_rules.required_intent(event, payload)
        if shard != self.shard_id or (intent is not None and not getattr(self.intents, intent)):
            return False
        if event.startswith("MESSAGE_"):
            channel_id = int(payload["channel_id"])
            return channel_accessible(self._world, channel_id, self.application.user.id)
        return True

    def _without_hidden_fields(self, event: str, payload: Mapping[str, Any]) -> Mapping[str, Any]:
        """Return the payload without the fields that the session's intents exclude."""
        bot_id = self.application.user.id
        if event == "GUILD_CREATE":
            pruned = copy.deepcopy(dict(payload))
            content_rules.prune_guild_create(pruned, self.intents, bot_id)
            return pruned
        if self.intents.message_content:
            return payload
        if event in ("MESSAGE_CREATE", "MESSAGE_UPDATE"):
            pruned = copy.deepcopy(dict(payload))
            content_rules.censor_message(pruned, bot_id, backend=self._world)
            return pruned
        if event == "INTERACTION_CREATE" and payload["type"] in _COMPONENT_AND_MODAL:
            pruned = copy.deepcopy(dict(payload))
            if "message" in pruned:
                # An application always receives the content of its own message that was clicked.
                content_rules.censor_message(
                    pruned["message"], bot_id, backend=self._world, exempt_root=True
                )
            return pruned
        return payload


def create_session(
    world: World, interceptor: Interceptor, data: Payload, *, disallowed: int = 0
) -> Session:
    """Validate an IDENTIFY and create its session.

    Args:
        world: the simulated Discord.
        interceptor: the hook that every event passes.
        data: the payload of the IDENTIFY.
        disallowed: the value of the privileged intents that are switched off.

    Raises:
        GatewayError: the payload is invalid; it has the close code that Discord uses.
    """
    application = world.applications.get(str(data.get("token")))
    if application is None:
        raise GatewayError(4004, "the token is unknown")
    shard_id, shard_count = cast("list[int]", data.get("shard") or [0, 1])
    if not 0 <= shard_id < shard_count:
        raise GatewayError(4010, f"no shard {shard_id} of {shard_count}")
    value = data.get("intents")
    if not isinstance(value, int) or value < 0:
        raise GatewayError(4013, "invalid intents")
    if value & disallowed:
        raise GatewayError(4014, "a privileged intent is switched off")
    intents = discord.Intents.none()
    intents.value = value
    return Session(world, interceptor, application, shard=(shard_id, shard_count), intents=intents)


def _member_chunks(world: World, request: Payload) -> Iterator[Payload]:
    """Yield the members by user ids, or else by the beginning of a name."""
    guild = world.guilds.get(int(request["guild_id"]))
    if guild is None:
        return
    wanted = cast("list[str] | str | None", request.get("user_ids"))
    ids = {int(user_id) for user_id in ([wanted] if isinstance(wanted, str) else wanted or [])}
    found = list(guild.members.values())
    if wanted:
        found = [member for member in found if member.user_id in ids]
    elif prefix := str(request.get("query") or "").casefold():
        names = {m.user_id: m.nick or world.users[m.user_id].name for m in found}
        found = [m for m in found if names[m.user_id].casefold().startswith(prefix)]
    limit = int(request.get("limit") or 0)
    found = found[:limit] if limit else found
    missing = sorted(ids - {member.user_id for member in found}) if wanted else []
    chunks = [
        found[i : i + _MEMBERS_PER_CHUNK] for i in range(0, len(found), _MEMBERS_PER_CHUNK)
    ] or [[]]
    for index, members in enumerate(chunks):
        chunk: Payload = {
            "guild_id": str(guild.id),
            "members": [dict(serializers.member_payload(world, guild, m)) for m in members],
            "chunk_index": index,
            "chunk_count": len(chunks),
        }
        if missing and index == 0:
            chunk["not_found"] = [str(user_id) for user_id in missing]
        if request.get("nonce"):
            chunk["nonce"] = request["nonce"]
        yield chunk
