import asyncio
from datetime import UTC, datetime, timedelta

import pytest
from sqlalchemy import event, func, select, text

from bot.matches.ports import (
    AlreadyEndedError,
    Batch,
    ChannelTakenError,
    Entry,
    Store,
    StoreUnavailableError,
    Venue,
)
from bot.store.journal import Journal, LogConflictError
from bot.store.models import ActionRow, MatchRow, SeatRow, StandingRow
from game import actions
from game.actions import Gone
from game.ids import timer_id
from game.match import End, Seat
from game.rox.engine import ROX
from game.rox.state import Tally
from tests.kit.stored_logs import (
    ADA,
    BO,
    CHANNEL,
    FIGURES,
    GUILD,
    NAMES,
    START_MS,
    VENUE,
    decoded,
    every_kind,
    finished,
    joins,
    opening,
    result,
    snowflake,
    void,
)


def transactions(database):
    """A list that grows with every transaction of the writer."""
    begun = []
    event.listen(database.writer.sync_engine, "begin", begun.append)
    return begun


async def count(database, table):
    async with database.read() as session:
        return await session.scalar(select(func.count()).select_from(table))


async def rows(database, table):
    async with database.read() as session:
        return (await session.scalars(select(table))).all()


async def duel_won_by_ada(journal, match, **options):
    outcome = result((ADA, 1, 1, 20), (BO, 2, 2, 12))
    await journal.record(finished(match, outcome, **options))


def test_the_journal_is_a_store(database):
    store: Store = Journal(database, FIGURES)
    assert store is not None


async def test_every_kind_of_action_comes_back_and_replays_to_the_same_match(journal):
    log = every_kind()
    registered = {kind for kind in actions.KINDS if "." not in kind or kind.startswith("rox.")}
    assert {action.kind for action in log} == registered

    match = await journal.create(VENUE, log[:4])
    await journal.record(Batch(match, tuple(Entry(4 + n, it) for n, it in enumerate(log[4:9]))))
    await journal.record(Batch(match, tuple(Entry(9 + n, it) for n, it in enumerate(log[9:]))))

    (stored,) = await journal.open_matches()
    version = ROX.rules.version
    assert (stored.id, stored.venue, stored.game, stored.version) == (match, VENUE, "rox", version)
    assert decoded(stored) == log
    assert ROX.replay(decoded(stored)) == ROX.replay(log)


async def test_lines_come_back_in_the_order_of_their_numbers(journal):
    match = await journal.create(VENUE, [opening()])
    late, early = joins(1, 2)
    await journal.record(Batch(match, (early,)))
    await journal.record(Batch(match, (late,)))
    (stored,) = await journal.open_matches()
    assert decoded(stored)[1:] == [late.action, early.action]


async def test_times_of_a_match_are_match_time(journal, database):
    match = await journal.create(VENUE, [opening()])
    await duel_won_by_ada(journal, match, ms=250_123)
    (row,) = await rows(database, MatchRow)
    opened = datetime(2015, 1, 1, tzinfo=UTC) + timedelta(milliseconds=START_MS)
    assert row.opened_at == opened
    assert row.ended_at == opened + timedelta(milliseconds=250_123)
    assert row.ended_at.tzinfo is UTC
    assert row.opened_at.timestamp() * 1000 == START_MS + 1_420_070_400_000


async def test_a_log_begins_with_an_opening(journal):
    with pytest.raises(TypeError):
        await journal.create(VENUE, [joins(0, 1)[0].action])
    with pytest.raises(TypeError):
        await journal.create(VENUE, [])


async def test_a_channel_has_one_open_match(journal, database):
    outcomes = await asyncio.gather(
        journal.create(VENUE, [opening()]),
        journal.create(VENUE, [opening(1)]),
        journal.create(Venue(GUILD, CHANNEL + 1), [opening(2)]),
        return_exceptions=True,
    )
    assert [type(outcome) for outcome in outcomes] == [int, ChannelTakenError, int]
    assert await count(database, MatchRow) == 2
    assert await count(database, ActionRow) == 2


async def test_two_processes_cannot_both_open_a_match_in_a_channel(journal, second):
    outcomes = await asyncio.gather(
        journal.create(VENUE, [opening()]),
        Journal(second, FIGURES).create(VENUE, [opening()]),
        return_exceptions=True,
    )
    assert {type(outcome) for outcome in outcomes} == {int, ChannelTakenError}


async def test_an_ended_match_leaves_its_channel_free_while_its_offer_is_open(journal):
    first = await journal.create(VENUE, [opening()])
    await duel_won_by_ada(journal, first, closed=False)
    again = await journal.create(VENUE, [opening(400_000)])
    assert [stored.id for stored in await journal.open_matches()] == [first, again]

    await journal.record(Batch(first, joins(1, 1), closed=True))
    assert [stored.id for stored in await journal.open_matches()] == [again]


@pytest.mark.parametrize(
    "wrong",
    [
        pytest.param(joins(1, 1, ms=900), id="number"),
        pytest.param((Entry(7, joins(1, 1)[0].action),), id="source"),
    ],
)
async def test_nothing_is_recorded_twice(journal, wrong):
    match = await journal.create(VENUE, [opening()])
    await journal.record(Batch(match, joins(1, 2)))
    before = await journal.open_matches()
    with pytest.raises(LogConflictError):
        await journal.record(Batch(match, wrong))
    assert await journal.open_matches() == before


async def test_several_people_can_be_noticed_as_gone_at_the_same_id(journal):
    match = await journal.create(VENUE, [opening()])
    gone = [Gone(timer_id(START_MS + 50), ADA), Gone(timer_id(START_MS + 50), BO)]
    await journal.record(Batch(match, tuple(Entry(1 + n, it) for n, it in enumerate(gone))))
    (stored,) = await journal.open_matches()
    assert decoded(stored)[1:] == gone


async def test_people_and_sources_are_columns_and_others_have_none(journal, database):
    log = every_kind()
    await journal.create(VENUE, log)
    for row, action in zip(await rows(database, ActionRow), log, strict=True):
        assert (row.action_id, row.user_id) == (action.id, action.actor)
        assert row.source_id == (None if action.actor is None else action.id)


async def test_a_line_needs_a_match(journal, database):
    with pytest.raises(LogConflictError):
        await journal.record(Batch(99, joins(0, 1)))
    with pytest.raises(AlreadyEndedError):
        await journal.record(void(99))
    assert await count(database, ActionRow) == 0


async def test_a_match_is_not_closed_before_it_ends(journal):
    match = await journal.create(VENUE, [opening()])
    with pytest.raises(LogConflictError):
        await journal.record(Batch(match, joins(1, 1), closed=True))
    (stored,) = await journal.open_matches()
    assert len(stored.lines) == 1


async def test_a_hundred_matches_append_at_once_in_one_transaction(journal, database):
    matches = await asyncio.gather(
        *(journal.create(Venue(GUILD, CHANNEL + n), [opening(n)]) for n in range(100))
    )
    begun = transactions(database)
    await asyncio.gather(*(journal.record(Batch(match, joins(1, 3))) for match in matches))
    assert len(begun) == 1
    stored = await journal.open_matches()
    assert [match.id for match in stored] == sorted(matches)
    assert all(decoded(match)[1:] == [line.action for line in joins(1, 3)] for match in stored)


async def test_batches_that_arrive_during_a_commit_share_the_next_one(journal, database):
    matches = [await journal.create(Venue(GUILD, CHANNEL + n), [opening(n)]) for n in range(5)]
    begun = transactions(database)
    busy = asyncio.Event()
    event.listen(database.writer.sync_engine, "begin", lambda connection: busy.set())
    first = asyncio.create_task(journal.record(Batch(matches[0], joins(1, 1))))
    await busy.wait()
    await asyncio.gather(
        first, *(journal.record(Batch(match, joins(1, 1))) for match in matches[1:])
    )
    assert len(begun) == 2


async def test_one_matchs_fault_does_not_harm_the_others(journal, database):
    matches = [await journal.create(Venue(GUILD, CHANNEL + n), [opening(n)]) for n in range(6)]
    batches = [Batch(match, joins(1, 2)) for match in matches]
    batches[2] = Batch(matches[2], joins(0, 1))
    batches[4] = finished(99, None)
    begun = transactions(database)
    outcomes = await asyncio.gather(*map(journal.record, batches), return_exceptions=True)
    assert [type(it) for it in outcomes] == [
        type(None),
        type(None),
        LogConflictError,
        type(None),
        AlreadyEndedError,
        type(None),
    ]
    assert len(begun) == 1 + len(batches)
    lengths = [len(stored.lines) for stored in await journal.open_matches()]
    assert lengths == [3, 3, 1, 3, 1, 3]


async def test_a_fault_of_any_sort_stays_with_its_match(journal):
    good = await journal.create(VENUE, [opening()])
    bad = await journal.create(Venue(GUILD, CHANNEL + 1), [opening(1)])
    unwritable = Entry(1, Gone(timer_id(START_MS), object()))
    outcomes = await asyncio.gather(
        journal.record(Batch(bad, (unwritable,))),
        journal.record(Batch(good, joins(1, 1))),
        return_exceptions=True,
    )
    assert isinstance(outcomes[0], Exception)
    assert outcomes[1] is None


async def test_the_journal_rests_when_nothing_is_to_be_written(journal):
    match = await journal.create(VENUE, [opening()])
    await journal.record(Batch(match, joins(1, 1)))
    await journal.flush()
    assert asyncio.all_tasks() == {asyncio.current_task()}


async def test_a_batch_is_written_though_its_caller_is_cancelled(journal):
    match = await journal.create(VENUE, [opening()])
    caller, other = (
        asyncio.create_task(journal.record(Batch(match, joins(seq, 1)))) for seq in (1, 2)
    )
    await asyncio.sleep(0)
    caller.cancel()
    await other
    assert caller.cancelled()
    (stored,) = await journal.open_matches()
    assert len(stored.lines) == 3


async def test_flush_waits_for_all_that_was_handed_over(journal, database):
    match = await journal.create(VENUE, [opening()])
    callers = [asyncio.create_task(journal.record(Batch(match, joins(1 + n, 1)))) for n in range(3)]
    await asyncio.sleep(0)
    await journal.flush()
    assert await count(database, ActionRow) == 4
    await asyncio.gather(*callers)


async def test_of_two_ends_at_once_one_counts(journal, database):
    match = await journal.create(VENUE, [opening()])
    outcomes = await asyncio.gather(
        duel_won_by_ada(journal, match),
        duel_won_by_ada(journal, match),
        return_exceptions=True,
    )
    assert [type(it) for it in outcomes] == [type(None), AlreadyEndedError]
    standings = {row.user_id: row for row in await rows(database, StandingRow)}
    assert {user: row.matches for user, row in standings.items()} == {ADA: 1, BO: 1}
    assert standings[ADA].points == 20
    assert await count(database, SeatRow) == 2


async def test_of_two_processes_that_end_a_match_one_does(journal, database, second):
    match = await journal.create(VENUE, [opening()])
    outcomes = await asyncio.gather(
        duel_won_by_ada(journal, match),
        Journal(second, FIGURES).record(void(match)),
        return_exceptions=True,
    )
    assert sorted(type(it).__name__ for it in outcomes) == ["AlreadyEndedError", "NoneType"]
    finished_first = outcomes[0] is None
    (row,) = await rows(database, MatchRow)
    assert row.status == ("finished" if finished_first else "void")
    assert await count(database, StandingRow) == (2 if finished_first else 0)


async def test_a_refused_end_takes_its_lines_along(journal, database):
    match = await journal.create(VENUE, [opening()])
    await journal.record(void(match))
    with pytest.raises(AlreadyEndedError):
        await duel_won_by_ada(journal, match, entries=joins(1, 2))
    assert await count(database, ActionRow) == 1
    assert await count(database, StandingRow) == 0


async def test_a_void_match_leaves_a_reason_and_no_places(journal, database):
    match = await journal.create(VENUE, [opening()])
    await journal.record(void(match, End.PAUSE_LAPSED))
    (row,) = await rows(database, MatchRow)
    assert (row.status, row.end_reason, row.closed) == ("void", "pause-lapsed", True)
    assert (row.counts, row.rated) == (False, False)
    assert await count(database, SeatRow) == 0
    assert await count(database, StandingRow) == 0


async def test_a_match_that_does_not_count_keeps_its_places_only(journal, database):
    match = await journal.create(VENUE, [opening()])
    alone = result((ADA, 1, 1, 30), (None, 2, None, 10), counts=False, rated=False)
    await journal.record(finished(match, alone))
    assert await count(database, SeatRow) == 2
    assert await count(database, StandingRow) == 0


async def test_a_result_is_kept_seat_by_seat(journal, database):
    match = await journal.create(VENUE, [opening()])
    outcome = result(
        (None, 1, None, 25),
        (ADA, 2, 1, 20),
        (BO, 3, 2, 0),
        tallies={0: Tally(11, 9, 31_000), 1: Tally(12, 10, 28_500), 2: Tally(3, 0, None)},
        rated=False,
    )
    left = outcome.places[2]
    object.__setattr__(left, "seat", Seat(2, BO, NAMES[BO], out=snowflake(5)))
    await journal.record(finished(match, outcome, reason=End.WON_BY_LEAVING))
    (row,) = await rows(database, MatchRow)
    assert (row.status, row.end_reason) == ("finished", "won-by-leaving")
    assert (row.counts, row.rated) == (True, False)
    assert [
        (
            seat.number,
            seat.user_id,
            seat.name,
            seat.level,
            seat.place,
            seat.place_among_people,
            seat.points,
            seat.left,
            seat.figures,
        )
        for seat in await rows(database, SeatRow)
    ] == [
        (
            0,
            None,
            "Flint",
            "master",
            1,
            None,
            25,
            False,
            {"cards": 11, "right": 9, "fastest_ms": 31_000},
        ),
        (1, ADA, "Ada", None, 2, 1, 20, False, {"cards": 12, "right": 10, "fastest_ms": 28_500}),
        (2, BO, "Bo", None, 3, 2, 0, True, {"cards": 3, "right": 0}),
    ]


async def test_one_match_is_found_again_open_or_closed(journal):
    first = await journal.create(VENUE, every_kind())
    await journal.record(void(first))
    second = await journal.create(VENUE, [opening(5_000)])
    assert decoded(await journal.find(first)) == every_kind()
    assert decoded(await journal.find(second)) == [opening(5_000)]
    assert (await journal.find(second)).venue == VENUE
    with pytest.raises(LookupError):
        await journal.find(second + 1)


async def test_a_log_that_cannot_be_read_is_said_to_be_unavailable(journal, database):
    match = await journal.create(VENUE, every_kind())
    async with database.write() as session:
        await session.execute(text("ALTER TABLE actions RENAME TO hidden"))
    with pytest.raises(StoreUnavailableError):
        await journal.find(match)
