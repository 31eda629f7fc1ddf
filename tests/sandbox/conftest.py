"""A loopback Discord, a browser on its page, and people in tabs.

``visit("Ada")`` opens a tab as Ada and waits until the page is there. Whatever bot is connected
to ``loopback`` is the one they play with: ``bot`` connects the toy bot, ``rox`` the real one.
``launch`` starts the command line in a process of its own.
"""

import asyncio
import contextlib
import os
import shutil
import sys
from pathlib import Path

import pytest
from playwright.async_api import async_playwright, expect

from bot.app.process import serve
from bot.games.table import GAMES
from bot.sandbox.run import until_offered
from tests.kit.page import DESKTOP, Player
from tests.kit.wire.fixtures import ada, bot, loopback

__all__ = ["ada", "bot", "loopback"]

CHROMIUM = shutil.which("chromium")
ARGUMENTS = (
    "--headless --no-sandbox --disable-gpu --disable-quic --no-first-run "
    "--disable-background-networking --disable-component-update --disable-sync"
)


@pytest.fixture
def response_timeout():
    """Short, since a test waits for the page to say that no answer came."""
    return 0.5


@pytest.fixture
async def rox(loopback, ada, tmp_path):
    """The real bot, connected, and the file of its database."""
    loopback.page.response_timeout = 3
    database = tmp_path / "rox.sqlite3"
    task = asyncio.create_task(serve(f"sqlite+aiosqlite:///{database}", loopback.token, GAMES))
    offered = asyncio.create_task(until_offered(loopback, ada, "rox play"))
    await asyncio.wait((task, offered), return_when=asyncio.FIRST_COMPLETED)
    offered.cancel()
    yield database
    task.cancel()
    with contextlib.suppress(asyncio.CancelledError):
        await task


@pytest.fixture
async def launch(tmp_path):
    """Start ``rox`` with arguments in an empty folder, and with no environment but what is given.

    Its output comes in one stream; processes that still run at the end are killed.
    """
    started = []

    async def launch(*arguments, **environment):
        process = await asyncio.create_subprocess_exec(
            sys.executable,
            "-m",
            "bot",
            *map(str, arguments),
            cwd=tmp_path,
            env={"PATH": os.environ["PATH"], "PYTHONPATH": str(Path.cwd()), **environment},
            stdout=asyncio.subprocess.PIPE,
            stderr=asyncio.subprocess.STDOUT,
        )
        started.append(process)
        return process

    yield launch
    for process in started:
        with contextlib.suppress(ProcessLookupError):
            process.kill()
        await process.communicate()


@pytest.fixture
async def browser():
    if CHROMIUM is None:
        pytest.skip("chromium is not installed")
    async with async_playwright() as playwright:
        browser = await playwright.chromium.launch(executable_path=CHROMIUM, args=ARGUMENTS.split())
        yield browser
        await browser.close()


@pytest.fixture
async def visit(loopback, browser):
    """Open a tab as somebody; at the end no page may have complained."""
    complaints = []

    async def open_tab(name, size=DESKTOP, channel=None):
        page = await browser.new_page(viewport={"width": size[0], "height": size[1]})
        page.on("pageerror", lambda error: complaints.append(str(error)))
        page.on(
            "console",
            lambda line: complaints.append(line.text) if line.type == "error" else None,
        )
        await page.goto(loopback.page_for(name, channel))
        await expect(page.locator("#you-short")).to_contain_text(name)
        return page

    yield open_tab
    for context in browser.contexts:
        await context.close()
    assert complaints == []


@pytest.fixture
def join(loopback, visit):
    """Open a tab as a player."""

    async def join(name, size=DESKTOP):
        return Player(await visit(name, size), loopback.person(name))

    return join
