"""LanguageTool's protocol (https://languagetool.org/http-api/), with replacements screened.

Offsets of the protocol are UTF-16 units. An answer has what clients read: editors, browser extensions, libraries.
"""

from __future__ import annotations

import asyncio
from collections.abc import Iterable, Mapping, Sequence
from itertools import accumulate, pairwise
from typing import Any
from urllib.parse import parse_qsl

from fastapi import FastAPI, Request
from msgspec import Struct
from starlette.responses import JSONResponse, PlainTextResponse, Response

from usim import checkers
from usim._version import __version__
from usim.errors import FormatError, InputError
from usim.records import Record
from usim.screen import SuggestionResult
from usim.serve._service import ProblemError, Service, json_response
from usim.suggestions import Edit
from usim.text import Span, is_foreign, language_of, sentence_around
from usim.text.codec import read_as
from usim.text.files import parse_json

_AROUND = 40  # characters of context on either side of a match
_SHAPE = 'data must be JSON: {"annotation": [{"text": "A "}, {"markup": "<b>"}, …]} or {"text": "…"}'


def add_paths(app: FastAPI, service: Service, checker: checkers.Checker) -> None:
    @app.get("/v2/languages", summary="The languages whose replacements are screened.")
    async def languages() -> Response:
        english = [{"name": f"English ({code[3:]})", "code": "en", "longCode": code} for code in checkers.DIALECTS]
        return JSONResponse([{"name": "English", "code": "en", "longCode": "en"}, *english])

    @app.get("/v2/healthcheck", summary="Whether the service is there.")
    async def health() -> Response:
        return PlainTextResponse("OK")

    @app.get("/v2/check", include_in_schema=False)
    @app.post("/v2/check", summary="Mistakes, with replacements screened.")
    async def check(raw: Request) -> Response:
        text, request = await asyncio.to_thread(read, await raw.body(), dict(raw.query_params))
        service.check_length(text.plain)
        try:
            checked = await asyncio.to_thread(checker.check, request)
        except InputError as e:
            raise ProblemError(400, e.message) from e
        except checkers.CheckerError as e:
            raise ProblemError(e.status, e.message, retry=5) from e
        language = checked.language or "en"
        detected = (request.language == "auto" and language_of(text.plain)) or language
        screened: list[Sequence[SuggestionResult] | None] = [None] * len(checked.findings)
        if checkers.is_screened(checked):
            checked = await asyncio.to_thread(checkers.in_english, text.plain, checked)
            checked = await asyncio.to_thread(checkers.only_mistakes, text.plain, checked)
            records = await asyncio.to_thread(records_of, text.plain, checked.findings)
            screened = [of_finding for _, of_finding in await service.screen_records(records)]
            screened += [()] * (len(checked.findings) - len(screened))
        code = detected if is_foreign(detected) else language
        pairs = zip(checked.findings, screened, strict=True)
        matches = await asyncio.to_thread(lambda: [match_json(text, *pair) for pair in pairs])
        return json_response(
            {
                "software": {"name": "usim", "version": __version__, "buildDate": "", "apiVersion": 1},
                "language": {"name": code, "code": code, "detectedLanguage": {"name": detected, "code": detected}},
                "matches": matches,
                "usim": {"signature": service.screen.signature, "notEnglish": checked.foreign.total()},
            }
        )

    def read(body: bytes, query: dict[str, str]) -> tuple[AnnotatedText, checkers.CheckRequest]:
        try:
            form = dict(parse_qsl(body.decode(), keep_blank_values=True, max_num_fields=100))
        except ValueError as e:
            raise ProblemError(422, "the body is no form in UTF-8: text=…&language=en-US") from e
        return read_request(query | form)

    def records_of(text: str, findings: Sequence[checkers.Fault]) -> list[Record]:
        """Return a record of the first suggestions of each finding, as many as may be asked for at once."""
        records: list[Record] = []
        work = 0
        for n, finding in enumerate(findings):
            (of_finding,) = checkers.proposals(text, [finding])
            work += service.tokens_of(text, of_finding)
            if work > service.limits.tokens:
                break
            records.append(Record(n, n, text, tuple(of_finding), "", lambda gone: ""))
        return records


class AnnotatedText:
    """A text in which markup stands between the parts to be read; ``plain`` is what is read.

    Each part is a text and what it is to be read as; None where it is read as it stands.

    >>> text = AnnotatedText([("A 😀", None), ("<b>", ""), ("tset", None), ("</b>", "")])
    >>> text.plain, text.span_sent(3, 7)
    ('A 😀tset', (7, 11))
    """

    def __init__(self, parts: Iterable[tuple[str, str | None]]) -> None:
        plain: list[str] = []
        self._spans: list[Span] = []  # of each character, in UTF-16 units of what was sent
        place = 0
        for sent, replacing in parts:
            plain.append(sent if replacing is None else replacing)
            if replacing is not None:
                self._spans += [(place, place + _units(sent))] * len(replacing)
            else:
                self._spans += pairwise(accumulate(map(_units, sent), initial=place))
            place += _units(sent)
        self.plain = "".join(plain)
        self._spans.append((place, place))

    def span_sent(self, start: int, end: int) -> Span:
        """Return where characters that are read stand in what was sent, in UTF-16 units."""
        first = self._spans[start][0]
        return first, self._spans[end - 1][1] if end > start else first


def _units(text: str) -> int:
    return len(text) + sum(character > "\uffff" for character in text)


def read_request(form: Mapping[str, str]) -> tuple[AnnotatedText, checkers.CheckRequest]:
    if ("text" in form) == ("data" in form):
        raise InputError("the form needs one of text and data: text=…&language=en-US")
    text = AnnotatedText([(form["text"], None)] if "text" in form else _parts(form["data"]))

    def names(field: str) -> list[str]:
        return [part.strip() for part in form.get(field, "").split(",") if part.strip()]

    return text, checkers.CheckRequest(
        text.plain,
        language=form.get("language", "auto") or "auto",
        preferred_variants=tuple(names("preferredVariants")),
        enabled_rules=frozenset(names("enabledRules")),
        disabled_rules=frozenset(names("disabledRules")),
        enabled_categories=frozenset(names("enabledCategories")),
        disabled_categories=frozenset(names("disabledCategories")),
        is_enabled_only=form.get("enabledOnly", "").lower() in ("true", "yes"),
        is_picky=form.get("level", "").lower() == "picky",
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
    try:
        value = read_as(parse_json(data), _Data)
    except (ValueError, FormatError) as e:
        raise InputError(_SHAPE) from e
    parts = [_AnnotatedPart(value.text)] if value.annotation is None else value.annotation
    if any((part.text is None) == (part.markup is None) for part in parts):
        raise InputError(_SHAPE)
    return [(part.text, None) if part.text is not None else (part.markup or "", part.interpretAs) for part in parts]


def match_json(
    text: AnnotatedText, finding: checkers.Fault, screened: Sequence[SuggestionResult] | None
) -> dict[str, Any]:
    """Return a finding as a match of ``/v2/check``.

    Replacements to drop are taken out, the others ordered by faithfulness, the highest first. Each has
    ``faithfulness``, ``verdict``, ``cause`` and ``findings``, and behind *a* or *an* the ``article`` that it takes;
    those taken out stand in the match's member ``usim``. A match stays even if all of its replacements go. In other
    languages than English nothing is screened (None), and the replacements are the checker's.
    """
    start, end = text.span_sent(finding.start, finding.end)
    begin, stop = sentence_around(text.plain, finding.start, finding.end)
    judged = [
        {"value": each.substitute, **_figures(text.plain, finding, each)}
        for each in sorted(screened or (), key=lambda each: -each.faithfulness)
    ]
    dropped = [each for each in judged if each["verdict"] == "drop"]
    kept = [each for each in judged if each["verdict"] != "drop"]
    return {
        "message": finding.message,
        "shortMessage": "",
        "offset": start,
        "length": end - start,
        "replacements": [{"value": value} for value in finding.replacements] if screened is None else kept,
        "context": _context(text.plain, finding.start, finding.end),
        "sentence": text.plain[begin:stop],
        "type": {"typeName": "UnknownWord" if finding.category == checkers.SPELLING else "Other"},
        "rule": {
            "id": finding.rule,
            "description": finding.rule,
            "issueType": finding.issue,
            "category": {"id": finding.category, "name": finding.category.replace("_", " ").capitalize()},
        },
        "usim": {"dropped": dropped, "notScreened": len(finding.replacements) - len(judged)},
    }


def _figures(text: str, finding: checkers.Fault, screened: SuggestionResult) -> dict[str, Any]:
    values = screened.to_dict()
    figures = {name: values[name] for name in ("faithfulness", "verdict", "cause", "findings")}
    before = checkers.article_before(text, Edit(finding.start, finding.end, screened.substitute))
    return figures if before is None else {**figures, "article": before.new}


def _context(text: str, start: int, end: int) -> dict[str, Any]:
    """Return the text around a match, with dots where it is cut, and where the match stands in it in UTF-16 units."""
    first, last = max(0, start - _AROUND), min(len(text), end + _AROUND)
    head, tail = "..." if first else "", "..." if last < len(text) else ""
    around = (head + text[first:last] + tail).replace("\n", " ")
    return {"text": around, "offset": _units(head + text[first:start]), "length": _units(text[start:end])}
