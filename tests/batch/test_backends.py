"""Chunks to workers: windows, real processes, and workers that go away."""

from __future__ import annotations

import doctest
import os
import signal
import time
from collections.abc import Iterator
from pathlib import Path

import joblib
import pytest
from joblib.externals.loky import get_reusable_executor

from tests.batch.common import PLAIN, check_whole, pairs, wait_for, with_bad, write
from tests.batch.job import start_job
from tests.batch.slow_parser import WordParser
from tests.processes import ROOT
from usim import Scorer, score_many
from usim.batch import Task, run
from usim.batch._backends import Workers
from usim.errors import InputError, ParsingError


def double(number: int) -> int:
    """Do what a worker does; the first ones are slow."""
    time.sleep(0.3 if number == 0 else 0.0)
    if number == 99:
        raise ValueError("a fault of the function")
    return 2 * number


@pytest.mark.slow
@pytest.mark.usefixtures("_workers")
def test_results_come_in_order_and_little_is_read_ahead() -> None:
    read: list[int] = []
    given_back: list[int] = []

    def numbers() -> Iterator[int]:
        for number in range(90):
            read.append(number)
            assert len(read) - len(given_back) <= 2 * 16 + 1
            yield number

    workers = Workers(2)
    for number in workers.map(double, numbers()):
        given_back.append(number)
    assert given_back == [2 * number for number in range(90)]
    with pytest.raises(ValueError, match="a fault of the function"):
        list(workers.map(double, range(98, 101)))
    results = workers.map(double, range(60))
    assert next(results) == 0
    results.close()  # leaving early gives up what is under way
    assert list(workers.map(double, range(3))) == [0, 2, 4]


def test_jobs_a_scheduler_and_joblib_say_where_the_work_is_done(tmp_path: Path) -> None:
    assert [Workers(jobs).is_this_process for jobs in (None, 1, 3)] == [True, True, False]
    assert not Workers(1, "tcp://127.0.0.1:1").is_this_process
    path = write(tmp_path / "a.jsonl", with_bad(pairs(60)))
    for backend in ("threading", "sequential"):
        with joblib.parallel_config(backend=backend, n_jobs=2):
            assert Workers().is_this_process == (backend == "sequential")
            run(path, tmp_path / f"{backend}.jsonl", PLAIN, chunk=7)
        check_whole(tmp_path / f"{backend}.jsonl", path, chunk=7)


@pytest.fixture(scope="module")
def _workers() -> Iterator[None]:
    """loky keeps its processes for the next call; the last one sends them home."""
    yield
    get_reusable_executor().shutdown(wait=True, kill_workers=True)


@pytest.mark.slow
@pytest.mark.usefixtures("_workers")
def test_processes_give_the_same(tmp_path: Path) -> None:
    path = write(tmp_path / "a.jsonl", with_bad(pairs(120)))
    log = tmp_path / "log"
    # Slow enough that the second process has started before the first one is through.
    task = Task(parser=WordParser(log=str(log), delay=0.03), judge="usim")
    summary = run(path, tmp_path / "two.jsonl", task, chunk=7, jobs=2)
    check_whole(tmp_path / "two.jsonl", path, chunk=7)
    parsed = [line.split("\t") for line in log.read_text().splitlines()]
    assert len({process for process, _ in parsed}) == 2
    again = run(path, tmp_path / "two.jsonl", task, chunk=7, jobs=2)  # by the same processes
    assert (again.records, again.notes) == (summary.records, ())
    with pytest.raises(ParsingError, match="no such model"):
        run(path, tmp_path / "two.jsonl", Task(parser="nothing", judge="usim"), jobs=2)


@pytest.mark.slow
def test_a_worker_is_killed(tmp_path: Path) -> None:
    path = write(tmp_path / "a.jsonl", pairs(600))
    out, log = tmp_path / "out.jsonl", tmp_path / "log"
    process = start_job(path, out, delay=0.004, log=log, chunk=10, jobs=2)
    wait_for(out, 3)
    workers = sorted({int(line.split("\t")[0]) for line in log.read_text().splitlines()})
    os.kill(workers[0], signal.SIGKILL)
    _, told = process.communicate(timeout=120)
    assert (process.returncode, told) == (0, b"")
    check_whole(out, path, chunk=10)


def lost(number: int) -> int:
    """End the worker over the first number, else give the number back."""
    if number == 0:
        os.kill(os.getpid(), signal.SIGKILL)
    return number


@pytest.mark.slow
@pytest.mark.usefixtures("_workers")
def test_a_chunk_whose_worker_is_lost_again_and_again_ends_the_job() -> None:
    workers = Workers(2)
    with pytest.raises(InputError, match="was lost"):
        list(workers.map(lost, range(30)))
    assert len(workers.notes) == 2


@pytest.mark.slow
@pytest.mark.model
@pytest.mark.usefixtures("_workers")
def test_pairs_of_python_are_scored_on_many_cores() -> None:
    given = [("He left.", "He went."), ("She have two cat.", "She has two cats.")] * 5
    scorer = Scorer(judge="usim")
    one = list(score_many(given, scorer=scorer, chunk=3))
    two = score_many(given, n_jobs=2, scorer=scorer, chunk=3)
    assert [each.to_dict() for each in two] == [each.to_dict() for each in one]
    assert [(each.source, each.output) for each in one] == given
    with pytest.raises(InputError, match="must be a sequence of two"):
        list(score_many([("a",)], scorer=scorer))


def test_the_examples_of_the_documentation_run() -> None:
    failed, tried = doctest.testfile(str(ROOT / "docs/how-to/batch.md"), module_relative=False, encoding="utf-8")
    assert tried > 5
    assert failed == 0
