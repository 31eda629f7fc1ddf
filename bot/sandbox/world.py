"""The Discord behind the sandbox: people, guild, channels, and the applications in them.

Simcord's backend is the single truth. It was written for one bot in the same process; this
class adds what a server needs: real time, several applications, nonces, and news of every
change, private messages included.
"""

from __future__ import annotations

import asyncio
import base64
import time
from collections import deque
from contextlib import contextmanager
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from typing import TYPE_CHECKING, Any, cast

import discord
from simcord.backend import Backend, errors
from simcord.backend.models import Role

from bot.sandbox.cdn import Cdn

if TYPE_CHECKING:
    from collections.abc import Callable, Generator, Iterable, Mapping

    from simcord.backend.models import Channel, Guild, Interaction, Message, User

__all__ = ["Application", "Payload", "RunningClock", "World", "message_text"]

Payload = dict[str, Any]
"""A JSON object of Discord's API. Its fields are Discord's to name, so they are not typed."""

_LOADING = 1 << 7
_TOPIC = "Type / for commands. Nothing leaves this machine."
_NONCES_KEPT = 1000
_HTTP_LOG_KEPT = 200


class RunningClock:
    """Discord's time: the wall clock at the start plus monotonic time since, so ids never fall."""

    def __init__(self) -> None:
        self._start = datetime.now(UTC)
        self._since = time.monotonic()

    @property
    def elapsed(self) -> float:
        """Seconds since the clock was made."""
        return time.monotonic() - self._since

    def now(self) -> datetime:
        """The present in UTC."""
        return self._start + timedelta(seconds=self.elapsed)


@dataclass(eq=False)
class Application:
    """A bot: its account, its token, and the commands it has registered."""

    id: int
    user: User
    token: str
    commands: dict[int | None, dict[tuple[str, int], Payload]] = field(
        default_factory=dict[int | None, dict[tuple[str, int], Payload]]
    )


@dataclass(frozen=True, slots=True)
class _Wish:
    predicate: Callable[[], object]
    future: asyncio.Future[None]


class World(Backend):
    """Simcord's backend in real time, shared by several applications and many people."""

    def __init__(self, *, bot_name: str = "Rox", clock: RunningClock | None = None) -> None:
        # Simcord's clock type is private; it asks no more of it than RunningClock offers.
        super().__init__(clock=cast("Any", clock or RunningClock()))
        # Both logs are for tests that last seconds; a server would grow with them.
        self.http_requests = cast("Any", deque[Any](maxlen=_HTTP_LOG_KEPT))
        self.transcript = cast("Any", deque[Any](maxlen=0))
        self.files = Cdn()
        self.cdn = self.files
        self.applications: dict[str, Application] = {}
        self.interaction_owner: dict[int, Application] = {}
        self.message_listeners: list[Callable[[int, int], None]] = []
        self.interaction_listeners: list[Callable[[Interaction], None]] = []
        self.command_listeners: list[Callable[[], None]] = []
        self._wishes: list[_Wish] = []
        self._people: dict[str, int] = {}
        self._nonces: dict[tuple[int, int, str], int] = {}
        self._nonce_in_flight: str | int | None = None
        self.bot_user.name = bot_name
        self.application = self._adopt(self.bot_user, self.application_id)
        self.commands = self.application.commands

    # -- applications

    def _adopt(self, user: User, application_id: int) -> Application:
        # Real tokens begin with the account's id; tools read it from there.
        head = base64.urlsafe_b64encode(str(user.id).encode()).decode().rstrip("=")
        application = Application(application_id, user, f"{head}.sandbox.only-on-loopback")
        self.applications[application.token] = application
        return application

    def add_application(self, name: str) -> Application:
        """Another bot, a member of every guild there is."""
        application = self._adopt(self.make_user(name, bot=True), self.snowflake())
        permissions = discord.Permissions.all()
        permissions.administrator = False
        for guild in self.guilds.values():
            role = Role(
                id=self.snowflake(),
                name=name,
                permissions=permissions.value,
                position=1,
                managed=True,
            )
            guild.roles[role.id] = role
            self.add_member(guild.id, application.user.id, roles=[role.id])
        return application

    @contextmanager
    def acting(self, application: Application) -> Generator[None]:
        """Let simcord's handlers, which know one bot, take this application for it.

        Only for code without an await: the identity is the world's, not the task's.
        """
        before = (self.bot_user, self.application_id, self.commands)
        self.bot_user, self.application_id = application.user, application.id
        self.commands = application.commands
        try:
            yield
        finally:
            self.bot_user, self.application_id, self.commands = before

    def register_commands(self, guild_id: int | None, payloads: list[Payload]) -> list[Payload]:
        """Replace the acting application's commands and tell who offers them."""
        registered = super().register_commands(guild_id, payloads)
        for listener in self.command_listeners:
            listener()
        self.recheck()
        return registered

    def commands_for(self, user_id: int, channel_id: int) -> list[tuple[Application, Payload]]:
        """The slash commands this person may use here, each with the bot that answers it."""
        found: list[tuple[Application, Payload]] = []
        for application in self.applications.values():
            with self.acting(application):
                visible = self.visible_commands(user_id=user_id, channel_id=channel_id)
            found += [(application, command) for command in visible]
        return found

    # -- guild and people

    def found_guild(self, name: str, owner: str, channels: Iterable[str]) -> Guild:
        """A guild with text channels, owned by a person; every application joins it."""
        guild = self.create_guild(name, owner_id=self.make_user(owner, global_name=owner).id)
        self._people[owner.casefold()] = guild.owner_id
        for channel in channels:
            self.create_channel(guild.id, channel, topic=_TOPIC)
        return guild

    def person_id(self, guild_id: int, name: str) -> int:
        """The account of this name, made a member at its first use."""
        user_id = self._people.get(name.casefold())
        if user_id is None:
            user_id = self.make_user(name, global_name=name).id
            self._people[name.casefold()] = user_id
            self.add_member(guild_id, user_id, announce=True)
        return user_id

    def channel_named(self, guild_id: int, name: str) -> Channel:
        """The guild's channel of this name; a KeyError if there is none."""
        for channel_id in self.guilds[guild_id].channel_ids:
            if self.channels[channel_id].name == name:
                return self.channels[channel_id]
        raise KeyError(name)

    # -- messages: who must hear of a change

    def touch(self, channel_id: int, message_id: int) -> None:
        """Tell the listeners that a message was posted, changed or removed."""
        for listener in self.message_listeners:
            listener(channel_id, message_id)
        self.recheck()

    def commit_message(self, message: Message, *, broadcast: bool = True) -> Message:
        """Publish a prepared message."""
        stored = super().commit_message(message, broadcast=broadcast)
        self.touch(stored.channel_id, stored.id)
        return stored

    def edit_message(self, channel_id: int, message_id: int, fields: Payload) -> Message:
        """Change a message; files it no longer carries leave the CDN a while later."""
        present = self.get_message(channel_id, message_id)
        before, was_loading = list(present.attachments), present.flags & _LOADING
        message = super().edit_message(channel_id, message_id, fields)
        if was_loading:
            message.edited_timestamp = None  # completing a deferred answer is no edit
        kept = {attachment["id"] for attachment in message.attachments}
        self.files.retire(file["id"] for file in before if file["id"] not in kept)
        self.touch(channel_id, message_id)
        return message

    def delete_message(self, channel_id: int, message_id: int) -> None:
        """Remove a message and retire its files."""
        message = self.get_message(channel_id, message_id)
        super().delete_message(channel_id, message_id)
        self.files.retire(attachment["id"] for attachment in message.attachments)
        self.touch(channel_id, message_id)

    def bulk_delete_messages(self, channel_id: int, message_ids: Iterable[int]) -> list[int]:
        """Remove several messages at once."""
        deleted = super().bulk_delete_messages(channel_id, message_ids)
        for message_id in deleted:
            self.touch(channel_id, message_id)
        return deleted

    def emit(self, event: str, payload: Mapping[str, Any]) -> None:
        """Broadcast a gateway event; a message that is being created carries its nonce."""
        if event == "MESSAGE_CREATE" and self._nonce_in_flight is not None:
            payload = {**payload, "nonce": self._nonce_in_flight}
        super().emit(event, payload)
        if event.startswith("MESSAGE_REACTION_"):
            self.touch(int(payload["channel_id"]), int(payload["message_id"]))

    # -- nonces

    @contextmanager
    def carrying(self, nonce: str | int | None) -> Generator[None]:
        """Put this nonce on the messages created inside."""
        self._nonce_in_flight = nonce
        try:
            yield
        finally:
            self._nonce_in_flight = None

    def remember_nonce(self, author: int, channel: int, nonce: str | int, message: int) -> None:
        """Note which message a nonce made; the oldest notes are forgotten."""
        self._nonces[author, channel, str(nonce)] = message
        while len(self._nonces) > _NONCES_KEPT:
            self._nonces.pop(next(iter(self._nonces)))

    def message_of_nonce(self, author: int, channel: int, nonce: str | int) -> Message | None:
        """The message that this author already posted here with this nonce."""
        message_id = self._nonces.get((author, channel, str(nonce)))
        return self.messages.get(channel, {}).get(message_id) if message_id is not None else None

    # -- interactions

    def owner_of(self, interaction: Interaction) -> Application:
        """The application that an interaction was sent to."""
        return self.interaction_owner[interaction.id]

    def interaction_answered(self, interaction_id: int) -> None:
        """Tell the listeners that an application has answered this interaction."""
        record = self.interactions[interaction_id]
        for listener in self.interaction_listeners:
            listener(record)
        self.recheck()

    def application_of_token(self, token: str) -> Application:
        """The application behind an interaction's token, else the first one (channel webhooks)."""
        interaction_id = self.interaction_tokens.get(token)
        if interaction_id is None:
            return self.application
        return self.interaction_owner[interaction_id]

    def application_of_user(self, user_id: int) -> Application:
        """The application whose account wrote a message."""
        for application in self.applications.values():
            if application.user.id == user_id:
                return application
        raise errors.unknown_user()

    # -- waiting

    async def until(self, predicate: Callable[[], object], timeout: float = 10) -> None:  # noqa: ASYNC109 - callers read better with a timeout
        """Wait until the predicate holds; it is asked again at every change of the world.

        Raises:
            TimeoutError: it did not hold within so many seconds.
        """
        if predicate():
            return
        wish = _Wish(predicate, asyncio.get_running_loop().create_future())
        self._wishes.append(wish)
        try:
            async with asyncio.timeout(timeout):
                await wish.future
        finally:
            self._wishes.remove(wish)

    def recheck(self) -> None:
        """Ask the predicates of ``until`` again; the gateway does so when a bot comes or goes."""
        for wish in self._wishes:
            if not wish.future.done() and wish.predicate():
                wish.future.set_result(None)


def message_text(message: Message) -> str:
    """All words of a message: its content, or what its text displays say, in order."""
    texts = [message.content] if message.content else []
    stack: list[Payload] = list(reversed(message.components))
    while stack:
        component = stack.pop()
        if "content" in component:
            texts.append(str(component["content"]))
        children: list[Payload] = list(component.get("components") or [])
        stack += reversed(children)
    return "\n".join(texts)
