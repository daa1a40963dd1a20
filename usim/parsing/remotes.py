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

from usim.parsing.trees import Node, Tree, parse_label, walk

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
        rows = [(0, len(tree.words), -1, 0, 0, 0, 0)]
        for node, above, label in walk(tree):
            category, below = (*number[label], 0)[node.depth : node.depth + 2]
            rows.append((*node, above, rows[above][4] + 1, category, below))
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
    """Return how all nodes lie to each inner one: an array (inner nodes, nodes) of numbers below :data:`RELATIONS`.

    If the child's own parent is above the remote parent (or is it), by how many levels, 0 to 4 or more; crossed with
    whether the child starts before the remote parent. Others: 10 and 11; the child is below the remote parent: 12.
    """
    start, end, level, parent, inner = nodes.start, nodes.end, nodes.level, nodes.parent, nodes.inner
    index = np.arange(len(nodes))
    under = (start[inner, None] >= start) & (end[inner, None] <= end) & (inner[:, None] >= index)
    distance = np.minimum(level[inner, None] - level[parent], _FAR)
    kind: Ints = np.where(under[:, parent], 2 * distance, 10)
    kind += start >= start[inner, None]
    kind[(start[inner, None] <= start) & (end[inner, None] >= end) & (inner[:, None] <= index)] = 12
    kind[under] = IMPOSSIBLE  # what holds the parent cannot be its child
    kind[:, 0] = IMPOSSIBLE
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

        ``left`` and ``right`` say what the encoder makes of each fence as the start and end of a node, (n + 1, d).
        """
        if not len(nodes.inner):
            return []
        kind, scores = self.scores(nodes, left, right)
        best = scores.max(axis=1)
        best[kind == IMPOSSIBLE] = -np.inf
        places = np.argwhere(best > self.threshold)
        at = best[tuple(places.T)]
        return [
            (nodes.node(nodes.inner[p]), nodes.node(c), self.labels[int(scores[p, :, c].argmax())])
            for p, c in places[np.argsort(-at, kind="stable")].tolist()
        ]

    def scores(self, nodes: Nodes, left: Floats, right: Floats) -> tuple[Ints, Floats]:
        """Return how the nodes of a tree that has inner ones lie to these, and the scores of remote edges.

        Returns:
            (inner nodes, nodes), as in :func:`relations`; and (inner nodes, labels, nodes), where a pair that is
            :data:`IMPOSSIBLE` has no meaning.
        """
        w, labels, inner = self.weights, len(self.labels), len(nodes.inner)
        x = self._features(nodes, left, right)
        kind, above = relations(nodes), x[nodes.inner]
        parents, children = above @ w["parent_weight"] + w["parent_bias"], x @ w["child_weight"] + w["child_bias"]
        through = (parents @ w["bilinear"]).reshape(inner * labels, -1)
        scores: Floats = (through @ children.T).reshape(inner, labels, -1)
        scores += (above @ w["from"])[:, :, None]
        scores += (x @ w["to"]).T
        for k in range(labels):
            scores[:, k] += w["relation"][:, k].take(kind)
        return kind, scores

    def _features(self, nodes: Nodes, left: Floats, right: Floats) -> Floats:
        """Return the vectors of the nodes, (nodes, d)."""
        w = self.weights
        x: Floats = left[nodes.start] + right[nodes.end]
        # What is below a node adds up: how often each category is there, times its vector; the root is below nothing.
        count = len(w["child"])
        counts = np.bincount((nodes.parent * count + nodes.category)[1:], minlength=len(nodes) * count)
        x += counts.astype(np.float32).reshape(-1, count) @ w["child"]
        x += w["category"][nodes.category]
        x += w["below"][nodes.below]
        x += w["above"][nodes.category[nodes.parent]]
        x -= x.mean(axis=1, keepdims=True)
        x *= w["norm_weight"] / np.sqrt(np.mean(x * x, axis=1, keepdims=True) + 1e-5)
        x += w["norm_bias"]
        return np.maximum(x, 0, out=x)
