"""How alike the upper vectors of two sentences are: figures that the judge reads as well as those of the comparison."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import numpy.typing as npt

from usim.evidence import SoftLink
from usim.judge.inputs import PairInputs
from usim.measures import SoftAlignment
from usim.measures.soft import of_cosines, unit_vectors, worst

#: Links with a lower cosine are left out.
LEAST_LINK = 0.5

Floats = npt.NDArray[np.float32]

#: The names of the figures of a layer, in their order.
NAMES = (
    "upper_sentence", "upper_recall", "upper_precision", "upper_recall_min", "upper_precision_min",
    "upper_gone_mean", "upper_gone_min", "upper_new_mean", "upper_new_min", "upper_kept_mean", "upper_kept_min",
    "upper_changed_means", "upper_recall_worst", "upper_precision_worst",
)  # fmt: skip


def similar_layers(source: Floats, output: Floats, width: int, inputs: PairInputs) -> tuple[Floats, SoftAlignment]:
    """Return cosines of the vectors of two sentences in all layers, (layers * len(:data:`NAMES`),).

    The vectors of the layers stand side by side, (tokens, layers * width). Without anything to compare a cosine is 1.
    The cosines are those of both means; of each token with the most similar token of the other side, the mean and the
    least in either direction, over all tokens and over the changed ones; of kept tokens with themselves, the mean and
    the least; of the means of the tokens that are gone and that are new; of the three tokens with the worst
    counterparts, the mean in either direction. The soft alignment of the tokens, by layer, comes with them.
    """
    a, b = (
        unit_vectors(vectors[places].reshape(len(places), -1, width).transpose(1, 0, 2))
        for vectors, places in ((source, inputs.source), (output, inputs.output))
    )
    table = a @ b.transpose(0, 2, 1)
    soft = of_cosines(table)
    best_a, best_b = soft.of_source, soft.of_output
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
    figures[:, 12], figures[:, 13] = worst(best_a), worst(best_b)
    return figures.reshape(-1), soft


def soft_links(
    source_content: Sequence[bool], output_content: Sequence[bool], inputs: PairInputs, soft: SoftAlignment
) -> tuple[SoftLink, ...]:
    """Return the links of the soft alignment that the alignment by letters lacks, in the order of the source.

    A word without a partner of the same form is linked to the most similar word in the last layer, if their cosine is
    at least :data:`LEAST_LINK`, unless that word is its partner, or neither is a content word.
    """
    n = len(inputs.source)
    links: dict[tuple[int, int], float] = {}
    for place in np.flatnonzero((inputs.flag == 0) | (inputs.flag == 3)).tolist():
        if place < n:
            a, b, cosine = place, int(soft.to_output[-1, place]), float(soft.of_source[-1, place])
        else:
            a, b, cosine = int(soft.to_source[-1, place - n]), place - n, float(soft.of_output[-1, place - n])
        i, j = int(inputs.source[a]), int(inputs.output[b])
        has_content = source_content[i] or output_content[j]
        if has_content and cosine >= LEAST_LINK and inputs.partner[a] != n + b:
            links[i, j] = round(cosine, 3)
    return tuple((*pair, links[pair]) for pair in sorted(links))


def _mean(values: Floats) -> Floats:
    """Return the means over the second axis, faster than ``mean`` for so few numbers."""
    mean: Floats = np.add.reduce(values, axis=1) / np.float32(values.shape[1])
    return mean


def _cosines(a: Floats, b: Floats) -> Floats:
    """Return for each layer the cosine of the mean vectors of either side."""
    a_mean, b_mean = _mean(a), _mean(b)
    products, squares, others = (
        np.einsum("lj,lj->l", x, y) for x, y in ((a_mean, b_mean), (a_mean, a_mean), (b_mean, b_mean))
    )
    cosines: Floats = products / (np.sqrt(squares * others) + np.float32(1e-9))
    return cosines
