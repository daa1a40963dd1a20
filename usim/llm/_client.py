"""Asks a model: several requests at a time, each sent again where that may help, with answers that are kept."""

from __future__ import annotations

import asyncio
import re
import threading
from collections import deque
from collections.abc import AsyncIterator, Callable, Iterable, Iterator, Mapping
from concurrent.futures import Future
from contextlib import asynccontextmanager
from dataclasses import replace
from importlib import import_module
from typing import Any

from usim.errors import InputError
from usim.http import bounded_client
from usim.llm._cache import AnswerCache
from usim.llm._endpoint import KEY_VARIABLE, Endpoint
from usim.llm._messages import ChatAnswer, LlmError, Messages, Usage
from usim.text.files import parse_json

_SHOWN = 200  # characters of what a server says about a request that it refuses
_TOP = 5  # likeliest first tokens that are asked for: more than some servers give are refused
#: What is sent in the place of a setting that a server says it does not know.
_INSTEAD = {"max_tokens": "max_completion_tokens"}
_DISPENSABLE = ("logprobs", "top_logprobs", "temperature", "max_tokens")


class ChatModel:
    """A model that answers chats, on the server of an endpoint.

    Attributes:
        usage: what was asked so far.
        watch: called after each answer, for who shows how far a run is.

    Raises:
        InputError: the package ``openai`` is not installed, or the cache cannot be used.
    """

    def __init__(self, endpoint: Endpoint) -> None:
        try:
            import openai
        except ImportError as e:
            raise InputError(f"asking a model needs one more package ({e.name}): pip install openai") from e
        self._openai = openai
        self.endpoint = endpoint
        self.usage = Usage()
        self.watch: Callable[[], None] = lambda: None
        self._cache = AnswerCache(endpoint.cache)
        self._refused: set[str] = set()  # settings that the server does not know
        self._lock = threading.Lock()  # of the counts: several threads may ask
        # As a server may write it within JSON.
        self._key = re.compile(r"\\*".join(map(re.escape, endpoint.key))) if endpoint.key else None

    @asynccontextmanager
    async def _client(self) -> AsyncIterator[Any]:
        """Open connections to the server for the block."""
        openai, endpoint = self._openai, self.endpoint
        # The package has its own copy of httpx, which an earlier version of it had not.
        http = import_module(openai.DefaultAsyncHttpxClient.__mro__[1].__module__.partition(".")[0])
        async with openai.AsyncOpenAI(
            base_url=endpoint.url,
            api_key=endpoint.key or "none",
            timeout=endpoint.seconds,
            max_retries=endpoint.retries,
            http_client=bounded_client(http, endpoint.seconds),
        ) as client:
            client.organization = client.project = None  # the package would take them from the environment
            yield client

    def ask(self, messages: Messages, *, first_tokens: bool = False, seed: int | None = None) -> ChatAnswer:
        """Return the answer to a chat; see :meth:`ask_all`."""
        (answer,) = self.ask_all([messages], first_tokens=first_tokens, seed=seed)
        return answer

    def ask_all(
        self,
        chats: Iterable[Messages],
        *,
        first_tokens: bool = False,
        max_tokens: int | None = None,
        seed: int | None = None,
    ) -> Iterator[ChatAnswer]:
        """Yield the answers to chats, in order.

        Args:
            chats: what is asked.
            first_tokens: whether to ask for the log-probabilities of the first token.
            max_tokens: the longest answer, in place of that of the endpoint.
            seed: the seed of the server's draws, for another answer to the same chat; it needs a temperature above 0.

        Raises:
            LlmError: the server cannot be reached, refuses a request, or answers something else, after all retries.
                Answers that were there before are in the cache.
            InputError: an answer cannot be kept.
        """
        from anyio.from_thread import start_blocking_portal

        pending: deque[Future[ChatAnswer]] = deque()
        places = asyncio.Semaphore(self.endpoint.concurrency)
        # A thread of its own: the caller may be in an event loop itself, as in a notebook.
        with start_blocking_portal() as portal, portal.wrap_async_context_manager(self._client()) as client:
            for chat in chats:
                request = self._request(chat, first_tokens, max_tokens or self.endpoint.max_tokens)
                request |= {} if seed is None else {"seed": seed}
                pending.append(portal.start_task_soon(self._answer, client, places, request))
                if len(pending) > 2 * self.endpoint.concurrency:
                    yield self._next(pending)
            while pending:
                yield self._next(pending)

    def _next(self, pending: deque[Future[ChatAnswer]]) -> ChatAnswer:
        answer = pending.popleft().result()
        self.watch()
        return answer

    async def _answer(self, client: Any, places: asyncio.Semaphore, request: dict[str, Any]) -> ChatAnswer:
        async with places:
            known = self._cache.get([self.endpoint.url, request])
            if known is not None:
                with self._lock:
                    self.usage.cached += 1
                return known
            answer = await self._sent(client, request)
            with self._lock:
                self.usage.add(answer)
            self._cache.put([self.endpoint.url, request], answer)
            return answer

    def _request(self, messages: Messages, first_tokens: bool, max_tokens: int) -> dict[str, Any]:
        """Return the full request; the cache finds its answer by it."""
        request: dict[str, Any] = {
            "model": self.endpoint.model,
            "messages": [message._asdict() for message in messages],
            "max_tokens": max_tokens,
            "temperature": self.endpoint.temperature,
        }
        return request | ({"logprobs": True, "top_logprobs": _TOP} if first_tokens else {})

    async def _sent(self, client: Any, request: Mapping[str, Any]) -> ChatAnswer:
        """Send a request, and again without each setting that the server says it does not know."""
        openai = self._openai
        while True:
            known = dict(request)
            for setting in self._refused & set(known):
                value = known.pop(setting)
                if setting in _INSTEAD:
                    known[_INSTEAD[setting]] = value
            try:
                response = await client.chat.completions.with_raw_response.create(**known)
                return self._read(response.content)
            except openai.BadRequestError as e:
                setting = e.param if isinstance(e.param, str) else ""
                if setting not in known or setting not in _DISPENSABLE:
                    raise self._error(e) from None
                self._refused |= {"logprobs", "top_logprobs"} if "logprobs" in setting else {setting}
            except openai.OpenAIError as e:
                raise self._error(e) from None

    def _error(self, error: Any) -> LlmError:
        """Return the error of the package as one line that says what to do."""
        openai, endpoint = self._openai, self.endpoint
        again = f", asked {endpoint.retries + 1} times" if endpoint.retries else ""
        if isinstance(error, openai.APITimeoutError):
            text = f"no answer within {endpoint.seconds:g} s{again}: see what holds the server up, or give it longer"
        elif isinstance(error, openai.APIConnectionError):
            reason = self._shown(str(error.__cause__ or error))
            text = f"the server cannot be reached ({reason}){again}: see whether it runs, and at this address"
        elif isinstance(error, openai.APIStatusError):
            text = self._status_text(error, again)
        else:
            text = f"the answer is not what the protocol says ({self._shown(str(error))})"
        return LlmError(text, path=endpoint.url)

    def _status_text(self, error: Any, again: str) -> str:
        body = error.body
        message = body.get("message") if isinstance(body, dict) else body
        said = self._shown(message) if isinstance(message, str) else ""
        status = f"{error.status_code}: {said}" if said and not said.startswith("<") else f"{error.status_code}"
        if error.status_code in (401, 403):
            key = f"give one in {KEY_VARIABLE}" if self.endpoint.key is None else "give the right one"
            return f"the server does not take the key ({status}): {key}"
        if error.status_code == 404:
            return f"no such model or address ({status}): see the names of both"
        if error.status_code == 429:
            return f"too many requests ({status}){again}: go on later, or with fewer at a time"
        if error.status_code >= 500:
            return f"the server failed ({status}){again}: go on later"
        return f"the server refuses the request ({status})"

    def _read(self, body: bytes) -> ChatAnswer:
        """Read the body of an answer."""
        try:
            value = parse_json(body)
            choice = value["choices"][0]
            is_cut = choice.get("finish_reason") == "length"
            text = choice["message"]["content"]
            if text is None and is_cut:  # the model has thought up to the limit
                text = ""
            usage = value.get("usage") or {}
            counts = [usage.get(f"{name}_tokens") for name in ("prompt", "completion")]
            tokens = (n if isinstance(n, int) and n >= 0 else None for n in counts)
            return self._remove_key(ChatAnswer(text, is_cut, _first_tokens(choice), *tokens))
        except (ValueError, TypeError, KeyError, IndexError, AttributeError):
            raise LlmError(
                "the answer is not what the protocol of OpenAI's chat completions says: see whether the address is "
                "right",
                path=self.endpoint.url,
                text=self._shown(body.decode("utf-8", "replace")),
            ) from None

    def _shown(self, text: str) -> str:
        """Return what a server says as one line, shortened, without the key; it is cut last, so no half of it stays."""
        return " ".join(self._without_key(text).split())[:_SHOWN]

    def _without_key(self, text: str) -> str:
        return self._key.sub("…", text) if self._key else text

    def _remove_key(self, answer: ChatAnswer) -> ChatAnswer:
        """Return an answer as it may be kept: a server that sends the key back is not repeated."""
        if self._key is None:
            return answer
        first = answer.first and {self._without_key(token): value for token, value in answer.first.items()}
        return replace(answer, text=self._without_key(answer.text), first=first)


def _first_tokens(choice: Mapping[str, Any]) -> dict[str, float] | None:
    content = (choice.get("logprobs") or {}).get("content")
    if not content:
        return None
    return {item["token"]: item["logprob"] for item in content[0].get("top_logprobs") or [content[0]]}
