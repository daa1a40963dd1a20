"""A LanguageTool server that answers too slowly, too much, or something odd; see also ``tests/serve``."""

from __future__ import annotations

import asyncio
import json
import time
from collections.abc import Callable, Iterable
from typing import Any

import pytest

from tests.command import usim_here
from tests.llm.server import ENDLESS, HEAD, SLOW, packed, serving
from tests.serve.languagetool_stub import answer
from usim.checkers import Checked, CheckerError, CheckRequest
from usim.checkers._languagetool import LanguageToolChecker
from usim.errors import InputError

FORM = {"text": "This is a tset of it.", "language": "en-US"}


def check(answer: Callable[[Any], Iterable[bytes]], seconds: float = 20) -> Checked:
    """Return what the checker answers where a server sends these bytes."""
    with serving(lambda _: "") as server:
        server.raw = answer
        checker = LanguageToolChecker(server.url.removesuffix("/v1"), seconds=seconds)
        return asyncio.run(checker.check(CheckRequest.of(FORM["text"], language="en-US")))


def sends(value: object) -> Callable[[Any], Iterable[bytes]]:
    return lambda _: [HEAD + b"\r\n" + json.dumps(value).encode()]


def replies(status: int, body: bytes = b"", head: bytes = b"") -> Callable[[Any], Iterable[bytes]]:
    return lambda _: [b"HTTP/1.0 %d \r\n%s\r\n%s" % (status, head, body)]


@pytest.mark.parametrize(
    ("pieces", "status", "retry", "said"),
    [
        pytest.param(SLOW, 504, 5, "within 0.5 s", id="slow"),
        pytest.param(ENDLESS, 502, None, "more than 20000000 bytes", id="endless"),
        pytest.param(packed, 502, None, "packed", id="packed"),
        pytest.param(replies(200, b"{", b"Content-Length: 900\r\n"), 502, 5, "cannot be reached", id="cut off"),
        pytest.param(replies(200, b"<html>Welcome</html>"), 502, None, "not JSON", id="a page"),
        pytest.param(replies(200, b"[" * 100_000), 502, None, "not JSON", id="deep"),
        pytest.param(replies(200, b'{"language": {}}'), 502, None, "matches", id="no matches"),
        pytest.param(replies(200, b'{"language": {}, "matches": [{"offset": -1}]}'), 502, None, "matches", id="bad"),
        pytest.param(replies(500, b"Internal Error"), 502, None, "status 500", id="error"),
        pytest.param(replies(302, b"", b"Location: http://elsewhere.invalid/\r\n"), 502, None, "302", id="redirect"),
        pytest.param(replies(503, b"Server overloaded"), 503, 5, "too much to do", id="busy"),
        pytest.param(replies(429, b"", b"Retry-After: 7\r\n"), 503, 7, "too much to do", id="limited"),
    ],
)
def test_what_a_server_does_wrong(pieces: Any, status: int, retry: int | None, said: str) -> None:
    began = time.monotonic()
    with pytest.raises(CheckerError, match=said) as e:
        check(pieces, 0.5 if pieces is SLOW else 20)
    assert (e.value.status, e.value.retry) == (status, retry)
    assert "tset" not in str(e.value)
    assert time.monotonic() - began < 15


def test_a_server_that_refuses_a_request() -> None:
    with pytest.raises(InputError, match="refuses the request: Error: 'xx' is not a language code"):
        check(replies(400, b"Error: 'xx' is not a language code known to LanguageTool."))


@pytest.mark.parametrize(
    ("changes", "said"),
    [
        ({"offset": "10"}, "offset"), ({"length": 4.0}, "length"), ({"offset": True}, "offset"),
        ({"offset": None}, "offset"), ({"replacements": [{"value": 3}]}, "value"),
        ({"message": "half \ud83d"}, "not JSON"), ({"replacements": [{"value": "\udc00"}]}, "not JSON"),
        ({"sentence": "\ud800"}, "not JSON"), ({"score": float("nan")}, "not JSON"),
        ({"rule": {"id": "A", "category": "TYPOS"}}, "rule.category"), ({"rule": {"id": "A", "category": []}}, "category"),
        ({"rule": {"id": "A", "category": {"id": 7}}}, "category.id"), ({"rule": "A"}, "rule"),
    ],
)  # fmt: skip
def test_a_match_that_is_none_is_refused(changes: dict[str, Any], said: str) -> None:
    value = answer(FORM)
    value["matches"][0] |= changes
    with pytest.raises(CheckerError, match=said) as e:
        check(sends(value))
    assert e.value.status == 502


def test_no_match_vanishes_silently(monkeypatch: pytest.MonkeyPatch, tmp_path: Any) -> None:
    value = answer(FORM)
    beyond = {**value["matches"][0], "offset": 999}
    value["matches"].append(beyond)
    path = tmp_path / "a.txt"
    path.write_text(FORM["text"])
    with serving(lambda _: "") as server:
        server.raw = sends(value)
        done = usim_here("check", path, "--languagetool", server.url.removesuffix("/v1"), "--judge", "usim")
    assert "[-tset-]" in done.stdout
    assert "left out, as they fit no place in the text: 1 finding" in done.stderr
    checked = check(sends(value))
    assert ([finding.start for finding in checked.findings], checked.misfits) == ([10], 1)
