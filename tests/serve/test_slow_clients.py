"""Clients that are slow, silent, endless or no clients at all: none costs the others anything."""

from __future__ import annotations

import asyncio
import contextlib
import json
import socket
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import pytest
import uvicorn
from starlette.types import Receive, Scope, Send

from usim.serve._guard import Guard
from usim.serve._metrics import Metrics
from usim.serve._places import Places
from usim.serve.settings import Limits, Settings

LIMITS = Limits(head_seconds=0.4, fetch_seconds=0.5, body_seconds=0.5, connections=4, body=1000)
LARGE = 30_000_000


async def app(scope: Scope, receive: Receive, send: Send) -> None:
    """Answer shortly, late, or with more than fits any buffer."""
    if scope["path"] == "/late":
        await asyncio.sleep(1)
    body = b"x" * LARGE if scope["path"] == "/large" else b"ok"
    await send({"type": "http.response.start", "status": 200, "headers": [(b"content-length", b"%d" % len(body))]})
    await send({"type": "http.response.body", "body": body})


@contextmanager
def served() -> Iterator[tuple[str, int]]:
    metrics = Metrics()
    places = Places(LIMITS.under_way, metrics.under_way, "full")
    guard = Guard(app, Settings(limits=LIMITS), paths=frozenset(), metrics=metrics, places=places)

    async def whole(scope: Scope, receive: Receive, send: Send) -> None:
        await guard(scope, receive, send)

    whole.app = guard  # type: ignore[attr-defined]
    config = uvicorn.Config(
        whole, port=0, http="usim.serve._protocol:PatientProtocol", lifespan="off", log_level="critical",
        timeout_keep_alive=5,
    )  # fmt: skip
    server = uvicorn.Server(config)
    thread = threading.Thread(target=server.run, daemon=True)
    thread.start()
    while not server.started:
        time.sleep(0.01)
    yield server.servers[0].sockets[0].getsockname()
    server.should_exit = True
    thread.join(20)


@pytest.fixture(scope="module")
def address() -> Iterator[tuple[str, int]]:
    with served() as where:
        yield where


@contextmanager
def connected(address: tuple[str, int], data: bytes = b"") -> Iterator[socket.socket]:
    with socket.create_connection(address, timeout=20) as client:
        client.sendall(data)
        yield client


@contextmanager
def crowd(address: tuple[str, int], number: int, data: bytes = b"") -> Iterator[list[socket.socket]]:
    with contextlib.ExitStack() as stack:
        clients = [stack.enter_context(connected(address)) for _ in range(number)]
        for client in clients:
            client.sendall(data)
        yield clients


def request(path: str = "/", method: str = "GET", headers: str = "") -> bytes:
    return f"{method} {path} HTTP/1.1\r\nHost: localhost\r\n{headers}\r\n".encode()


def answer(client: socket.socket) -> tuple[int, dict[str, Any] | str]:
    """Read an answer to the end of the connection, or of its body."""
    data = b""
    while b"\r\n\r\n" not in data:
        piece = client.recv(65536)
        assert piece, data
        data += piece
    head, _, body = data.partition(b"\r\n\r\n")
    length = int(head.lower().partition(b"content-length: ")[2].split()[0])
    while len(body) < length:
        body += client.recv(65536)
    text = body.decode()
    status = int(head.split()[1])
    return status, json.loads(text) if b"problem+json" in head else text


def is_closed(client: socket.socket) -> bool:
    try:
        return client.recv(1) == b""
    except ConnectionError:
        return True


def ends(client: socket.socket, data: bytes, pause: float) -> bool:
    """Send again and again, and return whether the connection ends within some seconds."""
    until = time.monotonic() + 20
    while time.monotonic() < until:
        try:
            client.sendall(data)
        except OSError:
            return True
        time.sleep(pause)
    return False


def fine(address: tuple[str, int]) -> bool:
    with connected(address, request()) as client:
        return answer(client) == (200, "ok")


HALF_A_BODY = request("/v1/score", "POST", "Content-Length: 100\r\n") + b"{"
CHUNKS = request("/v1/score", "POST", "Transfer-Encoding: chunked\r\n")


@pytest.mark.parametrize("sent", [b"", b"GET / HTTP/1.1\r\nHost: ", HALF_A_BODY], ids=["nothing", "head", "body"])
def test_what_does_not_come_in_time(address: tuple[str, int], sent: bytes) -> None:
    with connected(address, sent) as client:
        assert fine(address)
        status, problem = answer(client)
        assert status == 408
        assert "send it again" in problem["detail"]  # type: ignore[index]
        assert is_closed(client)


@pytest.mark.parametrize(
    ("sent", "piece", "pause"),
    [(request()[:10], b"a", 0.05), (CHUNKS, b"3e8\r\n" + b"x" * 1000 + b"\r\n", 0.01)],
    ids=["head", "body"],
)
def test_what_does_not_end(address: tuple[str, int], sent: bytes, piece: bytes, pause: float) -> None:
    with connected(address, sent) as client:
        assert ends(client, piece, pause)
    assert fine(address)


def test_a_second_slow_head_on_one_connection(address: tuple[str, int]) -> None:
    with connected(address, request()) as client:
        assert answer(client)[0] == 200
        client.sendall(b"GET / HT")
        assert answer(client)[0] == 408


def test_idle_connections_give_way(address: tuple[str, int]) -> None:
    with crowd(address, LIMITS.connections) as idle:
        assert fine(address)
        assert fine(address)
        assert is_closed(idle[0])


def test_too_many_with_requests(address: tuple[str, int]) -> None:
    time.sleep(0.1)
    with crowd(address, LIMITS.connections, request("/late")) as busy:
        time.sleep(0.3)
        with connected(address) as client:
            head = client.recv(65536)
            assert b" 503 " in head
            assert b"retry-after: 1" in head.lower()
        assert [answer(client) for client in busy] == [(200, "ok")] * len(busy)


def test_many_at_once_are_all_answered(address: tuple[str, int]) -> None:
    time.sleep(0.3)
    with crowd(address, 40, request("/late")) as clients:
        answers = [answer(client) for client in clients]
    assert {status for status, _ in answers} == {200, 503}
    assert all(status == 200 or "try again" in told["detail"] for status, told in answers)  # type: ignore[index]


@pytest.mark.parametrize("data", [b"\x16\x03\x01\x02\x00\x01\r\n\r\n", b"GET\r\n\r\n", b"GET / HTTP/9\r\n\r\n"])
def test_what_is_no_http(address: tuple[str, int], data: bytes) -> None:
    with connected(address, data) as client:
        status, problem = answer(client)
        assert status == 400
        assert "http://" in problem["detail"]  # type: ignore[index]
    assert fine(address)


def test_what_is_no_http_in_the_middle(address: tuple[str, int], caplog: pytest.LogCaptureFixture) -> None:
    with connected(address, CHUNKS + b"zz\r\n{}\r\n") as client:
        assert answer(client)[0] == 400
        assert is_closed(client)
    assert fine(address)
    assert not any(record.exc_info for record in caplog.records)


def test_an_answer_that_nobody_fetches(address: tuple[str, int]) -> None:
    with connected(address, request("/large")) as client:
        time.sleep(2)
        received = 0
        with contextlib.suppress(ConnectionError):
            while piece := client.recv(1 << 20):
                received += len(piece)
        assert received < LARGE
    assert fine(address)


def test_clients_that_go_away(address: tuple[str, int]) -> None:
    for data in (b"", request()[:20], request("/late"), HALF_A_BODY):
        for _ in range(3):
            with connected(address, data):
                pass
    assert fine(address)
