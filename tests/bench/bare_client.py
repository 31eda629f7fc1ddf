"""A client of discord.py that does nothing with what it hears, to compare the bot with.

It takes the same addresses from the environment as the bot, and subscribes to the same events.
"""

import os

import discord
from discord.gateway import DiscordWebSocket
from discord.http import Route
from yarl import URL


class BareClient(discord.Client):
    async def on_message(self, message):
        """Nothing: parsing and dispatching the event is all that it costs."""


def main():
    Route.BASE = os.environ["ROX_DISCORD_API_URL"]
    DiscordWebSocket.DEFAULT_GATEWAY = URL(os.environ["ROX_DISCORD_GATEWAY_URL"])
    client = BareClient(
        intents=discord.Intents(guilds=True, guild_messages=True, message_content=True),
        member_cache_flags=discord.MemberCacheFlags.none(),
        chunk_guilds_at_startup=False,
        max_messages=None,
    )
    client.run(os.environ["DISCORD_TOKEN"], log_handler=None)


if __name__ == "__main__":
    main()
