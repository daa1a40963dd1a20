"""Can a verdict be trusted where a whole sentence or paragraph was rewritten?

    python -m experiments rewrites [TABLE …] [--data DIR] [--model NAME] [--risk .1] [--policy same] [--out DIR]

A table (TSV, or JSON lines, ``.gz`` too) has the columns ``source``, ``output`` and ``label``: 1 or ``kept`` where the
meaning survived; labels between 0 and 1 count from .5. ``direction`` says what a drifted rewrite did (``added``,
``lost``, ``changed``): a policy that allows it counts the rewrite as faithful. Without a table, those in
``experiments/rewrites_by_others`` are measured. Each has an author with a brief of its own, which no author of training
pairs had; nobody has read them, and nothing was chosen on them. With ``--data``, a folder of published files, the
contrast pairs and the held-out parts of PAWS-Wiki and SummEdits are measured, too.

Printed are, for each table and each of its kinds, the AUC, how often the faithful one of two rewrites of a source is
the more faithful, how often *keep* and *drop* are right, and the share of pairs with a verdict. The curve has the share
of wrong verdicts when the surest pairs alone get one.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np

from experiments.common.command import Command, Option
from experiments.common.statistics import Draws, Places, prepare_area, risk_coverage
from experiments.common.study import Study
from judges import data
from judges.calibrate import ACCEPTED
from judges.data import Pair
from usim.cli.output import progress
from usim.errors import FormatError, InputError
from usim.judge import POLICIES, Policy, Result, Verdict
from usim.options import Options
from usim.records import find_format, read_rows
from usim.report.tables import Row, Table
from usim.scorer import Scorer
from usim.verdicts.thresholds import DEFAULT_RISK

ALL = "all"
OWN = Path(__file__).with_name("rewrites_by_others")
#: What a policy allows a drifted rewrite to do.
_ALLOWED = {"same": "", "shorten": "lost", "expand": "added"}


def read(path: Path, policy: Policy = "same") -> list[Pair]:
    """Read a table; the label of what a policy allows is 1."""
    rewrites = []
    for line, row in read_rows(path, find_format(path) or "tsv"):
        try:
            if line.error:
                raise ValueError(line.error)
            label = str(row["label"])
            is_kept = label == "kept" or (label != "changed" and float(label) >= 0.5)
            is_faithful = is_kept or row.get("direction") == _ALLOWED[policy] != ""
            source, output = (" ".join(str(row[side]).split()) for side in ("source", "output"))
        except (KeyError, ValueError) as e:
            raise FormatError(
                f"a row needs source, output and a label of 0 to 1: {e}", path=path, line=line.number
            ) from e
        kind = str(row.get("domain") or row.get("kind") or "")
        rewrites.append(Pair(source, output, float(is_faithful), "rewrites", source, kind=kind))
    if not rewrites:
        raise InputError("there are no pairs to measure on", path=path)
    return rewrites


def held_out(folder: Path, most: int = 390) -> dict[str, list[Pair]]:
    """Return the contrast pairs, and so many pairs of published sets that no judge has learned from, by their names."""
    published = {
        "PAWS-Wiki": data.paws(folder / "paws-wiki-dev.tsv.gz"),
        "SummEdits": data.summedits(folder / "summedits-dev.jsonl.gz"),
    }
    sets = {"contrast pairs": list(data.contrast(OWN.with_name("contrast_pairs.tsv")))}
    return sets | {name: [pair for pair in pairs if pair.is_held_out][:most] for name, pairs in published.items()}


def figures(rewrites: Sequence[Pair], results: Sequence[Result], draws: Draws) -> Row:
    """Return AUC, right order, how often verdicts are right, the share decided, and that of faithful ones kept."""
    label = np.array([rewrite.label >= ACCEPTED for rewrite in rewrites])
    said = np.array([result.judgement.faithfulness for result in results])
    verdict = np.array([result.judgement.verdict for result in results])

    def share(of: Verdict, *, right: bool) -> Any:
        def value(places: Places) -> float:
            some = places[verdict[places] == of]
            return float((label[some] == right).mean()) if len(some) else float("nan")

        return draws.interval(value) if (verdict == of).any() else None

    decided = draws.interval(lambda places: float((verdict[places] != "review").mean()))
    kept = draws.interval(lambda places: float((verdict[places] == "keep")[label[places]].mean()))
    return (
        len(label), draws.interval(prepare_area(said, label)) if label.any() and not label.all() else None,
        right_order(rewrites, said), share("keep", right=True), share("drop", right=False), decided, kept,
    )  # fmt: skip


def right_order(rewrites: Sequence[Pair], said: np.ndarray) -> float | None:
    """Return how often a faithful rewrite is more faithful than a drifted one of the same source; a tie counts half."""
    of_source: dict[str, tuple[list[float], list[float]]] = {}
    for rewrite, value in zip(rewrites, said.tolist(), strict=True):
        of_source.setdefault(rewrite.source, ([], []))[rewrite.label >= ACCEPTED].append(value)
    apart = [good - bad for drifted, faithful in of_source.values() for good in faithful for bad in drifted]
    return float(((np.sign(apart) + 1) / 2).mean()) if apart else None


def _run(
    tables: Sequence[Path], published: Path | None, options: Options, risk: float | str, policy: Policy,
    limit: int | None, seed: int, resamples: int,
) -> Study:  # fmt: skip
    options = replace(options, risk="strict" if risk == "strict" else float(risk), policy=policy)
    scorer = Scorer(options=options)
    rows: list[Row] = []
    points: list[Row] = []
    sets = {path.name: read(path, policy) for path in tables or sorted(OWN.glob("*.tsv"))}
    if published is not None:
        sets |= held_out(published)
    every: list[tuple[Pair, Result]] = []
    for name, all_of_set in sets.items():
        rewrites = all_of_set[:limit]
        pairs = [(rewrite.source, rewrite.output) for rewrite in rewrites]
        results = list(progress(scorer.score_pairs(pairs), len(pairs), name, quiet=True))
        for kind in (ALL, *(dict.fromkeys(r.kind for r in rewrites if r.kind) if len(sets) < 2 else ())):
            places = [k for k, rewrite in enumerate(rewrites) if kind in (ALL, rewrite.kind)]
            some = [rewrites[k] for k in places]
            draws = Draws([rewrite.source for rewrite in some], resamples, seed)
            rows.append((name, kind, *figures(some, [results[k] for k in places], draws)))
        every += zip(rewrites, results, strict=True)
        said = np.array([result.judgement.faithfulness for result in results])
        labels = np.array([rewrite.label >= ACCEPTED for rewrite in rewrites])
        points += [(name, *point) for point in risk_coverage(said, labels)]
    if not tables and published is None:
        joined, results = zip(*every, strict=True)
        _, _, _, *shares = figures(joined, results, Draws([rewrite.source for rewrite in joined], resamples, seed))
        means = (np.mean([getattr(row[column], "value", row[column]) for row in rows]).item() for column in (3, 4))
        rows.append(("all, mean AUC and order", ALL, len(joined), *means, *shares))
    columns = ("table", "kind", "pairs", "AUC", "right order", "keep right", "drop right", "decided", "faithful kept")
    title = f"Verdicts at a risk of {options.risk_share:g}, policy {policy}"
    trust = Table("trust", title, columns, tuple(rows), "[95% interval]")
    curves = Table(
        "curve", "Wrong verdicts by how many pairs get one", ("table", "decided", "wrong"), tuple(points), shown=False
    )

    def draw(figure: Any) -> None:
        axes = figure.subplots()
        for name in dict.fromkeys(str(row[0]) for row in points):
            own = [row for row in points if row[0] == name]
            axes.plot([row[1] for row in own], [row[2] for row in own], label=name)
        axes.set(xlabel="share of pairs with a verdict", ylabel="share of these that is wrong", xlim=(0, 1), ylim=0)
        axes.legend()

    return Study(
        "rewrites",
        "Can a verdict be trusted where a whole sentence or paragraph was rewritten?",
        (trust, curves),
        {"scores": str(scorer.signature)},
        {"seed": seed, "resamples": resamples},
        draw=draw,
    )


main = Command(
    _run,
    Option("tables", nargs="*", type=Path, metavar="TABLE", help="pairs with labels (default: those by others)"),
    Option("--data", dest="published", type=Path, metavar="DIR", help="measure the held-out parts of its files, too"),
    Option("--risk", default=DEFAULT_RISK, help="the share of wrong verdicts, or strict (default: %(default)s)"),
    Option("--policy", choices=POLICIES, default="same", help="what an output may do (default: %(default)s)"),
    Option("--limit", type=int, metavar="N", help="the first N pairs of each table"),
)
