"""A LanguageTool server that answers too slowly, too much, or something odd; see also ``tests/serve``."""

from __future__ import annotations

import json
import time
from collections.abc import Callable, Iterable, Iterator
from typing import Any

import pytest

from tests.serve.languagetool_stub import answer
from tests.servers.server import HEAD, serving
from usim.checkers import Checked, CheckerError, CheckRequest
from usim.checkers._languagetool import LanguageToolChecker
from usim.errors import InputError

FORM = {"text": "This is a tset of it.", "language": "en-US"}


def check(answer: Callable[[Any], Iterable[bytes]], seconds: float = 20, text: str = FORM["text"]) -> Checked:
    """Return what the checker answers where a server sends these bytes."""
    with serving(lambda _: "") as server:
        server.raw = answer
        checker = LanguageToolChecker(server.url.removesuffix("/v1"), seconds=seconds)
        return checker.check(CheckRequest(text, language="en-US"))


def sends(value: object) -> Callable[[Any], Iterable[bytes]]:
    return lambda _: [HEAD + b"\r\n" + json.dumps(value).encode()]


def replies(status: int, body: bytes = b"", head: bytes = b"") -> Callable[[Any], Iterable[bytes]]:
    return lambda _: [b"HTTP/1.0 %d \r\n%s\r\n%s" % (status, head, body)]


def silent(_: Any) -> Iterator[bytes]:
    yield HEAD
    time.sleep(1)


@pytest.mark.parametrize(
    ("pieces", "status", "said"),
    [
        pytest.param(silent, 504, "within 0.5 s", id="silent"),
        pytest.param(replies(200, b"{", b"Content-Length: 900\r\n"), 502, "cannot be reached", id="cut off"),
        pytest.param(replies(200, b"<html>Welcome</html>"), 502, "malformed", id="a page"),
        pytest.param(replies(200, b"[" * 100_000), 502, "array", id="deep"),
        pytest.param(replies(200, b'{"language": {}}'), 502, "matches", id="no matches"),
        pytest.param(replies(200, b'{"language": {}, "matches": [{"offset": -1}]}'), 502, "matches", id="bad"),
        pytest.param(replies(500, b"Internal Error"), 502, "status 500", id="error"),
        pytest.param(replies(302, b"", b"Location: http://elsewhere.invalid/\r\n"), 502, "302", id="redirect"),
        pytest.param(replies(503, b"Server overloaded"), 503, "too much to do", id="busy"),
    ],
)
def test_what_a_server_does_wrong(pieces: Any, status: int, said: str) -> None:
    with pytest.raises(CheckerError, match=said) as e:
        check(pieces, 0.5)
    assert e.value.status == status
    assert "tset" not in str(e.value)


def test_a_server_that_refuses_a_request() -> None:
    with pytest.raises(InputError, match="refuses the request: Error: 'xx' is not a language code"):
        check(replies(400, b"Error: 'xx' is not a language code known to LanguageTool."))


@pytest.mark.parametrize(
    ("changes", "said"),
    [
        ({"offset": "10"}, "offset"), ({"length": 4.0}, "length"), ({"offset": True}, "offset"),
        ({"offset": None}, "offset"), ({"replacements": [{"value": 3}]}, "value"),
        ({"message": "half \ud83d"}, "surrogate"), ({"replacements": [{"value": "\udc00"}]}, "surrogate"),
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


def test_places_count_utf_16_units_and_lie_in_the_text() -> None:
    value = answer({**FORM, "text": "😀 A tset."})
    value["matches"].append({**value["matches"][0], "offset": 999})
    findings = check(sends(value), text="😀 A tset.").findings
    assert [(each.start, each.end, each.category, each.issue) for each in findings] == [
        (4, 8, "TYPOS", "misspelling"),
        (9, 9, "TYPOS", "misspelling"),
    ]
