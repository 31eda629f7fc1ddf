"""Lobbies: who hosts, when they start or close, and what happens at the same instant."""

from __future__ import annotations

import pytest

from game.match import End, Phase
from game.rox.state import Stage
from tests.kit.table import answer_of, plain


def names(table):
    return [seat.name for seat in table.match.seats]


def followup(result):
    return plain(result.followups[-1].content) if result.followups else None


async def test_the_next_seat_is_host_when_the_host_leaves(world, table):
    ada, bo, cy, *_ = world.people
    await table.open([ada, bo, cy])
    assert await table.press(ada, "Leave") is None
    assert names(table) == ["Bo", "Cy"]
    await table.advance(1.5)
    assert "Bo · host" in table.texts()
    assert "Bo is the host" in await table.press(cy, "Start")
    await table.press(bo, "Start")
    assert table.stage is Stage.READY


async def test_the_last_person_out_closes_the_lobby(world, table):
    ada, bo, *_ = world.people
    await table.open([ada, bo])
    await table.press(ada, "Leave")
    await table.press(bo, "Leave")
    await table.advance(2)
    assert table.match.end is End.LOBBY_EMPTY
    assert "Everybody left" in table.texts()
    assert table.buttons() == []
    assert table.is_free


async def test_a_lobby_with_opponents_alone_closes(world, table):
    ada = world.people[0]
    await table.open([ada], opponents=2)
    await table.press(ada, "Leave")
    assert table.match.end is End.LOBBY_EMPTY


async def test_a_lobby_closes_five_minutes_after_the_last_join(world, table):
    ada, bo, *_ = world.people
    await table.open([ada])
    await table.advance(200)
    await table.press(bo, "Join")
    await table.advance(298)
    assert table.match.phase is Phase.LOBBY
    await table.advance(3)
    assert table.match.end is End.LOBBY_LAPSED
    assert "Nobody started within five minutes" in table.texts()
    await table.open([ada, bo])


async def test_anybody_seated_may_start_once_the_host_is_silent_for_a_minute(world, table):
    ada, bo, cy, *_ = world.people
    await table.open([ada, bo])
    await table.advance(30)
    assert "In 30 seconds anybody seated may." in await table.press(bo, "Start")
    assert "You have no seat" in await table.press(cy, "Start")
    await table.advance(30)
    await table.press(bo, "Start")
    assert table.stage is Stage.READY


async def test_nobody_starts_alone(world, table):
    ada, *_ = world.people
    await table.open([ada])
    assert "It takes at least two" in await table.press(ada, "Start")
    assert table.match.phase is Phase.LOBBY


async def test_four_seats_start_after_ten_seconds_and_a_leaver_cancels_that(world, table):
    people = world.people[:4]
    await table.open(people)
    assert "All seats are taken" in await table.press(world.people[4], "Join")
    await table.advance(1)
    assert "All seats are taken: the match starts" in table.texts()
    await table.press(people[2], "Leave")
    await table.advance(15)
    assert table.match.phase is Phase.LOBBY
    await table.press(people[2], "Join")
    assert names(table) == ["Ada", "Bo", "Dee", "Cy"]
    await table.advance(9.7)
    assert table.match.phase is Phase.LOBBY
    await table.advance(0.5)
    assert table.stage is Stage.READY


async def test_only_the_host_or_a_manager_cancels(world, table):
    ada, bo, *_ = world.people
    warden = world.warden()
    await table.open([ada, bo])
    assert "Only Ada" in await table.press(bo, "Cancel")
    assert table.match.phase is Phase.LOBBY
    await table.press(warden, "Cancel")
    assert table.match.end is End.CANCELLED
    await table.advance(2)
    assert "This lobby was cancelled." in table.texts()
    await table.open([ada, bo])
    await table.press(ada, "Cancel")
    assert table.match.end is End.CANCELLED


async def test_two_starts_in_one_channel_at_the_same_instant(world, table):
    ada, bo, *_ = world.people
    async with world.at_once():
        first = await ada.slash(table.channel, "rox play")
        second = await bo.slash(table.channel, "rox play")
    # Both ask the database first, so either may come back first.
    answers = {"Ada": answer_of(first), "Bo": answer_of(second)}
    [host] = names(table)
    assert "The lobby is open" in answers.pop(host)
    [other] = answers.values()
    assert "in this channel" in other
    assert len([m for m in table.messages if m.components]) == 1
    assert world.rows("select count(*) from matches") == [(1,)]


async def test_a_second_start_is_shown_where_the_first_one_is(world, table):
    ada, bo, *_ = world.people
    await table.open([ada])
    answer = await table.slash(bo, "play")
    assert f"/{table.channel.id}/{table.newest.id}" in answer


async def test_one_person_starts_in_two_channels_at_the_same_instant(world, table):
    ada, *_ = world.people
    other = world.table("other")
    async with world.at_once():
        first = await ada.slash(table.channel, "rox play")
        second = await ada.slash(other.channel, "rox play")
    answers = [(table, answer_of(first)), (other, answer_of(second))]
    (opened, yes), (refused, no) = sorted(answers, key=lambda pair: pair[0].is_free)
    assert "The lobby is open" in yes
    assert f"<#{opened.channel.id}>" in no
    assert refused.is_free
    assert not refused.messages


async def test_one_person_joins_two_lobbies_at_the_same_instant(world, table):
    ada, bo, cy, *_ = world.people
    other = world.table("other")
    await table.open([ada])
    await other.open([bo])
    async with world.at_once():
        first = await cy.click(table.newest, label="Join")
        second = await cy.click(other.newest, label="Join")
    assert followup(first) is None
    assert f"You sit at a table in <#{table.channel.id}>" in followup(second)
    assert names(table) == ["Ada", "Cy"]
    assert names(other) == ["Bo"]
    await table.press(cy, "Leave")
    assert await other.press(cy, "Join") is None
    assert names(other) == ["Bo", "Cy"]


async def test_a_person_may_have_a_seat_in_another_server_too(world, table):
    ada, *_ = world.people
    await table.open([ada])
    guild = world.env.create_guild("Elsewhere")
    channel = guild.create_text_channel("rox")
    elsewhere = guild.add_member(ada.user)
    result = await elsewhere.slash(channel, "rox play")
    assert "The lobby is open" in answer_of(result)


async def test_a_double_tap_on_join_seats_once(world, table):
    ada, bo, *_ = world.people
    await table.open([ada])
    async with world.at_once():
        first = await bo.click(table.newest, label="Join")
        second = await bo.click(table.newest, label="Join")
    assert followup(first) is None
    assert "You have a seat already" in followup(second)
    assert names(table) == ["Ada", "Bo"]


async def test_a_double_tap_on_start_starts_once(world, table):
    ada, bo, *_ = world.people
    await table.open([ada, bo])
    async with world.at_once():
        await ada.click(table.newest, label="Start")
        await ada.click(table.newest, label="Start")
    assert table.stage is Stage.READY
    assert world.rows("select count(*) from actions where kind = 'rox.deal'") == [(1,)]


async def test_a_join_just_before_start_counts_and_one_just_after_it_does_not(world, table):
    ada, bo, cy, dee, *_ = world.people
    await table.open([ada, bo])
    async with world.at_once():
        early = await cy.click(table.newest, label="Join")
        await ada.click(table.newest, label="Start")
        late = await dee.click(table.newest, label="Join")
    assert followup(early) is None
    assert followup(late) == "That is no longer possible."
    assert names(table) == ["Ada", "Bo", "Cy"]
    assert table.stage is Stage.READY
    other = world.table("other")
    assert "The lobby is open" in await other.slash(dee, "play"), "the late one sits nowhere"


async def test_start_is_decided_by_id_not_by_arrival(world, table):
    """Start arrives first, but somebody pressed Join before it."""
    ada, bo, *_ = world.people
    await table.open([ada])
    tell_of_join = await world.unheard(bo.click(table.newest, label="Join"))
    async with world.at_once():
        await ada.click(table.newest, label="Start")
        tell_of_join()
    assert table.stage is Stage.READY
    assert names(table) == ["Ada", "Bo"]


async def test_stop_then_start_at_once_and_the_old_timer_does_nothing(world, table):
    ada, bo, *_ = world.people
    await table.open([ada, bo])
    await table.advance(290)
    async with world.at_once():
        await ada.click(table.newest, label="Cancel")
    await table.open([ada, bo])
    new = table.runner.id
    await table.advance(250)
    assert table.runner.id == new
    assert table.match.phase is Phase.LOBBY
    assert world.rows("select end_reason from matches order by id") == [("cancelled",), (None,)]


async def test_start_in_the_same_tick_as_stop_finds_the_channel_taken_or_free(world, table):
    ada, bo, *_ = world.people
    await table.open([ada])
    async with world.at_once():
        await ada.click(table.newest, label="Cancel")
        again = await bo.slash(table.channel, "rox play")
    assert "in this channel already" in answer_of(again)
    assert table.is_free
    assert "The lobby is open" in await table.slash(bo, "play")


async def test_buttons_of_a_lobby_that_is_over_say_so(world, table):
    ada, bo, cy, *_ = world.people
    await table.open([ada, bo])
    lobby = table.newest
    async with world.at_once():
        await ada.click(lobby, label="Cancel")
        late = await cy.click(lobby, label="Join")
    assert followup(late) == "That is no longer possible."
    await table.open([cy])
    assert names(table) == ["Cy"]


@pytest.mark.parametrize("kind", ["thread", "voice"])
async def test_matches_work_in_threads_and_in_the_chat_of_voice_channels(world, table, kind):
    ada, bo, *_ = world.people
    if kind == "voice":
        channel = world.guild.create_voice_channel("Hearth")
    else:
        backend = world.env.backend
        thread = backend.create_thread(table.channel.id, name="Ring", owner_id=ada.id)
        channel = next(t for t in table.channel.threads if t.id == thread.id)
    place = type(table)(world, channel)
    await place.race([ada, bo])
    number = place.right(ada)
    await place.type(ada, number)
    assert number in place.row(ada)
