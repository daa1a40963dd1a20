"""Harper, an English checker that works offline (https://writewithharper.com), by the package ``harper-py``,
in a process of its own: ``usim.checkers._harper_process``."""

from __future__ import annotations

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

from usim.checkers._checker import DIALECTS, Checked, CheckerError, CheckRequest, Fault
from usim.checkers._learners import SPELLING_RULE, learner_findings
from usim.errors import InputError
from usim.judge import shipped_corrections

#: Seconds of a processor that a text may take, with as many more as its length calls for. Those of a clock are not
#: counted: a machine that has much to do is no reason to give up. The first unknown word takes Harper one of them.
_LEAST_SECONDS = 8.0
_SPEED = 20_000  # characters a second that Harper reads at the least, a tenth of what it does with prose
#: Code in Markdown: fenced blocks, which may have no end, and code in a line.
_CODE = re.compile(r"^ {0,3}(```+|~~~+)(?:.*?^ {0,3}\1|.*)|(`+)[^`]+\2", re.MULTILINE | re.DOTALL)
_PROGRAM, _TABLE = (Path(__file__).with_name(name) for name in ("_harper_process.py", "harper.tsv"))
#: Rules of Harper's that are off unless somebody is picky: they are about taste.
_PICKY = ("BoringWords", "MoreAdjective", "SpelledNumbers")
#: From Harper's kinds of mistakes to the categories of LanguageTool and to the types of the Internationalization Tag
#: Set, both of which clients know.
_KINDS = {
    kind: (category, issue)
    for kind, category, issue in (line.split("\t") for line in _TABLE.read_text(encoding="utf-8").splitlines()[1:])
}
_UNKNOWN, _SPLIT, _MASS_NOUN = "SpellCheck", "SplitWords", "MassNouns"
#: The dialects whose words are spelt in different ways. A text of no known dialect is in the one that has most of them.
_WRITTEN_APART = ("en-US", "en-GB")
#: So many words that usim's model of corrections takes a misspelling for are suggested beside Harper's.
_NEAR_WORDS = 3


class HarperChecker:
    """Harper in a process of its own, which is started when it is needed and ends with this object.

    Raises:
        InputError: the package is not installed.
    """

    def __init__(self) -> None:
        if importlib.util.find_spec("harper") is None:
            raise InputError("Harper needs the extra harper: pip install harper-py")
        self._lock = threading.Lock()  # the process takes one text at a time
        self._process: subprocess.Popen[bytes] | None = None

    def check(self, request: CheckRequest) -> Checked:
        """Check a text by Harper's rules, under Harper's names; their categories have LanguageTool's."""
        text, (code, *others) = request.text, _dialects(request)
        rules = dict.fromkeys(_PICKY, True) if request.is_picky else {}
        rules |= dict.fromkeys(request.enabled_rules, True) | dict.fromkeys(request.disabled_rules, False)
        asked = {"text": text, "markdown": request.is_markdown, "rules": rules}
        found = self._ask({**asked, "dialect": DIALECTS.index(code)})
        for other in others if _misspelt(found) else ():
            again = self._ask({**asked, "dialect": DIALECTS.index(other)})
            if _misspelt(again) < _misspelt(found):
                code, found = other, again
        if SPELLING_RULE not in request.disabled_rules:
            found = [_with_near_words(text, each) for each in found]
        code_spans = [match.span() for match in _CODE.finditer(text)] if request.is_markdown else []
        taken = {place for span in (*((each.start, each.end) for each in found), *code_spans) for place in range(*span)}
        # The verb agrees with what a noun becomes that has no plural.
        taken |= {each.end + 1 for each in found if each.rule == _MASS_NOUN}
        found += [each for each in learner_findings(text) if taken.isdisjoint(range(each.start, each.end))]
        wanted = sorted(filter(request.wants, found), key=lambda each: (each.start, each.end))
        return Checked(wanted, code)

    def _ask(self, asked: dict[str, Any]) -> list[Fault]:
        seconds = _LEAST_SECONDS + len(asked["text"]) / _SPEED
        with self._lock:
            process = self._process
            if process is None or process.poll() is not None:
                process = self._start()
            assert process.stdin is not None
            assert process.stdout is not None
            try:
                process.stdin.write(json.dumps({**asked, "seconds": seconds}).encode() + b"\n")
                process.stdin.flush()
                line = process.stdout.readline()
            except OSError:  # it ended before it had read all of the text
                line = b""
            if not line.endswith(b"\n"):
                _end(process)
                message = "Harper takes too long for the text, or too much memory: take out what is no language"
                raise CheckerError(f"{message}; if it takes any text so, install harper-py anew", status=504)
        return [_finding(*lint) for lint in json.loads(line)]

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


def _dialects(request: CheckRequest) -> tuple[str, ...]:
    """Return the code of the dialect that a request is for, or of those that its text may be in."""
    code = request.language
    if code in ("auto", "en"):
        preferred = next((variant for variant in request.preferred_variants if variant in DIALECTS), None)
        return (preferred,) if preferred else _WRITTEN_APART
    if code not in DIALECTS:
        raise InputError(f"language must be one of auto, en, {', '.join(DIALECTS)}: Harper knows English alone")
    return (code,)


def _misspelt(found: Sequence[Fault]) -> int:
    """Return how many words Harper does not know."""
    return sum(fault.rule in (_UNKNOWN, _SPLIT) for fault in found)


def _finding(start: int, end: int, message: str, replacements: list[str], rule: str, kind: str) -> Fault:
    category, issue = _KINDS.get(kind, ("MISC", "uncategorized"))
    return Fault(start, end, message, tuple(replacements), rule, category, issue)


def _with_near_words(text: str, finding: Fault) -> Fault:
    """Return a finding of a misspelling with further words that may be meant, none for a word that usim knows.

    Harper cuts many misspellings in two: *adress* gives *a dress* and nothing else.
    """
    written = text[finding.start : finding.end]
    if finding.rule not in (_UNKNOWN, _SPLIT) or not written.isalpha():
        return finding
    words = shipped_corrections().words_for(written.lower())[:_NEAR_WORDS]
    if written[0].isupper():
        words = [word.capitalize() for word in words]
    if words and finding.rule == _SPLIT:
        message = f"Did you mean to spell `{written}` this way?"
        finding = replace(finding, message=message)
    return replace(finding, replacements=tuple(dict.fromkeys((*finding.replacements, *words))))
