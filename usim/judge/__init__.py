"""Judges: from two analysed sentences to how likely people would say that the meaning is preserved."""

from __future__ import annotations

from usim.judge.analyser import Analyser
from usim.judge.base import Judge, Judgement, ListJudge, Opinion, Thresholds, Verdict
from usim.judge.encoder import TokenEncoder
from usim.judge.latest import Latest
from usim.judge.llm import LlmJudge
from usim.judge.load import DEFAULT_JUDGE, load_judge
from usim.judge.pipeline import AnalysisCache, JudgedPair, JudgePipeline
from usim.judge.structure import UsimJudge
from usim.judge.trained import TrainedJudge

__all__ = [
    "DEFAULT_JUDGE",
    "Analyser",
    "AnalysisCache",
    "Judge",
    "JudgePipeline",
    "JudgedPair",
    "Judgement",
    "Latest",
    "ListJudge",
    "LlmJudge",
    "Opinion",
    "Thresholds",
    "TokenEncoder",
    "TrainedJudge",
    "UsimJudge",
    "Verdict",
    "load_judge",
]
