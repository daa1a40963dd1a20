"""The judge that looks at the structure alone: its faithfulness is USim."""

from __future__ import annotations

from collections.abc import Sequence

from usim.compare import Analysis, reasons_between
from usim.judge.base import Judgement, Thresholds
from usim.measures import DEFAULT, Preset, align_graphs, usim_score

_THRESHOLDS = Thresholds(keep=0.9, drop=0.5)


class UsimJudge:
    """USim alone as the judge: the mean of the F-scores of both directions.

    Args:
        thresholds: where verdicts change.
        preset: how graphs are compared.
    """

    needs_vectors = False
    name = "usim"

    def __init__(self, thresholds: Thresholds = _THRESHOLDS, preset: Preset = DEFAULT) -> None:
        self.thresholds = thresholds
        self.preset = preset

    def judge(self, pairs: Sequence[tuple[Analysis, Analysis]]) -> list[Judgement]:
        """See :class:`Judge`."""
        made = []
        for source, target in pairs:
            leaves = align_graphs(source.graph, target.graph)
            score = usim_score(source.graph, target.graph, self.preset, leaves)
            faithfulness = 1.0 if source.tokens == target.tokens else score.f
            reasons = reasons_between(source, target, leaves, score)
            parts = {"s2r": score.s2r.f, "r2s": score.r2s.f}
            made.append(Judgement(faithfulness, self.thresholds.verdict(faithfulness), reasons, score, parts))
        return made
