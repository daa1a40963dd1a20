"""LanguageTool's protocol: ``POST /v2/check`` and ``GET /v2/languages``, with replacements screened."""

from __future__ import annotations

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
        if is_screened(answer):
            answer["matches"] = await screened(request, answer["matches"])
        else:
            answer["matches"] = passed_on(answer["matches"])
        return json_response({**answer, "usim": {"signature": service.engine.screen.signature}})

    async def screened(request: CheckRequest, matches: list[dict[str, Any]]) -> list[dict[str, Any]]:
        limits = service.limits
        first, others = matches[: limits.suggestions], matches[limits.suggestions :]
        most = max(1, min(limits.replacements, limits.suggestions // max(1, len(first))))
        text = request.text.plain
        # A record for each match, so that the engine can take those of other requests between them.
        records = [
            Record(number, number, text, tuple(suggestions), "", lambda gone: "")
            for number, suggestions in enumerate(proposals(request.text, first, most), 1)
        ]

        def finish(place: int, result: tuple[Record | BadRecord, list[Screened]]) -> list[Screened]:
            service.count_verdicts(result[1])
            return result[1]

        # Of the matches beyond the limit no replacement is screened, so none is passed on; each says how many it had.
        return screened_matches(matches, await service.ask("screen", records, finish) + [[] for _ in others])

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
