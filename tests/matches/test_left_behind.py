"""A process that ends between recording something and telling it: the next one does the rest."""

from __future__ import annotations

import asyncio

import pytest

from game.match import Phase
from game.rox.events import ClaimOutcome
from game.rox.state import Stage
from tests.kit.failing_calls import FOR_EVER_S, changing_new_bots, slow_posts
from tests.kit.observed import WAS_AWAY, outcomes, seat_names, stored_statuses
from tests.kit.progress import bring_to, play_match, press_rematch


def never_comes_to(world, name):
    """The process ends before this call of its store."""

    async def waits(*args):
        await asyncio.sleep(FOR_EVER_S)

    setattr(world.bot.journal, name, waits)


def shows_nothing_more(world):
    """The process ends before its next message or edit."""
    world.bot.display.close()


async def test_a_rematch_that_was_agreed_is_opened_by_the_next_process_once(world, table):
    ada, bo, *_ = world.people
    await play_match(table, [ada, bo])
    final = table.newest.id
    never_comes_to(world, "create")
    await press_rematch(table, [ada, bo])
    assert stored_statuses(world) == [("finished", 0)]
    await world.restart()
    await table.advance(3)
    assert seat_names(table) == ["Bo", "Ada"]
    assert table.stage is Stage.READY
    assert not table.buttons(next(m for m in table.messages if m.id == final))
    assert stored_statuses(world) == [("finished", 1), ("open", 0)]
    await world.restart()
    await table.advance(1)
    assert stored_statuses(world) == [("finished", 1), ("open", 0)]
    await table.to_race()
    await table.type(ada, table.right(ada))
    assert len(table.row(ada)) == 2


async def test_a_rematch_is_not_opened_twice_though_its_offer_is_still_shown(world, table):
    ada, bo, *_ = world.people
    await play_match(table, [ada, bo])
    final = table.newest.id
    shows_nothing_more(world)
    await press_rematch(table, [ada, bo])
    assert stored_statuses(world) == [("finished", 0), ("open", 0)]
    await world.restart()
    await table.advance(3)
    assert stored_statuses(world) == [("finished", 1), ("open", 0)]
    assert not table.buttons(next(m for m in table.messages if m.id == final))
    assert len([m for m in table.messages if "Get ready" in table.texts(m)]) == 1


async def test_a_rematch_that_waits_for_its_deal_is_dealt_by_the_next_process(world, table):
    ada, bo, *_ = world.people
    await play_match(table, [ada, bo])
    await table.press(ada, "Rematch")
    create = world.bot.journal.create

    async def creates(*args):
        key = await create(*args)
        never_comes_to(world, "record")
        return key

    world.bot.journal.create = creates
    await table.press(bo, "Rematch")
    assert table.match.phase is Phase.DEALING
    await world.restart()
    await table.advance(1)
    assert table.stage is Stage.READY
    assert "Get ready" in table.texts()


async def test_a_rematch_agreed_while_the_bot_is_about_to_stop_is_opened_by_the_next_process(
    world, table
):
    ada, bo, *_ = world.people
    await play_match(table, [ada, bo])
    world.bot.matches.opener.closing = True
    await press_rematch(table, [ada, bo])
    await table.advance(2)
    assert stored_statuses(world) == [("finished", 0)]
    await world.restart()
    await table.advance(1)
    assert seat_names(table) == ["Bo", "Ada"]


async def test_an_agreed_rematch_gives_way_to_a_lobby_that_was_opened_since(world, table):
    ada, bo, cy, *_ = world.people
    await play_match(table, [ada, bo])
    world.bot.matches.opener.closing = True
    await press_rematch(table, [ada, bo])
    world.bot.matches.opener.closing = False
    await table.open([cy])
    await table.slash(cy, "stop")
    await world.restart()
    await table.advance(3)
    assert table.is_free
    assert stored_statuses(world) == [("finished", 1), ("void", 1)]


async def test_a_final_standing_that_was_not_posted_is_posted_by_the_next_process(world, table):
    ada, bo, *_ = world.people
    await bring_to(table, [ada, bo], "break")
    while table.match.phase is Phase.PLAYING:
        if table.stage is Stage.BREAK:
            await table.next_round([ada, bo])
        await table.to_race()
        await table.rows({ada: "rrrrr", bo: "r"})
        if table.game.round == 5:
            shows_nothing_more(world)
        await table.until(lambda: table.stage not in {Stage.RACE, Stage.CHECK})
    assert not table.said("wins!")
    await world.restart()
    await table.advance(2)
    assert len(table.said("wins!")) == 1
    assert table.buttons() == ["Rematch"]
    await press_rematch(table, [ada, bo])
    assert table.stage is Stage.READY


@pytest.mark.parametrize("where", ["lobby", "race", "break"])
async def test_an_end_that_was_not_announced_is_announced_by_the_next_process(world, table, where):
    ada, bo, *_ = world.people
    await bring_to(table, [ada, bo], where)
    shows_nothing_more(world)
    for person in (ada, bo):
        if table.match.end is None:
            await table.slash(person, "stop")
    assert table.match.phase is Phase.CLOSED
    before = table.newest.id
    assert table.buttons()
    await world.restart()
    await table.advance(3)
    assert all(not table.buttons(m) for m in table.messages if m.components)
    assert ("cancelled" in table.texts()) if where == "lobby" else table.said("was stopped")
    assert (table.newest.id == before) is (where == "lobby")
    assert stored_statuses(world) == [("void", 1)]
    await world.restart()
    await table.advance(1)
    assert len(table.said("cancelled") + table.said("was stopped")) == 1
    assert not table.said(WAS_AWAY)
    assert table.is_free


@pytest.mark.parametrize("where", ["lobby", "check"])
async def test_a_message_whose_post_got_no_answer_is_deleted(world, table, where):
    """The process ends between Discord's carrying out the post and the answer to it."""
    ada, bo, *_ = world.people
    if where == "lobby":
        slow_posts(world, gateway=False, answer=FOR_EVER_S)
        await table.slash(ada, "play")
    else:
        await table.race([ada, bo])
        await table.rows({ada: "rrrr"})
        slow_posts(world, gateway=False, answer=FOR_EVER_S)
        await table.rows({ada: "r"})
        await table.advance(1)
        assert "calls Rox!" in table.texts()
    unknown = table.newest.id
    assert table.match.post is None or table.match.post.id != unknown
    await world.restart()
    await table.advance(2)
    assert unknown not in {m.id for m in table.messages}
    live = [m for m in table.messages if table.buttons(m)] if where == "lobby" else [table.newest]
    assert [m.id for m in live] == [table.match.post.id]


@pytest.mark.parametrize("where", ["lobby", "ready", "race", "check", "break", "pause"])
async def test_messages_of_two_processes_whose_posts_got_no_answer_are_deleted(world, table, where):
    """Each ends before the answer to its post, and long before the one that knows of all."""
    ada, bo, *_ = world.people
    await bring_to(table, [ada, bo], where)
    before = {m.id for m in table.messages} - {table.match.post.id}
    with changing_new_bots(world, slow_posts, gateway=False, answer=FOR_EVER_S):
        for _ in range(2):
            await world.restart(lambda: world.pass_time(60))
            await table.advance(1)
            assert table.newest.id != table.match.post.id
    await world.restart(lambda: world.pass_time(60))
    await table.advance(3)
    assert {m.id for m in table.messages} == before | {table.match.post.id}


@pytest.mark.parametrize("where", ["lobby", "ready", "race", "check", "break", "pause"])
async def test_a_message_whose_post_got_no_answer_is_deleted_by_the_process_after_next(
    world, table, where
):
    """The one after it ends, too, before it can delete anything, but later in the match."""
    ada, bo, *_ = world.people
    await bring_to(table, [ada, bo], where)
    before = {m.id for m in table.messages} - {table.match.post.id}
    with changing_new_bots(world, slow_posts, gateway=False, answer=FOR_EVER_S):
        await world.restart(lambda: world.pass_time(60))
        await table.advance(1)
        assert table.newest.id != table.match.post.id
    with changing_new_bots(world, never_deletes):
        await world.restart(lambda: world.pass_time(60))
        await table.advance(1)
    await world.restart(lambda: world.pass_time(60))
    await table.advance(3)
    assert {m.id for m in table.messages} == before | {table.match.post.id}


def never_deletes(world):
    """The process ends before it deletes any message."""
    ask = world.bot.http.request

    async def request(route, **kwargs):
        if route.method == "DELETE":
            await asyncio.sleep(FOR_EVER_S)
        return await ask(route, **kwargs)

    world.bot.http.request = request


def never_edits(world, table):
    """The process ends before it gives the table its last form."""
    ask = world.bot.http.request

    async def request(route, **kwargs):
        if route.method == "PATCH" and table.stage is Stage.CHECK:
            await asyncio.sleep(FOR_EVER_S)
        return await ask(route, **kwargs)

    world.bot.http.request = request


def files(message):
    return [attachment.filename for attachment in message.attachments]


def all_but_buttons(message):
    """What a message says and shows."""
    (container,) = message.components
    said = [getattr(child, "content", None) for child in container.children]
    shown = [i.media.url for child in container.children for i in getattr(child, "items", ())]
    return [text for text in said if text], shown, files(message), container.id


async def test_a_table_stays_though_the_process_ends_before_it_takes_its_buttons(world, table):
    """The next one takes them, though it does not know what the table has shown."""
    ada, bo, *_ = world.people
    await table.race([ada, bo])
    never_edits(world, table)
    await table.rows({ada: "rrrr"})
    await table.advance(2)
    shown = table.newest
    before = all_but_buttons(shown)
    await table.rows({ada: "r"})
    await table.advance(1)
    assert table.newest.id != shown.id
    assert table.buttons(next(m for m in table.messages if m.id == shown.id))
    await world.restart()
    await table.advance(3)
    (after,) = [m for m in table.messages if m.id == shown.id]
    assert all_but_buttons(after) == before
    assert files(after) == ["table.png", "last-cards.png"]
    assert not table.buttons(after)


async def test_a_check_stays_though_the_next_round_begins_and_nobody_shows_it(world, table):
    ada, bo, *_ = world.people
    await bring_to(table, [ada, bo], "break")
    await table.advance(2)
    check = table.newest
    before = all_but_buttons(check)
    assert table.buttons(check) == ["Ready", "Leave"]
    shows_nothing_more(world)
    for person in (ada, bo):
        await table.press(person, "Ready", check)
    assert table.stage is Stage.READY
    await world.restart()
    await table.advance(2)
    assert "Get ready" in table.texts()
    (after,) = [m for m in table.messages if m.id == check.id]
    assert all_but_buttons(after) == before
    assert files(after) == ["check.png"]
    assert not table.buttons(after)


async def test_a_get_ready_post_that_was_not_deleted_is_deleted_by_the_next_process(world, table):
    """The process ends after it has posted the table, before it deletes the post before it."""
    ada, bo, *_ = world.people
    await table.start([ada, bo])
    ready = table.newest.id
    never_deletes(world)
    await table.to_race()
    assert ready in {m.id for m in table.messages}
    await world.restart()
    await table.advance(2)
    assert ready not in {m.id for m in table.messages}
    assert len([m for m in table.messages if table.buttons(m)]) == 1


async def test_a_put_back_that_was_refused_is_not_decided_again_with_another_outcome(world, table):
    """It changed nothing, so only its line in the log tells the next process not to take it."""
    ada, bo, *_ = world.people
    await table.race([ada, bo])
    await table.type(ada, "0")
    number = table.right(ada)
    await table.type(ada, number)
    await world.restart()
    await table.advance(0.5)
    assert table.owner(number) == 0
    assert [outcome for outcome, *_ in outcomes(table)] == [ClaimOutcome.TAKEN]


@pytest.mark.parametrize("where", ["lobby", "ready", "race", "check", "break", "pause"])
async def test_messages_of_many_processes_that_ended_in_a_row_are_all_deleted(world, table, where):
    """Each ends after it has shown the match again, before it deletes the post before."""
    ada, bo, *_ = world.people
    await bring_to(table, [ada, bo], where)
    before = {m.id for m in table.messages} - {table.match.post.id}
    for _ in range(5):
        with changing_new_bots(world, never_deletes):
            await world.restart(lambda: world.pass_time(1))
        await table.advance(1)
    await world.restart(lambda: world.pass_time(1))
    await table.advance(1)
    assert {m.id for m in table.messages} == before | {table.match.post.id}


@pytest.mark.parametrize("where", ["lobby", "ready", "race", "check", "break", "pause"])
async def test_deadlines_do_not_pass_while_one_process_after_another_ends(world, table, where):
    """The remaining time counts from the message that says that the bot was away."""
    ada, bo, *_ = world.people
    await bring_to(table, [ada, bo], where)
    before = table.match
    left = table.deadline_ms - before.last_ms
    with changing_new_bots(world, slow_posts, gateway=False, answer=FOR_EVER_S):
        for _ in range(2):
            await world.restart(lambda: world.pass_time(3_600))
            await table.advance(1)
            assert table.match.phase is before.phase
    await world.restart(lambda: world.pass_time(3_600))
    await table.advance(0.5)
    assert table.match.phase is before.phase
    assert table.stage is (before.game.stage if before.phase is Phase.PLAYING else None)
    assert table.deadline_ms == (table.newest.id >> 22) + left
    assert len(table.said(WAS_AWAY)) == 1


async def test_claims_count_from_the_first_message_after_the_absence(world, table):
    """It was gone again before it could take note of that message; people saw the message."""
    ada, bo, *_ = world.people
    await table.race([ada, bo])
    await table.type(ada, table.right(ada))
    numbers = {}
    with changing_new_bots(world, slow_posts, gateway=False, answer=FOR_EVER_S):
        await world.restart(lambda: world.pass_time(3_600))
        await table.advance(1)

    def meanwhile():
        world.pass_time(20)
        numbers["early"] = table.right(ada)
        table.say(ada, numbers["early"])
        world.pass_time(31)
        numbers["late"] = table.right(bo, but=numbers.values())
        table.say(bo, numbers["late"])

    await world.restart(meanwhile)
    await table.advance(0.5)
    assert table.stage is Stage.RACE
    assert table.owner(numbers["early"]) == 0
    assert table.owner(numbers["late"]) is None
