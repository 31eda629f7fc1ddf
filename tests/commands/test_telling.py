"""`/rox rules`, `stats`, `leaderboard`: what they tell, and to whom."""

import re

import pytest
from sqlalchemy import select

from bot.store import guilds
from bot.store.guilds import ServerSettings
from bot.store.models import StandingRow
from game.rox.settings import Checking, Preset, RoxSettings
from tests.kit.table import ACT_S, answer_of


async def keep(world, *rows):
    """Let people have finished matches here: (person, name, matches, wins, points)."""
    async with world.bot.services.database.write() as session:
        for person, name, matches, wins, points in rows:
            session.add(
                StandingRow(
                    guild_id=world.guild.id,
                    user_id=person.id,
                    game="rox",
                    name=name,
                    matches=matches,
                    wins=wins,
                    points=points,
                    places_sum=matches,
                    figures={},
                )
            )


async def test_rules_explain_the_game_with_a_picture_that_is_described(world, table, ada):
    result = await ada.slash(table.channel, "rox rules")
    await table.advance(ACT_S)
    said = answer_of(result)
    assert len(said) <= 2000
    for part in ("half a minute", "Example:", "0 puts", "sixth card", "Five rounds"):
        assert part in said, part
    # Half a minute, at a reader's pace.
    assert len(said.split()) < 230
    (picture,) = result.response.attachments
    assert picture.filename == "how-to.png"
    assert picture.description
    assert result.ephemeral


async def test_the_example_in_the_rules_is_a_card_that_could_be(world, table, ada):
    said = await table.slash(ada, "rules")
    example = next(line for line in said.splitlines() if "Example:" in line)
    counts = [int(n) for n in re.findall(r"(\d+) [^\w\s]", example)]
    assert sum(counts) == 16
    assert max(counts) > sorted(counts)[-2]


async def test_rules_name_what_the_server_plays(world, table, ada):
    assert "Rules: rulebook." in await table.slash(ada, "rules")
    settings = RoxSettings(preset=Preset.FAIR, checking=Checking.INSTANT, shortest=3)
    async with world.bot.services.database.write() as session:
        await guilds.save(session, world.guild.id, ServerSettings().with_section("rox", settings))
    said = await table.slash(ada, "rules")
    assert "Rules: fair." in said
    assert "Checking: instant." in said
    assert "from 3 cards on" in said


async def test_rules_can_be_asked_for_in_a_direct_message(world, ada):
    asked = await ada.user.slash("rox rules")
    await world.advance(ACT_S)
    assert "Rules: rulebook." in answer_of(asked)


async def test_nobody_has_played_yet(world, table, ada, bo):
    assert "Nobody has finished a match here yet" in await table.slash(ada, "leaderboard")
    mine = await table.slash(ada, "stats")
    assert mine == "You have no finished match here yet. /rox play opens one!"
    assert await table.slash(ada, "stats", member=ada) == mine
    assert await table.slash(ada, "stats", member=bo) == "Bo has no finished match here yet."


async def test_a_finished_match_is_on_the_leaderboard(world, table, ada, bo):
    await table.start([ada, bo])
    for number in range(5):
        await table.round({ada: "rrrrr", bo: "r"})
        if number < 4:
            await table.next_round([ada, bo])
    points = [table.game.points(0), table.game.points(1)]
    board = (await table.slash(ada, "leaderboard")).splitlines()
    assert board[0] == "Rox: leaderboard"
    assert board[1].startswith(f"1. Ada · 1 win · {points[0]} points · 1 match · ø place 1")
    assert "100 % right" in board[1]
    assert "fastest row" in board[1]
    assert board[2].startswith(f"2. Bo · 0 wins · {points[1]} point")
    stats = await table.slash(bo, "stats")
    assert stats.splitlines()[0] == "Rox: Bo"
    for fact in ("Rank 2 in this server", "1 match · 0 wins", "Average place 2", "No full row"):
        assert fact in stats, fact
    assert "Fastest full row" in await table.slash(bo, "stats", member=ada)


async def test_ties_share_a_rank_and_keep_their_order(world, table, ada):
    people = world.people
    await keep(
        world,
        (people[0], "Ada", 3, 1, 20),
        (people[1], "Bo", 3, 2, 30),
        (people[2], "Cy", 3, 1, 20),
        (people[3], "Dee", 9, 0, 90),
    )
    boards = {await table.slash(ada, "leaderboard") for _ in range(5)}
    assert len(boards) == 1
    ranks = [line.split(" · ")[0] for line in boards.pop().splitlines()[1:5]]
    assert ranks == ["1. Bo", "2. Ada", "2. Cy", "4. Dee"]


async def test_the_board_shows_the_top_and_how_many_more_there_are(world, table, ada):
    people = [world.guild.add_member(world.env.create_user(f"p{n}")) for n in range(11)]
    await keep(world, *((p, f"P{n}", 1, 0, 100 - n) for n, p in enumerate(people)))
    said = await table.slash(ada, "leaderboard")
    assert "10. P9" in said
    assert "P10" not in said
    assert "and one more player" in said
    await keep(world, (ada, "Ada", 1, 0, 0))
    assert "and 2 more players" in await table.slash(ada, "leaderboard")


async def test_who_has_left_the_server_keeps_the_place_and_the_name(world, table, ada, bo):
    await keep(world, (bo, "Bo the Bold", 2, 2, 40))
    world.guild.remove_member(bo)
    assert "1. Bo the Bold" in await table.slash(ada, "leaderboard")


@pytest.mark.parametrize("name", ["@everyone", "<@&1>", "_a_", "||a||", "W" * 32])
async def test_a_board_of_hostile_names_fits_and_pings_nobody(world, table, ada, name):
    people = [world.guild.add_member(world.env.create_user(f"p{n}")) for n in range(10)]
    await keep(world, *((p, name, 10**6, 10**6, 10**9) for p in people))
    result = await ada.slash(table.channel, "rox leaderboard")
    await table.advance(ACT_S)
    message = result.response.message
    assert len(message.content) <= 2000
    assert not message.mentions
    assert not message.role_mentions
    assert not message.mention_everyone


async def test_boards_belong_to_one_server(world, table, ada):
    await keep(world, (ada, "Ada", 1, 1, 9))
    async with world.bot.services.database.write() as session:
        row = (await session.scalars(select(StandingRow))).one()
        row.guild_id += 1
    assert "Nobody has finished" in await table.slash(ada, "leaderboard")
