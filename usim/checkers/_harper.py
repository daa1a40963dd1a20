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
from collections.abc import Callable, Iterable, Sequence
from contextlib import suppress
from pathlib import Path
from typing import Any

from usim.checkers._annotated import AnnotatedText, Offsets
from usim.checkers._learners import LEARNER_RULES, learner_lints
from usim.checkers._matches import Match
from usim.checkers._request import CheckerError, CheckRequest
from usim.errors import InputError
from usim.text import Span, paragraph_spans, sentence_around, sentence_spans

_DIALECTS = {"en-US": "US", "en-GB": "GB", "en-AU": "Australian", "en-CA": "Canadian", "en-IN": "Indian"}
_LEAST_SECONDS = 2.0  # of a processor that a text may take, with as many more as its length calls for
_SPEED = 20_000  # characters a second that Harper reads at the least, a tenth of what it does with prose
_MOST_LOST = 3  # paragraphs that take too long, before the rest of the text is left out
#: Code in Markdown: fenced blocks, which may have no end, and code in a line.
_CODE = re.compile(r"^ {0,3}(```+|~~~+)(?:.*?^ {0,3}\1|.*)|(`+)[^`]+\2", re.MULTILINE | re.DOTALL)
_PROGRAM = Path(__file__).with_name("_harper_process.py")
_AROUND = 40  # characters of context on either side of a match
#: Rules of Harper's that are off unless somebody is picky: they are about taste.
_PICKY = ("BoringWords", "MoreAdjective", "SpelledNumbers")
#: From Harper's kinds of mistakes to the categories of LanguageTool and to the types of the Internationalization Tag
#: Set (https://www.w3.org/TR/its20/#lqissue-typevalues), both of which clients know.
_KINDS = {
    "Agreement": ("GRAMMAR", "Grammar", "grammar"),
    "BoundaryError": ("COMPOUNDING", "Compounding", "misspelling"),
    "Capitalization": ("CASING", "Capitalization", "typographical"),
    "Eggcorn": ("CONFUSED_WORDS", "Commonly Confused Words", "misspelling"),
    "Enhancement": ("STYLE", "Style", "style"),
    "Formatting": ("TYPOGRAPHY", "Typography", "typographical"),
    "Grammar": ("GRAMMAR", "Grammar", "grammar"),
    "Malapropism": ("CONFUSED_WORDS", "Commonly Confused Words", "misspelling"),
    "Nonstandard": ("NONSTANDARD_PHRASES", "Nonstandard Phrases", "grammar"),
    "Punctuation": ("PUNCTUATION", "Punctuation", "typographical"),
    "Readability": ("STYLE", "Style", "style"),
    "Redundancy": ("REDUNDANCY", "Redundant Phrases", "style"),
    "Regionalism": ("REGIONALISMS", "Regionalisms", "locale-violation"),
    "Repetition": ("REPETITIONS", "Repetitions", "duplication"),
    "Spelling": ("TYPOS", "Possible Typo", "misspelling"),
    "Style": ("STYLE", "Style", "style"),
    "Typo": ("TYPOS", "Possible Typo", "misspelling"),
    "Usage": ("CONFUSED_WORDS", "Commonly Confused Words", "grammar"),
    "WordChoice": ("CONFUSED_WORDS", "Commonly Confused Words", "misspelling"),
    "WordOrder": ("GRAMMAR", "Grammar", "grammar"),
}
_SPELLING = "SpellCheck"
_OTHER = ("MISC", "Miscellaneous", "uncategorized")


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

    async def languages(self) -> list[dict[str, Any]]:
        """Return the dialects of English that Harper knows."""
        plain = {"name": "English", "code": "en", "longCode": "en"}
        return [plain, *({"name": f"English ({n})", "code": "en", "longCode": c} for c, n in _DIALECTS.items())]

    async def configuration(self, language: str) -> dict[str, Any]:
        """Return Harper's version and its rules, whose categories say less than those that findings come with."""
        code = self._code(CheckRequest(AnnotatedText([]), language=language))
        asked = {"dialect": list(_DIALECTS).index(code), "processor_seconds": 0, "seconds": self._seconds}
        try:
            answer = await asyncio.to_thread(self._process.ask, asked)
        except _LostError as e:
            raise CheckerError("Harper takes too long to start: try again", status=504, retry=5) from e
        rules = []
        own = [(rule, "Errors that learners make.", True) for rule in LEARNER_RULES]
        for rule, description, is_on in [*answer["rules"], *own]:
            kind = "Spelling" if rule == _SPELLING else "Grammar" if rule in LEARNER_RULES else ""
            category, name, issue_type = _KINDS.get(kind, _OTHER)
            off = {} if is_on else {"isDefaultOff": "yes"}
            rules.append({
                "ruleId": rule, "description": description, **off, "categoryId": category, "categoryName": name,
                "locQualityIssueType": issue_type,
            })  # fmt: skip
        return {"software": _software(), "rules": rules}

    async def close(self) -> None:
        """Do nothing: Harper's process ends with this object, and the texts of the next loop need no other one."""

    async def check(self, request: CheckRequest) -> dict[str, Any]:
        """Check a text, and return the answer of LanguageTool's ``/v2/check``.

        Rules are those of Harper, by Harper's names; their categories have LanguageTool's. The mother tongue makes no
        difference, because Harper has no rules about false friends. Paragraphs of a plain text that take too long are
        left out: the answer's ``warnings`` say so, and have their places in ``notChecked``.
        """
        request.check_rules()
        code = self._code(request)
        return await asyncio.to_thread(self._check, request, code)

    def _code(self, request: CheckRequest) -> str:
        code = request.language
        if code in ("auto", "en"):
            code = next((variant for variant in request.preferred_variants if variant in _DIALECTS), "en-US")
        if code not in _DIALECTS:
            raise InputError(f"language must be one of auto, en, {', '.join(_DIALECTS)}: Harper knows English alone")
        return code

    def _check(self, request: CheckRequest, code: str) -> dict[str, Any]:
        text = request.text.plain
        lints, is_english, not_checked = self._lints(request, code)
        lints += _of_learners(request, [*not_checked, *((lint["start"], lint["end"]) for lint in lints)])
        offsets = Offsets(request.text.sent)
        matches = [_match(request, lint, offsets) for lint in lints if _is_wanted(request, lint["rule"], lint["kind"])]
        language = {"name": f"English ({_DIALECTS[code]})", "code": code}
        # Harper does not weigh languages against each other: it says whether a text is likely English.
        detected = {**language, "confidence": 1.0 if is_english else 0.0, "source": "harper"}

        def ranges(spans: Iterable[Span]) -> list[list[int]]:
            sent = (request.text.span_sent(*span) for span in spans)
            return [[offsets.to_units(start), offsets.to_units(end)] for start, end in sent]

        warnings: dict[str, Any] = {"incompleteResults": bool(not_checked)}
        if not_checked:
            warnings |= {"incompleteResultsReason": "Harper takes too long", "notChecked": ranges(not_checked)}
        return {
            "software": _software(),
            "warnings": warnings,
            "language": {**language, "detectedLanguage": detected},
            "matches": sorted(matches, key=lambda match: (match["offset"], match["length"])),
            "sentenceRanges": ranges(sentence_spans(text)),
        }

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


def _of_learners(request: CheckRequest, taken: Sequence[Span]) -> list[dict[str, Any]]:
    """Return what :mod:`usim.checkers._learners` finds beside what Harper found, by rules that are on."""
    text = request.text.plain
    code = [match.span() for match in _CODE.finditer(text)] if request.markup == "markdown" else []
    return [
        lint
        for lint in learner_lints(text)
        if lint["rule"] not in request.disabled_rules
        and all(lint["end"] <= start or end <= lint["start"] for start, end in (*taken, *code))
    ]


def _software() -> dict[str, Any]:
    return {
        "name": "Harper",
        "version": importlib.metadata.version("harper-py"),
        "buildDate": "",
        "apiVersion": 1,
        "premium": False,
        "premiumHint": "",
        "status": "",
    }


def _rules(request: CheckRequest) -> dict[str, Any]:
    """Return which rules are on and off; those of enabled categories are chosen afterwards, by what they find."""
    return {
        "only": request.is_enabled_only and not request.enabled_categories,
        "on": [*(_PICKY if request.is_picky else ()), *request.enabled_rules],
        "off": sorted(request.disabled_rules),
    }


def _match(request: CheckRequest, lint: dict[str, Any], offsets: Offsets) -> Match:
    text, start, end = request.text.plain, lint["start"], lint["end"]
    sent_start, sent_end = map(offsets.to_units, request.text.span_sent(start, end))
    category, category_name, issue_type = _KINDS.get(lint["kind"], _OTHER)
    begin, stop = sentence_around(text, start, end)
    return {
        "message": lint["message"],
        "shortMessage": lint["kind_name"],
        "offset": sent_start,
        "length": sent_end - sent_start,
        "replacements": [{"value": value} for value in lint["values"]],
        "context": _context(text, start, end),
        "sentence": text[begin:stop],
        "type": {"typeName": "UnknownWord" if lint["rule"] == _SPELLING else "Other"},
        "rule": {
            "id": lint["rule"],
            "description": lint["description"],
            "issueType": issue_type,
            "category": {"id": category, "name": category_name},
            "isPremium": False,
        },
        "ignoreForIncompleteSentence": False,
        "contextForSureMatch": 0,
    }


def _is_wanted(request: CheckRequest, rule: str, kind: str) -> bool:
    category = _KINDS.get(kind, _OTHER)[0]
    if request.is_enabled_only:
        return rule in request.enabled_rules or category in request.enabled_categories
    return rule in request.enabled_rules or category not in request.disabled_categories


def _context(text: str, start: int, end: int) -> dict[str, Any]:
    """Return the text around a match, with dots where it is cut, and where the match stands in it in UTF-16 units."""
    first, last = max(0, start - _AROUND), min(len(text), end + _AROUND)
    head, tail = "..." if first else "", "..." if last < len(text) else ""
    around = (head + text[first:last] + tail).replace("\n", " ")
    offsets = Offsets(around)
    begin = len(head) + start - first
    offset = offsets.to_units(begin)
    return {"text": around, "offset": offset, "length": offsets.to_units(begin + end - start) - offset}
