"""A toy game, whole in one module: the first to type the number that a message names scores."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import ClassVar

from bot.games import shared_actions, shared_sheets
from bot.games.choices import Choice, PlayOption
from bot.games.names import escaped
from bot.games.plug import Field, Form, GameCommand, NumberOption
from bot.games.sheet import Button, Buttons, Sheet, Text, Verb
from game.actions import Action, entry
from game.events import Event, Refusal, Refused
from game.figures import Aggregation
from game.ids import chance_id
from game.machine import Machine
from game.match import GameStep, Level, Phase, Transition, rank_seats
from game.numbers import digits_of, trimmed, undecorated

NUMBER = NumberOption("number", "The number.", 10, 69)


@dataclass(frozen=True, slots=True)
class ToySettings:
    goal: int = 3


@entry("toy.deal")
@dataclass(frozen=True, slots=True)
class Deal(Action):
    numbers: tuple[int, ...]
    by_chance: ClassVar[bool] = True


@entry("toy.claim")
@dataclass(frozen=True, slots=True)
class Claim(Action):
    user: int
    number: int
    is_move: ClassVar[bool] = True


class Scored(Event):
    """Somebody scored."""


@dataclass(frozen=True, slots=True)
class Game:
    goal: int
    numbers: tuple[int, ...]
    points: tuple[int, ...]
    open: bool = False

    number = property(lambda self: self.numbers[sum(self.points)])
    key = property(lambda self: f"number-{sum(self.points)}")


class ToyRules:
    name, version, min_seats, max_seats = "toy", 1, 2, 5
    figures: ClassVar = {"points": Aggregation.SUM, "best": Aggregation.MAX}

    def draw_random(self, match, random):
        numbers = tuple(10 + int(random.random() * 60) for _ in range(100))
        return None if match.game else Deal(chance_id(match.last_ms), numbers)

    def begin(self, match, deal, now):
        return GameStep(Game(match.opening.settings["goal"], deal.numbers, (0,) * len(match.seats)))

    def apply(self, match, game, action, now):
        seat = match.seat_of(action.user)
        if action.number != game.number:
            return GameStep(game, (Refused(action.user, Refusal.RACE_CLOSED),))
        points = tuple(p + (n == seat.number) for n, p in enumerate(game.points))
        transition = Transition.FINISH if max(points) == game.goal else Transition.CONTINUE
        return GameStep(replace(game, points=points, open=False), (Scored(),), transition)

    def apply_post(self, match, game, post, now):
        return GameStep(replace(game, open=True) if post.key == game.key else game)

    def leave(self, match, game, *_):
        return GameStep(game)

    apply_deadline = resume = leave

    def deadline(self, game):
        return None

    def next_moves(self, match, game):
        return ()

    def awaits_post(self, game):
        return not game.open

    def has_checked(self, game):
        return any(game.points)

    def is_final(self, game):
        return max(game.points) == game.goal

    def result(self, match, game):
        figures = {seat: {"points": p, "best": p} for seat, p in enumerate(game.points)}
        return rank_seats(match, dict(enumerate(game.points)), figures)


class ToyPlug:
    """The toy game, as `bot.games.plug.GamePlug` describes it."""

    title, description = "Toy", "A game to try things with."
    levels, default_level, settings_type = (), Level.JOURNEYMAN, ToySettings
    machine = Machine(ToyRules())
    pictures = None
    choices = (
        Choice(
            "goal",
            lambda words: words.text("**Goal**: how many points win."),
            lambda words: tuple((str(n), str(n)) for n in range(1, 6)),
            lambda toy: str(toy.goal),
            lambda toy, value: replace(toy, goal=int(value)),
            PlayOption("goal", "How many points win."),
            in_lobby=True,
        ),
    )
    commands = (
        GameCommand("say", "Say it.", lambda p, v: Claim(p.id, p.user, v["number"]), (NUMBER,)),
    )

    def read_settings(self, plain):
        return ToySettings(**plain)

    def read(self, text, user, message):
        digits = digits_of(undecorated(trimmed(text)))
        return Claim(message, user, int("".join(map(str, digits)))) if digits else None

    def stays(self, key):
        return not key.startswith("number-")

    def ends_round(self, events):
        return Scored() in events

    begins_round = ends_round

    def press(self, view, press):
        if press.verb == "answer":
            return Form("Your answer", (Field("number", "Which number?", max_length=2),))
        return shared_actions.press(view, press, "Leave the toy?")

    def submit(self, view, press, values):
        number = values["number"]
        return Claim(press.id, press.user, int(number)) if number.isdigit() else "Digits, please."

    def sheet(self, view):
        match, game = view.match, view.match.game
        if match.phase is Phase.LOBBY or (game is None and match.end is not None):
            settings = self.read_settings(match.opening.settings)
            selects = shared_sheets.lobby_selects(self.choices, settings, view.words)
            return shared_sheets.lobby_sheet(view, "Toy: who plays?", ("Type!",), 5, selects)
        if match.end is not None and match.result is None:
            return shared_sheets.void_sheet(view)
        if game is None:
            return None
        points = ", ".join(f"{escaped(s.name)} {game.points[s.number]}" for s in match.seats)
        if match.result is not None:
            again = Buttons((Button(Verb.REMATCH, "Rematch"),))
            sheet = Sheet("final", 0, (Text(f"The end: {points}"), again))
            return sheet if match.phase is Phase.OVER else sheet.without_buttons()
        buttons = Buttons((Button("answer", "Answer"), Button(Verb.LEAVE, "Leave")))
        return Sheet(game.key, 0, (Text(f"Type {game.number}. {points}"), buttons), silent=False)

    def final_form(self, view, key, last):
        return last.without_buttons() if last is not None and self.stays(key) else None

    def decided_messages(self, events):
        return []

    def answer(self, view, events, user):
        return "A point!" if Scored() in events else shared_actions.answer(view, events, user)

    def stats_lines(self, figures, words):
        return [f"Points in all: {figures['points']}"]

    def board_facts(self, figures, words):
        return [f"best {figures['best']}"]

    def rules_text(self, settings, words):
        return f"The first with {settings.goal} points wins."

    def how_to(self, *_):
        return None

    private_sheet = how_to
