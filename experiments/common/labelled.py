"""Pairs of sentences of which people said whether they mean the same, and what a model makes of them.

The studies of such data (:mod:`experiments.paws`, :mod:`experiments.breaking_nli`, :mod:`experiments.mqm`) read their
file and share the rest: the scores of any model, by kinds of pairs, with intervals over groups.
"""

from __future__ import annotations

import hashlib
from argparse import Namespace
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import NamedTuple

import numpy as np

from experiments.common.command import Command, Option, drawing
from experiments.common.progress import Progress
from experiments.common.statistics import Draws, Places, auc
from experiments.common.study import Study, Table
from usim import Scorer
from usim.errors import FormatError, InputError
from usim.options import DEFAULT_MODEL
from usim.records import read_rows
from usim.scorer import Result

_MIDDLE = 0.5
ALL = "all"


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


def run(
    name: str,
    title: str,
    pairs: Sequence[LabelledPair],
    scorer: Scorer,
    *,
    note: str = "",
    more: More | None = None,
    seed: int = 0,
    resamples: int = 1000,
) -> Study:
    """Measure a model on labelled pairs; ``note`` is what has to be known to read the figures.

    Raises:
        InputError: there are no pairs.
    """
    if not pairs:
        raise InputError("there are no pairs to measure on")
    results = []
    with Progress(len(pairs), "pairs") as progress:
        for result in scorer.score_pairs([(pair.source, pair.output) for pair in pairs]):
            results.append(result)
            progress.advance(1)
    labels = np.array([pair.is_faithful for pair in pairs])
    scores = {
        "faithfulness": np.array([result.judgement.faithfulness for result in results]),
        "USim": np.array([result.score for result in results]),
    }
    rows = []
    for kind in (ALL, *dict.fromkeys(kind for pair in pairs for kind in pair.kinds)):
        places = np.array([k for k, pair in enumerate(pairs) if kind in (ALL, *pair.kinds)])
        draws = Draws([pairs[k].group or k for k in places], resamples, seed)
        right = labels[places]

        def figures(drawn: Places, places: Places = places, right: np.ndarray = right) -> list[float]:
            cells = []
            for values in scores.values():
                own, same = values[places][drawn], right[drawn]
                cells += [auc(own[same], own[~same]), float(((own >= _MIDDLE) == same).mean())]
            return cells

        rows.append((kind, len(places), int(right.sum()), *draws.intervals(figures)))
    columns = (
        "pairs",
        "number",
        "same meaning",
        *(f"{score}: {f}" for score in scores for f in ("AUC", "right at .5")),
    )
    tables = (
        Table(
            "figures", f"{len(pairs)} pairs", columns, tuple(rows), f"value [95% interval]{'; ' if note else ''}{note}"
        ),
    )
    return Study(
        name,
        title,
        tables + (more(pairs, results) if more else ()),
        {"scores": str(scorer.signature)},
        {"seed": seed, "resamples": resamples, "pairs": len(pairs)},
    )


def command(
    name: str, text: str | None, title: str, read: Read, file: str, *, note: str = "", more: More | None = None
) -> Command:
    """Return the command line of a study of labelled pairs; ``file`` says in the help what the file is."""

    def study(given: Namespace) -> Study:
        pairs = [pair for pair in read(given.data) if pair.is_held_out or given.all]
        scorer = Scorer(model=given.model, judge=given.judge, threads=given.threads)
        return run(name, title, pairs[: given.limit], scorer, note=note, more=more, **drawing(given))

    return Command(
        name,
        text,
        study,
        Option("--data", type=Path, required=True, metavar="FILE", help=file),
        Option("--all", action="store_true", help="also the pairs that usim's judges may have learned from"),
        Option("--model", default=DEFAULT_MODEL, help="the model (default: %(default)s)"),
        Option("--judge", help="another judge than the model's"),
        Option("--limit", type=int, metavar="N", help="the first N pairs"),
        shared=("out", "threads", "seed", "resamples"),
    )
