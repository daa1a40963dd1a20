"""The words of a sentence and their places in its graph: computed once for each sentence, shared by all its pairs."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cached_property

import numpy as np
import numpy.typing as npt

from usim.lexicon import PHRASES, Number, WordInfo, find_numbers, word_info
from usim.lexicon.tables import COMPARING
from usim.lexicon.topics import CALENDAR, DATES_ONLY
from usim.measures import graph_arrays
from usim.ucca import Graph
from usim.ucca.yields import bit_set

Floats = npt.NDArray[np.float32]

_BEFORE_DATES = COMPARING["before dates"]
_OPENING = frozenset((".", "?", "!", ":", '"', "“", "”", "'", "‘", "("))
#: The categories that are counted together, by name.
GROUPS = {
    "participant": ("A",),
    "main": ("P", "S"),
    "scene": ("H",),
    "adverbial": ("D", "T", "G"),
    "elaborator": ("E", "Q"),
    "center": ("C",),
    "link": ("L", "N", "R"),
}
GROUP_OF = {category: k for k, categories in enumerate(GROUPS.values()) for category in categories}


class SentenceWords:
    """The words of a sentence, with their classes, their places in the graph, and their vectors.

    Attributes:
        graph: its graph.
        tokens: the graph's tokens.
        vectors: a vector for each token in its context, (tokens, width); None without vectors.
        text: the sentence as it was given.
        words: its tokens in lower case.
        entries: the classes of each token, out of context.
        is_content: for each token whether it is a content word that is not part of a phrase of function words.
        content: the positions of the content words.
        category: for each token the category of the unit that holds it.
        scene: for each token the smallest scene that it is in, a unit; the root where there is none.
        member: for each token the child of that scene that it is in, a unit.
        parents, categories: for each unit its primary parent and the first category of the edge into it.
    """

    def __init__(self, graph: Graph, vectors: Floats | None, text: str) -> None:
        self.graph = graph
        self.tokens = graph.tokens
        self.vectors = vectors
        self.text = text
        self.words: tuple[str, ...] = graph_arrays(graph).words
        self.entries: list[WordInfo] = [word_info(word) for word in self.words]
        self.is_content = [e.is_content for e in self.entries]
        for start, end in _phrases(self.words):
            self.is_content[start:end] = [False] * (end - start)
        self.content = [i for i, is_content in enumerate(self.is_content) if is_content]
        n = len(graph.units)
        self.parents = parents = graph.parents
        self.categories = categories = ["", *(edge.categories[0] for edge in graph.primary)]
        self.is_scene = scenes = [False] * n
        for edge in graph.edges:
            if "P" in edge.categories or "S" in edge.categories:
                scenes[edge.parent] = True
        # In canonical order parents come first.
        scene_of, member_of = [0] * n, [0] * n
        for u in range(1, n):
            parent = parents[u]
            if scenes[parent] or not parent:
                scene_of[u], member_of[u] = parent, u
            else:
                scene_of[u], member_of[u] = scene_of[parent], member_of[parent]
        self.category = category = [""] * len(self.words)
        self.scene = scene = [0] * len(self.words)
        self.member = member = [0] * len(self.words)
        self.holder = holder = [0] * len(self.words)
        for u, unit in enumerate(graph.units):
            for t in unit.terminals:
                category[t], scene[t], member[t], holder[t] = categories[u], scene_of[u], member_of[u], u

    @cached_property
    def content_mask(self) -> int:
        """The content words as a bit set."""
        return bit_set(self.content)

    @cached_property
    def vocabulary(self) -> frozenset[str]:
        """Its words, each once."""
        return frozenset(self.words)

    @cached_property
    def lemmas(self) -> frozenset[int]:
        """The lemmas of its words of more than two letters."""
        entries = {e.form: e for e in self.entries if len(e.form) > 2}
        return frozenset(lemma for e in entries.values() for lemma in e.word.lemmas)

    @cached_property
    def numbers(self) -> list[Number]:
        """The numbers in the sentence."""
        return find_numbers(self.tokens, [e.counts for e in self.entries])

    def is_date(self, i: int) -> bool:
        """Return whether a word such as *May* or *fall* is a date: beside a number, or a name behind a preposition."""
        if self.words[i] not in DATES_ONLY:
            return bool(self.entries[i].topics & CALENDAR)
        beside = self.entries[max(0, i - 1) : i] + self.entries[i + 1 : i + 2]
        if any(e.digits or (e.counts and e.form not in ("a", "an")) for e in beside):
            return True
        before = self.words[i - 1] if i else ""
        return self.tokens[i][0].isupper() and i > 0 and before in _BEFORE_DATES

    @cached_property
    def names(self) -> frozenset[int]:
        """The positions of proper names."""
        tokens = self.tokens
        words = self.words
        shouted = -1
        positions = set()
        starts = True
        for i, e in enumerate(self.entries):
            if not e.is_word:
                starts = starts or tokens[i] in _OPENING
                continue
            if (e.is_function and not e.word.is_proper) or (tokens[i] == words[i] and not e.word.is_proper):
                starts = False
                continue
            if e.word.is_proper:
                positions.add(i)
            elif tokens[i][0].isupper():
                if starts:
                    is_name = not e.word.known
                else:
                    if shouted < 0:
                        shouted = sum(len(t) > 1 and t.isupper() for t in tokens) * 2 > len(self.content)
                    is_name = not shouted
                if is_name:
                    positions.add(i)
            starts = False
        return frozenset(positions)

    @cached_property
    def heads(self) -> dict[int, frozenset[int]]:
        """For each scene the content words of its main relation."""
        heads: dict[int, set[int]] = {}
        for i in self.content:
            u = self.member[i]
            if self.categories[u] in ("P", "S"):
                heads.setdefault(self.parents[u], set()).add(i)
        return {u: frozenset(words) for u, words in heads.items()}

    @cached_property
    def scene_words(self) -> frozenset[int]:
        """The content words of all main relations."""
        return frozenset(i for words in self.heads.values() for i in words)

    @cached_property
    def participant_words(self) -> frozenset[int]:
        """The content words and pronouns of all participants."""
        return frozenset(
            i
            for i, e in enumerate(self.entries)
            if (self.is_content[i] or e.person) and self.categories[self.member[i]] == "A"
        )

    @property
    def unit_vectors(self) -> Floats | None:
        """The vector of each token at length 1, (tokens, width); for a comparison, and not kept here."""
        vectors = self.vectors
        if vectors is None or not len(vectors):
            return None
        lengths = np.sqrt(np.einsum("ij,ij->i", vectors, vectors))
        np.maximum(lengths, 1e-9, out=lengths)
        unit_vectors: Floats = vectors / lengths[:, None]
        return unit_vectors

    @cached_property
    def means(self) -> Floats | None:
        """The means of the tokens' vectors at length 1, (2, width): of all tokens, and of content words if any."""
        vectors = self.unit_vectors
        if vectors is None:
            return None
        n = len(self.words)
        content = self.is_content if self.content else [True] * n
        sums = np.array(([1.0] * n, content), np.float32) @ vectors
        lengths = np.sqrt(np.einsum("ij,ij->i", sums, sums))
        np.maximum(lengths, 1e-9, out=lengths)
        means: Floats = sums / lengths[:, None]
        return means

    @cached_property
    def informativeness(self) -> list[float]:
        """The weight of each token: 0 for marks, 0.1 for function words, for others the higher the rarer they are."""
        return [
            e.informativeness if c or e.is_function else 0.1 for e, c in zip(self.entries, self.is_content, strict=True)
        ]

    @cached_property
    def weights(self) -> npt.NDArray[np.float32]:
        """The same as :attr:`informativeness`, as an array."""
        return np.array(self.informativeness, np.float32)

    @cached_property
    def total(self) -> float:
        """The sum of the weights, at least 0.1."""
        return max(0.1, sum(self.informativeness))

    @cached_property
    def unknown(self) -> float:
        """The share of content words that are no names and not in WordNet."""
        names = self.names
        unknown = [i for i in self.content if not self.entries[i].word.lemmas and i not in names]
        return len(unknown) / max(1, len(self.content))

    @cached_property
    def group_totals(self) -> list[int]:
        """The number of units of each group of categories, see :data:`GROUPS`."""
        totals = [0] * len(GROUPS)
        for category in self.categories[1:]:
            k = GROUP_OF.get(category)
            if k is not None:
                totals[k] += 1
        return totals

    @cached_property
    def letters(self) -> str:
        """The sentence without white space."""
        return "".join(self.text.split())


def _phrases(words: Sequence[str]) -> list[tuple[int, int]]:
    """Return where phrases of function words are: the first token of each, and one past the last."""
    spans = []
    for i, word in enumerate(words):
        for phrase in PHRASES.get(word, ()):
            if words[i : i + len(phrase)] == phrase:
                spans.append((i, i + len(phrase)))
    return spans
