"""How much does each type of correction move the score? (Study 2; §4.4, Table 2 of the USim paper)

    python -m experiments.error_types --m2 FILE [--out DIR] [--samples N] [--seed N] [--edits all|after] [--limit N]

As in Choshen & Abend (2018): of the edits of an annotator an order is drawn, and any of the sentences that come about
one after the other (no edit done, the first, the first two, …, all) is drawn to be the source. Every edit counts with

    Δ(edit) = score(source, sentence with the edit) − score(source, sentence just before it)

and with ``--edits after`` only those after a source that is not the last sentence: how much an edit costs. The weighted
mean |Δ| weighs the |mean Δ| of each type by its occurrences. Types are those of the file: ERRANT's or NUCLE's.
"""

from __future__ import annotations

import math
import sys
from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Literal, NamedTuple

import numpy as np
from scipy.stats import ttest_1samp

from experiments.common.command import Command, Option
from experiments.common.scores import KINDS, TITLES, PairScores
from experiments.common.study import Check, Figure, Study
from usim.errors import InputError
from usim.records import BadRecord, Record, read_suggestions
from usim.report.tables import Row, Table, show
from usim.stats import Interval, bootstrap_interval, holm

#: The limit on the weighted mean |Δ|.
WANTED_MEAN = 0.05
#: A type that occurs often and moves a score by as much is listed with its edits.
FAR = 0.06
_EXAMPLES = 3

_LINES = [
    line.split("\t")
    for line in Path(__file__).with_name("papers").joinpath("table_2.tsv").read_text("utf-8").splitlines()[1:]
]
#: Table 2 as the supplementary material has it: the mean change of USim by an edit of the type, and how many edits.
TABLE_2 = {type_: (float(printed), int(edits)) for type_, _, printed, edits in _LINES}
#: Which of ERRANT's types are nearest to a type of NUCLE.
NEAREST = {type_: tuple(nearest.split()) for type_, nearest, _, _ in _LINES if nearest}
Edits = Literal["all", "after"]


class WordEdit(NamedTuple):
    """Words ``start .. end-1`` become others, which differ from them."""

    start: int
    end: int
    new: tuple[str, ...]
    kind: str


@dataclass(frozen=True)
class Corrected:
    """A sentence and the corrections of one annotator."""

    id: str
    words: tuple[str, ...]
    edits: tuple[WordEdit, ...]

    def with_edits(self, done: Iterable[int]) -> str:
        """Apply the edits at these places and return the text."""
        words = list(self.words)
        # From the end to the beginning, so that places stay valid; of two insertions at one place the first
        # in the file comes first, and an insertion comes before what is replaced right after it.
        for place in sorted(done, key=lambda k: (self.edits[k].start, self.edits[k].end, k), reverse=True):
            edit = self.edits[place]
            words[edit.start : edit.end] = edit.new
        return " ".join(words)


@dataclass(frozen=True)
class Step:
    """One edit, done after some others.

    Attributes:
        source, before, after: what the score compares: the source with the sentence before the edit and after it.
    """

    id: str
    kind: str
    source: str
    before: str
    after: str


def read_corrected(path: Path) -> tuple[list[Corrected], list[str]]:
    """Read the corrected sentences of an M2 file, once for each annotator, and the errors of unreadable records.

    Where an edit has alternatives, the first is taken.

    Raises:
        InputError: the file cannot be read, or nothing is corrected in it.
    """
    corrected: list[Corrected] = []
    errors: list[str] = []
    for part in read_suggestions(path, "m2"):
        if isinstance(part, BadRecord):
            errors.append(str(part.error))
        elif isinstance(part, Record):
            corrected += _corrected(part)
    if not corrected:
        raise InputError("no corrected sentence in it; an M2 file is needed (lines 'S …' and 'A …')", path=path)
    return corrected, errors


def _corrected(record: Record) -> Iterator[Corrected]:
    edits: dict[str, dict[tuple[int, int, str], WordEdit]] = defaultdict(dict)
    for suggestion in record.suggestions:
        about = suggestion.about
        if "words" not in about:  # all edits of an annotator together
            continue
        start, end = about["words"]
        edit = WordEdit(start, end, tuple(suggestion.substitute.split()), about["type"])
        if edit.new != tuple(record.text.split())[start:end]:
            # Of the alternatives of an edit the first stands first.
            edits[about["annotator"]].setdefault((start, end, edit.kind), edit)
    for annotator, own in edits.items():
        yield Corrected(f"{record.id}/{annotator}", tuple(record.text.split()), tuple(own.values()))


def steps(corrected: Sequence[Corrected], *, edits: Edits = "all", samples: int = 1, seed: int = 0) -> list[Step]:
    """Return the single edits to measure: for each sentence, an order and a source are drawn ``samples`` times.

    The draws for a sentence depend only on its place in the file and the seed.

    Args:
        edits: ``all``: the source is any of the sentences on the way, and every edit is measured, as in the paper;
            ``after``: the source is any but the last, and the edits that are done after it are measured.
    """
    drawn = []
    for place, sentence in enumerate(corrected):
        rng = np.random.default_rng((seed, place))
        for _ in range(samples):
            order = rng.permutation(len(sentence.edits)).tolist()
            place_of_source = int(rng.integers(len(order) + (edits == "all")))
            texts = [sentence.with_edits(order[:k]) for k in range(len(order) + 1)]
            drawn += [
                Step(sentence.id, sentence.edits[order[k]].kind, texts[place_of_source], texts[k], texts[k + 1])
                for k in range(0 if edits == "all" else place_of_source, len(order))
            ]
    return drawn


def deltas(drawn: Sequence[Step], scores: PairScores) -> dict[str, np.ndarray]:
    """Compute the change of each score by each edit, shape (steps,)."""
    values = scores([pair for step in drawn for pair in ((step.source, step.before), (step.source, step.after))])
    return {kind: values[kind][1::2] - values[kind][::2] for kind in KINDS}


def run(
    path: Path,
    scores: PairScores,
    *,
    edits: Edits = "all",
    samples: int = 1,
    often: int = 50,
    seed: int = 0,
    resamples: int = 1000,
    limit: int | None = None,
) -> Study:
    """Study an M2 file, or its first ``limit`` corrected sentences; of types that occur ``often`` edits are listed."""
    corrected, errors = read_corrected(path)
    corrected = corrected[:limit]
    drawn = steps(corrected, edits=edits, samples=samples, seed=seed)
    change = deltas(drawn, scores)
    by: dict[str, list[int]] = defaultdict(list)
    for place, step in enumerate(drawn):
        by[step.kind].append(place)
    types = sorted(by, key=lambda kind: (-len(by[kind]), kind))

    def means_of(places: Sequence[int]) -> dict[str, Interval]:
        return {kind: bootstrap_interval(change[kind][places], resamples=resamples, seed=seed) for kind in KINDS}

    means = {t: means_of(by[t]) for t in types}
    weighted = {kind: sum(len(by[t]) * abs(means[t][kind].value) for t in types) / max(1, len(drawn)) for kind in KINDS}
    rows: list[Row] = [(t, len(by[t]), *means[t].values()) for t in types]
    rows.append(("all edits", len(drawn), *means_of(range(len(drawn))).values()))
    rows.append(("weighted mean |Δ|", len(drawn), *weighted.values()))
    groups: dict[str, list[int]] = defaultdict(list)
    for t in types:
        groups[_subject(t)] += by[t]
    grouped = sorted(groups, key=lambda g: (-len(groups[g]), g))
    frequent = [t for t in types if len(by[t]) >= often]
    far = {kind: [t for t in frequent if abs(means[t][kind].value) >= FAR] for kind in KINDS}
    checks = [Check.limit(f"{TITLES[k]}: weighted mean |Δ|", weighted[k], "≤", WANTED_MEAN, 2) for k in KINDS]
    operations = {t: [place for kind in by if kind[:2] in t for place in by[kind]] for t in (("M:", "U:"), ("R:",))}
    if edits == "after" and all(operations.values()):
        whole, other = (float(np.abs(change["usim"][places]).mean()) for places in operations.values())
        what = "USim: mean |Δ| of words put in or left out, and of words replaced"
        checks.append(Check(what, f"{show(whole)}, {show(other)}", "the first is greater", whole > other))
    examples: list[Row] = []
    for kind in KINDS:
        for t in far[kind]:
            direction = math.copysign(1.0, means[t][kind].value)
            most = sorted(by[t], key=lambda place: (-direction * change[kind][place], place))
            once: dict[tuple[str, str], float] = {}  # an edit may be drawn several times
            for place in most:
                once.setdefault((drawn[place].before, drawn[place].after), float(change[kind][place]))
            shown_edits = list(once.items())[:_EXAMPLES]
            examples += [(TITLES[kind], t, moved, before, after) for (before, after), moved in shown_edits]

    def draw(figure: Figure) -> None:
        shown = frequent or types[:20]
        axes = figure.subplots()
        for i, kind in enumerate(KINDS):
            value = np.array([means[t][kind].value for t in shown])
            spread = np.array([[means[t][kind].low, means[t][kind].high] for t in shown]).T
            y = np.arange(len(shown)) + (i - 0.5) * 0.3
            axes.errorbar(value, y, xerr=np.abs(spread - value), fmt="o", markersize=3, label=TITLES[kind])
        axes.set_yticks(range(len(shown)), [f"{t} ({len(by[t])})" for t in shown])
        axes.invert_yaxis()
        for at in (-FAR, FAR):
            axes.axvline(at, color="grey", linestyle=":")
        axes.axvline(0, color="grey", linewidth=0.8)
        axes.set_xlabel("mean change of the score by one edit")
        axes.legend()

    columns = ("type", "occurrences", *(f"Δ {TITLES[kind]}" for kind in KINDS))
    tables = [
        Table(
            "types",
            f"Sensitivity to types of errors: {len(drawn)} edits of {len(corrected)} corrected sentences",
            columns,
            tuple(rows),
            "mean change of the score when an edit of the type is done [95% interval]",
        ),
    ]
    if set(groups) != set(types):  # ERRANT's types say what is corrected and how, NUCLE's do not
        tables.append(
            Table(
                "groups",
                "The same by what is corrected, whether it was missing (M), unnecessary (U) or replaced (R)",
                columns,
                tuple((g, len(groups[g]), *means_of(groups[g]).values()) for g in grouped),
            )
        )
    if examples:
        tables.append(
            Table(
                "examples",
                f"Types with |Δ| ≥ {show(FAR)}: the edits that moved the score most",
                ("score", "type", "Δ", "before", "after"),
                tuple(examples),
            )
        )
    tables += [_tests(change, by, types), _beside_table_2(change["usim"], by)]
    return Study(
        "error_types",
        "How much does each type of correction move the score?",
        tuple(tables),
        scores.signatures,
        {"m2": path, "edits": edits, "samples": samples, "often": often, "limit": limit, "seed": seed}
        | {"resamples": resamples},
        tuple(checks),
        {"weighted mean |Δ|": weighted, "types over the limit": far, "records that cannot be read": errors},
        (f"{len(errors)} records could not be read: {errors[0]}",) if errors else (),
        draw,
        (8.0, max(3.0, 0.28 * (len(frequent) or 20))),
    )


def _tests(change: dict[str, np.ndarray], by: dict[str, list[int]], types: Sequence[str]) -> Table:
    """Test for each type whether its mean change is 0, corrected for their number (Holm 1979)."""
    tested = [t for t in types if len(by[t]) > 1]
    columns: list[list[float]] = []
    for kind in KINDS:
        p = [_p_value(change[kind][by[t]]) for t in tested]
        columns += [p, holm(p)]
    return Table(
        "tests",
        f"Whether a type moves the score: t-tests of {len(tested)} types, corrected for their number (Holm)",
        ("type", "occurrences", *(f"{TITLES[kind]}: {p}" for kind in KINDS for p in ("p", "p, Holm"))),
        tuple((t, len(by[t]), *values) for t, *values in zip(tested, *columns, strict=True)),
        "types that occur once are left out",
        digits=4,
    )


def _p_value(values: np.ndarray) -> float:
    """Return the p value of a t-test of a mean of 0; 1 where all values are 0, 0 where they are another constant."""
    if np.ptp(values) == 0:
        return float(values[0] == 0)
    return float(ttest_1samp(values, 0.0).pvalue)


def _beside_table_2(change: np.ndarray, by: dict[str, list[int]]) -> Table:
    """Put the paper's Table 2 beside the types measured: NUCLE's own, or the nearest of ERRANT's."""
    rows: list[Row] = []
    for name, (printed, edits) in TABLE_2.items():
        nearest = (name,) if name in by else NEAREST.get(name, ())
        places = [place for t in nearest for place in by.get(t, ())]
        own = float(change[places].mean()) if places else None
        rows.append((name, printed, edits, own, len(places), " ".join(t for t in nearest if t in by and t != name)))
    return Table(
        "table-2",
        "USim by types of NUCLE, as Table 2 of the paper prints it and as measured",
        ("type", "printed Δ", "printed edits", "Δ USim", "edits", "measured on"),
        tuple(rows),
    )


def _subject(kind: str) -> str:
    """Return a type of ERRANT without the operation.

    >>> _subject("R:VERB:SVA"), _subject("Vform")
    ('VERB:SVA', 'Vform')
    """
    head, colon, rest = kind.partition(":")
    return rest if colon and head in ("M", "U", "R") else kind


main = Command(
    run,
    Option(
        "--m2", dest="path", type=Path, required=True, metavar="M2", help="sentences with typed edits, e.g. bea-dev.m2"
    ),
    Option(
        "--edits",
        choices=("all", "after"),
        default="all",
        help="all, with any sentence on the way as the source, as in the paper; or those after the source alone",
    ),
    Option("--samples", type=int, default=1, help="how many orders of the edits are drawn a sentence"),
    Option("--limit", type=int, metavar="N", help="the first N corrected sentences alone"),
    Option(
        "--often",
        type=int,
        default=50,
        help="from how many occurrences on the edits of a type that moves a score far are listed",
    ),
    measures=KINDS,
)

if __name__ == "__main__":
    sys.exit(main())
