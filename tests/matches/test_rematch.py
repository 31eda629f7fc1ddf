"""The offer of a rematch after a match."""

from __future__ import annotations

from game.match import End, Phase
from game.rox.state import Stage
from tests.kit.observed import seat_names
from tests.kit.progress import play_match


async def test_the_rematch_starts_when_all_have_pressed_and_seats_move_on_by_one(world, table):
    people = ada, bo, cy = world.people[:3]
    await play_match(table, people, opponents=1, rules="fair", checking="instant")
    first = table.runner
    final = table.newest
    await table.press(bo, "Rematch")
    await table.advance(1.1)
    assert "Ready for a rematch: ❄️ Bo" in table.texts()
    await table.press(bo, "Rematch")
    await table.press(ada, "Rematch")
    assert table.runner is first
    await table.press(cy, "Rematch")
    await table.advance(1.1)
    assert table.runner is not first
    assert table.stage is Stage.READY, "without a lobby"
    assert seat_names(first) == ["Ada", "Alder", "Bo", "Cy"]
    assert seat_names(table) == ["Alder", "Bo", "Cy", "Ada"]
    assert table.match.opening.settings == first.match.opening.settings
    assert first.match.phase is Phase.CLOSED
    assert not table.buttons(next(m for m in table.messages if m.id == final.id))
    await table.to_race()
    await table.type(cy, table.right(cy))
    assert len(table.row(cy)) == 2


async def test_two_matches_add_up_on_the_leaderboard(world, table):
    ada, bo, *_ = world.people
    await play_match(table, [ada, bo])
    await table.press(ada, "Rematch")
    await table.press(bo, "Rematch")
    await table.advance(1)
    assert table.stage is Stage.READY
    while table.match.phase is not Phase.OVER:
        await table.round({ada: "rrrrr", bo: "r"})
        if table.stage is Stage.BREAK:
            await table.next_round([ada, bo])
    assert world.rows("select name, matches, wins from standings order by name") == [
        ("Ada", 2, 2),
        ("Bo", 2, 0),
    ]
    assert "2 matches" in await table.slash(ada, "leaderboard")


async def test_after_a_minute_it_starts_with_those_who_pressed(world, table):
    people = ada, _bo, cy = world.people[:3]
    await play_match(table, people)
    first = table.runner
    await table.press(ada, "Rematch")
    await table.advance(30)
    await table.press(cy, "Rematch")
    await table.advance(29.5)
    assert table.runner is first
    await table.advance(1)
    assert table.stage is Stage.READY
    assert seat_names(table) == ["Cy", "Ada"]
    assert "seated elsewhere" not in table.texts()


async def test_one_player_alone_gets_no_rematch(world, table):
    ada, bo, *_ = world.people
    await play_match(table, [ada, bo])
    await table.press(ada, "Rematch")
    await table.advance(62)
    assert table.match.phase is Phase.CLOSED
    assert table.is_free
    assert table.buttons() == []
    assert "No match is open in this channel" in await table.slash(bo, "table")
    assert world.rows("select status, closed from matches") == [("finished", 1)]


async def test_one_person_and_opponents_play_again(world, table):
    ada, *_ = world.people
    await play_match(table, [ada], opponents=2)
    await table.press(ada, "Rematch")
    await table.advance(1.1)
    assert table.stage is Stage.READY
    assert seat_names(table) == ["Alder", "Birch", "Ada"]


async def test_a_player_seated_elsewhere_is_left_out_of_the_rematch_and_named(world, table):
    people = ada, bo, cy = world.people[:3]
    other = world.table("other")
    await play_match(table, people)
    await table.press(cy, "Rematch")
    await other.open([world.people[3], cy])
    await table.press(ada, "Rematch")
    await table.press(bo, "Rematch")
    await table.advance(1.1)
    assert seat_names(table) == ["Bo", "Ada"]
    assert "Not along this time, seated elsewhere: Cy" in table.texts()
    assert len(other.match.seats) == 2


async def test_a_player_seated_elsewhere_gets_an_answer_to_rematch(world, table):
    ada, bo, *_ = world.people
    other = world.table("other")
    await play_match(table, [ada, bo])
    await other.open([bo])
    assert f"You sit at a table in <#{other.channel.id}>" in await table.press(bo, "Rematch")
    assert table.match.rematch_votes == frozenset()


async def test_no_rematch_starts_when_too_many_players_are_seated_elsewhere(world, table):
    ada, bo, *_ = world.people
    other = world.table("other")
    await play_match(table, [ada, bo])
    await table.press(bo, "Rematch")
    await other.open([bo])
    await table.press(ada, "Rematch")
    await table.advance(1.1)
    assert table.is_free
    assert table.match.phase is Phase.CLOSED
    assert world.rows("select count(*) from matches") == [(2,)]


async def test_a_new_lobby_ends_the_offer(world, table):
    ada, bo, cy, *_ = world.people
    await play_match(table, [ada, bo])
    old, final = table.runner, table.newest
    await table.press(ada, "Rematch")
    await table.open([cy])
    assert old.match.phase is Phase.CLOSED
    assert old.match.end is End.FINISHED, "only the offer has ended"
    await table.advance(1.1)
    assert not table.buttons(next(m for m in table.messages if m.id == final.id))
    await table.advance(70)
    assert seat_names(table) == ["Cy"]


async def test_only_players_of_the_last_round_may_ask_for_a_rematch(world, table):
    ada, bo, cy, *_ = world.people
    await table.race([ada, bo, cy])
    await table.leave(cy)
    while table.match.phase is not Phase.OVER:
        await table.round({ada: "rrrrr", bo: "r"})
        if table.stage is Stage.BREAK:
            await table.next_round([ada, bo])
    await table.advance(2)
    assert "no seat" in await table.press(cy, "Rematch")
    assert "no seat" in await table.press(world.people[4], "Rematch")
    await table.press(ada, "Rematch")
    await table.press(bo, "Rematch")
    await table.advance(1)
    assert seat_names(table) == ["Bo", "Ada"]


async def test_the_offer_lapses_when_nobody_asks(world, table):
    ada, bo, *_ = world.people
    await play_match(table, [ada, bo])
    await table.advance(600)
    assert table.match.phase is Phase.CLOSED
    assert table.buttons() == []
