"""The deployment that the documentation recommends: the proxy of compose.yaml before the service.

Clients that are slow, silent, endless or greedy, or no clients at all, cost the others nothing. The proxy is the real
nginx with the nginx.conf of this repository; only places and times are others.
"""

from __future__ import annotations

import contextlib
import json
import os
import shutil
import socket
import subprocess
import time
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import httpx
import pytest

from tests.processes import free_port, running_service, wait_until
from tests.serve.answering import answering
from tests.support.service import KEY, problem

NGINX = shutil.which("nginx", path=f"{os.environ.get('PATH', '')}:/usr/sbin")
pytestmark = [pytest.mark.slow, pytest.mark.skipif(NGINX is None, reason="nginx is not installed")]

CONFIGURATION = (Path(__file__).parents[2] / "nginx.conf").read_text(encoding="utf-8")
PAIR = {"source": "He go home.", "output": "He goes home."}
MANY = 32  # requests of one address at once, as in the file
SECRET = "zyxwvut"
SHORT = {"client_header_timeout 10s": "client_header_timeout 1s", "client_body_timeout 10s": "client_body_timeout 1s"}


@contextmanager
def proxy(folder: Path, upstream: str, values: Mapping[str, str] = {}) -> Iterator[tuple[str, int]]:
    """Run the proxy, with other places and some other values."""
    folder.mkdir(exist_ok=True)
    port = free_port()
    places = {"/tmp/": f"{folder}/", "usim:8080": upstream, "listen 8080": f"listen 127.0.0.1:{port}"}
    text = CONFIGURATION
    for old, new in {**places, **values}.items():
        assert old in text
        text = text.replace(old, new)
    (folder / "nginx.conf").write_text(text)
    command = [str(NGINX), "-c", str(folder / "nginx.conf"), "-p", str(folder), "-g", "daemon off;"]
    with (folder / "log").open("wb") as log:
        process = subprocess.Popen(command, stdout=log, stderr=log)

    def is_there() -> bool:
        assert process.poll() is None, (folder / "log").read_text()
        with contextlib.suppress(OSError), socket.create_connection(("127.0.0.1", port), timeout=1):
            return True
        return False

    try:
        assert wait_until(is_there, 20)
        yield "127.0.0.1", port
    finally:
        process.terminate()
        process.wait(20)


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("proxy")


@pytest.fixture(scope="module")
def upstream(folder: Path) -> Iterator[str]:
    (folder / "keys").write_text(KEY)
    with running_service(folder / "service", "--judge", "usim", "--api-key-file", str(folder / "keys")) as (_, url):
        yield url.removeprefix("http://")


@pytest.fixture(scope="module")
def address(folder: Path, upstream: str) -> Iterator[tuple[str, int]]:
    """A proxy with short time limits that counts no requests."""
    with proxy(folder / "nginx", upstream, {**SHORT, "10r/s": "10000r/s"}) as where:
        yield where


@contextmanager
def connected(address: tuple[str, int], data: bytes = b"", source: str = "") -> Iterator[socket.socket]:
    with socket.create_connection(address, timeout=20, source_address=(source, 0)) as client:
        client.sendall(data)
        yield client


@contextmanager
def crowd(address: tuple[str, int], number: int, data: bytes = b"") -> Iterator[list[socket.socket]]:
    """Connect many clients from another address of this machine."""
    with contextlib.ExitStack() as stack:
        clients = [stack.enter_context(connected(address, source="127.0.0.2")) for _ in range(number)]
        for client in clients:
            client.sendall(data)
        yield clients


def request(path: str, headers: str = "", body: bytes = b"") -> bytes:
    head = f"POST {path} HTTP/1.1\r\nHost: localhost\r\nX-API-Key: {KEY}\r\nContent-Type: application/json\r\n"
    return f"{head}{headers}\r\n".encode() + body


def ask(address: tuple[str, int], path: str = "/v1/score", body: Any = None, **settings: Any) -> httpx.Response:
    url = f"http://{address[0]}:{address[1]}{path}"
    headers = {"X-API-Key": KEY, **settings.pop("headers", {})}
    if path == "/metrics":
        return httpx.get(url, headers=headers, timeout=30)
    return httpx.post(url, json=body or {"pairs": [PAIR]}, headers=headers, timeout=60, **settings)


def fine(address: tuple[str, int]) -> bool:
    return ask(address).status_code == 200


def is_closed(client: socket.socket) -> bool:
    """Return whether the connection ends, perhaps after an answer of the proxy."""
    with contextlib.suppress(ConnectionError):
        while client.recv(65536):
            pass
    return True


def under_way(address: tuple[str, int]) -> bool:
    return "\nusim_under_way 1.0\n" in ask(address, "/metrics").text


HALF_A_BODY = request("/v1/score", "Content-Length: 100\r\n", b"{")


@pytest.mark.parametrize("sent", [b"", b"GET / HTTP/1.1\r\nHost: ", HALF_A_BODY], ids=["nothing", "head", "body"])
def test_what_does_not_come_in_time(address: tuple[str, int], sent: bytes) -> None:
    with connected(address, sent) as client:
        began = time.monotonic()
        assert fine(address)
        assert is_closed(client)
        assert time.monotonic() - began < 10


def test_idle_connections_take_no_place(address: tuple[str, int]) -> None:
    with crowd(address, 500), crowd(address, 200, HALF_A_BODY):
        assert fine(address)
        assert fine(address)


def test_many_at_once_are_all_answered(address: tuple[str, int]) -> None:
    texts = [f"John gave Mary book {n}." for n in range(20)]
    body = json.dumps({"pairs": [{"source": text, "output": text[5:]} for text in texts]}).encode()
    closing = f"Content-Length: {len(body)}\r\nConnection: close\r\n"
    with crowd(address, 4 * MANY, request("/v1/score", closing, body)) as clients:
        answers = []
        for client in clients:
            data = b""
            while piece := client.recv(65536):
                data += piece
            answers.append(data)
    statuses = [int(answer.split()[1]) for answer in answers]
    assert set(statuses) == {200, 429}
    assert statuses.count(200) >= MANY
    refused = answers[statuses.index(429)]
    assert b"Retry-After: 1" in refused
    assert "try again" in json.loads(refused.partition(b"\r\n\r\n")[2])["detail"]


@pytest.mark.parametrize("data", [b"\x16\x03\x01\x02\x00\x01\r\n\r\n", b"GET\r\n\r\n", b"GET / HTTP/9\r\n\r\n"])
def test_what_is_no_http(address: tuple[str, int], data: bytes) -> None:
    with connected(address, data) as client:
        assert is_closed(client)
    assert fine(address)


def test_a_body_that_is_too_large(address: tuple[str, int]) -> None:
    assert "send less" in problem(ask(address, body={"pairs": ["x" * 1_100_000]}), 413)


def test_clients_that_go_away(address: tuple[str, int]) -> None:
    words = "the old man who lived near the river saw a small dog that ran across the field ".split() * 60
    pairs = [{"source": " ".join(words[k:]), "output": " ".join(words[k + 1 :])} for k in range(4)]
    body = json.dumps({"pairs": pairs}).encode()
    with connected(address, request("/v1/score", f"Content-Length: {len(body)}\r\n", body)):
        assert wait_until(lambda: under_way(address), 20)
    assert wait_until(lambda: not under_way(address), 20)
    for data in (b"", b"GET / HTTP/1", HALF_A_BODY):
        for _ in range(3):
            with connected(address, data):
                pass
    assert fine(address)


def test_its_own_page_is_let_in_and_others_are_not(address: tuple[str, int]) -> None:
    assert ask(address, headers={"Origin": f"http://{address[0]}:{address[1]}"}).status_code == 200
    assert "--allow-origin" in problem(ask(address, headers={"Origin": "https://evil.example"}), 403)


def test_an_answer_that_nobody_fetches(folder: Path) -> None:
    ended: list[bool] = []

    def large(*_: Any) -> Iterator[bytes]:
        is_whole = False
        try:
            yield b"HTTP/1.1 200 OK\r\nContent-Length: 50000000\r\n\r\n"
            yield b"x" * 50_000_000
            is_whole = True
        finally:
            ended.append(is_whole)

    with (
        answering(large) as url,
        proxy(folder / "large", url.removeprefix("http://"), {"send_timeout 30s": "send_timeout 1s"}) as address,
        connected(address, b"GET / HTTP/1.1\r\nHost: localhost\r\n\r\n"),
    ):
        assert wait_until(lambda: bool(ended), 20)
    assert ended == [False]


def test_an_address_that_asks_too_often(folder: Path, upstream: str) -> None:
    with proxy(folder / "rate", upstream, {"10r/s": "1r/m", "burst=50": "burst=5"}) as address:
        answers = [
            ask(address, path=f"/v1/score?q={SECRET}", body={"pairs": [{"source": "", "output": ""}]})
            for _ in range(12)
        ]
        statuses = [answer.status_code for answer in answers]
        assert statuses == [200] * 6 + [429] * 6
        refused = answers[statuses.index(429)]
        assert "try again" in problem(refused, 429)
        assert refused.headers["retry-after"] == "1"
        assert all(ask(address, "/metrics").status_code == 200 for _ in range(10))
    assert SECRET not in (folder / "rate" / "log").read_text()


def test_a_service_that_is_not_there(folder: Path) -> None:
    with proxy(folder / "nobody", f"127.0.0.1:{free_port()}") as address:
        assert "not running" in problem(ask(address), 502)
