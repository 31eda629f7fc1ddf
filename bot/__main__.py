"""The command line: `rox run`, `sandbox`, `demo`, `backup` and `gallery`.

Each command imports what it needs itself, so that `rox --help` and the other commands stay fast.
"""

from __future__ import annotations

import asyncio
import time
from contextlib import contextmanager
from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, NoReturn

import typer

if TYPE_CHECKING:
    from collections.abc import Generator

app = typer.Typer(
    name="rox",
    no_args_is_help=True,
    add_completion=False,
    pretty_exceptions_enable=False,
)


def _print_version(asked: bool) -> None:  # noqa: FBT001 - Typer calls it with the option's value
    if asked:
        from bot.version import version

        typer.echo(f"rox {version()}")
        raise typer.Exit


@app.callback()
def options(
    _version: Annotated[
        bool,
        typer.Option(
            "--version", callback=_print_version, is_eager=True, help="Say which version this is."
        ),
    ] = False,
) -> None:
    """Rox, the card race, as real-time matches in Discord channels."""


@app.command()
def run() -> None:
    """Run the bot. Settings come from the environment or from a file named .env."""
    from bot.app.process import CannotRunError, run_bot
    from bot.games.table import GAMES
    from bot.settings import SettingsError, read_settings

    with _exit_on(SettingsError, CannotRunError):
        run_bot(read_settings(), GAMES)


@app.command()
def sandbox(
    port: Annotated[
        int, typer.Option(min=0, max=65535, help="Where the page is; 0 takes any free port.")
    ] = 8700,
    opponents: Annotated[
        int, typer.Option(min=0, max=3, help="How many simulated opponents play along.")
    ] = 2,
    data: Annotated[Path, typer.Option(help="Its own data folder.")] = Path("rox-sandbox"),
) -> None:
    """Play in the browser, without a token: a Discord on this machine, the bot, and a page."""
    _require_simcord()
    from bot.sandbox.play import play_in_browser
    from bot.store.files import StoreError

    _make_folder(data)
    with _exit_on(StoreError), _exit_if_port_taken(port):
        play_in_browser(port, opponents, data, typer.echo)


@app.command()
def demo(
    seed: Annotated[int, typer.Option(help="The same seed plays the same match.")] = 1,
    players: Annotated[int, typer.Option(min=2, max=4, help="How many people play.")] = 3,
    out: Annotated[Path, typer.Option(help="Where transcript and pictures go.")] = Path("demo"),
    live: Annotated[
        bool, typer.Option("--live", help="Play in real time on the sandbox's page instead.")
    ] = False,
    port: Annotated[
        int, typer.Option(min=0, max=65535, help="With --live: the page's port.")
    ] = 8700,
) -> None:
    """Play a whole match against a simulated Discord, without a token."""
    _require_simcord()
    from bot.sandbox.demo.director import DemoError, play_demo

    if live:
        _play_live(seed, players, port)
        return
    _make_folder(out)
    for old in [*out.glob("[0-9][0-9][0-9]-*.png"), *out.glob("transcript.txt")]:
        old.unlink()
    began = time.monotonic()
    typer.echo(f"Playing a match of {players} (seed {seed}) ...")
    with _exit_on(DemoError):
        outcome = asyncio.run(play_demo(seed, players, out, typer.echo))
    typer.echo(f"\n{outcome.standing}\n\n{outcome.leaderboard}\n")
    typer.echo(
        f"{outcome.transcript} and {outcome.pictures} pictures beside it, "
        f"played in {time.monotonic() - began:.0f} s."
    )


@app.command()
def backup(
    file: Annotated[Path, typer.Argument(help="Where the copy goes.")],
) -> None:
    """Copy the database, also while the bot runs."""
    import sqlite3

    from bot.settings import SettingsError, read_database_url
    from bot.store.files import StoreError
    from bot.store.migrate import backup as copy

    if file.exists():
        _exit(f"{file} is there already; name another file.")
    with _exit_on(SettingsError, StoreError, OSError, sqlite3.Error):
        copy(read_database_url(), file)
    typer.echo(f"Copied to {file}")


@app.command()
def gallery(
    folder: Annotated[Path, typer.Argument(help="Where the pictures go.")],
) -> None:
    """Write every kind of picture in every theme, at full size and as phones show it."""
    from bot.games.table import GAMES
    from bot.pictures.gallery import write_gallery

    by_game = {name: game.pictures for name, game in GAMES.items() if game.pictures is not None}
    written = 0
    for name, pictures in by_game.items():
        target = folder / name if len(by_game) > 1 else folder
        _make_folder(target)
        written += write_gallery(target, pictures)
    typer.echo(f"{written} pictures in {folder}")


def _play_live(seed: int, players: int, port: int) -> None:
    from bot.sandbox.demo.director import DemoError
    from bot.sandbox.demo.live import play_live

    with _exit_on(DemoError), _exit_if_port_taken(port):
        typer.echo(f"\n{asyncio.run(play_live(seed, players, port, typer.echo))}")


def _exit(message: str) -> NoReturn:
    """Print a message to standard error and exit with status 1."""
    typer.secho(message, err=True, fg="red")
    raise typer.Exit(1)


def _make_folder(folder: Path) -> None:
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        _exit(f"The folder {folder} can't be made: {error.strerror}.")


@contextmanager
def _exit_on(*errors: type[Exception]) -> Generator[None]:
    """Exit with an error's message, without a traceback, if the block raises one of these."""
    try:
        yield
    except errors as error:
        _exit(str(error))


@contextmanager
def _exit_if_port_taken(port: int) -> Generator[None]:
    """Exit with a message if the block can't use a port, and without one on Ctrl-C."""
    try:
        yield
    except OSError as error:
        _exit(f"Port {port} can't be used: {error.strerror or error}.")
    except KeyboardInterrupt:
        raise typer.Exit(130) from None


def _require_simcord() -> None:
    """Exit with a message if the simulated Discord is not installed."""
    if find_spec("simcord") is None:
        _exit("This needs the extra `sandbox`: pip install 'rox-for-discord[sandbox]'")


def main() -> None:
    """Run the command line."""
    app()


if __name__ == "__main__":
    main()
