"""Middleware: keys, origins, limits of size and time, and a log that holds no texts.

Clients that are slow or too many are the matter of the proxy before a public service (``nginx.conf``).
"""

from __future__ import annotations

import asyncio
import hashlib
import hmac
import logging
import time
import traceback

from starlette.datastructures import Headers
from starlette.requests import ClientDisconnect
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from usim.serve._concurrency import ConcurrencyLimit
from usim.serve._metrics import Metrics
from usim.serve._problems import ProblemError
from usim.serve.page.paths import FILES
from usim.serve.settings import Settings

log = logging.getLogger("usim.serve")

#: Paths that need no key and have no limits: they cost nothing and tell nothing.
OPEN = frozenset({"/health", "/ready", "/v2/healthcheck", *FILES})
#: Paths whose body is read bit by bit.
STREAMS = frozenset({"/v1/score/stream", "/v1/screen/stream"})
#: Paths that make work without a body.
WORK = frozenset({"/v2/check", "/v2/languages", "/v2/info", "/v2/configinfo"})
_BUFFERED = 8  # messages of a stream that are read ahead, so that a client that goes away is noticed


class Guard:
    """An application with keys and limits before it.

    Without keys everybody is let in. Names by which the service may be called keep a web page from reaching it under a
    name of its own; without any, each name will do.
    """

    def __init__(
        self, app: ASGIApp, settings: Settings, *, paths: frozenset[str], metrics: Metrics, places: ConcurrencyLimit
    ) -> None:
        self.limits = settings.limits
        self._app, self._paths, self._metrics, self._places = app, paths, metrics, places
        self._keys = [_digest(key) for key in settings.keys]
        self._hosts, self._origins = frozenset(map(str.lower, settings.hosts)), frozenset(settings.origins)

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer a request, or pass on what is none."""
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
            problem = ProblemError(503, f"not done within {self.limits.seconds:g} s: send less at a time", retry=5)
        except (_GoneError, ClientDisconnect):
            status = 499  # as other servers write of clients that went away
        except asyncio.CancelledError:  # the time in which the service has to end is over
            problem = ProblemError(503, "the service is being stopped: try again", retry=5)
        except Exception as e:
            # The message of an error may have a part of a text in it: only its type and its places are logged.
            log.error("%s in %s\n%s", type(e).__name__, path, "".join(traceback.format_tb(e.__traceback__)))
            problem = ProblemError(500, "an error of the service; its log says where")
        if problem is not None and not status:
            await problem.response()(scope, receive, watched)
        seconds = time.perf_counter() - began
        self._metrics.requests.labels(path, status).inc()
        self._metrics.seconds.labels(path).observe(seconds)
        log.info("%s %s %d %.1f ms", scope["method"], path, status, 1000 * seconds)

    async def _answer(self, scope: Scope, receive: Receive, send: Send) -> None:
        headers = Headers(scope=scope)
        self._check_host(headers)
        path = scope["path"]
        if path in OPEN or scope["method"] == "OPTIONS":
            await self._app(scope, receive, send)
            return
        self._check_key(headers)
        self._check_origin(headers)
        if scope["method"] != "POST" and path not in WORK:
            await self._app(scope, receive, send)
        elif path in STREAMS:  # which take a place whenever there is work
            await self._run(scope, None, receive, send)
        else:
            async with asyncio.timeout(self.limits.seconds):
                body = await self._body(headers, receive)  # while it comes, it takes no place from others
                async with self._places.slot():
                    await self._run(scope, body, receive, send)

    def _check_host(self, headers: Headers) -> None:
        if self._hosts:
            host = headers.get("host", "").lower()
            name = host[: host.find("]") + 1] if host.startswith("[") else host.partition(":")[0]
            if name not in self._hosts:
                raise ProblemError(421, "the service goes by another name: start it with --allow-host NAME")

    def _check_origin(self, headers: Headers) -> None:
        """Check that no web page of somebody else's makes a browser send a request: browsers say where one is from.

        Extensions of browsers have origins of other schemes, which no web page can have.
        """
        origin = headers.get("origin")
        if origin is None:
            is_foreign = headers.get("sec-fetch-site") == "cross-site"
        else:
            scheme, _, place = origin.partition("://")
            is_own = origin in self._origins or place == headers.get("host", "").lower()
            is_foreign = scheme in ("http", "https", "null") and not is_own
        if is_foreign:
            raise ProblemError(403, "a web page from elsewhere asks: start the service with --allow-origin ORIGIN")

    def _check_key(self, headers: Headers) -> None:
        if not self._keys:
            return
        scheme, _, token = headers.get("authorization", "").partition(" ")
        key = token.strip() if scheme.lower() == "bearer" else headers.get("x-api-key", "")
        digest = _digest(key)
        # All keys are compared, each in constant time: how long it takes tells nothing.
        if not sum(hmac.compare_digest(digest, known) for known in self._keys):
            detail = "a key is needed: send the header Authorization: Bearer KEY, or X-API-Key: KEY"
            raise ProblemError(401, detail)

    async def _body(self, headers: Headers, receive: Receive) -> bytes:
        limit = self.limits.body
        too_large = ProblemError(413, f"the body has more than {limit} bytes: send less at a time", limit=limit)
        if headers.get("content-length", "").isdecimal() and int(headers["content-length"]) > limit:
            raise too_large
        body = bytearray()
        while True:
            message = await receive()
            if message["type"] == "http.disconnect":
                raise _GoneError
            body += message.get("body", b"")
            if len(body) > limit:
                raise too_large
            if not message.get("more_body"):
                return bytes(body)

    async def _run(self, scope: Scope, body: bytes | None, receive: Receive, send: Send) -> None:
        """Run the application on a body, or on one that is still coming; what nobody waits for is cancelled."""
        messages: asyncio.Queue[Message] = asyncio.Queue(_BUFFERED)
        if body is not None:
            messages.put_nowait({"type": "http.request", "body": body, "more_body": False})
        is_answered = asyncio.Event()

        async def watch() -> None:
            while (message := await receive())["type"] != "http.disconnect":
                if body is None:
                    await messages.put(message)

        async def sent(message: Message) -> None:
            await send(message)
            if message["type"] == "http.response.body" and not message.get("more_body"):
                is_answered.set()

        work = asyncio.ensure_future(self._app(scope, messages.get, sent))
        watcher = asyncio.create_task(watch())
        try:
            await asyncio.wait({work, watcher}, return_when=asyncio.FIRST_COMPLETED)
            if not work.done() and not is_answered.is_set():
                raise _GoneError
            await work
        finally:
            for task in (work, watcher):
                task.cancel()
            await asyncio.gather(work, watcher, return_exceptions=True)


class _GoneError(Exception):
    """The client went away."""


def _digest(key: str) -> bytes:
    return hashlib.sha256(key.encode()).digest()
