"""The values of Smart Word Suggestions: gold sentences, what single annotators wrote, predictions."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import NamedTuple

Span = tuple[int, int]


class Target(NamedTuple):
    """A span of words that could be better: first word, word after the last, suggestion → votes, type (1 or 2)."""

    start: int
    end: int
    suggestions: Mapping[str, int]
    type: int

    @property
    def span(self) -> Span:
        return self.start, self.end

    @property
    def votes(self) -> int:
        """The voting index: how many suggestions the annotators made for the target in all."""
        return sum(self.suggestions.values())


class Sentence(NamedTuple):
    """A sentence of the gold data: its words and its targets, no two of them with the same span."""

    words: tuple[str, ...]
    targets: tuple[Target, ...]


class Mark(NamedTuple):
    """What one annotator wrote about one span: the suggestions, each once, and the type."""

    suggestions: tuple[str, ...]
    type: int


class Annotation(NamedTuple):
    """A sentence as its annotators left it: its words, and annotator → span → mark.

    An annotator who saw the sentence and marked nothing is there with no span.
    """

    words: tuple[str, ...]
    marks: Mapping[str, Mapping[Span, Mark]]


Gold = Mapping[str, Sentence]
#: Sentence → span → suggestions, best first.
Predictions = Mapping[str, Mapping[Span, Sequence[str]]]
Annotations = Mapping[str, Annotation]
