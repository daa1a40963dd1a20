"""The alignment of the words and of the units of two texts.

*Tokens.* Two texts, say a learner's sentence and its correction, mostly share their words, in the same order. So the
words are aligned in two steps:

1. Equal words are anchored along a longest common subsequence of the two texts. This step is monotone: repeated words
   match in order, and a long passage is aligned sentence by sentence without looking for sentences.
2. The words that are left are matched by minimum cost (:func:`assignment`). The cost of a pair is
   its normalised edit distance (Levenshtein's, divided by the longer word; 1 where it is above 1/2), and 1/20 for each
   position that it lies away from where the anchors around it say. Leaving both words of a pair alone costs 1.05.

So two words that have nothing in common are aligned only where one stands in the place of the other (*goed*, *went*);
never merely because both are left over. Equal words that were moved are found up to 20 positions away.

*What is guaranteed.* Costs are whole numbers, so no rounding decides. Equal texts are aligned word by word. Equal words
do not cross. Swapping the texts gives the reversed alignment. The same input gives the same alignment with the same
versions of rapidfuzz and SciPy; where several optima are left, it is the one that they find first.

*Other ways.* :data:`LEAVES` names them; each is deterministic, and all but the last are the same from either side.

- ``anchor+lev``: the two steps above.
- ``lev``: minimum cost over all words at once, where a pair costs its edit distance (Levenshtein's, in characters) and
  nothing else: the formula of Choshen & Abend (2018, §3). All words of the shorter text get a partner. The formula
  leaves it open which of several matchings of the same cost is meant: the one whose partners are nearest in place.
- ``lev+pos``: the same with the cost of the authors' published code, which adds ``|i - j| / max(n, m)`` for the words
  *i* and *j* of texts of *n* and *m* words.
- ``published``: that code itself, sentence by sentence and with its ties (:mod:`usim.measures._published`).

*Units.* Each unit of one graph is given the unit of the other whose yield is nearest to its own under the leaf
alignment (:attr:`usim.measures.Preset.node`); see :attr:`usim.measures.UsimScore.nodes`. The two directions are
independent, and several units may share a partner.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import cached_property, partial
from itertools import pairwise
from typing import NamedTuple

import numpy as np
from rapidfuzz.distance import Indel, Levenshtein
from rapidfuzz.process import cdist

from usim.errors import AlignmentError
from usim.measures._arrays import BoolArray, EdgeTable, FloatArray, IntArray, comparable, words_of
from usim.measures._published import common_parts, published_links
from usim.text import MAX_TOKENS
from usim.ucca import Graph

_SENTENCE_END = frozenset(".?!")

# The costs of step 2, in millionths; _LIKE is the greatest distance of words that are alike. _TURN makes the cost of
# being out of place strictly convex, so that similar words keep their order.
_UNLIKE = 1_000_000
_LIKE = 0.5
_POSITION = 50_000
_TURN = 10
_ALONE = _UNLIKE + _POSITION

#: The ways to align words, see the top of this module.
LEAVES = ("anchor+lev", "lev", "lev+pos", "published")

# Weights are kept as half of F: one operation less. _BONUS settles ties: it is far below the difference of any two
# fractions that are not equal (1 / (4 n²) for texts of n tokens) and far above rounding.
_SAME = 0.5
_BONUS = 1e-10
_NEVER = 1e-300


@dataclass(frozen=True, eq=False)
class Alignment:
    """A one-to-one alignment of the tokens of two texts; tokens may be left without a partner.

    Attributes:
        to_output: int64 (n,); for each source token the output token that it is aligned to, -1 for none.

    >>> Alignment.from_pairs([(0, 1), (1, 0)], 2, 3)
    Alignment([(0, 1), (1, 0)], 2, 3)
    """

    to_output: IntArray
    n_output: int

    @classmethod
    def from_pairs(cls, pairs: Iterable[Sequence[int]], n_source: int, n_output: int) -> Alignment:
        """Make an alignment from pairs of positions counted from 0.

        Raises:
            AlignmentError: a position outside of the text, or a token aligned twice.
        """
        to_output = np.full(n_source, -1, np.int64)
        aligned_output: set[int] = set()
        for i, j in pairs:
            if not (0 <= i < n_source and 0 <= j < n_output):
                problem = f"the texts have {n_source} and {n_output} tokens, counted from 0"
                raise AlignmentError(f"tokens that do not exist: {problem}", text=f"{i} {j}")
            if to_output[i] >= 0 or j in aligned_output:
                side = "source" if to_output[i] >= 0 else "output"
                raise AlignmentError(f"a token of the {side} is aligned twice", text=f"{i} {j}")
            aligned_output.add(j)
            to_output[i] = j
        return cls(to_output, n_output)

    @classmethod
    def identity(cls, n: int) -> Alignment:
        """Align each of ``n`` tokens to the token at its own position."""
        return cls(np.arange(n), n)

    @property
    def n_source(self) -> int:
        """The number of source tokens."""
        return len(self.to_output)

    @cached_property
    def source(self) -> IntArray:
        """int64 (k,): the source tokens that have a partner, ascending."""
        return (self.to_output >= 0).nonzero()[0]

    @cached_property
    def output(self) -> IntArray:
        """int64 (k,): the partners of :attr:`source`."""
        return self.to_output[self.source]

    @property
    def pairs(self) -> list[tuple[int, int]]:
        """The aligned pairs, in the order of the source."""
        return list(zip(self.source.tolist(), self.output.tolist(), strict=True))

    @cached_property
    def reversed(self) -> Alignment:
        """The same alignment, seen from the output."""
        back = np.full(self.n_output, -1, np.int64)
        back[self.output] = self.source
        return Alignment(back, self.n_source)

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Alignment):
            return NotImplemented
        return self.n_output == other.n_output and np.array_equal(self.to_output, other.to_output)

    def __hash__(self) -> int:
        return hash((self.to_output.tobytes(), self.n_output))

    def __repr__(self) -> str:
        return f"Alignment({self.pairs}, {self.n_source}, {self.n_output})"


# -- tokens ----------------------------------------------------------------------------------------------------------


def align_tokens(source: Sequence[str], output: Sequence[str], leaf: str = "anchor+lev") -> Alignment:
    """Align the tokens of two texts in one of the ways :data:`LEAVES`. Case and blanks around tokens do not count.

    Raises:
        AlignmentError: a text has more than :data:`usim.text.MAX_TOKENS` tokens.
        ValueError: a way that does not exist.

    >>> source = "Yesterday he goed to the shcool .".split()
    >>> output = "He went to the school .".split()
    >>> align_tokens(source, output).pairs
    [(1, 0), (2, 1), (3, 2), (4, 3), (5, 4), (6, 5)]
    >>> align_tokens(["he", "said", "yes"], ["yes", "indeed"], "lev").pairs  # no word of the shorter is alone
    [(1, 1), (2, 0)]
    """
    return _align(tuple(map(comparable, source)), tuple(map(comparable, output)), leaf)


def align_graphs(source: Graph, output: Graph, leaf: str = "anchor+lev") -> Alignment:
    """Align the terminals of two graphs: :func:`align_tokens` of their texts, for ``published`` of their parts."""
    a, b = words_of(source), words_of(output)
    if leaf != "published":
        return _align(a, b, leaf)
    check_lengths(len(a), len(b))
    parts = common_parts(source, output)
    links = [(s.start + i, o.start + j) for s, o in parts for i, j in published_links(a[s], b[o])]
    return Alignment.from_pairs(links, len(a), len(b))


def _align(a: tuple[str, ...], b: tuple[str, ...], leaf: str) -> Alignment:
    if leaf not in LEAVES:
        raise ValueError(f"leaf is {leaf!r}; it can be {', '.join(LEAVES)}")
    check_lengths(len(a), len(b))
    if leaf == "published":
        return Alignment.from_pairs(published_links(a, b), len(a), len(b))
    if a == b:
        return Alignment.identity(len(a))
    partners_of = _partners if leaf == "anchor+lev" else partial(_cheapest, by_place=leaf == "lev+pos")
    if (len(a), a) > (len(b), b):  # the same steps whichever text comes first
        to_output = [-1] * len(a)
        for j, i in enumerate(partners_of(b, a)):
            if i >= 0:
                to_output[i] = j
    else:
        to_output = partners_of(a, b)
    return Alignment(np.array(to_output, np.int64), len(b))


def _cheapest(a: tuple[str, ...], b: tuple[str, ...], *, by_place: bool) -> list[int]:
    """Return for each word of ``a`` the position of its partner in ``b``, -1 for none, by the cost of the paper."""
    partners = [-1] * len(a)
    if a and b:
        cost = cdist(a, b, scorer=Levenshtein.distance, dtype=np.int64)
        apart = np.abs(np.subtract.outer(np.arange(len(a)), np.arange(len(b))))
        # In whole numbers, so that no rounding decides. By edit distance alone, the distance in place decides between
        # matchings of the same cost.
        cost = cost * (max(len(a), len(b)) if by_place else len(a) * len(b) + 1) + apart
        for i, j in zip(*(places.tolist() for places in assignment(cost)), strict=True):
            partners[i] = j
    return partners


def check_lengths(n: int, m: int) -> None:
    if max(n, m) > MAX_TOKENS:
        raise AlignmentError(f"a text of {max(n, m)} tokens: texts of at most {MAX_TOKENS} can be aligned; divide it")


def _partners(a: tuple[str, ...], b: tuple[str, ...]) -> list[int]:
    """Return for each word of ``a`` the position of its partner in ``b``, -1 for none."""
    partners = [-1] * len(a)
    left_a: list[int] = []
    left_b: list[int] = []
    places: list[float] = []  # where in b each of left_a is expected
    i = j = 0
    for start_a, start_b, size in _anchors(a, b):
        if start_a > i:
            left_a += range(i, start_a)
            n, width = start_a - i, start_b - j
            if n == width:
                places += range(j, start_b)
            elif width:
                places += [j + k * width / n for k in range(n)]
            else:  # between two neighbours
                places += [j - 1 + (k + 1) / (n + 1) for k in range(n)]
        if start_b > j:
            left_b += range(j, start_b)
        i, j = start_a + size, start_b + size
        partners[start_a:i] = range(start_b, j)
    if left_a and left_b:
        moved = False
        for i, j in _match_rest(a, b, left_a, left_b, places):
            partners[i] = j
            moved = moved or a[i] == b[j]
        if moved:
            _uncross(a, b, partners)
    return partners


def _match_rest(
    a: tuple[str, ...], b: tuple[str, ...], left_a: list[int], left_b: list[int], places: list[float]
) -> list[tuple[int, int]]:
    """Return the pairs of least cost among the words that are left (step 2)."""
    cost: FloatArray = cdist(
        [a[i] for i in left_a],
        [b[j] for j in left_b],
        scorer=Levenshtein.normalized_distance,
        score_cutoff=_LIKE,
        dtype=np.float64,
    )
    off = np.abs(np.subtract.outer(places, left_b))
    cost = np.minimum(np.rint(cost * _UNLIKE + off * (_POSITION + _TURN * off)), _ALONE)
    rows, columns = assignment(cost, _ALONE)
    worth = cost[rows, columns] < _ALONE
    return [
        (left_a[row], left_b[column])
        for row, column, is_worth in zip(rows.tolist(), columns.tolist(), worth.tolist(), strict=True)
        if is_worth
    ]


def assignment(cost: FloatArray | IntArray, most: float = np.inf) -> tuple[IntArray, IntArray]:
    """Return the rows and the columns of an assignment of least cost.

    Where each row (column, if there are fewer) has its least cost in a place of its own, this is the answer, and the
    only one. SciPy, which takes longer to import than most sentences to compare, is asked where rows compete.

    Args:
        cost: (n, m).
        most: the greatest cost; which of the links that cost as much are in the assignment makes no difference, and
            they may be missing.
    """
    by_row = cost if cost.shape[0] <= cost.shape[1] else cost.T
    least = by_row.min(axis=1, keepdims=True)
    rows, columns = ((by_row == least) & (least < most)).nonzero()
    if len(set(rows.tolist())) == len(set(columns.tolist())) == len(rows):
        return (rows, columns) if by_row is cost else (columns, rows)
    from scipy.optimize import linear_sum_assignment

    rows, columns = linear_sum_assignment(cost)
    return rows, columns


def _uncross(a: tuple[str, ...], b: tuple[str, ...], partners: list[int]) -> None:
    """Let the links of a word to itself keep its order: a word that was moved may have passed an anchored one."""
    links: dict[str, list[int]] = {}
    for i, j in enumerate(partners):
        if j >= 0 and a[i] == b[j]:
            links.setdefault(a[i], []).append(i)
    for positions in links.values():
        if len(positions) > 1:
            for i, j in zip(positions, sorted(partners[i] for i in positions), strict=True):
                partners[i] = j


def _anchors(a: tuple[str, ...], b: tuple[str, ...]) -> list[list[int]]:
    """Return equal stretches of both texts along a longest common subsequence: start in a, start in b, length."""
    blocks = [list(block) for block in Indel.opcodes(a, b).as_matching_blocks()]
    for block, following in pairwise(blocks):
        size = block[2]
        end_a, end_b = block[0] + size, block[1] + size
        # Where one text has a sentence more, it is often open by a word or two where that begins and ends ("The … . The
        # …"). Of equally long ways, prefer the one that begins it after the end of a sentence.
        if not size or (following[0] > end_a) == (following[1] > end_b):
            continue
        longer, end, start = (a, following[0], end_a) if following[0] > end_a else (b, following[1], end_b)
        if longer[end - 1] != longer[start - 1] or longer[start - 1] in _SENTENCE_END:
            continue
        for k in range(1, size):
            if longer[end - k] != longer[start - k]:
                break
            if longer[start - k - 1] in _SENTENCE_END:
                block[2] -= k
                following[:] = following[0] - k, following[1] - k, following[2] + k
                break
    return blocks


# -- units -----------------------------------------------------------------------------------------------------------


class NodeAlignment(NamedTuple):
    """For each unit (or each row of a table) of one graph its partner in the other, -1 for none. The root has none.

    Attributes:
        to_output: int64 (units of the source,).
        to_source: int64 (units of the output,).
    """

    to_output: IntArray
    to_source: IntArray


def align_rows(
    a: EdgeTable, b: EdgeTable, token_alignment: Alignment, node: str, ties: str, labels: str
) -> NodeAlignment:
    """Align the rows of the tables of two graphs, see :class:`usim.measures.Preset`."""
    g, h = len(a.sizes), len(b.sizes)
    if not (g and h):
        return NodeAlignment(np.full(g, -1), np.full(h, -1))
    # Matrices (g, h): how many aligned pairs of words two yields share, 1 for two empty ones, and what follows from it.
    shared = a.members.take(token_alignment.source, axis=0).T @ b.members.take(token_alignment.output, axis=0)
    overlap: FloatArray = shared.astype(np.float64)
    if a.empty is not None and b.empty is not None:
        overlap += a.empty[:, None] * b.empty
    size_a, size_b = a.sizes[:, None], b.sizes
    forward = backward = overlap
    if node == "cover":
        forward, backward = overlap / size_b, overlap / size_a
    elif node == "f-float":
        # The published scorer's own operations: which weights are equal depends on their rounding.
        precision, recall = overlap / size_b, overlap / size_a
        forward = backward = 2 * (precision * recall) / np.maximum(precision + recall, _NEVER)
    else:
        overlap /= size_a + size_b
        if node == "exact":
            overlap *= overlap == _SAME
        elif node == "touched":
            touched, touched_back = _touched(a, b, token_alignment)
            overlap *= (overlap == _SAME) | touched[:, None] | touched_back
    if ties != "first":
        agree: BoolArray | FloatArray = _agree(a, b, labels)
        if a.ranks is not None and b.ranks is not None and node != "f-float":
            # Units of one yield are tied. The first is given the first, the second the second, so that a chain of units
            # matches itself.
            agree = agree + 0.5 * (a.ranks[:, None] == b.ranks)
        if ties == "size+label":
            bonus, bonus_back = np.rint(forward * size_b), np.rint(backward * size_a)
            forward = (forward == forward.max(axis=1, keepdims=True)) * (bonus + bonus + agree)
            backward = (backward == backward.max(axis=0)) * (bonus_back + bonus_back + agree)
        elif node == "f-float":
            forward, backward = (
                forward * (forward == forward.max(axis=1, keepdims=True)) * (agree + 1.0),
                backward * (backward == backward.max(axis=0)) * (agree + 1.0),
            )
        else:
            # The bonus is below the difference of any two weights that differ: they are fractions of yields.
            bonus = agree * _BONUS + 1.0
            forward = forward * bonus
            backward = backward * bonus if node == "cover" else forward
    out, back = forward.argmax(axis=1), backward.argmax(axis=0)  # the first of the greatest weights
    has_partner, has_partner_back = overlap[np.arange(g), out] > 0, overlap[back, np.arange(h)] > 0
    return NodeAlignment(np.where(has_partner, out, -1), np.where(has_partner_back, back, -1))


def _touched(a: EdgeTable, b: EdgeTable, token_alignment: Alignment) -> tuple[BoolArray, BoolArray]:
    """Return which rows of either table have a word that is not aligned to an equal one."""
    changed, changed_back = np.ones(len(a.words), np.float32), np.ones(len(b.words), np.float32)
    same = [(i, j) for i, j in token_alignment.pairs if a.words[i] == b.words[j]]
    if same:
        changed[[i for i, _ in same]] = changed_back[[j for _, j in same]] = 0
    return changed @ a.members > 0, changed_back @ b.members > 0


def label_pairs(a: EdgeTable, b: EdgeTable, labels: str) -> list[tuple[IntArray, IntArray]]:
    """Return the masks of the rows of both tables, kind by kind; two rows match if their masks share a bit."""
    kinds = list(zip(a.expanded if labels == "equivalent" else a.labels, b.labels, strict=False))
    if labels == "none":
        return [((x != 0).astype(np.int64), (y != 0).astype(np.int64)) for x, y in kinds]
    return kinds


def _agree(a: EdgeTable, b: EdgeTable, labels: str) -> BoolArray:
    """Return for each pair of rows whether their labels match."""
    shared, *more = (x[:, None] & y for x, y in label_pairs(a, b, labels))
    for other in more:
        shared |= other
    agree: BoolArray = shared != 0
    return agree
