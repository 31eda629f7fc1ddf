"""A real discord.py client over real HTTP: what it sends arrives, what it asks is answered."""

import json

import aiohttp
import discord
import pytest
from simcord.backend.models import Overwrite
from simcord.enums import OverwriteType

from bot.sandbox.interceptor import ApiResponse, Interceptor
from bot.sandbox.person import RefusedError
from bot.sandbox.run import LoopbackDiscord
from bot.sandbox.world import message_text
from tests.kit.wire.toybot import TableView, ToyBot, picture, point_at, running


def files_of(message):
    return {attachment["filename"]: attachment["id"] for attachment in message.attachments}


async def table_of(ada):
    await ada.slash("toy table").response()
    await ada.wait_for_message("The table is laid")
    return await ada.wait_for_message("Round 2")


async def test_the_bot_sees_guild_and_channels(loopback, bot):
    (guild,) = bot.guilds
    assert guild.name == "The sandbox"
    assert [channel.name for channel in guild.text_channels] == ["rox-table", "general"]
    assert guild.me.id == loopback.world.application.user.id


async def test_a_wrong_token_is_refused(loopback):
    client = ToyBot()
    with pytest.raises(discord.LoginFailure):
        await client.start("wrong")
    await client.close()


async def test_a_private_deferred_answer_is_seen_by_its_person_alone(bot, ada, ben):
    asked = ada.slash("toy table")
    record = await asked.response()
    assert record.ephemeral
    message = await ada.wait_for_message("The table is laid")
    assert message.is_ephemeral
    assert ben.find("The table is laid") is None
    assert ben.find("Round 2") is not None


async def test_an_edit_replaces_one_file_and_keeps_the_other(loopback, bot, ada):
    message = await table_of(ada)
    before = files_of(message)
    ada.press(message.id, "Turn")
    await ada.wait_for_message("You turned it (1)")
    after = files_of(message)
    assert after.keys() == before.keys() == {"table.png", "cards.png"}
    assert after["cards.png"] == before["cards.png"]
    assert after["table.png"] != before["table.png"]
    described = {a["filename"]: a["description"] for a in message.attachments}
    assert described == {"table.png": "a green table", "cards.png": "a blue cards"}


async def test_after_many_edits_only_the_present_files_remain(loopback, bot, ada):
    message = await table_of(ada)
    for turn in range(1, 13):
        ada.press(message.id, "Turn")
        await ada.wait_for_message(f"You turned it ({turn})")
    assert len(message.attachments) == 2


async def test_attachments_are_served_with_their_sizes(loopback, bot, ada):
    message = await table_of(ada)
    attachment = message.attachments[0]
    assert (attachment["width"], attachment["height"]) == (120, 90)
    async with aiohttp.ClientSession() as session, session.get(attachment["url"]) as response:
        assert response.content_type == "image/png"
        assert (await response.read()).startswith(b"\x89PNG")


async def test_a_modal_comes_back_with_its_values(bot, ada):
    message = await table_of(ada)
    shown = await ada.press(message.id, "Name it").response()
    fields = shown.modal["components"]
    ids = [(f.get("component") or f["components"][0])["custom_id"] for f in fields]
    with pytest.raises(RefusedError):
        ada.submit(shown.id, {ids[0]: "x", ids[1]: ["oak"]})
    ada.submit(shown.id, {ids[0]: "Round one", ids[1]: ["oak"]})
    await ada.wait_for_message("Named Round one, of oak")


async def test_selects_of_strings_and_channels(loopback, bot, ada):
    message = await table_of(ada)
    ada.select(message.id, "pick", ["Water"])
    await ada.wait_for_message("You picked Water")
    ada.slash("toy settings")
    settings = await ada.wait_for_message("Where shall I play?")
    general = loopback.world.find_channel(loopback.guild.id, "general").id
    ada.select(settings.id, "where", [str(general)])
    await ada.wait_for_message(f"I play in <#{general}>")


@pytest.mark.parametrize(
    ("what", "why"),
    [
        (lambda ada, m: ada.click(m.id, "never"), "disabled"),
        (lambda ada, m: ada.click(m.id, "gone"), "gone"),
        (lambda ada, m: ada.select(m.id, "pick", ["Air"]), "not offered"),
        (lambda ada, m: ada.slash("toy given"), "count"),
        (lambda ada, m: ada.slash("toy given", count=9), "≤ 4"),
        (lambda ada, m: ada.slash("nothing"), "no command"),
        (lambda ada, m: ada.edit(m.id, "mine"), "your own"),
    ],
)
async def test_a_client_refuses_impossible_acts(bot, ada, what, why):
    message = await table_of(ada)
    with pytest.raises(RefusedError, match=why):
        what(ada, message)


async def test_options_arrive_as_their_types(bot, ada, ben):
    ada.slash("toy given", count="3", level="hard", friend=str(ben.id))
    await ada.wait_for_message("3 hard Ben none")


async def test_autocompletion(bot, ada):
    record = await ada.complete("toy given", "stone", "w", {"count": "2"}).response()
    assert record.autocomplete_choices == [{"name": "Water", "value": "water"}]


async def test_reactions_and_history(bot, ada):
    for word in ("hello", "12", "13"):
        ada.say(word)
    message = ada.find("hello")
    await ada.world.wait_until(lambda: message.reactions)
    assert message.reactions[0].emoji == "👋"
    ada.slash("toy history")
    await ada.wait_for_message("hello|12|13")


async def test_a_nonce_is_echoed_and_posts_once(loopback, bot, ada):
    channel = bot.get_channel(ada.channel_id)
    first = await channel.send("once", nonce="n1")
    again = await channel.send("once", nonce="n1")
    other = await channel.send("once", nonce="n2")
    assert first.id == again.id != other.id
    assert again.nonce == "n1"
    await loopback.world.wait_until(lambda: len(ada.messages()) == 2)
    ada.say("a person's", nonce="mine")
    assert ada.say("a person's", nonce="mine").content == "a person's"
    assert len(ada.messages()) == 3


async def test_missing_permissions_have_discord_s_codes(loopback, bot, ada):
    channel = loopback.world.channels[ada.channel_id]
    bot_id = loopback.world.application.user.id
    flag = discord.Permissions.send_messages.flag
    channel.overwrites.append(Overwrite(bot_id, OverwriteType.MEMBER, deny=flag))
    with pytest.raises(discord.Forbidden) as refused:
        await bot.get_channel(channel.id).send("no")
    assert refused.value.code == 50013
    with pytest.raises(discord.NotFound):
        await bot.get_channel(channel.id).fetch_message(1)


async def test_an_unknown_route_is_loud(loopback, bot):
    with pytest.raises(discord.DiscordServerError):
        await bot.http.request(discord.http.Route("GET", "/no/such/route"))


async def test_answers_without_a_charset(loopback):
    headers = {"Authorization": f"Bot {loopback.token}"}
    async with aiohttp.ClientSession(headers=headers) as session:
        async with session.get(f"{loopback.api_url}/users/@me") as response:
            assert response.headers["Content-Type"] == "application/json"
        async with session.post(f"{loopback.api_url}/channels/1/messages", data="{") as response:
            assert response.status == 400


async def test_other_sites_pages_are_turned_away(loopback):
    async with aiohttp.ClientSession() as session:
        for headers in ({"Origin": "https://example.org"}, {"Host": "example.org"}):
            async with session.get(loopback.page_url, headers=headers) as response:
                assert response.status == 403


async def test_a_silent_bot_and_a_used_token(loopback, bot, ada):
    asked = ada.slash("toy silent")
    with pytest.raises(TimeoutError):
        await asked.response(timeout=0.05)
    url = f"{loopback.api_url}/interactions/{asked.id}/{asked.record.token}/callback"
    async with aiohttp.ClientSession() as session:
        body = {"type": 4, "data": {"content": "late"}}
        async with session.post(url, json=body) as response:
            assert response.status == 204
        async with session.post(url, json=body) as response:
            assert json.loads(await response.text())["code"] == 40060


async def test_two_bots_have_their_own_commands_and_clicks(loopback, bot, ada):
    other = loopback.world.add_application("Other")
    async with running(ToyBot(), other.token) as second:
        assert second.user.name == "Other"
        channel = second.get_channel(ada.channel_id)
        files = [picture("table", "red"), picture("cards", "blue")]
        message = await channel.send(view=TableView(), files=files)
        ada.press(message.id, "Turn")
        answer = await ada.wait_for_message("You turned it (1)")
        assert answer.author_id == other.user.id


class CountingInterceptor(Interceptor):
    """Sees everything and marks every answer."""

    def __init__(self):
        self.buckets = []
        self.events = []

    async def handle_request(self, request, serve):
        self.buckets.append(request.bucket)
        answer = serve(request)
        return ApiResponse(answer.status, answer.json, {"X-Seen": "yes"})

    def handle_event(self, event, deliver):
        self.events.append(event.name)
        deliver(event)


async def test_everything_passes_the_interceptor(monkeypatch):
    interceptor = CountingInterceptor()
    async with LoopbackDiscord(interceptor=interceptor) as loopback:
        point_at(monkeypatch, loopback)
        async with running(ToyBot(), loopback.token) as bot:
            ada = loopback.person("Ada")
            await bot.get_channel(ada.channel_id).send("hi")
    assert f"POST /channels/{ada.channel_id}/messages" in interceptor.buckets
    assert interceptor.events[:2] == ["READY", "GUILD_CREATE"]
    assert "MESSAGE_CREATE" in interceptor.events


class ForgetfulInterceptor(Interceptor):
    """Does what the first send asks and hangs up instead of answering."""

    forgotten = False

    async def handle_request(self, request, serve):
        answer = serve(request)
        if request.bucket.startswith("POST /channels/") and not self.forgotten:
            self.forgotten = True
            raise ConnectionResetError
        return answer


async def test_a_lost_answer_and_its_retry_are_one_post(monkeypatch):
    async with LoopbackDiscord(interceptor=ForgetfulInterceptor()) as loopback:
        point_at(monkeypatch, loopback)
        async with running(ToyBot(), loopback.token) as bot:
            ada = loopback.person("Ada")
            channel = bot.get_channel(ada.channel_id)
            with pytest.raises(aiohttp.ServerDisconnectedError):
                await channel.send("once", nonce="n")
            again = await channel.send("once", nonce="n")
            assert [m.id for m in ada.messages()] == [again.id]


async def test_message_text_reads_nested_displays(bot, ada):
    assert message_text(await table_of(ada)) == "## Round 2\nTurned **0** times"
