"""The command lines of the studies: one runner, and the options that they share."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Callable, Sequence
from importlib.util import find_spec
from pathlib import Path
from typing import Any, Protocol

from experiments.common.scores import PairScores, Store
from experiments.common.study import Study
from usim.errors import UsimError
from usim.judge import DEFAULT_JUDGE


class Output(Protocol):
    """What a command prints; a :class:`Study` is also written into the folder that ``--out`` names."""

    def render(self, form: str) -> str: ...


class Option:
    """An option or argument of a command: what ``argparse.ArgumentParser.add_argument`` takes."""

    def __init__(self, *flags: str, **settings: Any) -> None:
        self.flags, self.settings = flags, settings


#: Options that the studies share, by name.
SHARED = {
    "out": Option("--out", type=Path, metavar="DIR", help="write tables, figure and numbers into this folder"),
    "parser": Option("--parser", default="en", help="who makes the graphs: en, onnx:DIR, tupa:MODEL, …"),
    "judge": Option("--judge", default=DEFAULT_JUDGE, help="whose faithfulness is measured (default: %(default)s)"),
    "threads": Option("--threads", type=int, default=1, help="threads of the parser"),
    "seed": Option("--seed", type=int, default=0, help="for all that is drawn at random"),
    "resamples": Option("--resamples", type=int, default=1000, help="of the bootstrap intervals"),
    "store": Option(
        "--store",
        type=Path,
        metavar="FILE",
        help="where scores are kept, so that a second run does not compute them again (by default scores.sqlite in "
        "--out; without either nothing is kept)",
    ),
}


class Command:
    """A command line: ``python -m experiments.NAME``, or ``python -m experiments NAME``.

    Args:
        text: the module's docstring; its first line describes the command.
        run: computes the output from the options; None where it prints for itself.
        options: options of the command's own.
        shared: which of :data:`SHARED` it has; all by default.
        forms: what ``--format`` offers, the default first; without any there is no such option.
    """

    def __init__(
        self,
        name: str,
        text: str | None,
        run: Callable[[argparse.Namespace], Output | None],
        *options: Option,
        shared: Sequence[str] = tuple(SHARED),
        forms: Sequence[str] = ("text", "markdown", "json"),
    ) -> None:
        self._run = run
        self.parser = argparse.ArgumentParser(
            prog=f"python -m experiments.{name}", description=(text or "").split("\n", 1)[0]
        )
        for option in (*options, *(SHARED[key] for key in shared)):
            self.parser.add_argument(*option.flags, **option.settings)
        if forms:
            self.parser.add_argument("--format", choices=forms, default=forms[0], help="what is printed")

    def __call__(self, arguments: Sequence[str] | None = None) -> int:
        """Run the command. Return the exit status: 0, or 2 for input that cannot be read."""
        given = self.parser.parse_args(arguments)
        try:
            output = self._run(given)
            if output is not None:
                print(output.render(given.format).rstrip())
            if isinstance(output, Study) and given.out:
                _write(output, given.out)
        except UsimError as e:
            print(f"error: {e}", file=sys.stderr)
            return 2
        return 0


def _write(study: Study, out: Path) -> None:
    drawn = find_spec("matplotlib") is not None
    if not drawn:
        print("warning: no figure: pip install matplotlib", file=sys.stderr)
    for path in study.write(out, figures=drawn):
        print(f"wrote {path}", file=sys.stderr)


def scores_of(given: argparse.Namespace, measures: Sequence[str]) -> PairScores:
    """Return what computes and keeps the scores, as the options say."""
    return PairScores(
        given.parser, given.judge, measures=measures, store=store_of(given), threads=given.threads, progress=True
    )


def store_of(given: argparse.Namespace) -> Store:
    """Return the store that the options name."""
    return Store(given.store or (given.out / "scores.sqlite" if given.out else None))


def drawing(given: argparse.Namespace) -> dict[str, int]:
    """Return the options about what is drawn at random, as keyword arguments of a study's ``run``."""
    return {"seed": given.seed, "resamples": given.resamples}
