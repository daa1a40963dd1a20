"""A running service: the largest legal requests, more than it can bear, clients that go away, stopping."""

from __future__ import annotations

import json
import signal
import socket
import statistics
import threading
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import httpx
import pytest

from tests.processes import running_service, wait_until
from tests.support.service import figure

pytestmark = pytest.mark.slow

PAIR = {"source": "He go home.", "output": "He goes home."}
WORDS = "the old man who lived near the river saw a small dog that ran across the field and he told his friend".split()
GRACE = 10


def sentence(tokens: int) -> str:
    return " ".join(WORDS[k % len(WORDS)] for k in range(tokens))


def record(tokens: int, substitutes: int) -> dict[str, Any]:
    return {"sentence": sentence(tokens), "start": 4, "end": 7, "substitutes": [f"new{k}" for k in range(substitutes)]}


#: Nearly all the work that a request may ask for: in a long sentence, and in long texts.
LARGEST = {
    "screen": {"records": [record(1000, 8)]},
    "score": {"pairs": [{"source": sentence(1600), "output": sentence(1600)[4:]}] * 3},
}


@pytest.fixture(scope="module")
def service(tmp_path_factory: pytest.TempPathFactory) -> Iterator[tuple[Any, str, Path]]:
    log = tmp_path_factory.mktemp("serve") / "log"
    with running_service(log) as (process, url):
        yield process, url, log


def send_and_leave(url: str, path: str, body: bytes, seconds: float) -> None:
    host, port = url.removeprefix("http://").split(":")
    with socket.create_connection((host, int(port)), timeout=20) as client:
        head = (
            f"POST {path} HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\nContent-Length: {len(body)}"
        )
        client.sendall(head.encode() + b"\r\n\r\n" + body)
        time.sleep(seconds)


@pytest.mark.parametrize("kind", LARGEST)
def test_a_small_request_beside_the_largest_legal_one(service: tuple[Any, str, Path], kind: str) -> None:
    _, url, _ = service
    statuses: list[int] = []
    large = threading.Thread(
        target=lambda: statuses.append(httpx.post(f"{url}/v1/{kind}", json=LARGEST[kind], timeout=200).status_code)
    )
    with httpx.Client(timeout=30) as client:
        client.post(f"{url}/v1/score", json={"pairs": [PAIR]})
        large.start()
        assert wait_until(lambda: figure(url, "usim_large_under_way") == 1, 20)
        waits = []
        while large.is_alive() and len(waits) < 40:
            began = time.monotonic()
            assert client.post(f"{url}/v1/score", json={"pairs": [PAIR]}).status_code == 200
            waits.append(time.monotonic() - began)
            time.sleep(0.02)
    large.join()
    assert statuses in ([200], [503])  # 503 where the machine is too slow for it, after the time limit
    assert statistics.median(waits) < 1
    assert sorted(waits)[int(0.95 * (len(waits) - 1))] < 1


def test_a_client_that_is_gone_ends_its_work(service: tuple[Any, str, Path]) -> None:
    _, url, _ = service
    body = json.dumps({"records": [record(990, 8)]}).encode()  # a text that the service has not read yet
    before = figure(url, "usim_batch_size_count")
    send_and_leave(url, "/v1/screen", body, 0.2)
    # The place is free at once, and after the piece under way there is no further one.
    assert wait_until(lambda: figure(url, "usim_under_way") == figure(url, "usim_large_under_way") == 0, 5)
    small = {"pairs": [{"source": sentence(600), "output": sentence(600)[4:]}]}
    assert httpx.post(f"{url}/v1/score", json=small, timeout=100).status_code == 200  # by the same thread
    assert figure(url, "usim_batch_size_count") - before <= 4  # of eight, and this one


def test_it_ends_in_time_whatever_it_does(service: tuple[Any, str, Path]) -> None:
    process, url, log = service
    large = threading.Thread(
        target=lambda: send_and_leave(url, "/v1/score", json.dumps(LARGEST["score"]).encode(), GRACE + 9)
    )
    large.start()
    assert wait_until(lambda: figure(url, "usim_large_under_way") == 1, 20)
    began = time.monotonic()
    process.send_signal(signal.SIGTERM)
    assert process.wait(60) in (0, -signal.SIGTERM)
    assert time.monotonic() - began < GRACE + 8  # and the batch under way
    large.join()
    assert "Traceback" not in log.read_text()


def test_it_stops_in_good_order_and_its_log_has_no_texts(tmp_path: Path) -> None:
    log, secret = tmp_path / "log", "zyxwvut"
    with running_service(log, "--judge", "usim", "--harper") as (process, url):
        body = {"pairs": [{"source": secret, "output": secret}]}
        assert httpx.post(f"{url}/v1/score?q={secret}", json=body, timeout=30).status_code == 200
        # Harper prints what it thinks of this sentence.
        form = {"text": f"{secret}. I am looking forward to hear you."}
        assert "hearing" in httpx.post(f"{url}/v2/check", data=form, timeout=60).text
        assert 'usim_requests_total{path="/v1/score",status="200"}' in httpx.get(f"{url}/metrics").text
        process.send_signal(signal.SIGTERM)
        assert process.wait(30) in (0, -signal.SIGTERM)
    text = log.read_text()
    assert "POST /v1/score 200" in text
    assert secret not in text
    assert "hear" not in text
    assert "Traceback" not in text
