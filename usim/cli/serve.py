"""``usim serve``, ``usim lsp`` and ``usim mcp``: over HTTP, in editors, and as tools for agents."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import click
from click import option
from msgspec import ValidationError, convert

from usim.cli import options as shared
from usim.errors import extra
from usim.serve.settings import Limits, Settings, read_keys

_LIMITS = ", ".join(Limits.__struct_fields__)
_limit_option = option("--limit", "limits", multiple=True, metavar="LIMIT=NUMBER",
                      help=f"Change a limit: {_LIMITS} (see docs/how-to/serve.md); may be repeated.")  # fmt: skip


@shared.subcommand(
    "usim serve --port 8080",
    "usim serve --port 8081 --harper",
    "usim serve --host 0.0.0.0 --api-key-file keys.txt",
)
@option("--host", default="127.0.0.1", help="Where to listen; an address beyond this machine needs --api-key-file.")
@option("--port", type=click.IntRange(0, 65535), default=8080, help="The port to listen on.")
@option("--api-key-file", metavar="FILE", help="API keys, one a line; each request must bring one.")
@option("--allow-origin", "origins", multiple=True, metavar="ORIGIN",
        help="A web page whose scripts may call the service, such as https://a.example; may be repeated.")  # fmt: skip
@option("--allow-host", "hosts", multiple=True, metavar="NAME", help="A name by which clients may call the service; "
        "may be repeated.  [default: localhost on this machine, otherwise any]")  # fmt: skip
@option("--harper", is_flag=True, help="Also speak LanguageTool's protocol, with Harper as the checker.")
@option("--languagetool", metavar="URL", help="The same with a LanguageTool server of yours, such as "
        "http://localhost:8010; with or without --harper.")  # fmt: skip
@_limit_option
@shared.verdict_options
@shared.model_option
def serve(
    harper: bool,
    languagetool: str | None,
    api_key_file: str | None,
    hosts: tuple[str, ...],
    limits: tuple[str, ...],
    **given: Any,
) -> None:
    """Answer requests over HTTP: POST /v1/score, /v1/best, /v1/screen, /v1/explain, /v1/compare and /v1/parse.

    With a checker it also answers POST /v2/check of LanguageTool's protocol. A page to try it is at /; see
    docs/how-to/serve.md.

    Needs the extra serve. After a stop it answers the requests under way for some more seconds.
    """
    packages = "fastapi httpx jinja2 lemminflect prometheus-client pydantic uvicorn"
    app = extra("usim.serve.app", "the service needs", packages, of="serve")
    own = shared.pop_options(given, "host", "port", "origins")
    settings = Settings(
        **own,
        options=given,
        checkers=shared.checker_names(harper, languagetool),
        keys=() if api_key_file is None else read_keys(api_key_file),
        limits=_read_limits(limits),
    )
    if hosts or settings.is_local:
        settings = replace(settings, hosts=hosts or ("localhost", "127.0.0.1", "[::1]", settings.host))
    app.run(settings)


@shared.subcommand(
    "usim lsp",
    "usim lsp --language en-GB --disable-rule LongSentences",
    "usim lsp --languagetool http://localhost:8010",
)
@option("--dictionary", metavar="FILE", help="Words that are right, a line each; words that you add go to its end.")
@shared.checker_options
@shared.judging_options
def lsp(dictionary: str | None, **options: Any) -> None:
    """Serve an editor, which starts this command, over the Language Server Protocol; see docs/how-to/editors.md.

    Findings of the checker are diagnostics. Its suggestions are code actions, those that keep the meaning first; those
    to drop are left out. Other actions ignore a finding, add a word to the dictionary, or accept all suggestions that
    keep the meaning. The command writes only to the file of --dictionary. Needs the extra lsp.
    """
    server = extra("usim.serve.lsp", "the language server needs", "pygls", of="lsp").Server
    checker, request = shared.make_checker(options)
    server(checker, shared.make_screen(**options), request, None if dictionary is None else Path(dictionary)).run()


@shared.subcommand("usim mcp", "usim mcp --limit seconds=120")
@_limit_option
@shared.verdict_options
@shared.model_option
def mcp(limits: tuple[str, ...], **options: Any) -> None:
    """Serve an agent, which starts this command, over the Model Context Protocol; see docs/how-to/assistant.md.

    Its tools are check_rewrite, compare_documents and best_of. Needs the extra mcp. What is sent stays on this machine.
    """
    tools = extra("usim.serve.mcp", "tools for agents need", "mcp prometheus-client", of="mcp")
    tools.make_server(Settings(options=options, limits=_read_limits(limits))).run()


def _read_limits(given: Sequence[str]) -> Limits:
    try:
        return convert(dict(each.partition("=")[::2] for each in given), Limits, strict=False)
    except ValidationError as e:
        raise click.UsageError(f"--limit: give LIMIT=NUMBER, a number above 0 for one of {_LIMITS}: {e}") from None
