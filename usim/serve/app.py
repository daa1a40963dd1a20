"""The application: its paths, and what they answer."""

from __future__ import annotations

import asyncio
import json
import os
from collections.abc import AsyncIterator, Callable, Sequence
from contextlib import asynccontextmanager
from typing import Any, cast

from fastapi import FastAPI, Request
from fastapi.exceptions import RequestValidationError
from starlette.exceptions import HTTPException
from starlette.middleware.cors import CORSMiddleware
from starlette.responses import Response
from starlette.types import ASGIApp, Receive, Scope, Send

from usim._version import __version__
from usim.checkers import load_checker
from usim.errors import UsimError
from usim.report.records import explanation_record, explanation_svg, graph_record, score_record, screen_record
from usim.scorer import Result
from usim.screen import Screened
from usim.serve.engine import Engine, Kind, StoppedError, Text
from usim.serve.guard import Guard, http_problem
from usim.serve.languagetool import add_paths as add_languagetool_paths
from usim.serve.metrics import CONTENT_TYPE, Metrics
from usim.serve.models import Answer, ExplainRequest, ParseRequest, Problem, ScoreRequest, ScreenRequest
from usim.serve.page import add_page
from usim.serve.problems import ProblemError, dumps, json_response
from usim.serve.settings import VARIABLE, Limits, Settings
from usim.suggestions import BadRecord, Record, jsonl
from usim.ucca import Graph, mrp_line

_LINES = 32  # lines of a stream that are judged together
_LINES_TYPE = "application/x-ndjson"
_DESCRIPTION = "Did the meaning survive the change? Answers are those of the command line, to the last digit."


class Service:
    """What the paths share: the engine, the limits and the figures.

    Args:
        settings: what the service has been told.

    Raises:
        ParsingError, OptionError, UsimError: see :class:`usim.options.Options`.
    """

    def __init__(self, settings: Settings) -> None:
        self.settings = settings
        self.metrics = Metrics()
        self.engine = Engine(
            settings.to_options(),
            wait=settings.wait,
            remembered=settings.remembered,
            watch=self.metrics.batches.observe,
        )

    @property
    def limits(self) -> Limits:
        """What is accepted."""
        return self.settings.limits

    def check_texts(self, texts: Sequence[str]) -> None:
        """Check that no text is too long.

        Raises:
            ProblemError: one is.
        """
        longest = max(map(len, texts), default=0)
        if longest > self.limits.text:
            detail = f"a text of {longest} characters; {self.limits.text} are allowed: send it in parts"
            raise ProblemError(422, detail, limit=self.limits.text)

    def check_count(self, count: int) -> None:
        """Check that there are not too many pairs, records or texts.

        Raises:
            ProblemError: there are.
        """
        if count > self.limits.pairs:
            detail = f"{count} at once; {self.limits.pairs} are allowed: send several requests, or a stream"
            raise ProblemError(422, detail, limit=self.limits.pairs)

    def record(self, value: dict[str, Any], number: int) -> Record | BadRecord:
        """Read a record, and check its size.

        Raises:
            ProblemError: its text is too long, or it has too many suggestions.
        """
        part = jsonl.part(json.dumps(value), number, "records")
        if isinstance(part, Record):
            self.check_suggestions([part])
            self.check_texts([part.text, *(suggestion.substitute for suggestion in part.suggestions)])
        return cast(Record | BadRecord, part)

    def check_suggestions(self, records: Sequence[Record | BadRecord]) -> None:
        """Check that records do not have too many suggestions.

        Raises:
            ProblemError: they have.
        """
        count = sum(len(record.suggestions) for record in records if isinstance(record, Record))
        if count > self.limits.suggestions:
            detail = f"{count} suggestions; {self.limits.suggestions} are allowed: send several requests"
            raise ProblemError(422, detail, limit=self.limits.suggestions)

    async def ask(self, kind: Kind, items: Sequence[Any], finish: Callable[[int, Any], Any]) -> list[Any]:
        """Ask the engine and wait for the answers.

        Raises:
            ProblemError: it has been stopped.
        """
        try:
            return await asyncio.wrap_future(self.engine.submit(kind, items, finish))
        except StoppedError as e:
            raise ProblemError(503, "the service is being stopped: try again", retry=5) from e

    async def score(self, pairs: Sequence[tuple[str, str]], first: int = 1) -> list[dict[str, Any]]:
        """Score pairs; the first has this number."""

        def finish(place: int, result: Result) -> dict[str, Any]:
            self.metrics.verdicts.labels(result.judgement.verdict).inc()
            return score_record(first + place, result)

        return await self.ask("score", pairs, finish)

    def count_verdicts(self, screened: Sequence[Screened]) -> None:
        """Count the verdicts of suggestions."""
        for suggestion in screened:
            self.metrics.verdicts.labels(suggestion.verdict).inc()

    async def screen(self, records: Sequence[Record | BadRecord], *, rank: bool = False) -> list[dict[str, Any]]:
        """Screen records."""

        def finish(place: int, result: tuple[Record | BadRecord, list[Screened]]) -> dict[str, Any]:
            part, screened = result
            self.count_verdicts(screened)
            return screen_record(part, screened, rank=rank)

        return await self.ask("screen", records, finish)


def create_app(settings: Settings | None = None) -> ASGIApp:
    """Make the application; without settings, those that :func:`usim.serve.run.run` has left for its workers.

    Raises:
        ParsingError, OptionError, UsimError: the parser or the judge cannot be loaded.
    """
    if settings is None:
        settings = Settings.from_json(os.environ[VARIABLE])
    service = Service(settings)
    checker = None if settings.checker is None else load_checker(settings.checker, seconds=settings.checker_seconds)

    @asynccontextmanager
    async def life(app: FastAPI) -> AsyncIterator[None]:
        yield
        await asyncio.to_thread(service.engine.stop)
        if checker is not None:
            await checker.close()

    app = FastAPI(
        title="usim",
        version=__version__,
        description=_DESCRIPTION,
        lifespan=life,
        docs_url=None,  # the pages for these paths load scripts from elsewhere
        redoc_url=None,
        responses={
            status: {"model": Problem, "description": text, "content": {"application/problem+json": {}}}
            for status, text in {
                401: "No key.",
                413: "The body is too large.",
                422: "Not what is expected, or too much of it.",
                429: "Too many requests a minute.",
                502: "The checker cannot be reached, or answers something else.",
                503: "Too much under way, or not done in time.",
                504: "The checker did not answer in time.",
            }.items()
        },
    )
    _add_paths(app, service)
    add_page(app, service)
    _add_problems(app)
    if checker is not None:
        add_languagetool_paths(app, service, checker)
    if settings.origins:
        app.add_middleware(
            CORSMiddleware,
            allow_origins=list(settings.origins),
            allow_methods=["GET", "POST"],
            allow_headers=["Authorization", "X-API-Key", "Content-Type"],
        )
    return Guard(
        app,
        limits=settings.limits,
        keys=settings.keys,
        hosts=settings.hosts,
        paths=frozenset([*app.openapi()["paths"], "/openapi.json"]),
        metrics=service.metrics,
    )


def _add_paths(app: FastAPI, service: Service) -> None:
    engine = service.engine

    @app.get("/health", summary="Whether the process is alive.")
    async def health() -> dict[str, str]:
        return {"status": "ok", "version": __version__}

    @app.get("/ready", summary="Whether requests will be answered.")
    async def ready() -> dict[str, str]:
        if not engine.is_ready:
            raise ProblemError(503, "not ready: try again", retry=1)
        return {"status": "ready", "signature": engine.scorer.signature}

    @app.get("/metrics", summary="Figures for Prometheus.", response_class=Response)
    async def metrics() -> Response:
        return Response(service.metrics.text(), media_type=CONTENT_TYPE)

    @app.post("/v1/score", response_model=Answer, summary="How much of the meaning survived.")
    async def score(request: ScoreRequest) -> Response:
        service.check_count(len(request.pairs))
        service.check_texts([text for pair in request.pairs for text in (pair.source, pair.output)])
        results = await service.score([(pair.source, pair.output) for pair in request.pairs])
        return json_response({"results": results, "signature": engine.scorer.signature})

    @app.post("/v1/screen", response_model=Answer, summary="Which suggestions keep the meaning.")
    async def screen(request: ScreenRequest) -> Response:
        service.check_count(len(request.records))
        records = [service.record(record, number) for number, record in enumerate(request.records, 1)]
        service.check_suggestions(records)
        results = await service.screen(records, rank=request.rank)
        return json_response({"results": results, "signature": engine.screen.signature})

    @app.post(
        "/v1/explain",
        summary="Both graphs, their alignment, and what did not survive.",
        responses={200: {"content": {"image/svg+xml": {}}}},
    )
    async def explain(request: ExplainRequest) -> Response:
        service.check_texts([request.source, request.output])
        draw = request.format == "svg"

        def finish(place: int, result: Result) -> Any:
            return explanation_svg(result) if draw else explanation_record(result)

        (answer,) = await service.ask("score", [(request.source, request.output)], finish)
        return Response(answer, media_type="image/svg+xml") if draw else json_response(answer)

    @app.post("/v1/parse", response_model=Answer, summary="UCCA graphs of texts.")
    async def parse(request: ParseRequest) -> Response:
        service.check_count(len(request.texts))
        service.check_texts(request.texts)

        def finish(place: int, graph: Graph) -> Any:
            if request.format == "text":
                return str(graph)
            if request.format == "mrp":
                return json.loads(mrp_line(graph, text=request.texts[place]))
            return graph_record(graph)

        texts = [Text(text, f"{number:06d}") for number, text in enumerate(request.texts, 1)]
        results = await service.ask("parse", texts, finish)
        return json_response({"results": results, "signature": engine.parse_signature})

    @app.post("/v1/score/stream", summary="Score JSON lines as they come.", response_class=Response)
    async def score_stream(request: Request) -> Response:
        async def answers(lines: list[tuple[int, Any]]) -> list[dict[str, Any]]:
            pairs = []
            for number, line in lines:
                pair = (line.get("source"), line.get("output")) if isinstance(line, dict) else (None, None)
                if not all(isinstance(text, str) and len(text) <= service.limits.text for text in pair):
                    limit = f"strings of at most {service.limits.text} characters"
                    raise ProblemError(422, f"line {number}: 'source' and 'output' must be {limit}")
                pairs.append(cast(tuple[str, str], pair))
            return await service.score(pairs, lines[0][0])

        return _stream(request, service.limits, answers)

    @app.post("/v1/screen/stream", summary="Screen JSON lines as they come.", response_class=Response)
    async def screen_stream(request: Request) -> Response:
        async def answers(lines: list[tuple[int, Any]]) -> list[dict[str, Any]]:
            return await service.screen([service.record(line, number) for number, line in lines])

        return _stream(request, service.limits, answers)


def _stream(request: Request, limits: Limits, answers: Callable[[list[tuple[int, Any]]], Any]) -> Response:
    """Answer JSON lines by JSON lines. A problem is the last line: the status has been sent by then."""

    async def written() -> AsyncIterator[bytes]:
        try:
            async for lines in _blocks(request, limits):
                for answer in await answers(lines):
                    yield dumps(answer) + b"\n"
        except ProblemError as problem:
            yield dumps({"status": problem.status, "error": problem.detail}) + b"\n"
        except UsimError as e:
            yield dumps({"status": 422, "error": str(e)}) + b"\n"

    return _Lines(written(), limits.seconds)


class _Lines(Response):
    """A response in pieces. Unlike Starlette's own it leaves the request alone, which is still being read."""

    media_type = _LINES_TYPE

    def __init__(self, pieces: AsyncIterator[bytes], seconds: float) -> None:
        super().__init__()
        del self.headers["content-length"]
        self._pieces, self._seconds = pieces, seconds

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Send the pieces as they come."""
        await send({"type": "http.response.start", "status": 200, "headers": self.raw_headers})
        async for piece in self._pieces:
            async with asyncio.timeout(self._seconds):  # a client that reads nothing takes no place for long
                await send({"type": "http.response.body", "body": piece, "more_body": True})
        await send({"type": "http.response.body", "body": b"", "more_body": False})


async def _blocks(request: Request, limits: Limits) -> AsyncIterator[list[tuple[int, Any]]]:
    """Read lines with their numbers, in blocks; what has arrived is not kept waiting for more."""
    rest = b""
    number = 0
    stream = request.stream()
    until = asyncio.get_running_loop().time() + limits.seconds
    while True:
        try:
            async with asyncio.timeout_at(until):
                chunk = await anext(stream, None)
        except TimeoutError as e:
            raise ProblemError(408, f"no line within {limits.seconds:g} s: send the rest again") from e
        *lines, rest = (rest + chunk).split(b"\n") if chunk is not None else [rest, b""]
        if len(rest) > limits.body:
            raise ProblemError(413, f"line {number + len(lines) + 1} has more than {limits.body} bytes")
        block: list[tuple[int, Any]] = []
        if not lines:
            continue
        for line in lines:
            number += 1
            if line.strip():
                try:
                    block.append((number, json.loads(line)))
                except (ValueError, RecursionError) as e:
                    raise ProblemError(422, f"line {number} is not JSON") from e
            if len(block) == _LINES:
                yield block
                block = []
        if block:
            yield block
        if chunk is None:
            return
        until = asyncio.get_running_loop().time() + limits.seconds


def _add_problems(app: FastAPI) -> None:
    """Turn whatever goes wrong into a problem."""

    @app.exception_handler(ProblemError)
    async def problem(request: Request, error: ProblemError) -> Response:
        return error.response()

    @app.exception_handler(RequestValidationError)
    async def invalid(request: Request, error: RequestValidationError) -> Response:
        # Without what was given: a text has no place in a problem, which may be logged.
        errors = [{"at": ".".join(map(str, each["loc"][1:])), "message": each["msg"]} for each in error.errors()[:20]]
        first = errors[0] if errors else {"at": "", "message": "not what is expected"}
        detail = f"{first['at'] or 'body'}: {first['message']}; /openapi.json shows what is expected"
        return ProblemError(422, detail, errors=errors).response()

    @app.exception_handler(UsimError)
    async def wrong_input(request: Request, error: UsimError) -> Response:
        return ProblemError(422, str(error)).response()

    @app.exception_handler(HTTPException)
    async def http(request: Request, error: HTTPException) -> Response:
        return http_problem(error.status_code).response()
