"""Answers to a gateway's request for guild members."""

from __future__ import annotations

from typing import TYPE_CHECKING, cast

from simcord.backend import serializers

if TYPE_CHECKING:
    from collections.abc import Iterator

    from bot.sandbox.world import Payload, World

__all__ = ["member_chunks"]

_CHUNK = 1000


def member_chunks(world: World, asked: Payload) -> Iterator[Payload]:
    """GUILD_MEMBERS_CHUNK payloads for an opcode 8: by user ids, else by a name's beginning."""
    guild = world.guilds.get(int(asked["guild_id"]))
    if guild is None:
        return
    wanted = cast("list[str] | str | None", asked.get("user_ids"))
    ids = {int(user_id) for user_id in ([wanted] if isinstance(wanted, str) else wanted or [])}
    found = list(guild.members.values())
    if wanted:
        found = [member for member in found if member.user_id in ids]
    elif prefix := str(asked.get("query") or "").casefold():
        names = {m.user_id: m.nick or world.users[m.user_id].name for m in found}
        found = [m for m in found if names[m.user_id].casefold().startswith(prefix)]
    limit = int(asked.get("limit") or 0)
    found = found[:limit] if limit else found
    missing = sorted(ids - {member.user_id for member in found}) if wanted else []
    pieces = [found[i : i + _CHUNK] for i in range(0, len(found), _CHUNK)] or [[]]
    for index, piece in enumerate(pieces):
        chunk: Payload = {
            "guild_id": str(guild.id),
            "members": [dict(serializers.member_payload(world, guild, m)) for m in piece],
            "chunk_index": index,
            "chunk_count": len(pieces),
        }
        if missing and index == 0:
            chunk["not_found"] = [str(user_id) for user_id in missing]
        if asked.get("nonce"):
            chunk["nonce"] = asked["nonce"]
        yield chunk
