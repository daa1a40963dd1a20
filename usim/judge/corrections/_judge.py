"""A judge that asks first whether a misspelt word was corrected to the one that was meant."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from usim.evidence import Analysis, Reason, say
from usim.judge._base import Judge, Judgement
from usim.judge.corrections.edits import has_letter
from usim.judge.corrections.model import EVEN, Correction, CorrectionModel, Corrections
from usim.judge.risk import corrected_band
from usim.lexicon import word_info

#: The kind of the reasons that it gives.
KIND = "not-meant"
#: A word that is written as a name is one, unless its correction is so probable; one at the head of a sentence, where
#: all words have a capital, unless its correction is so probable.
_SURE_OF_NAME, _SURE_AT_HEAD, _DOUBTFUL = 0.9, 0.7, 0.45


class WithCorrections:
    """A judge of meaning together with a model of corrections; a :class:`usim.judge.Judge`.

    Where all that changed are misspellings, the least probable correction decides; from .5 on it is kept. Where
    something else changed, too, the faithfulness by the judge of meaning is at most that of the corrections. Where no
    misspelling was touched, the judge of meaning alone decides.

    A word that the source writes as a name is corrected only if that is nearly certain: no table has all names. A
    correction that is improbable though no other word is likelier alone lets nothing fall below the threshold of
    ``drop``.
    """

    def __init__(self, judge: Judge, model: CorrectionModel) -> None:
        self.name = f"{judge.name}+{model.name}"
        self.encoder = judge.encoder
        self.thresholds = judge.thresholds
        self._judge, self._model = judge, model

    def judge(self, pairs: Sequence[tuple[Analysis, Analysis]]) -> list[Judgement]:
        """Judge pairs, see :meth:`usim.judge.Judge.judge`."""
        corrections = [
            _careful_of_names(self._model(source.tokens, target.tokens), source.tokens) for source, target in pairs
        ]
        return [
            self._revise(judgement, found)
            for judgement, found in zip(self._judge.judge(pairs), corrections, strict=True)
        ]

    def _revise(self, judgement: Judgement, found: Corrections) -> Judgement:
        corrections, is_all = found
        if not corrections:
            return judgement
        spelt = self._kept_from_even(round(self._all_right(corrections), 5))
        faithfulness = spelt if is_all else min(judgement.faithfulness, spelt)
        doubtful = [c for c in corrections if c.probability < EVEN]
        reasons = [reason for reason in judgement.reasons if not _is_about(reason, corrections)]
        reasons += [_reason(correction) for correction in doubtful]
        reasons.sort(key=lambda reason: -reason.weight)  # the order among equals stays
        return replace(
            judgement,
            faithfulness=faithfulness,
            reasons=tuple(reasons),
            # A word that was not meant is neither supported nor covers what was.
            supported=faithfulness if is_all else _least(judgement.supported, spelt),
            covered=faithfulness if is_all else _least(judgement.covered, spelt),
            band="" if is_all else corrected_band(judgement.band),
        )

    def _all_right(self, corrections: Sequence[Correction]) -> float:
        """Return how likely the least likely correction is meant; only one with a better word falls below ``drop``."""
        drop = self._judge.thresholds.drop
        return min(c.probability if c.better else max(c.probability, drop) for c in corrections)

    def _kept_from_even(self, probability: float) -> float:
        """Return the faithfulness of a correction: what was meant more likely than not is kept."""
        keep = self._judge.thresholds.keep
        if probability < EVEN or keep <= EVEN:
            return probability
        return round(keep + (1 - keep) * (probability - EVEN) / (1 - EVEN), 5)


def _careful_of_names(found: Corrections, source: Sequence[str]) -> Corrections:
    """Return corrections in which what is likely a name, and not misspelt, is improbable."""
    corrected = tuple(
        correction._replace(
            probability=min(correction.probability, _DOUBTFUL),
            better=correction.better if _is_at_head(correction, source) else "",
        )
        if correction.probability < _SURE_OF_NAME and _is_written_as_name(correction, source)
        else correction
        for correction in found.corrected
    )
    return found._replace(corrected=corrected)


def _is_written_as_name(correction: Correction, source: Sequence[str]) -> bool:
    """Return whether a word has a capital as names have it, not as headings do, and its correction too."""
    old, new = correction.old, correction.new
    if not (old[:1].isupper() and not old.isupper() and new[:1].isupper()):
        return False
    if not any(token.islower() and len(token) > 2 for token in source):
        return False
    return (
        not _is_at_head(correction, source)
        or correction.probability < _SURE_AT_HEAD
        or word_info(new.lower()).word.is_proper
    )


def _is_at_head(correction: Correction, source: Sequence[str]) -> bool:
    return not any(has_letter(token) for token in source[: correction.source[0]])


def _least(known: float | None, other: float) -> float | None:
    return None if known is None else min(known, other)


def _is_about(reason: Reason, corrections: Sequence[Correction]) -> bool:
    """Return whether a reason is about no other words than those of one correction."""
    return bool(reason.source or reason.target) and any(
        set(reason.source) <= set(c.source) and set(reason.target) <= set(c.target) for c in corrections
    )


def _reason(correction: Correction) -> Reason:
    case = KIND if correction.better else f"{KIND}.unclear"
    text = say(case, correction.old, correction.new, meant=correction.better)
    weight = round(1 - correction.probability, 3)
    return Reason(KIND, text, correction.source, correction.target, weight=weight)
