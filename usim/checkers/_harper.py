"""Harper, an English checker that works offline (https://writewithharper.com), by the package ``harper-py``,
in a process of its own: ``usim.checkers._harper_process``."""

from __future__ import annotations

import asyncio
import importlib.metadata
import importlib.util
import json
import re
import signal
import subprocess
import sys
import threading
import weakref
from collections.abc import Callable, Sequence
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
_LEAST_SECONDS = 2.0  # of a processor that a text may take, with as many more as its length calls for
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
_OTHER = ("MISC", "uncategorized")


class _LostError(Exception):
    """Harper's process has ended over a text, which took too long or too much memory."""


#: How a process ends that somebody else has ended: over a text it ends itself, by other signals.
_FROM_OUTSIDE = (-signal.SIGTERM, -getattr(signal, "SIGKILL", signal.SIGTERM), -signal.SIGINT)


class _Process:
    """Harper in a process of its own, see ``usim.checkers._harper_process``; started when it is needed.

    It ends with this object, and with the process that this object lives in.
    """

    def __init__(self) -> None:
        self._lock = threading.Lock()  # it takes one text at a time
        self._end: Callable[[], object] | None = None
        self._process: subprocess.Popen[bytes] | None = None

    def ask(self, request: dict[str, Any]) -> dict[str, Any]:
        """Return the answer to a request; raise a :class:`_LostError` where the process ends over it.

        A process that was ended from outside says nothing of the text: another one is asked, once.
        """
        try:
            return self._ask(request)
        except _LostError as e:
            if e.args[0] not in _FROM_OUTSIDE:
                raise
        return self._ask(request)

    def _ask(self, request: dict[str, Any]) -> dict[str, Any]:
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
                with suppress(subprocess.TimeoutExpired):
                    process.wait(1)
                code = process.returncode
                self.end()
                raise _LostError(code)
        answer: dict[str, Any] = json.loads(line)
        return answer

    def end(self) -> None:
        """End the process; the next request starts another one."""
        if self._end is not None:
            self._end()
        self._process = self._end = None

    def _start(self) -> subprocess.Popen[bytes]:
        # Without -P the folder of the program would come first where modules are looked for.
        command = [sys.executable, "-P", str(_PROGRAM)]
        try:
            process = subprocess.Popen(
                command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL
            )
        except OSError as e:
            raise CheckerError(f"Harper's process cannot be started: {e.strerror or e}", status=502) from e
        self._process = process
        self._end = weakref.finalize(self, _end_process, process)
        assert process.stdout is not None
        if not process.stdout.readline():
            self.end()
            hint = "see python -c 'import harper', or install it anew: pip install --force-reinstall harper-py"
            raise CheckerError(f"Harper cannot be started: {hint}", status=502)
        return process


def _end_process(process: subprocess.Popen[bytes]) -> None:
    process.kill()
    with suppress(OSError), process:  # closes its streams, of which one may hold what it never read, and waits
        pass


class HarperChecker:
    """Harper in a process of its own, which keeps what it prints out of this one's output.

    Args:
        seconds: how long a text, or a paragraph of it, may take; short ones may take two seconds of the processor.

    Raises:
        InputError: the package is not installed.
    """

    def __init__(self, *, seconds: float = 10.0) -> None:
        if importlib.util.find_spec("harper") is None:
            raise InputError("Harper needs one more package: pip install harper-py")
        self._process = _Process()
        self._seconds = seconds

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
        lints, is_english, not_checked = self._lints(request, code)
        found = [_finding(lint) for lint in lints]
        if SPELLING_RULE not in request.disabled_rules:
            found = [_with_near_words(request.text.plain, each) for each in found]
        found += _of_learners(request, [*not_checked, *((each.start, each.end) for each in found)])
        wanted = [each for each in found if _is_wanted(request, each)]
        wanted.sort(key=lambda each: (each.start, each.end))
        # Harper does not weigh languages against each other: it says whether a text is likely English.
        name = f"English ({_DIALECTS[code]})"
        return Checked(wanted, code, name, is_english, not_checked, software=_software())

    def _lints(self, request: CheckRequest, code: str) -> tuple[list[dict[str, Any]], bool, list[Span]]:
        """Return what Harper finds, whether it is English, and the spans of the paragraphs that take too long."""
        text = request.text.plain
        asked = {"dialect": list(_DIALECTS).index(code), "markup": request.markup, **_rules(request)}

        def ask(part: str) -> dict[str, Any]:
            # A machine that has much to do is no reason to give up, so mostly the time of the processor counts.
            of_processor = min(self._seconds, _LEAST_SECONDS + len(part) / _SPEED)
            return self._process.ask(
                {**asked, "text": part, "processor_seconds": of_processor, "seconds": self._seconds}
            )

        try:
            answer = ask(text)
            return answer["lints"], answer["is_english"], []
        except _LostError:
            pass
        # Markdown cannot be cut at blank lines, because code may have some.
        paragraphs = paragraph_spans(text) if request.markup == "plaintext" else []
        lints: list[dict[str, Any]] = []
        is_english = False
        not_checked: list[Span] = []
        for start, end in paragraphs if len(paragraphs) > 1 else ():
            try:
                if len(not_checked) == _MOST_LOST:
                    raise _LostError(None)
                answer = ask(text[start:end])
            except _LostError:
                not_checked.append((start, end))
                continue
            is_english |= answer["is_english"]
            lints += [{**lint, "start": lint["start"] + start, "end": lint["end"] + start} for lint in answer["lints"]]
        if len(not_checked) == len(paragraphs) or len(paragraphs) < 2:
            message = "Harper takes too long for the text, or too much memory: take out what is no language"
            raise CheckerError(message, status=504)
        return lints, is_english, not_checked


def _dialect(request: CheckRequest) -> str:
    """Return the code of the dialect that a request is for."""
    code = request.language
    if code in ("auto", "en"):
        code = next((variant for variant in request.preferred_variants if variant in _DIALECTS), "en-US")
    if code not in _DIALECTS:
        raise InputError(f"language must be one of auto, en, {', '.join(_DIALECTS)}: Harper knows English alone")
    return code


def _software() -> Software:
    return Software("Harper", importlib.metadata.version("harper-py"))


def _of_learners(request: CheckRequest, taken: Sequence[Span]) -> list[Finding]:
    """Return what :mod:`usim.checkers._learners` finds beside what Harper found, by rules that are on."""
    text = request.text.plain
    code = [match.span() for match in _CODE.finditer(text)] if request.markup == "markdown" else []
    return [
        finding
        for finding in learner_findings(text)
        if finding.rule not in request.disabled_rules
        and all(finding.end <= start or end <= finding.start for start, end in (*taken, *code))
    ]


def _rules(request: CheckRequest) -> dict[str, Any]:
    """Return which rules are on and off; those of enabled categories are chosen afterwards, by what they find."""
    return {
        "only": request.is_enabled_only and not request.enabled_categories,
        "on": [*(_PICKY if request.is_picky else ()), *request.enabled_rules],
        "off": sorted(request.disabled_rules),
    }


def _finding(lint: dict[str, Any]) -> Finding:
    category, issue = _KINDS.get(lint["kind"], _OTHER)
    return Finding(
        lint["start"],
        lint["end"],
        lint["message"],
        tuple(lint["values"]),
        lint["rule"],
        category,
        lint["description"],
        lint["kind_name"],
        issue,
        is_unknown_word=lint["rule"] == _SPELLING,
    )


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


def _is_wanted(request: CheckRequest, finding: Finding) -> bool:
    if request.is_enabled_only:
        return finding.rule in request.enabled_rules or finding.category in request.enabled_categories
    return finding.rule in request.enabled_rules or finding.category not in request.disabled_categories
