"""Chunks to workers, results in order, and never more than a fixed number of chunks under way.

Each backend offers the same two things: a function that submits a call and returns its future, and how many calls may
be under way. :func:`_in_window` does the rest: a chunk is read only when there is room for it, and the
results come in the order of the chunks. So memory stays flat, however far one worker falls behind the others.
"""

from __future__ import annotations

import concurrent.futures
import logging
import os
import threading
import time
from collections import deque
from collections.abc import Callable, Generator, Iterable, Iterator
from contextlib import AbstractContextManager, contextmanager
from functools import partial
from typing import Any, NamedTuple

from usim.errors import InputError

#: Chunks under way for each worker of a cluster: one in hand, one waiting, two whose results wait for an earlier one.
_CHUNKS_PER_WORKER = 4
_IDLE = 300.0  # seconds after which loky's workers end, if they get nothing to do
_HANDED_ON = 5.0  # seconds to wait at most until loky has handed all calls to its workers
_CONNECT = 30  # seconds for a cluster to answer, and for its first worker to come
_INTERVAL = 5  # seconds between looks at the workers of a cluster
_PARENT_INTERVAL = 0.5  # seconds between looks at the parent process
_WITHOUT_WORKERS = 60  # seconds that a cluster may be without workers
#: What numeric libraries take their number of threads from: workers have one each unless the user says otherwise.
_THREADS = ("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS")


#: A function over chunks, as the builtin ``map``: the results come in the order of the chunks, and an exception of the
#: function where its result would be.
Map = Callable[[Callable[[Any], Any], Iterable[Any]], Generator[Any, None, None]]


class Pool(NamedTuple):
    """Workers that have started: how a call is submitted, how many may be under way, and what ends those under way."""

    submit: Callable[[Callable[[Any], Any], Any], concurrent.futures.Future[Any]]
    room: int
    abort: Callable[[Iterable[Any]], None] = lambda _: None


class Workers:
    """Where the work is done.

    With one job and the backend of this machine that is this process. Without a number of jobs there are as many as the
    cluster has, one on this machine.
    """

    def __init__(self, jobs: int | None = None, backend: str = "loky", scheduler: str | None = None) -> None:
        if backend not in BACKENDS:
            raise InputError(f"no such backend; there are {', '.join(BACKENDS)}", text=backend)
        if backend == "dask" and scheduler is None:
            raise InputError("the backend dask needs the address of its scheduler: --scheduler tcp://HOST:PORT")
        if backend != "dask" and scheduler is not None:
            raise InputError("a scheduler is for the backend dask: --backend dask", text=scheduler)
        self.backend = backend
        self.is_local = backend == "loky"
        self.jobs = jobs if jobs is not None else (1 if self.is_local else -1)
        self._scheduler = scheduler

    @property
    def is_this_process(self) -> bool:
        """Whether the work is done in this process."""
        return self.jobs == 1 and self.is_local

    @contextmanager
    def started(self) -> Iterator[Map]:
        """Start the workers."""
        if self.is_this_process:
            yield _in_this_process
            return
        with _safe_path(), BACKENDS[self.backend](self.jobs, self._scheduler) as pool:
            yield partial(_in_window, pool)


@contextmanager
def _safe_path() -> Iterator[None]:
    """Keep Python processes that are started in the block from importing what lies in the current folder."""
    before = os.environ.get("PYTHONSAFEPATH")
    os.environ["PYTHONSAFEPATH"] = "1"
    try:
        yield
    finally:
        del os.environ["PYTHONSAFEPATH"]
        if before is not None:
            os.environ["PYTHONSAFEPATH"] = before


def _in_this_process(function: Callable[[Any], Any], chunks: Iterable[Any]) -> Generator[Any, None, None]:
    yield from map(function, chunks)


def _in_window(pool: Pool, function: Callable[[Any], Any], chunks: Iterable[Any]) -> Generator[Any, None, None]:
    """Yield the results in order, with at most as many chunks under way as the pool has room for."""
    pending: deque[concurrent.futures.Future[Any]] = deque()
    completed = False
    try:
        with _translated_errors():
            for chunk in chunks:
                pending.append(pool.submit(function, chunk))
                # Also what is ready: the next chunk may be long in coming.
                while pending and (len(pending) >= pool.room or pending[0].done()):
                    yield pending.popleft().result()
            while pending:
                yield pending.popleft().result()
        completed = True
    finally:
        if not completed:
            pool.abort(pending)
        for future in pending:
            future.cancel()


@contextmanager
def _translated_errors() -> Iterator[None]:
    """Turn the loss of workers into an error that says what to do."""
    try:
        yield
    except Exception as e:
        lost = (concurrent.futures.CancelledError, concurrent.futures.BrokenExecutor, ConnectionError, EOFError)
        # Not imported: these packages may not be there.
        if not isinstance(e, lost) and type(e).__module__.partition(".")[0] not in ("distributed", "tornado"):
            raise
        first = str(e).partition("\n")[0].partition(". ")[0]
        raise InputError(
            f"a worker, or the connection to it, was lost ({type(e).__name__}{': ' if first else ''}{first}); what is "
            "done so far is kept: give the same command again"
        ) from e


# -- backends --------------------------------------------------------------------------------------------------------


@contextmanager
def _loky(jobs: int, _: str | None) -> Iterator[Pool]:
    """Processes of joblib's loky; they stay for the next call."""
    from joblib.externals.loky import get_reusable_executor

    executor = get_reusable_executor(
        max_workers=jobs,
        timeout=_IDLE,
        initializer=end_with_parent,
        initargs=(os.getpid(),),
        env={name: os.environ.get(name, "1") for name in _THREADS},
    )

    def abort(pending: Iterable[concurrent.futures.Future[Any]]) -> None:
        # loky's thread dies if a call that it has not yet handed on is gone when it looks for it.
        deadline = time.monotonic() + _HANDED_ON
        while not all(future.done() or future.running() for future in pending) and time.monotonic() < deadline:
            time.sleep(0.005)
        executor.shutdown(wait=True, kill_workers=True)

    # No more than what loky hands on at once: its queue takes two calls a worker and one.
    yield Pool(executor.submit, 2 * jobs + 1, abort)


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
def _dask(_: int, scheduler: str | None) -> Iterator[Pool]:
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
    closing = threading.Event()
    try:
        try:
            client.wait_for_workers(1, timeout=_CONNECT)
        except TimeoutError as e:
            raise InputError("the Dask cluster has no workers", text=scheduler) from e
        threading.Thread(target=_watch_cluster, args=(client, closing), daemon=True).start()
        # Not pure: the result of a chunk is not to be taken for that of another one.
        yield Pool(partial(client.submit, pure=False), _CHUNKS_PER_WORKER * sum(client.nthreads().values()) + 1)
    finally:
        closing.set()
        client.close(timeout=5)


def _watch_cluster(client: Any, closing: threading.Event) -> None:
    """End the connection to a cluster that has been without workers for too long: what is under way is lost then."""
    last_seen = time.monotonic()
    while not closing.wait(_INTERVAL):
        try:
            workers = len(client.nthreads())
        except Exception:  # a cluster that does not answer has none
            workers = 0
        now = time.monotonic()
        if workers:
            last_seen = now
        elif now - last_seen > _WITHOUT_WORKERS:
            client.close()
            return


#: The backends by name.
BACKENDS: dict[str, Callable[[int, str | None], AbstractContextManager[Pool]]] = {
    "loky": _loky,
    "dask": _dask,
}
