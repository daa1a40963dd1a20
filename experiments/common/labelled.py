"""Pairs of sentences of which people said whether they mean the same, and what a model makes of them.

The studies of such data (:mod:`experiments.paws`, :mod:`experiments.breaking_nli`, :mod:`experiments.mqm`) read their
file and share the rest: the scores of any model, by kinds of pairs, with intervals over groups.
"""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import NamedTuple

import numpy as np

from experiments.common.command import Command, Option
from experiments.common.statistics import Draws, Places, auc
from experiments.common.study import Study
from usim import Scorer
from usim.cli.output import progress
from usim.errors import FormatError, InputError
from usim.judge import Result
from usim.options import DEFAULT_MODEL
from usim.records import read_rows
from usim.report.tables import Row, Table

_MIDDLE = 0.5
ALL = "all"
#: What is measured of a result, by its title.
SCORES: Mapping[str, Callable[[Result], float]] = {
    "faithfulness": lambda result: result.judgement.faithfulness,
    "USim": lambda result: result.score,
}


class LabelledPair(NamedTuple):
    """A pair with its label.

    Attributes:
        is_faithful: whether people said that they mean the same.
        kinds: the rows of the table that it counts in, beside that of all pairs.
        group: pairs of one group are drawn together for intervals.
        is_held_out: whether it is no part of what usim's judges are trained on.
        marked: the characters of the output that people marked as wrong.
    """

    source: str
    output: str
    is_faithful: bool
    kinds: tuple[str, ...] = ()
    group: str = ""
    is_held_out: bool = True
    marked: frozenset[int] = frozenset()


#: Reads a file; raises an InputError or a FormatError where it cannot be read, or is not of the form.
Read = Callable[[Path], list[LabelledPair]]
#: Makes further tables from the pairs and their results.
More = Callable[[Sequence[LabelledPair], Sequence[Result]], tuple[Table, ...]]


def digest(key: str) -> int:
    """Return the number that decides what is held out of training: the SHA-256 of a key."""
    return int(hashlib.sha256(key.encode()).hexdigest(), 16)


def read_table(path: Path, columns: Sequence[str]) -> Iterator[dict[str, str]]:
    """Read the rows of a file of tabs without quoting (``.gz`` too), under a header with these columns among others.

    Raises:
        InputError, FormatError: the file cannot be read, lacks a column, or a line has other than its fields.
    """
    for line, fields in read_rows(path, "tsv"):
        if line.error:
            raise FormatError(line.error, path=path, line=line.number)
        if missing := [name for name in columns if name not in fields]:
            raise FormatError(f"no column {', '.join(missing)}", path=path, line=1)
        yield fields


def command(name: str, title: str, read: Read, file: str, *, note: str = "", more: More | None = None) -> Command:
    """Return the command line of a study of labelled pairs.

    Args:
        file: what the file is, for the help.
        note: what has to be known to read the figures.
    """

    def run(data: Path, model: str, judge: str, threads: int, limit: int | None, *, all: bool, **drawing: int) -> Study:
        pairs = [pair for pair in read(data) if pair.is_held_out or all][:limit]
        if not pairs:
            raise InputError("there are no pairs to measure on")
        scorer = Scorer(model=model, judge=judge, threads=threads)
        scored = scorer.score_pairs([(pair.source, pair.output) for pair in pairs])
        results = list(progress(scored, len(pairs), "pairs", quiet=True))
        text = f"value [95% interval]{'; ' if note else ''}{note}"
        columns = ("pairs", "number", "same meaning", *(f"{s}: {f}" for s in SCORES for f in ("AUC", "right at .5")))
        table = Table("figures", f"{len(pairs)} pairs", columns, tuple(_rows(pairs, results, **drawing)), text)
        return Study(
            name,
            title,
            (table, *(more(pairs, results) if more else ())),
            {"scores": str(scorer.signature)},
            {**drawing, "pairs": len(pairs)},
        )

    run.__module__ = read.__module__  # the module whose command it is
    return Command(
        run,
        Option("--data", type=Path, required=True, metavar="FILE", help=file),
        Option("--all", action="store_true", help="also the pairs that usim's judges may have learned from"),
        Option("--model", default=DEFAULT_MODEL, help="the model (default: %(default)s)"),
        Option("--judge", help="another judge than the model's"),
        Option("--limit", type=int, metavar="N", help="the first N pairs"),
        shared=("out", "threads", "seed", "resamples"),
    )


def _rows(pairs: Sequence[LabelledPair], results: Sequence[Result], *, seed: int, resamples: int) -> Iterator[Row]:
    """Yield the figures of all pairs, and of each kind."""
    labels = np.array([pair.is_faithful for pair in pairs])
    scores = [np.array([score(result) for result in results]) for score in SCORES.values()]
    for kind in (ALL, *dict.fromkeys(kind for pair in pairs for kind in pair.kinds)):
        places = np.array([k for k, pair in enumerate(pairs) if kind in (ALL, *pair.kinds)])

        def figures(drawn: Places, places: Places = places) -> list[float]:
            same, cells = labels[places][drawn], []
            for own in (values[places][drawn] for values in scores):
                cells += [auc(own[same], own[~same]), float(((own >= _MIDDLE) == same).mean())]
            return cells

        intervals = Draws([pairs[k].group or k for k in places], resamples, seed).intervals(figures)
        yield kind, len(places), int(labels[places].sum()), *intervals
