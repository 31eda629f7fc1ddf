"""The pictures of a match of Rox, with their alt texts.

Players can play by the alt texts alone. These list the symbols of a card's edge in ring order
instead of their counts, because counting them is what the game is about.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from bot.games.names import alt_name
from bot.games.rox.wording import element_name
from bot.games.sheet import Picture
from bot.pictures.rox.scenes import (
    CardScene,
    CheckScene,
    CheckSceneRow,
    CoveredScene,
    HowToScene,
    LastCardsHand,
    LastCardsScene,
    PodiumScene,
    PodiumSeat,
    TableScene,
)
from game.rox.cards import Element
from game.rox.prizes import valid_length
from game.rox.state import PLACES, number_of

if TYPE_CHECKING:
    from bot.games.plug import MatchView
    from bot.locales.catalogue import Words
    from game.match import Match, Result
    from game.rox.cards import Card
    from game.rox.state import RoxGame

MAX_ALT_LENGTH: Final = 1024


def how_to(words: Words) -> Picture:
    """Return the picture that explains how to play."""
    alt = words.text(
        "A card, its sixteen symbols counted, and a card whose stone is the most frequent one."
    )
    return Picture("how-to.png", HowToScene(), alt)


def covered(view: MatchView) -> Picture:
    """Return the table face down."""
    alt = view.words.text("The table, face down: numbers 10 to 69 in six rows of ten.")
    return Picture("covered.png", CoveredScene(), alt)


def table(view: MatchView, game: RoxGame) -> Picture:
    """Return the open table; its alt text lists the free numbers by their stone."""
    words = view.words
    free: dict[Element, list[str]] = {element: [] for element in Element}
    for index in range(PLACES):
        if game.owner[index] is None:
            free[game.card_at(index).centre].append(str(number_of(index)))
    lines = [
        f"{element_name(element, words)}: {' '.join(numbers) or '–'}"
        for element, numbers in free.items()
    ]
    alt = words.text("Free cards by their stone.") + "\n" + "\n".join(lines)
    scene = TableScene(cards=game.deal.places[game.round - 1], taken=game.owner)
    return Picture("table.png", scene, alt[:MAX_ALT_LENGTH])


def last_cards(view: MatchView, match: Match[RoxGame], game: RoxGame) -> Picture:
    """Return the last card of every player; the alt text lists each edge in ring order."""
    words = view.words
    hands: list[LastCardsHand] = []
    lines: list[str] = []
    for seat in match.seats:
        card = game.last_card(seat.number)
        held = len(game.hands[seat.number].row)
        hands.append(LastCardsHand(seat.number, card.id if card else None, held))
        if card is not None:
            lines.append(
                words.text(
                    "{name}, {stone}; around it: {edge}",
                    name=alt_name(seat),
                    stone=element_name(card.centre, words),
                    edge=" ".join(element_name(symbol, words) for symbol in card.edge),
                )
            )
    alt = words.text("Last cards.") + "\n" + "\n".join(lines)
    return Picture("last-cards.png", LastCardsScene(tuple(hands)), alt[:MAX_ALT_LENGTH])


def one_card(view: MatchView, card: Card) -> Picture:
    """Return a single card; the alt text lists its edge in ring order."""
    words = view.words
    alt = words.text(
        "{stone}; around it: {edge}",
        stone=element_name(card.centre, words),
        edge=" ".join(element_name(symbol, words) for symbol in card.edge),
    )
    return Picture("my-card.png", CardScene(card.id), alt)


def check(view: MatchView, match: Match[RoxGame], game: RoxGame) -> Picture:
    """Return the check, with the rows that are not revealed yet face down."""
    words = view.words
    rows: list[CheckSceneRow] = []
    lines: list[str] = []
    for place, row in enumerate(game.checked):
        cards = game.row_of(row.seat)
        revealed = game.reveal > 0 or place == 0
        prize = game.scores[-1][row.seat] if game.reveal > 1 else None
        rows.append(
            CheckSceneRow(
                seat=row.seat,
                cards=tuple(card.id for card in cards),
                valid=row.valid,
                caller=row.seat == game.caller,
                prize=prize or None,
                revealed=revealed,
            )
        )
        if revealed:
            stones = " ".join(element_name(card.centre, words) for card in cards)
            answers = " ".join(element_name(card.answer, words) for card in cards)
            lines.append(
                words.text(
                    "{name}: stones {stones}; the eye shows {answers}; {valid} hold",
                    name=alt_name(match.seats[row.seat]),
                    stones=stones,
                    answers=answers,
                    valid=valid_length(cards),
                )
            )
    alt = words.text("The rows under the magic eye.") + "\n" + "\n".join(lines)
    return Picture("check.png", CheckScene(tuple(rows)), alt[:MAX_ALT_LENGTH])


def podium(view: MatchView, game: RoxGame, result: Result) -> Picture:
    """Return the final places with the points of each round."""
    words = view.words
    seats: list[PodiumSeat] = []
    lines: list[str] = []
    for place in result.places:
        number = place.seat.number
        rounds = tuple(score[number] for score in game.scores)
        seats.append(
            PodiumSeat(number, place.place, rounds, place.points, out=place.seat.out is not None)
        )
        lines.append(
            words.text(
                "{place}. {name}: {points} points",
                place=place.place,
                name=alt_name(place.seat),
                points=place.points,
            )
        )
    alt = words.text("The final places.") + "\n" + "\n".join(lines)
    return Picture("podium.png", PodiumScene(tuple(seats)), alt[:MAX_ALT_LENGTH])
