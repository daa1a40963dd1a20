"""A client for servers that the user names: answers within a time and a size, and no redirect is followed."""

from __future__ import annotations

import asyncio
from typing import Any

#: The most bytes that an answer may have.
LARGEST_ANSWER = 20_000_000


def bounded_client(package: Any, seconds: float, *, retry: Any = None) -> Any:
    """Return an asynchronous client of HTTP that takes an answer whole and within bounds, or not at all.

    A client of httpx waits its time limit for each piece of an answer, so a server that sends a byte now and then is
    waited for without end; and it unpacks an answer whatever that takes. This one has a limit for a whole answer, and
    takes none that is packed. Neither a proxy nor a netrc file of the environment, and no redirect, leads it anywhere
    else.

    Its requests raise ``ReadTimeout`` where the time is up, and ``DecodingError`` where an answer is packed or has more
    than :data:`LARGEST_ANSWER` bytes.

    Args:
        package: ``httpx``, or a package with the same classes.
        seconds: how long an answer may take, from the connection to its last byte.
        retry: when a request is sent again, a ``httpx_retries.Retry``; never without one. Each try has its own seconds.
    """

    class BoundedTransport(package.AsyncHTTPTransport):  # type: ignore[misc]
        async def handle_async_request(self, request: Any) -> Any:
            try:
                async with asyncio.timeout(seconds):
                    response = await super().handle_async_request(request)
                    try:
                        body = await _read(response)
                    finally:
                        await response.aclose()
            except TimeoutError as e:
                raise package.ReadTimeout(f"no answer within {seconds:g} s", request=request) from e
            except ValueError as e:
                raise package.DecodingError(str(e), request=request) from e
            return package.Response(response.status_code, headers=response.headers, content=body, request=request)

    transport: Any = BoundedTransport(limits=package.Limits(max_connections=None), trust_env=False)
    if retry is not None:
        from httpx_retries import RetryTransport

        transport = RetryTransport(transport, retry)
    headers = {"Accept-Encoding": "identity"}
    return package.AsyncClient(headers=headers, timeout=seconds, transport=transport, trust_env=False)


async def _read(response: Any) -> bytes:
    """Read the body of an answer; raise a ValueError where it is packed, or too large."""
    if response.headers.get("content-encoding", "identity").lower() != "identity":
        raise ValueError("the answer is packed, though an unpacked one was asked for")
    body = bytearray()
    async for piece in response.aiter_raw():
        body += piece
        if len(body) > LARGEST_ANSWER:
            raise ValueError(f"the answer has more than {LARGEST_ANSWER} bytes")
    return bytes(body)
