"""Load judges by name, and set thresholds of the user's own."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

from usim.compare import Analysis
from usim.errors import OptionError
from usim.judge.base import Judge, Judgement, Thresholds, judge_together
from usim.judge.corrections import CorrectionModel, WithCorrections
from usim.judge.llm import PERCENT_TOKENS, PREFIX, LlmJudge
from usim.judge.structure import UsimJudge
from usim.judge.trained import CLASSIFIER_FILE, SHIPPED, TrainedJudge
from usim.judge.tuned import load_tuned
from usim.llm import Endpoint
from usim.measures import DEFAULT, Preset
from usim.registry import DEFAULT as DEFAULT_MODEL
from usim.registry import find_model, is_model, model_names

#: The judge for :func:`load_judge` where none is named.
DEFAULT_JUDGE = DEFAULT_MODEL


def judge_folder(name: str) -> Path:
    """Return the folder of a trained judge.

    Args:
        name: that of a model (:mod:`usim.registry`), or the folder of a judge that was trained elsewhere.

    Raises:
        OptionError: there is no trained judge of this name.
    """
    if is_model(name):
        folder = find_model(name).judge or find_model(DEFAULT_MODEL).judge
        if folder is not None:
            return folder
    if not (Path(name) / CLASSIFIER_FILE).is_file():
        names = ", ".join([*sorted({"usim", *model_names()}), f"{PREFIX}NAME"])
        raise OptionError(f"no such judge: {name!r}; there are {names}, and folders of trained ones", option="judge")
    return Path(name)


def load_judge(name: str, *, thresholds: Thresholds | None = None) -> Judge:
    """Load a judge.

    Args:
        name: that of a model (:mod:`usim.registry`), for its judge; ``usim``, USim alone; ``llm:NAME``,
            a large language model (:meth:`usim.llm.Endpoint.from_environment` says which server is asked); the
            folder of a judge that was trained elsewhere; or a file ``.json`` that ``usim tune`` has written.
        thresholds: in place of the judge's own.

    Raises:
        OptionError: there is no such judge.
        ParsingError: one of its files is missing or damaged.
    """
    if name.endswith(".json"):
        return load_tuned(Path(name), load_judge, thresholds)
    if name == "usim":
        return UsimJudge() if thresholds is None else UsimJudge(thresholds)
    if name.startswith(PREFIX):
        model = LlmJudge(Endpoint.from_environment(name.removeprefix(PREFIX), max_tokens=PERCENT_TOKENS))
        return model if thresholds is None else model.with_thresholds(thresholds)
    judge = TrainedJudge(judge_folder(name), thresholds)
    return WithCorrections(judge, CorrectionModel(SHIPPED / "corrections"))


class WithThresholds:
    """A judge with other thresholds than its own; a :class:`usim.judge.Judge`.

    Args:
        judge: the judge.
        thresholds: where verdicts change.
    """

    def __init__(self, judge: Judge, thresholds: Thresholds) -> None:
        self.name = judge.name
        self.encoder = judge.encoder
        self.thresholds = thresholds
        self._judge = judge

    def judge(self, pairs: Sequence[tuple[Analysis, Analysis]]) -> list[Judgement]:
        """Return the judge's own judgements, with verdicts by these thresholds."""
        return [
            replace(judgement, verdict=self.thresholds.verdict(judgement.faithfulness))
            for judgement in self._judge.judge(pairs)
        ]

    def together(self, pairs: Sequence[tuple[Analysis, Analysis]], judgements: Sequence[Judgement]) -> list[Judgement]:
        """Judge a list, see :class:`usim.judge.base.ListJudge`."""
        return [
            replace(judgement, verdict=self.thresholds.verdict(judgement.faithfulness))
            for judgement in judge_together(self._judge, pairs, judgements)
        ]


def resolve_judge(judge: str | Judge, thresholds: Thresholds | None = None, preset: Preset = DEFAULT) -> Judge:
    """Return a judge with the user's settings.

    Args:
        judge: a judge, or the name of one for :func:`load_judge`.
        thresholds: in place of the judge's own.
        preset: how the judge named ``usim`` compares graphs.

    Raises:
        OptionError: there is no judge of that name.
        ParsingError: one of its files is missing or damaged.
    """
    if isinstance(judge, str):
        judge = load_judge(judge)
        if isinstance(judge, UsimJudge) and judge.preset != preset:
            judge = UsimJudge(judge.thresholds, preset)
    if thresholds is None or thresholds == judge.thresholds:
        return judge
    if isinstance(judge, LlmJudge):
        return judge.with_thresholds(thresholds)
    return WithThresholds(judge, thresholds)
