"""A race: claims, the hand, the order of decision, and how it ends."""

from __future__ import annotations

from collections import Counter

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from game.events import Refusal
from game.match import Phase
from game.rox.actions import Claim
from game.rox.cards import DECK
from game.rox.events import Claimed, ClaimOutcome, RaceEnded, RaceOpened, RoundBegan, TableCalled
from game.rox.settings import Checking
from game.rox.state import Stage
from tests.kit.rules.play import ANN, BEN, CAT, DAN, EVE, PEOPLE, Play, only, outcome, refusal

INSTANT = Checking.INSTANT
SECOND = 1000
REST = 2 * SECOND
IDLE, LONGEST = 30 * SECOND, 120 * SECOND


def free(play):
    return [index + 10 for index, owner in enumerate(play.game.owner) if owner is None]


def wait_of(events):
    return only(events, Claimed).wait_ms


def race(*people, **settings):
    """An open race with all hands free."""
    return Play(*(people or (ANN, BEN)), **settings).race().rested()


# --- the deal ---


@given(st.integers(0, 10_000), st.integers(2, 4))
@settings(max_examples=50)
def test_start_cards_are_all_of_one_difficulty_within_a_round(seed, seats):
    deal = Play(*PEOPLE[:seats], seed=seed).game.deal
    for starts in deal.starts:
        assert len(set(starts)) == seats
        assert len({DECK[card].difficulty for card in starts}) == 1


def test_start_cards_come_in_every_difficulty():
    dealt = Counter(
        DECK[starts[0]].difficulty
        for seed in range(60)
        for starts in Play(ANN, BEN, seed=seed).game.deal.starts
    )
    assert all(60 < number < 140 for number in dealt.values()), dealt


@given(st.integers(0, 10_000))
@settings(max_examples=30)
def test_every_round_deals_all_sixty_cards_to_the_places_afresh(seed):
    deal = Play(ANN, BEN, seed=seed).game.deal
    assert all(sorted(places) == list(range(60)) for places in deal.places)
    assert len(set(deal.places)) == 5


def test_each_player_has_a_start_card_and_its_place_is_taken():
    play = Play(*PEOPLE)
    for seat, hand in enumerate(play.game.hands):
        assert [play.game.card_at(held.index).id for held in hand.row] == [
            play.game.deal.starts[0][seat]
        ]
        assert play.game.owner[hand.row[0].index] == seat
    assert len(free(play)) == 56


# --- get ready, and "Rox!" ---


def test_get_ready_takes_five_seconds_then_the_table_is_called():
    play = Play(ANN, BEN)
    assert play.game.stage is Stage.READY
    assert play.deadline == 5 * SECOND
    assert play.tick() == (TableCalled(),)
    assert play.game.stage is Stage.OPENING
    assert play.deadline is None
    assert play.machine.awaits_post(play.match)


def test_the_race_opens_at_the_post_of_the_open_table():
    play = Play(ANN, BEN)
    play.tick()
    assert play.to(6 * SECOND).show() == (RaceOpened(),)
    assert play.match.open_from == play.match.post.id
    assert play.at(play.game.race_from) == 6 * SECOND


@pytest.mark.parametrize("key", ["ready-1", "table-2", "lobby", "table-"])
def test_no_other_post_opens_the_race(key):
    play = Play(ANN, BEN)
    play.tick()
    assert play.show(key) == ()
    assert play.game.stage is Stage.OPENING


def test_a_table_reported_several_times_opens_the_race_once():
    play = Play(ANN, BEN).race()
    shown, opened = play.log[-1], play.match
    play.do(shown)
    assert play.match is opened
    play.later(SECOND).show()
    assert play.match.open_from == opened.open_from, "a table posted again opens nothing"
    assert play.match.post.id == play.log[-1].id


def test_claims_before_the_opening_are_chat():
    play = Play(ANN, BEN, rest_ms=0)
    number = free(play)[0]
    assert refusal(play.claim(ANN, number)) is Refusal.RACE_CLOSED
    play.tick()
    assert refusal(play.claim(ANN, number)) is Refusal.RACE_CLOSED
    play.show()
    opened = play.match.open_from
    earlier = play.claim(ANN, number, nth=opened % 1000 - 1)
    assert play.log[-1].id == opened - 1
    assert refusal(earlier) is Refusal.RACE_CLOSED
    assert refusal(play.back(ANN, at=play.now - 1)) is Refusal.RACE_CLOSED
    assert not play.game.hands[0].claimed, "chat is no sign of life"
    assert outcome(play.claim(ANN, number)) == "taken"


# --- claims ---


def test_a_valid_claim_takes_the_card_to_the_right_end_of_the_row():
    play = race()
    first, second = free(play)[:2]
    assert play.claim(ANN, first) == (
        Claimed(ClaimOutcome.TAKEN, 0, first, None, 0, play.log[-1].id),
    )
    play.later(REST).claim(ANN, second)
    assert play.row(ANN)[1:] == (first, second)
    assert play.game.owner[first - 10] == 0


def test_any_free_card_may_be_taken_even_a_wrong_one():
    play = race()
    assert outcome(play.claim(ANN, play.wrong(ANN)[0])) == "taken"
    assert outcome(play.claim(BEN, play.fitting(BEN)[0])) == "taken"


def test_every_card_of_the_table_may_be_claimed():
    for number in free(race()):
        assert outcome(race().claim(ANN, number)) == "taken"


def test_the_first_valid_claim_wins():
    play = race()
    number = free(play)[0]
    assert outcome(play.claim(BEN, number)) == "taken"
    late = only(play.claim(ANN, number), Claimed)
    assert (late.outcome, late.seat, late.owner, late.wait_ms) == (ClaimOutcome.LATE, 0, 1, 0)
    assert number in play.row(BEN)
    assert len(play.row(ANN)) == 1


@pytest.mark.parametrize("whose", [ANN, BEN])
def test_a_claim_on_a_start_card_is_too_late_and_says_whose_it_is(whose):
    play = race()
    late = only(play.claim(ANN, play.row(whose)[0]), Claimed)
    assert (late.outcome, late.owner) == (ClaimOutcome.LATE, play.seat(whose))


def test_a_late_claim_costs_nothing():
    play = race()
    play.claim(ANN, play.row(BEN)[0])
    assert outcome(play.claim(ANN, free(play)[0])) == "taken", "not even the hand's rest"


@pytest.mark.parametrize("number", [-12, 0, 9, 70, 99, 10**30])
def test_a_number_that_the_table_lacks_is_refused(number):
    play = race()
    assert refusal(play.claim(ANN, number)) is Refusal.NO_SUCH_NUMBER


def test_people_without_a_seat_take_nothing():
    play = race()
    before = play.match
    assert refusal(play.claim(EVE, free(play)[0])) is Refusal.NOT_SEATED
    assert refusal(play.back(EVE)) is Refusal.NOT_SEATED
    assert play.match is before


def test_nobody_claims_for_another_seat():
    play = race()
    before = play.match
    number = free(play)[0]
    events = play.do(Claim(play.id(), EVE, number, seat=1))
    assert refusal(events) is Refusal.NOT_SEATED
    assert play.match is before
    play.do(Claim(play.id(), ANN, number, seat=1))
    assert number in play.row(ANN)


def test_two_claims_of_one_millisecond_are_ordered_by_their_whole_ids():
    play = race()
    number = free(play)[0]
    first = play.claim(BEN, number)
    second = play.claim(ANN, number)
    assert (outcome(first), outcome(second)) == ("taken", "late")
    assert play.log[-1].id == play.log[-2].id + 1


def test_a_claim_that_arrives_after_a_later_one_changes_nothing_decided():
    play = race().later(5 * SECOND)
    number, other = free(play)[:2]
    play.claim(BEN, number)
    deadline = play.deadline
    assert outcome(play.claim(ANN, number, at=play.now - 500)) == "late"
    assert outcome(play.claim(ANN, other, at=play.now - 500)) == "taken"
    assert play.deadline == deadline, "the race does not end earlier for it"


# --- one hand ---


def test_the_hand_is_busy_for_two_seconds_after_the_opening():
    play = Play(ANN, BEN).race()
    opened, number = play.now, free(play)[0]
    early = play.claim(ANN, number, at=opened + REST - 1)
    assert (outcome(early), wait_of(early)) == ("busy", 1)
    assert outcome(play.claim(ANN, number, at=opened + REST)) == "taken"


@pytest.mark.parametrize("rest", [1, 500, 2_000, 5_000])
def test_the_hand_is_busy_after_a_card_and_free_exactly_at_the_end_of_the_rest(rest):
    play = race(rest_ms=rest)
    taken_at = play.now
    first, second = free(play)[:2]
    play.claim(ANN, first)
    early = play.claim(ANN, second, at=taken_at + rest - 1)
    assert (outcome(early), wait_of(early)) == ("busy", 1)
    assert outcome(play.claim(ANN, second, at=taken_at + rest)) == "taken"


def test_a_hand_without_rest_is_never_busy():
    play = Play(ANN, BEN, rest_ms=0).race()
    for number in free(play)[:5]:
        assert outcome(play.claim(ANN, number)) == "taken"
    assert play.game.caller == 0


def test_rest_is_measured_between_the_milliseconds_of_ids():
    play = race()
    first, second = free(play)[:2]
    play.claim(ANN, first, nth=4_000_000)
    assert outcome(play.claim(ANN, second, at=play.now + REST, nth=1)) == "taken"


def test_refused_claims_never_lengthen_the_rest():
    play = race()
    taken_at = play.now
    first, second = free(play)[:2]
    play.claim(ANN, first)
    for at in range(taken_at + 100, taken_at + REST, 100):
        assert outcome(play.claim(ANN, second, at=at)) == "busy"
    assert outcome(play.claim(ANN, second, at=taken_at + REST)) == "taken"


def test_a_claim_with_a_busy_hand_is_not_queued():
    play = race()
    first, second = free(play)[:2]
    play.claim(ANN, first)
    play.later(100).claim(ANN, second)
    play.later(REST).claim(BEN, second)
    assert second in play.row(BEN)


def test_each_player_has_a_separate_hand():
    play = race()
    first, second = free(play)[:2]
    play.claim(ANN, first)
    assert outcome(play.claim(BEN, second)) == "taken"


# --- putting back ---


def test_putting_back_returns_the_last_card_to_its_place():
    play = race()
    first, second = free(play)[:2]
    play.claim(ANN, first)
    play.later(REST).claim(ANN, second)
    back = only(play.back(ANN), Claimed)
    assert (back.outcome, back.number, back.owner) == (ClaimOutcome.BACK, second, None)
    assert play.row(ANN)[1:] == (first,)
    assert play.game.owner[second - 10] is None
    assert outcome(play.claim(BEN, second)) == "taken"


def test_the_start_card_is_never_put_back():
    play = race()
    before = play.match
    assert refusal(play.back(ANN)) is Refusal.NOTHING_TO_PUT_BACK
    assert play.match is before


def test_putting_back_is_allowed_while_busy_and_restarts_the_rest():
    play = race()
    taken_at = play.now
    number = free(play)[0]
    play.claim(ANN, number)
    back_at = taken_at + 1_500
    assert outcome(play.back(ANN, at=back_at)) == "back"
    early = play.claim(ANN, number, at=back_at + REST - 1)
    assert (outcome(early), wait_of(early)) == ("busy", 1)
    assert outcome(play.claim(ANN, number, at=back_at + REST)) == "taken"


def test_putting_back_with_a_free_hand_starts_a_rest_too():
    play = race()
    number = free(play)[0]
    play.claim(ANN, number)
    back_at = play.now + 10 * SECOND
    play.back(ANN, at=back_at)
    assert outcome(play.claim(ANN, number, at=back_at + REST - 1)) == "busy"
    assert outcome(play.claim(ANN, number, at=back_at + REST)) == "taken"


def test_a_put_back_that_arrives_late_never_shortens_the_rest():
    play = race().later(5 * SECOND)
    number = free(play)[0]
    taken_at = play.now
    play.claim(ANN, number)
    play.back(ANN, at=taken_at - 400)
    assert outcome(play.claim(ANN, number, at=taken_at + REST - 1)) == "busy"


# --- the order of decision ---


def test_a_closed_race_comes_before_everything():
    play = Play(ANN, BEN, checking=INSTANT).round(ANN)
    busy_late_and_wrong = play.row(ANN)[-1]
    assert refusal(play.claim(ANN, busy_late_and_wrong)) is Refusal.RACE_CLOSED


def test_a_busy_hand_comes_before_a_taken_card():
    play = race()
    play.claim(ANN, free(play)[0])
    assert outcome(play.claim(ANN, play.row(BEN)[0])) == "busy"


def test_a_busy_hand_comes_before_a_wrong_stone():
    play = race(checking=INSTANT)
    play.take(ANN)
    assert outcome(play.claim(ANN, play.wrong(ANN)[0])) == "busy"


def test_a_taken_card_comes_before_a_wrong_stone():
    play = race(checking=INSTANT)
    number = next(n for n in play.fitting(BEN) if n in play.wrong(ANN))
    play.claim(BEN, number)
    late = only(play.claim(ANN, number), Claimed)
    assert (late.outcome, late.wait_ms) == (ClaimOutcome.LATE, 0)
    assert outcome(play.claim(ANN, play.fitting(ANN)[0])) == "taken", "no rest for coming late"


# --- instant checking ---


def test_by_the_magic_eye_a_wrong_stone_shows_only_at_the_check():
    play = race()
    events = play.claim(ANN, play.wrong(ANN)[0])
    assert outcome(events) == "taken"


def test_instant_refuses_a_wrong_stone_and_rests_five_seconds_then_eight():
    play = race(checking=INSTANT, idle_ms=60_000)
    wrong = play.wrong(ANN)
    for number, rest in zip(wrong, (5_000, 8_000, 8_000, 8_000), strict=False):
        at = play.now
        events = play.claim(ANN, number)
        assert (outcome(events), wait_of(events)) == ("wrong", rest)
        assert play.game.owner[number - 10] is None
        early = play.claim(ANN, play.fitting(ANN)[0], at=at + rest - 1)
        assert (outcome(early), wait_of(early)) == ("busy", 1)
        play.to(at + rest)
    assert outcome(play.claim(ANN, play.fitting(ANN)[0])) == "taken"
    assert len(play.row(ANN)) == 2


def test_instant_restarts_the_count_of_wrong_stones_at_the_next_card():
    play = race(checking=INSTANT)
    play.claim(ANN, play.wrong(ANN)[0])
    play.later(5_000).claim(ANN, play.fitting(ANN)[0])
    play.later(REST)
    assert wait_of(play.claim(ANN, play.wrong(ANN)[0])) == 5_000


def test_instant_rests_only_the_hand_that_was_wrong():
    play = race(checking=INSTANT)
    play.claim(ANN, play.wrong(ANN)[0])
    assert outcome(play.claim(BEN, play.fitting(BEN)[0])) == "taken"


def test_instant_lets_nobody_shorten_the_rest_by_putting_back():
    play = race(checking=INSTANT)
    play.take(ANN)
    play.later(REST).claim(ANN, play.wrong(ANN)[0])
    wrong_at = play.now
    assert outcome(play.back(ANN, at=wrong_at + 100)) == "back"
    assert outcome(play.claim(ANN, play.fitting(ANN)[0], at=wrong_at + 4_999)) == "busy"
    assert outcome(play.claim(ANN, play.fitting(ANN)[0], at=wrong_at + 5_000)) == "taken"


def test_every_full_row_holds_with_instant_checking():
    play = Play(ANN, BEN, checking=INSTANT).round(ANN)
    assert play.game.checked[0].valid == 6


# --- the sixth card ---


def test_the_sixth_card_ends_the_race_at_once():
    play = race().take_many(ANN, "++++")
    assert play.game.stage is Stage.RACE
    events = play.take(ANN)
    assert [type(event) for event in events] == [Claimed, RaceEnded]
    assert only(events, RaceEnded).caller == 0
    assert play.game.stage is Stage.CHECK
    assert play.game.caller == 0


def test_the_start_card_counts_among_the_six():
    play = race().take_many(ANN, "+++++")
    assert len(play.row(ANN)) == 6


def test_a_sixth_card_ends_the_race_whether_the_row_holds_or_not():
    play = race().take_many(ANN, "-----")
    assert play.game.caller == 0
    assert play.game.checked[0].valid == 1


def test_larger_ids_change_nothing_after_the_sixth_card():
    play = race().take_many(BEN, "++++").take_many(ANN, "++++")
    play.rested()
    number = play.fitting(BEN)[-1]
    play.claim(ANN, play.fitting(ANN)[0])
    ended = play.match
    assert refusal(play.claim(BEN, number)) is Refusal.RACE_CLOSED
    assert refusal(play.back(BEN)) is Refusal.RACE_CLOSED
    assert play.match is ended


def test_of_two_sixth_cards_the_smaller_id_calls():
    play = race().take_many(BEN, "++++").take_many(ANN, "++++")
    play.rested()
    play.claim(BEN, play.fitting(BEN)[0], nth=7)
    play.claim(ANN, free(play)[0], nth=8)
    assert play.game.caller == play.seat(BEN)


def test_a_smaller_id_that_arrives_after_the_end_changes_nothing():
    play = race().take_many(BEN, "++++").take_many(ANN, "++++")
    play.rested().later(SECOND)
    number = play.fitting(BEN)[-1]
    play.claim(ANN, play.fitting(ANN)[0])
    ended = play.match
    assert refusal(play.claim(BEN, number, at=play.now - 50)) is Refusal.RACE_CLOSED
    assert refusal(play.back(ANN, at=play.now - 50)) is Refusal.RACE_CLOSED
    assert play.match is ended


# --- the check and the break ---


def test_the_check_is_shown_row_by_row():
    play = race().take_many(ANN, "+++++")
    ended = play.now
    assert play.game.reveal == 0
    assert play.deadline == ended + 2_500
    play.tick()
    assert play.game.reveal == 1
    assert play.deadline == ended + 5_000
    play.tick()
    assert (play.game.reveal, play.game.stage) == (2, Stage.BREAK)


def test_the_break_lasts_fifteen_seconds_after_the_prizes():
    play = race().take_many(ANN, "+++++").check_over()
    assert play.deadline == play.now + 15 * SECOND
    assert play.tick() == (RoundBegan(2),)
    assert play.deadline == play.now + 5 * SECOND


def test_the_break_ends_when_all_are_ready():
    play = Play(ANN, BEN, CAT).round(ANN).check_over()
    play.later(SECOND).ready(ANN)
    play.ready(BEN)
    assert play.game.stage is Stage.BREAK
    play.ready(CAT)
    assert (play.game.round, play.game.stage) == (2, Stage.READY)
    assert play.deadline == play.now + 5 * SECOND


def test_ready_counts_once_and_only_in_the_break_and_from_who_plays():
    play = Play(ANN, BEN).round(ANN)
    assert refusal(play.ready(ANN)) is Refusal.TOO_LATE_NOW
    play.check_over()
    assert refusal(play.ready(EVE)) is Refusal.NOT_SEATED
    play.ready(ANN)
    once = play.match
    play.ready(ANN)
    assert play.match is once


def test_nobody_waits_for_a_leaver_to_be_ready():
    play = Play(ANN, BEN, CAT).round(ANN).check_over()
    play.ready(ANN)
    play.ready(BEN)
    play.leave(CAT)
    assert (play.game.round, play.game.stage) == (2, Stage.READY)


def test_a_new_round_starts_with_free_places_and_start_cards_alone():
    play = Play(*PEOPLE).round(DAN, (ANN, "+-+")).check_over()
    play.tick()
    assert [len(hand.row) for hand in play.game.hands] == [1] * 4
    assert len(free(play)) == 56
    assert (play.game.recent_claims, play.game.caller, play.game.checked) == ((), None, ())


def test_a_match_has_five_rounds():
    play = Play(ANN, BEN).whole_match(ANN)
    assert play.game.round == 5
    assert len(play.game.scores) == 5
    began = [event.number for event in play.events if isinstance(event, RoundBegan)]
    assert began == [1, 2, 3, 4, 5]
    assert play.match.phase is Phase.OVER


def test_the_last_claims_are_kept_in_a_short_list():
    play = race()
    for _ in range(4):
        play.take(ANN)
        play.claim(BEN, play.row(ANN)[-1])
    told = [event for event in play.events if isinstance(event, Claimed)]
    taken = [event for event in told if event.outcome is ClaimOutcome.TAKEN]
    assert play.game.recent_claims == (*taken, told[-1]), (
        "of Ben's four late ones the newest is enough"
    )
    for _ in range(2):
        play.back(ANN)
        assert len(play.game.recent_claims) == 6


def test_one_player_s_many_claims_do_not_crowd_out_the_others():
    play = race()
    play.take(ANN)
    play.take(BEN)
    for _ in range(20):
        play.claim(BEN, play.row(ANN)[-1])
    outcomes = [(note.seat, note.outcome) for note in play.game.recent_claims]
    assert outcomes == [(0, ClaimOutcome.TAKEN), (1, ClaimOutcome.TAKEN), (1, ClaimOutcome.BUSY)]


# --- tallies ---


def test_the_figures_of_a_match_count_right_cards_and_the_fastest_full_row():
    play = Play(ANN, BEN).round(ANN, (BEN, "+-"))
    took = play.now - play.at(play.game.race_from)
    ann, ben = play.game.tallies
    assert (ann.cards, ann.right, ann.fastest_ms) == (5, 5, took)
    assert (ben.cards, ben.right, ben.fastest_ms) == (2, 1, None)
    play.check_over().round(BEN, wins="++++-")
    ann, ben = play.game.tallies
    assert (ben.cards, ben.right, ben.fastest_ms) == (7, 5, None), "a row that broke is not full"
    assert ann.fastest_ms == took
