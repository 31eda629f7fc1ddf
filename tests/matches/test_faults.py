"""Faults end at most the match that they happen in, and nothing slow runs on the event loop."""

from __future__ import annotations

import asyncio
import threading

import pytest
from PIL import Image

from bot.channel.outgoing import ATTEMPTS
from bot.pictures.artist import Artist
from bot.pictures.rox.scenes import TableScene
from game.match import End, Phase
from game.rox.state import Stage
from tests.kit.fault_doubles import (
    FaultError,
    FaultyDeadlines,
    FaultyDisplay,
    FaultyMachine,
    FaultyStore,
    SlowStore,
    Wrapper,
    with_display,
    with_machine,
    with_store,
)
from tests.kit.progress import bring_to
from tests.kit.simulation import Blank, simulated

WAYS = ["store", "machine"]


def break_by(world, faults, way):
    if way == "store":
        with_store(world, lambda real: FaultyStore(real, faults))
    else:
        with_machine(world, lambda real: FaultyMachine(real, faults))


def key(table, way):
    return table.runner.id if way == "store" else table.match.opening.id


@pytest.mark.parametrize("way", WAYS)
async def test_a_match_goes_on_after_one_fault(world, table, faults, way):
    ada, bo, *_ = world.people
    break_by(world, faults, way)
    await table.race([ada, bo])
    faults.next(1)
    first = table.right(ada)
    second = table.right(bo, but=[first])
    await table.burst([(ada, first), (bo, first), (bo, second)])
    assert faults.raised == 1
    assert table.owner(first) == 0
    assert table.owner(second) == 1
    await table.advance(2)
    faults.next(1)
    await table.type(ada, table.right(ada))
    assert len(table.row(ada)) == 3, "faults that are not in a row do not add up"
    await table.advance(2)
    await table.rows({ada: "rrr"})
    await table.until(lambda: table.stage is Stage.BREAK)
    assert table.game.caller == 0


@pytest.mark.parametrize("way", WAYS)
async def test_two_faults_in_a_row_end_one_match_alone(world, table, faults, way):
    ada, bo, cy, dee, *_ = world.people
    other = world.table("other")
    break_by(world, faults, way)
    await table.race([ada, bo])
    await other.race([cy, dee])
    faults.next(2, key(table, way))
    await table.type(ada, table.right(ada))
    await other.type(cy, other.right(cy))
    assert faults.raised == 2
    assert table.match.end is End.FAULT
    assert table.match.phase is Phase.CLOSED
    await table.advance(2)
    assert "Something broke in this match" in table.texts()
    assert world.rows("select status, end_reason, closed from matches order by id") == [
        ("void", "fault", 1),
        ("open", None, 0),
    ]
    assert len(other.row(cy)) == 2
    await other.rows({cy: "rrrr"})
    assert other.game.caller == 0
    await table.race([bo, ada])
    await table.type(ada, table.right(ada))
    assert len(table.row(ada)) == 2


async def test_a_match_that_could_not_set_its_timer_once_still_ends_its_race(world, table, faults):
    ada, bo, *_ = world.people
    with_machine(world, lambda real: FaultyDeadlines(real, faults))
    await table.race([ada, bo])
    faults.next(1)
    await table.type(ada, 11)
    assert faults.raised == 1
    await table.advance(31)
    assert table.stage is Stage.CHECK


async def test_a_match_that_can_not_set_its_timer_ends_alone(world, table, faults):
    ada, bo, cy, dee, *_ = world.people
    other = world.table("other")
    with_machine(world, lambda real: FaultyDeadlines(real, faults))
    await table.race([ada, bo])
    await other.open([cy, dee])
    faults.next(100, table.match.opening.id)
    await table.type(ada, 11)
    assert table.match.end is End.FAULT
    assert table.is_free
    assert other.match.phase is Phase.LOBBY


async def test_a_press_is_answered_although_its_match_breaks(world, table, faults):
    ada, bo, *_ = world.people
    break_by(world, faults, "machine")
    await table.race([ada, bo])
    faults.next(2)
    answer = await table.slash(ada, "take", number=table.right(ada))
    assert answer == "That is no longer possible."


async def test_a_match_that_can_not_even_be_closed_leaves_its_channel_free(world, table, faults):
    """The database refuses everything about one match; later it does not."""
    ada, bo, *_ = world.people
    break_by(world, faults, "store")
    await table.race([ada, bo])
    broken = table.runner.id
    faults.next(100, broken)
    await table.type(ada, table.right(ada))
    assert table.match.end is End.FAULT
    assert table.is_free
    faults.next(0)
    world.runners.clear()
    await table.open([ada, bo])
    assert table.runner.id != broken
    assert world.rows("select end_reason from matches order by id") == [("fault",), (None,)]


@pytest.mark.parametrize("way", ["opening", "claim", "end"])
async def test_showing_fails_once_and_the_match_goes_on(world, table, faults, way):
    ada, bo, *_ = world.people
    with_display(world, lambda real: FaultyDisplay(real, faults))
    await table.start([ada, bo])
    if way == "opening":
        faults.next(1)
    await table.to_race()
    number = table.right(ada)
    if way == "claim":
        faults.next(1)
    await table.type(ada, number)
    assert table.owner(number) == 0
    assert len(table.row(ada)) == 2
    await table.advance(2)
    if way == "end":
        await table.rows({ada: "rrr"})
        faults.next(1)
    await table.rows({ada: "rrrr"})
    assert table.game.caller == 0
    assert faults.raised == 1
    await table.until(lambda: table.stage is Stage.BREAK)
    assert table.match.end is None
    claims = world.rows("select count(*) from actions where kind = 'rox.claim'")
    assert claims == [(5,)], "nothing is decided twice"


async def test_an_answer_is_given_only_after_the_action_was_recorded(world, table):
    """Before the commit there is no answer; claims that arrive meanwhile come after it."""
    ada, bo, *_ = world.people
    with_store(world, SlowStore)
    store = world.bot.matches.services.store
    await table.race([ada, bo])
    number = table.right(ada)
    shown = table.texts()
    store.seconds = 3.0
    async with world.at_once():
        pressed = await ada.slash(table.channel, "rox take", number=number)
    assert pressed.response is None or not pressed.response.content
    await table.type(bo, number)
    await table.advance(2)
    assert table.owner(number) is None
    assert table.texts() == shown
    assert world.rows("select count(*) from actions where kind = 'rox.claim'") == [(0,)]
    await table.advance(1)
    assert table.owner(number) == 0
    assert world.rows("select count(*) from actions where kind = 'rox.claim'") == [(1,)]
    await table.advance(3)
    assert pressed.response.content == f"{number} is yours."
    assert world.rows("select count(*) from actions where kind = 'rox.claim'") == [(2,)]
    assert table.game.recent_claims[-1].owner == 0


async def test_a_slow_store_holds_up_no_other_match(world, table):
    ada, bo, cy, dee, *_ = world.people
    other = world.table("other")
    await table.race([ada, bo])
    with_store(world, SlowStore)
    world.bot.matches.services.store.seconds = 5.0
    await other.open([cy])
    async with world.at_once():
        await dee.click(other.newest, label="Join")
    assert len(other.match.seats) == 1
    number = table.right(ada)
    await table.type(ada, number)
    assert table.owner(number) == 0
    await world.advance(11)
    assert len(other.match.seats) == 2


async def test_pictures_are_never_drawn_on_the_event_loop_s_thread(database, monkeypatch):
    """The real artist draws; every thread that touches Pillow is recorded."""
    drawn, touched = [], set()
    draw, new = Artist.draw, Image.new

    def remembering_draw(self, scene, *, quick=False):
        drawn.append((type(scene).__name__, threading.get_ident()))
        return draw(self, scene, quick=quick)

    def remembering_new(*args, **kwargs):
        touched.add(threading.get_ident())
        return new(*args, **kwargs)

    monkeypatch.setattr(Artist, "draw", remembering_draw)
    monkeypatch.setattr(Image, "new", remembering_new)
    async with simulated(database, pictures=True) as world:
        table = world.table()
        ada, bo, *_ = world.people
        await table.race([ada, bo])
        await table.rows({ada: "rrrrr", bo: "rw"})
        await table.until(lambda: table.stage is Stage.BREAK)
        await table.slash(ada, "rules")
        await table.leave(ada)
        await table.advance(2)
        assert table.match.end is End.WON_BY_LEAVING
        shown = {a.filename for m in table.messages for a in m.attachments}
        assert {"table.png", "last-cards.png", "check.png", "podium.png"} <= shown
    scenes = {scene for scene, _ in drawn}
    assert {"TableScene", "CoveredScene", "LastCardsScene", "CheckScene", "PodiumScene"} <= scenes
    assert "HowToScene" in scenes
    assert threading.get_ident() not in {thread for _, thread in drawn} | touched
    assert len({thread for _, thread in drawn}) == 1


class HeldArtist(Blank):
    """Draws nothing while it is held."""

    def __init__(self):
        super().__init__()
        self.may_draw, self.waits = threading.Event(), threading.Event()
        self.may_draw.set()

    def draw(self, scene, *, quick=False):
        if not self.may_draw.is_set():
            self.waits.set()
            assert self.may_draw.wait(20)
        return super().draw(scene, quick=quick)


async def test_claims_are_decided_while_a_picture_is_being_drawn(world, table):
    """The worker is stuck in a picture; the race goes on without it."""
    ada, bo, *_ = world.people
    artist = HeldArtist()
    world.artist = lambda theme: artist
    await table.race([ada, bo])
    number = table.right(ada)
    artist.may_draw.clear()
    with world.unsettled():
        table.say(ada, number)
    advancing = asyncio.ensure_future(world.advance(3))
    try:
        async with asyncio.timeout(10):
            while table.owner(number) is None or not artist.waits.is_set():  # noqa: ASYNC110 - nothing tells of it
                await asyncio.sleep(0.005)
        assert not advancing.done(), "the picture is still being waited for"
    finally:
        artist.may_draw.set()
        await advancing
    assert table.owner(number) == 0
    assert f"Ada took {number}" in table.texts()


class FaultyArtist:
    """Faults at open tables."""

    def __init__(self, real, faults):
        self._real = real
        self._faults = faults

    def draw(self, scene, *, quick=False):
        if isinstance(scene, TableScene):
            self._faults.strike(None)
        return self._real.draw(scene, quick=quick)


def with_artist(world, faults):
    world.artist = lambda theme: FaultyArtist(Blank(theme), faults)


@pytest.mark.parametrize("when", ["opening", "race"])
async def test_a_picture_that_fails_once_holds_up_nothing(world, table, faults, when):
    ada, bo, *_ = world.people
    with_artist(world, faults)
    await table.start([ada, bo])
    if when == "opening":
        faults.next(1)
    await table.to_race()
    if when == "race":
        faults.next(1)
    number = table.right(ada)
    await table.type(ada, number)
    await table.advance(5)
    assert faults.raised == 1
    assert f"Ada took {number}" in table.texts()


async def test_a_picture_that_fails_again_and_again_starts_the_match_from_its_log(
    world, table, faults, caplog
):
    ada, bo, *_ = world.people
    with_artist(world, faults)
    await table.race([ada, bo])
    faults.next(ATTEMPTS)
    number = table.right(ada)
    await table.type(ada, number)
    await table.advance(10)
    assert faults.raised == ATTEMPTS
    assert f"match {table.runner.id} is rebuilt from" in caplog.text
    assert f"Ada took {number}" in table.texts()
    assert table.stage is Stage.RACE
    # It may happen once more another time.
    faults.next(ATTEMPTS)
    await table.type(bo, table.right(bo))
    await table.advance(10)
    assert f"Ada took {number}" in table.texts()
    assert table.stage is Stage.RACE


async def test_a_picture_that_always_fails_ends_the_match_alone(world, table, faults):
    ada, bo, *_ = world.people
    with_artist(world, faults)
    other = world.table("other")
    await other.race(world.people[2:4])
    await table.start([ada, bo])
    faults.next(2 * ATTEMPTS)
    await table.advance(30)
    assert faults.raised == 2 * ATTEMPTS
    assert table.match.phase is Phase.CLOSED
    assert table.match.end is End.FAULT
    assert table.said("Something broke")
    assert table.is_free
    assert other.match.phase is Phase.PLAYING
    await table.open([ada, bo])


async def test_a_picture_that_fails_after_a_restart_delays_the_end_of_the_absence(
    world, table, faults
):
    ada, bo, *_ = world.people
    await table.race([ada, bo])
    await world.restart(lambda: (world.pass_time(600), faults.next(1), with_artist(world, faults)))
    await table.advance(3)
    assert faults.raised == 1
    assert "I was away for a moment" in table.texts()
    assert table.stage is Stage.RACE
    await table.advance(31)
    assert table.stage is Stage.CHECK, "the deadline is moved"


class StartsBadly(Wrapper):
    """Faults at starts of matches, so many times."""

    left = 1

    def start(self, opening):
        if self.left:
            self.left -= 1
            raise FaultError
        return self._real.start(opening)


async def test_a_fault_while_a_match_is_opened_does_not_keep_the_channel(world, table):
    ada, bo, *_ = world.people
    world.faulty = True
    with_machine(world, StartsBadly)
    answer = await table.slash(ada, "play")
    assert answer
    assert "The lobby is open" not in answer
    (fault,) = world.env.errors
    assert isinstance(fault.original, FaultError)
    await table.advance(1)
    assert world.bot.matches.seats.of(world.guild.id, ada.id) is None
    await table.race([ada, bo])
    number = table.right(ada)
    await table.type(ada, number)
    assert table.row(ada)[1:] == [number]


async def test_a_fault_while_a_rematch_is_opened_does_not_keep_the_channel(world, table):
    ada, bo, *_ = world.people
    world.faulty = True
    await bring_to(table, [ada, bo], "rematch")
    with_machine(world, StartsBadly)
    for person in (ada, bo):
        await table.press(person, "Rematch")
    await table.advance(3)
    assert table.said("The rematch could not be opened")
    assert world.bot.matches.seats.of(world.guild.id, ada.id) is None
    assert "The lobby is open" in await table.slash(ada, "play")


async def test_a_fault_after_a_commit_is_made_good_and_keeps_no_channel(world, table, faults):
    """The registry fails to follow the end of a lobby, which is recorded by then."""
    ada, *_ = world.people
    await table.open([ada])
    registry = world.bot.matches.registry
    update = registry.update

    def fail_once(runner):
        registry.update = update
        raise FaultError

    registry.update = fail_once
    await table.press(ada, "Cancel")
    await table.advance(2)
    assert registry.update == update
    assert table.is_free
    assert world.bot.matches.seats.of(world.guild.id, ada.id) is None


async def test_a_match_that_nobody_can_follow_ends_with_a_message(world, table, faults):
    ada, *_ = world.people
    await table.open([ada])

    def fail(runner):
        raise FaultError

    world.bot.matches.registry.update = fail
    await table.press(ada, "Cancel")
    await table.advance(2)
    assert table.said("Something broke in this match")
