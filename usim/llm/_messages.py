"""Messages to a model, its answers, and the counts of what was asked."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from typing import NamedTuple

from usim.errors import UsimError

_ROUNDING = 0.01  # log-probabilities above 0 by no more than this are meant as 0
_THOUGHT = re.compile(r"\s*<think>.*?</think>", re.DOTALL)


def without_thoughts(text: str) -> str:
    """Return an answer without the thoughts that some models write before it, between tags.

    >>> without_thoughts("<think>Yes or no?</think>yes")
    'yes'
    """
    return _THOUGHT.sub("", text, count=1) if _THOUGHT.match(text) else text


class LlmError(UsimError):
    """A server that cannot be reached, refuses a request, or answers with something else."""


class Message(NamedTuple):
    """A message of a chat: its role, ``system``, ``user`` or ``assistant``, and its text."""

    role: str
    content: str


#: A chat up to the place where the model goes on.
Messages = tuple[Message, ...]


@dataclass(frozen=True)
class ChatAnswer:
    """What a model answered.

    Attributes:
        text: the answer.
        is_cut: whether the answer ended because it reached the limit on tokens.
        first: the likeliest first tokens with their log-probabilities; None where the server gives none.
        tokens_in, tokens_out: how many tokens the server counted; None where it does not say.

    Raises:
        TypeError: a value is of another type.
        ValueError: the text cannot be written as UTF-8, or a log-probability is none: it is at most 0, and may be minus
            infinity.
    """

    text: str
    is_cut: bool = False
    first: Mapping[str, float] | None = None
    tokens_in: int | None = None
    tokens_out: int | None = None

    def __post_init__(self) -> None:
        # What a server or a cache says, which may be anything.
        first = {} if self.first is None else dict(self.first)
        for text in (self.text, *first):
            if not isinstance(text, str):
                raise TypeError("a text is needed")
            text.encode()
        for value in first.values():
            if isinstance(value, bool) or not isinstance(value, (int, float)):
                raise TypeError("a number is needed")
            if not value <= _ROUNDING:
                raise ValueError("not a log-probability")
        if not all(n is None or isinstance(n, int) for n in (self.tokens_in, self.tokens_out)):
            raise TypeError("a whole number is needed")


@dataclass
class Usage:
    """Counts of requests and tokens.

    Attributes:
        requests, tokens_in, tokens_out: what the server answered, and the tokens of that.
        cached: how many answers were in the cache, which cost nothing.
        uncounted: how many of the server's answers did not say how many tokens they had.
        by_number: how many questions were put a second time, for a number, as the caller says.
        unparsed: how many answers were not of the form that was asked for, as far as the caller says.
    """

    requests: int = 0
    cached: int = 0
    tokens_in: int = 0
    tokens_out: int = 0
    uncounted: int = 0
    by_number: int = 0
    unparsed: int = 0

    def add(self, answer: ChatAnswer) -> None:
        """Count an answer of the server."""
        self.requests += 1
        self.uncounted += answer.tokens_in is None or answer.tokens_out is None
        self.tokens_in += answer.tokens_in or 0
        self.tokens_out += answer.tokens_out or 0

    def text(self) -> str:
        """Return the counts as one line.

        >>> Usage(2, 1, 300, 40).text()
        '2 requests, 1 answer from the cache, 300 tokens in, 40 tokens out'
        """
        parts = [
            _count(self.requests, "request"),
            f"{_count(self.cached, 'answer')} from the cache",
            f"{_count(self.tokens_in, 'token')} in",
            f"{_count(self.tokens_out, 'token')} out",
        ]
        if self.uncounted:
            parts.append(f"{_count(self.uncounted, 'answer')} without a count of tokens")
        return ", ".join(parts)


def _count(number: int, unit: str) -> str:
    return f"{number:,} {unit}{'' if number == 1 else 's'}"
