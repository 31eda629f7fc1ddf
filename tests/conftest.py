"""What holds for all tests."""

from __future__ import annotations

import os
import random

import pytest
from hypothesis import settings

pytest_plugins = ("tests.kit.lanes",)

settings.register_profile("same-every-time", derandomize=True, deadline=None, print_blob=True)
settings.load_profile("same-every-time")


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption(
        "--seed",
        type=int,
        help="seed of tests that draw at random (default: ROX_SEED, or a new one for each run)",
    )


def pytest_configure(config: pytest.Config) -> None:
    if hasattr(config, "workerinput"):
        config.option.seed = config.workerinput["seed"]
    elif config.option.seed is None:
        chosen = os.environ.get("ROX_SEED") or random.SystemRandom().randrange(1_000_000)
        config.option.seed = int(chosen)


@pytest.hookimpl(optionalhook=True)
def pytest_configure_node(node) -> None:
    node.workerinput["seed"] = node.config.option.seed


def pytest_report_header(config: pytest.Config) -> str:
    return f"seed: {config.option.seed} (--seed {config.option.seed} draws the same again)"


@pytest.fixture(scope="session")
def run_seed(request: pytest.FixtureRequest) -> int:
    """The seed of this run, for tests that draw at random and have no fixed seed of their own."""
    return request.config.option.seed


@pytest.hookimpl(hookwrapper=True)
def pytest_runtest_makereport(item: pytest.Item, call: pytest.CallInfo[None]):
    """Count a skipped test as failed where everything that tests need is installed."""
    outcome = yield
    report = outcome.get_result()
    if (
        report.skipped
        and not hasattr(report, "wasxfail")
        and os.environ.get("ROX_TESTS_MUST_NOT_SKIP")
    ):
        report.outcome = "failed"
        report.longrepr = f"skipped, but must not be: {report.longrepr}"
