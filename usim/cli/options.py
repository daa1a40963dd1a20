"""Options that several commands share, and the parser, judge and scorer that they ask for."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

import click

from usim.judge import DEFAULT_JUDGE, Judge, Thresholds, resolve_judge
from usim.measures import DEFAULT, PRESETS, Preset

if TYPE_CHECKING:
    from usim.parsing import Parser
    from usim.scorer import Scorer

Command = Callable[..., Any]


def with_options(*options: Command) -> Command:
    """Return a decorator that gives a command these options; ``--help`` shows the last one first."""

    def decorate(command: Command) -> Command:
        for option in options:
            command = option(command)
        return command

    return decorate


threads_option = click.option(
    "--threads", type=click.IntRange(1), default=1, show_default=True, help="Threads of the parser."
)

parser_options = with_options(
    click.option(
        "--parser",
        default="en",
        show_default=True,
        help="Parser: en, en-fast, onnx:DIR, xml:DIR, mrp:FILE or tupa:MODEL (see docs/how-to/parsers.md).",
    ),
    click.option(
        "--guidelines",
        type=click.Choice(["1", "2"]),
        help="Which version of the UCCA guidelines to parse by.  [default: the parser's own]",
    ),
    threads_option,
)

tokenised_option = click.option("--tokenised", is_flag=True, help="Take the tokens as they stand between blanks.")

preset_option = click.option(
    "--preset",
    type=click.Choice(["default", "paper", "reference"]),
    default="default",
    show_default=True,
    help="How graphs are aligned and compared: usim's choice, the paper's formula, the published scorer's.",
)

judge_options = with_options(
    click.option(
        "--drop",
        type=click.FloatRange(0, 1),
        help="Verdict drop below this faithfulness.  [default: the judge's own]",
    ),
    click.option(
        "--keep",
        type=click.FloatRange(0, 1),
        help="Verdict keep from this faithfulness on; between the two: review.  [default: the judge's own]",
    ),
    click.option(
        "--judge",
        default=DEFAULT_JUDGE,
        show_default=True,
        help="Who says how faithful a change is; usim: USim alone.",
    ),
)


def make_parser(parser: str, guidelines: str | None, threads: int) -> Parser:
    """Load the parser that the options ask for."""
    from usim.parsing import load

    return load(parser, threads=threads, guidelines=None if guidelines is None else int(guidelines))


def make_judge(
    name: str, keep: float | None, drop: float | None, preset: Preset = DEFAULT, *, threads: int = 1
) -> Judge:
    """Load the judge that the options ask for.

    Raises:
        click.BadParameter: there is no such judge, or the thresholds contradict each other.
    """
    try:
        judge = resolve_judge(name, preset=preset, threads=threads)
    except ValueError as e:
        raise click.BadParameter(str(e), param_hint="--judge") from e
    own = judge.thresholds
    high, low = (own.keep if keep is None else keep), (own.drop if drop is None else drop)
    if low > high:
        hint = "" if None not in (keep, drop) else f"; the judge's own are {own.keep} and {own.drop}: give both"
        raise click.BadParameter(f"--drop {low} is above --keep {high}{hint}", param_hint="thresholds")
    return resolve_judge(judge, Thresholds(high, low))


def make_scorer(parser: str, guidelines: str | None, threads: int, preset: str, judge: Judge) -> Scorer:
    """Make the scorer that the options ask for."""
    from usim.scorer import Scorer

    return Scorer(make_parser(parser, guidelines, threads), judge=judge, preset=PRESETS[preset], threads=threads)
