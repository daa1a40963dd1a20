"""Harper, an English checker that works offline (https://writewithharper.com), by the package ``harper-py``,
in a process of its own: ``usim.checkers._harper_process``."""

from __future__ import annotations

import asyncio
import importlib.metadata
import importlib.util
import json
import re
import subprocess
import sys
import threading
import weakref
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import replace
from pathlib import Path
from typing import Any

from usim.checkers._checker import Checked, CheckerError, CheckRequest, Finding, Language, Software
from usim.checkers._learners import SPELLING_RULE, learner_findings
from usim.errors import InputError
from usim.judge import shipped_corrections
from usim.text import Span, paragraph_spans

_DIALECTS = {"en-US": "US", "en-GB": "GB", "en-AU": "Australian", "en-CA": "Canadian", "en-IN": "Indian"}
#: Seconds of a processor that a text may take, with as many more as its length calls for. Those of a clock are not
#: counted: a machine that has much to do is no reason to give up.
_LEAST_SECONDS = 2.0
_SPEED = 20_000  # characters a second that Harper reads at the least, a tenth of what it does with prose
_MOST_LOST = 3  # paragraphs that take too long, before the rest of the text is left out
#: Code in Markdown: fenced blocks, which may have no end, and code in a line.
_CODE = re.compile(r"^ {0,3}(```+|~~~+)(?:.*?^ {0,3}\1|.*)|(`+)[^`]+\2", re.MULTILINE | re.DOTALL)
_PROGRAM = Path(__file__).with_name("_harper_process.py")
#: Rules of Harper's that are off unless somebody is picky: they are about taste.
_PICKY = ("BoringWords", "MoreAdjective", "SpelledNumbers")
#: From Harper's kinds of mistakes to the categories of LanguageTool and to the types of the Internationalization Tag
#: Set, both of which clients know.
_KINDS = {
    "Agreement": ("GRAMMAR", "grammar"),
    "BoundaryError": ("COMPOUNDING", "misspelling"),
    "Capitalization": ("CASING", "typographical"),
    "Eggcorn": ("CONFUSED_WORDS", "misspelling"),
    "Enhancement": ("STYLE", "style"),
    "Formatting": ("TYPOGRAPHY", "typographical"),
    "Grammar": ("GRAMMAR", "grammar"),
    "Malapropism": ("CONFUSED_WORDS", "misspelling"),
    "Nonstandard": ("NONSTANDARD_PHRASES", "grammar"),
    "Punctuation": ("PUNCTUATION", "typographical"),
    "Readability": ("STYLE", "style"),
    "Redundancy": ("REDUNDANCY", "style"),
    "Regionalism": ("REGIONALISMS", "locale-violation"),
    "Repetition": ("REPETITIONS", "duplication"),
    "Spelling": ("TYPOS", "misspelling"),
    "Style": ("STYLE", "style"),
    "Typo": ("TYPOS", "misspelling"),
    "Usage": ("CONFUSED_WORDS", "grammar"),
    "WordChoice": ("CONFUSED_WORDS", "misspelling"),
    "WordOrder": ("GRAMMAR", "grammar"),
}
_SPELLING, _SPLIT = "SpellCheck", "SplitWords"
#: So many words that usim's model of corrections takes a misspelling for are suggested beside Harper's.
_NEAR_WORDS = 3


class _LostError(Exception):
    """Harper's process has ended without an answer."""


class HarperChecker:
    """Harper in a process of its own, which is started when it is needed and ends with this object.

    Args:
        seconds: how long a text, or a paragraph of it, may take a processor; short ones may take two seconds at most.

    Raises:
        InputError: the package is not installed.
    """

    def __init__(self, *, seconds: float = 10.0) -> None:
        if importlib.util.find_spec("harper") is None:
            raise InputError("Harper needs one more package: pip install harper-py")
        self._seconds = seconds
        self._lock = threading.Lock()  # the process takes one text at a time
        self._process: subprocess.Popen[bytes] | None = None

    async def languages(self) -> list[Language]:
        """Return the dialects of English that Harper knows."""
        dialects = [Language(f"English ({name})", "en", code) for code, name in _DIALECTS.items()]
        return [Language("English", "en", "en"), *dialects]

    async def close(self) -> None:
        """Do nothing: Harper's process ends with this object, and the texts of the next loop need no other one."""

    async def check(self, request: CheckRequest) -> Checked:
        """Check a text.

        Rules are those of Harper, by Harper's names; their categories have LanguageTool's. Paragraphs of a plain text
        that take too long are left out.
        """
        request.check_rules()
        return await asyncio.to_thread(self._check, request, _dialect(request))

    def _check(self, request: CheckRequest, code: str) -> Checked:
        lints, not_checked = self._lints(request, code)
        found = [_finding(**lint) for lint in lints]
        if SPELLING_RULE not in request.disabled_rules:
            found = [_with_near_words(request.text.plain, each) for each in found]
        found += _of_learners(request, [*not_checked, *((each.start, each.end) for each in found)])
        wanted = sorted(filter(request.wants, found), key=lambda each: (each.start, each.end))
        # Harper does not weigh languages against each other: the one that was asked for is that of the answer.
        software = Software("Harper", importlib.metadata.version("harper-py"))
        return Checked(wanted, code, f"English ({_DIALECTS[code]})", not_checked, software=software)

    def _lints(self, request: CheckRequest, code: str) -> tuple[list[dict[str, Any]], list[Span]]:
        """Return what Harper finds, and the spans of the paragraphs over which its process ended.

        Where it ended over the text, each paragraph is asked for alone.
        """
        text = request.text.plain
        rules = dict.fromkeys(_PICKY, True) if request.is_picky else {}
        rules |= dict.fromkeys(request.enabled_rules, True) | dict.fromkeys(request.disabled_rules, False)
        asked = {"dialect": list(_DIALECTS).index(code), "markup": request.markup, "rules": rules}
        with suppress(_LostError):
            return self._ask(asked, text), []
        # Markdown cannot be cut at blank lines, because code may have some.
        parts = paragraph_spans(text) if request.markup == "plaintext" else [(0, len(text))]
        lints: list[dict[str, Any]] = []
        lost: list[Span] = []
        for start, end in parts:
            if len(lost) < _MOST_LOST:
                with suppress(_LostError):
                    for lint in self._ask(asked, text[start:end]):
                        lints.append({**lint, "start": lint["start"] + start, "end": lint["end"] + start})
                    continue
            lost.append((start, end))
        if len(lost) == len(parts):
            message = "Harper takes too long for the text, or too much memory: take out what is no language"
            raise CheckerError(f"{message}; if it takes any text so, install harper-py anew", status=504)
        return lints, lost

    def _ask(self, asked: dict[str, Any], text: str) -> list[dict[str, Any]]:
        """Return what Harper finds in a text; raise a :class:`_LostError` where its process ends over it."""
        request = {**asked, "text": text, "seconds": min(self._seconds, _LEAST_SECONDS + len(text) / _SPEED)}
        with self._lock:
            process = self._process or self._start()
            assert process.stdin is not None
            assert process.stdout is not None
            try:
                process.stdin.write(json.dumps(request).encode() + b"\n")
                process.stdin.flush()
                line = process.stdout.readline()
            except OSError:  # it ended before it had read all of the text
                line = b""
            if not line.endswith(b"\n"):
                _end(process)
                self._process = None
                raise _LostError
        lints: list[dict[str, Any]] = json.loads(line)
        return lints

    def _start(self) -> subprocess.Popen[bytes]:
        # Without -P the folder of the program would come first where modules are looked for.
        command = [sys.executable, "-P", str(_PROGRAM)]
        pipe = subprocess.PIPE
        try:
            process = subprocess.Popen(command, stdin=pipe, stdout=pipe, stderr=subprocess.DEVNULL)
        except OSError as e:
            raise CheckerError(f"Harper's process cannot be started: {e.strerror or e}", status=502) from e
        weakref.finalize(self, _end, process)
        self._process = process
        return process


def _end(process: subprocess.Popen[bytes]) -> None:
    process.kill()
    with suppress(OSError), process:  # closes its streams, of which one may hold what it never read, and waits
        pass


def _dialect(request: CheckRequest) -> str:
    """Return the code of the dialect that a request is for."""
    code = request.language
    if code in ("auto", "en"):
        code = next((variant for variant in request.preferred_variants if variant in _DIALECTS), "en-US")
    if code not in _DIALECTS:
        raise InputError(f"language must be one of auto, en, {', '.join(_DIALECTS)}: Harper knows English alone")
    return code


def _of_learners(request: CheckRequest, taken: Sequence[Span]) -> list[Finding]:
    """Return what :mod:`usim.checkers._learners` finds beside what Harper found."""
    text = request.text.plain
    code = [match.span() for match in _CODE.finditer(text)] if request.markup == "markdown" else []
    return [
        finding
        for finding in learner_findings(text)
        if all(finding.end <= start or end <= finding.start for start, end in (*taken, *code))
    ]


def _finding(harper_kind: str, rule: str, replacements: list[str], **lint: Any) -> Finding:
    category, issue = _KINDS.get(harper_kind, ("MISC", "uncategorized"))
    is_unknown = rule == _SPELLING
    values = tuple(replacements)
    return Finding(rule=rule, replacements=values, category=category, issue=issue, is_unknown_word=is_unknown, **lint)


def _with_near_words(text: str, finding: Finding) -> Finding:
    """Return a finding of a misspelling with further words that may be meant, none for a word that usim knows.

    Harper cuts many misspellings in two: *adress* gives *a dress* and nothing else.
    """
    written = text[finding.start : finding.end]
    if finding.rule not in (_SPELLING, _SPLIT) or not written.isalpha():
        return finding
    words = shipped_corrections().words_for(written.lower())[:_NEAR_WORDS]
    if written[0].isupper():
        words = [word.capitalize() for word in words]
    if words and finding.rule == _SPLIT:
        message = f"Did you mean to spell `{written}` this way?"
        finding = replace(finding, message=message, is_unknown_word=True)
    return replace(finding, replacements=tuple(dict.fromkeys((*finding.replacements, *words))))
