"""What is in the data of SWORDS, and how far annotators agree: Tables 2 and 3, Figure 4, section 4."""

from __future__ import annotations

import statistics
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Literal

import numpy as np

from experiments.papers.figure import Figure, Row, figures_of, printed
from usim.benchmarks import swords
from usim.benchmarks.measures import rank_biased_overlap
from usim.lexicon import WordNetLemmatiser
from usim.text.files import member, read_json

_DRAWS = 100
#: The part of the test data that was annotated twice, in both annotations.
SUBSETS = tuple(f"swords/swords-v1.1_test-subset{end}.json.gz" for end in ("", "_reannotated"))
#: A substitute has three labels, or ten where one of the three was positive.
_LABELS = 10


def describe(gold: swords.Gold) -> dict[str, float]:
    """Count targets, substitutes and labels of a data set in the form of SWORDS, as published, before lemmatising.

    A label UNSURE is no positive one (section 3.3); means of a target are over those that have such a substitute.
    """
    shares = [list(swords.positive_shares(target).values()) for target in gold.values()]
    labels = [given for target in gold.values() for given in target.labels.values()]
    wanted = {kind: [sum(s >= least for s in of) for of in shares] for kind, least in swords.THRESHOLDS.items()}
    return {
        "targets": len(gold),
        "substitutes": sum(len(target.labels) for target in gold.values()),
        "labels": sum(map(len, labels)),
        "substitutes of a target": statistics.mean(len(target.labels) for target in gold.values()),
        "conceivable of a target": _mean(filter(None, wanted["c"])),
        "acceptable of a target": _mean(filter(None, wanted["a"])),
        "targets without an acceptable one": sum(not count for count in wanted["a"]),
        "labels UNSURE, per cent": 100 * sum(given.count("UNSURE") for given in labels) / sum(map(len, labels)),
    }


#: How figures are read of which it is not certain what was counted. That of the mean shares agrees with other printed
#: figures: of the conceivable, 27.5 % are CoInCo's, with a mean of 34.4 / .757 = 45.4 (what is not conceivable has a
#: share of 0), and .275 · 45.4 + .725 · 29.3 = 33.7.
_READINGS = {
    "CoInCo's substitutes: in the thesaurus, per cent": "read as: CoInCo's substitutes that the thesaurus proposed too",
    "mean share, conceivable of the thesaurus alone, per cent": "read as: positive labels of a conceivable substitute "
    "that CoInCo lacks",
    "mean share, all conceivable, per cent": "read as: positive labels of a conceivable substitute",
}
#: Where substitutes come from, as the data name it.
_SOURCES = {("roget",): "thesaurus alone", ("coinco", "roget"): "both", ("coinco",): "CoInCo alone"}


def analyse(paths: Iterable[Path]) -> dict[str, float]:
    """Compute the figures of section 4: where good substitutes come from, and how good those of CoInCo are."""
    sources: dict[str, list[tuple[tuple[str, ...], float]]] = {}
    for path in paths:
        shares = {name: swords.positive_shares(target) for name, target in swords.read_gold(path).items()}
        for sid, substitute in member(read_json(path), "substitutes", path, "the whole file", dict).items():
            extra = member(substitute, "extra", path, sid, dict)
            of = tuple(sorted(member(extra, "sources", path, sid, list)))
            target = substitute["target_id"]
            sources.setdefault(target, []).append((of, shares[target][substitute["substitute"]]))
    everything = [item for items in sources.values() for item in items]
    figures: dict[str, float] = {}
    for name, kind in (("conceivable", "c"), ("acceptable", "a")):
        of_kind = [of for of, share in everything if share >= swords.THRESHOLDS[kind]]
        for source, title in _SOURCES.items():
            figures[f"{name}: {title}, per cent"] = 100 * of_kind.count(source) / max(1, len(of_kind))
    written = [share for of, share in everything if "coinco" in of]
    from_both = sum(len(of) > 1 for of, _ in everything)
    conceivable = [(of, share) for of, share in everything if share >= swords.THRESHOLDS["c"]]
    alone = [share for of, share in conceivable if of == ("roget",)]
    shares = (from_both / max(1, len(written)), _mean(alone), _mean(share for _, share in conceivable))
    figures |= {name: 100 * value for name, value in zip(_READINGS, shares, strict=True)}
    best: list[float] = []
    for items in sources.values():
        count = sum("coinco" in of for of, _ in items)
        best += sorted((share for _, share in items), reverse=True)[:count]
    figures["mean share of CoInCo's substitutes, per cent"] = 100 * _mean(written)
    figures["mean share of as many of SWORDS' best, per cent"] = 100 * _mean(best)
    for name, kind in (("conceivable", "c"), ("acceptable", "a")):
        share_of = _mean(share >= swords.THRESHOLDS[kind] for share in written)
        figures[f"CoInCo's substitutes: {name}, per cent"] = 100 * share_of
    return figures


def _mean(values: Iterable[float]) -> float:
    numbers = list(values)
    return statistics.fmean(numbers) if numbers else 0.0


def data_rows() -> list[Row]:
    """Return the rows of the data: SWORDS in parts and as a whole, CoInCo, and what section 4 says of the whole."""
    whole = printed("swords")["§4: SWORDS"]

    def statistics_of(*files: Path) -> list[Figure]:
        return figures_of(describe({name: own for file in files for name, own in swords.read_gold(file).items()}))

    def section_4(*files: Path) -> list[Figure]:
        measured = analyse(files)
        why = dict(_READINGS)
        if len(files) == 1:
            apart = {
                name: f"{value - whole[name]:+.1f} to the printed one of both parts" for name, value in measured.items()
            }
            why = {name: "; ".join(filter(None, (text, _READINGS.get(name)))) for name, text in apart.items()}
        return figures_of(measured, why)

    dev, test = (f"swords/swords-v1.1_{part}.json.gz" for part in ("dev", "test"))
    return [
        Row("tables 2 and 3: SWORDS", (dev, test), statistics_of, "test"),
        Row("§4: SWORDS", (dev, test), section_4, "test", printed=whole),
        Row("tables 2 and 3: SWORDS (test)", (test,), statistics_of, "test"),
        Row("§4: SWORDS (test)", (test,), section_4, "test", printed=whole),
        Row("tables 2 and 3: SWORDS", (dev,), statistics_of, "dev"),
        Row("§4: SWORDS", (dev,), section_4, "dev", printed=whole),
        Row("tables 2 and 3: COINCO", ("swords/coinco_dev.json.gz",), statistics_of, "dev"),
        Row("tables 2 and 3: COINCO", ("swords/coinco_test.json.gz",), statistics_of, "test"),
    ]


def overlaps(first: swords.Gold, second: swords.Gold, most: int, *, draws: int = _DRAWS, seed: int = 0) -> list[float]:
    """Compute how near k other annotators come to an annotation (Figure 4), by rank-biased overlap (p = .9).

    The ranking by all labels of the first annotation is compared with that by k labels of the second, which are drawn
    without replacement (all of them where a substitute has fewer). The data do not say whose a label is, so each
    substitute's labels are drawn by themselves.

    Args:
        first, second: the annotations; substitutes that one of them lacks are left out.
        most: the largest k.

    Returns:
        the mean over targets and draws for k = 1 … ``most``, in per cent.
    """
    lemmatise = WordNetLemmatiser.shipped()
    own, other = swords.lemmatised_gold(first, lemmatise), swords.lemmatised_gold(second, lemmatise)
    pairs = [_compared_labels(own[name], other[name]) for name in own if name in other]
    pairs = [(ranking, labels) for ranking, labels in pairs if labels.shape[0]]
    rng = np.random.default_rng(seed)
    means = []
    for k in range(1, most + 1):
        totals = []
        for _ in range(draws):
            for ranking, labels in pairs:
                # Labels that are not there come last, so that they are drawn where there are no others alone.
                order = np.argsort(rng.random(labels.shape) + np.isnan(labels), axis=1)
                shares = np.nanmean(np.take_along_axis(labels, order[:, :k], axis=1), axis=1)
                totals.append(rank_biased_overlap(ranking, _groups(shares.tolist())))
        means.append(100 * statistics.fmean(totals))
    return means


def _compared_labels(first: swords.SwordsTarget, second: swords.SwordsTarget) -> tuple[list[list[str]], np.ndarray]:
    """Return the ranking of the substitutes that both have, by the first, and which labels of the second are positive.

    The labels have the shape (substitutes, most labels of one), with NaN where a substitute has fewer.
    """
    common = [s for s in first.labels if s in second.labels]
    shares = swords.positive_shares(first)
    labels = np.full((len(common), max((len(second.labels[s]) for s in common), default=0)), np.nan)
    for row, s in zip(labels, common, strict=True):
        given = second.labels[s]
        row[: len(given)] = [label in swords.POSITIVE for label in given]
    return _groups([shares[s] for s in common]), labels


def _groups(shares: Sequence[float]) -> list[list[str]]:
    """Return the places of substitutes in groups of equal shares, the highest first."""
    groups: dict[float, list[str]] = {}
    for place, share in enumerate(shares):
        groups.setdefault(share, []).append(str(place))
    return [groups[count] for count in sorted(groups, reverse=True)]


def agreement_row(part: Literal["dev", "test"]) -> Row:
    """Return the row of Figure 4: on test two annotations of a subset, on dev two halves of the one annotation."""
    files = SUBSETS if part == "test" else ("swords/swords-v1.1_dev.json.gz",)

    def figures(*paths: Path) -> list[Figure]:
        first, *others = map(swords.read_gold, paths)
        if others:
            overlap, why = overlaps(first, others[0], _LABELS), "printed as a curve"
        else:
            halves = (_labels_of(first, slice(0, None, 2)), _labels_of(first, slice(1, None, 2)))
            overlap = overlaps(*halves, _LABELS // 2)
            why = "dev was annotated once: one half of the labels, k of the other"
        return [Figure(f"k = {k}", value, f"{why}; {_DRAWS} draws") for k, value in enumerate(overlap, 1)]

    return Row("figure 4: RBO with k annotators", files, figures, part, slow=True)


def _labels_of(gold: swords.Gold, which: slice) -> swords.Gold:
    """Return an annotation with some of the labels of each substitute; those without such labels are left out."""
    kept = {
        name: {s: labels for s, given in target.labels.items() if (labels := given[which])}
        for name, target in gold.items()
    }
    return {name: gold[name]._replace(labels=labels) for name, labels in kept.items()}
