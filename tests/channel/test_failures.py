"""What follows from failed calls and from faults: one row a situation."""

import aiohttp
import discord
import pytest

from bot.channel.failures import (
    RETRY_EDIT_S,
    EditFailures,
    Next,
    after_failed_cleanup,
    after_failed_edit,
    after_failed_post,
    after_fault,
    fault_delay,
)
from bot.channel.outgoing import ATTEMPTS, OutgoingPost
from bot.channel.plan import DisplayState
from bot.games.sheet import Sheet
from bot.replies.errors import ErrorKind, error_kind
from game.match import Phase

NOW = 1000.0
SHEET, OTHER = Sheet("race:1", 0, ()), Sheet("check:1", 0, ())
PLAYING, LOBBY, CLOSED = Phase.PLAYING, Phase.LOBBY, Phase.CLOSED
GONE, NO_MESSAGE, FORBIDDEN, INVALID, TEMPORARY = (
    ErrorKind.CHANNEL_GONE,
    ErrorKind.MESSAGE_GONE,
    ErrorKind.FORBIDDEN,
    ErrorKind.INVALID,
    ErrorKind.TEMPORARY,
)


def error(status, code, kind=discord.HTTPException):
    class Response:
        reason = ""

    Response.status = status
    return kind(Response, {"code": code, "message": ""})


@pytest.mark.parametrize(
    ("raised", "kind"),
    [
        (error(404, 10003), GONE),
        (error(404, 10004), GONE),
        (error(404, 10008), NO_MESSAGE),
        (error(400, 30046), NO_MESSAGE),
        (error(403, 50001, discord.Forbidden), FORBIDDEN),
        (error(403, 50013, discord.Forbidden), FORBIDDEN),
        (error(403, 0, discord.Forbidden), FORBIDDEN),
        (error(400, 50083), FORBIDDEN),
        (error(400, 160005), FORBIDDEN),
        (error(400, 50035), INVALID),
        (error(404, 0), TEMPORARY),
        (error(429, 0), TEMPORARY),
        (error(500, 0, discord.DiscordServerError), TEMPORARY),
        (aiohttp.ServerDisconnectedError(), TEMPORARY),
        (TimeoutError(), TEMPORARY),
        (OSError(), TEMPORARY),
    ],
)
def test_the_kind_of_an_error(raised, kind):
    assert error_kind(raised) is kind


def post(failed=1, age=5.0):
    return OutgoingPost(SHEET, SHEET, 7, NOW - age, failed=failed)


STAYS = DisplayState(SHEET, unseen=7)
MOVED_ON = DisplayState(OTHER, unseen=7)


@pytest.mark.parametrize(
    ("kind", "state", "outgoing", "phase", "step"),
    [
        (TEMPORARY, STAYS, post(), PLAYING, Next.RETRY),
        (TEMPORARY, MOVED_ON, post(), PLAYING, Next.RETRY),
        (INVALID, STAYS, post(), PLAYING, Next.RETRY),
        (TEMPORARY, STAYS, post(ATTEMPTS), PLAYING, Next.GIVE_UP),
        (TEMPORARY, MOVED_ON, post(ATTEMPTS), PLAYING, Next.GIVE_UP),
        (TEMPORARY, STAYS, post(ATTEMPTS), LOBBY, Next.RETRY),
        (TEMPORARY, STAYS, post(ATTEMPTS), CLOSED, Next.RETRY),
        (TEMPORARY, STAYS, post(30, 601.0), CLOSED, Next.GIVE_UP),
        (FORBIDDEN, STAYS, post(), PLAYING, Next.GIVE_UP),
        (FORBIDDEN, STAYS, post(), LOBBY, Next.GIVE_UP),
        (FORBIDDEN, MOVED_ON, post(), PLAYING, Next.DROP),
        (FORBIDDEN, DisplayState(SHEET, unseen=9), post(), PLAYING, Next.DROP),
        (FORBIDDEN, DisplayState(SHEET, unseen=7, repost=True), post(), PLAYING, Next.DROP),
        (FORBIDDEN, MOVED_ON, post(ATTEMPTS), PLAYING, Next.DROP),
        (GONE, STAYS, post(), PLAYING, Next.GIVE_UP),
        (GONE, MOVED_ON, post(), PLAYING, Next.GIVE_UP),
        (NO_MESSAGE, STAYS, post(), PLAYING, Next.GIVE_UP),
    ],
)
def test_after_a_failed_post(kind, state, outgoing, phase, step):
    assert after_failed_post(kind, state, outgoing, phase, NOW) is step


NONE = EditFailures()
SOME = EditFailures(since=NOW - 10, count=2, invalid=1)
LONG = EditFailures(since=NOW - 601, count=30, invalid=30)
SECOND_INVALID = EditFailures(since=NOW - 10, count=ATTEMPTS - 1, invalid=ATTEMPTS - 1)
REPOSTED = EditFailures(since=NOW - 10, count=1, invalid=ATTEMPTS)


@pytest.mark.parametrize(
    ("kind", "failures", "is_current", "step"),
    [
        (TEMPORARY, NONE, True, Next.RETRY),
        (TEMPORARY, NONE, False, Next.RETRY),
        (TEMPORARY, SOME, True, Next.RETRY),
        (TEMPORARY, SECOND_INVALID, True, Next.RETRY),
        (TEMPORARY, LONG, True, Next.GIVE_UP),
        (INVALID, NONE, True, Next.RETRY),
        (INVALID, SECOND_INVALID, True, Next.REPOST),
        (INVALID, REPOSTED, True, Next.RETRY),
        (INVALID, LONG, True, Next.GIVE_UP),
        (NO_MESSAGE, NONE, True, Next.FORGET_MESSAGE),
        (NO_MESSAGE, LONG, True, Next.FORGET_MESSAGE),
        (NO_MESSAGE, NONE, False, Next.REPLAN),
        (FORBIDDEN, NONE, True, Next.GIVE_UP),
        (FORBIDDEN, NONE, False, Next.REPLAN),
        (GONE, NONE, True, Next.GIVE_UP),
        (GONE, NONE, False, Next.GIVE_UP),
    ],
)
def test_after_a_failed_edit(kind, failures, is_current, step):
    assert after_failed_edit(kind, failures, NOW, by_token=False, is_current=is_current) is step


@pytest.mark.parametrize("kind", ErrorKind)
def test_an_edit_by_token_is_made_again_without_it_whatever_failed(kind):
    step = after_failed_edit(kind, LONG, NOW, by_token=True, is_current=True)
    assert step is Next.RETRY_BY_CHANNEL
    step = after_failed_cleanup(kind, by_token=True, exhausted=True)
    assert step is Next.RETRY_BY_CHANNEL


def test_failed_edits_are_tried_again_soon():
    failures, waits = NONE, []
    for _ in range(6):
        failures = failures.after_failure(NOW, invalid=False)
        waits.append(failures.retry_at - NOW)
    assert waits == [0.5, 1, 2, RETRY_EDIT_S, RETRY_EDIT_S, RETRY_EDIT_S]
    assert failures.since == NOW
    assert failures.count == 6
    assert failures.invalid == 0


def test_a_new_message_has_edits_of_its_own_but_is_reposted_only_once():
    failures = SECOND_INVALID.after_failure(NOW, invalid=True).after_post()
    assert failures.invalid == ATTEMPTS
    assert not failures.is_hopeless(NOW + 9999)
    assert failures.after_failure(NOW, invalid=True).retry_at == NOW + 0.5


@pytest.mark.parametrize(
    ("kind", "exhausted", "step"),
    [
        (TEMPORARY, False, Next.RETRY),
        (TEMPORARY, True, Next.GIVE_UP),
        (INVALID, False, Next.GIVE_UP),
        (NO_MESSAGE, False, Next.GIVE_UP),
        (FORBIDDEN, False, Next.GIVE_UP),
        (GONE, False, Next.GIVE_UP),
    ],
)
def test_after_a_failed_cleanup(kind, exhausted, step):
    assert after_failed_cleanup(kind, by_token=False, exhausted=exhausted) is step


def test_after_faults_without_a_call_in_between():
    steps = [after_fault(faults) for faults in range(1, 10)]
    retry = [Next.RETRY] * (ATTEMPTS - 1)
    assert steps == [*retry, Next.REBUILD, *retry, Next.CLOSE, *retry, Next.CLOSE]
    assert [fault_delay(faults) for faults in (1, 2, 4, 5)] == [1, 2, 1, 2]
