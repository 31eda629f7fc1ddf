"""The page in a real browser: buttons, selects, forms, commands, private answers."""

from playwright.async_api import expect

from tests.kit.page import command, lay_table
from tests.kit.wire.toybot import TableView


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
