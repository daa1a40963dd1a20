"""The service answers others beside whatever body it gets, and ends what it accepts within its limit of time."""

from __future__ import annotations

import asyncio
import json
import time
from typing import Any
from urllib.parse import urlencode

import httpx
import pytest
from starlette.types import ASGIApp

from usim.serve.app import create_app
from usim.serve.settings import Limits, Settings

pytestmark = pytest.mark.slow

MOST = 39_999  # characters of a text
WORDS = "the old man saw a small dog that ran across the field and he told his friend".split()
UNITS = [" ", "\xa0", "\n", "> ", "`", "<!--", "[", "](", "* ", "_a", "- ", "1. ", "a", "é", "e\u0301", "\u200b", "|", "(", "<a ", "a.b@"]  # fmt: skip


def filled(unit: str) -> str:
    return (unit * MOST)[:MOST]


def sentences(number: int, first: int = 0) -> str:
    return " ".join(f"Man {first + k} saw dog {first + k} in it." for k in range(number))


def bodies() -> dict[str, tuple[str, Any]]:
    """Paths and bodies, by what is hostile in them."""
    found: dict[str, tuple[str, Any]] = {}
    for k, unit in enumerate(UNITS):
        text = filled(unit)
        found[f"compare {unit!r}"] = (
            "/v1/compare",
            {"before": text, "after": text[:-7] + "x", "markdown": k % 2 == 0},
        )
    blank = filled(" ") + "x"
    place = {"start": 0, "end": 1}
    pair = {"source": "He go.", "output": "He goes."}
    return found | {
        "score blanks": ("/v1/score", {"pairs": [{"source": blank[-20_000:], "output": "\xa0" * 10_000 + "x"}]}),
        "best blanks": ("/v1/best", {"source": blank[-20_000:], "candidates": [blank[-20_000:] + "y"] * 9}),
        "score a long word": ("/v1/score", {"pairs": [{"source": "a" * 19_000, "output": "b" * 19_000}]}),
        "many pairs": ("/v1/score", {"pairs": [pair] * 20_000}),
        "many other pairs": ("/v1/score", {"pairs": [{"source": f"He go {k}.", "output": "He."} for k in range(150)]}),
        "many wrong pairs": ("/v1/score", {"pairs": [0] * 400_000}),
        "many wrong fields": ("/v1/score", {"pairs": [{f"a{k}": 0 for k in range(60_000)}]}),
        "changed sentences": ("/v1/compare", {"before": sentences(270), "after": sentences(270, 1000)}),
        "changed sentences of a pair": (
            "/v1/score",
            {"pairs": [{"source": sentences(180), "output": sentences(180, 999)}]},
        ),
        "substitutes of much": ("/v1/substitutes", {"text": filled("a ") * 20, "start": 0, "end": 700_000}),
        "substitutes of a long word": ("/v1/substitutes", {"text": filled("a"), "start": 0, "end": MOST}),
        "many substitutes": ("/v1/screen", {"records": [{"sentence": "a b", **place, "substitutes": ["x"] * 200_000}]}),
        "many records": ("/v1/screen", {"records": [{"sentence": filled("a. "), **place, "substitutes": ["x"]}] * 20}),
        "deep": ("/v1/score", b"[" * 900_000),
        "a long number": ("/v1/score", b'{"pairs": ' + b"9" * 900_000 + b"}"),
        "many texts to parse": ("/v1/parse", {"texts": ["a"] * 9_000}),
        "one text to parse": ("/v1/parse", {"texts": [filled("(a b) ")[:9_000]]}),
        "explain": ("/v1/explain", {"source": "a " * 900, "output": "b " * 900, "format": "view"}),
        "report": ("/v1/report", b"{}\n" * 300_000),
        "report of results": ("/v1/report", (json.dumps(pair | {"score": 1, "line": 1}).encode() + b"\n") * 9_000),
        "check": ("/v2/check", urlencode({"language": "en-US", "text": filled("teh ")}).encode()),
        "check of markup": (
            "/v2/check",
            urlencode({"data": json.dumps({"annotation": [{"markup": "<b>"}, {"text": "a"}] * 12_000})}).encode(),
        ),
        "check of escapes": ("/v2/check", b"language=en-US&text=" + b"%20" * 300_000),
    }


BODIES = bodies()


@pytest.fixture(scope="module")
def app() -> ASGIApp:
    return create_app(Settings(checkers=("harper",), limits=Limits(seconds=600)))


def test_there_are_forty() -> None:
    assert len(BODIES) >= 40


@pytest.mark.parametrize("name", BODIES)
def test_health_beside(app: ASGIApp, name: str) -> None:
    """Times are those of the processor, all threads together: what they are on one core with nothing else to do."""
    path, body = BODIES[name]
    kind = "application/x-www-form-urlencoded" if path == "/v2/check" else "application/json"
    data = body if isinstance(body, bytes) else json.dumps(body, ensure_ascii=False).encode()

    async def ask() -> tuple[int, list[float]]:
        waits: list[float] = []
        transport = httpx.ASGITransport(app)
        async with httpx.AsyncClient(transport=transport, base_url="http://localhost", timeout=None) as client:
            await client.get("/health")
            work = asyncio.create_task(client.post(path, content=data, headers={"content-type": kind}))
            while not work.done():
                began = time.process_time()
                assert (await client.get("/health")).status_code == 200
                await asyncio.sleep(0)
                waits.append(time.process_time() - began)
                await asyncio.sleep(0.005)
            return work.result().status_code, waits

    for _ in range(3):
        began = time.process_time()
        status, waits = asyncio.run(ask())
        assert time.process_time() - began < Limits().seconds
        assert status in (200, 400, 413, 422) or (status, path) == (504, "/v2/check")  # Harper's own limit
        if max(waits) < 0.2:
            return
    assert max(waits) < 0.2
