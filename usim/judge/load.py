"""Judges by their names, and with thresholds of the user's own."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

from usim.compare import Analysis
from usim.judge.base import Judge, Judgement, Thresholds
from usim.judge.structure import UsimJudge
from usim.measures import DEFAULT, Preset

#: The judge that is taken where none is named, for :func:`load_judge`.
DEFAULT_JUDGE = "en"
#: The judges by name.
_JUDGES = {"usim": "", "en": "judge"}


def load_judge(name: str, *, thresholds: Thresholds | None = None) -> Judge:
    """A judge by its name.

    Args:
        name: ``en``, the trained one; ``usim``, USim alone; or the folder of a judge that was trained elsewhere.
        thresholds: in place of the judge's own.

    Raises:
        ValueError: there is no such judge.
        ParsingError: its files cannot be used.
    """
    if name == "usim":
        return UsimJudge() if thresholds is None else UsimJudge(thresholds)
    if name in _JUDGES or (Path(name) / "joint.onnx").is_file():
        from usim.judge.trained import TrainedJudge

        return TrainedJudge(_JUDGES.get(name, name), thresholds)
    raise ValueError(f"no such judge: {name!r}; there are {', '.join(sorted(_JUDGES))}, and folders of trained ones")


class WithThresholds:
    """A judge whose verdicts change elsewhere than by its own thresholds; a :class:`usim.judge.Judge`.

    Args:
        judge: who judges.
        thresholds: where verdicts change.
    """

    def __init__(self, judge: Judge, thresholds: Thresholds) -> None:
        self.name = judge.name
        self.needs_vectors = judge.needs_vectors
        self.thresholds = thresholds
        self._judge = judge

    def judge(self, pairs: Sequence[tuple[Analysis, Analysis]]) -> list[Judgement]:
        """The judgements of the judge itself, with verdicts by these thresholds."""
        return [
            replace(judgement, verdict=self.thresholds.verdict(judgement.faithfulness))
            for judgement in self._judge.judge(pairs)
        ]


def chosen(judge: str | Judge, thresholds: Thresholds | None = None, preset: Preset = DEFAULT) -> Judge:
    """The judge that is meant.

    Args:
        judge: a judge, or the name of one for :func:`usim.judge.load_judge`.
        thresholds: in place of the judge's own.
        preset: how graphs are compared by the judge named ``usim``.

    Raises:
        ValueError: there is no judge of that name.
    """
    if isinstance(judge, str):
        judge = load_judge(judge)
        if isinstance(judge, UsimJudge) and judge.preset != preset:
            judge = UsimJudge(judge.thresholds, preset)
    if thresholds is None or thresholds == judge.thresholds:
        return judge
    return WithThresholds(judge, thresholds)
