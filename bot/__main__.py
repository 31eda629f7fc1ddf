"""The command line: `rox run`, `rox demo`."""

from __future__ import annotations

import asyncio
import time
from importlib.util import find_spec
from pathlib import Path
from typing import Annotated

import typer

app = typer.Typer(
    name="rox",
    help="Rox, the card race, as real-time matches in Discord channels.",
    no_args_is_help=True,
    add_completion=False,
    pretty_exceptions_enable=False,
)


@app.command()
def run() -> None:
    """Run the bot. Settings come from the environment or from a file named .env."""
    from bot.running import CannotRunError, run_bot
    from bot.settings import SettingsError, read_settings

    try:
        run_bot(read_settings())
    except (SettingsError, CannotRunError) as error:
        typer.secho(str(error), err=True, fg="red")
        raise typer.Exit(1) from None


@app.command()
def demo(
    seed: Annotated[int, typer.Option(help="The same seed plays the same match.")] = 1,
    players: Annotated[int, typer.Option(min=2, max=4, help="How many people play.")] = 3,
    out: Annotated[Path, typer.Option(help="Where transcript and pictures go.")] = Path("demo"),
) -> None:
    """Play a whole match against a simulated Discord, without a token."""
    _need_sandbox()
    from bot.demo.director import DemoError, play_demo

    out.mkdir(parents=True, exist_ok=True)
    for old in [*out.glob("[0-9][0-9][0-9]-*.png"), *out.glob("transcript.txt")]:
        old.unlink()
    began = time.monotonic()
    typer.echo(f"Playing a match of {players} (seed {seed}) ...")
    try:
        outcome = asyncio.run(play_demo(seed, players, out, typer.echo))
    except DemoError as error:
        typer.secho(f"{error}", err=True, fg="red")
        raise typer.Exit(1) from None
    typer.echo(f"\n{outcome.standing}\n\n{outcome.leaderboard}\n")
    typer.echo(
        f"{outcome.transcript} and {outcome.pictures} pictures beside it, "
        f"played in {time.monotonic() - began:.0f} s."
    )


def _need_sandbox() -> None:
    """End with one sentence where the simulated Discord is not installed."""
    if find_spec("simcord") is None:
        typer.secho(
            "This needs the extra `sandbox`: pip install 'rox-for-discord[sandbox]'",
            err=True,
            fg="red",
        )
        raise typer.Exit(1)


def main() -> None:
    """Run the command line."""
    app()


if __name__ == "__main__":
    main()
