"""The alignment of the passages of two texts: which of them say the same.

Dynamic programming finds blocks of 1-1, 1-2, 2-1 and so on (Gale & Church 1993, section 3), with the soft alignment of
words as the similarity. It stays near a chain of passages that are each other's nearest (as in Vecalign, Thompson &
Koehn 2019, and Bertalign, Liu & Zhu 2022), so time and memory grow linearly. Passages with the same words in order are
not searched. What has no counterpart then is linked to what stands elsewhere. A passage is read once, when needed.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from difflib import SequenceMatcher
from functools import cached_property, lru_cache
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from usim.documents._cut import CutText
from usim.documents._numbering import is_number
from usim.judge import TokenEncoder
from usim.lexicon import word_info
from usim.measures.soft import unit_vectors
from usim.text import token_texts

Floats = npt.NDArray[np.float32]

#: Passages that are read together; their vectors are cut down to what is kept before the next ones are read.
_TOGETHER = 64
#: The weight of a passage of marks alone.
_LEAST = 0.1
#: How many pairs of passages are remembered that have been compared.
_REMEMBERED = 4096
#: A word whose best counterpart has this cosine counts neither for a block nor against it. Words of unrelated sentences
#: find counterparts of .3 to .4, those of reworded ones .6 to .8.
_LEVEL = 0.38
#: What each passage beyond one on each side costs a block: in words that say all they can and have perfect partners,
#: and as a share of what the block says.
_MERGE, _MERGE_SHARE = 0.08, 0.02
#: What a change of places costs two passages beside each other, and how the search marks it.
_CROSSING, _CROSSED = 0.3, (-2, -2)
#: The search goes so many passages beyond the chain on either side.
_BAND = 10
#: So many passages are compared with all others at once.
_ROWS = 512
#: How many passages of either side a block of the search takes; of equally good blocks the first is taken.
_STEPS = ((1, 1), (1, 2), (2, 1), (2, 2), (1, 3), (3, 1), (1, 4), (4, 1), (1, 0), (0, 1))
#: Two passages without a counterpart are one that moved if each is covered so far by the other, by cosine.
_MOVED = 0.5


@dataclass(frozen=True, eq=False)
class ReadPassage:
    """A passage with a vector for each word.

    Attributes:
        vectors: of length 1, float16 (words, width); marks are left out.
        weights: how much each word says, see :class:`usim.lexicon.WordInfo`; float32 (words,).
        mean: the weighted mean of the vectors, of length 1.
    """

    vectors: npt.NDArray[np.float16]
    weights: Floats
    mean: Floats

    @cached_property
    def weight(self) -> float:
        """How much the passage says."""
        return float(self.weights.sum())


class PassageReader:
    """Reads passages by an encoder, in the last of its layers; remembers what it has read."""

    def __init__(self, encoder: TokenEncoder) -> None:
        self._encoder = encoder
        self._read: dict[str, ReadPassage] = {}
        self._best = lru_cache(_REMEMBERED)(_best_cosines)

    def read(self, passages: Sequence[str]) -> list[ReadPassage]:
        """Return passages, each of which is read once."""
        missing = [text for text in dict.fromkeys(passages) if text not in self._read]
        for at in range(0, len(missing), _TOGETHER):
            texts = missing[at : at + _TOGETHER]
            tokens = [token_texts(text) for text in texts]
            for text, words, vectors in zip(texts, tokens, self._encoder(tokens), strict=True):
                self._read[text] = _passage(words, vectors[:, -self._encoder.lower :])
        return [self._read[text] for text in passages]

    def coverage(self, passage: ReadPassage, others: Sequence[ReadPassage]) -> float:
        """Return how much of what a passage says others say, by the soft alignment of its words, in [0, 1]."""
        best = np.maximum.reduce([self._best(passage, other) for other in others])
        return float(best @ passage.weights) / passage.weight


def _best_cosines(passage: ReadPassage, other: ReadPassage) -> Floats:
    """Return for each word of a passage its best cosine with a word of another one."""
    table = passage.vectors.astype(np.float32) @ other.vectors.astype(np.float32).T
    best: Floats = table.max(axis=1)
    return best


def _passage(words: Sequence[str], vectors: Floats) -> ReadPassage:
    weights = np.array([word_info(word.lower()).informativeness for word in words], np.float32)
    says = np.flatnonzero(weights)
    if not len(says):
        says, weights = np.arange(len(words)), np.full(len(words), _LEAST, np.float32)
    unit, weights = unit_vectors(vectors[says]), weights[says]
    mean: Floats = weights @ unit
    mean = mean / (np.sqrt(mean @ mean) + np.float32(1e-9))
    return ReadPassage(unit.astype(np.float16), weights, mean.astype(np.float32))


class PassageLink(NamedTuple):
    """Passages of both texts that belong together, by their places; one side may have none.

    ``is_moved`` says whether they stand elsewhere in the order of the other text.
    """

    before: range
    after: range
    is_moved: bool = False


def link_texts(before: CutText, after: CutText, reader: PassageReader) -> list[PassageLink]:
    """Align two texts; links come in the order of the text after the change, what was left out where it stood."""
    links: list[PassageLink] = []
    i = j = 0
    matcher = SequenceMatcher(None, _anchors(before), _anchors(after), autojunk=False)
    for a, b, size in matcher.get_matching_blocks():
        links += _search(before, after, range(i, a), range(j, b), reader)
        links += (_link(a + k, 1, b + k, 1) for k in range(size))
        i, j = a + size, b + size
    lost = [k for k, link in enumerate(links) if not link.after]
    added = [k for k, link in enumerate(links) if not link.before]
    gone = set()
    if lost and added:
        own = reader.read([before.keys[links[k].before.start] for k in lost])
        others = reader.read([after.keys[links[k].after.start] for k in added])
        for i, j in _mutual(own, others):
            if min(reader.coverage(own[i], [others[j]]), reader.coverage(others[j], [own[i]])) >= _MOVED:
                links[added[j]] = PassageLink(links[lost[i]].before, links[added[j]].after, True)
                gone.add(lost[i])
    return [link for k, link in enumerate(links) if k not in gone]


def _link(i: int, size: int, j: int, other_size: int, *, is_moved: bool = False) -> PassageLink:
    return PassageLink(range(i, i + size), range(j, j + other_size), is_moved)


def _anchors(text: CutText) -> list[str]:
    """Return what makes two passages the same for the alignment: their words.

    A greeting may replace another one, and a number of a clause that stands alone another number.
    """
    return [
        "" if passage.kind == "greeting" else "§" if is_number(key) else key
        for passage, key in zip(text.passages, text.keys, strict=True)
    ]


def _search(before: CutText, after: CutText, rows: range, columns: range, reader: PassageReader) -> list[PassageLink]:
    """Return the best blocks of the passages between two anchors, in order."""
    if not rows or not columns:
        return [*(_link(i, 1, columns.start, 0) for i in rows), *(_link(rows.stop, 0, j, 1) for j in columns)]
    own, others = (reader.read(text.keys[of.start : of.stop]) for text, of in ((before, rows), (after, columns)))

    def gain(i: int, j: int, a: int, b: int) -> float:
        """Return the score of the block of ``a`` passages from ``i`` on and ``b`` from ``j`` on."""
        left, right = own[i : i + a], others[j : j + b]
        says = sum(passage.weight for passage in (*left, *right))
        said = sum(passage.weight * reader.coverage(passage, right) for passage in left)
        said += sum(passage.weight * reader.coverage(passage, left) for passage in right)
        return said - _LEVEL * says - (a + b - 2) * (_MERGE + _MERGE_SHARE * says)

    best = {(0, 0): (0.0, (0, 0))}
    for i, places in enumerate(_band(own, others)):
        for j in places:
            ways = [
                (best[i - a, j - b][0] + (gain(i - a, j - b, a, b) if a and b else 0.0), (a, b))
                for a, b in _STEPS
                if (i - a, j - b) in best
            ]
            if (i - 2, j - 2) in best:
                crossed = gain(i - 2, j - 1, 1, 1) + gain(i - 1, j - 2, 1, 1) - _CROSSING
                ways.append((best[i - 2, j - 2][0] + crossed, _CROSSED))
            if ways:
                best[i, j] = max(ways, key=lambda way: way[0])
    links: list[PassageLink] = []
    i, j = len(own), len(others)
    while i or j:
        step = best[i, j][1]
        a, b = (2, 2) if step == _CROSSED else step
        i, j = i - a, j - b
        at, to = rows.start + i, columns.start + j
        if step == _CROSSED:
            links += [_link(at, 1, to + 1, 1, is_moved=True), _link(at + 1, 1, to, 1, is_moved=True)]
        else:
            links.append(_link(at, a, to, b))
    return links[::-1]


def _band(before: Sequence[ReadPassage], after: Sequence[ReadPassage]) -> list[range]:
    """Return for each number of passages before the change the numbers after it that the search looks at."""
    partners = dict(_mutual(before, after))
    matcher = SequenceMatcher(None, [partners.get(i) for i in range(len(before))], range(len(after)), autojunk=False)
    chain = [(a + k + 0.5, b + k + 0.5) for a, b, size in matcher.get_matching_blocks() for k in range(size)]
    points = [(0, 0), *chain, (len(before), len(after))]
    rows = np.arange(len(before) + 1)
    at = np.interp(rows, [i for i, _ in points], [j for _, j in points])
    low = np.floor(at[np.maximum(rows - _BAND, 0)]).astype(int) - _BAND
    high = np.ceil(at[np.minimum(rows + _BAND, len(before))]).astype(int) + _BAND
    low[0], high[-1] = 0, len(after)
    return [range(max(a, 0), min(b, len(after)) + 1) for a, b in zip(low.tolist(), high.tolist(), strict=True)]


def _mutual(before: Sequence[ReadPassage], after: Sequence[ReadPassage]) -> list[tuple[int, int]]:
    """Return the places of passages that are each other's nearest by their mean vectors."""
    own, others = (np.stack([passage.mean for passage in side]) for side in (before, after))
    to_after, to_before = (
        np.concatenate([(a[at : at + _ROWS] @ b.T).argmax(axis=1) for at in range(0, len(a), _ROWS)]).tolist()
        for a, b in ((own, others), (others, own))
    )
    return [(i, j) for i, j in enumerate(to_after) if to_before[j] == i]
