"""A small bot that uses every part of Discord's API that the real one needs."""

import asyncio
import contextlib
import io

import discord
from discord import app_commands
from discord.gateway import DiscordWebSocket
from discord.http import Route
from PIL import Image
from yarl import URL


def picture(name, colour, size=(120, 90)):
    buffer = io.BytesIO()
    Image.new("RGB", size, colour).save(buffer, "PNG")
    buffer.seek(0)
    return discord.File(buffer, f"{name}.png", description=f"a {colour} {name}")


def point_at(monkeypatch, loopback):
    """What an application does with the two addresses before it builds its client."""
    monkeypatch.setattr(Route, "BASE", loopback.api_url)
    monkeypatch.setattr(DiscordWebSocket, "DEFAULT_GATEWAY", URL(loopback.gateway_url))


@contextlib.asynccontextmanager
async def running(bot, token):
    """The bot, connected and ready; whatever ends it early is raised at the end."""
    task = asyncio.create_task(bot.start(token))
    waiting = asyncio.create_task(bot.ready.wait())
    await asyncio.wait((task, waiting), return_when=asyncio.FIRST_COMPLETED, timeout=20)
    waiting.cancel()
    try:
        if task.done():
            task.result()
        yield bot
    finally:
        await bot.close()
        await task


class NameForm(discord.ui.Modal, title="Name the table"):
    name = discord.ui.TextInput(label="Name", min_length=2, max_length=20)
    kind = discord.ui.Label(
        text="Kind",
        description="what it is made of",
        component=discord.ui.Select(
            options=[
                discord.SelectOption(label=kind, value=kind.lower()) for kind in ("Oak", "Elm")
            ]
        ),
    )

    async def on_submit(self, interaction):
        await interaction.response.send_message(
            f"Named {self.name.value}, of {self.kind.component.values[0]}", ephemeral=True
        )


class TableView(discord.ui.LayoutView):
    """Two galleries, text, and buttons, like the message the real bot posts."""

    def __init__(self, turns=0):
        super().__init__(timeout=None)
        self.turns = turns
        container = discord.ui.Container(accent_colour=0xE8B75A)
        container.add_item(discord.ui.TextDisplay(f"## Round 2\nTurned **{turns}** times"))
        container.add_item(discord.ui.Separator())
        for name, alt in (("table", "the table"), ("cards", "the cards")):
            media = discord.MediaGalleryItem(f"attachment://{name}.png", description=alt)
            container.add_item(discord.ui.MediaGallery(media))
        row = discord.ui.ActionRow()
        for label, style in (("Turn", "primary"), ("Name it", "secondary")):
            button = discord.ui.Button(
                label=label, style=discord.ButtonStyle[style], custom_id=label.lower()
            )
            button.callback = getattr(self, label.lower().replace(" ", "_"))
            row.add_item(button)
        row.add_item(discord.ui.Button(label="Never", disabled=True, custom_id="never"))
        container.add_item(row)
        menu = discord.ui.Select(
            custom_id="pick",
            placeholder="Pick a stone",
            options=[discord.SelectOption(label=stone) for stone in ("Fire", "Water")],
        )
        menu.callback = self.pick
        container.add_item(discord.ui.ActionRow(menu))
        self.add_item(container)

    async def turn(self, interaction):
        await interaction.response.defer()
        turns = self.turns + 1
        kept = [a for a in interaction.message.attachments if a.filename == "cards.png"]
        await interaction.edit_original_response(
            view=TableView(turns), attachments=[picture("table", "green"), *kept]
        )
        await interaction.followup.send(f"You turned it ({turns})", ephemeral=True)

    async def name_it(self, interaction):
        await interaction.response.send_modal(NameForm())

    async def pick(self, interaction):
        stone = interaction.data["values"][0]
        await interaction.response.send_message(f"You picked {stone}", ephemeral=True)


class SettingsView(discord.ui.LayoutView):
    def __init__(self):
        super().__init__(timeout=None)
        self.add_item(discord.ui.TextDisplay("Where shall I play?"))
        menu = discord.ui.ChannelSelect(
            custom_id="where", channel_types=[discord.ChannelType.text], placeholder="A channel"
        )
        menu.callback = self.chosen
        self.add_item(discord.ui.ActionRow(menu))

    async def chosen(self, interaction):
        channel = interaction.data["values"][0]
        view = discord.ui.LayoutView()
        view.add_item(discord.ui.TextDisplay(f"I play in <#{channel}>"))
        await interaction.response.edit_message(view=view)


class ToyBot(discord.Client):
    def __init__(self, **options):
        intents = discord.Intents(guilds=True, guild_messages=True, message_content=True)
        options.setdefault("guild_ready_timeout", 0.1)
        super().__init__(intents=intents, **options)
        self.prepare()

    def prepare(self):
        self.ready = asyncio.Event()
        self.resumed = asyncio.Event()
        self.heard = []
        self.nonces = []
        self.tree = app_commands.CommandTree(self)
        add_commands(self.tree)

    async def setup_hook(self):
        await self.tree.sync()

    async def before_identify_hook(self, shard_id, *, initial=False):
        """No pause of five seconds before identifying again."""

    async def on_ready(self):
        self.ready.set()

    async def on_resumed(self):
        self.resumed.set()

    async def on_message(self, message):
        self.nonces.append(message.nonce)
        if message.author.bot:
            return
        self.heard.append(message.content)
        if message.content == "hello":
            await message.add_reaction("👋")


class ShardedToyBot(ToyBot, discord.AutoShardedClient):
    """The same with one connection for each shard."""


async def stones(_interaction, current):
    names = ("fire", "air", "earth", "water", "magic")
    return [app_commands.Choice(name=n.title(), value=n) for n in names if current.lower() in n]


def add_commands(tree):
    toy = app_commands.Group(name="toy", description="Toys")

    @toy.command(description="Lay a table with pictures")
    async def table(interaction: discord.Interaction):
        await interaction.response.defer(ephemeral=True, thinking=True)
        files = [picture("table", "red"), picture("cards", "blue", (120, 40))]
        await interaction.channel.send(view=TableView(), files=files)
        await interaction.edit_original_response(content="The table is laid")

    @toy.command(description="Say what you were given")
    @app_commands.describe(count="how often", level="how hard", friend="with whom", stone="which")
    @app_commands.choices(
        level=[app_commands.Choice(name=n, value=n.lower()) for n in ("Easy", "Hard")]
    )
    @app_commands.autocomplete(stone=stones)
    async def given(
        interaction: discord.Interaction,
        count: app_commands.Range[int, 1, 4],
        level: str = "easy",
        friend: discord.Member | None = None,
        stone: str = "none",
    ):
        await interaction.response.send_message(
            f"{count} {level} {friend.display_name if friend else 'alone'} {stone}", ephemeral=True
        )

    @toy.command(description="Count what was said here")
    async def history(interaction: discord.Interaction):
        said = [m.content async for m in interaction.channel.history(limit=200) if m.content]
        await interaction.response.send_message("|".join(reversed(said)))

    @toy.command(description="Open a lobby")
    async def play(interaction: discord.Interaction, opponents: app_commands.Range[int, 0, 3]):
        await interaction.response.send_message(f"A lobby for {opponents} opponents")

    @toy.command(description="Choose a channel")
    async def settings(interaction: discord.Interaction):
        await interaction.response.send_message(view=SettingsView(), ephemeral=True)

    @toy.command(description="Answer never")
    async def silent(_interaction: discord.Interaction):
        return

    tree.add_command(toy)
