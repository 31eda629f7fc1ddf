"""Calls that Discord refuses, fails to carry out, or carries out without an answer."""

import discord
import pytest

from game.match import Phase
from game.rox.state import Stage
from tests.kit.wire.faults import (
    ANSWER,
    CALLBACK,
    DELETE,
    EDIT,
    POST,
    REACT,
    hung_up,
    lost,
    refused,
    repeated,
)
from tests.kit.wire.process import said

pytestmark = [
    pytest.mark.asyncio(loop_scope="module"),
    pytest.mark.usefixtures("unharmed"),
]
EPHEMERAL = discord.MessageFlags(ephemeral=True).value
CHANNELS = {
    "edits": ("Ada", "Ben"),
    "posts": ("Cy", "Dee"),
    "doubled": ("Eve", "Fay"),
    "answers": ("Gus", "Hal"),
}
RACING = ("edits", "posts", "answers")


def unanswered_at_first():
    """Every message is posted, but its first answer never arrives."""
    nonces = set()

    async def happen(request, serve, _lifted):
        answer = serve(request)
        nonce = request.body.get("nonce")
        if nonce is not None and nonce not in nonces:
            nonces.add(nonce)
            raise ConnectionResetError
        return answer

    return happen


async def test_a_deleted_message_is_posted_again(wire, tables):
    table = tables["edits"]
    before = table.shown().id
    with wire.faults.on(EDIT, refused(404), times=1) as rule:
        await table.goes_on()
    assert rule.met
    assert table.shown().id > before
    await table.puts_back()


@pytest.mark.parametrize(
    "fault",
    [refused(500), refused(503), refused(502, body=False), hung_up(), lost()],
    ids=["500", "503", "502", "reset", "lost"],
)
async def test_edits_that_fail_for_a_while_are_made_good(wire, tables, fault):
    table = tables["edits"]
    with wire.faults.on(EDIT, fault, times=1) as rule:
        await table.goes_on()
    assert rule.met
    await table.puts_back()


async def test_posts_that_are_forbidden_pause_the_match_until_somebody_asks_for_it(wire, tables):
    table = tables["posts"]
    cy, dee = table.people
    taken = await table.takes(dee)
    with wire.faults.on(POST, refused(403)), wire.faults.on(EDIT, refused(403)):
        await table.takes(cy)
        await table.until(lambda: table.match.phase is Phase.PAUSED)
    assert await said(wire.loopback, cy.slash("rox table")) == "Here it comes."
    await table.until(lambda: table.stage is Stage.RACE)
    assert table.owner(taken) is dee
    await table.goes_on()
    await table.puts_back()


async def test_lost_answers_double_no_message_and_no_press(wire, tables):
    """From the lobby to the second round: each post and press is carried out once."""
    table = tables["doubled"]
    eve, fay = table.people
    with (
        wire.faults.events(repeated(1), "MESSAGE_CREATE", only=by_a_bot) as created,
        wire.faults.on(POST, unanswered_at_first()) as posts,
        wire.faults.on(DELETE, lost(), times=1),
        wire.faults.on(REACT, lost(), times=1),
    ):
        await table.open()
        with wire.faults.on(CALLBACK, lost(), times=1) as press:
            eve.press(table.shown().id, "Start")
            await table.until(lambda: table.stage is Stage.RACE)
        assert press.met
        await table.takes(fay)
        late = eve.say(str(table.row(fay)[1]))
        await table.until(lambda: table.recorded(late.id))
        while len(table.row(eve)) < 5:
            await table.takes(eve)
        eve.say(str(table.free()[0]))
        await table.until(lambda: table.stage is Stage.BREAK)
        await table.until(lambda: "Ready" in table.buttons())
        for person in table.people:
            person.press(table.shown().id, "Ready")
        await table.until(lambda: table.stage is Stage.RACE)
        await table.goes_on()
    assert table.count("start") == 1
    assert table.count("rox.ready") == 2
    nonces = [call.body["nonce"] for call in posts.met]
    assert len(nonces) == 2 * len(set(nonces)), "each is posted twice, as the first seemed lost"
    assert len(created.met) == len(set(nonces)) >= 4


BROKEN = pytest.mark.parametrize("fault", [lost(), hung_up()], ids=["lost", "reset"])


@BROKEN
@pytest.mark.parametrize(
    ("command", "told"),
    [
        ("rox stats", "You have no finished match here yet. `/rox play` opens one!"),
        ("rox back", "You hold your start card only; that one stays."),
    ],
)
async def test_a_command_is_answered_though_the_connection_breaks_as_it_is_acknowledged(
    wire, tables, fault, command, told
):
    gus, _ = tables["answers"].people
    with wire.faults.on(CALLBACK, fault, times=1) as rule:
        assert await said(wire.loopback, gus.slash(command)) == told
    assert rule.met


@BROKEN
async def test_a_press_is_answered_though_the_connection_breaks_as_it_is_acknowledged(
    wire, tables, fault
):
    table = tables["answers"]
    stranger = wire.loopback.person("Stranger", "answers")
    words = [m for m in stranger.messages() if "You have no seat" in m.content]
    with wire.faults.on(CALLBACK, fault, times=1) as rule:
        stranger.press(table.shown().id, "Put back")
        await wire.world.wait_until(
            lambda: (
                len([m for m in stranger.messages() if "You have no seat" in m.content])
                > len(words)
            )
        )
    assert rule.met


def by_a_bot(event):
    return event.data["author"].get("bot", False) and not event.data["flags"] & EPHEMERAL


async def test_a_press_that_can_t_be_acknowledged_counts_all_the_same(wire, tables):
    table = tables["answers"]
    gus, hal = table.people
    number = table.free()[0]
    with wire.faults.on(CALLBACK, refused(404, 10062, "Unknown interaction")) as rule:
        asked = gus.slash("rox take", number=number)
        await table.until(lambda: table.recorded(asked.id))
        assert table.owner(number) is gus
        press = gus.press(table.shown().id, "Put back")
        await table.until(lambda: table.recorded(press.id))
        hal.slash("rox stats")
        await table.until(lambda: len(rule.met) >= 3)
    await table.goes_on()
    await table.puts_back()


async def test_a_token_that_edits_no_more_gives_way_to_the_channel(wire, tables):
    table = tables["answers"]
    await table.press(table.host, "My card")
    with wire.faults.on(ANSWER, refused(404, 10015, "Unknown Webhook")) as rule:
        await table.goes_on()
    assert len(rule.met) == 1
    await table.puts_back()
