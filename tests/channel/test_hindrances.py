"""Permissions, channels, threads and servers that a match loses, and calls that fail."""

import asyncio
from dataclasses import replace

import discord
import pytest
from simcord.backend import serializers

from bot.locales.catalogue import Words
from bot.matches.ports import Notice, Venue
from bot.replies.permissions import permission_names
from game.match import End, Phase
from game.rox.state import Stage
from tests.kit.observed import direct_messages, paused_for_permission
from tests.kit.progress import assert_goes_on
from tests.kit.server import FLAGS, change_thread, forbid, thread_of

TABLE = ["table.png", "last-cards.png"]


@pytest.fixture
def ada(world):
    return world.people[0]


@pytest.fixture
def bo(world):
    return world.people[1]


def names(message):
    return [attachment.filename for attachment in message.attachments]


@pytest.mark.parametrize("flag", FLAGS)
async def test_a_permission_that_is_taken_away_pauses_and_given_back_goes_on(
    world, table, ada, bo, flag
):
    await table.race([ada, bo])
    await table.type(ada, table.right(ada))
    await forbid(world, table.channel, flag)
    assert paused_for_permission(table)
    await table.advance(120)
    assert paused_for_permission(table)
    if flag != "view_channel":
        # Numbers are chat while the match is paused.
        number = table.right(ada)
        await table.type(ada, number)
        assert table.owner(number) is None
    await forbid(world, table.channel)
    assert not paused_for_permission(table)
    await assert_goes_on(table, ada)


@pytest.mark.parametrize("flag", FLAGS)
@pytest.mark.parametrize("where", ["ready", "check", "break"])
async def test_a_permission_that_goes_between_two_races_pauses_and_the_host_is_told(
    world, table, flag, where
):
    ada, bo, *_ = world.people
    await table.start([ada, bo])
    if where != "ready":
        await table.to_race()
        await table.rows({ada: "rrrrr"})
    if where == "break":
        await table.until(lambda: table.stage is Stage.BREAK)
    await forbid(world, table.channel, flag)
    assert paused_for_permission(table)
    (said,) = direct_messages(ada)
    assert f"Your match in <#{table.channel.id}> stands still" in said
    named = permission_names([flag], Words())
    assert f"I need {named}" in said
    assert not direct_messages(bo)
    if flag != "view_channel":
        answer = await table.slash(bo, "table")
        assert "The match can't go on yet" in answer
        assert named.strip("*") in answer
        assert paused_for_permission(table)
    await table.advance(60)
    assert len(direct_messages(ada)) == 1
    await forbid(world, table.channel)
    assert not paused_for_permission(table)
    points = [table.game.points(seat) for seat in range(2)]
    await table.until(lambda: table.stage is Stage.RACE, limit=40)
    await assert_goes_on(table, bo)
    assert [table.game.points(seat) for seat in range(2)] == points


async def test_go_on_says_what_is_missing_as_long_as_it_is(world, table, ada, bo):
    await table.race([ada, bo])
    await forbid(world, table.channel, "attach_files")
    await table.advance(3)
    assert "Paused" in table.texts()
    assert "Attach Files" in await table.press(bo, "Go on")
    assert paused_for_permission(table)
    await forbid(world, table.channel)
    await assert_goes_on(table, ada)


async def test_the_host_is_told_once_of_each_thing_that_is_missing(world, table, ada, bo):
    await table.race([ada, bo])
    for _ in range(3):
        await forbid(world, table.channel, "attach_files")
        assert paused_for_permission(table)
        await forbid(world, table.channel)
        assert not paused_for_permission(table)
    assert len(direct_messages(ada)) == 1
    # Without the permission to send, attaching is not allowed either.
    await forbid(world, table.channel, "send_messages")
    assert len(direct_messages(ada)) == 2
    assert "**Send Messages** and **Attach Files**" in direct_messages(ada)[1]


async def test_a_host_who_takes_no_direct_messages_holds_up_nothing(world, table, ada, bo):
    world.env.inject_error("POST", "/users/@me/channels", status=403, code=50007, times=None)
    await table.race([ada, bo])
    await forbid(world, table.channel, "send_messages")
    assert paused_for_permission(table)
    await forbid(world, table.channel)
    await assert_goes_on(table, ada)


async def test_a_role_that_loses_its_permissions_pauses_and_gets_them_back(world, table, ada, bo):
    await table.race([ada, bo])
    backend, guild = world.env.backend, world.guild
    mine = backend.get_member(guild.id, backend.bot_user.id).role_ids
    before = {role: backend.get_role(guild.id, role).permissions for role in [guild.id, *mine]}
    for role in before:
        backend.edit_role(guild.id, role, {"permissions": discord.Permissions(1 << 10).value})
    await world.env.settle()
    await table.advance(1)
    assert paused_for_permission(table)
    for role, permissions in before.items():
        backend.edit_role(guild.id, role, {"permissions": permissions})
    await world.env.settle()
    await assert_goes_on(table, ada)


async def test_calls_that_answer_403_pause_although_permissions_look_right(world, table, ada, bo):
    await table.race([ada, bo])
    path = f"/channels/{table.channel.id}/messages*"
    world.env.inject_error("*", path, status=403, code=50013, times=None)
    await table.type(ada, table.right(ada))
    await table.advance(5)
    assert paused_for_permission(table)
    assert "I could not post there" in direct_messages(ada)[0]
    world.env.backend.faults.clear()
    assert await table.slash(ada, "table") == "Here it comes."
    await assert_goes_on(table, ada)


def slowly_refused(world):
    """Let a refusal arrive four seconds late."""
    ask = world.bot.http.request

    async def request(route, **kwargs):
        try:
            return await ask(route, **kwargs)
        except discord.Forbidden:
            await asyncio.sleep(4)
            raise

    world.bot.http.request = request


@pytest.mark.parametrize(("call", "by"), [("post", "us"), ("post", "them"), ("edit", "them")])
async def test_a_late_refusal_does_not_hold_up_what_goes_on(world, table, call, by):
    """By the time Discord answers, the channel can be written to again, and the match goes on."""
    ada, bo, *_ = world.people
    await table.race([ada, bo])
    slowly_refused(world)
    if call == "edit":
        world.env.inject_error("PATCH", "*", status=403, code=50013)
        await table.type(ada, table.right(ada))
        await table.advance(1)
        assert not world.env.backend.faults
    if by == "them":
        await forbid(world, table.channel, "send_messages")
        await forbid(world, table.channel)
    else:
        path = f"/channels/{table.channel.id}/messages*"
        world.env.inject_error("*", path, status=403, code=50013, times=None)
        await table.type(ada, table.right(ada))
        await table.until(lambda: paused_for_permission(table))
        await table.advance(1)
        world.env.backend.faults.clear()
        await table.slash(ada, "table")
    assert not paused_for_permission(table)
    await table.advance(10)
    assert not paused_for_permission(table)
    await assert_goes_on(table, ada)


async def test_a_late_refusal_of_the_message_that_the_bot_is_back_with_leaves_no_match_standing(
    world, table, ada, bo
):
    await table.race([ada, bo])
    path = f"/channels/{table.channel.id}/messages"
    world.env.inject_error("POST", path, status=403, code=50013, times=1)
    await world.restart(lambda: slowly_refused(world))
    await table.slash(bo, "table")
    assert not table.said("I was away")
    await table.until(lambda: bool(table.said("I was away")), limit=10)
    await assert_goes_on(table, ada)
    await table.until(lambda: table.stage is Stage.BREAK, limit=60)


async def test_a_pause_that_nobody_ends_is_void_and_the_channel_free(world, table, ada, bo):
    await table.race([ada, bo])
    await forbid(world, table.channel, "send_messages")
    assert paused_for_permission(table)
    await table.until(lambda: table.is_free, limit=700, step=50)
    assert table.match.end is End.PAUSE_LAPSED
    await forbid(world, table.channel)
    await table.open([ada, bo])


@pytest.mark.parametrize("times", [1, 2])
async def test_a_post_that_fails_is_tried_again(world, table, ada, bo, times):
    await table.start([ada, bo])
    await table.advance(1)
    world.env.inject_error("POST", f"/channels/{table.channel.id}/messages", times=times)
    await table.until(lambda: table.stage is Stage.RACE, limit=20)
    assert names(table.newest) == TABLE


async def test_posts_that_keep_failing_pause_the_match(world, table, ada, bo):
    await table.start([ada, bo])
    await table.advance(1)
    world.env.inject_error("POST", f"/channels/{table.channel.id}/messages", times=None)
    await table.until(lambda: table.match.phase is Phase.PAUSED, limit=30)
    world.env.backend.faults.clear()
    await table.slash(bo, "table")
    await assert_goes_on(table, ada)


@pytest.mark.parametrize("status", [500, 503])
async def test_an_edit_that_fails_is_made_good_later(world, table, ada, bo, status):
    await table.race([ada, bo])
    world.env.inject_error("PATCH", "/channels/*/messages/*", status=status, times=2)
    number = table.right(ada)
    await table.type(ada, number)
    await table.advance(12)
    assert table.match.phase is Phase.PLAYING
    assert f"Ada took {number}" in table.texts()


@pytest.mark.parametrize(("status", "code"), [(404, 10008), (400, 30046)])
async def test_a_message_that_can_no_longer_be_edited_is_posted_again(world, table, status, code):
    ada, bo, *_ = world.people
    await table.race([ada, bo])
    before = table.newest.id
    world.env.inject_error("PATCH", "/channels/*/messages/*", status=status, code=code, times=1)
    number = table.right(ada)
    await table.type(ada, number)
    await table.advance(6)
    assert table.newest.id > before
    assert f"Ada took {number}" in table.texts()
    assert table.match.phase is Phase.PLAYING


@pytest.mark.parametrize("phase", ["lobby", "ready", "race", "break", "paused"])
async def test_with_its_channel_a_match_goes_and_everybody_is_free(world, table, ada, bo, phase):
    await table.open([ada, bo])
    if phase != "lobby":
        await table.press(ada, "Start")
    if phase in {"race", "break", "paused"}:
        await table.to_race()
    if phase == "break":
        await table.rows({ada: "rrrrr"})
        await table.until(lambda: table.stage is Stage.BREAK)
    if phase == "paused":
        await forbid(world, table.channel, "attach_files")
    runner = table.runner
    world.env.backend.delete_channel(table.channel.id)
    await world.env.settle()
    await world.advance(1)
    assert runner.match.phase is Phase.CLOSED
    assert runner.match.end is End.CHANNEL_GONE
    elsewhere = world.table("elsewhere")
    await elsewhere.open([bo, ada])
    assert world.rows("select count(*) from matches where status = 'open'")[0][0] == 1


@pytest.mark.parametrize("parent", [False, True])
async def test_with_its_thread_a_match_goes(world, table, ada, bo, parent):
    thread = thread_of(world, table, ada)
    await thread.race([ada, bo])
    runner = thread.runner
    if parent:
        world.env.backend.delete_channel(table.channel.id)
    else:
        world.env.backend.delete_channel(thread.channel.id)
    await world.env.settle()
    await world.advance(1)
    assert runner.match.phase is Phase.CLOSED
    await world.table("elsewhere").open([ada, bo])


@pytest.mark.parametrize(
    "state", [{"locked": True}, {"archived": True}, {"archived": True, "locked": True}]
)
async def test_an_archived_or_locked_thread_pauses_the_match(world, table, ada, bo, state):
    thread = thread_of(world, table, ada)
    await thread.race([ada, bo])
    await change_thread(world, thread, **state)
    await thread.advance(5)
    assert paused_for_permission(thread)
    await thread.advance(60)
    assert paused_for_permission(thread)
    await change_thread(world, thread, archived=False, locked=False)
    await assert_goes_on(thread, ada)


async def test_a_thread_that_stays_archived_ends_its_match_after_ten_minutes(world, table, ada, bo):
    thread = thread_of(world, table, ada)
    await thread.race([ada, bo])
    await change_thread(world, thread, locked=True)
    assert "the thread is archived or locked" in direct_messages(ada)[0]
    await thread.advance(590)
    assert paused_for_permission(thread)
    await thread.until(lambda: thread.match.phase is Phase.CLOSED, limit=60, step=5)
    assert thread.match.end is End.PAUSE_LAPSED
    await world.table("elsewhere").open([ada, bo])


async def test_kicked_and_invited_again_it_starts_with_a_clean_table(world, table, ada, bo):
    await table.race([ada, bo])
    runner = table.runner
    world.env.backend.emit("GUILD_DELETE", {"id": str(world.guild.id)})
    await world.env.settle()
    await world.advance(1)
    assert runner.match.phase is Phase.CLOSED
    assert table.is_free
    assert world.bot.matches.seats.of(world.guild.id, ada.id) is None
    assert world.rows("select count(*) from matches where status = 'open'")[0][0] == 0
    assert world.rows("select count(*) from standings")[0][0] == 0
    guild = world.env.backend.get_guild(world.guild.id)
    world.env.backend.emit(
        "GUILD_CREATE", serializers.guild_create_payload(world.env.backend, guild)
    )
    await world.env.settle()
    world.runners.clear()
    again = world.table("again")
    await again.race([bo, ada])
    number = again.right(bo)
    await again.type(bo, number)
    assert again.row(bo)[-1] == number


async def test_an_outage_of_the_server_closes_nothing(world, table, ada, bo):
    await table.race([ada, bo])
    number = table.right(ada)
    world.env.backend.emit("GUILD_DELETE", {"id": str(world.guild.id), "unavailable": True})
    await world.env.settle()
    await world.advance(1)
    assert table.match.phase is Phase.PLAYING
    await table.type(ada, number)
    assert table.row(ada)[-1] == number
    guild = world.env.backend.get_guild(world.guild.id)
    world.env.backend.emit(
        "GUILD_CREATE", serializers.guild_create_payload(world.env.backend, guild)
    )
    await world.env.settle()
    await table.advance(2)
    await table.rows({ada: "rrrr"})
    await table.until(lambda: table.stage is Stage.BREAK)
    assert table.game.caller == table.seat(ada)


async def test_a_member_who_is_gone_is_noticed_at_the_end_of_the_round(world, table, ada, bo):
    cy = world.people[2]
    await table.race([ada, bo, cy])
    world.guild.remove_member(cy)
    await table.rows({ada: "rrrrr"})
    await table.until(lambda: table.stage is Stage.BREAK)
    await table.advance(1)
    assert [seat.user for seat in table.match.active_seats] == [ada.id, bo.id]


async def test_what_fails_for_one_match_leaves_the_others_alone(world, table, ada, bo):
    cy, dee = world.people[2:4]
    other = world.table("other")
    await table.race([ada, bo])
    await other.race([cy, dee])
    await forbid(world, table.channel, "send_messages")
    assert paused_for_permission(table)
    number = other.right(cy)
    await other.type(cy, number)
    assert other.row(cy)[-1] == number
    await other.advance(2)
    assert f"Cy took {number}" in other.texts()


@pytest.mark.parametrize(("status", "code"), [(403, 50013), (404, 10003), (500, 0)])
async def test_a_notice_that_can_not_be_posted_is_left_out(world, table, status, code):
    ada, bo, *_ = world.people
    await table.race([ada, bo])
    path = f"/channels/{table.channel.id}/messages"
    world.env.inject_error("POST", path, status=status, code=code, times=1)
    with world.as_bot():
        await world.bot.display.say(table.runner.venue, Notice.CANNOT_SAVE, "rox")
    assert not table.said("I can't save anything")
    await assert_goes_on(table, ada)


@pytest.mark.parametrize("cause", ["server", "channel", "archived", "locked"])
async def test_whether_a_channel_can_be_written_to(world, table, ada, bo, cause):
    """In doubt it is unknown: no match is paused or resumed because of that."""
    channels, venue = world.bot.channels, Venue(world.guild.id, table.channel.id)
    assert channels.is_unwritable(venue) is False
    if cause == "server":
        assert channels.is_unwritable(replace(venue, guild=1)) is None
    elif cause == "channel":
        assert channels.is_unwritable(replace(venue, channel=1)) is None
    else:
        thread = thread_of(world, table, ada)
        await change_thread(world, thread, **{cause: True})
        assert channels.is_unwritable(replace(venue, channel=thread.channel.id)) is not False


async def test_who_is_a_member_when_discord_does_not_say_so(world, table, ada, bo):
    channels = world.bot.channels
    assert await channels.is_member(1, ada.id)
    world.env.inject_error("GET", f"/guilds/{world.guild.id}/members/{ada.id}", status=500, times=9)
    with world.as_bot():
        assert await channels.is_member(world.guild.id, ada.id)
