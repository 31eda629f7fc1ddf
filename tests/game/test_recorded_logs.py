"""Logs of whole matches, recorded from the running bot, still lead to the same results.

Each file in `tests/data/logs` holds one match as the database keeps it, and what came of it when
it was recorded:

    source      how the match was played
    lines       the log's entries: kind, id, and the other fields
    end         why the match ended
    result      places ([seat, place, place among people]), points and tallies ([cards, right cards,
                fastest row in ms]) by seat, and whether the match counts and is rated; null for a
                match that is void
    events      how many events there were, and how many of each kind
    claims      outcome, seat and number of every claim and put-back, in order

The logs were recorded under version 1 of the rules of Rox, when matches had no clock; `converted`
puts them into the form of version 2. Both versions give the same outcomes.
"""

from __future__ import annotations

import json
from collections import Counter
from pathlib import Path

import pytest

from game.actions import Tick, decode
from game.ids import first_id, ms_of, timer_id
from game.match import Phase
from game.rox.engine import ROX
from game.rox.events import Claimed, ClaimOutcome, RaceOpened

LOGS = Path(__file__).parent.parent / "data" / "logs"
FILES = sorted(LOGS.glob("*.json"))


def read(file):
    return json.loads(file.read_text(encoding="utf-8"))


def with_returns(lines):
    """Return lines in which an absence begins with an entry of its own.

    In version 1 the first message after an absence named the time of the last action before it.
    """
    found = []
    for kind, action_id, values in lines:
        since = values.get("away_since")
        if since is not None and kind != "returned":
            at = next((i for i, line in enumerate(found) if ms_of(line[1]) > since), len(found))
            newest = max((line[1] for line in found if line[0] == "shown"), default=0)
            found.insert(at, ("returned", max(first_id(since + 1), newest + 1), {}))
        plain = {name: value for name, value in values.items() if name != "away_since"}
        found.append((kind, action_id, plain))
    return found


def converted(lines):
    """Return a recorded log as the actions of today.

    After a pause a deadline passes a little later than in version 1: the clock goes on from the
    message that shows the match, and not from the press on Resume.
    """
    actions, match = [], None
    for kind, action_id, values in with_returns(lines):
        action = decode(kind, action_id, values)
        if isinstance(action, Tick) and (deadline := ROX.deadline(match)) is not None:
            action = Tick(id=timer_id(match.discord_ms(deadline)))
        match = ROX.apply(match, action).match if match else ROX.start(action)
        actions.append(action)
    return actions


def replayed(lines):
    return ROX.replay(converted(lines))


def outcome(step):
    """Return what a replay led to, in the form of the files."""
    match = step.match
    # Version 1 told once more that a race is open when it went on after a pause.
    events = [event for event in step.events if not isinstance(event, RaceOpened)]
    return {
        "end": match.end and match.end.value,
        "result": match.result and result_of(match.result),
        "events": {
            "number": len(events),
            "kinds": dict(sorted(Counter(type(event).__name__ for event in events).items())),
        },
        "claims": [
            [event.outcome.value, event.seat, event.number]
            for event in events
            if isinstance(event, Claimed)
        ],
    }


def result_of(result):
    by_seat = sorted(result.places, key=lambda place: place.seat.number)
    return {
        "places": [[place.seat.number, place.place, place.among_people] for place in result.places],
        "points": [place.points for place in by_seat],
        "tallies": [
            [figures["cards"], figures["right"], figures.get("fastest_ms")]
            for _, figures in sorted(result.figures.items())
        ],
        "counts": result.counts,
        "rated": result.rated,
    }


@pytest.mark.parametrize("file", FILES, ids=lambda file: file.stem)
def test_a_recorded_log_leads_to_the_recorded_outcome(file):
    recorded = read(file)
    expected = {key: recorded[key] for key in ("end", "result", "events", "claims")}
    opened = expected["events"]["kinds"].pop("RaceOpened", 0)
    expected["events"]["number"] -= opened
    assert outcome(replayed(recorded["lines"])) == expected


@pytest.mark.parametrize("file", FILES, ids=lambda file: file.stem)
def test_a_recorded_log_leads_to_the_end_of_its_match(file):
    step = replayed(read(file)["lines"])
    assert step.match.phase in {Phase.OVER, Phase.CLOSED}


def test_the_recorded_logs_hold_every_kind_of_entry_and_every_outcome():
    """Otherwise a change to one of them could go unnoticed here."""
    files = [read(file) for file in FILES]
    kinds = {kind for recorded in files for kind, _, _ in recorded["lines"]}
    outcomes = {outcome for recorded in files for outcome, _, _ in recorded["claims"]}
    settings = [recorded["lines"][0][2]["settings"] for recorded in files]
    assert kinds == {
        *("opening", "join", "leave", "gone", "start", "stop", "tick", "shown", "returned"),
        *("interrupt", "resume", "rematch", "close"),
        *("rox.deal", "rox.claim", "rox.back", "rox.ready"),
    }
    assert outcomes == {outcome.value for outcome in ClaimOutcome}
    assert {(chosen["preset"], chosen["checking"]) for chosen in settings} == {
        (preset, checking)
        for preset in ("rulebook", "fair")
        for checking in ("magic-eye", "instant")
    }
