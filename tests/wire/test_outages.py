"""Discord goes down and comes back, a server has an outage, a channel or the bot is removed."""

import asyncio

import discord
import pytest
from simcord.backend import serializers
from simcord.backend.models import Overwrite
from simcord.enums import OverwriteType

from bot.sandbox.person import Person
from game.match import Phase
from game.rox.state import Stage
from tests.kit.wire.faults import EVERYTHING, hanging, hung_up
from tests.kit.wire.match import Table
from tests.kit.wire.process import connected

pytestmark = [
    pytest.mark.asyncio(loop_scope="module"),
    pytest.mark.usefixtures("unharmed"),
]
DOWN_S = 6.0
"""Longer than a post is tried again."""
CHANNELS = {
    "race": ("Ada", "Ben"),
    "ready": ("Cy", "Dee"),
    "deleted": ("Eve", "Fay"),
    "forbidden": ("Gus", "Hal"),
    "elsewhere": (),
}
RACING = ("race", "deleted", "forbidden")


async def test_down_for_seconds_and_up_again_the_match_goes_on(wire, tables):
    """It happens while another match posts its open table."""
    table, other = tables["race"], tables["ready"]
    ada, ben = table.people
    await other.start()
    first = await table.takes(ada)
    number = table.free()[0]
    with wire.faults.on(f"POST /channels/{other.channel_id}/messages", hung_up()) as post:
        await wire.until(lambda: post.met)
        last = ben.say(str(number))
        await wire.loopback.go_down()
    await asyncio.sleep(DOWN_S)
    await wire.loopback.come_up()
    await connected(wire.loopback)
    await table.until(lambda: table.recorded(last.id))
    assert (table.owner(first), table.owner(number)) == (ada, ben)
    await table.goes_on()
    await other.until(lambda: other.stage is Stage.RACE)
    await other.goes_on()
    assert table.status == other.status == ("open", None, 0)
    await table.puts_back()
    assert len([text for text in other.texts() if "**Rox!**" in text]) == 1


async def test_hung_and_reachable_again_the_match_goes_on(wire, tables):
    """Nothing is refused and nothing answered; then what hangs breaks off."""
    table = tables["race"]
    ada, ben = table.people
    first = await table.takes(ada)
    with wire.faults.on(EVERYTHING, hanging()) as rule:
        wire.gateway.abort_connections()
        number = table.free()[0]
        last = ben.say(str(number))
        await wire.until(lambda: any(call.path == "/gateway" for call in rule.met))
        await asyncio.sleep(DOWN_S)
        assert not table.recorded(last.id)
    await table.until(lambda: table.recorded(last.id))
    assert (table.owner(first), table.owner(number)) == (ada, ben)
    await table.goes_on()
    await table.puts_back()
    assert table.status == ("open", None, 0)


async def test_an_outage_of_the_server_closes_nothing(wire, tables):
    table = tables["race"]
    ben = table.people[1]
    guild = wire.loopback.guild
    wire.world.emit("GUILD_DELETE", {"id": str(guild.id), "unavailable": True})
    await table.takes(ben)
    wire.world.emit("GUILD_CREATE", serializers.guild_create_payload(wire.world, guild))
    await table.goes_on()
    await table.puts_back()
    assert table.status == ("open", None, 0)


async def test_a_channel_that_is_deleted_closes_its_match_at_once_and_frees_everybody(wire, tables):
    table = tables["deleted"]
    await table.takes(table.host)
    wire.world.delete_channel(table.channel_id)
    await table.until(lambda: table.status == ("void", "channel-gone", 1), within=2)
    elsewhere = wire.table("elsewhere", "Eve", "Fay")
    await elsewhere.open()


async def test_a_kick_closes_the_server_s_matches_at_once(wire, tables):
    far = wire.world.add_guild("Far away", "Ida", ("far",))
    wire.world.emit("GUILD_CREATE", serializers.guild_create_payload(wire.world, far))
    jo = wire.world.make_user("Jo", global_name="Jo").id
    wire.world.add_member(far.id, jo, announce=True)
    (channel,) = far.channel_ids
    people = [Person(wire.world, far.id, channel, user) for user in (far.owner_id, jo)]
    table, here = Table(wire, people), tables["race"]
    await table.start()
    wire.world.remove_guild(far.id)
    await table.until(lambda: table.status == ("void", "channel-gone", 1), within=2)
    await here.goes_on()


@pytest.mark.parametrize("flag", ["send_messages", "attach_files"])
async def test_a_permission_that_is_taken_away_pauses_and_given_back_goes_on(wire, tables, flag):
    table = tables["forbidden"]
    gus, hal = table.people
    first = await table.takes(gus)
    forbid(wire, table, flag)
    await table.until(lambda: table.match.phase is Phase.PAUSED)
    number = table.free()[0]
    chat = hal.say(str(number))
    forbid(wire, table)
    await table.until(lambda: table.stage is Stage.RACE)
    assert not table.recorded(chat.id)
    assert table.owner(first) is gus
    await table.goes_on()
    await table.puts_back()


async def test_a_permission_taken_and_given_back_while_the_bot_is_away(wire, tables):
    """No event tells the bot of either; the calls do, and a press ends the pause."""
    table = tables["forbidden"]
    await wire.loses_its_session()
    forbid(wire, table, "send_messages")
    await table.until(lambda: table.match.phase is Phase.PAUSED)
    await wire.loses_its_session()
    forbid(wire, table)
    await table.until(lambda: table.stage is Stage.RACE)
    await table.goes_on()


def forbid(wire, table, *flags):
    """Take permissions away from the bot in a channel; with none, give all back."""
    _, denied = discord.PermissionOverwrite(**dict.fromkeys(flags, False)).pair()
    me = wire.world.application.user.id
    wire.world.set_overwrite(
        table.channel_id, Overwrite(me, OverwriteType.MEMBER, allow=0, deny=denied.value)
    )
