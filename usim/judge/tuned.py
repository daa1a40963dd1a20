"""A judge with a user's own calibration map and thresholds, as ``usim tune`` writes them to a file."""

from __future__ import annotations

import hashlib
import json
import math
from collections.abc import Callable, Sequence
from dataclasses import asdict, dataclass, replace
from pathlib import Path
from typing import Any

from usim.compare import Analysis
from usim.errors import OptionError, ParsingError
from usim.judge._base import Judge, Judgement, Thresholds
from usim.text.checksums import model_settings

#: The version of the file.
FORMAT = 1
_DIGITS = 5
_LEAST = 1e-6  # a faithfulness of 0 or 1 has no logit


@dataclass(frozen=True)
class CalibrationMap:
    """Platt's map from the faithfulness to the share of pairs that the user's people called faithful.

    It is the logistic function of the logit, times a slope and with a shift; by default it changes nothing.

    >>> CalibrationMap(1.0, 1.5)(0.5)
    0.81757
    """

    slope: float = 1.0
    shift: float = 0.0

    def __call__(self, faithfulness: float) -> float:
        """Return the calibrated faithfulness, in [0, 1]."""
        if self == CalibrationMap():
            return round(faithfulness, _DIGITS)
        value = 1 / (1 + math.exp(-max(-30.0, min(30.0, self.slope * logit(faithfulness) + self.shift))))
        return round(value, _DIGITS)

    def to_dict(self) -> dict[str, Any]:
        """Return the map as JSON values."""
        changes = self != CalibrationMap()
        return {"kind": "platt" if changes else "none", "x": [self.slope, self.shift] if changes else [], "y": []}

    @classmethod
    def from_dict(cls, values: Any) -> CalibrationMap:
        """Read a map; raise :class:`ValueError` if it is none, or falls somewhere."""
        kind, numbers = values["kind"], tuple(map(float, values["x"]))
        if kind not in ("platt", "none") or len(numbers) != (2 if kind == "platt" else 0):
            raise ValueError("the map is not one of usim tune")
        found = cls(*numbers)
        if not (0 < found.slope < math.inf and math.isfinite(found.shift)):
            raise ValueError("the map is no calibration map that rises")
        return found


def logit(share: float) -> float:
    """Return the logit of a share, which is kept away from 0 and 1."""
    share = min(1 - _LEAST, max(_LEAST, share))
    return math.log(share / (1 - share))


@dataclass(frozen=True)
class Tuning:
    """What ``usim tune`` found.

    Attributes:
        judge: the judge that was tuned, as ``--judge`` takes it.
        judge_name: its name in signatures; a judge of another name has to be tuned anew.
        map: the calibration map.
        thresholds: where verdicts change, after the map.
    """

    judge: str
    judge_name: str
    map: CalibrationMap
    thresholds: Thresholds

    def to_dict(self) -> dict[str, Any]:
        """Return the tuning as JSON values, as its file has them."""
        return {
            "usim_tuning": FORMAT,
            "judge": self.judge,
            "judge_name": self.judge_name,
            "map": self.map.to_dict(),
            "thresholds": asdict(self.thresholds),
        }

    @classmethod
    def read(cls, path: Path) -> Tuning:
        """Read the file of a tuning; what else is in it is left alone.

        Raises:
            ParsingError: it cannot be read, or is no such file.
        """
        try:
            values, _ = model_settings(path.parent, name=path.name)
            if values.get("usim_tuning") != FORMAT:
                raise ValueError(f"no field 'usim_tuning' of {FORMAT}")
            own = values["thresholds"]
            return cls(
                str(values["judge"]),
                str(values["judge_name"]),
                CalibrationMap.from_dict(values["map"]),
                Thresholds(keep=float(own["keep"]), drop=float(own["drop"])),
            )
        except (OSError, ValueError, KeyError, TypeError) as e:
            raise ParsingError(f"not a file of usim tune: {type(e).__name__}: {e}", path=path) from e

    @property
    def digest(self) -> str:
        """Eight hexadecimal digits that tell tunings apart in signatures."""
        return hashlib.sha256(json.dumps(self.to_dict(), sort_keys=True).encode()).hexdigest()[:8]


class TunedJudge:
    """A judge whose faithfulness goes through a calibration map; a :class:`usim.judge.Judge`."""

    def __init__(self, judge: Judge, tuning: Tuning) -> None:
        self.name = f"{judge.name}+tuned:{tuning.digest}"
        self.encoder = judge.encoder
        self.thresholds = tuning.thresholds
        self._judge = judge
        self._map = tuning.map

    def judge(self, pairs: Sequence[tuple[Analysis, Analysis]]) -> list[Judgement]:
        """Judge pairs, see :meth:`usim.judge.Judge.judge`; sentences of the same tokens stay at 1."""
        return [
            judgement if source.tokens == target.tokens else self._calibrate(judgement)
            for (source, target), judgement in zip(pairs, self._judge.judge(pairs), strict=True)
        ]

    def _calibrate(self, judgement: Judgement) -> Judgement:
        return replace(judgement, faithfulness=self._map(judgement.faithfulness))


def load_tuned(path: Path, load: Callable[[str], Judge]) -> TunedJudge:
    """Load a judge with the tuning in a file; ``load`` loads the judge that was tuned, by its name.

    Raises:
        ParsingError: the file is no tuning.
        OptionError: the judge that was tuned is not there, or is another one by now.
    """
    tuning = Tuning.read(path)
    if tuning.judge.endswith(".json"):
        raise ParsingError("not a file of usim tune: it names another such file as its judge", path=path)
    judge = load(tuning.judge)
    if judge.name != tuning.judge_name:
        raise OptionError(
            f"{path} was made for the judge {tuning.judge_name}, and this is {judge.name}: run usim tune again",
            option="judge",
        )
    return TunedJudge(judge, tuning)
