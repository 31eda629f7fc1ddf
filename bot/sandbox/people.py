"""What a person can do in a client, and nothing that a client would not let them do."""

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

__all__ = ["Person", "Refused"]

_LONGEST_MESSAGE = 2000


class Refused(Exception):  # noqa: N818 - a refusal is no error
    """The client would not let this person do that; the text says why."""


class Person:
    """A member of the guild, as seen in one channel.

    Every action takes effect at once. An action that a bot responds to returns a
    ``PendingInteraction``, whose ``response()`` waits for the bot.
    """

    def __init__(self, world: World, guild_id: int, channel_id: int, user_id: int) -> None:
        self.world = world
        self.guild_id = guild_id
        self.channel_id = channel_id
        self.id = user_id
        self.locale = "en-US"
        self._last_said = 0.0

    @property
    def name(self) -> str:
        """What the others call this person."""
        member = self.world.guilds[self.guild_id].members.get(self.id)
        user = self.world.users[self.id]
        return (member.nick if member else None) or user.global_name or user.name

    @property
    def present(self) -> bool:
        """Whether they are a member of the guild at present."""
        return self.id in self.world.guilds[self.guild_id].members

    @property
    def permissions(self) -> discord.Permissions:
        """What they may do in the channel."""
        if not self.present:
            return discord.Permissions.none()
        value = self.world.compute_permissions(self.guild_id, self.id, self.channel_id)
        return discord.Permissions(value)

    # -- reading

    def can_see(self, message: Message) -> bool:
        """Whether the message is on this person's screen."""
        return message_accessible(self.world, self.channel_id, message, self.id, history=True)

    def messages(self) -> list[Message]:
        """Everything in the channel that this person sees, the oldest first."""
        if not channel_accessible(self.world, self.channel_id, self.id, history=True):
            return []
        stored = self.world.messages[self.channel_id]
        return [stored[i] for i in sorted(stored) if stored[i].visible_to(self.id)]

    def find(self, words: str) -> Message | None:
        """The newest visible message that contains these words."""
        found = (m for m in reversed(self.messages()) if words in message_text(m))
        return next(found, None)

    async def sees(self, words: str, timeout: float = 10) -> Message:  # noqa: ASYNC109 - callers read better with a timeout
        """Wait until a visible message contains these words."""
        await self.world.wait_until(lambda: self.find(words), timeout)
        message = self.find(words)
        assert message is not None  # noqa: S101 - it was just seen
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
        """Post a message. The same nonce again is the same message, as with a client's retry."""
        world = self.world
        earlier = world.find_by_nonce(self.id, self.channel_id, nonce) if nonce else None
        if earlier is not None:
            return earlier
        content = content.strip()
        if len(content) > _LONGEST_MESSAGE:
            raise Refused(f"A message has at most {_LONGEST_MESSAGE} characters.")
        with _refusals(), world.with_nonce(nonce):
            self._require("send_messages", *(["attach_files"] if files else []))
            self._mind_slow_mode()
            reference = {"message_id": str(reply_to)} if reply_to is not None else None
            message = world.create_message(
                self.channel_id,
                self.id,
                content,
                reference=reference,
                attachments=world.store_attachments(self.channel_id, files),
            )
        self._last_said = world.clock.now().timestamp()
        if nonce is not None:
            world.record_nonce(self.id, self.channel_id, nonce, message.id)
        return message

    def _mind_slow_mode(self) -> None:
        pause = self.world.channels[self.channel_id].rate_limit_per_user
        left = self._last_said + pause - self.world.clock.now().timestamp()
        spared = self.permissions.manage_messages or self.permissions.manage_channels
        if pause and left > 0 and not spared:
            raise Refused(f"Slow mode: you can write again in {left:.0f} s.")

    def edit(self, message_id: int, content: str) -> None:
        """Change one's own message."""
        with _refusals():
            if self._visible(message_id).author_id != self.id:
                raise Refused("You can only edit your own messages.")
            self.world.edit_message(self.channel_id, message_id, {"content": content.strip()})

    def delete(self, message_id: int) -> None:
        """Remove a message: one's own, or with Manage Messages anybody's."""
        with _refusals():
            if self._visible(message_id).author_id != self.id:
                self._require("manage_messages")
            self.world.delete_message(self.channel_id, message_id)

    def react(self, message_id: int, emoji: str, *, reacted: bool = True) -> None:
        """Add or take back a reaction."""
        with _refusals():
            message = self._visible(message_id)
            self._require(*reaction_permissions(message, emoji, reacted=reacted))
            self.world.set_reaction(self.channel_id, message_id, emoji, self.id, reacted)

    def leave(self) -> None:
        """Leave the guild."""
        with _refusals():
            self.world.remove_member(self.guild_id, self.id)

    def join(self) -> None:
        """Come (back) to the guild."""
        if not self.present:
            self.world.add_member(self.guild_id, self.id, announce=True)

    # -- asking bots

    def slash(self, path: str, /, **options: Any) -> PendingInteraction:
        """Use a slash command, say ``slash("rox play", opponents=2)``.

        Users, roles and channels are given by id; everything else as text or as its own type.
        """
        with _refusals():
            return send_command(self, path, options)

    def complete(
        self, path: str, option: str, text: str, filled: Mapping[str, Any]
    ) -> PendingInteraction:
        """Type into an option with autocomplete; the answer carries the choices."""
        with _refusals():
            return send_autocomplete(self, path, option, text, filled)

    def click(self, message_id: int, custom_id: str) -> PendingInteraction:
        """Press a button of a message."""
        with _refusals():
            return send_component(self, self._visible(message_id), custom_id)

    def press(self, message_id: int, label: str) -> PendingInteraction:
        """Press the button with this label."""
        with _refusals():
            message = self._visible(message_id)
            for component in walk_components(message.components):
                if component.get("label") == label and "custom_id" in component:
                    return send_component(self, message, str(component["custom_id"]))
        raise Refused(f"There is no button {label!r}.")

    def select(self, message_id: int, custom_id: str, values: Sequence[str]) -> PendingInteraction:
        """Choose in a select menu: option values, or ids of users, roles and channels."""
        with _refusals():
            return send_component(self, self._visible(message_id), custom_id, list(values))

    def submit(self, interaction_id: int, values: Mapping[str, Any]) -> PendingInteraction:
        """Send the form that an interaction opened; values by custom id."""
        with _refusals():
            return send_modal(self, interaction_id, values)

    # -- plumbing

    def _visible(self, message_id: int) -> Message:
        message = self.world.get_message(self.channel_id, message_id)
        if not self.can_see(message):
            raise Refused("You do not see that message.")
        return message

    def _require(self, *names: str) -> None:
        self.world.require_permissions(self.guild_id, self.id, self.channel_id, *names)


@contextmanager
def _refusals() -> Generator[None]:
    try:
        yield
    except BackendError as error:
        raise Refused(error.message) from error
    except SetupError as error:
        raise Refused(str(error)) from error
