"""The figures of a benchmark's scorer, of one output or of two side by side, as text, JSON or TSV."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Any

import click

from usim.cli.output import echo_json, nullable, tsv_line

if TYPE_CHECKING:
    from usim.benchmarks import Result
    from usim.benchmarks.result import Comparison
    from usim.stats import Interval


def emit(result: Result, form: str) -> None:
    """Print the figures of a result, with their intervals and the signature."""
    if form == "json":
        echo_json(
            {
                "benchmark": result.benchmark,
                "figures": {name: nullable(value) for name, value in result.figures.items()},
                "intervals": {name: [nullable(i.low), nullable(i.high)] for name, i in result.intervals.items()},
                "signature": result.signature,
            }
        )
        return
    lines = [tsv_line("figure", "value", "low", "high")] if form == "tsv" else []
    width = max(map(len, result.figures))
    digits = decimals(result.benchmark)
    for name, value in result.figures.items():
        _, low, high = result.intervals.get(name, (value, math.nan, math.nan))
        if form == "tsv":
            lines.append(tsv_line(name, value, low, high))
        else:
            lines.append(f"{name:<{width}}  {shown(value, digits):>7}{bounds(low, high, digits)}")
    lines.append(tsv_line("signature", result.signature, None, None) if form == "tsv" else result.signature)
    click.echo("\n".join(lines))


def emit_comparison(comparison: Comparison, form: str) -> None:
    """Print the figures of two outputs, and by how much they differ."""
    signature = comparison.after.signature
    if form == "json":
        echo_json({**comparison_record(comparison), "signature": signature})
    elif form == "tsv":
        click.echo("\n".join([*comparison_tsv(comparison), tsv_line("signature", signature, *[None] * 4)]))
    else:
        click.echo("\n".join([*comparison_text(comparison), signature]))


def comparison_text(comparison: Comparison) -> list[str]:
    """Return the lines of a table: figure, before, after, change with its interval."""
    digits = decimals(comparison.before.benchmark)
    rows = _rows(comparison)
    width = max(len(name) for name, *_ in rows)
    lines = [f"{'':<{width}}  {'before':>7}  {'after':>7}  {'change':>8}"]
    for name, before, after, (change, low, high) in rows:
        figures = f"{shown(before, digits):>7}  {shown(after, digits):>7}  {shown(change, digits, '+'):>8}"
        lines.append(f"{name:<{width}}  {figures}{bounds(low, high, digits, '+')}")
    return lines


def comparison_tsv(comparison: Comparison) -> list[str]:
    """Return the lines of a table with tabs: figure, before, after, change, and the bounds of its interval."""
    header = tsv_line("figure", "before", "after", "change", "low", "high")
    return [header, *(tsv_line(name, before, after, *change) for name, before, after, change in _rows(comparison))]


def comparison_record(comparison: Comparison) -> dict[str, Any]:
    """Return a comparison as JSON values."""

    def values(figures: dict[str, float]) -> dict[str, float | None]:
        return {name: nullable(value) for name, value in figures.items()}

    def intervals(of: dict[str, Interval]) -> dict[str, list[float | None]]:
        return {name: [nullable(interval.low), nullable(interval.high)] for name, interval in of.items()}

    before, after, differences = comparison.before, comparison.after, comparison.differences
    return {
        "benchmark": before.benchmark,
        "before": values(before.figures),
        "after": values(after.figures),
        "change": values({name: change.value for name, change in differences.items()}),
        "before_intervals": intervals(before.intervals),
        "after_intervals": intervals(after.intervals),
        "change_intervals": intervals(differences if before.intervals else {}),
    }


def _rows(comparison: Comparison) -> list[tuple[str, float, float, Interval]]:
    before, after = comparison.before.figures, comparison.after.figures
    return [(name, before[name], after[name], change) for name, change in comparison.differences.items()]


def decimals(benchmark: str) -> int:
    """Return the number of decimals that a benchmark's figures are printed with; those of SWORDS are in per cent."""
    return 2 if benchmark == "swords" else 4


def shown(value: float, digits: int, sign: str = "") -> str:
    """Return a figure as it is printed; a dash for not-a-number."""
    return "–" if math.isnan(value) else f"{value:{sign}.{digits}f}"


def bounds(low: float, high: float, digits: int, sign: str = "") -> str:
    """Return the bounds of an interval as they are printed behind a figure; nothing where there are none."""
    return "" if math.isnan(low) else f"  [{shown(low, digits, sign)}, {shown(high, digits, sign)}]"
