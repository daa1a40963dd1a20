"""Do valid corrections score above outputs of poor systems and above unrelated sentences?

    python -m experiments.separation --folder DIR [--part dev] [--worst SYSTEM …] [--out DIR]

Each source of a corpus in the form of JFLEG is scored with each of its corrections, with each system's output, and with
another source drawn at random. The AUC is the chance that a correction by people scores above such a pair (of any
sentence); that against changed outputs leaves unchanged sentences out on both sides. Intervals come from drawing the
sources again. The worst systems are those named, or the half whose outputs are least like the closest correction
(chrF).
"""

from __future__ import annotations

import sys
from collections.abc import Sequence
from pathlib import Path

import numpy as np

from experiments.common.command import Command, Option
from experiments.common.corrections import Corrections, random_others, read_corrections
from experiments.common.scores import KINDS, TITLES, PairScores, ScoreGrid
from experiments.common.statistics import Draws, Places, Values, auc
from experiments.common.study import Check, Figure, Study
from experiments.common.surface import chrf
from usim.errors import InputError
from usim.report.tables import Cell, Row, Table, show
from usim.stats import Interval

#: The paper's means of the references of several corpora, with TUPA: the lowest and the highest.
PUBLISHED = (0.72, 0.78)
WANTED_REFERENCES = 0.80
WANTED_RANDOM = 0.35


def worst_systems(corpus: Corrections) -> tuple[str, ...]:
    """Return the half of the systems (rounded up) whose outputs are least like the closest reference, worst first."""
    references = list(corpus.references.values())

    def likeness(outputs: list[str]) -> float:
        return float(np.mean([max(chrf(o, r[i]) for r in references) for i, o in enumerate(outputs)]))

    ranked = sorted(corpus.systems, key=lambda name: likeness(corpus.systems[name]))
    return tuple(ranked[: (len(ranked) + 1) // 2])


def run(
    folder: Path,
    scores: PairScores,
    *,
    part: str | None = None,
    worst: Sequence[str] = (),
    seed: int = 0,
    resamples: int = 1000,
) -> Study:
    """Study one folder in the form of :mod:`experiments.common.corrections`; ``worst`` are the worst systems."""
    corpus = read_corrections(folder, part)
    unknown = [name for name in worst if name not in corpus.systems]
    if unknown:
        raise InputError(f"no output of {', '.join(unknown)}; there is {', '.join(corpus.systems)}", path=folder)
    worst = tuple(worst) or worst_systems(corpus)
    n = len(corpus.sources)
    outputs = corpus.references | corpus.systems | {"random": random_others(corpus.sources, seed)}
    grid = ScoreGrid(corpus.sources, outputs, scores)
    people = grid.columns(corpus.references)
    groups = {"references": people} | {name: grid.columns([name]) for name in (*corpus.references, *corpus.systems)}
    if worst:
        groups["worst systems"] = grid.columns(worst)
    groups["random sentences"] = grid.columns(["random"])
    draws = Draws(range(n), resamples, seed)

    def mean(kind: str, columns: list[int]) -> Interval:
        own = grid[kind][:, columns].mean(axis=1)
        return draws.interval(lambda places: float(own[places].mean()))

    def above(kind: str, columns: list[int], *, changed: bool = False) -> Interval:
        values = np.where(grid.same, np.nan, grid[kind]) if changed else grid[kind]

        def figure(places: Places) -> float:
            drawn = values[places]
            return auc(_numbers(drawn[:, people]), _numbers(drawn[:, columns]))

        return draws.interval(figure)

    rows: list[Row] = []
    for name, own in groups.items():
        by_people = name == "references" or name in corpus.references
        row: list[Cell] = [name, n * len(own), float(grid.same[:, own].mean())]
        for kind in KINDS:
            row += [mean(kind, own), None if by_people else above(kind, own)]
            row.append(None if by_people else above(kind, own, changed=True))
        rows.append(tuple(row))
    header = ["pairs with the source", "pairs", "unchanged"]
    for kind in KINDS:
        header += [TITLES[kind], f"{TITLES[kind]}: AUC", f"{TITLES[kind]}: AUC, changed"]
    table = Table(
        "means",
        f"Separation on {corpus.name} of {Path(folder).name}: {n} sources",
        tuple(header),
        tuple(rows),
        "mean [95% interval]; AUC of the references against the row, over all pairs and over pairs whose sentences "
        f"differ; worst systems: {', '.join(worst) or 'none'}; published means of references (TUPA): "
        f"{show(PUBLISHED[0], 2)} to {show(PUBLISHED[1], 2)}",
    )
    checks = []
    for kind in KINDS:
        reference, random = (float(grid[kind][:, c].mean()) for c in (people, groups["random sentences"]))
        checks.append(Check.limit(f"{TITLES[kind]} of references", reference, "≥", WANTED_REFERENCES, 2))
        checks.append(Check.limit(f"{TITLES[kind]} of random sentences", random, "<", WANTED_RANDOM, 2))

    def draw(figure: Figure) -> None:
        axes = figure.subplots(1, len(KINDS), sharey=True)
        for ax, kind in zip(axes, KINDS, strict=True):
            shown = {"references": people} | {name: grid.columns([name]) for name in (*corpus.systems, "random")}
            ax.boxplot(
                [grid[kind][:, c].ravel() for c in shown.values()],
                tick_labels=list(shown),
                showmeans=True,
                flierprops={"markersize": 1.5, "alpha": 0.3},
            )
            ax.set_title(TITLES[kind])
            ax.set_ylim(-0.02, 1.02)
            ax.tick_params(axis="x", rotation=35)
        axes[0].set_ylabel("score with the source")

    return Study(
        "separation",
        "Do valid corrections score above poor outputs and unrelated sentences?",
        (table,),
        scores.signatures,
        {"folder": folder, "part": corpus.name, "worst": list(worst), "seed": seed, "resamples": resamples},
        tuple(checks),
        {"published": {"references, TUPA": list(PUBLISHED)}},
        draw=draw,
        size=(9.0, 4.5),
    )


def _numbers(grid: Values) -> Values:
    flat = np.ravel(grid)
    return flat[~np.isnan(flat)]


#: Options of the studies that read a folder of corrections.
FOLDER = (
    Option("--folder", type=Path, required=True, help="a corpus in the form of JFLEG"),
    Option("--part", help="which files of the folder: the beginning of their names"),
)

main = Command(
    run,
    *FOLDER,
    Option("--worst", action="append", metavar="SYSTEM", help="a worst system; again for more"),
    measures=KINDS,
)

if __name__ == "__main__":
    sys.exit(main())
