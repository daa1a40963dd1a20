"""What a benchmark's scorer says of one output, or of two side by side, as text, JSON or TSV."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping
from typing import TYPE_CHECKING, Any

import click

from usim.benchmarks import load
from usim.benchmarks.result import BenchmarkResult, FigureComparison
from usim.cli.output import echo_json, opened_output, tsv_line, warn
from usim.stats import Interval
from usim.text import aligned

if TYPE_CHECKING:
    from usim.benchmarks.screening import Effect

#: How dropped suggestions are called, by what the gold data say of them.
_DROPPED = {"acceptable": "dropped wrongly", "wrong": "dropped rightly", "unjudged": "dropped, unjudged"}
_KEPT = 0.95
_NO_BOUNDS = Interval(math.nan, math.nan, math.nan)


def emit(scored: BenchmarkResult | FigureComparison | Effect, form: str) -> None:
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


def write_screened(effect: Effect, curve: str | None, listing: str | None) -> bool:
    """Write the effect of each threshold, and each suggestion, to files; return whether one is standard output."""
    if effect.unscreened:
        warn(f"{effect.unscreened} suggestions could not be judged and stay: their targets cut a word")
    header = effect.curve[0]._fields
    for path, rows in ((curve, iter([header, *effect.curve])), (listing, _suggestions(effect))):
        if path is not None:
            with opened_output(path) as file:
                file.writelines(tsv_line(*row) + "\n" for row in rows)
    return "-" in (curve, listing)


def _suggestions(effect: Effect) -> Iterator[tuple[object, ...]]:
    yield "target", "word", "substitute", "gold", "faithfulness", "verdict"
    for target, word, substitute, label, screened in effect.suggestions:
        if isinstance(target, tuple):
            name, (start, end) = target
            target = f"{name}:{start}-{end}"
        judged = (screened.faithfulness, screened.verdict) if screened else (None, None)
        yield target, word, substitute, label, *judged


# Figures as rows, under a header


def _rows(scored: BenchmarkResult | FigureComparison | Effect) -> Iterator[tuple[Any, ...]]:
    if isinstance(scored, BenchmarkResult):
        yield "figure", "value", "low", "high"
        for name, value in scored.figures.items():
            _, low, high = scored.intervals.get(name, _NO_BOUNDS)
            yield name, value, low, high
    elif isinstance(scored, FigureComparison):
        yield "figure", "before", "after", "change", "low", "high"
        for name, change in scored.differences.items():
            yield name, scored.before.figures[name], scored.after.figures[name], *change
    else:
        yield from _rows(scored.comparison)
        for label, count in scored.counts.items():
            yield label, count.total, count.total - count.dropped, -count.dropped, None, None


# Figures as text


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
    point = effect.at_kept(_KEPT)
    if not math.isnan(point.wrong_dropped + point.acceptable_kept):
        lines.append(
            f"at a threshold of {point.threshold:.4f}, {100 * point.acceptable_kept:.1f}% of the acceptable are kept "
            f"and {100 * point.wrong_dropped:.1f}% of the wrong dropped: precision {effect.curve[0].precision:.4f} → "
            f"{point.precision:.4f}, of all {effect.curve[0].precision_all:.4f} → {point.precision_all:.4f}"
        )
    return lines


def _shown(value: float, digits: int, sign: str = "") -> str:
    return "–" if math.isnan(value) else f"{value:{sign}.{digits}f}"


def _bounds(low: float, high: float, digits: int, sign: str = "") -> str:
    return "" if math.isnan(low) else f"[{_shown(low, digits, sign)}, {_shown(high, digits, sign)}]"


# Figures as JSON


def _record(scored: BenchmarkResult | FigureComparison | Effect) -> dict[str, Any]:
    if isinstance(scored, BenchmarkResult):
        intervals = _intervals(scored.intervals)
        return {"benchmark": scored.benchmark, "figures": _values(scored.figures), "intervals": intervals}
    if isinstance(scored, FigureComparison):
        before, after, differences = scored.before, scored.after, scored.differences
        return {
            "benchmark": before.benchmark,
            "before": _values(before.figures),
            "after": _values(after.figures),
            "change": _values({name: change.value for name, change in differences.items()}),
            "before_intervals": _intervals(before.intervals),
            "after_intervals": _intervals(after.intervals),
            "change_intervals": _intervals(differences if before.intervals else {}),
        }
    return {
        **_record(scored.comparison),
        "suggestions": {
            label: {"total": count.total, "dropped": count.dropped, "share": _nullable(count.share)}
            for label, count in scored.counts.items()
        },
        "shares": _values(scored.shares.figures),
        "share_intervals": _intervals(scored.shares.intervals),
        "verdicts": scored.verdicts,
        "unscreened": scored.unscreened,
        "at_kept_95": _values(scored.at_kept(_KEPT)._asdict()),
    }


def _values(figures: Mapping[str, float]) -> dict[str, float | None]:
    return {name: _nullable(value) for name, value in figures.items()}


def _nullable(value: float) -> float | None:
    return None if math.isnan(value) else value


def _intervals(intervals: Mapping[str, Interval]) -> dict[str, list[float | None]]:
    return {name: [_nullable(interval.low), _nullable(interval.high)] for name, interval in intervals.items()}
