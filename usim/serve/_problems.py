"""Errors as JSON problem details (RFC 9457), each with what to do."""

from __future__ import annotations

from collections.abc import Mapping
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
        problem = {
            "type": "about:blank",
            "title": HTTPStatus(self.status).phrase,
            "status": self.status,
            "detail": self.detail,
            **self.extra,
        }
        headers = {} if self.retry is None else {"Retry-After": str(self.retry)}
        if self.status == HTTPStatus.UNAUTHORIZED:
            headers["WWW-Authenticate"] = "Bearer"
        return Response(encode(problem), self.status, headers, media_type="application/problem+json")


def check_limit(figure: int, limit: int, detail: str, status: int = 422, **extra: Any) -> None:
    """Raise a :class:`ProblemError` if a figure is above a limit; ``detail`` has places for both."""
    if figure > limit:
        raise ProblemError(status, detail.format(figure, limit), **extra, limit=limit)


def place_of(message: str, text: str, place: int) -> str:
    """Return where a text is wrong, from the message of a JSON parser and its character offset."""
    line = text.count("\n", 0, place) + 1
    return f"line {line}, column {place - text.rfind(chr(10), 0, place)}: {message[:1].lower()}{message[1:]}"


def json_response(value: Mapping[str, Any]) -> Response:
    """Return an answer as a response."""
    return Response(encode(value), media_type="application/json")
