"""Judges: from two analysed sentences to how likely people would say that the meaning is preserved."""

from __future__ import annotations

from usim.judge.analyser import Analyser
from usim.judge.base import Judge, Judgement, Thresholds, Verdict
from usim.judge.load import DEFAULT_JUDGE, WithThresholds, chosen, load_judge
from usim.judge.pipeline import Judged, Judging
from usim.judge.structure import UsimJudge
from usim.judge.trained import TrainedJudge

__all__ = [
    "DEFAULT_JUDGE",
    "Analyser",
    "Judge",
    "Judged",
    "Judgement",
    "Judging",
    "Thresholds",
    "TrainedJudge",
    "UsimJudge",
    "Verdict",
    "WithThresholds",
    "chosen",
    "load_judge",
]
