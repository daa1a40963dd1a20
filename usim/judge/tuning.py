"""Thresholds for a user's texts: from labelled pairs to a file of ``usim tune``, and from the file to a judge."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Callable, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

from usim.errors import InputError, OptionError, ParsingError
from usim.judge._base import Judge
from usim.judge.reader import ReaderLogits
from usim.text.checksums import model_settings
from usim.verdicts import Thresholds
from usim.verdicts.decide import verdict_of
from usim.verdicts.nouns import BANDS

#: The version of the file. The thresholds of version 1 are for a faithfulness that was calibrated after the judge.
FORMAT = 2
#: Fewer pairs, or fewer of either label, show nothing.
FEWEST_PAIRS = 20
FEWEST_OF_LABEL = 5


def check_labels(labels: Sequence[bool]) -> None:
    """Raise an :class:`InputError` unless there are enough pairs, of both labels."""
    faithful = sum(labels)
    counts = f"{len(labels)} labelled pairs, {faithful} faithful and {len(labels) - faithful} not"
    if faithful in (0, len(labels)):
        raise InputError(f"{counts}: pairs of both labels are needed")
    if len(labels) < FEWEST_PAIRS or min(faithful, len(labels) - faithful) < FEWEST_OF_LABEL:
        raise InputError(f"{counts}: at least {FEWEST_PAIRS} are needed, and {FEWEST_OF_LABEL} of each label")


def tuning_record(faithfulness: Sequence[float], labels: Sequence[bool], thresholds: Thresholds) -> dict[str, Any]:
    """Return the verdicts that thresholds give to the labelled pairs, counted, as JSON values."""
    verdicts = [verdict_of(value, thresholds) for value in faithfulness]
    keep, drop = (
        [label for verdict, label in zip(verdicts, labels, strict=True) if verdict == name] for name in ("keep", "drop")
    )
    total = len(labels)
    return {
        "pairs": total,
        "faithful": sum(labels),
        "keep": len(keep),
        "review": total - len(keep) - len(drop),
        "drop": len(drop),
        "kept_wrong": keep.count(False) / len(keep) if keep else None,
        "dropped_right": drop.count(True) / len(drop) if drop else None,
    }


@dataclass(frozen=True)
class Tuning:
    """What ``usim tune`` found.

    Attributes:
        judge: the judge that was tuned, as ``--judge`` takes it.
        judge_name: its name in signatures; a judge of another name needs a new tuning.
        reader: the folder of the reader that was given; None for the judge's own.
        last: the settings of the last layer that was fitted to that reader.
    """

    judge: str
    judge_name: str
    thresholds: Thresholds
    reader: str | None = None
    last: dict[str, Any] | None = None

    def to_dict(self) -> dict[str, Any]:
        """Return the tuning as JSON values, as its file has them."""
        return {"usim_tuning": FORMAT, **asdict(self)}

    @classmethod
    def read(cls, path: Path) -> Tuning:
        """Read the file of a tuning; other fields are ignored.

        Raises:
            ParsingError: it cannot be read, or is no such file.
        """
        try:
            values, _ = model_settings(path.parent, name=path.name)
            if values.get("usim_tuning") != FORMAT:
                raise ValueError(f"no field 'usim_tuning' of {FORMAT}: run usim tune again")
            own = values["thresholds"]
            thresholds = Thresholds(keep=float(own["keep"]), drop=float(own["drop"]))
            last = values.get("last")
            reader = values.get("reader")
            return cls(str(values["judge"]), str(values["judge_name"]), thresholds, reader, last)
        except (OSError, ValueError, KeyError, TypeError) as e:
            raise ParsingError(f"not a file of usim tune: {type(e).__name__}: {e}", path=path) from e

    @property
    def digest(self) -> str:
        """Eight hexadecimal digits that tell tunings apart in signatures."""
        return hashlib.sha256(json.dumps(self.to_dict(), sort_keys=True).encode()).hexdigest()[:8]


def load_tuned(path: Path, load: Callable[[Tuning], Judge]) -> Judge:
    """Load a judge with the thresholds in a file; ``load`` loads the judge that was tuned.

    Raises:
        ParsingError: the file is no tuning.
        OptionError: the judge that was tuned is missing, or has changed since.
    """
    tuning = Tuning.read(path)
    if tuning.judge.endswith(".json"):
        raise ParsingError("not a file of usim tune: it names another such file as its judge", path=path)
    judge = load(tuning)
    if judge.name != tuning.judge_name:
        names = f"the judge {tuning.judge_name}, and this is {judge.name}"
        raise OptionError(f"{path} was made for {names}: run usim tune again", option="judge")
    judge.name, judge.thresholds = f"{judge.name}+tuned:{tuning.digest}", tuning.thresholds
    return judge


def fit_last(logits: Sequence[Sequence[float]], said: Sequence[ReaderLogits], labels: Sequence[bool]) -> dict[str, Any]:
    """Return the settings of a last layer that weighs networks and a reader for pairs that people have labelled.

    The layer is a logistic regression with a penalty on its weights, of the networks' three ``logits`` and of what the
    reader ``said``. Nobody labelled the two directions, so these are the logits of the reader.
    """
    from scipy.optimize import minimize  # slow to import, and only tuning needs it

    figures = np.array([[*own, *read.figures] for own, read in zip(logits, said, strict=True)])
    mean, deviation = figures.mean(0), np.maximum(figures.std(0), 1e-3)
    scaled, target = (figures - mean) / deviation, np.array(labels, float)

    def loss(parameters: npt.NDArray[np.float64]) -> tuple[float, npt.NDArray[np.float64]]:
        weights, z = parameters[:-1], scaled @ parameters[:-1] + parameters[-1]
        error = 1 / (1 + np.exp(-z)) - target
        value = float(np.sum(np.logaddexp(0, z) - target * z) + weights @ weights / 2)
        return value, np.append(scaled.T @ error + weights, error.sum())

    found = minimize(loss, np.zeros(scaled.shape[1] + 1), jac=True, method="L-BFGS-B").x
    weights = found[:-1] / deviation
    directions = np.zeros((2, figures.shape[1]))
    directions[0, 4] = directions[1, 5] = 1.0
    return {
        "bands": list(BANDS),
        "weights": [weights.round(6).tolist(), *directions.tolist()],
        "bias": [round(float(found[-1] - weights @ mean), 6), 0.0, 0.0],
    }
