"""Who stands where: one person's figures and the board of a server, game by game.

Ranked by wins, then by points. Equal ones share a rank, and the next rank counts them all:
1, 1, 3. Among equals the older account comes first, so that pages never overlap.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from sqlalchemy import func, select, tuple_

from bot.store.models import StandingRow

if TYPE_CHECKING:
    from collections.abc import Mapping

    from sqlalchemy.ext.asyncio import AsyncSession


@dataclass(frozen=True, slots=True)
class Standing:
    """One person's figures over all matches that count.

    Attributes:
        user: the person.
        name: what the person was last called.
        rank: the place on the server's board; 1 is best.
        matches: how many matches.
        wins: how many of them as first among people, alone or with others.
        points: the sum of the scoring cards won.
        average_place: the mean place among people.
        figures: the game's own figures by name.
    """

    user: int
    name: str
    rank: int
    matches: int
    wins: int
    points: int
    average_place: float
    figures: Mapping[str, int]


@dataclass(frozen=True, slots=True)
class Board:
    """A page of a server's board.

    Attributes:
        rows: the page, best first.
        total: how many people are on the whole board.
    """

    rows: tuple[Standing, ...]
    total: int


async def stats(session: AsyncSession, guild: int, game: str, user: int) -> Standing | None:
    """Return one person's standing, or None for somebody without a match that counts."""
    row = await session.get(StandingRow, (guild, game, user))
    if row is None:
        return None
    return _standing(row, await _rank(session, row))


async def board(
    session: AsyncSession, guild: int, game: str, *, limit: int, offset: int = 0
) -> Board:
    """Return a page of `limit` rows from the row `offset` on; beyond the end it has no rows."""
    here = (StandingRow.guild_id == guild, StandingRow.game == game)
    total = await session.scalar(select(func.count()).select_from(StandingRow).where(*here)) or 0
    found = await session.scalars(
        select(StandingRow)
        .where(*here)
        .order_by(StandingRow.wins.desc(), StandingRow.points.desc(), StandingRow.user_id)
        .limit(limit)
        .offset(offset)
    )
    rows: list[Standing] = []
    for position, row in enumerate(found.all(), offset + 1):
        if not rows:
            rank = await _rank(session, row)
        elif (rows[-1].wins, rows[-1].points) == (row.wins, row.points):
            rank = rows[-1].rank
        else:
            rank = position
        rows.append(_standing(row, rank))
    return Board(tuple(rows), total)


async def _rank(session: AsyncSession, row: StandingRow) -> int:
    better = (
        select(func.count())
        .select_from(StandingRow)
        .where(
            StandingRow.guild_id == row.guild_id,
            StandingRow.game == row.game,
            tuple_(StandingRow.wins, StandingRow.points) > tuple_(row.wins, row.points),
        )
    )
    return 1 + (await session.scalar(better) or 0)


def _standing(row: StandingRow, rank: int) -> Standing:
    return Standing(
        user=row.user_id,
        name=row.name,
        rank=rank,
        matches=row.matches,
        wins=row.wins,
        points=row.points,
        average_place=row.places_sum / row.matches,
        figures=row.figures,
    )
