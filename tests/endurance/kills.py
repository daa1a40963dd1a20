"""Parents and workers killed at random moments, with one job, with two, and on Dask."""

from __future__ import annotations

import random
import subprocess
import time
from collections.abc import Iterable
from functools import partial
from importlib.util import find_spec
from pathlib import Path
from typing import Any

from tests.batch.common import PLAIN, pairs, size_of, with_bad, write
from tests.batch.job import start_job
from tests.endurance.tally import Tally, Terms, UnavailableError
from tests.processes import (
    dask_cluster,
    descendants,
    end_of,
    is_running,
    kill,
    start_dask_worker,
    wait_until,
)
from usim.batch import run
from usim.batch.journal import OutputFiles

_RECORDS = 600
_CHUNK = 10
_WORKER_ENDS = 15.0  # seconds for the workers of a killed parent to end


def experiment(tally: Tally, terms: Terms) -> None:
    """Kill and start again until the job is done, and compare its output with that of an undisturbed job."""
    if not Path("/proc/self/task").exists():
        raise UnavailableError("processes are looked up in /proc")
    rng = terms.rng()
    given, whole = terms.folder / "in.jsonl", terms.folder / "whole.jsonl"
    write(given, with_bad(pairs(_RECORDS, terms.seed)))
    run(given, whole, PLAIN, chunk=_CHUNK)
    processes: list[int] = []
    for number in range(terms.count(1, 12)):
        for jobs in (1, 2):
            out = terms.folder / f"out-{jobs}-{number}.jsonl"
            _disturb(tally, rng, given, out, terms.count(2, 6), jobs=jobs, processes=processes)
            _compare(tally, whole, out)
    tally.check(
        None if wait_until(lambda: not _shared_memory(processes), 10)
        else f"left in shared memory: {_shared_memory(processes)}"
    )  # fmt: skip
    if terms.is_long and find_spec("distributed"):
        for number in range(4):
            out = terms.folder / f"out-dask-{number}.jsonl"
            with dask_cluster() as (address, workers):
                _disturb(tally, rng, given, out, 4, workers, backend="dask", scheduler=address)
            _compare(tally, whole, out)


def _disturb(
    tally: Tally,
    rng: random.Random,
    given: Path,
    out: Path,
    kills: int,
    workers: list[Any] | None = None,
    processes: list[int] | None = None,
    **options: Any,
) -> None:
    """Start a job and kill its parent or a worker, so many times; then let it come to its end."""
    for number in range(kills + 20):
        process = start_job(given, out, delay=0.002, chunk=_CHUNK, **options)
        if processes is not None:
            processes.append(process.pid)
        if number >= kills:
            code, messages = end_of(process, 120)
            if not code:
                tally.check()
                return
            tally.check(
                f"undisturbed, exit code {code}: {messages[-300:]}" if code != 1 or "usim:" not in messages else None
            )
            continue
        size = size_of(out)
        if rng.random() < 0.7:  # else while it starts
            wait_until(partial(_goes_on, process, out, size), 60)
        time.sleep(rng.uniform(0, 0.4))
        below = descendants(process.pid)
        is_parent = rng.random() < 0.5 or not (below or workers)
        if is_parent:
            process.kill()
            process.communicate()
            below = [*below, *descendants(process.pid)]
            tally.check(
                None if wait_until(lambda below=below: not any(map(is_running, below)), _WORKER_ENDS)
                else "workers outlive their parent"
            )  # fmt: skip
            continue
        if workers:
            worker = rng.choice(workers)
            worker.kill()
            worker.wait()
            workers.remove(worker)
            workers.append(start_dask_worker(worker.args[-1]))
        else:
            kill(rng.choice(below))
        try:
            code, messages = end_of(process, 120)
        except TimeoutError as e:
            tally.check(f"a worker was killed: {e}")
            continue
        is_told = code == 0 or (code == 1 and "Traceback" not in messages and "usim:" in messages)
        tally.check(None if is_told else f"a worker was killed, exit code {code}: {messages[-300:]}")
    tally.check("the job never comes to its end")


def _goes_on(process: subprocess.Popen[bytes], out: Path, size: int) -> bool:
    """Return whether a job has done more, or has ended."""
    return process.poll() is not None or size_of(out) > size


def _compare(tally: Tally, whole: Path, out: Path) -> None:
    is_equal = out.exists() and out.read_bytes() == whole.read_bytes()
    errors = OutputFiles(out).errors
    is_equal &= errors.exists() and errors.read_bytes() == OutputFiles(whole).errors.read_bytes()
    left = sorted(path.name for path in out.parent.glob(f"{out.name}.partial*"))
    tally.check(None if is_equal else f"{out.name}: other bytes", f"{out.name}: left behind: {left}" if left else None)


def _shared_memory(processes: Iterable[int]) -> list[str]:
    """Return what processes have left in shared memory: loky names it by its process."""
    own = tuple(f"sem.loky-{process}-" for process in processes)
    return sorted(path.name for path in Path("/dev/shm").iterdir() if path.name.startswith(own))
