"""Sentences that changes are made to: a text, its tokens, their tags, and where there is one the UCCA graph."""

from __future__ import annotations

import random
from collections.abc import Iterator
from dataclasses import dataclass, field
from functools import cached_property

from training.detokenise import detokenise
from training.tagging import tags
from usim.suggestions import put
from usim.text import Token, tokenise
from usim.ucca import Graph


@dataclass(frozen=True, eq=False)
class Sentence:
    """A sentence; its tokens are those of the graph, if there is one.

    Attributes:
        group: the sentence that it was made from; its own text where it was not changed.
        topic: the document; sentences of one document share it.
        learner: what a learner wrote, if the sentence is the correction of it.
    """

    text: str
    tokens: tuple[Token, ...]
    group: str
    topic: str = ""
    graph: Graph | None = field(default=None, repr=False)
    learner: str = ""

    @classmethod
    def of(cls, text: str, group: str | None = None, topic: str = "") -> Sentence:
        """Return the sentence of a text."""
        return cls(text, tuple(tokenise(text)), text if group is None else group, topic)

    @classmethod
    def of_graph(cls, graph: Graph, topic: str = "") -> Sentence:
        """Return the sentence of a graph, detokenised."""
        tokens = [t.text for t in graph.terminals]
        text, placed = detokenise(tokens, _dashes(graph))
        return cls(text, tuple(placed), text, topic, graph)

    def __len__(self) -> int:
        return len(self.tokens)

    @cached_property
    def words(self) -> tuple[str, ...]:
        """Return the tokens in lower case."""
        return tuple(t.text.lower() for t in self.tokens)

    @cached_property
    def tags(self) -> tuple[str, ...]:
        """Return the tags of the tokens."""
        return tuple(tags([t.text for t in self.tokens]))

    def slice(self, i: int, j: int) -> str:
        """Return the text of tokens i to j, the end exclusive."""
        return self.text[self.tokens[i].start : self.tokens[j - 1].end]

    def is_whole(self, i: int) -> bool:
        """Return whether no hyphen, slash or apostrophe ties a token to another."""
        token = self.tokens[i]
        before = self.text[token.start - 1 : token.start]
        after = self.text[token.end : token.end + 1]
        clitic = self.words[i + 1][:2] in ("'s", "’s") if i + 1 < len(self) else False
        return before in ("", " ", "(", '"', "“", "‘") and (not after or after in ' .,;:!?)"”’' or clitic)

    def put(self, i: int, j: int, new: str) -> str:
        """Return the text with other words in the place of tokens i to j; see :func:`usim.suggestions.put`."""
        return put(self.text, self.tokens[i].start, self.tokens[j - 1].end, new).text

    def overwrite(self, i: int, j: int, new: str) -> str:
        """Return the text with other words in the place of tokens i to j, as they are."""
        return self.text[: self.tokens[i].start] + new + self.text[self.tokens[j - 1].end :]

    def insert(self, i: int, new: str) -> str:
        """Return the text with words put before token i; at the end if i is the length."""
        if i < len(self):
            at = self.tokens[i].start
            return put(self.text, at, at, new).text
        return f"{self.text} {new}"

    def shuffled(self, rng: random.Random) -> Iterator[int]:
        """Yield the places of the tokens, in any order."""
        places = list(range(len(self)))
        rng.shuffle(places)
        yield from places

    @cached_property
    def end(self) -> int:
        """Return where the marks that close the sentence begin, in tokens."""
        n = len(self)
        while n and not self.tokens[n - 1].text[0].isalnum():
            n -= 1
        return n


def _dashes(graph: Graph) -> frozenset[int]:
    """Return the hyphens with blanks around them: no small unit holds them together with both neighbours."""
    dashes = set()
    for i, terminal in enumerate(graph.terminals):
        if terminal.text not in "-/" or not 0 < i < len(graph.terminals) - 1:
            continue
        both = 1 << i - 1 | 1 << i + 1
        smallest = min((y.bit_count() for y in graph.yields if y & both == both), default=99)
        if smallest > 7:
            dashes.add(i)
    return frozenset(dashes)
