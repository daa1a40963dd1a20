"""The judge's networks over pairs, in onnxruntime: they read the encoder's vectors of both sentences."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

from usim.errors import ParsingError
from usim.judge.inputs import padded_inputs
from usim.judge.reading import ReadPair
from usim.parsing import load_session

Floats = npt.NDArray[np.float32]

#: Features are cut off at so many standard deviations.
LIMIT = 4.0
#: The inputs of the graph.
INPUTS = {"x", "partner", "mask", "changed", "features", "flag", "lowest", "highest"}
#: How many pairs of like length are read together.
_BATCH = 16


def pair_feed(batch: Sequence[ReadPair]) -> dict[str, Any]:
    """Return the inputs of the graph, with unscaled features; rows beyond the tokens of a pair are padding."""
    width = batch[0].width
    feed = padded_inputs([pair.inputs for pair in batch])
    shape = feed["flag"].shape
    own = np.arange(shape[0] * shape[1]).reshape(shape)  # a token without a partner is its own partner
    feed["partner"] = np.where(feed["partner"] < 0, own, feed["partner"] + own[:, :1])
    feed["changed"] /= np.maximum(1, feed["changed"].sum(1, keepdims=True))
    feed["x"] = np.zeros((*shape, width), np.float32)
    for rows, pair in zip(feed["x"], batch, strict=True):
        n, end = len(pair.inputs.source), len(pair.inputs.flag)
        rows[:n] = pair.before[pair.inputs.source, -width:]
        rows[n:end] = pair.after[pair.inputs.output, -width:]
    feed["features"] = np.stack([pair.features for pair in batch]).astype(np.float32)
    return feed


def load_graph(path: Path, inputs: set[str], weights: Path | None = None) -> Any:
    """Load a graph of a judge that reads these inputs.

    Raises:
        ParsingError: it is missing or damaged, or reads other inputs, like the graphs of other versions.
    """
    try:
        session = load_session(path, weights)
    except (OSError, ValueError) as e:
        raise ParsingError(f"not a usable judge: {type(e).__name__}: {e}", path=path) from e
    if {given.name for given in session.get_inputs()} != inputs:
        raise ParsingError(
            "another version of usim exported this judge, and its graph has other inputs: "
            "export it anew (judges/README.md)",
            path=path,
        )
    return session


class PairClassifier:
    """The networks that read both sentences of a pair.

    Args:
        path: their graph.
        mean, deviation: of each feature over the training pairs, float32 (features,).

    Raises:
        ParsingError: see :func:`load_graph`.
    """

    def __init__(self, path: Path, mean: Floats, deviation: Floats) -> None:
        self._session = load_graph(path, INPUTS)
        self._mean, self._deviation = mean, deviation

    def __call__(self, pairs: Sequence[ReadPair]) -> list[list[float]]:
        """Return three logits for each pair, in order; the features of the pairs are unscaled.

        The three say: the meaning is preserved, the output is supported, the source is covered.
        """
        order = sorted(range(len(pairs)), key=lambda k: len(pairs[k].inputs.flag))
        logits: list[list[float]] = [[]] * len(pairs)
        for at in range(0, len(order), _BATCH):
            places = order[at : at + _BATCH]
            feed = pair_feed([pairs[k] for k in places])
            feed["features"] = ((feed["features"] - self._mean) / self._deviation).clip(-LIMIT, LIMIT)
            (values,) = self._session.run(["logits"], feed)
            for k, value in zip(places, values.tolist(), strict=True):
                logits[k] = value
        return logits
