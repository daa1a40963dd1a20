"""Thresholds that keep a promise: at most a chosen share of the kept pairs, and of the dropped ones, is wrong.

Each of the :data:`BANDS` has thresholds of its own: *keep* can be right in 92 of 100 single edits and in 54 of 100
rewrites. The band of a pair is known without a label. Fixed-sequence testing on labelled pairs chooses the thresholds
(Learn then Test, Angelopoulos et al. 2021): it begins with the strictest threshold and loosens it as long as a binomial
test shows that the risk is kept. The search ends at the first threshold that fails.
"""

from __future__ import annotations

import hashlib
import json
import math
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np
import numpy.typing as npt

from usim.errors import OptionError
from usim.verdicts.nouns import Policy, Thresholds

#: The share of wrong verdicts that usim accepts by default.
DEFAULT_RISK = 0.1
#: The share with the name *strict*, for text in which a wrong verdict costs much: medical, legal, news.
STRICT_RISK = 0.02
#: The shares for which a judge brings thresholds.
RISKS = (0.02, 0.05, 0.1, 0.15, 0.2, 0.3)
#: The chance that the search chooses a threshold with a greater risk.
DELTA = 0.1

#: A band ends at these shares of content words that changed.
_EDIT, _REWORDED = 0.25, 0.6
#: In a short sentence one word is a large share. So at most so many places of at most so many words are an edit, too.
_FEW_PLACES, _NARROW = 2, 3
#: If fewer pairs of a set are decided, nobody can say how many of them are wrong.
FEW = 30

#: Shares that differ by less are equal.
_NEARLY = 1e-9
#: The tests start at so many sizes at most.
_STARTS = 3

Floats = npt.NDArray[np.float64]
Bools = npt.NDArray[np.bool_]


def band_of(gone: float, new: float, respelled: float, places: float, widest: float, *, is_mended: bool = False) -> str:
    """Return the band of a pair, one of :data:`BANDS`.

    Args:
        gone, new: the shares of the source's and of the output's content words that the other text lacks, in [0, 1].
        respelled: how many words that do not exist became a similar one.
        places: at how many places other words replaced words.
        widest: the most words at one of these places, on either side.
        is_mended: whether the source has errors of grammar that the output lacks.
    """
    changed, is_corrected = max(gone, new), is_mended or respelled > 0
    if changed <= _EDIT or (places <= _FEW_PLACES and widest <= _NARROW):
        return "corrected" if is_corrected else "edit" if places <= _FEW_PLACES else "edits"
    if changed > _REWORDED and not is_mended:  # the new words may be only other forms of the old
        return "rewritten"
    return "recast" if is_corrected else "reworded"


def corrected_band(band: str) -> str:
    """Return the band of a pair in which misspelt words were corrected as well.

    >>> corrected_band("edit"), corrected_band("reworded"), corrected_band("rewritten")
    ('corrected', 'recast', 'rewritten')
    """
    return {"edit": "corrected", "edits": "corrected", "reworded": "recast"}.get(band, band)


@dataclass(frozen=True)
class RiskTable(Thresholds):
    """The thresholds of a judge by policy, band and risk.

    Attributes:
        keep, drop: the thresholds in a band that the table does not have.
        values: by policy and band, the thresholds for each of :data:`RISKS`.
    """

    values: Mapping[str, Mapping[str, Mapping[float, Thresholds]]] = field(default_factory=dict, hash=False)

    def at(self, policy: Policy, band: str, risk: float) -> Thresholds:
        """Return the thresholds for the greatest risk in the table that is not above this one.

        A risk below :data:`DEFAULT_RISK` makes *keep* rarer, but not *drop*: a drop by default is an alarm, and careful
        people want to hear it.

        Raises:
            OptionError: the table has no risk as small as this one.
        """
        of_band = self.values.get(policy, {}).get(band)
        if of_band is None:
            return Thresholds(self.keep, self.drop)
        fitting = [known for known in of_band if known <= risk + _NEARLY]
        if not fitting:
            raise OptionError(f"the smallest risk of this judge is {min(of_band):g}, not {risk:g}", option="risk")
        chosen = of_band[max(fitting)]
        alarm = max((t.drop for known, t in of_band.items() if known <= DEFAULT_RISK + _NEARLY), default=0.0)
        return Thresholds(chosen.keep, min(chosen.keep, max(chosen.drop, alarm)))

    def looser(self, policy: Policy, band: str, risk: float) -> Iterator[tuple[float, Thresholds]]:
        """Yield the risks of the table that are greater than this one, and their thresholds."""
        for known in sorted(self.values.get(policy, {}).get(band, {})):
            if known > risk + _NEARLY:
                yield known, self.at(policy, band, known)

    def signature(self, policy: Policy, risk: float) -> dict[str, str | float]:
        """Return what a signature says of verdicts by these thresholds."""
        named: dict[str, str | float] = {} if policy == "same" else {"policy": policy}
        return {"risk": risk, "bands": self.digest, **named}

    @property
    def digest(self) -> str:
        """Eight hexadecimal digits that tell tables apart."""
        return hashlib.sha256(json.dumps([self.keep, self.drop, self.to_dict()]).encode()).hexdigest()[:8]

    def to_dict(self) -> dict[str, Any]:
        """Return the table as JSON values: ``{policy: {band: {risk: [keep, drop]}}}``."""
        return {
            policy: {
                band: {f"{risk:g}": [t.keep, t.drop] for risk, t in sorted(of_band.items())}
                for band, of_band in bands.items()
            }
            for policy, bands in self.values.items()
        }

    @classmethod
    def from_dict(cls, own: Thresholds, values: Mapping[str, Any]) -> RiskTable:
        """Read a table as :meth:`to_dict` writes it; ``own`` are the thresholds of other bands.

        Raises:
            ValueError, TypeError, OptionError: the values are no table.
        """
        table = {
            policy: {
                band: {float(risk): Thresholds(*map(float, both)) for risk, both in of_band.items()}
                for band, of_band in bands.items()
            }
            for policy, bands in values.items()
        }
        return cls(own.keep, own.drop, table)


def risk_thresholds(
    said: Floats, label: Bools, risk: float, sets: Sequence[str] = (), *, delta: float = DELTA
) -> Thresholds:
    """Return the least ``keep`` and the greatest ``drop`` at which no more than this share of the verdicts is wrong.

    Args:
        said: the faithfulness of each pair, in [0, 1].
        label: whether people called it faithful.
        risk: the greatest share of the kept pairs that may be unfaithful, and of the dropped ones that may be faithful.
        sets: where each pair comes from. If enough pairs of a set are decided, its share of wrong verdicts may not be
            greater; pairs without a set count only in the whole. By default all are one set.
        delta: the chance that a chosen threshold does not keep the risk.

    Returns:
        the thresholds; ``keep`` is 1 where nothing can be kept at this risk, ``drop`` 0 where nothing can be dropped.
    """
    names = sorted({name for name in sets if name})
    of_set = np.array([names.index(name) if name else -1 for name in sets or [""] * len(said)], np.intp)
    keep = 1 - _loosest(1 - said, ~label, of_set, risk, delta)
    drop = _loosest(said, label, of_set, risk, delta)
    if drop > keep:
        keep = drop = (keep + drop) / 2
    return Thresholds(keep=round(keep, 5), drop=round(drop, 5))


def _loosest(value: Floats, is_wrong: Bools, of_set: npt.NDArray[np.intp], risk: float, delta: float) -> float:
    """Return the greatest t for which deciding all pairs below t is shown to keep the risk; 0 if none is."""
    from scipy.stats import binom  # slow to import, and only choosing thresholds needs it

    order = np.argsort(value, kind="stable")
    ascending, wrong = value[order], np.cumsum(is_wrong[order])
    # For each set: how many pairs are decided, and how many of these wrongly.
    is_of = of_set[order] == np.arange(of_set.max(initial=-1) + 1)[:, None]
    decided, wrong_of = np.cumsum(is_of, axis=1), np.cumsum(is_of & is_wrong[order], axis=1)
    # A threshold can lie only between two different values.
    ends = np.flatnonzero(np.append(ascending[1:] > ascending[:-1], len(value) > 0))
    starts, least = _sizes(len(value), risk, delta)
    best = 0.0
    for start in range(starts):
        for end in ends[ends + 1 >= least * 2**start]:
            # How likely so few of the decided pairs are wrong if the risk is greater than it should be.
            if binom.cdf(wrong[end], end + 1, risk) > delta / starts:
                break
            if np.all((decided[:, end] < FEW) | (wrong_of[:, end] <= risk * decided[:, end])):
                after = float(ascending[end + 1]) if end + 1 < len(value) else 1.0
                best = max(best, (float(ascending[end]) + after) / 2)
    return best


def _sizes(count: int, risk: float, delta: float) -> tuple[int, int]:
    """Return at how many sizes tests of so many pairs start, and the first: the least that can show anything."""
    for starts in range(_STARTS, 0, -1):
        least = math.ceil(math.log(delta / starts) / math.log(1 - risk))
        if least * 2 ** (starts - 1) <= count:
            break
    return starts, least
