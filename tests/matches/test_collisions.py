"""Starts, stops and leaves that meet in one tick, or meet a timer."""

from __future__ import annotations

import pytest

from game.match import End, Phase
from game.rox.state import Stage
from tests.kit.progress import ask_to_leave, bring_to
from tests.kit.table import answer_of


async def test_a_match_that_is_stopped_does_not_end_the_race_of_the_next_one(world, table):
    ada, bo, *_ = world.people
    await table.race([ada, bo])
    await table.advance(15)
    old = table.match.discord_ms(table.game.last_take) + 30_000
    async with world.at_once():
        await ada.slash(table.channel, "rox stop")
    await table.open([ada, bo])
    await table.press(ada, "Start")
    await table.to_race()
    number = table.right(ada)
    await table.type(ada, number)
    runner = table.runner
    assert world.now_ms < old < table.match.discord_ms(table.game.last_take) + 30_000
    await table.advance((old - world.now_ms) / 1000 + 1)
    assert table.runner is runner
    assert table.stage is Stage.RACE
    assert table.row(ada)[1:] == [number]
    assert world.rows("select end_reason from matches order by id") == [("stopped",), (None,)]


@pytest.mark.parametrize("before", [0.02, 0.0, -0.02])
@pytest.mark.parametrize("stage", [Stage.CHECK, Stage.BREAK])
async def test_a_stop_meets_the_timer_of_the_check_or_of_the_break(world, table, stage, before):
    """Either way it is stopped once, and the old timer opens no round of the next match."""
    ada, bo, *_ = world.people
    warden = world.warden()
    await table.race([ada, bo])
    await table.rows({ada: "rrrrr"})
    await table.until(lambda: table.stage is stage)
    deadline = table.deadline_ms
    await table.advance((deadline - world.now_ms) / 1000 - before)
    async with world.at_once():
        stopped = await warden.slash(table.channel, "rox stop")
    assert answer_of(stopped) == "The match is stopped."
    assert table.match.end is End.STOPPED
    await table.open([ada, bo])
    new = table.runner
    await table.advance(60)
    assert table.runner is new
    assert new.match.phase is Phase.LOBBY
    kinds = [kind for (kind,) in world.rows("select kind from actions where match_id = 1")]
    assert kinds[-1] == "stop"
    assert world.rows("select count(*) from standings") == [(0,)]


@pytest.mark.parametrize("first", ["stop", "claim"])
async def test_a_stop_and_a_sixth_card_in_one_tick_go_by_their_ids(world, table, first):
    ada, bo, *_ = world.people
    await table.race([ada, bo])
    await table.rows({bo: "rrrr"})
    number = table.right(bo)
    async with world.at_once():
        if first == "claim":
            table.say(bo, number)
        await ada.slash(table.channel, "rox stop")
        if first == "stop":
            table.say(bo, number)
    if first == "stop":
        assert table.match.end is End.STOPPED
        assert table.game.scores == ()
        return
    assert table.stage is Stage.CHECK
    assert table.game.caller == 1
    assert table.match.stop_votes == {ada.id}, "after the first check it is a vote"


@pytest.mark.parametrize("first", ["leave", "start"])
async def test_a_leave_and_a_start_in_one_tick_go_by_their_ids(world, table, first):
    ada, bo, *_ = world.people
    await table.open([ada, bo])
    presses = [(bo, "Leave"), (ada, "Start")]
    async with world.at_once():
        for person, label in presses if first == "leave" else presses[::-1]:
            await person.click(table.newest, label=label)
    if first == "leave":
        assert table.match.phase is Phase.LOBBY
        assert [seat.name for seat in table.match.seats] == ["Ada"]
        return
    assert table.match.end is End.ABANDONED, "it had begun, and is void before the first check"
    assert table.is_free
    assert world.bot.matches.seats.of(world.guild.id, ada.id) is None


@pytest.mark.parametrize("before", [0.02, 0.0, -0.02])
async def test_everybody_is_ready_just_when_the_break_ends(world, table, before):
    ada, bo, *_ = world.people
    await bring_to(table, [ada, bo], "break")
    ends = table.deadline_ms
    await table.advance((ends - world.now_ms) / 1000 - before)
    shown = table.newest
    async with world.at_once():
        for person in (ada, bo):
            await person.click(shown, label="Ready")
    await table.advance(1)
    assert table.stage is Stage.READY
    assert table.game.round == 2
    assert world.rows("select count(*) from actions where kind = 'rox.deal'") == [(1,)]
    await table.to_race()
    assert table.game.round == 2


@pytest.mark.parametrize("first", ["rematch", "lobby"])
async def test_a_rematch_and_a_new_lobby_in_one_tick_are_one_match(world, table, first):
    ada, bo, cy, *_ = world.people
    await bring_to(table, [ada, bo], "rematch")
    await table.press(ada, "Rematch")
    final = table.newest
    async with world.at_once():
        if first == "lobby":
            opened = await cy.slash(table.channel, "rox play")
        await bo.click(final, label="Rematch")
        if first == "rematch":
            opened = await cy.slash(table.channel, "rox play")
    await table.advance(3)
    assert world.rows("select count(*) from matches where status = 'open'") == [(1,)]
    names = [seat.name for seat in table.match.seats]
    assert names in (["Cy"], ["Bo", "Ada"])
    assert ("The lobby is open" in answer_of(opened)) is (names == ["Cy"])
    seated = [p for p in (ada, bo, cy) if world.bot.matches.seats.of(world.guild.id, p.id)]
    assert [person.id for person in seated] == sorted(seat.user for seat in table.match.seats)


async def test_of_two_who_leave_in_one_tick_the_later_one_has_won(world, table):
    ada, bo, *_ = world.people
    await bring_to(table, [ada, bo], "break")
    questions = [(person, await ask_to_leave(table, person)) for person in (bo, ada)]
    async with world.at_once():
        for person, question in questions:
            await person.click(question, label="Leave the match")
    assert table.match.end is End.WON_BY_LEAVING
    assert [seat.name for seat in table.match.result.winners] == ["Ada"]
    assert world.rows("select name, wins from standings order by name") == [("Ada", 1), ("Bo", 0)]
    assert table.is_free
