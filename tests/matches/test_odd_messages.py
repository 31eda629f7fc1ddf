"""What people type, and what becomes of it later: odd writing, changes, pins, deletions."""

from __future__ import annotations

import pytest
from simcord.backend import serializers

from bot.games.look import LOOK_SECTION, Look
from game.rox.state import Stage
from tests.kit.observed import reaction_calls
from tests.kit.server import choose_settings, overwrite_permissions
from tests.kit.table import REST_S

ARABIC, FULL_WIDTH = ("".join(chr(zero + n) for n in range(10)) for zero in (0x660, 0xFF10))

CHAT = (
    *("give me {}", "{} minutes", "**{}**", "-{}", "+{}", "({})", "{}.0", "1{}", "{}?", "{} {}"),
    *("1_2", "²", "①", "¹²", "9" * 1_000, "#{}.", "`{}`"),
)


def in_digits(number, digits):
    return "".join(digits[int(digit)] for digit in str(number))


def claims(world):
    return world.rows("select count(*) from actions where kind = 'rox.claim'")[0][0]


async def test_chat_with_a_number_in_it_costs_nothing_even_with_instant_checking(world, table):
    ada, bo, *_ = world.people
    await table.race([ada, bo], checking="instant")
    before, wrong = table.game, table.wrong(ada)
    await table.burst([(ada, text.format(wrong, wrong)) for text in CHAT])
    assert table.game == before
    assert claims(world) == 0
    await table.type(ada, table.right(ada))
    assert len(table.row(ada)) == 2, "the hand is free"


@pytest.mark.parametrize(
    "form",
    ["#{}", "{}.", "{}!", "{}\n", "\u00a0{}\u00a0", "\u200b{}\ufeff", "arabic", "full width"],
)
async def test_other_ways_to_write_a_number_take_the_card(world, table, form):
    ada, bo, *_ = world.people
    await table.race([ada, bo])
    number = table.right(ada)
    digits = {"arabic": ARABIC, "full width": FULL_WIDTH}.get(form)
    await table.type(ada, in_digits(number, digits) if digits else form.format(number))
    assert table.row(ada)[1:] == [number]


def update(world, table, message_id, **changes):
    """Let Discord tell of a change of a message, with the whole message in it."""
    backend = world.env.backend
    payload = serializers.message_payload(
        backend, backend.get_message(table.channel.id, message_id)
    )
    backend.emit("MESSAGE_UPDATE", {**payload, **changes})


@pytest.mark.parametrize(
    "changes",
    [{"pinned": True}, {"embeds": [{"type": "link", "title": "42"}]}, {"flags": 1 << 2}],
    ids=["pin", "embed", "embeds hidden"],
)
@pytest.mark.parametrize("heard", [True, False])
async def test_an_update_of_a_claim_is_no_claim(world, table, changes, heard):
    """The card that it took was put back; or it was never heard of, and is no new message."""
    ada, bo, *_ = world.people
    await table.race([ada, bo])
    number = table.right(ada)
    if heard:
        message = (await table.type(ada, number)).id
        await table.type(ada, "0")
        await table.advance(REST_S)
    else:
        message = table.unheard(ada, number)
    known = claims(world)
    update(world, table, message, **changes)
    await table.advance(1)
    assert table.owner(number) is None
    assert claims(world) == known


async def test_a_claim_that_is_changed_into_another_one_stays_what_it_was(world, table):
    """Before it is decided, and afterwards."""
    ada, bo, *_ = world.people
    await table.race([ada, bo])
    number = table.right(ada)
    other = table.right(ada, but=[number])
    with world.unsettled():
        message = await ada.send(table.channel, str(number))
        await ada.edit(message, str(other))
    await table.advance(REST_S)
    assert table.row(ada)[1:] == [number]
    await ada.edit(message, str(other))
    await table.advance(1)
    assert table.row(ada)[1:] == [number]
    assert claims(world) == 1


async def test_a_refused_claim_that_is_deleted_before_it_is_marked_holds_up_nothing(world, table):
    ada, bo, *_ = world.people
    overwrite_permissions(world, table, add_reactions=True)
    await table.race([ada, bo])
    gone = table.row(bo)[0]
    with world.unsettled():
        message = await ada.send(table.channel, str(gone))
        await ada.delete(message)
    await table.advance(2)
    assert len(reaction_calls(world)) == 1
    assert f"{gone} is" in table.texts()
    number = table.right(ada)
    await table.type(ada, number)
    assert table.row(ada)[1:] == [number]


@pytest.mark.parametrize("left", [0, 1, 3])
async def test_claims_that_their_authors_delete_first_do_not_keep_a_channel_untidy(
    world, table, left
):
    ada, bo, *_ = world.people
    overwrite_permissions(world, table, manage_messages=True)
    await choose_settings(world, LOOK_SECTION, Look(tidy=True))
    await table.race([ada, bo])
    await table.rows({ada: "rr", bo: "rr"})
    typed = [m for m in table.messages if m.content.isdecimal()]
    assert len(typed) == 4
    for message in typed[left:]:
        world.env.backend.delete_message(table.channel.id, message.id)
    await table.rows({ada: "rrr"})
    await table.until(lambda: table.stage is Stage.BREAK)
    await table.advance(3)
    assert not [m for m in table.messages if m.content.isdecimal()]
    assert "Ada calls Rox!" in table.texts()
