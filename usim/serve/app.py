"""The application: its paths and their answers; and how it runs in this process."""

from __future__ import annotations

import asyncio
import logging
from http import HTTPStatus
from typing import Any

from fastapi import FastAPI, Request
from fastapi.exceptions import RequestValidationError
from prometheus_client import generate_latest
from starlette.datastructures import Headers
from starlette.exceptions import HTTPException
from starlette.middleware.cors import CORSMiddleware
from starlette.responses import Response
from starlette.types import ASGIApp
from uvicorn import Config, Server

from usim._version import __version__
from usim.checkers import load_checker
from usim.errors import OptionError, UsimError
from usim.records import Part, read_record
from usim.report import comparison_html
from usim.report.texts import comparison_rows
from usim.report.values import explanation_record, screen_record
from usim.rewrites import Best
from usim.serve import _models as models
from usim.serve._guard import FOREIGN, Guard
from usim.serve._languagetool import add_paths as add_languagetool_paths
from usim.serve._service import ProblemError, Service, answered
from usim.serve.page.paths import add_page
from usim.serve.settings import Settings
from usim.signature import Signature
from usim.ucca import to_mrp

_METRICS = "text/plain; version=0.0.4; charset=utf-8"  # the media type
_GRACE = 10  # seconds that requests under way have when the service is stopped


class _Origins(CORSMiddleware):
    """Lets pages from some origins ask; a page from elsewhere is told the option."""

    def preflight_response(self, request_headers: Headers) -> Response:
        is_allowed = self.is_allowed_origin(request_headers["origin"])
        return super().preflight_response(request_headers) if is_allowed else ProblemError(403, FOREIGN).response()


def create_app(settings: Settings) -> ASGIApp:
    service = Service(settings)
    checkers = settings.checkers
    checker = load_checker(*checkers, seconds=settings.limits.seconds / 3) if checkers else None
    problem: dict[str, Any] = {"model": models.Problem}
    app = FastAPI(
        title="usim",
        version=__version__,
        description="Did the meaning survive the change? Answers are those of the command line, to the last digit.",
        docs_url=None,  # the pages for these paths load scripts from elsewhere
        redoc_url=None,
        responses={
            "4XX": problem | {"description": "Something is wrong with the request: what, and what to do."},
            "5XX": problem | {"description": "Too much under way, or the checker cannot answer: try again."},
        },
    )
    _add_paths(app, service)
    add_page(app, service)
    _add_problems(app)
    if checker is not None:
        add_languagetool_paths(app, service, checker)
    paths = frozenset([*app.openapi()["paths"], "/openapi.json"])
    guard: ASGIApp = Guard(app, settings, service, paths=paths)
    if settings.origins:  # outside of the guard, so that pages can read its problems too
        return _Origins(
            guard,
            allow_origins=list(settings.origins),
            allow_methods=["GET", "POST"],
            allow_headers=["Authorization", "X-API-Key", "Content-Type"],
            expose_headers=["Retry-After"],
        )
    return guard


def run(settings: Settings) -> None:
    """Serve until the process is told to stop.

    Raises:
        OptionError: strangers could use the service, for it listens beyond this machine and has no keys. Or an option
            is wrong.
        ParsingError, UsimError: the parser, the judge or the checker cannot be loaded, or the address is not free.
    """
    if not settings.is_local and not settings.keys:
        reach = f"{settings.host} can be reached from other machines: name a file of API keys with --api-key-file"
        raise OptionError(reach, option="host")
    logging.basicConfig(format="%(asctime)s %(levelname)s %(process)d %(message)s")
    for name in ("uvicorn", "usim.serve"):
        logging.getLogger(name).setLevel(logging.INFO)
    config = Config(
        create_app(settings),
        host=settings.host,
        port=settings.port,
        http="h11",  # which bounds the heads of requests
        timeout_keep_alive=5,
        timeout_graceful_shutdown=_GRACE,
        server_header=False,
        access_log=False,  # its lines would hold what stands after the question mark
        log_config=None,
    )
    try:
        Server(config).run()
    except SystemExit as e:
        raise UsimError("the service could not be started: its log says why") from e


def _add_paths(app: FastAPI, service: Service) -> None:
    @app.get("/health", summary="Whether the process is alive.")
    async def health() -> dict[str, str]:
        return {"status": "ok", "version": __version__}

    @app.get("/ready", summary="Whether requests will be answered.")
    async def ready() -> dict[str, str]:
        return {"status": "ready", "signature": service.scorer.signature}

    @app.get("/metrics", summary="Figures for Prometheus.", response_class=Response)
    async def metrics() -> Response:
        return Response(generate_latest(service.metrics.registry), media_type=_METRICS)

    @app.post("/v1/score", response_model=models.Results, summary="How much of the meaning survived.")
    async def score(request: models.ScoreRequest) -> Response:
        scorer = service.scorer.under(request.policy, risk=request.risk)
        results = await service.score(scorer, [pair.item() for pair in request.pairs])
        lined = ({"line": number, **result.to_dict()} for number, result in enumerate(results, 1))
        return await answered(lambda: {"results": list(lined), "signature": scorer.signature})

    @app.post("/v1/best", summary="The most faithful of several rewrites, if it keeps the meaning.")
    async def best(request: models.BestRequest) -> Response:
        pairs = [(request.source, candidate, None) for candidate in request.candidates]
        scorer = service.scorer.under(request.policy, risk=request.risk)
        best = Best(tuple(await service.score(scorer, pairs)))
        return await answered(lambda: {**best.to_dict(), "signature": scorer.signature})

    @app.post("/v1/screen", response_model=models.Results, summary="Which suggestions keep the meaning.")
    async def screen(request: models.ScreenRequest) -> Response:
        def records() -> list[Part]:
            return [read_record(record, number, "records") for number, record in enumerate(request.records, 1)]

        results = await service.screen_records(await asyncio.to_thread(records))
        written = (screen_record(part, screened, rank=request.rank) for part, screened in results)
        return await answered(lambda: {"results": list(written), "signature": service.screen.signature})

    @app.post(
        "/v1/explain",
        summary="Both graphs, their alignment, and what did not survive.",
        responses={200: {"content": {"image/svg+xml": {}}}},
    )
    async def explain(request: models.ExplainRequest) -> Response:
        (result,) = await service.score(service.scorer.under(request.policy, risk=request.risk), [request.item()])
        if request.format == "svg":
            return Response(await asyncio.to_thread(result.to_svg), media_type="image/svg+xml")

        def explained() -> dict[str, Any]:
            record = explanation_record(result)
            if request.format == "view":
                record |= {
                    "findings": result.judgement.shown,
                    "tokens": {"source": result.source_graph.tokens, "output": result.output_graph.tokens},
                    "svg": result.to_svg(width=request.width, caption=False, style=False),
                }
            return record

        return await answered(explained)

    @app.post("/v1/compare", summary="What happened to a whole text.", responses={200: {"content": {"text/html": {}}}})
    async def compare(request: models.CompareRequest) -> Response:
        texts = (request.before, request.after)
        scorer = service.scorer.under(request.policy, risk=request.risk)
        comparison = await service.compare(scorer, *texts, is_markdown=request.markdown)
        if request.format == "html":
            page = await asyncio.to_thread(comparison_html, comparison)
            return Response(page, media_type="text/html", headers={"X-Content-Type-Options": "nosniff"})
        with_rows = request.format == "view"
        return await answered(
            lambda: {**comparison.to_dict(), **({"rows": comparison_rows(comparison)} if with_rows else {})}
        )

    @app.post("/v1/parse", response_model=models.Results, summary="UCCA graphs of texts.")
    async def parse(request: models.ParseRequest) -> Response:
        graphs = await service.ask(
            lambda part: service.scorer.parse([text for _, text in part], ids=[f"{number:06d}" for number, _ in part]),
            list(enumerate(request.texts, 1)),
            lambda numbered: service.tokens(numbered[1]),
        )
        signature = Signature.stamped({"parser": service.scorer.parser.name})

        def results() -> list[Any]:
            if request.format == "mrp":
                return [to_mrp(graph, text=text) for graph, text in zip(graphs, request.texts, strict=True)]
            return list(map(str, graphs))

        return await answered(lambda: {"results": results(), "signature": signature})


def _add_problems(app: FastAPI) -> None:
    @app.exception_handler(ProblemError)
    async def problem(request: Request, error: ProblemError) -> Response:
        return error.response()

    @app.exception_handler(RequestValidationError)
    async def invalid(request: Request, error: RequestValidationError) -> Response:
        if "json" not in request.headers.get("content-type", ""):
            return ProblemError(415, "the body must be said to be JSON: Content-Type: application/json").response()
        first = error.errors()[0]
        if first["type"] == "json_invalid":
            before, why = error.body[: first["loc"][1]], first["ctx"]["error"]
            place = f"line {before.count(chr(10)) + 1}, column {len(before) - before.rfind(chr(10))}"
            return ProblemError(422, f"the body is not JSON: {place}: {why[:1].lower()}{why[1:]}").response()
        # Without what was given: a text has no place in a problem, which may be logged.
        errors = [{"at": ".".join(map(str, each["loc"][1:])), "message": each["msg"]} for each in error.errors()[:20]]
        detail = f"{errors[0]['at'] or 'body'}: {errors[0]['message']}; /openapi.json shows what is expected"
        return ProblemError(422, detail, errors=errors).response()

    @app.exception_handler(UsimError)
    async def wrong_input(request: Request, error: UsimError) -> Response:
        return ProblemError(422, str(error)).response()

    @app.exception_handler(HTTPException)
    async def http(request: Request, error: HTTPException) -> Response:
        details = {
            404: "no such path: /openapi.json lists those that there are",
            405: "not with this method: /openapi.json says which one",
            400: "the body is not JSON in UTF-8, or it is nested too deeply",
        }
        status = error.status_code
        return ProblemError(status, details.get(status, HTTPStatus(status).phrase)).response()

    @app.exception_handler(Exception)
    async def failed(request: Request, error: Exception) -> Response:
        return ProblemError(500, "an error of the service; its log says where").response()
