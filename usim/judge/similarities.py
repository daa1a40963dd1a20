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
    a, b = _normalised(source[inputs.source]), _normalised(target[inputs.target])
    table = a @ b.T
    best_a, best_b = table.max(axis=1), table.max(axis=0)
    n = len(a)
    gone, new = (np.flatnonzero(flag != 1) for flag in (inputs.flag[:n], inputs.flag[n:]))
    # In long sentences the partner of a token may be among those that do not take part.
    kept = np.flatnonzero((inputs.flag[:n] == 1) & (inputs.partner[:n] >= 0))
    cosines = table[kept, inputs.partner[kept] - n]
    values = [_cosine(a.mean(axis=0), b.mean(axis=0)), best_a.mean(), best_b.mean(), best_a.min(), best_b.min()]
    for some in (best_a[gone], best_b[new], cosines):
        values += [some.mean(), some.min()] if len(some) else [1.0, 1.0]
    values.append(_cosine(a[gone].mean(axis=0), b[new].mean(axis=0)) if len(gone) and len(new) else 1.0)
    return np.array(values, np.float32)


def similar_layers(source: TokenVectors, target: TokenVectors, inputs: PairInputs, layers: int) -> Floats:
    """Return the figures of :func:`similarities` for each of the last layers, (layers * len(:data:`NAMES`),)."""
    both = list(zip(source.layers(), target.layers(), strict=True))
    return np.concatenate([similarities(a, b, inputs) for a, b in both[-layers:]])


def _normalised(vectors: Floats) -> Floats:
    lengths = np.sqrt(np.einsum("ij,ij->i", vectors, vectors)) + np.float32(1e-9)
    normalised: Floats = vectors / lengths[:, None]
    return normalised


def _cosine(one: Floats, other: Floats) -> float:
    return float(one @ other / (np.sqrt((one @ one) * (other @ other)) + 1e-9))
