"""The messages of a match of Rox, from the lobby to the final places."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final, cast

from bot.games import shared_sheets
from bot.games.names import escaped, seat_name, seat_names
from bot.games.rox import pictures, wording
from bot.games.rox.checks import row_line
from bot.games.sheet import (
    GOLD,
    GREY,
    RED,
    Block,
    Button,
    Buttons,
    Sheet,
    Text,
    Verb,
    relative_time,
)
from game.match import PAUSE_KEY, End, Phase
from game.rox.engine import ROX, read_settings
from game.rox.prizes import FULL_ROW, ROUNDS
from game.rox.state import BREAK_MS, READY_MS, RoxGame, Stage, number_of, table_key

if TYPE_CHECKING:
    from bot.games.plug import MatchView
    from game.match import Match, Place, Result

_SHOWN_CLAIMS: Final = 4


def sheet(view: MatchView) -> Sheet | None:
    """Return the message that shows the match now, or None before the cards are dealt."""
    match = cast("Match[RoxGame]", view.match)
    if match.phase is Phase.LOBBY or (match.game is None and match.end is not None):
        return _lobby(view)
    if match.game is None:
        return None
    if match.end is not None:
        if match.result is None:
            return shared_sheets.void_sheet(view)
        return _final(view, match, match.game, match.result)
    if match.phase is Phase.PAUSED:
        return shared_sheets.pause_sheet(view, wording.pause_reason(view.words))
    match match.game.stage:
        case Stage.READY:
            return _ready(view, match, match.game)
        case Stage.OPENING | Stage.RACE:
            return _table(view, match, match.game)
        case Stage.CHECK | Stage.BREAK:
            return _check(view, match, match.game)


def stays(key: str) -> bool:
    """Return whether an earlier message stays; pauses and get-ready messages do not."""
    return key != PAUSE_KEY and not key.startswith("ready-")


def final_form(view: MatchView, key: str, last: Sheet | None) -> Sheet | None:
    """Return the final form of an earlier message, or None if it is deleted or unknown."""
    match = cast("Match[RoxGame]", view.match)
    if not stays(key):
        return None
    if key == shared_sheets.LOBBY_KEY:
        return _lobby(view)
    game = match.game
    if game is not None and key == table_key(game.round):
        return _table(view, match, game).without_buttons()
    if game is not None and key == f"check-{game.round}":
        return _check(view, match, game).without_buttons()
    return None if last is None else last.without_buttons()


def private_sheet(view: MatchView, user: int) -> Sheet | None:
    """Return a large picture of a player's last card, or None if no race is open."""
    match = cast("Match[RoxGame]", view.match)
    game, seat, words = match.game, match.seat_of(user), view.words
    if game is None or seat is None or match.phase is not Phase.PLAYING:
        return None
    held, card = game.hands[seat.number].row, game.last_card(seat.number)
    if game.stage is not Stage.RACE or card is None:
        return None
    number = number_of(held[-1].index)
    text = words.text(
        "Your last card is {number}; {held} in your row.", number=number, held=len(held)
    )
    picture = pictures.one_card(view, card)
    return Sheet(f"own-{game.round}-{held[-1].id}", GOLD, (Text(text), picture))


def _lobby(view: MatchView) -> Sheet:
    words = view.words
    settings = read_settings(view.match.opening.settings)
    facts = (
        wording.play_text(view),
        wording.preset_text(settings.preset, words),
        wording.checking_text(settings.checking, words),
        wording.shortest_text(settings, words),
    )
    title = words.text("Rox: who plays?")
    return shared_sheets.lobby_sheet(view, title, facts, ROX.rules.max_seats)


def _heading(view: MatchView, game: RoxGame) -> str:
    words = view.words
    title = words.text("Round {number} of {rounds}", number=game.round, rounds=ROUNDS)
    prizes = " · ".join(f"**{prize}**" for prize in game.prizes)
    return f"### {title}\n{words.text('Prizes: {prizes}', prizes=prizes)}"


def _ready(view: MatchView, match: Match[RoxGame], game: RoxGame) -> Sheet:
    words = view.words
    lines = [
        _heading(view, game),
        words.text(
            "Get ready: the table opens {when}. {how}",
            when=relative_time(match.expected_discord_ms(game.since + READY_MS)),
            how=wording.play_text(view),
        ),
    ]
    if game.round == 1 and match.opening.left_out:
        names = words.listed([escaped(name) for name in match.opening.left_out])
        lines.append(words.text("Not along this time, seated elsewhere: {names}", names=names))
    blocks: list[Block] = [Text("\n".join(lines))]
    if game.scores:
        blocks.append(Text(_points_line(view, match, game)))
    blocks.append(Buttons((Button(Verb.LEAVE, words.text("Leave")),)))
    blocks.append(pictures.covered(view))
    return Sheet(f"ready-{game.round}", GREY, tuple(blocks))


def _table(view: MatchView, match: Match[RoxGame], game: RoxGame) -> Sheet:
    words = view.words
    rows = " · ".join(f"{seat_name(s)} {len(game.hands[s.number].row)}" for s in match.active_seats)
    title = words.text("**Rox!** First to {full} cards ends the round.", full=FULL_ROW)
    claims = [
        wording.claim_line(view, note) for note in reversed(game.recent_claims[-_SHOWN_CLAIMS:])
    ]
    lines = [f"{_heading(view, game)}\n{title}", rows]
    last = " · ".join(claims) if claims else words.text("No card taken yet.")
    lines.append(f"-# {last}")
    stop = shared_sheets.stop_line(view)
    if stop is not None:
        lines.append(stop)
    buttons = (
        Button(wording.Verb.BACK, words.text("Put back")),
        Button(Verb.MY_CARD, words.text("My card")),
        Button(Verb.LEAVE, words.text("Leave")),
    )
    blocks = (
        Text("\n".join(lines)),
        Buttons(buttons),
        pictures.table(view, game),
        pictures.last_cards(view, match, game),
    )
    return Sheet(table_key(game.round), GOLD, blocks, silent=False, keep_in_view=True)


def _check(view: MatchView, match: Match[RoxGame], game: RoxGame) -> Sheet:
    words = view.words
    if game.caller is not None:
        title = words.text(
            "Round {number}: {who} calls **Rox!**",
            number=game.round,
            who=seat_name(match.seats[game.caller]),
        )
    else:
        title = words.text("Round {number} is over without a sixth card.", number=game.round)
    lines = [f"### {title}"]
    shown_rows = game.checked if game.reveal else game.checked[:1]
    lines += [row_line(view, match, game, row) for row in shown_rows]
    stop = shared_sheets.stop_line(view)
    blocks: list[Block] = [Text("\n".join(lines))]
    if game.stage is Stage.BREAK:
        waiting = words.text(
            "The next round begins {when}, or when everybody is ready ({ready} of {people}).",
            when=relative_time(match.expected_discord_ms(game.since + BREAK_MS)),
            ready=len(game.ready & set(match.people)),
            people=len(match.people),
        )
        blocks.append(Text(_points_line(view, match, game)))
        blocks.append(Text(waiting, temporary=True))
        blocks.append(
            Buttons(
                (
                    Button(wording.Verb.READY, words.text("Ready"), "success"),
                    Button(Verb.LEAVE, words.text("Leave")),
                )
            )
        )
    if stop is not None:
        blocks.append(Text(stop, temporary=True))
    blocks.append(pictures.check(view, match, game))
    return Sheet(f"check-{game.round}", RED, tuple(blocks))


def _points_line(view: MatchView, match: Match[RoxGame], game: RoxGame) -> str:
    ranked = sorted(match.active_seats, key=lambda seat: -game.points(seat.number))
    points = " · ".join(f"{seat_name(seat)} {game.points(seat.number)}" for seat in ranked)
    return view.words.text("Standing: {points}", points=points)


def _final(view: MatchView, match: Match[RoxGame], game: RoxGame, result: Result) -> Sheet:
    words = view.words
    winners = result.winners
    if len(winners) == 1:
        title = words.text("{who} wins!", who=seat_name(winners[0]))
    else:
        title = words.text("{who} share the win!", who=seat_names(winners, words))
    lines = [f"## 🏆 {title}"]
    if match.end is End.WON_BY_LEAVING:
        lines.append(words.text("Everybody else has left."))
    lines += [_place_line(view, game, place) for place in result.places]
    if not result.counts:
        lines.append(words.text("-# Played by one person alone: not on the leaderboard."))
    blocks: list[Block] = [Text("\n".join(lines))]
    if match.phase is Phase.OVER:
        if match.rematch_votes:
            asking = [
                seat_name(seat) for seat in match.active_seats if seat.user in match.rematch_votes
            ]
            blocks.append(Text(words.text("Ready for a rematch: {who}", who=words.listed(asking))))
        if len(match.active_seats) >= ROX.rules.min_seats:
            blocks.append(Buttons((Button(Verb.REMATCH, words.text("Rematch"), "success"),)))
    blocks.append(pictures.podium(view, game, result))
    return Sheet("final", GOLD, tuple(blocks))


def _place_line(view: MatchView, game: RoxGame, place: Place) -> str:
    words, number = view.words, place.seat.number
    rounds = " + ".join(str(score[number] or 0) for score in game.scores)
    points = words.count("{n} point", "{n} points", place.points)
    left = " · " + words.text("left") if place.seat.out is not None else ""
    # The place is bold: Discord would renumber lines that begin with plain numbers as 1, 2, 3.
    return f"**{place.place}.** {seat_name(place.seat)} **{points}** ({rounds}){left}"
