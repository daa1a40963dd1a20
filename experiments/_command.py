"""What the command lines of the studies share: options, and what becomes of a study."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Callable, Sequence
from importlib.util import find_spec
from pathlib import Path

from experiments._report import Study
from experiments.scores import PairScores, Store
from usim.errors import InputError, UsimError
from usim.judge import DEFAULT_JUDGE


def options(name: str, doc: str | None) -> argparse.ArgumentParser:
    """The options that all studies have; a study adds its own."""
    parser = argparse.ArgumentParser(prog=f"python -m experiments.{name}", description=(doc or "").split("\n", 1)[0])
    parser.add_argument("--out", type=Path, metavar="DIR", help="write tables, figure and numbers into this folder")
    parser.add_argument("--format", choices=("text", "markdown", "json"), default="text", help="what is printed")
    parser.add_argument("--parser", default="en", help="who makes the graphs: en, onnx:DIR, tupa:MODEL, …")
    parser.add_argument("--judge", help=f"whose faithfulness is measured (by default: {DEFAULT_JUDGE})")
    parser.add_argument("--threads", type=int, default=1, help="threads of the parser")
    parser.add_argument("--seed", type=int, default=0, help="for all that is drawn at random")
    parser.add_argument("--resamples", type=int, default=1000, help="of the bootstrap intervals")
    parser.add_argument(
        "--store",
        type=Path,
        metavar="FILE",
        help="where scores are kept, so that a second run does not compute them again (by default scores.sqlite in "
        "--out; without either nothing is kept)",
    )
    return parser


def scores_of(given: argparse.Namespace, measures: Sequence[str]) -> PairScores:
    """The scores that the options ask for."""
    try:
        return PairScores(
            given.parser, given.judge, measures=measures, store=store_of(given), threads=given.threads, progress=True
        )
    except ValueError as e:  # there is no such judge
        raise InputError(str(e)) from e


def store_of(given: argparse.Namespace) -> Store:
    """Where the options say that scores are kept."""
    return Store(given.store or (given.out / "scores.sqlite" if given.out else None))


def finish(given: argparse.Namespace, make: Callable[[], Study]) -> int:
    """Run a study, print it, write it. Returns the exit status: 0, or 2 for input that cannot be read."""
    try:
        study = make()
        print({"text": study.as_text, "markdown": study.as_markdown, "json": study.as_json}[given.format]().rstrip())
        if given.out:
            write(study, given.out)
    except UsimError as e:
        print(f"error: {e}", file=sys.stderr)
        return 2
    return 0


def write(study: Study, out: Path) -> None:
    """Write a study's files and say which; without matplotlib all but the figure.

    Raises:
        InputError: a file cannot be written.
    """
    drawn = find_spec("matplotlib") is not None
    if not drawn:
        print("warning: no figure: pip install 'usim-faithfulness[studies]'", file=sys.stderr)
    for path in study.write(out, figures=drawn):
        print(f"wrote {path}", file=sys.stderr)
