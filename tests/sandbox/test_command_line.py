"""`rox sandbox` and `rox demo --live` as processes: what they print, serve, and leave behind."""

import asyncio
import json
import re
import signal
from pathlib import Path

import aiohttp
import pytest

from bot.sandbox.run import LoopbackDiscord

START_S = 30
END_S = 6
LISTENING = "0A"
ADDRESS = re.compile(r"http://127\.0\.0\.1:(\d+)/\?as=\w+")


async def printed(process, count):
    """The next lines of a process."""
    async with asyncio.timeout(START_S):
        return [(await process.stdout.readline()).decode().rstrip() for _ in range(count)]


async def ended(process):
    """Wait until a process is over; return what else it printed."""
    async with asyncio.timeout(END_S):
        rest, _ = await process.communicate()
    return rest.decode()


def listens_on(pid):
    """Every address that a process listens on, as the kernel's table has them."""
    if not Path("/proc/net/tcp").exists():
        pytest.skip("only Linux tells which addresses a process listens on")
    open_files = (file.readlink().name for file in Path(f"/proc/{pid}/fd").iterdir())
    sockets = {name[len("socket:[") : -1] for name in open_files if name.startswith("socket:[")}
    found = []
    for table in ("tcp", "tcp6"):
        for line in Path(f"/proc/{pid}/net/{table}").read_text().splitlines()[1:]:
            fields = line.split()
            if fields[3] == LISTENING and fields[9] in sockets:
                address, _, port = fields[1].partition(":")
                found.append((address, int(port, 16)))
    return found


def loopback_only(port):
    return [(bytes((127, 0, 0, 1))[::-1].hex().upper(), port)]


class Tab:
    """A page's line, without the page."""

    def __init__(self, socket):
        self._socket = socket
        self._seen = {}

    async def shows(self, words):
        """Wait until a message says this; return the newest that does, as JSON."""
        async with asyncio.timeout(START_S):
            while not (found := [text for text in self._seen.values() if words in text]):
                told = await self._socket.receive_json()
                fresh = [told["message"]] if "message" in told else []
                for message in told.get("messages", fresh):
                    self._seen[message["id"]] = json.dumps(message, ensure_ascii=False)
        return found[-1]


@pytest.fixture
async def watch():
    """Open a tab's line at a port."""
    async with aiohttp.ClientSession() as session:

        async def watch(port, name):
            url = f"http://127.0.0.1:{port}/live?as={name}"
            return Tab(await session.ws_connect(url, max_msg_size=0))

        yield watch


@pytest.mark.parametrize(
    ("opponents", "number"),
    [(0, signal.SIGINT), (1, signal.SIGTERM), (2, signal.SIGINT), (3, signal.SIGTERM)],
)
async def test_the_sandbox_opens_a_lobby_and_ends(launch, watch, tmp_path, opponents, number):
    process = await launch("sandbox", "--port", 0, "--opponents", opponents)
    lines = await printed(process, 3)
    port = int(ADDRESS.search(lines[0])[1])
    assert lines[0].startswith("Play at http://127.0.0.1:")
    assert f"http://127.0.0.1:{port}/?as=Ben" in lines[1]
    assert "127.0.0.1 only" in lines[2]
    assert listens_on(process.pid) == loopback_only(port)
    tab = await watch(port, "Ada")
    lobby = await tab.shows("who plays?")
    assert lobby.count("simulated") == opponents
    process.send_signal(number)
    assert await ended(process) == ""
    assert process.returncode == 0
    left = {file.name for file in (tmp_path / "rox-sandbox").iterdir()}
    assert left == {"sandbox.sqlite3", "sandbox.sqlite3.lock"}


@pytest.mark.parametrize("command", [("sandbox",), ("demo", "--live")])
async def test_a_taken_port_is_told_in_one_sentence(launch, command):
    async with LoopbackDiscord() as there:
        process = await launch(*command, "--port", there.port)
        async with asyncio.timeout(START_S):
            told, _ = await process.communicate()
    assert told.decode() == f"Port {there.port} can't be used: Address already in use.\n"
    assert process.returncode == 1


async def test_a_second_sandbox_leaves_the_first_one_its_data(launch, watch):
    first = await launch("sandbox", "--port", 0)
    port = int(ADDRESS.search((await printed(first, 3))[0])[1])
    second = await launch("sandbox", "--port", 0)
    async with asyncio.timeout(START_S):
        told, _ = await second.communicate()
    assert re.fullmatch(r"Another process is already using the database .*\n", told.decode())
    assert second.returncode == 1
    tab = await watch(port, "Ada")
    await tab.shows("who plays?")
    first.send_signal(signal.SIGINT)
    assert await ended(first) == ""


async def test_the_live_demo_races_and_ends(launch, watch, tmp_path):
    scratch = tmp_path / "scratch"
    scratch.mkdir()
    process = await launch("demo", "--live", "--port", 0, TMPDIR=str(scratch))
    lines = await printed(process, 2)
    port = int(ADDRESS.search(lines[0])[1])
    assert lines[0].startswith("Watch at ")
    assert "127.0.0.1 only" in lines[1]
    assert listens_on(process.pid) == loopback_only(port)
    tab = await watch(port, "Guest")
    lobby = await tab.shows("The match has started")
    assert all(name in lobby for name in ("Ada", "Bo", "Cy"))
    await tab.shows("Put back")
    process.send_signal(signal.SIGTERM)
    assert await ended(process) == "\nStopped before the end.\n"
    assert process.returncode == 0
    assert list(scratch.iterdir()) == []
