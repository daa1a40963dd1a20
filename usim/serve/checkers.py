"""Harper, an English checker (extra ``harper``), with its matches in LanguageTool's form."""

from __future__ import annotations

import threading
from collections.abc import Mapping
from typing import Any

from usim.errors import InputError
from usim.serve.matches import Match, Offsets

_DIALECTS = {"en-US": "US", "en-GB": "GB", "en-AU": "Australian", "en-CA": "Canadian", "en-IN": "Indian"}
_AROUND = 40  # characters of context on either side of a match


class HarperChecker:
    """Harper by the package ``harper-py``.

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

    def languages(self) -> list[dict[str, str]]:
        """Return the dialects of English that Harper knows, as LanguageTool's ``/v2/languages`` answers."""
        plain = {"name": "English", "code": "en", "longCode": "en"}
        return [plain, *({"name": f"English ({n})", "code": "en", "longCode": c} for c, n in _DIALECTS.items())]

    def check(self, form: Mapping[str, str]) -> dict[str, Any]:
        """Check a text, and return the answer of LanguageTool's ``/v2/check``.

        Args:
            form: the fields of the request: ``text``, ``language``, ``disabledRules`` and others.

        Raises:
            InputError: the language is not English.
        """
        text, asked = form["text"], form.get("language", "auto")
        code = "en-US" if asked in ("auto", "en") else asked
        if code not in _DIALECTS:
            raise InputError(f"language must be one of auto, en, {', '.join(_DIALECTS)}: Harper knows English alone")
        with self._lock:
            if code not in self._linters:
                self._linters[code] = self._harper.Linter(self._harper.Dialect(list(_DIALECTS).index(code)))
            by_rule = self._linters[code].organized_lints(text, language="plaintext")
        unwanted = set(form.get("disabledRules", "").split(","))
        offsets = Offsets(text)
        matches = [
            self._match(text, rule, lint, offsets)
            for rule, lints in by_rule.items()
            for lint in lints
            if rule not in unwanted
        ]
        language = {"name": f"English ({_DIALECTS[code]})", "code": code}
        return {
            "software": {"name": "Harper", "version": "", "buildDate": "", "apiVersion": 1, "status": ""},
            "language": {**language, "detectedLanguage": {**language, "confidence": 1.0}},
            "matches": sorted(matches, key=lambda match: (match["offset"], match["length"])),
        }

    def _match(self, text: str, rule: str, lint: Any, offsets: Offsets) -> Match:
        start, end = lint.span.start, lint.span.end
        after = self._harper.SuggestionKind.INSERT_AFTER
        values = [
            (text[start:end] if suggestion.kind == after else "") + suggestion.replacement_text
            for suggestion in lint.suggestions
        ]
        first = max(0, start - _AROUND)
        length = offsets.to_units(end) - offsets.to_units(start)
        in_context = offsets.to_units(start) - offsets.to_units(first)
        pretty = lint.lint_kind_pretty
        return {
            "message": lint.message,
            "shortMessage": pretty,
            "offset": offsets.to_units(start),
            "length": length,
            "replacements": [{"value": value} for value in dict.fromkeys(values)],
            "context": {"text": text[first : end + _AROUND], "offset": in_context, "length": length},
            "sentence": "",
            "type": {"typeName": "Other"},
            "rule": {
                "id": rule,
                "description": pretty,
                "issueType": "misspelling" if lint.lint_kind in ("Spelling", "Typo") else "grammar",
                "category": {"id": lint.lint_kind.upper(), "name": pretty},
            },
        }
