"""Storing the result of a match, in one transaction with the standings that it changes."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from sqlalchemy import select, update

from bot.matches.ports import AlreadyEndedError
from bot.store.models import MatchRow, MatchStatus, SeatRow, StandingRow, utc_of
from game.figures import aggregate

if TYPE_CHECKING:
    from collections.abc import Mapping

    from sqlalchemy.ext.asyncio import AsyncSession

    from bot.matches.ports import Ending
    from game.figures import FigureRules
    from game.match import Place, Result


_MAX_KEY: Final = (1 << 63) - 1
"""The greatest integer that the database accepts; a custom id can hold a greater one."""


async def game_of(session: AsyncSession, match: int) -> str | None:
    """Return the name of a match's game, or None if the match does not exist."""
    if match > _MAX_KEY:
        return None
    return await session.scalar(select(MatchRow.game).where(MatchRow.id == match))


async def finish(
    session: AsyncSession, match: int, ending: Ending, figures: Mapping[str, FigureRules]
) -> None:
    """End an open match, store its result, and add it to the standings if it counts.

    Args:
        session: a session that can write.
        match: the match's own key.
        ending: how the match ended.
        figures: how each game's figures add up, by the game's name.

    Raises:
        AlreadyEndedError: the match is not open.
    """
    result = ending.result
    ended = await session.execute(
        update(MatchRow)
        .where(MatchRow.id == match, MatchRow.status == MatchStatus.OPEN)
        .values(
            status=MatchStatus.VOID if result is None else MatchStatus.FINISHED,
            end_reason=ending.reason,
            ended_at=utc_of(ending.ended_ms),
            counts=result is not None and result.counts,
            rated=result is not None and result.rated,
        )
        .returning(MatchRow.guild_id, MatchRow.game)
        .execution_options(synchronize_session=False)
    )
    row = ended.one_or_none()
    if row is None:
        raise AlreadyEndedError(f"match {match} is not open")
    if result is None:
        return
    session.add_all(_seat_row(match, place, result) for place in result.places)
    if result.counts:
        rules = figures.get(row.game, {})
        for place in result.places:
            await _add_to_standing(session, row.guild_id, row.game, place, result, rules=rules)


def _seat_row(match: int, place: Place, result: Result) -> SeatRow:
    seat = place.seat
    return SeatRow(
        match_id=match,
        number=seat.number,
        user_id=seat.user,
        name=seat.name,
        level=seat.level,
        place=place.place,
        place_among_people=place.among_people,
        points=place.points,
        left=seat.out is not None,
        figures=dict(result.figures.get(seat.number, {})),
    )


async def _add_to_standing(
    session: AsyncSession,
    guild: int,
    game: str,
    place: Place,
    result: Result,
    *,
    rules: FigureRules,
) -> None:
    """Add a match to a person's standing; a simulated opponent has none."""
    seat = place.seat
    if seat.user is None or place.among_people is None:
        return
    standing = await session.get(StandingRow, (guild, game, seat.user), with_for_update=True)
    if standing is None:
        standing = StandingRow(
            guild_id=guild,
            game=game,
            user_id=seat.user,
            matches=0,
            wins=0,
            points=0,
            places_sum=0,
            figures={},
        )
        session.add(standing)
    standing.name = seat.name
    standing.matches += 1
    standing.wins += place.among_people == 1
    standing.points += place.points
    standing.places_sum += place.among_people
    standing.figures = aggregate(rules, standing.figures, result.figures.get(seat.number, {}))
