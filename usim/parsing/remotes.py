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
    """All the categories of single units in a list of labels, in a fixed order; the root's, ``""``, comes first."""
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
    """

    start: Ints
    end: Ints
    depth: Ints
    parent: Ints
    level: Ints
    category: Ints
    below: Ints

    @classmethod
    def of(cls, tree: Tree, number: Mapping[str, tuple[int, ...]]) -> Nodes:
        """The nodes of a tree; ``number`` gives for each label the numbers of its categories."""
        n = len(tree.words)
        rows = [(0, n, -1, 0, 0, 0, 0)]
        stack = [(n, 0)]
        for (i, j), label in tree.spans.items():
            while stack[-1][0] <= i and len(stack) > 1:
                stack.pop()
            above = stack[-1][1]
            chain = number[label]
            for depth, category in enumerate(chain):
                below = chain[depth + 1] if depth + 1 < len(chain) else 0
                rows.append((i, j, depth, above, rows[above][4] + 1, category, below))
                above = len(rows) - 1
            stack.append((j, above))
        return cls(*np.array(rows, dtype=np.int64).T)

    def __len__(self) -> int:
        return len(self.start)

    def node(self, v: int) -> Node:
        """The node with number ``v``, as the tree names it."""
        return Node(int(self.start[v]), int(self.end[v]), int(self.depth[v]))


def relations(nodes: Nodes) -> Ints:
    """How each two nodes lie to each other: an array (parent, child) of numbers below :data:`RELATIONS`.

    If the child's own parent is above the remote parent (or is it), by how many levels, 0 to 4 or more; crossed with
    whether the child starts before the remote parent. Others: 10 and 11; the child is below the remote parent: 12.
    """
    start, end, parent = nodes.start, nodes.end, nodes.parent
    index = np.arange(len(nodes))
    above = (start[:, None] <= start) & (end[:, None] >= end) & (index[:, None] <= index)  # [a, v]: a is v or over it
    sister = above[parent].T  # [p, c]: the parent of c is p or over it
    distance = np.minimum(nodes.level[:, None] - nodes.level[parent], _FAR)
    after = (start >= start[:, None]).astype(np.int64)
    kind = np.where(sister, 2 * distance + after, 10 + after)
    kind[above] = 12
    kind[above.T] = IMPOSSIBLE
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
        """The remote edges of a tree, the surest first.

        Args:
            nodes: the nodes of the tree.
            left, right: what the encoder says about each fence as the start and as the end of a node, (n + 1, d).
        """
        w = self.weights
        n = len(nodes)
        x = left[nodes.start] + right[nodes.end]
        x += w["category"][nodes.category]
        x += w["below"][nodes.below]
        x += w["above"][nodes.category[nodes.parent]]
        children = np.zeros_like(x)
        np.add.at(children, nodes.parent[1:], w["child"][nodes.category[1:]])
        x += children
        x -= x.mean(axis=1, keepdims=True)
        x *= w["norm_weight"] / np.sqrt(np.mean(x * x, axis=1, keepdims=True) + 1e-5)
        x += w["norm_bias"]
        np.maximum(x, 0, out=x)
        parents, children = x @ w["parent_weight"] + w["parent_bias"], x @ w["child_weight"] + w["child_bias"]
        labels = len(self.labels)
        through = (parents @ w["bilinear"]).reshape(n * labels, -1)  # (n, d) @ (d, labels * d)
        scores = (through @ children.T).reshape(n, labels, n)
        scores += (x @ w["from"])[:, :, None]
        scores += (x @ w["to"]).T[None]
        kind = relations(nodes)
        scores += w["relation"].T[:, kind].transpose(1, 0, 2)
        best = scores.max(axis=1)
        best[kind == IMPOSSIBLE] = -np.inf
        found = np.argwhere(best > self.threshold)
        if not len(found):
            return []
        order = np.argsort(-best[found[:, 0], found[:, 1]], kind="stable")
        return [
            (nodes.node(p), nodes.node(c), self.labels[int(scores[p, :, c].argmax())]) for p, c in found[order].tolist()
        ]
