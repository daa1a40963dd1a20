"""The program of the process that Harper runs in: a line of JSON in, a line of JSON out.

Harper prints into standard output what it thinks, ends the whole process where a text needs more memory than there is,
and is held up for minutes by some texts. So its process ends where a text takes it too long, and with the process that
started it, whose end closes standard input. Standard error leads nowhere. This file is run by its path and imports
nothing of usim, so that the process starts fast and stays small.
"""

from __future__ import annotations

import json
import os
import signal
import sys
from typing import Any

import harper

_MEMORY = 4 * 2**30  # bytes of address space; Harper itself takes a tenth of it


def main() -> None:
    answers = os.fdopen(os.dup(1), "w", encoding="utf-8")
    os.dup2(2, 1)  # what Harper prints goes where standard error goes
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # an interrupt is for the process that asks
    _bound_memory()
    linters: dict[int, harper.Linter] = {}
    for line in sys.stdin.buffer:
        request = json.loads(line)
        dialect = request["dialect"]
        if dialect not in linters:  # what takes longest comes before the time of the text counts
            linters[dialect] = harper.Linter(harper.Dialect(dialect))
            linters[dialect].lint("A text.")
        _bound_processor_time(request["seconds"])
        lints = _lints(linters[dialect], request)
        _bound_processor_time(0)
        print(json.dumps(lints), file=answers, flush=True)


def _bound_processor_time(seconds: float) -> None:
    """End the process once it has worked for so long; 0 for no limit."""
    if hasattr(signal, "setitimer"):  # Windows has no such timer
        signal.setitimer(signal.ITIMER_PROF, seconds)


def _bound_memory() -> None:
    try:
        import resource
    except ImportError:  # Windows has no such limits
        return
    _, most = resource.getrlimit(resource.RLIMIT_AS)
    resource.setrlimit(resource.RLIMIT_AS, (_MEMORY if most < 0 else min(_MEMORY, most), most))


def _lints(linter: harper.Linter, request: dict[str, Any]) -> list[tuple[Any, ...]]:
    """Return the values of findings, in the order of the arguments of ``usim.checkers._harper._finding``."""
    config: dict[str, bool | None] = dict(harper.get_default_lint_config())
    linter.set_lint_config(config | {rule: is_on for rule, is_on in request["rules"].items() if rule in config})
    text = request["text"]
    by_rule = linter.organized_lints(text, language="markdown" if request["markdown"] else "plaintext")
    return [
        (lint.span.start, lint.span.end, lint.message, _replacements(text, lint), rule, lint.lint_kind)
        for rule, lints in by_rule.items()
        for lint in lints
    ]


def _replacements(text: str, lint: harper.Lint) -> list[str]:
    old = text[lint.span.start : lint.span.end]
    behind = harper.SuggestionKind.INSERT_AFTER
    texts = ((old if each.kind == behind else "") + each.replacement_text for each in lint.suggestions)
    return list(dict.fromkeys(texts))


if __name__ == "__main__":
    main()
