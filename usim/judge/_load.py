"""Load judges by name."""

from __future__ import annotations

from functools import cache
from pathlib import Path

from usim.errors import OptionError
from usim.judge._base import Judge
from usim.judge._structure import UsimJudge
from usim.judge.corrections import CorrectionModel, WithCorrections
from usim.judge.llm import PERCENT_TOKENS, PREFIX, LlmJudge
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
        return LlmJudge(Endpoint.from_environment(name.removeprefix(PREFIX), max_tokens=PERCENT_TOKENS))
    return WithCorrections(TrainedJudge(judge_folder(name)), shipped_corrections())


@cache
def shipped_corrections() -> CorrectionModel:
    """Return the model of corrections that comes with usim; all judges of a process share it."""
    return CorrectionModel(SHIPPED / "corrections")
