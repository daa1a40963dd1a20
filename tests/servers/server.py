"""A server that speaks OpenAI's protocol as far as usim asks, on this machine, with the faults that real ones have."""

from __future__ import annotations

import json
import threading
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from email.message import Message
from typing import Any

from tests.serve.answering import Reply, answering

Request = dict[str, Any]


class FaultError(Exception):
    """An answer other than a completion: a status of HTTP, a body as bytes or JSON values, and further headers."""

    def __init__(self, status: int, body: bytes | dict[str, Any], **headers: str) -> None:
        super().__init__(status)
        self.status, self.body = status, body
        self.headers = {name.replace("_", "-"): value for name, value in headers.items()}


def fault(status: int, message: str, **members: str) -> FaultError:
    """Return an error as OpenAI writes it; a client may try again at once."""
    return FaultError(status, {"error": {"message": message, **members}}, retry_after="0")


class LlmServer:
    """What was asked, and how it is answered."""

    def __init__(self, answer: Callable[[Request], str | dict[str, Any]]) -> None:
        self.url = ""
        self.answer = answer
        self.requests: list[Request] = []  # what was asked, in order
        self.keys: list[str | None] = []  # what stood in the header Authorization
        self.busy = self.busiest = 0  # how many requests are, and were at most, under way at a time
        self.lock = threading.Lock()
        #: The bytes of each answer, head and all, from the headers of its request; None for completions.
        self.raw: Callable[[Message], Iterable[bytes]] | None = None

    def reply(self, path: str, body: bytes, headers: Message) -> Reply:
        """Answer a request of HTTP."""
        if self.raw is not None:
            return self.raw(headers)
        request = json.loads(body)
        with self.lock:
            self.requests.append(request)
            self.keys.append(headers["Authorization"])
            self.busy += 1
            self.busiest = max(self.busiest, self.busy)
        try:
            if path != "/v1/chat/completions":
                raise fault(404, "no such page")
            answer = self.answer(request)
            return 200, answer if isinstance(answer, dict) else completion(answer), {}
        except FaultError as e:
            return e.status, e.body, e.headers
        finally:
            with self.lock:  # before the client can send the next request
                self.busy -= 1


def completion(text: str, *, finish: str = "stop", first: dict[str, float] | None = None) -> dict[str, Any]:
    """Return a completion of 10 tokens in and 2 tokens out."""
    choice: dict[str, Any] = {
        "index": 0,
        "message": {"role": "assistant", "content": text},
        "finish_reason": finish,
    }
    if first is not None:
        top = [{"token": token, "logprob": value} for token, value in first.items()]
        choice["logprobs"] = {"content": [{**top[0], "top_logprobs": top}]}
    return {
        "id": "1", "object": "chat.completion", "created": 0, "model": "m", "choices": [choice],
        "usage": {"prompt_tokens": 10, "completion_tokens": 2, "total_tokens": 12},
    }  # fmt: skip


def in_turn(answers: Sequence[str | dict[str, Any] | FaultError]) -> Callable[[Request], str | dict[str, Any]]:
    """Return a function that gives the answers one after the other, and the last one from then on."""
    left = list(answers)

    def answer(_: Request) -> str | dict[str, Any]:
        value = left.pop(0) if len(left) > 1 else left[0]
        if isinstance(value, FaultError):
            raise value
        return value

    return answer


HEAD = b"HTTP/1.0 200 OK\r\nContent-Type: application/json\r\n"


@contextmanager
def serving(answer: Callable[[Request], str | dict[str, Any]]) -> Iterator[LlmServer]:
    """Run a server for the block."""
    server = LlmServer(answer)
    with answering(server.reply) as url:
        server.url = f"{url}/v1"
        yield server
