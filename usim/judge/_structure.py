"""The judge that reads the structure alone: its faithfulness is USim."""

from __future__ import annotations

from collections.abc import Sequence

from usim.compare import Analysis, compare, find_reasons
from usim.judge._base import Judgement, Thresholds
from usim.judge._encoder import TokenEncoder
from usim.measures import DEFAULT, Preset


class UsimJudge:
    """USim alone as the judge: the mean of the F-scores of both directions.

    Args:
        preset: how graphs are compared.
    """

    name = "usim"
    encoder: TokenEncoder | None = None
    #: Fewer than 5 % of corrections by people are below ``drop``. Of single words structure says nothing, so no
    #: threshold makes a screen of it.
    thresholds = Thresholds(keep=0.9, drop=0.6)

    def __init__(self, preset: Preset = DEFAULT) -> None:
        self.preset = preset

    def judge(self, pairs: Sequence[tuple[Analysis, Analysis]]) -> list[Judgement]:
        """Judge pairs by their graphs, see :meth:`usim.judge.Judge.judge`."""
        return [self._opinion(source, target) for source, target in pairs]

    def _opinion(self, source: Analysis, target: Analysis) -> Judgement:
        comparison = compare(source, target, preset=self.preset)
        score = comparison.score
        faithfulness = 1.0 if source.tokens == target.tokens else score.f
        parts = {"s2r": score.s2r.f, "r2s": score.r2s.f}
        # Of the output's edges, those that the source has; of the source's edges, those that the output has.
        supported = (score.s2r.precision + score.r2s.precision) / 2
        covered = (score.s2r.recall + score.r2s.recall) / 2
        return Judgement(faithfulness, find_reasons(comparison), score, parts, supported=supported, covered=covered)
