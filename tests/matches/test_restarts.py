"""A new process, or a new session, in the middle of a match."""

from __future__ import annotations

import asyncio

import pytest

from game.match import End, Phase
from game.rox.events import ClaimOutcome
from game.rox.state import Stage
from tests.kit.failing_calls import slow_posts
from tests.kit.observed import WAS_AWAY, outcomes, says_it_was_away
from tests.kit.progress import ask_to_leave, bring_to

AWAY_S = 3


async def to_the_end(table, people):
    if table.match.phase is Phase.LOBBY:
        await table.press(people[0], "Start")
    if table.match.phase is Phase.PAUSED:
        await table.press(people[0], "Go on")
    for _ in range(6):
        await table.until(lambda: table.stage in {Stage.RACE, Stage.BREAK, None})
        if table.stage is Stage.RACE:
            await table.advance(2.1)
            await table.rows({people[0]: "rrrrr", **dict.fromkeys(people[1:], "r")})
            await table.until(lambda: table.stage is not Stage.CHECK)
        if table.stage is Stage.BREAK:
            await table.advance(1.1)
            await table.next_round(people)
    await table.advance(2)
    assert table.match.end is End.FINISHED


@pytest.mark.parametrize("where", ["lobby", "ready", "opening", "race", "check", "break", "pause"])
async def test_a_match_goes_on_after_a_restart_and_ends_as_usual(world, table, where):
    ada, bo, *_ = world.people
    await bring_to(table, [ada, bo], where)
    before, match_id = table.match, table.runner.id
    await world.restart(lambda: world.pass_time(AWAY_S))
    assert table.runner.id == match_id
    assert table.match.seats == before.seats
    await table.advance(0.5)
    assert says_it_was_away(table)
    assert len(table.said(WAS_AWAY)) == 1
    if before.game is not None:
        assert table.game.scores == before.game.scores
        assert table.game.deal == before.game.deal
    await to_the_end(table, [ada, bo])
    assert not table.said(WAS_AWAY), "the greeting goes with the next change"
    assert world.rows("select status from matches") == [("finished",)]
    assert world.rows("select name, matches from standings order by name") == [
        ("Ada", 1),
        ("Bo", 1),
    ]


@pytest.mark.parametrize("where", ["lobby", "ready", "opening", "race", "check", "break", "pause"])
async def test_a_deadline_that_passed_while_away_is_moved_to_after_the_new_message(
    world, table, where
):
    ada, bo, *_ = world.people
    await bring_to(table, [ada, bo], where)
    before = table.match
    deadline = table.deadline_ms
    posts = {m.id for m in table.messages}
    await world.restart(lambda: world.pass_time(3_600))
    await table.advance(0.5)
    assert table.match.phase is before.phase, "the deadline is not announced"
    assert table.newest.id not in posts
    assert says_it_was_away(table)
    if where == "opening":
        assert table.stage is Stage.RACE, "the new table opens the race"
        assert table.match.open_from == table.newest.id
        return
    assert table.stage is (before.game.stage if table.stage else None)
    left = deadline - before.last_ms
    shown_ms = table.newest.id >> 22
    assert table.deadline_ms == shown_ms + left
    await table.advance((shown_ms + left - world.now_ms) / 1000 - 0.1)
    assert table.match.phase is before.phase
    assert table.deadline_ms == shown_ms + left
    await table.advance(0.3)
    assert table.deadline_ms != shown_ms + left


async def test_claims_typed_while_away_count_by_their_ids_up_to_the_old_deadline(world, table):
    ada, bo, *_ = world.people
    await table.race([ada, bo])
    first = table.right(ada)
    await table.type(ada, first)
    await table.advance(10)
    typed = {}

    def meanwhile():
        world.pass_time(5)
        typed["number"] = number = table.right(bo, but=[first])
        typed["early"] = table.say(bo, number)
        table.say(ada, number)
        world.pass_time(31)
        typed["late"] = table.say(ada, table.right(ada, but=[number]))

    await world.restart(meanwhile)
    assert table.row(ada)[1:] == [first]
    assert table.row(bo)[1:] == [typed["number"]]
    assert table.owner(typed["number"]) == 1
    assert table.stage is Stage.RACE
    await table.advance(0.5)
    # What was left at the last event seen, Bo's card: all of the thirty seconds.
    assert table.match.discord_ms(table.game.last_take) + 30_000 == (table.newest.id >> 22) + 30_000
    await table.type(ada, table.right(ada))
    assert len(table.row(ada)) == 3
    late = world.rows("select count(*) from actions where source_id = ?", typed["late"])
    assert late == [(0,)]


async def test_claims_typed_while_away_are_those_that_the_table_shows(world, table):
    ada, bo, *_ = world.people
    await table.race([ada, bo])
    number = table.right(ada)
    await world.restart(lambda: (world.pass_time(3), table.say(ada, number)))
    await table.advance(1.5)
    assert f"Ada took {number}" in table.texts()
    assert all(number not in numbers for numbers in table.reading().free.values())


async def test_no_claim_counts_twice(world, table):
    """Those of the last seconds are in the log and in the channel's history."""
    ada, bo, *_ = world.people
    await table.race([ada, bo])
    number = table.right(ada)
    claim = await table.type(ada, number)
    await table.type(ada, 0)
    await table.type(bo, 12)
    before = table.game
    await world.restart()
    await table.advance(0.5)
    assert table.game.hands == before.hands
    assert table.game.owner == before.owner
    assert table.game.recent_claims == before.recent_claims
    table.deliver(claim.id)
    await table.advance(0.1)
    assert table.owner(number) == before.owner[number - 10]
    assert world.rows("select count(*) from actions where kind = 'rox.back'") == [(1,)]


async def test_a_claim_that_was_heard_but_not_decided_is_not_lost(world, table):
    """The process ends within the settle time."""
    ada, bo, *_ = world.people
    await table.race([ada, bo])
    number = table.right(ada)
    table.say(ada, number)
    await world.env.settle()
    assert table.owner(number) is None
    await world.restart()
    assert table.owner(number) == 0


async def test_a_sixth_card_typed_while_away_ends_the_race(world, table):
    ada, bo, *_ = world.people
    await table.race([ada, bo])
    await table.rows({ada: "rrrr", bo: "rr"})

    def meanwhile():
        world.pass_time(4)
        table.say(ada, table.right(ada))
        world.pass_time(4)
        table.say(bo, table.right(bo))

    await world.restart(meanwhile)
    assert table.game.caller == 0
    assert len(table.row(bo)) == 3
    await table.advance(0.5)
    assert "Ada calls Rox!" in table.texts()
    await table.until(lambda: table.stage is Stage.BREAK, limit=10)


async def test_put_backs_and_edits_while_away(world, table):
    ada, bo, *_ = world.people
    await table.race([ada, bo])
    number = table.right(ada)
    await table.type(ada, number)
    edited = table.right(bo, but=[number])
    webhook = world.guild.create_webhook(table.channel)
    author = world.env.backend.webhooks[webhook.id].webhook_user_id

    def meanwhile():
        world.pass_time(3)
        table.say(ada, "0")
        message = table.say(bo, "hi")
        world.env.backend.edit_message(table.channel.id, message, {"content": str(edited)})
        world.env.backend.create_message(table.channel.id, author, "13", webhook_id=webhook.id)

    await world.restart(meanwhile)
    assert table.owner(number) is None
    assert table.owner(edited) is None
    assert [outcome for outcome, *_ in outcomes(table)] == [ClaimOutcome.TAKEN, ClaimOutcome.BACK]


async def test_chat_typed_before_the_race_is_opened_by_a_new_process_stays_chat(world, table):
    ada, bo, *_ = world.people
    await bring_to(table, [ada, bo], "opening")
    number = table.right(ada)
    await world.restart(lambda: (world.pass_time(2), table.say(ada, number)))
    await table.advance(0.5)
    assert table.stage is Stage.RACE
    assert table.owner(number) is None
    await table.advance(2.1)
    await table.type(ada, number)
    assert table.owner(number) == 0


async def test_a_table_whose_post_got_no_answer_opens_the_race_at_its_own_id(world, table):
    """The bot ends between Discord's carrying out the post and the answer to it."""
    ada, bo, *_ = world.people
    await table.start([ada, bo])
    slow_posts(world, gateway=False, answer=1_000)
    await table.until(lambda: table.stage is Stage.OPENING)
    await table.advance(1)
    post = table.newest.id
    number = table.right(ada)

    def meanwhile():
        world.pass_time(2)
        table.say(ada, number)

    await world.restart(meanwhile)
    assert table.match.open_from == post
    assert table.owner(number) == 0
    await table.advance(1.5)
    assert table.newest.id > post
    await table.advance(2)
    await table.type(ada, table.right(ada))
    assert len(table.row(ada)) == 3
    assert len([m for m in table.messages if "table.png" in str(m.attachments)]) == 1


@pytest.mark.parametrize("where", ["lobby", "break", "pause", "rematch"])
async def test_buttons_of_a_message_from_before_the_restart_still_work(world, table, where):
    """They are pressed on the old message, before a new one is posted."""
    ada, bo, cy, *_ = world.people
    await bring_to(table, [ada, bo], where)
    shown = table.newest
    label, person = {
        "lobby": ("Join", cy),
        "break": ("Ready", ada),
        "pause": ("Go on", ada),
        "rematch": ("Rematch", ada),
    }[where]
    tell = await world.unheard(person.click(shown, label=label))
    await world.restart()
    tell()
    await table.advance(0.5)
    match = table.match
    match where:
        case "lobby":
            assert [seat.name for seat in match.seats] == ["Ada", "Bo", "Cy"]
        case "break":
            assert match.game.ready == {ada.id}
        case "pause":
            assert match.phase is Phase.PLAYING
        case "rematch":
            assert match.rematch_votes == {ada.id}


async def test_a_question_from_before_the_restart_can_still_be_answered(world, table):
    ada, bo, cy, *_ = world.people
    await table.race([ada, bo, cy])
    question = await ask_to_leave(table, cy)
    await world.restart()
    await table.advance(0.5)
    result = await cy.click(question, label="Leave the match")
    await table.advance(0.1)
    assert "You have left" in result.response.content
    assert table.match.seats[2].out is not None


async def test_the_old_message_of_a_lobby_is_deleted_when_the_new_one_is_posted(world, table):
    ada, bo, *_ = world.people
    await bring_to(table, [ada, bo], "lobby")
    old = table.newest.id
    await world.restart()
    await table.advance(2)
    assert table.newest.id != old
    assert old not in {m.id for m in table.messages}
    await table.press(world.people[2], "Join")
    assert len(table.match.seats) == 3


async def test_a_rematch_that_was_offered_is_still_offered(world, table):
    ada, bo, *_ = world.people
    await bring_to(table, [ada, bo], "rematch")
    await table.press(ada, "Rematch")
    await world.restart(lambda: world.pass_time(20))
    assert table.is_free
    await table.press(bo, "Rematch")
    await table.advance(1)
    assert table.stage is Stage.READY
    assert [seat.name for seat in table.match.seats] == ["Bo", "Ada"]


async def test_two_restarts_in_a_row_and_a_third_in_the_middle(world, table):
    ada, bo, *_ = world.people
    await table.race([ada, bo])
    for _ in range(3):
        number = table.right(ada)
        await world.restart(lambda n=number: (world.pass_time(3), table.say(ada, n)))
        assert table.owner(number) == 0
    await table.advance(1)
    assert len(table.said(WAS_AWAY)) == 1
    assert len(table.row(ada)) == 4


async def test_several_matches_are_found_again_each_with_its_own_claims(world):
    people = world.people
    tables = [world.table(f"ring-{n}") for n in range(3)]
    seated = [people[0:2], people[2:4], people[4:6]]
    for table, pair in zip(tables, seated, strict=True):
        await table.race(pair)
    numbers = [table.right(pair[0]) for table, pair in zip(tables, seated, strict=True)]

    def meanwhile():
        world.pass_time(2)
        for table, pair, number in zip(tables, seated, numbers, strict=True):
            table.say(pair[0], number)

    await world.restart(meanwhile)
    for table, number in zip(tables, numbers, strict=True):
        assert table.owner(number) == 0
    await world.advance(1)
    assert all(says_it_was_away(table) for table in tables)
    answer = await tables[0].slash(people[2], "play")
    assert "in this channel already" in answer
    other = world.table("other")
    assert f"<#{tables[1].channel.id}>" in await other.slash(people[2], "play")


@pytest.mark.parametrize("away", [15, 600])
async def test_opponents_go_on_after_a_restart(world, table, away):
    """They wait for the new table, whether the deadline passed meanwhile or not."""
    ada = world.people[0]
    await table.race([ada], opponents=2, level="master")
    await table.advance(3)
    before = table.game
    await world.restart(lambda: world.pass_time(away))
    await table.advance(0.3)
    shown_ms = table.newest.id >> 22
    for hand, old in zip(table.game.hands, before.hands, strict=True):
        assert len(hand.row) <= len(old.row) + 1, "what was due waits; the next count begins then"
    assert all(
        n.id >> 22 >= shown_ms for n in table.game.recent_claims if n not in before.recent_claims
    )
    await table.until(lambda: table.stage is not Stage.RACE, limit=90)
    assert table.game.recent_claims != before.recent_claims


async def test_a_session_that_could_not_be_resumed(world, table):
    """The same process: events are missing, a new session begins."""
    ada, bo, *_ = world.people
    await table.race([ada, bo])
    number, other = table.right(ada), table.right(bo)
    world.dispatch("disconnect")
    await world.advance(1)
    missed = table.unheard(ada, number)
    await world.advance(1)
    if other == number:
        other = table.right(bo, but=[number])
    table.say(bo, number)
    await world.advance(1)
    assert table.owner(number) is None, "nothing is decided while events may be missing"
    world.dispatch("connect")
    await world.advance(0.5)
    assert table.owner(number) == 0
    assert says_it_was_away(table)
    table.deliver(missed)
    await world.advance(0.1)
    assert [outcome for outcome, *_ in outcomes(table)] == [ClaimOutcome.TAKEN, ClaimOutcome.LATE]
    await table.type(bo, table.right(bo))
    assert len(table.row(bo)) == 2


async def test_a_long_loss_of_the_session_moves_the_deadline(world, table):
    ada, bo, *_ = world.people
    await table.race([ada, bo])
    await table.advance(5)
    world.dispatch("disconnect")
    await world.advance(120)
    assert table.stage is Stage.RACE
    world.dispatch("connect")
    await world.advance(0.5)
    assert table.stage is Stage.RACE
    assert says_it_was_away(table)
    await table.advance(22)
    assert table.stage is Stage.RACE
    await table.advance(9)
    assert table.stage is not Stage.RACE


async def test_a_resumed_session_posts_no_notice(world, table):
    ada, bo, *_ = world.people
    await table.race([ada, bo])
    number = table.right(ada)
    world.dispatch("disconnect")
    await world.advance(1)
    missed = table.unheard(ada, number)
    await world.advance(2)
    table.deliver(missed)
    world.dispatch("resumed")
    await world.advance(0.2)
    assert table.owner(number) == 0
    assert not table.said(WAS_AWAY)


async def test_lobbies_that_open_during_a_loss_of_the_session_are_not_stuck(world, table):
    ada, bo, *_ = world.people
    await table.open([ada, bo])
    world.dispatch("disconnect")
    await world.advance(1)
    world.dispatch("resumed")
    await table.press(ada, "Start")
    assert table.stage is Stage.READY


async def test_a_restart_is_announced_and_the_match_goes_on(world, table):
    ada, bo, *_ = world.people
    await table.race([ada, bo])
    number = table.right(ada)
    with world.as_bot():
        stopping = asyncio.create_task(world.bot.matches.stop(8))
    await world.advance(0.5)
    assert stopping.done()
    assert table.said("I have to restart.")
    other = world.table("other")
    assert "about to restart" in await other.slash(world.people[2], "play")
    await world.restart(lambda: (world.pass_time(2), table.say(ada, number)))
    await world.advance(0.5)
    assert table.owner(number) == 0
    assert says_it_was_away(table)


async def test_a_match_of_an_unknown_rules_version_is_closed_with_an_apology(world, table):
    ada, bo, *_ = world.people
    await table.race([ada, bo])

    def meanwhile():
        world.alter("update matches set rules_version = 99")

    await world.restart(meanwhile)
    await world.advance(0.5)
    assert world.rows("select status, end_reason, closed from matches") == [
        ("void", "unknown-rules", 1)
    ]
    assert table.said("I was updated")
    world.runners.clear()
    await table.open([ada, bo])
