"""HTTP with clients that are slow, endless or silent: none of them holds a connection for long.

uvicorn limits how long a connection may wait between two requests, but neither how long a request's head may take to
arrive nor how long an answer may take to be fetched. Where there are too many connections, the one that has waited
longest for a request gives way, if that is a tenth of the time that the head of one may take; where there is none, the
new one is refused. Each is told so, the one that gives way if it still sends a request.
"""

from __future__ import annotations

import asyncio
import time
from collections.abc import Callable
from http import HTTPStatus
from typing import Any

import h11
from uvicorn.protocols.http.h11_impl import H11Protocol

from usim.serve._guard import Guard
from usim.serve._problems import ProblemError
from usim.serve.settings import Limits

_REFUSED = 2000  # connections beyond the limit that are told so; what comes on top is cut
_LINGER = 2.0  # seconds that a connection stays open so that a client that still sends can read why it is refused


class PatientProtocol(H11Protocol):
    """uvicorn's HTTP with limits of time and of the number of connections."""

    def __init__(self, *args: Any, **settings: Any) -> None:
        super().__init__(*args, **settings)
        self.limits = _limits_of(self.app)
        self._timers: dict[str, asyncio.TimerHandle] = {}
        self.waits_since = time.monotonic()
        self._patience = self.limits.head_seconds / 10
        self._is_claiming = self._is_refused = self._is_told = False

    @property
    def waits(self) -> bool:
        """Whether the connection has no request under way."""
        is_idle = self.conn.their_state is h11.IDLE and not self._is_claiming and not self._is_refused
        return is_idle and (self.cycle is None or self.cycle.response_complete)

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
        """Take a connection, if need be in the place of one that waits."""
        super().connection_made(transport)
        if len(self.connections) > self.limits.connections + _REFUSED:
            transport.abort()
        elif self._is_crowded() and not self._replaces_another():
            self._is_claiming = True
            transport.pause_reading()
            self.loop.call_later(self._patience, self._claim_place)
        else:
            self._wait_for_head()

    def _is_crowded(self) -> bool:
        refused = sum(isinstance(other, PatientProtocol) and other._is_refused for other in self.connections)
        return len(self.connections) - refused > self.limits.connections

    def _claim_place(self) -> None:
        self._is_claiming = False
        if self.transport.is_closing():
            return
        if self._is_crowded() and not self._replaces_another():
            self._refuse(_too_many())
        else:
            self._wait_for_head()
        self.transport.resume_reading()

    def _give_way(self) -> None:
        self._is_refused = True
        self._cancel("head")
        self.loop.call_later(_LINGER, self.transport.close)

    def _replaces_another(self) -> bool:
        """End the connection that has waited longest for a request, if there is one that has waited long enough."""
        others = [other for other in self.connections if other is not self and isinstance(other, PatientProtocol)]
        waiting = [other for other in others if other.waits and not other.transport.is_closing()]
        longest = min(waiting, key=lambda other: other.waits_since, default=None)
        if longest is None or time.monotonic() - longest.waits_since < self._patience:
            return False
        longest._give_way()
        return True

    def shutdown(self) -> None:
        """End when the service does, at once where the connection has been refused."""
        self.transport.abort() if self._is_refused else super().shutdown()

    def connection_lost(self, exc: Exception | None) -> None:
        """Stop all timers."""
        self._cancel("head")
        self._cancel("fetch")
        super().connection_lost(exc)

    def data_received(self, data: bytes) -> None:
        """Read on; the head of a request has to be whole in time."""
        if self._is_refused and not self._is_told:
            self._refuse(_too_many())
        if self.transport.is_closing() or self._is_refused:
            return
        super().data_received(data)
        if not self.waits:
            self._cancel("head")
        elif "head" not in self._timers:
            self._wait_for_head()

    def on_response_complete(self) -> None:
        """Wait for the next request, or end a connection whose client does not stop sending."""
        self.waits_since = time.monotonic()
        super().on_response_complete()
        if self.conn.their_state is h11.SEND_BODY and not self.transport.is_closing():
            self.loop.call_later(_LINGER, self.transport.abort)

    def timeout_keep_alive_handler(self) -> None:
        """End a connection on which nothing more comes; what its client does not fetch is dropped."""
        super().timeout_keep_alive_handler()
        self.loop.call_later(_LINGER, self.transport.abort)

    def pause_writing(self) -> None:
        """Give the client some time to fetch its answer."""
        super().pause_writing()
        self._start("fetch", self.limits.fetch_seconds, self.transport.abort)

    def resume_writing(self) -> None:
        """Go on: the client has fetched what there was."""
        self._cancel("fetch")
        super().resume_writing()

    def send_400_response(self, msg: str) -> None:
        """Answer what is not HTTP."""
        self._refuse(ProblemError(400, "this is not a request by HTTP: see whether the address needs http://"))

    def _refuse(self, problem: ProblemError) -> None:
        if self.cycle is not None and not self.cycle.response_complete:  # what comes is no HTTP from the middle on
            if self.cycle.response_started:
                self.transport.abort()
                return
            self.cycle.disconnected = True
            self.cycle.message_event.set()
        response = problem.response()
        head = [f"HTTP/1.1 {problem.status} {HTTPStatus(problem.status).phrase}".encode()]
        head += [name + b": " + value for name, value in [*response.raw_headers, (b"connection", b"close")]]
        self.transport.write(b"\r\n".join(head) + b"\r\n\r\n" + bytes(response.body))
        # What the client still sends is read and dropped for a while: unread, it would cost it the answer.
        self._is_refused = self._is_told = True
        self._cancel("head")
        self.transport.write_eof()
        self.loop.call_later(_LINGER, self.transport.close)

    def _wait_for_head(self) -> None:
        self._start("head", self.limits.head_seconds, self._head_is_late)

    def _head_is_late(self) -> None:
        self._cancel("head")
        if not self.transport.is_closing():
            seconds = self.limits.head_seconds
            self._refuse(ProblemError(408, f"the head of a request did not arrive within {seconds:g} s: send it again"))

    def _start(self, name: str, seconds: float, action: Callable[[], object]) -> None:
        self._cancel(name)
        self._timers[name] = self.loop.call_later(seconds, action)

    def _cancel(self, name: str) -> None:
        if name in self._timers:
            self._timers.pop(name).cancel()


def _too_many() -> ProblemError:
    return ProblemError(503, "too many connections: try again in 1 s", retry=1)


def _limits_of(app: Any) -> Limits:
    """Return the limits of the service within an application."""
    while app is not None:
        if isinstance(app, Guard):
            return app.limits
        app = getattr(app, "app", None)
    return Limits()
