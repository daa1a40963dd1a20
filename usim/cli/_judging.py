"""What the commands that judge share: who judges, where verdicts change, and the scorer that the options ask for."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import click

from usim.cli._common import make_parser
from usim.judge import DEFAULT_JUDGE, Judge, Thresholds, chosen
from usim.measures import DEFAULT, PRESETS, Preset
from usim.scorer import Scorer


def judge_options(function: Callable[..., Any]) -> Callable[..., Any]:
    """``--judge``, ``--keep`` and ``--drop``."""
    for option in (
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
    ):
        function = option(function)
    return function


def make_judge(name: str, keep: float | None, drop: float | None, preset: Preset = DEFAULT) -> Judge:
    """The judge that the options ask for.

    Raises:
        click.BadParameter: there is no such judge, or the thresholds contradict each other.
    """
    try:
        judge = chosen(name, preset=preset)
    except ValueError as e:
        raise click.BadParameter(str(e), param_hint="--judge") from e
    own = judge.thresholds
    high, low = (own.keep if keep is None else keep), (own.drop if drop is None else drop)
    if low > high:
        hint = "" if None not in (keep, drop) else f"; the judge's own are {own.keep} and {own.drop}: give both"
        raise click.BadParameter(f"--drop {low} is above --keep {high}{hint}", param_hint="thresholds")
    return chosen(judge, Thresholds(high, low))


def make_scorer(parser: str, guidelines: str | None, threads: int, preset: str, judge: Judge) -> Scorer:
    """The scorer that the options ask for."""
    return Scorer(make_parser(parser, guidelines, threads), judge=judge, preset=PRESETS[preset], threads=threads)
