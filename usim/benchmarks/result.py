"""What the scorers share: figures that are ratios of sums, their intervals, and the signature.

Every figure of the three benchmarks is a ratio of two sums over records (sentences or targets), or an F-measure of two
such ratios. A scorer therefore only says what each record adds to which sum, and which figures are computed from the
sums: a :class:`Tally`.

>>> records = [{"right": 1, "made": 2, "wanted": 1}, {"right": 0, "made": 1, "wanted": 2}]
>>> precision, recall = Ratio("right", "made"), Ratio("right", "wanted")
>>> result = Tally("toy", records, {"p": precision, "f": FMeasure(precision, recall)}, {"set": "a"}).result(resamples=0)
>>> {name: round(value, 4) for name, value in result.figures.items()}, result.signature
({'p': 0.3333, 'f': 0.3333}, 'usim|toy|set:a|n:2|v:...')
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property, partial

import numpy as np

from usim.errors import InputError
from usim.signature import Signature
from usim.stats import CONFIDENCE, Interval, Values, bootstrap_sums


@dataclass(frozen=True)
class Ratio:
    """The sum of one column over the sum of another, times a scale; not-a-number where the second sum is zero."""

    over: str
    under: str
    scale: float = 1.0

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
class BenchmarkResult:
    """The figures of one system on one benchmark.

    Attributes:
        figures: name → value, in the order in which they are printed; not-a-number where a figure is not defined.
        intervals: name → bootstrap interval, for the same names; empty without resampling.
        signature: says everything that is needed to get the same figures again.
    """

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

    def result(self, *, resamples: int = 1000) -> BenchmarkResult:
        """Sum what the records add, and compute the figures and their bootstrap intervals over records.

        Records are drawn again ``resamples`` times; 0 for no intervals.

        Raises:
            InputError: there is no record.
        """
        statistics = [lambda sums, figure=figure: figure.of(self.named(sums)) for figure in self.figures.values()]
        bounds = bootstrap_sums(self.table(), statistics, resamples=resamples)
        intervals = dict(zip(self.figures, bounds, strict=True))
        parts = {**self.parts, "n": len(self.records)}
        if resamples:
            parts |= {"bs": resamples, "ci": f"{CONFIDENCE:g}", "seed": 0}
        values = {name: interval.value for name, interval in intervals.items()}
        signature = Signature.stamped(self.benchmark, parts)
        return BenchmarkResult(values, intervals if resamples else {}, signature)

    @cached_property
    def columns(self) -> list[str]:
        """The columns that a record names."""
        return sorted({column for record in self.records for column in record})

    def table(self) -> Values:
        """Return what the records add, shape (records, columns).

        Raises:
            InputError: there is no record.
        """
        if not self.records:
            raise InputError(f"nothing to score: the gold data of {self.benchmark} has no record")
        return np.array([[float(record.get(column, 0)) for column in self.columns] for record in self.records])

    def named(self, sums: Values) -> Mapping[str, Values]:
        """Return sums of shape (r, columns) by the names of their columns; others are zero."""
        return defaultdict(lambda: np.zeros(len(sums)), zip(self.columns, sums.T, strict=True))


@dataclass(frozen=True)
class FigureComparison:
    """Two outputs of a system on the same records.

    Attributes:
        before, after: the figures of the two, as if each had been scored alone.
        differences: name → *after* minus *before* with its paired bootstrap interval: every draw of records is scored
            for both. Bounds are not-a-number without resampling, and where no draw had the figure for both.
    """

    before: BenchmarkResult
    after: BenchmarkResult
    differences: dict[str, Interval]


def compare(before: Tally, after: Tally, *, resamples: int = 1000) -> FigureComparison:
    """Compute the figures of two outputs on the same records, in the same order, and by how much they differ.

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
    tables = before.table(), after.table()
    width = len(before.columns)

    def difference(name: str, sums: Values) -> Values:
        first, second = before.named(sums[:, :width]), after.named(sums[:, width:])
        return after.figures[name].of(second) - before.figures[name].of(first)

    statistics = [partial(difference, name) for name in before.figures]
    bounds = bootstrap_sums(np.hstack(tables), statistics, resamples=resamples)
    differences = dict(zip(before.figures, bounds, strict=True))
    return FigureComparison(before.result(resamples=resamples), after.result(resamples=resamples), differences)


def check_known(gold: Collection[object], predictions: Collection[object], record: str) -> None:
    """Make sure that all predictions are for records of the gold data; ``record`` is what these are, for the error.

    Raises:
        InputError: a prediction is for a record that is not in the gold data.
    """
    unknown = sorted(set(predictions) - set(gold), key=str)
    if unknown:
        raise InputError(f"predictions for {record} {unknown[0]!r}, which is not in the gold data")
