"""Clients of ``usim serve``, for programs with an event loop and without; they need ``httpx`` and ``httpx-retries``.

Requests are sent again where that may help, pairs and records go in batches, several at a time. Nothing is sent to any
other address than that of the service.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Coroutine, Iterable, Mapping, Sequence
from functools import wraps
from typing import Any, Concatenate, ParamSpec, Self, TypeVar

from usim.errors import InputError, UsimError
from usim.text import check_pair

_TOO_LARGE = 413
_FIRST_PAUSE = 0.25  # seconds
_BATCH = 32  # pairs or records of a request

Value = dict[str, Any]
P = ParamSpec("P")
T = TypeVar("T")


class ServiceError(UsimError):
    """A service that cannot be reached, or refuses a request.

    Attributes:
        status: the status of HTTP; 0 where there was no answer.
    """

    status = 0


class AsyncClient:
    """A client of ``usim serve`` for programs with an event loop.

    As an asynchronous context manager it keeps its connections. Pairs and records go in batches of 32; one that is too
    much work is cut in two.

    Args:
        url: the address of the service.
        key: one of its keys, where it asks for one.
        seconds: how long the service may be silent.
        patience: how many seconds of pauses a request may take that the service cannot answer yet. It is sent again
            after ``Retry-After``, or after longer and longer pauses.
        concurrency: how many batches of a call are under way at a time.

    Raises:
        InputError: the address is none, or httpx or httpx-retries is not installed.
    """

    def __init__(
        self,
        url: str = "http://127.0.0.1:8080",
        *,
        key: str | None = None,
        seconds: float = 60.0,
        patience: float = 300.0,
        concurrency: int = 8,
    ) -> None:
        try:
            import httpx
            from httpx_retries import Retry, RetryTransport
        except ImportError as e:
            raise InputError("a client needs more packages: pip install httpx httpx-retries") from e
        scheme, _, place = url.rpartition("://")
        if scheme not in ("http", "https"):
            raise InputError(f"{url!r} is no address of a service: write http://{place}")
        self._httpx = httpx
        self.url, self.concurrency = url.rstrip("/"), concurrency
        self._headers = {} if key is None else {"Authorization": f"Bearer {key}"}
        retry = Retry(
            10_000 if patience else 0,
            allowed_methods=["POST"],
            retry_on_exceptions=[httpx.ConnectTimeout, httpx.ReadError, httpx.RemoteProtocolError, httpx.WriteError],
            backoff_factor=_FIRST_PAUSE,
            total_timeout=patience or None,
        )
        timeout = httpx.Timeout(seconds, pool=None)
        self._open: Callable[[], Any] = lambda: httpx.AsyncClient(
            transport=RetryTransport(retry=retry), timeout=timeout, trust_env=False
        )
        self._http: Any = None
        self._users = 0  # blocks and calls that need the connections

    async def __aenter__(self) -> Self:
        if not self._users:
            self._http = self._open()
        self._users += 1
        return self

    async def __aexit__(self, *_: object) -> None:
        self._users -= 1
        if not self._users:
            await self._http.aclose()

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
        body = {"before": before, "after": after, "policy": policy, "markdown": markdown}
        return await self.post("/v1/compare", body)

    async def post(self, path: str, body: Value) -> Value:
        """Return the JSON answer of any path of the service to a JSON body."""
        async with self:
            try:
                response = await self._http.post(self.url + path, json=body, headers=self._headers)
            except (self._httpx.RequestError, self._httpx.InvalidURL) as e:
                message = f"the service cannot be reached ({str(e) or type(e).__name__}): see whether it runs there"
                raise ServiceError(message, path=self.url) from e
        if response.is_success:
            return dict(response.json())
        try:
            detail = response.json()["detail"]
        except (ValueError, TypeError, KeyError):
            detail = response.reason_phrase
        error = ServiceError(f"{response.status_code}: {detail}", path=self.url)
        error.status = response.status_code
        raise error

    async def _in_batches(self, path: str, name: str, items: Sequence[Any], **settings: Any) -> list[Value]:
        places = asyncio.Semaphore(self.concurrency)

        async def results(part: Sequence[Any]) -> list[Value]:
            try:
                async with places:
                    answer = await self.post(path, {name: part, **settings})
            except ServiceError as e:
                if e.status != _TOO_LARGE or len(part) < 2:
                    raise
                half = len(part) // 2
                return [*await results(part[:half]), *await results(part[half:])]
            return list(answer["results"])

        async with self:
            starts = range(0, len(items), _BATCH)
            parts = await asyncio.gather(*(results(items[start : start + _BATCH]) for start in starts))
        found = [result for part in parts for result in part]
        # The service counts the lines of a request from 1.
        return [{**result, "line": n} if "line" in result else result for n, result in enumerate(found, 1)]


def _blocking(
    method: Callable[Concatenate[AsyncClient, P], Coroutine[Any, Any, T]],
) -> Callable[Concatenate[Client, P], T]:
    """Return a method of :class:`Client` that does what one of :class:`AsyncClient` does."""

    @wraps(method)
    def call(self: Client, /, *arguments: P.args, **settings: P.kwargs) -> T:
        return self.run(method(self.client, *arguments, **settings))

    return call


class Client:
    """A client of ``usim serve`` for programs without an event loop, and for notebooks.

    It takes the arguments of :class:`AsyncClient`, and its methods do the same. As a context manager it keeps its
    connections. Threads may share it.
    """

    def __init__(self, url: str = "http://127.0.0.1:8080", **settings: Any) -> None:
        self.client = AsyncClient(url, **settings)
        from anyio.from_thread import BlockingPortalProvider

        self._portal = BlockingPortalProvider()

    def __enter__(self) -> Self:
        self._portal.__enter__().call(self.client.__aenter__)
        return self

    def __exit__(self, *error: Any) -> None:
        self.run(self.client.__aexit__())
        self._portal.__exit__(*error)

    def run(self, call: Coroutine[Any, Any, T]) -> T:
        """Run a call of ``client`` in an event loop of another thread, and return its result."""

        async def result() -> T:
            return await call

        with self._portal as portal:
            return portal.call(result)

    score = _blocking(AsyncClient.score)
    screen = _blocking(AsyncClient.screen)
    best = _blocking(AsyncClient.best)
    compare = _blocking(AsyncClient.compare)
    post = _blocking(AsyncClient.post)


def _listed(values: Iterable[Any], usage: str) -> list[Any]:
    """Return several values as a list; a text or a record alone is refused, whose letters or names it would take."""
    if isinstance(values, str | Mapping):
        raise InputError(f"several are wanted, in a list: {usage}", text=str(values))
    return list(values)
