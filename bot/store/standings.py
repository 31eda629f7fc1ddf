"""Queries on standings: one person's standing, and the leaderboard of a server and game.

People are ranked by wins, then by points. Equal people share a rank, and the next rank counts all
of them: 1, 1, 3. Among equals the older account comes first; without a fixed order the pages of a
leaderboard could overlap.
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
    """One person's totals over all matches that count, in one server and game.

    Attributes:
        user: the person's id.
        name: the person's name in the newest match that counts.
        rank: the place on the server's leaderboard; 1 is best.
        matches: the number of matches.
        wins: the number of matches with the first place among people, alone or shared.
        points: the sum of the points.
        average_place: the mean place among people.
        figures: the game's figures by name.
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
    """A page of a server's leaderboard.

    Attributes:
        rows: the standings on the page, best first.
        total: the number of people on the whole leaderboard.
    """

    rows: tuple[Standing, ...]
    total: int


async def load_standing(session: AsyncSession, guild: int, game: str, user: int) -> Standing | None:
    """Return one person's standing, or None if no match of the person counts."""
    row = await session.get(StandingRow, (guild, game, user))
    if row is None:
        return None
    return _standing(row, await _rank(session, row))


async def load_board(
    session: AsyncSession, guild: int, game: str, *, limit: int, offset: int = 0
) -> Board:
    """Return the page of `limit` rows after the first `offset` ones; it can be empty."""
    in_game = (StandingRow.guild_id == guild, StandingRow.game == game)
    total = await session.scalar(select(func.count()).select_from(StandingRow).where(*in_game)) or 0
    found = await session.scalars(
        select(StandingRow)
        .where(*in_game)
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
