"""Rox's figures of a player as text: the share of right cards and the fastest full row."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Mapping

    from bot.locales.catalogue import Words


def stats_lines(figures: Mapping[str, int], words: Words) -> list[str]:
    """Return the figures for a player's statistics; missing ones get a line, too."""
    share, seconds = _right_share(figures), _fastest(figures, words)
    return [
        words.text("Right cards: none checked yet")
        if share is None
        else words.text("Right cards: {share} %", share=share),
        words.text("No full row that held yet")
        if seconds is None
        else words.text("Fastest full row: {seconds} s", seconds=seconds),
    ]


def board_facts(figures: Mapping[str, int], words: Words) -> list[str]:
    """Return the figures for a line of the leaderboard, without missing ones."""
    share, seconds = _right_share(figures), _fastest(figures, words)
    facts = [] if share is None else [words.text("{share} % right", share=share)]
    if seconds is not None:
        facts.append(words.text("fastest row {seconds} s", seconds=seconds))
    return facts


def _right_share(figures: Mapping[str, int]) -> int | None:
    """Return the share of checked cards that held, in percent."""
    cards = figures.get("cards", 0)
    return round(figures["right"] / cards * 100) if cards else None


def _fastest(figures: Mapping[str, int], words: Words) -> str | None:
    fastest = figures.get("fastest_ms")
    return None if fastest is None else words.number(round(fastest / 1000, 1))
