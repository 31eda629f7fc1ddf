"""The seed of a run: chosen or drawn, shown in the header, the same in every worker."""

import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]
PRINTS_SEED = """
import pytest

@pytest.mark.parametrize("number", range(4))
def test(run_seed, number):
    print("drawn:", run_seed)
"""


@pytest.fixture
def seeds(tmp_path):
    """Run a few tests in two workers; return the seed of the header and those of the tests."""
    (tmp_path / "conftest.py").write_text((ROOT / "tests" / "conftest.py").read_text())
    (tmp_path / "test_prints.py").write_text(PRINTS_SEED)

    def run(*options, **environment):
        result = subprocess.run(
            [sys.executable, "-m", "pytest", "-n", "2", "-rP", *options],
            check=True,
            cwd=tmp_path,
            env={"PATH": os.environ["PATH"], "PYTHONPATH": str(ROOT), **environment},
            capture_output=True,
            text=True,
        )
        (header,) = re.findall(r"^seed: (\d+)", result.stdout, flags=re.MULTILINE)
        drawn = re.findall(r"drawn: (\d+)", result.stdout)
        assert len(drawn) == 4
        return int(header), {int(seed) for seed in drawn}

    return run


def test_every_worker_has_the_seed_of_the_header(seeds):
    header, drawn = seeds()
    assert drawn == {header}


def test_a_seed_can_be_chosen(seeds):
    assert seeds("--seed", "7", ROX_SEED="8") == (7, {7})
    assert seeds(ROX_SEED="8") == (8, {8})
