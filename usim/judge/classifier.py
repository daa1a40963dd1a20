"""The judge's networks over pairs in onnxruntime: they read what the encoder says of both sentences."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from usim.errors import ParsingError
from usim.judge.inputs import FLAGS, PairInputs
from usim.parsing import load_session

Floats = npt.NDArray[np.float32]

#: Features are cut off at so many standard deviations.
LIMIT = 4.0


class TokenVectors(NamedTuple):
    """The vectors of the tokens of a sentence from either half of the encoder, (tokens, width) each."""

    lower: Floats
    upper: Floats


def pair_feed(source: TokenVectors, target: TokenVectors, inputs: PairInputs, features: Floats) -> dict[str, Any]:
    """Return the inputs of the graph of pairs.

    Args:
        source, target: the vectors of all tokens of either sentence.
        inputs: what else the network reads of them.
        features: the standardised features, (features,).
    """
    x = np.concatenate([source.upper[inputs.source], target.upper[inputs.target]])
    has_partner = inputs.partner >= 0
    difference = np.zeros_like(x)
    difference[has_partner] = x[has_partner] - x[inputs.partner[has_partner]]
    changed = (inputs.flag != 1).astype(np.float32)
    changed /= max(float(changed.sum()), 1.0)
    side = np.repeat(np.array([0, FLAGS]), [len(inputs.source), len(inputs.target)])
    # Where nothing stands for anything else the graph is given any words, and leaves out what it says of them.
    replaced = inputs.replaced or (((0,), (0,)),)
    return {
        "x": x,
        "difference": difference,
        "changed": changed,
        "features": features.astype(np.float32),
        "flag": inputs.flag + side,
        "lowest": np.ascontiguousarray(inputs.role[:, 0]),
        "highest": np.ascontiguousarray(inputs.role[:, 1]),
        "before": np.stack([_mean(source, words) for words, _ in replaced]),
        "after": np.stack([_mean(target, words) for _, words in replaced]),
        "replaced": np.array([bool(inputs.replaced)], np.float32),
    }


def _mean(vectors: TokenVectors, words: Sequence[int]) -> Floats:
    """Return the mean vectors of some words, one behind the other."""
    places = list(words)
    means: Floats = np.concatenate([half[places].mean(axis=0) for half in vectors])
    return means


class PairClassifier:
    """The networks that read both sentences of a pair.

    Args:
        path: their graph.
        mean, deviation: of each feature over the training pairs, float32 (features,).

    Raises:
        ParsingError: the graph is missing or damaged.
    """

    def __init__(self, path: Path, mean: Floats, deviation: Floats) -> None:
        try:
            self._session = load_session(path, 1)
        except (OSError, ValueError) as e:
            raise ParsingError(f"not a usable judge: {type(e).__name__}: {e}", path=path) from e
        self._mean = mean
        self._deviation = deviation

    def __call__(self, source: TokenVectors, target: TokenVectors, inputs: PairInputs, features: Floats) -> float:
        """Return the logit of a pair.

        Args:
            source, target: the vectors of all tokens of either sentence.
            inputs: what else the networks read of the tokens.
            features: the features of the pair as they were computed, (features,).
        """
        standardised = ((features - self._mean) / self._deviation).clip(-LIMIT, LIMIT)
        (logit,) = self._session.run(["logit"], pair_feed(source, target, inputs, standardised))
        return float(logit[0])
