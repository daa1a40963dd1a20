"""``usim lsp``: a checker with its suggestions screened, for editors."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from usim.cli.options import checker_options, judging_options, make_checker, make_screen, option, subcommand
from usim.errors import InputError


@subcommand(
    "lsp",
    "usim lsp",
    "usim lsp --language en-GB --disable-rule LongSentences",
    "usim lsp --languagetool http://localhost:8010",
)
@option("--dictionary", metavar="FILE", help="Words that are right, a line each; words that you add go to its end.")
@checker_options
@judging_options
def command(dictionary: str | None, **options: Any) -> None:
    """Serve an editor, which starts this command, by the Language Server Protocol; see docs/how-to/editors.md.

    Findings of the checker are diagnostics; its suggestions are code actions, those that keep the meaning first, and
    those to drop are left out. Others ignore a finding, add a word to the dictionary, or accept all suggestions that
    keep the meaning. Nothing is written but to the file of --dictionary. Needs the extra lsp.
    """
    try:
        from usim.serve.lsp import Server
    except ImportError as e:
        raise InputError(f"the language server needs one more package ({e.name}): pip install pygls") from e
    checker, request = make_checker(options)
    Server(checker, make_screen(**options), request, None if dictionary is None else Path(dictionary)).run()
