"""``usim lsp``: a checker with its suggestions screened, for editors."""

from __future__ import annotations

from functools import partial
from typing import Any

import click

from usim.cli.help import examples
from usim.cli.options import checker_options, judge_options, make_checker, make_screen, parser_options
from usim.errors import InputError


@click.command(
    "lsp",
    epilog=examples(
        "usim lsp",
        "usim lsp --language en-GB --disable-rule LongSentences",
        "usim lsp --languagetool http://localhost:8010",
    ),
)
@checker_options
@judge_options
@parser_options
def command(
    languagetool: str | None,
    language: str,
    enabled: tuple[str, ...],
    disabled: tuple[str, ...],
    is_picky: bool,
    **options: Any,
) -> None:
    """Serve an editor, which starts this command, by the Language Server Protocol; see docs/how-to/editors.md.

    Findings of the checker are diagnostics; its suggestions are code actions, those that keep the meaning first, and
    those to drop are left out. Needs the extra lsp.
    """
    try:
        from usim.lsp import Server
    except ImportError as e:
        raise InputError(f"the language server needs one more package ({e.name}): pip install pygls") from e
    from usim.checkers import CheckRequest, plain_request

    wanted = partial(plain_request, language=language, enabled=enabled, disabled=disabled, is_picky=is_picky)

    def request(text: str, is_markdown: bool) -> CheckRequest:
        return wanted(text, markup="markdown" if is_markdown else "plaintext")

    Server(make_checker(languagetool), make_screen(**options), request).run()
