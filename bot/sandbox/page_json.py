"""The page's JSON: messages, the guild and commands, as one person sees them."""

from __future__ import annotations

from typing import TYPE_CHECKING, cast

import discord
from simcord.backend.access import channel_accessible
from simcord.components import walk_components
from simcord.enums import ChannelType, ComponentType
from simcord.interactions import command_leaves

from bot.sandbox.world import message_text

if TYPE_CHECKING:
    from simcord.backend.models import Message, Reaction

    from bot.sandbox.person import Person
    from bot.sandbox.world import Payload, World

__all__ = ["serialize_commands", "serialize_guild", "serialize_message"]

_LOADING = discord.MessageFlags.loading.flag
_EXCERPT_LENGTH = 80


def serialize_message(person: Person, message: Message) -> Payload:
    """Return a message as this person sees it."""
    world = person.world
    result: Payload = {
        "id": str(message.id),
        "author": _serialize_author(person, message),
        "at": message.timestamp,
        "edited": message.edited_timestamp is not None,
        "content": message.content,
        "components": _components_with_sizes(message),
        "attachments": _unused_attachments(message),
        "reactions": [_serialize_reaction(person, reaction) for reaction in message.reactions],
        "private": message.is_ephemeral,
        "loading": bool(message.flags & _LOADING),
        "mine": message.author_id == person.id,
        "mentioned": person.id in message.ping_user_ids,
    }
    metadata = message.interaction_metadata
    if metadata is not None and metadata.get("name"):
        user = cast("Payload", metadata["user"])
        result["command"] = {"by": user["global_name"], "name": metadata["name"]}
    if message.reference is not None:
        target_id = int(cast("str", message.reference["message_id"]))
        target = world.messages[message.channel_id].get(target_id)
        result["reply"] = {
            "author": world.display_name(person.guild_id, target.author_id) if target else None,
            "text": message_text(target)[:_EXCERPT_LENGTH] if target else "",
        }
    return result


def _serialize_author(person: Person, message: Message) -> Payload:
    user = person.world.users[message.author_id]
    name = message.author_name or person.world.display_name(person.guild_id, user.id)
    return {"id": str(user.id), "name": name, "bot": user.bot}


def _serialize_reaction(person: Person, reaction: Reaction) -> Payload:
    return {
        "emoji": reaction.emoji,
        "count": len(reaction.user_ids),
        "me": person.id in reaction.user_ids,
    }


def _components_with_sizes(message: Message) -> list[Payload]:
    """Return the components with their pictures' sizes, so that the page can reserve space."""
    sizes = {a["url"]: (a["width"], a["height"]) for a in message.attachments if "width" in a}

    def with_size(holder: Payload, key: str) -> Payload:
        media = cast("Payload", holder[key])
        width, height = sizes.get(media.get("url"), (None, None))
        return holder | {key: media | ({"width": width, "height": height} if width else {})}

    def copied(component: Payload) -> Payload:
        result = dict(component)
        if "components" in result:
            result["components"] = [copied(c) for c in cast("list[Payload]", result["components"])]
        if "accessory" in result:
            result["accessory"] = copied(cast("Payload", result["accessory"]))
        if result["type"] == ComponentType.MEDIA_GALLERY:
            items = cast("list[Payload]", result["items"])
            result["items"] = [with_size(item, "media") for item in items]
        elif result["type"] == ComponentType.THUMBNAIL:
            result = with_size(result, "media")
        return result

    return [copied(component) for component in message.components]


def _unused_attachments(message: Message) -> list[Payload]:
    """Return the attachments that no component shows; a client lists them below the message."""
    shown: set[str] = set()
    for component in walk_components(message.components):
        holders = [component, *cast("list[Payload]", component.get("items") or [])]
        for holder in holders:
            for key in ("media", "file"):
                media = cast("Payload", holder.get(key) or {})
                shown.add(str(media.get("url")))
    return [dict(a) for a in message.attachments if a["url"] not in shown]


def serialize_guild(person: Person) -> Payload:
    """Return the guild: the channel, and the members, roles and channels to choose from."""
    world = person.world
    guild = world.guilds[person.guild_id]
    channels = [world.channels[i] for i in guild.channel_ids]
    permissions = person.permissions
    return {
        "name": guild.name,
        "is_member": person.is_member,
        "you": {"id": str(person.id), "name": person.name},
        "channel": {
            "id": str(person.channel_id),
            "name": world.channels[person.channel_id].name,
            "topic": world.channels[person.channel_id].topic,
        },
        "can": {
            "view": channel_accessible(world, person.channel_id, person.id),
            "send": permissions.send_messages,
            "react": permissions.add_reactions,
            "manage": permissions.manage_messages,
        },
        "members": [
            {
                "id": str(user_id),
                "name": world.display_name(guild.id, user_id),
                "bot": world.users[user_id].bot,
            }
            for user_id in guild.members
        ],
        "roles": [
            {"id": str(role.id), "name": role.name, "color": role.color}
            for role in guild.roles.values()
            if role.id != guild.id
        ],
        "channels": [
            {"id": str(channel.id), "name": channel.name, "type": int(channel.type)}
            for channel in channels
            if channel.type == ChannelType.TEXT and channel_accessible(world, channel.id, person.id)
        ],
    }


def serialize_commands(world: World, person: Person) -> list[Payload]:
    """Return the slash commands that this person can use here, one entry per (sub)command."""
    if not channel_accessible(world, person.channel_id, person.id):
        return []
    entries: list[Payload] = []
    for application, command in world.commands_for(person.id, person.channel_id):
        for path, leaf in command_leaves(command):
            entries.append(
                {
                    "path": " ".join(path),
                    "description": leaf.get("description", ""),
                    "options": leaf.get("options") or [],
                    "bot": application.user.name,
                }
            )
    return entries
