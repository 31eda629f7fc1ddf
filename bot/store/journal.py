"""The logs of matches.

A match at rest costs nothing here: the task that writes lives only while something waits. What
waits at the same time, of however many matches, goes into one transaction.
"""

from __future__ import annotations

import asyncio
from dataclasses import dataclass, field
from itertools import groupby
from typing import TYPE_CHECKING, Any

from sqlalchemy import exists, insert, select, update
from sqlalchemy.exc import IntegrityError
from sqlalchemy.orm import aliased

from bot.matches.ports import (
    Batch,
    ChannelTakenError,
    Entry,
    StoredMatch,
    Venue,
)
from bot.store.models import ActionRow, MatchRow, MatchStatus, utc_of
from bot.store.results import finish
from game.actions import Action, Opening, encode
from game.ids import ms_of

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from sqlalchemy import ColumnElement, Label
    from sqlalchemy.ext.asyncio import AsyncSession

    from bot.store.database import Database
    from game.figures import FigureRules


class LogConflictError(Exception):
    """What was to be recorded contradicts what is: the match, or a line of its log."""


@dataclass(frozen=True, slots=True)
class _Creation:
    """A match that is to be recorded for the first time."""

    venue: Venue
    log: tuple[Action, ...]


@dataclass(frozen=True, slots=True)
class _Waiting:
    """Something to write, and who waits for it; the answer is the match's key."""

    work: _Creation | Batch
    written: asyncio.Future[int] = field(default_factory=asyncio.Future[int])

    def succeed(self, match: int) -> None:
        if not self.written.done():
            self.written.set_result(match)

    def fail(self, error: Exception) -> None:
        if not self.written.done():
            self.written.set_exception(error)


class Journal:
    """Keeps the logs of matches in a database; the `Store` of running matches.

    What was handed over is written even if its caller is cancelled meanwhile.

    Args:
        database: where they are kept.
        figures: how each game's figures add up over matches, by the game's name.
    """

    def __init__(self, database: Database, figures: Mapping[str, FigureRules]) -> None:
        self._database = database
        self._figures = figures
        self._waiting: list[_Waiting] = []
        self._writing: asyncio.Task[None] | None = None

    async def create(self, venue: Venue, log: Sequence[Action]) -> int:
        """Record a new match with its first actions and return its key.

        Raises:
            ChannelTakenError: the channel has an open match already.
            TypeError: the log does not begin with an opening.
        """
        return await self._write(_Creation(venue, tuple(log)))

    async def record(self, batch: Batch) -> None:
        """Append to a match's log, and end or close it.

        Raises:
            AlreadyEndedError: the batch ends a match that has ended before.
            LogConflictError: a line's number or source is in the log already, or the batch
                closes a match that has not ended.
        """
        await self._write(batch)

    async def open_matches(self) -> Sequence[StoredMatch]:
        """Return every match that is not closed, oldest first."""
        async with self._database.read() as session:
            return await _stored(session, MatchRow.closed.is_(False))

    async def find(self, match: int) -> StoredMatch:
        """Return one match, closed or not.

        Raises:
            LookupError: it is not there.
            StoreUnavailableError: nothing can be read at present.
        """
        async with self._database.read() as session:
            found = await _stored(session, MatchRow.id == match)
        if not found:
            raise LookupError(f"there is no match {match}")
        return found[0]

    async def flush(self) -> None:
        """Return once everything handed over so far has been written or refused."""
        while self._writing is not None:
            await asyncio.wait({self._writing})

    async def _write(self, work: _Creation | Batch) -> int:
        waiting = _Waiting(work)
        self._waiting.append(waiting)
        if self._writing is None:
            self._writing = asyncio.create_task(self._write_all(), name="journal")
        return await waiting.written

    async def _write_all(self) -> None:
        batch: list[_Waiting] = []
        try:
            while self._waiting:
                batch, self._waiting = self._waiting, []
                await self._write_together(batch)
        finally:
            self._writing = None
            for waiting in (*batch, *self._waiting):
                waiting.written.cancel()
            self._waiting.clear()

    async def _write_together(self, batch: list[_Waiting]) -> None:
        """Write in one transaction, or each alone if that fails."""
        try:
            async with self._database.write() as session:
                works = [waiting.work for waiting in batch]
                matches = await _write(session, works, self._figures)
        except Exception as error:  # noqa: BLE001 - whatever it is, it belongs to one match alone
            if len(batch) == 1:
                batch[0].fail(error)
                return
            for waiting in batch:
                await self._write_together([waiting])
            return
        for waiting, match in zip(batch, matches, strict=True):
            waiting.succeed(match)


async def _write(
    session: AsyncSession,
    works: Sequence[_Creation | Batch],
    figures: Mapping[str, FigureRules],
) -> list[int]:
    """Write and return the key of each match."""
    matches: list[int] = []
    lines: list[dict[str, Any]] = []
    for work in works:
        if isinstance(work, _Creation):
            match = await _create(session, work)
            entries = tuple(Entry(seq, action) for seq, action in enumerate(work.log))
        else:
            match, entries = work.match, work.entries
        matches.append(match)
        lines.extend(_line(match, entry) for entry in entries)
    await _append(session, lines)
    for work in works:
        if isinstance(work, Batch):
            await _conclude(session, work, figures)
    return matches


async def _create(session: AsyncSession, creation: _Creation) -> int:
    opening = creation.log[0] if creation.log else None
    if not isinstance(opening, Opening):
        raise TypeError("a log begins with an opening")
    row = MatchRow(
        guild_id=creation.venue.guild,
        channel_id=creation.venue.channel,
        game=opening.game,
        rules_version=opening.version,
        status=MatchStatus.OPEN,
        opened_at=utc_of(ms_of(opening.id)),
    )
    session.add(row)
    try:
        await session.flush()
    except IntegrityError as error:
        channel = creation.venue.channel
        raise ChannelTakenError(f"channel {channel} has an open match") from error
    return row.id


async def _append(session: AsyncSession, lines: list[dict[str, Any]]) -> None:
    if not lines:
        return
    try:
        await session.execute(insert(ActionRow), lines)
    except IntegrityError as error:
        raise LogConflictError("a line does not fit the log of its match") from error


async def _conclude(
    session: AsyncSession, batch: Batch, figures: Mapping[str, FigureRules]
) -> None:
    if batch.ending is not None:
        await finish(session, batch.match, batch.ending, figures)
    if batch.closed:
        closed = await session.execute(
            update(MatchRow)
            .where(MatchRow.id == batch.match, MatchRow.status != MatchStatus.OPEN)
            .values(closed=True)
            .returning(MatchRow.id)
            .execution_options(synchronize_session=False)
        )
        if closed.one_or_none() is None:
            raise LogConflictError(f"match {batch.match} cannot be closed before it has ended")


def _line(match: int, entry: Entry) -> dict[str, Any]:
    action = entry.action
    return {
        "match_id": match,
        "seq": entry.seq,
        "action_id": action.id,
        "source_id": action.id if action.actor is not None else None,
        "user_id": action.actor,
        "kind": action.kind,
        "payload": encode(action),
    }


async def _stored(session: AsyncSession, which: ColumnElement[bool]) -> list[StoredMatch]:
    matches = await session.execute(
        select(
            MatchRow.id,
            MatchRow.guild_id,
            MatchRow.channel_id,
            MatchRow.game,
            MatchRow.rules_version,
            _superseded(),
        )
        .where(which)
        .order_by(MatchRow.id)
    )
    actions = await session.execute(
        select(ActionRow.match_id, ActionRow.action_id, ActionRow.kind, ActionRow.payload)
        .join(MatchRow, MatchRow.id == ActionRow.match_id)
        .where(which)
        .order_by(ActionRow.match_id, ActionRow.seq)
    )
    logs = {
        match: tuple((line.action_id, line.kind, line.payload) for line in lines)
        for match, lines in groupby(actions, key=lambda line: line.match_id)
    }
    return [
        StoredMatch(
            id=row.id,
            venue=Venue(row.guild_id, row.channel_id),
            game=row.game,
            version=row.rules_version,
            lines=logs.get(row.id, ()),
            superseded=row.superseded,
        )
        for row in matches
    ]


def _superseded() -> Label[bool]:
    """Whether a match's channel has had another match since."""
    later = aliased(MatchRow)
    since = exists().where(later.channel_id == MatchRow.channel_id, later.id > MatchRow.id)
    return since.label("superseded")
