"""Forms and answers of LanguageTool's protocol (https://languagetool.org/http-api/), whose offsets are UTF-16 units."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from msgspec import Struct

from usim.checkers import (
    AnnotatedText,
    Checked,
    CheckRequest,
    Configuration,
    Finding,
    Language,
    Offsets,
    Software,
    article_before,
)
from usim.errors import FormatError, InputError
from usim.screen import Screened
from usim.suggestions import Edit
from usim.text import Span, sentence_around, sentence_spans
from usim.text.codec import read_as
from usim.text.files import parse_json

_SHAPE = (
    'data must be JSON: {"annotation": [{"text": "A "}, {"markup": "<b>"}, {"markup": "<br>", "interpretAs": " "}, …]} '
    'or {"text": "…"}'
)
_AROUND = 40  # characters of context on either side of a match
#: The names of LanguageTool's categories.
_CATEGORIES = {
    "CASING": "Capitalization",
    "COMPOUNDING": "Compounding",
    "CONFUSED_WORDS": "Commonly Confused Words",
    "GRAMMAR": "Grammar",
    "MISC": "Miscellaneous",
    "NONSTANDARD_PHRASES": "Nonstandard Phrases",
    "PUNCTUATION": "Punctuation",
    "REDUNDANCY": "Redundant Phrases",
    "REGIONALISMS": "Regionalisms",
    "REPETITIONS": "Repetitions",
    "STYLE": "Style",
    "TYPOGRAPHY": "Typography",
    "TYPOS": "Possible Typo",
}


def read_request(form: Mapping[str, str]) -> CheckRequest:
    """Read the form of a request.

    Raises:
        InputError: the text is missing or is given twice, ``data`` has another shape, or a field another value.
    """
    if ("text" in form) == ("data" in form):
        raise InputError("the form needs one of text and data: text=…&language=en-US")
    text = AnnotatedText([(form["text"], None)]) if "text" in form else _read_data(form["data"])
    level = form.get("level", "default").lower()
    if level not in ("default", "picky"):
        raise InputError("level must be default or picky")
    return CheckRequest(
        text=text,
        language=form.get("language", "auto") or "auto",
        preferred_variants=tuple(_names(form, "preferredVariants")),
        enabled_rules=frozenset(_names(form, "enabledRules")),
        disabled_rules=frozenset(_names(form, "disabledRules")),
        enabled_categories=frozenset(_names(form, "enabledCategories")),
        disabled_categories=frozenset(_names(form, "disabledCategories")),
        is_enabled_only=form.get("enabledOnly", "").lower() in ("true", "yes"),
        is_picky=level == "picky",
        fields=dict(form),
    )


def _names(form: Mapping[str, str], name: str) -> list[str]:
    return [part.strip() for part in form.get(name, "").split(",") if part.strip()]


class _AnnotatedPart(Struct, forbid_unknown_fields=True):
    """A part of a text with markup: text, or markup with what it is read as."""

    text: str | None = None
    markup: str | None = None
    interpretAs: str | None = None  # noqa: N815  # the protocol's name


class _Data(Struct):
    text: str | None = None
    annotation: list[_AnnotatedPart] | None = None


def _read_data(data: str) -> AnnotatedText:
    """Read the field ``data`` of LanguageTool's protocol."""
    try:
        value = read_as(parse_json(data), _Data)
    except (ValueError, FormatError) as e:
        raise InputError(_SHAPE) from e
    parts = [_AnnotatedPart(text=value.text)] if value.annotation is None else value.annotation
    if (value.annotation is None) == (value.text is None) or any((p.text is None) == (p.markup is None) for p in parts):
        raise InputError(_SHAPE)
    return AnnotatedText(
        [(part.text or "", None) if part.markup is None else (part.markup, part.interpretAs or "") for part in parts]
    )


def languages_json(languages: Iterable[Language]) -> list[dict[str, str]]:
    """Return the answer of ``/v2/languages``."""
    return [{"name": each.name, "code": each.code, "longCode": each.long_code} for each in languages]


def configuration_json(configuration: Configuration) -> dict[str, Any]:
    """Return ``software`` and ``rules`` of ``/v2/configinfo``."""
    if configuration.sent is not None:
        return dict(configuration.sent)
    rules = [
        {
            "ruleId": rule.name,
            "description": rule.description,
            **({} if rule.is_on else {"isDefaultOff": "yes"}),
            "categoryId": rule.category,
            "categoryName": _CATEGORIES.get(rule.category, rule.category),
            "locQualityIssueType": rule.issue,
        }
        for rule in configuration.rules
    ]
    return {"software": _software(configuration.software), "rules": rules}


def _software(software: Software | None) -> dict[str, Any]:
    named = (software or Software("checker", ""))._asdict()
    own = {"buildDate": "", "apiVersion": 1, "premium": False, "premiumHint": "", "status": ""}
    return {**named, **own}


def answer_json(text: AnnotatedText, checked: Checked) -> dict[str, Any]:
    """Return the answer of ``/v2/check`` without its matches."""
    if checked.sent is not None:
        return dict(checked.sent)
    offsets = Offsets(text.sent)

    def ranges(spans: Iterable[Span]) -> list[list[int]]:
        sent = (text.span_sent(*span) for span in spans)
        return [[offsets.to_units(start), offsets.to_units(end)] for start, end in sent]

    named = {"name": checked.language_name, "code": checked.language}
    software = _software(checked.software)
    detected = {**named, "confidence": 1.0 if checked.is_english else 0.0, "source": software["name"].lower()}
    warnings: dict[str, Any] = {"incompleteResults": bool(checked.not_checked)}
    if checked.not_checked:
        reason = f"{software['name']} takes too long"
        warnings |= {"incompleteResultsReason": reason, "notChecked": ranges(checked.not_checked)}
    return {
        "software": software,
        "warnings": warnings,
        "language": {**named, "detectedLanguage": detected},
        "sentenceRanges": ranges(sentence_spans(text.plain)),
    }


def matches_json(
    text: AnnotatedText, findings: Sequence[Finding], screened: Sequence[Sequence[Screened]] | None
) -> list[dict[str, Any]]:
    """Return findings as the matches of ``/v2/check``.

    Replacements to drop are taken out, the others ordered by faithfulness, the highest first. Each that was screened
    has ``faithfulness``, ``verdict`` and ``reasons``, and behind *a* or *an* the ``article`` that it takes; those taken
    out stand in the match's member ``usim``. A match stays even if all of its replacements go.

    Args:
        text: the text that was checked.
        findings: what was found.
        screened: the first replacements of each finding; None if nothing was screened.
    """
    offsets = Offsets(text.sent)
    matches = [dict(each.sent) if each.sent is not None else _match(text, each, offsets) for each in findings]
    if screened is None:
        return [{**match, "usim": {"dropped": [], "notScreened": len(match["replacements"])}} for match in matches]
    answers = []
    for match, finding, of_match in zip(matches, findings, screened, strict=True):
        replacements = match["replacements"]
        judged = [{**replacements[k], **_figures(text.plain, finding, each)} for k, each in enumerate(of_match)]
        judged.sort(key=lambda each: -each["faithfulness"])
        kept = [each for each in judged if each["verdict"] != "drop"]
        dropped = [each for each in judged if each["verdict"] == "drop"]
        about = {"dropped": dropped, "notScreened": len(replacements) - len(judged)}
        answers.append({**match, "replacements": kept, "usim": about})
    return answers


def _figures(text: str, finding: Finding, screened: Screened) -> dict[str, Any]:
    values = screened.to_dict()
    figures = {name: values[name] for name in ("faithfulness", "verdict", "reasons")}
    before = article_before(text, Edit(finding.start, finding.end, screened.substitute))
    return figures if before is None else {**figures, "article": before.new}


def _match(text: AnnotatedText, finding: Finding, offsets: Offsets) -> dict[str, Any]:
    sent_start, sent_end = map(offsets.to_units, text.span_sent(finding.start, finding.end))
    begin, stop = sentence_around(text.plain, finding.start, finding.end)
    return {
        "message": finding.message,
        "shortMessage": finding.kind,
        "offset": sent_start,
        "length": sent_end - sent_start,
        "replacements": [{"value": value} for value in finding.replacements],
        "context": _context(text.plain, finding.start, finding.end),
        "sentence": text.plain[begin:stop],
        "type": {"typeName": "UnknownWord" if finding.is_unknown_word else "Other"},
        "rule": {
            "id": finding.rule,
            "description": finding.description,
            "issueType": finding.issue,
            "category": {"id": finding.category, "name": _CATEGORIES.get(finding.category, finding.category)},
            "isPremium": False,
        },
        "ignoreForIncompleteSentence": False,
        "contextForSureMatch": 0,
    }


def _context(text: str, start: int, end: int) -> dict[str, Any]:
    """Return the text around a match, with dots where it is cut, and where the match stands in it in UTF-16 units."""
    first, last = max(0, start - _AROUND), min(len(text), end + _AROUND)
    head, tail = "..." if first else "", "..." if last < len(text) else ""
    around = (head + text[first:last] + tail).replace("\n", " ")
    offsets = Offsets(around)
    begin = len(head) + start - first
    offset = offsets.to_units(begin)
    return {"text": around, "offset": offset, "length": offsets.to_units(begin + end - start) - offset}
