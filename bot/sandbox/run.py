"""Start the loopback Discord, its page, and a bot on it."""

from __future__ import annotations

import asyncio
import contextlib
import os
import signal
from pathlib import Path
from typing import TYPE_CHECKING, Any
from urllib.parse import urlencode, urlsplit

from aiohttp import web

from bot.sandbox.gateway import Gateway
from bot.sandbox.interceptor import Interceptor
from bot.sandbox.page_server import PageServer
from bot.sandbox.person import Person, RefusedError
from bot.sandbox.rest import RestApi
from bot.sandbox.world import World

if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable, Generator, Sequence
    from typing import Self

__all__ = ["LoopbackDiscord", "run_sandbox", "signals_set", "until_first", "until_offered"]

_HOST = "127.0.0.1"
_PAGE = Path(__file__).parent / "page"
_LOCAL_NAMES = {"127.0.0.1", "localhost"}
_LARGEST_REQUEST = 64 * 1024 * 1024
_POLICY = (
    "default-src 'self'; connect-src 'self' ws://127.0.0.1:* ws://localhost:*; "
    "frame-ancestors 'none'; base-uri 'none'"
)


class LoopbackDiscord:
    """A Discord on 127.0.0.1: HTTP API, gateway, attachments and the page, on one port.

    Port 0 takes a free one. The world is ready before ``start()``; the addresses after it.
    """

    def __init__(
        self,
        *,
        port: int = 0,
        owner: str = "Ada",
        guild: str = "The sandbox",
        channels: Sequence[str] = ("rox-table", "general"),
        bot_name: str = "Rox",
        interceptor: Interceptor | None = None,
        shards: int = 1,
        heartbeat_interval: float = 41.25,
        response_timeout: float = 3.0,
    ) -> None:
        self.owner = owner
        self.world = World(bot_name=bot_name)
        self.guild = self.world.add_guild(guild, owner, channels)
        self.interceptor = interceptor or Interceptor()
        self.gateway = Gateway(
            self.world, self.interceptor, url="", heartbeat_interval=heartbeat_interval
        )
        self.rest = RestApi(self.world, self.interceptor, gateway_url="", shards=shards)
        self.page = PageServer(self.world, self.guild.id, response_timeout=response_timeout)
        self._port = port
        self._runner: web.AppRunner | None = None

    @property
    def port(self) -> int:
        """The port it listens on."""
        return self._port

    @property
    def token(self) -> str:
        """The token of the first application."""
        return self.world.application.token

    @property
    def api_url(self) -> str:
        """For ``discord.http.Route.BASE``."""
        return f"http://{_HOST}:{self._port}/api/v10"

    @property
    def gateway_url(self) -> str:
        """For ``discord.gateway.DiscordWebSocket.DEFAULT_GATEWAY``."""
        return f"ws://{_HOST}:{self._port}/gateway"

    @property
    def page_url(self) -> str:
        """The page, as its owner."""
        return self.page_for(self.owner)

    def page_for(self, name: str, channel: str | None = None) -> str:
        """The page as somebody else, or in another channel."""
        query = {"as": name} | ({"channel": channel} if channel else {})
        return f"http://{_HOST}:{self._port}/?{urlencode(query)}"

    def person(self, name: str, channel: str | None = None) -> Person:
        """Somebody of this name, a member from now on, acting in a channel."""
        return self.page.person(name, channel)

    async def start(self) -> None:
        """Listen. An OSError means that the port is taken."""
        application = web.Application(
            middlewares=[_only_from_here], client_max_size=_LARGEST_REQUEST
        )
        application.router.add_get("/", _index)
        application.router.add_get("/live", self.page.handle)
        application.router.add_get("/gateway", self.gateway.handle)
        application.router.add_get("/gateway/", self.gateway.handle)
        application.router.add_get(
            "/attachments/{channel}/{attachment}/{filename}", self.world.files.serve
        )
        application.router.add_route("*", "/api/{tail:.*}", self.rest.handle)
        application.router.add_static("/page/", _PAGE)
        self._runner = web.AppRunner(application, access_log=None, shutdown_timeout=1)
        await self._runner.setup()
        try:
            await self.come_up()
        except OSError as error:
            await self._runner.cleanup()
            # asyncio's own words repeat the address and end in the error's number.
            raise OSError(error.errno, os.strerror(error.errno or 0)) from None
        self._port = self._runner.addresses[0][1]
        self.gateway.url = self.rest.gateway_url = self.gateway_url
        self.world.files.base_url = f"http://{_HOST}:{self._port}"

    async def go_down(self) -> None:
        """Break every connection and refuse new ones; people go on in the world behind it."""
        runner = self._runner
        if runner is None or runner.server is None:
            return
        for site in list(runner.sites):
            await site.stop()
        self.gateway.abort_connections()
        for connection in list(runner.server.connections):
            if connection.transport is not None:
                connection.transport.abort()

    async def come_up(self) -> None:
        """Listen, for the first time or again on the same port."""
        if self._runner is not None and not self._runner.sites:
            await web.TCPSite(self._runner, _HOST, self._port, reuse_address=True).start()

    async def stop(self) -> None:
        """Hang up on bots and pages and stop listening."""
        await self.gateway.stop()
        await self.page.stop()
        if self._runner is not None:
            await self._runner.cleanup()

    async def __aenter__(self) -> Self:
        await self.start()
        return self

    async def __aexit__(self, *_: object) -> None:
        await self.stop()


@web.middleware
async def _only_from_here(
    request: web.Request, handler: Callable[[web.Request], Awaitable[web.StreamResponse]]
) -> web.StreamResponse:
    """Turn away other sites' pages: any page in the browser can reach a port on loopback."""
    origin = request.headers.get("Origin")
    names = [urlsplit(f"//{request.host}").hostname]
    if origin is not None:
        names.append(urlsplit(origin).hostname)
    if not _LOCAL_NAMES.issuperset(names):
        raise web.HTTPForbidden(text="This Discord is for this machine only")
    response = await handler(request)
    if not response.prepared:
        response.headers["Content-Security-Policy"] = _POLICY
        if request.path.startswith("/page/"):
            response.headers["Cache-Control"] = "no-cache"
    return response


async def _index(_request: web.Request) -> web.FileResponse:
    return web.FileResponse(_PAGE / "index.html", headers={"Cache-Control": "no-cache"})


async def run_sandbox(
    port: int,
    opponents: int,
    start_bot: Callable[[LoopbackDiscord], Awaitable[None]],
    *,
    command: str = "rox play",
    tell: Callable[[str], None] = print,
    stop: asyncio.Event | None = None,
) -> None:
    """Loopback, bot and page in one go, until Ctrl-C, SIGTERM, ``stop`` or the bot's end.

    Args:
        port: where to listen on 127.0.0.1; 0 takes a free port.
        opponents: how many simulated opponents the lobby is opened with.
        start_bot: runs the bot against the loopback's addresses until it is cancelled. What it
            raises is raised here.
        command: the slash command that opens the lobby; it has an option ``opponents``.
        tell: takes the lines for the terminal.
        stop: ends the sandbox from outside.

    Raises:
        OSError: the port is taken.
    """
    ended = stop or asyncio.Event()
    with signals_set(ended):
        async with LoopbackDiscord(port=port) as discord:
            tasks = [
                asyncio.ensure_future(start_bot(discord)),
                asyncio.create_task(ended.wait()),
                asyncio.create_task(_open_lobby(discord, command, opponents, tell)),
            ]
            await until_first(tasks[:2], tasks)


@contextlib.contextmanager
def signals_set(ended: asyncio.Event) -> Generator[None]:
    """Let Ctrl-C and SIGTERM set an event while the block runs."""
    loop = asyncio.get_running_loop()
    with contextlib.suppress(NotImplementedError):  # Windows: Ctrl-C is a KeyboardInterrupt there
        for number in (signal.SIGINT, signal.SIGTERM):
            loop.add_signal_handler(number, ended.set)
    try:
        yield
    finally:
        with contextlib.suppress(NotImplementedError):
            for number in (signal.SIGINT, signal.SIGTERM):
                loop.remove_signal_handler(number)


async def until_first(
    awaited: Sequence[asyncio.Future[Any]], tasks: Sequence[asyncio.Future[Any]]
) -> None:
    """Wait for the first of some, then cancel all and pass on what the first one raised."""
    try:
        done, _ = await asyncio.wait(awaited, return_when=asyncio.FIRST_COMPLETED)
    finally:
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)
    for task in done:
        task.result()


async def until_offered(discord: LoopbackDiscord, person: Person, command: str) -> None:
    """Wait until a bot that has this command can be asked; it registers it before it connects.

    Raises:
        TimeoutError: there was none within a minute.
    """
    name = command.split(maxsplit=1)[0]

    def offered() -> bool:
        commands = discord.world.commands_for(person.id, person.channel_id)
        return bool(discord.gateway.sessions) and name in [c["name"] for _, c in commands]

    await discord.world.wait_until(offered, timeout=60)


async def _open_lobby(
    discord: LoopbackDiscord, command: str, opponents: int, tell: Callable[[str], None]
) -> None:
    """Say where to go once the bot can be asked, and ask it for a lobby."""
    owner = discord.person(discord.owner)
    try:
        await until_offered(discord, owner, command)
    except TimeoutError:
        tell(f"The bot is not there after a minute, or it has no /{command}.")
        return
    tell(f"Play at {discord.page_url}")
    tell(f"A second person: open {discord.page_for('Ben')} in another tab.")
    tell("It listens on 127.0.0.1 only, so nobody else can join. Ctrl-C ends it.")
    try:
        await owner.slash(command, opponents=opponents).response()
    except (RefusedError, TimeoutError) as error:
        tell(f"No lobby was opened ({error or 'no answer'}); type /{command} to open one.")
