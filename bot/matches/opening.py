"""Opening matches: by a command, as a rematch, and from the store after a start."""

from __future__ import annotations

import asyncio
import logging
from contextlib import suppress
from typing import TYPE_CHECKING, Any

from bot.matches.backoff import Backoff
from bot.matches.ports import (
    AlreadyEndedError,
    Batch,
    CannotOpenError,
    CannotSaveError,
    ChannelTakenError,
    ClosingError,
    Ending,
    Notice,
    StoreUnavailableError,
)
from bot.matches.runner import Runner
from game.actions import Opening
from game.ids import ms_of, timer_id
from game.match import End, Match

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping, Sequence

    from bot.matches.ports import MatchServices, PlayedGame, StoredMatch, Venue
    from bot.matches.registry import Registry
    from bot.matches.seats import Seats
    from game.events import Event

log = logging.getLogger(__name__)


class Opener:
    """Opens matches.

    Args:
        games: the games by name.
        registry: the open matches.
        seats: the seats of people in open matches.
        services: the services that all matches share.
        on_commit: called with a match and the events after every commit.
        on_announced: called with a closed match once its last message is posted.

    Attributes:
        games: the games by name.
        closing: whether the bot is about to stop, so that no match can be opened.
        cut_off: whether the session is lost, so that a new match is held.
    """

    def __init__(
        self,
        games: Mapping[str, PlayedGame],
        registry: Registry,
        seats: Seats,
        services: MatchServices,
        *,
        on_commit: Callable[[Runner, Sequence[Event]], None],
        on_announced: Callable[[Runner], None],
    ) -> None:
        self.games = games
        self.closing = False
        self.cut_off = False
        self._registry = registry
        self._seats = seats
        self._services = services
        self._on_commit = on_commit
        self._on_announced = on_announced

    async def open(self, venue: Venue, opening: Opening) -> Runner:
        """Open a match in a channel.

        Raises:
            CannotOpenError: the match can't be opened; the subclass gives the reason.
        """
        if self.closing:
            raise ClosingError
        users = [user for user, _, _ in opening.seats if user is not None]
        self._registry.reserve(venue.channel)
        try:
            self._seats.take(venue, users)
        except CannotOpenError:
            self._registry.free(venue.channel)
            raise
        offer = self._registry.offer_at(venue.channel)
        if offer is not None:
            offer.close(End.CANCELLED)
        game = self.games[opening.game]
        try:
            match = game.machine.start(opening)
            match_id = await self._create(venue, opening)
        except BaseException as error:
            self._registry.free(venue.channel)
            self._seats.give_up(venue, users)
            if isinstance(error, StoreUnavailableError):
                raise CannotSaveError from error
            raise
        runner = self._add(match_id, venue, game, match=match, length=1, seen={opening.id})
        if self.cut_off:
            runner.hold()
        runner.begin()
        return runner

    async def _create(self, venue: Venue, opening: Opening) -> int:
        """Record a new match.

        A match that ended by a fault may still be open in the store; then it is closed first.
        """
        store = self._services.store
        try:
            return await store.create(venue, [opening])
        except ChannelTakenError:
            log.warning("channel %d has a match in the store that ended by a fault", venue.channel)
        for stored in await store.open_matches():
            if stored.venue == venue and self._registry.get(stored.id) is None:
                ended = max(ms_of(action_id) for action_id, _, _ in stored.lines)
                ending = Ending(End.FAULT, None, ended)
                with suppress(AlreadyEndedError):
                    await store.record(Batch(stored.id, (), ending, closed=True))
        return await store.create(venue, [opening])

    def adopt(
        self, stored: StoredMatch, game: PlayedGame, match: Match[Any], seen: Iterable[int]
    ) -> Runner:
        """Run a match that was loaded from the store; it is held until `Runner.release`.

        Args:
            stored: the match as loaded from the store.
            game: its game.
            match: the state that its log leads to.
            seen: ids of people's actions in the log.
        """
        length = len(stored.lines)
        runner = self._add(stored.id, stored.venue, game, match=match, length=length, seen=seen)
        runner.hold()
        return runner

    def _add(
        self,
        match_id: int,
        venue: Venue,
        game: PlayedGame,
        *,
        match: Match[Any],
        length: int,
        seen: Iterable[int],
    ) -> Runner:
        runner = Runner(
            match_id,
            venue,
            game,
            match=match,
            length=length,
            services=self._services,
            on_commit=self._on_commit,
            on_announced=self._on_announced,
            seen=seen,
        )
        self._registry.add(runner)
        if not match.is_over:
            self._seats.update(runner)
        return runner

    async def open_rematch(self, runner: Runner, users: Sequence[int]) -> bool:
        """Open a rematch; return False if the bot stops first and the next process must open it.

        Args:
            runner: the match that is over.
            users: ids of the users who asked for the rematch.
        """
        backoff = Backoff(self._services.clock)
        try:
            while (opening := self._rematch(runner, users)) is not None:
                try:
                    await self.open(runner.venue, opening)
                except ClosingError:
                    return False
                except CannotSaveError:
                    if backoff.exhausted:
                        await self._say_no_rematch(runner)
                        return True
                    backoff.fail()
                    await asyncio.sleep(backoff.delay)
                    continue
                except CannotOpenError:
                    log.info("no rematch in channel %d: it is taken", runner.venue.channel)
                break
        except Exception:
            log.exception("a fault: the rematch of match %d can't be opened", runner.id)
            await self._say_no_rematch(runner)
        return True

    async def _say_no_rematch(self, runner: Runner) -> None:
        game = runner.match.opening.game
        await self._services.display.say(runner.venue, Notice.NO_REMATCH, game)

    def _rematch(self, runner: Runner, users: Sequence[int]) -> Opening | None:
        """Return a rematch's opening, without a lobby and with the first seat moved to the end.

        People who play elsewhere by now are left out; None if too few players remain.
        """
        old, guild = runner.match, runner.venue.guild
        staying = [seat for seat in old.active_seats if seat.user is None or seat.user in users]
        free = [
            seat
            for seat in staying
            if seat.user is None or self._seats.of(guild, seat.user) is None
        ]
        left_out = tuple(seat.name for seat in staying if seat not in free)
        people = [seat for seat in free if seat.user is not None]
        rules = runner.game.machine.rules
        if not people or len(free) < rules.min_seats:
            return None
        return Opening(
            id=timer_id(max(self._services.time.now(), old.last_ms)),
            game=old.opening.game,
            version=rules.version,
            settings=old.opening.settings,
            seats=tuple(
                (seat.user, seat.name, seat.level.value if seat.level else None)
                for seat in [*free[1:], free[0]]
            ),
            lobby=False,
            left_out=left_out,
            look=old.opening.look,
        )
