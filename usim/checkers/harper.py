"""Harper, an English checker that works offline (https://writewithharper.com), by the package ``harper-py``."""

from __future__ import annotations

import asyncio
import importlib.metadata
import threading
from typing import Any

from usim.checkers.annotated import Offsets
from usim.checkers.matches import Match
from usim.checkers.request import CheckRequest
from usim.errors import InputError
from usim.text import sentence_around, sentence_spans

_DIALECTS = {"en-US": "US", "en-GB": "GB", "en-AU": "Australian", "en-CA": "Canadian", "en-IN": "Indian"}
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
_OTHER = ("MISC", "Miscellaneous", "uncategorized")


class HarperChecker:
    """Harper in this process.

    Raises:
        InputError: the package is not installed.
    """

    def __init__(self) -> None:
        try:
            import harper
        except ImportError as e:
            raise InputError("Harper needs one more package: pip install harper-py") from e
        self._harper = harper
        self._linters: dict[str, harper.Linter] = {}
        self._lock = threading.Lock()  # a linter takes one text at a time
        self._default = harper.get_default_lint_config()

    async def languages(self) -> list[dict[str, Any]]:
        """Return the dialects of English that Harper knows."""
        plain = {"name": "English", "code": "en", "longCode": "en"}
        return [plain, *({"name": f"English ({n})", "code": "en", "longCode": c} for c, n in _DIALECTS.items())]

    async def close(self) -> None:
        """Do nothing: there is nothing to give back."""

    async def check(self, request: CheckRequest) -> dict[str, Any]:
        """Check a text, and return the answer of LanguageTool's ``/v2/check``.

        Rules are those of Harper, by Harper's names; their categories have LanguageTool's. The mother tongue makes no
        difference, because Harper has no rules about false friends.

        Raises:
            InputError: the language is not English, or the rules contradict each other.
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
        with self._lock:
            if code not in self._linters:
                self._linters[code] = self._harper.Linter(self._harper.Dialect(list(_DIALECTS).index(code)))
            linter = self._linters[code]
            linter.set_lint_config(self._rules(request))
            by_rule = linter.organized_lints(text, language=request.markup)
            descriptions = linter.get_lint_descriptions()
            is_english = linter.is_likely_english(text)
        offsets = Offsets(request.text.sent)
        matches = [
            self._match(request, rule, descriptions.get(rule, rule), lint, offsets)
            for rule, lints in by_rule.items()
            for lint in lints
            if _is_wanted(request, rule, lint.lint_kind)
        ]
        language = {"name": f"English ({_DIALECTS[code]})", "code": code}
        # Harper does not weigh languages against each other: it says whether a text is likely English.
        detected = {**language, "confidence": 1.0 if is_english else 0.0, "source": "harper"}
        sentences = [request.text.span_sent(*span) for span in sentence_spans(text)]
        return {
            "software": {
                "name": "Harper",
                "version": importlib.metadata.version("harper-py"),
                "buildDate": "",
                "apiVersion": 1,
                "premium": False,
                "premiumHint": "",
                "status": "",
            },
            "warnings": {"incompleteResults": False},
            "language": {**language, "detectedLanguage": detected},
            "matches": sorted(matches, key=lambda match: (match["offset"], match["length"])),
            "sentenceRanges": [[offsets.to_units(start), offsets.to_units(end)] for start, end in sentences],
        }

    def _rules(self, request: CheckRequest) -> dict[str, bool | None]:
        """Return which rules are on; those of enabled categories are chosen afterwards, by what they find."""
        config: dict[str, bool | None] = dict(self._default)
        if request.is_enabled_only and not request.enabled_categories:
            config = dict.fromkeys(config, False)
        if request.is_picky:
            config |= dict.fromkeys(_PICKY, True)
        config |= {rule: True for rule in request.enabled_rules if rule in config}
        config |= {rule: False for rule in request.disabled_rules if rule in config}
        return config

    def _match(self, request: CheckRequest, rule: str, description: str, lint: Any, offsets: Offsets) -> Match:
        text, start, end = request.text.plain, lint.span.start, lint.span.end
        after = self._harper.SuggestionKind.INSERT_AFTER
        values = [
            (text[start:end] if suggestion.kind == after else "") + suggestion.replacement_text
            for suggestion in lint.suggestions
        ]
        sent_start, sent_end = map(offsets.to_units, request.text.span_sent(start, end))
        category, category_name, issue_type = _KINDS.get(lint.lint_kind, _OTHER)
        begin, stop = sentence_around(text, start, end)
        return {
            "message": lint.message,
            "shortMessage": lint.lint_kind_pretty,
            "offset": sent_start,
            "length": sent_end - sent_start,
            "replacements": [{"value": value} for value in dict.fromkeys(values)],
            "context": _context(text, start, end),
            "sentence": text[begin:stop],
            "type": {"typeName": "UnknownWord" if rule == "SpellCheck" else "Other"},
            "rule": {
                "id": rule,
                "description": description,
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
