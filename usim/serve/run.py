"""Run the service: one process, or several that are started again when they end."""

from __future__ import annotations

import asyncio
import logging
import multiprocessing
import os
import signal
import tempfile
import threading
import time
from contextlib import nullcontext, suppress
from functools import partial
from pathlib import Path
from types import FrameType
from typing import Any

from starlette.types import ASGIApp
from uvicorn import Config, Server
from uvicorn.supervisors.multiprocess import Multiprocess, Process

from usim.checkers import CheckerError, load_checker
from usim.errors import UsimError
from usim.serve.app import create_app
from usim.serve.settings import Settings

_LOG: dict[str, Any] = {
    "version": 1,
    "disable_existing_loggers": False,
    "formatters": {"plain": {"format": "%(asctime)s %(levelname)s %(process)d %(message)s"}},
    "handlers": {"error": {"class": "logging.StreamHandler", "formatter": "plain", "stream": "ext://sys.stderr"}},
    "loggers": {
        name: {"handlers": ["error"], "level": "INFO", "propagate": False} for name in ("uvicorn", "usim.serve")
    },
}
_DEATHS = 3  # so many workers in a row, for each that there is to be, may die before they serve anybody
_INTERRUPTED = 130  # exit code


def run(settings: Settings) -> None:
    """Serve until the process is told to stop; requests under way have ``settings.grace`` seconds to be answered.

    Raises:
        OptionError: the service could be used by strangers; see :meth:`Settings.check`. Or an option is wrong.
        ParsingError, UsimError: the parser or the judge cannot be loaded; or workers die as soon as they start.
        KeyboardInterrupt: the service was interrupted.
    """
    settings.check()
    asyncio.run(_check_checker(settings))
    several = settings.workers > 1
    # A single process ends by the signal that stops it, and would leave the folder behind.
    with tempfile.TemporaryDirectory(prefix="usim-serve-") if several else nullcontext("") as folder:
        if several:
            settings.to_options().load_pipeline()  # what cannot be loaded ends the service, not each worker in turn
            os.environ["PROMETHEUS_MULTIPROC_DIR"] = folder
            os.environ["PYTHONSAFEPATH"] = "1"  # workers run no module of the folder that the service is started in
        # Workers get their settings through a pipe: their keys stand in no environment.
        app = (
            partial(_worker, settings, Path(folder))
            if several
            else partial(_in_time, create_app(settings), settings.grace)
        )
        config = Config(
            app,
            factory=True,
            host=settings.host,
            port=settings.port,
            workers=settings.workers,
            http="h11",  # which bounds the heads of requests
            timeout_keep_alive=5,
            timeout_graceful_shutdown=settings.grace - 1,
            server_header=False,
            access_log=False,  # its lines would hold what stands after the question mark
            log_config=_LOG,
        )
        if several:
            _Workers(config, sockets=[config.bind_socket()], grace=settings.grace, folder=Path(folder)).run()
        else:
            server = Server(config)
            server.run()
            if not server.started:
                raise UsimError("the service could not be started: its log says why")


async def _check_checker(settings: Settings) -> None:
    """Refuse to start with a checker that is broken; a server that does not answer yet may do so later."""
    if settings.checker is None:
        return
    checker = load_checker(settings.checker, seconds=settings.checker_seconds)
    try:
        await checker.configuration("en-US")
    except CheckerError as e:
        if e.retry is None:
            raise
        logging.getLogger("usim.serve").warning("%s", e)
    finally:
        await checker.close()


class _Workers(Multiprocess):
    """Worker processes, of which each that dies is started again; not for ever if they die as soon as they start.

    What kills a worker that serves, such as a lack of memory, never ends the service, however often it comes.
    """

    def __init__(self, config: Config, sockets: list[Any], grace: int, folder: Path) -> None:
        super().__init__(config, sockets)
        self._grace, self._folder = grace, folder
        self._early_deaths = 0
        self._stopped_by = 0

    def run(self) -> None:
        """Run the workers until a signal stops them."""
        super().run()
        if not self._stopped_by:
            raise UsimError("worker processes end as soon as they are started: the log above says why")
        if self._stopped_by == signal.SIGINT:
            raise KeyboardInterrupt

    def handle_int(self) -> None:
        """Stop."""
        self._stopped_by = signal.SIGINT
        super().handle_int()

    def handle_term(self) -> None:
        """Stop."""
        self._stopped_by = signal.SIGTERM
        super().handle_term()

    def keep_subprocess_alive(self) -> None:
        """Start workers again that have died, unless several have died in a row as soon as they were started.

        Unlike uvicorn's own it kills no worker that does not answer for some seconds, as while it loads on a machine
        that has much else to do.
        """
        for place, process in enumerate(self.processes):
            if not process.process.is_alive():
                process.join()
                log.info("worker process %s died", process.pid)
                mark = _mark(self._folder, process.pid)
                self._early_deaths = 0 if mark.exists() else self._early_deaths + 1
                mark.unlink(missing_ok=True)
                if self._early_deaths > _DEATHS * len(self.processes):
                    self.should_exit.set()
                    return
                self.processes[place] = Process(self.config, self.sockets)
                self.processes[place].start()

    def join_all(self) -> None:
        """Wait for the workers to end; kill those that do not, or all where the service is interrupted again."""
        until = time.monotonic() + self._grace + 1
        for process in self.processes:
            while process.process.is_alive() and time.monotonic() < until and signal.SIGINT not in self.signal_queue:
                process.process.join(0.05)
            process.process.kill()
        super().join_all()


def _worker(settings: Settings, folder: Path) -> ASGIApp:
    """Make the application of a worker process, which ends when its parent does."""
    parent = multiprocessing.parent_process()

    def end_with_parent() -> None:
        if parent is not None:
            parent.join()
            signal.raise_signal(signal.SIGTERM)

    threading.Thread(target=end_with_parent, daemon=True).start()
    app = _in_time(create_app(settings), settings.grace)
    _mark(folder, os.getpid()).touch()
    return app


def _mark(folder: Path, process: int | None) -> Path:
    """Return the file that says that a worker process is ready to serve."""
    return folder / f"ready-{process}"


def _in_time(app: ASGIApp, grace: int) -> ASGIApp:
    """Return an application whose process ends in time once uvicorn, which handles signals by now, is told to stop."""
    for number in (signal.SIGINT, signal.SIGTERM):
        signal.signal(number, partial(_stop, signal.getsignal(number), grace))
    return app


log = logging.getLogger("usim.serve")
_stopping = threading.Event()


def _stop(handler: Any, grace: int, number: int, frame: FrameType | None) -> None:
    """Stop in good order within some seconds, or at once if interrupted twice."""
    if _stopping.is_set() and number == signal.SIGINT:
        _end(_INTERRUPTED, "interrupted again: ended at once")
    if not _stopping.is_set():
        _stopping.set()
        code = _INTERRUPTED if number == signal.SIGINT else 0
        timer = threading.Timer(grace, _end, (code, f"not done within {grace} s: ended with requests under way"))
        timer.daemon = True
        timer.start()
    handler(number, frame)


def _end(code: int, message: str) -> None:
    """End the process, whatever its threads are doing."""
    with suppress(OSError):
        os.write(2, f"usim: {message}\n".encode())  # a log might be at work where the signal came
    os._exit(code)
