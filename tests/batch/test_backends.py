"""Chunks to workers: windows, real processes, and workers that go away."""

from __future__ import annotations

import concurrent.futures
import doctest
import os
import signal
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from tests.batch.common import PLAIN, check_whole, pairs, wait_for, with_bad, write
from tests.batch.job import start_job
from tests.batch.slow_parser import WordParser
from tests.processes import ROOT
from usim.batch import Task, run
from usim.batch._backends import Pool, Workers, _in_window
from usim.errors import FormatError, ParsingError


class Immediate:
    """A call that is over when it is asked for, and not before."""

    def __init__(self, function: Any, argument: Any) -> None:
        self._function, self._argument = function, argument
        self.cancelled = False

    def done(self) -> bool:
        return False

    def result(self) -> Any:
        return self._function(self._argument)

    def cancel(self) -> None:
        self.cancelled = True


@pytest.mark.parametrize("room", [1, 5])
def test_never_more_than_so_many_chunks_are_under_way(room: int) -> None:
    read: list[int] = []
    given_back: list[int] = []

    def numbers() -> Iterator[int]:
        for number in range(80):
            read.append(number)
            assert len(read) - len(given_back) <= room
            yield number

    for number in _in_window(Pool(Immediate, room), abs, numbers()):
        given_back.append(number)
    assert given_back == read == list(range(80))


def test_what_is_ready_is_given_before_more_is_read() -> None:
    with concurrent.futures.ThreadPoolExecutor(1) as executor:
        read: list[int] = []

        def numbers() -> Iterator[int]:
            for number in range(20):
                read.append(number)
                yield number
                time.sleep(0.02)

        results = _in_window(Pool(executor.submit, 9), abs, numbers())
        assert next(results) == 0
        assert len(read) < 9


def test_leaving_early_gives_up_what_is_under_way() -> None:
    calls: list[Immediate] = []
    aborted: list[int] = []

    def submit(function: Any, argument: Any) -> Immediate:
        calls.append(Immediate(function, argument))
        return calls[-1]

    results = _in_window(Pool(submit, 5, lambda pending: aborted.append(len(list(pending)))), abs, range(9))
    next(results)
    results.close()
    assert [call.cancelled for call in calls] == [False, True, True, True, True]
    assert aborted == [4], "what is under way"


@pytest.fixture(scope="module")
def _workers() -> Iterator[None]:
    """loky keeps its processes for the next call; the last one sends them home."""
    yield
    from joblib.externals.loky import get_reusable_executor

    get_reusable_executor().shutdown(wait=True, kill_workers=True)


@pytest.mark.slow
@pytest.mark.usefixtures("_workers")
def test_processes_give_the_same_and_share_their_parses(tmp_path: Path) -> None:
    path = write(tmp_path / "a.jsonl", with_bad(pairs(120)))
    log = tmp_path / "log"
    # Slow enough that the second process has started before the first one is through.
    task = Task(parser=WordParser(log=str(log), delay=0.03), judge="none")
    summary = run(path, tmp_path / "two.jsonl", task, chunk=7, jobs=2)
    check_whole(tmp_path / "two.jsonl", path, chunk=7)
    parsed = [line.split("\t") for line in log.read_text().splitlines()]
    # Two processes that meet a sentence at the same moment both parse it.
    distinct = {sentence for _, sentence in parsed}
    assert len(parsed) - len(distinct) <= len(distinct) // 10
    assert len({process for process, _ in parsed}) == 2
    assert summary.parsed == len(parsed)
    again = run(path, tmp_path / "two.jsonl", task, chunk=7, jobs=2)  # by the same processes
    assert (again.parsed + again.hits, again.notes) == (summary.parsed + summary.hits, ())
    assert again.parsed - len(distinct) <= len(distinct) // 10
    with pytest.raises(FormatError, match="no field"):
        run(path, tmp_path / "two.jsonl", task, chunk=7, jobs=2, strict=True)
    with pytest.raises(ParsingError, match="no such model"):
        run(path, tmp_path / "two.jsonl", Task(parser="nothing", judge="none"), jobs=2)


@pytest.mark.slow
def test_a_worker_is_killed(tmp_path: Path) -> None:
    path = write(tmp_path / "a.jsonl", pairs(600))
    out, log = tmp_path / "out.jsonl", tmp_path / "log"
    process = start_job(path, out, delay=0.004, log=log, chunk=10, jobs=2)
    wait_for(out, 3)
    workers = sorted({int(line.split("\t")[0]) for line in log.read_text().splitlines()})
    os.kill(workers[0], signal.SIGKILL)
    _, told = process.communicate(timeout=120)
    assert process.returncode == 1
    assert b"was lost" in told
    assert b"same command again" in told
    assert run(path, out, PLAIN, chunk=10).before >= 20
    check_whole(out, path, chunk=10)


@pytest.mark.parametrize("jobs", [None, 3])
def test_how_many_workers(jobs: int | None) -> None:
    assert Workers(jobs).is_this_process == (jobs is None)
    assert not Workers(jobs, "dask", "tcp://127.0.0.1:1").is_this_process


def test_the_examples_of_the_documentation_run() -> None:
    failed, tried = doctest.testfile(str(ROOT / "docs/how-to/batch.md"), module_relative=False, encoding="utf-8")
    assert tried > 5
    assert failed == 0
