"""A fine-tuned model as a system: it finds the words that could be better, and says what would be.

The model is a folder that :func:`usim.benchmarks.baselines.train.train` made. A target begins with a word of which the
first head says so with at least ``threshold``, and goes on while the first head says that the next word belongs to it.
Its suggestions are the likeliest words of the second head.
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from pathlib import Path

import numpy as np
import numpy.typing as npt

from usim.benchmarks.baselines.two_heads import ABOUT, BEGIN, INSIDE, Encoded, TwoHeads
from usim.benchmarks.case import Candidate, GivenTarget
from usim.errors import InputError
from usim.text import Span

Values = npt.NDArray[np.float64]


class Trained:
    """A fine-tuned model; called with words it finds targets, and :meth:`substitutes` answers those it is given.

    Args:
        folder: a folder of weights.
        k: how many suggestions to make for a target at most.
        threshold: the probability from which a target begins with a word, in [0, 1].
        device: where the model runs.

    Raises:
        InputError: the folder was not made by training, or cannot be read.
    """

    def __init__(self, folder: str, *, k: int = 10, threshold: float = 0.5, device: str = "cpu") -> None:
        if not (Path(folder) / ABOUT).exists():
            raise InputError("no folder of a trained baseline; usim baseline train makes one", path=folder)
        self._model = TwoHeads(folder, device=device)
        self._about = json.loads((Path(folder) / ABOUT).read_text(encoding="utf-8"))
        self._k = k
        self._threshold = threshold

    @property
    def training(self) -> str:
        """The model that the training began with, and the data that it has learned from."""
        about = self._about
        start = str(about["model"]).rstrip("/").split("/")[-1]
        return f"start:{start}|data:{about['data']}|steps:{about['steps']}|seed:{about['seed']}"

    @property
    def signature(self) -> str:
        """Everything that is needed to get the same suggestions again."""
        return f"trained|{self.training}|k:{self._k}|threshold:{self._threshold:g}"

    def __call__(self, words: Sequence[str]) -> dict[Span, tuple[str, ...]]:
        """Return the spans of a sentence that could be better, each with suggestions, the likeliest first.

        Nothing where the sentence is too long for the model.
        """
        encoded = self._model.encode(words)
        if encoded is None:
            return {}
        detection, suggestion = self._heads(encoded)
        suggestions: dict[Span, tuple[str, ...]] = {}
        start = 0
        while start < len(words):
            end = start + 1
            if detection[start, BEGIN] >= self._threshold and words[start][:1].isalpha():
                while end < len(words) and detection[end].argmax() == INSIDE:
                    end += 1
                candidates = self._candidates(suggestion[start], " ".join(words[start:end]))
                suggestions[start, end] = tuple(candidate.text for candidate in candidates)
            start = end
        return suggestions

    def substitutes(self, target: GivenTarget) -> list[Candidate]:
        """Return suggestions for a target that is given; none where its context is too long for the model."""
        encoded = self._model.encode(target.words)
        if encoded is None:
            return []
        return self._candidates(self._heads(encoded)[1][target.start], target.text)

    def _heads(self, encoded: Encoded) -> tuple[Values, Values]:
        """Return the probabilities of the first head and the log-probabilities of the second, a row a word."""
        with self._model.torch.inference_mode():
            detection, suggestion = self._model.forward([encoded])
            places = list(encoded.places)
            first = detection[0, places].double().softmax(-1).cpu().numpy()
            second = suggestion[0, places].double().log_softmax(-1).cpu().numpy()
        return first, second

    def _candidates(self, scores: Values, target: str) -> list[Candidate]:
        pieces = self._model.likeliest(scores, self._k + 1)
        candidates = [Candidate(self._model.words[piece], float(scores[piece])) for piece in pieces]
        return [candidate for candidate in candidates if candidate.text != target.lower()][: self._k]
