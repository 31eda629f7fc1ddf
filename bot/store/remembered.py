"""Small facts that the bot remembers from one start to the next."""

from __future__ import annotations

from typing import TYPE_CHECKING

from bot.store.models import RememberedRow

if TYPE_CHECKING:
    from sqlalchemy.ext.asyncio import AsyncSession


async def recall(session: AsyncSession, name: str) -> str | None:
    """Return what was remembered under a name, or None."""
    row = await session.get(RememberedRow, name)
    return None if row is None else row.value


async def remember(session: AsyncSession, name: str, value: str) -> None:
    """Remember a value under a name, in place of an earlier one."""
    await session.merge(RememberedRow(name=name, value=value))
