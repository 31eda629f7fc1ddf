"""The lanes of the test run: everything runs once, files keep together, ALONE is alone."""

import heapq
import subprocess
import sys
from itertools import pairwise
from pathlib import Path
from random import Random
from types import SimpleNamespace

import pytest
from xdist.remote import Producer

from tests.kit import lanes
from tests.kit.lanes import ALONE, COMPUTES, WAITS, LaneScheduling, lane_of

LISTED = {
    WAITS: ["wire/test_long.py", "wire", "sandbox"],
    ALONE: ["bench/test_hold.py"],
}
FILES = {
    "game/test_race.py": 7,
    "game/test_deck.py": 5,
    "game/test_log.py": 1,
    "store/test_journal.py": 3,
    "wire/test_short.py": 2,
    "wire/test_long.py": 4,
    "sandbox/test_page.py": 3,
    "bench/test_hold.py": 3,
    "bench/test_frames.py": 2,
}
ROOT = Path(__file__).parents[1]
TESTS = [f"{file}::test_{number}" for file, count in FILES.items() for number in range(count)]


class Worker:
    """Starts a test, as xdist's workers do, when the next one or the end is known."""

    def __init__(self, number):
        self.gateway = SimpleNamespace(id=f"gw{number}")
        self.queue = []
        self.current = None
        self.shutting_down = False

    def send_runtest_some(self, indices):
        assert not self.shutting_down
        self.queue += indices

    def shutdown(self):
        self.shutting_down = True

    def start(self):
        if self.current is None and len(self.queue) > (0 if self.shutting_down else 1):
            self.current = self.queue.pop(0)
            return True
        return False

    @property
    def has_ended(self):
        return self.shutting_down and self.current is None and not self.queue


class Run:
    """A run of tests in simulated time; `ran` has who ran what, from when to when."""

    def __init__(self, workers, tests=TESTS, seed=0, crashes=()):
        config = SimpleNamespace(
            getini=LISTED.get,
            getvalue={"tx": ["popen"] * workers}.get,
            hook=None,
        )
        self.tests, self.random, self.crashes = tests, Random(seed), set(crashes)
        self.scheduling = LaneScheduling(config, Producer("lanes", enabled=False))
        self.workers = [Worker(number) for number in range(workers)]
        self.started, self.now, self.ends, self.ran = workers, 0.0, [], []
        for worker in self.workers:
            self.scheduling.add_node(worker)
        for worker in self.workers:
            self.scheduling.add_node_collection(worker, tests)
        self.scheduling.schedule()
        while self._step():
            pass
        assert self.scheduling.tests_finished
        assert self.workers == []

    def _step(self):
        for worker in list(self.workers):
            if worker.has_ended:
                self.workers.remove(worker)
                assert self.scheduling.remove_node(worker) is None
                return True
        for worker in self.workers:
            if worker.start():
                takes = self.random.expovariate(1)
                heapq.heappush(self.ends, (self.now + takes, worker.gateway.id, worker, self.now))
        if not self.ends:
            return False
        self.now, name, worker, began = heapq.heappop(self.ends)
        test = self.tests[worker.current]
        if test in self.crashes:
            self.crashes.remove(test)
            self._crash(worker, test)
            return True
        self.ran.append((test, name, began, self.now))
        index, worker.current = worker.current, None
        self.scheduling.mark_test_complete(worker, index, self.now - began)
        return True

    def _crash(self, worker, test):
        self.workers.remove(worker)
        assert self.scheduling.remove_node(worker) == test
        other = Worker(self.started)
        self.started += 1
        self.workers.append(other)
        self.scheduling.add_node(other)
        self.scheduling.add_node_collection(other, self.tests)
        self.scheduling.schedule()


def lane(test):
    return lane_of(SimpleNamespace(getini=LISTED.get), test)[0]


@pytest.fixture(autouse=True)
def _two_cores(monkeypatch):
    monkeypatch.setattr(lanes, "cores", lambda: 2)


def runs(workers, **options):
    for seed in range(30):
        yield Run(workers, seed=seed, **options).ran


@pytest.mark.parametrize("workers", [1, 2, 3, 6])
def test_everything_runs_once_and_files_keep_together(workers):
    for ran in runs(workers):
        assert sorted(test for test, *_ in ran) == sorted(TESTS)
        for file, count in FILES.items():
            own = [(test, worker) for test, worker, *_ in ran if test.startswith(file)]
            assert [test for test, _ in own] == [f"{file}::test_{n}" for n in range(count)]
            assert len({worker for _, worker in own}) == 1


@pytest.mark.parametrize("workers", [1, 2, 3, 6])
def test_tests_that_run_alone_run_last_and_one_by_one(workers):
    for ran in runs(workers):
        alone = [when for test, _, *when in ran if lane(test) == ALONE]
        others = [when for test, _, *when in ran if lane(test) != ALONE]
        assert max(end for _, end in others) <= min(begin for begin, _ in alone)
        assert all(one[1] <= next_[0] for one, next_ in pairwise(alone))


def test_waiting_workers_leave_computing_to_the_others():
    for ran in runs(6):
        computed = {worker for test, worker, *_ in ran if lane(test) == COMPUTES}
        alone = {worker for test, worker, *_ in ran if lane(test) == ALONE}
        assert computed == {"gw0", "gw1"}
        assert not alone & computed


def test_computing_workers_help_when_nothing_is_left_to_compute():
    tests = [test for test in TESTS if lane(test) == WAITS]
    for ran in runs(3, tests=tests):
        assert "gw0" in {worker for _, worker, *_ in ran}


def test_the_file_that_is_listed_first_begins_first():
    for ran in runs(3):
        waiting = sorted((begin, test) for test, worker, begin, _ in ran if worker == "gw2")
        assert waiting[0][1].startswith("wire/test_long.py")


@pytest.mark.parametrize("tests", [[], TESTS[:1], [t for t in TESTS if t.startswith("bench")]])
def test_few_tests_for_many_workers(tests):
    for ran in runs(6, tests=tests):
        assert sorted(test for test, *_ in ran) == sorted(tests)


@pytest.mark.parametrize("test", [TESTS[0], TESTS[-1], TESTS[-3]])
def test_another_worker_goes_on_for_one_that_crashed(test):
    for ran in runs(6, crashes=[test]):
        assert {test for test, *_ in ran} == set(TESTS)


PROJECT = {
    "pyproject.toml": """
        [tool.pytest.ini_options]
        addopts = "-n auto --dist loadfile --strict-markers -p no:cacheprovider"
        waits = ["test_waits.py"]
        alone = ["test_alone.py"]
    """,
    "conftest.py": """
        import os, pytest
        pytest_plugins = ("tests.kit.lanes",)

        @pytest.fixture(autouse=True)
        def niceness(request):
            with open("niceness", "a") as file:
                file.write(f"{request.node.path.stem} {os.nice(0)}\\n")
    """,
    "test_computes.py": "def test_one(): pass\ndef test_two(): pass",
    "test_waits.py": "def test_one(): pass\ndef test_two(): pass",
    "test_alone.py": "def test_one(): pass",
}


@pytest.fixture
def project(tmp_path):
    for name, text in PROJECT.items():
        lines = text.strip("\n").splitlines()
        indent = len(lines[0]) - len(lines[0].lstrip())
        (tmp_path / name).write_text("\n".join(line[indent:] for line in lines) + "\n")
    return tmp_path


def pytest_in(project, *options):
    result = subprocess.run(
        [sys.executable, "-m", "pytest", *options],
        check=False,
        cwd=project,
        env={"PYTHONPATH": str(ROOT)},
        capture_output=True,
        text=True,
    )
    return result.stdout


def test_pytest_runs_the_lanes(project):
    assert "5 passed" in pytest_in(project)
    lines = [line.split() for line in (project / "niceness").read_text().splitlines()]
    niceness = {stem: int(value) for stem, value in lines}
    lowest_priority = 19
    lowered = min(niceness["test_alone"] + lanes.NICENESS, lowest_priority)
    assert niceness["test_computes"] == lowered
    assert lines[-1][0] == "test_alone"


@pytest.mark.parametrize(
    ("options", "result"),
    [
        (["-m", "waits"], "2 passed"),
        (["-n", "0"], "5 passed"),
        (["-k", "one"], "3 passed"),
        (["test_waits.py::test_two"], "1 passed"),
    ],
)
def test_pytest_runs_what_is_chosen(project, options, result):
    assert result in pytest_in(project, *options)


def test_lists_name_files_that_exist(request):
    for name in (WAITS, ALONE):
        listed = request.config.getini(name)
        assert listed
        assert [path for path in listed if not (ROOT / path).exists()] == []
