"""Clients of ``usim serve``, for programs with an event loop and without; they need the package ``httpx``.

Requests are sent again where that may help, pairs and records go in batches, several at a time. Nothing is sent to any
other address than that of the service.
"""

from __future__ import annotations

import asyncio
import random
import time
from collections.abc import AsyncIterator, Iterable, Mapping, Sequence
from contextlib import ExitStack, asynccontextmanager
from functools import partial
from itertools import count
from typing import Any, Self

from usim.errors import InputError, UsimError
from usim.http import bounded_client
from usim.text import check_pair

#: What a service answers when it has too much to do, is being stopped, or stands behind a proxy that cannot reach it.
_TRANSIENT = frozenset({408, 429, 502, 503, 504})
_TOO_LARGE = 413
_FIRST_PAUSE, _LONGEST_PAUSE = 0.125, 10.0  # seconds
_ATTEMPTS = 5  # to reach a service

Value = dict[str, Any]


class ServiceError(UsimError):
    """A service that cannot be reached, or refuses a request.

    Attributes:
        status: the status of HTTP; 0 where there was no answer.
    """

    status = 0


class AsyncClient:
    """A client of ``usim serve`` for programs with an event loop.

    As an asynchronous context manager it keeps its connections, and ``concurrency`` holds for all of its calls
    together; otherwise for each call.

    Args:
        url: the address of the service.
        key: one of its keys, where it asks for one.
        seconds: how long an answer may take.
        patience: how many seconds long a request is sent again, after longer and longer pauses, and never before
            ``Retry-After``. A service that cannot be reached is tried five times.
        concurrency: how many requests are under way at a time.
        batch: how many pairs or records a request has; one that is too much work is cut in two.

    Raises:
        InputError: httpx is not installed.
    """

    def __init__(
        self,
        url: str = "http://127.0.0.1:8080",
        *,
        key: str | None = None,
        seconds: float = 60.0,
        patience: float = 300.0,
        concurrency: int = 8,
        batch: int = 32,
    ) -> None:
        try:
            import httpx
        except ImportError as e:
            raise InputError("a client needs one more package: pip install httpx") from e
        self._httpx = httpx
        self.url, self.seconds, self.patience = url.rstrip("/"), seconds, patience
        self.concurrency, self.batch = concurrency, batch
        self._headers = {} if key is None else {"Authorization": f"Bearer {key}"}
        self._open: tuple[Any, asyncio.Semaphore] | None = None

    async def __aenter__(self) -> Self:
        self._open = bounded_client(self._httpx, self.seconds), asyncio.Semaphore(self.concurrency)
        return self

    async def __aexit__(self, *_: object) -> None:
        if self._open is not None:
            await self._open[0].aclose()
        self._open = None

    async def score(self, pairs: Iterable[Sequence[str]], *, policy: str = "same") -> list[Value]:
        """Score pairs of a source and an output; return results as ``usim score --format jsonl`` prints them.

        Raises:
            InputError: something is no pair of sentences.
            ServiceError: the service cannot be reached, or refuses a request. All methods raise it.
        """
        items = []
        for pair in _listed(pairs, "client.score([(source, output), …])"):
            check_pair(pair)
            items.append({"source": pair[0], "output": pair[1]})
        return await self._in_batches("/v1/score", "pairs", items, policy=policy)

    async def screen(self, records: Iterable[Mapping[str, Any]], *, rank: bool = False) -> list[Value]:
        """Screen records of suggestions; return results as ``usim screen`` prints them."""
        return await self._in_batches("/v1/screen", "records", _listed(records, "client.screen([{…}, …])"), rank=rank)

    async def best(self, source: str, candidates: Iterable[str], *, policy: str = "same") -> Value:
        """Return the most faithful of several rewrites, see :meth:`usim.scorer.Scorer.best`."""
        texts = _listed(candidates, "client.best(source, [candidate, …])")
        return await self.post("/v1/best", {"source": source, "candidates": texts, "policy": policy})

    async def compare(self, before: str, after: str, *, policy: str = "same", markdown: bool = False) -> Value:
        """Compare two versions of a text; return what ``usim compare --format json`` prints."""
        return await self.post(
            "/v1/compare", {"before": before, "after": after, "policy": policy, "markdown": markdown}
        )

    async def post(self, path: str, body: Value) -> Value:
        """Return the JSON answer of any path of the service to a JSON body."""
        async with self._connected() as (http, places):
            return await self._answer(http, places, path, body)

    async def _in_batches(self, path: str, name: str, items: Sequence[Any], **settings: Any) -> list[Value]:
        async with self._connected() as (http, places):

            async def results(part: Sequence[Any]) -> list[Value]:
                try:
                    answer = await self._answer(http, places, path, {name: part, **settings})
                except ServiceError as e:
                    if e.status != _TOO_LARGE or len(part) < 2:
                        raise
                    half = len(part) // 2
                    return [*await results(part[:half]), *await results(part[half:])]
                return list(answer["results"])

            starts = range(0, len(items), self.batch)
            parts = await asyncio.gather(*(results(items[start : start + self.batch]) for start in starts))
        found = [result for part in parts for result in part]
        # The service counts the lines of a request from 1.
        return [{**result, "line": n} if "line" in result else result for n, result in enumerate(found, 1)]

    @asynccontextmanager
    async def _connected(self) -> AsyncIterator[tuple[Any, asyncio.Semaphore]]:
        if self._open is not None:
            yield self._open
            return
        async with bounded_client(self._httpx, self.seconds) as http:
            yield http, asyncio.Semaphore(self.concurrency)

    async def _answer(self, http: Any, places: asyncio.Semaphore, path: str, body: Value) -> Value:
        until = time.monotonic() + self.patience
        for tried in count(1):
            after, status = 0.0, 0
            async with places:
                try:
                    response = await http.post(self.url + path, json=body, headers=self._headers)
                except (self._httpx.UnsupportedProtocol, self._httpx.InvalidURL) as e:
                    raise ServiceError(f"no address of a service: {e}; http://127.0.0.1:8080", path=self.url) from e
                except self._httpx.TransportError as e:
                    message = f"the service cannot be reached ({e or type(e).__name__}): see whether it runs there"
                except self._httpx.DecodingError as e:
                    raise ServiceError(f"the answer cannot be taken: {e}", path=self.url) from e
                else:
                    if response.is_success:
                        return dict(response.json())
                    status, message = response.status_code, _detail(response)
                    if (header := response.headers.get("retry-after", "")).isdecimal():
                        after = float(header)
            pause = max(after, min(_FIRST_PAUSE * 2**tried, _LONGEST_PAUSE))
            may_help = status in _TRANSIENT if status else tried < _ATTEMPTS
            if not may_help or time.monotonic() + pause > until:
                break
            await asyncio.sleep(pause * random.uniform(1, 1.5))  # so that those refused together come back apart
        error = ServiceError(f"{status}: {message}" if status else message, path=self.url)
        error.status = status
        raise error


class Client:
    """A client of ``usim serve`` for programs without an event loop, and for notebooks.

    It takes the arguments of :class:`AsyncClient`, and its methods do the same. As a context manager it keeps its
    connections. Threads may share it.
    """

    def __init__(self, url: str = "http://127.0.0.1:8080", **settings: Any) -> None:
        self._client = AsyncClient(url, **settings)
        self._stack = ExitStack()
        self._portal: Any = None

    def __enter__(self) -> Self:
        from anyio.from_thread import start_blocking_portal

        self._portal = self._stack.enter_context(start_blocking_portal())
        self._stack.enter_context(self._portal.wrap_async_context_manager(self._client))
        return self

    def __exit__(self, *_: object) -> None:
        self._portal = None
        self._stack.close()

    def _run(self, method: str, *arguments: Any, **settings: Any) -> Any:
        from anyio.from_thread import start_blocking_portal

        call = partial(getattr(self._client, method), *arguments, **settings)
        if self._portal is not None:
            return self._portal.call(call)
        with start_blocking_portal() as portal:
            return portal.call(call)

    def score(self, pairs: Iterable[Sequence[str]], *, policy: str = "same") -> list[Value]:
        """Score pairs, see :meth:`AsyncClient.score`."""
        return list(self._run("score", pairs, policy=policy))

    def screen(self, records: Iterable[Mapping[str, Any]], *, rank: bool = False) -> list[Value]:
        """Screen records of suggestions, see :meth:`AsyncClient.screen`."""
        return list(self._run("screen", records, rank=rank))

    def best(self, source: str, candidates: Iterable[str], *, policy: str = "same") -> Value:
        """Return the most faithful of several rewrites, see :meth:`AsyncClient.best`."""
        return dict(self._run("best", source, candidates, policy=policy))

    def compare(self, before: str, after: str, *, policy: str = "same", markdown: bool = False) -> Value:
        """Compare two versions of a text, see :meth:`AsyncClient.compare`."""
        return dict(self._run("compare", before, after, policy=policy, markdown=markdown))

    def post(self, path: str, body: Value) -> Value:
        """Return the JSON answer of any path of the service, see :meth:`AsyncClient.post`."""
        return dict(self._run("post", path, body))


def _listed(values: Iterable[Any], usage: str) -> list[Any]:
    """Return several values as a list; a text or a record alone is refused, whose letters or names it would take."""
    if isinstance(values, str | Mapping):
        raise InputError(f"several are wanted, in a list: {usage}", text=str(values))
    return list(values)


def _detail(response: Any) -> str:
    """Return what a service says about a request that it refuses."""
    try:
        return str(response.json()["detail"])
    except (ValueError, TypeError, KeyError):
        return str(response.reason_phrase)
