"""The page in a real browser: what people type arrives, and what happens is seen."""

import asyncio

from playwright.async_api import expect

from tests.kit.page import DESKTOP, PHONE, PHONE_WITH_KEYBOARD, lay_table
from tests.kit.wire.toybot import TableView, picture

NUMBERS = [str(number) for number in range(10, 70)]


def said(person):
    return [m.content for m in person.messages() if m.author_id == person.id]


async def test_sixty_quick_numbers_arrive_in_order(bot, visit, ada):
    page = await visit("Ada")
    await page.keyboard.type("".join(f"{number}\n" for number in NUMBERS))
    await ada.world.wait_until(lambda: len(said(ada)) == len(NUMBERS))
    assert said(ada) == NUMBERS
    ids = [m.id for m in ada.messages()]
    assert ids == sorted(ids)
    await expect(page.locator(".message")).to_have_count(60)
    assert bot.heard == NUMBERS


async def test_numbers_arrive_while_the_table_keeps_changing(bot, visit, ada):
    page = await visit("Ada")
    await lay_table(page)
    message = bot.get_channel(ada.channel_id).get_partial_message(ada.find("Round 2").id)

    async def keep_changing():
        for turn in range(1, 13):
            await ada.world.wait_until(lambda turn=turn: len(said(ada)) >= turn * 5)
            files = [picture("table", "green"), picture("cards", "blue")]
            await message.edit(view=TableView(turn), attachments=files)

    changing = asyncio.create_task(keep_changing())
    await page.keyboard.type("".join(f"{number}\n" for number in NUMBERS))
    await changing
    await expect(page.get_by_text("Turned 12 times")).to_be_attached()
    assert said(ada) == NUMBERS


async def test_a_lost_line_loses_and_doubles_nothing(loopback, bot, visit, ada):
    page = await visit("Ada")
    for start in range(0, 60, 20):
        await loopback.page.stop()
        await page.keyboard.type("".join(f"{n}\n" for n in NUMBERS[start : start + 20]))
    await ada.world.wait_until(lambda: len(said(ada)) == len(NUMBERS))
    assert said(ada) == NUMBERS
    await expect(page.locator(".message")).to_have_count(60)


async def test_a_reload_loses_nothing(bot, visit, ada):
    page = await visit("Ada")
    await lay_table(page)
    await page.keyboard.type("12\n")
    await expect(page.get_by_text("12", exact=True)).to_be_visible()
    before = await page.locator("#messages").inner_text()
    await page.reload()
    await expect(page.get_by_text("12", exact=True)).to_be_visible()
    assert await page.locator("#messages").inner_text() == before


async def test_two_tabs_are_two_people(bot, visit):
    ada, ben = await visit("Ada"), await visit("Ben")
    await ada.keyboard.type("from Ada\n")
    await ben.keyboard.type("from Ben\n")
    for page in (ada, ben):
        await expect(page.locator(".message b")).to_have_text(["Ada", "Ben"])


async def test_the_list_sticks_to_its_end_only_when_there(bot, visit, ada):
    page = await visit("Ada")
    await lay_table(page)
    for number in NUMBERS:
        ada.say(number)
    last = page.get_by_text("69", exact=True)
    await expect(last).to_be_in_viewport()
    scroller = page.locator("#scroller")
    await page.mouse.move(640, 400)
    await page.mouse.wheel(0, -300)
    await expect(last).not_to_be_in_viewport()
    before = await scroller.evaluate("node => node.scrollTop")
    ada.say("one more")
    pill = page.get_by_role("button", name="New messages")
    await expect(pill).to_be_visible()
    assert await scroller.evaluate("node => node.scrollTop") == before
    await pill.click()
    await expect(page.get_by_text("one more")).to_be_in_viewport()


async def test_editing_replying_deleting_and_reacting(bot, visit, ada):
    page = await visit("Ada")
    await page.keyboard.type("helo\n")
    await expect(page.get_by_text("helo")).to_be_visible()
    await page.keyboard.press("ArrowUp")
    await page.locator("#say").fill("hello again")
    await page.keyboard.press("Enter")
    await expect(page.get_by_text("hello again (edited)")).to_be_visible()
    row = page.locator(".message")
    await row.hover()
    await row.get_by_role("button", name="React").click()
    await page.get_by_role("button", name="👏").click()
    await expect(row.locator(".reaction")).to_have_text("👏 1")
    await row.locator(".reaction").click()
    await expect(row.locator(".reaction")).to_have_count(0)
    await row.get_by_role("button", name="Reply").click()
    await page.keyboard.type("an answer\n")
    await expect(page.locator(".above")).to_contain_text("Ada hello again")
    await row.first.hover()
    await row.first.get_by_role("button", name="Delete").click()
    await expect(page.get_by_text("A deleted message")).to_have_count(0)
    await expect(row).to_have_count(1)


async def test_nothing_typed_becomes_markup(bot, visit, ada):
    page = await visit("Ada")
    for text in (
        "<img src=x onerror=alert(1)>",
        r"\*plain\* **bold** snake_case_word `**code**`",
        "# Big\n-# small\n> quoted",
        "||secret|| <t:0:R> @everyone",
    ):
        ada.say(text)
    await expect(page.get_by_text("<img src=x onerror=alert(1)>")).to_be_visible()
    await expect(page.get_by_text("*plain* bold snake_case_word **code**")).to_be_visible()
    await expect(page.locator("#messages strong")).to_have_text(["bold"])
    await expect(page.locator("#messages h3")).to_have_text(["Big"])
    await expect(page.locator("#messages small")).to_have_text(["small"])
    await expect(page.locator("time.stamp")).to_contain_text("years ago")


async def test_names_are_asked_for(loopback, browser):
    page = await browser.new_page()
    await page.goto(loopback.page_url.split("?", 1)[0])
    await page.get_by_label("Name").fill("Dee")
    await page.get_by_role("button", name="Come in").click()
    await expect(page.locator("#you")).to_contain_text("Dee")


async def test_it_fits_desktop_and_phone(bot, visit, ada):
    page = await visit("Ada")
    await lay_table(page)
    for width, height in (DESKTOP, PHONE, PHONE_WITH_KEYBOARD):
        await page.set_viewport_size({"width": width, "height": height})
        await expect(page.get_by_role("button", name="Pick a stone")).to_be_in_viewport()
        wide = await page.evaluate("document.documentElement.scrollWidth")
        assert wide <= width
        box = await page.locator("#composer").bounding_box()
        assert box["y"] + box["height"] <= height
        assert box["y"] + box["height"] > height - 20
        shown = await page.get_by_alt_text("the table").bounding_box()
        assert shown["width"] > (500 if width == DESKTOP[0] else 340)
        await expect(page.locator("#say")).to_be_focused()


async def test_a_link_to_a_message_leads_there(bot, visit, ada):
    page = await visit("Ada")
    first = ada.say("the first")
    for number in range(10, 70):
        ada.say(str(number))
    ada.say(f"https://discord.com/channels/{ada.guild_id}/{ada.channel_id}/{first.id}")
    await expect(page.get_by_text("the first")).not_to_be_in_viewport()
    await page.get_by_role("button", name="#rox-table › message").click()
    await expect(page.get_by_text("the first")).to_be_in_viewport()
