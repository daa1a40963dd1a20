"""Run the service in this process."""

from __future__ import annotations

import asyncio
import logging

from uvicorn import Config, Server

from usim.checkers import CheckerError, CheckRequest, load_checker
from usim.errors import UsimError
from usim.serve.app import create_app
from usim.serve.settings import Settings

_GRACE = 10  # seconds that requests under way have when the service is stopped


def run(settings: Settings) -> None:
    """Serve until the process is told to stop.

    Raises:
        OptionError: the service could be used by strangers; see :meth:`Settings.check`. Or an option is wrong.
        ParsingError, UsimError: the parser, the judge or the checker cannot be loaded, or the address is not free.
        KeyboardInterrupt: the service was interrupted.
    """
    settings.check()
    logging.basicConfig(format="%(asctime)s %(levelname)s %(process)d %(message)s")
    for name in ("uvicorn", "usim.serve"):
        logging.getLogger(name).setLevel(logging.INFO)
    asyncio.run(_check_checker(settings))
    config = Config(
        create_app(settings),
        host=settings.host,
        port=settings.port,
        http="h11",  # which bounds the heads of requests
        timeout_keep_alive=5,
        timeout_graceful_shutdown=_GRACE,
        server_header=False,
        access_log=False,  # its lines would hold what stands after the question mark
        log_config=None,
    )
    try:
        Server(config).run()
    except SystemExit as e:
        raise UsimError("the service could not be started: its log says why") from e


async def _check_checker(settings: Settings) -> None:
    """Refuse to start with a checker that is broken; a server that does not answer yet may do so later."""
    if settings.checker is None:
        return
    checker = load_checker(settings.checker, seconds=settings.limits.seconds / 3)
    try:
        await checker.check(CheckRequest.of("It works.", language="en-US"))
    except CheckerError as e:
        if e.retry is None:
            raise
        logging.getLogger("usim.serve").warning("%s", e)
    finally:
        await checker.close()
