"""What a LanguageTool server may answer that is not what its protocol says."""

from __future__ import annotations

import asyncio
import gzip
import json
from typing import Any

import httpx
import pytest

from usim.checkers import CheckerError, read_request
from usim.checkers.languagetool import LanguageToolChecker

MATCH: dict[str, Any] = {"message": "m", "offset": 0, "length": 1, "replacements": [], "rule": {"id": "R"}}


def answered(content: bytes, **headers: str) -> dict[str, Any]:
    """Return what the checker makes of an answer."""
    asked: list[httpx.Request] = []

    def handler(request: httpx.Request) -> httpx.Response:
        asked.append(request)
        return httpx.Response(200, stream=httpx.ByteStream(content), headers=headers)

    checker = LanguageToolChecker("http://localhost:1")

    async def check() -> dict[str, Any]:
        checker._client = httpx.AsyncClient(transport=httpx.MockTransport(handler))
        try:
            return await checker.check(read_request({"text": "a"}))
        finally:
            await checker.close()

    return asyncio.run(check())


def with_match(**changes: object) -> bytes:
    return json.dumps({"language": {"code": "en-US"}, "matches": [{**MATCH, **changes}]}).encode()


@pytest.mark.parametrize(
    "content",
    [
        with_match(offset="0"),
        with_match(length=1.5),
        with_match(replacements=[{"value": 1}]),
        with_match(rule={"id": "R", "category": "TYPOS"}),
        with_match(rule={"id": "R", "category": {"id": 3}}),
        with_match(replacements=[{"value": "\ud800"}]),
        with_match(confidence=float("nan")),
    ],
)
def test_odd_values_are_an_error_that_names_the_server(content: bytes) -> None:
    with pytest.raises(CheckerError, match="LanguageTool's answer is not"):
        answered(content)


def test_an_answer_is_taken_as_it_comes_and_never_unpacked() -> None:
    assert answered(with_match())["matches"] == [MATCH]
    with pytest.raises(CheckerError, match="packed"):
        answered(gzip.compress(with_match()), **{"content-encoding": "gzip"})


def test_usims_own_member_is_not_taken_from_a_server() -> None:
    content = json.dumps({"language": {}, "matches": [], "warnings": {"notChecked": [["x"]]}}).encode()
    assert answered(content)["warnings"] == {}
