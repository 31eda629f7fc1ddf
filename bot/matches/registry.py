"""Which matches are open: one per channel, one seat per person and server.

What must not happen twice is checked and set without an await in between, so of two people who
press at the same instant the second one sees what the first one did.
"""

from __future__ import annotations

import asyncio
import logging
from collections import Counter
from contextlib import contextmanager, suppress
from typing import TYPE_CHECKING, Any

from bot.matches.patience import Patience, record_at_last
from bot.matches.ports import (
    AlreadyEndedError,
    Batch,
    ChannelTakenError,
    Ending,
    Notice,
    StoreUnavailableError,
    Venue,
)
from bot.matches.runner import Runner
from game.actions import Gone, Opening
from game.events import RematchAgreed
from game.ids import ms_of, timer_id
from game.match import End, Match, Phase

if TYPE_CHECKING:
    from collections.abc import Coroutine, Generator, Iterable, Iterator, Mapping, Sequence

    from bot.matches.ports import Channels, PlayedGame, StoredMatch
    from bot.matches.tools import Tools
    from game.events import Event

log = logging.getLogger(__name__)

_FREE = frozenset({Phase.OVER, Phase.CLOSED})


class CannotOpenError(Exception):
    """A match can't be opened here now."""


class ClosingError(CannotOpenError):
    """The bot is about to stop."""


class CannotSaveError(CannotOpenError):
    """Nothing can be recorded at present."""


class ChannelBusyError(CannotOpenError):
    """The channel has a match already.

    Attributes:
        runner: that match; None while it is being opened.
    """

    def __init__(self, runner: Runner | None) -> None:
        super().__init__()
        self.runner = runner


class SeatedElsewhereError(CannotOpenError):
    """Somebody sits at another table of the server.

    Attributes:
        user: who does.
        venue: where.
    """

    def __init__(self, user: int, venue: Venue) -> None:
        super().__init__()
        self.user = user
        self.venue = venue


class Registry:
    """All matches of a process.

    Args:
        games: the games by name.
        tools: what runners share.
        channels: looks things up in Discord.

    Attributes:
        closing: whether the bot is about to stop.
        cut_off: whether the connection is broken; a match that opens then waits for it.
    """

    def __init__(self, games: Mapping[str, PlayedGame], tools: Tools, channels: Channels) -> None:
        self.games = games
        self.tools = tools
        self.channels = channels
        self.closing = False
        self.cut_off = False
        self._matches: dict[int, Runner] = {}
        self._channels: dict[int, Runner | None] = {}
        self._offers: dict[int, Runner] = {}
        self._seats: dict[tuple[int, int], Venue] = {}
        self._joining: Counter[tuple[int, int]] = Counter()
        self._tasks: set[asyncio.Task[None]] = set()
        self._rematches: dict[int, asyncio.Task[bool]] = {}

    def __iter__(self) -> Iterator[Runner]:
        return iter(tuple(self._matches.values()))

    def get(self, match_id: int) -> Runner | None:
        """Return a match by its own key, unless it is closed."""
        return self._matches.get(match_id)

    def at(self, channel: int) -> Runner | None:
        """Return the match that is open in a channel, lobby included."""
        return self._channels.get(channel)

    def seat_of(self, guild: int, user: int) -> Venue | None:
        """Return where somebody sits in a server."""
        return self._seats.get((guild, user))

    def hear(self, channel: int, user: int, message: int, text: str) -> None:
        """Take a message that somebody typed in a channel."""
        runner = self._channels.get(channel)
        if runner is not None:
            runner.hear(text, user, message)

    @contextmanager
    def joining(self, runner: Runner, user: int) -> Generator[None]:
        """Keep a seat for somebody while a join is being decided.

        Raises:
            SeatedElsewhereError: that person sits at another table of the server.
        """
        key = (runner.venue.guild, user)
        venue = self._seats.setdefault(key, runner.venue)
        if venue != runner.venue:
            raise SeatedElsewhereError(user, venue)
        self._joining[key] += 1
        try:
            yield
        finally:
            self._joining[key] -= 1
            if not self._joining[key]:
                del self._joining[key]
            self._settle_seats(runner)

    def _settle_seats(self, runner: Runner) -> None:
        """Keep exactly the seats that people have at a table, or are about to have."""
        match = runner.match
        people = () if match.phase in _FREE else match.people
        for key, venue in tuple(self._seats.items()):
            if venue == runner.venue and key[1] not in people and key not in self._joining:
                del self._seats[key]
        for user in people:
            self._seats.setdefault((runner.venue.guild, user), runner.venue)

    async def open(self, venue: Venue, opening: Opening) -> Runner:
        """Open a match in a channel.

        Raises:
            CannotOpenError: and which of its kinds, why not.
        """
        if self.closing:
            raise ClosingError
        if venue.channel in self._channels:
            raise ChannelBusyError(self._channels[venue.channel])
        users = [user for user, _, _ in opening.seats if user is not None]
        for user in users:
            elsewhere = self._seats.get((venue.guild, user))
            if elsewhere is not None:
                raise SeatedElsewhereError(user, elsewhere)
        self._channels[venue.channel] = None
        for user in users:
            self._seats[venue.guild, user] = venue
        offer = self._offers.pop(venue.channel, None)
        if offer is not None:
            offer.close(End.CANCELLED)
        hosted = self.games[opening.game]
        try:
            match = hosted.machine.start(opening)
            match_id = await self._create(venue, opening)
        except BaseException as error:
            del self._channels[venue.channel]
            for user in users:
                del self._seats[venue.guild, user]
            if isinstance(error, ChannelTakenError):
                raise ChannelBusyError(None) from error
            if isinstance(error, StoreUnavailableError):
                raise CannotSaveError from error
            raise
        self.tools.time.saw(opening.id)
        runner = self._add(match_id, venue, hosted, match=match, length=1, seen={opening.id})
        if self.cut_off:
            runner.hold()
        runner.begin()
        return runner

    async def _create(self, venue: Venue, opening: Opening) -> int:
        """Record a new match; one that broke here and could not be closed is closed first."""
        store = self.tools.store
        try:
            return await store.create(venue, [opening])
        except ChannelTakenError:
            log.warning("channel %d still has a match that broke", venue.channel)
        for stored in await store.open_matches():
            if stored.venue == venue and stored.id not in self._matches:
                ended = max(ms_of(action_id) for action_id, _, _ in stored.lines)
                ending = Ending(End.FAULT, None, ended)
                with suppress(AlreadyEndedError):
                    await store.record(Batch(stored.id, (), ending, closed=True))
        return await store.create(venue, [opening])

    def adopt(
        self, stored: StoredMatch, hosted: PlayedGame, match: Match[Any], seen: Iterable[int]
    ) -> Runner:
        """Take over a match that was found in the store; it is held until released.

        Args:
            stored: the match as it was found.
            hosted: its game.
            match: the state that its log leads to.
            seen: ids of people's actions in the log.
        """
        runner = self._add(
            stored.id, stored.venue, hosted, match=match, length=len(stored.lines), seen=seen
        )
        runner.hold()
        return runner

    async def stop(self, seconds: float) -> None:
        """Open nothing any more, decide what has arrived, and tell the channels.

        Args:
            seconds: how long that may take.
        """
        self.closing = True
        runners = [runner for runner in self if runner.match.phase not in _FREE]
        async with asyncio.timeout(seconds):
            await asyncio.gather(*(runner.rest() for runner in runners))
            await asyncio.gather(*(self._say(runner, Notice.RESTARTING) for runner in runners))
        for runner in self:
            runner.hold()

    def _add(
        self,
        match_id: int,
        venue: Venue,
        hosted: PlayedGame,
        *,
        match: Match[Any],
        length: int,
        seen: Iterable[int],
    ) -> Runner:
        runner = Runner(
            match_id,
            venue,
            hosted,
            match=match,
            length=length,
            tools=self.tools,
            changed=self._changed,
            told=lambda runner: self._spawn(self._close(runner)),
            seen=seen,
        )
        self._matches[match_id] = runner
        if match.phase is Phase.OVER:
            self._offers[venue.channel] = runner
        elif match.phase is not Phase.CLOSED:
            self._channels[venue.channel] = runner
            self._settle_seats(runner)
        return runner

    def _changed(self, runner: Runner, events: tuple[Event, ...]) -> None:
        """Follow a match after each of its commits."""
        phase, channel = runner.match.phase, runner.venue.channel
        if phase in _FREE and self._channels.get(channel) is runner:
            del self._channels[channel]
            self._settle_seats(runner)
            self._offers[channel] = runner
        elif phase not in _FREE:
            self._settle_seats(runner)
        for event in events:
            if isinstance(event, RematchAgreed):
                self._agree(runner, event.users)
        if phase is Phase.CLOSED:
            self._matches.pop(runner.id, None)
            if self._offers.get(channel) is runner:
                del self._offers[channel]
        elif runner.hosted.ends_round(events):
            self._spawn(self._look_for_leavers(runner))
        elif runner.hosted.begins_round(events) and self.channels.is_hindered(runner.venue):
            runner.hindered()

    def conclude(self, runner: Runner, agreed: Sequence[int]) -> None:
        """Do what is left to do for a match that was found closed: its last word, a rematch.

        Args:
            runner: the match.
            agreed: who wants the rematch that was agreed and is not open yet.
        """
        self._matches.pop(runner.id, None)
        if agreed:
            self._agree(runner, agreed)
        self.tools.table.show(runner, ())

    def _agree(self, runner: Runner, users: Sequence[int]) -> None:
        opening = asyncio.get_running_loop().create_task(self._rematch(runner, users))
        self._rematches[runner.id] = opening

    async def _close(self, runner: Runner) -> None:
        """Close a match in the store; from then on a restart does nothing more for it."""
        opening = self._rematches.pop(runner.id, None)
        if opening is not None and not await opening:
            return
        closing = Batch(runner.id, (), closed=True)
        try:
            await self.tools.store.record(closing)
        except StoreUnavailableError:
            await record_at_last(self.tools.store, closing, self.tools.clock)
        except Exception:
            log.exception("match %d is not closed and will be looked at again", runner.id)

    async def _rematch(self, runner: Runner, users: Sequence[int]) -> bool:
        """Open the rematch; return whether that is settled, or left to the next process."""
        try:
            return await self._open_again(runner, users)
        except Exception:
            log.exception("the rematch of match %d can't be opened: a fault", runner.id)
        await self._say(runner, Notice.NO_REMATCH)
        return True

    async def _open_again(self, runner: Runner, users: Sequence[int]) -> bool:
        patience = Patience(self.tools.clock)
        while (opening := self._opening_again(runner, users)) is not None:
            try:
                await self.open(runner.venue, opening)
            except ClosingError:
                return False
            except CannotSaveError:
                if patience.over:
                    await self._say(runner, Notice.NO_REMATCH)
                    break
                patience.wait()
                await asyncio.sleep(patience.not_before - self.tools.clock.monotonic())
                continue
            except CannotOpenError:
                log.info("no rematch in channel %d: it is taken", runner.venue.channel)
            break
        return True

    def _opening_again(self, runner: Runner, users: Sequence[int]) -> Opening | None:
        """Return how the rematch opens: the same opponents, seats moved on by one, no lobby."""
        old, guild = runner.match, runner.venue.guild
        staying = [seat for seat in old.present if seat.user is None or seat.user in users]
        free = [
            seat for seat in staying if seat.user is None or (guild, seat.user) not in self._seats
        ]
        left_out = tuple(seat.name for seat in staying if seat not in free)
        people = [seat for seat in free if seat.user is not None]
        if not people or len(free) < runner.hosted.machine.rules.fewest:
            return None
        moved = [*free[1:], free[0]]
        return Opening(
            id=timer_id(max(self.tools.time.now(), old.last_ms)),
            game=old.opening.game,
            version=runner.hosted.machine.rules.version,
            settings=old.opening.settings,
            seats=tuple(
                (seat.user, seat.name, seat.level.value if seat.level else None) for seat in moved
            ),
            lobby=False,
            left_out=left_out,
            look=old.opening.look,
        )

    async def _look_for_leavers(self, runner: Runner) -> None:
        guild, people = runner.venue.guild, runner.match.people
        gone = [user for user in people if not await self.channels.is_member(guild, user)]
        if gone:
            runner.submit(Gone(id=runner.now(), user=gone[0], others=tuple(gone[1:])))

    async def _say(self, runner: Runner, notice: Notice) -> None:
        await self.tools.table.say(runner.venue, notice, runner.match.opening.game)

    def _spawn(self, work: Coroutine[Any, Any, None]) -> None:
        task = asyncio.get_running_loop().create_task(work)
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)
