"""Buttons: every press is answered, and every answer is private."""

import asyncio

import discord

from game.match import Phase
from game.rox.state import Stage
from tests.kit.failing_calls import slow_posts
from tests.kit.table import ACT_S, click_custom_id


async def pressed(table, person, message, label):
    """Press a button; whatever is said is said privately. Return it."""
    result = await person.click(message, label=label)
    await table.advance(ACT_S)
    assert result.acknowledged
    assert all(followup.ephemeral for followup in result.followups)
    return [followup.content for followup in result.followups]


EARLIER = "That button belongs to an earlier message; look further down."
OVER = "That match is over. `/rox play` opens a new one."


async def test_buttons_of_a_lobby_are_answered_as_old_after_the_start(table, ada, bo):
    await table.open([ada])
    lobby = table.newest
    key = f"{table.runner.id}:lobby"
    await table.press(bo, "Join")
    await table.press(ada, "Start")
    await table.advance(2)
    for verb in ("join", "leave", "start", "cancel"):
        said = await click_custom_id(table, ada, lobby, f"match:{verb}:{key}")
        assert said, verb
        await table.advance(2)
    assert table.match.phase is Phase.PLAYING
    assert len(table.match.people) == 2


async def test_buttons_of_a_match_that_is_over_say_so(table, ada, bo):
    await table.open([ada, bo])
    lobby, match_id = table.newest, table.runner.id
    await table.press(ada, "Cancel")
    await table.advance(2)
    for verb in ("join", "start", "back", "ready", "resume", "rematch", "leave", "cancel"):
        assert await click_custom_id(table, bo, lobby, f"match:{verb}:{match_id}:lobby") == [OVER]
        await table.advance(2)
    assert table.is_free


async def test_buttons_work_after_a_restart(world, table, ada, bo, cy):
    await table.open([ada, bo])
    await world.restart()
    await table.advance(2)
    assert await pressed(table, cy, table.newest, "Join") == []
    assert len(table.match.seats) == 3
    await pressed(table, ada, table.newest, "Start")
    await table.to_race()
    number = table.right(ada)
    await table.type(ada, number)
    await world.restart()
    await table.advance(2)
    await pressed(table, ada, table.newest, "Put back")
    assert len(table.row(ada)) == 1


async def test_a_press_without_a_seat_is_answered(table, ada, bo, cy):
    await table.open([ada, bo])
    (said,) = await pressed(table, cy, table.newest, "Leave")
    assert said == "You have no seat in this match."
    (said,) = await pressed(table, cy, table.newest, "Start")
    assert said == "You have no seat in this match."
    (said,) = await pressed(table, cy, table.newest, "Cancel")
    assert said.startswith("Only")
    await table.press(ada, "Start")
    await table.to_race()
    for label in ("Put back", "Leave"):
        assert await pressed(table, cy, table.newest, label) == ["You have no seat in this match."]
    await table.rows({ada: "rrrrr"})
    await table.until(lambda: table.stage is Stage.BREAK)
    assert await pressed(table, cy, table.newest, "Ready") == ["You have no seat in this match."]
    assert table.match.phase is Phase.PLAYING


async def test_pressing_a_hundred_times_changes_once(world, table, ada, bo):
    await table.open([ada])
    lobby = table.newest
    results = [await bo.click(lobby, label="Join") for _ in range(100)]
    await table.advance(ACT_S)
    assert all(result.acknowledged for result in results)
    said = [followup.content for result in results for followup in result.followups]
    assert [seat.user for seat in table.match.seats] == [ada.id, bo.id]
    assert said == ["You have a seat already."] * 3, "who does not pause is not told each time"
    await table.advance(3)
    assert table.texts().count("Bo") == 1


async def test_join_twice_in_one_tick_takes_one_seat(world, table, ada, bo):
    await table.open([ada])
    lobby = table.newest
    async with world.at_once():
        first = await bo.click(lobby, label="Join")
        second = await bo.click(lobby, label="Join")
    assert len(table.match.seats) == 2
    assert first.acknowledged
    assert second.acknowledged
    assert [f.content for f in second.followups] == ["You have a seat already."]


async def test_leaving_a_match_asks_once(table, ada, bo, cy):
    await table.race([ada, bo, cy])
    asked = await cy.click(table.newest, label="Leave")
    await table.advance(ACT_S)
    assert len(table.match.people) == 3
    (question,) = asked.followups
    assert question.ephemeral
    result = await cy.click(question, label="Leave the match")
    await table.advance(ACT_S)
    assert len(table.match.people) == 2
    assert result.response.content == "You have left. Thanks for playing!"
    assert result.response.components == []
    assert result.response.ephemeral


async def test_a_question_answered_too_late_does_nothing(table, ada, bo):
    await table.race([ada, bo])
    asked = await bo.click(table.newest, label="Leave")
    await table.advance(ACT_S)
    await table.slash(ada, "stop")
    assert table.is_free
    result = await bo.click(asked.followups[0], label="Leave the match")
    await table.advance(ACT_S)
    assert result.response.content == OVER


async def test_a_verb_of_another_version_does_nothing(table, ada, bo):
    await table.race([ada, bo])
    custom_id = f"match:dance:{table.runner.id}:{table.match.post.key}"
    assert await click_custom_id(table, ada, table.newest, custom_id) == [
        "That is no longer possible."
    ]
    assert len(table.match.people) == 2


async def test_a_put_back_is_not_overtaken_by_what_is_typed_after_it(
    world, table, ada, bo, monkeypatch
):
    """The press is older than the message; that its acknowledgement takes a while is no matter."""
    defer = discord.InteractionResponse.defer

    async def slowly(self, **options):
        await asyncio.sleep(0.5)
        await defer(self, **options)

    await table.race([ada, bo])
    first = table.right(ada)
    await table.type(ada, first)
    await table.advance(3)
    message = table.newest
    second = table.wrong(ada, but=[first])
    monkeypatch.setattr(discord.InteractionResponse, "defer", slowly)
    async with world.at_once():
        await ada.click(message, label="Put back")
        table.say(ada, second)
    await table.advance(1)
    assert table.owner(first) is None
    assert first not in table.row(ada)


async def test_a_match_pings_nobody(world, table, ada, bo):
    """Every message, edit and answer of a whole match forbids all mentions, or has no text."""
    await table.start([ada, bo])
    for number in range(5):
        await table.round({ada: "rrrrr", bo: "rw"})
        await table.slash(bo, "take", number=42)
        if number < 4:
            await pressed(table, bo, table.newest, "Leave")
            await table.next_round([ada, bo])
    await table.slash(ada, "leaderboard")
    await table.slash(ada, "rules")
    await table.slash(ada, "stats", member=bo)
    spoken = 0
    for request in world.env.http_requests:
        body = request.json if isinstance(request.json, dict) else {}
        said = body.get("data") if request.path.endswith("/callback") else body
        if not isinstance(said, dict) or not (said.get("content") or said.get("components")):
            continue
        spoken += 1
        assert said.get("allowed_mentions", {}).get("parse") == [], request
        assert not said["allowed_mentions"].get("users")
        assert not said["allowed_mentions"].get("roles")
    assert spoken > 40
    for message in table.messages:
        assert not message.mentions
        assert not message.mention_everyone


async def test_only_who_plays_can_go_on_after_a_pause(table, ada, bo, cy):
    await table.start([ada, bo])
    for _ in range(2):
        await table.round({ada: "-"})
        await table.advance(20)
    assert table.match.phase is Phase.PAUSED
    await table.advance(1)
    pause = table.newest
    assert await pressed(table, cy, pause, "Go on") == ["You have no seat in this match."]
    assert table.match.phase is Phase.PAUSED
    assert await pressed(table, bo, pause, "Go on") == []
    assert table.stage is Stage.READY


async def test_an_offer_of_a_rematch_that_is_over_says_so(table, ada, bo, cy):
    await table.start([ada, bo])
    for number in range(5):
        await table.round({ada: "rrrrr", bo: "r"})
        await table.until(lambda: set(table.buttons()) & {"Ready", "Rematch"})
        if number < 4:
            await table.next_round([ada, bo])
    await table.until(lambda: "Rematch" in table.buttons())
    final, match_id = table.newest, table.runner.id
    assert table.buttons() == ["Rematch"]
    assert await pressed(table, cy, final, "Rematch") == ["You have no seat in this match."]
    await table.open([cy])
    await table.advance(2)
    assert table.buttons(next(m for m in table.messages if m.id == final.id)) == []
    assert await click_custom_id(table, ada, final, f"match:rematch:{match_id}:final") == [OVER]
    assert [seat.user for seat in table.match.seats] == [cy.id]


async def test_a_message_is_new_before_the_bot_knows_of_it(world, table, ada, bo):
    """A client shows a post at once; the answer that tells the bot its id may take a second."""
    await table.start([ada, bo])
    for number in range(5):
        await table.round({ada: "rrrrr", bo: "r"})
        if number < 4:
            await table.next_round([ada, bo])
        if number == 3:
            slow_posts(world, answer=3)
    await table.until(lambda: "Rematch" in table.buttons(), step=0.1)
    final, first = table.newest, table.runner.id
    assert table.match.post.id < final.id
    assert await pressed(table, ada, final, "Rematch") == []
    assert await pressed(table, bo, final, "Rematch") == []
    assert table.runner.id > first
    assert [seat.user for seat in table.match.seats] == [bo.id, ada.id]
