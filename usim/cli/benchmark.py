"""What the commands of the benchmarks share: options, and a result as text, JSON or TSV."""

from __future__ import annotations

import json
import math
from collections.abc import Callable
from typing import TYPE_CHECKING

import click

from usim.cli.options import with_options

if TYPE_CHECKING:
    from usim.benchmarks import Result

FORMATS = ("text", "json", "tsv")


scorer_options = with_options(
    click.option(
        "--format",
        "form",
        type=click.Choice(FORMATS),
        default="text",
        show_default=True,
        help="How figures are written.",
    ),
    click.option(
        "--resamples",
        type=click.IntRange(0),
        default=1000,
        show_default=True,
        help="Bootstrap resamples for the intervals; 0 for no intervals.",
    ),
    click.option(
        "--confidence",
        type=click.FloatRange(0, 1, min_open=True, max_open=True),
        default=0.95,
        show_default=True,
        help="Confidence of the intervals.",
    ),
    click.option("--seed", type=click.IntRange(0), default=0, show_default=True, help="Seed of the bootstrap."),
)


def refuse_standard_input(path: str, argument: str) -> None:
    """Raise a usage error if this argument names standard input, which only the system's output may come from."""
    if path == "-":
        raise click.UsageError(f"{argument} cannot be standard input; only PRED can")


def emit(result: Result, form: str) -> None:
    """Print the figures of a result, with their intervals and the signature."""
    click.echo(_PRINTERS[form](result))


def _text(result: Result) -> str:
    width = max(map(len, result.figures))
    percent = result.signature.split("|")[1] == "swords"
    digits = 2 if percent else 4

    def shown(value: float) -> str:
        return "–" if math.isnan(value) else f"{value:.{digits}f}"

    lines = []
    for name, value in result.figures.items():
        line = f"{name:<{width}}  {shown(value):>7}"
        interval = result.intervals.get(name)
        if interval is not None and not math.isnan(interval.low):
            line += f"  [{shown(interval.low)}, {shown(interval.high)}]"
        lines.append(line)
    return "\n".join([*lines, result.signature])


def _tsv(result: Result) -> str:
    def shown(value: float) -> str:
        return "" if math.isnan(value) else repr(value)

    lines = ["figure\tvalue\tlow\thigh"]
    for name, value in result.figures.items():
        interval = result.intervals.get(name)
        bounds = ("", "") if interval is None else (shown(interval.low), shown(interval.high))
        lines.append("\t".join([name, shown(value), *bounds]))
    return "\n".join([*lines, f"signature\t{result.signature}\t\t"])


def _json(result: Result) -> str:
    def shown(value: float) -> float | None:
        return None if math.isnan(value) else value

    return json.dumps(
        {
            "benchmark": result.benchmark,
            "figures": {name: shown(value) for name, value in result.figures.items()},
            "intervals": {name: [shown(i.low), shown(i.high)] for name, i in result.intervals.items()},
            "signature": result.signature,
        },
        ensure_ascii=False,
        indent=1,
    )


_PRINTERS: dict[str, Callable[[Result], str]] = {"text": _text, "json": _json, "tsv": _tsv}
