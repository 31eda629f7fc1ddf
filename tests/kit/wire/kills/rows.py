"""What the database says while nobody writes to it, and what must hold of it."""

from __future__ import annotations

import json
import re
import sqlite3
from collections import Counter, defaultdict
from contextlib import closing
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from bot.games.table import GAMES
from bot.views.buttons import match_of_component
from game.actions import Action, decode
from game.ids import ms_of
from game.match import Match, Phase
from game.rox.actions import Back, Claim
from game.rox.events import Claimed, ClaimOutcome
from game.rox.prizes import ROUNDS
from game.rox.state import RoxGame, Stage, number_of
from tests.kit.rules.invariants import watched

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping
    from pathlib import Path

    from simcord.backend.models import Message

    from tests.kit.wire.kills.people import Ring, Seen

MACHINE = GAMES["rox"].machine
READ = GAMES["rox"].read


@dataclass(frozen=True, slots=True)
class Stored:
    """A match as it is in the rows."""

    id: int
    channel: int
    status: str
    closed: bool
    counts: bool
    lines: tuple[tuple[int, str, str], ...]

    @property
    def actions(self) -> list[Action]:
        return [decode(kind, action_id, json.loads(text)) for action_id, kind, text in self.lines]


class Rows:
    """A database file, read beside the bot.

    Attributes:
        path: the file.
        matches: what was read last, by key.
    """

    def __init__(self, path: Path) -> None:
        self.path = path
        self.matches: dict[int, Stored] = {}

    def ask(self, query: str) -> list[tuple[Any, ...]]:
        with closing(sqlite3.connect(f"file:{self.path}?mode=ro", uri=True)) as connection:
            return connection.execute(query).fetchall()

    def read(self) -> None:
        """Read everything; what was read before must still be there, line by line."""
        logs = defaultdict(list)
        for match, *line in self.ask(
            "select match_id, action_id, kind, payload from actions order by match_id, seq"
        ):
            logs[match].append(tuple(line))
        before, self.matches = (
            self.matches,
            {
                row[0]: Stored(*row[:3], bool(row[3]), bool(row[4]), tuple(logs[row[0]]))
                for row in self.ask("select id, channel_id, status, closed, counts from matches")
            },
        )
        for match_id, was in before.items():
            now = self.matches[match_id]
            assert now.lines[: len(was.lines)] == was.lines, f"match {match_id}: lines are lost"
            assert was.status in {"open", now.status}, "a match ends once"
        doubled = self.ask(
            "select source_id from actions where source_id is not null and kind like 'rox.%'"
            " group by source_id having count(*) > 1"
        )
        assert doubled == [], "a message is counted twice"

    def newest(self, channel: int) -> Stored | None:
        """The newest match of a channel."""
        return max(
            (m for m in self.matches.values() if m.channel == channel),
            key=lambda m: m.id,
            default=None,
        )


def where(match: Match[RoxGame]) -> str:
    """The phase of a match in one word."""
    if match.phase is Phase.PLAYING and match.game is not None:
        return match.game.stage.value
    return match.phase.value


def is_last_round(match: Match[RoxGame]) -> bool:
    return match.game is not None and match.game.round == ROUNDS


def replayed(stored: Stored) -> Match[RoxGame]:
    return MACHINE.replay(stored.actions).match


def check_seen(stored: Stored, seen: Iterable[Seen]) -> int:
    """Whatever was shown is a state that the rows lead to; return how many claims were shown."""
    tables: set[tuple[int, frozenset[int]]] = set()
    taken: set[tuple[int, str, int]] = set()
    opening, *rest = stored.actions
    match = MACHINE.start(opening)
    for action in rest:
        step = MACHINE.apply(match, action)
        match = step.match
        if match.game is None:
            continue
        for event in step.events:
            if isinstance(event, Claimed) and event.outcome is ClaimOutcome.TAKEN:
                name = match.seats[event.seat].name
                taken.add((match.game.round, name, event.number))
        owner = match.game.owner
        free = frozenset(number_of(index) for index in range(60) if owner[index] is None)
        tables.add((match.game.round, free))
    told: set[tuple[int, str, int]] = set()
    for look in seen:
        assert (look.round, look.free) in tables, f"match {stored.id}: {look} is not in the rows"
        told |= {(look.round, *claim) for claim in look.claims}
    assert told <= taken, f"match {stored.id}: {told - taken} was answered and is not in the rows"
    return len(told)


def check_log(stored: Stored) -> Match[RoxGame]:
    """Play a log again and check at every step what must hold of every match."""
    opening, *rest = stored.actions
    match = MACHINE.start(opening)
    for action in rest:
        match = watched(MACHINE, match, action).match
    return match


def outcomes(actions: Iterable[Action]) -> list[Claimed]:
    """What became of every claim."""
    opening, *rest = actions
    match, found = MACHINE.start(opening), []
    for action in rest:
        step = MACHINE.apply(match, action)
        match = step.match
        found += [event for event in step.events if isinstance(event, Claimed)]
    return found


def by_their_ids(stored: Stored, messages: Mapping[int, Message]) -> list[Action]:
    """The log as it must be: everything typed in the channel, put in where its id belongs.

    Nothing is known here of when the bot was there: the rules alone say what is too early or too
    late, by the ids of the posts and of the deadlines.
    """
    typed = [
        action
        for message in sorted(messages.values(), key=lambda m: m.id)
        if message.id > stored.actions[0].id
        and (action := READ(message.content, message.author_id, message.id)) is not None
    ]
    others = [a for a in stored.actions if not (_is_typed(a) and a.id in messages)]
    merged: list[Action] = []
    for action in others:
        while typed and typed[0].id < action.id:
            merged.append(typed.pop(0))
        merged.append(action)
    return merged + typed


def _is_typed(action: Action) -> bool:
    return isinstance(action, Claim | Back) and action.typed


def check_by_ids(stored: Stored, messages: Mapping[int, Message]) -> int:
    """Nothing typed is lost or doubled; return how many typed claims were decided."""
    expected = outcomes(by_their_ids(stored, messages))
    found = outcomes(stored.actions)
    assert found == expected, f"match {stored.id}: {_difference(found, expected, stored)}"
    return sum(claimed.typed for claimed in found)


def _difference(found: list[Claimed], expected: list[Claimed], stored: Stored) -> str:
    at = next(
        (i for i, pair in enumerate(zip(found, expected, strict=False)) if pair[0] != pair[1]),
        min(len(found), len(expected)),
    )
    ids = [c.id for c in (*found[at : at + 1], *expected[at : at + 1])]
    near = [
        (ms_of(a.id), a)
        for a in stored.actions
        if not a.by_chance and any(abs(ms_of(a.id) - ms_of(i)) < 8_000 for i in ids)
    ]
    lines = "\n".join(f"{ms} {action}" for ms, action in near)
    return f"{found[at : at + 2]} instead of {expected[at : at + 2]}\n{lines}"


def check_standings(rows: Rows, board: str) -> None:
    """The standings are what the stored results add up to, each match counted once.

    Args:
        rows: the database.
        board: the answer to `/rox leaderboard`.
    """
    expected: dict[int, Counter[str]] = defaultdict(Counter)
    for match_id, user, among, points, figures in rows.ask(
        "select match_id, user_id, place_among_people, points, figures from match_seats"
    ):
        if rows.matches[match_id].counts and user is not None:
            counted = json.loads(figures)
            expected[user].update(
                matches=1,
                wins=int(among == 1),
                points=points,
                places_sum=among,
                cards=counted["cards"],
                right=counted["right"],
            )
    columns = ("matches", "wins", "points", "places_sum", "cards", "right")
    found = {
        user: dict(zip(columns, (*sums, *map(json.loads(figures).get, columns[4:])), strict=True))
        for user, *sums, figures in rows.ask(
            "select user_id, matches, wins, points, places_sum, figures from standings"
        )
    }
    assert found == {user: {c: figures[c] for c in columns} for user, figures in expected.items()}
    best = sorted(((f["wins"], f["points"], f["matches"]) for f in expected.values()), reverse=True)
    told = re.findall(r"(\d+) wins?\b.*?(\d+) points?\b.*?(\d+) match", board)
    assert [tuple(map(int, line))[:2] for line in told] == [b[:2] for b in best[:10]], board
    assert sorted(tuple(map(int, line)) for line in told) == sorted(best[:10]), board


def all_announced(rows: Rows, ring: Ring) -> bool:
    """Whether every result is in the channel, once."""
    here = [stored for stored in rows.matches.values() if stored.channel == ring.channel]
    podiums = sum(a["filename"] == "podium.png" for m in ring.own_messages() for a in m.attachments)
    return podiums == sum(stored.status == "finished" for stored in here)


def check_posts(rows: Rows, ring: Ring, ahead: int) -> None:
    """Every result, table and check was shown once, and no get-ready post stays.

    Args:
        rows: the database.
        ring: the channel.
        ahead: how many matches, the first ones, were shown from their last round on.
    """
    assert all_announced(rows, ring)
    for stored in rows.matches.values():
        if stored.channel != ring.channel:
            continue
        game = replayed(stored).game
        checked = len(game.scores) if game else 0
        raced = checked + (game is not None and game.stage is Stage.RACE)
        shown = Counter(
            attachment["filename"]
            for message in ring.own_messages()
            if _mark_of(message) == stored.id
            for attachment in message.attachments
        )
        assert shown["covered.png"] == 0, (stored.id, shown)
        if stored.id <= ahead:
            assert shown["table.png"] <= 1, (stored.id, shown)
            assert shown["check.png"] <= 1, (stored.id, shown)
            continue
        assert shown["table.png"] == raced, (stored.id, raced, shown)
        assert shown["check.png"] == checked, (stored.id, checked, shown)


def _mark_of(message: Message) -> int | None:
    """The match that a message shows, with or without buttons."""
    marks = (match_of_component(component.get("id")) for component in message.components)
    return next((match for match in marks if match is not None), None)


def check_results(rows: Rows) -> None:
    """Every stored result is the one that the log leads to."""
    seats = defaultdict(list)
    for match_id, *seat in rows.ask(
        "select match_id, number, place, points from match_seats order by match_id, number"
    ):
        seats[match_id].append(tuple(seat))
    for stored in rows.matches.values():
        match = replayed(stored)
        assert (match.end is None) == (stored.status == "open")
        places = match.result.places if match.result else ()
        expected = sorted((p.seat.number, p.place, p.points) for p in places)
        assert seats[stored.id] == expected, f"match {stored.id}"
