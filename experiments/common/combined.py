"""Grammar, spelling and meaning of a correction in one score, with weights chosen on people's ratings.

The form is that of SOME (Yoshimura et al. 2020): a weighted sum of grammaticality, fluency and meaning. The parts of
SOME are networks that were trained on ratings. Here they are trained on none: the shares of words without a mistake and
without a misspelling (:mod:`experiments.common.grammar`), and the judge's faithfulness. There is no language model, so
fluency is seen only as far as the checker knows it.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import islice, product
from pathlib import Path
from typing import NamedTuple

import numpy as np

from experiments.common.statistics import Draws, Values, pearson, spearman
from training.rated import tmu
from usim.errors import InputError
from usim.report.tables import Row, Table

#: The ratings of TMU-GFM, by the names of their columns; ``overall`` is their mean.
RATINGS = {"ave_g": "grammar", "ave_f": "fluency", "ave_m": "meaning"}
OVERALL = "overall"
FOLDS = 5
_STEP = 20  # weights are multiples of 1/20
#: The score with the weights of each fold chosen on the others, and that of equal weights, for comparison.
COMBINED, EQUAL = "combined, cross-validated", "equal weights"


class Weights(NamedTuple):
    """The weights of the parts of the score; none is below 0, and together they are 1."""

    grammar: float
    spelling: float
    meaning: float


#: The names of the parts.
PARTS = Weights._fields


@dataclass(frozen=True)
class Corrected:
    """Outputs with people's ratings.

    Attributes:
        ratings: by name (the values of :data:`RATINGS`, and ``overall``), shape (pairs,).
        systems: for each pair the systems whose output it is.
    """

    pairs: tuple[tuple[str, str], ...]
    ratings: dict[str, Values]
    systems: tuple[tuple[str, ...], ...]


def read_ratings(path: Path, limit: int | None = None) -> Corrected:
    """Read TMU-GFM, or the first ``limit`` of its pairs; the errors are those of :func:`training.rated.tmu`."""
    rows = list(islice(tmu(path, tuple(RATINGS)), limit))
    if not rows:
        raise InputError("no pairs in it", path=path)
    by_name = dict(zip(RATINGS.values(), np.array([row.others for row in rows]).T, strict=True))
    return Corrected(
        tuple((row.source, row.output) for row in rows),
        by_name | {OVERALL: np.mean(list(by_name.values()), axis=0)},
        tuple(row.systems for row in rows),
    )


def best_weights(parts: Values, rating: Values) -> Weights:
    """Return the weights, multiples of 1/20, whose sum of parts (pairs, 3) correlates best with a rating (Pearson)."""
    grid = [(a, b, _STEP - a - b) for a, b in product(range(_STEP + 1), repeat=2) if a + b <= _STEP]
    figures = [np.nan_to_num(pearson(parts @ np.array(weights), rating), nan=-1.0) for weights in grid]
    return Weights(*(weight / _STEP for weight in grid[int(np.argmax(figures))]))


def folds_of(sources: Sequence[str], seed: int) -> Values:
    """Return the fold of each pair; all pairs of a source are in one fold."""
    distinct = list(dict.fromkeys(sources))
    fold = dict(zip(distinct, np.random.default_rng(seed).permutation(len(distinct)) % FOLDS, strict=True))
    return np.array([fold[source] for source in sources], dtype=np.float64)


def cross_validated(parts: Values, rating: Values, folds: Values) -> tuple[Values, list[Weights]]:
    """Return the score of each pair by the weights that were chosen on the other folds, and these weights."""
    scores, chosen = np.zeros(len(rating)), []
    for fold in sorted(set(folds.tolist())):
        held = folds == fold
        chosen.append(best_weights(parts[~held], rating[~held]))
        scores[held] = parts[held] @ np.array(chosen[-1])
    return scores, chosen


def tables(data: Corrected, parts: Values, *, seed: int, resamples: int) -> list[Table]:
    """Return how each part and the whole agree with each rating.

    The weights to use are those chosen on all pairs, or equal ones if the weights that were chosen on other sources
    agree less with people (Pearson, overall): then the ratings are too few, or the parts too weak.

    Args:
        data: the outputs and their ratings.
        parts: the parts of the score of each output, shape (pairs, 3), in the order of
            :data:`PARTS`.

    Raises:
        InputError: there are fewer sources than folds.
    """
    sources = [source for source, _ in data.pairs]
    if len(set(sources)) < FOLDS:
        raise InputError(f"{FOLDS} sources or more are needed to choose weights")
    scores, chosen = cross_validated(parts, data.ratings[OVERALL], folds_of(sources, seed))
    columns = {name: parts[:, k] for k, name in enumerate(PARTS)}
    columns |= {EQUAL: parts.mean(axis=1), COMBINED: scores}
    weights = best_weights(parts, data.ratings[OVERALL])
    is_better = pearson(scores, data.ratings[OVERALL]) > pearson(columns[EQUAL], data.ratings[OVERALL])
    draws = Draws(sources, resamples, seed)
    spread = "; ".join(" / ".join(f"{value:.2f}" for value in own) for own in chosen)
    note = (
        f"[95% interval, sources drawn again]; {FOLDS} folds by source; weights of {' / '.join(PARTS)}:"
        f" {' / '.join(f'{value:.2f}' for value in weights)} on all pairs, on all but one fold {spread};"
        f" used: {'those of all pairs' if is_better else 'equal ones, which agree better'}"
    )
    rows: list[Row] = []
    for part, values in columns.items():
        cells = draws.intervals(lambda places, v=values: [pearson(v[places], r[places]) for r in data.ratings.values()])
        rows.append((part, len(data.pairs), *cells, spearman(values, data.ratings[OVERALL])))
    header = ("score", "pairs", *(f"Pearson, {rating}" for rating in data.ratings), f"Spearman, {OVERALL}")
    title = "Grammar, spelling and meaning in one score, by sentence"
    by_sentence = Table("combined", title, header, tuple(rows), note)
    return [by_sentence, _systems_table(data, columns)]


def _systems_table(data: Corrected, columns: dict[str, Values]) -> Table:
    systems = sorted({name for names in data.systems for name in names})
    belongs = np.array([[name in names for name in systems] for names in data.systems], dtype=np.float64)
    counts = belongs.sum(axis=0)

    def means(values: Values) -> Values:
        return np.asarray(belongs.T @ values / counts)

    rating = means(data.ratings[OVERALL])
    rows = tuple(
        (part, len(systems), pearson(means(values), rating), spearman(means(values), rating))
        for part, values in columns.items()
    )
    note = (
        f"correlation of the means of {', '.join(systems)} with their mean overall ratings; so few systems say little"
    )
    title = "Grammar, spelling and meaning in one score, by system"
    return Table("combined-systems", title, ("score", "systems", "Pearson", "Spearman"), rows, note)
