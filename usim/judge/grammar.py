"""Grammatical error detection: whether a sentence has errors, as learners make them, that its changed version lacks.

A correction may change more of the wording, so the thresholds depend on it (:mod:`usim.verdicts.thresholds`).
"""

from __future__ import annotations

from pathlib import Path

import numpy as np
import numpy.typing as npt

Floats = npt.NDArray[np.float32]

#: The file of a judge that holds the network.
DETECTOR_FILE = "errors.npz"
#: The tokens that a figure of a token depends on: itself and its neighbours.
SPAN = 3
#: From this logit on a sentence surely has errors, whatever became of them; one in a hundred clean ones reaches it.
SURE = 2.0


class ErrorDetector:
    """A small network over the tokens of a sentence; trained by ``judges.errors``.

    Args: path: ``first`` (width, hidden) and ``near`` (:data:`SPAN`, hidden, hidden), a layer and a convolution, with
    biases; ``last`` (hidden,) and ``last_bias``; ``least``, see :meth:`is_mended`.

    Raises:
        OSError, KeyError, ValueError: it is none.
    """

    def __init__(self, path: Path) -> None:
        with np.load(path) as arrays:
            own = {name: arrays[name].astype(np.float32) for name in arrays.files}
        self._first, self._first_bias, self._last = own["first"], own["first_bias"], own["last"]
        self._near, self._near_bias = own["near"].reshape(-1, own["near"].shape[-1]), own["near_bias"]
        self._last_bias, self._least = float(own["last_bias"]), float(own["least"])

    def __call__(self, vectors: Floats) -> float:
        """Return the logit of the probability that a sentence has errors.

        Of the vectors of its tokens, of at least one, (tokens, width), the last layers are read.
        """
        width = self._first.shape[0]
        x = np.tanh(vectors[:, -width:] @ self._first + self._first_bias)
        padded = np.pad(x, ((SPAN // 2, SPAN // 2), (0, 0)))
        near = np.concatenate([padded[k : k + len(x)] for k in range(SPAN)], axis=1)
        said = np.maximum(near @ self._near + self._near_bias, 0) @ self._last + self._last_bias
        return float(np.logaddexp.reduce(said))

    def is_mended(self, source: Floats, target: Floats) -> bool:
        """Return whether the source surely has errors, or has errors that the target lacks, by ``least`` or more."""
        of_source = self(source)
        return of_source >= SURE or of_source - self(target) >= self._least

    def is_marred(self, source: Floats, target: Floats) -> bool:
        """Return whether the source likely has no errors, and the target has some, by ``least`` or more."""
        of_source, of_target = self(source), self(target)
        return of_source < 0 < of_target and of_target - of_source >= self._least
