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
    claims      fate, seat and number of every claim and put-back, in order

A log that replays differently is a match that a player's running bot would continue differently
after an update.
"""

from __future__ import annotations

import json
from collections import Counter
from pathlib import Path

import pytest

from game.actions import decode
from game.match import Phase
from game.rox.engine import ROX
from game.rox.events import Claimed, Fate

LOGS = Path(__file__).parent.parent / "data" / "logs"
FILES = sorted(LOGS.glob("*.json"))


def read(file):
    return json.loads(file.read_text(encoding="utf-8"))


def converted(lines):
    """Return recorded lines in the form that the log's entries have today."""
    return lines


def replayed(lines):
    actions = [decode(kind, action_id, values) for kind, action_id, values in converted(lines)]
    return ROX.replay(actions)


def outcome(step):
    """Return what a replay led to, in the form of the files."""
    match, events = step.match, step.events
    return {
        "end": match.end and match.end.value,
        "result": match.result and result_of(match.result),
        "events": {
            "number": len(events),
            "kinds": dict(sorted(Counter(type(event).__name__ for event in events).items())),
        },
        "claims": [
            [event.fate.value, event.seat, event.number]
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
            [tally.cards, tally.right, tally.fastest_ms]
            for _, tally in sorted(result.tallies.items())
        ],
        "counts": result.counts,
        "rated": result.rated,
    }


@pytest.mark.parametrize("file", FILES, ids=lambda file: file.stem)
def test_a_recorded_log_leads_to_the_recorded_outcome(file):
    recorded = read(file)
    expected = {key: recorded[key] for key in ("end", "result", "events", "claims")}
    assert outcome(replayed(recorded["lines"])) == expected


@pytest.mark.parametrize("file", FILES, ids=lambda file: file.stem)
def test_a_recorded_log_leads_to_the_end_of_its_match(file):
    step = replayed(read(file)["lines"])
    assert step.match.phase in {Phase.OVER, Phase.CLOSED}


def test_the_recorded_logs_hold_every_kind_of_entry_and_every_fate():
    """Otherwise a change to one of them could go unnoticed here."""
    files = [read(file) for file in FILES]
    kinds = {kind for recorded in files for kind, _, _ in recorded["lines"]}
    fates = {fate for recorded in files for fate, _, _ in recorded["claims"]}
    settings = [recorded["lines"][0][2]["settings"] for recorded in files]
    assert kinds == {
        *("opening", "join", "leave", "gone", "start", "stop", "tick", "shown", "returned"),
        *("interrupt", "resume", "rematch", "close"),
        *("rox.deal", "rox.claim", "rox.back", "rox.ready"),
    }
    assert fates == {fate.value for fate in Fate}
    assert {(chosen["preset"], chosen["checking"]) for chosen in settings} == {
        (preset, checking)
        for preset in ("rulebook", "fair")
        for checking in ("magic-eye", "instant")
    }
