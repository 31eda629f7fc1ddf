"""Leaving, falling silent, stopping, and what then becomes of a match and its places."""

from __future__ import annotations

import pytest

from game.events import (
    Ended,
    HostChanged,
    OfferEnded,
    Refusal,
    RematchAgreed,
    RematchAsked,
    StopAsked,
    Unseated,
)
from game.match import End, Level, Phase
from game.rox.actions import Claim
from game.rox.events import RaceEnded
from game.rox.state import Stage
from tests.kit.rules.play import ANN, BEN, CAT, DAN, EVE, PEOPLE, Play, only, refusal

SECOND = 1000
MASTER = Level.MASTER


def after_a_check(*people, opponents=()):
    """A match in its second race; everybody has won something or nothing in the first."""
    return Play(*people, opponents=opponents).round(ANN).check_over().race()


def places(play):
    return {entry.seat.name: entry.place for entry in play.match.result.places}


# --- leaving ---


def test_a_leavers_row_goes_back_and_may_be_taken():
    play = Play(ANN, BEN, CAT).race().take_many(CAT, "++")
    numbers = play.row(CAT)
    assert only(play.leave(CAT), Unseated) == Unseated(2, CAT)
    assert [play.game.owner[number - 10] for number in numbers] == [None] * 3
    assert play.row(CAT) == ()
    play.rested().claim(ANN, numbers[0])
    assert play.row(ANN)[1:] == numbers[:1]


@pytest.mark.parametrize("ticks", [0, 1])
def test_a_leavers_start_card_goes_back_before_the_race(ticks):
    play = Play(ANN, BEN, CAT)
    for _ in range(ticks):
        play.tick()
    play.leave(CAT)
    play.race()
    assert sum(owner is None for owner in play.game.owner) == 58


def test_who_left_plays_no_more():
    play = after_a_check(ANN, BEN, CAT)
    play.leave(CAT)
    assert refusal(play.claim(CAT, 42)) is Refusal.NOT_SEATED
    assert refusal(play.back(CAT)) is Refusal.NOT_SEATED
    assert refusal(play.leave(CAT)) is Refusal.NOT_SEATED
    assert refusal(play.stop(CAT)) is Refusal.NOT_SEATED
    assert refusal(play.join(CAT)) is Refusal.TOO_LATE_NOW


def test_points_of_earlier_rounds_are_kept_and_later_ones_are_none():
    play = Play(ANN, BEN, CAT).round(CAT).check_over().race()
    won = play.game.points(2)
    assert won > 0
    play.leave(CAT)
    play.take_many(ANN, "+++++")
    assert play.game.points(2) == won
    assert play.game.scores[-1][2] is None


def test_who_is_gone_from_the_server_has_left():
    play = after_a_check(ANN, BEN, CAT)
    assert only(play.gone(CAT), Unseated) == Unseated(2, CAT)
    assert play.match.seats[2].out == play.log[-1].id


def test_of_those_who_are_gone_at_the_same_time_nobody_has_won():
    play = after_a_check(ANN, BEN, CAT)
    events = play.gone(ANN, BEN, CAT)
    assert [e.seat for e in events if isinstance(e, Unseated)] == [0, 1, 2]
    assert play.match.end is End.ABANDONED
    play = after_a_check(ANN, BEN, CAT)
    play.gone(CAT, ANN)
    assert play.match.end is End.WON_BY_LEAVING
    assert [seat.user for seat in play.match.result.winners] == [BEN]


def test_who_is_gone_with_others_may_have_left_already():
    play = after_a_check(ANN, BEN, CAT, DAN)
    play.leave(BEN)
    play.gone(BEN, CAT)
    assert play.match.people == (ANN, DAN)
    assert refusal(play.gone(BEN, CAT)) is Refusal.NOT_SEATED


def test_seats_keep_their_numbers_in_a_match():
    play = after_a_check(ANN, BEN, CAT)
    play.leave(ANN)
    assert [seat.number for seat in play.match.active_seats] == [1, 2]
    play.take_many(CAT, "+++++")
    assert [row.seat for row in play.game.checked] == [2, 1]


def test_the_next_seat_is_host_when_the_host_leaves_a_match():
    play = Play(*PEOPLE)
    assert HostChanged(BEN) in play.leave(ANN)
    play.leave(CAT)
    assert play.match.host == BEN
    assert refusal(play.stop(DAN)) is Refusal.ONLY_HOST_STOPS


def test_a_caller_who_then_leaves_stays_caller_and_keeps_the_prize():
    play = Play(ANN, BEN, CAT).round(CAT, (BEN, "+"))
    score = play.game.scores[-1]
    assert score[2] == play.game.prizes[0]
    play.leave(CAT)
    assert play.game.caller == 2
    assert play.game.scores[-1] == score
    play.check_over().round(ANN)
    assert play.game.points(2) == score[2]
    assert {row.seat for row in play.game.checked} == {0, 1}


def test_who_leaves_in_the_break_is_not_dealt_to():
    play = Play(ANN, BEN, CAT).round(ANN).check_over()
    play.leave(BEN)
    play.tick()
    assert [len(hand.row) for hand in play.game.hands] == [1, 0, 1]
    assert len(play.game.prizes) == 1


def test_who_leaves_between_start_and_deal_is_not_dealt_to():
    play = Play(ANN, BEN, CAT, lobby=True)
    play.start(ANN)
    play.leave(BEN)
    play.deal()
    assert play.match.phase is Phase.PLAYING
    assert [len(hand.row) for hand in play.game.hands] == [1, 0, 1]


def test_nobody_leaves_once_the_last_race_is_over():
    play = Play(ANN, BEN)
    for _ in range(4):
        play.round(ANN).check_over()
    play.round(BEN)
    assert refusal(play.leave(BEN)) is Refusal.TOO_LATE_NOW
    play.check_over()
    assert refusal(play.leave(BEN)) is Refusal.TOO_LATE_NOW
    assert places(play) == {"Ann": 1, "Ben": 2}


# --- shrinking ---


@pytest.mark.parametrize("opponents", [[], [MASTER]])
def test_before_the_first_check_a_match_that_shrinks_is_void(opponents):
    play = Play(ANN, BEN, opponents=opponents).race()
    for user in (ANN, BEN)[: 2 if opponents else 1]:
        events = play.leave(user)
    only(events, Ended)
    assert (play.match.phase, play.match.end) == (Phase.CLOSED, End.ABANDONED)
    assert play.match.result is None


def test_a_match_that_shrinks_between_start_and_deal_is_void():
    play = Play(ANN, BEN, lobby=True)
    play.start(ANN)
    play.leave(BEN)
    assert play.match.end is End.ABANDONED


def test_after_the_first_check_the_remaining_person_has_won_and_the_match_counts():
    play = after_a_check(ANN, BEN)
    assert play.game.points(0) > play.game.points(1)
    only(play.leave(ANN), Ended)
    assert (play.match.phase, play.match.end) == (Phase.OVER, End.WON_BY_LEAVING)
    result = play.match.result
    assert [seat.user for seat in result.winners] == [BEN]
    assert places(play) == {"Ben": 1, "Ann": 2}
    assert (result.counts, result.rated) == (True, True)


def test_the_first_check_is_given_when_the_race_ends():
    play = Play(ANN, BEN).round(ANN)
    assert play.game.reveal == 0
    play.leave(ANN)
    assert play.match.end is End.WON_BY_LEAVING


def test_opponents_alone_never_win():
    play = after_a_check(ANN, opponents=[MASTER, MASTER])
    only(play.leave(ANN), Ended)
    assert (play.match.end, play.match.result) == (End.ABANDONED, None)


def test_one_person_with_opponents_goes_on():
    play = after_a_check(ANN, BEN, opponents=[MASTER])
    play.leave(ANN)
    assert play.match.phase is Phase.PLAYING
    play.take_many(BEN, "+++++")
    assert play.game.stage is Stage.CHECK


def test_two_of_three_leave_one_after_the_other():
    play = after_a_check(ANN, BEN, CAT)
    play.leave(BEN)
    assert play.match.phase is Phase.PLAYING
    play.leave(ANN)
    assert play.match.end is End.WON_BY_LEAVING
    assert places(play) == {"Cat": 1, "Ann": 2, "Ben": 3}


def test_a_match_shrinks_when_somebody_leaves_during_a_pause():
    play = after_a_check(ANN, BEN)
    play.interrupt()
    play.leave(BEN)
    assert play.match.end is End.WON_BY_LEAVING


# --- silence ---


def silent_for(play, user, rounds):
    for _ in range(rounds):
        play.round(ANN if user != ANN else BEN, silent=(user,)).check_over()
    return play


def test_two_silent_rounds_are_leaving_with_the_prizes():
    play = silent_for(Play(ANN, BEN, CAT), CAT, 1)
    assert play.match.seats[2].out is None
    play.round(ANN, silent=(CAT,))
    assert play.match.seats[2].out is None, "told at the prizes, not before"
    play.check_over()
    assert play.match.seats[2].out == play.log[-1].id
    assert Unseated(2, CAT) in play.events
    play.tick()
    assert [len(hand.row) for hand in play.game.hands] == [1, 1, 0]


@pytest.mark.parametrize("sign_of_life", ["claim", "late", "busy", "back"])
def test_any_move_is_a_sign_of_life(sign_of_life):
    play = silent_for(Play(ANN, BEN, CAT), CAT, 1)
    play.race()
    play.claim(BEN, play.row(BEN)[0])
    if sign_of_life == "busy":
        play.claim(CAT, play.fitting(CAT)[0])
    elif sign_of_life == "late":
        play.rested().claim(CAT, play.row(CAT)[0])
    else:
        play.take(CAT)
    if sign_of_life == "back":
        play.back(CAT)
    play.take_many(ANN, "+++++").check_over()
    assert play.match.seats[2].out is None
    silent_for(play, CAT, 1)
    assert play.match.seats[2].out is None, "the count starts again"


def test_chat_and_ready_are_no_sign_of_life():
    play = silent_for(Play(ANN, BEN, CAT), CAT, 1)
    play.ready(CAT)
    play.claim(CAT, 42)
    silent_for(play, CAT, 1)
    assert play.match.seats[2].out is not None


def test_rounds_in_which_nobody_claims_are_nobodys_silence():
    play = Play(ANN, BEN)
    play.silent_round().check_over()
    play.silent_round().check_over()
    assert len(play.match.active_seats) == 2
    assert play.match.phase is Phase.PAUSED


def test_a_round_in_which_nobody_claims_does_not_break_the_count_either():
    play = silent_for(Play(ANN, BEN, CAT), CAT, 1)
    play.silent_round().check_over()
    silent_for(play, CAT, 1)
    assert play.match.seats[2].out is not None


def test_an_opponents_claim_counts_as_a_claim_of_the_round():
    play = Play(ANN, BEN, opponents=[MASTER])
    for _ in range(2):
        play.race()
        play.claim(ANN, play.row(ANN)[0])
        (move,) = play.moves()
        play.make(move)
        while play.game.stage is Stage.RACE:
            play.tick()
        play.check_over()
    assert play.match.seats[1].out is not None
    assert play.match.seats[2].out is None


def test_who_moved_and_then_left_in_the_same_round_has_moved():
    play = silent_for(Play(ANN, BEN, CAT, DAN), CAT, 1)
    play.race().rested()
    play.take(DAN)
    play.leave(DAN)
    while play.game.stage is Stage.RACE:
        play.tick()
    play.check_over()
    assert [seat.out is not None for seat in play.match.seats] == [False, False, True, True]


def test_who_is_silent_in_a_match_of_two_loses_it():
    play = silent_for(Play(ANN, BEN), BEN, 2)
    assert (play.match.phase, play.match.end) == (Phase.OVER, End.WON_BY_LEAVING)
    assert places(play) == {"Ann": 1, "Ben": 2}


def test_two_who_fell_silent_together_share_the_last_place():
    play = Play(ANN, BEN, CAT)
    for _ in range(2):
        play.round(ANN, silent=(BEN, CAT)).check_over()
    assert play.match.end is End.WON_BY_LEAVING
    assert places(play) == {"Ann": 1, "Ben": 2, "Cat": 2}


# --- stopping ---


def test_before_the_first_check_the_host_stops():
    play = Play(ANN, BEN).race()
    assert refusal(play.stop(BEN)) is Refusal.ONLY_HOST_STOPS
    assert refusal(play.stop(EVE)) is Refusal.ONLY_HOST_STOPS
    only(play.stop(ANN), Ended)
    assert (play.match.phase, play.match.end) == (Phase.CLOSED, End.STOPPED)
    assert play.match.result is None


@pytest.mark.parametrize("user", [BEN, EVE])
def test_who_may_manage_the_channel_stops_at_any_time(user):
    for play in (Play(ANN, BEN).race(), after_a_check(ANN, BEN)):
        only(play.stop(user, manager=True), Ended)
        assert play.match.end is End.STOPPED


def test_from_the_first_check_on_it_takes_every_seated_person():
    play = after_a_check(ANN, BEN, CAT)
    assert play.stop(ANN) == (StopAsked(ANN, 2),)
    assert play.stop(ANN) == (StopAsked(ANN, 2),), "nobody counts twice"
    assert refusal(play.stop(EVE)) is Refusal.NOT_SEATED
    assert play.stop(CAT) == (StopAsked(CAT, 1),)
    assert play.match.phase is Phase.PLAYING
    only(play.stop(BEN), Ended)
    assert (play.match.phase, play.match.end) == (Phase.CLOSED, End.STOPPED)


def test_opponents_have_no_vote():
    play = after_a_check(ANN, opponents=[MASTER])
    only(play.stop(ANN), Ended)


def test_a_request_to_stop_lapses_after_sixty_seconds():
    play = after_a_check(ANN, BEN)
    play.stop(ANN)
    lapse = play.now + 60 * SECOND
    play.later(20 * SECOND).take(BEN)
    while play.deadline < lapse:
        play.later(20 * SECOND).take(BEN)
    assert play.deadline == lapse
    assert play.tick() == (StopAsked(None, 2),)
    assert play.stop(BEN) == (StopAsked(BEN, 1),), "the first vote no longer counts"
    assert play.match.phase is Phase.PLAYING


def test_a_pause_does_not_lengthen_a_request():
    play = Play(ANN, BEN)
    for _ in range(2):
        play.silent_round().check_over()
    play.stop(ANN)
    lapse = play.now + 60 * SECOND
    play.later(57 * SECOND).resume(BEN)
    assert play.deadline == lapse


def test_another_vote_does_not_renew_the_request():
    play = after_a_check(ANN, BEN, CAT)
    play.stop(ANN)
    asked = play.match.stop_asked_at
    play.later(10 * SECOND).stop(BEN)
    assert play.match.stop_asked_at == asked


def test_the_vote_of_a_leaver_who_has_not_voted_is_not_needed():
    play = after_a_check(ANN, BEN, CAT)
    play.stop(ANN)
    play.stop(BEN)
    only(play.leave(CAT), Ended)
    assert play.match.end is End.STOPPED


def test_a_leavers_vote_decides_nothing():
    play = after_a_check(ANN, BEN, CAT)
    play.stop(ANN)
    play.leave(ANN)
    assert play.match.phase is Phase.PLAYING
    assert play.stop(BEN) == (StopAsked(BEN, 1),)


def test_a_stop_takes_a_match_out_of_a_pause():
    play = Play(ANN, BEN).race()
    play.interrupt()
    only(play.stop(ANN), Ended)
    assert play.match.end is End.STOPPED


def test_a_match_that_is_over_can_not_be_stopped():
    play = Play(ANN, BEN).whole_match(ANN)
    assert refusal(play.stop(ANN)) is Refusal.TOO_LATE_NOW
    assert refusal(play.stop(EVE, manager=True)) is Refusal.TOO_LATE_NOW


def decided_but_not_shown():
    """A match whose last race is over, while the check is still being shown."""
    play = Play(ANN, BEN)
    for _ in range(4):
        play.round(ANN).check_over()
    return play.round(ANN)


def test_a_match_whose_last_race_is_over_is_stopped_by_nobody():
    play = decided_but_not_shown()
    assert refusal(play.stop(EVE, manager=True)) is Refusal.TOO_LATE_NOW
    assert refusal(play.stop(ANN)) is Refusal.TOO_LATE_NOW
    assert places(play.check_over()) == {"Ann": 1, "Ben": 2}


@pytest.mark.parametrize("reason", [End.CHANNEL_GONE, End.FAULT])
def test_what_ends_a_decided_match_early_leaves_its_result(reason):
    play = decided_but_not_shown()
    only(play.close(reason.value), Ended)
    assert (play.match.phase, play.match.end) == (Phase.CLOSED, End.FINISHED)
    assert places(play) == {"Ann": 1, "Ben": 2}


def test_a_decided_match_is_finished_when_its_pause_lapses():
    play = decided_but_not_shown()
    play.interrupt()
    only(play.tick(), Ended)
    assert (play.match.phase, play.match.end) == (Phase.OVER, End.FINISHED)


def test_an_old_timer_finds_a_stopped_match_closed():
    play = Play(ANN, BEN).race()
    deadline = play.deadline
    play.stop(ANN)
    stopped = play.match
    play.tick_at(deadline)
    assert play.match is stopped


@pytest.mark.parametrize(
    "reason", [End.CHANNEL_GONE, End.FAULT, End.UNKNOWN_RULES], ids=lambda reason: reason.value
)
def test_a_match_closed_from_outside_is_void(reason):
    play = after_a_check(ANN, BEN)
    only(play.close(reason.value), Ended)
    assert (play.match.phase, play.match.end, play.match.result) == (Phase.CLOSED, reason, None)


# --- places ---


def test_most_points_win():
    play = Play(ANN, BEN, CAT)
    for caller in (BEN, BEN, CAT, CAT, CAT):
        play.round(caller).check_over()
    points = {seat.name: play.game.points(seat.number) for seat in play.match.seats}
    ranked = [(entry.seat.name, entry.points) for entry in play.match.result.places]
    assert ranked == sorted(points.items(), key=lambda item: -item[1])
    assert play.match.end is End.FINISHED
    assert points["Ann"] == 0


def test_a_shared_win_is_a_shared_win():
    play = Play(ANN, BEN, CAT, lobby=True)
    play.start(ANN)
    play.deal(pile=(5, 1, 5, 1, 4, 1, 3, 2, 2, 3, 10, 9, 8, 7, 6))
    for caller in (ANN, BEN, CAT):
        play.round(caller).check_over()
    for _ in range(2):
        play.round(CAT, wins="-----").check_over()
    assert [play.game.points(seat) for seat in range(3)] == [5, 5, 4]
    assert {seat.user for seat in play.match.result.winners} == {ANN, BEN}
    assert places(play) == {"Ann": 1, "Ben": 1, "Cat": 3}


def test_the_earliest_leaver_is_last_whatever_the_points():
    play = Play(*PEOPLE)
    for _ in range(2):
        play.round(DAN, (CAT, "+")).check_over()
    play.race()
    play.leave(DAN)
    play.later(SECOND).leave(CAT)
    play.take_many(ANN, "+++++").check_over().whole_match(ANN)
    points = {entry.seat.name: entry.points for entry in play.match.result.places}
    assert points["Dan"] > points["Cat"] > points["Ben"] == 0
    assert places(play) == {"Ann": 1, "Ben": 2, "Cat": 3, "Dan": 4}


def test_leavers_never_win_even_with_the_most_points():
    play = Play(ANN, BEN, CAT)
    for _ in range(4):
        play.round(CAT).check_over()
    play.race()
    play.leave(CAT)
    play.claim(BEN, play.row(BEN)[0])
    play.take_many(ANN, "-----").check_over()
    assert play.game.points(2) > 0
    assert places(play) == {"Ann": 1, "Ben": 1, "Cat": 3}


# --- what counts ---


def opponents_round(play):
    """A round that the first opponent wins, with claims that the test makes for it."""
    play.race()
    seat = next(seat for seat in play.match.active_seats if seat.user is None)
    for user in play.match.people:
        play.claim(user, play.row(user)[0])
    for _ in range(5):
        play.to(max(play.now, play.at(play.game.hands[seat.number].busy_until)))
        last = play.game.last_card(seat.number)
        number = next(
            index + 10
            for index, owner in enumerate(play.game.owner)
            if owner is None and play.game.card_at(index).centre is last.answer
        )
        play.do(Claim(id=play.id(), user=None, number=number, seat=seat.number))
    return play.check_over()


def test_places_are_counted_among_people_too():
    play = Play(ANN, BEN, opponents=[MASTER])
    for _ in range(4):
        opponents_round(play)
    play.round(BEN).check_over()
    entries = {
        entry.seat.name: (entry.place, entry.among_people) for entry in play.match.result.places
    }
    assert entries == {"MASTER": (1, None), "Ben": (2, 1), "Ann": (3, 2)}


@pytest.mark.parametrize(
    ("people", "opponents", "counts", "rated"),
    [
        ((ANN, BEN), [], True, True),
        (PEOPLE, [], True, True),
        ((ANN, BEN), [MASTER], True, False),
        ((ANN,), [MASTER], False, False),
    ],
)
def test_a_match_counts_with_two_people_and_is_rated_without_opponents(
    people, opponents, counts, rated
):
    play = Play(*people, opponents=opponents).whole_match(ANN)
    result = play.match.result
    assert (result.counts, result.rated) == (counts, rated)


def test_people_are_counted_at_the_first_check():
    left_before = Play(ANN, BEN, opponents=[MASTER]).race()
    left_before.leave(BEN)
    left_before.whole_match(ANN)
    assert not left_before.match.result.counts
    left_after = after_a_check(ANN, BEN, opponents=[MASTER])
    left_after.leave(BEN)
    left_after.take_many(ANN, "+++++").check_over().whole_match(ANN)
    assert left_after.match.result.counts
    assert not left_after.match.result.rated


def test_the_result_carries_everybodys_figures():
    play = Play(ANN, BEN).whole_match(ANN)
    assert play.match.result.figures[0]["cards"] == 25
    assert play.match.result.figures[1]["cards"] == 0


# --- rematch ---


def test_a_rematch_starts_when_all_people_have_pressed():
    play = Play(ANN, BEN, CAT, opponents=[MASTER]).whole_match(ANN)
    assert play.rematch(CAT) == (RematchAsked(CAT),)
    assert play.rematch(CAT) == (RematchAsked(CAT),), "nobody counts twice"
    play.rematch(BEN)
    assert play.match.phase is Phase.OVER
    assert play.rematch(ANN) == (RematchAsked(ANN), RematchAgreed((ANN, BEN, CAT)))
    assert play.match.phase is Phase.CLOSED


def test_sixty_seconds_after_the_first_press_the_rematch_starts_with_those_who_pressed():
    play = Play(ANN, BEN, CAT).whole_match(ANN)
    play.rematch(CAT)
    first = play.now
    play.later(59 * SECOND).rematch(ANN)
    assert play.deadline == first + 60 * SECOND
    assert play.tick() == (RematchAgreed((ANN, CAT)),)
    assert play.match.phase is Phase.CLOSED


def test_with_fewer_than_two_seats_there_is_no_rematch():
    play = Play(ANN, BEN).whole_match(ANN)
    play.rematch(BEN)
    assert play.tick() == (OfferEnded(),)
    assert play.match.phase is Phase.CLOSED


def test_opponents_stay_and_make_a_table():
    play = Play(ANN, BEN, opponents=[MASTER]).whole_match(ANN)
    play.rematch(BEN)
    assert play.tick() == (RematchAgreed((BEN,)),)


def test_an_offer_that_nobody_takes_lapses():
    play = Play(ANN, BEN).whole_match(ANN)
    assert play.deadline == play.now + 600 * SECOND
    assert play.tick() == (OfferEnded(),)
    assert (play.match.phase, play.match.end) == (Phase.CLOSED, End.FINISHED)
    assert refusal(play.rematch(ANN)) is Refusal.TOO_LATE_NOW


def test_only_who_played_to_the_end_is_asked():
    play = after_a_check(ANN, BEN, CAT)
    play.leave(CAT)
    play.take_many(ANN, "+++++").check_over().whole_match(ANN)
    assert refusal(play.rematch(CAT)) is Refusal.NOT_SEATED
    assert refusal(play.rematch(EVE)) is Refusal.NOT_SEATED
    play.rematch(ANN)
    assert RematchAgreed((ANN, BEN)) in play.rematch(BEN)


def test_who_has_won_by_leaving_has_nobody_for_a_rematch():
    play = after_a_check(ANN, BEN)
    play.leave(BEN)
    assert play.rematch(ANN) == (RematchAsked(ANN), OfferEnded())


def test_there_is_no_offer_before_the_end():
    play = Play(ANN, BEN).race()
    assert refusal(play.rematch(ANN)) is Refusal.NO_OFFER


def test_the_end_is_announced_after_the_last_race():
    play = Play(ANN, BEN).whole_match(ANN)
    ends = [type(event) for event in play.events if isinstance(event, RaceEnded | Ended)]
    assert ends == [RaceEnded] * 5 + [Ended]
