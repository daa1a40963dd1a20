"""Asks a model by the package ``openai``: several requests at a time, with answers that are kept."""

from __future__ import annotations

import asyncio
import threading
from collections import deque
from collections.abc import AsyncIterator, Iterable, Iterator, Mapping
from concurrent.futures import Future
from contextlib import asynccontextmanager
from importlib import import_module
from typing import Any

import msgspec
from msgspec import Struct

from usim.errors import InputError
from usim.http import bounded_client
from usim.llm._cache import AnswerCache
from usim.llm._endpoint import KEY_VARIABLE, Endpoint
from usim.llm._messages import ChatAnswer, LlmError, LogProbability, Messages, Usage

_SHOWN = 200  # characters of what a server says about a request that it refuses
_TOP = 5  # likeliest first tokens that are asked for: some servers refuse more
#: Settings that a server may not know, and what is sent in their place.
_INSTEAD = {"logprobs": None, "top_logprobs": None, "temperature": None, "max_tokens": "max_completion_tokens"}


class ChatModel:
    """A model that answers chats, on the server of an endpoint.

    Attributes:
        usage: what was asked so far.

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
        self._cache = AnswerCache(endpoint.cache)
        self._refused: set[str] = set()  # settings that the server does not know
        self._lock = threading.Lock()  # of the counts: several threads may ask

    @asynccontextmanager
    async def _client(self) -> AsyncIterator[Any]:
        """Open connections to the server for the block."""
        openai, endpoint = self._openai, self.endpoint
        # The package has its own copy of httpx, or takes the one that is installed.
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

        settings: dict[str, Any] = {
            "model": self.endpoint.model,
            "max_tokens": max_tokens or self.endpoint.max_tokens,
            "temperature": self.endpoint.temperature,
            **({"logprobs": True, "top_logprobs": _TOP} if first_tokens else {}),
            **({} if seed is None else {"seed": seed}),
        }
        pending: deque[Future[ChatAnswer]] = deque()
        places = asyncio.Semaphore(self.endpoint.concurrency)
        # A thread of its own: the caller may be in an event loop itself, as in a notebook.
        with start_blocking_portal() as portal, portal.wrap_async_context_manager(self._client()) as client:
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
            answer = known or await self._sent(client, request)
            with self._lock:
                if known is None:
                    self.usage.add(answer)
                else:
                    self.usage.cached += 1
            if known is None:
                self._cache.put([self.endpoint.url, request], answer)
            return answer

    async def _sent(self, client: Any, request: Mapping[str, Any]) -> ChatAnswer:
        """Send a request, and again without each setting that the server says it does not know."""
        openai = self._openai
        while True:
            known = {name: value for name, value in request.items() if name not in self._refused}
            known |= {new: request[old] for old, new in _INSTEAD.items() if new and old in self._refused}
            try:
                response = await client.chat.completions.with_raw_response.create(**known)
                return self._read(response.content)
            except openai.BadRequestError as e:
                if e.param not in known or e.param not in _INSTEAD:
                    raise self._error(e) from None
                self._refused |= {"logprobs", "top_logprobs"} if "logprobs" in e.param else {e.param}
            except openai.OpenAIError as e:
                raise self._error(e) from None

    def _error(self, error: Any) -> LlmError:
        """Return the error of the package as one line that says what to do."""
        openai, endpoint = self._openai, self.endpoint
        status = getattr(error, "status_code", None)
        if isinstance(error, openai.APITimeoutError):
            text, hint = f"no answer within {endpoint.seconds:g} s", "see what holds the server up, or give it longer"
        elif status is None:
            reason = self._shown(str(error.__cause__ or error))
            text, hint = f"the server cannot be reached ({reason})", "see whether it runs, and at this address"
        else:
            said = error.body.get("message") if isinstance(error.body, dict) else error.body
            shown = self._shown(said) if isinstance(said, str) else ""
            text = f"the server refuses the request ({status}{': ' + shown if shown and shown[0] != '<' else ''})"
            key = "give the right key" if endpoint.key else "give a key"
            hints = {401: f"{key} in {KEY_VARIABLE}", 404: "see the names of the model and of the address"}
            hint = hints.get(status, "go on later, or with fewer requests at a time" if status >= 429 else "")
        is_repeated = endpoint.retries and (status is None or status == 429 or status >= 500)
        again = f", asked {endpoint.retries + 1} times" if is_repeated else ""
        return LlmError(f"{text}{again}{': ' + hint if hint else ''}", path=endpoint.url)

    def _read(self, body: bytes) -> ChatAnswer:
        """Read the body of an answer."""
        try:
            completion = msgspec.json.decode(body, type=_Completion)
            choice, usage = completion.choices[0], completion.usage or _Tokens()
            is_cut = choice.finish_reason == "length"
            text = choice.message.content
            if text is None and is_cut:  # the model has thought up to the limit
                text = ""
            if text is not None:
                return ChatAnswer(text, is_cut, choice.first, usage.prompt_tokens, usage.completion_tokens)
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


# What is read of a chat completion.


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
