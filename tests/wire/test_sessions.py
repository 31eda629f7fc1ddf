"""Sessions that are cut: resumed, refused, and cut again while the bot catches up."""

import asyncio
from random import Random

import pytest

from game.ids import ms_of, timer_id
from game.rox.state import Stage
from tests.kit.wire.faults import CONNECT, HISTORY, hanging, hung_up, refused
from tests.kit.wire.match import PATIENT

pytestmark = [
    pytest.mark.asyncio(loop_scope="module"),
    pytest.mark.usefixtures("unharmed"),
]
CHANNELS = {
    "one": ("Ada", "Ben"),
    "many": ("Cy", "Dee", "Eve"),
    "ended": ("Fay", "Gus"),
    "resumed": ("Ida", "Jo"),
}
RACING = ("one", "many")
IDLE_MS = 3_000
SEED = 20
MANY = 480
"""How many messages are missed: as many as fill five pages of history."""


def both_type(table, first, second):
    """Two people want the same card, and then another one the other way round."""
    number, other = table.free()[:2]
    typed = [
        first.say(str(number)),
        second.say(str(number)),
        second.say(str(other)),
        first.say(str(other)),
    ]
    return {number: first, other: second}, typed


async def decided(table, owners, typed):
    await table.until(lambda: all(table.recorded(message.id) for message in typed))
    assert {number: table.owner(number) for number in owners} == owners


@pytest.mark.parametrize(
    "how", ["close_connections", "abort_connections", "request_reconnect", "invalidate_sessions"]
)
async def test_what_was_missed_is_replayed_and_decided_by_its_id(wire, tables, how):
    table = tables["one"]
    ada, ben = table.people
    greeted, resumed = table.greetings(), len(wire.bot.told("RESUMED"))
    getattr(wire.gateway, how)(**({"resumable": True} if how == "invalidate_sessions" else {}))
    owners, typed = both_type(table, ada, ben)
    await wire.bot.tells("RESUMED", resumed + 1)
    await decided(table, owners, typed)
    assert len(wire.gateway.sessions) == 1
    await table.until(lambda: table.shows(f"took {typed[2].content}"))
    assert table.greetings() == greeted
    await table.puts_back()


async def test_a_history_that_fails_at_first_is_read_all_the_same(wire, tables):
    table = tables["one"]
    ada, ben = table.people
    greeted = table.greetings()
    later = wire.faults.on(HISTORY, hung_up(), times=3)
    first = wire.faults.on(HISTORY, refused(503), times=3)
    await wire.loses_its_session()
    owners, typed = both_type(table, ben, ada)
    await decided(table, owners, typed)
    assert (len(first.met), len(later.met)) == (3, 3)
    await table.until(lambda: table.greetings() == greeted + 1)
    await table.goes_on()
    await table.puts_back()


async def test_a_connection_cut_while_histories_are_read_delays_decisions_until_all_is_known(
    wire, tables
):
    """The cut's own events and the history's come together by their ids."""
    table = tables["one"]
    ada, ben = table.people
    resumed = len(wire.bot.told("RESUMED"))
    with wire.faults.on(HISTORY, hanging()) as rule:
        await wire.loses_its_session()
        number = table.free()[0]
        first = ada.say(str(number))
        await wire.until(lambda: rule.met)
        wire.gateway.close_connections()
        second = ben.say(str(number))
        await wire.bot.tells("RESUMED", resumed + 1)
        third = ben.say(str(number))
        await asyncio.sleep(5 * wire.settle_s)
        assert not table.recorded(second.id), "what was typed before is not known yet"
    await decided(table, {number: ada}, [first, second, third])
    await table.until(lambda: table.shows(f"took {number}"))
    await table.goes_on()
    await table.puts_back()


async def test_a_deadline_that_passed_while_away_is_moved_to_after_the_new_table(wire, tables):
    table = tables["ended"]
    fay, gus = table.people
    wire.choose({**PATIENT, "idle_ms": IDLE_MS})
    await table.race()
    with wire.faults.on(HISTORY, hanging()):
        await wire.loses_its_session()
        number, other = table.free()[:2]
        in_time = fay.say(str(number))
        await asyncio.sleep(1.2 * IDLE_MS / 1000)
        too_late = gus.say(str(other))
    await table.until(lambda: table.greetings() == 1)
    await table.until(lambda: table.recorded(in_time.id))
    assert table.stage is Stage.RACE
    await table.until(lambda: table.stage is Stage.CHECK)
    assert not table.recorded(too_late.id)
    (_, shown), (_, ended) = [table.lines(kind)[-1] for kind in ("shown", "tick")]
    assert ms_of(ended) - ms_of(shown) > 0.9 * IDLE_MS


async def test_a_deadline_does_not_pass_while_the_connection_is_broken(wire, tables):
    """A resumed session brings everything: the race ends when it would have ended anyway."""
    table = tables["resumed"]
    ida, jo = table.people
    wire.choose({**PATIENT, "idle_ms": IDLE_MS})
    await table.race()
    with wire.faults.on(CONNECT, hanging()) as rule:
        wire.gateway.close_connections()
        await wire.until(lambda: rule.met)
        number, other = table.free()[:2]
        in_time = ida.say(str(number))
        await asyncio.sleep(1.2 * IDLE_MS / 1000)
        too_late = jo.say(str(other))
        assert table.stage is Stage.RACE
    await table.until(lambda: table.stage is not Stage.RACE)
    assert table.recorded(in_time.id)
    assert not table.recorded(too_late.id)
    assert table.lines("rox.claim", "tick")[1:3] == [
        ("rox.claim", in_time.id),
        ("tick", timer_id(ms_of(in_time.id) + IDLE_MS)),
    ]
    assert table.greetings() == 0


async def test_hundreds_of_messages_typed_while_away_are_decided_in_the_order_of_their_ids(
    wire, tables
):
    """Claims among chat, edited messages, strangers and bots, over several pages of history."""
    table, random = tables["many"], Random(SEED)
    print(f"seed {SEED}")  # noqa: T201 - shown when the test fails
    stranger = wire.loopback.person("Stranger", "many")
    other_bot = wire.world.add_application("Other").user.id
    known, greeted = table.count("rox.claim"), table.greetings()
    wire.gateway.invalidate_sessions()
    before = len(table.texts())
    claims = []
    while len(table.texts()) - before < MANY:
        claims += something(table, stranger, other_bot, random)
    await table.until(lambda: table.recorded(claims[-1]))
    assert [claim for _, claim in table.lines("rox.claim")[known:]] == claims
    here = f"/channels/{table.channel_id}/messages"
    pages = [call for call in wire.faults.calls if (call.method, call.path) == ("GET", here)]
    assert len(pages) >= MANY // 100
    await table.until(lambda: table.greetings() == greeted + 1)
    await table.goes_on()


def something(table, stranger, other_bot, random):
    """Somebody writes something; return the ids of the claims in it."""
    person, number, kind = random.choice(table.people), random.randint(10, 69), random.random()
    if kind < 0.3:
        claim = person.say(str(number))
        person.say("0")  # so that no row comes to six cards
        return [claim.id]
    if kind < 0.6:
        person.say(f"is it {number}?")
    elif kind < 0.75:
        person.edit(person.say("hi").id, str(number))
    elif kind < 0.9:
        stranger.say(str(number))
    else:
        table.wire.world.create_message(table.channel_id, other_bot, str(number))
    return []
