"""Do verdicts and findings tell pairs that keep the meaning from pairs that change it?

    python -m experiments reasons [--pairs FILE | --rated FILE] [--model en] [--format text|json|markdown]

For each phenomenon of contrast pairs (``contrast_pairs.tsv``; docs/explanation/numbers.md): every unfaithful pair
should have a finding, no faithful pair should, and no pair that is kept may show one. ``--rated`` takes corrections of
learners' sentences that people rated (TMU-GFM) in place of such pairs: the first :data:`RATED` that changed something
and whose meaning they call preserved. **Nothing may be chosen by these pairs.**
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

from experiments.common.command import Command, Option
from experiments.common.study import Study
from judges.data import Pair, contrast, tmu
from usim.errors import InputError
from usim.report.tables import Row, Table
from usim.scorer import Scorer

PAIRS = Path(__file__).with_name("contrast_pairs.tsv")
#: The number of rated pairs that are taken, and the least mean rating of each, from 1 to 4.
RATED, PRESERVED = 200, 3.5
GRAVE = 0.5  # the least weight of a grave finding
#: What is counted of the pairs of a phenomenon.
_COUNTS = ("pairs", "kept", "grave", "any", "shown", "contradicted", "first shown", "otherwise")


def read_rated(path: Path) -> list[Pair]:
    """Read the first :data:`RATED` corrections that people say preserve the meaning."""
    faithful = [pair for pair in tmu(path) if pair.figure >= PRESERVED and pair.source != pair.output][:RATED]
    return [replace(p, label=1.0, kind="rated", key=str(number)) for number, p in enumerate(faithful, start=1)]


def run(pairs: Sequence[Pair], scorer: Scorer) -> Study:
    """Count verdicts and findings by phenomenon: those that change the meaning first, after each label all of it."""
    if not pairs:
        raise InputError("there are no pairs to measure on")
    results = scorer.score_pairs((pair.source, pair.output) for pair in pairs)
    judged = [(pair, result.judgement) for pair, result in zip(pairs, results, strict=True)]
    rows: list[Row] = []
    for faithful in (False, True):
        for name in (*dict.fromkeys(pair.kind for pair in pairs if pair.label == faithful), "all"):
            own = [(p, j) for p, j in judged if p.label == faithful and name in ("all", p.kind)]
            if not own:
                continue
            kinds = Counter(judgement.shown[0].kind for _, judgement in own if judgement.shown)
            rows.append(
                (
                    name,
                    "yes" if faithful else "no",
                    len(own),
                    sum(j.verdict == "keep" for _, j in own),
                    sum(bool(j.findings) and j.findings[0].weight >= GRAVE for _, j in own),
                    sum(bool(j.findings) for _, j in own),
                    kinds.total(),
                    sum(j.verdict == "keep" and bool(j.shown) for _, j in own),
                    ", ".join(f"{kind} {count}" for kind, count in kinds.most_common(4)),
                    "" if name == "all" else " ".join(p.key for p, j in own if (j.verdict == "keep") != faithful),
                )
            )
    note = (
        f"grave: a finding of {GRAVE:g} or more; contradicted: kept, and yet a finding is shown; "
        "otherwise: the pairs with another verdict than expected"
    )
    return Study(
        "reasons",
        "Do verdicts and findings tell pairs that keep the meaning from pairs that change it?",
        (Table("counts", f"{len(pairs)} pairs", ("phenomenon", "faithful", *_COUNTS), tuple(rows), note),),
        {"scores": str(scorer.signature)},
        {},
    )


def _run(pairs: Path, rated: Path | None, scorer: Scorer) -> Study:
    return run(read_rated(rated) if rated else list(contrast(pairs)), scorer)


main = Command(
    _run,
    Option("--pairs", type=Path, default=PAIRS, help="another file of pairs"),
    Option("--rated", type=Path, metavar="FILE", help="TMU-GFM in place of pairs; CSV"),
    shared=("out", "model", "parser", "judge"),
)
