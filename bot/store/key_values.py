"""Small facts that the bot keeps from one start to the next, by name."""

from __future__ import annotations

from typing import TYPE_CHECKING

from bot.store.models import KeyValueRow

if TYPE_CHECKING:
    from sqlalchemy.ext.asyncio import AsyncSession


async def get_value(session: AsyncSession, name: str) -> str | None:
    """Return the value kept under a name, or None."""
    row = await session.get(KeyValueRow, name)
    return None if row is None else row.value


async def set_value(session: AsyncSession, name: str, value: str) -> None:
    """Keep a value under a name, in place of an earlier one."""
    await session.merge(KeyValueRow(name=name, value=value))
