"""Matches over the wire: the bot in a process of its own, people in a Discord on loopback.

What the bot has decided is read from its database file, as somebody beside it would: the log of a
match is replayed. So what a test sees has been recorded.
"""

import asyncio
import contextlib
import json
import sqlite3
import time

from bot.games.plug import MatchView
from bot.games.sheet import Text
from bot.games.table import GAMES
from bot.locales.catalogue import Words
from bot.sandbox.demo.reading import labels
from bot.sandbox.run import LoopbackDiscord
from bot.sandbox.world import message_text
from bot.store.migrate import upgrade
from game import clock
from game.actions import decode
from game.match import Phase
from game.rox.claims import LOWEST
from game.rox.state import PLACES, Stage, number_of
from tests.kit.wire.faults import Faults
from tests.kit.wire.process import WAIT_S, at, connected, disconnected, said, starting

POLL_S = 0.01
INVALIDATED = "session has been invalidated"
BACK = "I was away for a moment"
PATIENT = {"rest_ms": 0, "idle_ms": 300_000, "race_ms": 900_000}
"""Free hands from the start, and a race that waits for whatever a test does meanwhile."""


@contextlib.asynccontextmanager
async def hosted(
    folder, *, channels=("rox-table",), beyond=None, rules=PATIENT, settle_ms=60, **options
):
    """A Discord with faults and the bot on it; at the end its log must tell of no fault of ours."""
    faults = Faults(beyond)
    async with (
        LoopbackDiscord(interceptor=faults, channels=channels, **options) as loopback,
        starting(folder) as start,
    ):
        wire = Wire(loopback, faults, folder / "rox.sqlite3", start, settle_ms)
        wire.choose(rules)
        await wire.start()
        yield wire
        faults.lift_all()
        assert await wire.bot.stop() == 0, wire.bot.output
        wire.check()


class Wire:
    """A Discord with faults, and the bot that is on it.

    Attributes:
        loopback: the Discord.
        faults: its interceptor.
        bot: the present process.
    """

    def __init__(self, loopback, faults, database, start, settle_ms):
        self.loopback = loopback
        self.faults = faults
        self.world = loopback.world
        self.gateway = loopback.gateway
        self.bot = None
        self.settle_s = settle_ms / 1000
        self._start = start
        self._url = f"sqlite+aiosqlite:///{database}"
        upgrade(self._url)
        self._file = database
        self.open_database()

    def open_database(self):
        self._database = sqlite3.connect(self._file, isolation_level=None)

    def close_database(self):
        self._database.close()

    def choose(self, rules):
        """Choose the rules of the server's next matches, also such as its settings do not offer."""
        guild = self.loopback.guild.id
        self._database.execute(
            "insert or ignore into guild_settings (guild_id, starters) values (?, 'everyone')",
            (guild,),
        )
        self._database.execute(
            "insert or replace into setting_sections (guild_id, name, chosen) values (?, 'rox', ?)",
            (guild, json.dumps(rules)),
        )

    async def start(self):
        settings = {"ROX_LOG_LEVEL": "INFO", "ROX_SETTLE_MS": str(round(self.settle_s * 1000))}
        self.bot = await self._start(**at(self.loopback, **settings))
        await connected(self.loopback)

    async def restart(self, meanwhile=None):
        """End the bot and start it again; in between no bot is there."""
        assert await self.bot.stop() == 0
        await disconnected(self.loopback)
        if meanwhile is not None:
            await meanwhile()
        await self.start()

    async def loses_its_session(self):
        """Break the connection for good: what happens until the next session begins is missed.

        A client waits for five seconds before it identifies again; this returns at once.
        """
        began = len(self.bot.told(INVALIDATED))
        self.gateway.refuses_resumes = True
        self.gateway.close_connections()
        await self.bot.tells(INVALIDATED, began + 1)
        self.gateway.refuses_resumes = False

    def check(self):
        """Whatever Discord does, the log tells of it in plain lines."""
        assert "Traceback" not in self.bot.output, self.bot.output
        assert "a fault" not in self.bot.output, self.bot.output

    def rows(self, query, *values):
        return self._database.execute(query, values).fetchall()

    async def until(self, predicate, within=WAIT_S):
        """Wait until something holds that the database or Discord tells."""
        ends = time.monotonic() + within
        while not (found := predicate()):
            assert time.monotonic() < ends, f"not reached:\n{self.bot.output[-3000:]}"
            await asyncio.sleep(POLL_S)
        return found

    def table(self, channel, *names):
        """A table of people, by their names, in a channel of the server."""
        return Table(self, [self.loopback.person(name, channel) for name in names])


class Table:
    """One channel, the people who play there, and their newest match."""

    def __init__(self, wire, people):
        self.wire = wire
        self.people = people
        self.host = self.people[0]
        self.channel_id = self.host.channel_id
        self._replayed = (None, None)
        self._shown = set()

    # -- what the bot has recorded

    @property
    def id(self):
        found = self.wire.rows("select max(id) from matches where channel_id = ?", self.channel_id)
        return found[0][0]

    @property
    def match(self):
        match_id = self.id
        lines = self.wire.rows(
            "select kind, action_id, payload from actions where match_id = ? order by seq", match_id
        )
        key = (match_id, len(lines))
        if self._replayed[0] != key:
            actions = [decode(kind, action, json.loads(text)) for kind, action, text in lines]
            self._replayed = (key, GAMES["rox"].machine.replay(actions).match)
        return self._replayed[1]

    @property
    def game(self):
        return self.match.game

    @property
    def stage(self):
        """The stage of the round; a race that waits for its table counts as being opened."""
        match = self.match
        if match.phase is not Phase.PLAYING or match.game is None:
            return None
        waits = GAMES["rox"].machine.awaits_post(match)
        return Stage.OPENING if waits else match.game.stage

    @property
    def status(self):
        """The stored status, reason of the end, and whether the match is closed."""
        (found,) = self.wire.rows(
            "select status, end_reason, closed from matches where id = ?", self.id
        )
        return found

    def seat(self, person):
        return self.match.seat_of(person.id).number

    def row(self, person):
        """The numbers in somebody's row, the start card first."""
        return [number_of(held.index) for held in self.game.hands[self.seat(person)].row]

    def owner(self, number):
        """Who has the card at a number."""
        seat = self.game.owner[number - LOWEST]
        return None if seat is None else self.people[seat]

    def recorded(self, message_id):
        """Whether the log has a line for a message or a press."""
        return bool(
            self.wire.rows(
                "select 1 from actions where match_id = ? and source_id = ?", self.id, message_id
            )
        )

    def lines(self, *kinds):
        """Kind and id of the log's lines of these kinds, in order."""
        found = self.wire.rows(
            "select kind, action_id from actions where match_id = ? order by seq", self.id
        )
        return [line for line in found if line[0] in kinds]

    def count(self, kind):
        """How many lines of a kind the log has."""
        return len(self.lines(kind))

    def free(self, *, but=()):
        """Free numbers, lowest first."""
        owner = self.game.owner
        return [number_of(i) for i in range(PLACES) if owner[i] is None and number_of(i) not in but]

    # -- what people see

    def texts(self):
        """What all messages in the channel say, oldest first."""
        return [message_text(m) for m in self.host.messages() if not m.is_ephemeral]

    @property
    def is_shown(self):
        return bool(self._messages())

    def shown(self):
        """The newest message that shows the match."""
        return self._messages()[-1]

    def _messages(self):
        return [m for m in self.host.messages() if m.components and not m.is_ephemeral]

    def shows(self, words):
        """Whether the newest message of the match says so."""
        return words in message_text(self.shown())

    def is_current(self):
        """Whether the newest message of the match says exactly what has been recorded."""
        sheet = GAMES["rox"].sheet(MatchView(self.match, Words()))
        wanted = [block.content for block in sheet.blocks if isinstance(block, Text)]
        return message_text(self.shown()) == "\n".join(wanted)

    def buttons(self):
        return labels(self.shown().components)

    def greetings(self):
        """How often the bot has posted that it was away.

        The next edit removes the sentence, so posts are counted instead of present messages.
        """
        path = f"/channels/{self.channel_id}/messages"
        return sum(
            BACK in str(call.json)
            for call in self.wire.faults.calls
            if (call.method, call.path) == ("POST", path)
        )

    # -- what people do

    async def until(self, predicate, within=WAIT_S):
        return await self.wire.until(predicate, within)

    async def open(self):
        """Open a lobby and seat everybody."""
        answer = await said(self.wire.loopback, self.host.slash("rox play"))
        assert "The lobby is open" in answer, answer
        await self.until(lambda: self.is_shown and "Join" in self.buttons())
        for person in self.people[1:]:
            await self.press(person, "Join")
        await self.until(lambda: len(self.match.seats) == len(self.people))

    async def start(self):
        """Go as far as the get-ready time of the first round."""
        await self.open()
        await self.press(self.host, "Start")
        await self.until(lambda: self.stage is Stage.READY)

    async def race(self):
        """Go as far as the first race."""
        await self.start()
        await self.until(lambda: self.stage is Stage.RACE)

    async def press(self, person, label):
        await person.press(self.shown().id, label).response(timeout=WAIT_S)

    async def takes(self, person, number=None):
        """Type a free number, and wait until the card is taken."""
        number = number or self.free()[0]
        message = person.say(str(number))
        await self.until(lambda: self.recorded(message.id))
        assert self.owner(number) is person
        return number

    async def puts_back(self):
        """Everybody puts back what was taken, so that no row comes to six cards by and by."""
        for person in self.people:
            for _ in self.row(person)[1:]:
                person.say("0")
        await self.until(lambda: all(len(self.row(person)) == 1 for person in self.people))

    async def goes_on(self):
        """The race is on, a claim is decided, and the table shows it: one that it never showed."""
        await self.until(lambda: self.stage is Stage.RACE and clock.is_running(self.match))
        number = await self.takes(self.host, self.free(but=self._shown)[0])
        self._shown.add(number)
        await self.until(lambda: self.shows(f"took {number}"))
        assert self.match.phase is Phase.PLAYING
