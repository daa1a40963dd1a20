"""Clients of ``usim serve``, for programs with an event loop and without; they need ``httpx`` and ``httpx-retries``.

Nothing is sent to any other address than that of the service.
"""

from __future__ import annotations

import asyncio
import json
from collections.abc import Callable, Coroutine, Iterable, Mapping, Sequence
from functools import wraps
from typing import Any, Concatenate, ParamSpec, Self, TypeVar

import msgspec

from usim.errors import FormatError, InputError, UsimError
from usim.servers._access import check_address, check_key, masked, together, web_packages
from usim.text import check_pair
from usim.text.codec import Share, encode, read_as

_TOO_LARGE = 413
_FIRST_PAUSE = 0.25  # seconds
_SHOWN = 1000  # characters of what a service says about a request that it refuses
_BATCH = 32  # pairs or records of a request

Value = dict[str, Any]
P = ParamSpec("P")
T = TypeVar("T")


class _Judged(msgspec.Struct):
    verdict: str
    faithfulness: Share | None


class _Results(msgspec.Struct):
    results: list[dict[str, Any]]


class _Scores(msgspec.Struct):
    results: list[_Judged]


class _Best(_Scores):
    text: str | None
    nearest: int


class _Comparison(_Judged):
    blocks: list[_Judged]
    findings: list[dict[str, Any]]


class ServiceError(UsimError):
    """A service that cannot be reached, refuses a request, or answers something else.

    ``status`` is that of HTTP, 0 where there was no answer.
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
        InputError: the address or the key is none, or httpx or httpx-retries is not installed.
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
        httpx, retries = web_packages("a client needs", of="client")
        check_address(url, f"http://{url.rpartition('://')[2] or '127.0.0.1:8080'}", InputError)
        check_key(key, "--api-key-file of usim serve", InputError)
        self._httpx = httpx
        self.url, self.concurrency = url.rstrip("/"), concurrency
        self._key = key
        self._headers = {"Content-Type": "application/json"} | ({"Authorization": f"Bearer {key}"} if key else {})
        retry = retries.Retry(
            10_000 if patience else 0,
            allowed_methods=["POST"],
            retry_on_exceptions=[httpx.ConnectTimeout, httpx.ReadError, httpx.RemoteProtocolError, httpx.WriteError],
            backoff_factor=_FIRST_PAUSE,
            total_timeout=patience or None,
        )
        timeout = httpx.Timeout(seconds, pool=None)
        self._open: Callable[[], Any] = lambda: httpx.AsyncClient(
            transport=retries.RetryTransport(retry=retry), timeout=timeout, trust_env=False
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
        return await self._in_batches("/v1/score", "pairs", items, _Scores, policy=policy)

    async def screen(self, records: Iterable[Mapping[str, Any]], *, rank: bool = False) -> list[Value]:
        """Screen records of suggestions; return results as ``usim screen`` prints them."""
        listed = _listed(records, "client.screen([{…}, …])")
        return await self._in_batches("/v1/screen", "records", listed, _Results, rank=rank)

    async def best(self, source: str, candidates: Iterable[str], *, policy: str = "same") -> Value:
        """Return the most faithful of several rewrites, see :meth:`usim.scorer.Scorer.best`."""
        texts = _listed(candidates, "client.best(source, [candidate, …])")
        answer = await self.post("/v1/best", {"source": source, "candidates": texts, "policy": policy})
        self._check(answer, _Best, len(texts))
        return answer

    async def compare(self, before: str, after: str, *, policy: str = "same", markdown: bool = False) -> Value:
        """Compare two versions of a text; return what ``usim compare --format json`` prints."""
        body = {"before": before, "after": after, "policy": policy, "markdown": markdown}
        answer = await self.post("/v1/compare", body)
        self._check(answer, _Comparison)
        return answer

    async def post(self, path: str, body: Value) -> Value:
        """Return the JSON answer of any path of the service to a JSON body; raise an InputError if it is none."""
        try:
            content = encode(body)
        except (TypeError, ValueError, AttributeError, RecursionError) as e:
            raise InputError(f"what is sent must be values of JSON ({type(e).__name__})") from e
        async with self:
            try:
                response = await self._http.post(self.url + path, content=content, headers=self._headers)
            except (self._httpx.RequestError, self._httpx.InvalidURL, OSError, ValueError) as e:
                why = masked(str(e), self._key) or type(e).__name__
                raise self._error(f"the service cannot be reached ({why}): see whether it runs there") from None
        try:
            answer = json.loads(response.content)
            # A key may be written in several ways in JSON, so it is looked for in one that is written here.
            if self._key and (shown := masked(text := encode(answer).decode(), self._key)) != text:
                answer = json.loads(shown)
        except (ValueError, RecursionError):
            answer = None
        status = response.status_code
        if response.is_success and isinstance(answer, dict):
            return answer
        if response.is_success:
            raise self._error("the answer is no JSON object: see whether usim serve runs at this address", status)
        detail = answer.get("detail") if isinstance(answer, dict) else None
        said = detail if isinstance(detail, str) else masked(response.reason_phrase, self._key)
        raise self._error(f"{status}: {said[:_SHOWN]}", status)

    def _error(self, message: str, status: int = 0) -> ServiceError:
        error = ServiceError(message, path=self.url)
        error.status = status
        return error

    def _check(self, answer: Value, kind: type[Any], count: int | None = None) -> None:
        """Raise a ServiceError if an answer has another shape, or not as many results as were asked for."""
        try:
            found = read_as(answer, kind)
        except FormatError as e:
            raise self._error(f"the answer is not one of usim serve of this version ({e.message})", 200) from e
        if count is not None and len(found.results) != count:
            raise self._error(f"the answer has {len(found.results)} results, and {count} were asked for", 200)

    async def _in_batches(
        self, path: str, name: str, items: Sequence[Any], kind: type[Any], **settings: Any
    ) -> list[Value]:
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
            self._check(answer, kind, len(part))
            return list(answer["results"])

        async with self:
            starts = range(0, len(items), _BATCH)
            parts = await together(results(items[start : start + _BATCH]) for start in starts)
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
