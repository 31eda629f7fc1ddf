"""Every way of leaving a match, of stopping it, and of its standing still."""

from __future__ import annotations

import pytest

from game.match import End, PauseReason, Phase
from game.rox.state import Stage
from tests.kit.progress import ask_to_leave, bring_to, idle_round, until_stage
from tests.kit.table import SETTLE_S


@pytest.mark.parametrize("where", ["ready", "race", "break", "pause"])
async def test_one_of_three_leaves_and_the_others_go_on(world, table, where):
    """Who hosts leaves; the row goes back, the next seat hosts, later rounds turn over less."""
    ada, bo, cy, *_ = world.people
    await bring_to(table, [ada, bo, cy], where)
    prizes, shown = len(table.game.prizes), table.newest
    points = table.game.points(0)
    if where == "race":
        taken = table.right(ada)
        await table.type(ada, taken)
        assert table.owner(taken) == 0
    assert await table.leave(ada) == "You have left. Thanks for playing!"
    assert table.match.host == bo.id
    assert table.game.hands[0].row == () or where in {"break", "pause"}
    assert table.game.points(0) == points
    assert len(table.game.prizes) == prizes == 2, "cards turned over stay"
    assert "You have no seat" in await table.press(ada, "Leave")
    if where == "race":
        assert table.owner(taken) is None
        await table.type(bo, taken)
        assert table.owner(taken) == 1
    if where == "pause":
        await table.press(bo, "Go on")
    elif where == "break":
        await table.next_round([bo, cy])
    assert table.match.phase is Phase.PLAYING
    if where in {"break", "pause"}:
        assert len(table.game.prizes) == 1
        assert shown.id != table.newest.id
    await play_to_the_end(table, [bo, cy])
    result = table.match.result
    assert [place.seat.name for place in result.places][-1] == "Ada"
    assert "Ada" not in {seat.name for seat in result.winners}
    assert "Ada" in table.texts()
    assert "· left" in next(line for line in table.texts().splitlines() if "Ada" in line)
    assert world.rows("select place, left from match_seats where name = 'Ada'") == [(3, 1)]


async def play_to_the_end(table, people):
    while table.match.phase is Phase.PLAYING:
        await table.round({people[0]: "rrrrr", **dict.fromkeys(people[1:], "r")})
        if table.stage is Stage.BREAK:
            await table.next_round(people)
    await table.advance(2)
    assert table.match.end is End.FINISHED


async def test_the_leave_button_asks_once_and_not_answering_changes_nothing(world, table):
    ada, bo, *_ = world.people
    await table.race([ada, bo])
    result = await ada.click(table.newest, label="Leave")
    assert "Leave for good?" in result.followups[-1].content
    assert result.followups[-1].ephemeral
    await table.advance(5)
    assert [seat.name for seat in table.match.active_seats] == ["Ada", "Bo"]


@pytest.mark.parametrize("where", ["ready", "race"])
async def test_one_of_two_leaves_before_the_first_check_and_it_is_void(world, table, where):
    ada, bo, *_ = world.people
    await bring_to(table, [ada, bo], where)
    await table.leave(bo)
    await table.advance(2)
    assert table.match.end is End.ABANDONED
    assert "Too few players are left" in table.texts()
    assert table.is_free
    assert world.rows("select status, end_reason, closed from matches") == [
        ("void", "abandoned", 1)
    ]
    assert world.rows("select count(*) from standings") == [(0,)]
    await table.open([bo, ada])


@pytest.mark.parametrize("where", ["check", "break", "pause"])
async def test_one_of_two_leaves_after_the_first_check_and_the_other_has_won(world, table, where):
    ada, bo, *_ = world.people
    if where == "check":
        await table.race([ada, bo])
        question = await ask_to_leave(table, ada)
        await table.rows({ada: "rrrrr"})
        assert table.stage is Stage.CHECK
        await table.press(ada, "Leave the match", question)
    else:
        await bring_to(table, [ada, bo], where)
        await table.leave(ada)
    await table.advance(2)
    assert table.match.end is End.WON_BY_LEAVING
    assert "Bo wins!" in table.texts()
    assert "Everybody else has left." in table.texts()
    assert world.rows("select name, place from match_seats order by place") == [
        ("Bo", 1),
        ("Ada", 2),
    ]
    assert world.rows("select name, wins from standings order by name") == [("Ada", 0), ("Bo", 1)]


async def test_the_caller_leaves_during_the_check_and_keeps_the_prize(world, table):
    ada, bo, cy, *_ = world.people
    await table.race([ada, bo, cy])
    question = await ask_to_leave(table, ada)
    await table.rows({ada: "rrrrr", bo: "r"})
    assert table.stage is Stage.CHECK
    await table.press(ada, "Leave the match", question)
    assert table.match.seats[0].out is not None
    assert table.game.caller == 0
    await until_stage(table, Stage.BREAK)
    await table.advance(1.2)
    assert table.game.scores[0][0] == table.game.prizes[0]
    assert "Ada calls Rox!" in table.texts()
    assert f"Ada: 6 cards, all hold. +{table.game.prizes[0]}" in table.texts()
    await table.next_round([bo, cy])
    assert len(table.game.prizes) == 1


async def test_the_caller_leaves_in_mid_race_before_anybody_calls(world, table):
    """A row that was to win goes back, and its cards can be taken by others."""
    ada, bo, cy, *_ = world.people
    await table.race([ada, bo, cy])
    await table.rows({ada: "rrrr"})
    row = table.row(ada)
    assert len(row) == 5
    await table.leave(ada)
    assert [table.owner(number) for number in row] == [None] * 5
    await table.rows({bo: "rrrrr"})
    assert table.game.caller == 1


async def test_a_player_who_has_left_types_chat_and_may_join_another_match(world, table):
    ada, bo, cy, *_ = world.people
    await table.race([ada, bo, cy])
    await table.leave(cy)
    before = table.game
    await table.type(cy, table.right(ada))
    assert table.game == before
    other = world.table("other")
    await other.open([cy])


async def test_leaving_the_server_is_noticed_at_the_round_s_end(world, table):
    ada, bo, cy, *_ = world.people
    await table.race([ada, bo, cy])
    world.guild.remove_member(cy)
    await table.rows({ada: "rrrrr"})
    assert table.match.seats[2].out is None
    await until_stage(table, Stage.BREAK)
    await table.advance(1)
    assert table.match.seats[2].out is not None
    assert table.match.phase is Phase.PLAYING
    await table.next_round([ada, bo])


async def test_leaving_the_server_decides_a_duel(world, table):
    ada, bo, *_ = world.people
    await table.race([ada, bo])
    world.guild.remove_member(ada)
    await table.rows({bo: "rrrrr"})
    await table.until(lambda: table.match.phase is Phase.OVER, limit=10)
    assert table.match.end is End.WON_BY_LEAVING
    assert [seat.name for seat in table.match.result.winners] == ["Bo"]


async def test_two_silent_rounds_while_others_play_cost_the_seat(world, table):
    ada, bo, cy, *_ = world.people
    await table.start([ada, bo, cy])
    await table.round({ada: "rrrrr", bo: "r"})
    assert len(table.match.active_seats) == 3
    await table.next_round([ada, bo, cy])
    await table.round({ada: "rrrrr", bo: "r"})
    assert [seat.name for seat in table.match.active_seats] == ["Ada", "Bo"]
    await table.next_round([ada, bo])
    assert len(table.game.prizes) == 1


async def test_a_silent_player_who_plays_again_keeps_the_seat(world, table):
    ada, bo, cy, *_ = world.people
    await table.start([ada, bo, cy])
    for claims in ({ada: "rrrrr"}, {ada: "rrrrr", bo: "w", cy: "w"}, {ada: "rrrrr"}):
        await table.round(claims)
        await table.next_round([ada, bo, cy])
    assert len(table.match.active_seats) == 3


async def test_one_person_with_opponents_goes_on_and_opponents_alone_do_not(world, table):
    ada, bo, *_ = world.people
    await table.race([ada, bo], opponents=2)
    await table.leave(bo)
    assert table.match.phase is Phase.PLAYING
    await table.leave(ada)
    assert table.match.end is End.ABANDONED


async def test_opponents_alone_after_the_first_check_leave_it_void(world, table):
    ada, *_ = world.people
    await table.start([ada], opponents=1)
    await table.to_race()
    await table.rows({ada: "rrrrr"})
    await until_stage(table, Stage.BREAK)
    await table.advance(1.1)
    await table.leave(ada)
    assert table.match.end is End.ABANDONED
    assert world.rows("select status from matches") == [("void",)]


@pytest.mark.parametrize("who", ["host", "other", "stranger", "warden"])
async def test_stopping_before_the_first_check(world, table, who):
    ada, bo, cy, *_ = world.people
    await table.race([ada, bo])
    person = {"host": ada, "other": bo, "stranger": cy, "warden": world.warden()}[who]
    answer = await table.slash(person, "stop")
    if who in {"host", "warden"}:
        assert answer == "The match is stopped."
        assert table.match.end is End.STOPPED
        await table.advance(2)
        assert "The match was stopped" in table.texts()
        assert table.is_free
    else:
        assert "Only Ada" in answer
        assert table.match.phase is Phase.PLAYING


async def test_after_the_first_check_everybody_has_to_stop(world, table):
    ada, bo, cy, *_ = world.people
    await bring_to(table, [ada, bo, cy], "break")
    assert "2 more players" in await table.slash(ada, "stop")
    assert "2 more players" in await table.slash(ada, "stop"), "twice is once"
    await table.advance(1.1)
    assert "🔶 Ada" in stop_line(table)
    assert "One more player" in await table.slash(bo, "stop")
    assert "no seat" in await table.slash(world.people[3], "stop")
    assert await table.slash(cy, "stop") == "The match is stopped."
    assert table.match.end is End.STOPPED
    assert world.rows("select status, end_reason from matches") == [("void", "stopped")]
    assert world.rows("select count(*) from standings") == [(0,)]


def stop_line(table):
    return next(line for line in table.texts().splitlines() if line.startswith("🛑"))


async def test_a_stop_vote_lapses_after_a_minute(world, table):
    ada, bo, *_ = world.people
    await bring_to(table, [ada, bo], "break")
    await table.slash(ada, "stop")
    await table.advance(59.5)
    assert table.match.stop_votes == {ada.id}
    await table.advance(0.7)
    assert table.match.stop_votes == frozenset()
    assert "One more player" in await table.slash(bo, "stop")
    assert table.match.end is None


async def test_a_leaver_s_vote_is_no_longer_needed(world, table):
    ada, bo, cy, *_ = world.people
    await bring_to(table, [ada, bo, cy], "break")
    await table.slash(ada, "stop")
    await table.slash(bo, "stop")
    await table.leave(cy)
    assert table.match.end is End.STOPPED


async def test_a_manager_stops_a_match_at_any_time(world, table):
    ada, bo, *_ = world.people
    await bring_to(table, [ada, bo], "break")
    assert await table.slash(world.warden(), "stop") == "The match is stopped."
    assert table.match.end is End.STOPPED


@pytest.mark.parametrize("before", [0.02, 0.0, -0.02])
async def test_a_stop_collides_with_the_end_of_the_get_ready_time(world, table, before):
    """Whichever comes first: the match is stopped, once, and nothing opens afterwards."""
    ada, bo, *_ = world.people
    await table.start([ada, bo])
    remaining = (table.match.discord_ms(table.game.since) + 5_000 - world.now_ms) / 1000
    await table.advance(remaining - before)
    async with world.at_once():
        await ada.slash(table.channel, "rox stop")
    assert table.match.end is End.STOPPED
    posts = len(table.messages)
    await table.open([ada, bo])
    new = table.runner
    await table.advance(40)
    assert table.runner is new
    assert new.match.phase is Phase.LOBBY
    assert len(table.messages) <= posts + 2
    kinds = [kind for (kind,) in world.rows("select kind from actions where match_id = 1")]
    assert kinds.count("stop") == 1


@pytest.mark.parametrize("after", [0.03, 0.1])
async def test_a_stop_beats_the_race_s_deadline_by_its_id(world, table, after):
    """Pressed before the deadline, heard after it: within the settle time it still counts."""
    ada, bo, *_ = world.people
    await table.race([ada, bo])
    deadline = table.match.discord_ms(table.game.last_take) + 30_000
    await table.advance((deadline - world.now_ms) / 1000 - 0.02)
    tell_of_stop = await world.unheard(ada.slash(table.channel, "rox stop"))
    await table.advance((deadline - world.now_ms) / 1000 + after)
    tell_of_stop()
    await table.advance(0.1)
    if after < SETTLE_S:
        assert table.match.end is End.STOPPED
    else:
        assert table.stage is Stage.CHECK
        assert table.match.stop_votes == {ada.id}, "after the first check it is a vote"


async def test_two_rounds_without_a_caller_pause_and_anybody_goes_on(world, table):
    ada, bo, cy, *_ = world.people
    await table.start([ada, bo])
    await table.round({ada: "rr", bo: "r"})
    assert table.stage is Stage.BREAK
    assert "is over without a sixth card" in table.texts()
    await table.next_round([ada, bo])
    await table.round({bo: "rr"})
    await table.advance(1.1)
    assert table.match.phase is Phase.PAUSED
    assert table.match.pause is PauseReason.NO_CALLERS
    assert "Two rounds in a row nobody reached six cards" in table.texts()
    assert "no seat" in await table.press(cy, "Go on")
    await table.advance(300)
    await table.press(bo, "Go on")
    assert table.stage is Stage.READY
    assert table.game.round == 3
    await table.advance(1.1)
    assert not table.said("Paused"), "the pause's message goes"
    assert "Round 3 of 5" in table.texts()
    await table.to_race()
    await table.rows({ada: "rrrrr"})
    assert table.game.caller == 0
    assert table.game.uncalled == 0


async def test_a_pause_lapses_after_ten_minutes(world, table):
    ada, bo, *_ = world.people
    await table.start([ada, bo])
    await idle_round(table)
    await idle_round(table)
    assert table.match.phase is Phase.PAUSED
    await table.advance(599.5)
    assert table.match.phase is Phase.PAUSED
    await table.advance(1.5)
    assert table.match.end is End.PAUSE_LAPSED
    assert "Nobody went on within ten minutes" in table.texts()
    assert table.is_free


async def test_after_round_five_two_rounds_without_a_caller_end_the_match(world, table):
    ada, bo, *_ = world.people
    await table.start([ada, bo])
    for _ in range(3):
        await table.round({ada: "rrrrr", bo: "r"})
        await table.next_round([ada, bo])
    await idle_round(table)
    await idle_round(table)
    await table.advance(1.1)
    assert table.match.end is End.FINISHED
    assert "Ada wins!" in table.texts()
