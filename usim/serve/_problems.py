"""Errors as JSON problem details (RFC 9457), each with what to do."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Mapping
from http import HTTPStatus
from typing import Any

from starlette.responses import Response

from usim.text.codec import encode


class ProblemError(Exception):
    """A request that cannot be answered: its HTTP status, what to do, and after how many seconds to try again."""

    def __init__(self, status: int, detail: str, *, retry: int | None = None, **extra: Any) -> None:
        super().__init__(detail)
        self.status, self.detail, self.retry, self.extra = status, detail, retry, extra

    def response(self) -> Response:
        """Return the problem as a response."""
        title = HTTPStatus(self.status).phrase
        problem = {"type": "about:blank", "title": title, "status": self.status, "detail": self.detail, **self.extra}
        headers = {} if self.retry is None else {"Retry-After": str(self.retry)}
        if self.status == HTTPStatus.UNAUTHORIZED:
            headers["WWW-Authenticate"] = "Bearer"
        return Response(encode(problem), self.status, headers, media_type="application/problem+json")


def check_limit(figure: int, limit: int, detail: str, **extra: Any) -> None:
    """Raise a :class:`ProblemError` of status 413 if a figure is above a limit; ``detail`` has places for both."""
    if figure > limit:
        raise ProblemError(413, detail.format(figure, limit), **extra, limit=limit)


async def answered(make: Callable[[], Mapping[str, Any]]) -> Response:
    """Return an answer that is made, and written, in a thread: a large one must not hold up the loop."""
    return await asyncio.to_thread(lambda: json_response(make()))


def json_response(value: Mapping[str, Any]) -> Response:
    """Return an answer as a response."""
    return Response(encode(value), media_type="application/json")
