"""The page in a real browser: what people type, press and see."""

import asyncio

from playwright.async_api import expect

from tests.sandbox.conftest import DESKTOP, PHONE, PHONE_WITH_KEYBOARD, command
from tests.wire.toybot import TableView, picture

NUMBERS = [str(number) for number in range(10, 70)]


def said(person):
    return [m.content for m in person.messages() if m.author_id == person.id]


async def lay_table(page):
    await command(page, "/toy table")
    await expect(page.get_by_role("button", name="Turn")).to_be_visible()
    await expect(page.get_by_text("The table is laid")).to_be_visible()


async def test_sixty_quick_numbers_arrive_in_order(bot, visit, ada):
    page = await visit("Ada")
    await page.keyboard.type("".join(f"{number}\n" for number in NUMBERS))
    await ada.world.until(lambda: len(said(ada)) == len(NUMBERS))
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
            await ada.world.until(lambda turn=turn: len(said(ada)) >= turn * 5)
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
    await ada.world.until(lambda: len(said(ada)) == len(NUMBERS))
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


async def test_private_answers_are_their_person_s_alone(bot, visit):
    ada, ben = await visit("Ada"), await visit("Ben")
    await lay_table(ada)
    await expect(ada.get_by_text("Only you can see this")).to_be_visible()
    await expect(ben.get_by_text("Round 2")).to_be_visible()
    await expect(ben.get_by_text("The table is laid")).to_have_count(0)
    await ada.get_by_role("button", name="Dismiss message").click()
    await expect(ada.get_by_text("The table is laid")).to_have_count(0)
    await ada.reload()
    await expect(ada.get_by_text("Round 2")).to_be_visible()
    await expect(ada.get_by_text("The table is laid")).to_have_count(0)


async def test_two_tabs_are_two_people(bot, visit):
    ada, ben = await visit("Ada"), await visit("Ben")
    await ada.keyboard.type("from Ada\n")
    await ben.keyboard.type("from Ben\n")
    for page in (ada, ben):
        await expect(page.locator(".message b")).to_have_text(["Ada", "Ben"])


async def test_buttons_change_the_message_in_place(bot, visit):
    page = await visit("Ada")
    await lay_table(page)
    container = page.locator(".container")
    await container.evaluate("node => { node.isTheSame = true; }")
    turn = page.get_by_role("button", name="Turn")
    await turn.click()
    await expect(container).to_contain_text("Turned 1 times")
    await expect(page.get_by_text("You turned it (1)")).to_be_visible()
    assert await container.evaluate("node => node.isTheSame")
    await expect(page.locator("#say")).to_be_focused()
    await expect(page.get_by_role("button", name="Never")).to_be_disabled()


async def test_a_press_survives_a_change_below_the_finger(bot, visit, ada):
    page = await visit("Ada")
    await lay_table(page)
    message = bot.get_channel(ada.channel_id).get_partial_message(ada.find("Round 2").id)
    await page.get_by_role("button", name="Turn").hover()
    await page.mouse.down()
    await message.edit(view=TableView(7))
    await expect(page.get_by_text("Turned 7 times")).to_be_visible()
    await page.mouse.up()
    await expect(page.get_by_text("You turned it (8)")).to_be_visible()


async def test_selects_of_both_kinds(bot, visit):
    page = await visit("Ada")
    await lay_table(page)
    await page.get_by_role("button", name="Pick a stone").click()
    await page.get_by_role("option", name="Water").click()
    await expect(page.get_by_text("You picked Water")).to_be_visible()
    await command(page, "/toy settings")
    await page.get_by_role("button", name="A channel").click()
    await page.get_by_role("option", name="#general").click()
    await expect(page.locator(".mention", has_text="#general")).to_be_visible()


async def test_a_form(bot, visit):
    page = await visit("Ada")
    await lay_table(page)
    await page.get_by_role("button", name="Name it").click()
    await page.locator("#modal").get_by_label("Name").fill("Round one")
    await page.get_by_label("Kind").click()
    await page.get_by_role("option", name="Elm").click()
    await page.get_by_role("button", name="Submit").click()
    await expect(page.get_by_text("Named Round one, of elm")).to_be_visible()
    await expect(page.locator("#modal")).not_to_be_visible()
    await expect(page.locator("#say")).to_be_focused()


async def test_commands_are_offered_with_options_choices_and_people(bot, visit):
    page = await visit("Ada")
    panel = page.locator("#panel")
    await page.keyboard.type("/toy g")
    await expect(panel.get_by_role("option")).to_have_count(1)
    await page.keyboard.press("Enter")
    await expect(panel).to_contain_text("needs count")
    await page.keyboard.press("Enter")
    await expect(page.locator("#say")).to_have_value("/toy given count:")
    await expect(panel).to_contain_text("whole number from 1 to 4")
    await page.keyboard.type("2 lev")
    await page.keyboard.press("Tab")
    await expect(panel.get_by_role("option")).to_have_text(["Easy", "Hard"])
    await page.keyboard.press("ArrowDown")
    await page.keyboard.press("Enter")
    await page.keyboard.type("friend:ro")
    await page.keyboard.press("Enter")
    await page.keyboard.type("stone:ma")
    await expect(panel.get_by_role("option")).to_have_text(["Magic"])
    await page.keyboard.press("Enter")
    await expect(page.locator("#say")).to_have_value(
        "/toy given count:2 level:Hard friend:@Rox stone:Magic "
    )
    await expect(panel).to_contain_text("Enter sends")
    await page.keyboard.press("Enter")
    await expect(page.get_by_text("2 hard Rox magic")).to_be_visible()
    await expect(page.get_by_text("Ada used /toy given")).to_be_visible()
    await expect(page.locator("#say")).to_have_value("")


async def test_a_silent_bot_is_told_of(bot, visit):
    page = await visit("Ada")
    await command(page, "/toy silent")
    await expect(page.get_by_text("The application did not respond")).to_be_visible()
    await command(page, "/toy given count:9")
    await expect(page.locator("#toasts")).to_contain_text("≤ 4")


async def test_a_picture_opens_at_full_size(bot, visit):
    page = await visit("Ada")
    await lay_table(page)
    shown = page.get_by_alt_text("the table")
    assert await shown.evaluate("img => img.naturalWidth") == 120
    await shown.click()
    dialog = page.locator("#picture")
    await expect(dialog).to_be_visible()
    await expect(dialog.locator("p")).to_have_text("the table")
    await page.keyboard.press("Escape")
    await expect(dialog).not_to_be_visible()


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


async def test_leaving_and_coming_back(bot, visit, ada):
    page = await visit("Cy")
    ada.say("welcome")
    await expect(page.get_by_text("welcome")).to_be_visible()
    await page.get_by_role("button", name="Leave").click()
    await expect(page.locator("#composer")).not_to_be_visible()
    await page.get_by_role("button", name="Come back").click()
    await expect(page.locator("#composer")).to_be_visible()
    await page.keyboard.type("back again\n")
    await expect(page.get_by_text("back again")).to_be_visible()


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
