"""A server of HTTP on this machine, whose answers a function gives."""

from __future__ import annotations

import json
import threading
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager, suppress
from email.message import Message
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

#: A status, a body as bytes or JSON values, and headers; or the bytes of an answer, head and all, as they come.
Reply = tuple[int, Any, dict[str, str]] | Iterable[bytes]


class _Server(ThreadingHTTPServer):
    daemon_threads = True
    request_queue_size = 512

    def handle_error(self, *_: Any) -> None:
        """Say nothing of clients that have gone."""


@contextmanager
def answering(answer: Callable[[str, bytes, Message], Reply]) -> Iterator[str]:
    """Run a server that answers requests by a function of path, body and headers; yield its address."""

    class Handler(BaseHTTPRequestHandler):
        protocol_version = "HTTP/1.1"

        def do_POST(self) -> None:
            body = self.rfile.read(int(self.headers.get("Content-Length", 0)))
            reply = answer(self.path, body, self.headers)
            if not isinstance(reply, tuple):
                self.close_connection = True
                with suppress(OSError):  # the client has gone
                    for piece in reply:
                        self.wfile.write(piece)
                return
            status, value, headers = reply
            data = value if isinstance(value, bytes) else json.dumps(value).encode()
            self.send_response(status)
            for name, text in {"Content-Type": "application/json", **headers, "Content-Length": str(len(data))}.items():
                self.send_header(name, text)
            self.end_headers()
            self.wfile.write(data)

        def do_GET(self) -> None:
            self.do_POST()

        def log_message(self, *_: Any) -> None:
            """Write nothing."""

    with _Server(("127.0.0.1", 0), Handler) as server:
        threading.Thread(target=server.serve_forever, args=(0.01,), daemon=True).start()
        try:
            yield f"http://127.0.0.1:{server.server_address[1]}"
        finally:
            server.shutdown()
