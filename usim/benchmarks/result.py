"""What the scorers share: figures made of sums, their intervals, and the signature.

Every figure of the three benchmarks is a ratio of two sums over records (sentences or targets), or an F-measure of two
such ratios. A scorer therefore only says what each record adds to which sum, and which figures are made of them; the
values and their bootstrap intervals follow.

>>> records = [{"right": 1, "made": 2, "wanted": 1}, {"right": 0, "made": 1, "wanted": 2}]
>>> precision, recall = Ratio("right", "made"), Ratio("right", "wanted")
>>> result = collect(
...     "toy", records, {"p": precision, "r": recall, "f": FMeasure(precision, recall)}, {"set": "a"}, resamples=0
... )
>>> {name: round(value, 4) for name, value in result.figures.items()}
{'p': 0.3333, 'r': 0.3333, 'f': 0.3333}
>>> result.signature
'usim|toy|set:a|n:2|v:...'
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field

import numpy as np
import numpy.typing as npt

from usim.errors import InputError
from usim.signature import Signature
from usim.stats import Interval, bootstrap_sums

Values = npt.NDArray[np.float64]


@dataclass(frozen=True)
class Ratio:
    """The sum of one column over the sum of another, times a scale; not-a-number where the second sum is zero."""

    over: str
    under: str
    scale: float = 1.0

    def of(self, sums: Mapping[str, Values]) -> Values:
        """The figure for sums of shape (r,)."""
        over, under = sums[self.over], sums[self.under]
        figure: Values = np.divide(self.scale * over, under, out=np.full(over.shape, np.nan), where=under != 0)
        return figure


@dataclass(frozen=True)
class FMeasure:
    """The weighted harmonic mean of precision and recall (van Rijsbergen 1979); beta < 1 favours precision.

    It is zero where precision and recall are, and where one of the two is not defined, as nothing was right then; it is
    not defined where neither is.
    """

    precision: Ratio
    recall: Ratio
    beta: float = 1.0

    def of(self, sums: Mapping[str, Values]) -> Values:
        """The figure for sums of shape (r,)."""
        precision, recall = self.precision.of(sums), self.recall.of(sums)
        nowhere = np.isnan(precision) & np.isnan(recall)
        precision, recall = np.nan_to_num(precision), np.nan_to_num(recall)
        squared = self.beta**2
        under = squared * precision + recall
        figure = np.divide((1 + squared) * precision * recall, under, out=np.zeros(under.shape), where=under != 0)
        return np.where(nowhere, np.nan, figure)


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
    """What a system's output adds to the sums, record by record, and the figures that are made of them.

    Attributes:
        benchmark: the name that the signature begins with.
        records: what each record adds; a column that a record does not name gets nothing from it.
        figures: name → how it is made of the sums.
        parts: what else the signature says.
    """

    benchmark: str
    records: Sequence[Mapping[str, float]]
    figures: Mapping[str, Figure]
    parts: Mapping[str, object]

    def result(self, *, resamples: int = 1000, confidence: float = 0.95, seed: int = 0) -> Result:
        """The figures and their intervals, as :func:`collect` makes them."""
        return collect(
            self.benchmark,
            self.records,
            self.figures,
            self.parts,
            resamples=resamples,
            confidence=confidence,
            seed=seed,
        )


@dataclass(frozen=True)
class Comparison:
    """Two outputs of a system on the same records.

    Attributes:
        before, after: the figures of the two, as if each had been scored alone.
        differences: name → *after* less *before* with its paired bootstrap interval: every draw of records is scored
            for both. Bounds are not-a-number without resampling, and where no draw had the figure for both.
    """

    before: Result
    after: Result
    differences: dict[str, Interval]


def collect(
    benchmark: str,
    records: Sequence[Mapping[str, float]],
    figures: Mapping[str, Figure],
    parts: Mapping[str, object],
    *,
    resamples: int = 1000,
    confidence: float = 0.95,
    seed: int = 0,
) -> Result:
    """Sum what the records add, and compute the figures and their intervals.

    Args:
        benchmark: the name that the signature begins with.
        records: what each record adds; a column that a record does not name gets nothing from it.
        figures: name → how it is made of the sums.
        parts: what else the signature says.
        resamples: how often the records are drawn again for the intervals; 0 for none.
        confidence: of the intervals, between 0 and 1.
        seed: of the draws.

    Raises:
        InputError: there is no record.
    """
    table, named = _table(benchmark, records, figures)
    total = named(table.sum(axis=0)[None, :])
    values = {name: float(figure.of(total)[0]) for name, figure in figures.items()}
    said = {**parts, "n": len(records)}
    intervals: dict[str, Interval] = {}
    if resamples:
        statistics = [lambda sums, figure=figure: figure.of(named(sums)) for figure in figures.values()]
        found = bootstrap_sums(table, statistics, confidence=confidence, resamples=resamples, seed=seed)
        intervals = dict(zip(figures, found, strict=True))
        said |= {"bs": resamples, "ci": f"{confidence:g}", "seed": seed}
    return Result(benchmark, values, intervals, Signature.stamped(benchmark, said))


def compare(
    before: Tally, after: Tally, *, resamples: int = 1000, confidence: float = 0.95, seed: int = 0
) -> Comparison:
    """The figures of two outputs, and by how much they differ.

    Args:
        before, after: tallies over the same records in the same order, with the same figures.
        resamples, confidence, seed: as in :func:`collect`.

    Raises:
        InputError: there is no record.
        ValueError: the two are not over as many records, or do not have the same figures.

    >>> figures = {"p": Ratio("right", "made")}
    >>> before = Tally("toy", [{"right": 1, "made": 2}, {"right": 1, "made": 2}], figures, {})
    >>> after = Tally("toy", [{"right": 1, "made": 1}, {"right": 1, "made": 1}], figures, {})
    >>> compare(before, after).differences["p"]
    Interval(value=0.5, low=0.5, high=0.5)
    """
    if len(before.records) != len(after.records) or list(before.figures) != list(after.figures):
        raise ValueError("only tallies over the same records with the same figures can be compared")
    drawn = {"resamples": resamples, "confidence": confidence, "seed": seed}
    results = before.result(**drawn), after.result(**drawn)  # type: ignore[arg-type]
    values = {name: results[1].figures[name] - results[0].figures[name] for name in before.figures}
    if not resamples:
        return Comparison(*results, {name: Interval(value, np.nan, np.nan) for name, value in values.items()})
    tables, namers = zip(*(_table(t.benchmark, t.records, t.figures) for t in (before, after)), strict=True)
    width = tables[0].shape[1]

    def difference(sums: Values, name: str) -> Values:
        return after.figures[name].of(namers[1](sums[:, width:])) - before.figures[name].of(namers[0](sums[:, :width]))

    statistics = [lambda sums, name=name: difference(sums, name) for name in before.figures]
    found = bootstrap_sums(np.hstack(tables), statistics, confidence=confidence, resamples=resamples, seed=seed)
    return Comparison(*results, dict(zip(before.figures, found, strict=True)))


def _table(
    benchmark: str, records: Sequence[Mapping[str, float]], figures: Mapping[str, Figure]
) -> tuple[Values, Callable[[Values], dict[str, Values]]]:
    """What the records add, (records, columns), and a function from sums, (r, columns), to columns by name."""
    if not records:
        raise InputError(f"nothing to score: the gold data of {benchmark} has no record")
    columns = sorted({column for record in records for column in record} | _named(figures.values()))
    table = np.array([[float(record.get(column, 0)) for column in columns] for record in records])

    def named(sums: Values) -> dict[str, Values]:
        return {column: sums[:, i] for i, column in enumerate(columns)}

    return table, named


def _named(figures: Iterable[Figure]) -> set[str]:
    named: set[str] = set()
    for figure in figures:
        for ratio in (figure,) if isinstance(figure, Ratio) else (figure.precision, figure.recall):
            named |= {ratio.over, ratio.under}
    return named
