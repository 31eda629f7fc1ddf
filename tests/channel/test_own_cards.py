"""My card: each player's own card, large, private, and always the newest."""

import pytest
from simcord.components import walk_components
from simcord.results import ResponseMessage

from bot.games.look import LOOK_SECTION, Look
from bot.pictures.rox.scenes import (
    CardScene,
    CheckScene,
    CoveredScene,
    LastCardsScene,
    PodiumScene,
    TableScene,
)
from bot.pictures.theme import THEMES
from bot.sandbox.world import message_text
from game.rox.settings import RoxSettings
from game.rox.state import Stage
from tests.kit.fault_doubles import FaultError
from tests.kit.server import choose_settings
from tests.kit.simulation import Blank
from tests.kit.table import ACT_S, REST_S

TOKEN_S = 15 * 60
OFFER_S = 14 * 60
EPHEMERAL = 64


@pytest.fixture
def ada(world):
    return world.people[0]


@pytest.fixture
def bo(world):
    return world.people[1]


def private(table, person):
    """The private messages that one person sees, oldest first."""
    stored = [m for _, m in sorted(table.env.backend.messages[table.channel.id].items())]
    hidden = [m for m in stored if m.flags & EPHEMERAL and m.components]
    return [m for m in hidden if m.visible_to(person.id)]


def own(table, person):
    """The texts of the private cards that one person sees."""
    return [message_text(m) for m in private(table, person) if "row" in message_text(m)]


def labels(message):
    return [c["label"] for c in walk_components(message.components) if "label" in c]


def says(table, person):
    row = table.row(person)
    return f"Your last card is {row[-1]}; {len(row)} in your row."


async def press(table, person, message=None):
    result = await person.click(message or table.newest, label="My card")
    await table.advance(ACT_S)
    return result


async def test_the_newest_card_follows_each_take_and_put_back(table, ada, bo):
    await table.race([ada, bo])
    await press(table, ada)
    for _ in range(2):
        assert own(table, ada) == [says(table, ada)]
        await table.type(ada, table.right(ada))
        await table.advance(REST_S)
    assert own(table, ada) == [says(table, ada)]
    await table.press(ada, "Put back")
    await table.advance(1)
    assert len(table.row(ada)) == 2
    assert own(table, ada) == [says(table, ada)]
    (message,) = private(table, ada)
    card = table.game.last_card(table.seat(ada))
    (picture,) = message.attachments
    assert picture["filename"] == "my-card.png"
    assert picture["description"].startswith(card.centre.name.lower())
    assert message.id == max(table.env.backend.messages[table.channel.id])


async def test_others_neither_see_it_nor_cause_it(table, ada, bo):
    await table.race([ada, bo])
    await press(table, ada)
    before = private(table, ada)
    assert private(table, bo) == []
    await table.type(bo, table.right(bo))
    await table.advance(REST_S)
    assert private(table, ada) == before
    await press(table, bo)
    assert own(table, bo) == [says(table, bo)]
    assert own(table, ada) == [says(table, ada)]
    assert not {m.id for m in private(table, ada)} & {m.id for m in private(table, bo)}


async def test_without_a_seat_there_is_no_card(world, table, ada, bo):
    await table.race([ada, bo])
    result = await press(table, world.people[2])
    assert [f.content for f in result.followups] == ["You have no seat in this match."]
    assert own(table, world.people[2]) == []


async def test_a_second_press_takes_over(table, ada, bo):
    await table.race([ada, bo])
    await press(table, ada)
    (first,) = private(table, ada)
    await press(table, ada)
    (second,) = private(table, ada)
    assert second.id > first.id
    await table.type(ada, table.right(ada))
    await table.advance(1)
    assert own(table, ada) == [says(table, ada)]


async def test_two_presses_at_once_leave_one_card(world, table, ada, bo):
    await table.race([ada, bo])
    async with world.at_once():
        await ada.click(table.newest, label="My card")
        await ada.click(table.newest, label="My card")
    await table.advance(1)
    assert own(table, ada) == [says(table, ada)]


async def test_it_ends_with_the_race_and_comes_back_in_the_next(table, ada, bo):
    await table.race([ada, bo])
    await press(table, ada)
    await table.rows({ada: "rrrrr"})
    await table.advance(1)
    assert table.stage is not Stage.RACE
    assert private(table, ada) == []
    await table.until(lambda: table.stage is Stage.BREAK)
    await table.next_round([ada, bo])
    assert private(table, ada) == []
    await table.to_race()
    assert own(table, ada) == [says(table, ada)]


async def test_it_goes_on_below_a_table_that_was_posted_again(table, ada, bo):
    await table.race([ada, bo])
    await press(table, ada)
    first = table.newest.id
    await table.slash(bo, "table")
    await table.until(lambda: table.newest.id > first, limit=6)
    await table.type(ada, table.right(ada))
    await table.advance(1)
    assert own(table, ada) == [says(table, ada)]
    await press(table, ada)
    await table.advance(REST_S)
    await table.type(ada, table.right(ada))
    await table.advance(1)
    assert own(table, ada) == [says(table, ada)]


LONG = RoxSettings(idle_ms=3_600_000, race_ms=3_600_000)
"""Races that outlast a token."""


async def test_before_the_token_ends_it_offers_to_go_on(world, table, ada, bo):
    await choose_settings(world, "rox", LONG)
    await table.race([ada, bo])
    await press(table, ada)
    began = world.now_ms
    await table.advance(OFFER_S - 5)
    assert labels(private(table, ada)[-1]) == []
    await table.advance(10)
    (offer,) = private(table, ada)
    assert world.now_ms - began < TOKEN_S * 1000
    assert labels(offer) == ["My card"]
    assert says(table, ada) in message_text(offer)
    # The first token has expired by then, so only the press itself can delete the offer.
    await table.advance(300)
    await press(table, ada, ResponseMessage(table.env, offer))
    (renewed,) = private(table, ada)
    assert renewed.id > offer.id
    assert labels(renewed) == []
    await table.type(ada, table.right(ada))
    await table.advance(1)
    assert own(table, ada) == [says(table, ada)]


async def test_an_offer_that_nobody_takes_ends_it(world, table, ada, bo):
    await choose_settings(world, "rox", LONG)
    await table.race([ada, bo])
    await press(table, ada)
    await table.advance(TOKEN_S + 60)
    before = len(world.env.http_requests)
    await table.type(ada, table.right(ada))
    await table.advance(2)
    late = [r for r in world.env.http_requests[before:] if "/webhooks/" in r.path]
    assert late == []
    assert len(private(table, ada)) == 1


async def test_a_card_that_discord_refuses_is_made_good_by_the_next(world, table, ada, bo):
    await table.race([ada, bo])
    await press(table, ada)
    world.env.inject_error("POST", "/webhooks/*", status=400, code=50035, times=1)
    await table.type(ada, table.right(ada))
    await table.advance(REST_S)
    assert len(private(table, ada)) == 1
    await table.type(ada, table.right(ada))
    await table.advance(1)
    assert own(table, ada) == [says(table, ada)]


async def test_a_card_that_can_not_be_drawn_is_followed_by_the_next(world, table, ada, bo, faults):
    class Failing(Blank):
        broken = True

        def draw(self, scene, *, quick=False):
            if self.broken and isinstance(scene, CardScene):
                raise FaultError
            return super().draw(scene)

    world.artist = Failing
    await table.race([ada, bo])
    await press(table, ada)
    assert own(table, ada) == []
    Failing.broken = False
    await table.type(ada, table.right(ada))
    await table.advance(REST_S)
    assert own(table, ada) == [says(table, ada)]


@pytest.mark.parametrize("theme", list(THEMES))
async def test_the_server_s_theme_reaches_every_picture(world, table, ada, bo, theme):
    drawn = set()

    class Noting(Blank):
        def draw(self, scene, *, quick=False):
            drawn.add((self.theme, type(scene)))
            return super().draw(scene)

    world.artist = Noting
    await choose_settings(world, LOOK_SECTION, Look(theme=theme))
    await table.race([ada, bo])
    await press(table, ada)
    await table.rows({ada: "rrrrr"})
    await table.until(lambda: table.stage is Stage.BREAK)
    await table.leave(ada)
    await table.advance(2)
    scenes = (TableScene, CoveredScene, LastCardsScene, CheckScene, CardScene, PodiumScene)
    assert drawn == {(theme, scene) for scene in scenes}
