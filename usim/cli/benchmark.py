"""``usim sws``, ``usim prolex`` and ``usim swords``: the command of each benchmark, from what the benchmark says."""

from __future__ import annotations

from inspect import cleandoc
from typing import TYPE_CHECKING, Any

import click

from usim.benchmarks import load
from usim.cli.benchmark_figures import emit, write_suggestions
from usim.cli.help import subcommand
from usim.cli.options import (
    AT_LEAST_ONE,
    Command,
    OutputOption,
    format_option,
    inflect_option,
    make_screen,
    model_option,
    option,
    pop_options,
    usage_errors,
    verdict_options,
    with_options,
)
from usim.cli.output import warn

if TYPE_CHECKING:
    from usim.benchmarks.benchmark import Setting

_SCREENING = (
    "With --screen the suggestions are judged in their sentences (usim screen), and the system is scored with and "
    "without those to be dropped."
)
_EXIT_CODES = "Exit code: 0 done, 2 something could not be read or does not fit."
#: What ``--screen`` needs to make a screen, by the names of :class:`usim.options.Options`.
_SCREEN = ("model", "judge", "keep", "drop", "risk", "inflect")

_OPTIONS: tuple[Command, ...] = (
    option("--screen", is_flag=True, help="Score with and without the suggestions judged unfaithful."),
    verdict_options,
    model_option,
    inflect_option,
    option("--list", "listing", cls=OutputOption, metavar="FILE",
           help="With --screen, write each suggestion with its verdict to a TSV file."),
    option("--resamples", type=click.IntRange(0), default=1000,
           help="Bootstrap resamples for the intervals; 0 for no intervals."),
    format_option("text", "json", "tsv", help="How figures are written."),
)  # fmt: skip


def command_of(name: str) -> click.Command:
    """Return the command of a benchmark, ``usim NAME GOLD PRED``."""
    benchmark = load(name)
    example = f"usim {name} gold.{benchmark.example} predictions.{benchmark.example}"

    @subcommand(name, example, f"{example} --screen --list dropped.tsv")
    @click.argument("gold_file", metavar="GOLD")
    @click.argument("prediction_file", metavar="PRED")
    @with_options(*map(_option, benchmark.options), *_OPTIONS)
    def command(
        gold_file: str,
        prediction_file: str,
        screen: bool,
        listing: str | None,
        resamples: int,
        form: str,
        **given: Any,
    ) -> None:
        settings = pop_options(given, *_SCREEN)
        if not screen and (listing or settings["inflect"] or settings["keep"] or settings["drop"]):
            raise click.UsageError("--keep, --drop, --inflect and --list say how to screen: add --screen")
        if gold_file == "-":
            raise click.UsageError("GOLD cannot be standard input; only PRED can")
        with usage_errors():
            gold = benchmark.open(gold_file, **given)
        predictions = gold.read_predictions(prediction_file, warn)
        if not screen:
            emit(gold.score(predictions, resamples=resamples), form)
            return
        effect = gold.screen(predictions, make_screen(**settings), resamples=resamples)
        if effect.unscreened:
            warn(f"{effect.unscreened} suggestions could not be judged and stay: their targets cut a word")
        if listing is not None:
            write_suggestions(effect, listing)
        if listing != "-":
            emit(effect, form)

    command.help = "\n\n".join([cleandoc(benchmark.about), _SCREENING, _EXIT_CODES])
    return command


def _option(setting: Setting) -> Command:
    """Return a setting of a benchmark as an option."""
    return click.option(
        f"-{setting.name}" if len(setting.name) == 1 else f"--{setting.name}",
        help=setting.help,
        default=setting.default,
        multiple=isinstance(setting.default, tuple),
        show_default=True,
        type=AT_LEAST_ONE,
    )
