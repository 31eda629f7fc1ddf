"""What holds for all tests."""

from __future__ import annotations

import os

import pytest
from hypothesis import settings

pytest_plugins = ("tests.kit.lanes",)

settings.register_profile("same-every-time", derandomize=True, deadline=None, print_blob=True)
settings.load_profile("same-every-time")


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
