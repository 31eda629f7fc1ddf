"""What the fault interceptors of the loopback Discord do, seen by a plain client."""

import asyncio
from random import Random

import aiohttp
import pytest

from bot.sandbox.interceptor import ApiRequest, GatewayEvent
from bot.sandbox.run import LoopbackDiscord
from tests.kit.wire.faults import (
    CONNECT,
    EDIT,
    EVERYTHING,
    HISTORY,
    POST,
    Faults,
    delayed,
    hanging,
    hung_up,
    kept,
    limited,
    lost,
    missing,
    refused,
    repeated,
    scattered,
)
from tests.kit.wire.limits import Limits


@pytest.fixture
async def loopback():
    async with LoopbackDiscord(interceptor=Faults()) as found:
        yield found


@pytest.fixture
async def client(loopback):
    headers = {"Authorization": f"Bot {loopback.token}"}
    async with aiohttp.ClientSession(headers=headers) as session:
        yield session


@pytest.fixture
def post(loopback, client):
    url = f"{loopback.api_url}/channels/{loopback.guild.channel_ids[0]}/messages"

    async def post(words):
        async with client.post(url, json={"content": words}) as answer:
            return answer.status, await answer.json(), answer.headers

    return post


def said(loopback):
    return [message.content for message in loopback.person("Ada").messages()]


async def test_a_fault_happens_so_often_and_then_no_more(loopback, post):
    rule = loopback.interceptor.on(POST, refused(503), times=2)
    assert [(await post(word))[0] for word in "abc"] == [503, 503, 200]
    assert said(loopback) == ["c"]
    assert [call.body["content"] for call in rule.met] == ["a", "b"]


async def test_a_fault_lasts_until_it_is_lifted_and_the_newest_rule_comes_first(loopback, post):
    with loopback.interceptor.on(POST, refused(403)):
        loopback.interceptor.on(EVERYTHING, refused(500), times=1)
        assert [(await post(word))[0] for word in "ab"] == [500, 403]
    assert (await post("c"))[0] == 200


async def test_a_fault_is_for_its_route_alone(loopback, post):
    for route in (EDIT, HISTORY, "POST /channels/1/messages", "POST /channels/*"):
        loopback.interceptor.on(route, refused(500))
    assert (await post("a"))[0] == 200


async def test_what_is_lost_was_carried_out_and_what_is_hung_up_was_not(loopback, post):
    for fault in (lost(), hung_up()):
        loopback.interceptor.on(POST, fault, times=1)
        with pytest.raises(aiohttp.ClientError):
            await post(fault.__qualname__.split(".")[0])
    assert said(loopback) == ["lost"]


async def test_what_hangs_breaks_off_when_it_is_lifted(loopback, post):
    with loopback.interceptor.on(POST, hanging()) as rule:
        asked = asyncio.create_task(post("a"))
        done, _ = await asyncio.wait({asked}, timeout=0.2)
        assert rule.met
        assert not done
    with pytest.raises(aiohttp.ClientError):
        await asked
    assert said(loopback) == []


async def test_what_is_delayed_is_carried_out_at_once(loopback, post):
    loopback.interceptor.on(POST, delayed(0.05))
    asked = asyncio.create_task(post("a"))
    await loopback.world.wait_until(lambda: said(loopback) == ["a"])
    assert not asked.done()
    assert (await asked)[0] == 200


@pytest.mark.parametrize("scope", ["user", "global"])
async def test_a_limit_says_for_how_long_and_for_what(loopback, post, scope):
    loopback.interceptor.on(POST, limited(2, scope), times=2)
    waits = []
    for _ in range(2):
        status, body, headers = await post("a")
        assert status == 429
        assert body["global"] is (scope == "global")
        assert ("X-RateLimit-Global" in headers) is (scope == "global")
        assert ("X-RateLimit-Reset-After" in headers) is (scope == "user")
        waits.append(body["retry_after"])
    assert 0 < waits[1] < waits[0] <= 2


async def test_the_gateway_can_be_shut(loopback, client):
    loopback.interceptor.on(CONNECT, refused(503), times=1)
    with pytest.raises(aiohttp.WSServerHandshakeError, match="503"):
        await client.ws_connect(loopback.gateway_url)
    async with client.ws_connect(loopback.gateway_url) as socket:
        assert (await socket.receive_json())["op"] == 10


async def test_the_same_addresses_are_served_again_after_an_outage(loopback, client, post):
    async with client.ws_connect(loopback.gateway_url) as socket:
        await socket.receive_json()
        await loopback.go_down()
        assert (await socket.receive()).type is not aiohttp.WSMsgType.TEXT
    with pytest.raises(aiohttp.ClientConnectorError):
        await post("a")
    await loopback.come_up()
    assert (await post("b"))[0] == 200


@pytest.mark.parametrize("resumable", [True, False])
async def test_a_session_can_be_called_invalid(loopback, client, resumable):
    async with client.ws_connect(loopback.gateway_url) as socket:
        await socket.receive_json()
        await socket.send_json({"op": 2, "d": {"token": loopback.token, "intents": 0}})
        session = (await socket.receive_json())["d"]["session_id"]
        loopback.gateway.invalidate_sessions(resumable=resumable)
        while (told := await socket.receive_json())["op"] == 0:
            pass
        assert (told["op"], told["d"]) == (9, resumable)
        assert (session in loopback.gateway.sessions) is resumable


async def test_limits_and_faults_can_be_had_together():
    limits = Limits(latency=0)
    async with LoopbackDiscord(interceptor=Faults(limits)) as loopback:
        loopback.interceptor.on("GET /users/*", refused(500), times=1)
        headers = {"Authorization": f"Bot {loopback.token}"}
        async with aiohttp.ClientSession(headers=headers) as session:
            url = f"{loopback.api_url}/users/@me"
            answers = [await session.get(url) for _ in range(2)]
        assert [answer.status for answer in answers] == [500, 200]
        assert "X-RateLimit-Remaining" in answers[1].headers
        assert len(limits.calls) == 1


def arrived(fault, *, lift=True, only=None):
    """Let events 0 to 3 pass; return them as they arrived before and after the rule was lifted."""
    interceptor, found = Faults(), []
    rule = interceptor.events(fault, "SAID", only=only)
    for number in range(4):
        interceptor.handle_event(
            GatewayEvent("SAID", {"n": number}), lambda event: found.append(event.data["n"])
        )
    interceptor.handle_event(
        GatewayEvent("OTHER", {"n": "other"}), lambda event: found.append(event.data["n"])
    )
    before = list(found)
    rule.lift()
    return before, found[len(before) :]


def test_events_can_be_repeated_missed_and_kept():
    assert arrived(repeated(2)) == ([0, 0, 1, 1, 2, 2, 3, 3, "other"], [])
    assert arrived(missing()) == (["other"], [])
    assert arrived(kept()) == (["other"], [0, 1, 2, 3])
    assert arrived(kept(last_first=True)) == (["other"], [3, 2, 1, 0])
    assert arrived(missing(), only=lambda event: event.data["n"] > 1) == ([0, 1, "other"], [])


async def test_events_can_overtake_each_other():
    interceptor, found, all_there = Faults(), [], asyncio.Event()

    def deliver(event):
        found.append(event.data["n"])
        if len(found) == 20:
            all_there.set()

    interceptor.events(scattered(0.05, Random(4)))
    for number in range(20):
        interceptor.handle_event(GatewayEvent("SAID", {"n": number}), deliver)
    await asyncio.wait_for(all_there.wait(), 10)
    assert found != sorted(found) == list(range(20))


def test_a_rule_reads_a_path_as_it_is_written():
    interceptor = Faults()
    reaction = ApiRequest("PUT", "/channels/1/messages/2/reactions/%E2%9C%85/@me", {})
    assert interceptor.on("PUT /channels/*/messages/*/reactions/**", refused(500)).holds(reaction)
    assert not interceptor.on("PUT /channels/*/messages/*", refused(500)).holds(reaction)
    assert not interceptor.on("PATCH /**", refused(500)).holds(reaction)
