"""kill -9 at any moment of running matches: no answer is lost, and nothing happens twice."""

import pytest

from tests.kit.wire.kills.killing import Killing, Plan


def tell(text):
    print(text)  # noqa: T201 - pytest shows it when a run fails, and with -s


async def test_a_few_kills_lose_nothing_and_repeat_nothing(tmp_path, run_seed):
    """Two matches in their last round, one just opened; `--seed` repeats a run's choices."""
    plan = Plan(seed=run_seed, kills=8, rings=(2, 3, 2), ahead=2, longest=0.8)
    figures = await Killing(plan, tmp_path).run()
    tell(figures.summary(plan))


@pytest.mark.slow
async def test_two_hundred_kills_lose_nothing_and_repeat_nothing(tmp_path, run_seed):
    """Whole matches in six channels: `pytest -n 0 -s -m slow tests/wire/test_kills.py`."""
    plan = Plan(seed=run_seed, kills=200, rings=(2, 3, 2, 3, 2, 4))
    figures = await Killing(plan, tmp_path).run()
    tell(figures.summary(plan))
    assert sum(figures.points.values()) == plan.kills
