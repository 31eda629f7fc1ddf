"""Actions, batches and results for the tests of the store."""

from random import Random

from bot.matches.ports import Batch, Ending, Entry, Venue
from bot.store.database import Database
from bot.store.journal import Journal
from game.actions import (
    Close,
    Configure,
    Gone,
    Interrupt,
    Join,
    Leave,
    Rematch,
    Resume,
    Returned,
    Shown,
    Start,
    Stop,
    Tick,
    decode,
)
from game.ids import opponent_id, timer_id
from game.match import End, Level, Place, Result, Seat
from game.rox.actions import Back, Claim, Ready
from game.rox.engine import ROX
from game.rox.settings import Preset, RoxSettings
from game.rox.state import Tally

GUILD = 1_100_000_000_000_000_001
CHANNEL = 1_100_000_000_000_000_002
VENUE = Venue(GUILD, CHANNEL)
ADA, BO, CY, DI = (1_200_000_000_000_000_000 + number for number in range(4))
FIGURES = {"rox": ROX.rules.figures}
NAMES = {ADA: "Ada", BO: "Bo", CY: "Çy 🪨", DI: "Di"}
START_MS = 330_000_000_000


def snowflake(ms: int, count: int = 0) -> int:
    return (START_MS + ms) << 22 | count


def opening(ms: int = 0):
    seats = [(ADA, NAMES[ADA], None), (None, "Flint", "master")]
    return ROX.opening(snowflake(ms), RoxSettings(preset=Preset.FAIR), seats)


def every_kind():
    """A log in which every kind of action occurs, from a lobby to the end."""
    log = [
        opening(),
        Join(snowflake(1_000), CY, NAMES[CY]),
        Leave(snowflake(2_000), CY),
        Join(snowflake(3_000), BO, NAMES[BO]),
        Configure(snowflake(3_200), ADA, {"preset": "rulebook"}),
        Shown(snowflake(3_500), "lobby"),
        Start(snowflake(4_000), ADA),
    ]
    deal = ROX.draw_random(ROX.replay(log).match, Random(5))
    ready = START_MS + 4_000 + 5_000
    log += [
        deal,
        Tick(timer_id(ready)),
        Shown(snowflake(9_500), "table-1"),
        Claim(snowflake(13_000), ADA, 21),
        Claim(opponent_id(START_MS + 13_500, 1), None, 33, seat=1),
        Back(snowflake(14_000), ADA),
        Back(opponent_id(START_MS + 14_500, 1), None, seat=1),
        Ready(snowflake(14_600), BO),
        Interrupt(timer_id(START_MS + 15_000)),
        Resume(snowflake(16_000), BO),
        Shown(snowflake(16_500), "table-1b"),
        Stop(snowflake(17_000), BO, manager=False),
        Rematch(snowflake(18_000), ADA),
        Returned(timer_id(START_MS + 18_500)),
        Gone(timer_id(START_MS + 19_000), BO),
        Close(timer_id(START_MS + 20_000), End.CHANNEL_GONE),
    ]
    return log


def joins(first_seq: int, count: int, *, ms: int = 100):
    """Lines for a log; what they say does not matter to the store."""
    return tuple(
        Entry(seq, Join(snowflake(ms + seq), BO, NAMES[BO]))
        for seq in range(first_seq, first_seq + count)
    )


def decoded(stored):
    return [decode(kind, action_id, values) for action_id, kind, values in stored.lines]


def seated(*users, left=()):
    return tuple(
        Seat(number, user, NAMES.get(user, "Flint"), None if user else Level.MASTER)
        if user not in left
        else Seat(number, user, NAMES[user], out=snowflake(number))
        for number, user in enumerate(users)
    )


def result(*places, tallies=None, counts=True, rated=True):
    """A result from (user, place, place among people, points)."""
    return Result(
        tuple(
            Place(seat, place, among, points)
            for seat, (_, place, among, points) in zip(
                seated(*(user for user, *_ in places)), places, strict=True
            )
        ),
        {number: (tallies or {}).get(number, Tally()).figures() for number in range(len(places))},
        counts=counts,
        rated=rated,
    )


def finished(match, outcome, *, closed=True, entries=(), reason=End.FINISHED, ms=300_000):
    return Batch(match, tuple(entries), Ending(reason, outcome, START_MS + ms), closed)


def void(match, reason=End.STOPPED, *, closed=True):
    return Batch(match, (), Ending(reason, None, START_MS + 300_000), closed)


async def record_match(url):
    """Record a match in a database that is up to date."""
    database = Database.open(url)
    journal = Journal(database, FIGURES)
    match = await journal.create(VENUE, every_kind())
    await journal.record(finished(match, result((1, 1, 1, 9), (2, 2, 2, 4))))
    await database.close()
