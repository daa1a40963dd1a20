"""Remote edges: which units of a tree have a second parent.

A remote edge says that a unit takes part elsewhere, as *John* in *John wanted to leave* is a participant of both
scenes. For each ordered pair of nodes of the tree a small network gives a score to each label and to there being no
edge. A node is what the encoder says about the two ends of its span, its category, and the categories around it (its
parent's, its children's, the next one in its unary chain). A pair adds how the two lie to each other: a remote child is
mostly a sister of the parent or of one of the parent's ancestors.

Here are the parts that training and parsing share, and the network in numpy (:class:`RemoteScorer`).
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import chain

import numpy as np
import numpy.typing as npt

from usim.parsing.trees import Node, Tree, parse_label

#: How many kinds of relation between two nodes :func:`relations` tells apart.
RELATIONS = 14
#: The relation of a pair that cannot be joined by a remote edge, because the child holds the parent.
IMPOSSIBLE = 13
_FAR = 4

Ints = npt.NDArray[np.int64]
Floats = npt.NDArray[np.float32]


def categories_of(labels: Sequence[str]) -> list[str]:
    """Return the categories of single units in labels, in a fixed order; that of the root, ``""``, comes first."""
    return ["", *sorted({"|".join(step.categories) for label in labels for step in parse_label(label)})]


@dataclass(frozen=True)
class Nodes:
    """The nodes of a tree as arrays, the root first, parents before children.

    Attributes:
        start, end: the span of words of each node.
        depth: its place in the unary chain; -1 for the root.
        parent: the number of its parent in the tree; 0 for the root itself.
        level: how many nodes are above it.
        category: the number of its category.
        below: the number of the category next to it in the unary chain; 0 at the chain's end.
        inner: the numbers of the nodes that have nodes below them. Only these can be the parent of a remote edge: of
            the 8,096 remote edges of the English corpora one has another parent.
    """

    start: Ints
    end: Ints
    depth: Ints
    parent: Ints
    level: Ints
    category: Ints
    below: Ints
    inner: Ints

    @classmethod
    def of(cls, tree: Tree, number: Mapping[str, tuple[int, ...]]) -> Nodes:
        """Return the nodes of a tree; ``number`` gives for each label the numbers of its categories."""
        n = len(tree.words)
        rows = [(0, n, -1, 0, 0, 0, 0)]
        stack = [(n, 0)]
        for (i, j), label in tree.spans.items():
            while stack[-1][0] <= i and len(stack) > 1:
                stack.pop()
            above = stack[-1][1]
            categories = number[label]
            for depth, category in enumerate(categories):
                below = categories[depth + 1] if depth + 1 < len(categories) else 0
                rows.append((i, j, depth, above, rows[above][4] + 1, category, below))
                above = len(rows) - 1
            stack.append((j, above))
        flat: Ints = np.fromiter(chain.from_iterable(rows), np.int64, 7 * len(rows))
        columns = flat.reshape(-1, 7).T
        inner = np.array(sorted({row[3] for row in rows[1:]}), dtype=np.int64)
        names = ("start", "end", "depth", "parent", "level", "category", "below")
        return cls(**dict(zip(names, columns, strict=True)), inner=inner)

    def __len__(self) -> int:
        return len(self.start)

    def node(self, v: int) -> Node:
        """Return the node with number ``v``, as the tree names it."""
        return Node(int(self.start[v]), int(self.end[v]), int(self.depth[v]))


def relations(nodes: Nodes) -> Ints:
    """Return the relation of each two nodes: an array (parent, child) of numbers below :data:`RELATIONS`.

    If the child's own parent is above the remote parent (or is it), by how many levels, 0 to 4 or more; crossed with
    whether the child starts before the remote parent. Others: 10 and 11; the child is below the remote parent: 12.
    """
    kind = np.full((len(nodes), len(nodes)), IMPOSSIBLE)
    kind[nodes.inner] = _Forest.of([nodes]).relations()[0]
    return kind


@dataclass(frozen=True)
class _Forest:
    """Several trees as arrays that are filled up: (trees, nodes), and (trees, inner nodes) for what is inner."""

    start: Ints
    end: Ints
    parent: Ints
    level: Ints
    category: Ints
    below: Ints
    is_node: npt.NDArray[np.bool_]
    inner: Ints
    is_inner: npt.NDArray[np.bool_]

    @classmethod
    def of(cls, trees: Sequence[Nodes]) -> _Forest:
        n, most = max(map(len, trees)), max(len(nodes.inner) for nodes in trees)
        columns = np.zeros((6, len(trees), n), dtype=np.int64)
        inner = np.zeros((len(trees), most), dtype=np.int64)
        for b, t in enumerate(trees):
            columns[:, b, : len(t)] = (t.start, t.end, t.parent, t.level, t.category, t.below)
            inner[b, : len(t.inner)] = t.inner
        is_node = np.arange(n) < np.array([len(t) for t in trees])[:, None]
        is_inner = np.arange(most) < np.array([len(t.inner) for t in trees])[:, None]
        start, end, parent, level, category, below = columns
        return cls(start, end, parent, level, category, below, is_node, inner, is_inner)

    def relations(self) -> Ints:
        """Return the rows of :func:`relations` of the inner nodes: (trees, inner nodes, nodes)."""
        tree = np.arange(len(self.inner))[:, None]
        start, end, level = (a[tree, self.inner][:, :, None] for a in (self.start, self.end, self.level))
        index = np.arange(self.start.shape[1])
        over = (start <= self.start[:, None]) & (end >= self.end[:, None])
        over &= self.inner[:, :, None] <= index  # [a, v]: a is v or over it
        place = np.zeros(self.start.shape, dtype=np.int64)  # of an inner node among the inner ones
        place[tree, self.inner] = np.where(self.is_inner, np.arange(self.inner.shape[1]), 0)
        above = place[tree, self.parent]
        under = over[tree, :, self.inner]  # [p, a]: p is a or below it
        sister = under[tree[:, :, None], np.arange(self.inner.shape[1])[:, None], above[:, None]]
        distance = np.minimum(level - self.level[tree, self.parent][:, None], _FAR)
        kind: Ints = np.where(sister, 2 * distance, 10) + (self.start[:, None] >= start)
        kind[over] = 12
        # What holds the parent cannot be its child; only inner nodes hold others.
        impossible = np.zeros(kind.shape, dtype=np.bool_)
        b, p, a = np.nonzero(under & self.is_inner[:, :, None] & self.is_inner[:, None])
        impossible[b, p, self.inner[b, a]] = True
        impossible[:, :, 0] = True
        impossible |= ~self.is_inner[:, :, None] | ~self.is_node[:, None]
        kind[impossible] = IMPOSSIBLE
        return kind


@dataclass(frozen=True)
class RemoteScorer:
    """The network that scores pairs of nodes, in numpy.

    Attributes:
        labels: the labels of remote edges, without that of there being none.
        weights: the arrays of the network by name, as ``parsers.span.model.RemoteHead`` has them.
        threshold: by how much the best label must beat no edge.
    """

    labels: tuple[str, ...]
    weights: Mapping[str, Floats]
    threshold: float = 0.0

    def __call__(self, nodes: Nodes, left: Floats, right: Floats) -> list[tuple[Node, Node, str]]:
        """Return the remote edges of a tree, the surest first.

        Args:
            nodes: the nodes of the tree.
            left, right: what the encoder says about each fence as the start and as the end of a node, (n + 1, d).
        """
        return self.of_batch([nodes], left[None], right[None])[0]

    def of_batch(self, trees: Sequence[Nodes], left: Floats, right: Floats) -> list[list[tuple[Node, Node, str]]]:
        """Return the remote edges of several trees.

        Args:
            trees: the nodes of each.
            left, right: as above, (trees, fences, d).
        """
        if not any(len(nodes.inner) for nodes in trees):
            return [[] for _ in trees]
        inner, kind, scores = self.scores(trees, left, right)
        best = scores.max(axis=2)
        best[kind == IMPOSSIBLE] = -np.inf
        edges: list[list[tuple[Node, Node, str]]] = [[] for _ in trees]
        places = np.argwhere(best > self.threshold)
        if len(places):
            at = best[tuple(places.T)]
            for b, p, c in places[np.argsort(-at, kind="stable")].tolist():
                label = self.labels[int(scores[b, p, :, c].argmax())]
                edges[b].append((trees[b].node(inner[b, p]), trees[b].node(c), label))
        return edges

    def scores(self, trees: Sequence[Nodes], left: Floats, right: Floats) -> tuple[Ints, Ints, Floats]:
        """Return the inner nodes of several trees, how all nodes lie to these, and the scores of remote edges.

        Args:
            trees: the nodes of each; some have inner ones.
            left, right: as in :meth:`of_batch`.

        Returns:
            (trees, inner nodes); (trees, inner nodes, nodes), as in :func:`relations`; and
            (trees, inner nodes, labels, nodes), where a pair that is :data:`IMPOSSIBLE` has no meaning.
        """
        w, labels = self.weights, len(self.labels)
        forest = _Forest.of(trees)
        x = self._features(forest, left, right)
        batch, n, _ = x.shape
        inner, kind = forest.inner, forest.relations()
        most = inner.shape[1]
        above = x[np.arange(batch)[:, None], inner]
        parents, children = above @ w["parent_weight"] + w["parent_bias"], x @ w["child_weight"] + w["child_bias"]
        through = (parents @ w["bilinear"]).reshape(batch, most * labels, -1)
        scores = (through @ children.transpose(0, 2, 1)).reshape(batch, most, labels, n)
        scores += (above @ w["from"])[:, :, :, None]
        scores += (x @ w["to"]).transpose(0, 2, 1)[:, None]
        # One look-up for all: row by row of the table, which has a row for each label.
        table = w["relation"].T
        scores += table.take(kind[:, :, None] + np.arange(labels)[:, None] * table.shape[1])
        return inner, kind, scores

    def _features(self, forest: _Forest, left: Floats, right: Floats) -> Floats:
        """Return the vectors of the nodes, (trees, nodes, d); what is beyond a tree's nodes has no meaning."""
        w = self.weights
        batch, n = forest.start.shape
        first = np.arange(batch)[:, None]
        x: Floats = left[first, forest.start]
        x += right[first, forest.end]
        # What is below a node adds up: how often each category is there, times its vector. The first entry of a row is
        # the root, which is below nothing; neither is what fills the row up.
        count = len(w["child"])
        below_one = forest.is_node.copy()
        below_one[:, 0] = False
        key = ((forest.parent + first * n) * count + forest.category)[below_one]
        counts = np.bincount(key, minlength=batch * n * count).astype(np.float32).reshape(batch, n, count)
        x += counts @ w["child"]
        x += w["category"][forest.category]
        x += w["below"][forest.below]
        x += w["above"][forest.category[first, forest.parent]]
        x -= x.mean(axis=2, keepdims=True)
        x *= w["norm_weight"] / np.sqrt(np.mean(x * x, axis=2, keepdims=True) + 1e-5)
        x += w["norm_bias"]
        np.maximum(x, 0, out=x)
        return x
