"""Large language models behind a server that the user names and that speaks OpenAI's protocol, by ``httpx``.

No connection is opened to any address but that of the :class:`Endpoint`.
"""

from __future__ import annotations

import asyncio
import json
import os
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field
from functools import partial
from hashlib import blake2b
from pathlib import Path
from typing import Any, NamedTuple
from urllib.parse import urlsplit

import msgspec

from usim.errors import InputError, OptionError, UsimError
from usim.servers._access import check_address, check_key, masked, together, web_packages

#: The environment variables of the address and the key.
_ENDPOINT, _KEY = "USIM_LLM_ENDPOINT", "USIM_LLM_KEY"
#: Environment variables with whole numbers, the field of :class:`Endpoint` that each sets, and the most it can be.
_LIMITS = {
    "USIM_LLM_CONCURRENCY": ("concurrency", 1000),
    "USIM_LLM_MAX_TOKENS": ("max_tokens", 1_000_000),
    "USIM_LLM_TIMEOUT": ("seconds", 86_400),
}
_SHOWN = 200  # characters of what a server says about a request that it refuses
_TOP = 5  # likeliest first tokens that are asked for: some servers refuse more
#: What a server answers when it has too much to do, or fails.
_TRANSIENT = (408, 409, 429, 500, 502, 503, 504, 529)
_FIRST_PAUSE, _LONGEST_PAUSE = 0.25, 60.0  # seconds before a request is sent again
#: What reading JSON of another form raises.
_OTHER_FORM = (msgspec.DecodeError, UnicodeDecodeError, LookupError, TypeError, AttributeError, RecursionError)
_MARK = b'{"usim_answers": 1}'  # the first line of a file of answers, so that no other file is taken for one
_UNUSABLE = "not usable as a cache of answers ({}); name another file"


class LlmError(UsimError):
    """A server that cannot be reached, refuses a request, or answers with something else."""


@dataclass(frozen=True, kw_only=True)
class Endpoint:
    """A model behind an OpenAI-compatible server, and the limits on requests.

    Attributes:
        url: the address of the server, up to and with ``/v1``.
        model: the name of the model.
        key: what the server asks for as a password; None for none. It is never shown.
        seconds: how long the server may be silent.
        retries: how often a request is sent again when the server has too much to do, fails or cannot be reached.
        max_tokens: the longest answer, thoughts included.
        concurrency: how many requests are under way at a time.
        cache: the file that keeps the answers; None to keep them in memory alone.

    Raises:
        OptionError: the address is none, or no model is named.
        InputError: the key cannot be one.
    """

    url: str
    model: str
    key: str | None = field(default=None, repr=False)
    seconds: float = 60.0
    retries: int = 5
    max_tokens: int = 512
    concurrency: int = 4
    cache: Path | None = None

    def __post_init__(self) -> None:
        check_address(self.url, "http://localhost:8000/v1", partial(OptionError, option="endpoint"))
        if not self.model:
            raise OptionError("a model must be named", option="model")
        check_key(self.key, _KEY, InputError)

    @property
    def host(self) -> str:
        """The host of the server, for signatures."""
        return urlsplit(self.url).hostname or ""

    @classmethod
    def from_environment(cls, model: str, **settings: Any) -> Endpoint:
        """Return the endpoint that the environment variables name, with other ``settings``.

        ``USIM_LLM_ENDPOINT`` is the address; ``USIM_LLM_KEY`` the key, ``USIM_LLM_CACHE`` the cache,
        ``USIM_LLM_CONCURRENCY`` the number of requests at a time, ``USIM_LLM_MAX_TOKENS`` the longest answer and
        ``USIM_LLM_TIMEOUT`` the seconds that the server may be silent, where they are set.

        Raises:
            OptionError: there is no address, or a variable has a wrong value.
        """
        url = os.environ.get(_ENDPOINT)
        if not url:
            raise OptionError(f"which server has the model {model}? Name it by {_ENDPOINT}", option="endpoint")
        for variable, (name, most) in _LIMITS.items():
            if (text := os.environ.get(variable)) is not None:
                if not text.isdecimal() or not 1 <= int(text[:9]) <= most:
                    raise OptionError(f"{variable} must be a number from 1 to {most}", option=name)
                settings[name] = int(text)
        cache = os.environ.get("USIM_LLM_CACHE")
        key = os.environ.get(_KEY) or None
        return cls(url=url, model=model, key=key, cache=Path(cache) if cache else None, **settings)


class Message(NamedTuple):
    """A message of a chat: its role, ``system``, ``user`` or ``assistant``, and its text."""

    role: str
    content: str


#: A chat up to the place where the model goes on.
Messages = tuple[Message, ...]


class ChatAnswer(msgspec.Struct, frozen=True):
    """What a model answered.

    Attributes:
        text: the answer.
        first: the likeliest first tokens with their log-probabilities; None where the server gives none.
        tokens_in, tokens_out: how many tokens the server counted; None where it does not say.
    """

    text: str
    first: dict[str, float] | None = None
    tokens_in: int | None = None
    tokens_out: int | None = None


def without_thoughts(text: str) -> str:
    """Return an answer without the thoughts that some models write before it, between tags.

    >>> without_thoughts("<think>Yes or no?</think>yes")
    'yes'
    """
    before, _, thought = text.partition("<think>")
    _, end, answer = thought.partition("</think>")
    return before.rstrip() + answer if end else text


class _KeptAnswer(msgspec.Struct):
    key: str
    answer: ChatAnswer


class AnswerCache:
    """Answers by requests, in memory and in a file of JSON lines, to which each is added as soon as it is there.

    Several processes may add to the file. It holds digests of the requests, and no key. A line that was cut or damaged
    is asked again.

    Raises:
        InputError: the file cannot be read or written, or is something else.
    """

    def __init__(self, path: Path | None = None) -> None:
        self._path = path
        self._answers: dict[str, ChatAnswer] = {}
        if path is None:
            return
        if not os.path.lexists(path):
            self._add(_MARK)
        try:
            mark, *lines = path.read_bytes().splitlines() or [b""]
        except OSError as e:
            raise InputError(_UNUSABLE.format(e.strerror), path=path) from e
        if mark != _MARK:
            raise InputError("a file, but no cache of answers; name another file", path=path)
        for line in lines:
            try:
                kept = msgspec.json.decode(line, type=_KeptAnswer)
            except (msgspec.DecodeError, UnicodeDecodeError, RecursionError):
                continue
            self._answers[kept.key] = kept.answer

    def get(self, request: Any) -> ChatAnswer | None:
        """Return the answer to a request, given as JSON values; None if there is none."""
        return self._answers.get(_digest(request))

    def put(self, request: Any, answer: ChatAnswer) -> None:
        """Keep an answer; once this returns it survives the end of the process."""
        kept = _KeptAnswer(_digest(request), answer)
        self._answers[kept.key] = answer
        # The line end before it ends a line that a killed run has cut.
        self._add(b"\n" + msgspec.json.encode(kept))

    def _add(self, line: bytes) -> None:
        if self._path is not None:
            try:
                with open(self._path, "ab") as file:
                    file.write(line + b"\n")
            except OSError as e:
                raise InputError(_UNUSABLE.format(e.strerror), path=self._path) from e


def _digest(request: Any) -> str:
    return blake2b(json.dumps(request, sort_keys=True).encode(), digest_size=16).hexdigest()


@dataclass
class Usage:
    """Counts of requests that a server answered, of answers that were in the cache, and of the server's tokens."""

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
    """A model that answers chats, on the server of an endpoint; ``usage`` is what was asked so far.

    Raises:
        InputError: ``httpx`` or ``httpx-retries`` is not installed, or the cache cannot be used.
    """

    def __init__(self, endpoint: Endpoint) -> None:
        httpx, retries = web_packages("asking a model needs", of="llm")
        self._httpx = httpx
        retry = retries.Retry(
            total=endpoint.retries,
            allowed_methods=["POST"],
            status_forcelist=_TRANSIENT,
            backoff_factor=_FIRST_PAUSE,
            max_backoff_wait=_LONGEST_PAUSE,
        )
        self._open: Callable[[], Any] = lambda: httpx.AsyncClient(
            transport=retries.RetryTransport(retry=retry), timeout=endpoint.seconds, trust_env=False
        )
        self.endpoint = endpoint
        self.usage = Usage()
        self._cache = AnswerCache(endpoint.cache)

    def ask(self, messages: Messages) -> ChatAnswer:
        return self.ask_all([messages])[0]

    def ask_all(self, chats: Iterable[Messages], *, first_tokens: bool = False) -> Sequence[ChatAnswer]:
        """Return the answers to chats, in order; ``first_tokens`` asks for the log-probabilities of the first token.

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
                        return self._without_key(known)
                    new = self._read(await self._post(client, request, settings))
                    self._cache.put(key, new)
                self.usage.requests += 1
                self.usage.tokens_in += new.tokens_in or 0
                self.usage.tokens_out += new.tokens_out or 0
                return new

            return await together(map(answer, chats))

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
        except (self._httpx.HTTPError, self._httpx.InvalidURL, OSError, ValueError) as e:
            message = f"the server cannot be reached ({self._shown(str(e))}): see whether it runs, and at this address"
            raise LlmError(message, path=self.endpoint.url) from None  # the key may stand in what the server sent
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
        hints = {401: f"{key} in {_KEY}", 404: "see the names of the model and of the address"}
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
            counts = {"tokens_in": usage.get("prompt_tokens"), "tokens_out": usage.get("completion_tokens")}
            return self._without_key(msgspec.convert({"text": text, "first": first, **counts}, ChatAnswer))
        except _OTHER_FORM as e:
            raise LlmError(
                "the answer is not what the protocol of OpenAI's chat completions says: see whether the address is "
                "right",
                path=self.endpoint.url,
                text=self._shown(body.decode("utf-8", "replace")),
            ) from e

    def _without_key(self, answer: ChatAnswer) -> ChatAnswer:
        first = answer.first and {masked(token, self.endpoint.key): value for token, value in answer.first.items()}
        return msgspec.structs.replace(answer, text=masked(answer.text, self.endpoint.key), first=first)

    def _shown(self, text: str) -> str:
        """Return what a server says as one line, shortened, without the key; it is cut last, so no half of it stays."""
        return " ".join(masked(text, self.endpoint.key).split())[:_SHOWN]
