"""The upper half of the judge's network in onnxruntime: it reads both sentences of a pair together."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

from usim.errors import ParsingError
from usim.judge.inputs import FLAGS, PairInputs
from usim.parsing import load_session

Floats = npt.NDArray[np.float32]

#: Features are cut off at so many standard deviations.
LIMIT = 4.0


def joint_feed(x: Floats, inputs: PairInputs, features: Floats) -> dict[str, Any]:
    """Return the inputs of the graph of pairs.

    Args:
        x: the vectors of the tokens of the source and then of the target that take part, (tokens, width).
        inputs: what else the network reads of them.
        features: the standardised features, (features,).
    """
    has_partner = inputs.partner >= 0
    difference = np.zeros_like(x)
    difference[has_partner] = x[has_partner] - x[inputs.partner[has_partner]]
    changed = (inputs.flag != 1).astype(np.float32)
    changed /= max(float(changed.sum()), 1.0)
    side = np.repeat(np.array([0, FLAGS]), [len(inputs.source), len(inputs.target)])
    return {
        "x": x,
        "difference": difference,
        "changed": changed,
        "features": features.astype(np.float32),
        "flag": inputs.flag + side,
        "lowest": np.ascontiguousarray(inputs.role[:, 0]),
        "highest": np.ascontiguousarray(inputs.role[:, 1]),
    }


class PairClassifier:
    """A network that reads both sentences of a pair together.

    Args:
        path: the graph of the network.
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

    def __call__(self, source: Floats, target: Floats, inputs: PairInputs, features: Floats) -> float:
        """Return the logit of a pair.

        Args:
            source, target: the vectors of all tokens of either sentence, (tokens, width).
            inputs: what else the network reads of the tokens.
            features: the features of the pair as they were computed, (features,).
        """
        x = np.concatenate([source[inputs.source], target[inputs.target]])
        if not len(x):
            return 0.0
        standardised = ((features - self._mean) / self._deviation).clip(-LIMIT, LIMIT)
        (logit,) = self._session.run(["logit"], joint_feed(x, inputs, standardised))
        return float(logit[0])
