"""Asks a model: several requests at a time, each sent again where that may help, with answers that are kept."""

from __future__ import annotations

import threading
from collections import deque
from collections.abc import Iterable, Iterator, Mapping
from concurrent.futures import Future, ThreadPoolExecutor
from functools import cached_property
from typing import Any

from usim.errors import InputError
from usim.llm.cache import AnswerCache
from usim.llm.endpoint import KEY_VARIABLE, Endpoint
from usim.llm.errors import LlmError
from usim.llm.messages import Answer, Messages, Usage
from usim.text import parse_json

_SHOWN = 200  # characters of what a server says about a request that it refuses
_TOP = 5  # likeliest first tokens that are asked for: more than some servers give are refused
#: What is sent in the place of a setting that a server says it does not know.
_INSTEAD = {"max_tokens": "max_completion_tokens"}
_DISPENSABLE = ("logprobs", "top_logprobs", "temperature", "max_tokens")


class ChatModel:
    """A model that answers chats.

    Args:
        endpoint: the server and the model.

    Attributes:
        endpoint: the server and the model.
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
        self._lock = threading.Lock()

    @cached_property
    def _client(self) -> Any:
        # Neither a proxy nor a netrc file of the environment, and no redirect, leads anywhere else.
        client = self._openai.OpenAI(
            base_url=self.endpoint.url,
            api_key=self.endpoint.key or "none",
            timeout=self.endpoint.seconds,
            max_retries=self.endpoint.retries,
            http_client=self._openai.DefaultHttpxClient(trust_env=False, follow_redirects=False),
        )
        client.organization = client.project = None  # the package would take them from the environment
        return client

    def ask(self, messages: Messages, *, first_tokens: bool = False) -> Answer:
        """Return the answer to a chat; see :meth:`ask_all`."""
        (answer,) = self.ask_all([messages], first_tokens=first_tokens)
        return answer

    def ask_all(self, chats: Iterable[Messages], *, first_tokens: bool = False) -> Iterator[Answer]:
        """Yield the answers to chats, in order.

        Args:
            chats: what is asked.
            first_tokens: whether to ask for the log-probabilities of the first token.

        Raises:
            LlmError: the server cannot be reached, refuses a request, or answers something else, after all retries.
                Answers that were there before are in the cache.
            InputError: an answer cannot be kept.
        """
        pool = ThreadPoolExecutor(self.endpoint.concurrency, thread_name_prefix="usim-llm")
        pending: deque[Future[Answer]] = deque()
        try:
            for chat in chats:
                pending.append(pool.submit(self._answer, chat, first_tokens))
                if len(pending) > 2 * self.endpoint.concurrency:
                    yield pending.popleft().result()
            while pending:
                yield pending.popleft().result()
        finally:
            pool.shutdown(cancel_futures=True)

    def _answer(self, messages: Messages, first_tokens: bool) -> Answer:
        request = self._request(messages, first_tokens)
        known = self._cache.get([self.endpoint.url, request])
        if known is not None:
            with self._lock:
                self.usage.cached += 1
            return known
        answer = self._sent(request)
        with self._lock:
            self.usage.add(answer)
        self._cache.put([self.endpoint.url, request], answer)
        return answer

    def _request(self, messages: Messages, first_tokens: bool) -> dict[str, Any]:
        """Return the request as it is wanted, which is what the cache knows it by."""
        request: dict[str, Any] = {
            "model": self.endpoint.model,
            "messages": [message._asdict() for message in messages],
            "max_tokens": self.endpoint.max_tokens,
            "temperature": self.endpoint.temperature,
        }
        return request | ({"logprobs": True, "top_logprobs": _TOP} if first_tokens else {})

    def _sent(self, request: Mapping[str, Any]) -> Answer:
        """Send a request, and again without each setting that the server says it does not know."""
        openai = self._openai
        while True:
            known = dict(request)
            for setting in self._refused & set(known):
                value = known.pop(setting)
                if setting in _INSTEAD:
                    known[_INSTEAD[setting]] = value
            try:
                response = self._client.chat.completions.with_raw_response.create(**known)
                return _read(response.content, self.endpoint.url)
            except openai.BadRequestError as e:
                setting = self._setting(e)
                if setting not in known or setting not in _DISPENSABLE:
                    raise self._error(e) from None
                with self._lock:
                    self._refused |= {"logprobs", "top_logprobs"} if "logprobs" in setting else {setting}
            except openai.APIError as e:
                raise self._error(e) from None

    @staticmethod
    def _setting(error: Any) -> str:
        """Return the setting that the server refuses; an empty string where it does not say."""
        return error.param if isinstance(error.param, str) else ""

    def _error(self, error: Any) -> LlmError:
        """Return the error of the package as one line that says what to do."""
        openai, endpoint = self._openai, self.endpoint
        again = f", asked {endpoint.retries + 1} times" if endpoint.retries else ""
        if isinstance(error, openai.APITimeoutError):
            text = f"no answer within {endpoint.seconds:g} s{again}: see what holds the server up, or give it longer"
        elif isinstance(error, openai.APIConnectionError):
            reason = " ".join(str(error.__cause__ or error).split())
            text = f"the server cannot be reached ({reason}){again}: see whether it runs, and at this address"
        elif isinstance(error, openai.APIStatusError):
            text = self._status_text(error, again)
        else:
            text = f"the answer is not what the protocol says ({' '.join(str(error).split())[:_SHOWN]})"
        return LlmError(self._without_key(text), path=endpoint.url)

    def _status_text(self, error: Any, again: str) -> str:
        status, said = error.status_code, _said(error)
        key = f"give one in {KEY_VARIABLE} or by a file" if self.endpoint.key is None else "give the right one"
        if status in (401, 403):
            return f"the server does not take the key ({status}{said}): {key}"
        if status == 404:
            return f"no such model or address ({status}{said}): see the names of both"
        if status == 429:
            return f"too many requests ({status}{said}){again}: go on later, or with fewer at a time"
        if status >= 500:
            return f"the server failed ({status}{said}){again}: go on later"
        return f"the server refuses the request ({status}{said})"

    def _without_key(self, text: str) -> str:
        return text.replace(self.endpoint.key, "…") if self.endpoint.key else text


def _said(error: Any) -> str:
    """Return what the server says of an error, shortened."""
    body = error.body
    message = body.get("message") if isinstance(body, dict) else body
    said = " ".join(message.split()) if isinstance(message, str) else ""
    if said.startswith("<"):  # a page for browsers
        return ""
    return f": {said[:_SHOWN]}" if said else ""


def _read(body: bytes, url: str) -> Answer:
    """Read the body of an answer.

    Raises:
        LlmError: it is not what the protocol says.
    """
    try:
        value = parse_json(body)
        choice = value["choices"][0]
        text = choice["message"]["content"]
        if not isinstance(text, str):
            raise TypeError("no text in it")
        usage = value.get("usage") or {}
        counts = [n if isinstance(n := usage.get(f"{name}_tokens"), int) else None for name in ("prompt", "completion")]
        return Answer(text, choice.get("finish_reason") == "length", _first_tokens(choice), *counts)
    except (ValueError, TypeError, KeyError, IndexError, AttributeError) as e:
        raise LlmError(
            "the answer is not what the protocol of OpenAI's chat completions says: see whether the address is right",
            path=url,
            text=body[:_SHOWN].decode("utf-8", "replace"),
        ) from e


def _first_tokens(choice: Mapping[str, Any]) -> dict[str, float] | None:
    content = (choice.get("logprobs") or {}).get("content")
    if not content:
        return None
    return {str(item["token"]): float(item["logprob"]) for item in content[0].get("top_logprobs") or [content[0]]}
