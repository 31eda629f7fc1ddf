"""How soon a bot tries to reach Discord again."""

import discord.client

from bot.app.reconnecting import LONGEST_S, ShortBackoff, reconnect_soon


def test_no_wait_is_longer_than_half_a_minute_and_no_two_are_alike():
    backoff = ShortBackoff()
    waits = [backoff.delay() for _ in range(200)]
    assert max(waits[:3]) <= 8
    assert max(waits) <= LONGEST_S
    assert len(set(waits)) == len(waits)


def test_it_takes_the_place_of_the_one_that_the_library_connects_with(monkeypatch):
    monkeypatch.setattr(discord.client, "ExponentialBackoff", discord.client.ExponentialBackoff)
    reconnect_soon()
    assert "ExponentialBackoff" in discord.client.Client.connect.__code__.co_names
    assert discord.client.ExponentialBackoff is ShortBackoff
