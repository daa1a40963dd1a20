"""The judge's network in onnxruntime: vectors of tokens, and logits of pairs."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

from usim.errors import ParsingError
from usim.judge.inputs import FLAGS, Reading
from usim.parsing.network import session

Floats = npt.NDArray[np.float32]

#: What the encoder can take, two special pieces included.
_PIECES = 512
#: A batch holds at most so many sentences and pieces.
_BATCH = 8
_BATCH_PIECES = 1024
#: Features are cut off at so many standard deviations.
LIMIT = 4.0


def joint_feed(x: Floats, reading: Reading, features: Floats) -> dict[str, Any]:
    """The inputs of the graph of pairs.

    Args:
        x: the vectors of the tokens of the source and then of the target that take part, (tokens, width).
        reading: what else is read of them.
        features: the features, standardised.
    """
    has = reading.partner >= 0
    difference = np.zeros_like(x)
    difference[has] = x[has] - x[reading.partner[has]]
    changed = (reading.flag != 1).astype(np.float32)
    changed /= max(float(changed.sum()), 1.0)
    side = np.repeat(np.array([0, FLAGS]), [len(reading.source), len(reading.target)])
    return {
        "x": x,
        "difference": difference,
        "changed": changed,
        "features": features.astype(np.float32),
        "flag": reading.flag + side,
        "lowest": np.ascontiguousarray(reading.role[:, 0]),
        "highest": np.ascontiguousarray(reading.role[:, 1]),
    }


class PairReader:
    """Reads both sentences of a pair together.

    Raises:
        ParsingError: the files cannot be used.
    """

    def __init__(self, folder: Path, threads: int = 1) -> None:
        try:
            self.settings: dict[str, Any] = json.loads((folder / "settings.json").read_text(encoding="utf-8"))
            self._mean = np.array(self.settings["mean"], np.float32)
            self._deviation = np.array(self.settings["deviation"], np.float32)
            self._session = session(folder / "joint.onnx", threads)
        except (OSError, ValueError, KeyError) as e:
            raise ParsingError(f"not a usable judge: {type(e).__name__}: {e}", path=folder) from e

    def __call__(self, source: Floats, target: Floats, reading: Reading, features: Floats) -> float:
        """The logit of a pair from the vectors of all tokens of both sentences."""
        x = np.concatenate([source[reading.source], target[reading.target]])
        if not len(x):
            return 0.0
        standard = ((features - self._mean) / self._deviation).clip(-LIMIT, LIMIT)
        (logit,) = self._session.run(["logit"], joint_feed(x, reading, standard))
        return float(logit[0])
