"""The nouns of a judgement (opinion, verdict, cause, result), and :mod:`usim.verdicts.decide`, which alone decides."""

from usim.verdicts.nouns import POLICIES, Cause, Judgement, Opinion, Policy, Thresholds, Verdict
from usim.verdicts.result import Result

__all__ = ["POLICIES", "Cause", "Judgement", "Opinion", "Policy", "Result", "Thresholds", "Verdict"]
