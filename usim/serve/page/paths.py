"""The routes of the page: its files, and answers that hold all that it shows."""

from __future__ import annotations

import asyncio
from importlib.resources import files
from io import BytesIO

from fastapi import FastAPI, Request
from starlette.responses import Response
from starlette.routing import Route

from usim.draw import STYLE
from usim.records import BadRecord, Record, lines, read_record
from usim.records.results import read_results
from usim.report.page import WEB, Collection
from usim.screen import ranking
from usim.serve._models import SubstitutesRequest
from usim.serve._service import ProblemError, Service, json_response
from usim.serve.page._substitutes import find_substitutes
from usim.suggestions import OFFSETS

_HEADERS = {
    # Scripts and styles of the service alone; requests to it alone; in no frame of another page.
    "Content-Security-Policy": "default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self'; "
    "img-src 'self' data:; base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
    "X-Content-Type-Options": "nosniff",
    "Referrer-Policy": "no-referrer",
    "Cross-Origin-Opener-Policy": "same-origin",
    "Cache-Control": "no-cache",
}
_TYPES = {"css": "text/css", "html": "text/html", "js": "text/javascript", "json": "application/json"}
#: The files of reports that the page uses as well.
_WEB_FILES = ("report.css", "report.js", "compared.css", "compared.js")


def _contents() -> dict[str, tuple[bytes, str]]:
    entries = [*(files("usim.serve.page") / "static").iterdir(), *(WEB / name for name in _WEB_FILES)]
    data = {f"/page/{entry.name}": entry.read_bytes() for entry in entries} | {"/page/drawing.css": STYLE.encode()}
    data["/"] = data.pop("/page/index.html")
    return {path: (each, _TYPES[path.rpartition(".")[2] if "." in path else "html"]) for path, each in data.items()}


#: The files: path → bytes and media type. They tell nothing, so they need no key.
FILES = _contents()


def add_page(app: FastAPI, service: Service) -> None:
    for path, (data, media_type) in FILES.items():
        response = Response(data, headers=_HEADERS, media_type=media_type)
        app.router.routes.append(Route(path, response, methods=["GET"]))

    @app.post("/v1/substitutes", summary="Substitutes of a word, the most faithful first.")
    async def substitutes(request: SubstitutesRequest) -> Response:
        if not request.start < request.end <= len(request.text):
            raise ProblemError(422, f"no word from {request.start} to {request.end}: {OFFSETS}")
        service.check_length(request.text)
        place = {"id": "1", "sentence": request.text, "start": request.start, "end": request.end}

        def read() -> Record | BadRecord:
            given = request.substitutes or find_substitutes(request.text, request.start, request.end)
            return read_record({**place, "substitutes": given}, 1, "substitutes")

        record = await asyncio.to_thread(read)
        if isinstance(record, BadRecord):
            raise ProblemError(422, record.error.message)
        results = []
        if record.suggestions:
            ((_, screened),) = await service.screen_records([record], service.parsing_screen)
            ranked = (screened[k] for k in ranking(record.suggestions, screened))
            results = [{**each.to_dict(), "text": each.text, "findings": each.shown} for each in ranked]
        return json_response({"results": results, "signature": service.parsing_screen.signature})

    @app.post(
        "/v1/report",
        summary="Results as usim score, screen and batch write them, as a page of HTML that needs nothing else.",
        response_class=Response,
        responses={200: {"content": {"text/html": {}}}},
        openapi_extra={"requestBody": {"content": {"application/x-ndjson": {}}, "required": True}},
    )
    async def report(request: Request) -> Response:
        page = await asyncio.to_thread(_report, await request.body())
        headers = {"Content-Disposition": 'attachment; filename="report.html"', "X-Content-Type-Options": "nosniff"}
        return Response(page, headers=headers, media_type="text/html")


def _report(data: bytes) -> str:
    collection = Collection(read_results("the body", records=lines("the body", stream=BytesIO(data))))
    if not collection.results:
        first = f": {collection.bad_lines[0].message}" if collection.bad_lines else ""
        raise ProblemError(422, f"no results of usim score, screen or batch, as JSON lines{first}")
    return collection.to_html()
