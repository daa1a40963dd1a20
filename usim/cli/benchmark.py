"""``usim sws``, ``usim prolex`` and ``usim swords``: the command of each benchmark, from what the benchmark says."""

from __future__ import annotations

from inspect import cleandoc
from typing import TYPE_CHECKING, Any

import click

from usim.benchmarks import load
from usim.cli.benchmark_figures import emit, write_screened
from usim.cli.help import examples
from usim.cli.options import (
    AT_LEAST_ONE,
    Command,
    OutputOption,
    format_option,
    make_screen,
    model_option,
    option,
    pop_options,
    threads_option,
    usage_errors,
    verdict_options,
    with_options,
)
from usim.cli.output import warn

if TYPE_CHECKING:
    from usim.benchmarks.benchmark import Setting
    from usim.benchmarks.ranking import Ranker
    from usim.benchmarks.result import FigureComparison

_SCREENING = (
    "With --screen the suggestions are judged in their sentences (usim screen), and the system is scored with and "
    "without those to be dropped. With --rerank it is scored before and after its lists are put into the judge's order."
)
_RANKING = (
    " With --ranking, PRED is left out and the judge itself is scored: GAP of all substitutes that people judged."
)
_EXIT_CODES = "Exit code: 0 done, 2 something could not be read or does not fit."
_RANKING_OPTION = option(
    "--ranking", is_flag=True, help="PRED is left out: rank all substitutes that people judged, as --by says."
)
#: What ``--screen`` needs to make a screen, by the names of :class:`usim.options.Options`.
_SCREEN = ("model", "judge", "keep", "drop", "parser", "threads", "inflect")

_OPTIONS: tuple[Command, ...] = (
    option("--screen", is_flag=True, help="Score with and without the suggestions judged unfaithful."),
    option("--rerank", is_flag=True, help="Score before and after suggestions are put into the judge's order."),
    option("--by", type=click.Choice(["judge", "random"]), default="judge",
           help="What gives the order: the judge, or chance (by --seed)."),
    verdict_options,
    option("--parser", help="Parser in place of the model's: en, en-fast, …; see docs/how-to/parsers.md."),
    model_option,
    threads_option,
    option("--inflect", is_flag=True, help="Suggestions are judged in the form of their targets."),
    option("--curve", cls=OutputOption, metavar="FILE", help="Write the effect of each threshold to a TSV file."),
    option("--list", "listing", cls=OutputOption, metavar="FILE",
           help="Write each suggestion with its verdict to a TSV file."),
    option("--seed", type=click.IntRange(0), default=0, help="Seed of the bootstrap."),
    option("--resamples", type=click.IntRange(0), default=1000,
           help="Bootstrap resamples for the intervals; 0 for no intervals."),
    format_option("text", "json", "tsv", help="How figures are written."),
)  # fmt: skip


def command_of(name: str) -> click.Command:
    """Return the command of a benchmark, ``usim NAME GOLD PRED``."""
    benchmark = load(name)

    def run(
        *,
        gold_file: str,
        prediction_file: str | None,
        ranking: bool = False,
        screen: bool,
        rerank: bool,
        by: str,
        curve: str | None,
        listing: str | None,
        form: str,
        **given: Any,
    ) -> None:
        settings = pop_options(given, *_SCREEN)
        bootstrap = pop_options(given, "resamples", "seed")
        thresholds = settings["keep"], settings["drop"]
        ranks = rerank or ranking
        if not screen and (curve or listing or thresholds != (None, None)):
            raise click.UsageError("--keep, --drop, --curve and --list say how to screen: add --screen")
        if settings["inflect"] and not (screen or ranks):
            raise click.UsageError("--inflect says how suggestions are judged: add --screen or --rerank")
        if screen and ranks:
            raise click.UsageError("--screen and --rerank are two things: give one of them")
        if by != "judge" and not ranks:
            raise click.UsageError("--by says how to rerank: add --rerank")
        for setting in benchmark.for_reranking:
            if given[setting] is not None and not rerank:
                raise click.UsageError(f"--{setting.replace('_', '-')} says how to rerank: add --rerank")
        if gold_file == "-":
            raise click.UsageError("GOLD cannot be standard input; only PRED can")
        if ranking and prediction_file is not None:
            raise click.UsageError("--ranking ranks the substitutes of GOLD: leave out PRED")
        with usage_errors():
            gold = benchmark.open(gold_file, **given)
            if ranking:
                emit(gold.rank(make_ranker(by, bootstrap["seed"], settings), **bootstrap), form)
                return
        if prediction_file is None:
            enough = " (GOLD alone will do for --ranking)" if benchmark.judged_alone else ""
            raise click.UsageError(f"PRED is missing: give the system's output{enough}")
        predictions = gold.read_predictions(prediction_file, warn)
        if screen:
            effect = gold.screen(predictions, make_screen(**settings), **bootstrap)
            if not write_screened(effect, curve, listing):
                emit(effect, form)
        elif rerank:
            comparison = gold.rerank(predictions, make_ranker(by, bootstrap["seed"], settings), **bootstrap)
            emit(comparison, form)
            _warn_of_losses(comparison)
        else:
            emit(gold.score(predictions, **bootstrap), form)

    run.__doc__ = "\n\n".join(
        [cleandoc(benchmark.about), _SCREENING + (_RANKING if benchmark.judged_alone else ""), _EXIT_CODES]
    )
    arguments = [
        click.argument("gold_file", metavar="GOLD"),
        click.argument("prediction_file", metavar="PRED", required=False),
    ]
    own = [*map(_option, benchmark.options), *([_RANKING_OPTION] if benchmark.judged_alone else [])]
    example = f"usim {name} gold.{benchmark.example} predictions.{benchmark.example}"
    command = click.command(name, epilog=examples(example, f"{example} --screen --list dropped.tsv"))
    decorated: click.Command = command(with_options(*arguments, *own, *_OPTIONS)(run))
    return decorated


def _option(setting: Setting) -> Command:
    """Return a setting of a benchmark as an option."""
    name, _, default, choices, kind = setting
    several = isinstance(default, tuple)
    kind = kind or type(default[0] if several else default)
    types = {int: AT_LEAST_ONE, float: click.FloatRange(0, 1, min_open=True)}
    return click.option(
        f"-{name}" if len(name) == 1 else f"--{name.replace('_', '-')}",
        help=setting.help,
        default=default,
        multiple=several,
        show_default=default is not None,
        type=click.Choice(choices) if choices else types.get(kind, kind),
        metavar="NAME" if kind is str and not choices else None,
    )


def _warn_of_losses(comparison: FigureComparison) -> None:
    """Warn where the new order is worse than the system's own, beyond what chance explains."""
    losses = [(low, name) for name, (_, low, high) in comparison.differences.items() if high < 0 and low < high]
    if losses:
        name = min(losses)[1]
        change, low, high = comparison.differences[name]
        warn(
            f"the new order is worse than the system's own: {name} {change:+.4f} [{low:+.4f}, {high:+.4f}]. "
            "A list that its system has put into a good order is better left as it is"
        )


def make_ranker(by: str, seed: int, settings: dict[str, Any]) -> Ranker:
    """Make the ranker that ``--by`` names; the settings are of the screen whose judge ranks."""
    from usim.benchmarks import ranking

    return ranking.by_faithfulness(make_screen(**settings)) if by == "judge" else ranking.shuffled(seed)
