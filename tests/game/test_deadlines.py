"""Rounds without a caller, pauses, and what an absence of the bot does to time."""

from __future__ import annotations

import pytest

from game.actions import Shown
from game.events import Ended, Paused, Refusal, Resumed, StopAsked
from game.ids import timer_id
from game.match import STOP_VOTE_MS, End, Level, PauseReason, Phase
from game.rox.events import RaceEnded, RoundBegan
from game.rox.state import READY_MS, Stage
from tests.kit.rules.play import ANN, BEN, CAT, EVE, START_MS, Play, only, outcome, refusal

SECOND = 1000
IDLE, LONGEST = 30 * SECOND, 120 * SECOND


def race(*people, **settings):
    return Play(*(people or (ANN, BEN)), **settings).race()


# --- nobody calls ---


def test_a_race_in_which_nobody_takes_a_card_ends_after_thirty_seconds():
    play = race()
    assert play.deadline == play.now + IDLE
    events = play.tick()
    assert only(events, RaceEnded).caller is None
    assert play.game.stage is Stage.CHECK
    assert play.game.caller is None


def test_each_card_taken_renews_the_thirty_seconds():
    play = race()
    play.later(20 * SECOND).take(ANN)
    assert play.deadline == play.now + IDLE
    play.later(29 * SECOND).take(BEN)
    assert play.deadline == play.now + IDLE


def test_putting_back_does_not_renew_them():
    play = race()
    play.later(10 * SECOND).take(ANN)
    deadline = play.deadline
    play.later(20 * SECOND).back(ANN)
    assert play.deadline == deadline


def test_refused_claims_do_not_renew_them():
    play = race()
    deadline = play.deadline
    play.claim(ANN, play.fitting(ANN)[0])
    play.later(10 * SECOND).claim(ANN, play.row(BEN)[0])
    assert play.deadline == deadline


def test_a_race_never_lasts_longer_than_two_minutes():
    play = race()
    opened = play.now
    while play.deadline < opened + LONGEST:
        play.to(play.deadline).take(ANN)
        play.back(ANN)
    assert play.deadline == opened + LONGEST
    only(play.tick(), RaceEnded)
    assert play.now == opened + LONGEST


@pytest.mark.parametrize(("idle", "longest", "ends"), [(10, 120, 10), (60, 40, 40)])
def test_both_times_are_settings(idle, longest, ends):
    play = race(idle_ms=idle * SECOND, race_ms=longest * SECOND)
    assert play.deadline == play.now + ends * SECOND


@pytest.mark.parametrize("off", [-1, 1, -IDLE])
def test_a_tick_that_is_early_or_late_does_nothing(off):
    play = race()
    before = play.match
    assert play.tick_at(play.deadline + off) == ()
    assert play.match is before


def test_at_a_deadlines_own_millisecond_people_and_opponents_go_first():
    play = race()
    number = play.fitting(ANN)[0]
    last = timer_id(play.deadline + START_MS)
    claim = play.claim(ANN, number, at=play.deadline, nth=4_000_000)
    assert play.log[-1].id < last
    assert outcome(claim) == "taken"
    assert play.tick_at(last // (1 << 22) - START_MS) == (), "the deadline has moved"


def test_a_claim_typed_after_the_deadline_finds_the_race_closed():
    play = race()
    before = play.match
    at = play.deadline + 1
    assert refusal(play.claim(ANN, play.fitting(ANN)[0], at=at)) is Refusal.RACE_CLOSED
    assert refusal(play.back(ANN, at=at)) is Refusal.RACE_CLOSED
    assert play.match is before
    only(play.tick(), RaceEnded)


def test_a_round_that_ran_out_of_time_is_checked():
    play = race(ANN, BEN, CAT).take_many(ANN, "++").take_many(BEN, "+++-")
    play.tick()
    assert {row.seat: (row.valid, row.length) for row in play.game.checked} == {
        0: (3, 3),
        1: (4, 5),
        2: (1, 1),
    }
    high, low = play.game.prizes
    assert play.game.scores[-1] == (low, high, 0)


@pytest.mark.parametrize("preset", ["rulebook", "fair"])
@pytest.mark.parametrize("first", [ANN, BEN, CAT])
def test_without_a_caller_equal_rows_go_by_whose_last_valid_card_came_first(first, preset):
    play = race(ANN, BEN, CAT, preset=preset)
    second, third = (user for user in (CAT, BEN, ANN) if user != first)
    for user in (first, second, third):
        play.take(user)
    # A wrong card on top comes later but does not hold: it says nothing.
    play.take(first, right=False)
    play.tick()
    high, low = play.game.prizes
    score = dict(zip((ANN, BEN, CAT), play.game.scores[-1], strict=True))
    assert score == {first: high, second: low, third: 0}


def test_a_card_put_back_and_taken_again_counts_from_the_second_time():
    play = race()
    play.take(ANN)
    play.take(BEN)
    play.back(ANN)
    play.take(ANN)
    play.tick()
    assert play.game.scores[-1] == (0, play.game.prizes[0])


# --- two such rounds ---


def without_callers(play, rounds):
    for _ in range(rounds):
        play.silent_round().check_over()
    return play


def test_one_round_without_a_caller_is_followed_by_the_next():
    play = without_callers(Play(ANN, BEN), 1)
    assert play.match.phase is Phase.PLAYING
    assert play.tick() == (RoundBegan(2),)


def test_two_rounds_in_a_row_without_a_caller_pause_the_match_after_the_check():
    play = without_callers(Play(ANN, BEN), 2)
    assert play.match.phase is Phase.PAUSED
    assert play.match.pause is PauseReason.NO_CALLERS
    assert isinstance(play.events[-1], Paused)
    assert len(play.game.scores) == 2


def test_a_round_with_a_caller_restarts_the_count():
    play = without_callers(Play(ANN, BEN), 1)
    play.round(ANN).check_over()
    without_callers(play, 1)
    assert play.match.phase is Phase.PLAYING
    without_callers(play, 1)
    assert play.match.phase is Phase.PAUSED


def test_rounds_with_cards_but_no_sixth_have_no_caller_either():
    play = Play(ANN, BEN)
    for _ in range(2):
        play.race().take_many(ANN, "+").take_many(BEN, "++")
        play.tick()
        play.check_over()
    assert play.match.phase is Phase.PAUSED


@pytest.mark.parametrize("user", [ANN, BEN])
def test_any_seated_person_resumes_with_a_new_get_ready(user):
    play = without_callers(Play(ANN, BEN), 2)
    assert refusal(play.resume(EVE)) is Refusal.NOT_SEATED
    play.later(100 * SECOND)
    events = play.resume(user)
    assert set(events) == {RoundBegan(3), Resumed()}
    assert (play.match.phase, play.game.stage) == (Phase.PLAYING, Stage.READY)
    assert play.deadline is None
    play.later(SECOND).show("ready-3")
    assert play.deadline == play.now + 5 * SECOND
    without_callers(play, 1)
    assert play.match.phase is Phase.PLAYING, "the count starts again"
    without_callers(play, 1)
    assert play.match.phase is Phase.PAUSED


def test_after_ten_minutes_the_pause_voids_the_match():
    play = without_callers(Play(ANN, BEN), 2)
    assert play.deadline == play.now + 600 * SECOND
    only(play.tick(), Ended)
    assert (play.match.phase, play.match.end) == (Phase.CLOSED, End.PAUSE_LAPSED)
    assert play.match.result is None


def test_after_round_five_the_match_ends_instead_of_pausing():
    play = Play(ANN, BEN)
    for _ in range(3):
        play.round(ANN).check_over()
    without_callers(play, 2)
    assert (play.match.phase, play.match.end) == (Phase.OVER, End.FINISHED)


def test_a_permission_that_comes_back_ends_no_other_pause():
    play = without_callers(Play(ANN, BEN), 2)
    assert refusal(play.resume()) is Refusal.NOT_PAUSED
    assert play.match.phase is Phase.PAUSED


def test_numbers_are_chat_during_a_pause():
    play = without_callers(Play(ANN, BEN), 2)
    before = play.match
    assert refusal(play.claim(ANN, 42)) is Refusal.RACE_CLOSED
    assert refusal(play.ready(ANN)) is Refusal.RACE_CLOSED
    assert play.match is before


def test_only_a_pause_can_be_resumed():
    play = race()
    assert refusal(play.resume(ANN)) is Refusal.NOT_PAUSED
    assert refusal(play.resume()) is Refusal.NOT_PAUSED


# --- interrupted ---


def test_the_clock_of_an_interrupted_race_stops_until_the_new_table_is_posted():
    play = race(ANN, BEN, opponents=[Level.MASTER]).take_many(ANN, "+")
    left = play.deadline - play.now
    number = play.fitting(ANN)[0]
    busy = play.at(play.game.hands[0].busy_until) - play.now
    assert play.interrupt() == (Paused(),)
    assert play.match.pause is PauseReason.PERMISSION
    assert play.moves() == ()
    assert refusal(play.later(SECOND).claim(ANN, number)) is Refusal.RACE_CLOSED
    play.later(300 * SECOND)
    assert play.resume() == (Resumed(),)
    assert play.deadline is None
    assert play.machine.awaits_post(play.match)
    assert play.moves() == ()
    assert refusal(play.later(SECOND).claim(ANN, number)) is Refusal.RACE_CLOSED
    assert refusal(play.back(ANN)) is Refusal.RACE_CLOSED
    play.later(2 * SECOND)
    play.show()
    assert play.match.open_from == play.log[-1].id
    assert play.deadline == play.now + left
    assert refusal(play.claim(ANN, number, at=play.now - 1)) is Refusal.RACE_CLOSED
    assert outcome(play.claim(ANN, number, at=play.now + busy - 1)) == "busy"
    assert outcome(play.claim(ANN, number, at=play.now + 1)) == "taken"


def test_an_interruption_shifts_the_longest_time_of_a_race_too():
    play = race()
    while play.deadline - play.now == IDLE:
        play.later(25 * SECOND).take(ANN)
        play.back(ANN)
    left = play.deadline - play.now
    play.interrupt()
    play.later(100 * SECOND).resume()
    play.later(3 * SECOND).show()
    assert play.deadline == play.now + left


def test_an_interruption_costs_no_time_of_the_fastest_row():
    straight, broken = (Play(ANN, BEN).race().take_many(ANN, "+++") for _ in range(2))
    broken.interrupt()
    broken.later(77 * SECOND).resume()
    broken.later(SECOND).show()
    for play in (straight, broken):
        play.take_many(ANN, "++")
    assert straight.game.tallies[0].fastest_ms == broken.game.tallies[0].fastest_ms


def test_rows_and_places_outlive_an_interruption():
    play = race().take_many(ANN, "+-").take_many(BEN, "+")
    rows, owner = [play.row(ANN), play.row(BEN)], play.game.owner
    play.interrupt()
    play.later(SECOND).resume()
    play.show()
    assert [play.row(ANN), play.row(BEN)] == rows
    assert play.game.owner == owner


def test_opponents_continue_their_count_after_an_interruption():
    play = race(ANN, opponents=[Level.JOURNEYMAN])
    play.later(SECOND)
    (move,) = play.moves()
    left = play.at(move.due) - play.now
    play.interrupt()
    play.later(40 * SECOND).resume()
    play.later(SECOND).show()
    (again,) = play.moves()
    assert play.at(again.due) - play.now == left


def test_opponents_see_the_table_as_old_as_they_did():
    play = race(ANN, opponents=[Level.JOURNEYMAN]).rested()
    play.take(ANN)
    index = play.row(ANN)[-1] - 10
    play.later(400).interrupt()
    play.later(40 * SECOND).resume()
    play.later(SECOND).show()
    assert play.at(play.game.changed[index]) == play.now - 400


def test_an_interrupted_get_ready_begins_again_with_its_message():
    play = Play(ANN, BEN)
    play.to(3 * SECOND).interrupt()
    play.to(60 * SECOND).resume()
    assert play.deadline is None
    play.to(61 * SECOND).show("ready-1")
    assert (play.game.stage, play.deadline) == (Stage.READY, 66 * SECOND)


@pytest.mark.parametrize("stage", [Stage.CHECK, Stage.BREAK])
def test_an_interrupted_check_or_break_continues_with_its_remaining_time(stage):
    play = Play(ANN, BEN).round(ANN)
    if stage is Stage.BREAK:
        play.check_over()
    play.later(SECOND)
    left = play.deadline - play.now
    play.interrupt()
    play.later(60 * SECOND).resume()
    play.later(SECOND).show("check-1")
    assert (play.game.stage, play.deadline) == (stage, play.now + left)


def test_an_interruption_before_the_open_table_waits_for_it_again():
    play = Play(ANN, BEN)
    play.tick()
    play.interrupt()
    play.later(SECOND).resume()
    assert (play.game.stage, play.deadline) == (Stage.OPENING, None)
    play.later(SECOND).show()
    assert play.at(play.game.race_from) == play.now


def test_an_interruption_of_ten_minutes_voids_the_match():
    play = race()
    play.interrupt()
    assert play.deadline == play.now + 600 * SECOND
    play.tick()
    assert play.match.end is End.PAUSE_LAPSED


def test_a_second_interruption_and_one_outside_of_play_do_nothing():
    play = race()
    play.interrupt()
    paused = play.match
    play.later(SECOND).interrupt()
    assert play.match is paused
    lobby = Play(ANN, BEN, lobby=True)
    before = lobby.match
    lobby.interrupt()
    assert lobby.match is before


def test_who_leaves_during_an_interruption_gives_the_row_back():
    play = race(ANN, BEN, CAT).take_many(CAT, "++")
    play.interrupt()
    play.leave(CAT)
    play.resume()
    play.show()
    assert sum(owner is not None for owner in play.game.owner) == 2


def test_who_leaves_during_an_interruption_leaves_no_change_in_the_future():
    """Opponents see the table as it was a second ago, so they would miss the cards put back."""
    play = race(ANN, BEN, opponents=[Level.MASTER]).take_many(BEN, "++")
    indexes = [number - 10 for number in play.row(BEN)]
    play.interrupt()
    play.later(300 * SECOND).leave(BEN)
    play.later(SECOND).resume()
    play.later(SECOND).show()
    assert all(play.at(play.game.changed[index]) <= play.now for index in indexes)


def test_a_pause_and_its_end_at_once_wait_for_a_new_message():
    play = race().take_many(ANN, "+")
    left = play.deadline - play.now
    play.interrupt()
    play.resume()
    assert play.match.unseen > play.match.post.id, (
        "the old message does not show that the match goes on"
    )
    play.later(SECOND).show()
    assert play.deadline == play.now + left
    assert outcome(play.claim(BEN, play.fitting(BEN)[0])) in {"taken", "busy"}


def test_a_second_interruption_before_the_first_message_keeps_the_time_of_the_first():
    play = race().take_many(ANN, "+")
    left = play.deadline - play.now
    play.interrupt()
    play.later(60 * SECOND).resume()
    play.later(SECOND).interrupt()
    assert play.deadline == play.now + 600 * SECOND
    play.later(60 * SECOND).resume()
    play.later(SECOND).show()
    assert play.deadline == play.now + left


def test_a_message_of_the_pause_that_comes_late_opens_nothing():
    play = race()
    play.interrupt()
    play.later(SECOND).resume()
    play.show("pause")
    assert play.machine.awaits_post(play.match)
    play.show()
    assert not play.machine.awaits_post(play.match)


# --- the bot was away ---


def test_the_rest_of_a_deadline_counts_from_the_new_table():
    play = race()
    play.later(10 * SECOND).take(ANN)
    left = play.deadline - play.now
    play.to(play.deadline + 500 * SECOND).lose_session()
    assert play.deadline is None
    play.later(SECOND).show()
    assert play.game.stage is Stage.RACE
    assert play.deadline == play.now + left


def test_claims_typed_meanwhile_count_up_to_the_old_deadline():
    play = race()
    opened, deadline = play.now, play.deadline
    first, second, third = play.fitting(ANN)[0], *play.wrong(ANN)[:2]
    play.to(deadline + 200 * SECOND).lose_session()
    assert outcome(play.claim(ANN, first, at=deadline - 1)) == "taken"
    last = deadline - 1 + IDLE
    assert outcome(play.claim(ANN, second, at=last)) == "taken"
    assert refusal(play.claim(ANN, third, at=last + IDLE + 1)) is Refusal.RACE_CLOSED
    play.later(300 * SECOND).show()
    assert play.deadline == min(play.now + IDLE, play.now + LONGEST - (last - opened))


def test_after_the_absence_claims_before_the_new_table_are_chat():
    play = race()
    number = play.fitting(ANN)[0]
    play.to(play.deadline + 50 * SECOND).lose_session()
    play.later(10 * SECOND).show()
    assert refusal(play.claim(ANN, number, at=play.now - 1)) is Refusal.RACE_CLOSED
    assert outcome(play.claim(ANN, number, at=play.now + 2 * SECOND)) == "taken"


def test_a_deadline_that_has_not_passed_stays_and_so_does_the_opening():
    play = race()
    deadline, opened = play.deadline, play.match.open_from
    play.later(10 * SECOND).lose_session().show()
    assert play.deadline == deadline
    assert play.match.open_from == opened
    assert outcome(play.claim(ANN, play.fitting(ANN)[0], at=play.now - 1)) == "taken"


def test_a_busy_hand_keeps_the_remainder_of_its_rest():
    play = race(ANN, BEN).rested()
    play.take(ANN)
    play.later(500).claim(BEN, play.row(ANN)[0])
    number = play.fitting(ANN)[0]
    play.later(400 * SECOND).lose_session().show()
    assert outcome(play.claim(ANN, number, at=play.now + 1_499)) == "busy"
    assert outcome(play.claim(ANN, number, at=play.now + 1_500)) == "taken"


@pytest.mark.parametrize("stage", [Stage.READY, Stage.CHECK, Stage.BREAK])
def test_the_other_stages_continue_with_their_remaining_time_after_an_absence(stage):
    play = Play(ANN, BEN)
    if stage is not Stage.READY:
        play.round(ANN)
    if stage is Stage.BREAK:
        play.check_over()
    play.show("anything")
    left = play.deadline - play.now
    play.later(999 * SECOND).lose_session().show("something")
    assert (play.game.stage, play.deadline) == (stage, play.now + left)


def test_a_lobby_continues_with_its_remaining_time_after_an_absence():
    play = Play(ANN, lobby=True)
    play.to(100 * SECOND).show("lobby")
    play.to(900 * SECOND).lose_session().show("lobby")
    assert (play.match.phase, play.deadline) == (Phase.LOBBY, 1_100 * SECOND)


def test_a_lobby_continues_with_its_remaining_time_even_where_the_bot_may_not_post():
    play = Play(ANN, lobby=True)
    play.to(100 * SECOND).show("lobby")
    play.to(900 * SECOND).lose_session().interrupt()
    assert (play.match.phase, play.deadline) == (Phase.LOBBY, 1_100 * SECOND)


def test_the_countdown_of_a_full_lobby_continues_with_its_remaining_time_after_an_absence():
    play = Play(ANN, BEN, CAT, opponents=[Level.MASTER], lobby=True)
    play.to(4 * SECOND).show("lobby")
    play.to(900 * SECOND).lose_session().show("lobby")
    assert play.deadline == 906 * SECOND


def test_a_pause_continues_with_its_remaining_time_after_an_absence():
    play = without_callers(Play(ANN, BEN), 2)
    play.later(200 * SECOND).show("pause")
    play.later(5_000 * SECOND).lose_session().show("pause")
    assert play.deadline == play.now + 400 * SECOND


def test_a_table_reported_twice_moves_the_deadline_once():
    play = race()
    play.later(200 * SECOND).lose_session().show()
    shown, before = play.log[-1], play.match
    assert isinstance(shown, Shown)
    play.do(shown)
    assert play.match is before


def test_an_absence_that_ends_without_permission_is_made_up_for_too():
    play = race()
    play.later(10 * SECOND).take(ANN)
    left = play.deadline - play.now
    play.to(play.deadline + 500 * SECOND).lose_session().interrupt()
    assert play.match.pause is PauseReason.PERMISSION
    assert play.deadline == play.now + 600 * SECOND
    play.later(60 * SECOND).resume()
    play.later(SECOND).show()
    assert play.deadline == play.now + left


def test_who_leaves_after_the_deadline_while_the_bot_is_away_leaves_no_change_in_the_future():
    play = race(ANN, BEN, opponents=[Level.MASTER]).take_many(BEN, "++")
    indexes = [number - 10 for number in play.row(BEN)]
    play.to(play.deadline + 300 * SECOND).lose_session().leave(BEN)
    play.later(SECOND).show()
    assert all(play.at(play.game.changed[index]) <= play.now for index in indexes)


def test_a_message_from_before_the_return_ends_no_absence():
    play = race()
    old = play.id()
    play.later(SECOND).lose_session()
    play.do(Shown(id=old, key="table-1"))
    assert play.deadline is None
    play.show()
    assert play.deadline is not None


def test_a_second_lost_session_counts_from_the_first():
    play = race()
    play.later(10 * SECOND).take(ANN)
    left = play.deadline - play.now
    play.later(40 * SECOND).lose_session()
    play.later(40 * SECOND).lose_session()
    play.later(SECOND).show()
    assert play.deadline == play.now + left


@pytest.mark.parametrize("seed", range(10))
def test_opponents_who_were_due_meanwhile_move_after_the_new_table(seed):
    play = race(ANN, opponents=[Level.MASTER, Level.MASTER, Level.MASTER], seed=seed)
    asked = play.deadline - 1
    play.later(400 * SECOND).lose_session().claim(ANN, play.fitting(ANN)[0], at=asked)
    assert play.machine.next_action(play.match) is None
    play.later(SECOND).show()
    for _ in range(9):
        move = play.next_move()
        assert play.at(move.due) >= play.now
        play.make(move)
        if play.game.stage is not Stage.RACE:
            break


# --- two deadlines of one millisecond ---


def test_two_deadlines_of_one_millisecond_share_a_tick():
    play = Play(ANN, BEN, CAT).round(ANN).check_over().race()
    race_ends = play.deadline
    play.stop(ANN, at=race_ends - 60 * SECOND)
    assert play.deadline == race_ends
    events = play.tick()
    assert only(events, StopAsked).user is None
    assert only(events, RaceEnded).caller is None
    assert play.deadline > race_ends


def test_an_action_after_the_deadline_does_not_change_the_remaining_time():
    """While the bot is away nothing happens by itself, but people press all the same."""
    play = Play(ANN, BEN).round(ANN).check_over()
    left = play.deadline - play.now
    play.later(400 * SECOND).lose_session().ready(ANN)
    play.later(SECOND).show("anything")
    assert (play.game.stage, play.deadline) == (Stage.BREAK, play.now + left)


def test_a_press_during_an_absence_gets_its_usual_time():
    play = Play(ANN, BEN).round(ANN).check_over()
    play.later(400 * SECOND).lose_session().ready(ANN)
    play.ready(BEN)
    play.later(50 * SECOND).show("anything")
    assert (play.game.stage, play.deadline) == (Stage.READY, play.now + READY_MS)


def test_a_request_to_stop_that_lapsed_meanwhile_has_its_time_again_and_moves_nothing_else():
    play = Play(ANN, BEN).round(ANN).check_over().race()
    play.later(10 * SECOND).stop(BEN)
    for _ in range(3):
        play.later(20 * SECOND).take(ANN)
    ends = play.at(play.game.last_take) + IDLE
    assert play.at(play.match.stop_asked_at) + STOP_VOTE_MS < ends
    play.to(ends - 2).lose_session().show()
    assert play.at(play.match.stop_asked_at) == play.now
    assert play.at(play.game.last_take) + IDLE == ends


def test_a_request_to_stop_made_in_a_pause_lapses_a_minute_after_the_match_goes_on():
    play = Play(ANN, BEN).round(ANN).check_over().race()
    play.interrupt()
    play.later(30 * SECOND).stop(BEN)
    play.later(20 * SECOND).resume()
    play.later(SECOND).show()
    assert play.at(play.match.stop_asked_at) == play.now


def test_an_offer_goes_on_without_a_new_message():
    play = Play(ANN, BEN).whole_match(ANN)
    play.rematch(BEN)
    play.later(20 * SECOND).leave(ANN)
    play.later(0)
    left = play.deadline - (play.match.last_ms - START_MS)
    play.later(5_000 * SECOND).lose_session()
    assert play.deadline == play.now + left
    before = play.match
    play.later(SECOND).lose_session()
    assert play.match is before
