"""A user's actions in a client, within the limits that a client sets."""

from __future__ import annotations

from contextlib import contextmanager
from typing import TYPE_CHECKING, Any

import discord
from simcord.backend.access import channel_accessible, message_accessible, reaction_permissions
from simcord.backend.errors import BackendError, SetupError
from simcord.components import walk_components

from bot.sandbox.interactions import (
    PendingInteraction,
    send_autocomplete,
    send_command,
    send_component,
    send_modal,
)
from bot.sandbox.world import World, message_text

if TYPE_CHECKING:
    from collections.abc import Generator, Mapping, Sequence

    from simcord.backend.models import Message

__all__ = ["Person", "RefusedError"]

_MAX_MESSAGE_LENGTH = 2000


class RefusedError(Exception):
    """The client or Discord does not allow an action; the message says why."""


class Person:
    """A member of the guild who acts in one channel.

    Every action takes effect at once. An action that a bot responds to returns a
    ``PendingInteraction``, whose ``response()`` waits for the bot. Every action raises
    ``RefusedError`` if the client does not allow it.
    """

    def __init__(self, world: World, guild_id: int, channel_id: int, user_id: int) -> None:
        self.world = world
        self.guild_id = guild_id
        self.channel_id = channel_id
        self.id = user_id
        self.locale = "en-US"
        self._last_message_at = 0.0

    @property
    def name(self) -> str:
        """The display name in the guild."""
        return self.world.display_name(self.guild_id, self.id)

    @property
    def is_member(self) -> bool:
        """Whether the person is a member of the guild at present."""
        return self.id in self.world.guilds[self.guild_id].members

    @property
    def permissions(self) -> discord.Permissions:
        """The person's permissions in the channel."""
        if not self.is_member:
            return discord.Permissions.none()
        value = self.world.compute_permissions(self.guild_id, self.id, self.channel_id)
        return discord.Permissions(value)

    # -- reading

    def can_see(self, message: Message) -> bool:
        """Whether the person can see the message."""
        return message_accessible(self.world, self.channel_id, message, self.id, history=True)

    def messages(self) -> list[Message]:
        """Return the messages of the channel that the person can see, the oldest first."""
        if not channel_accessible(self.world, self.channel_id, self.id, history=True):
            return []
        stored = self.world.messages[self.channel_id]
        return [stored[i] for i in sorted(stored) if stored[i].visible_to(self.id)]

    def find(self, words: str) -> Message | None:
        """Return the newest visible message that contains these words."""
        found = (m for m in reversed(self.messages()) if words in message_text(m))
        return next(found, None)

    async def wait_for_message(self, words: str, timeout: float = 10) -> Message:  # noqa: ASYNC109 - callers read better with a timeout
        """Wait until a visible message contains these words, and return it.

        Raises:
            TimeoutError: there was none within ``timeout`` seconds.
        """
        await self.world.wait_until(lambda: self.find(words), timeout)
        message = self.find(words)
        assert message is not None  # noqa: S101 - the predicate has just found it
        return message

    # -- writing

    def say(
        self,
        content: str,
        *,
        nonce: str | None = None,
        files: Sequence[tuple[str, bytes]] = (),
        reply_to: int | None = None,
    ) -> Message:
        """Post a message; if one with this nonce exists, return that one, as for a retry."""
        world = self.world
        earlier = world.find_by_nonce(self.id, self.channel_id, nonce) if nonce else None
        if earlier is not None:
            return earlier
        content = content.strip()
        if len(content) > _MAX_MESSAGE_LENGTH:
            raise RefusedError(f"A message has at most {_MAX_MESSAGE_LENGTH} characters.")
        with _refusing(), world.with_nonce(nonce):
            self._require("send_messages", *(["attach_files"] if files else []))
            self._enforce_slow_mode()
            reference = {"message_id": str(reply_to)} if reply_to is not None else None
            message = world.create_message(
                self.channel_id,
                self.id,
                content,
                reference=reference,
                attachments=world.store_attachments(self.channel_id, files),
            )
        self._last_message_at = world.clock.now().timestamp()
        if nonce is not None:
            world.record_nonce(self.id, self.channel_id, nonce, message.id)
        return message

    def _enforce_slow_mode(self) -> None:
        delay = self.world.channels[self.channel_id].rate_limit_per_user
        left = self._last_message_at + delay - self.world.clock.now().timestamp()
        exempt = self.permissions.manage_messages or self.permissions.manage_channels
        if delay and left > 0 and not exempt:
            raise RefusedError(f"Slow mode: you can write again in {left:.0f} s.")

    def edit(self, message_id: int, content: str) -> None:
        """Change a message of the person's own."""
        with _refusing():
            if self._visible_message(message_id).author_id != self.id:
                raise RefusedError("You can only edit your own messages.")
            self.world.edit_message(self.channel_id, message_id, {"content": content.strip()})

    def delete(self, message_id: int) -> None:
        """Delete a message; one of another author needs the permission Manage Messages."""
        with _refusing():
            if self._visible_message(message_id).author_id != self.id:
                self._require("manage_messages")
            self.world.delete_message(self.channel_id, message_id)

    def react(self, message_id: int, emoji: str, *, reacted: bool = True) -> None:
        """Add or remove a reaction."""
        with _refusing():
            message = self._visible_message(message_id)
            self._require(*reaction_permissions(message, emoji, reacted=reacted))
            self.world.set_reaction(self.channel_id, message_id, emoji, self.id, reacted)

    def leave(self) -> None:
        """Leave the guild."""
        with _refusing():
            self.world.remove_member(self.guild_id, self.id)

    def join(self) -> None:
        """Join the guild, unless the person is a member already."""
        if not self.is_member:
            self.world.add_member(self.guild_id, self.id, announce=True)

    # -- interactions

    def slash(self, path: str, /, **options: Any) -> PendingInteraction:
        """Use a slash command, such as ``slash("rox play", opponents=2)``.

        Users, roles and channels are given by id, other options as text or as their own type.
        """
        with _refusing():
            return send_command(self, path, options)

    def complete(
        self, path: str, option: str, text: str, filled: Mapping[str, Any]
    ) -> PendingInteraction:
        """Type into an option with autocomplete; the response carries the choices."""
        with _refusing():
            return send_autocomplete(self, path, option, text, filled)

    def click(self, message_id: int, custom_id: str) -> PendingInteraction:
        """Press the button with this custom id."""
        with _refusing():
            return send_component(self, self._visible_message(message_id), custom_id)

    def press(self, message_id: int, label: str) -> PendingInteraction:
        """Press the button with this label."""
        with _refusing():
            message = self._visible_message(message_id)
            for component in walk_components(message.components):
                if component.get("label") == label and "custom_id" in component:
                    return send_component(self, message, str(component["custom_id"]))
        raise RefusedError(f"There is no button {label!r}.")

    def select(self, message_id: int, custom_id: str, values: Sequence[str]) -> PendingInteraction:
        """Choose in a select menu: option values, or ids of users, roles and channels."""
        with _refusing():
            return send_component(self, self._visible_message(message_id), custom_id, list(values))

    def submit(self, interaction_id: int, values: Mapping[str, Any]) -> PendingInteraction:
        """Submit the modal that an interaction opened, with its values by custom id."""
        with _refusing():
            return send_modal(self, interaction_id, values)

    # -- helpers

    def _visible_message(self, message_id: int) -> Message:
        message = self.world.get_message(self.channel_id, message_id)
        if not self.can_see(message):
            raise RefusedError("You do not see that message.")
        return message

    def _require(self, *names: str) -> None:
        self.world.require_permissions(self.guild_id, self.id, self.channel_id, *names)


@contextmanager
def _refusing() -> Generator[None]:
    """Turn simcord's errors into ``RefusedError``."""
    try:
        yield
    except BackendError as error:
        raise RefusedError(error.message) from error
    except SetupError as error:
        raise RefusedError(str(error)) from error
