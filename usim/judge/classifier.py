"""The judge's networks over pairs in onnxruntime: they read what the encoder says of both sentences."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
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
    """The vectors of the tokens of a sentence.

    Attributes:
        lower: those of the layer that the comparison reads, (tokens, width).
        upper: those of all other layers, one behind the other, (tokens, layers * width).
    """

    lower: Floats
    upper: Floats

    @property
    def last(self) -> Floats:
        """Those of the last layer, (tokens, width), which the networks over tokens read."""
        return self.upper[:, -self.lower.shape[1] :]

    def layers(self) -> Iterator[Floats]:
        """Yield those of each layer, (tokens, width)."""
        yield self.lower
        width = self.lower.shape[1]
        for k in range(0, self.upper.shape[1], width):
            yield self.upper[:, k : k + width]

    def mean(self, words: Sequence[int]) -> Floats:
        """Return the mean vectors of some words in all layers, one behind the other."""
        places = list(words)
        means: Floats = np.concatenate([half[places].mean(axis=0) for half in self])
        return means


def pair_feed(
    source: TokenVectors, target: TokenVectors, inputs: PairInputs, features: Floats, figures: Floats | None = None
) -> dict[str, Any]:
    """Return the inputs of the graph of pairs.

    Args:
        source, target: the vectors of all tokens of either sentence.
        inputs: what else the network reads of them.
        features: the standardised features, (features,).
        figures: those of the replacements, see :func:`usim.judge.words.word_figures`; for graphs that read them.
    """
    x = np.concatenate([source.last[inputs.source], target.last[inputs.target]])
    has_partner = inputs.partner >= 0
    difference = np.zeros_like(x)
    difference[has_partner] = x[has_partner] - x[inputs.partner[has_partner]]
    changed = (inputs.flag != 1).astype(np.float32)
    changed /= max(float(changed.sum()), 1.0)
    side = np.repeat(np.array([0, FLAGS]), [len(inputs.source), len(inputs.target)])
    # Where nothing stands for anything else the graph is given any words, and leaves out what it says of them.
    replaced = inputs.replaced or (((0,), (0,)),)
    of_words = {} if figures is None else {"figures": figures}
    return of_words | {
        "x": x,
        "difference": difference,
        "changed": changed,
        "features": features.astype(np.float32),
        "flag": inputs.flag + side,
        "lowest": np.ascontiguousarray(inputs.role[:, 0]),
        "highest": np.ascontiguousarray(inputs.role[:, 1]),
        "before": np.stack([source.mean(words) for words, _ in replaced]),
        "after": np.stack([target.mean(words) for _, words in replaced]),
        "replaced": np.array([bool(inputs.replaced)], np.float32),
    }


class PairClassifier:
    """The networks that read both sentences of a pair.

    Args:
        path: their graph.
        mean, deviation: of each feature over the training pairs, float32 (features,).

    Raises:
        ParsingError: the graph is missing or damaged.

    Attributes:
        figures: how many figures of each replacement the graph reads; 0 for none.
    """

    def __init__(self, path: Path, mean: Floats, deviation: Floats) -> None:
        try:
            self._session = load_session(path, 1)
        except (OSError, ValueError) as e:
            raise ParsingError(f"not a usable judge: {type(e).__name__}: {e}", path=path) from e
        self._mean = mean
        self._deviation = deviation
        shapes = {given.name: given.shape for given in self._session.get_inputs()}
        self.figures: int = shapes["figures"][1] if "figures" in shapes else 0

    def __call__(
        self, source: TokenVectors, target: TokenVectors, inputs: PairInputs, features: Floats, figures: Floats | None
    ) -> float:
        """Return the logit of a pair.

        Args:
            source, target: the vectors of all tokens of either sentence.
            inputs: what else the networks read of the tokens.
            features: the features of the pair as they were computed, (features,).
            figures: those of the replacements, (replacements, :attr:`figures`), if the graph reads any; not needed
                where there are no replacements.
        """
        if self.figures and figures is None:
            figures = np.zeros((1, self.figures), np.float32)
        standardised = ((features - self._mean) / self._deviation).clip(-LIMIT, LIMIT)
        (logit,) = self._session.run(
            ["logit"], pair_feed(source, target, inputs, standardised, figures if self.figures else None)
        )
        return float(logit[0])
