"""What is in the data of SWORDS, and how far annotators agree: Tables 2 and 3, Figure 4."""

from __future__ import annotations

import statistics
from collections.abc import Mapping, Sequence
from functools import partial
from pathlib import Path
from typing import Literal

import numpy as np

from experiments.papers.figure import Figure, Row, compared, located
from usim.benchmarks import swords
from usim.lexicon import WordNetLemmatiser

_DRAWS = 100
#: A substitute has three labels, or ten where one of the three was positive.
_LABELS = 10


def describe(gold: swords.Gold) -> dict[str, float]:
    """Count targets, substitutes and labels of a data set in the form of SWORDS, as published, before lemmatising."""
    shares = [list(swords.positive_shares(_sure(target)).values()) for target in gold.values()]
    labels = [given for target in gold.values() for given in target.labels.values()]
    wanted = {kind: [sum(s >= least for s in of) for of in shares] for kind, least in swords.THRESHOLDS.items()}
    return {
        "targets": len(gold),
        "substitutes": sum(len(target.labels) for target in gold.values()),
        "labels": sum(map(len, labels)),
        "substitutes of a target": statistics.mean(len(target.labels) for target in gold.values()),
        "conceivable of a target": statistics.mean(wanted["c"]),
        "acceptable of a target": statistics.mean(wanted["a"]),
        "targets without an acceptable one": sum(not count for count in wanted["a"]),
        "labels UNSURE, per cent": 100 * sum(given.count("UNSURE") for given in labels) / sum(map(len, labels)),
    }


def _sure(target: swords.Target) -> swords.Target:
    sure = {s: tuple(label for label in given if label != "UNSURE") for s, given in target.labels.items()}
    return target._replace(labels={s: given for s, given in sure.items() if given})


def statistics_rows() -> list[Row]:
    """Return the rows of the data: SWORDS in parts and as a whole, and CoInCo."""
    parts = {
        "SWORDS": ("dev", "test"),
        "SWORDS (test)": ("test",),
        "SWORDS (dev)": ("dev",),
    }

    def figures(row: str, files: Sequence[str], data: Path) -> list[Figure]:
        gold: dict[str, swords.Target] = {}
        for file in files:
            gold |= swords.read_gold(located(data, file))
        return compared(row, {}, describe(gold))

    rows = []
    for name, of in parts.items():
        row = f"tables 2 and 3: {name}"
        files = tuple(f"swords/swords-v1.1_{part}.json.gz" for part in of)
        part: Literal["dev", "test"] = "dev" if of == ("dev",) else "test"
        rows.append(Row(row, files, partial(figures, row, files), part))
    for part in ("dev", "test"):
        row = f"tables 2 and 3: COINCO{' (dev)' if part == 'dev' else ''}"
        files = (f"swords/coinco_{part}.json.gz",)
        rows.append(Row(row, files, partial(figures, row, files), part))
    return rows


def overlaps(first: swords.Gold, second: swords.Gold, most: int, *, draws: int = _DRAWS, seed: int = 0) -> list[float]:
    """Compute how rank-biased overlap grows with the number of annotators (Figure 4).

    For each k, k labels of each substitute are drawn from either annotation without replacement, and the two rankings
    by share are compared (:func:`usim.benchmarks.swords.rank_biased_overlap`, p = .9). The data do not say whose a
    label is, so each substitute's labels are drawn by themselves. Where both annotations are the same one, the draws
    are disjoint, so that k is at most half of the labels.

    Args:
        first, second: the annotations; only substitutes with ten labels in both count.
        most: the largest k.
        draws: how often.
        seed: of the draws.

    Returns:
        the mean over targets and draws for k = 1 … ``most``, in per cent.
    """
    lemmatise = WordNetLemmatiser.shipped()
    one, other = swords.lemmatised_gold(first, lemmatise), swords.lemmatised_gold(second, lemmatise)
    pairs = [_positive(one[name], other[name]) for name in one if name in other]
    pairs = [pair for pair in pairs if pair[0].shape[0] > 1]
    is_same = first is second
    rng = np.random.default_rng(seed)
    means = []
    for k in range(1, most + 1):
        totals = []
        for _ in range(draws):
            for left, right in pairs:
                order = rng.permuted(np.tile(np.arange(left.shape[1]), (left.shape[0], 1)), axis=1)
                again = order[:, k:] if is_same else rng.permuted(order, axis=1)
                votes = [
                    np.take_along_axis(of, by[:, :k], axis=1).sum(axis=1) for of, by in ((left, order), (right, again))
                ]
                totals.append(swords.rank_biased_overlap(*(_groups(of.tolist()) for of in votes)))
        means.append(100 * statistics.fmean(totals))
    return means


def _positive(first: swords.Target, second: swords.Target) -> tuple[np.ndarray, np.ndarray]:
    """Return which of the first ten labels are positive, shape (substitutes, 10), in either annotation."""
    common = [
        s for s, given in first.labels.items() if len(given) >= _LABELS and len(second.labels.get(s, ())) >= _LABELS
    ]
    shape = (len(common), _LABELS)
    one, other = (
        np.array([[label in swords.POSITIVE for label in of.labels[s][:_LABELS]] for s in common]).reshape(shape)
        for of in (first, second)
    )
    return one, other


def _groups(votes: Sequence[int]) -> list[list[str]]:
    """Return the places of substitutes in groups of equal votes, most votes first."""
    groups: dict[int, list[str]] = {}
    for place, count in enumerate(votes):
        groups.setdefault(count, []).append(str(place))
    return [groups[count] for count in sorted(groups, reverse=True)]


def agreement_row(part: Literal["dev", "test"]) -> Row:
    """Return the row of Figure 4: on test two annotations of a subset, on dev two halves of the one annotation."""
    row = f"figure 4: RBO with k annotators{' (dev)' if part == 'dev' else ''}"
    if part == "test":
        files = tuple(f"swords/swords-v1.1_test-subset{end}.json.gz" for end in ("", "_reannotated"))
        most, why = _LABELS, "printed as a curve"
    else:
        files = ("swords/swords-v1.1_dev.json.gz",)
        most, why = _LABELS // 2, "two disjoint draws from the ten labels: dev was annotated once"

    def figures(data: Path) -> list[Figure]:
        annotations = [swords.read_gold(located(data, file)) for file in files]
        found = overlaps(annotations[0], annotations[-1], most)
        measured: Mapping[str, float] = {f"k = {k}": value for k, value in enumerate(found, 1)}
        return compared(row, {}, measured, f"{why}; {_DRAWS} draws")

    return Row(row, files, figures, part, slow=True)
