"""Asks a model by httpx: several requests at a time, with retries, and with answers that are kept."""

from __future__ import annotations

import asyncio
import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple

import msgspec

from usim.errors import InputError, UsimError
from usim.llm._cache import AnswerCache, ChatAnswer
from usim.llm._endpoint import KEY_VARIABLE, Endpoint

_SHOWN = 200  # characters of what a server says about a request that it refuses
_TOP = 5  # likeliest first tokens that are asked for: some servers refuse more
#: What a server answers when it has too much to do, or fails.
_TRANSIENT = (408, 409, 429, 500, 502, 503, 504, 529)
_FIRST_PAUSE, _LONGEST_PAUSE = 0.25, 60.0  # seconds before a request is sent again
#: What reading JSON of another form raises.
_OTHER_FORM = (msgspec.DecodeError, UnicodeDecodeError, LookupError, TypeError, AttributeError, RecursionError)
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
    """

    requests: int = 0
    cached: int = 0
    tokens_in: int = 0
    tokens_out: int = 0

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
        InputError: ``httpx`` or ``httpx-retries`` is not installed, or the cache cannot be used.
    """

    def __init__(self, endpoint: Endpoint) -> None:
        try:
            import httpx
            from httpx_retries import Retry, RetryTransport
        except ImportError as e:
            raise InputError("asking a model needs two more packages: pip install httpx httpx-retries") from e
        self._httpx = httpx
        retry = Retry(
            total=endpoint.retries,
            allowed_methods=["POST"],
            status_forcelist=_TRANSIENT,
            backoff_factor=_FIRST_PAUSE,
            max_backoff_wait=_LONGEST_PAUSE,
        )
        self._open = lambda: httpx.AsyncClient(
            transport=RetryTransport(retry=retry), timeout=endpoint.seconds, trust_env=False
        )
        self.endpoint = endpoint
        self.usage = Usage()
        self._cache = AnswerCache(endpoint.cache)

    def ask(self, messages: Messages) -> ChatAnswer:
        """Return the answer to a chat; see :meth:`ask_all`."""
        return self.ask_all([messages])[0]

    def ask_all(self, chats: Iterable[Messages], *, first_tokens: bool = False) -> Sequence[ChatAnswer]:
        """Return the answers to chats, in order.

        Args:
            chats: what is asked.
            first_tokens: whether to ask for the log-probabilities of the first token.

        Raises:
            LlmError: the server cannot be reached, refuses a request, or answers something else, after all retries.
                Answers that were there before are in the cache.
            InputError: an answer cannot be kept.
        """
        from anyio.from_thread import start_blocking_portal

        settings: dict[str, Any] = {
            "max_tokens": self.endpoint.max_tokens,
            "temperature": 0.0,  # the likeliest answer
            **({"logprobs": True, "top_logprobs": _TOP} if first_tokens else {}),
        }
        # A thread of its own: the caller may be in an event loop itself, as in a notebook.
        with start_blocking_portal() as portal:
            return portal.call(self._answers, chats, settings)

    async def _answers(self, chats: Iterable[Messages], settings: dict[str, Any]) -> Sequence[ChatAnswer]:
        places = asyncio.Semaphore(self.endpoint.concurrency)
        async with self._open() as client:

            async def answer(chat: Messages) -> ChatAnswer:
                request = {"model": self.endpoint.model, "messages": [message._asdict() for message in chat]}
                key = [self.endpoint.url, request, settings]
                async with places:
                    known = self._cache.get(key)
                    if known is not None:
                        self.usage.cached += 1
                        return known
                    new = self._read(await self._post(client, request, settings))
                    self._cache.put(key, new)
                self.usage.requests += 1
                self.usage.tokens_in += new.tokens_in or 0
                self.usage.tokens_out += new.tokens_out or 0
                return new

            return await asyncio.gather(*map(answer, chats))

    async def _post(self, client: Any, request: dict[str, Any], settings: dict[str, Any]) -> bytes:
        """Return the body of the answer to a request; one that is refused is sent again without its settings.

        Some servers, and some models, refuse settings that others need.
        """
        url = f"{self.endpoint.url.rstrip('/')}/chat/completions"
        headers = {"Authorization": f"Bearer {self.endpoint.key}"} if self.endpoint.key else {}
        try:
            response = await client.post(url, json=request | settings, headers=headers)
        except self._httpx.TimeoutException as e:
            hint = "see what holds the server up, or give it longer"
            raise LlmError(f"no answer within {self.endpoint.seconds:g} s: {hint}", path=self.endpoint.url) from e
        except (self._httpx.HTTPError, self._httpx.InvalidURL) as e:
            message = f"the server cannot be reached ({self._shown(str(e))}): see whether it runs, and at this address"
            raise LlmError(message, path=self.endpoint.url) from e
        if response.status_code == 200:
            return bytes(response.content)
        if response.status_code == 400 and settings:
            return await self._post(client, request, {})
        raise self._refusal(response.status_code, response.content)

    def _refusal(self, status: int, body: bytes) -> LlmError:
        try:
            said = self._shown(msgspec.json.decode(body)["error"]["message"])
        except _OTHER_FORM:
            said = ""
        key = "give the right key" if self.endpoint.key else "give a key"
        hints = {401: f"{key} in {KEY_VARIABLE}", 404: "see the names of the model and of the address"}
        hint = hints.get(status, "go on later, or with fewer requests at a time" if status >= 429 else "")
        message = f"the server refuses the request ({': '.join(filter(None, (str(status), said)))})"
        return LlmError(": ".join(filter(None, (message, hint))), path=self.endpoint.url)

    def _read(self, body: bytes) -> ChatAnswer:
        try:
            completion = msgspec.json.decode(body)
            choice, usage = completion["choices"][0], completion.get("usage") or {}
            text = choice["message"]["content"]
            if text is None and choice["finish_reason"] == "length":  # the model has thought up to the limit
                text = ""
            tokens = (choice.get("logprobs") or {}).get("content") or []
            likeliest = (tokens[0].get("top_logprobs") or tokens[:1]) if tokens else ()
            first = {token["token"]: token["logprob"] for token in likeliest} or None
            return msgspec.convert(
                {"text": text, "first": first, "tokens_in": usage.get("prompt_tokens"),
                 "tokens_out": usage.get("completion_tokens")},
                ChatAnswer,
            )  # fmt: skip
        except _OTHER_FORM as e:
            raise LlmError(
                "the answer is not what the protocol of OpenAI's chat completions says: see whether the address is "
                "right",
                path=self.endpoint.url,
                text=self._shown(body.decode("utf-8", "replace")),
            ) from e

    def _shown(self, text: str) -> str:
        """Return what a server says as one line, shortened, without the key; it is cut last, so no half of it stays."""
        return " ".join(text.replace(self.endpoint.key or "\0", "…").split())[:_SHOWN]
