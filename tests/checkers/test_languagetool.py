"""A LanguageTool server that answers too slowly, too much, or something odd; see also ``tests/serve``."""

from __future__ import annotations

import asyncio
import json
import time
from collections.abc import Callable, Iterable
from typing import Any

import pytest

from tests.command import usim_here
from tests.llm.server import serving
from tests.llm.test_client import HEAD, endless, packed, slow_bytes
from tests.serve.languagetool_stub import answer
from usim.checkers import CheckerError, read_request, screened_matches
from usim.checkers.languagetool import LanguageToolChecker

FORM = {"text": "This is a tset of it.", "language": "en-US"}


def check(answer: Callable[[Any], Iterable[bytes]], seconds: float = 20) -> dict[str, Any]:
    """Return what the checker answers where a server sends these bytes."""
    with serving(lambda _: "") as server:
        server.raw = answer
        checker = LanguageToolChecker(server.url.removesuffix("/v1"), seconds=seconds)
        return asyncio.run(checker.check(read_request(FORM)))


def sends(value: object) -> Callable[[Any], Iterable[bytes]]:
    return lambda _: [HEAD + b"\r\n" + json.dumps(value).encode()]


@pytest.mark.parametrize(
    ("pieces", "seconds", "status", "said"),
    [
        (slow_bytes, 0.5, 504, "within 0.5 s"),
        (endless, 20, 502, "more than 20000000 bytes"),
        (packed, 20, 502, "packed"),
    ],
    ids=["slow", "endless", "packed"],
)
def test_an_answer_comes_within_a_time_and_a_size(pieces: Any, seconds: float, status: int, said: str) -> None:
    began = time.monotonic()
    with pytest.raises(CheckerError, match=said) as e:
        check(pieces, seconds)
    assert e.value.status == status
    assert time.monotonic() - began < 15


@pytest.mark.parametrize(
    ("changes", "said"),
    [
        ({"offset": "10"}, "matches.0.offset"), ({"length": 4.0}, "matches.0.length"), ({"offset": True}, "offset"),
        ({"offset": None}, "offset"), ({"replacements": [{"value": 3}]}, "replacements.0.value"),
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
    first, second = screened_matches(value["matches"], [[], []])
    assert (second["replacements"], second["usim"]["notScreened"]) == ([], 2)
    assert first["rule"] == second["rule"]
