"""Outages, deletions and lost permissions at every stage of a match."""

from __future__ import annotations

import discord
import pytest
from simcord.backend import serializers
from simcord.backend.models import Overwrite
from simcord.enums import OverwriteType

from game.match import Phase
from game.rox.state import Stage
from tests.kit.observed import direct_messages, paused_for_permission, says_it_was_away
from tests.kit.progress import assert_goes_on, bring_to
from tests.kit.server import FLAGS, change_thread, forbid, thread_of
from tests.kit.table import ACT_S, answer_of


@pytest.mark.parametrize("command", ["take", "back"])
async def test_moves_in_a_direct_message_touch_no_match(world, table, command):
    ada, bo, *_ = world.people
    await table.race([ada, bo])
    before = table.game
    options = {"number": table.right(ada)} if command == "take" else {}
    result = await ada.user.slash(f"rox {command}", **options)
    await world.advance(ACT_S)
    assert "No match is open in this channel." in answer_of(result)
    assert table.game == before


@pytest.mark.parametrize("flag", FLAGS)
async def test_a_permission_that_goes_while_people_gather_pauses_what_they_start(
    world, table, flag
):
    ada, bo, *_ = world.people
    await table.open([ada, bo])
    await table.advance(2)
    lobby = table.newest
    await forbid(world, table.channel, flag)
    await table.press(ada, "Start", lobby)
    await table.until(lambda: paused_for_permission(table), limit=30)
    await table.advance(1)
    (said,) = direct_messages(ada)
    assert f"Your match in <#{table.channel.id}> stands still" in said
    await forbid(world, table.channel)
    await assert_goes_on(table, ada)


async def test_a_lobby_that_cannot_be_shown_can_be_asked_for_later(world, table):
    ada, bo, *_ = world.people
    path = f"/channels/{table.channel.id}/messages*"
    world.env.inject_error("*", path, status=403, code=50013, times=None)
    await table.slash(ada, "play")
    await table.advance(10)
    assert not table.messages
    world.env.backend.faults.clear()
    assert await table.slash(bo, "table") == "Here it comes."
    await table.press(bo, "Join")
    await table.press(ada, "Start")
    await assert_goes_on(table, bo)


@pytest.mark.parametrize("where", ["lobby", "ready", "check", "break", "pause"])
async def test_an_outage_of_the_server_closes_nothing_wherever_a_match_is(world, table, where):
    ada, bo, *_ = world.people
    await bring_to(table, [ada, bo], where)
    phase, runner = table.match.phase, table.runner
    backend = world.env.backend
    backend.emit("GUILD_DELETE", {"id": str(world.guild.id), "unavailable": True})
    await world.env.settle()
    await world.advance(1)
    guild = backend.get_guild(world.guild.id)
    backend.emit("GUILD_CREATE", serializers.guild_create_payload(backend, guild))
    await world.env.settle()
    await world.advance(1)
    assert table.runner is runner
    assert runner.match.phase is phase
    if where == "lobby":
        await table.press(ada, "Start")
    elif where == "pause":
        await table.press(ada, "Go on")
    await assert_goes_on(table, ada)


@pytest.mark.parametrize("where", ["lobby", "break", "pause", "rematch"])
async def test_without_the_server_a_match_is_over_wherever_it_is(world, table, where):
    ada, bo, *_ = world.people
    await bring_to(table, [ada, bo], where)
    runner = table.runner
    standings = world.rows("select user_id, matches from standings")
    world.env.backend.emit("GUILD_DELETE", {"id": str(world.guild.id)})
    await world.env.settle()
    await world.advance(1)
    assert runner.match.phase is Phase.CLOSED
    assert not list(world.bot.matches.registry)
    assert world.rows("select closed from matches") == [(1,)]
    assert world.rows("select user_id, matches from standings") == standings
    assert len(standings) == (2 if where == "rematch" else 0)
    guild = world.env.backend.get_guild(world.guild.id)
    payload = serializers.guild_create_payload(world.env.backend, guild)
    world.env.backend.emit("GUILD_CREATE", payload)
    await world.env.settle()
    world.runners.clear()
    await world.table("again").open([bo, ada])


@pytest.mark.parametrize("state", [{"locked": True}, {"archived": True}])
@pytest.mark.parametrize("where", ["ready", "break"])
async def test_a_thread_that_is_shut_between_two_races_pauses_the_match(world, table, where, state):
    ada, bo, *_ = world.people
    thread = thread_of(world, table, ada)
    await bring_to(thread, [ada, bo], where)
    await change_thread(world, thread, **state)
    await thread.advance(30)
    assert paused_for_permission(thread)
    await change_thread(world, thread, archived=False, locked=False)
    await thread.until(lambda: thread.stage is Stage.RACE, limit=40)
    await assert_goes_on(thread, ada)


async def test_a_thread_that_was_archived_while_the_bot_was_away(world, table):
    """A new session does not get it among its threads; posts are refused."""
    ada, bo, *_ = world.people
    thread = thread_of(world, table, ada)
    await thread.race([ada, bo])
    path = f"/channels/{thread.channel.id}/messages*"

    shut = {"archived": True, "locked": True}
    for method in ("POST", "PATCH"):
        world.env.inject_error(method, path, status=400, code=50083, times=None)
    await world.restart(
        lambda: world.env.backend.edit_channel(thread.channel.id, {}, thread_metadata=shut)
    )
    await thread.until(lambda: paused_for_permission(thread), limit=10)
    await thread.advance(60)
    assert paused_for_permission(thread)
    world.env.backend.faults.clear()
    await change_thread(world, thread, archived=False, locked=False)
    await assert_goes_on(thread, ada)


async def test_a_thread_that_was_deleted_while_the_bot_was_away(world, table):
    ada, bo, *_ = world.people
    thread = thread_of(world, table, ada)
    await thread.race([ada, bo])
    await world.restart(lambda: world.env.backend.delete_channel(thread.channel.id))
    await world.advance(10)
    world.runners.clear()
    assert world.rows("select status, end_reason, closed from matches") == [
        ("void", "channel-gone", 1)
    ]
    await world.table("elsewhere").open([ada, bo])


@pytest.mark.parametrize("where", ["lobby", "ready", "race", "break"])
async def test_a_message_that_was_deleted_while_the_bot_was_away(world, table, where):
    ada, bo, *_ = world.people
    await bring_to(table, [ada, bo], where)
    gone = table.newest.id
    await world.restart(lambda: world.env.backend.delete_message(table.channel.id, gone))
    await table.advance(1)
    assert table.newest.id > gone
    assert says_it_was_away(table)
    if where == "lobby":
        await table.press(ada, "Start")
    await assert_goes_on(table, ada)


@pytest.mark.parametrize("where", ["ready", "check"])
async def test_a_message_of_a_check_or_a_get_ready_that_a_moderator_deletes(world, table, where):
    ada, bo, *_ = world.people
    await bring_to(table, [ada, bo], where)
    gone = table.newest.id
    world.env.backend.delete_message(table.channel.id, gone)
    await table.advance(0.5)
    assert table.newest.id > gone
    await assert_goes_on(table, ada)


async def test_a_pause_that_a_moderator_deletes_can_still_be_ended(world, table):
    ada, bo, *_ = world.people
    await bring_to(table, [ada, bo], "pause")
    gone = table.newest.id
    world.env.backend.delete_message(table.channel.id, gone)
    await table.advance(1)
    assert table.newest.id > gone
    await table.press(bo, "Go on")
    await assert_goes_on(table, bo)


async def test_all_sends_are_refused_from_one_round_to_the_next(world, table):
    """No event announces it: the next post fails, and points stay as they are."""
    ada, bo, *_ = world.people
    await bring_to(table, [ada, bo], "break")
    points = [table.game.points(seat) for seat in range(2)]
    path = f"/channels/{table.channel.id}/messages*"
    world.env.inject_error("*", path, status=403, code=50013, times=None)
    await table.until(lambda: paused_for_permission(table), limit=30)
    assert "I could not post there" in direct_messages(ada)[0]
    world.env.backend.faults.clear()
    assert await table.slash(bo, "table") == "Here it comes."
    await assert_goes_on(table, bo)
    assert [table.game.points(seat) for seat in range(2)] == points


async def test_who_may_not_type_plays_on_by_commands(world, table):
    """Slow mode, or a channel where players may not write."""
    ada, bo, *_ = world.people
    await table.race([ada, bo])
    _, denied = discord.PermissionOverwrite(send_messages=False).pair()
    world.env.backend.set_overwrite(
        table.channel.id, Overwrite(ada.id, OverwriteType.MEMBER, allow=0, deny=denied.value)
    )
    await world.env.settle()
    assert table.match.phase is Phase.PLAYING
    number = table.right(ada)
    assert await table.slash(ada, "take", number=number) == f"{number} is yours."
    await table.press(ada, "Put back")
    assert table.owner(number) is None
