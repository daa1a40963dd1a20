"""What stands before the paths: keys, limits, time, and a log that holds no texts."""

from __future__ import annotations

import asyncio
import hashlib
import hmac
import logging
import time
import traceback
from collections import OrderedDict
from collections.abc import Sequence
from http import HTTPStatus

from starlette.datastructures import Headers
from starlette.requests import ClientDisconnect
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from usim.serve.metrics import Metrics
from usim.serve.page import PATHS
from usim.serve.problems import ProblemError
from usim.serve.settings import Limits

log = logging.getLogger("usim.serve")

#: Paths that need no key and have no limits: they cost nothing and tell nothing.
OPEN = frozenset({"/health", "/ready"}) | PATHS
#: Paths whose body is read bit by bit.
STREAMS = frozenset({"/v1/score/stream", "/v1/screen/stream"})
#: Paths that make work without a body.
WORK = frozenset({"/v2/check", "/v2/languages"})
_CLIENTS = 10_000  # whose requests are counted


class Guard:
    """An application with keys and limits before it.

    Args:
        app: the application.
        limits: what is accepted.
        keys: the API keys; none lets everybody in.
        hosts: names by which the service may be called, so that no web page can reach it under a name of its own; none
            allows any.
        paths: the paths of the application, for the figures.
        metrics: where requests are counted.
    """

    def __init__(
        self,
        app: ASGIApp,
        *,
        limits: Limits,
        keys: Sequence[str],
        hosts: Sequence[str],
        paths: frozenset[str],
        metrics: Metrics,
    ) -> None:
        self._app, self.limits, self._paths, self._metrics = app, limits, paths, metrics
        self._keys = [_digest(key) for key in keys]
        self._hosts = frozenset(hosts)
        self._under_way = 0
        self._budgets: OrderedDict[str, tuple[float, float]] = OrderedDict()

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
        try:
            await self._answer(scope, receive, watched)
        except ProblemError as problem:
            if not status:
                await problem.response()(scope, receive, watched)
        except TimeoutError:
            if not status:
                seconds = self.limits.seconds
                late = ProblemError(503, f"not done within {seconds:g} s: send less at a time", retry=5)
                await late.response()(scope, receive, watched)
        except (_GoneError, ClientDisconnect):
            status = 499  # as other servers write of clients that went away
        except Exception as e:
            # The message of an error may have a part of a text in it: only its type and its places are logged.
            log.error("%s in %s\n%s", type(e).__name__, path, "".join(traceback.format_tb(e.__traceback__)))
            if not status:
                failed = ProblemError(500, "an error of the service; its log says where")
                await failed.response()(scope, receive, watched)
        seconds = time.perf_counter() - began
        self._metrics.requests.labels(path, status).inc()
        self._metrics.seconds.labels(path).observe(seconds)
        log.info("%s %s %d %.1f ms", scope["method"], path, status, 1000 * seconds)

    async def _answer(self, scope: Scope, receive: Receive, send: Send) -> None:
        headers = Headers(scope=scope)
        self._check_host(headers)
        if scope["path"] in OPEN or scope["method"] == "OPTIONS":
            await self._app(scope, receive, send)
            return
        client = self._client(scope, headers)
        self._check_rate(client)
        if scope["method"] != "POST" and scope["path"] not in WORK:
            await self._app(scope, receive, send)
            return
        if scope["path"] in STREAMS:
            self._take()
            try:
                await self._app(scope, receive, send)
            finally:
                self._give_back()
            return
        # The body first: a client that sends it slowly takes no place from others.
        body = await self._body(headers, receive)
        self._take()
        try:
            async with asyncio.timeout(self.limits.seconds):
                await self._run(scope, body, receive, send)
        finally:
            self._give_back()

    def _check_host(self, headers: Headers) -> None:
        if self._hosts:
            host = headers.get("host", "")
            name = host[: host.find("]") + 1] if host.startswith("[") else host.partition(":")[0]
            if name not in self._hosts:
                raise ProblemError(421, "the service goes by another name: start it with --allow-host NAME")

    def _client(self, scope: Scope, headers: Headers) -> str:
        """Return who asks, by key or by address."""
        address = scope["client"][0] if scope.get("client") else ""
        if not self._keys:
            return address
        scheme, _, token = headers.get("authorization", "").partition(" ")
        key = token.strip() if scheme.lower() == "bearer" else headers.get("x-api-key", "")
        digest = _digest(key)
        # All keys are compared, each in constant time: how long it takes tells nothing.
        if not sum(hmac.compare_digest(digest, known) for known in self._keys):
            detail = "a key is needed: send the header Authorization: Bearer KEY, or X-API-Key: KEY"
            raise ProblemError(401, detail)
        return digest.hex()

    def _check_rate(self, client: str) -> None:
        rate = self.limits.rate
        if rate is None:
            return
        now = time.monotonic()
        left, last = self._budgets.pop(client, (float(rate), now))
        left = min(float(rate), left + (now - last) * rate / 60)
        self._budgets[client] = (max(0.0, left - 1), now)
        if len(self._budgets) > _CLIENTS:
            self._budgets.popitem(last=False)
        if left < 1:
            retry = int((1 - left) * 60 / rate) + 1
            raise ProblemError(429, f"more than {rate} requests a minute: try again in {retry} s", retry=retry)

    def _take(self) -> None:
        if self._under_way >= self.limits.under_way:
            raise ProblemError(503, "too many requests under way: try again in 1 s, or start more --workers", retry=1)
        self._under_way += 1
        self._metrics.under_way.inc()

    def _give_back(self) -> None:
        self._under_way -= 1
        self._metrics.under_way.dec()

    async def _body(self, headers: Headers, receive: Receive) -> bytes:
        limit = self.limits.body
        too_large = ProblemError(413, f"the body has more than {limit} bytes: send less at a time", limit=limit)
        if headers.get("content-length", "").isdecimal() and int(headers["content-length"]) > limit:
            raise too_large
        body = bytearray()
        try:
            async with asyncio.timeout(self.limits.body_seconds):
                while True:
                    message = await receive()
                    if message["type"] == "http.disconnect":
                        raise _GoneError
                    body += message.get("body", b"")
                    if len(body) > limit:
                        raise too_large
                    if not message.get("more_body"):
                        return bytes(body)
        except TimeoutError as e:
            seconds = self.limits.body_seconds
            raise ProblemError(408, f"the body did not arrive within {seconds:g} s: send it again") from e

    async def _run(self, scope: Scope, body: bytes, receive: Receive, send: Send) -> None:
        """Run the application on a body; what nobody waits for any more is cancelled."""
        first = True
        gone = asyncio.Event()

        async def replay() -> Message:
            nonlocal first
            if first:
                first = False
                return {"type": "http.request", "body": body, "more_body": False}
            await gone.wait()
            return {"type": "http.disconnect"}

        async def watch() -> None:
            while (await receive())["type"] != "http.disconnect":
                pass

        work, watcher = asyncio.create_task(_run(self._app, scope, replay, send)), asyncio.create_task(watch())
        try:
            await asyncio.wait({work, watcher}, return_when=asyncio.FIRST_COMPLETED)
            if not work.done():
                raise _GoneError
            work.result()
        finally:
            gone.set()
            for task in (work, watcher):
                task.cancel()
            await asyncio.gather(work, watcher, return_exceptions=True)


async def _run(app: ASGIApp, scope: Scope, receive: Receive, send: Send) -> None:
    await app(scope, receive, send)


class _GoneError(Exception):
    """The client went away."""


def _digest(key: str) -> bytes:
    return hashlib.sha256(key.encode()).digest()


def http_problem(status: int) -> ProblemError:
    """Return the problem of a status that the framework chose: no such path, a wrong method, no JSON."""
    details = {
        404: "no such path: /openapi.json lists those that there are",
        405: "not with this method: /openapi.json says which one",
        400: "the body is not JSON",
    }
    return ProblemError(status, details.get(status, HTTPStatus(status).phrase))
