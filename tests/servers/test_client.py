"""The clients of the service: batches, retries, time limits."""

from __future__ import annotations

import asyncio
import json
import logging
import threading
import time
import traceback
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from contextlib import AbstractContextManager, suppress
from pathlib import Path
from typing import Any
from urllib.parse import quote

import pytest

from tests.processes import running_service
from tests.serve.answering import Reply, answering
from tests.support.service import figure
from usim.errors import InputError
from usim.servers.client import AsyncClient, Client, ServiceError

PAIR = ("He go home.", "He goes home.")
JUDGED = {"verdict": "keep", "faithfulness": 0.9}
KEY = "sk-secret/0123456789"


def service(answer: Callable[[str, dict[str, Any]], Reply]) -> AbstractContextManager[str]:
    """Run a server that answers requests by a function of the path and the body; yield its address."""
    return answering(lambda path, body, _: answer(path, json.loads(body)))


def echo(path: str, body: dict[str, Any]) -> Reply:
    results = [{"line": number, **JUDGED, **pair} for number, pair in enumerate(body["pairs"], 1)]
    return 200, {"results": results, "signature": "s"}, {}


def test_pairs_go_in_batches_and_come_back_in_order() -> None:
    sizes: list[int] = []

    def answer(path: str, body: dict[str, Any]) -> Reply:
        sizes.append(len(body["pairs"]))
        return echo(path, body)

    pairs = [(f"a{k}", f"b{k}") for k in range(70)]
    with service(answer) as url:
        results = Client(url).score(pairs)
    assert [(result["source"], result["output"]) for result in results] == pairs
    assert [result["line"] for result in results] == list(range(1, 71))
    assert sorted(sizes) == [6, 32, 32]


@pytest.mark.parametrize("pairs", ["He go.", {"source": "a", "output": "b"}])
def test_what_is_no_list_is_refused(pairs: Any) -> None:
    with pytest.raises(InputError, match=r"in a list: client\.score\(\[\(source, output\), …\]\)"):
        Client().score(pairs)
    with pytest.raises(InputError, match="in a list"):
        Client().best("He goes.", "He went.")


@pytest.mark.parametrize("pair", [("He go.",), "ab", ("He go.", None)])
def test_what_is_no_pair_is_refused_before_anything_is_sent(pair: Any) -> None:
    with pytest.raises(InputError, match=r"a pair must be a sequence of two sentences|a sentence must be a string"):
        Client("http://127.0.0.1:1").score([("He go.", "He goes."), pair])


def test_too_much_work_is_cut_in_two() -> None:
    def answer(path: str, body: dict[str, Any]) -> Reply:
        return echo(path, body) if len(body["pairs"]) < 3 else (413, {"detail": "too much"}, {})

    with service(answer) as url:
        assert len(Client(url).score([PAIR] * 9)) == 9


def test_retry_after_is_obeyed() -> None:
    times: list[float] = []

    def answer(path: str, body: dict[str, Any]) -> Reply:
        times.append(time.monotonic())
        busy = {1: (429, "0"), 2: (503, "1")}.get(len(times))
        return (busy[0], {"detail": "busy"}, {"Retry-After": busy[1]}) if busy else echo(path, body)

    with service(answer) as url:
        assert len(Client(url).score([PAIR])) == 1
    assert len(times) == 3
    assert times[2] - times[1] >= 1


@pytest.mark.parametrize(("status", "patience"), [(422, 300), (503, 0)])
def test_what_is_refused_or_needs_patience_is_not_sent_again(status: int, patience: float) -> None:
    asked: list[str] = []

    def answer(path: str, body: dict[str, Any]) -> Reply:
        asked.append(path)
        return status, {"detail": "pairs: too long"}, {"Retry-After": "1"}

    with service(answer) as url, pytest.raises(ServiceError, match=f"{status}: pairs: too long") as caught:
        Client(url, patience=patience).score([PAIR])
    assert (caught.value.status, asked) == (status, ["/v1/score"])


def test_a_service_that_is_not_there_or_too_slow() -> None:
    with service(echo) as url:
        pass
    with pytest.raises(ServiceError, match="cannot be reached"):
        Client(url).score([PAIR])

    def slow(path: str, body: dict[str, Any]) -> Reply:
        time.sleep(0.3)
        return echo(path, body)

    with service(slow) as url, pytest.raises(ServiceError, match="ReadTimeout"):
        Client(url, seconds=0.2).score([PAIR])


MALFORMED: list[Any] = [
    [], {}, None, 7, b"", b"<html>", b"[" * 100_000, b"\xff", {"results": None}, {"results": [3, 4]},
    {"results": [JUDGED]}, {"results": [JUDGED] * 4}, {"results": {"a": 1, "b": 2}}, {"results": [{}, {}]},
    {"results": [JUDGED | {"faithfulness": 7}] * 2}, {"results": [JUDGED | {"verdict": 7}] * 2},
    b'{"results": [{"verdict": "keep", "faithfulness": NaN}, {"verdict": "keep", "faithfulness": NaN}]}',
]  # fmt: skip


@pytest.mark.parametrize("answer", MALFORMED)
def test_an_answer_of_another_shape_is_refused(answer: Any) -> None:
    with service(lambda path, body: (200, answer, {})) as url:
        client = Client(url)
        for ask in (
            lambda: client.score([PAIR] * 2),
            lambda: client.best(PAIR[0], [PAIR[1]] * 2),
            lambda: client.compare(*PAIR),
        ):
            with pytest.raises(ServiceError, match="the answer"):
                ask()
        if answer != {"results": [{}, {}]} and "faithfulness" not in str(answer):
            with pytest.raises(ServiceError, match="the answer"):
                client.screen([{}, {}])


def test_a_batch_that_failed_ends_the_others() -> None:
    asked: list[str] = []

    def answer(path: str, body: dict[str, Any]) -> Reply:
        asked.append(path)
        return 422, {"detail": "no"}, {}

    async def ask(url: str) -> int:
        async with AsyncClient(url, concurrency=1) as client:
            with pytest.raises(ServiceError, match="422: no"):
                await client.score([PAIR] * 320)
            return len(asyncio.all_tasks())

    with service(answer) as url:
        assert asyncio.run(ask(url)) == 1  # this one
    assert len(asked) == 1


@pytest.mark.parametrize("body", [{"a": {1}}, {"a": object()}, {"a": "\ud800"}])
def test_what_is_not_json_is_not_sent(body: Any) -> None:
    with service(lambda path, body: (200, {}, {})) as url, suppress(InputError):
        Client(url).post("/v1/score", body)


#: What a server that wants to show a key does with it.
def leaks(key: str) -> list[Reply]:
    escaped = "".join(f"\\u{ord(c):04x}" for c in key)
    result = JUDGED | {"source": key}
    return [
        (200, {"results": [result], "signature": key}, {}),
        (200, f'{{"results": [{{"verdict": "{escaped}", "faithfulness": 1}}]}}'.encode(), {}),
        (200, key.encode(), {}),
        (401, {"detail": f"Authorization: Bearer {key}"}, {"X-Sent": key}),
        (401, f'{{"detail": "{escaped}"}}'.encode(), {}),
        (401, {"detail": [key]}, {}),
        (503, {"detail": quote(key, safe="")}, {"Retry-After": key}),
        [b"HTTP/1.1 401 " + key.encode() + b"\r\nContent-Length: 0\r\n\r\n"],
        [b"HTTP/1.1 200 OK\r\n" + key.encode() + b"\r\n\r\n"],
        [key.encode() + b"\r\n\r\n"],
    ]


@pytest.mark.parametrize("place", range(len(leaks(KEY))))
def test_no_key_comes_back(place: int, caplog: pytest.LogCaptureFixture) -> None:
    caplog.set_level(logging.DEBUG)
    with service(lambda path, body: leaks(KEY)[place]) as url:
        client = Client(url, key=KEY, patience=0)
        try:
            said = repr(client.score([PAIR]))
        except ServiceError:
            said = traceback.format_exc()
    for shown in (said, caplog.text):
        assert KEY not in shown
        assert quote(KEY, safe="") not in shown
        assert KEY[:10] not in shown


@pytest.mark.parametrize("key", ["sk-secret\n", "sk secret", "é-secret"])
def test_a_key_that_is_none_is_not_shown(key: str) -> None:
    with pytest.raises(InputError, match="a key is needed") as e:
        Client(key=key)
    assert "secret" not in str(e.value)


@pytest.mark.parametrize(
    "address", ["http://u:secret@h", "http://h/?key=secret", "ftp://u:secret@h", "http://u:secret@h:x"]
)
def test_a_password_in_an_address_is_refused_and_not_shown(address: str) -> None:
    with pytest.raises(InputError, match="has no place in an address") as e:
        Client(address)
    assert "secret" not in str(e.value)


@pytest.mark.parametrize("address", ["http://h:99999", "http://h:0", "http://", "http://h:x", "http://a b"])
def test_an_address_that_can_be_none_is_refused(address: str) -> None:
    with pytest.raises(InputError, match="is no address"):
        Client(address)


@pytest.mark.parametrize("address", ["localhost:8765", "ftp://localhost:8765"])
def test_what_is_no_address_is_refused_with_what_to_write(address: str) -> None:
    with pytest.raises(InputError, match="write http://localhost:8765"):
        Client(address)


def test_few_batches_are_under_way_at_a_time() -> None:
    lock, under_way, most = threading.Lock(), 0, 0

    def answer(path: str, body: dict[str, Any]) -> Reply:
        nonlocal under_way, most
        with lock:
            under_way += 1
            most = max(most, under_way)
        time.sleep(0.01)
        with lock:
            under_way -= 1
        return echo(path, body)

    async def ask(url: str) -> list[Any]:
        async with AsyncClient(url, concurrency=4, key="k") as client:
            return await client.score([PAIR] * 640)

    with service(answer) as url:
        assert len(asyncio.run(ask(url))) == 640
        assert 1 < most <= 4
        with Client(url) as client:  # whose connections are kept
            assert len(client.score([PAIR])) == len(client.score([PAIR])) == 1
            with ThreadPoolExecutor(4) as threads:
                assert [len(results) for results in threads.map(client.score, [[PAIR]] * 8)] == [1] * 8


@pytest.mark.slow
def test_300_requests_at_once_are_all_answered(tmp_path: Path) -> None:
    """More than the service has places for: a bare client is refused most of them."""

    async def ask(url: str) -> list[Any]:
        async with AsyncClient(url, seconds=200) as client:
            pairs = ((f"He go home {k}.", f"He goes home {k}.") for k in range(300))
            return await asyncio.gather(*(client.score([pair]) for pair in pairs))

    with running_service(tmp_path / "log") as (_, url):
        results = asyncio.run(ask(url))
        refused = int(figure(url, 'usim_requests_total{path="/v1/score",status="503"}'))
        best = Client(url).best(PAIR[0], ["He flew.", PAIR[1]])
    assert [len(part) for part in results] == [1] * 300
    assert {part[0]["verdict"] for part in results} == {"keep"}
    assert refused > 0
    assert best["text"] == PAIR[1]
