"""How soon a bot tries to reach Discord again."""

import discord.client

from bot.app.library_settings import MAX_RECONNECT_DELAY_S, CappedBackoff, cap_reconnect_delay


def test_no_wait_is_longer_than_half_a_minute_and_no_two_are_alike():
    backoff = CappedBackoff()
    waits = [backoff.delay() for _ in range(200)]
    assert max(waits[:3]) <= 8
    assert max(waits) <= MAX_RECONNECT_DELAY_S
    assert len(set(waits)) == len(waits)


def test_it_takes_the_place_of_the_one_that_the_library_connects_with(monkeypatch):
    monkeypatch.setattr(discord.client, "ExponentialBackoff", discord.client.ExponentialBackoff)
    cap_reconnect_delay()
    assert "ExponentialBackoff" in discord.client.Client.connect.__code__.co_names
    assert discord.client.ExponentialBackoff is CappedBackoff
