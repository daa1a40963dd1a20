"""Boosted trees in plain arrays, all of which are evaluated together."""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

Floats = npt.NDArray[np.float32]
Ints = npt.NDArray[np.integer[Any]]


class Trees(NamedTuple):
    """Boosted regression trees whose leaves lead to themselves.

    Attributes:
        feature: whole numbers (nodes,): the feature that a node asks about; 0 in leaves.
        threshold: float32 (nodes,): up to this value the way goes left; infinite in leaves.
        left, right: whole numbers (nodes,): where the ways lead; a leaf leads to itself.
        value: float32 (nodes,): what a leaf says; 0 in other nodes.
        root: whole numbers (trees,): where each tree begins.
        depth: how many steps there are at most from a root to a leaf.
        base: what the sum starts with.
    """

    feature: Ints
    threshold: Floats
    left: Ints
    right: Ints
    value: Floats
    root: Ints
    depth: int
    base: float

    def __call__(self, features: Floats) -> float:
        """Return the sum of what the trees say about a row of features, (features,): a logit."""
        node = self.root
        for _ in range(self.depth):
            goes_left = features.take(self.feature.take(node)) <= self.threshold.take(node)
            node = np.where(goes_left, self.left.take(node), self.right.take(node))
        return self.base + float(self.value.take(node).sum(dtype=np.float64))
