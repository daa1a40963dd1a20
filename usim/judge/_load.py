"""Load judges by name. The judge that reads the structure alone is here as well."""

from __future__ import annotations

import warnings
from collections.abc import Mapping, Sequence
from functools import cache
from pathlib import Path
from typing import Any

from usim.errors import OptionError
from usim.evidence import Analysis, compare
from usim.judge._analyser import Analyser
from usim.judge._base import Judge
from usim.judge._encoder import TokenEncoder
from usim.judge.corrected import WithCorrections
from usim.judge.cross_encoder import CrossEncoder
from usim.judge.llm import ANSWER_TOKENS, PREFIX, LlmJudge
from usim.judge.reading import is_readable
from usim.judge.trained import CLASSIFIER_FILE, SHIPPED, TrainedJudge
from usim.judge.tuning import Tuning, fit_last, load_tuned
from usim.measures import DEFAULT, Preset
from usim.parsing import load
from usim.registry import MODELS, find_model
from usim.servers.llm import Endpoint
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


def load_judge(name: str, *, preset: Preset = DEFAULT, reader: str | None = None) -> Judge:
    """Load a judge.

    Args:
        name: a model (:mod:`usim.registry`), for its judge; ``usim``, USim alone; ``llm:NAME``,
            a large language model (:meth:`usim.servers.llm.Endpoint.from_environment` says which server is asked); the
            folder of a judge that was trained elsewhere; or a file ``.json`` of ``usim tune``.
        preset: how the judge ``usim`` compares graphs.
        reader: the folder of a reader instead of the trained judge's own.

    Raises:
        OptionError: there is no such judge, or it has no reader.
        ParsingError: one of its files is missing or damaged.
    """

    def of_tuning(tuning: Tuning) -> Judge:
        if tuning.last is None:
            return load_judge(tuning.judge, reader=reader)
        return WithCorrections(load_trained(tuning.judge, reader or tuning.reader, tuning.last), shipped_corrections())

    if name.endswith(".json"):
        return load_tuned(Path(name), of_tuning)
    if reader is not None and (name == "usim" or name.startswith(PREFIX)):
        raise OptionError(f"the judge {name} has no reader", option="reader")
    if name == "usim":
        return UsimJudge(preset)
    if name.startswith(PREFIX):
        return LlmJudge(Endpoint.from_environment(name.removeprefix(PREFIX), max_tokens=ANSWER_TOKENS))
    if reader is not None:
        message = "the judge's thresholds were chosen for its own reader: fit them to this one by usim tune --reader"
        warnings.warn(message, stacklevel=2)
    return WithCorrections(load_trained(name, reader), shipped_corrections())


def load_trained(name: str, reader: str | None = None, last: Mapping[str, Any] | None = None) -> TrainedJudge:
    """Load a trained judge without the model of corrections; ``last`` is a last layer fitted to its reader."""
    return TrainedJudge(judge_folder(name), None if reader is None else CrossEncoder(Path(reader)), last)


def fitted_to(
    name: str, reader: str, model: str, pairs: Sequence[tuple[str, str]], labels: Sequence[bool]
) -> tuple[Judge, dict[str, Any]]:
    """Return a judge with a last layer that was fitted to a reader and to labelled pairs, and the layer's settings.

    The parser of ``model`` parses the pairs; ``name`` and ``reader`` are those of :func:`load_trained`.
    """
    judge = load_trained(name, reader)
    analyser = Analyser(load(find_model(model).parser), judge.encoder)
    texts = list(dict.fromkeys(text for pair in pairs for text in pair))
    analyses = dict(zip(texts, analyser.analyse(texts), strict=True))
    analysed = [(analyses[source], analyses[output]) for source, output in pairs]
    readable = [is_readable(*pair) for pair in analysed]
    read = judge.read([pair for pair, is_one in zip(analysed, readable, strict=True) if is_one])
    known = [label for label, is_one in zip(labels, readable, strict=True) if is_one]
    last = fit_last([pair.logits for pair in read], [pair.read for pair in read if pair.read is not None], known)
    return WithCorrections(load_trained(name, reader, last), shipped_corrections()), last


class UsimJudge:
    """USim alone as the judge: the mean of the F-scores of both directions; graphs are compared by a preset."""

    name = "usim"
    encoder: TokenEncoder | None = None
    #: Fewer than 5 % of corrections by people are below ``drop``. Structure says nothing about single words, so no
    #: threshold makes it a screen.
    thresholds = Thresholds(keep=0.9, drop=0.6)

    def __init__(self, preset: Preset = DEFAULT) -> None:
        self.preset = preset

    def judge(self, pairs: Sequence[tuple[Analysis, Analysis]]) -> list[Opinion]:
        """Judge pairs by their graphs, see :meth:`usim.judge.Judge.judge`."""
        opinions = []
        for source, output in pairs:
            comparison = compare(source, output, preset=self.preset)
            score = comparison.score
            same = 1.0 if source.tokens == output.tokens else score.f
            # Of the output's edges, those that the source has; of the source's edges, those that the output has.
            supported = (score.s2r.precision + score.r2s.precision) / 2
            covered = (score.s2r.recall + score.r2s.recall) / 2
            opinions.append(Opinion(same, supported, covered, comparison=comparison))
        return opinions


@cache
def shipped_corrections() -> CorrectionModel:
    """Return the model of corrections that comes with usim; all judges of a process share it."""
    return CorrectionModel(SHIPPED / "corrections")
