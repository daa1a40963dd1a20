"""What pairs are made of."""

from __future__ import annotations

from collections import defaultdict
from dataclasses import dataclass
from functools import cached_property

from training.corpora import Corrected
from training.sentence import Sentence


@dataclass(frozen=True, eq=False)
class Sources:
    """All that the makers draw from.

    Attributes:
        corrected: learners' sentences with corrections.
    """

    sentences: tuple[Sentence, ...]
    corrected: tuple[Corrected, ...] = ()

    @cached_property
    def graphs(self) -> tuple[Sentence, ...]:
        """Return the sentences that have a graph."""
        return tuple(s for s in self.sentences if s.graph is not None)

    @cached_property
    def by_topic(self) -> dict[str, list[Sentence]]:
        """Return the sentences of each document."""
        sentences: dict[str, list[Sentence]] = defaultdict(list)
        for sentence in self.sentences:
            sentences[sentence.topic].append(sentence)
        return dict(sentences)
