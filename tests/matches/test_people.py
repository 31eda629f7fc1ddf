"""People who leave the server, come back, rename themselves, or bear one name."""

from __future__ import annotations

from game.match import End, Phase
from game.rox.state import Stage
from tests.kit.progress import bring_to


async def test_a_host_who_left_the_server_does_not_hold_up_the_lobby(world, table):
    ada, bo, cy, *_ = world.people
    await table.open([ada, bo, cy])
    world.guild.remove_member(ada)
    await table.advance(61)
    await table.press(bo, "Start")
    assert table.stage is Stage.READY
    await table.round({bo: "rrrrr", cy: "r"})
    await table.advance(1)
    assert [seat.name for seat in table.match.active_seats] == ["Bo", "Cy"]
    assert table.match.host == bo.id
    assert table.match.phase is Phase.PLAYING


async def test_a_player_who_leaves_the_server_and_returns_within_the_round_keeps_the_seat(
    world, table
):
    ada, bo, cy, *_ = world.people
    await table.race([ada, bo, cy])
    world.guild.remove_member(cy)
    await table.advance(2)
    again = world.guild.add_member(cy.user)
    number = table.right(again)
    await table.type(again, number)
    assert table.row(again)[1:] == [number]
    await table.rows({ada: "rrrrr"})
    await table.until(lambda: table.stage is Stage.BREAK)
    await table.advance(1)
    assert len(table.match.active_seats) == 3


async def test_of_two_who_both_left_the_server_nobody_has_won(world, table):
    ada, bo, *_ = world.people
    await bring_to(table, [ada, bo], "break")
    for person in (ada, bo):
        world.guild.remove_member(person)
    await table.until(lambda: table.is_free, limit=600, step=5)
    assert world.rows("select sum(wins) from standings") in ([(None,)], [(0,)])


async def test_everybody_who_plays_against_opponents_falls_silent(world, table):
    """Opponents alone are no match: it ends, and nobody is kept from the channel."""
    ada, bo, *_ = world.people
    await table.start([ada, bo], opponents=1, level="master")
    await table.until(lambda: table.is_free, limit=600, step=5)
    assert table.match.end is End.ABANDONED
    await table.advance(3)
    assert table.buttons() == []
    assert world.rows("select count(*) from standings") == [(0,)]
    await table.open([bo, ada])


async def test_two_players_of_one_name_have_separate_figures(world, table):
    guild, env = world.guild, world.env
    ann = guild.add_member(env.create_user("ann"), nick="Sam")
    ben = guild.add_member(env.create_user("ben"), nick="Sam")
    await table.start([ann, ben])
    await table.round({ann: "rrrrr"})
    await table.leave(ben)
    await table.advance(2)
    assert table.match.end is End.WON_BY_LEAVING
    board = (await table.slash(ann, "leaderboard")).splitlines()
    assert [line.split(" · ")[:2] for line in board[1:3]] == [
        ["1. Sam", "1 win"],
        ["2. Sam", "0 wins"],
    ]
    assert "1 match · 0 wins" in await table.slash(ann, "stats", member=ben)


async def test_a_rename_in_mid_match_keeps_the_points(world, table):
    ada, bo, *_ = world.people
    await table.start([ada, bo])
    await table.round({ada: "rrrrr"})
    world.env.backend.edit_member(world.guild.id, ada.id, {"nick": "Somebody else"})
    await world.env.settle()
    await table.leave(bo)
    await table.advance(2)
    assert "Ada wins!" in table.texts()
    assert world.rows("select user_id, wins from standings where wins > 0") == [(ada.id, 1)]
    assert "1 win" in await table.slash(ada, "stats")
