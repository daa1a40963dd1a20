"""A real ``usim serve``: it answers over a socket, starts killed workers again, and stops in good order."""

from __future__ import annotations

import os
import re
import signal
import socket
import subprocess
import time
from collections.abc import Iterator
from pathlib import Path

import httpx
import pytest

from tests.processes import start_service

pytestmark = pytest.mark.slow

PAIR = {"source": "John gave Mary a book.", "output": "Mary gave John a book."}
SECRET = "zyxwvut"


@pytest.fixture(scope="module")
def log(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("serve") / "log"


@pytest.fixture(scope="module")
def service(log: Path) -> Iterator[tuple[subprocess.Popen[bytes], str]]:
    process, url = start_service(log, "--workers", "2", "--judge", "usim", "--harper")
    yield process, url
    process.kill()
    process.wait()


def score(url: str) -> httpx.Response:
    return httpx.post(f"{url}/v1/score", json={"pairs": [PAIR]}, timeout=30)


def test_it_answers_and_costs_nothing_to_cut_off_clients(service: tuple[subprocess.Popen[bytes], str]) -> None:
    _, url = service
    address = ("127.0.0.1", int(url.rsplit(":", 1)[1]))
    held = []
    for garbage in (b"\x16\x03\x01 not HTTP\r\n\r\n", b"POST /v1/score HTTP/1.1\r\nHost: localhost\r\n", b""):
        held.append(socket.create_connection(address))
        held[-1].sendall(garbage)
    cut = socket.create_connection(address)
    cut.sendall(b"POST /v1/score HTTP/1.1\r\nHost: localhost\r\nContent-Length: 900\r\n\r\n{")
    cut.close()
    response = score(url)
    assert response.status_code == 200
    assert response.json()["results"][0]["source"] == PAIR["source"]
    for connection in held:
        connection.close()


def test_a_killed_worker_comes_back(service: tuple[subprocess.Popen[bytes], str], log: Path) -> None:
    _, url = service
    until = time.monotonic() + 60
    while len(workers := re.findall(r"Started server process \[(\d+)\]", log.read_text())) < 2:
        assert time.monotonic() < until, log.read_text()
        time.sleep(0.1)
    for worker in workers:
        os.kill(int(worker), signal.SIGKILL)
    while True:
        try:
            assert score(url).status_code == 200
            break
        except httpx.TransportError:
            assert time.monotonic() < until, log.read_text()
            time.sleep(0.2)


def test_it_stops_in_good_order_and_its_log_has_no_texts(
    service: tuple[subprocess.Popen[bytes], str], log: Path
) -> None:
    process, url = service
    body = {"pairs": [{"source": SECRET, "output": SECRET}]}
    assert httpx.post(f"{url}/v1/score?q={SECRET}", json=body, timeout=30).status_code == 200
    # Harper prints what it thinks of this sentence.
    checked = httpx.post(f"{url}/v2/check", data={"text": f"{SECRET}. I am looking forward to hear you."}, timeout=60)
    assert "hearing" in checked.text
    assert 'usim_requests_total{path="/v1/score",status="200"}' in httpx.get(f"{url}/metrics").text
    process.send_signal(signal.SIGTERM)
    assert process.wait(30) == 0
    text = log.read_text()
    assert "POST /v1/score 200" in text
    assert SECRET not in text
    assert "hear" not in text
    assert "Traceback" not in text
