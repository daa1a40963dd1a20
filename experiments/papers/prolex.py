"""The tables of ProLex (Zhang et al. 2024), its data, and the levels of words behind it.

No output of a system was published with it but that of ParaLS, in a fork of that system's repository. Rows of other
systems are measured on files of the user's, ``outputs/NAME-dev.csv`` and ``outputs/NAME-test.csv`` in the folder of the
data, for example those that ``python -m experiments baseline`` writes.
"""

from __future__ import annotations

import ast
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from functools import cache
from math import isnan
from pathlib import Path
from statistics import fmean

from sklearn.metrics import cohen_kappa_score

from experiments.common.levels import Levels, load_levels
from experiments.common.printed import Figure, Part, Row, Value, figures_of, reranked
from experiments.papers import ranking
from experiments.papers.swords_systems import sure_shares
from training.statistics import auc
from usim import Screen
from usim.benchmarks import prolex, swords
from usim.text.files import read_csv

_FIGURES = {
    f"{setting} {name}": f"{setting}_{aspect}_f"
    for setting in prolex.SETTINGS
    for name, aspect in (("Fa", "acceptable"), ("Fp", "proficient"))
}
#: Systems whose output was not published, and any language model that the user has, by the paper's prompts.
_OTHERS = (
    "local language model", "GPT-4 0-shot", "GPT-4 32-shot", "ChatGPT 0-shot", "ChatGPT 32-shot", "BERT-LS",
    *(f"{model} {data}" for model in ("Vicuna-7B", "Vicuna-13B", "Llama-7B", "Llama-13B") for data in
      ("D_S", "D_L", "D_LS")),
)  # fmt: skip
_LEMMAS = "soft: usim takes WordNet's lemmas; the authors' scorer with spaCy's gives ParaLS 30.07 and 25.12"
_DEV = "the paper has figures of the test part alone"

_TABLE_1 = ("targets", "words of a sentence", "acceptable substitutes", "proficient substitutes",
            "acceptable of a target", "proficient of a target")  # fmt: skip
_SWORDS_TARGETS = 1132

#: Computes the figures of a row from the gold data and, if the row has one, a system's output.
Compute = Callable[..., list[Figure]]


def _row(name: str, part: Part, compute: Compute, *outputs: str, judged: bool = False, k: int = 10) -> Row:
    """Return a row of the gold data of a part, and of systems' outputs."""

    def figures(gold: Path, *paths: Path) -> list[Figure]:
        benchmark = prolex.ProLex.open(gold, k=k)
        return compute(benchmark, *map(benchmark.read_predictions, paths))

    files = f"prolex/ProLex_v1.0_{part}.csv", *outputs
    return Row(name, files, figures, part, slow=judged, judged=judged)


def _scored(why: str) -> Compute:
    def compute(benchmark: prolex.ProLex, predictions: prolex.Predictions) -> list[Figure]:
        result = benchmark.score(predictions, resamples=0).figures
        return [Figure(name, 100 * result[f"{figure}@10"], why) for name, figure in _FIGURES.items()]

    return compute


@cache
def _by_judge() -> ranking.Ranker:
    return ranking.by_faithfulness(Screen())


def _reranked(benchmark: prolex.ProLex, predictions: prolex.Predictions) -> list[Figure]:
    """Measure a system with its lists in the judge's order; ParaLS's have ten words, and the first five count."""
    columns = {f"{name} of five": f"{figure}@5" for name, figure in _FIGURES.items()}
    return reranked(ranking.rerank(benchmark, predictions, _by_judge()), columns, scale=100)


def _ranking(make: Callable[[], ranking.Ranker]) -> Compute:
    """Measure a ranker on all substitutes that people judged (section 5.1)."""

    def compute(benchmark: prolex.ProLex) -> list[Figure]:
        result = ranking.rank_prolex(benchmark, make())
        why = {n: "[{:.1f}, {:.1f}]".format(*(100 * end for end in i[1:])) for n, i in result.intervals.items()}
        return figures_of({name: 100 * value for name, value in result.figures.items()}, why)

    return compute


def _order(benchmark: prolex.ProLex, predictions: prolex.Predictions) -> list[Figure]:
    """Measure how often an order has an acceptable substitute before another of its list."""
    cases = benchmark.cases(predictions)
    own = {key: -float(place) for case in cases for place, key in enumerate(case.keys)}
    measured: dict[str, Value] = {}
    for name, scores in (("ParaLS", own), ("judge", _by_judge().scores(cases))):
        areas = []
        for case in cases:
            by = [[scores[case.target, substitute] for substitute, label in case.labels.items() if
                   (label == "acceptable") == right] for right in (True, False)]  # fmt: skip
            areas.append(auc(*by))
        measured[f"AUC within lists: {name}"] = fmean(area for area in areas if not isnan(area))
    labels = Counter(label for case in cases for label in case.labels.values())
    measured["substitutes that nobody judged, per cent"] = 100 * labels["unjudged"] / labels.total()
    return figures_of(measured, "what nobody judged counts as wrong")


def _not_easier(benchmark: prolex.ProLex, predictions: prolex.Predictions) -> list[Figure]:
    levels = load_levels()
    kept = benchmark.changed(
        predictions, lambda number, own: [s for s in own if not levels.is_easier(benchmark.gold[number].word, s)]
    )
    return _scored(f"by the levels of {levels.name}")(benchmark, kept)


def _statistics(benchmark: prolex.ProLex) -> list[Figure]:
    gold = benchmark.gold.values()
    acceptable = [s for target in gold for s in target.acceptable]
    measured: dict[str, Value] = {
        "targets": len(gold),
        "acceptable substitutes": len(acceptable),
        "unacceptable substitutes": sum(len(target.unacceptable) for target in gold),
        "proficient substitutes": sum(len(target.proficient) for target in gold),
        "acceptable of a target": len(acceptable) / len(gold),
        "proficient of a target": sum(len(target.proficient) for target in gold) / len(gold),
        "targets without a proficient one": sum(not target.proficient for target in gold),
        "phrases among the acceptable, per cent": 100 * sum(" " in s for s in acceptable) / len(acceptable),
    }
    return figures_of(measured)


def _levels(benchmark: prolex.ProLex) -> list[Figure]:
    """Measure the proficient substitutes by open levels, against those of the data."""
    levels = load_levels()
    pairs = [
        (s in target.proficient, not levels.is_easier(target.word, s))
        for target in benchmark.gold.values()
        for s in target.acceptable
    ]
    why = f"{levels.name} against the published columns, which come from a service that reads the sentence"
    agreement = 100 * sum(a == b for a, b in pairs) / len(pairs)
    return figures_of({"κ": float(cohen_kappa_score(*zip(*pairs, strict=True))), "agreement, per cent": agreement}, why)


def from_swords(path: Path, levels: Levels | None) -> dict[tuple[str, str], set[str]]:
    """Return the acceptable substitutes of SWORDS without those that are easier, by target and text (section 4)."""
    benchmark = swords.Swords.open(path)
    kept = {}
    for target in benchmark.gold.values():
        own = {
            substitute
            for substitute, share in sure_shares(target).items()
            if share > 0.5 and not (levels and levels.is_easier(target.word, substitute, target.pos))
        }
        if own and target.place:
            kept[target.word, " ".join(target.place.text.split())] = own
    return kept


def _made_like_swords(path: Path, train: Path) -> list[Figure]:
    """Measure D_S: what SWORDS becomes without easier substitutes, against the published set."""
    levels = load_levels()
    generated, whole = from_swords(path, levels), from_swords(path, None)
    published = {}
    for record in _lessons(train):
        key = record["target_words"], " ".join(record["original_sentences"].split())
        if key in whole:
            published[key] = set(ast.literal_eval(record["substitutes"]))
    pairs = [(s in published.get(key, ()), s in generated.get(key, ())) for key, all_ in whole.items() for s in all_]
    both = 100 * sum(a == b for a, b in pairs) / len(pairs)
    measured: dict[str, Value] = {
        "targets": len(generated),
        "targets as published": len(published),
        "substitutes": sum(map(len, generated.values())),
        "acceptable ones that both keep or both leave out, per cent": both,
        "κ of the two": float(cohen_kappa_score(*zip(*pairs, strict=True))),
    }
    return figures_of(measured, f"by the levels of {levels.name}")


def _lessons(train: Path) -> list[dict[str, str]]:
    return [record for _, record in read_csv(train, ("target_words", "substitutes", "query_pos", "original_sentences"))]


def _described(lessons: Sequence[Mapping[str, str]]) -> dict[str, Value]:
    total = sum(len(ast.literal_eval(record["substitutes"])) for record in lessons)
    parts = Counter(record["query_pos"].lower()[:3] for record in lessons)
    names = {"nou": "nouns", "ver": "verbs", "adj": "adjectives", "adv": "adverbs"}
    return {
        "targets": len(lessons),
        "substitutes": total,
        "substitutes of a target": total / len(lessons),
        **{name: parts[short] for short, name in names.items()},
    }


def _d_l(train: Path) -> list[Figure]:
    return [*figures_of(_described(_lessons(train))), Figure("candidates", None, "needs the answers of GPT-4")]


def _d_s(both: Path, d_l: Path) -> list[Figure]:
    """Describe D_S: what of the two training sets together is not in D_L."""
    others = {(record["target_words"], record["original_sentences"]) for record in _lessons(d_l)}
    own = [r for r in _lessons(both) if (r["target_words"], r["original_sentences"]) not in others]
    described = _described(own)
    total, with_any = described["substitutes"], described["substitutes of a target"]
    described["substitutes of a target"] = total / _SWORDS_TARGETS
    why = f"of all {_SWORDS_TARGETS:,} targets of SWORDS; of those that have any {with_any:.2f}"
    return figures_of(described, {"substitutes of a target": why})


def _table_1(benchmark: prolex.ProLex) -> list[Figure]:
    known = {figure.name: figure.measured for figure in _statistics(benchmark)}
    known["words of a sentence"] = fmean(len(target.sentence.split()) for target in benchmark.gold.values())
    return figures_of({name: known[name] for name in _TABLE_1}, "of the test file of version 1.0")


def _rows(part: Part) -> list[Row]:
    parals = f"prolex-parals-{part}/lspro.out.embed.0.02.oot"
    scored = _scored(_DEV if part == "dev" else _LEMMAS)
    return [
        _row("data: statistics", part, _statistics),
        _row("levels: proficient or not", part, _levels),
        _row("systems: ParaLS", part, scored, parals),
        _row("systems: ParaLS, not easier", part, _not_easier, parals),
        _row("systems: ParaLS, reranked", part, _reranked, parals, judged=True, k=5),
        _row("systems: ParaLS, its own order and the judge's", part, _order, parals, judged=True),
        _row("ranking: judge", part, _ranking(_by_judge), judged=True),
        _row("ranking: RANDOM", part, _ranking(ranking.shuffled)),
        *(_row(f"systems: {n}", part, scored, f"outputs/{n.replace(' ', '-')}-{part}.csv") for n in _OTHERS),
    ]


_SETS = "prolex/ProLex_train_D_LS.csv", "prolex/ProLex_train_D_L.csv"
_ROWS = [
    *_rows("test"),
    _row("table 1: all essays", "test", _table_1),
    Row("data: D_L", _SETS[1:], _d_l, "dev"),
    Row("data: D_S", _SETS, _d_s, "dev"),
    *_rows("dev"),
    Row("data: D_S from SWORDS", ("swords/swords-v1.1_dev.json.gz", _SETS[0]), _made_like_swords, "dev"),
]
ROWS = {row.name: row for row in _ROWS}
