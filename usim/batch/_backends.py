"""Chunks to workers, results in order, by joblib: on this machine, on a Dask cluster, or wherever else joblib goes.

``joblib.parallel_config(backend=…)`` says where, and ``joblib.Parallel(return_as="generator")`` does the work. This
module adds three things: the chunks of a worker that was killed are done again; an error in reading is raised after the
results of all that was read before it; and few chunks are read ahead, even if one worker falls behind.
"""

from __future__ import annotations

import concurrent.futures
import logging
import os
import threading
import time
import warnings
from collections import deque
from collections.abc import Callable, Generator, Iterable, Iterator
from contextlib import contextmanager, nullcontext
from typing import Any

from usim.errors import InputError

_UNDER_WAY = "2 * n_jobs + 1"  # chunks that joblib hands to workers before one is back: one in hand, one waiting
_READ = 8  # chunks for each worker that are read before the first of them is back, so that memory stays flat
_LOSSES = 3  # how often workers may be lost before the next chunk is done, until the job stops
_CONNECT = 30  # seconds for a cluster to answer, and for its first worker to come
_PARENT_INTERVAL = 0.5  # seconds between looks at the parent process
#: What numeric libraries take their number of threads from: workers have one each unless the user says otherwise.
_THREADS = ("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS")

#: A function over chunks, as the builtin ``map``: the results come in the order of the chunks, and an exception of the
#: function where its result would be.
Map = Callable[[Callable[[Any], Any], Iterable[Any]], Generator[Any, None, None]]


class Workers:
    """Where the work is done.

    With one job and no other backend that is this process. Without a number of jobs there are as many as
    ``joblib.parallel_config`` says or the cluster has, else one.

    Args:
        jobs: how many workers; -1 for one a core.
        backend: ``loky``, ``dask``, or another one that joblib knows, such as Ray's once it is registered; by default
            that of ``joblib.parallel_config``, else loky.
        scheduler: the address of Dask's.

    Attributes:
        notes: messages for the user, about workers that were lost.
    """

    def __init__(self, jobs: int | None = None, backend: str | None = None, scheduler: str | None = None) -> None:
        import joblib

        active, active_jobs = joblib.parallel.get_active_backend()
        kind = type(active).__name__
        known = {*joblib.parallel.BACKENDS, *joblib.parallel.EXTERNAL_BACKENDS}
        if backend is not None and backend not in known:
            raise InputError(f"no such backend; there are {', '.join(sorted(known))}", text=backend)
        if backend == "dask" and scheduler is None and kind != "DaskDistributedBackend":
            raise InputError("the backend dask needs the address of its scheduler: --scheduler tcp://HOST:PORT")
        if backend != "dask" and scheduler is not None:
            raise InputError("a scheduler is for the backend dask: --backend dask", text=scheduler)
        self.is_local = backend == "loky" if backend else kind in ("LokyBackend", "SequentialBackend")
        if jobs is None and backend is None:
            jobs = 1 if kind == "SequentialBackend" else active_jobs
        self.jobs = (1 if self.is_local else -1) if jobs is None else jobs
        self._backend, self._scheduler = backend, scheduler
        self.notes: list[str] = []

    @property
    def is_this_process(self) -> bool:
        """Whether the work is done in this process."""
        return self.jobs == 1 and self.is_local

    @contextmanager
    def started(self) -> Iterator[Map]:
        """Start the workers."""
        if self.is_this_process:
            yield lambda function, chunks: (function(chunk) for chunk in chunks)
            return
        with _safe_path(), nullcontext() if self._scheduler is None else _cluster(self._scheduler):
            yield self._map

    def _map(self, function: Callable[[Any], Any], chunks: Iterable[Any]) -> Generator[Any, None, None]:
        """Yield the results in order; chunks whose worker was killed are done again."""
        from joblib import delayed

        stream = iter(chunks)
        again = deque[Any]()  # chunks whose worker was lost
        read = deque[Any]()  # chunks that this run has handed out and that are not back
        failed: list[BaseException] = []
        losses = 0
        lock = threading.Lock()

        def calls(own: deque[Any], room: int) -> Iterator[Any]:
            # joblib takes calls in a thread of its own, in which nothing must be raised, and may do so for some time
            # after a run has ended.
            while True:
                with lock:
                    if own is not read or len(own) >= room:
                        return
                    try:
                        chunk = again.popleft() if again else next(stream)
                    except BaseException as e:
                        failed.append(e)
                        return
                    own.append(chunk)
                yield delayed(function)(chunk)

        while not failed or again:
            parallel, workers = self._parallel()
            results = parallel(calls(read, _READ * workers))
            try:
                for result in results:
                    yield result
                    read.popleft()
                    losses = 0
            except Exception as e:
                if not isinstance(e, concurrent.futures.BrokenExecutor):
                    raise _translated(e) from e
                losses += 1
                if losses == _LOSSES:
                    raise _translated(e) from e
                self.notes.append("a worker was lost, and what it had in hand was done again")
                with lock:
                    again.extendleft(reversed(read))
                    read = deque()
            finally:
                with warnings.catch_warnings(action="ignore"):  # joblib warns of what is left early
                    results.close()
        if not isinstance(failed[0], StopIteration):
            raise failed[0]

    def _parallel(self) -> tuple[Any, int]:
        """Return a new run of joblib's, and how many workers it has."""
        import joblib

        settings: dict[str, Any] = {"n_jobs": self.jobs}
        if self._backend is not None or self.is_local:
            settings["backend"] = self._backend or "loky"
        if self.is_local:
            settings |= {"initializer": end_with_parent, "initargs": (os.getpid(),)}
            settings["inner_max_num_threads"] = None if any(name in os.environ for name in _THREADS) else 1
        with joblib.parallel_config(**settings):
            return (
                joblib.Parallel(return_as="generator", pre_dispatch=_UNDER_WAY, batch_size=1, max_nbytes=None),
                joblib.effective_n_jobs(),
            )


@contextmanager
def _safe_path() -> Iterator[None]:
    """Keep Python processes that are started in the block from importing what lies in the current folder."""
    before = os.environ.get("PYTHONSAFEPATH")
    os.environ["PYTHONSAFEPATH"] = "1"
    try:
        yield
    finally:
        if before is None:
            del os.environ["PYTHONSAFEPATH"]
        else:
            os.environ["PYTHONSAFEPATH"] = before


def _translated(error: Exception) -> Exception:
    """Return the loss of workers as an error that says what to do; any other error as it is."""
    lost = (concurrent.futures.CancelledError, concurrent.futures.BrokenExecutor, ConnectionError, EOFError)
    # Not imported: these packages may not be there.
    if not isinstance(error, lost) and type(error).__module__.partition(".")[0] not in ("distributed", "tornado"):
        return error
    first = str(error).partition("\n")[0].partition(". ")[0]
    return InputError(
        f"a worker, or the connection to it, was lost ({type(error).__name__}{': ' if first else ''}{first}); what is "
        "done so far is kept: give the same command again"
    )


def end_with_parent(parent: int) -> None:
    """End this process as soon as its parent is no longer the process ``parent``, from now on.

    A worker of loky that waits for its next task does not notice for five minutes that nobody will send one. The parent
    may have been killed while this process was starting: then it ends at once. On Windows a process keeps the number of
    its parent for ever, so nothing happens there.
    """

    def watch() -> None:
        while os.getppid() == parent:
            time.sleep(_PARENT_INTERVAL)
        os._exit(1)

    threading.Thread(target=watch, name="usim-batch-parent", daemon=True).start()


@contextmanager
def _cluster(scheduler: str) -> Iterator[None]:
    """Connect to a Dask cluster, which joblib finds by its connection."""
    try:
        from distributed import Client
    except ImportError as e:
        raise InputError("the backend dask needs more packages: pip install distributed") from e
    # What it would log, with a traceback, is raised as an error.
    logging.getLogger("distributed.client").setLevel(logging.CRITICAL)
    try:
        client: Any = Client(scheduler, timeout=_CONNECT)  # type: ignore[no-untyped-call]
    except (OSError, ValueError, TimeoutError) as e:
        raise InputError(f"no Dask scheduler answers there ({e})", text=scheduler) from e
    try:
        try:
            client.wait_for_workers(1, timeout=_CONNECT)
        except TimeoutError as e:
            raise InputError("the Dask cluster has no workers", text=scheduler) from e
        yield
    finally:
        client.close(timeout=5)
