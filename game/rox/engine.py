"""The rules of Rox: five rounds of get-ready time, race, check and break."""

from __future__ import annotations

from dataclasses import asdict, replace
from typing import TYPE_CHECKING, Any, Final

from game.actions import Action, Opening
from game.events import Event, Refusal, Refused
from game.ids import chance_id
from game.machine import Machine
from game.match import GameStep, Level, Match, Move, Phase, Post, Result, Transition, rank_seats
from game.rox import opponents
from game.rox.actions import Back, Claim, Deal, Ready
from game.rox.check import end_race
from game.rox.claims import HIGHEST, LOWEST
from game.rox.dealing import draw_deal
from game.rox.events import (
    Claimed,
    ClaimOutcome,
    MadeReady,
    RaceEnded,
    RaceOpened,
    Revealed,
    RoundBegan,
    TableCalled,
    with_claim,
)
from game.rox.prizes import FULL_ROW, ROUNDS, turn_over
from game.rox.settings import Checking, Preset, RoxSettings
from game.rox.state import (
    BREAK_MS,
    FIGURES,
    PLACES,
    READY_MS,
    REVEAL_MS,
    Hand,
    Held,
    RoxGame,
    Stage,
    Tally,
    number_of,
    table_key,
)

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from random import Random

SILENT_ROUNDS: Final = 2
UNCALLED_ROUNDS: Final = 2
WRONG_REST_MS: Final = (5_000, 8_000)
LAST_REVEAL: Final = len(REVEAL_MS)


def read_settings(plain: Mapping[str, Any]) -> RoxSettings:
    """Return the settings of an opening.

    Raises:
        KeyError: a setting is missing.
        ValueError: a value is not one of its setting.
    """
    return RoxSettings(
        preset=Preset(plain["preset"]),
        checking=Checking(plain["checking"]),
        shortest=int(plain["shortest"]),
        rest_ms=int(plain["rest_ms"]),
        idle_ms=int(plain["idle_ms"]),
        race_ms=int(plain["race_ms"]),
    )


class RoxRules:
    """The rules of Rox, as the machine calls them; `game.match.Rules` describes the methods."""

    name = "rox"
    version = 2
    min_seats = 2
    max_seats = 4
    figures = FIGURES

    def draw_random(self, match: Match[RoxGame], random: Random) -> Action | None:
        """Return the deal, if the match waits for it."""
        if match.game is not None:
            return None
        return draw_deal(chance_id(match.last_ms), len(match.seats), random)

    def begin(self, match: Match[RoxGame], deal: Action, now: int) -> GameStep[RoxGame]:
        """Begin round one.

        Raises:
            TypeError: the action is not a deal.
        """
        if not isinstance(deal, Deal):
            raise TypeError("a match of Rox begins with a deal")
        seats = len(match.seats)
        game = RoxGame(
            settings=read_settings(match.opening.settings),
            deal=deal,
            round=0,
            stage=Stage.READY,
            since=now,
            seat_counts=(),
            prizes=(),
            hands=(),
            owner=(None,) * PLACES,
            silent=(0,) * seats,
            tallies=(Tally(),) * seats,
        )
        return _next_round(match, game, now)

    def apply(
        self, match: Match[RoxGame], game: RoxGame, action: Action, now: int
    ) -> GameStep[RoxGame]:
        """Apply a claim, a put-back or a Ready."""
        match action:
            case Claim() | Back():
                return _move(match, game, action, now)
            case Ready():
                return _ready(match, game, action, now)
            case _:
                return GameStep(game)

    def apply_post(
        self, match: Match[RoxGame], game: RoxGame, post: Post, now: int
    ) -> GameStep[RoxGame]:
        """Open the race at the id of the post that shows the open table."""
        if game.stage is not Stage.OPENING or post.key != table_key(game.round):
            return GameStep(game)
        busy = now + game.settings.rest_ms
        hands = tuple(
            replace(
                hand,
                row=tuple(replace(held, id=post.id) for held in hand.row),
                busy_until=busy,
                since=now,
            )
            for hand in game.hands
        )
        game = replace(
            game,
            stage=Stage.RACE,
            since=now,
            race_from=now,
            last_take=now,
            hands=hands,
        )
        return GameStep(game, (RaceOpened(),))

    def leave(self, match: Match[RoxGame], game: RoxGame, seat: int, now: int) -> GameStep[RoxGame]:
        """Put the row of a leaver back. Points and prizes of earlier checks stay."""
        if game.stage in {Stage.READY, Stage.OPENING, Stage.RACE}:
            for held in game.hands[seat].row:
                game = game.with_owner(held.index, None, now)
            game = game.with_hand(seat, Hand(claimed=game.hands[seat].claimed))
        if game.stage is Stage.BREAK and match.phase is Phase.PLAYING:
            return _next_round_if_ready(match, game, now)
        return GameStep(game)

    def resume(self, match: Match[RoxGame], game: RoxGame, now: int) -> GameStep[RoxGame]:
        """Begin a new round after a pause for rounds without a caller; else go on in the stage.

        Get-ready time begins again, because the players have to come back first.
        """
        if game.stage is Stage.BREAK and game.uncalled >= UNCALLED_ROUNDS:
            return _next_round(match, replace(game, uncalled=0), now)
        if game.stage is Stage.READY:
            return GameStep(replace(game, since=now))
        return GameStep(game)

    def deadline(self, game: RoxGame) -> int | None:
        """Return when a timer ends the stage, or None while the open table is being posted."""
        match game.stage:
            case Stage.READY:
                return game.since + READY_MS
            case Stage.OPENING:
                return None
            case Stage.RACE:
                return _race_deadline(game)
            case Stage.CHECK:
                return game.since + REVEAL_MS[game.reveal]
            case Stage.BREAK:
                return game.since + BREAK_MS

    def apply_deadline(self, match: Match[RoxGame], game: RoxGame, now: int) -> GameStep[RoxGame]:
        """End the stage."""
        match game.stage:
            case Stage.READY:
                return GameStep(replace(game, stage=Stage.OPENING, since=now), (TableCalled(),))
            case Stage.RACE:
                return GameStep(end_race(match, game, None, now), (RaceEnded(None),))
            case Stage.CHECK:
                return _reveal(match, game)
            case Stage.BREAK:
                return _next_round(match, game, now)
            case Stage.OPENING:
                return GameStep(game)

    def next_moves(self, match: Match[RoxGame], game: RoxGame) -> tuple[Move, ...]:
        """Return the next move of each simulated opponent in an open race."""
        if game.stage is not Stage.RACE:
            return ()
        # Opponents must not move between a lost session and the message that shows the table.
        shown = 0 if match.post is None else match.time(match.post.id)
        return tuple(
            opponents.next_move(game, seat.number, seat.level or Level.JOURNEYMAN, shown)
            for seat in match.active_seats
            if seat.user is None
        )

    def make_move(self, match: Match[RoxGame], game: RoxGame, move: Move, action_id: int) -> Action:
        """Return an opponent's claim or put-back."""
        level = match.seats[move.seat].level or Level.JOURNEYMAN
        return opponents.make_move(game, move, level, action_id)

    def awaits_post(self, game: RoxGame) -> bool:
        """Return whether the open table is still to be posted; until then no claim counts."""
        return game.stage is Stage.OPENING

    def has_checked(self, game: RoxGame) -> bool:
        """Return whether a round was checked."""
        return bool(game.scores)

    def is_final(self, game: RoxGame) -> bool:
        """Return whether the last race has ended."""
        return len(game.scores) == ROUNDS

    def result(self, match: Match[RoxGame], game: RoxGame) -> Result:
        """Return the result by points."""
        return rank_seats(match, game.totals(), game.figures())


class RoxMachine(Machine[RoxGame]):
    """The machine of Rox."""

    def opening(
        self,
        action_id: int,
        settings: RoxSettings,
        seats: Sequence[tuple[int | None, str, str | None]],
        *,
        lobby: bool = True,
        left_out: tuple[str, ...] = (),
        look: Mapping[str, Any] | None = None,
    ) -> Opening:
        """Return the action that opens a match; see `Opening` for the parameters."""
        return Opening(
            id=action_id,
            game=self.rules.name,
            version=self.rules.version,
            settings=asdict(settings),
            seats=tuple(seats),
            lobby=lobby,
            left_out=left_out,
            look=look or {},
        )


ROX: Final = RoxMachine(RoxRules())


def _next_round(match: Match[RoxGame], game: RoxGame, now: int) -> GameStep[RoxGame]:
    number = game.round + 1
    seat_counts = (*game.seat_counts, len(match.active_seats))
    here = {seat.number for seat in match.active_seats}
    places = game.deal.places[number - 1]
    starts = {
        seat.number: places.index(game.deal.starts[number - 1][seat.number])
        for seat in match.active_seats
    }
    held_by = {index: seat for seat, index in starts.items()}
    settings = game.settings
    game = replace(
        game,
        round=number,
        stage=Stage.READY,
        since=now,
        seat_counts=seat_counts,
        prizes=turn_over(game.deal.pile, settings.preset, len(match.seats), seat_counts),
        hands=tuple(
            Hand(row=(Held(starts[seat.number], 0),)) if seat.number in here else Hand()
            for seat in match.seats
        ),
        owner=tuple(held_by.get(index) for index in range(PLACES)),
        changed=(0,) * PLACES,
        recent_claims=(),
        caller=None,
        checked=(),
        reveal=0,
        ready=frozenset(),
    )
    return GameStep(game, (RoundBegan(number),))


def _race_deadline(game: RoxGame) -> int:
    """Return when the race ends without a caller, in match time."""
    idle = game.last_take + game.settings.idle_ms
    return min(idle, game.race_from + game.settings.race_ms)


def _move(
    match: Match[RoxGame], game: RoxGame, action: Claim | Back, now: int
) -> GameStep[RoxGame]:
    """Decide a claim or a put-back."""
    person = match.seat_of(action.user)
    seat = action.seat if person is None else person.number
    if seat is None or game.stage is not Stage.RACE:
        return GameStep(game, (Refused(action.user, Refusal.RACE_CLOSED),))
    if isinstance(action, Back):
        return _put_back(game, seat, action, now)
    if not LOWEST <= action.number <= HIGHEST:
        return GameStep(game, (Refused(action.user, Refusal.NO_SUCH_NUMBER),))
    return _claim(match, game, seat, action, now)


def _claim(
    match: Match[RoxGame], game: RoxGame, seat: int, action: Claim, now: int
) -> GameStep[RoxGame]:
    hand = replace(game.hands[seat], claimed=True)
    index = action.number - LOWEST
    owner = game.owner[index]
    if now < hand.busy_until:
        claimed = _claim_event(ClaimOutcome.BUSY, seat, action, wait_ms=hand.busy_until - now)
        return _record_claim(game.with_hand(seat, hand), claimed)
    if owner is not None:
        hand = replace(hand, tries=hand.tries + 1, since=now)
        return _record_claim(
            game.with_hand(seat, hand), _claim_event(ClaimOutcome.LATE, seat, action, owner=owner)
        )
    last = game.last_card(seat)
    instant = game.settings.checking is Checking.INSTANT
    if instant and last is not None and game.card_at(index).centre is not last.answer:
        rest = WRONG_REST_MS[min(hand.wrong, len(WRONG_REST_MS) - 1)]
        hand = replace(
            hand,
            wrong=hand.wrong + 1,
            busy_until=now + rest,
            counts=hand.counts + 1,
            tries=0,
            since=now,
        )
        return _record_claim(
            game.with_hand(seat, hand), _claim_event(ClaimOutcome.WRONG, seat, action, wait_ms=rest)
        )
    hand = replace(
        hand,
        row=(*hand.row, Held(index, action.id)),
        busy_until=now + game.settings.rest_ms,
        wrong=0,
        counts=hand.counts + 1,
        tries=0,
        since=now,
    )
    # A claim can be decided after one with a later id. That must not move the deadline back.
    game = game.with_hand(seat, hand).with_owner(index, seat, now)
    game = replace(game, last_take=max(game.last_take, now))
    step = _record_claim(game, _claim_event(ClaimOutcome.TAKEN, seat, action))
    if len(hand.row) < FULL_ROW:
        return step
    return GameStep(end_race(match, step.game, seat, now), (*step.events, RaceEnded(seat)))


def _put_back(game: RoxGame, seat: int, action: Back, now: int) -> GameStep[RoxGame]:
    hand = game.hands[seat]
    if len(hand.row) == 1:
        return GameStep(game, (Refused(action.user, Refusal.NOTHING_TO_PUT_BACK),))
    last = hand.row[-1]
    hand = replace(
        hand,
        row=hand.row[:-1],
        busy_until=max(hand.busy_until, now + game.settings.rest_ms),
        claimed=True,
        wrong=0,
        counts=hand.counts + 1,
        tries=0,
        since=now,
    )
    game = game.with_hand(seat, hand).with_owner(last.index, None, now)
    number = number_of(last.index)
    return _record_claim(
        game, Claimed(ClaimOutcome.BACK, seat, number, None, 0, action.id, action.typed)
    )


def _claim_event(
    outcome: ClaimOutcome, seat: int, action: Claim, *, owner: int | None = None, wait_ms: int = 0
) -> Claimed:
    return Claimed(outcome, seat, action.number, owner, wait_ms, action.id, action.typed)


def _record_claim(game: RoxGame, claimed: Claimed) -> GameStep[RoxGame]:
    return GameStep(
        replace(game, recent_claims=with_claim(game.recent_claims, claimed)), (claimed,)
    )


def _reveal(match: Match[RoxGame], game: RoxGame) -> GameStep[RoxGame]:
    """Reveal the next part of the check; after the prizes begin the break, or end the match."""
    step = game.reveal + 1
    event: Event = Revealed(step)
    if step < LAST_REVEAL:
        return GameStep(replace(game, reveal=step), (event,))
    after = game.since + REVEAL_MS[-1]
    leavers = tuple(
        seat.number
        for seat in match.active_seats
        if seat.user is not None and game.silent[seat.number] >= SILENT_ROUNDS
    )
    if game.round == ROUNDS:
        return GameStep(replace(game, reveal=step), (event,), Transition.FINISH)
    game = replace(game, reveal=step, stage=Stage.BREAK, since=after)
    transition = Transition.PAUSE if game.uncalled >= UNCALLED_ROUNDS else Transition.CONTINUE
    return GameStep(game, (event,), transition, leavers)


def _ready(match: Match[RoxGame], game: RoxGame, action: Ready, now: int) -> GameStep[RoxGame]:
    if match.seat_of(action.user) is None:
        return GameStep(game, (Refused(action.user, Refusal.NOT_SEATED),))
    if game.stage is not Stage.BREAK:
        return GameStep(game, (Refused(action.user, Refusal.TOO_LATE_NOW),))
    if action.user in game.ready:
        return GameStep(game, (MadeReady(action.user),))
    game = replace(game, ready=game.ready | {action.user})
    step = _next_round_if_ready(match, game, now)
    return replace(step, events=(MadeReady(action.user), *step.events))


def _next_round_if_ready(match: Match[RoxGame], game: RoxGame, now: int) -> GameStep[RoxGame]:
    people = set(match.people)
    return _next_round(match, game, now) if people and people <= game.ready else GameStep(game)
