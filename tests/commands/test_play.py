"""`/rox play`: where a lobby can be opened, by whom, with what, and what is said if it can't."""

from dataclasses import replace

import discord
import pytest
from simcord.backend.models import Overwrite
from simcord.enums import OverwriteType

from bot.store import guilds
from bot.store.guilds import ServerSettings, Starters
from game.match import Level, Phase
from game.rox.engine import read_settings
from game.rox.settings import Checking, Preset, RoxSettings
from tests.kit.table import ACT_S, Table, answer_of


async def choose(world, **changes):
    """Let a server have other settings."""
    async with world.bot.services.database.write() as session:
        server = replace(await guilds.load(session, world.guild.id), **changes)
        await guilds.save(session, world.guild.id, server)


def rox(**changes):
    return ServerSettings().with_section("rox", replace(RoxSettings(), **changes))


def deny(world, channel, **permissions):
    """Take permissions away from the bot in a channel."""
    _, denied = discord.PermissionOverwrite(**dict.fromkeys(permissions, False)).pair()
    me = world.env.backend.bot_user.id
    world.env.backend.set_overwrite(
        channel.id, Overwrite(me, OverwriteType.MEMBER, allow=0, deny=denied.value)
    )


def allow(world, person, **permissions):
    """Give somebody a role with permissions, and return it."""
    role = world.guild.create_role("keeper", permissions=discord.Permissions(**permissions))
    world.env.backend.add_member_role(world.guild.id, person.id, role.id)
    return role


async def test_a_lobby_is_opened_by_the_servers_settings(world, table, ada):
    settings = rox(preset=Preset.FAIR, checking=Checking.INSTANT, shortest=3, rest_ms=3000)
    async with world.bot.services.database.write() as session:
        await guilds.save(session, world.guild.id, settings)
    answer = await table.slash(ada, "play")
    assert answer == "The lobby is open. Press Start when everybody has a seat."
    played = read_settings(table.match.opening.settings)
    assert (played.preset, played.checking) == (Preset.FAIR, Checking.INSTANT)
    assert (played.shortest, played.rest_ms) == (3, 3000)
    shown = table.texts()
    assert "Rules: fair." in shown
    assert "Checking: instant." in shown
    assert "from 3 cards on" in shown
    assert table.buttons() == ["Join", "Leave", "Start", "Cancel"]


async def test_options_come_before_the_servers_settings(world, table, ada):
    await table.slash(ada, "play", opponents=2, level="master", checking="instant", rules="fair")
    played = read_settings(table.match.opening.settings)
    assert (played.preset, played.checking) == (Preset.FAIR, Checking.INSTANT)
    assert [seat.level for seat in table.match.seats] == [None, Level.MASTER, Level.MASTER]
    assert table.texts().count("simulated, master") == 2
    assert len({seat.name for seat in table.match.seats}) == 3


async def test_three_opponents_fill_the_table_and_it_starts_by_itself(world, table, ada):
    await table.slash(ada, "play", opponents=3)
    assert "All seats are taken" in table.texts()
    await table.advance(11)
    assert table.match.phase is Phase.PLAYING


@pytest.mark.parametrize("opponents", [-1, 4])
async def test_no_other_number_of_opponents_can_be_asked_for(world, table, ada, opponents):
    with pytest.raises(Exception, match="opponents"):
        await table.slash(ada, "play", opponents=opponents)


async def test_in_a_direct_message_it_says_kindly_that_it_takes_a_server(world, ada):
    asked = await ada.user.slash("rox play")
    await world.advance(ACT_S)
    assert "A match needs a channel of a server" in answer_of(asked)
    assert not list(world.bot.matches.registry)


@pytest.mark.parametrize("command", ["stats", "leaderboard", "settings"])
async def test_what_belongs_to_a_server_says_so_in_a_direct_message(world, ada, command):
    asked = await ada.user.slash(f"rox {command}")
    await world.advance(ACT_S)
    assert answer_of(asked).startswith("That")
    assert "server" in answer_of(asked)


@pytest.mark.parametrize("command", ["table", "stop", "back"])
async def test_what_belongs_to_a_match_says_so_in_a_direct_message(world, ada, command):
    asked = await ada.user.slash(f"rox {command}")
    await world.advance(ACT_S)
    assert "No match is open in this channel." in answer_of(asked)


async def test_a_match_can_be_played_in_a_thread(world, table, ada, bo):
    thread = thread_of(world, table, ada)
    await thread.race([ada, bo])
    await thread.type(ada, thread.right(ada))
    assert len(thread.row(ada)) == 2
    assert table.is_free


async def test_a_match_can_be_played_in_a_voice_channels_chat(world, ada, bo):
    voice = Table(world, world.guild.create_voice_channel("voices"))
    await voice.race([ada, bo])
    await voice.type(ada, voice.right(ada))
    assert len(voice.row(ada)) == 2


def thread_of(world, table, owner):
    thread = world.env.backend.create_thread(table.channel.id, "side table", owner.id)
    (channel,) = [c for c in table.channel.threads if c.id == thread.id]
    return Table(world, channel)


NAMES = {
    "view_channel": "View Channel",
    "send_messages": "Send Messages",
    "attach_files": "Attach Files",
    "read_message_history": "Read Message History",
}


@pytest.mark.parametrize("lacking", [*NAMES])
async def test_a_missing_permission_is_named_exactly(world, table, ada, lacking):
    deny(world, table.channel, **{lacking: True})
    answer = await table.slash(ada, "play")
    for flag, name in NAMES.items():
        assert (name in answer) is (flag == lacking), answer
    assert "Threads" not in answer
    assert "Edit Channel → Permissions" in answer
    assert table.is_free
    assert not [m for m in table.messages if m.components]


async def test_several_missing_permissions_are_listed(world, table, ada):
    deny(world, table.channel, attach_files=True, read_message_history=True)
    assert "I still need Attach Files and Read Message History." in await table.slash(ada, "play")


async def test_a_thread_needs_another_permission_for_sending(world, table, ada):
    thread = thread_of(world, table, ada)
    deny(world, table.channel, send_messages=True)
    assert "The lobby is open" in await thread.slash(ada, "play")
    await thread.press(ada, "Cancel")
    deny(world, table.channel, send_messages_in_threads=True)
    answer = await thread.slash(ada, "play")
    assert "Send Messages in Threads" in answer
    assert thread.is_free


@pytest.mark.parametrize(("seconds", "words"), [(1, "1 second."), (5, "5 seconds.")])
async def test_slow_mode_is_warned_of(world, table, ada, seconds, words):
    world.env.backend.edit_channel(table.channel.id, {"rate_limit_per_user": seconds})
    answer = await table.slash(ada, "play")
    assert "The lobby is open" in answer
    assert "Slow mode is on" in answer
    assert words in answer


async def test_matches_stay_in_the_channels_that_a_server_allows(world, table, ada):
    other = world.table("other")
    await choose(world, channels=(table.channel.id,))
    assert (
        await other.slash(ada, "play")
        == f"This server plays Rox in <#{table.channel.id}>. Try it there!"
    )
    assert other.is_free
    thread = thread_of(world, table, ada)
    assert "The lobby is open" in await thread.slash(ada, "play")
    await thread.press(ada, "Cancel")
    assert "The lobby is open" in await table.slash(ada, "play")


async def test_only_managers_may_start_where_a_server_says_so(world, table, ada, bo):
    await choose(world, starters=Starters.MANAGERS)
    allow(world, bo, manage_channels=True)
    answer = await table.slash(ada, "play")
    assert answer == "Here members who manage channels can start a match. Ask one of them!"
    assert "The lobby is open" in await table.slash(bo, "play")


async def test_a_role_may_start_where_a_server_says_so(world, table, ada, bo):
    keeper = allow(world, bo)
    await choose(world, starters=Starters.ROLE, starter_role=keeper.id)
    answer = await table.slash(ada, "play")
    assert answer == f"Here <@&{keeper.id}> can start a match. Ask one of them!"
    assert "The lobby is open" in await table.slash(bo, "play")


async def test_a_role_that_nobody_chose_is_not_named(world, table, ada, bo):
    await choose(world, starters=Starters.ROLE, starter_role=None)
    answer = await table.slash(ada, "play")
    assert "None" not in answer
    assert answer == "Here members who manage channels can start a match. Ask one of them!"


async def test_opponents_can_be_switched_off(world, table, ada):
    await choose(world, opponents=False)
    answer = await table.slash(ada, "play", opponents=1)
    assert answer == "This server plays without simulated opponents. Try /rox play alone."
    assert table.is_free
    assert "The lobby is open" in await table.slash(ada, "play")


async def test_a_second_play_is_answered_with_a_link_to_the_first_match(world, table, ada, bo):
    await table.open([ada])
    lobby = table.newest
    answer = await table.slash(bo, "play")
    link = f"https://discord.com/channels/{world.guild.id}/{table.channel.id}/{lobby.id}"
    assert answer == f"A match is open in this channel already: {link}"
    assert len([m for m in table.messages if m.components]) == 1


async def test_a_player_seated_elsewhere_is_answered_with_the_channel(world, table, ada, bo):
    other = world.table("other")
    await table.open([ada, bo])
    answer = await other.slash(bo, "play")
    assert answer == f"You sit at a table in <#{table.channel.id}>. Leave that one first."
    assert other.is_free
    await other.open([world.people[2]])
    assert await other.press(bo, "Join") == answer
    assert len(other.match.seats) == 1


async def test_nothing_is_opened_while_the_bot_is_stopping(world, table, ada):
    world.bot.matches.opener.closing = True
    answer = await table.slash(ada, "play")
    assert answer == "I am about to restart. Try again in a minute, please."
    assert table.is_free


async def test_every_answer_is_private(world, table, ada):
    await table.open([ada])
    for command in ("play", "table", "back", "stop", "rules", "stats", "leaderboard", "settings"):
        result = await ada.slash(table.channel, f"rox {command}")
        await table.advance(ACT_S)
        assert result.ephemeral, command
        assert result.response is not None, command
        assert result.response.ephemeral, command
