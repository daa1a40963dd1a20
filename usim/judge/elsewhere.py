"""Words of an output that say something else than its source: figures of each token, and a model over them.

It learned from translations in which professionals marked what is wrong (the MQM annotations of Freitag et al. 2021),
and stands on the soft alignment of :mod:`usim.measures.soft`: a word without a like one in the source is suspect, and
the more so where its neighbours are.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
import numpy.typing as npt

from usim.compare import Comparison, Reason, make_reason, stretches
from usim.judge.inputs import FLAGS, PairInputs
from usim.measures import SoftAlignment
from usim.measures.soft import worst

Floats = npt.NDArray[np.float32]

#: The kind of the reasons that it gives.
KIND = "says-else"
#: A sentence of so many words, of which such a share is new, is said otherwise.
LONG, OTHERWISE = 8, 0.2
#: The weight of small words beside those that another reason is about.
BESIDE = 0.05
#: The figures of a token beside its cosines in the layers.
OTHERS = 12 + FLAGS


def token_figures(comparison: Comparison, inputs: PairInputs, soft: SoftAlignment) -> Floats:
    """Return figures of each token of the output that takes part, float32 (tokens, layers + :data:`OTHERS`).

    They are: its best cosine in each layer; in the last one how far that is from the mean of the output, those of its
    neighbours, and that of its counterpart with any token of the output; what happened to it; whether the source has
    the same word; how much it says, whether it is a content word, and whether a word at all; and of the whole pair the
    mean and the worst cosines of either side.

    The soft alignment is that of these tokens, by layer.
    """
    best, back = soft.of_output, soft.of_source
    last, n = best[-1], len(inputs.source)
    places = inputs.target.tolist()
    view, words = comparison.target, set(comparison.source.words)
    beside = np.pad(last, 1, constant_values=1.0)
    columns = [
        *best,
        last - last.mean(),
        beside[:-2],
        beside[2:],
        back[-1][soft.to_source[-1]],
        *np.eye(FLAGS, dtype=np.float32)[inputs.flag[n:]].T,
        np.array([view.words[j] in words for j in places], np.float32),
        np.array([view.says[j] for j in places], np.float32),
        np.array([view.is_content[j] for j in places], np.float32),
        np.array([view.entries[j].is_word for j in places], np.float32),
        *(np.full(len(places), value, np.float32)
          for value in (last.mean(), worst(last), back[-1].mean(), worst(back[-1]))),
    ]  # fmt: skip
    figures: Floats = np.stack(columns, axis=1).astype(np.float32)
    return figures


class ElsewhereModel:
    """The probability that a token says something else, from its figures: a logistic regression.

    Args:
        settings: ``mean``, ``deviation`` and ``weights`` of the figures, ``bias``, ``threshold``.

    Raises:
        KeyError, TypeError, ValueError: something is missing, or of another shape.
    """

    def __init__(self, settings: Mapping[str, Any]) -> None:
        self._mean, self._deviation, self._weights = (
            np.array(settings[name], np.float32) for name in ("mean", "deviation", "weights")
        )
        self._bias, self.threshold = float(settings["bias"]), float(settings["threshold"])
        if not self._mean.shape == self._deviation.shape == self._weights.shape:
            raise ValueError("the figures of words that say something else differ in number")

    def __call__(self, figures: Floats) -> Floats:
        """Return the probability of each token, (tokens,) from (tokens, figures)."""
        logits = ((figures - self._mean) / self._deviation).clip(-4, 4) @ self._weights + np.float32(self._bias)
        probabilities: Floats = 1 / (1 + np.exp(-np.clip(logits, -30, 30)))
        return probabilities


def is_said_otherwise(comparison: Comparison) -> bool:
    """Return whether much of the output is new: at least a fifth of :data:`LONG` words and more."""
    return _is_much(_new(comparison), comparison.target.words)


def _is_much(new: set[int], words: Sequence[str]) -> bool:
    """Return whether so many of the words of an output are new that it is said otherwise."""
    return len(words) >= LONG and len(new) >= OTHERWISE * len(words)


def _new(comparison: Comparison) -> set[int]:
    """Return the places of the words of the output that the source lacks."""
    same = set(comparison.source.words)
    return {place for place, word in enumerate(comparison.target.words) if word not in same}


def elsewhere_reasons(
    comparison: Comparison, inputs: PairInputs, probabilities: Floats, threshold: float, reasons: Sequence[Reason]
) -> tuple[Reason, ...]:
    """Return the reasons of a pair with one for each stretch of words that say something else, the gravest first.

    What another reason is about already is left to it. Words that the source has, too, count only in longer sentences
    of which much is said otherwise: elsewhere it is the new words that say something else. A stretch has a content
    word, or stands beside words that another reason is about; then it only completes that reason, and is too light to
    be shown.

    Probabilities are those of the tokens of the output that take part; from the threshold on a word says something
    else.
    """
    known = {place for reason in reasons for place in reason.target}
    new = _new(comparison)
    is_otherwise = _is_much(new, comparison.target.words)
    likely = dict(zip(inputs.target.tolist(), probabilities.tolist(), strict=True))
    places = [
        place for place, p in likely.items() if p >= threshold and place not in known and (is_otherwise or place in new)
    ]
    further = []
    for run in stretches(places):
        says = any(comparison.target.is_content[place] for place in run)
        if says or not known.isdisjoint((run[0] - 1, run[-1] + 1)):
            weight = max(likely[place] for place in run) if says else BESIDE
            further.append(_reason(comparison, run, [place for place in run if place in new], weight))
    return tuple(sorted((*reasons, *further), key=lambda reason: -reason.weight))


def _reason(comparison: Comparison, run: Sequence[int], new: Sequence[int], weight: float) -> Reason:
    """Return the reason about a stretch, which is named from the first to the last word that the source lacks."""
    first, last = (new or run)[0], (new or run)[-1]
    words = comparison.target.written(range(first, last + 1))
    return make_reason(comparison, KIND if new else f"{KIND}.same", (), run, weight, new=words)
