"""Chunks to workers, results in order, by joblib: on this machine, on a Dask cluster, or wherever else joblib goes."""

from __future__ import annotations

import concurrent.futures
import logging
import os
import threading
import time
import warnings
from collections import deque
from collections.abc import Callable, Generator, Iterable, Iterator
from contextlib import contextmanager
from itertools import islice
from typing import Any

from usim.errors import InputError, extra

_TOGETHER = 16  # chunks a worker that are handed out together
_A_CORE = 2  # workers on this machine at most: more gain nothing, and hundreds never start
_LOSSES = 3  # how often workers may be lost before the next chunk is done, until the job stops
_CONNECT = 30  # seconds for a cluster to answer, and for its first worker to come
_PARENT_INTERVAL = 0.5  # seconds between looks at the parent process


class Workers:
    """Where the work is done: where ``joblib.parallel_config`` says, by default on this machine, or on a Dask cluster.

    ``jobs`` is -1 for one worker a core; by default as many as joblib says, else one; on a cluster all. ``notes`` has
    messages about workers that were lost.
    """

    def __init__(self, jobs: int | None = None, scheduler: str | None = None) -> None:
        import joblib

        active, active_jobs = joblib.parallel.get_active_backend()
        kind = type(active).__name__
        self.is_local = scheduler is None and kind in ("LokyBackend", "SequentialBackend")
        if jobs is None and scheduler is None:
            jobs = 1 if kind == "SequentialBackend" else active_jobs
        self.jobs = (1 if self.is_local else -1) if jobs is None else jobs
        if self.is_local:
            self.jobs = min(self.jobs, _A_CORE * joblib.cpu_count())
        self.is_this_process = self.jobs == 1 and self.is_local
        self._scheduler = scheduler
        self.notes: list[str] = []

    @contextmanager
    def connected(self) -> Iterator[None]:
        """Keep one connection to the Dask cluster for all that is mapped in the block, if there is a cluster."""
        if self._scheduler is None:
            yield
            return
        distributed = extra("distributed", "a Dask cluster needs", of="dask")
        # What it would log, with a traceback, is raised as an error.
        logging.getLogger("distributed.client").setLevel(logging.CRITICAL)
        try:
            client = distributed.Client(self._scheduler, timeout=_CONNECT)
            client.wait_for_workers(1, timeout=_CONNECT)
        except (OSError, ValueError, TimeoutError) as e:
            raise InputError(f"no Dask scheduler with workers answers there ({e})", text=self._scheduler) from e
        try:
            yield
        finally:
            client.close(timeout=5)

    def map(self, function: Callable[[Any], Any], chunks: Iterable[Any]) -> Generator[Any, None, None]:
        """Yield what a function makes of chunks, in order; chunks whose worker was killed are done again."""
        if self.is_this_process:
            yield from map(function, chunks)
            return
        import joblib

        stream = iter(chunks)
        left = deque[Any]()
        losses = 0
        parallel, workers = self._parallel()
        while left or (left := deque(islice(stream, _TOGETHER * workers))):
            results = parallel(joblib.delayed(function)(chunk) for chunk in tuple(left))
            try:
                for result in results:
                    left.popleft()
                    losses = 0
                    yield result
            except Exception as e:
                losses += 1
                if not isinstance(e, concurrent.futures.BrokenExecutor) or losses == _LOSSES:
                    raise _translated(e) from e
                self.notes.append("a worker was lost, and what it had in hand was done again")
                parallel, workers = self._parallel()
            finally:
                with warnings.catch_warnings(action="ignore"):  # joblib warns of what is left early
                    results.close()

    def _parallel(self) -> tuple[Any, int]:
        """Return a new run of joblib's, and how many workers it has."""
        import joblib

        settings: dict[str, Any] = {"n_jobs": self.jobs}
        if self._scheduler is not None:
            settings["backend"] = "dask"  # joblib finds the cluster by the connection that is open
        elif self.is_local:
            settings |= {"backend": "loky", "initializer": end_with_parent, "initargs": (os.getpid(),)}
            settings["inner_max_num_threads"] = 1
        with joblib.parallel_config(**settings):
            return joblib.Parallel(return_as="generator", batch_size=1, max_nbytes=None), joblib.effective_n_jobs()


def _translated(error: Exception) -> Exception:
    """Return the loss of workers as an error that says what to do; any other error as it is."""
    lost = (concurrent.futures.CancelledError, concurrent.futures.BrokenExecutor, ConnectionError, EOFError)
    # Not imported: these packages may not be there.
    if not isinstance(error, lost) and type(error).__module__.partition(".")[0] not in ("distributed", "tornado"):
        return error
    return InputError(
        f"a worker, or the connection to it, was lost ({type(error).__name__}); what is done so far is kept: give the "
        "same command again"
    )


def end_with_parent(parent: int) -> None:
    """End this process as soon as its parent is no longer the process ``parent``, which may be the case already.

    A worker of loky would wait for five minutes. On Windows a process keeps the number of its parent for ever.
    """

    def watch() -> None:
        while os.getppid() == parent:
            time.sleep(_PARENT_INTERVAL)
        os._exit(1)

    threading.Thread(target=watch, name="usim-batch-parent", daemon=True).start()
