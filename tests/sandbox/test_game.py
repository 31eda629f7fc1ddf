"""The real bot on the page in a real browser: people play Rox."""

import asyncio
import re
import sqlite3

from playwright.async_api import expect

from bot.sandbox.run import until_offered
from tests.kit.page import PATIENCE, PHONE, PHONE_WITH_KEYBOARD

NUMBERS = [str(number) for number in range(10, 70)]
LONGEST_REST_MS = 5_000

IN_VIEW = """() => {
    const top = document.querySelector('main > header').getBoundingClientRect().bottom;
    const bottom = document.querySelector('#composer').getBoundingClientRect().top;
    const pictures = [...document.querySelectorAll('.message:last-child .picture img')];
    return pictures.length > 0 && pictures.every(picture => {
        const box = picture.getBoundingClientRect();
        return picture.complete && picture.naturalWidth && box.top >= top && box.bottom <= bottom;
    });
}"""
RECORD = """() => {
    window.record = [];
    new MutationObserver(() => {
        const told = [...document.querySelectorAll('.message')].at(-1).innerText;
        if (told.includes('calls Rox!') && told !== window.record.at(-1)) window.record.push(told);
    }).observe(document.querySelector('#messages'), {
        subtree: true, childList: true, characterData: true,
    });
}"""


async def in_view(page):
    """Wait until every picture of the newest message is fully between header and composer."""
    await page.wait_for_function(IN_VIEW, timeout=2_000)


async def sizes(page):
    return await page.locator(".message:last-child .picture img").evaluate_all(
        "nodes => nodes.map(node => [node.clientWidth, node.clientHeight])"
    )


def claims(database, person):
    """What the bot has recorded of somebody's claims: message id and number, in order."""
    with sqlite3.connect(database) as connection:
        rows = connection.execute(
            "SELECT source_id, json_extract(payload, '$.number') FROM actions "
            "WHERE kind = 'rox.claim' AND user_id = ? ORDER BY seq",
            (person.id,),
        )
        return [(source, str(number)) for source, number in rows]


async def test_a_whole_round_on_a_phone(rox, join):
    ada = await join("Ada", PHONE_WITH_KEYBOARD)
    page = ada.page
    await ada.asks("/rox play opponents:2")
    await ada.sees("who plays?")
    await expect(ada.post("who plays?")).to_contain_text("Birch")
    await expect(ada.button("Start")).to_be_in_viewport(ratio=1)
    await ada.presses("Start")

    await ada.sees("Get ready")
    await in_view(page)
    (covered,) = await sizes(page)

    await ada.opened()
    await in_view(page)
    table, cards = await sizes(page)
    assert table == covered
    assert table[0] >= 330
    assert table[1] + cards[1] <= 340 * table[0] / 330 + 8
    await expect(page.locator("#say")).to_be_focused()
    await page.set_viewport_size({"width": PHONE[0], "height": PHONE[1]})
    await in_view(page)
    await expect(ada.button("Put back")).to_be_in_viewport(ratio=1)
    await page.set_viewport_size(
        {"width": PHONE_WITH_KEYBOARD[0], "height": PHONE_WITH_KEYBOARD[1]}
    )

    await ada.takes()
    await ada.takes()
    await page.reload()
    for number in ada.numbers:
        await expect(page.get_by_text(number, exact=True)).to_be_visible()
    await expect(ada.post("The lobby is open")).to_contain_text("Only you can see this")
    await expect(ada.post("Put back")).to_contain_text(re.compile(r"Ada\W* 3"))
    drawn = "nodes => nodes.every(node => node.complete && node.naturalWidth)"
    await page.wait_for_function(f"({drawn})([...document.querySelectorAll('.picture img')])")
    await expect(page.locator("#say")).to_be_focused()
    await page.evaluate(RECORD)

    await ada.calls()
    await ada.sees("The next round begins")
    record = await page.evaluate("window.record")
    rows = [len(re.findall("[✅❌]", told)) for told in record]
    assert rows[0] == 1
    assert rows == sorted(rows)
    assert rows[-1] == 3
    assert re.search(r"Ada\W*: 6 cards, all hold", record[0])
    assert "Standing" not in record[0]
    bare = next(told for told, count in zip(record, rows, strict=True) if count == 3)
    assert "Standing" not in bare
    check = ada.post("The next round begins")
    await expect(check).to_contain_text(re.compile(r"all hold\. \+\d"))
    await expect(check).to_contain_text(re.compile(r"Standing: \W*Ada\W* \d"))
    await expect(ada.button("Ready")).to_be_in_viewport(ratio=1)
    await in_view(page)
    await ada.presses("Ready")
    await expect(ada.post("Round 2 of 5")).to_be_visible(timeout=5_000)


async def test_settings_hold_in_a_race_of_two_tabs(rox, join, loopback):
    """A rest chosen on the page, one card that two want, and sixty quick numbers."""
    ada, ben = await join("Ada"), await join("Ben")
    await ada.asks("/rox settings")
    await ada.sees("How this server plays Rox")
    await ada.page.get_by_role("button", name="2 seconds").click()
    await ada.page.get_by_role("option", name="5 seconds").click()
    await expect(ada.page.get_by_role("button", name="5 seconds")).to_be_visible()
    await expect(ben.page.get_by_text("How this server plays Rox")).to_have_count(0)
    await ada.page.reload()
    await ada.asks("/rox settings")
    await expect(ada.page.get_by_role("button", name="5 seconds")).to_have_count(2)

    await ada.asks("/rox play")
    await ben.presses("Join")
    await expect(ada.post("who plays?")).to_contain_text("Ben")
    await ada.presses("Start")
    await asyncio.gather(ada.opened(), ben.opened())
    await ben.rested(LONGEST_REST_MS)
    wanted = await ben.right()
    for player in (ada, ben):
        await player.page.keyboard.type(str(wanted))
    await asyncio.gather(*(player.page.keyboard.press("Enter") for player in (ben, ada)))
    for player in (ada, ben):
        await expect(player.page.get_by_text(str(wanted), exact=True)).to_have_count(2)
    first, second = (m for m in ada.member.messages() if m.content == str(wanted))
    names = {player.member.id: player.member.name for player in (ada, ben)}
    for player in (ada, ben):
        table = player.post("Put back")
        await expect(table).to_contain_text(
            re.compile(rf"{names[first.author_id]}\W* took {wanted}"), timeout=PATIENCE
        )
        await expect(table).to_contain_text(
            re.compile(rf"{names[second.author_id]}\W*: {wanted} is gone, "), timeout=PATIENCE
        )

    before = len(claims(rox, ada.member))
    shown = await ada.post("Put back").inner_text()
    await ada.page.keyboard.type("".join(f"{number}\n" for number in NUMBERS))
    await loopback.world.wait_until(lambda: len(claims(rox, ada.member)) == before + len(NUMBERS))
    said = [m for m in ada.member.messages() if m.author_id == ada.member.id][-len(NUMBERS) :]
    assert [m.content for m in said] == NUMBERS
    assert claims(rox, ada.member)[before:] == [(m.id, m.content) for m in said]
    await expect(ada.post("Put back")).to_contain_text(
        re.compile(r"Ada\W*: 69, but the hand was busy"), timeout=PATIENCE
    )
    assert await ada.post("Put back").inner_text() != shown


async def test_the_bot_dies_and_comes_back_in_mid_race(launch, loopback, join, tmp_path):
    settings = {
        "DISCORD_TOKEN": loopback.token,
        "ROX_DISCORD_API_URL": loopback.api_url,
        "ROX_DISCORD_GATEWAY_URL": loopback.gateway_url,
        "ROX_DATABASE_URL": f"sqlite+aiosqlite:///{tmp_path / 'rox.sqlite3'}",
    }
    loopback.page.response_timeout = 3
    bot = await launch("run", **settings)
    ada = await join("Ada", PHONE_WITH_KEYBOARD)
    await until_offered(loopback, ada.member, "rox play")
    await ada.asks("/rox play opponents:1")
    await ada.presses("Start")
    await ada.opened()
    await ada.takes()
    card = ada.own_card(await ada.alts())
    await ada.rested()
    number = await ada.right()
    bot.kill()
    await bot.wait()
    await ada.types(number)
    await expect(ada.page.get_by_text(str(number), exact=True).last).to_be_visible()

    await launch("run", **settings)
    await ada.sees("I was away for a moment; the match goes on.")
    await expect(ada.post("Put back")).to_contain_text(re.compile(r"Ada\W* 3"), timeout=PATIENCE)
    await in_view(ada.page)
    after = await ada.alts()
    assert ada.own_card(after) != card
    assert not re.search(rf"\b{number}\b", after[0])
    await ada.calls()
    await ada.sees(re.compile(r"Round 1: \W*Ada\W* calls Rox!"))
    await ada.sees("The next round begins")
    await expect(ada.post("The next round begins")).to_contain_text(
        re.compile(r"Ada\W*: 6 cards, all hold\. \+\d")
    )


async def test_the_rules_picture_opens_at_full_size(rox, join):
    ada = await join("Ada")
    await ada.asks("/rox rules")
    shown = ada.post("Rox in half a minute").locator("img")
    await expect(shown).to_be_visible(timeout=PATIENCE)
    natural = await shown.evaluate("node => node.naturalWidth")
    await shown.click()
    opened = ada.page.locator("#picture img")
    await expect(opened).to_be_visible()
    await opened.click()
    assert (await opened.bounding_box())["width"] == natural
    await ada.page.keyboard.press("Escape")
    await expect(opened).not_to_be_visible()
    await expect(ada.page.locator("#say")).to_be_focused()
