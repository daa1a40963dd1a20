"""How alike the upper vectors of two sentences are: figures that the judge reads beside those of the comparison."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from usim.judge.classifier import TokenVectors
from usim.judge.inputs import PairInputs

Floats = npt.NDArray[np.float32]

#: The names of the figures, in the order of :func:`similarities`.
NAMES = (
    "upper_sentence", "upper_recall", "upper_precision", "upper_recall_min", "upper_precision_min",
    "upper_gone_mean", "upper_gone_min", "upper_new_mean", "upper_new_min", "upper_kept_mean", "upper_kept_min",
    "upper_changed_means",
)  # fmt: skip


def similarities(source: Floats, target: Floats, inputs: PairInputs) -> Floats:
    """Return cosines of the vectors of two sentences, (len(:data:`NAMES`),); 1 where there is nothing to compare.

    They are: of both means; of each token with the one most like it on the other side, the mean and the least in
    either direction, over all tokens and over the changed ones; of kept tokens with themselves, the mean and the least;
    of the means of what is gone and what is new.

    Args:
        source, target: the vectors of all tokens of either sentence, (tokens, width).
        inputs: which tokens are kept.
    """
    row: Floats = _similarities(source[None, inputs.source], target[None, inputs.target], inputs)[0]
    return row


def similar_layers(source: TokenVectors, target: TokenVectors, inputs: PairInputs, layers: int) -> Floats:
    """Return the figures of :func:`similarities` for each of the last layers, (layers * len(:data:`NAMES`),)."""
    both = [list(vectors.layers())[-layers:] for vectors in (source, target)]
    a, b = (
        np.stack([layer[places] for layer in of_side])
        for of_side, places in zip(both, (inputs.source, inputs.target), strict=True)
    )
    return _similarities(a, b, inputs).reshape(-1)


def _similarities(a: Floats, b: Floats, inputs: PairInputs) -> Floats:
    """Return the figures of several layers, (layers, len(:data:`NAMES`)).

    Args:
        a, b: the vectors of the tokens that take part, (layers, tokens, width).
        inputs: which tokens are kept.
    """
    a, b = _normalised(a), _normalised(b)
    table = a @ b.transpose(0, 2, 1)
    best_a, best_b = table.max(axis=2), table.max(axis=1)
    n = a.shape[1]
    gone, new = (np.flatnonzero(flag != 1) for flag in (inputs.flag[:n], inputs.flag[n:]))
    # In long sentences the partner of a token may be among those that do not take part.
    kept = np.flatnonzero((inputs.flag[:n] == 1) & (inputs.partner[:n] >= 0))
    figures = np.ones((len(a), len(NAMES)), np.float32)
    figures[:, 0] = _cosines(a, b)
    figures[:, 1], figures[:, 3] = _mean(best_a), best_a.min(axis=1)
    figures[:, 2], figures[:, 4] = _mean(best_b), best_b.min(axis=1)
    for at, some in ((5, best_a[:, gone]), (7, best_b[:, new]), (9, table[:, kept, inputs.partner[kept] - n])):
        if some.shape[1]:
            figures[:, at], figures[:, at + 1] = _mean(some), some.min(axis=1)
    if len(gone) and len(new):
        figures[:, 11] = _cosines(a[:, gone], b[:, new])
    return figures


def _normalised(vectors: Floats) -> Floats:
    lengths = np.sqrt(np.einsum("lij,lij->li", vectors, vectors)) + np.float32(1e-9)
    normalised: Floats = vectors / lengths[:, :, None]
    return normalised


def _mean(values: Floats) -> Floats:
    """Return the means over the second axis; ``mean`` itself takes three times as long for so few numbers."""
    mean: Floats = np.add.reduce(values, axis=1) / np.float32(values.shape[1])
    return mean


def _cosines(a: Floats, b: Floats) -> Floats:
    """Return for each layer the cosine of the mean vectors of either side."""
    one, other = _mean(a), _mean(b)
    products, squares, others = (np.einsum("lj,lj->l", x, y) for x, y in ((one, other), (one, one), (other, other)))
    cosines: Floats = products / (np.sqrt(squares * others) + np.float32(1e-9))
    return cosines
