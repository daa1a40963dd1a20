"""Middleware: keys, origins, limits of size and time, and a log that holds no texts.

The proxy in front of a public service (``nginx.conf``) handles slow clients and clients that send too much.
"""

from __future__ import annotations

import asyncio
import hmac
import logging
import re
import time
import traceback

from starlette.datastructures import Headers
from starlette.requests import ClientDisconnect, Request
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from usim.serve._service import ProblemError, Service, check_limit, place
from usim.serve.page.paths import FILES
from usim.serve.settings import Settings

log = logging.getLogger("usim.serve")

#: The one path of ``/v1`` whose body is not one value of JSON.
_LINES = "/v1/report"
#: What a page is told that no ``--allow-origin`` names.
FOREIGN = "a web page from elsewhere asks: start the service with --allow-origin ORIGIN"
#: Paths that need no key and have no limits: they cost nothing and reveal nothing.
OPEN = frozenset({"/health", "/ready", "/v2/healthcheck", *FILES})


class Guard:
    """Middleware that checks the keys, origin and host name of each request, and limits its size and time.

    Without keys, everybody may use the service. Without host names, it answers under any name; with them, a web page
    cannot reach it under a name that the page's owner controls (DNS rebinding).
    """

    def __init__(self, app: ASGIApp, settings: Settings, service: Service, *, paths: frozenset[str]) -> None:
        self._app, self._settings, self._limits, self._paths = app, settings, settings.limits, paths
        self._metrics = service.metrics
        self._places = asyncio.Semaphore(settings.limits.under_way)

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer an HTTP request, and pass on anything else."""
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return
        began = time.perf_counter()
        status = 0

        async def watched(message: Message) -> None:
            nonlocal status
            if message["type"] == "http.response.start":
                status = message["status"]
            await send(message)

        path = scope["path"] if scope["path"] in self._paths else "other"
        problem: ProblemError | None = None
        try:
            await self._answer(scope, receive, watched)
        except ProblemError as e:
            problem = e
        except TimeoutError:
            problem = ProblemError(503, f"not done within {self._limits.seconds:g} s: send less at a time", retry=5)
        except ClientDisconnect:
            status = 499  # the status that nginx logs for clients that went away
        except asyncio.CancelledError:  # uvicorn cancels what is still under way when it stops
            problem = ProblemError(503, "the service is being stopped: try again", retry=5)
        except Exception as e:
            # The application has answered. The message of an error may quote a text, so it is not logged.
            log.error("%s in %s\n%s", type(e).__name__, path, "".join(traceback.format_tb(e.__traceback__)))
        if problem is not None and not status:
            await problem.response()(scope, receive, watched)
        seconds = time.perf_counter() - began
        self._metrics.requests.labels(path, status).inc()
        self._metrics.seconds.labels(path).observe(seconds)
        log.info("%s %s %d %.1f ms", scope["method"], path, status, 1000 * seconds)

    async def _answer(self, scope: Scope, receive: Receive, send: Send) -> None:
        headers, path = Headers(scope=scope), scope["path"]
        self._check_host(headers)
        if scope["method"] == "OPTIONS" and "access-control-request-method" in headers:
            raise ProblemError(403, FOREIGN)  # a browser asks, without a key, before a page sends
        if path not in OPEN:
            self._check_key(headers)
            self._check_origin(headers)
        if path not in OPEN and path.startswith(("/v1/", "/v2/")):
            async with asyncio.timeout(self._limits.seconds):
                body = await self._body(scope, receive)  # a slow body takes no place from others
                if path.startswith("/v1/"):  # each of them may be an error to be written
                    mark, found = (b"\n", "lines") if path == _LINES else (b",", "commas, between values and in texts")
                    too_many = f"the body has {{}} {found}; {{}} are allowed: send less at a time"
                    check_limit(body.count(mark), self._limits.tokens, too_many)
                async with place(self._places, self._metrics.under_way):
                    await self._run(scope, body, receive, send)
        else:
            await self._app(scope, receive, send)

    def _check_host(self, headers: Headers) -> None:
        name = re.sub(r":\d*$", "", headers.get("host", "").lower())
        if self._settings.hosts and name not in map(str.lower, self._settings.hosts):
            raise ProblemError(421, "the service goes by another name: start it with --allow-host NAME")

    def _check_origin(self, headers: Headers) -> None:
        """Check that the request does not come from another site's web page, by the headers that browsers send.

        Browser extensions have origins of other schemes, which no web page can have; they are let in.
        """
        origin = headers.get("origin")
        if origin is None:
            is_foreign = headers.get("sec-fetch-site") == "cross-site"
        else:
            scheme, _, place = origin.partition("://")
            is_own = origin in self._settings.origins or place == headers.get("host", "").lower()
            is_foreign = scheme in ("http", "https", "null") and not is_own
        if is_foreign:
            raise ProblemError(403, FOREIGN)

    def _check_key(self, headers: Headers) -> None:
        scheme, _, token = headers.get("authorization", "").partition(" ")
        key = token.strip() if scheme.lower() == "bearer" else headers.get("x-api-key", "")
        # Compare all keys, each in constant time, so that the time tells nothing about them.
        known = [hmac.compare_digest(key.encode(), each.encode()) for each in self._settings.keys]
        if known and not any(known):
            raise ProblemError(401, "a key is needed: send the header Authorization: Bearer KEY, or X-API-Key: KEY")

    async def _body(self, scope: Scope, receive: Receive) -> bytes:
        body = bytearray()
        async for piece in Request(scope, receive).stream():
            body += piece
            check_limit(len(body), self._limits.body, "the body has more than {1} bytes: send less at a time")
        return bytes(body)

    async def _run(self, scope: Scope, body: bytes, receive: Receive, send: Send) -> None:
        """Run the application on a body; if the client goes away before the answer, cancel the work."""

        async def given() -> Message:
            return {"type": "http.request", "body": body, "more_body": False}

        async def watch() -> None:
            while (await receive())["type"] != "http.disconnect":
                pass
            work.cancel()

        work = asyncio.ensure_future(self._app(scope, given, send))
        watcher = asyncio.create_task(watch())
        try:
            await work
        except asyncio.CancelledError:
            if watcher.done():
                raise ClientDisconnect from None
            raise
        finally:
            watcher.cancel()
