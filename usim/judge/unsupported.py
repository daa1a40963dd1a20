"""Find the words of an output that its source does not support, with a logistic regression over features of tokens.

The model was trained on translations in which professionals marked the errors (Freitag et al. 2021).
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
import numpy.typing as npt

from usim.compare import Comparison, Reason, make_reason, stretches
from usim.judge.inputs import FLAGS, AlignedSide, PairInputs
from usim.measures.soft import worst

Floats = npt.NDArray[np.float32]

#: The kind of the reasons that this model gives.
KIND = "unsupported"
#: The minimum length in words of a paraphrase, and its minimum share of new words.
PARAPHRASE_WORDS, PARAPHRASE_SHARE = 8, 0.2
#: The weight of runs that are not shown.
BESIDE = 0.05
#: The number of features of a token besides its cosines in the layers.
OTHERS = 12 + FLAGS


def token_figures(own: AlignedSide, other: AlignedSide) -> Floats:
    """Return the features of each aligned token of one side of a pair, float32 (tokens, layers + :data:`OTHERS`).

    Of a token: its best cosine in each layer; in the last layer also the difference to the mean of its side, the
    best cosines of both neighbours, and the best cosine of its counterpart; the kind of its change; whether the other
    side has the same word; its informativeness; whether it is a content word, and whether it is a word. Of the pair:
    the mean and the worst cosines of both sides.
    """
    last, back = own.best[-1], other.best[-1]
    view, words = own.view, set(other.view.words)
    beside = np.pad(last, 1, constant_values=1.0)
    columns = [
        *own.best,
        last - last.mean(),
        beside[:-2],
        beside[2:],
        back[own.nearest[-1]],
        *np.eye(FLAGS, dtype=np.float32)[own.flag].T,
        np.array([view.words[j] in words for j in own.places], np.float32),
        np.array([view.informativeness[j] for j in own.places], np.float32),
        np.array([view.is_content[j] for j in own.places], np.float32),
        np.array([view.entries[j].is_word for j in own.places], np.float32),
        *(
            np.full(len(own.places), value, np.float32)
            for value in (last.mean(), worst(last), back.mean(), worst(back))
        ),
    ]
    figures: Floats = np.stack(columns, axis=1).astype(np.float32)
    return figures


class UnsupportedModel:
    """A logistic regression from the features of a token to the probability that the source does not support it.

    Args:
        settings: ``mean``, ``deviation`` and ``weights`` of the features, ``bias``, ``threshold``.

    Raises:
        KeyError, TypeError, ValueError: a setting is missing or has the wrong shape.
    """

    def __init__(self, settings: Mapping[str, Any]) -> None:
        self._mean, self._deviation, self._weights = (
            np.array(settings[name], np.float32) for name in ("mean", "deviation", "weights")
        )
        self._bias, self.threshold = float(settings["bias"]), float(settings["threshold"])
        if not self._mean.shape == self._deviation.shape == self._weights.shape:
            raise ValueError("mean, deviation and weights of unsupported words differ in length")

    def __call__(self, figures: Floats) -> Floats:
        """Return the probability of each token, (tokens,) from (tokens, figures)."""
        logits = ((figures - self._mean) / self._deviation).clip(-4, 4) @ self._weights + np.float32(self._bias)
        probabilities: Floats = 1 / (1 + np.exp(-np.clip(logits, -30, 30)))
        return probabilities


def is_paraphrase(comparison: Comparison) -> bool:
    """Return whether the output has :data:`PARAPHRASE_WORDS` words or more, and a fifth of them is new."""
    words, new = comparison.target.words, _new(comparison)
    return len(words) >= PARAPHRASE_WORDS and len(new) >= PARAPHRASE_SHARE * len(words)


def _new(comparison: Comparison) -> set[int]:
    """Return the places of the words of the output that the source lacks."""
    same = set(comparison.source.words)
    return {place for place, word in enumerate(comparison.target.words) if word not in same}


def unsupported_reasons(
    comparison: Comparison, inputs: PairInputs, probabilities: Floats, threshold: float, reasons: Sequence[Reason]
) -> tuple[Reason, ...]:
    """Return the reasons of a pair, and one more for each run of unsupported words, the gravest first.

    Words that another reason is about are skipped. Words that the source has, too, count only in a paraphrase. A run
    without a content word that the source has in no form weighs too little to be shown: it completes a reason next to
    it. ``probabilities`` are those of the aligned tokens of the output; from the threshold on words are unsupported.
    """
    known = {place for reason in reasons for place in reason.target}
    new = _new(comparison)
    has_all = is_paraphrase(comparison)
    likely = dict(zip(inputs.target.tolist(), probabilities.tolist(), strict=True))
    places = [
        place for place, p in likely.items() if p >= threshold and place not in known and (has_all or place in new)
    ]
    further = []
    for run in stretches(places):
        has_content = any(comparison.target.is_content[place] for place in run)
        if has_content or not known.isdisjoint((run[0] - 1, run[-1] + 1)):
            own = [place for place in run if place in new]
            is_news = any(_is_news(comparison, place) for place in own)
            weight = max(likely[place] for place in run) if is_news else BESIDE
            further.append(_reason(comparison, run, own, weight))
    return tuple(sorted((*reasons, *further), key=lambda reason: -reason.weight))


def _is_news(comparison: Comparison, place: int) -> bool:
    """Return whether a word of the output is a content word that the source has in no form."""
    view = comparison.target
    return view.is_content[place] and comparison.source.lemmas.isdisjoint(view.entries[place].word.lemmas)


def _reason(comparison: Comparison, run: Sequence[int], new: Sequence[int], weight: float) -> Reason:
    """Return the reason about a run of words; its text quotes the first to the last word that the source lacks."""
    first, last = (new or run)[0], (new or run)[-1]
    words = comparison.target.written(range(first, last + 1))
    return make_reason(comparison, KIND, (), run, weight, new=words)
