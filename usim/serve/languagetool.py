"""LanguageTool's protocol: ``POST /v2/check`` and ``GET /v2/languages``, with replacements screened."""

from __future__ import annotations

import asyncio
import json
import time
from collections.abc import Awaitable
from typing import TYPE_CHECKING, Any, TypeVar
from urllib.parse import parse_qsl

from fastapi import FastAPI, Request
from starlette.responses import Response

from usim.checkers import (
    Checker,
    CheckerError,
    CheckRequest,
    in_english,
    is_screened,
    passed_on,
    proposals,
    read_request,
    screened_matches,
)
from usim.errors import InputError
from usim.screen import Screened
from usim.serve.problems import ProblemError, json_response
from usim.suggestions import BadRecord, Record
from usim.text import is_foreign, language_of

if TYPE_CHECKING:
    from usim.serve.app import Service

T = TypeVar("T")


def add_paths(app: FastAPI, service: Service, checker: Checker) -> None:
    """Add the paths to an application."""

    @app.get("/v2/languages", summary="The languages of the checker.")
    async def languages() -> Response:
        answer = await asked(checker.languages())
        return Response(json.dumps(answer), media_type="application/json")

    @app.post("/v2/check", summary="Mistakes, with replacements screened.")
    async def check(request: Request) -> Response:
        try:
            form = dict(parse_qsl((await request.body()).decode(), keep_blank_values=True, max_num_fields=100))
        except ValueError as e:
            raise ProblemError(422, "the body is no form in UTF-8: text=…&language=en-US") from e
        return await checked(dict(request.query_params) | form)

    @app.get("/v2/check", summary="The same, for short texts.")
    async def check_short(request: Request) -> Response:
        return await checked(dict(request.query_params))

    async def checked(form: dict[str, str]) -> Response:
        try:
            request = read_request(form)
        except InputError as e:
            raise ProblemError(422, e.message) from e
        service.check_texts([request.text.plain])
        answer = await asked(checker.check(request))
        if not is_screened(answer):
            answer["matches"] = passed_on(answer["matches"])
            return json_response({**answer, "usim": {"signature": service.engine.screen.signature}})
        text = request.text
        if request.language == "auto" and (code := language_of(text.plain)) is not None:
            answer["language"] |= {"detectedLanguage": {"name": code, "code": code}}
            if is_foreign(code):
                answer["language"] |= {"name": code, "code": code}
        matches, foreign = await asyncio.to_thread(in_english, text, answer["matches"])
        answer["matches"] = await screened(request, matches)
        about = {"signature": service.engine.screen.signature, "notEnglish": foreign.total()}
        return json_response({**answer, "usim": about})

    async def screened(request: CheckRequest, matches: list[dict[str, Any]]) -> list[dict[str, Any]]:
        records, verdicts = await asyncio.to_thread(remembered, request, matches)
        missing = [place for place, known in enumerate(verdicts) if known is None]

        def finish(place: int, result: tuple[Record | BadRecord, list[Screened]]) -> list[Screened]:
            return result[1]

        answers = await service.ask("screen", [records[place] for place in missing], finish)
        for place, answer in zip(missing, answers, strict=True):
            verdicts[place] = answer
        of_matches = [known or [] for known in verdicts]
        service.count_verdicts([screened for of_match in of_matches for screened in of_match])
        return screened_matches(matches, of_matches)

    def remembered(
        request: CheckRequest, matches: list[dict[str, Any]]
    ) -> tuple[list[Record], list[list[Screened] | None]]:
        """Return a record of what is to be screened for each match, and the verdicts of those that came before."""
        text = request.text.plain
        # A record for each match, so that the engine can take those of other requests between them.
        records = service.within_limits([
            Record(number, number, text, tuple(suggestions), "", lambda gone: "")
            for number, suggestions in enumerate(proposals(request.text, matches, service.limits.replacements), 1)
        ])  # fmt: skip
        known = service.engine.screen.known
        return records, [known(text, record.suggestions) for record in records]

    async def asked(answer: Awaitable[T]) -> T:
        """Wait for the checker; what goes wrong with it becomes a problem that says so."""
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
