"""Settings: from the environment or .env; what is missing or wrong is said in one sentence."""

import logging
from pathlib import Path

import pytest

from bot.settings import SettingsError, level_number, read_settings

NAMES = (
    "DISCORD_TOKEN",
    "ROX_DATABASE_URL",
    "ROX_SETTLE_MS",
    "ROX_LOG_LEVEL",
    "ROX_DISCORD_API_URL",
    "ROX_DISCORD_GATEWAY_URL",
)
KEYWORD = "MTIz.Gabc12.letmein"


@pytest.fixture(autouse=True)
def clean(monkeypatch, tmp_path):
    for name in NAMES:
        monkeypatch.delenv(name, raising=False)
    monkeypatch.chdir(tmp_path)


def wrong():
    with pytest.raises(SettingsError) as caught:
        read_settings()
    sentence = str(caught.value)
    assert sentence.endswith(".")
    assert "\n" not in sentence
    return sentence


def test_defaults(monkeypatch):
    monkeypatch.setenv("DISCORD_TOKEN", KEYWORD)
    settings = read_settings()
    assert settings.discord_token.get_secret_value() == KEYWORD
    assert settings.database_url == "sqlite+aiosqlite:///rox.sqlite3"
    assert settings.settle_ms == 60
    assert level_number(settings) == logging.INFO
    assert settings.discord_api_url is None
    assert settings.discord_gateway_url is None


def test_everything_can_come_from_a_file_and_the_environment_comes_first(monkeypatch):
    Path(".env").write_text(
        "DISCORD_TOKEN= 'from-file' \n"
        "ROX_DATABASE_URL=sqlite+aiosqlite:////data/rox.sqlite3\n"
        "ROX_SETTLE_MS=0\nROX_LOG_LEVEL=debug\n"
        "ROX_DISCORD_API_URL=http://127.0.0.1:1/api\n"
        "ROX_DISCORD_GATEWAY_URL=ws://127.0.0.1:2\n"
        "SOMETHING_ELSE=1\n"
    )
    monkeypatch.setenv("ROX_SETTLE_MS", "250")
    settings = read_settings()
    assert settings.discord_token.get_secret_value() == "from-file"
    assert settings.database_url == "sqlite+aiosqlite:////data/rox.sqlite3"
    assert settings.settle_ms == 250
    assert level_number(settings) == logging.DEBUG
    assert settings.discord_api_url == "http://127.0.0.1:1/api"
    assert settings.discord_gateway_url == "ws://127.0.0.1:2"


def test_the_example_file_names_every_setting_and_lacks_only_the_token(monkeypatch):
    example = (Path(__file__).parents[2] / ".env.example").read_text(encoding="utf-8")
    for name in NAMES:
        assert f"{name}=" in example
    Path(".env").write_text(example)
    assert "DISCORD_TOKEN" in wrong()
    Path(".env").write_text(example.replace("#ROX_", "ROX_"))
    monkeypatch.setenv("DISCORD_TOKEN", KEYWORD)
    assert read_settings().database_url == "sqlite+aiosqlite:///rox.sqlite3"


def test_a_missing_token_is_named_with_what_to_do():
    sentence = wrong()
    assert "DISCORD_TOKEN is not set" in sentence
    assert ".env" in sentence


@pytest.mark.parametrize("token", ["", "  ", "\n", "two words", "a\nb", "abc\tdef", "tökén"])
def test_a_token_that_cannot_be_one_is_refused_without_being_shown(monkeypatch, token):
    monkeypatch.setenv("DISCORD_TOKEN", token)
    sentence = wrong()
    assert sentence.startswith("DISCORD_TOKEN is wrong: ")
    assert not token.strip() or token.strip() not in sentence


def test_white_space_around_a_token_is_forgiven(monkeypatch):
    monkeypatch.setenv("DISCORD_TOKEN", f"  {KEYWORD}\n")
    assert read_settings().discord_token.get_secret_value() == KEYWORD


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("ROX_DATABASE_URL", "rox.sqlite3"),
        ("ROX_DATABASE_URL", "postgresql+asyncpg://x/y"),
        ("ROX_DATABASE_URL", ""),
        ("ROX_SETTLE_MS", "soon"),
        ("ROX_SETTLE_MS", "-1"),
        ("ROX_SETTLE_MS", "1001"),
        ("ROX_SETTLE_MS", "1.5"),
        ("ROX_LOG_LEVEL", "LOUD"),
        ("ROX_LOG_LEVEL", ""),
        ("ROX_DISCORD_API_URL", "discord.com"),
        ("ROX_DISCORD_GATEWAY_URL", "http://gateway.example"),
    ],
)
def test_a_wrong_setting_is_named(monkeypatch, name, value):
    monkeypatch.setenv("DISCORD_TOKEN", KEYWORD)
    monkeypatch.setenv(name, value)
    sentence = wrong()
    assert sentence.startswith(f"{name} is wrong: ")
    assert KEYWORD not in sentence


def test_a_file_that_is_no_text_is_named():
    Path(".env").write_bytes(b"DISCORD_TOKEN=caf\xe9\n")
    sentence = wrong()
    assert ".env" in sentence
    assert "UTF-8" in sentence


def test_the_token_does_not_show_when_settings_are_printed(monkeypatch):
    monkeypatch.setenv("DISCORD_TOKEN", KEYWORD)
    assert KEYWORD not in repr(read_settings())
    assert KEYWORD not in str(read_settings())
