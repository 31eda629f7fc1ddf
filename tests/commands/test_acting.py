"""`/rox take`, `back`, `table`, `stop`: they do what others type or press, and tell the outcome."""

import pytest
import simcord

from game.match import Phase
from tests.kit.table import ACT_S, REST_S, answer_of

NO_MATCH = "No match is open in this channel. /rox play opens one."


async def test_take_takes_a_card(table, ada, bo):
    await table.race([ada, bo])
    number = table.right(ada)
    assert await table.slash(ada, "take", number=number) == f"{number} is yours."
    assert table.row(ada)[-1] == number
    await table.advance(2)
    assert f"Ada took {number}" in table.texts()


async def test_take_of_a_card_that_is_gone_says_whose_it_is(table, ada, bo):
    await table.race([ada, bo])
    number = table.right(ada)
    await table.slash(ada, "take", number=number)
    assert await table.slash(bo, "take", number=number) == f"Too late: Ada has {number}."
    start = table.row(ada)[0]
    assert await table.slash(bo, "take", number=start) == f"Too late: Ada has {start}."
    await table.advance(REST_S)
    assert await table.slash(ada, "take", number=number) == f"{number} is in your row already."


async def test_take_with_a_busy_hand_says_how_long(table, ada, bo):
    await table.race([ada, bo])
    await table.slash(ada, "take", number=table.right(ada))
    answer = await table.slash(ada, "take", number=table.right(ada))
    assert answer.startswith("Your hand is busy for another 1.9 s")
    assert len(table.row(ada)) == 2


async def test_take_of_a_wrong_stone_where_checking_is_instant(table, ada, bo):
    await table.race([ada, bo], checking="instant")
    number = table.wrong(ada)
    answer = await table.slash(ada, "take", number=number)
    assert answer == f"{number} is the wrong stone. Count again; you can claim in 5 s."
    assert len(table.row(ada)) == 1


@pytest.mark.parametrize("number", [9, 70, -12, 1042])
async def test_a_number_out_of_range_cannot_be_sent(table, ada, bo, number):
    await table.race([ada, bo])
    with pytest.raises(simcord.SetupError, match="number"):
        await table.slash(ada, "take", number=number)


async def test_back_puts_the_last_card_back(table, ada, bo):
    await table.race([ada, bo])
    assert "start card" in await table.slash(ada, "back")
    number = table.right(ada)
    await table.slash(ada, "take", number=number)
    assert await table.slash(ada, "back") == f"{number} lies on the table again."
    assert len(table.row(ada)) == 1
    assert table.owner(number) is None


@pytest.mark.parametrize(("command", "options"), [("take", {"number": 42}), ("back", {})])
async def test_without_a_match_a_race_or_a_seat_it_says_so(world, table, command, options):
    ada, bo, stranger, *_ = world.people
    assert await table.slash(ada, command, **options) == NO_MATCH
    await table.open([ada, bo])
    in_lobby = await table.slash(ada, command, **options)
    assert in_lobby != NO_MATCH
    assert in_lobby.endswith((".", "!"))
    await table.press(ada, "Start")
    assert await table.slash(ada, command, **options) == "No race is open right now. Wait for Rox!"
    await table.to_race()
    assert await table.slash(stranger, command, **options) == "You have no seat in this match."
    assert [len(hand.row) for hand in table.game.hands] == [1, 1]


async def test_typed_and_slash_claims_are_decided_in_the_order_of_their_ids(world, table, ada, bo):
    await table.race([ada, bo])
    number = table.right(ada)
    async with world.at_once():
        table.say(bo, number)
        result = await ada.slash(table.channel, "rox take", number=number)
    assert answer_of(result) == f"Too late: Bo has {number}."


async def test_table_posts_the_table_again_and_the_old_one_goes(table, ada, bo):
    await table.race([ada, bo])
    before = table.newest
    await table.type(bo, "some chat between")
    assert await table.slash(ada, "table") == "Here it comes."
    await table.advance(2)
    after = table.newest
    assert after.id > before.id
    assert before.id not in [m.id for m in table.messages]
    assert [a.filename for a in after.attachments] == ["table.png", "last-cards.png"]
    assert table.match.post.id == after.id
    number = table.right(ada)
    await table.type(ada, number)
    assert table.row(ada)[-1] == number


async def test_table_twice_in_a_row_is_asked_to_wait(world, table, ada, bo):
    other = world.table("other")
    await table.race([ada, bo])
    await other.open([world.people[2]])
    await table.slash(ada, "table")
    await table.advance(1)
    posts = len(table.messages)
    assert await table.slash(bo, "table") == "Easy! Try that again in 4 seconds."
    assert len(table.messages) == posts
    assert await other.slash(ada, "table") == "Here it comes."
    await table.advance(4)
    assert await table.slash(bo, "table") == "Here it comes."


async def test_table_without_a_match(table, ada):
    assert await table.slash(ada, "table") == NO_MATCH


@pytest.mark.parametrize("phase", ["lobby", "ready", "race", "break"])
async def test_table_shows_whatever_is_there(table, ada, bo, phase):
    await table.open([ada, bo])
    if phase != "lobby":
        await table.press(ada, "Start")
        await table.advance(1)
    if phase == "race":
        await table.to_race()
    if phase == "break":
        await table.round({ada: "rrrrr", bo: ""})
    before, text = table.newest, table.texts().splitlines()[0]
    await table.slash(bo, "table")
    await table.until(lambda: table.newest.id > before.id, limit=6)
    assert table.texts().splitlines()[0] == text


async def test_the_host_stops_a_lobby_and_others_may_not(world, table, ada, bo):
    assert await table.slash(ada, "stop") == NO_MATCH
    await table.open([ada, bo])
    refused = await table.slash(bo, "stop")
    assert refused == "Only Ada, or somebody who manages the channel, can stop it now."
    assert await table.slash(ada, "stop") == "The match is stopped."
    assert table.is_free
    await table.advance(2)
    assert "cancelled" in table.texts()
    assert table.buttons() == []


async def test_stopping_after_a_check_takes_everybody(world, table, ada, bo):
    await table.start([ada, bo, world.people[2]])
    await table.round({ada: "rrrrr", bo: ""})
    first = await table.slash(ada, "stop")
    assert first == "Noted. 2 more players have to agree within a minute."
    await table.advance(2)
    assert "Wants to stop: 🔶 Ada. 2 more players have to agree" in table.texts()
    second = await table.slash(bo, "stop")
    assert second == "Noted. One more player has to agree within a minute."
    assert table.match.phase is Phase.PLAYING
    assert await table.slash(world.people[2], "stop") == "The match is stopped."
    assert table.is_free


async def test_an_answer_that_is_late_is_still_given(world, table, ada, bo):
    """The command is acknowledged at once, whatever its answer has to wait for."""
    await table.race([ada, bo])
    result = await ada.slash(table.channel, "rox take", number=table.right(ada))
    assert result.acknowledged
    assert result.deferred
    await table.advance(ACT_S)
    assert answer_of(result).endswith("is yours.")
