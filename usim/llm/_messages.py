"""Messages to a model, its answers, and the counts of what was asked."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Annotated, NamedTuple

from msgspec import Meta, Struct

from usim.errors import UsimError

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
#: A log-probability: at most 0, or above it by a rounding error.
LogProbability = Annotated[float, Meta(le=0.01)]


class ChatAnswer(Struct, frozen=True):
    """What a model answered.

    Attributes:
        text: the answer.
        is_cut: whether the answer ended because it reached the limit on tokens.
        first: the likeliest first tokens with their log-probabilities; None where the server gives none.
        tokens_in, tokens_out: how many tokens the server counted; None where it does not say.
    """

    text: str
    is_cut: bool = False
    first: dict[str, LogProbability] | None = None
    tokens_in: int | None = None
    tokens_out: int | None = None


@dataclass
class Usage:
    """Counts of requests and tokens.

    Attributes:
        requests, tokens_in, tokens_out: the answers of the server, and their tokens.
        cached: how many answers were in the cache, which cost nothing.
        uncounted: how many answers of the server did not say how many tokens they had.
        by_number: how many questions were put a second time, for a number, as the caller says.
        unparsed: how many answers were not of the form that was asked for, as the caller says.
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
