"""The program of the process that Harper runs in: a line of JSON in, a line of JSON out.

Harper prints into standard output what it thinks, ends the whole process where a text needs more memory than there is,
and is held up for minutes by some texts. So it has a process of its own, whose streams lead nowhere. The process ends
itself where a text takes too long, and ends with the process that started it, whose end closes standard input.

This file is run by its path and imports nothing of usim, so that the process starts fast and stays small.
"""

from __future__ import annotations

import faulthandler
import json
import os
import signal
import sys
from typing import Any

import harper

_MEMORY = 4 * 2**30  # bytes of address space; Harper itself takes a tenth of it


def main() -> None:
    """Answer requests until there are no more."""
    answers = os.fdopen(os.dup(1), "w", encoding="utf-8")
    print("", file=answers, flush=True)  # Harper could be imported
    null = os.open(os.devnull, os.O_RDWR)
    os.dup2(null, 1)
    os.dup2(null, 2)
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # an interrupt is for the process that asks
    _bound_memory()
    linters: dict[int, harper.Linter] = {}
    for line in sys.stdin.buffer:
        request = json.loads(line)
        dialect = request["dialect"]
        if dialect not in linters:  # what takes longest comes before the time of the text counts
            linters[dialect] = harper.Linter(harper.Dialect(dialect))
            linters[dialect].lint("A text.")
        # Both end the process while Harper works: the one by a signal, the other by a thread without Python's lock.
        _bound_processor_time(request["processor_seconds"])
        faulthandler.dump_traceback_later(request["seconds"], exit=True, file=null)
        answer = _answer(linters[dialect], request)
        faulthandler.cancel_dump_traceback_later()
        _bound_processor_time(0)
        answers.write(json.dumps(answer) + "\n")
        answers.flush()


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


def _answer(linter: harper.Linter, request: dict[str, Any]) -> dict[str, Any]:
    config: dict[str, bool | None] = dict(harper.get_default_lint_config())
    if request["only"]:
        config = dict.fromkeys(config, False)
    config |= {rule: True for rule in request["on"] if rule in config}
    config |= {rule: False for rule in request["off"] if rule in config}
    linter.set_lint_config(config)
    text = request["text"]
    by_rule = linter.organized_lints(text, language=request["markup"])
    descriptions = linter.get_lint_descriptions() if by_rule else {}
    return {
        "lints": [
            _lint(text, rule, descriptions.get(rule, rule), lint) for rule, lints in by_rule.items() for lint in lints
        ],
        "is_english": linter.is_likely_english(text),
    }


def _lint(text: str, rule: str, description: str, lint: harper.Lint) -> dict[str, Any]:
    start, end = lint.span.start, lint.span.end
    values = [
        (text[start:end] if suggestion.kind == harper.SuggestionKind.INSERT_AFTER else "") + suggestion.replacement_text
        for suggestion in lint.suggestions
    ]
    return {
        "rule": rule,
        "description": description,
        "start": start,
        "end": end,
        "message": lint.message,
        "kind": lint.lint_kind,
        "kind_name": lint.lint_kind_pretty,
        "values": list(dict.fromkeys(values)),
    }


if __name__ == "__main__":
    main()
