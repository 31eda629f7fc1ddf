"""kill -9 at any moment of running matches: no answer is lost, and nothing happens twice."""

import os
import random

import pytest

from tests.kit.wire.kills.killing import Killing, Plan


def seed():
    """From the environment, to see a run again; else another each time."""
    return int(os.environ.get("ROX_SEED") or random.SystemRandom().randrange(1_000_000))


def tell(text):
    print(text)  # noqa: T201 - pytest shows it when a run fails, and with -s


async def test_a_few_kills_lose_nothing_and_repeat_nothing(tmp_path):
    """Two matches in their last round, one just opened; `ROX_SEED` repeats a run's choices."""
    plan = Plan(seed=seed(), kills=8, rings=(2, 3, 2), ahead=2, longest=0.8)
    tell(f"ROX_SEED={plan.seed}")
    figures = await Killing(plan, tmp_path).run()
    tell(figures.summary(plan))


@pytest.mark.slow
async def test_two_hundred_kills_lose_nothing_and_repeat_nothing(tmp_path):
    """Whole matches in six channels: `pytest -n 0 -s -m slow tests/wire/test_kills.py`."""
    plan = Plan(seed=seed(), kills=200, rings=(2, 3, 2, 3, 2, 4))
    tell(f"ROX_SEED={plan.seed}")
    figures = await Killing(plan, tmp_path).run()
    tell(figures.summary(plan))
    assert sum(figures.points.values()) == plan.kills
