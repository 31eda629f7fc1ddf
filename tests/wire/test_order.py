"""Events that arrive late, out of order, or several times, at the bot in its own process."""

import asyncio

import pytest

from game.actions import Join
from tests.kit.wire.faults import kept, repeated
from tests.kit.wire.process import said

pytestmark = [
    pytest.mark.asyncio(loop_scope="module"),
    pytest.mark.usefixtures("unharmed"),
]
SETTLE_MS = 300
LATE_S = SETTLE_MS / 1000 / 5
"""Well within the settle time, also where the machine has other things to do."""
CHANNELS = {
    "order": ("Ada", "Ben"),
    "late": ("Cy", "Dee"),
    "chat": ("Eve", "Fay"),
    "twice": ("Gus", "Hal", "Ida"),
}
RACING = ("order", "late", "chat")


def of(*people):
    """Events in which one of these people did something."""
    ids = {str(person.id) for person in people}
    return lambda event: (
        str((event.data.get("author") or event.data["member"]["user"])["id"]) in ids
    )


async def test_the_smaller_id_wins_in_any_order_of_arrival(wire, tables):
    table = tables["order"]
    ada, ben = table.people
    for first, second in ((ada, ben), (ben, ada), (ada, ben), (ben, ada)):
        number = table.free()[0]
        with wire.faults.events(kept(), "MESSAGE_CREATE", only=of(first)):
            winner = first.say(str(number))
            loser = second.say(str(number))
            await asyncio.sleep(LATE_S)
        await table.until(lambda: table.recorded(winner.id) and table.recorded(loser.id))  # noqa: B023 - it is awaited within the turn
        assert table.owner(number) is first
    assert [len(table.row(person)) for person in table.people] == [3, 3]


async def test_commands_and_messages_are_ordered_alike(wire, tables):
    table = tables["order"]
    ada, ben = table.people
    number = table.free()[0]
    with wire.faults.events(kept(), "INTERACTION_CREATE"):
        asked = ben.slash("rox take", number=number)
        typed = ada.say(str(number))
        await asyncio.sleep(LATE_S)
    await table.until(lambda: table.recorded(typed.id) and table.recorded(asked.id))
    assert table.owner(number) is ben
    assert f"{number} is yours" in await said(wire.loopback, asked)


async def test_what_arrives_too_late_changes_nothing(wire, tables):
    table = tables["late"]
    cy, dee = table.people
    number = table.free()[0]
    with wire.faults.events(kept(), "MESSAGE_CREATE", only=of(cy)):
        earlier = cy.say(str(number))
        await table.takes(dee, number)
    await table.until(lambda: table.recorded(earlier.id))
    assert table.owner(number) is dee
    assert len(table.row(cy)) == 1
    await table.until(lambda: table.shows(f"{number} is"))


async def test_only_new_messages_of_people_are_claims(wire, tables):
    table = tables["chat"]
    eve, fay = table.people
    number, other = table.free()[:2]
    world, channel = wire.world, table.channel_id

    eve.edit(eve.say("hi").id, str(number))
    claim = eve.say(str(other))
    await table.until(lambda: table.recorded(claim.id))
    eve.say("0")
    await table.until(lambda: table.count("rox.back") == 1)
    # It was a claim once; when it is pinned, or gets an embed, the whole message comes again.
    world.set_pinned(channel, claim.id, True, actor_id=fay.id)
    world.edit_message(channel, claim.id, {"embeds": [{"title": "An embed"}]})
    stranger = wire.loopback.person("Stranger", "chat")
    stranger.say(str(number))
    webhook = world.create_webhook(channel, "Hook", eve.id)
    world.create_message(channel, webhook.id, str(number), webhook_id=webhook.id)
    other_bot = world.add_application("Other")
    world.create_message(channel, other_bot.user.id, str(number))

    last = await table.takes(fay, table.free()[2])
    assert table.row(eve)[1:] == []
    assert table.row(fay)[1:] == [last]
    assert table.count("rox.claim") == 2


async def test_what_arrives_several_times_counts_once(wire, tables):
    table = tables["twice"]
    gus, hal, ida = table.people
    with wire.faults.events(repeated(3)) as rule:
        await table.race()
        first, second = table.free()[:2]
        await table.takes(gus, first)
        await table.takes(hal, second)
        number = table.free()[0]
        taken = ida.slash("rox take", number=number)
        assert f"{number} is yours" in await said(wire.loopback, taken)
        await table.press(gus, "Put back")
        await table.until(lambda: table.row(gus)[1:] == [])
        hal.say("0")
        await table.until(lambda: table.row(hal)[1:] == [])
        await table.press(ida, "My card")
        await ida.wait_for_message("Your last card")
        await table.goes_on()
    assert {event.name for event in rule.met} > {"MESSAGE_CREATE", "INTERACTION_CREATE"}
    assert table.count(Join.kind) == 2
    assert table.count("start") == 1
    assert table.count("rox.back") == 2
    assert table.count("rox.claim") == 4
    assert len([m for m in ida.messages() if "Your last card" in str(m.components)]) == 1
