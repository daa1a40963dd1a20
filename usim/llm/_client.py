"""Asks a model by httpx: several requests at a time, with retries, and with answers that are kept."""

from __future__ import annotations

import asyncio
import random
import re
from collections import deque
from collections.abc import Iterable, Iterator, Mapping
from concurrent.futures import Future
from dataclasses import dataclass
from typing import Any, NamedTuple

import msgspec
from msgspec import Struct

from usim.errors import InputError, UsimError
from usim.http import bounded_client
from usim.llm._cache import AnswerCache, ChatAnswer, LogProbability
from usim.llm._endpoint import KEY_VARIABLE, Endpoint

_SHOWN = 200  # characters of what a server says about a request that it refuses
_TOP = 5  # likeliest first tokens that are asked for: some servers refuse more
_FIRST_PAUSE, _LONGEST_PAUSE = 0.5, 60.0  # seconds before a request is sent again
#: Settings that a server may not know, and the name under which each is sent then; None to leave it out.
_INSTEAD = {"logprobs": None, "top_logprobs": None, "temperature": None, "max_tokens": "max_completion_tokens"}
_THOUGHT = re.compile(r"\s*<think>.*?</think>", re.DOTALL)


def without_thoughts(text: str) -> str:
    """Return an answer without the thoughts that some models write before it, between tags.

    >>> without_thoughts("<think>Yes or no?</think>yes")
    'yes'
    """
    return _THOUGHT.sub("", text, count=1)


class LlmError(UsimError):
    """A server that cannot be reached, refuses a request, or answers with something else."""


class Message(NamedTuple):
    """A message of a chat: its role, ``system``, ``user`` or ``assistant``, and its text."""

    role: str
    content: str


#: A chat up to the place where the model goes on.
Messages = tuple[Message, ...]


@dataclass
class Usage:
    """Counts of requests and tokens.

    Attributes:
        requests, tokens_in, tokens_out: the answers of the server, and their tokens as far as it counts them.
        cached: how many answers were in the cache, which cost nothing.
        by_number: how many questions were put a second time, for a number, as the caller says.
        unparsed: how many answers were not of the form that was asked for, as the caller says.
    """

    requests: int = 0
    cached: int = 0
    tokens_in: int = 0
    tokens_out: int = 0
    by_number: int = 0
    unparsed: int = 0

    def text(self) -> str:
        """Return the counts as one line.

        >>> Usage(2, 1, 300, 40).text()
        '2 requests, 1 answer from the cache, 300 tokens in, 40 tokens out'
        """
        counts = (
            (self.requests, "request", ""),
            (self.cached, "answer", " from the cache"),
            (self.tokens_in, "token", " in"),
            (self.tokens_out, "token", " out"),
        )
        return ", ".join(f"{n:,} {unit}{'' if n == 1 else 's'}{where}" for n, unit, where in counts)


class ChatModel:
    """A model that answers chats, on the server of an endpoint.

    Attributes:
        usage: what was asked so far.

    Raises:
        InputError: the package ``httpx`` is not installed, or the cache cannot be used.
    """

    def __init__(self, endpoint: Endpoint) -> None:
        try:
            import httpx
        except ImportError as e:
            raise InputError("asking a model needs one more package: pip install httpx") from e
        self._httpx = httpx
        self.endpoint = endpoint
        self.usage = Usage()
        self._cache = AnswerCache(endpoint.cache)
        self._refused: set[str] = set()  # settings that the server does not know

    def ask(self, messages: Messages) -> ChatAnswer:
        """Return the answer to a chat; see :meth:`ask_all`."""
        (answer,) = self.ask_all([messages])
        return answer

    def ask_all(
        self, chats: Iterable[Messages], *, first_tokens: bool = False, max_tokens: int | None = None
    ) -> Iterator[ChatAnswer]:
        """Yield the answers to chats, in order.

        Args:
            chats: what is asked.
            first_tokens: whether to ask for the log-probabilities of the first token.
            max_tokens: the longest answer, in place of that of the endpoint.

        Raises:
            LlmError: the server cannot be reached, refuses a request, or answers something else, after all retries.
                Answers that were there before are in the cache.
            InputError: an answer cannot be kept.
        """
        from anyio.from_thread import start_blocking_portal

        settings: dict[str, Any] = {
            "model": self.endpoint.model,
            "max_tokens": max_tokens or self.endpoint.max_tokens,
            "temperature": 0.0,  # the likeliest answer
            **({"logprobs": True, "top_logprobs": _TOP} if first_tokens else {}),
        }
        pending: deque[Future[ChatAnswer]] = deque()
        places = asyncio.Semaphore(self.endpoint.concurrency)
        client = bounded_client(self._httpx, self.endpoint.seconds)
        # A thread of its own: the caller may be in an event loop itself, as in a notebook.
        with start_blocking_portal() as portal, portal.wrap_async_context_manager(client):
            for chat in chats:
                request = settings | {"messages": [message._asdict() for message in chat]}
                pending.append(portal.start_task_soon(self._answer, client, places, request))
                if len(pending) > 2 * self.endpoint.concurrency:
                    yield pending.popleft().result()
            while pending:
                yield pending.popleft().result()

    async def _answer(self, client: Any, places: asyncio.Semaphore, request: dict[str, Any]) -> ChatAnswer:
        async with places:
            known = self._cache.get([self.endpoint.url, request])
            if known is not None:
                self.usage.cached += 1
                return known
            answer = self._read(await self._sent(client, request))
            self.usage.requests += 1
            self.usage.tokens_in += answer.tokens_in or 0
            self.usage.tokens_out += answer.tokens_out or 0
            self._cache.put([self.endpoint.url, request], answer)
            return answer

    async def _sent(self, client: Any, request: Mapping[str, Any]) -> bytes:
        """Return the body of the answer to a request, which is sent again where that may help."""
        url = f"{self.endpoint.url.rstrip('/')}/chat/completions"
        headers = {"Authorization": f"Bearer {self.endpoint.key}"} if self.endpoint.key else {}
        retries = 0
        while True:
            known = {name: value for name, value in request.items() if name not in self._refused}
            known |= {new: request[old] for old, new in _INSTEAD.items() if new and old in self._refused}
            response = None
            try:
                response = await client.post(url, json=known, headers=headers)
                if response.status_code == 200:
                    return bytes(response.content)
                told = _told(response.content)
                if response.status_code == 400 and told.param in _INSTEAD.keys() & known.keys():
                    # A server that does not know one of these two does not know the other.
                    self._refused |= {"logprobs", "top_logprobs"} if "logprobs" in told.param else {told.param}
                    continue
                error = self._refusal(response.status_code, told.message)
                is_final = response.status_code not in (408, 409, 429) and response.status_code < 500
            except (self._httpx.HTTPError, self._httpx.InvalidURL) as e:
                error, is_final = self._unreachable(e), False
            if is_final or retries == self.endpoint.retries:
                message, hint = error
                again = f", asked {retries + 1} times" if retries else ""
                raise LlmError(f"{message}{again}{': ' + hint if hint else ''}", path=self.endpoint.url)
            await asyncio.sleep(_pause(response, retries))
            retries += 1

    def _unreachable(self, error: Exception) -> tuple[str, str]:
        """Return what went wrong on the way, and what to do."""
        if isinstance(error, self._httpx.TimeoutException):
            return f"no answer within {self.endpoint.seconds:g} s", "see what holds the server up, or give it longer"
        return f"the server cannot be reached ({self._shown(str(error))})", "see whether it runs, and at this address"

    def _refusal(self, status: int, message: str) -> tuple[str, str]:
        """Return what a server says that refuses a request, and what to do."""
        shown = self._shown(message)
        key = "give the right key" if self.endpoint.key else "give a key"
        hints = {401: f"{key} in {KEY_VARIABLE}", 404: "see the names of the model and of the address"}
        hint = hints.get(status, "go on later, or with fewer requests at a time" if status >= 429 else "")
        return f"the server refuses the request ({status}{': ' + shown if shown else ''})", hint

    def _read(self, body: bytes) -> ChatAnswer:
        try:
            completion = msgspec.json.decode(body, type=_Completion)
            choice, usage = completion.choices[0], completion.usage or _Tokens()
            text = choice.message.content
            if text is None and choice.finish_reason == "length":  # the model has thought up to the limit
                text = ""
            if text is not None:
                return ChatAnswer(text, choice.first, usage.prompt_tokens, usage.completion_tokens)
        except (msgspec.DecodeError, UnicodeDecodeError, LookupError, RecursionError):
            pass
        raise LlmError(
            "the answer is not what the protocol of OpenAI's chat completions says: see whether the address is right",
            path=self.endpoint.url,
            text=self._shown(body.decode("utf-8", "replace")),
        )

    def _shown(self, text: str) -> str:
        """Return what a server says as one line, shortened, without the key; it is cut last, so no half of it stays."""
        return " ".join(text.replace(self.endpoint.key or "\0", "…").split())[:_SHOWN]


def _pause(response: Any, retries: int) -> float:
    """Return the seconds until a request is sent again: what the server asks for, else longer and longer."""
    try:
        asked = float(response.headers["retry-after"])
    except (AttributeError, LookupError, ValueError):
        asked = -1.0
    return asked if 0 <= asked <= _LONGEST_PAUSE else _FIRST_PAUSE * 2**retries * random.uniform(0.75, 1)


# What is read of an answer.


class _Told(Struct):
    message: str = ""
    param: str | None = None


class _Refusal(Struct):
    error: _Told


def _told(body: bytes) -> _Told:
    """Return what a server says of a request that it refuses; nothing where it does not say it in the usual form."""
    try:
        return msgspec.json.decode(body, type=_Refusal).error
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError):
        return _Told()


class _Tokens(Struct):
    prompt_tokens: int | None = None
    completion_tokens: int | None = None


class _Token(Struct):
    token: str
    logprob: LogProbability
    top_logprobs: list[_Token] | None = None


class _LogProbabilities(Struct):
    content: list[_Token] | None = None


class _Text(Struct):
    content: str | None


class _Choice(Struct):
    message: _Text
    finish_reason: str | None = None
    logprobs: _LogProbabilities | None = None

    @property
    def first(self) -> dict[str, float] | None:
        """The likeliest first tokens with their log-probabilities."""
        content = self.logprobs and self.logprobs.content
        return {each.token: each.logprob for each in content[0].top_logprobs or content[:1]} if content else None


class _Completion(Struct):
    choices: list[_Choice]
    usage: _Tokens | None = None
