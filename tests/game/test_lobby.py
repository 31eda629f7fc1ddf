"""The lobby: its seats, its host, its clock."""

from __future__ import annotations

import pytest

from game.actions import Configure
from game.events import (
    Configured,
    Ended,
    HostChanged,
    OfferEnded,
    Refusal,
    Refused,
    Seated,
    Started,
    Unseated,
)
from game.match import End, Level, Phase
from game.rox.actions import Claim
from game.rox.engine import ROX
from game.rox.settings import Preset, RoxSettings
from tests.kit.rules.play import ANN, BEN, CAT, DAN, EVE, Play, only, refusal

SECOND = 1000
MINUTE = 60 * SECOND


def lobby(*people, opponents=()):
    return Play(*(people or (ANN,)), opponents=opponents, lobby=True)


def users(play):
    return [seat.user for seat in play.match.seats]


def test_seats_are_numbered_in_the_order_of_joining():
    play = lobby(ANN)
    play.join(CAT)
    play.join(BEN)
    assert [(seat.number, seat.user, seat.name) for seat in play.match.seats] == [
        (0, ANN, "Ann"),
        (1, CAT, "Cat"),
        (2, BEN, "Ben"),
    ]


def test_who_opens_is_host():
    assert lobby(CAT).match.host == CAT


def test_joining_twice_is_refused():
    play = lobby(ANN)
    play.join(BEN)
    assert refusal(play.join(BEN)) is Refusal.ALREADY_SEATED
    assert refusal(play.join(ANN)) is Refusal.ALREADY_SEATED
    assert users(play) == [ANN, BEN]


def test_a_table_holds_four():
    play = lobby(ANN)
    for user in (BEN, CAT, DAN):
        only(play.join(user), Seated)
    assert refusal(play.join(EVE)) is Refusal.TABLE_FULL


def test_opponents_count_as_seats():
    play = lobby(ANN, opponents=[Level.MASTER, Level.APPRENTICE])
    play.join(BEN)
    assert refusal(play.join(CAT)) is Refusal.TABLE_FULL
    assert [seat.level for seat in play.match.seats] == [
        None,
        Level.MASTER,
        Level.APPRENTICE,
        None,
    ]


# --- start ---


def test_the_host_starts_with_two_seats():
    play = lobby(ANN)
    play.join(BEN)
    only(play.start(ANN), Started)
    assert play.match.phase is Phase.DEALING


def test_one_opponent_is_enough_to_start_with():
    play = lobby(ANN, opponents=[Level.JOURNEYMAN])
    only(play.start(ANN), Started)


def test_nobody_starts_alone():
    play = lobby(ANN)
    assert refusal(play.start(ANN)) is Refusal.TOO_FEW
    assert play.match.phase is Phase.LOBBY


def test_somebody_without_a_seat_never_starts():
    play = lobby(ANN, BEN)
    play.to(2 * MINUTE)
    assert refusal(play.start(CAT)) is Refusal.NOT_SEATED


def test_any_seated_person_may_start_after_a_minute_of_the_hosts_silence():
    play = lobby(ANN, BEN)
    play.to(MINUTE - 1)
    assert play.start(BEN) == (Refused(BEN, Refusal.HOST_STARTS, 1),)
    play.to(MINUTE)
    only(play.start(BEN), Started)


def test_the_hosts_silence_counts_from_the_last_press():
    play = lobby(ANN)
    play.to(10 * SECOND).start(ANN)
    play.to(20 * SECOND).join(BEN)
    play.to(69 * SECOND)
    assert play.start(BEN) == (Refused(BEN, Refusal.HOST_STARTS, SECOND),)
    play.to(70 * SECOND)
    only(play.start(BEN), Started)


def test_what_the_host_types_is_no_press():
    play = lobby(ANN, BEN)
    before = play.match
    play.to(30 * SECOND)
    play.do(Claim(id=play.id(), user=ANN, number=42))
    assert play.match is before
    play.to(MINUTE)
    only(play.start(BEN), Started)


# --- the host leaves ---


def test_when_the_host_leaves_the_next_seat_is_host():
    play = lobby(ANN)
    play.join(BEN)
    play.join(CAT)
    assert play.leave(ANN) == (Unseated(0, ANN), HostChanged(BEN))
    assert play.match.host == BEN
    assert [(seat.number, seat.user) for seat in play.match.seats] == [(0, BEN), (1, CAT)]


def test_the_next_person_is_host_when_the_next_seat_is_an_opponents():
    play = lobby(ANN, opponents=[Level.MASTER])
    play.join(BEN)
    play.leave(ANN)
    assert play.match.host == BEN


def test_somebody_else_leaving_changes_no_host():
    play = lobby(ANN, BEN)
    assert play.leave(BEN) == (Unseated(1, BEN),)
    assert play.match.host == ANN


def test_a_new_hosts_silence_begins_when_the_old_one_leaves():
    play = lobby(ANN, BEN, CAT)
    play.to(90 * SECOND).leave(ANN)
    play.to(91 * SECOND)
    assert play.start(CAT) == (Refused(CAT, Refusal.HOST_STARTS, 59 * SECOND),)
    play.to(150 * SECOND)
    only(play.start(CAT), Started)


def test_who_is_gone_from_the_server_loses_the_seat():
    play = lobby(ANN, BEN)
    play.gone(ANN)
    assert users(play) == [BEN]
    assert play.match.host == BEN


def test_people_who_are_gone_at_the_same_time_lose_their_seats():
    play = lobby(ANN, BEN, CAT)
    play.gone(ANN, CAT)
    assert users(play) == [BEN]
    assert play.match.host == BEN
    play = lobby(ANN, BEN)
    play.gone(ANN, BEN)
    assert play.match.end is End.LOBBY_EMPTY


def test_leaving_without_a_seat_is_refused():
    assert refusal(lobby(ANN).leave(BEN)) is Refusal.NOT_SEATED


# --- the end of a lobby ---


@pytest.mark.parametrize("opponents", [(), (Level.MASTER,)])
def test_the_last_person_to_leave_closes_the_lobby(opponents):
    play = lobby(ANN, opponents=opponents)
    only(play.leave(ANN), Ended)
    assert (play.match.phase, play.match.end) == (Phase.CLOSED, End.LOBBY_EMPTY)


def test_a_lobby_closes_after_five_minutes():
    play = lobby(ANN)
    assert play.deadline == 5 * MINUTE
    only(play.tick(), Ended)
    assert (play.match.phase, play.match.end) == (Phase.CLOSED, End.LOBBY_LAPSED)


def test_each_join_restarts_the_five_minutes():
    play = lobby(ANN)
    play.to(4 * MINUTE).join(BEN)
    assert play.deadline == 9 * MINUTE


def test_leaving_or_pressing_start_in_vain_does_not_restart_the_five_minutes():
    play = lobby(ANN)
    play.to(1 * MINUTE).join(BEN)
    play.to(2 * MINUTE).leave(BEN)
    play.to(3 * MINUTE).start(ANN)
    play.to(3 * MINUTE).join(ANN)
    assert play.deadline == 6 * MINUTE


def test_a_full_table_starts_in_ten_seconds():
    play = lobby(ANN, BEN, CAT)
    play.to(MINUTE).join(DAN)
    assert play.deadline == MINUTE + 10 * SECOND
    assert play.tick() == (Started(),)
    assert play.match.phase is Phase.DEALING


def test_a_table_full_of_opponents_starts_in_ten_seconds_too():
    play = lobby(ANN, opponents=[Level.MASTER] * 3)
    assert play.deadline == 10 * SECOND
    assert play.tick() == (Started(),)


def test_the_host_may_start_a_full_table_at_once():
    play = lobby(ANN, BEN, CAT, DAN)
    play.to(SECOND)
    only(play.start(ANN), Started)


def test_a_leaver_cancels_the_countdown():
    play = lobby(ANN, BEN, CAT)
    play.to(MINUTE).join(DAN)
    play.later(9 * SECOND).leave(BEN)
    assert play.deadline == 6 * MINUTE
    before = play.match
    play.tick_at(MINUTE + 10 * SECOND)
    assert play.match is before, "the old countdown finds another lobby"
    play.later(30 * SECOND).join(EVE)
    assert play.deadline == play.now + 10 * SECOND, "the next full table starts the countdown again"


@pytest.mark.parametrize("at", [5 * MINUTE - 1, 5 * MINUTE + 1, 0])
def test_a_tick_that_is_early_or_late_does_nothing(at):
    play = lobby(ANN)
    before = play.match
    assert play.tick_at(at) == ()
    assert play.match is before


def test_the_host_cancels():
    play = lobby(ANN, BEN)
    assert refusal(play.stop(BEN)) is Refusal.ONLY_HOST_STOPS
    only(play.stop(ANN), Ended)
    assert (play.match.phase, play.match.end) == (Phase.CLOSED, End.CANCELLED)


def test_who_may_manage_the_channel_cancels_without_a_seat():
    play = lobby(ANN)
    assert refusal(play.stop(EVE)) is Refusal.ONLY_HOST_STOPS
    only(play.stop(EVE, manager=True), Ended)
    assert play.match.end is End.CANCELLED


def test_a_closed_match_takes_no_more_actions():
    play = lobby(ANN)
    play.stop(ANN)
    before = play.match
    assert refusal(play.join(BEN)) is Refusal.TOO_LATE_NOW
    assert refusal(play.start(ANN)) is Refusal.TOO_LATE_NOW
    assert play.match is before
    assert play.deadline is None


def test_a_start_that_comes_second_finds_the_match_started():
    play = lobby(ANN, BEN)
    play.to(2 * MINUTE).start(ANN)
    assert refusal(play.start(BEN)) is Refusal.TOO_LATE_NOW
    assert refusal(play.join(CAT)) is Refusal.TOO_LATE_NOW


def test_nothing_is_claimed_between_start_and_deal():
    play = lobby(ANN, BEN)
    play.start(ANN)
    before = play.match
    assert refusal(play.claim(ANN, 42)) is Refusal.RACE_CLOSED
    assert refusal(play.ready(ANN)) is Refusal.RACE_CLOSED
    assert play.match is before
    play.deal()
    assert play.match.phase is Phase.PLAYING


def test_the_deal_has_an_id_of_its_own():
    play = lobby(ANN, BEN, CAT, DAN)
    play.tick()
    play.deal()
    ids = [action.id for action in play.log]
    assert len(set(ids)) == len(ids)
    assert ids == sorted(ids)


# --- a lobby that there never was: a rematch ---


def test_a_rematch_needs_no_lobby():
    play = Play(ANN, BEN)
    assert play.match.phase is Phase.PLAYING
    assert play.match.host == ANN


def test_a_closed_offer_is_not_an_end_of_its_own():
    play = Play(ANN, BEN).whole_match(ANN)
    assert play.close(End.CANCELLED) == (OfferEnded(),)
    assert (play.match.phase, play.match.end) == (Phase.CLOSED, End.FINISHED)


def test_the_first_person_is_host_when_the_seats_begin_with_an_opponent():
    seats = [(None, "Stone", "master"), (BEN, "Ben", None), (ANN, "Ann", None)]
    match = ROX.start(ROX.opening(1 << 40, RoxSettings(), seats, lobby=False))
    assert (match.phase, match.host) == (Phase.DEALING, BEN)


# --- settings ---


def choose(play, user, at=None, **settings):
    return play.do(Configure(play.id(at), user, settings))


def test_the_host_chooses_settings_which_the_game_is_played_by():
    play = lobby(ANN)
    play.join(BEN)
    assert choose(play, ANN, rest_ms=0) == (Configured(ANN),)
    choose(play, ANN, preset="fair")
    play.start(ANN)
    play.deal()
    assert (play.game.settings.rest_ms, play.game.settings.preset) == (0, Preset.FAIR)
    assert play.game.settings.race_ms == RoxSettings().race_ms


def test_others_choose_nothing():
    play = lobby(ANN)
    play.join(BEN)
    for user in (BEN, CAT):
        assert refusal(choose(play, user, rest_ms=0)) is Refusal.ONLY_HOST_CHOOSES
    assert play.match.opening.settings["rest_ms"] == RoxSettings().rest_ms


def test_a_choice_is_a_press_of_the_host():
    play = lobby(ANN)
    play.join(BEN)
    choose(play, ANN, at=50 * SECOND, rest_ms=0)
    play.now = 70 * SECOND
    assert refusal(play.start(BEN)) is Refusal.HOST_STARTS


def test_nothing_is_chosen_once_the_match_has_started():
    play = Play(ANN, BEN).race()
    assert refusal(choose(play, ANN, rest_ms=0)) is Refusal.TOO_LATE_NOW
