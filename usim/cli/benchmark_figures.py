"""The figures of a benchmark, with or without screening, as text, JSON or TSV."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping
from typing import TYPE_CHECKING, Any

import click

from usim.benchmarks import load
from usim.benchmarks.result import BenchmarkResult, FigureComparison
from usim.cli.output import echo_json, opened_output, tsv_line
from usim.report.tables import plain
from usim.stats import Interval
from usim.text import aligned

if TYPE_CHECKING:
    from usim.benchmarks.screening import Effect

#: How dropped suggestions are called, by what the gold data say of them.
_DROPPED = {"acceptable": "dropped wrongly", "wrong": "dropped rightly", "unjudged": "dropped, unjudged"}
_NO_BOUNDS = Interval(math.nan, math.nan, math.nan)


def emit(scored: BenchmarkResult | Effect, form: str) -> None:
    """Print figures with their intervals and the signature, as ``text``, ``json`` or ``tsv``."""
    if form == "json":
        echo_json({**_record(scored), "signature": scored.signature})
        return
    rows = [*_rows(scored)]
    if form == "tsv":
        rows.append(("signature", scored.signature, *[None] * (len(rows[0]) - 2)))
        click.echo("\n".join(tsv_line(*row) for row in rows))
    else:
        click.echo("\n".join([*_text(scored), scored.signature]))


def write_suggestions(effect: Effect, path: str) -> None:
    """Write each suggestion with its verdict to a TSV file."""
    with opened_output(path) as file:
        file.write(tsv_line("target", "word", "substitute", "gold", "faithfulness", "verdict") + "\n")
        for target, word, substitute, label, screened in effect.suggestions:
            if isinstance(target, tuple):
                name, (start, end) = target
                target = f"{name}:{start}-{end}"
            judged = (screened.faithfulness, screened.verdict) if screened else (None, None)
            file.write(tsv_line(target, word, substitute, label, *judged) + "\n")


def _rows(scored: BenchmarkResult | FigureComparison | Effect) -> Iterator[tuple[Any, ...]]:
    """Yield the figures as rows, the first of which has the names of the columns."""
    if isinstance(scored, BenchmarkResult):
        yield "figure", "value", "low", "high"
        for name, value in scored.figures.items():
            yield name, value, *scored.intervals.get(name, _NO_BOUNDS)[1:]
    elif isinstance(scored, FigureComparison):
        yield "figure", "before", "after", "change", "low", "high"
        for name, change in scored.differences.items():
            yield name, scored.before.figures[name], scored.after.figures[name], *change
    else:
        yield from _rows(scored.comparison)
        for label, count in scored.counts.items():
            yield label, count.total, count.total - count.dropped, -count.dropped, None, None


def _text(scored: BenchmarkResult | FigureComparison | Effect) -> list[str]:
    if not isinstance(scored, BenchmarkResult | FigureComparison):
        return [*_text(scored.comparison), "", *_dropped(scored)]
    benchmark, sign = (scored.benchmark, "") if isinstance(scored, BenchmarkResult) else (scored.after.benchmark, "+")
    digits = load(benchmark).digits
    header, *rows = _rows(scored)
    table = [] if isinstance(scored, BenchmarkResult) else [["", *header[1:-2], ""]]
    for name, *values, last, low, high in rows:
        figures = [*(_shown(value, digits) for value in values), _shown(last, digits, sign)]
        table.append([name, *figures, _bounds(low, high, digits, sign)])
    return aligned(table, right=range(1, len(table[0]) - 1))


def _dropped(effect: Effect) -> list[str]:
    rows = []
    for label, count in effect.counts.items():
        share = "" if math.isnan(count.share) else f": {100 * count.share:.1f}%"
        rows.append([_DROPPED[label], str(count.dropped), f"of {count.total} {label}{share}"])
    rows.append(["kept", str(sum(count.total - count.dropped for count in effect.counts.values())), ""])
    for name, value in effect.shares.figures.items():
        if not math.isnan(value):
            _, low, high = effect.shares.intervals.get(name, _NO_BOUNDS)
            rows.append([name, _shown(value, 4), _bounds(low, high, 4)])
    lines = aligned(rows, right=[1])
    lines.append("verdicts  " + ", ".join(f"{verdict} {number}" for verdict, number in effect.verdicts.items()))
    return lines


def _shown(value: float, digits: int, sign: str = "") -> str:
    return "–" if math.isnan(value) else f"{value:{sign}.{digits}f}"


def _bounds(low: float, high: float, digits: int, sign: str = "") -> str:
    return "" if math.isnan(low) else f"[{_shown(low, digits, sign)}, {_shown(high, digits, sign)}]"


def _record(scored: BenchmarkResult | Effect) -> dict[str, Any]:
    """Return figures as JSON values, null where one is not defined."""
    if isinstance(scored, BenchmarkResult):
        intervals = _intervals(scored.intervals)
        return {"benchmark": scored.benchmark, "figures": plain(scored.figures), "intervals": intervals}
    before, after, differences = scored.comparison.before, scored.comparison.after, scored.comparison.differences
    return {
        "benchmark": before.benchmark,
        "before": plain(before.figures),
        "after": plain(after.figures),
        "change": {name: plain(change.value) for name, change in differences.items()},
        "before_intervals": _intervals(before.intervals),
        "after_intervals": _intervals(after.intervals),
        "change_intervals": _intervals(differences if before.intervals else {}),
        "suggestions": {
            label: {"total": count.total, "dropped": count.dropped, "share": plain(count.share)}
            for label, count in scored.counts.items()
        },
        "shares": plain(scored.shares.figures),
        "share_intervals": _intervals(scored.shares.intervals),
        "verdicts": scored.verdicts,
        "unscreened": scored.unscreened,
    }


def _intervals(intervals: Mapping[str, Interval]) -> dict[str, list[float | None]]:
    return {name: [plain(interval.low), plain(interval.high)] for name, interval in intervals.items()}
