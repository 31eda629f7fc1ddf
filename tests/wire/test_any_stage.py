"""What only real requests and a real session can show: kept files, and a server that is missing."""

import discord
import pytest

from game.match import Phase
from game.rox.state import Stage
from tests.kit.wire.faults import kept, refused
from tests.kit.wire.match import hosted
from tests.kit.wire.process import connected, said

pytestmark = [
    pytest.mark.asyncio(loop_scope="module"),
    pytest.mark.usefixtures("unharmed"),
]
CHANNELS = {"pictures": ("Ada", "Ben"), "outage": ("Cy", "Dee")}
RACING = ("pictures", "outage")
TABLE = ["table.png", "last-cards.png"]


async def test_after_a_dozen_edits_exactly_the_present_pictures_remain(wire, tables):
    table = tables["pictures"]
    ada, _ = table.people
    shown, numbers = table.shown().id, table.free()[:7]
    path = f"/channels/{table.channel_id}/messages/{shown}"
    for number in numbers:
        assert "yours" in await said(wire.loopback, ada.slash("rox take", number=number))
        await table.until(lambda: table.shows(f"took {number}"))  # noqa: B023 - it is awaited within the turn
        assert "table again" in await said(wire.loopback, ada.slash("rox back"))
        await table.until(table.is_current)
        assert [a["filename"] for a in table.shown().attachments] == TABLE
    edits = [c for c in wire.faults.calls if (c.method, c.path) == ("PATCH", path)]
    assert len(edits) >= 12
    assert table.shown().id == shown


@pytest.mark.parametrize("how", ["new session", "new process"])
async def test_a_session_that_begins_during_an_outage_of_the_server(wire, tables, how):
    """The server is announced as missing and comes later; until then its calls fail."""
    table = tables["outage"]
    cy, dee = table.people
    number = table.free()[0]
    calls = wire.faults.on(f"* /channels/{table.channel_id}/**", refused(503, 0))
    server = wire.faults.events(kept(), "GUILD_CREATE")
    typed = []

    async def meanwhile():
        typed.extend((cy.say(str(number)), dee.say(str(number))))

    await (wire.restart(meanwhile) if how == "new process" else lost(wire, meanwhile))
    await wire.until(lambda: calls.met)
    assert table.match.phase is Phase.PLAYING
    assert not table.recorded(typed[0].id)
    calls.lift()
    server.lift()
    await table.until(lambda: all(table.recorded(message.id) for message in typed))
    assert table.owner(number) is cy
    assert table.status == ("open", None, 0)
    await table.until(lambda: table.stage is Stage.RACE)
    await table.goes_on()
    await table.puts_back()


async def lost(wire, meanwhile):
    """Lose the session, and let something happen before the next one."""
    await wire.loses_its_session()
    await meanwhile()


async def test_message_content_that_is_switched_off_in_mid_match(tmp_path):
    """The next session is refused; the bot says so, goes on without, and commands play on."""
    async with hosted(tmp_path) as wire:
        table = wire.table("rox-table", "Eve", "Fay")
        await table.race()
        eve, fay = table.people
        first = await table.takes(eve)
        wire.gateway.disallowed_intents = discord.Intents(message_content=True).value
        wire.gateway.drop_sessions()
        await wire.bot.tells("message content intent is switched off")
        await connected(wire.loopback)
        await table.until(lambda: table.greetings() == 1)
        number, other = table.free()[:2]
        typed = fay.say(str(number))
        assert f"{other} is yours" in await said(wire.loopback, fay.slash("rox take", number=other))
        assert not table.recorded(typed.id)
        assert (table.owner(first), table.owner(number), table.owner(other)) == (eve, None, fay)
        assert table.status == ("open", None, 0)
