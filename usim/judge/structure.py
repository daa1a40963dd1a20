"""The judge that reads the structure alone: its faithfulness is USim."""

from __future__ import annotations

from collections.abc import Sequence

from usim.compare import Analysis, compare, find_reasons
from usim.judge.base import Judgement, Thresholds
from usim.judge.encoder import TokenEncoder
from usim.measures import DEFAULT, Preset, align_graphs, usim_score

#: Fewer than 5 % of corrections by people are below ``drop`` (``python -m experiments structure``). Of single
#: words structure says nothing, so no threshold makes a screen of it.
_THRESHOLDS = Thresholds(keep=0.9, drop=0.6)


class UsimJudge:
    """USim alone as the judge: the mean of the F-scores of both directions.

    Args:
        thresholds: where verdicts change.
        preset: how graphs are compared.
    """

    name = "usim"
    encoder: TokenEncoder | None = None

    def __init__(self, thresholds: Thresholds = _THRESHOLDS, preset: Preset = DEFAULT) -> None:
        self.thresholds = thresholds
        self.preset = preset

    def judge(self, pairs: Sequence[tuple[Analysis, Analysis]]) -> list[Judgement]:
        """Judge pairs by their graphs, see :meth:`usim.judge.Judge.judge`."""
        judgements = []
        for source, target in pairs:
            alignment = align_graphs(source.graph, target.graph, self.preset.leaf)
            score = usim_score(source.graph, target.graph, self.preset, alignment)
            faithfulness = 1.0 if source.tokens == target.tokens else score.f
            reasons = find_reasons(compare(source, target, alignment, score))
            parts = {"s2r": score.s2r.f, "r2s": score.r2s.f}
            judgements.append(Judgement(faithfulness, self.thresholds.verdict(faithfulness), reasons, score, parts))
        return judgements
