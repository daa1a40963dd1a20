"""The figures of a benchmark's scorer as text, JSON or TSV."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

import click

from usim.cli.output import echo_json, nullable, tsv_line

if TYPE_CHECKING:
    from usim.benchmarks import Result


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


def decimals(benchmark: str) -> int:
    """Return the number of decimals that a benchmark's figures are printed with; those of SWORDS are in per cent."""
    return 2 if benchmark == "swords" else 4


def shown(value: float, digits: int, sign: str = "") -> str:
    """Return a figure as it is printed; a dash for not-a-number."""
    return "–" if math.isnan(value) else f"{value:{sign}.{digits}f}"


def bounds(low: float, high: float, digits: int, sign: str = "") -> str:
    """Return the bounds of an interval as they are printed behind a figure; nothing where there are none."""
    return "" if math.isnan(low) else f"  [{shown(low, digits, sign)}, {shown(high, digits, sign)}]"
