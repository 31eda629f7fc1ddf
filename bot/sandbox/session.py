"""A gateway session: one bot's (or shard's) view of the events, and what it can have replayed."""

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
    from collections.abc import Callable, Mapping

    from bot.sandbox.interceptor import Interceptor
    from bot.sandbox.world import Application, Payload, World

__all__ = ["GatewayError", "Session", "parse_identify"]

_DISPATCH = 0
_REPLAY_KEPT = 2000
_MESSAGE_INTERACTIONS = (3, 5)


class GatewayError(Exception):
    """The client broke the protocol; ``code`` closes the connection."""

    def __init__(self, code: int, reason: str) -> None:
        super().__init__(f"{code}: {reason}")
        self.code = code


class Session:
    """Numbers the events of one identified connection and keeps them for a resume."""

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
        self._sent: deque[tuple[int, str]] = deque(maxlen=_REPLAY_KEPT)
        self._send: Callable[[str], None] | None = None

    @property
    def connected(self) -> bool:
        """Whether a client listens at present."""
        return self._send is not None

    def attach(self, send: Callable[[str], None]) -> None:
        """Speak to this connection from now on."""
        self._send = send

    def detach(self) -> None:
        """The connection is lost; events are kept until it is resumed."""
        self._send = None

    def open(self, url: str) -> None:
        """Greet a client that has identified: READY, then its guilds one by one."""
        guilds = [g for g in self._world.guilds.values() if self._shard_of(g.id) == self.shard_id]
        self.pass_on(
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
            self.offer("GUILD_CREATE", payload)

    def resume(self, sequence: int, send: Callable[[str], None]) -> bool:
        """Replay everything after ``sequence``; false if that is no longer possible."""
        oldest = self._sent[0][0] if self._sent else self._sequence + 1
        if not oldest - 1 <= sequence <= self._sequence:
            return False
        self.attach(send)
        for number, text in self._sent:
            if number > sequence:
                send(text)
        self.pass_on("RESUMED", {})
        return True

    def offer(self, event: str, payload: Mapping[str, Any]) -> None:
        """Pass on an event of the world if this session may and wants to hear it."""
        if self._hears(event, payload):
            self.pass_on(event, self._shape(event, payload))

    def pass_on(self, event: str, payload: Mapping[str, Any]) -> None:
        """Send an event through the interceptor."""
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

    def _hears(self, event: str, payload: Mapping[str, Any]) -> bool:
        if event == "INTERACTION_CREATE" and int(payload["application_id"]) != self.application.id:
            return False
        guild_id = payload.get("guild_id")
        if guild_id is None and event in ("GUILD_CREATE", "GUILD_UPDATE", "GUILD_DELETE"):
            guild_id = payload["id"]
        shard = self._shard_of(int(guild_id)) if guild_id is not None else 0
        gate = content_rules.required_intent(event, payload)
        if shard != self.shard_id or (gate is not None and not getattr(self.intents, gate)):
            return False
        if event.startswith("MESSAGE_"):
            channel_id = int(payload["channel_id"])
            return channel_accessible(self._world, channel_id, self.application.user.id)
        return True

    def _shape(self, event: str, payload: Mapping[str, Any]) -> Mapping[str, Any]:
        """Leave out what Discord would not tell this session."""
        bot_id = self.application.user.id
        if event == "GUILD_CREATE":
            shaped = copy.deepcopy(dict(payload))
            content_rules.prune_guild_create(shaped, self.intents, bot_id)
            return shaped
        if self.intents.message_content:
            return payload
        if event in ("MESSAGE_CREATE", "MESSAGE_UPDATE"):
            shaped = copy.deepcopy(dict(payload))
            content_rules.censor_message(shaped, bot_id, backend=self._world)
            return shaped
        if event == "INTERACTION_CREATE" and payload["type"] in _MESSAGE_INTERACTIONS:
            shaped = copy.deepcopy(dict(payload))
            if "message" in shaped:
                # The message that was clicked is shown to its own application in full.
                content_rules.censor_message(
                    shaped["message"], bot_id, backend=self._world, exempt_root=True
                )
            return shaped
        return payload


def parse_identify(
    world: World, interceptor: Interceptor, data: Payload, *, refused: int = 0
) -> Session:
    """Judge an IDENTIFY and open its session.

    Raises:
        GatewayError: with the close code Discord uses for what is wrong.
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
    if value & refused:
        raise GatewayError(4014, "a privileged intent is switched off")
    intents = discord.Intents.none()
    intents.value = value
    return Session(world, interceptor, application, shard=(shard_id, shard_count), intents=intents)
