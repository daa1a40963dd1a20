"""Constituent trees and the graphs that they stand for: what lets a chart parser make UCCA graphs.

A chart parser knows spans with labels; a UCCA graph has discontinuous units, several categories on an edge, unary
chains, punctuation, implicit units and remote edges. The tree keeps what a span with a label can say, in the spirit of
Jiang et al. (2019, "HLT@SUDA at SemEval-2019 Task 1"), and the rest is put back when the graph is built:

* *Punctuation* (:func:`usim.text.is_punct`) stays out of the chart. The tree is over the other tokens, its *words*.
  Going back, a punctuation mark hangs on the lowest unit that holds the words on both of its sides.
* The category of a primary edge is the label of its child. Several categories are sorted and joined: ``A|S``.
* A *unary chain*, i.e. units of the same words above each other, is one label: ``H+A`` is a participant under a scene.
* A *discontinuous unit* gets what lies in its gaps as children, marked with the number of levels that they have to
  climb to be where they belong: in ``[D^1 not]`` the unit belongs to the parent of the one that it stands in.
  Words that a unit holds without a unit of their own are wrapped for that purpose, with the category ``*``.
* *Implicit units* are dropped. *Remote edges* are kept beside the tree, as pairs of its nodes.

::

    take it off           [P take ... off] [A it]          the graph
     0    1  2            (0, 3) P   (1, 2) A^1            the tree: "it" stands in the gap of "take off"

"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import NamedTuple

from usim.text import is_punct
from usim.ucca import Edge, Graph, Terminal, Unit
from usim.ucca.yields import reaches

#: Marks that version 2 of the guidelines counts among the words, and version 1 leaves out as punctuation.
_READ = frozenset("&%")

#: The category of words that had no unit of their own and stand in another unit's gap.
BARE = "*"
_BARE = (BARE,)


class Node(NamedTuple):
    """A node of the tree: its span of words, and its place in the unary chain, 0 at the top. The root is (0, n, -1)."""

    start: int
    end: int
    depth: int


@dataclass(frozen=True)
class Tree:
    """A constituent tree over the words of a sentence.

    Attributes:
        words: the positions of the words among the terminals; the other terminals are punctuation.
        spans: the label of each span ``(start, end)`` of words; spans nest, and are ordered parents first.
        remotes: remote edges as (parent, child, label).
    """

    words: tuple[int, ...]
    spans: dict[tuple[int, int], str]
    remotes: tuple[tuple[Node, Node, str], ...] = ()


class Step(NamedTuple):
    """One unit of a unary chain: its categories, and how many levels it has to climb."""

    categories: tuple[str, ...]
    climb: int


@lru_cache(maxsize=4096)
def parse_label(label: str) -> tuple[Step, ...]:
    """Split a label into its units, from the top of the chain.

    >>> parse_label("A|S^2+P")
    (Step(categories=('A', 'S'), climb=2), Step(categories=('P',), climb=0))
    """
    steps = []
    for part in label.split("+"):
        categories, _, climb = part.partition("^")
        steps.append(Step(tuple(categories.split("|")), int(climb or 0)))
    return tuple(steps)


def words_of(tokens: Sequence[str], guidelines: int = 1) -> list[int]:
    """Return the positions of the tokens that take part in the tree: all but punctuation.

    >>> words_of("R & B , please".split()), words_of("R & B , please".split(), guidelines=2)
    ([0, 2, 4], [0, 1, 2, 4])
    """
    return [i for i, t in enumerate(tokens) if not is_punct(t) or (guidelines == 2 and t in _READ)]


def walk(tree: Tree) -> Iterator[tuple[Node, int, str]]:
    """Yield the nodes of a tree from 1 on, parents first: each with its parent's number, and its span's label."""
    stack = [(len(tree.words), 0)]
    number = 0
    for (i, j), label in tree.spans.items():
        while stack[-1][0] <= i and len(stack) > 1:
            stack.pop()
        above = stack[-1][1]
        for depth in range(len(parse_label(label))):
            number += 1
            yield Node(i, j, depth), above, label
            above = number
        stack.append((j, above))


def bare_words(spans: Iterable[tuple[int, int]], n: int) -> list[int]:
    """Return the words that no span covers, of a tree over ``n`` words whose spans come parents first.

    >>> bare_words([(0, 2), (0, 1)], 3)
    [2]
    """
    bare: list[int] = []
    end = 0
    for i, j in spans:
        if i >= end:
            bare.extend(range(end, i))
            end = j
    bare.extend(range(end, n))
    return bare


def join(tokens: Sequence[str], parts: Iterable[tuple[int, int, Tree]], *, id: str = "") -> Graph:
    """Join several trees into one graph, for example those of the sentences of a text.

    Any tree gives a valid graph: what would climb higher than the root stays under the root, a unit that everything
    has climbed out of is dropped, and a remote edge that would close a cycle or double another edge is left out.

    Each of the parts has the range ``start, end`` of its tokens; together they are all of the tokens.
    """
    draft = _UnitDraft(len(tokens))
    for start, end, tree in parts:
        draft.add(start, end, tree)
    return draft.graph(tokens, id)


_ROOT = Step((), 0)


class _UnitDraft:
    """The units and edges of one or more trees. Unit 0 is the root; parents come before their children."""

    def __init__(self, tokens: int) -> None:
        self.parent = [0]
        self.categories: list[tuple[str, ...]] = [()]
        self.held: list[list[int]] = [[]]
        self.is_punct = [False]
        self.remotes: list[Edge] = []
        self.token_is_punct = [False] * tokens

    def add(self, start: int, end: int, tree: Tree) -> None:
        """Add the units of a tree over the tokens ``start .. end-1``."""
        words = tree.words
        n = len(words)
        # The nodes of the tree as it stands; node 0 is the root.
        parent = [0]
        steps = [_ROOT]
        named: dict[Node, int] = {Node(0, n, -1): 0}
        holder = [0] * n
        for v, (node, above, label) in enumerate(walk(tree), 1):
            named[node] = v
            parent.append(above)
            steps.append(parse_label(label)[node.depth])
            holder[node.start : node.end] = [v] * (node.end - node.start)
        _climb(parent, steps, holder)
        held: list[list[int]] = [[] for _ in steps]
        for word, v in zip(words, holder, strict=True):
            held[v].append(word + start)
        inner = [False] * len(steps)
        full = [bool(h) for h in held]
        for v in range(len(steps) - 1, 0, -1):
            if full[v] and steps[v].categories != _BARE:
                inner[parent[v]] = full[parent[v]] = True
        # Their numbers among all units; what everything has climbed out of has none.
        number = [0] * len(steps)
        self.held[0] += held[0]
        for v in range(1, len(steps)):
            if full[v] and steps[v].categories != _BARE:
                number[v] = len(self.parent)
                is_punct = steps[v].categories == ("U",) and not inner[v]
                self._unit(number[parent[v]], steps[v].categories, held[v], is_punct)
        self._remotes([(named.get(p, -1), named.get(c, -1), label) for p, c, label in tree.remotes], parent, number)
        self._punctuation(start, end, words, parent, holder, number)

    def _unit(self, parent: int, categories: tuple[str, ...], held: list[int], is_punct: bool) -> None:
        self.parent.append(parent)
        self.categories.append(categories)
        self.held.append(held)
        self.is_punct.append(is_punct)
        if is_punct:
            for t in held:
                self.token_is_punct[t] = True

    def _remotes(self, remotes: Iterable[tuple[int, int, str]], parent: list[int], number: list[int]) -> None:
        below: list[set[int]] = [set() for _ in parent]
        for v in range(1, len(parent)):
            below[parent[v]].add(v)
        done = set()
        for p, c, label in remotes:
            if p < 0 or c <= 0 or (p and not number[p]) or not number[c] or (p, c, label) in done:
                continue
            if self.is_punct[number[p]] or reaches(below, c, p):
                continue
            done.add((p, c, label))
            below[p].add(c)
            self.remotes.append(Edge(number[p], number[c], tuple(label.split("|")), is_remote=True))

    def _punctuation(
        self, start: int, end: int, words: Sequence[int], parent: list[int], holder: list[int], number: list[int]
    ) -> None:
        k = 0  # how many words stand before the token
        for t in range(end - start):
            if k < len(words) and words[k] == t:
                k += 1
                continue
            v = _lowest_common(parent, holder[k - 1], holder[k]) if 0 < k < len(words) else 0
            self._unit(number[v], ("U",), [t + start], True)

    def graph(self, tokens: Sequence[str], id: str) -> Graph:
        """Build the graph."""
        terminals = [Terminal(text, mark) for text, mark in zip(tokens, self.token_is_punct, strict=True)]
        units = [Unit(tuple(held), False, mark) for held, mark in zip(self.held, self.is_punct, strict=True)]
        edges = [Edge(self.parent[u], u, self.categories[u]) for u in range(1, len(units))]
        return Graph(terminals, units, edges + self.remotes, id=id)


def _climb(parent: list[int], steps: list[Step], holder: list[int]) -> None:
    """Move every node to where it belongs, and give the words of wrappers to the unit around them."""
    above = list(parent)
    for v in range(1, len(steps)):
        p = above[v]
        for _ in range(steps[v].climb):
            p = above[p]
        parent[v] = p
    for v in range(1, len(steps)):  # wrappers of bare words give what they hold to their parent
        if steps[parent[v]].categories == _BARE:
            parent[v] = parent[parent[v]]
    for k, v in enumerate(holder):
        while v and steps[v].categories == _BARE:
            v = parent[v]
        holder[k] = v


def _lowest_common(parent: list[int], a: int, b: int) -> int:
    seen = {0}
    while a:
        seen.add(a)
        a = parent[a]
    while b not in seen:
        b = parent[b]
    return b
