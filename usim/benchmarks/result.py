"""What the scorers share: figures that are ratios of sums, their intervals, and the signature.

Every figure of the three benchmarks is a ratio of two sums over records (sentences or targets), or an F-measure of two
such ratios. A scorer therefore only says what each record adds to which sum, and which figures are computed from the
sums: a :class:`Tally`. The values and their bootstrap intervals follow from it.

>>> records = [{"right": 1, "made": 2, "wanted": 1}, {"right": 0, "made": 1, "wanted": 2}]
>>> precision, recall = Ratio("right", "made"), Ratio("right", "wanted")
>>> figures = {"p": precision, "r": recall, "f": FMeasure(precision, recall)}
>>> result = Tally("toy", records, figures, {"set": "a"}).result(resamples=0)
>>> {name: round(value, 4) for name, value in result.figures.items()}
{'p': 0.3333, 'r': 0.3333, 'f': 0.3333}
>>> result.signature
'usim|toy|set:a|n:2|v:...'
"""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import TypedDict, Unpack

import numpy as np
import numpy.typing as npt

from usim.errors import InputError
from usim.signature import Signature
from usim.stats import Interval, bootstrap_sums

Values = npt.NDArray[np.float64]


class Bootstrap(TypedDict, total=False):
    """Settings of the bootstrap intervals over records.

    Attributes:
        resamples: how often the records are drawn again, 1000 by default; 0 for no intervals.
        confidence: of the intervals, between 0 and 1; 0.95 by default.
        seed: of the draws; 0 by default.
    """

    resamples: int
    confidence: float
    seed: int


@dataclass(frozen=True)
class Ratio:
    """The sum of one column over the sum of another, times a scale; not-a-number where the second sum is zero."""

    over: str
    under: str
    scale: float = 1.0

    @property
    def columns(self) -> set[str]:
        """The columns that the figure is computed from."""
        return {self.over, self.under}

    def of(self, sums: Mapping[str, Values]) -> Values:
        """Compute the figure from sums of shape (r,)."""
        over, under = sums[self.over], sums[self.under]
        figure: Values = np.divide(self.scale * over, under, out=np.full(over.shape, np.nan), where=under != 0)
        return figure


@dataclass(frozen=True)
class FMeasure:
    """The weighted harmonic mean of precision and recall (van Rijsbergen 1979); beta < 1 favours precision.

    It is zero where precision and recall are zero, and where only one of them is defined, because nothing was right
    then. It is not-a-number where neither is defined.
    """

    precision: Ratio
    recall: Ratio
    beta: float = 1.0

    @property
    def columns(self) -> set[str]:
        """The columns that the figure is computed from."""
        return self.precision.columns | self.recall.columns

    def of(self, sums: Mapping[str, Values]) -> Values:
        """Compute the figure from sums of shape (r,)."""
        precision, recall = self.precision.of(sums), self.recall.of(sums)
        undefined = np.isnan(precision) & np.isnan(recall)
        precision, recall = np.nan_to_num(precision), np.nan_to_num(recall)
        squared = self.beta**2
        under = squared * precision + recall
        figure = np.divide((1 + squared) * precision * recall, under, out=np.zeros(under.shape), where=under != 0)
        return np.where(undefined, np.nan, figure)


Figure = Ratio | FMeasure


@dataclass(frozen=True)
class Result:
    """The figures of one system on one benchmark.

    Attributes:
        benchmark: ``sws``, ``prolex`` or ``swords``.
        figures: name → value, in the order in which they are printed; not-a-number where a figure is not defined.
        intervals: name → bootstrap interval, for the same names; empty without resampling.
        signature: says everything that is needed to get the same figures again.
    """

    benchmark: str
    figures: dict[str, float]
    intervals: dict[str, Interval] = field(default_factory=dict)
    signature: str = ""


@dataclass(frozen=True)
class Tally:
    """What a system's output adds to the sums, record by record, and the figures that are computed from them.

    Attributes:
        benchmark: the name that the signature begins with.
        records: what each record adds; a column that a record does not name gets nothing from it.
        figures: name → how it is computed from the sums.
        parts: what else the signature says.
    """

    benchmark: str
    records: Sequence[Mapping[str, float]]
    figures: Mapping[str, Figure]
    parts: Mapping[str, object]

    def result(self, *, resamples: int = 1000, confidence: float = 0.95, seed: int = 0) -> Result:
        """Sum what the records add, and compute the figures and their intervals.

        Args:
            resamples, confidence, seed: see :class:`Bootstrap`.

        Raises:
            InputError: there is no record.
        """
        table = self.table()
        totals = self.sums(table.sum(axis=0)[None, :])
        values = {name: float(figure.of(totals)[0]) for name, figure in self.figures.items()}
        parts = {**self.parts, "n": len(self.records)}
        intervals: dict[str, Interval] = {}
        if resamples:
            statistics = [lambda sums, figure=figure: figure.of(self.sums(sums)) for figure in self.figures.values()]
            bounds = bootstrap_sums(table, statistics, confidence=confidence, resamples=resamples, seed=seed)
            intervals = dict(zip(self.figures, bounds, strict=True))
            parts |= {"bs": resamples, "ci": f"{confidence:g}", "seed": seed}
        return Result(self.benchmark, values, intervals, Signature.stamped(self.benchmark, parts))

    @cached_property
    def columns(self) -> list[str]:
        """The columns that a record or a figure names."""
        named = {column for record in self.records for column in record}
        return sorted(named.union(*(figure.columns for figure in self.figures.values())))

    def table(self) -> Values:
        """Return what the records add, shape (records, columns).

        Raises:
            InputError: there is no record.
        """
        if not self.records:
            raise InputError(f"nothing to score: the gold data of {self.benchmark} has no record")
        columns = self.columns
        return np.array([[float(record.get(column, 0)) for column in columns] for record in self.records])

    def sums(self, sums: Values) -> dict[str, Values]:
        """Return sums of shape (r, columns) by the names of their columns."""
        return dict(zip(self.columns, sums.T, strict=True))


@dataclass(frozen=True)
class Comparison:
    """Two outputs of a system on the same records.

    Attributes:
        before, after: the figures of the two, as if each had been scored alone.
        differences: name → *after* minus *before* with its paired bootstrap interval: every draw of records is scored
            for both. Bounds are not-a-number without resampling, and where no draw had the figure for both.
    """

    before: Result
    after: Result
    differences: dict[str, Interval]

    @property
    def signature(self) -> str:
        """The signature of the figures after."""
        return self.after.signature


def compare(before: Tally, after: Tally, **bootstrap: Unpack[Bootstrap]) -> Comparison:
    """Compute the figures of two outputs, and by how much they differ.

    Args:
        before, after: tallies over the same records in the same order, with the same figures.
        bootstrap: see :class:`Bootstrap`.

    Raises:
        InputError: there is no record.
        ValueError: the two have different numbers of records, or different figures.

    >>> figures = {"p": Ratio("right", "made")}
    >>> before = Tally("toy", [{"right": 1, "made": 2}, {"right": 1, "made": 2}], figures, {})
    >>> after = Tally("toy", [{"right": 1, "made": 1}, {"right": 1, "made": 1}], figures, {})
    >>> compare(before, after).differences["p"]
    Interval(value=0.5, low=0.5, high=0.5)
    """
    if len(before.records) != len(after.records) or list(before.figures) != list(after.figures):
        raise ValueError("only tallies over the same records with the same figures can be compared")
    results = before.result(**bootstrap), after.result(**bootstrap)
    values = {name: results[1].figures[name] - results[0].figures[name] for name in before.figures}
    if not bootstrap.get("resamples", 1000):
        return Comparison(*results, {name: Interval(value, np.nan, np.nan) for name, value in values.items()})
    tables = before.table(), after.table()
    width = tables[0].shape[1]

    def difference(sums: Values, name: str) -> Values:
        return after.figures[name].of(after.sums(sums[:, width:])) - before.figures[name].of(
            before.sums(sums[:, :width])
        )

    statistics = [lambda sums, name=name: difference(sums, name) for name in before.figures]
    intervals = bootstrap_sums(np.hstack(tables), statistics, **bootstrap)
    return Comparison(*results, dict(zip(before.figures, intervals, strict=True)))


def check_known(gold: Collection[object], predictions: Collection[object], record: str) -> None:
    """Make sure that all predictions are for records of the gold data.

    Args:
        gold, predictions: names or numbers of records.
        record: what a record of the benchmark is, for the error.

    Raises:
        InputError: a prediction is for a record that is not in the gold data.
    """
    unknown = sorted(set(predictions) - set(gold), key=str)
    if unknown:
        raise InputError(f"predictions for {record} {unknown[0]!r}, which is not in the gold data")
