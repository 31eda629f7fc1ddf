"""Whose card it is: bursts, wrong orders, duplicates, and what is no claim at all."""

from __future__ import annotations

from collections import defaultdict

import pytest

from game.rox.cards import DECK
from game.rox.claims import LOWEST
from game.rox.events import ClaimOutcome
from game.rox.state import Stage, number_of
from tests.kit.failing_calls import slow_posts
from tests.kit.observed import outcomes

INSTANT = {"checking": "instant"}


def last_claims(table):
    """The line of last claims, newest first."""
    line = next(
        line for line in table.texts().splitlines() if " took " in line or "but the" in line
    )
    return line.split(" · ")


async def test_a_burst_of_a_hundred_claims_in_one_tick(world, table):
    """Twenty-five a head on a dozen cards: each card has one owner, the smallest id that could."""
    people = world.people[:4]
    await table.race(people)
    free = [number_of(i) for i in range(60) if table.game.owner[i] is None][:12]
    before = table.game
    lines = [(people[n % 4], free[(n * 7) % 12]) for n in range(100)]
    ids = await table.burst(lines)
    assert ids == sorted(ids)
    assert len(set(ids)) == 100

    # By the rules: the first valid claim wins, and a hand that took a card is busy.
    owners, busy = {}, set()
    for person, number in lines:
        if person not in busy and number not in owners:
            owners[number] = table.seat(person)
            busy.add(person)
    assert len(owners) == 4
    for number in free:
        assert table.owner(number) == owners.get(number)
    for seat in range(4):
        assert len(table.game.hands[seat].row) == len(before.hands[seat].row) + 1
    recorded = world.rows(
        "select action_id, source_id from actions where kind = 'rox.claim' order by seq"
    )
    assert recorded == [(i, i) for i in ids], "refused claims of seated players are recorded too"
    stray = [m for m in table.messages if m.author.id == world.bot.user.id]
    assert len(stray) <= 3, "nothing is answered one by one"


async def test_of_two_claims_on_one_card_in_one_tick_the_first_wins(world, table):
    ada, bo, *_ = world.people
    await table.race([ada, bo])
    number = table.right(ada)
    await table.burst([(bo, number), (ada, number)])
    assert table.owner(number) == 1
    await table.advance(1.1)
    assert last_claims(table)[0].endswith(f"Ada: {number} is gone, 💜 has it")
    assert f"Bo took {number}" in last_claims(table)[1]
    await table.type(ada, table.right(ada))
    assert len(table.row(ada)) == 2, "coming too late costs nothing"


async def test_claims_that_arrive_in_the_wrong_order_are_decided_by_id(world, table):
    ada, bo, cy, *_ = world.people
    await table.race([ada, bo, cy])
    number = table.right(ada)
    first, second, third = (table.unheard(p, number) for p in (ada, bo, cy))
    assert first < second < third
    async with world.at_once():
        for message in (third, first, second):
            table.deliver(message)
    assert table.owner(number) == 0
    assert outcomes(table) == [
        (ClaimOutcome.TAKEN, 0, number),
        (ClaimOutcome.LATE, 1, number),
        (ClaimOutcome.LATE, 2, number),
    ]


@pytest.mark.parametrize("gap", [0.02, 0.05])
async def test_within_the_settle_time_the_smaller_id_wins(world, table, gap):
    ada, bo, *_ = world.people
    await table.race([ada, bo])
    number = table.right(ada)
    early = table.unheard(ada, number)
    await table.advance(0.01)
    table.say(bo, number)
    await table.advance(gap)
    table.deliver(early)
    await table.advance(0.1)
    assert table.owner(number) == 0


async def test_later_than_the_settle_time_it_changes_nothing_already_decided(world, table):
    ada, bo, *_ = world.people
    await table.race([ada, bo])
    number = table.right(ada)
    early = table.unheard(ada, number)
    await table.advance(0.01)
    await table.type(bo, number)
    assert table.owner(number) == 1
    row = table.row(bo)
    table.deliver(early)
    await table.advance(0.1)
    assert table.owner(number) == 1
    assert table.row(bo) == row
    assert outcomes(table)[-1] == (ClaimOutcome.LATE, 0, number)
    other = table.right(ada)
    belated = table.unheard(ada, other)
    await table.type(bo, 11)
    table.deliver(belated)
    await table.advance(0.1)
    assert table.owner(other) == 0, "a late arrival on a free card is still a claim"


async def test_an_event_that_arrives_twice_counts_once(world, table):
    ada, bo, *_ = world.people
    await table.race([ada, bo])
    number = table.right(ada)
    message = await table.type(ada, number)
    await table.advance(2.1)
    async with world.at_once():
        table.deliver(message.id)
        table.deliver(message.id)
    assert outcomes(table) == [(ClaimOutcome.TAKEN, 0, number)]
    await table.type(ada, 0)
    await table.advance(2.1)
    table.deliver(message.id)
    await table.advance(0.1)
    assert table.owner(number) is None, "an old claim does not take the card again"
    assert world.rows("select count(*) from actions where kind = 'rox.claim'") == [(1,)]


async def test_an_edit_is_no_claim(world, table):
    ada, bo, *_ = world.people
    await table.race([ada, bo])
    number = table.right(ada)
    message = await table.type(ada, "hi")
    await ada.edit(message, str(number))
    await table.advance(0.1)
    assert table.owner(number) is None
    # Discord sends some updates as creations again: an edited message is chat.
    table.deliver(message.id)
    await table.advance(0.1)
    assert table.owner(number) is None


async def test_a_deleted_claim_stays_a_claim(world, table):
    ada, bo, *_ = world.people
    await table.race([ada, bo])
    number = table.right(ada)
    with world.unsettled():
        message = await ada.send(table.channel, str(number))
        await ada.delete(message)
    await table.advance(0.1)
    assert table.owner(number) == 0


async def test_webhooks_other_bots_and_onlookers_never_claim(world, table):
    ada, bo, cy, *_ = world.people
    await table.race([ada, bo])
    before = table.game
    number = table.right(ada)
    webhook = world.guild.create_webhook(table.channel)
    await webhook.send(str(number))
    await webhook.send(str(number), username="Ada")
    robot = world.guild.add_member(world.env.create_user("Robot", bot=True))
    await table.type(robot, number)
    await table.type(cy, number)
    await table.type(ada, "12 minutes")
    await table.type(ada, "2")
    await table.type(ada, "¹²")
    await table.type(ada, "9" * 2000)
    assert table.game == before
    assert world.rows("select count(*) from actions where kind = 'rox.claim'") == [(0,)]


async def test_claims_in_another_channel_count_nowhere(world, table):
    ada, bo, *_ = world.people
    other = world.table("other")
    await table.race([ada, bo])
    before = table.game
    await other.type(ada, table.right(ada))
    assert table.game == before


async def test_of_two_sixth_cards_back_to_back_the_smaller_id_calls(world, table):
    ada, bo, *_ = world.people
    await table.race([ada, bo])
    await table.rows({ada: "rrrr", bo: "rrrr"})
    first = table.right(bo)
    second = table.right(ada, but=[first])
    early, late = table.unheard(bo, first), table.unheard(ada, second)
    async with world.at_once():
        table.deliver(late)
        table.deliver(early)
    assert table.stage is Stage.CHECK
    assert table.game.caller == 1
    assert len(table.row(ada)) == 5
    assert table.owner(second) is None, "the second one came after the race"


async def test_a_sixth_card_that_arrives_after_the_end_is_settled_changes_nothing(world, table):
    ada, bo, *_ = world.people
    await table.race([ada, bo])
    await table.rows({ada: "rrrr", bo: "rrrr"})
    early = table.unheard(bo, table.right(bo))
    await table.type(ada, table.right(ada))
    assert table.game.caller == 0
    before = table.game
    table.deliver(early)
    await table.advance(0.1)
    assert table.game.scores == before.scores
    assert table.game.caller == 0


async def test_a_hand_is_busy_for_two_seconds_measured_between_ids(world, table):
    ada, bo, *_ = world.people
    await table.race([ada, bo])
    number = table.right(ada)
    table.say(ada, number)
    await table.advance(1.999)
    table.say(ada, table.right(ada))
    await table.advance(0.001)
    table.say(ada, free := table.right(ada))
    await table.advance(0.1)
    assert [outcome for outcome, *_ in outcomes(table)] == [
        ClaimOutcome.TAKEN,
        ClaimOutcome.BUSY,
        ClaimOutcome.TAKEN,
    ]
    assert table.row(ada)[1:] == [number, free]
    await table.advance(1.1)
    assert "but the hand was busy" in table.texts()


async def test_the_hand_is_busy_for_two_seconds_from_the_opening_on(world, table):
    ada, bo, *_ = world.people
    await table.start([ada, bo])
    await table.until(lambda: table.stage is Stage.RACE, step=0.05)
    await table.type(ada, table.right(ada))
    assert len(table.row(ada)) == 1
    await table.advance(2)
    await table.type(ada, table.right(ada))
    assert len(table.row(ada)) == 2


@pytest.mark.parametrize("how", ["0", "back", "button", "command"])
async def test_a_card_is_put_back_by_word_button_or_command(world, table, how):
    ada, bo, *_ = world.people
    await table.race([ada, bo])
    number = table.right(ada)
    await table.type(ada, number)
    assert table.owner(number) == 0
    match how:
        case "button":
            await table.press(ada, "Put back")
        case "command":
            assert f"{number} lies on the table again." in await table.slash(ada, "back")
        case word:
            await table.type(ada, word)
    assert table.owner(number) is None
    assert len(table.row(ada)) == 1
    await table.type(bo, number)
    assert table.owner(number) == 1, "others may take it at once"
    await table.type(ada, table.right(ada))
    assert len(table.row(ada)) == 1, "the rest starts again"
    await table.type(ada, "0")
    assert len(table.row(ada)) == 1, "the start card stays"


async def test_commands_claim_like_typing(world, table):
    ada, bo, *_ = world.people
    await table.race([ada, bo])
    number = table.right(ada)
    assert await table.slash(ada, "take", number=number) == f"{number} is yours."
    assert f"Too late: Ada has {number}." in await table.slash(bo, "take", number=number)
    await table.advance(2)
    assert "in your row already" in await table.slash(ada, "take", number=number)
    assert "no seat" in await table.slash(world.people[2], "take", number=number)


async def test_commands_and_messages_of_one_tick_are_ordered_by_id(world, table):
    ada, bo, *_ = world.people
    await table.race([ada, bo])
    number = table.right(ada)
    tell = await world.unheard(ada.slash(table.channel, "rox take", number=number))
    async with world.at_once():
        table.say(bo, number)
        tell()
    assert table.owner(number) == 0


async def test_a_wrong_stone_in_instant_checking_is_refused_and_rests_the_hand(world, table):
    ada, bo, *_ = world.people
    await table.race([ada, bo], **INSTANT)
    wrong = table.wrong(ada)
    await table.type(ada, wrong)
    assert table.owner(wrong) is None
    await table.advance(4.8)
    await table.type(ada, table.right(ada))
    assert len(table.row(ada)) == 1, "five seconds"
    await table.advance(0.2)
    await table.type(ada, table.wrong(ada))
    await table.advance(7.8)
    await table.type(ada, table.right(ada))
    assert len(table.row(ada)) == 1, "eight after a further one"
    await table.advance(0.2)
    await table.type(ada, table.right(ada))
    assert len(table.row(ada)) == 2
    assert [outcome for outcome, *_ in outcomes(table)] == [
        ClaimOutcome.WRONG,
        ClaimOutcome.BUSY,
        ClaimOutcome.WRONG,
        ClaimOutcome.BUSY,
        ClaimOutcome.TAKEN,
    ]


async def test_claims_between_the_open_table_s_post_and_the_bot_s_knowledge_of_it(world, table):
    """They count by their ids: what is older than the post is chat, what is newer a claim."""
    ada, bo, *_ = world.people
    await table.start([ada, bo])
    slow_posts(world, drawing=1, gateway=False, answer=3)
    await table.until(lambda: table.stage is Stage.OPENING, step=0.1)
    await table.advance(0.5)
    chat, shown = table.say(ada, table.right(ada)), len(table.messages)
    await table.until(lambda: len(table.messages) > shown, step=0.1)
    post = table.newest.id
    assert chat < post
    assert table.stage is Stage.OPENING
    await table.advance(2.2)
    number = table.right(ada)
    table.say(ada, number)
    table.say(bo, number)
    await table.advance(0.3)
    assert table.stage is Stage.OPENING, "the bot does not know the post yet"
    assert table.owner(number) is None
    await table.advance(1)
    assert table.stage is Stage.RACE
    assert table.match.open_from == post
    assert table.owner(number) == 0
    assert [(outcome, seat) for outcome, seat, _ in outcomes(table)] == [
        (ClaimOutcome.TAKEN, 0),
        (ClaimOutcome.LATE, 1),
    ]


async def test_the_gateway_s_copy_of_the_post_opens_the_race_before_the_answer(world, table):
    ada, bo, *_ = world.people
    await table.start([ada, bo])
    slow_posts(world, answer=10)
    await table.until(lambda: table.stage is Stage.RACE, limit=8, step=0.1)
    assert table.match.open_from == table.newest.id


async def test_numbers_typed_before_the_table_opens_are_chat(world, table):
    ada, bo, *_ = world.people
    await table.start([ada, bo])
    await table.burst([(ada, n) for n in range(10, 70)])
    assert table.stage is Stage.READY
    await table.to_race()
    assert table.row(ada) == [number_of(table.game.owner.index(0))]
    assert all(len(hand.row) == 1 for hand in table.game.hands)


async def test_every_card_is_somewhere_and_once(world, table):
    people = world.people[:4]
    await table.race(people)
    await table.rows(dict.fromkeys(people, "rrr"))
    held = defaultdict(list)
    for seat, hand in enumerate(table.game.hands):
        for card in hand.row:
            held[card.index].append(seat)
    assert all(len(seats) == 1 for seats in held.values())
    for index, owner in enumerate(table.game.owner):
        assert owner == (held[index][0] if index in held else None)
    assert sorted(table.game.deal.places[0]) == list(range(len(DECK)))
    free = sum(owner is None for owner in table.game.owner)
    assert free + sum(map(len, held.values())) == 60
    await table.advance(1.5)
    shown = {n for numbers in table.reading().free.values() for n in numbers}
    assert shown == {LOWEST + i for i, owner in enumerate(table.game.owner) if owner is None}
