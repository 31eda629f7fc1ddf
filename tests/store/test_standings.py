from random import Random

import pytest
from sqlalchemy import event, text

from bot.matches.ports import Venue
from bot.store.models import StandingRow
from bot.store.standings import Board, Standing, load_board, load_standing
from game.rox.state import Tally
from tests.kit.stored_logs import ADA, BO, CHANNEL, CY, DI, GUILD, finished, opening, result


async def play(journal, *outcomes, guild=GUILD):
    for number, outcome in enumerate(outcomes):
        match = await journal.create(Venue(guild, CHANNEL), [opening(number)])
        await journal.record(finished(match, outcome))


def standing_row(user, wins, points, guild=GUILD, game="rox"):
    return StandingRow(
        guild_id=guild,
        game=game,
        user_id=user,
        name=f"player {user}",
        matches=wins + 1,
        wins=wins,
        points=points,
        places_sum=wins + 1,
        figures={},
    )


@pytest.fixture
async def three_matches(journal):
    """Won by Ada; by an opponent, with Ada and Bo sharing first among people; and by Cy."""
    await play(
        journal,
        result(
            (ADA, 1, 1, 20),
            (BO, 2, 2, 12),
            tallies={0: Tally(20, 18, 31_000), 1: Tally(15, 10, None)},
        ),
        result(
            (None, 1, None, 30),
            (BO, 2, 1, 9),
            (ADA, 2, 1, 9),
            tallies={
                0: Tally(25, 25, 20_000),
                1: Tally(10, 5, 40_000),
                2: Tally(12, 6, 35_000),
            },
            rated=False,
        ),
        result(
            (CY, 1, 1, 21),
            (ADA, 2, 2, 5),
            (BO, 3, 3, 1),
            tallies={
                0: Tally(0, 0, None),
                1: Tally(8, 8, 28_000),
                2: Tally(5, 0, None),
            },
        ),
        result((DI, 1, 1, 50), (None, 2, None, 0), counts=False, rated=False),
    )


@pytest.mark.usefixtures("three_matches")
async def test_standings_are_what_the_matches_add_up_to(database):
    ada = Standing(
        user=ADA,
        name="Ada",
        rank=1,
        matches=3,
        wins=2,
        points=20 + 9 + 5,
        average_place=(1 + 1 + 2) / 3,
        figures={"cards": 20 + 12 + 8, "right": 18 + 6 + 8, "fastest_ms": 28_000},
    )
    bo = Standing(
        user=BO,
        name="Bo",
        rank=2,
        matches=3,
        wins=1,
        points=12 + 9 + 1,
        average_place=(2 + 1 + 3) / 3,
        figures={"cards": 15 + 10 + 5, "right": 10 + 5 + 0, "fastest_ms": 40_000},
    )
    cy = Standing(
        user=CY,
        name="Çy 🪨",
        rank=3,
        matches=1,
        wins=1,
        points=21,
        average_place=1.0,
        figures={"cards": 0, "right": 0},
    )
    async with database.read() as session:
        assert await load_board(session, GUILD, "rox", limit=10) == Board((ada, bo, cy), 3)
        assert await load_standing(session, GUILD, "rox", ADA) == ada
        assert await load_standing(session, GUILD, "rox", CY) == cy


@pytest.mark.usefixtures("three_matches")
async def test_who_played_no_match_that_counts_has_no_standing(database):
    async with database.read() as session:
        assert await load_standing(session, GUILD, "rox", DI) is None
        assert await load_standing(session, GUILD, "rok", ADA) is None
        assert await load_standing(session, GUILD + 1, "rox", ADA) is None


async def test_servers_and_games_have_boards_of_their_own(database):
    async with database.write() as session:
        session.add_all(
            [
                standing_row(ADA, 1, 5),
                standing_row(ADA, 9, 90, guild=GUILD + 1),
                standing_row(ADA, 7, 70, game="rok"),
                standing_row(BO, 2, 1, game="rok"),
            ]
        )
    async with database.read() as session:
        here = await load_board(session, GUILD, "rox", limit=5)
        assert [(row.user, row.wins) for row in here.rows] == [(ADA, 1)]
        assert here.total == 1
        other = await load_board(session, GUILD, "rok", limit=5)
        assert [row.user for row in other.rows] == [ADA, BO]


async def test_the_newest_name_is_kept(journal, database):
    await play(journal, result((ADA, 1, 1, 3), (BO, 2, 2, 1)))
    renamed = result((BO, 1, 1, 3), (ADA, 2, 2, 1))
    object.__setattr__(renamed.places[1].seat, "name", "Ada of the Stones")
    await play(journal, renamed)
    async with database.read() as session:
        ada = await load_standing(session, GUILD, "rox", ADA)
    assert (ada.name, ada.matches) == ("Ada of the Stones", 2)


async def test_equal_ones_share_a_rank_and_come_in_a_stable_order(database):
    async with database.write() as session:
        session.add_all(
            [
                standing_row(50, 3, 10),
                standing_row(20, 4, 40),
                standing_row(40, 4, 40),
                standing_row(10, 3, 11),
                standing_row(30, 4, 40),
                standing_row(60, 3, 10),
            ]
        )
    async with database.read() as session:
        whole = await load_board(session, GUILD, "rox", limit=10)
        assert [(row.rank, row.user) for row in whole.rows] == [
            (1, 20),
            (1, 30),
            (1, 40),
            (4, 10),
            (5, 50),
            (5, 60),
        ]
        for row in whole.rows:
            assert await load_standing(session, GUILD, "rox", row.user) == row
        assert await load_board(session, GUILD, "rox", limit=10) == whole
        page = await load_board(session, GUILD, "rox", limit=2, offset=1)
        assert page == Board(whole.rows[1:3], 6)
        assert await load_board(session, GUILD, "rox", limit=5, offset=6) == Board((), 6)


async def test_pages_put_together_are_the_whole_board(database):
    random = Random(3)
    users = random.sample(range(10**18, 2 * 10**18), 60)
    figures = {user: (random.randrange(4), random.randrange(5)) for user in users}
    async with database.write() as session:
        session.add_all(standing_row(user, *merit) for user, merit in figures.items())
    async with database.read() as session:
        pages = [
            await load_board(session, GUILD, "rox", limit=7, offset=offset)
            for offset in range(0, 60, 7)
        ]
    found = [(row.user, row.rank) for page in pages for row in page.rows]
    expected = [
        (user, 1 + sum(other > merit for other in figures.values()))
        for user, merit in sorted(
            figures.items(), key=lambda item: (-item[1][0], -item[1][1], item[0])
        )
    ]
    assert found == expected
    assert {page.total for page in pages} == {60}


async def test_boards_are_read_from_indexes(database):
    asked = []

    def note(_connection, _cursor, statement, parameters, _context, _many):
        if statement.startswith("SELECT"):
            asked.append((statement, parameters))

    event.listen(database.reader.sync_engine, "before_cursor_execute", note)
    async with database.write() as session:
        session.add(standing_row(ADA, 3, 10))
    async with database.read() as session:
        await load_board(session, GUILD, "rox", limit=10, offset=0)
        await load_standing(session, GUILD, "rox", ADA)
    assert len(asked) == 5
    async with database.reader.connect() as connection:
        for statement, parameters in asked:
            plan = await connection.exec_driver_sql(f"EXPLAIN QUERY PLAN {statement}", parameters)
            steps = [step.detail for step in plan]
            assert all(step.startswith("SEARCH standings USING") for step in steps), steps
        better = await connection.execute(
            text(
                "EXPLAIN QUERY PLAN SELECT count(*) FROM standings WHERE guild_id = 1 "
                "AND game = 'rox' AND (wins, points) > (2, 3)"
            )
        )
        assert "wins" in better.one().detail
