"""Run the service: one process, or several that are started again when they end."""

from __future__ import annotations

import os
import tempfile
from contextlib import nullcontext
from typing import Any

import uvicorn

from usim.serve.app import create_app
from usim.serve.settings import VARIABLE, Settings

_LOG: dict[str, Any] = {
    "version": 1,
    "disable_existing_loggers": False,
    "formatters": {"plain": {"format": "%(asctime)s %(levelname)s %(process)d %(message)s"}},
    "handlers": {"error": {"class": "logging.StreamHandler", "formatter": "plain", "stream": "ext://sys.stderr"}},
    "loggers": {
        name: {"handlers": ["error"], "level": "INFO", "propagate": False} for name in ("uvicorn", "usim.serve")
    },
}


def run(settings: Settings) -> None:
    """Serve until the process is told to stop; requests under way are answered first.

    Raises:
        OptionError: the service could be used by strangers; see :meth:`Settings.check`. Or an option is wrong.
        ParsingError, UsimError: the parser or the judge cannot be loaded.
    """
    settings.check()
    limits = settings.limits
    # A single process ends by the signal that stops it, and would leave the folder behind.
    several = settings.workers > 1
    with tempfile.TemporaryDirectory(prefix="usim-serve-") if several else nullcontext("") as folder:
        os.environ[VARIABLE] = settings.to_json()
        if settings.workers > 1:
            settings.to_options().load_pipeline()  # what cannot be loaded ends the service, not each worker in turn
            os.environ["PROMETHEUS_MULTIPROC_DIR"] = folder
        uvicorn.run(
            "usim.serve.app:create_app" if settings.workers > 1 else create_app(settings),
            factory=settings.workers > 1,
            host=settings.host,
            port=settings.port,
            workers=settings.workers,
            http="usim.serve.protocol:PatientProtocol",
            timeout_keep_alive=5,
            timeout_graceful_shutdown=int(limits.seconds) + 1,
            server_header=False,
            access_log=False,  # its lines would hold what stands after the question mark
            log_config=_LOG,
        )
