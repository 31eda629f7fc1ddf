"""The gateway: heartbeats, resume, invalid sessions, intents, shards."""

import asyncio

import aiohttp
import discord
import pytest
from simcord.backend.models import Overwrite
from simcord.enums import OverwriteType

from bot.sandbox.run import LoopbackDiscord
from tests.kit.wire.toybot import ShardedToyBot, ToyBot, point_at, running


async def heard(loopback, bot, *words):
    """Wait until the bot has heard exactly these words; its listener runs in this loop."""
    async with asyncio.timeout(10):
        while len(bot.heard) < len(words):
            await bot.wait_for("message")
            await asyncio.sleep(0)
    assert bot.heard == list(words)


async def test_what_was_missed_is_replayed_in_order(loopback, bot, ada):
    ada.say("before")
    await heard(loopback, bot, "before")
    loopback.gateway.close_connections()
    for number in range(10, 20):
        ada.say(str(number))
    await asyncio.wait_for(bot.resumed.wait(), 10)
    await heard(loopback, bot, "before", *map(str, range(10, 20)))
    assert len(loopback.gateway.sessions) == 1


async def test_a_forgotten_session_is_replaced_by_a_new_one(loopback, bot, ada):
    bot.ready.clear()
    loopback.gateway.drop_sessions()
    ada.say("lost")
    await asyncio.wait_for(bot.ready.wait(), 15)
    assert not bot.resumed.is_set()
    ada.say("found")
    await heard(loopback, bot, "found")
    history = [m.content async for m in bot.get_channel(ada.channel_id).history()]
    assert history == ["found", "lost"]


async def test_heartbeats_keep_the_connection(monkeypatch):
    async with LoopbackDiscord(heartbeat_interval=0.3) as loopback:
        point_at(monkeypatch, loopback)
        async with running(ToyBot(enable_debug_events=True), loopback.token) as bot:
            for _ in range(6):  # a client that did not beat would be cut off after two
                await bot.wait_for("socket_raw_receive", check=lambda raw: '"op": 11' in raw)
            assert not bot.resumed.is_set()
            assert bot.latency < 1


async def test_a_silent_client_is_cut_off():
    async with (
        LoopbackDiscord(heartbeat_interval=0.02) as loopback,
        aiohttp.ClientSession() as session,
        session.ws_connect(loopback.gateway_url) as socket,
    ):
        assert (await socket.receive_json())["op"] == 10
        frame = await socket.receive()
        assert (frame.type, socket.close_code) == (aiohttp.WSMsgType.CLOSE, 4009)


@pytest.mark.parametrize(
    ("sent", "code"),
    [
        ({"op": 2, "d": {"token": "wrong", "intents": 0}}, 4004),
        ({"op": 2, "d": {"token": None, "intents": 0, "shard": [2, 2]}}, 4010),
        ({"op": 2, "d": {"token": None}}, 4013),
        ({"op": 8, "d": {}}, 4003),
        ([], 4002),
    ],
)
async def test_close_codes(loopback, sent, code):
    if isinstance(sent, dict) and "token" in sent["d"]:
        sent = {**sent, "d": {**sent["d"], "token": sent["d"]["token"] or loopback.token}}
    async with (
        aiohttp.ClientSession() as session,
        session.ws_connect(loopback.gateway_url) as socket,
    ):
        await socket.receive_json()
        await socket.send_json(sent)
        await socket.receive()
        assert socket.close_code == code


async def test_a_privileged_intent_may_be_switched_off(loopback):
    loopback.gateway.disallowed_intents = discord.Intents.message_content.flag
    bot = ToyBot()
    with pytest.raises(discord.PrivilegedIntentsRequired):
        await bot.start(loopback.token)
    await bot.close()


async def test_without_the_intent_content_is_empty(loopback, ada):
    bot = ToyBot(intents=discord.Intents(guilds=True, guild_messages=True))
    async with running(bot, loopback.token):
        ada.say("12")
        await heard(loopback, bot, "")


async def test_members_can_be_asked_for(loopback, bot, ben):
    (guild,) = bot.guilds
    found = await guild.query_members("be")
    assert [member.id for member in found] == [ben.id]


async def test_two_shards_hear_their_own_guilds(monkeypatch):
    async with LoopbackDiscord(shards=2) as loopback:
        world = loopback.world
        shard = (loopback.guild.id >> 22) % 2
        second = world.create_guild("Elsewhere", shard_id=1 - shard, shard_count=2)
        world.create_channel(second.id, "far")
        point_at(monkeypatch, loopback)
        async with running(ShardedToyBot(), loopback.token) as bot:
            assert bot.shard_count == 2
            assert {g.name: g.shard_id for g in bot.guilds} == {
                "The sandbox": shard,
                "Elsewhere": 1 - shard,
            }
            loopback.person("Ada").say("here")
            world.create_message(second.channel_ids[0], second.owner_id, "there")
            await heard(loopback, bot, "here", "there")


async def test_several_sessions_of_one_bot_hear_the_same(loopback, bot, ada):
    async with running(ToyBot(), loopback.token) as second:
        ada.say("both")
        await heard(loopback, second, "both")
        await heard(loopback, bot, "both")


async def test_a_channel_the_bot_cannot_see_is_silent(loopback, bot, ada):
    channel = loopback.world.channels[ada.channel_id]
    flag = discord.Permissions.view_channel.flag
    bot_id = loopback.world.application.user.id
    channel.overwrites.append(Overwrite(bot_id, OverwriteType.MEMBER, deny=flag))
    ada.say("unheard")
    channel.overwrites.clear()
    ada.say("heard")
    await heard(loopback, bot, "heard")
