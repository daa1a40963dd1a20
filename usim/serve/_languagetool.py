"""LanguageTool's protocol (https://languagetool.org/http-api/), with replacements screened.

Offsets of the protocol are UTF-16 units. An answer has what clients read: editors, browser extensions, libraries.
"""

from __future__ import annotations

import asyncio
import time
from collections.abc import Awaitable, Mapping, Sequence
from itertools import accumulate
from typing import Any, TypeVar
from urllib.parse import parse_qsl

from fastapi import FastAPI, Request
from msgspec import Struct
from starlette.responses import JSONResponse, PlainTextResponse, Response

from usim.checkers import (
    AnnotatedText,
    Checked,
    Checker,
    CheckerError,
    CheckRequest,
    Finding,
    Offsets,
    article_before,
    in_english,
    is_screened,
    proposals,
    without_names,
)
from usim.errors import FormatError, InputError
from usim.records import Record
from usim.screen import SuggestionResult
from usim.serve._problems import ProblemError, json_response
from usim.serve._service import Service
from usim.suggestions import Edit
from usim.text import is_foreign, language_of, sentence_around
from usim.text.codec import read_as
from usim.text.files import parse_json

T = TypeVar("T")
_AROUND = 40  # characters of context on either side of a match
_SHAPE = 'data must be JSON: {"annotation": [{"text": "A "}, {"markup": "<b>"}, …]} or {"text": "…"}'


def add_paths(app: FastAPI, service: Service, checker: Checker) -> None:
    """Add the paths to an application."""

    @app.get("/v2/languages", summary="The languages of the checker.")
    async def languages() -> Response:
        names = await ask_checker(checker.languages())
        return JSONResponse([{"name": each.name, "code": each.code, "longCode": each.long_code} for each in names])

    @app.get("/v2/healthcheck", summary="Whether the service is there.")
    async def health() -> Response:
        return PlainTextResponse("OK")

    @app.get("/v2/check", include_in_schema=False)
    @app.post("/v2/check", summary="Mistakes, with replacements screened.")
    async def check(raw: Request) -> Response:
        try:
            form = dict(parse_qsl((await raw.body()).decode(), keep_blank_values=True, max_num_fields=100))
        except ValueError as e:
            raise ProblemError(422, "the body is no form in UTF-8: text=…&language=en-US") from e
        request = read_request(dict(raw.query_params) | form)
        text = request.text.plain
        service.check_length(text)
        checked = await ask_checker(checker.check(request))
        answer = answer_json(checked)
        about: dict[str, Any] = {"signature": service.screen.signature}
        if checked.misfits:
            about["misfits"] = checked.misfits
        screened: list[Sequence[SuggestionResult]] | None = None
        if is_screened(checked):
            if request.language == "auto" and (code := language_of(text)) is not None:
                answer["language"] |= {"detectedLanguage": {"name": code, "code": code}}
                if is_foreign(code):
                    answer["language"] |= {"name": code, "code": code}
            checked = without_names(text, await asyncio.to_thread(in_english, text, checked))
            records = await asyncio.to_thread(records_of, text, checked.findings)
            screened = [of_finding for _, of_finding in await service.screen_records(records)]
            screened += [()] * (len(checked.findings) - len(screened))
            about["notEnglish"] = checked.foreign.total()
        return json_response(
            {**answer, "matches": matches_json(request.text, checked.findings, screened), "usim": about}
        )

    def records_of(text: str, findings: Sequence[Finding]) -> list[Record]:
        """Return a record of the first suggestions of each finding, as many as may be asked for at once."""
        for most in (8, 4, 2, 1):
            suggestions = proposals(text, findings, most)
            work = list(accumulate(service.tokens_of(text, of_finding) for of_finding in suggestions))
            if not work or work[-1] <= service.limits.tokens:
                break
        records = [Record(n, n, text, tuple(each), "", lambda gone: "") for n, each in enumerate(suggestions)]
        return records[: sum(tokens <= service.limits.tokens for tokens in work)]

    async def ask_checker(answer: Awaitable[T]) -> T:
        """Wait for the checker; its errors become problems."""
        began = time.perf_counter()
        try:
            return await answer
        except InputError as e:
            raise ProblemError(400, e.message) from e
        except CheckerError as e:
            service.metrics.checker_failures.labels(e.status).inc()
            raise ProblemError(e.status, e.message, retry=e.retry) from e
        finally:
            service.metrics.checker_seconds.observe(time.perf_counter() - began)


def read_request(form: Mapping[str, str]) -> CheckRequest:
    """Read the form of a request.

    Raises:
        InputError: the text is missing or is given twice, ``data`` has another shape, or a field another value.
    """
    if ("text" in form) == ("data" in form):
        raise InputError("the form needs one of text and data: text=…&language=en-US")
    level = form.get("level", "default").lower()
    if level not in ("default", "picky"):
        raise InputError("level must be default or picky")

    def names(field: str) -> list[str]:
        return [part.strip() for part in form.get(field, "").split(",") if part.strip()]

    return CheckRequest(
        text=AnnotatedText([(form["text"], None)] if "text" in form else _parts(form["data"])),
        language=form.get("language", "auto") or "auto",
        preferred_variants=tuple(names("preferredVariants")),
        enabled_rules=frozenset(names("enabledRules")),
        disabled_rules=frozenset(names("disabledRules")),
        enabled_categories=frozenset(names("enabledCategories")),
        disabled_categories=frozenset(names("disabledCategories")),
        is_enabled_only=form.get("enabledOnly", "").lower() in ("true", "yes"),
        is_picky=level == "picky",
        fields=dict(form),
    )


class _AnnotatedPart(Struct):
    """A part of a text with markup: text, or markup with what it is read as."""

    text: str | None = None
    markup: str | None = None
    interpretAs: str = ""  # noqa: N815  # the protocol's name


class _Data(Struct):
    text: str | None = None
    annotation: list[_AnnotatedPart] | None = None


def _parts(data: str) -> list[tuple[str, str | None]]:
    """Read the field ``data`` of the protocol."""
    try:
        value = read_as(parse_json(data), _Data)
    except (ValueError, FormatError) as e:
        raise InputError(_SHAPE) from e
    parts = [_AnnotatedPart(value.text)] if value.annotation is None else value.annotation
    if any((part.text is None) == (part.markup is None) for part in parts):
        raise InputError(_SHAPE)
    return [(part.text, None) if part.text is not None else (part.markup or "", part.interpretAs) for part in parts]


def answer_json(checked: Checked) -> dict[str, Any]:
    """Return the answer of ``/v2/check`` without its matches; that of a LanguageTool server as it was sent."""
    if checked.sent is not None:
        return dict(checked.sent)
    named = {"name": checked.language_name, "code": checked.language}
    name, version = checked.software or ("checker", "")
    return {
        "software": {"name": name, "version": version, "buildDate": "", "apiVersion": 1},
        "warnings": {"incompleteResults": bool(checked.not_checked)},
        "language": {**named, "detectedLanguage": named},
    }


def matches_json(
    text: AnnotatedText, findings: Sequence[Finding], screened: Sequence[Sequence[SuggestionResult]] | None
) -> list[dict[str, Any]]:
    """Return findings as the matches of ``/v2/check``; those of a LanguageTool server as they were sent.

    Replacements to drop are taken out, the others ordered by faithfulness, the highest first. Each that was screened
    has ``faithfulness``, ``verdict`` and ``reasons``, and behind *a* or *an* the ``article`` that it takes; those taken
    out stand in the match's member ``usim``. A match stays even if all of its replacements go.

    Args:
        text: the text that was checked.
        findings: what was found.
        screened: the first replacements of each finding, as many as were screened; None where the text is in another
            language than English, in which nothing is screened.
    """
    offsets = Offsets(text.sent)
    matches = []
    for place, finding in enumerate(findings):
        match = dict(finding.sent) if finding.sent is not None else _match(text, finding, offsets)
        replacements, of_finding = match["replacements"], screened[place] if screened else ()
        judged = [{**replacements[k], **_figures(text.plain, finding, each)} for k, each in enumerate(of_finding)]
        judged.sort(key=lambda each: -each["faithfulness"])
        dropped = [each for each in judged if each["verdict"] == "drop"]
        if screened is not None:
            match["replacements"] = [each for each in judged if each["verdict"] != "drop"]
        match["usim"] = {"dropped": dropped, "notScreened": len(replacements) - len(judged)}
        matches.append(match)
    return matches


def _figures(text: str, finding: Finding, screened: SuggestionResult) -> dict[str, Any]:
    values = screened.to_dict()
    figures = {name: values[name] for name in ("faithfulness", "verdict", "reasons")}
    before = article_before(text, Edit(finding.start, finding.end, screened.substitute))
    return figures if before is None else {**figures, "article": before.new}


def _match(text: AnnotatedText, finding: Finding, offsets: Offsets) -> dict[str, Any]:
    start, end = map(offsets.to_units, text.span_sent(finding.start, finding.end))
    begin, stop = sentence_around(text.plain, finding.start, finding.end)
    return {
        "message": finding.message,
        "shortMessage": finding.kind,
        "offset": start,
        "length": end - start,
        "replacements": [{"value": value} for value in finding.replacements],
        "context": _context(text.plain, finding.start, finding.end),
        "sentence": text.plain[begin:stop],
        "type": {"typeName": "UnknownWord" if finding.is_unknown_word else "Other"},
        "rule": {
            "id": finding.rule,
            "description": finding.description,
            "issueType": finding.issue,
            "category": {"id": finding.category, "name": finding.category.replace("_", " ").capitalize()},
        },
    }


def _context(text: str, start: int, end: int) -> dict[str, Any]:
    """Return the text around a match, with dots where it is cut, and where the match stands in it in UTF-16 units."""
    first, last = max(0, start - _AROUND), min(len(text), end + _AROUND)
    head, tail = "..." if first else "", "..." if last < len(text) else ""
    around = (head + text[first:last] + tail).replace("\n", " ")
    offsets = Offsets(around)
    offset, stop = (offsets.to_units(len(head) + place - first) for place in (start, end))
    return {"text": around, "offset": offset, "length": stop - offset}
