"""With the message content intent switched off, a match is played by commands alone."""

import pytest

from game.match import Phase
from game.rox.state import Stage
from tests.kit.simulation import in_one_task, simulated
from tests.kit.table import REST_S


@pytest.fixture
async def world(database):
    async with in_one_task(simulated(database, typing=False)) as world:
        yield world
        world.check_logs()


async def test_lobby_and_get_ready_say_how_to_play(world, table):
    ada, bo, *_ = world.people
    await table.open([ada, bo])
    assert "take cards with /rox take and put back with /rox back" in table.texts()
    assert "typing its number" not in table.texts()
    await table.press(ada, "Start")
    await table.advance(1)
    assert "/rox take" in table.texts()


async def test_the_intent_is_not_asked_for(world):
    assert not world.bot.intents.message_content
    assert world.bot.intents.guild_messages


async def test_typed_numbers_reach_nobody_and_commands_play_a_round(world, table):
    ada, bo, *_ = world.people
    await table.race([ada, bo])
    number = table.right(ada)
    await table.type(ada, number)
    assert len(table.row(ada)) == 1
    wrong = table.wrong(bo)
    assert await table.slash(bo, "take", number=wrong) == f"{wrong} is yours."
    assert await table.slash(bo, "back") == f"{wrong} lies on the table again."
    for _ in range(5):
        await table.advance(REST_S)
        number = table.right(ada)
        assert await table.slash(ada, "take", number=number) == f"{number} is yours."
    assert table.stage is Stage.CHECK
    await table.until(lambda: table.stage is Stage.BREAK)
    await table.advance(2)
    assert "✅ 🔶 Ada: 6 cards, all hold." in table.texts()
    assert table.match.phase is Phase.PLAYING
