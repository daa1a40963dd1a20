"""The judge that was trained on human judgements of pairs of sentences."""

from __future__ import annotations

import math
import os
from collections.abc import Callable, Sequence
from functools import cached_property, partial
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

from usim.compare import (
    FEATURE_SCHEMA,
    READABLE_SCHEMAS,
    Analysis,
    Ledger,
    build_ledger,
    compare,
    compute_features,
    feature_names,
    find_reasons,
)
from usim.errors import ParsingError
from usim.judge._base import Judgement, SoftLink, Thresholds
from usim.judge._encoder import TokenEncoder
from usim.judge.classifier import PairClassifier, PairReading, TokenVectors
from usim.judge.drift import DRIFT_FILE, DriftModel
from usim.judge.grammar import DETECTOR_FILE, ErrorDetector
from usim.judge.inputs import AlignedSide, PairInputs, pair_inputs, replaced_tokens, replacements, sides_of
from usim.judge.risk import REWORDED, RiskTable, band_of
from usim.judge.similarities import similar_layers, soft_links
from usim.judge.unsupported import UnsupportedModel, is_paraphrase, token_figures, unsupported_reasons
from usim.judge.words import read_alone
from usim.measures import SoftAlignment
from usim.parsing import load_trunk
from usim.text.checksums import check_digests, model_settings

Floats = npt.NDArray[np.float32]

#: The models that come with usim.
SHIPPED = Path(__file__).parents[1] / "models"
#: The networks over pairs.
CLASSIFIER_FILE = "pair.onnx"
#: The features that say how much was reworded, as :func:`usim.judge.risk.band_of` takes them.
EXTENT = ("gone_content_share", "new_content_share", "respelled", "groups", "widest_group")
#: So many pairs are compared before the words that stand for others are read alone, together.
_TOGETHER = 64
#: The logit below which the networks find two texts as unlike as unrelated sentences: a probability of .12.
_UNLIKE = -2.0


def _read_settings(folder: Path) -> dict[str, Any]:
    try:
        return model_settings(folder)[0]
    except (OSError, ValueError) as e:
        raise _unusable(folder, e) from e


def _unusable(folder: Path, e: Exception) -> ParsingError:
    return ParsingError(f"not a usable judge: {type(e).__name__}: {e}", path=folder / "settings.json")


def load_encoder(folder: Path) -> TokenEncoder:
    """Load the encoder of the judge in a folder: the trunk that it shares with a parser.

    Raises:
        ParsingError: a file of the trunk is missing or damaged, or it is not the one that the judge was trained with.
    """
    settings = _read_settings(folder)
    try:
        place, layers = folder / str(settings["trunk"]), [int(layer) for layer in settings["layers"]]
        if load_trunk(place).digest != settings.get("trunk_digest"):
            message = "this is not the trunk that the judge was trained with: install the model anew"
            raise ParsingError(message, path=place)
        return TokenEncoder(place, layers)
    except (KeyError, TypeError, ValueError) as e:
        raise _unusable(folder, e) from e


class TrainedJudge:
    """A judge trained on what people said; made by ``judges/`` and described in its model card.

    Its faithfulness is calibrated: the probability that people would call the meaning preserved.

    Args:
        folder: its files.

    Raises:
        ParsingError: a file is missing, damaged, or of another version of usim.
    """

    def __init__(self, folder: str | os.PathLike[str] = SHIPPED / "en" / "judge") -> None:
        folder = Path(folder)
        settings = _read_settings(folder)
        check_digests(folder, settings.get("sha256", {}), [CLASSIFIER_FILE, DETECTOR_FILE])
        schema, names = settings.get("feature_schema"), settings.get("features")
        places = {name: k for k, name in enumerate(feature_names())}
        if schema not in READABLE_SCHEMAS or not isinstance(names, list) or not places.keys() >= set(map(str, names)):
            raise ParsingError(
                "this judge was trained with another version of usim: train it anew "
                f"(its features are of schema {schema!r}, those of this version of schema {FEATURE_SCHEMA})",
                path=folder,
            )
        self._features = [places[name] for name in names]
        try:
            self.name = str(settings["name"])
            # A judge gets it after its networks.
            self._drift = DriftModel(folder / DRIFT_FILE) if DRIFT_FILE in settings["sha256"] else None
            if self._drift is not None:
                self.name = f"{self.name}+drift-{self._drift.version}"
            self._calibration = [(float(slope), float(shift)) for slope, shift in settings["calibration"]]
            own = settings["thresholds"]
            plain = Thresholds(keep=float(own["keep"]), drop=float(own["drop"]))
            self.thresholds: Thresholds = RiskTable.from_dict(plain, settings["risk"])
            self._extent = [names.index(name) for name in EXTENT]
            mean, deviation = (np.array(settings[key], np.float32) for key in ("mean", "deviation"))
            self._layers = len(settings["layers"])
            self._unsupported = UnsupportedModel(settings["elsewhere"])
            self._detect_errors = ErrorDetector(folder / DETECTOR_FILE)
        except (OSError, KeyError, TypeError, ValueError) as e:
            raise _unusable(folder, e) from e
        self._encoder = load_encoder(folder)
        self.encoder: TokenEncoder | None = self._encoder
        self._classify = PairClassifier(folder / CLASSIFIER_FILE, mean, deviation)
        self._folder = folder

    def __reduce__(self) -> tuple[Any, ...]:
        """Send the judge to another process as the path of its files; it is loaded there."""
        return type(self), (self._folder,)

    def judge(self, pairs: Sequence[tuple[Analysis, Analysis]]) -> list[Judgement]:
        """Judge pairs, see :meth:`usim.judge.Judge.judge`.

        Raises:
            ValueError: an analysis has no vectors.
        """
        judgements: list[Judgement] = []
        for at in range(0, len(pairs), _TOGETHER):
            judgements += map(self._opinion, self.read(pairs[at : at + _TOGETHER]))
        return judgements

    def read(self, pairs: Sequence[tuple[Analysis, Analysis]]) -> list[ReadPair]:
        """Return pairs with what the networks say of them."""
        read = [ReadPair(source, target) for source, target in pairs]
        readings = [
            PairReading(pair.before, pair.after, pair.inputs, self._features_of(pair, pair.inputs), figures)
            for pair, figures in zip(read, self._word_figures(read), strict=True)
            if pair.inputs is not None
        ]
        logits = iter(self._classify(readings))
        for pair in read:
            if pair.inputs is not None:
                pair.logits = next(logits)
        return read

    def _probabilities(self, pair: ReadPair) -> tuple[float, float, float]:
        """Return how likely a pair says the same, is supported, and is covered."""
        fitted = zip(pair.logits, self._calibration, strict=True)
        calibrated = [slope * logit + shift for logit, (slope, shift) in fitted]
        if self._drift is not None and pair.band in REWORDED:
            by_words = self._drift(pair.logits, pair.sides, pair.ledger)
            # It learned from rewrites alone, and knows nothing of texts that have nothing in common.
            calibrated = list(map(min, calibrated, by_words)) if calibrated[0] < _UNLIKE else by_words
        # Beyond these digits the last bits of the arithmetic would show.
        same, supported, covered = (round(1 / (1 + math.exp(-max(-30.0, min(30.0, c)))), 5) for c in calibrated)
        return same, supported, covered

    def _word_figures(self, pairs: Sequence[ReadPair]) -> list[Floats | None]:
        """Return the figures of the replacements of each pair; None where there are none."""
        phrases = [both for pair in pairs for both in pair.replaced]
        if not phrases:
            return [None] * len(pairs)
        places = [(pair, *both) for pair in pairs if pair.inputs for both in pair.inputs.replaced]
        before = np.stack([pair.before.mean(words) for pair, words, _ in places])
        after = np.stack([pair.after.mean(others) for pair, _, others in places])
        ends = np.cumsum([len(pair.replaced) for pair in pairs])[:-1]
        of_pairs = np.split(read_alone(phrases, before, after, self._encoder), ends)
        return [figures if len(figures) else None for figures in of_pairs]

    def _features_of(self, pair: ReadPair, inputs: PairInputs) -> Floats:
        own = compute_features(pair.comparison, pair.reasons)[self._features]
        is_mended = self._detect_errors.is_mended(pair.before.upper, pair.after.upper)
        pair.band = band_of(*own[self._extent].tolist(), is_mended=is_mended)
        alike, pair.soft = similar_layers(pair.before, pair.after, inputs, self._layers)
        features: Floats = np.append(own, alike).astype(np.float32)
        return features

    def _opinion(self, pair: ReadPair) -> Judgement:
        score, inputs = pair.comparison.score, pair.inputs
        parts = {"s2r": score.s2r.f, "r2s": score.r2s.f}
        if inputs is None:
            same = float(pair.source.tokens == pair.target.tokens)
            return Judgement(same, pair.reasons, score, parts, supported=same, covered=same)
        faithfulness, supported, covered = self._probabilities(pair)
        reasons = pair.reasons
        # Of what is said quite otherwise and kept, too, though people are not shown it: an error may hide there.
        if faithfulness < self.thresholds.keep or is_paraphrase(pair.comparison):
            figures = token_figures(*pair.sides[::-1])
            reasons = unsupported_reasons(
                pair.comparison, inputs, self._unsupported(figures), self._unsupported.threshold, reasons
            )
        return Judgement(faithfulness, reasons, score, parts, pair.find_soft_links, supported, covered, pair.band)


class ReadPair:
    """A pair of sentences as the networks read it.

    Attributes:
        source, target: the sentences.
        before, after: the vectors of their tokens.
        comparison, reasons: what the comparison finds.
        inputs: what else the networks read of the tokens; None for equal tokens, or where a side has none.
        replaced: for each place where words stand for others, the tokens of both.
        soft: the soft alignment of the tokens that take part, once it has been computed.
        band: one of :data:`usim.judge.risk.BANDS`, once the features have been computed.
        logits: what the networks say: the same is said, it is supported, it is covered.
    """

    def __init__(self, source: Analysis, target: Analysis) -> None:
        self.source, self.target = source, target
        self.before, self.after = _all_vectors(source), _all_vectors(target)
        self.comparison = compare(source, target)
        self.reasons = find_reasons(self.comparison)
        self.inputs: PairInputs | None = None
        self.soft: SoftAlignment | None = None
        self.band = ""
        self.logits: list[float] = []
        self.replaced: list[tuple[tuple[str, ...], tuple[str, ...]]] = []
        if source.tokens and target.tokens and source.tokens != target.tokens:
            self.inputs = pair_inputs(
                source.graph, target.graph, self.comparison.alignment, replacements(self.comparison)
            )
            self.replaced = replaced_tokens(source.tokens, target.tokens, self.inputs)

    @cached_property
    def sides(self) -> tuple[AlignedSide, AlignedSide]:
        """Both sentences, each token with the one most like it in the other; not of a pair without inputs."""
        assert self.inputs is not None
        assert self.soft is not None
        return sides_of(self.comparison.source, self.comparison.target, self.inputs, self.soft)

    @property
    def find_soft_links(self) -> Callable[[], tuple[SoftLink, ...]]:
        """What gives the links of the soft alignment; it holds no vectors. Not of a pair without inputs."""
        assert self.inputs is not None
        assert self.soft is not None
        has_content = self.comparison.source.is_content, self.comparison.target.is_content
        return partial(soft_links, *has_content, self.inputs, self.soft)

    @property
    def ledger(self) -> Ledger:
        """The facts of both sentences."""
        score = self.comparison.score
        return build_ledger(self.source.view, self.target.view, score.token_alignment.pairs, self.find_soft_links())


def _all_vectors(analysis: Analysis) -> TokenVectors:
    """Return the vectors of a sentence's tokens; raise :class:`ValueError` if it has none."""
    if analysis.vectors is None or analysis.upper is None:
        raise ValueError("this judge needs the vectors of tokens: use Analyser(…, encoder=judge.encoder)")
    return TokenVectors(analysis.vectors, analysis.upper.unpacked())
