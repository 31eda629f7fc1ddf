"""Queries on single values that outlive a restart, such as a hash of the commands sent."""

from __future__ import annotations

from typing import TYPE_CHECKING

from bot.store.models import KeyValueRow

if TYPE_CHECKING:
    from sqlalchemy.ext.asyncio import AsyncSession


async def get_value(session: AsyncSession, name: str) -> str | None:
    """Return the value stored under a name, or None."""
    row = await session.get(KeyValueRow, name)
    return None if row is None else row.value


async def set_value(session: AsyncSession, name: str, value: str) -> None:
    """Store a value under a name, replacing an earlier one."""
    await session.merge(KeyValueRow(name=name, value=value))
