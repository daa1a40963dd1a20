"""``usim sws``, ``usim prolex`` and ``usim swords``: a command for each benchmark, made from its description."""

from __future__ import annotations

from collections.abc import Callable
from inspect import cleandoc
from typing import TYPE_CHECKING, Any

import click
from click import option

from usim.benchmarks import load
from usim.benchmarks.result import BenchmarkResult
from usim.cli import options as shared
from usim.cli.output import warn
from usim.report.tables import Table, write_tables
from usim.text.codec import json_text

if TYPE_CHECKING:
    from usim.benchmarks.benchmark import Benchmark
    from usim.benchmarks.screening import Effect

_SCREENING = (
    "With --screen usim judges the suggestions in their sentences (usim screen), and scores the system with and "
    "without those to drop."
)
_EXIT_CODES = "Exit code: 0 done, 2 something could not be read or does not fit."


def command_of(name: str) -> click.Command:
    """Return the command of a benchmark, ``usim NAME GOLD PRED``."""
    benchmark = load(name)
    opened: Callable[..., Benchmark[Any]] = benchmark.open
    example = f"usim {name} gold.{benchmark.example} predictions.{benchmark.example}"

    @shared.subcommand(example, f"{example} --screen")
    @click.argument("gold_file", metavar="GOLD")
    @click.argument("prediction_file", metavar="PRED")
    @shared.with_options(*(option(f"--{own}", metavar="NAME", help=text) for own, text in benchmark.options.items()))
    @option("--screen", is_flag=True, help="Score with and without the suggestions judged unfaithful.")
    @shared.verdict_options
    @shared.model_option
    @shared.inflect_option
    @shared.format_option("text", "json", help="How figures are written.")
    def command(gold_file: str, prediction_file: str, screen: bool, form: str, **settings: Any) -> None:
        if not screen and (settings["inflect"] or settings["keep"] or settings["drop"]):
            raise click.UsageError("--keep, --drop and --inflect say how to screen: add --screen")
        if gold_file == "-":
            raise click.UsageError("GOLD cannot be standard input; only PRED can")
        gold = opened(gold_file, **{own: settings.pop(own) for own in benchmark.options})
        predictions = gold.read_predictions(prediction_file, warn)
        if not screen:
            result = gold.score(predictions)
            tables, signature = [_figures(result, benchmark.digits)], result.signature
            bounds = {figure: (low, high) for figure, (_, low, high) in result.intervals.items()}
            record = {"figures": result.figures, "intervals": bounds}
        else:
            from usim.benchmarks.screening import screened

            effect = screened(gold, predictions, shared.make_screen(**settings))
            if effect.unscreened:
                warn(f"{effect.unscreened} suggestions could not be judged and stay: their targets cut a word")
            tables, signature = _effect(effect, benchmark.digits), effect.comparison.after.signature
            record = {table.name: table.to_dicts() for table in tables} | {"unscreened": effect.unscreened}
        if form == "json":
            text = json_text({"benchmark": name, **record, "signature": signature}, indent=1)
        else:
            text = f"{write_tables(tables, 'text')}\n{signature}\n"
        click.echo(text, nl=False)

    command.name, command.help = name, "\n\n".join([cleandoc(benchmark.about), _SCREENING, _EXIT_CODES])
    return command


def _figures(result: BenchmarkResult, digits: int, name: str = "figures") -> Table:
    rows = tuple(result.intervals.items())
    return Table(name, "Figures with 95% intervals", ("figure", "value"), rows, digits=digits)


def _effect(effect: Effect, digits: int) -> list[Table]:
    """Return the figures before and after, what was dropped, and the shares of it that were dropped rightly."""
    before, after = effect.comparison.before.intervals, effect.comparison.after.intervals
    figures = [(name, before[name], after[name], change) for name, change in effect.comparison.differences.items()]
    counts = [(label, count.total, count.dropped, count.share) for label, count in effect.counts.items()]
    columns = ("figure", "before", "after", "change")
    title = "Figures before and after screening, with 95% intervals"
    of_labels = ("gold", "all", "dropped", "share")
    return [
        Table("figures", title, columns, tuple(figures), digits=digits),
        Table("suggestions", "Suggestions, by what the gold data say", of_labels, tuple(counts)),
        _figures(effect.shares, 4, "shares"),
        Table("verdicts", "Verdicts", ("verdict", "suggestions"), tuple(effect.verdicts.items())),
    ]
