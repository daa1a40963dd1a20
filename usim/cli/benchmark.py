"""``usim sws``, ``usim prolex`` and ``usim swords``: the command of each benchmark, from what the benchmark says."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping
from inspect import cleandoc
from typing import TYPE_CHECKING, Any

import click

from usim.benchmarks import load
from usim.benchmarks.result import BenchmarkResult
from usim.cli.options import (
    OUT,
    format_option,
    inflect_option,
    make_screen,
    model_option,
    option,
    subcommand,
    verdict_options,
)
from usim.cli.output import opened_output, tsv_line, warn
from usim.stats import Interval
from usim.text import aligned
from usim.text.codec import json_text

if TYPE_CHECKING:
    from usim.benchmarks.screening import Effect

_SCREENING = (
    "With --screen the suggestions are judged in their sentences (usim screen), and the system is scored with and "
    "without those to be dropped."
)
_EXIT_CODES = "Exit code: 0 done, 2 something could not be read or does not fit."
#: How dropped suggestions are called, by what the gold data say of them.
_DROPPED = {"acceptable": "dropped wrongly", "wrong": "dropped rightly", "unjudged": "dropped, unjudged"}


def command_of(name: str) -> click.Command:
    """Return the command of a benchmark, ``usim NAME GOLD PRED``."""
    benchmark = load(name)
    example = f"usim {name} gold.{benchmark.example} predictions.{benchmark.example}"

    @subcommand(name, example, f"{example} --screen --list dropped.tsv")
    @click.argument("gold_file", metavar="GOLD")
    @click.argument("prediction_file", metavar="PRED")
    @option("--screen", is_flag=True, help="Score with and without the suggestions judged unfaithful.")
    @verdict_options
    @model_option
    @inflect_option
    @option("--list", "listing", metavar=OUT,
            help="With --screen, write each suggestion with its verdict to a TSV file.")  # fmt: skip
    @format_option("text", "json", help="How figures are written.")
    def command(
        gold_file: str, prediction_file: str, screen: bool, listing: str | None, form: str, **settings: Any
    ) -> None:
        if not screen and (listing or settings["inflect"] or settings["keep"] or settings["drop"]):
            raise click.UsageError("--keep, --drop, --inflect and --list say how to screen: add --screen")
        if gold_file == "-":
            raise click.UsageError("GOLD cannot be standard input; only PRED can")
        gold = benchmark.open(gold_file)
        predictions = gold.read_predictions(prediction_file, warn)
        if not screen:
            result = gold.score(predictions)
            lines, signature = aligned(_rows(result, benchmark.digits), right=[1]), result.signature
            record = {"benchmark": name, "figures": result.figures, "intervals": _bounds_of(result.intervals)}
        else:
            from usim.benchmarks.screening import screened

            effect = screened(gold, predictions, make_screen(**settings))
            if effect.unscreened:
                warn(f"{effect.unscreened} suggestions could not be judged and stay: their targets cut a word")
            if listing is not None:
                _write_suggestions(effect, listing)
            if listing == "-":
                return
            lines, signature = [*_effect(effect, benchmark.digits)], effect.comparison.after.signature
            record = _effect_record(name, effect)
        if form == "json":
            click.echo(json_text(record | {"signature": signature}, indent=1), nl=False)
        else:
            click.echo("\n".join([*lines, signature]))

    command.help = "\n\n".join([cleandoc(benchmark.about), _SCREENING, _EXIT_CODES])
    return command


def _write_suggestions(effect: Effect, path: str) -> None:
    """Write each suggestion with its verdict to a TSV file."""
    with opened_output(path) as file:
        file.write(tsv_line("target", "word", "substitute", "gold", "faithfulness", "verdict"))
        for target, word, substitute, label, result in effect.suggestions:
            if isinstance(target, tuple):
                name, (start, end) = target
                target = f"{name}:{start}-{end}"
            judged = (result.faithfulness, result.verdict) if result else (None, None)
            file.write(tsv_line(target, word, substitute, label, *judged))


def _rows(result: BenchmarkResult, digits: int) -> list[list[str]]:
    return [
        [name, _shown(value, digits), _between(result.intervals[name], digits)]
        for name, value in result.figures.items()
    ]


def _effect(effect: Effect, digits: int) -> Iterator[str]:
    """Yield the figures before and after, and what was dropped."""
    before, after = effect.comparison.before.figures, effect.comparison.after.figures
    rows = [["", "before", "after", "change", ""]]
    for name, change in effect.comparison.differences.items():
        figures = (_shown(before[name], digits), _shown(after[name], digits), _shown(change.value, digits, "+"))
        rows.append([name, *figures, _between(change, digits, "+")])
    yield from aligned(rows, right=range(1, 4))
    yield ""
    rows = []
    for label, count in effect.counts.items():
        share = "" if math.isnan(count.share) else f": {100 * count.share:.1f}%"
        rows.append([_DROPPED[label], str(count.dropped), f"of {count.total} {label}{share}"])
    rows.append(["kept", str(sum(count.total - count.dropped for count in effect.counts.values())), ""])
    rows += [row for row in _rows(effect.shares, 4) if row[1] != "–"]
    yield from aligned(rows, right=[1])
    yield "verdicts  " + ", ".join(f"{verdict} {number}" for verdict, number in effect.verdicts.items())


def _shown(value: float, digits: int, sign: str = "") -> str:
    return "–" if math.isnan(value) else f"{value:{sign}.{digits}f}"


def _between(interval: Interval, digits: int, sign: str = "") -> str:
    _, low, high = interval
    return "" if math.isnan(low) else f"[{_shown(low, digits, sign)}, {_shown(high, digits, sign)}]"


def _effect_record(name: str, effect: Effect) -> dict[str, Any]:
    before, after, differences = effect.comparison.before, effect.comparison.after, effect.comparison.differences
    return {
        "benchmark": name,
        "before": before.figures,
        "after": after.figures,
        "change": {name: change.value for name, change in differences.items()},
        "before_intervals": _bounds_of(before.intervals),
        "after_intervals": _bounds_of(after.intervals),
        "change_intervals": _bounds_of(differences),
        "suggestions": {label: count._asdict() | {"share": count.share} for label, count in effect.counts.items()},
        "shares": effect.shares.figures,
        "share_intervals": _bounds_of(effect.shares.intervals),
        "verdicts": effect.verdicts,
        "unscreened": effect.unscreened,
    }


def _bounds_of(intervals: Mapping[str, Interval]) -> dict[str, tuple[float, ...]]:
    return {name: (interval.low, interval.high) for name, interval in intervals.items()}
