"""A client for servers that the user names: answers within a time and a size, and no redirect is followed."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING

import httpx

if TYPE_CHECKING:
    from httpx_retries import Retry

#: The most bytes that an answer may have.
LARGEST_ANSWER = 20_000_000


def bounded_client(seconds: float, *, retry: Retry | None = None) -> httpx.AsyncClient:
    """Return an asynchronous client of HTTP that takes an answer whole and within bounds, or not at all.

    A client of httpx waits its time limit for each piece of an answer, so a server that sends a byte now and then is
    waited for without end; and it unpacks an answer whatever that takes. This one has a limit for a whole answer, and
    takes none that is packed. Neither a proxy nor a netrc file of the environment, and no redirect, leads it anywhere
    else.

    Its requests raise ``ReadTimeout`` where the time is up, and ``DecodingError`` where an answer is packed or has more
    than :data:`LARGEST_ANSWER` bytes.

    Args:
        seconds: how long an answer may take, from the connection to its last byte.
        retry: when a request is sent again; never without one. Each try has its own seconds.
    """
    transport: httpx.AsyncBaseTransport = _BoundedTransport(seconds)
    if retry is not None:
        from httpx_retries import RetryTransport

        transport = RetryTransport(transport, retry)
    headers = {"Accept-Encoding": "identity"}
    return httpx.AsyncClient(headers=headers, timeout=seconds, transport=transport, trust_env=False)


class _BoundedTransport(httpx.AsyncHTTPTransport):
    def __init__(self, seconds: float) -> None:
        super().__init__(limits=httpx.Limits(max_connections=None), trust_env=False)
        self._seconds = seconds

    async def handle_async_request(self, request: httpx.Request) -> httpx.Response:
        try:
            async with asyncio.timeout(self._seconds):
                response = await super().handle_async_request(request)
                try:
                    body = await _read(response)
                finally:
                    await response.aclose()
        except TimeoutError as e:
            raise httpx.ReadTimeout(f"no answer within {self._seconds:g} s", request=request) from e
        except ValueError as e:
            raise httpx.DecodingError(str(e), request=request) from e
        return httpx.Response(response.status_code, headers=response.headers, content=body, request=request)


async def _read(response: httpx.Response) -> bytes:
    """Read the body of an answer; raise a ValueError where it is packed, or too large."""
    if response.headers.get("content-encoding", "identity").lower() != "identity":
        raise ValueError("the answer is packed, though an unpacked one was asked for")
    body = bytearray()
    async for piece in response.aiter_raw():
        body += piece
        if len(body) > LARGEST_ANSWER:
            raise ValueError(f"the answer has more than {LARGEST_ANSWER} bytes")
    return bytes(body)
