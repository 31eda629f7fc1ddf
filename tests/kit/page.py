"""People in tabs of the page: one who plays Rox, and the size of their windows."""

import asyncio
import re
from datetime import timedelta

from discord.utils import snowflake_time
from playwright.async_api import expect

from bot.sandbox.demo.reading import read_table

DESKTOP = (1280, 900)
PHONE = (390, 844)
PHONE_WITH_KEYBOARD = (390, 500)
PATIENCE = 15_000
"""Milliseconds that something on the page may take; a round's own waits are shorter."""
REST_MS = 2_000

_ALTS = "nodes => nodes.map(node => node.alt)"
_CARDS = '.picture img[alt^="Last cards."]'
_TABLE = '.picture img[alt^="Free cards"]'
_CHANGED = """([cards, table, before]) => {
    const newest = query => [...document.querySelectorAll(query)].at(-1);
    const open = [...document.querySelectorAll('button')].some(b => b.innerText === 'Put back');
    return !open || before[0] !== newest(table).alt || before[1] !== newest(cards).alt;
}"""


class Player:
    """A person in a tab.

    Args:
        page: the tab.
        member: the same person in the world, which knows when a message was sent.
    """

    def __init__(self, page, member):
        self.page = page
        self.member = member
        self.numbers = []

    def button(self, label):
        return self.page.get_by_role("button", name=label, exact=True).last

    def post(self, words):
        return self.page.locator(".message", has_text=words).last

    async def presses(self, label):
        await self.button(label).click(timeout=PATIENCE)

    async def sees(self, words):
        await expect(self.post(words)).to_be_visible(timeout=PATIENCE)

    async def asks(self, command):
        """Send a slash command."""
        await self.page.locator("#say").fill(command)
        await self.page.keyboard.press("Enter")

    async def types(self, number):
        self.numbers.append(str(number))
        await self.page.keyboard.type(f"{number}\n")

    async def opened(self):
        """Wait until the race is open."""
        await self.button("Put back").wait_for(timeout=PATIENCE)

    async def rested(self, rest_ms=REST_MS):
        """Wait until the hand is free: so long after "Rox!" or after one's own last number."""
        table = self.page.locator(f".message:has({_TABLE})").last
        since = int(await table.get_attribute("data-message", timeout=PATIENCE))
        if self.numbers:
            since = max(m.id for m in self.member.messages() if m.content == self.numbers[-1])
        free = snowflake_time(since) + timedelta(milliseconds=rest_ms + 20)
        left = (free - self.member.world.clock.now()).total_seconds()
        await asyncio.sleep(max(0, left))

    async def alts(self):
        """The alternative texts of the newest table and of the newest last cards."""
        tables = await self.page.locator(_TABLE).evaluate_all(_ALTS)
        cards = await self.page.locator(_CARDS).evaluate_all(_ALTS)
        return tables[-1], cards[-1]

    async def right(self):
        """The number of a card that goes on with one's row."""
        items = [{"description": alt} for alt in await self.alts()]
        reading = read_table([{"type": 12, "items": items}])
        return reading.free[reading.ranking(self.member.name)[0]][-1]

    def own_card(self, alts):
        return next(line for line in alts[1].splitlines() if line.startswith(self.member.name))

    async def takes(self):
        """Take a right card; one that somebody else takes first is followed by the next."""
        before = await self.alts()
        card = self.own_card(before)
        await self.rested()
        number = await self.right()
        await self.types(number)
        while await self.racing():
            await self.page.wait_for_function(
                _CHANGED, arg=[_CARDS, _TABLE, list(before)], timeout=PATIENCE
            )
            if not await self.racing():
                return
            before = await self.alts()
            if self.own_card(before) != card:
                return
            if not re.search(rf"\b{number}\b", before[0]):
                number = await self.right()
                await self.types(number)

    async def racing(self):
        return bool(await self.page.get_by_role("button", name="Put back").count())

    async def calls(self):
        """Take cards until the round is over."""
        while await self.racing():
            await self.takes()


async def command(page, text):
    """Type a slash command and send it."""
    await page.locator("#say").fill(text)
    await page.keyboard.press("Enter")


async def lay_table(page):
    """Have the toy bot post its table, and wait until it is on the page."""
    await command(page, "/toy table")
    await expect(page.get_by_role("button", name="Turn")).to_be_visible()
    await expect(page.get_by_text("The table is laid")).to_be_visible()
