"""What holds for every action of every match, whatever the test is about."""

from __future__ import annotations

import json
from collections import Counter
from dataclasses import replace
from typing import TYPE_CHECKING

from game.actions import Interrupt, Resume, Returned, Shown, Tick, decode, encode
from game.events import RematchAgreed, Unseated
from game.ids import LOW_BITS
from game.match import Phase
from game.rox.actions import Back, Claim
from game.rox.cards import DECK
from game.rox.events import Claimed, ClaimOutcome, RaceEnded, RaceOpened, RoundBegan
from game.rox.settings import Checking
from game.rox.state import Stage

if TYPE_CHECKING:
    from game.actions import Action
    from game.machine import Machine
    from game.match import Match, Step
    from game.rox.state import RoxGame


def through_json(action: Action) -> Action:
    """Return the action as the log gives it back."""
    return decode(action.kind, action.id, json.loads(json.dumps(encode(action))))


def watched(machine: Machine[RoxGame], before: Match[RoxGame], action: Action) -> Step[RoxGame]:
    """Apply an action, and check everything that must hold then."""
    looked = repr(before)
    deadline = machine.deadline(before)
    step = machine.apply(before, action)
    assert repr(before) == looked, "applying an action never changes the old state"
    read = through_json(action)
    assert read == action
    again = machine.apply(before, read)
    assert (again.match, again.events) == (step.match, step.events), "always the same"
    check_identity(before, step)
    check_seats(step.match)
    check_phase(step.match)
    check_table(step.match)
    check_round(before, action, step)
    check_scores(before, step)
    check_time(machine, before, action, step)
    if isinstance(action, Tick):
        check_tick(machine, deadline, action, before, step)
    return step


def check_identity(before: Match[RoxGame], step: Step[RoxGame]) -> None:
    """What changes nothing returns the very same match; what is recorded changes something."""
    still_away = before.away is not None and step.match.away is not None
    away = before.away if still_away else step.match.away
    if replace(step.match, last_ms=before.last_ms, away=away) == before:
        assert step.match is before
    else:
        assert step.match.last_ms >= before.last_ms


def check_seats(match: Match[RoxGame]) -> None:
    assert [seat.number for seat in match.seats] == list(range(len(match.seats)))
    users = [seat.user for seat in match.seats if seat.user is not None]
    assert len(set(users)) == len(users)
    assert len(match.seats) <= 4
    if match.end is not None:
        return
    assert match.host == match.people[0], "who joined first of those still seated"
    if match.phase is Phase.LOBBY:
        assert match.active_seats == match.seats, "lobbies drop who leaves"
        assert (match.full_since is not None) == (len(match.seats) == 4)
    if match.phase in {Phase.DEALING, Phase.PLAYING, Phase.PAUSED}:
        assert len(match.active_seats) >= 2
    assert match.stop_votes <= {seat.user for seat in match.seats}
    assert not match.rematch_votes


def check_phase(match: Match[RoxGame]) -> None:
    assert (match.end is not None) == (match.phase in {Phase.OVER, Phase.CLOSED})
    assert (match.result is not None) == (match.end is not None and match.end.has_result)
    assert (match.pause is not None) == (match.phase is Phase.PAUSED) or match.end is not None
    if match.phase in {Phase.LOBBY, Phase.DEALING}:
        assert match.game is None
    if match.playing or match.phase is Phase.OVER:
        assert match.game is not None
        assert (match.people_at_first_check is not None) == bool(match.game.scores)
    if match.result is not None:
        check_result(match)


def check_result(match: Match[RoxGame]) -> None:
    result, game = match.result, match.game
    assert result is not None
    assert game is not None
    assert sorted(entry.seat.number for entry in result.places) == [s.number for s in match.seats]
    assert [entry.place for entry in result.places] == sorted(e.place for e in result.places)
    assert result.winners
    assert all(seat.out is None for seat in result.winners), "leavers never win"
    for entry in result.places:
        assert entry.points == game.points(entry.seat.number)
        assert (entry.among_people is None) == (entry.seat.user is None)
        better = [e for e in result.places if e.place < entry.place]
        assert entry.place == len(better) + 1
        if entry.among_people is not None:
            assert entry.among_people == 1 + sum(e.seat.user is not None for e in better)


def check_table(match: Match[RoxGame]) -> None:
    """Sixty cards, each at one place, and each either free or in exactly one row."""
    game = match.game
    if game is None:
        return
    places = [game.card_at(index).id for index in range(60)]
    assert sorted(places) == [card.id for card in DECK], "a number never names two cards"
    held = {entry.index: seat for seat, hand in enumerate(game.hands) for entry in hand.row}
    assert sum(len(hand.row) for hand in game.hands) == len(held), "one card lies in two rows"
    assert game.owner == tuple(held.get(index) for index in range(60))
    full = [seat for seat, hand in enumerate(game.hands) if len(hand.row) == 6]
    assert all(len(hand.row) <= 6 for hand in game.hands)
    assert full == ([] if game.caller is None else [game.caller]) or match.phase is Phase.CLOSED
    for seat in match.active_seats:
        assert game.hands[seat.number].row, "who plays holds a start card"
        start = game.row_of(seat.number)[0].id
        assert start == game.deal.starts[game.round - 1][seat.number]
    assert 1 <= game.round <= 5
    assert len(game.recent_claims) <= 6


def check_round(before: Match[RoxGame], action: Action, step: Step[RoxGame]) -> None:
    """Rows change only by what the events tell."""
    old, new = before.game, step.match.game
    if old is None or new is None:
        return
    assert old.deal == new.deal
    moved = [event for event in step.events if isinstance(event, Claimed)]
    gone = {event.seat for event in step.events if isinstance(event, Unseated)}
    if any(isinstance(event, RoundBegan) for event in step.events):
        assert new.round == old.round + 1
        return
    assert new.round == old.round
    assert len(moved) == (1 if moved else 0)
    if moved:
        assert isinstance(action, Claim | Back)
        assert old.stage is Stage.RACE
        check_claim(old, new, moved[0], before.time(action.id))
    mover = moved[0].seat if moved else None
    for seat, (was, now) in enumerate(zip(old.hands, new.hands, strict=True)):
        if seat != mover and seat not in gone and len(was.row) > 1:
            assert was.row == now.row


def check_claim(old: RoxGame, new: RoxGame, claimed: Claimed, now: int) -> None:
    index, seat = claimed.number - 10, claimed.seat
    was, row = old.hands[seat].row, new.hands[seat].row
    took, right = old.card_at(index), True
    if was:
        right = took.centre is old.row_of(seat)[-1].answer
    instant = old.settings.checking is Checking.INSTANT
    match claimed.outcome:
        case ClaimOutcome.TAKEN:
            assert old.owner[index] is None, "nobody takes a card that does not lie there"
            assert row[:-1] == was
            assert row[-1].index == index
            assert right or not instant
            assert now >= old.hands[seat].busy_until
        case ClaimOutcome.LATE:
            assert claimed.owner == old.owner[index]
            assert claimed.owner is not None
            assert row == was
        case ClaimOutcome.BUSY:
            assert claimed.wait_ms == old.hands[seat].busy_until - now > 0
            assert new.hands[seat].busy_until == old.hands[seat].busy_until
            assert row == was
        case ClaimOutcome.WRONG:
            assert instant
            assert not right
            assert old.owner[index] is None
            assert row == was
        case ClaimOutcome.BACK:
            assert row == was[:-1]
            assert was[-1].index == index
            assert row, "the start card is never put back"
            assert new.hands[seat].busy_until >= old.hands[seat].busy_until


def check_scores(before: Match[RoxGame], step: Step[RoxGame]) -> None:
    old, new = before.game, step.match.game
    if old is None or new is None:
        return
    ended = sum(isinstance(event, RaceEnded) for event in step.events)
    assert new.scores[: len(old.scores)] == old.scores, "what was won stays won"
    assert len(new.scores) == len(old.scores) + ended
    assert ended <= 1
    assert len(new.scores) in {new.round - 1, new.round}
    if ended:
        won = Counter(points for points in new.scores[-1] if points)
        assert won <= Counter(new.prizes), "each card turned over is won at most once"
        here = {seat.number for seat in before.active_seats}
        assert {s for s, points in enumerate(new.scores[-1]) if points is not None} == here
        assert {row.seat for row in new.checked} == here
    for seat in range(len(step.match.seats)):
        assert new.points(seat) >= old.points(seat)
        was, now = old.tallies[seat], new.tallies[seat]
        assert now.cards >= was.cards
        assert now.cards - was.cards >= now.right - was.right >= 0


def check_time(
    machine: Machine[RoxGame], before: Match[RoxGame], action: Action, step: Step[RoxGame]
) -> None:
    match = step.match
    deadline = machine.deadline(match)
    waits = machine.awaits_post(match) or match.away is not None
    if match.phase is Phase.CLOSED:
        assert deadline is None
    elif match.phase is not Phase.DEALING and not waits:
        assert deadline is not None, "nothing would ever happen again"
    in_race = [
        game.stage is Stage.RACE and m.phase is Phase.PLAYING
        for m, game in ((before, before.game), (match, match.game))
        if game is not None
    ]
    if in_race == [True, True] and before.game and match.game:
        assert machine.rules.deadline(match.game) >= machine.rules.deadline(before.game), (
            "a race never ends before its announced end"
        )
        if not isinstance(action, Shown | Interrupt):
            assert match.open_from == before.open_from
    check_clock(before, action, match)
    if any(isinstance(event, RaceOpened) for event in step.events):
        assert match.game is not None
        assert isinstance(action, Shown)
        assert match.open_from == action.id
    if match.stopped_at is not None or match.away is not None:
        assert not isinstance(machine.next_action(match), Claim | Back)
    if any(isinstance(event, RematchAgreed) for event in step.events):
        assert match.phase is Phase.CLOSED
    if isinstance(action, Interrupt | Resume) and match.game and before.game:
        assert match.game.scores == before.game.scores


def check_clock(before: Match[RoxGame], action: Action, match: Match[RoxGame]) -> None:
    """The clock is only ever set back, and never before anything that the game noted."""
    assert match.offset_ms >= before.offset_ms
    if match.offset_ms != before.offset_ms:
        assert isinstance(action, Shown | Interrupt | Returned)
    if match.phase in {Phase.OVER, Phase.CLOSED}:
        assert (match.stopped_at, match.away) == (None, None)
    if match.phase is Phase.PAUSED:
        assert match.stopped_at is not None
    if match.game is None or match.phase is not Phase.PLAYING:
        return
    present = match.time(match.last_ms << LOW_BITS)
    if match.stopped_at is not None:
        present = match.stopped_at
    elif match.away is not None:
        present = max(match.away, match.time(match.post.id)) if match.post else match.away
    game = match.game
    noted = [game.last_take, *game.changed, *(hand.since for hand in game.hands)]
    assert max(noted) <= max(present, match.time(action.id)), "the future has not happened yet"


def check_tick(
    machine: Machine[RoxGame],
    deadline: int | None,
    action: Action,
    before: Match[RoxGame],
    step: Step[RoxGame],
) -> None:
    """A tick at the deadline moves on; any other does nothing at all."""
    if deadline != before.time(action.id) or before.phase is Phase.CLOSED:
        assert step.match is before
        return
    assert step.match is not before, "the timer would be set to the same moment for ever"
    after = machine.deadline(step.match)
    assert after is None or after > deadline
