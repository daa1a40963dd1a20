"""Work in many processes, results in order, and never more than so many pieces of work under way.

joblib runs the work: on this machine (``loky``), or wherever a backend of joblib can: Dask, Ray. joblib takes the next
piece whenever one is done, however far behind the reader of the results is; and a piece that takes long holds up the
results of all that follow it. So that memory stays flat all the same, workers are handed short pauses instead of work
while too many pieces are under way (:class:`_Window`).
"""

from __future__ import annotations

import concurrent.futures
import logging
import threading
import time
import warnings
from collections.abc import Callable, Iterable, Iterator
from contextlib import ExitStack, contextmanager
from itertools import islice
from typing import Any, Generic, Protocol, TypeVar

from usim.errors import InputError

In = TypeVar("In")
Out = TypeVar("Out")

_PAUSE = 0.05  # seconds
#: Pieces under way for each worker: one in hand, one waiting, two whose results wait for an earlier one.
_AHEAD = 4
#: Backends whose workers see the files of this machine.
_LOCAL = ("loky", "multiprocessing", "threading")
#: Backends that give all results at once, so that work goes to them in rounds.
_IN_ROUNDS = ("multiprocessing", "ray")
_WAIT = 30  # seconds for a cluster to answer
_LOOK = 5  # seconds between looks at the workers of a cluster
_WITHOUT = 60  # seconds that a cluster may be without workers


class WorkersLostError(InputError):
    """Workers, or the connection to them, went away; what was done before is safe."""


class Map(Protocol):
    """A function over pieces of work, as the builtin ``map``: the results come in the order of the pieces."""

    def __call__(self, function: Callable[[In], Out], pieces: Iterable[In], /) -> Iterator[Out]:
        """The results; exceptions of the function are raised where its result would be."""
        ...


class Workers:
    """Where work is done.

    Args:
        jobs: how many workers; with 1 and the backend ``loky`` the work is done in this process. None: as many as the
            cluster has, 1 on this machine.
        backend: the name of a joblib backend.
        scheduler: the address of a Dask scheduler, ``tcp://host:port``.

    Raises:
        InputError: these do not fit together.
    """

    def __init__(self, jobs: int | None = None, backend: str = "loky", scheduler: str | None = None) -> None:
        if backend == "dask" and scheduler is None:
            raise InputError("the backend dask needs the address of its scheduler: --scheduler tcp://HOST:PORT")
        if backend != "dask" and scheduler is not None:
            raise InputError("a scheduler is for the backend dask: --backend dask", text=scheduler)
        self.backend = backend
        self.local = backend in _LOCAL
        self.jobs = jobs if jobs is not None else (1 if self.local else -1)
        self._scheduler = scheduler

    @property
    def alone(self) -> bool:
        """Whether the work is done in this process."""
        return self.jobs == 1 and self.local

    @contextmanager
    def started(self) -> Iterator[Map]:
        """The workers, ready to work.

        Raises:
            InputError: there is no such backend, a package that it needs is missing, or no cluster answers.
        """
        if self.alone:
            yield map
            return
        with ExitStack() as stack:
            if self.backend == "dask":
                stack.enter_context(_dask(str(self._scheduler)))
            elif self.backend == "ray":
                _ray()
            parallel = self._parallel(stack)
            size = parallel._effective_n_jobs() * _AHEAD + 1  # joblib's public function knows only the default backend
            yield _Rounds(parallel, size) if self.backend in _IN_ROUNDS else _Stream(parallel, size)

    def _parallel(self, stack: ExitStack) -> Any:
        from joblib import Parallel, parallel_config
        from joblib.parallel import BACKENDS, EXTERNAL_BACKENDS

        known = {*BACKENDS, *EXTERNAL_BACKENDS} - {"sequential"}
        if self.backend not in known:
            names = ", ".join(sorted(known | {"ray"}))
            raise InputError(f"no such backend of joblib; there are {names}", text=self.backend)
        stack.enter_context(parallel_config(backend=self.backend, n_jobs=self.jobs))
        stream = {} if self.backend in _IN_ROUNDS else {"return_as": "generator"}
        return stack.enter_context(Parallel(batch_size=1, max_nbytes=None, **stream))


@contextmanager
def _dask(scheduler: str) -> Iterator[None]:
    try:
        from distributed import Client
    except ImportError as e:
        raise InputError("the backend dask needs more packages: pip install 'usim-faithfulness[dask]'") from e
    # What it would log, with a traceback, is told as an error.
    logging.getLogger("distributed.client").setLevel(logging.CRITICAL)
    try:
        client: Any = Client(scheduler, timeout=_WAIT)  # type: ignore[no-untyped-call]
    except (OSError, ValueError, TimeoutError) as e:
        raise InputError(f"no Dask scheduler answers there ({e})", text=scheduler) from e
    over = threading.Event()
    threading.Thread(target=_watch, args=(client, over), daemon=True).start()
    try:
        yield
    finally:
        over.set()
        client.close(timeout=5)


def _watch(client: Any, over: threading.Event) -> None:
    """End the connection to a cluster that has been without workers for too long: what is under way is lost then."""
    seen = time.monotonic()
    while not over.wait(_LOOK):
        try:
            workers = len(client.nthreads())
        except Exception:  # a cluster that does not answer has none
            workers = 0
        now = time.monotonic()
        if workers:
            seen = now
        elif now - seen > _WITHOUT:
            client.close()
            return


def _ray() -> None:
    try:
        from ray.util.joblib import register_ray
    except ImportError as e:
        raise InputError("the backend ray needs one more package: pip install ray") from e
    register_ray()


class _Stream:
    """Results one by one, as joblib's generator gives them."""

    def __init__(self, parallel: Any, size: int) -> None:
        self._parallel, self._size = parallel, size

    def __call__(self, function: Callable[[In], Out], pieces: Iterable[In], /) -> Iterator[Out]:
        window = _Window(function, pieces, self._size)
        with _told():
            results = self._parallel(window)
            try:
                for result in results:
                    if not isinstance(result, _Paused):
                        yield result
                        window.given_back += 1
            finally:
                with warnings.catch_warnings():  # that results are left over is known to whoever leaves them
                    warnings.simplefilter("ignore")
                    results.close()


class _Rounds:
    """Results of so many pieces at once."""

    def __init__(self, parallel: Any, size: int) -> None:
        self._parallel, self._size = parallel, size

    def __call__(self, function: Callable[[In], Out], pieces: Iterable[In], /) -> Iterator[Out]:
        left = iter(pieces)
        while block := list(islice(left, self._size)):
            with _told():
                results = self._parallel((function, (piece,), {}) for piece in block)
            yield from results


class _Window(Generic[In]):
    """Pieces of work for joblib to take, with pauses in between while too many are under way.

    Attributes:
        given_back: how many results have been dealt with.
    """

    def __init__(self, function: Callable[[In], Any], pieces: Iterable[In], size: int) -> None:
        self._function, self._pieces, self._size = function, pieces, size
        self.given_back = 0

    def __iter__(self) -> Iterator[tuple[Callable[..., Any], tuple[Any, ...], dict[str, Any]]]:
        for taken, piece in enumerate(self._pieces):
            # Not by waiting here: this may be the thread that brings the results.
            while taken - self.given_back >= self._size:
                yield _pause, (), {}
            yield self._function, (piece,), {}


class _Paused:
    """The result of a pause."""


def _pause() -> _Paused:
    time.sleep(_PAUSE)
    return _Paused()


@contextmanager
def _told() -> Iterator[None]:
    """Lost workers as an error that says what to do."""
    try:
        yield
    except (concurrent.futures.CancelledError, concurrent.futures.BrokenExecutor, ConnectionError, EOFError) as e:
        raise _lost(e) from e
    except Exception as e:
        # Not imported: the packages may not be there.
        if type(e).__module__.partition(".")[0] in ("distributed", "ray", "tornado"):
            raise _lost(e) from e
        raise


def _lost(error: BaseException) -> WorkersLostError:
    first = str(error).partition("\n")[0].partition(". ")[0]
    return WorkersLostError(
        f"a worker, or the connection to it, was lost ({type(error).__name__}{': ' if first else ''}{first}); what is "
        "done so far is kept: give the same command again"
    )
