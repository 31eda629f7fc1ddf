"""The simulated Discord's state: users, guilds, channels, messages and applications.

It extends simcord's backend, which serves a single bot in its own process, by what a server needs:
real time, several applications, nonces, and listeners for every change, ephemeral messages
included.
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

__all__ = ["Application", "MonotonicClock", "Payload", "World", "message_text"]

Payload = dict[str, Any]
"""A JSON object of Discord's API; its fields are not typed."""

_LOADING = discord.MessageFlags.loading.flag
_TOPIC = "Type / for commands. Nothing leaves this machine."
_NONCES_KEPT = 1000
_HTTP_REQUESTS_KEPT = 200


class MonotonicClock:
    """The wall clock at the start plus monotonic time since then, so that ids never decrease."""

    def __init__(self) -> None:
        self._start = datetime.now(UTC)
        self._since = time.monotonic()

    @property
    def elapsed(self) -> float:
        """Seconds since the clock was created."""
        return time.monotonic() - self._since

    def now(self) -> datetime:
        """The present time in UTC."""
        return self._start + timedelta(seconds=self.elapsed)


@dataclass(eq=False)
class Application:
    """A bot: its user, its token, and the commands that it has registered."""

    id: int
    user: User
    token: str
    commands: dict[int | None, dict[tuple[str, int], Payload]] = field(
        default_factory=dict[int | None, dict[tuple[str, int], Payload]]
    )


@dataclass(frozen=True, slots=True)
class _Waiter:
    predicate: Callable[[], object]
    future: asyncio.Future[None]


class World(Backend):
    """Simcord's backend in real time, shared by several applications and users.

    Attributes:
        files: the attachments of all messages.
        applications: by token.
        interaction_applications: by interaction id, the application that received it.
        message_listeners: called with the channel's and the message's id after every change.
        interaction_listeners: called with an interaction after the first response to it.
        command_listeners: called after an application has registered its commands.
    """

    def __init__(self, *, bot_name: str = "Rox", clock: MonotonicClock | None = None) -> None:
        # Simcord's clock type is private; it only uses the methods of MonotonicClock.
        super().__init__(clock=cast("Any", clock or MonotonicClock()))
        # Simcord never shortens these logs, and a server would grow with them.
        self.http_requests = cast("Any", deque[Any](maxlen=_HTTP_REQUESTS_KEPT))
        self.transcript = cast("Any", deque[Any](maxlen=0))
        self.files = Cdn()
        self.cdn = self.files
        self.applications: dict[str, Application] = {}
        self.interaction_applications: dict[int, Application] = {}
        self.message_listeners: list[Callable[[int, int], None]] = []
        self.interaction_listeners: list[Callable[[Interaction], None]] = []
        self.command_listeners: list[Callable[[], None]] = []
        self._waiters: list[_Waiter] = []
        self._user_ids: dict[str, int] = {}
        self._nonces: dict[tuple[int, int, str], int] = {}
        self._current_nonce: str | int | None = None
        self.bot_user.name = bot_name
        self.application = self._create_application(self.bot_user, self.application_id)
        self.commands = self.application.commands

    # -- applications

    def _create_application(self, user: User, application_id: int) -> Application:
        # Real tokens begin with the id of the bot's user, which some tools read from there.
        head = base64.urlsafe_b64encode(str(user.id).encode()).decode().rstrip("=")
        application = Application(application_id, user, f"{head}.sandbox.only-on-loopback")
        self.applications[application.token] = application
        return application

    def add_application(self, name: str) -> Application:
        """Add another bot and make it a member of every guild."""
        application = self._create_application(self.make_user(name, bot=True), self.snowflake())
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
    def acting_as(self, application: Application) -> Generator[None]:
        """Run simcord's handlers, which know a single bot, as this application.

        The block must not await: the identity belongs to the world, not to the task.
        """
        before = (self.bot_user, self.application_id, self.commands)
        self.bot_user, self.application_id = application.user, application.id
        self.commands = application.commands
        try:
            yield
        finally:
            self.bot_user, self.application_id, self.commands = before

    def register_commands(self, guild_id: int | None, payloads: list[Payload]) -> list[Payload]:
        """Replace the acting application's commands and call the command listeners."""
        registered = super().register_commands(guild_id, payloads)
        for listener in self.command_listeners:
            listener()
        self.wake_waiters()
        return registered

    def commands_for(self, user_id: int, channel_id: int) -> list[tuple[Application, Payload]]:
        """The slash commands that a user can use in a channel, each with its application."""
        found: list[tuple[Application, Payload]] = []
        for application in self.applications.values():
            with self.acting_as(application):
                visible = self.visible_commands(user_id=user_id, channel_id=channel_id)
            found += [(application, command) for command in visible]
        return found

    # -- guild and users

    def add_guild(self, name: str, owner: str, channels: Iterable[str]) -> Guild:
        """Create a guild with text channels and an owner; every application joins it."""
        guild = self.create_guild(name, owner_id=self.make_user(owner, global_name=owner).id)
        self._user_ids[owner.casefold()] = guild.owner_id
        for channel in channels:
            self.create_channel(guild.id, channel, topic=_TOPIC)
        return guild

    def ensure_member(self, guild_id: int, name: str) -> int:
        """Return the id of the user with this name, who is created and joins if new."""
        user_id = self._user_ids.get(name.casefold())
        if user_id is None:
            user_id = self.make_user(name, global_name=name).id
            self._user_ids[name.casefold()] = user_id
            self.add_member(guild_id, user_id, announce=True)
        return user_id

    def display_name(self, guild_id: int, user_id: int) -> str:
        """Return a user's nickname in the guild, or else the user's own name."""
        member = self.guilds[guild_id].members.get(user_id)
        user = self.users[user_id]
        return (member.nick if member else None) or user.global_name or user.name

    def find_channel(self, guild_id: int, name: str) -> Channel:
        """Return the guild's channel of this name.

        Raises:
            KeyError: there is no such channel.
        """
        for channel_id in self.guilds[guild_id].channel_ids:
            if self.channels[channel_id].name == name:
                return self.channels[channel_id]
        raise KeyError(name)

    # -- messages

    def notify_message(self, channel_id: int, message_id: int) -> None:
        """Call the listeners after a message was posted, changed or deleted."""
        for listener in self.message_listeners:
            listener(channel_id, message_id)
        self.wake_waiters()

    def commit_message(self, message: Message, *, broadcast: bool = True) -> Message:
        """Publish a prepared message."""
        stored = super().commit_message(message, broadcast=broadcast)
        self.notify_message(stored.channel_id, stored.id)
        return stored

    def edit_message(self, channel_id: int, message_id: int, fields: Payload) -> Message:
        """Change a message; the CDN later drops the files that it no longer carries."""
        present = self.get_message(channel_id, message_id)
        before, was_loading = list(present.attachments), present.flags & _LOADING
        message = super().edit_message(channel_id, message_id, fields)
        if was_loading:
            # As on Discord, completing a deferred response does not mark it as edited.
            message.edited_timestamp = None
        kept = {attachment["id"] for attachment in message.attachments}
        self.files.retire(file["id"] for file in before if file["id"] not in kept)
        self.notify_message(channel_id, message_id)
        return message

    def delete_message(self, channel_id: int, message_id: int) -> None:
        """Delete a message; the CDN later drops its files."""
        message = self.get_message(channel_id, message_id)
        super().delete_message(channel_id, message_id)
        self.files.retire(attachment["id"] for attachment in message.attachments)
        self.notify_message(channel_id, message_id)

    def bulk_delete_messages(self, channel_id: int, message_ids: Iterable[int]) -> list[int]:
        """Delete several messages at once."""
        deleted = super().bulk_delete_messages(channel_id, message_ids)
        for message_id in deleted:
            self.notify_message(channel_id, message_id)
        return deleted

    def emit(self, event: str, payload: Mapping[str, Any]) -> None:
        """Broadcast a gateway event; MESSAGE_CREATE carries the current nonce."""
        if event == "MESSAGE_CREATE" and self._current_nonce is not None:
            payload = {**payload, "nonce": self._current_nonce}
        super().emit(event, payload)
        if event.startswith("MESSAGE_REACTION_"):
            self.notify_message(int(payload["channel_id"]), int(payload["message_id"]))

    # -- nonces

    @contextmanager
    def with_nonce(self, nonce: str | int | None) -> Generator[None]:
        """Put this nonce on the messages that are created inside the block."""
        self._current_nonce = nonce
        try:
            yield
        finally:
            self._current_nonce = None

    def record_nonce(self, author: int, channel: int, nonce: str | int, message: int) -> None:
        """Record the message that was posted with a nonce; the oldest records are dropped."""
        self._nonces[author, channel, str(nonce)] = message
        while len(self._nonces) > _NONCES_KEPT:
            self._nonces.pop(next(iter(self._nonces)))

    def find_by_nonce(self, author: int, channel: int, nonce: str | int) -> Message | None:
        """Return the message that this author has already posted here with this nonce."""
        message_id = self._nonces.get((author, channel, str(nonce)))
        return self.messages.get(channel, {}).get(message_id) if message_id is not None else None

    # -- interactions

    def application_of(self, interaction: Interaction) -> Application:
        """Return the application that received an interaction."""
        return self.interaction_applications[interaction.id]

    def notify_response(self, interaction_id: int) -> None:
        """Call the listeners after an application has responded to an interaction."""
        record = self.interactions[interaction_id]
        for listener in self.interaction_listeners:
            listener(record)
        self.wake_waiters()

    def application_of_token(self, token: str) -> Application:
        """Return the application of an interaction's token; of a channel webhook's, the first."""
        interaction_id = self.interaction_tokens.get(token)
        if interaction_id is None:
            return self.application
        return self.interaction_applications[interaction_id]

    def application_of_user(self, user_id: int) -> Application:
        """Return the application of a bot's user.

        Raises:
            BackendError: the user is not a bot.
        """
        for application in self.applications.values():
            if application.user.id == user_id:
                return application
        raise errors.unknown_user()

    # -- waiting

    async def wait_until(self, predicate: Callable[[], object], timeout: float = 10) -> None:  # noqa: ASYNC109 - callers read better with a timeout
        """Wait until the predicate is true; it is evaluated after every change of the world.

        Raises:
            TimeoutError: it did not become true within ``timeout`` seconds.
        """
        if predicate():
            return
        waiter = _Waiter(predicate, asyncio.get_running_loop().create_future())
        self._waiters.append(waiter)
        try:
            async with asyncio.timeout(timeout):
                await waiter.future
        finally:
            self._waiters.remove(waiter)

    def wake_waiters(self) -> None:
        """Evaluate the predicates of ``wait_until`` after a change, also one of the gateway's."""
        for waiter in self._waiters:
            if not waiter.future.done() and waiter.predicate():
                waiter.future.set_result(None)


def message_text(message: Message) -> str:
    """Return all text of a message in order: its content and its text displays."""
    texts = [message.content] if message.content else []
    stack: list[Payload] = list(reversed(message.components))
    while stack:
        component = stack.pop()
        if "content" in component:
            texts.append(str(component["content"]))
        children: list[Payload] = list(component.get("components") or [])
        stack += reversed(children)
    return "\n".join(texts)
