"""Boosted trees in plain arrays: all trees of a model are descended together."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
import numpy.typing as npt

Floats = npt.NDArray[np.float32]


class Trees(NamedTuple):
    """Boosted regression trees whose leaves lead to themselves.

    Attributes:
        feature: int16 (nodes,): the feature that a node asks about; 0 in leaves.
        threshold: float32 (nodes,): up to this value the way goes left; infinite in leaves.
        left, right: int32 (nodes,): where the ways lead; a leaf leads to itself.
        value: float32 (nodes,): what a leaf says; 0 in other nodes.
        root: int32 (trees,): where each tree begins.
        depth: how many steps there are at most from a root to a leaf.
        base: what the sum starts with.
    """

    feature: npt.NDArray[np.int16]
    threshold: Floats
    left: npt.NDArray[np.int32]
    right: npt.NDArray[np.int32]
    value: Floats
    root: npt.NDArray[np.int32]
    depth: int
    base: float

    def __call__(self, features: Floats) -> float:
        """Return the sum of what the trees say about a row of features, (features,): a logit."""
        node = self.root
        for _ in range(self.depth):
            node = np.where(features[self.feature[node]] <= self.threshold[node], self.left[node], self.right[node])
        return self.base + float(self.value[node].sum(dtype=np.float64))
