"""``usim serve``: scores and screens over HTTP."""

from __future__ import annotations

from dataclasses import fields, replace
from typing import Any

import click

from usim.cli.help import subcommand
from usim.cli.options import (
    ABOVE_ZERO,
    AT_LEAST_ONE,
    lists_option,
    model_option,
    option,
    pop_options,
    risk_option,
    threads_option,
    usage_errors,
    verdict_options,
    with_options,
)
from usim.errors import InputError
from usim.serve.settings import Limits, Settings, read_keys

#: The limits that options set.
_LIMITS = {limit.name: limit for limit in fields(Limits) if limit.metadata}


@subcommand(
    "serve",
    "usim serve --port 8080 --workers 2",
    "usim serve --port 8081 --harper",
    "usim serve --host 0.0.0.0 --api-key-file keys.txt",
)
@option("--host", default="127.0.0.1", help="Where to listen; elsewhere than on this machine only with --api-key-file.")
@option("--port", type=click.IntRange(0, 65535), default=8080, help="Where to listen.")
@option("--workers", type=AT_LEAST_ONE, default=1, help="How many processes.")
@option("--api-key-file", metavar="FILE", help="API keys, one a line; each request must bring one.")
@option("--allow-origin", "origins", multiple=True, metavar="ORIGIN",
        help="A web page that browsers may call from, such as https://a.example; may be repeated.")  # fmt: skip
@option("--allow-host", "hosts", multiple=True, metavar="NAME", help="A name by which the service may be called; may "
        "be repeated.  [default: localhost on this machine, else any]")  # fmt: skip
@option("--harper", is_flag=True, help="Also speak LanguageTool's protocol, with Harper as the checker.")
@option("--languagetool", metavar="URL",
        help="The same with a LanguageTool server of yours, such as http://localhost:8010.")  # fmt: skip
@with_options(
    *(
        option(limit.metadata["option"], name, type=ABOVE_ZERO if name == "seconds" else AT_LEAST_ONE,
               default=limit.default, metavar=limit.metadata["metavar"], help=limit.metadata["help"])
        for name, limit in _LIMITS.items()
    )
)  # fmt: skip
@option("--grace", type=AT_LEAST_ONE, default=10, metavar="SECONDS",
        help="How long requests under way have when the service is stopped.")  # fmt: skip
@lists_option
@verdict_options
@risk_option
@threads_option
@model_option
def command(
    harper: bool,
    languagetool: str | None,
    api_key_file: str | None,
    hosts: tuple[str, ...],
    **given: Any,
) -> None:
    """Answer requests over HTTP: POST /v1/score, /v1/screen, /v1/explain and /v1/parse; see docs/how-to/serve.md.

    Needs the extra serve. Interrupted or terminated, it answers requests under way if that is done within --grace.
    """
    try:
        from usim.serve.run import run
    except ImportError as e:
        packages = "fastapi httpx prometheus-client pydantic uvicorn"
        raise InputError(f"the service needs more packages ({e.name}): pip install {packages}") from e
    if harper and languagetool is not None:
        raise click.UsageError("--harper or --languagetool URL, one of the two")
    limits = Limits(**pop_options(given, *_LIMITS))
    own = pop_options(given, "host", "port", "workers", "origins", "grace")
    settings = Settings(
        **own,
        options=given,
        checker="harper" if harper else languagetool,
        checker_seconds=limits.seconds / 3,
        keys=() if api_key_file is None else read_keys(api_key_file),
        limits=limits,
    )
    if hosts or settings.is_local:
        settings = replace(settings, hosts=hosts or ("localhost", "127.0.0.1", "[::1]", settings.host))
    with usage_errors():
        run(settings)
