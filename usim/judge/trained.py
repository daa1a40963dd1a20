"""The judge that was trained on what people said of pairs of sentences."""

from __future__ import annotations

import math
import os
from collections.abc import Sequence
from pathlib import Path

import numpy as np

from usim.compare import FEATURE_NAMES, Analysis, features, reasons_between
from usim.errors import ParsingError
from usim.judge.base import Judgement, Thresholds
from usim.judge.inputs import read_pair
from usim.judge.network import PairReader
from usim.measures import align_graphs, usim_score

#: The models that come with usim.
SHIPPED = Path(__file__).parents[1] / "models"


class TrainedJudge:
    """A judge trained on what people said; made by ``judges/`` and described in its model card.

    A network reads the tokens of both sentences together, each with its vector in context, what happened to it and its
    role in the graph, and the figures of :func:`usim.compare.features`. Its faithfulness is calibrated: the probability
    that people would call the meaning preserved.

    Args:
        name_or_path: the name of a judge that comes with usim, or a folder.
        thresholds: in place of its own.

    Raises:
        ParsingError: the files cannot be used.
    """

    needs_vectors = True

    def __init__(self, name_or_path: str | os.PathLike[str] = "judge", thresholds: Thresholds | None = None) -> None:
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
        score = usim_score(source.graph, target.graph, token_alignment=leaves)
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
