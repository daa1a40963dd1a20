"""What the commands of the benchmarks' scorers share."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial, wraps
from typing import TYPE_CHECKING, Any

import click

from usim.cli.benchmark_figures import emit, emit_comparison
from usim.cli.benchmark_screening import emit_screened
from usim.cli.help import examples
from usim.cli.options import Command, OutputOption, judge_options, make_screen, model_option, threads_option
from usim.cli.output import warn

if TYPE_CHECKING:
    from usim.benchmarks import Result
    from usim.benchmarks.ranking import Ranker
    from usim.benchmarks.result import Comparison
    from usim.benchmarks.screening import Effect

    Scored = Result | Effect | Comparison

#: For the benchmarks whose data have substitutes that people judged and rejected.
RANKING = click.option(
    "--ranking", is_flag=True, help="PRED is left out: rank all substitutes that people judged, as --by says."
)
#: What ``--screen`` needs to make a screen, by the names of :class:`usim.options.Options`.
_SCREEN = ("model", "judge", "keep", "drop", "parser", "threads", "inflect")

_OPTIONS: tuple[Command, ...] = (
    click.option("--screen", is_flag=True, help="Score with and without the suggestions judged unfaithful."),
    click.option("--rerank", is_flag=True, help="Score before and after suggestions are put into the judge's order."),
    click.option(
        "--by",
        metavar="RANKER",
        default="judge",
        show_default=True,
        help="What gives the order: judge (--judge usim for USim), context (cosine of contextual vectors), "
        "context:NAME (of a model of transformers), vectors:FILE (GloVe or word2vec as text), random or random:SEED.",
    ),
    judge_options,
    click.option("--parser", help="Parser in place of the model's: en, en-fast, …; see docs/how-to/parsers.md."),
    model_option,
    threads_option,
    click.option("--inflect", is_flag=True, help="Suggestions are judged in the form of their targets."),
    click.option("--curve", cls=OutputOption, metavar="FILE", help="Write the effect of each threshold to a TSV file."),
    click.option(
        "--list",
        "listing",
        cls=OutputOption,
        metavar="FILE",
        help="Write each suggestion with its verdict to a TSV file.",
    ),
    click.option("--seed", type=click.IntRange(0), default=0, show_default=True, help="Seed of the bootstrap."),
    click.option(
        "--confidence",
        type=click.FloatRange(0, 1, min_open=True, max_open=True),
        default=0.95,
        show_default=True,
        help="Confidence of the intervals.",
    ),
    click.option(
        "--resamples",
        type=click.IntRange(0),
        default=1000,
        show_default=True,
        help="Bootstrap resamples for the intervals; 0 for no intervals.",
    ),
    click.option(
        "--format",
        "form",
        type=click.Choice(["text", "json", "tsv"]),
        default="text",
        show_default=True,
        help="How figures are written.",
    ),
)


def scorer_command(
    name: str, *options: Command, needs_predictions: bool = True
) -> Callable[[Callable[..., Scored]], click.Command]:
    """Return a decorator that makes the command of a benchmark from a function that scores.

    The function is called with these keyword arguments, and what it returns is printed:

    - ``gold_file``, ``prediction_file``: the arguments GOLD and PRED;
    - the values of its own ``options``;
    - ``make_screen``: a function that makes the screen; None without ``--screen``;
    - ``make_ranker``: a function that makes the ranker; None without ``--rerank`` (and ``--ranking``);
    - ``bootstrap``: the settings of the intervals, a :class:`usim.benchmarks.result.Bootstrap`.
    """

    def decorate(score: Callable[..., Scored]) -> click.Command:
        @wraps(score)
        def run(
            *,
            gold_file: str,
            screen: bool,
            rerank: bool,
            by: str,
            curve: str | None,
            listing: str | None,
            form: str,
            **given: Any,
        ) -> None:
            from usim.benchmarks import Result
            from usim.benchmarks.result import Comparison

            settings = {key: given.pop(key) for key in _SCREEN}
            thresholds = settings["keep"], settings["drop"]
            ranks = rerank or given.get("ranking", False)
            if not screen and (curve or listing or thresholds != (None, None)):
                raise click.UsageError("--keep, --drop, --curve and --list say how to screen: add --screen")
            if settings["inflect"] and not (screen or ranks):
                raise click.UsageError("--inflect says how suggestions are judged: add --screen or --rerank")
            if screen and ranks:
                raise click.UsageError("--screen and --rerank are two things: give one of them")
            if by != "judge" and not ranks:
                raise click.UsageError("--by says how to rerank: add --rerank")
            if gold_file == "-":
                raise click.UsageError("GOLD cannot be standard input; only PRED can")
            bootstrap = {key: given.pop(key) for key in ("resamples", "confidence", "seed")}
            makers = {
                "make_screen": partial(make_screen, **settings) if screen else None,
                "make_ranker": partial(make_ranker, by, settings) if ranks else None,
            }
            scored = score(gold_file=gold_file, bootstrap=bootstrap, **makers, **given)
            if isinstance(scored, Result):
                emit(scored, form)
            elif isinstance(scored, Comparison):
                emit_comparison(scored, form)
                _warn_of_losses(scored)
            else:
                emit_screened(scored, form, curve, listing)

        command: Callable[..., Any] = run
        gold = click.argument("gold_file", metavar="GOLD")
        predictions = click.argument("prediction_file", metavar="PRED", required=needs_predictions)
        for option in reversed((gold, predictions, *options, *_OPTIONS)):
            command = option(command)
        ending = "csv" if name == "prolex" else "json"
        example = f"usim {name} gold.{ending} predictions.{ending}"
        return click.command(name, epilog=examples(example, f"{example} --screen --list dropped.tsv"))(command)

    return decorate


def _warn_of_losses(comparison: Comparison) -> None:
    """Warn where the new order is worse than the system's own, beyond what chance explains."""
    losses = [(low, name) for name, (_, low, high) in comparison.differences.items() if high < 0 and low < high]
    if losses:
        name = min(losses)[1]
        change, low, high = comparison.differences[name]
        warn(
            f"the new order is worse than the system's own: {name} {change:+.4f} [{low:+.4f}, {high:+.4f}]. "
            "A list that its system has put into a good order is better left as it is"
        )


def make_ranker(by: str, settings: dict[str, Any]) -> Ranker:
    """Make the ranker that ``--by`` names.

    Args:
        by: ``judge``, ``context``, ``context:NAME``, ``vectors:FILE``, ``random`` or ``random:SEED``.
        settings: of the screen whose judge or encoder ranks.

    Raises:
        BadParameter: there is no such ranker.
        UsimError: it cannot be loaded.
    """
    from usim.benchmarks import ranking

    kind, _, which = by.partition(":")
    if by == "judge":
        return ranking.ByFaithfulness(make_screen(**settings))
    if by == "context":
        screen = make_screen(**settings)
        return ranking.ByContext(screen.judge.encoder, screen.options.load_inflector(), screen.judge.name)
    if kind == "context" and which:
        from usim.benchmarks.contextual import TransformerVectors
        from usim.suggestions import Inflector

        return ranking.ByContext(TransformerVectors(which), Inflector() if settings["inflect"] else None, which)
    if kind == "vectors" and which:
        from usim.benchmarks.baselines.vectors import read_vectors

        vectors = read_vectors(which)
        return ranking.ByVectors(vectors.similarity, vectors.name)
    if kind == "random" and (by == kind or which.isdecimal()):
        return ranking.Shuffled(int(which or 0))
    raise click.BadParameter(
        f"{by!r} is not judge, context, context:NAME, vectors:FILE, random or random:SEED", param_hint="--by"
    )
