"""The journal: stores the logs of matches and loads them.

Whatever is handed over while a transaction is being committed is written together in the next one,
for all matches at once. The task that writes exists only while something is queued.
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
    """New lines or a change contradict the stored match or its log."""


@dataclass(frozen=True, slots=True)
class _NewMatch:
    """A match to insert, with the first actions of its log."""

    venue: Venue
    log: tuple[Action, ...]


@dataclass(frozen=True, slots=True)
class _Request:
    """Something to write, and a future for the match's key."""

    work: _NewMatch | Batch
    done: asyncio.Future[int] = field(default_factory=asyncio.Future[int])

    def succeed(self, match: int) -> None:
        if not self.done.done():
            self.done.set_result(match)

    def fail(self, error: Exception) -> None:
        if not self.done.done():
            self.done.set_exception(error)


class Journal:
    """Stores the logs of matches in a database; implements `bot.matches.ports.Store`.

    A call's data is written even if the caller is cancelled while it waits.

    Args:
        database: the database.
        figures: how each game's figures add up over matches, by the game's name.
    """

    def __init__(self, database: Database, figures: Mapping[str, FigureRules]) -> None:
        self._database = database
        self._figures = figures
        self._queue: list[_Request] = []
        self._writer: asyncio.Task[None] | None = None

    async def create(self, venue: Venue, log: Sequence[Action]) -> int:
        """Record a new match with its first actions and return its key.

        Raises:
            ChannelTakenError: the channel has an open match already.
            TypeError: the log does not begin with an opening.
        """
        return await self._submit(_NewMatch(venue, tuple(log)))

    async def record(self, batch: Batch) -> None:
        """Append to a match's log, and end or close the match if the batch says so.

        Raises:
            AlreadyEndedError: the batch ends a match that has ended before.
            LogConflictError: a line's number or source is in the log already, or the batch
                closes a match that has not ended.
        """
        await self._submit(batch)

    async def open_matches(self) -> Sequence[StoredMatch]:
        """Return every match that is not closed, oldest first."""
        async with self._database.read() as session:
            return await _load(session, MatchRow.closed.is_(False))

    async def find(self, match: int) -> StoredMatch:
        """Return one match, closed or not.

        Raises:
            LookupError: the match does not exist.
            StoreUnavailableError: nothing can be read at present.
        """
        async with self._database.read() as session:
            found = await _load(session, MatchRow.id == match)
        if not found:
            raise LookupError(f"there is no match {match}")
        return found[0]

    async def flush(self) -> None:
        """Return once everything handed over so far has been written or refused."""
        while self._writer is not None:
            await asyncio.wait({self._writer})

    async def _submit(self, work: _NewMatch | Batch) -> int:
        request = _Request(work)
        self._queue.append(request)
        if self._writer is None:
            self._writer = asyncio.create_task(self._drain(), name="journal")
        return await request.done

    async def _drain(self) -> None:
        requests: list[_Request] = []
        try:
            while self._queue:
                requests, self._queue = self._queue, []
                await self._write(requests)
        finally:
            self._writer = None
            for request in (*requests, *self._queue):
                request.done.cancel()
            self._queue.clear()

    async def _write(self, requests: list[_Request]) -> None:
        """Write requests in one transaction, or each in its own if that fails."""
        try:
            async with self._database.write() as session:
                works = [request.work for request in requests]
                matches = await _write(session, works, self._figures)
        except Exception as error:  # noqa: BLE001 - passed on to the caller whose request failed
            if len(requests) == 1:
                requests[0].fail(error)
                return
            for request in requests:
                await self._write([request])
            return
        for request, match in zip(requests, matches, strict=True):
            request.succeed(match)


async def _write(
    session: AsyncSession,
    works: Sequence[_NewMatch | Batch],
    figures: Mapping[str, FigureRules],
) -> list[int]:
    """Write new matches and batches in a session; return the key of each one's match."""
    matches: list[int] = []
    lines: list[dict[str, Any]] = []
    for work in works:
        if isinstance(work, _NewMatch):
            match = await _insert_match(session, work)
            entries = tuple(Entry(seq, action) for seq, action in enumerate(work.log))
        else:
            match, entries = work.match, work.entries
        matches.append(match)
        lines.extend(_action_values(match, entry) for entry in entries)
    await _insert_actions(session, lines)
    for work in works:
        if isinstance(work, Batch):
            await _finish_and_close(session, work, figures)
    return matches


async def _insert_match(session: AsyncSession, new: _NewMatch) -> int:
    opening = new.log[0] if new.log else None
    if not isinstance(opening, Opening):
        raise TypeError("a log begins with an opening")
    row = MatchRow(
        guild_id=new.venue.guild,
        channel_id=new.venue.channel,
        game=opening.game,
        rules_version=opening.version,
        status=MatchStatus.OPEN,
        opened_at=utc_of(ms_of(opening.id)),
    )
    session.add(row)
    try:
        await session.flush()
    except IntegrityError as error:
        channel = new.venue.channel
        raise ChannelTakenError(f"channel {channel} has an open match") from error
    return row.id


async def _insert_actions(session: AsyncSession, lines: list[dict[str, Any]]) -> None:
    if not lines:
        return
    try:
        await session.execute(insert(ActionRow), lines)
    except IntegrityError as error:
        raise LogConflictError("a line does not fit the log of its match") from error


async def _finish_and_close(
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


def _action_values(match: int, entry: Entry) -> dict[str, Any]:
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


async def _load(session: AsyncSession, condition: ColumnElement[bool]) -> list[StoredMatch]:
    matches = await session.execute(
        select(
            MatchRow.id,
            MatchRow.guild_id,
            MatchRow.channel_id,
            MatchRow.game,
            MatchRow.rules_version,
            _superseded(),
        )
        .where(condition)
        .order_by(MatchRow.id)
    )
    actions = await session.execute(
        select(ActionRow.match_id, ActionRow.action_id, ActionRow.kind, ActionRow.payload)
        .join(MatchRow, MatchRow.id == ActionRow.match_id)
        .where(condition)
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
    """Return a column: whether a match's channel has had another match since."""
    later = aliased(MatchRow)
    found = exists().where(later.channel_id == MatchRow.channel_id, later.id > MatchRow.id)
    return found.label("superseded")
