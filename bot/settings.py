"""The operator's settings, read once from environment variables or from a file named `.env`."""

from __future__ import annotations

import logging
from typing import Annotated, Final, TypeVar

from pydantic import AfterValidator, Field, SecretStr, ValidationError
from pydantic_settings import BaseSettings, SettingsConfigDict

S = TypeVar("S", bound=BaseSettings)

_LEVELS: Final = ("DEBUG", "INFO", "WARNING", "ERROR")


class SettingsError(Exception):
    """A setting is missing or wrong; the message says which one, and how to correct it."""


def _check_level(value: str) -> str:
    if value.upper() not in _LEVELS:
        raise ValueError(f"must be one of {', '.join(_LEVELS)}")
    return value.upper()


def _check_token(value: SecretStr) -> SecretStr:
    token = value.get_secret_value().strip()
    if not token:
        raise ValueError("must not be empty")
    if not token.isascii() or len(token.split()) > 1:
        raise ValueError("must be the one word that the developer portal shows")
    return SecretStr(token)


def _url_validator(*schemes: str) -> AfterValidator:
    def check(value: str | None) -> str | None:
        if value is not None and not value.startswith(tuple(f"{s}://" for s in schemes)):
            raise ValueError(f"must begin with {' or '.join(f'{s}://' for s in schemes)}")
        return value

    return AfterValidator(check)


class StoreSettings(BaseSettings):
    """The settings of commands that need only the database.

    Attributes:
        database_url: the URL of the SQLite database.
    """

    model_config = SettingsConfigDict(env_file=".env", extra="ignore", populate_by_name=True)

    database_url: Annotated[str, _url_validator("sqlite+aiosqlite")] = Field(
        "sqlite+aiosqlite:///rox.sqlite3", alias="ROX_DATABASE_URL"
    )


class Settings(StoreSettings):
    """The settings of a process that runs the bot.

    Attributes:
        discord_token: the bot's token.
        settle_ms: how long a claim is held for earlier ones, in milliseconds.
        log_level: the lowest level of records that are logged.
        discord_api_url: another URL for Discord's HTTP API, such as a proxy's.
        discord_gateway_url: another URL for Discord's gateway.
    """

    discord_token: Annotated[SecretStr, AfterValidator(_check_token)] = Field(alias="DISCORD_TOKEN")
    settle_ms: int = Field(60, ge=0, le=1000, alias="ROX_SETTLE_MS")
    log_level: Annotated[str, AfterValidator(_check_level)] = Field("INFO", alias="ROX_LOG_LEVEL")
    discord_api_url: Annotated[str | None, _url_validator("http", "https")] = Field(
        None, alias="ROX_DISCORD_API_URL"
    )
    discord_gateway_url: Annotated[str | None, _url_validator("ws", "wss")] = Field(
        None, alias="ROX_DISCORD_GATEWAY_URL"
    )


def read_settings() -> Settings:
    """Read all settings.

    Raises:
        SettingsError: a setting is missing or wrong. The message names the first such setting,
            but never its value, which can be the token.
    """
    return _read(Settings)


def read_database_url() -> str:
    """Read the database's URL; unlike `read_settings`, this needs no token.

    Raises:
        SettingsError: the setting is wrong, or the file `.env` can't be read.
    """
    return _read(StoreSettings).database_url


def _read(kind: type[S]) -> S:
    try:
        return kind()
    except UnicodeDecodeError:
        raise SettingsError("The file .env can't be read: save it as UTF-8 text.") from None
    except OSError as error:
        raise SettingsError(f"The file .env can't be read: {error.strerror}.") from None
    except ValidationError as error:
        first = error.errors(include_input=False, include_url=False)[0]
        name = str(first["loc"][0])
        if first["type"] == "missing":
            raise SettingsError(
                f"{name} is not set: put it into the environment or into a file named .env."
            ) from None
        reason = first["msg"].removeprefix("Value error, ")
        raise SettingsError(f"{name} is wrong: {reason[0].lower()}{reason[1:]}.") from None


def level_number(settings: Settings) -> int:
    """Return the log level as a number of the logging module."""
    return logging.getLevelNamesMapping()[settings.log_level]
