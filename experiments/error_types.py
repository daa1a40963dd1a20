"""How much does each type of correction move the score? (§4.4, Table 2 of the USim paper)

    python -m experiments error_types --m2 FILE [--out DIR] [--samples N] [--seed N] [--edits all|after] [--limit N]

As in Choshen & Abend (2018): of the edits of an annotator an order is drawn, and any of the sentences that come about
one after the other (no edit done, the first, the first two, …, all) is drawn to be the source. Every edit counts with

    Δ(edit) = score(source, sentence with the edit) − score(source, sentence just before it)

and with ``--edits after`` only those after a source that is not the last sentence: how much an edit costs. The weighted
mean |Δ| weighs the |mean Δ| of each type by its occurrences. Types are those of the file: ERRANT's or NUCLE's.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Literal, NamedTuple

import numpy as np
from scipy.stats import ttest_1samp

from experiments.common.command import Command, Option
from experiments.common.statistics import Values
from experiments.common.study import Figure, Study
from training.statistics import grouped
from usim.cli.output import progress
from usim.errors import InputError
from usim.records import BadRecord, Record, read_suggestions
from usim.report.tables import Row, Table
from usim.scorer import Scorer
from usim.stats import Interval, bootstrap_interval, holm

Edits = Literal["all", "after"]
TextPair = tuple[str, str]
#: The scores of a pair, and their titles in tables.
TITLES = {"usim": "USim", "judge": "faithfulness"}
KINDS = tuple(TITLES)


class WordEdit(NamedTuple):
    """Words ``start .. end-1`` become others, which differ from them."""

    start: int
    end: int
    new: tuple[str, ...]
    kind: str


@dataclass(frozen=True)
class Corrected:
    """A sentence and the corrections of one annotator."""

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


class Step(NamedTuple):
    """One edit, done after some others: the score compares the source with the sentence before it and after it."""

    kind: str
    source: str
    before: str
    after: str


def read_corrected(path: Path) -> tuple[list[Corrected], list[str]]:
    """Read the corrected sentences of an M2 file by each annotator, and the errors of unreadable records."""
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
            # The first of the alternatives of an edit counts; it comes first.
            edits[about["annotator"]].setdefault((start, end, edit.kind), edit)
    for own in edits.values():
        yield Corrected(tuple(record.text.split()), tuple(own.values()))


def steps(corrected: Sequence[Corrected], *, edits: Edits = "all", samples: int = 1, seed: int = 0) -> list[Step]:
    """Return the single edits to measure: for each sentence, an order and a source are drawn ``samples`` times.

    The draws for a sentence depend only on its place in the file and the seed. With ``all`` the source is any of the
    sentences on the way, and every edit is measured, as in the paper; with ``after`` the source is any but the last,
    and the edits that are done after it are measured.
    """
    drawn = []
    for place, sentence in enumerate(corrected):
        rng = np.random.default_rng((seed, place))
        for _ in range(samples):
            order = rng.permutation(len(sentence.edits)).tolist()
            place_of_source = int(rng.integers(len(order) + (edits == "all")))
            texts = [sentence.with_edits(order[:k]) for k in range(len(order) + 1)]
            drawn += [
                Step(sentence.edits[order[k]].kind, texts[place_of_source], texts[k], texts[k + 1])
                for k in range(0 if edits == "all" else place_of_source, len(order))
            ]
    return drawn


def run(
    path: Path,
    scorer: Scorer,
    *,
    edits: Edits = "all",
    samples: int = 1,
    often: int = 50,
    seed: int = 0,
    resamples: int = 1000,
    limit: int | None = None,
) -> Study:
    """Study an M2 file, or its first ``limit`` corrected sentences; the figure has types of ``often`` edits or more."""
    corrected, errors = read_corrected(path)
    corrected = corrected[:limit]
    drawn = steps(corrected, edits=edits, samples=samples, seed=seed)
    change = changes(drawn, partial(score_pairs, scorer))
    by = grouped((step.kind, place) for place, step in enumerate(drawn))
    types = sorted(by, key=lambda kind: (-len(by[kind]), kind))

    def means_of(places: Sequence[int]) -> dict[str, Interval]:
        return {kind: bootstrap_interval(change[kind][places], resamples=resamples, seed=seed) for kind in KINDS}

    means = {t: means_of(by[t]) for t in types}
    weighted = {kind: sum(len(by[t]) * abs(means[t][kind].value) for t in types) / max(1, len(drawn)) for kind in KINDS}
    rows: list[Row] = [(t, len(by[t]), *means[t].values()) for t in types]
    rows.append(("all edits", len(drawn), *means_of(range(len(drawn))).values()))
    rows.append(("weighted mean |Δ|", len(drawn), *weighted.values()))

    def draw(figure: Figure) -> None:
        shown = [t for t in types if len(by[t]) >= often] or types[:20]
        axes = figure.subplots()
        for i, kind in enumerate(KINDS):
            value = np.array([means[t][kind].value for t in shown])
            spread = np.array([[means[t][kind].low, means[t][kind].high] for t in shown]).T
            y = np.arange(len(shown)) + (i - 0.5) * 0.3
            axes.errorbar(value, y, xerr=np.abs(spread - value), fmt="o", markersize=3, label=TITLES[kind])
        axes.set_yticks(range(len(shown)), [f"{t} ({len(by[t])})" for t in shown])
        axes.invert_yaxis()
        axes.axvline(0, color="grey", linewidth=0.8)
        axes.set_xlabel("mean change of the score by one edit")
        axes.legend()

    table = Table(
        "types",
        f"Sensitivity to types of errors: {len(drawn)} edits of {len(corrected)} corrected sentences",
        ("type", "occurrences", *(f"Δ {TITLES[kind]}" for kind in KINDS)),
        tuple(rows),
        "mean change of the score when an edit of the type is done [95% interval]",
    )
    return Study(
        "error_types",
        "How much does each type of correction move the score?",
        (table, _tests(change, by, types)),
        {"scores": str(scorer.signature)},
        {"m2": path, "edits": edits, "samples": samples, "often": often, "limit": limit, "seed": seed}
        | {"resamples": resamples},
        {"records that cannot be read": errors},
        (f"{len(errors)} records could not be read: {errors[0]}",) if errors else (),
        draw,
        (8.0, max(3.0, 0.28 * min(20, len(types)))),
    )


def score_pairs(scorer: Scorer, pairs: Sequence[TextPair]) -> dict[str, Values]:
    """Score pairs of a source and an output, equal ones once: for each of :data:`KINDS` an array (pairs,)."""
    distinct = list(dict.fromkeys(pairs))
    results = progress(scorer.score_pairs(distinct), len(distinct), "pairs", quiet=True)
    scored = {
        pair: (result.score, result.judgement.faithfulness) for pair, result in zip(distinct, results, strict=True)
    }
    values = np.array([scored[pair] for pair in pairs], dtype=np.float64).reshape(-1, len(KINDS))
    return dict(zip(KINDS, values.T, strict=True))


def changes(drawn: Sequence[Step], score: Callable[[Sequence[TextPair]], Mapping[str, Values]]) -> dict[str, Values]:
    """Return the change of each score by each edit, shape (steps,); ``score`` returns scores of pairs by name."""
    values = score([pair for step in drawn for pair in ((step.source, step.before), (step.source, step.after))])
    return {kind: own[1::2] - own[::2] for kind, own in values.items()}


def _tests(change: Mapping[str, Values], by: Mapping[str, list[int]], types: Sequence[str]) -> Table:
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


def _p_value(values: Values) -> float:
    """Return the p value of a t-test of a mean of 0; 1 where all values are 0, 0 where they are another constant."""
    if np.ptp(values) == 0:
        return float(values[0] == 0)
    return float(ttest_1samp(values, 0.0).pvalue)


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
    Option("--often", type=int, default=50, help="the figure has the types that occur so often (default: %(default)s)"),
)
