"""Judges: from two analysed sentences to how likely people would say that the meaning is preserved, and why not.

A judge gives a :class:`Judgement`: ``faithfulness`` in [0, 1]; a verdict, ``keep``, ``review`` or ``drop``, from two
:class:`Thresholds`; and reasons, each with the tokens that it is about. :class:`UsimJudge` takes the structure alone:
its faithfulness is USim. :func:`load_judge` finds a judge by its name.
"""

from __future__ import annotations

import math
import os
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from types import MappingProxyType
from typing import Any, Literal, Protocol

import numpy as np

from usim.align import align_graphs
from usim.analysis import SHIPPED, Analysis
from usim.errors import ParsingError
from usim.judge_input import read_pair
from usim.lexical import FEATURE_NAMES, Reason, features, reasons_between
from usim.measures import DEFAULT, Preset, UsimScore, usim_score

Verdict = Literal["keep", "review", "drop"]

#: The judge that is taken where none is named, for :func:`load_judge`.
DEFAULT_JUDGE = "en"


@dataclass(frozen=True)
class Thresholds:
    """Where verdicts change: ``keep`` from ``keep`` upwards, ``drop`` below ``drop``, between them ``review``.

    Raises:
        ValueError: not 0 <= drop <= keep <= 1.

    >>> Thresholds(keep=0.7, drop=0.3).verdict(0.5)
    'review'
    """

    keep: float
    drop: float

    def __post_init__(self) -> None:
        if not 0 <= self.drop <= self.keep <= 1:
            raise ValueError(f"thresholds must be 0 <= drop <= keep <= 1, not drop={self.drop}, keep={self.keep}")

    def verdict(self, faithfulness: float) -> Verdict:
        """What to do with a change of this faithfulness."""
        if faithfulness >= self.keep:
            return "keep"
        return "drop" if faithfulness < self.drop else "review"


@dataclass(frozen=True)
class Judgement:
    """What a judge says of a pair of sentences.

    Attributes:
        faithfulness: in [0, 1]; of a trained judge, the probability that people would call the meaning preserved.
        verdict: what to do.
        reasons: what speaks against the change, the gravest first.
        usim: USim in both directions.
        parts: the single figures that the faithfulness was made from, by name.
    """

    faithfulness: float
    verdict: Verdict
    reasons: tuple[Reason, ...]
    usim: UsimScore
    parts: Mapping[str, float] = field(default_factory=lambda: MappingProxyType({}))

    def as_dict(self) -> dict[str, Any]:
        """The judgement as JSON values: ``faithfulness``, ``verdict``, ``reasons``, ``usim`` (one number)."""
        return {
            "faithfulness": self.faithfulness,
            "verdict": self.verdict,
            "reasons": [reason.as_dict() for reason in self.reasons],
            "usim": self.usim.f,
        }


class Judge(Protocol):
    """Judges pairs of sentences.

    Attributes:
        name: for signatures.
        thresholds: where its verdicts change.
        needs_vectors: whether the analyses must have token vectors.
    """

    name: str
    thresholds: Thresholds
    needs_vectors: bool

    def judge(self, pairs: Sequence[tuple[Analysis, Analysis]]) -> list[Judgement]:
        """A judgement for each pair of a source and its changed version, in their order.

        Sentences of the same tokens have faithfulness 1. A pair's judgement does not depend on the pairs beside it.
        """
        ...


class UsimJudge:
    """USim alone as the judge: the mean of the F-scores of both directions.

    Args:
        thresholds: where verdicts change.
        preset: how graphs are compared.
    """

    needs_vectors = False
    name = "usim"

    def __init__(self, thresholds: Thresholds = Thresholds(keep=0.9, drop=0.5), preset: Preset = DEFAULT) -> None:
        self.thresholds = thresholds
        self.preset = preset

    def judge(self, pairs: Sequence[tuple[Analysis, Analysis]]) -> list[Judgement]:
        """See :class:`Judge`."""
        made = []
        for source, target in pairs:
            leaves = align_graphs(source.graph, target.graph)
            score = usim_score(source.graph, target.graph, self.preset, leaves)
            faithfulness = 1.0 if source.tokens == target.tokens else score.f
            reasons = reasons_between(source, target, leaves, score)
            parts = {"s2r": score.s2r.f, "r2s": score.r2s.f}
            made.append(Judgement(faithfulness, self.thresholds.verdict(faithfulness), reasons, score, parts))
        return made


class TrainedJudge:
    """A judge trained on what people said; made by ``judging/`` and described in its model card.

    A network reads the tokens of both sentences together, each with its vector in context, what happened to it and its
    role in the graph, and the figures of :func:`usim.lexical.features`. Its faithfulness is calibrated: the probability
    that people would call the meaning preserved.

    Args:
        name_or_path: the name of a judge that comes with usim, or a folder.
        thresholds: in place of its own.

    Raises:
        ParsingError: the files cannot be used.
    """

    needs_vectors = True

    def __init__(self, name_or_path: str | os.PathLike[str] = "judge", thresholds: Thresholds | None = None) -> None:
        from usim.judge_model import PairReader

        folder = Path(name_or_path)
        if (SHIPPED / folder / "settings.json").is_file():
            folder = SHIPPED / folder
        self._read = PairReader(folder)
        settings = self._read.settings
        self.name = str(settings["name"])
        self._slope, self._shift = map(float, settings["calibration"])
        own = settings["thresholds"]
        self.thresholds = thresholds or Thresholds(keep=float(own["keep"]), drop=float(own["drop"]))
        if list(settings["features"]) != list(FEATURE_NAMES):
            raise ParsingError("this judge was trained with another version of usim: train it anew", path=folder)

    def judge(self, pairs: Sequence[tuple[Analysis, Analysis]]) -> list[Judgement]:
        """See :class:`Judge`.

        Raises:
            ValueError: an analysis has no vectors.
        """
        return [self._one(source, target) for source, target in pairs]

    def _one(self, source: Analysis, target: Analysis) -> Judgement:
        if source.vectors is None or target.vectors is None:
            raise ValueError("this judge needs the vectors of tokens: use Analyser(…, vectors=True)")
        leaves = align_graphs(source.graph, target.graph)
        score = usim_score(source.graph, target.graph, leaves=leaves)
        reasons = reasons_between(source, target, leaves, score)
        if source.tokens == target.tokens:
            faithfulness = 1.0
        elif not source.tokens or not target.tokens:
            faithfulness = 0.0
        else:
            figures = features(source, target, leaves, score).astype(np.float32)
            reading = read_pair(source.graph, target.graph, leaves)
            logit = self._read(source.vectors, target.vectors, reading, figures)
            # Beyond these digits the last bits of the arithmetic would show.
            faithfulness = round(1 / (1 + math.exp(-max(-30.0, min(30.0, self._slope * logit + self._shift)))), 5)
        parts = {"s2r": score.s2r.f, "r2s": score.r2s.f}
        return Judgement(faithfulness, self.thresholds.verdict(faithfulness), reasons, score, parts)


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
        return TrainedJudge(_JUDGES.get(name, name), thresholds)
    raise ValueError(f"no such judge: {name!r}; there are {', '.join(sorted(_JUDGES))}, and folders of trained ones")
