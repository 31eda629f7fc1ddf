"""The channel shows the newest state with exactly its pictures, in as few calls as possible."""

import asyncio

import discord
import pytest

from game.match import Phase
from game.rox.state import Stage
from tests.kit.table import ACT_S, REST_S

TABLE = ["table.png", "last-cards.png"]


@pytest.fixture
def ada(world):
    return world.people[0]


@pytest.fixture
def bo(world):
    return world.people[1]


def names(message):
    return [attachment.filename for attachment in message.attachments]


def calls(world, method, path="/messages"):
    return [r for r in world.env.http_requests if r.method == method and path in r.path]


def uploads(request):
    """How many new files a request brings; kept ones are named by their snowflakes."""
    described = (request.json or {}).get("attachments", [])
    return len([a for a in described if int(a["id"]) < 1000])


async def test_after_any_number_of_edits_exactly_the_present_pictures_remain(world, table, ada, bo):
    await table.race([ada, bo])
    shown = table.newest.id
    before = len(calls(world, "PATCH"))
    for _ in range(12):
        await table.slash(ada, "take", number=table.right(ada))
        await table.advance(REST_S)
        await table.slash(ada, "back")
        await table.advance(REST_S)
    assert table.newest.id == shown
    assert len(calls(world, "PATCH")) - before >= 12
    assert names(table.newest) == TABLE
    galleries = [item for c in table.newest.components for item in media(c.to_dict())]
    assert len(galleries) == 2
    assert all(a.description for a in table.newest.attachments)


def media(component):
    found = [item["media"]["url"] for item in component.get("items", ())]
    for child in component.get("components", ()):
        found += media(child)
    return found


async def test_pictures_that_have_not_changed_are_not_sent_again(world, table, ada, bo):
    await table.race([ada, bo])
    ids = [attachment.id for attachment in table.newest.attachments]
    count = len(calls(world, "PATCH"))
    # A claim in vain changes the line of last claims and no picture.
    await table.type(bo, table.row(ada)[0])
    await table.advance(3)
    edits = calls(world, "PATCH")[count:]
    assert len(edits) == 1
    assert uploads(edits[0]) == 0
    assert [attachment.id for attachment in table.newest.attachments] == ids
    assert "is gone" in table.texts()
    await table.type(ada, table.right(ada))
    await table.advance(3)
    assert all(a.id not in ids for a in table.newest.attachments)


async def test_the_check_keeps_what_it_can(world, table, ada, bo):
    await table.start([ada, bo])
    await table.round({ada: "rrrrr", bo: ""})
    await table.advance(2)
    assert names(table.newest) == ["check.png"]
    (kept,) = table.newest.attachments
    await table.press(ada, "Ready")
    await table.advance(2)
    assert "(1 of 2)" in table.texts()
    assert [a.id for a in table.newest.attachments] == [kept.id]


async def test_a_burst_is_shown_in_few_edits_and_ends_with_the_last_state(world, table, ada, bo):
    await table.race([ada, bo])
    count = len(calls(world, "PATCH"))
    taken = table.row(ada)[0]
    for _ in range(20):
        await table.burst([(bo, taken)])
    number = table.right(ada)
    await table.type(ada, number)
    await table.advance(6)
    assert len(calls(world, "PATCH")) - count < 12
    assert f"Ada took {number}" in table.texts()
    free = {n for numbers in table.reading().free.values() for n in numbers}
    assert number not in free


async def test_what_is_shown_is_what_is_true_at_every_rest(world, table, ada, bo):
    await table.race([ada, bo])
    for _ in range(4):
        await table.type(ada, table.right(ada))
        await table.advance(REST_S)
        free = {n for numbers in table.reading().free.values() for n in numbers}
        assert free == {n for n in range(10, 70) if table.owner(n) is None}


async def test_the_get_ready_post_goes_once_the_table_is_posted(world, table, ada, bo):
    await table.start([ada, bo])
    await table.advance(1)
    ready = table.newest
    assert names(ready) == ["covered.png"]
    gone_at = []
    world.env.backend.subscribers.append(
        lambda event, payload: (
            gone_at.append(list(table.channel.history()))
            if event == "MESSAGE_DELETE" and int(payload["id"]) == ready.id
            else None
        )
    )
    await table.to_race()
    assert ready.id not in [m.id for m in table.messages]
    # It went after the table was posted: one of them is always there.
    ((*_, last),) = gone_at
    assert names(last) == TABLE


async def test_what_stays_in_the_channel_is_readable_and_has_no_buttons(world, table, ada, bo):
    await table.start([ada, bo])
    await table.round({ada: "rrrrr", bo: "r"})
    await table.next_round([ada, bo])
    await table.to_race()
    shown = [m for m in table.messages if m.components]
    assert [table.texts(m).splitlines()[0] for m in shown] == [
        "Rox: who plays?",
        "Round 1 of 5",
        "Round 1: 🔶 Ada calls Rox!",
        "Round 2 of 5",
    ]
    assert [table.buttons(m) for m in shown[:-1]] == [[], [], []]
    assert names(shown[1]) == TABLE
    assert names(shown[2]) == ["check.png"]
    assert "in 0 s" not in table.texts(shown[2])


async def test_posts_carry_nonces_and_none_comes_twice(world, table, ada, bo):
    await table.start([ada, bo])
    await table.advance(1)
    await world.restart()
    await table.to_race()
    await table.slash(ada, "table")
    await table.advance(6)
    posts = [r.json for r in calls(world, "POST") if r.path.endswith("/messages")]
    nonces = [body["nonce"] for body in posts if body.get("components")]
    assert len(nonces) >= 4
    assert len(set(nonces)) == len(nonces)
    assert all(1 <= len(nonce) <= 25 for nonce in nonces)


async def test_a_repeated_attempt_at_one_post_repeats_its_nonce(world, table, ada, bo):
    world.env.inject_error("POST", f"/channels/{table.channel.id}/messages", times=1)
    await table.slash(ada, "play")
    await table.advance(3)
    posts = [r.json["nonce"] for r in calls(world, "POST") if r.path.endswith("/messages")]
    assert len(posts) == 2
    assert posts[0] == posts[1]
    assert table.buttons()[0] == "Join"


async def test_a_post_that_comes_too_late_is_not_mistaken_for_what_is_wanted(
    world, table, ada, bo, monkeypatch
):
    """The get-ready post is held up until its time is over: the table follows all the same."""
    await table.open([ada, bo])
    send, late = discord.PartialMessageable.send, [7.0]

    async def slowly(self, **options):
        await asyncio.sleep(late.pop() if late else 0)
        return await send(self, **options)

    monkeypatch.setattr(discord.PartialMessageable, "send", slowly)
    await table.press(ada, "Start")
    await table.advance(8)
    await table.until(lambda: table.stage is Stage.RACE, limit=20)
    await table.advance(2)
    assert names(table.newest) == TABLE
    assert [m for m in table.messages if names(m) == ["covered.png"]] == []
    number = table.right(ada)
    await table.type(ada, number)
    assert table.row(ada)[-1] == number


@pytest.mark.parametrize("phase", ["lobby", "race", "break"])
async def test_a_message_that_a_moderator_deletes_is_posted_again(world, table, ada, bo, phase):
    await table.open([ada, bo])
    await table.advance(6)
    if phase != "lobby":
        await table.press(ada, "Start")
        await table.to_race()
    if phase == "break":
        await table.rows({ada: "rrrrr"})
        await table.until(lambda: table.stage is Stage.BREAK)
    await table.advance(2)
    first = table.texts().splitlines()[0]
    gone = table.newest.id
    world.env.backend.delete_message(table.channel.id, gone)
    await table.advance(1)
    assert table.newest.id > gone
    assert table.texts().splitlines()[0] == first
    if phase != "lobby":
        assert table.match.phase is Phase.PLAYING


async def test_a_channel_that_a_moderator_empties_gets_its_table_back(world, table, ada, bo):
    await table.race([ada, bo])
    gone = [message.id for message in table.messages]
    world.env.backend.bulk_delete_messages(table.channel.id, gone)
    await table.advance(1)
    assert names(table.newest) == TABLE
    assert len([m for m in table.messages if m.components]) == 1


async def test_a_podium_that_a_moderator_deletes_stays_away(world, table, ada, bo):
    await table.start([ada, bo])
    while table.match.phase is not Phase.OVER:
        await table.round({ada: "rrrrr", bo: "r"})
    await table.advance(2)
    before = len(table.messages)
    world.env.backend.delete_message(table.channel.id, table.newest.id)
    await table.advance(700)
    assert len(table.messages) == before - 1


async def test_a_message_that_goes_unheard_comes_back_with_the_next_change(world, table, ada, bo):
    await table.race([ada, bo])
    gone = table.newest.id
    with world.silence():
        world.env.backend.delete_message(table.channel.id, gone)
    await table.type(ada, table.right(ada))
    await table.advance(6)
    assert table.newest.id > gone


async def test_a_deleted_table_comes_back_when_somebody_asks_for_it(world, table, ada, bo):
    await table.race([ada, bo])
    gone = table.newest.id
    world.env.backend.delete_message(table.channel.id, gone)
    await table.slash(bo, "table")
    await table.until(lambda: names(table.newest) == TABLE and table.newest.id > gone, limit=6)
    number = table.right(ada)
    await table.type(ada, number)
    assert table.row(ada)[-1] == number


async def test_a_system_message_is_no_claim(world, table, ada, bo):
    """Opening a thread that is named like a number is no claim."""
    await table.race([ada, bo])
    number = table.right(ada)
    world.env.backend.create_thread(table.channel.id, str(number), ada.id)
    await world.env.settle()
    await table.advance(1)
    assert [m for m in table.messages if m.content == str(number)]
    assert table.owner(number) is None
    reply = await ada.send(table.channel, str(number), reply_to=table.newest)
    await table.advance(ACT_S)
    assert reply.type.name == "reply"
    assert table.row(ada)[-1] == number
