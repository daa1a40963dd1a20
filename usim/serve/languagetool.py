"""LanguageTool's protocol: ``POST /v2/check`` and ``GET /v2/languages``, with replacements screened."""

from __future__ import annotations

import asyncio
import json
from typing import TYPE_CHECKING, Any
from urllib.parse import parse_qsl

from fastapi import FastAPI, Request
from starlette.responses import Response

from usim.errors import InputError
from usim.screen import Screened
from usim.serve.checkers import HarperChecker
from usim.serve.matches import proposals, screened_matches
from usim.serve.problems import ProblemError, json_response
from usim.suggestions import Record

if TYPE_CHECKING:
    from usim.serve.app import Service


def add_paths(app: FastAPI, service: Service) -> None:
    """Add the paths to an application.

    Raises:
        InputError: the checker cannot be loaded.
    """
    checker = HarperChecker()

    @app.get("/v2/languages", summary="The languages of the checker.")
    async def languages() -> Response:
        return Response(json.dumps(checker.languages()), media_type="application/json")

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
        if "text" not in form:
            raise ProblemError(422, "the form needs text: text=…&language=en-US")
        text = form["text"]
        service.check_texts([text])
        try:
            answer = await asyncio.to_thread(checker.check, form)
        except InputError as e:
            raise ProblemError(400, e.message) from e
        limits, matches = service.limits, answer["matches"]
        most = max(1, min(limits.replacements, limits.suggestions // max(1, len(matches))))
        suggestions, places = proposals(text, matches, most)

        def finish(place: int, result: tuple[Any, list[Screened]]) -> list[Screened]:
            return result[1]

        record = Record("text", 1, text, tuple(suggestions), "", lambda gone: "")
        (screened,) = await service.ask("screen", [record], finish)
        answer["matches"] = screened_matches(matches, places, screened)
        return json_response({**answer, "usim": {"signature": service.engine.screen.signature}})
