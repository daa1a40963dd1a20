"""Simple ways to align the sentences of two texts."""

from __future__ import annotations

from collections.abc import Sequence
from math import erfc, inf, log, sqrt

import numpy as np

from usim.texts import PassageReader

#: Gale & Church 1993, section 3.3: how frequent each kind of bead is.
_PRIORS = {(1, 1): 0.89, (1, 0): 0.00495, (0, 1): 0.00495, (2, 1): 0.0445, (1, 2): 0.0445, (2, 2): 0.011}
#: The variance of the difference of lengths, in characters per character.
_VARIANCE = 6.8


def gale_church(before: Sequence[str], after: Sequence[str]) -> set[tuple[int, int]]:
    """Align sentences by their lengths in characters (Gale & Church 1993), and return pairs of sentences."""
    lengths = [np.cumsum([0, *map(len, side)]) for side in (before, after)]
    ratio = lengths[1][-1] / max(1, lengths[0][-1])
    costs = {(0, 0): 0.0}
    steps: dict[tuple[int, int], tuple[int, int]] = {}
    for i in range(len(before) + 1):
        for j in range(len(after) + 1):
            for (a, b), prior in _PRIORS.items():
                if a > i or b > j or (i - a, j - b) not in costs:
                    continue
                cost = costs[i - a, j - b] - log(prior)
                cost += _cost(lengths[0][i] - lengths[0][i - a], lengths[1][j] - lengths[1][j - b], ratio)
                if cost < costs.get((i, j), inf):
                    costs[i, j], steps[i, j] = cost, (a, b)
    links = set()
    i, j = len(before), len(after)
    while i or j:
        a, b = steps[i, j]
        links |= {(x, y) for x in range(i - a, i) for y in range(j - b, j)}
        i, j = i - a, j - b
    return links


def _cost(before: int, after: int, ratio: float) -> float:
    """Return minus the log of the chance of a difference in length as great as this, or greater."""
    mean = (before + after / ratio) / 2
    delta = (after - before * ratio) / sqrt(max(mean, 1.0) * _VARIANCE)
    return -log(max(erfc(abs(delta) / sqrt(2)), 1e-300))


def best_cosine(
    before: Sequence[str], after: Sequence[str], reader: PassageReader, least: float
) -> set[tuple[int, int]]:
    """Link each sentence of either text to that of the other with the best cosine of means, if it is high enough."""
    a, b = (np.stack([passage.mean for passage in reader.read(list(side))]) for side in (before, after))
    table = a @ b.T
    links = {(i, int(j)) for i, j in enumerate(table.argmax(axis=1)) if table[i, j] >= least}
    return links | {(int(i), j) for j, i in enumerate(table.argmax(axis=0)) if table[i, j] >= least}
