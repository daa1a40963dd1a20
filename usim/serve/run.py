"""Run the service: in this process, or in several that uvicorn starts again if they die."""

from __future__ import annotations

import asyncio
import logging
import multiprocessing
import os
import signal
import tempfile
import threading
from contextlib import nullcontext
from functools import partial
from types import FrameType
from typing import Any

from starlette.types import ASGIApp
from uvicorn import Config, Server
from uvicorn.config import STARTUP_FAILURE
from uvicorn.supervisors import Multiprocess

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
_INTERRUPTED = 130  # exit code
_log = logging.getLogger("usim.serve")


def run(settings: Settings) -> None:
    """Serve until the process is told to stop; requests under way have ``settings.grace`` seconds to be answered.

    Raises:
        OptionError: the service could be used by strangers; see :meth:`Settings.check`. Or an option is wrong.
        ParsingError, UsimError: the parser or the judge cannot be loaded, or the address is not free.
        KeyboardInterrupt: the service was interrupted.
    """
    settings.check()
    asyncio.run(_check_checker(settings))
    several = settings.workers > 1
    # A single process ends by the signal that stops it, and would leave the folder behind.
    with tempfile.TemporaryDirectory(prefix="usim-serve-") if several else nullcontext("") as folder:
        if several:
            settings.to_options().load_pipeline()  # so that a model that cannot be loaded is an error here
            os.environ["PROMETHEUS_MULTIPROC_DIR"] = folder
            os.environ["PYTHONSAFEPATH"] = "1"  # workers import nothing from the current folder
        config = Config(
            # Workers get their settings through a pipe: no key stands in an environment.
            partial(_worker, settings) if several else partial(create_app, settings),
            factory=True,
            host=settings.host,
            port=settings.port,
            workers=settings.workers,
            http="h11",  # which bounds the heads of requests
            timeout_keep_alive=5,
            timeout_graceful_shutdown=settings.grace,
            timeout_worker_healthcheck=60,  # a worker that loads its models may not answer for a while
            server_header=False,
            access_log=False,  # its lines would hold what stands after the question mark
            log_config=_LOG,
        )
        if several:
            workers = Multiprocess(config, sockets=[config.bind_socket()])
            workers.run()
            if any(worker.exitcode == STARTUP_FAILURE for worker in workers.processes):
                raise UsimError("a worker could not be started: the log says why")
            return
        server = _Server(config)
        server.run()
        if not server.started:
            raise UsimError("the service could not be started: its log says why")


async def _check_checker(settings: Settings) -> None:
    """Refuse to start with a checker that is broken; a server that does not answer yet may do so later."""
    if settings.checker is None:
        return
    checker = load_checker(settings.checker, seconds=settings.limits.seconds / 3)
    try:
        await checker.configuration("en-US")
    except CheckerError as e:
        if e.retry is None:
            raise
        _log.warning("%s", e)
    finally:
        await checker.close()


class _Server(Server):
    """A server that a second interrupt ends at once, even in the middle of a batch, where no thread can be stopped."""

    def handle_exit(self, sig: int, frame: FrameType | None) -> None:
        """Stop in good order; if interrupted again, end the process."""
        if self.should_exit and sig == signal.SIGINT:
            os.write(2, b"usim: interrupted again: ended at once\n")
            os._exit(_INTERRUPTED)
        super().handle_exit(sig, frame)


def _worker(settings: Settings) -> ASGIApp:
    """Make the application of a worker process, which ends when its parent does.

    Raises:
        SystemExit: it cannot be made. Its code tells uvicorn that a new worker would fail as well, which ends the
            service.
    """
    parent = multiprocessing.parent_process()

    def end_with_parent() -> None:
        if parent is not None:
            parent.join()
            signal.raise_signal(signal.SIGTERM)

    threading.Thread(target=end_with_parent, daemon=True).start()
    try:
        return create_app(settings)
    except Exception as e:
        _log.error("%s", e, exc_info=not isinstance(e, UsimError))
        raise SystemExit(STARTUP_FAILURE) from e
