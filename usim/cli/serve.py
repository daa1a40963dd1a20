"""``usim serve``: scores and screens over HTTP."""

from __future__ import annotations

from typing import Any

import click

from usim.cli.help import examples
from usim.cli.options import context_option, judge_options, parser_options, preset_option
from usim.errors import InputError, OptionError


@click.command(
    "serve",
    epilog=examples(
        "usim serve --port 8080 --workers 2",
        "usim serve --port 8081 --harper",
        "usim serve --host 0.0.0.0 --api-key-file keys.txt",
    ),
)
@click.option("--host", default="127.0.0.1", show_default=True, help="Where to listen; elsewhere than on this machine "
              "only with --api-key-file.")  # fmt: skip
@click.option("--port", type=click.IntRange(0, 65535), default=8080, show_default=True, help="Where to listen.")
@click.option("--workers", type=click.IntRange(1), default=1, show_default=True, help="How many processes.")
@click.option("--api-key-file", metavar="FILE", help="API keys, one a line; each request must bring one.")
@click.option("--allow-origin", "origins", multiple=True, metavar="ORIGIN",
              help="A web page that browsers may call from, such as https://a.example; may be repeated.")  # fmt: skip
@click.option("--allow-host", "hosts", multiple=True, metavar="NAME",
              help="A name by which the service may be called; may be repeated.  "
              "[default: localhost on this machine, else any]")  # fmt: skip
@click.option("--harper", is_flag=True, help="Also speak LanguageTool's protocol, with Harper as the checker.")
@click.option("--languagetool", metavar="URL", help="The same with a LanguageTool server of yours, such as "
              "http://localhost:8010.")  # fmt: skip
@click.option("--languagetool-time-limit", "checker_seconds", type=click.FloatRange(0, min_open=True), default=10.0,
              show_default=True, metavar="SECONDS", help="How long that server may take.")  # fmt: skip
@click.option("--words", metavar="FILE", help="Keep the words here that /v2/words/add gets; it is made if need be.  "
              "[default: in memory]")  # fmt: skip
@click.option("--max-body", "body", type=click.IntRange(1), default=1_000_000, show_default=True, metavar="BYTES",
              help="The largest body of a request.")  # fmt: skip
@click.option("--max-text", "text", type=click.IntRange(1), default=20_000, show_default=True, metavar="CHARACTERS",
              help="The longest text.")  # fmt: skip
@click.option("--max-checked-text", "checked_text", type=click.IntRange(1), default=40_000, show_default=True,
              metavar="CHARACTERS", help="The longest text that is checked.")  # fmt: skip
@click.option("--max-pairs", "pairs", type=click.IntRange(1), default=256, show_default=True, metavar="N",
              help="The most pairs, records or texts of a request.")  # fmt: skip
@click.option("--max-suggestions", "suggestions", type=click.IntRange(1), default=1000, show_default=True, metavar="N",
              help="The most suggestions of a request.")  # fmt: skip
@click.option("--max-tokens", "tokens", type=click.IntRange(1), default=10_000, show_default=True, metavar="N",
              help="The most tokens that are read for a request, each text as often as it is read.")  # fmt: skip
@click.option("--max-replacements", "replacements", type=click.IntRange(1), default=8, show_default=True, metavar="N",
              help="How many replacements of a checker's match are screened; the others are left out.")  # fmt: skip
@click.option("--max-under-way", "under_way", type=click.IntRange(1), default=64, show_default=True, metavar="N",
              help="The most requests at a time, for each worker.")  # fmt: skip
@click.option("--time-limit", "seconds", type=click.FloatRange(0, min_open=True), default=30.0, show_default=True,
              metavar="SECONDS", help="How long a request may take.")  # fmt: skip
@click.option("--rate", type=click.IntRange(1), metavar="N",
              help="The most requests a minute from one key or address.  [default: any number]")  # fmt: skip
@click.option("--grace", type=click.IntRange(1), default=10, show_default=True, metavar="SECONDS",
              help="How long requests under way have when the service is stopped.")  # fmt: skip
@click.option("--inflect", is_flag=True, help="Substitutes are lemmas: put them into the form of their targets.")
@context_option
@click.option("--lists", is_flag=True, help="When screening, judge the substitutes of a target together.")
@judge_options
@preset_option
@parser_options
def command(
    host: str,
    port: int,
    workers: int,
    api_key_file: str | None,
    origins: tuple[str, ...],
    hosts: tuple[str, ...],
    harper: bool,
    languagetool: str | None,
    checker_seconds: float,
    words: str | None,
    body: int,
    text: int,
    checked_text: int,
    pairs: int,
    suggestions: int,
    tokens: int,
    replacements: int,
    under_way: int,
    seconds: float,
    rate: int | None,
    grace: int,
    **options: Any,
) -> None:
    """Answer requests over HTTP: POST /v1/score, /v1/screen, /v1/explain and /v1/parse; see docs/how-to/serve.md.

    Needs the extra serve. Interrupted or terminated, it answers requests under way if that is done within --grace.
    """
    from usim.serve.settings import Limits, Settings, read_keys

    try:
        from usim.serve.run import run
    except ImportError as e:
        packages = "fastapi httpx prometheus-client pydantic uvicorn"
        raise InputError(f"the service needs more packages ({e.name}): pip install {packages}") from e
    if harper and languagetool is not None:
        raise click.UsageError("--harper or --languagetool URL, one of the two")
    limits = Limits(
        body=body, text=text, checked_text=checked_text, pairs=pairs, suggestions=suggestions, tokens=tokens,
        replacements=replacements, under_way=under_way, seconds=seconds, rate=rate,
    )  # fmt: skip
    settings = Settings(
        host=host,
        port=port,
        workers=workers,
        options=options,
        checker="harper" if harper else languagetool,
        checker_seconds=checker_seconds,
        words=":memory:" if words is None else words,
        keys=() if api_key_file is None else read_keys(api_key_file),
        origins=origins,
        grace=grace,
        limits=limits,
    )
    if hosts or settings.is_local:
        from dataclasses import replace

        settings = replace(settings, hosts=hosts or ("localhost", "127.0.0.1", "[::1]", host))
    try:
        run(settings)
    except OptionError as e:
        raise click.BadParameter(e.message, param_hint=f"--{e.option}") from e
