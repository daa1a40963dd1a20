"""The judge that was trained on human judgements of pairs of sentences."""

from __future__ import annotations

import math
import os
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import numpy as np

from usim.compare import (
    FEATURE_SCHEMA,
    READABLE_SCHEMAS,
    Analysis,
    compare,
    compute_features,
    feature_names,
    find_reasons,
)
from usim.errors import ParsingError
from usim.judge.base import Judgement, Thresholds
from usim.judge.classifier import PairClassifier, TokenVectors
from usim.judge.encoder import TokenEncoder
from usim.judge.inputs import pair_inputs, replacements
from usim.judge.similarities import similarities
from usim.measures import align_graphs, usim_score
from usim.parsing import SHARED_TABLE
from usim.text import check_digests, parse_json

#: The models that come with usim.
SHIPPED = Path(__file__).parents[1] / "models"
#: The files of a judge: the encoder of single sentences, and the classifier of pairs.
ENCODER_FILE, CLASSIFIER_FILE = "sentence.onnx", "pair.onnx"
#: The files of the shared table of words, which a judge's encoder reads.
WORDS_FILES = ("words.npy", "scales.npy", "tokenizer.json")


def read_settings(folder: Path) -> dict[str, Any]:
    """Read the settings of a judge.

    Raises:
        ParsingError: they are missing or damaged.
    """
    path = folder / "settings.json"
    try:
        settings = parse_json(path.read_text(encoding="utf-8"))
    except (OSError, ValueError) as e:
        raise ParsingError(f"not a usable judge: {type(e).__name__}: {e}", path=path) from e
    if not isinstance(settings, dict):
        raise ParsingError("not a usable judge: the settings are no object", path=path)
    return settings


def _check_files(folder: Path, settings: Mapping[str, Any], *names: str, key: str = "sha256") -> None:
    """Check files against their SHA-256 in a judge's settings, each of which must be there.

    Raises:
        ParsingError: the settings have no checksum of a file; or it is missing, damaged or another one.
    """
    digests = settings.get(key)
    if not isinstance(digests, dict) or not all(isinstance(digests.get(name), str) for name in names):
        raise ParsingError(
            f"not a usable judge: the settings have no {key!r} of {' and '.join(names)}; export the judge anew",
            path=folder,
        )
    check_digests(folder, {name: digests[name] for name in names})


def load_encoder(folder: Path, threads: int = 1) -> TokenEncoder:
    """Load the encoder of a judge.

    Args:
        folder: the judge's files.
        threads: how many threads a run may use.

    Raises:
        ParsingError: the file is missing or damaged.
    """
    return _load_encoder(folder, read_settings(folder), threads)


def _load_encoder(folder: Path, settings: Mapping[str, Any], threads: int) -> TokenEncoder:
    _check_files(folder, settings, ENCODER_FILE)
    _check_files(SHARED_TABLE, settings, *WORDS_FILES, key="words_sha256")
    return TokenEncoder(folder / ENCODER_FILE, SHARED_TABLE, threads)


def _feature_places(folder: Path, settings: Mapping[str, Any]) -> list[int]:
    """Return where the features that a judge reads stand among those of this version.

    Raises:
        ParsingError: it was trained with a schema that this version does not have, or reads an unknown feature.
    """
    schema, names = settings.get("feature_schema"), settings.get("features")
    places = {name: k for k, name in enumerate(feature_names())}
    if schema not in READABLE_SCHEMAS or not isinstance(names, list) or not all(n in places for n in map(str, names)):
        raise ParsingError(
            "this judge was trained with another version of usim: train it anew "
            f"(its features are of schema {schema!r}, those of this version of schema {FEATURE_SCHEMA})",
            path=folder,
        )
    return [places[name] for name in names]


class TrainedJudge:
    """A judge trained on what people said; made by ``judges/`` and described in its model card.

    Its encoder gives each token two vectors in its context. Networks read the tokens of both sentences, each with its
    vectors, what happened to it and its role in the graph; the words that stand for others; and the features of the
    comparison. Its faithfulness is calibrated: the probability that people would call the meaning preserved.

    Args:
        name_or_path: the name of a judge that comes with usim, or a folder.
        thresholds: in place of its own.
        threads: how many threads the encoder may use.

    Raises:
        ParsingError: a file is missing, damaged, or of another version of usim.
    """

    def __init__(
        self,
        name_or_path: str | os.PathLike[str] = "judge",
        thresholds: Thresholds | None = None,
        *,
        threads: int = 1,
    ) -> None:
        folder = Path(name_or_path)
        if (SHIPPED / folder / "settings.json").is_file():
            folder = SHIPPED / folder
        settings = read_settings(folder)
        _check_files(folder, settings, ENCODER_FILE, CLASSIFIER_FILE)
        self._features = _feature_places(folder, settings)
        try:
            self.name = str(settings["name"])
            self._slope, self._shift = map(float, settings["calibration"])
            own = settings["thresholds"]
            self.thresholds = thresholds or Thresholds(keep=float(own["keep"]), drop=float(own["drop"]))
            mean, deviation = (np.array(settings[key], np.float32) for key in ("mean", "deviation"))
        except (KeyError, TypeError, ValueError) as e:
            raise ParsingError(f"not a usable judge: {type(e).__name__}: {e}", path=folder / "settings.json") from e
        self.encoder: TokenEncoder | None = _load_encoder(folder, settings, threads)
        self._classify = PairClassifier(folder / CLASSIFIER_FILE, mean, deviation)
        self._arguments = (folder, thresholds, threads)

    def __reduce__(self) -> tuple[Any, ...]:
        """Send the judge to another process as the path of its files; it is loaded there."""
        return _load, self._arguments

    def judge(self, pairs: Sequence[tuple[Analysis, Analysis]]) -> list[Judgement]:
        """Judge pairs, see :meth:`usim.judge.Judge.judge`.

        Raises:
            ValueError: an analysis has no vectors.
        """
        return [self._judge_pair(source, target) for source, target in pairs]

    def _judge_pair(self, source: Analysis, target: Analysis) -> Judgement:
        before, after = _both_vectors(source), _both_vectors(target)
        alignment = align_graphs(source.graph, target.graph)
        score = usim_score(source.graph, target.graph, token_alignment=alignment)
        comparison = compare(source, target, alignment, score)
        reasons = find_reasons(comparison)
        if source.tokens == target.tokens:
            faithfulness = 1.0
        elif not source.tokens or not target.tokens:
            faithfulness = 0.0
        else:
            inputs = pair_inputs(source.graph, target.graph, alignment, replacements(comparison))
            alike = similarities(before.upper, after.upper, inputs)
            features = np.append(compute_features(comparison, reasons)[self._features], alike).astype(np.float32)
            logit = self._classify(before, after, inputs, features)
            # Beyond these digits the last bits of the arithmetic would show.
            faithfulness = round(1 / (1 + math.exp(-max(-30.0, min(30.0, self._slope * logit + self._shift)))), 5)
        parts = {"s2r": score.s2r.f, "r2s": score.r2s.f}
        return Judgement(faithfulness, self.thresholds.verdict(faithfulness), reasons, score, parts)


def _load(folder: Path, thresholds: Thresholds | None, threads: int) -> TrainedJudge:
    return TrainedJudge(folder, thresholds, threads=threads)


def _both_vectors(analysis: Analysis) -> TokenVectors:
    """Return the vectors of a sentence's tokens.

    Raises:
        ValueError: it has none.
    """
    if analysis.vectors is None or analysis.upper is None:
        raise ValueError("this judge needs the vectors of tokens: use Analyser(…, encoder=judge.encoder)")
    return TokenVectors(analysis.vectors, analysis.upper)
