"""Boosted regression trees in numpy."""

from __future__ import annotations

from collections.abc import Mapping
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

    @classmethod
    def of(cls, arrays: Mapping[str, Any]) -> Trees:
        """Return trees from their arrays, as ``numpy.savez_compressed(path, **trees._asdict())`` writes them."""
        # As whole numbers of the machine's own size they are not converted each time they are looked up with.
        feature, left, right, root = (arrays[name].astype(np.intp) for name in ("feature", "left", "right", "root"))
        threshold, value = arrays["threshold"], arrays["value"]
        return cls(feature, threshold, left, right, value, root, int(arrays["depth"]), float(arrays["base"]))

    def __call__(self, features: Floats) -> npt.NDArray[np.float64]:
        """Return the sums of what the trees say about rows of features: logits (rows,) from (rows, features)."""
        rows = np.arange(len(features))[:, None] * features.shape[1]
        values = features.reshape(-1)
        node = np.broadcast_to(self.root, (len(features), len(self.root)))
        for _ in range(self.depth):
            goes_left = values.take(rows + self.feature.take(node)) <= self.threshold.take(node)
            node = np.where(goes_left, self.left.take(node), self.right.take(node))
        sums: npt.NDArray[np.float64] = self.base + self.value.take(node).sum(axis=1, dtype=np.float64)
        return sums
