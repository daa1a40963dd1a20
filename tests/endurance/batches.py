"""Batch jobs that are killed, meet another job, or find the disk full: in the end, what they leave is what a job leaves
that nobody disturbs.
"""

from __future__ import annotations

import os
import random
import resource
import shutil
import subprocess
import time
from contextlib import suppress
from importlib.util import find_spec
from itertools import product
from pathlib import Path
from typing import Any, NamedTuple

from tests.batch.common import PLAIN, Stopped, check_equal, chunks_done, pairs, stopped_after, with_bad, write
from tests.batch.job import start_job
from tests.endurance.system_calls import Way, kill_points, run_traced
from tests.endurance.tally import Tally, Terms, UnavailableError
from tests.processes import dask_cluster, descendants, end_of, is_running, kill, start_dask_worker, wait_until
from usim.batch import run
from usim.errors import InputError


def _undisturbed(terms: Terms, records: int, chunk: int) -> tuple[Path, Path]:
    """Return an input and what a job makes of it."""
    given, whole = write(terms.folder / "in.jsonl", with_bad(pairs(records, terms.seed))), terms.folder / "whole.jsonl"
    run(given, whole, PLAIN, chunk=chunk)
    return given, whole


def _compare(out: Path, whole: Path) -> None:
    check_equal(out, whole)
    left = sorted(path.name for path in out.parent.glob(f"{out.name}.partial*"))
    assert not left, f"left behind: {left}"


# -- system calls ----------------------------------------------------------------------------------------------------


class Scenario(NamedTuple):
    """A job.

    Attributes:
        name: what is special about it.
        output: the name of its output.
        options: what :func:`usim.batch.run` gets.
        chunks_before: how many chunks an interrupted job has left; 0 where there was none.
    """

    name: str
    output: str
    options: dict[str, Any]
    chunks_before: int = 0

    def run(self, folder: Path, **more: Any) -> None:
        named = {name: folder / value for name, value in self.options.items() if isinstance(value, str)}
        run(folder / "in.jsonl", folder / self.output, PLAIN, chunk=4, **{**self.options, **named, **more})

    def prepare(self, folder: Path, given: Path) -> None:
        folder.mkdir()
        shutil.copy(given, folder / "in.jsonl")
        if self.output.startswith("older"):
            (folder / self.output).write_text("the output of an older job\n")
        if self.chunks_before:
            with suppress(Stopped):
                self.run(folder, watch=stopped_after(self.chunks_before * 4))


_SCENARIOS = (
    Scenario("fresh", "out.jsonl", {}),
    Scenario("packed, with a summary", "out.jsonl.gz", {"summary": "summary.json"}),
    Scenario("resumed", "out.jsonl", {"errors": "bad.jsonl"}, 3),
    Scenario("restarted", "out.jsonl.zst", {"restart": True}, 2),
    Scenario("over an older output", "older.jsonl", {}),
)
#: Its bytes depend on time.
_OWN = "summary.json"


def _contents(folder: Path) -> dict[str, bytes]:
    # A kill may leave the first part of a file that was to be written whole; nothing ever reads it.
    return {path.name: path.read_bytes() for path in folder.iterdir() if path.suffix != ".part"}


def crash_points(tally: Tally, terms: Terms) -> None:
    """Kill jobs at their system calls that write, in the long form at each of them in three ways, and twice in a row."""
    rng = terms.rng()
    given = write(terms.folder / "in.jsonl", with_bad(pairs(24, terms.seed)))
    folder = terms.folder / "job"  # always the same one, as bad records name their file
    for scenario in _SCENARIOS:
        scenario.prepare(folder, given)
        before = _contents(folder).get(scenario.output)
        calls, code = run_traced(lambda scenario=scenario: scenario.run(folder))
        assert code == 0
        expected = _contents(folder)
        shutil.rmtree(folder)
        twice = [rng.sample(kill_points(calls), 2) for _ in range(terms.count(2, 100))]
        for points in [[point] for point in kill_points(calls, terms, 25)] + twice:
            with tally.case(f"{scenario.name}, killed at {points}"):
                scenario.prepare(folder, given)
                _kill_and_finish(scenario, folder, points, {before, expected[scenario.output]})
                contents = _contents(folder)
                assert sorted(contents) == sorted(expected), "other files"
                differing = [n for n in contents if not n.startswith(_OWN) and contents[n] != expected[n]]
                assert not differing, f"other bytes: {differing}"
            shutil.rmtree(folder, ignore_errors=True)


def _kill_and_finish(
    scenario: Scenario, folder: Path, points: list[tuple[int, Way]], outputs: set[bytes | None]
) -> None:
    for point, way in points:
        outcome = run_traced(lambda: scenario.run(folder), kill_at=point, way=way)
        assert not outcome.code, f"the job failed with exit code {outcome.code}"
        output = folder / scenario.output
        assert (output.read_bytes() if output.exists() else None) in outputs, "half an output has the final name"
    scenario.run(folder)


# -- random moments --------------------------------------------------------------------------------------------------


def kills(tally: Tally, terms: Terms) -> None:
    """Kill parents and workers at random moments, with one job, with two, and on Dask, and start again until the end."""
    if not Path("/proc/self/task").exists():
        raise UnavailableError("processes are looked up in /proc")
    rng, (given, whole) = terms.rng(), _undisturbed(terms, 600, 10)
    started: list[int] = []
    for number, jobs in product(range(terms.count(1, 12)), (1, 2)):
        out = terms.folder / f"out-{jobs}-{number}.jsonl"
        started += _disturb(tally, rng, given, out, whole, terms.count(2, 6), jobs=jobs)
    for number in range(4 if terms.is_long and find_spec("distributed") else 0):
        out = terms.folder / f"out-dask-{number}.jsonl"
        with dask_cluster() as (address, workers):
            started += _disturb(tally, rng, given, out, whole, 4, workers, backend="dask", scheduler=address)

    def shared_memory() -> list[str]:  # loky names it by its process
        own = tuple(f"sem.loky-{process}-" for process in started)
        return [path.name for path in Path("/dev/shm").iterdir() if path.name.startswith(own)]

    tally.check(None if wait_until(lambda: not shared_memory(), 10) else f"left in shared memory: {shared_memory()}")


def _disturb(
    tally: Tally,
    rng: random.Random,
    given: Path,
    out: Path,
    whole: Path,
    kills: int,
    workers: list[Any] | None = None,
    **options: Any,
) -> list[int]:
    """Start a job and kill its parent or a worker, so many times; let it come to its end, and return the processes."""
    started = []
    for number in range(kills + 20):
        process = start_job(given, out, delay=0.002, chunk=10, **options)
        started.append(process.pid)
        with tally.case(f"{out.name}, start {number}"):
            if number < kills and _is_parent_killed(rng, process, out, workers):
                continue
            code, messages = end_of(process, 120)
            is_told = code == 1 and "Traceback" not in messages and "usim:" in messages
            assert code == 0 or is_told, f"exit code {code}: {messages[-300:]}"
            if number >= kills and code == 0:
                break
    with tally.case(out.name):
        _compare(out, whole)
    return started


def _is_parent_killed(
    rng: random.Random, process: subprocess.Popen[bytes], out: Path, workers: list[Any] | None
) -> bool:
    """Kill the parent or a worker, and return whether it was the parent."""
    before = chunks_done(out)
    if rng.random() < 0.7:  # else while it starts
        wait_until(lambda: process.poll() is not None or chunks_done(out) > before, 60)
    time.sleep(rng.uniform(0, 0.4))
    below = descendants(process.pid)
    if rng.random() < 0.5 or not (below or workers):
        process.kill()
        process.communicate()
        below += descendants(process.pid)
        assert wait_until(lambda: not any(map(is_running, below)), 15), "workers outlive their parent"
        return True
    if workers:
        worker = workers.pop(rng.randrange(len(workers)))
        worker.kill()
        worker.wait()
        workers.append(start_dask_worker(worker.args[-1]))
    else:
        kill(rng.choice(below))
    return False


# -- the disk --------------------------------------------------------------------------------------------------------


def full_disk(tally: Tally, terms: Terms) -> None:
    """Let files grow to many sizes and no further, then go on with room."""
    given, whole = _undisturbed(terms, 60, 5)
    largest = whole.stat().st_size + 2000
    limits = range(0, largest, 97) if terms.is_long else terms.rng().sample(range(largest), 8)
    folder = terms.folder / "job"
    kept = {"summary": folder / "summary.json"}
    for limit, options in product(limits, ({}, kept)):
        (folder / "out").mkdir(parents=True)
        with tally.case(f"files of at most {limit} bytes, {', '.join(options)}"):
            _fill_and_go_on(folder / "out" / "out.jsonl", given, whole, limit, options)
        shutil.rmtree(folder)


def _fill_and_go_on(out: Path, given: Path, whole: Path, limit: int, options: dict[str, Any]) -> None:
    process = os.fork()
    if not process:
        resource.setrlimit(resource.RLIMIT_FSIZE, (limit, limit))
        code = 2
        try:
            run(given, out, PLAIN, chunk=5, **options)
            code = 0
        except InputError:
            code = 1
        finally:
            os._exit(code)
    code = os.waitstatus_to_exitcode(os.waitpid(process, 0)[1])
    assert code in (0, 1), f"the job ends with {code}, and not with an InputError"
    assert not out.exists() or out.read_bytes() == whole.read_bytes(), "half an output has the final name"
    assert code or out.exists(), "no output, and no error"
    run(given, out, PLAIN, chunk=5, **options)
    check_equal(out, whole)
    assert len(list(out.parent.iterdir())) == 2, f"left behind: {sorted(os.listdir(out.parent))}"
