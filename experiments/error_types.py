"""How much does each type of correction move the score? (Study 2; §4.4, Table 2 of the USim paper)

    python -m experiments.error_types --m2 FILE [--out DIR] [--samples N] [--seed N]

A measure of faithfulness should hardly care which of the errors of a sentence were corrected, as long as they were
corrected well. As in Choshen & Abend (2018): of the edits of an annotator an order is drawn; of the sentences that come
about one after the other (no edit done, the first, the first two, …), one but the last is drawn to be the source; from
there on the remaining edits are done one at a time, and each counts with the change of the score between the source
and the sentence as it becomes:

    Δ(edit) = score(source, sentence with the edit) − score(source, sentence just before it)

The table has the mean Δ of each type of edit, with how often it occurs and the interval. The weighted mean |Δ| weighs
the |mean Δ| of each type by its occurrences. A type of at least ``--often`` occurrences (50) whose |mean Δ| is .06 or
more is listed with example sentences, those that moved most first.

The first edit that is done after the source can only lower the score, as the score of the source with itself is 1; so
means are mostly negative. Types are those of the file: ERRANT's (``R:VERB:SVA``) or NUCLE's (``Vform``).
"""

from __future__ import annotations

import hashlib
import math
import sys
from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from experiments._command import finish, options, scores_of
from experiments._report import Cell, Check, Study, Table, show
from experiments.scores import PairScores
from usim.errors import InputError
from usim.stats import Interval, bootstrap_interval
from usim.suggestions import m2
from usim.suggestions.records import BadRecord, Record

if TYPE_CHECKING:
    from matplotlib.figure import Figure

KINDS = ("usim", "judge")
TITLES = {"usim": "USim", "judge": "faithfulness"}
#: What the judge's faithfulness should keep to: the weighted mean, and any type that occurs often.
WANTED_MEAN, WANTED_TYPE = 0.02, 0.06
_EXAMPLES = 3


class WordEdit(NamedTuple):
    """Words ``start .. end-1`` become others; nothing that corrects nothing."""

    start: int
    end: int
    new: tuple[str, ...]
    kind: str


@dataclass(frozen=True)
class Corrected:
    """A sentence and what one annotator corrected in it."""

    id: str
    words: tuple[str, ...]
    edits: tuple[WordEdit, ...]

    def with_edits(self, done: Iterable[int]) -> str:
        """The sentence with the edits at these places done, as text."""
        words = list(self.words)
        # From the end to the beginning, so that places stay what they are; of two insertions at one place the first
        # in the file comes first, and an insertion comes before what is replaced right after it.
        for place in sorted(done, key=lambda k: (self.edits[k].start, self.edits[k].end, k), reverse=True):
            edit = self.edits[place]
            words[edit.start : edit.end] = edit.new
        return " ".join(words)


@dataclass(frozen=True)
class Step:
    """One edit, done after some others.

    Attributes:
        id: the sentence and its annotator.
        kind: the type of the edit.
        source, before, after: what the score compares: the source with the sentence before the edit and after it.
    """

    id: str
    kind: str
    source: str
    before: str
    after: str


def read_corrected(path: Path) -> tuple[list[Corrected], list[str]]:
    """The sentences of an M2 file that somebody corrected, once for each annotator who did, and what cannot be read.

    Where an edit has alternatives, the first is taken.

    Raises:
        InputError: the file cannot be read, or nothing is corrected in it.
    """
    found: list[Corrected] = []
    wrong: list[str] = []
    for part in m2.read(path):
        if isinstance(part, BadRecord):
            wrong.append(str(part.error))
        elif isinstance(part, Record):
            found += _corrected(part)
    if not found:
        raise InputError("no corrected sentence in it; an M2 file is needed (lines 'S …' and 'A …')", path=path)
    return found, wrong


def _corrected(record: Record) -> Iterator[Corrected]:
    by: dict[str, dict[tuple[int, int, str], WordEdit]] = defaultdict(dict)
    for suggestion in record.suggestions:
        about = suggestion.about
        if "words" not in about:  # all edits of an annotator together
            continue
        start, end = about["words"]
        edit = WordEdit(start, end, tuple(suggestion.substitute.split()), about["type"])
        if edit.new != tuple(record.text.split())[start:end]:
            # Of the alternatives of an edit the first stands first.
            by[about["annotator"]].setdefault((start, end, edit.kind), edit)
    for annotator, edits in by.items():
        yield Corrected(f"{record.id}/{annotator}", tuple(record.text.split()), tuple(edits.values()))


def steps(corrected: Sequence[Corrected], *, samples: int = 1, seed: int = 0) -> list[Step]:
    """The single edits to be measured: of each sentence, ``samples`` times an order and a source are drawn.

    What is drawn for a sentence depends on its place in the file and the seed alone.
    """
    found = []
    for place, sentence in enumerate(corrected):
        rng = np.random.default_rng((seed, place))
        for _ in range(samples):
            order = rng.permutation(len(sentence.edits)).tolist()
            first = int(rng.integers(len(order)))
            source = before = sentence.with_edits(order[:first])
            for k in range(first, len(order)):
                after = sentence.with_edits(order[: k + 1])
                found.append(Step(sentence.id, sentence.edits[order[k]].kind, source, before, after))
                before = after
    return found


def half_of(words: Sequence[str]) -> str:
    """The half that a sentence is in, ``even`` or ``odd``, by the last bit of the SHA-1 of its words.

    >>> [half_of(text.split()) for text in ("one", "two", "three", "four")]
    ['odd', 'even', 'odd', 'odd']
    """
    return ("even", "odd")[hashlib.sha1(" ".join(words).encode()).digest()[-1] % 2]


def deltas(found: Sequence[Step], scores: PairScores) -> dict[str, np.ndarray]:
    """The change of each score by each edit, shape (steps,)."""
    pairs = [pair for step in found for pair in ((step.source, step.before), (step.source, step.after))]
    made = scores(pairs)
    return {kind: made[kind][1::2] - made[kind][::2] for kind in KINDS}


def run(
    path: Path,
    scores: PairScores,
    *,
    samples: int = 1,
    often: int = 50,
    seed: int = 0,
    resamples: int = 1000,
    half: str | None = None,
) -> Study:
    """The study of one file.

    Args:
        path: an M2 file with typed edits.
        scores: who scores; it must have the measures ``usim`` and ``judge``.
        samples: how many orders are drawn a sentence.
        often: from how many occurrences on a type is checked.
        seed: for the orders, the sources and the intervals.
        resamples: of the bootstrap.
        half: only the sentences of this half, see :func:`half_of`; what is drawn for a sentence stays the same.

    Raises:
        InputError: the file cannot be read, or nothing is corrected in it.
    """
    corrected, wrong = read_corrected(path)
    found = steps(corrected, samples=samples, seed=seed)
    if half:
        corrected = [sentence for sentence in corrected if half_of(sentence.words) == half]
        ids = {sentence.id for sentence in corrected}
        found = [step for step in found if step.id in ids]
    change = deltas(found, scores)
    by: dict[str, list[int]] = defaultdict(list)
    for place, step in enumerate(found):
        by[step.kind].append(place)
    types = sorted(by, key=lambda kind: (-len(by[kind]), kind))

    def mean(kind: str, places: list[int]) -> Interval:
        return bootstrap_interval(change[kind][places], resamples=resamples, seed=seed)

    means = {kind: {t: mean(kind, by[t]) for t in types} for kind in KINDS}
    weighted = {kind: sum(len(by[t]) * abs(means[kind][t].value) for t in types) / max(1, len(found)) for kind in KINDS}
    rows: list[tuple[Cell, ...]] = [(t, len(by[t]), *(means[kind][t] for kind in KINDS)) for t in types]
    everything = list(range(len(found)))
    rows.append(("all edits", len(found), *(mean(kind, everything) for kind in KINDS)))
    rows.append(("weighted mean |Δ|", len(found), *(weighted[kind] for kind in KINDS)))
    groups: dict[str, list[int]] = defaultdict(list)
    for t in types:
        groups[_what(t)] += by[t]
    grouped = sorted(groups, key=lambda g: (-len(groups[g]), g))
    far = {
        kind: [t for t in types if len(by[t]) >= often and abs(means[kind][t].value) >= WANTED_TYPE] for kind in KINDS
    }
    checks = []
    for kind in KINDS:
        checks += [
            Check(
                f"{TITLES[kind]}: weighted mean |Δ|",
                show(weighted[kind]),
                f"≤ {show(WANTED_MEAN)}",
                weighted[kind] <= WANTED_MEAN,
            ),
            Check(
                f"{TITLES[kind]}: types of {often} occurrences or more with |Δ| ≥ {show(WANTED_TYPE)}",
                ", ".join(far[kind]) or "none",
                "none",
                not far[kind],
            ),
        ]
    examples: list[tuple[Cell, ...]] = []
    for kind in KINDS:
        for t in far[kind]:
            direction = math.copysign(1.0, means[kind][t].value)
            most = sorted(by[t], key=lambda place: (-direction * change[kind][place], place))
            once: dict[tuple[str, str], float] = {}  # an edit may have been drawn more often than once
            for place in most:
                once.setdefault((found[place].before, found[place].after), float(change[kind][place]))
            shown_edits = list(once.items())[:_EXAMPLES]
            examples += [(TITLES[kind], t, moved, before, after) for (before, after), moved in shown_edits]

    def draw(figure: Figure) -> None:
        shown = [t for t in types if len(by[t]) >= often] or types[:20]
        axes = figure.subplots()
        for i, kind in enumerate(KINDS):
            value = np.array([means[kind][t].value for t in shown])
            spread = np.array([[means[kind][t].low, means[kind][t].high] for t in shown]).T
            y = np.arange(len(shown)) + (i - 0.5) * 0.3
            axes.errorbar(value, y, xerr=np.abs(spread - value), fmt="o", markersize=3, label=TITLES[kind])
        axes.set_yticks(range(len(shown)), [f"{t} ({len(by[t])})" for t in shown])
        axes.invert_yaxis()
        for at in (-WANTED_TYPE, WANTED_TYPE):
            axes.axvline(at, color="grey", linestyle=":")
        axes.axvline(0, color="grey", linewidth=0.8)
        axes.set_xlabel("mean change of the score by one edit")
        axes.legend()

    columns = ("type", "occurrences", *(f"Δ {TITLES[kind]}" for kind in KINDS))
    tables = [
        Table(
            "types",
            f"Sensitivity to types of errors: {len(found)} edits of {len(corrected)} corrected sentences",
            columns,
            tuple(rows),
            "mean change of the score when an edit of the type is done [95% interval]",
        ),
        Table(
            "groups",
            "The same by what is corrected, whether it was missing (M), unnecessary (U) or replaced (R)",
            columns,
            tuple((g, len(groups[g]), *(mean(kind, groups[g]) for kind in KINDS)) for g in grouped),
        ),
    ]
    if examples:
        tables.append(
            Table(
                "examples",
                f"Types with |Δ| ≥ {show(WANTED_TYPE)}: the edits that moved the score most",
                ("score", "type", "Δ", "before", "after"),
                tuple(examples),
            )
        )
    shown_types = sum(len(by[t]) >= often for t in types)
    return Study(
        "error_types",
        "How much does each type of correction move the score?",
        tuple(tables),
        scores.signatures,
        {"m2": path, "samples": samples, "often": often, "seed": seed, "resamples": resamples, "half": half},
        tuple(checks),
        {"weighted mean |Δ|": weighted, "types over the limit": far, "records that cannot be read": wrong},
        (f"{len(wrong)} records could not be read: {wrong[0]}",) if wrong else (),
        draw,
        (8.0, max(3.0, 0.28 * (shown_types or 20))),
    )


def _what(kind: str) -> str:
    """What a type of ERRANT is about, without the operation.

    >>> _what("R:VERB:SVA"), _what("Vform")
    ('VERB:SVA', 'Vform')
    """
    head, colon, rest = kind.partition(":")
    return rest if colon and head in ("M", "U", "R") else kind


def main(arguments: list[str] | None = None) -> int:
    """The command. Returns the exit status: 0, or 2 for input that cannot be read."""
    parser = options("error_types", __doc__)
    parser.add_argument("--m2", type=Path, required=True, help="sentences with typed edits, e.g. bea-dev.m2")
    parser.add_argument("--samples", type=int, default=1, help="how many orders of the edits are drawn a sentence")
    parser.add_argument("--often", type=int, default=50, help="from how many occurrences on a type is checked")
    parser.add_argument(
        "--half",
        choices=("even", "odd"),
        help="half of the sentences; the judge saw even ones of W&I+LOCNESS dev",
    )
    given = parser.parse_args(arguments)

    def make() -> Study:
        return run(
            given.m2,
            scores_of(given, KINDS),
            samples=given.samples,
            often=given.often,
            seed=given.seed,
            resamples=given.resamples,
            half=given.half,
        )

    return finish(given, make)


if __name__ == "__main__":
    sys.exit(main())
