"""A game of another kind plugs in whole: the toy game, through the real bot, beside Rox."""

from __future__ import annotations

import re

import pytest

from bot.games.table import GAMES
from bot.store import guilds
from tests.kit.table import ACT_S, answer_of, click_custom_id, plain
from tests.kit.toy_game import ToyPlug, ToySettings


@pytest.fixture
def games():
    """Two games, each with its own command."""
    return {**GAMES, "toy": ToyPlug()}


@pytest.fixture
def table(world):
    return world.table("toy-table")


async def slash(table, person, command, **options):
    result = await person.slash(table.channel, f"toy {command}", **options)
    await table.advance(ACT_S)
    return answer_of(result)


async def opened(table, ada, bo, **options):
    await slash(table, ada, "play", **options)
    await table.press(bo, "Join")


async def choose(table, person, value):
    """Choose a goal in the lobby; return the private answer."""
    custom_id = f"choose:goal:{table.runner.id}:lobby"
    result = await person.select(table.newest, [value], custom_id=custom_id)
    await table.advance(ACT_S)
    return [plain(followup.content) for followup in result.followups]


async def fill_in(table, person, answer):
    """Answer by the form; return the private answer."""
    shown = await person.click(table.newest, label="Answer")
    return await send(table, person, shown, answer)


async def send(table, person, shown, answer):
    result = await person.submit_modal(shown, {"number": answer})
    await table.advance(ACT_S)
    return [plain(followup.content) for followup in result.followups]


async def next_number(table):
    """Wait for the next number to be shown; return it."""
    await table.until(lambda: "Type " in table.texts() and not waiting(table))
    return int(re.search(r"Type (\d+)\.", table.texts())[1])


def waiting(table):
    return table.runner.game.machine.awaits_post(table.match)


async def test_a_whole_match_from_the_command_to_the_boards(world, table, ada, bo):
    await opened(table, ada, bo, goal="2")
    assert table.texts().startswith("Toy: who plays?")
    assert table.match.opening.settings == {"goal": 2}
    assert await choose(table, bo, "1") == ["Only Ada can change that."]
    assert await choose(table, ada, "4") == []
    assert table.match.opening.settings == {"goal": 4}
    await table.press(ada, "Start")

    number = await next_number(table)
    await table.type(bo, number - 1)
    await table.type(bo, number)
    assert table.game.points == (0, 1)
    number = await next_number(table)
    assert await fill_in(table, ada, "??") == ["Digits, please."]
    assert await fill_in(table, ada, str(number)) == []
    assert table.game.points == (1, 1)
    number = await next_number(table)
    assert await slash(table, ada, "say", number=number) == "A point!"

    number = await next_number(table)
    await world.restart(meanwhile=lambda: table.say(ada, number))
    await table.until(lambda: table.game.points == (3, 1))
    number = await next_number(table)
    await table.type(ada, f"#{number}")
    await table.until(lambda: "The end" in table.texts())
    assert table.texts() == "The end: Ada 4, Bo 1"

    assert await slash(table, ada, "leaderboard") == (
        "Toy: leaderboard\n"
        "1. Ada · 1 win · 4 points · 1 match · ø place 1 · best 4\n"
        "2. Bo · 0 wins · 1 point · 1 match · ø place 2 · best 1\n"
        "Ranked by wins, then points. /toy stats shows one player's figures."
    )
    assert "Points in all: 4" in await slash(table, ada, "stats")
    assert await table.slash(ada, "leaderboard") == (
        "Nobody has finished a match here yet. /rox play opens the first!"
    )
    await table.press(ada, "Rematch")
    await table.press(bo, "Rematch")
    await next_number(table)
    assert table.match.opening.settings == {"goal": 4}


async def test_the_answer_to_a_form_is_taken_by_a_bot_that_did_not_send_it(world, table, ada, bo):
    await opened(table, ada, bo)
    await table.press(ada, "Start")
    number = await next_number(table)
    shown = await bo.click(table.newest, label="Answer")
    tell = await world.unheard(bo.submit_modal(shown, {"number": str(number)}))
    await world.restart()
    tell()
    await table.advance(ACT_S)
    assert table.game.points == (0, 1)


async def test_a_form_of_an_earlier_message_does_nothing(table, ada, bo):
    await opened(table, ada, bo, goal="1")
    await table.press(ada, "Start")
    number = await next_number(table)
    shown = await bo.click(table.newest, label="Answer")
    with table.world.unsettled():
        answering = bo.submit_modal(shown, {"number": str(number)})
        table.say(ada, number)
        await answering
    await table.advance(1)
    assert table.match.end is not None
    assert table.game.points == (1, 0)


async def test_leaving_asks_in_the_games_own_words(table, ada, bo):
    await opened(table, ada, bo)
    await table.press(ada, "Start")
    await next_number(table)
    asked = await bo.click(table.newest, label="Leave")
    await table.advance(ACT_S)
    assert asked.followups[-1].content == "Leave the toy?"
    result = await bo.click(asked.followups[-1], label="Leave the match")
    await table.advance(ACT_S)
    assert answer_of(result) == "You have left. Thanks for playing!"


async def test_settings_hold_from_the_next_match_on(world, table, manager, bo):
    page = (await manager.slash(table.channel, "toy settings")).response
    await manager.select(page, ["5"], custom_id="settings:toy:choice:goal")
    await table.advance(ACT_S)
    async with world.bot.services.database.read() as session:
        server = await guilds.load(session, world.guild.id)
    assert server.section("toy", ToySettings).goal == 5
    assert await slash(table, manager, "rules") == "The first with 5 points wins."
    await opened(table, manager, bo)
    assert table.match.opening.settings == {"goal": 5}


async def test_a_game_has_no_say_in_matches_of_another(world, table, ada, bo):
    await opened(table, ada, bo)
    assert await table.slash(ada, "take", number=42) == (
        "No match is open in this channel. /rox play opens one."
    )
    custom_id = f"match:join:{table.runner.id}:lobby"
    await table.press(ada, "Cancel")
    assert await click_custom_id(table, bo, table.newest, custom_id) == [
        "That match is over. `/toy play` opens a new one."
    ]
