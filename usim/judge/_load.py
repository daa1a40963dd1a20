"""Load judges by name; the judge that reads the structure alone."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache
from pathlib import Path

from usim.errors import OptionError
from usim.evidence import Analysis, compare
from usim.judge._base import Judge
from usim.judge._encoder import TokenEncoder
from usim.judge.corrected import WithCorrections
from usim.judge.llm import ANSWER_TOKENS, PREFIX, LlmJudge
from usim.judge.trained import CLASSIFIER_FILE, SHIPPED, TrainedJudge
from usim.judge.tuning import load_tuned
from usim.llm import Endpoint
from usim.measures import DEFAULT, Preset
from usim.registry import MODELS
from usim.spelling import CorrectionModel
from usim.verdicts import Opinion, Thresholds


def judge_folder(name: str) -> Path:
    """Return the folder of the judge of a model, or of one that was trained elsewhere.

    Raises:
        OptionError: there is no trained judge of this name.
    """
    if name in MODELS:
        return MODELS[name].judge
    if not (Path(name) / CLASSIFIER_FILE).is_file():
        names = ", ".join([*MODELS, "usim", f"{PREFIX}NAME"])
        raise OptionError(f"no such judge: {name!r}; there are {names}, and folders of trained ones", option="judge")
    return Path(name)


def load_judge(name: str, *, preset: Preset = DEFAULT) -> Judge:
    """Load a judge.

    Args:
        name: that of a model (:mod:`usim.registry`), for its judge; ``usim``, USim alone; ``llm:NAME``,
            a large language model (:meth:`usim.llm.Endpoint.from_environment` says which server is asked); the
            folder of a judge that was trained elsewhere; or a file ``.json`` that ``usim tune`` has written.
        preset: how the judge named ``usim`` compares graphs.

    Raises:
        OptionError: there is no such judge.
        ParsingError: one of its files is missing or damaged.
    """
    if name.endswith(".json"):
        return load_tuned(Path(name), load_judge)
    if name == "usim":
        return UsimJudge(preset)
    if name.startswith(PREFIX):
        return LlmJudge(Endpoint.from_environment(name.removeprefix(PREFIX), max_tokens=ANSWER_TOKENS))
    return WithCorrections(TrainedJudge(judge_folder(name)), shipped_corrections())


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

    def judge(self, pairs: Sequence[tuple[Analysis, Analysis]]) -> list[Opinion]:
        """Judge pairs by their graphs, see :meth:`usim.judge.Judge.judge`."""
        opinions = []
        for source, target in pairs:
            comparison = compare(source, target, preset=self.preset)
            score = comparison.score
            same = 1.0 if source.tokens == target.tokens else score.f
            # Of the output's edges, those that the source has; of the source's edges, those that the output has.
            supported = (score.s2r.precision + score.r2s.precision) / 2
            covered = (score.s2r.recall + score.r2s.recall) / 2
            opinions.append(Opinion(same, supported, covered, comparison=comparison))
        return opinions


@cache
def shipped_corrections() -> CorrectionModel:
    """Return the model of corrections that comes with usim; all judges of a process share it."""
    return CorrectionModel(SHIPPED / "corrections")
