"""What is read of a channel's history, over real HTTP."""

import logging

from bot.channel.lookup import DiscordChannels
from bot.matches.ports import Venue


async def test_of_very_many_messages_the_oldest_are_read_and_the_log_says_so(
    loopback, bot, ada, caplog
):
    """Claims count up to the old deadline, so it is the newest that can be done without."""
    caplog.set_level(logging.WARNING)
    typed = [ada.say(f"line {number}").id for number in range(1_020)]
    venue = Venue(loopback.guild.id, ada.channel_id)
    channels = DiscordChannels(bot)
    found = [entry async for entry in channels.history(venue, typed[0] - 1)]
    assert [entry.id for entry in found] == typed[:1_000]
    assert caplog.text.count("is read only in part") == 1
    rest = [entry async for entry in channels.history(venue, typed[999])]
    assert [entry.id for entry in rest] == typed[1_000:]
    assert caplog.text.count("is read only in part") == 1
