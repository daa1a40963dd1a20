"""LanguageTool's protocol (https://languagetool.org/http-api/), with replacements screened."""

from __future__ import annotations

import asyncio
import json
import time
from collections.abc import Awaitable, Sequence
from dataclasses import replace
from itertools import takewhile
from typing import TYPE_CHECKING, Any, TypeVar
from urllib.parse import parse_qsl

from fastapi import FastAPI, Request
from starlette.responses import PlainTextResponse, Response

from usim.checkers import (
    Checker,
    CheckerError,
    CheckRequest,
    Finding,
    in_english,
    is_screened,
    proposals,
    without_names,
)
from usim.errors import InputError
from usim.records import Record
from usim.screen import Screened
from usim.serve._languagetool_json import answer_json, configuration_json, languages_json, matches_json, read_request
from usim.serve._problems import ProblemError, check_limit, json_response
from usim.text import is_foreign, language_of

if TYPE_CHECKING:
    from usim.serve.app import Service

T = TypeVar("T")
_LOOKED_AT = 8  # times the suggestions that may be screened at once


def add_paths(app: FastAPI, service: Service, checker: Checker) -> None:
    """Add the paths to an application."""
    longest = service.limits.checked_text

    @app.get("/v2/languages", summary="The languages of the checker.")
    async def languages() -> Response:
        answer = languages_json(await ask_checker(checker.languages()))
        return Response(json.dumps(answer), media_type="application/json")

    @app.get("/v2/info", summary="The checker and its version.")
    async def info() -> Response:
        configuration = configuration_json(await ask_checker(checker.configuration("en-US")))
        return json_response({"software": configuration["software"]})

    @app.get("/v2/configinfo", summary="The checker, its rules, and the length of the longest text.")
    async def configuration(language: str) -> Response:
        answer = configuration_json(await ask_checker(checker.configuration(language)))
        return json_response({**answer, "parameter": {"maxTextLength": longest}})

    @app.get("/v2/maxtextlength", summary="The length of the longest text, in characters.")
    async def length() -> Response:
        return PlainTextResponse(str(longest))

    @app.get("/v2/healthcheck", summary="Whether requests will be answered.")
    async def health() -> Response:
        if not service.engine.is_ready:
            raise ProblemError(503, "not ready: try again", retry=1)
        return PlainTextResponse("OK")

    async def form_of(request: Request) -> dict[str, str]:
        try:
            form = dict(parse_qsl((await request.body()).decode(), keep_blank_values=True, max_num_fields=100))
        except ValueError as e:
            raise ProblemError(422, "the body is no form in UTF-8: text=…&language=en-US") from e
        return dict(request.query_params) | form

    @app.post("/v2/check", summary="Mistakes, with replacements screened.")
    async def check(request: Request) -> Response:
        return await answer_check(await form_of(request))

    @app.get("/v2/check", summary="The same, for short texts.")
    async def check_short(request: Request) -> Response:
        return await answer_check(dict(request.query_params))

    async def answer_check(form: dict[str, str]) -> Response:
        try:
            request = read_request(form)
        except InputError as e:
            raise ProblemError(422, e.message) from e
        check_limit(len(request.text.plain), longest, "a text of {} characters; {} are allowed: send it in parts", 413)
        checked = await ask_checker(checker.check(request))
        text = request.text
        answer = answer_json(text, checked)
        about: dict[str, Any] = {"signature": service.engine.screen.signature}
        if checked.misfits:
            about["misfits"] = checked.misfits
        if not is_screened(checked):
            return json_response({**answer, "matches": matches_json(text, checked.findings, None), "usim": about})
        if request.language == "auto" and (code := language_of(text.plain)) is not None:
            answer["language"] |= {"detectedLanguage": {"name": code, "code": code}}
            if is_foreign(code):
                answer["language"] |= {"name": code, "code": code}
        checked = without_names(text.plain, await asyncio.to_thread(in_english, text.plain, checked))
        matches = matches_json(text, checked.findings, await screen_findings(request, checked.findings))
        return json_response({**answer, "matches": matches, "usim": {**about, "notEnglish": checked.foreign.total()}})

    async def screen_findings(request: CheckRequest, findings: Sequence[Finding]) -> list[list[Screened]]:
        verdicts, records = await asyncio.to_thread(recall, request.text.plain, findings)
        for record, screened in await service.ask("screen", records):
            rest = iter(screened)
            verdicts[record.line] = [known or next(rest, None) for known in verdicts[record.line]]
        # For each finding keep the suggestions before the first one that was left out.
        of_findings = [[each for each in takewhile(bool, known) if each] for known in verdicts]
        service.count(screened for of_finding in of_findings for screened in of_finding)
        return of_findings

    def recall(text: str, findings: Sequence[Finding]) -> tuple[list[list[Screened | None]], list[Record]]:
        """Return the known verdicts on the suggestions of each finding, and records of the suggestions to screen."""
        # With very many findings, only their first suggestions are looked at: even that takes time.
        limits = service.limits
        most = min(limits.replacements, max(1, _LOOKED_AT * limits.suggestions // max(1, len(findings))))
        suggestions = proposals(text, findings, most)
        verdicts = [service.engine.screen.known(text, of_finding) for of_finding in suggestions]
        # A record for each finding, so that the engine can take those of other requests between them.
        records = []
        for place, (of_finding, known) in enumerate(zip(suggestions, verdicts, strict=True)):
            missing = tuple(each for each, verdict in zip(of_finding, known, strict=True) if verdict is None)
            records.append(Record(place, place, text, missing, "", lambda gone: ""))
        return verdicts, within_limits(records)

    def within_limits(records: Sequence[Record]) -> list[Record]:
        """Return records with as many of their suggestions as a request may ask for: the first of each, and so on."""
        tokens = service.limits.tokens
        counts = [0] * len(records)
        ranks = sorted((rank, place) for place, each in enumerate(records) for rank in range(len(each.suggestions)))
        for rank, place in ranks[: service.limits.suggestions]:
            part = replace(records[place], suggestions=records[place].suggestions[rank : rank + 1])
            tokens -= sum(service.engine.tokens([part]))
            if tokens < 0:
                break
            counts[place] = rank + 1
        kept = zip(records, counts, strict=True)
        return [replace(record, suggestions=record.suggestions[:count]) for record, count in kept if count]

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
