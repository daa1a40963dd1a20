"""The judge that was trained on human judgements of pairs of sentences."""

from __future__ import annotations

import math
import os
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import numpy as np

from usim.errors import ParsingError
from usim.evidence import FEATURE_SCHEMA, Analysis, feature_names, reweighed
from usim.judge._encoder import TokenEncoder
from usim.judge.classifier import PairClassifier
from usim.judge.cross_encoder import CrossEncoder
from usim.judge.grammar import DETECTOR_FILE, ErrorDetector, unfit
from usim.judge.reader import AS_IT_IS, GRAPH_FILE, LastLayer, Reader, unsaid
from usim.judge.reading import ReadPair, is_readable
from usim.parsing import load_trunk
from usim.text.checksums import check_digests, model_settings
from usim.verdicts import Opinion, Thresholds
from usim.verdicts.nouns import CORRECTED, REWORDED
from usim.verdicts.thresholds import RiskTable, band_of

#: The models that come with usim.
SHIPPED = Path(__file__).parents[1] / "models"
#: The networks over pairs.
CLASSIFIER_FILE = "pair.onnx"
#: The features that say how much was reworded, as :func:`usim.verdicts.thresholds.band_of` takes them.
EXTENT = ("gone_content_share", "new_content_share", "groups", "widest_group")
#: How many pairs are compared before the networks read them.
_TOGETHER = 64
#: Below this logit, a probability of .05, the networks find two texts as unlike as unrelated sentences. A reader has
#: seen few of these.
_UNRELATED = -3.0


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
        ParsingError: a file of the trunk is missing or damaged, or the judge was trained with another trunk.
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
        reader: a reader instead of its own.
        last: the settings of a last layer that was fitted to that reader; without them the logits of the reader are the
            result.

    Raises:
        ParsingError: a file is missing, damaged, or of another version of usim.
    """

    def __init__(
        self,
        folder: str | os.PathLike[str] = SHIPPED / "en" / "judge",
        reader: CrossEncoder | None = None,
        last: Mapping[str, Any] | None = None,
    ) -> None:
        folder = Path(folder)
        settings = _read_settings(folder)
        check_digests(folder, settings.get("sha256", {}), [CLASSIFIER_FILE, DETECTOR_FILE])
        schema, names = settings.get("feature_schema"), list(feature_names())
        if schema != FEATURE_SCHEMA or settings.get("features") != names:
            raise ParsingError(
                "this judge was trained with another version of usim: train it anew "
                f"(its features are of schema {schema!r}, those of this version of schema {FEATURE_SCHEMA})",
                path=folder,
            )
        try:
            self.name = str(settings["name"])
            self._reader: Reader | CrossEncoder | None = reader
            if reader is None and GRAPH_FILE in settings["sha256"]:
                self._reader = Reader(folder, [settings["layers"].index(k) for k in settings["reader_layers"]])
            chosen = last or (AS_IT_IS if reader else settings.get("last"))
            self._last = None if chosen is None else LastLayer(chosen)
            if reader is not None:
                self.name = f"{self.name}+reader:{reader.digest}"
            self._calibration = [(float(slope), float(shift)) for slope, shift in settings["calibration"]]
            keep, drop = (float(settings["thresholds"][name]) for name in ("keep", "drop"))
            plain = Thresholds(keep, drop)
            self.thresholds: Thresholds = RiskTable.from_dict(plain, settings["risk"])
            self._extent = [names.index(name) for name in EXTENT]
            mean, deviation = (np.array(settings[key], np.float32) for key in ("mean", "deviation"))
            self._detect_errors = ErrorDetector(folder / DETECTOR_FILE)
        except (OSError, KeyError, TypeError, ValueError) as e:
            raise _unusable(folder, e) from e
        self.encoder: TokenEncoder | None = load_encoder(folder)
        self._classify = PairClassifier(folder / CLASSIFIER_FILE, mean, deviation)
        self._arguments = folder, reader, last

    def __reduce__(self) -> tuple[Any, ...]:
        return type(self), self._arguments

    def judge(self, pairs: Sequence[tuple[Analysis, Analysis]]) -> list[Opinion]:
        """Judge pairs, see :meth:`usim.judge.Judge.judge`.

        Raises:
            ValueError: an analysis has no vectors.
        """
        opinions: list[Opinion] = []
        for at in range(0, len(pairs), _TOGETHER):
            some = pairs[at : at + _TOGETHER]
            read = iter(self.read([pair for pair in some if is_readable(*pair)]))
            opinions += [self._opinion(next(read)) if is_readable(*pair) else _plain(*pair) for pair in some]
        return opinions

    def read(self, pairs: Sequence[tuple[Analysis, Analysis]]) -> list[ReadPair]:
        """Return readable pairs with the logits of the networks and of the reader."""
        read = [ReadPair(*pair) for pair in pairs]
        for pair in read:
            pair.errors = self._detect_errors(pair.before), self._detect_errors(pair.after)
            is_mended = self._detect_errors.is_mended(*pair.errors)
            gone, new, places, widest = pair.features[self._extent].tolist()
            mended = pair.comparison.respelled.mended
            pair.band = band_of(gone, new, mended, places, widest, is_mended=is_mended)
        for pair, logits in zip(read, self._classify(read), strict=True):
            pair.logits = logits
        if self._reader is not None:
            chosen = [pair for pair in read if self._last is None or pair.band in self._last.bands]
            for pair, said in zip(chosen, self._reader(chosen), strict=True):
                pair.read = said
        return read

    def _probabilities(self, pair: ReadPair) -> tuple[float, float, float]:
        """Return how likely a pair says the same, is supported, and is covered."""
        fitted = zip(pair.logits, self._calibration, strict=True)
        calibrated = [slope * logit + shift for logit, (slope, shift) in fitted]
        if self._last is not None and pair.read is not None:
            read = self._last(pair.logits, pair.read)
            is_unrelated = calibrated[0] < _UNRELATED
            calibrated = [min(both) for both in zip(calibrated, read, strict=True)] if is_unrelated else read
        # More digits would show the last bits of the arithmetic.
        same, supported, covered = (round(1 / (1 + math.exp(-max(-30.0, min(30.0, c)))), 5) for c in calibrated)
        return same, supported, covered

    def _opinion(self, pair: ReadPair) -> Opinion:
        is_reworded = pair.band in REWORDED - CORRECTED
        findings = [*(pair.findings if is_reworded else reweighed(pair.comparison, pair.findings)), *unfit(pair)]
        # The comparison describes one or two changed places better, if it finds anything.
        if pair.band != "edit" or not findings:
            findings += unsaid(pair)
        return Opinion(
            *self._probabilities(pair),
            pair.band,
            is_whole=pair.read is not None and pair.is_whole,
            # The detector knows too little about reworded sentences.
            is_marred=pair.band not in REWORDED and self._detect_errors.is_marred(*pair.errors),
            errors=pair.errors[1],
            comparison=pair.comparison,
            findings=tuple(sorted(findings, key=lambda finding: -finding.weight)),
            soft_links=pair.soft_links,
        )


def _plain(source: Analysis, output: Analysis) -> Opinion:
    """Return the opinion of a pair of the same tokens, or of a pair with an empty sentence."""
    same = float(source.tokens == output.tokens)
    return Opinion(same, supported=same, covered=same)
