"""Batch jobs that are killed: in the end, they leave what a job leaves that nobody disturbs."""

from __future__ import annotations

import random
import subprocess
import time
from importlib.util import find_spec
from itertools import product
from pathlib import Path
from typing import Any

from tests.batch.common import PLAIN, check_equal, chunks_done, pairs, with_bad, write
from tests.batch.job import start_job
from tests.endurance.tally import Tally, Terms
from tests.processes import dask_cluster, descendants, end_of, is_running, kill, start_dask_worker, wait_until
from usim.batch import run


def kills(tally: Tally, terms: Terms) -> None:
    """Kill parents and workers at random moments, with one job, with two, and on Dask, and start again until the end."""
    rng = terms.rng()
    given, whole = write(terms.folder / "in.jsonl", with_bad(pairs(600, terms.seed))), terms.folder / "whole.jsonl"
    run(given, whole, PLAIN, chunk=10)
    for number, jobs in product(range(terms.count(1, 12)), (1, 2)):
        out = terms.folder / f"out-{jobs}-{number}.jsonl"
        _disturb(tally, rng, given, out, whole, terms.count(2, 6), jobs=jobs)
    for number in range(4 if terms.is_long and find_spec("distributed") else 0):
        out = terms.folder / f"out-dask-{number}.jsonl"
        with dask_cluster() as (address, workers):
            _disturb(tally, rng, given, out, whole, 4, workers, scheduler=address)


def _disturb(
    tally: Tally,
    rng: random.Random,
    given: Path,
    out: Path,
    whole: Path,
    kills: int,
    workers: list[Any] | None = None,
    **options: Any,
) -> None:
    """Start a job and kill its parent or a worker, so many times; let it come to its end."""
    for number in range(kills + 20):
        process = start_job(given, out, delay=0.002, chunk=10, **options)
        with tally.case(f"{out.name}, start {number}"):
            if number < kills and _is_parent_killed(rng, process, out, workers):
                continue
            code, messages = end_of(process, 120)
            is_told = code == 1 and "Traceback" not in messages and "usim:" in messages
            assert code == 0 or is_told, f"exit code {code}: {messages[-300:]}"
            if number >= kills and code == 0:
                break
    with tally.case(out.name):
        check_equal(out, whole)
        assert not list(out.parent.glob(f"{out.name}.partial*")), "something is left behind"


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
