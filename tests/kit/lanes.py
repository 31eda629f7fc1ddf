"""A pytest plugin that runs tests in three lanes: some compute, some wait, some run alone.

Most tests keep a core busy; one worker process per core runs these. Tests over real HTTP, in a
browser, or with the bot in a process of its own sleep for nine tenths of their time; a few more
workers run these beside the others. Tests that measure milliseconds run at the end, one by one,
after every other worker has ended.

``waits`` and ``alone`` in ``pyproject.toml`` list the files and folders of the last two lanes, the
longest first, and markers of the same names select their tests. The lanes are made of the workers
of ``-n auto --dist loadfile``. With ``-n 0``, or if only one file is asked for, all tests run in
pytest's own process.
"""

from __future__ import annotations

import os
from pathlib import Path

import pytest
from xdist.scheduler import LoadFileScheduling

WAITING_WORKERS = 4
NICENESS = 10
COMPUTES, WAITS, ALONE = "computes", "waits", "alone"


def lane_of(config, path):
    """The lane of a test or file, and its place in the list of this lane."""
    path = path.partition("::")[0]
    for lane in (ALONE, WAITS):
        for place, listed in enumerate(config.getini(lane)):
            if f"{path}/".startswith(f"{listed}/"):
                return lane, place
    return COMPUTES, 0


def cores():
    """How many cores this process may use."""
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count()


def is_computing(worker):
    """Whether a worker is in the computing lane: the first ones are, one per core."""
    return int(worker.removeprefix("gw")) < cores()


class LaneScheduling(LoadFileScheduling):
    """Hands out whole files, to each worker those of its lane first.

    A worker starts a test only when it knows the next one, or that none follows.
    """

    def schedule(self):
        """Hand out the first files; also called when a worker has replaced a crashed one."""
        if self.collection is None:
            if not self._check_nodes_have_same_collection():
                return
            self.collection = list(next(iter(self.registered_collections.values())))
            units = {}
            for nodeid in self.collection:
                units.setdefault(self._split_scope(nodeid), {})[nodeid] = False
            # A long file that starts last keeps one worker busy while the others have ended. Nobody
            # lists how long the computing files take, so the number of their tests has to do.
            for scope in sorted(
                units, key=lambda scope: (self._lane(scope)[1], -len(units[scope]))
            ):
                self.workqueue[scope] = units[scope]
        self._reschedule_all()

    def remove_node(self, node):
        crashed_test = super().remove_node(node)
        self._reschedule_all()
        return crashed_test

    @property
    def tests_finished(self):
        # Workers are shut down one at a time. xdist's own answer is yes as soon as no worker has
        # more than one test left, and these would then run side by side, also one of ALONE.
        return self.collection_is_completed and not self.has_pending

    def _lane(self, scope):
        return lane_of(self.config, scope)

    def _split_scope(self, nodeid):
        # The worker that stays for ALONE gets the first of these tests early, see `_next`.
        return nodeid if self._lane(nodeid)[0] == ALONE else super()._split_scope(nodeid)

    def _reschedule_all(self):
        for node in list(self.nodes):
            self._reschedule(node)

    def _reschedule(self, node):
        while not node.shutting_down and self._pending_of(self.assigned_work[node]) < 2:
            scope = self._next(node)
            if scope is not None:
                self.workqueue.move_to_end(scope, last=False)
                self._assign_work_unit(node)
            elif self._holds_alone(node) and len(self.nodes) > 1:
                return
            else:
                node.shutdown()

    def _next(self, node):
        """The next file for a worker, or None."""
        others = [n for n in self.nodes if n is not node and not n.shutting_down]
        waiting = [n for n in others if not is_computing(n.gateway.id)]
        if self._holds_alone(node):
            lanes = []
        elif is_computing(node.gateway.id):
            lanes = [COMPUTES, WAITS]
        else:
            lanes = [WAITS] if len(waiting) < len(others) else [WAITS, COMPUTES]
        # One worker stays for ALONE, if possible one whose priority is not lowered. A first test of
        # these makes it finish what it has; more of them start it, when all others have ended.
        stays = not (others if is_computing(node.gateway.id) else waiting)
        if stays and (len(self.nodes) == 1 or not self._holds_alone(node)):
            lanes.append(ALONE)
        return next((s for lane in lanes for s in self.workqueue if self._lane(s)[0] == lane), None)

    def _holds_alone(self, node):
        return any(
            self._lane(scope)[0] == ALONE and not all(unit.values())
            for scope, unit in self.assigned_work[node].items()
        )


def pytest_addoption(parser):
    parser.addini(WAITS, "files and folders of tests that wait for real time", "linelist")
    parser.addini(ALONE, "files and folders of tests that run alone", "linelist")


def pytest_configure(config):
    for lane in (WAITS, ALONE):
        config.addinivalue_line("markers", f"{lane}: its file is listed under `{lane}`")
    worker = getattr(config, "workerinput", None)
    if worker and worker["workercount"] > cores() and is_computing(worker["workerid"]):
        # Tests that wait measure in seconds how late things come, so they go first.
        os.nice(NICENESS)


@pytest.hookimpl(tryfirst=True)
def pytest_xdist_auto_num_workers(config):
    """Start the workers that the chosen tests can use; for a single file, none."""
    if "PYTEST_XDIST_AUTO_NUM_WORKERS" in os.environ:
        return None
    here, root = config.invocation_params.dir, config.rootpath
    chosen = {os.path.relpath(here / arg.partition("::")[0], root) for arg in config.args}
    if len(chosen) == 1 and Path(*chosen).suffix == ".py":
        return 0
    waits = any(
        f"{path}/".startswith(f"{listed}/") or f"{listed}/".startswith(f"{path}/") or path == "."
        for path in chosen
        for listed in config.getini(WAITS)
    )
    return cores() + (WAITING_WORKERS if waits else 0)


def pytest_xdist_make_scheduler(config, log):
    return LaneScheduling(config, log) if config.getvalue("dist") == "loadfile" else None


@pytest.hookimpl(tryfirst=True)
def pytest_collection_modifyitems(config, items):
    for item in items:
        lane, _ = lane_of(config, item.nodeid)
        if lane != COMPUTES:
            item.add_marker(lane)
