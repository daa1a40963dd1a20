"""Judges: from two analysed sentences to how likely people would say that the meaning is preserved."""

from usim.judge._analyser import Analyser
from usim.judge._base import Judge
from usim.judge._encoder import EncoderInput, TokenEncoder
from usim.judge._load import UsimJudge, fitted_to, load_judge, shipped_corrections
from usim.judge._pipeline import AnalysisCache, JudgePipeline, as_written
from usim.judge.cross_encoder import CrossEncoder
from usim.judge.llm import LlmJudge
from usim.judge.trained import TrainedJudge
from usim.verdicts import POLICIES, Cause, Judgement, Opinion, Policy, Result, Thresholds, Verdict

__all__ = [
    "POLICIES",
    "Analyser",
    "AnalysisCache",
    "Cause",
    "CrossEncoder",
    "EncoderInput",
    "Judge",
    "JudgePipeline",
    "Judgement",
    "LlmJudge",
    "Opinion",
    "Policy",
    "Result",
    "Thresholds",
    "TokenEncoder",
    "TrainedJudge",
    "UsimJudge",
    "Verdict",
    "as_written",
    "fitted_to",
    "load_judge",
    "shipped_corrections",
]
