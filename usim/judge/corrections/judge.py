"""A judge that asks first whether a misspelt word was corrected to the one that was meant."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from types import MappingProxyType

from usim.compare import Analysis, Reason
from usim.judge.base import Judge, Judgement, Thresholds
from usim.judge.corrections.model import Correction, CorrectionModel

#: The kind of the reasons that it gives.
KIND = "not-meant"


class WithCorrections:
    """A judge of meaning together with a model of corrections; a :class:`usim.judge.Judge`.

    Where all that changed are misspellings, the least probable of their corrections is the faithfulness. Where other
    words changed, too, it is at most that. Where the source has no misspelling that was touched, the judge of meaning
    alone decides.

    Args:
        judge: the judge of meaning.
        model: the model of corrections.
    """

    def __init__(self, judge: Judge, model: CorrectionModel) -> None:
        self.name = f"{judge.name}+{model.name}"
        self.encoder = judge.encoder
        self.thresholds: Thresholds = judge.thresholds
        self._judge, self._model = judge, model

    def judge(self, pairs: Sequence[tuple[Analysis, Analysis]]) -> list[Judgement]:
        """Judge pairs, see :meth:`usim.judge.Judge.judge`."""
        return [
            self._revised(judgement, source, target)
            for judgement, (source, target) in zip(self._judge.judge(pairs), pairs, strict=True)
        ]

    def _revised(self, judgement: Judgement, source: Analysis, target: Analysis) -> Judgement:
        corrections, is_all = self._model(source.tokens, target.tokens)
        if not corrections:
            return judgement
        least = min(correction.probability for correction in corrections)
        faithfulness = least if is_all else min(judgement.faithfulness, least)
        doubtful = [c for c in corrections if c.probability < 0.5]
        reasons = [reason for reason in judgement.reasons if not _is_about(reason, corrections)]
        reasons += [_reason(correction) for correction in doubtful]
        reasons.sort(key=lambda reason: -reason.weight)  # the order among equals stays
        return replace(
            judgement,
            faithfulness=faithfulness,
            verdict=self.thresholds.verdict(faithfulness),
            reasons=tuple(reasons),
            parts=MappingProxyType({**judgement.parts, "correction": least}),
        )


def _is_about(reason: Reason, corrections: Sequence[Correction]) -> bool:
    """Return whether a reason is about no other words than those of one correction."""
    return bool(reason.source or reason.target) and any(
        set(reason.source) <= set(c.source) and set(reason.target) <= set(c.target) for c in corrections
    )


def _reason(correction: Correction) -> Reason:
    text = f"not the word that was meant: {correction.old} → {correction.new}"
    weight = round(1 - correction.probability, 3)
    return Reason(KIND, text, correction.source, correction.target, (), weight)
