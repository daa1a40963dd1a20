"""The judge that was trained on human judgements of pairs of sentences."""

from __future__ import annotations

import math
import os
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

from usim.compare import (
    FEATURE_SCHEMA,
    READABLE_SCHEMAS,
    Analysis,
    compare,
    compute_features,
    feature_names,
    find_reasons,
)
from usim.errors import OptionError, ParsingError
from usim.judge.base import Judgement, Thresholds
from usim.judge.classifier import PairClassifier, PairReading, TokenVectors
from usim.judge.encoder import GraphEncoder, TokenEncoder, TrunkEncoder
from usim.judge.inputs import PairInputs, pair_inputs, replaced_tokens, replacements
from usim.judge.similarities import similar_layers
from usim.judge.words import word_figures
from usim.measures import align_graphs, usim_score
from usim.parsing import SHARED_TABLE, load_trunk
from usim.registry import find_model
from usim.text import check_digests, model_settings

Floats = npt.NDArray[np.float32]

#: The models that come with usim.
SHIPPED = Path(__file__).parents[1] / "models"
#: The files of a judge: the encoder of single sentences, and the classifier of pairs.
ENCODER_FILE, CLASSIFIER_FILE = "sentence.onnx", "pair.onnx"
#: So many pairs are compared before the words that stand for others are read alone, together.
_TOGETHER = 64
#: The files of the shared table of words, which a judge's encoder reads.
WORDS_FILES = ("words.npy", "scales.npy", "tokenizer.json")


def read_settings(folder: Path) -> dict[str, Any]:
    """Read the settings of a judge.

    Raises:
        ParsingError: they are missing or damaged.
    """
    try:
        return model_settings(folder)[0]
    except (OSError, ValueError) as e:
        raise ParsingError(f"not a usable judge: {type(e).__name__}: {e}", path=folder / "settings.json") from e


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
    """Load the encoder of a judge: its own, that of another model's judge, or the trunk that it shares with a parser.

    Args:
        folder: the judge's files.
        threads: how many threads a run may use.

    Raises:
        ParsingError: the file is missing or damaged.
    """
    return _load_encoder(folder, read_settings(folder), threads)


def _load_encoder(folder: Path, settings: Mapping[str, Any], threads: int) -> TokenEncoder:
    if "trunk" in settings:
        return _load_trunk_encoder(folder, settings)
    if "encoder" in settings:
        folder = _folder_of_shared(folder, str(settings["encoder"]))
    _check_files(folder, settings, ENCODER_FILE)
    _check_files(SHARED_TABLE, settings, *WORDS_FILES, key="words_sha256")
    return GraphEncoder(folder / ENCODER_FILE, SHARED_TABLE, threads)


def _folder_of_shared(folder: Path, model: str) -> Path:
    """Return the folder of the judge of a model, whose encoder the judge in a folder shares.

    Raises:
        ParsingError: there is no such model, or it has no judge of its own.
    """
    try:
        shared = find_model(model).judge
    except OptionError as e:
        raise ParsingError(f"the judge shares the encoder of the model {model!r}: {e}", path=folder) from e
    if shared is None:
        raise ParsingError(f"the judge shares the encoder of the model {model!r}, which has no judge", path=folder)
    return shared


def _load_trunk_encoder(folder: Path, settings: Mapping[str, Any]) -> TrunkEncoder:
    """Load an encoder that asks a trunk.

    Raises:
        ParsingError: a file of the trunk is missing or damaged, or it is not the one that the judge was trained with.
    """
    place = folder / str(settings["trunk"])
    if load_trunk(place).digest != settings.get("trunk_digest"):
        raise ParsingError("this is not the trunk that the judge was trained with: install the model anew", path=place)
    try:
        return TrunkEncoder(place, [int(layer) for layer in settings["layers"]])
    except (KeyError, TypeError, ValueError) as e:
        raise ParsingError(f"not a usable judge: {type(e).__name__}: {e}", path=folder / "settings.json") from e


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
        _check_files(folder, settings, CLASSIFIER_FILE)
        self._features = _feature_places(folder, settings)
        try:
            self.name = str(settings["name"])
            self._slope, self._shift = map(float, settings["calibration"])
            own = settings["thresholds"]
            self.thresholds = thresholds or Thresholds(keep=float(own["keep"]), drop=float(own["drop"]))
            mean, deviation = (np.array(settings[key], np.float32) for key in ("mean", "deviation"))
            self._alike = int(settings.get("similar_layers", 1))
        except (KeyError, TypeError, ValueError) as e:
            raise ParsingError(f"not a usable judge: {type(e).__name__}: {e}", path=folder / "settings.json") from e
        self._encoder = _load_encoder(folder, settings, threads)
        self.encoder: TokenEncoder | None = self._encoder
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
        judgements: list[Judgement] = []
        for at in range(0, len(pairs), _TOGETHER):
            compared = [_Compared(source, target) for source, target in pairs[at : at + _TOGETHER]]
            judgements += map(self._judgement, compared, self._faithfulness(compared))
        return judgements

    def _faithfulness(self, pairs: Sequence[_Compared]) -> list[float]:
        readings = [
            PairReading(pair.before, pair.after, pair.inputs, self._features_of(pair, pair.inputs), figures)
            for pair, figures in zip(pairs, self._word_figures(pairs), strict=True)
            if pair.inputs is not None
        ]
        logits = iter(self._classify(readings))
        return [
            float(pair.source.tokens == pair.target.tokens) if pair.inputs is None else self._calibrated(next(logits))
            for pair in pairs
        ]

    def _calibrated(self, logit: float) -> float:
        # Beyond these digits the last bits of the arithmetic would show.
        return round(1 / (1 + math.exp(-max(-30.0, min(30.0, self._slope * logit + self._shift)))), 5)

    def _word_figures(self, pairs: Sequence[_Compared]) -> list[Floats | None]:
        """Return the figures of the replacements of each pair; None where there are none."""
        phrases = list(dict.fromkeys(phrase for pair in pairs for both in pair.replaced for phrase in both))
        alone = dict(zip(phrases, self._encoder.alone(phrases), strict=True))
        figures: list[Floats | None] = []
        for pair in pairs:
            if pair.inputs is None or not pair.replaced:
                figures.append(None)
                continue
            places = pair.inputs.replaced
            figures.append(
                word_figures(
                    np.stack([pair.before.mean(words) for words, _ in places]),
                    np.stack([pair.after.mean(words) for _, words in places]),
                    np.stack([alone[words] for words, _ in pair.replaced]),
                    np.stack([alone[words] for _, words in pair.replaced]),
                    [(" ".join(words), " ".join(others)) for words, others in pair.replaced],
                    self._encoder.lower,
                )
            )
        return figures

    def _features_of(self, pair: _Compared, inputs: PairInputs) -> Floats:
        own = compute_features(pair.comparison, pair.reasons)[self._features]
        alike = similar_layers(pair.before, pair.after, inputs, self._alike)
        features: Floats = np.append(own, alike).astype(np.float32)
        return features

    def _judgement(self, pair: _Compared, faithfulness: float) -> Judgement:
        score = pair.comparison.score
        parts = {"s2r": score.s2r.f, "r2s": score.r2s.f}
        return Judgement(faithfulness, self.thresholds.verdict(faithfulness), pair.reasons, score, parts)


class _Compared:
    """A pair of sentences as the networks read it.

    Attributes:
        source, target: the sentences.
        before, after: the vectors of their tokens.
        comparison, reasons: what the comparison finds.
        inputs: what else the networks read of the tokens; None for pairs that need no network: both sentences have
            the same tokens, or one has none.
        replaced: for each place where words stand for others, the tokens of both.
    """

    def __init__(self, source: Analysis, target: Analysis) -> None:
        self.source, self.target = source, target
        self.before, self.after = _all_vectors(source), _all_vectors(target)
        alignment = align_graphs(source.graph, target.graph)
        score = usim_score(source.graph, target.graph, token_alignment=alignment)
        self.comparison = compare(source, target, alignment, score)
        self.reasons = find_reasons(self.comparison)
        self.inputs: PairInputs | None = None
        self.replaced: list[tuple[tuple[str, ...], tuple[str, ...]]] = []
        if source.tokens and target.tokens and source.tokens != target.tokens:
            self.inputs = pair_inputs(source.graph, target.graph, alignment, replacements(self.comparison))
            self.replaced = replaced_tokens(source.tokens, target.tokens, self.inputs)


def _load(folder: Path, thresholds: Thresholds | None, threads: int) -> TrainedJudge:
    return TrainedJudge(folder, thresholds, threads=threads)


def _all_vectors(analysis: Analysis) -> TokenVectors:
    """Return the vectors of a sentence's tokens.

    Raises:
        ValueError: it has none.
    """
    if analysis.vectors is None or analysis.upper is None:
        raise ValueError("this judge needs the vectors of tokens: use Analyser(…, encoder=judge.encoder)")
    return TokenVectors(analysis.vectors, analysis.upper)
