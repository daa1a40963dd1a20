"""The tables of ProLex (Zhang et al. 2024), its data, and the levels of words behind it.

No output of a system was published with it but that of ParaLS, in a fork of that system's repository. Rows of other
systems are measured on files of the user's, ``outputs/NAME-dev.csv`` and ``outputs/NAME-test.csv`` in the folder of the
data, for example those that ``usim baseline`` writes.
"""

from __future__ import annotations

import ast
import csv
from collections import Counter
from collections.abc import Callable, Sequence
from functools import cache, partial
from itertools import combinations
from math import isnan
from pathlib import Path
from statistics import fmean
from typing import Literal

from experiments.common.statistics import auc
from experiments.papers.figure import Figure, Row, Value, compared, located
from usim import Screen
from usim.benchmarks import prolex, ranking
from usim.benchmarks.prolex_data import Lesson, from_swords
from usim.errors import InputError
from usim.lexicon import LEVELS, load_levels
from usim.text import read_csv

PAPER = (
    "Zhang, Chen and Yu (2024), ProLex: A Benchmark for Language Proficiency-oriented Lexical Substitution, Findings "
    "of ACL. F1 of the first ten substitutes, in per cent: Fa of the acceptable, Fp of the proficient ones; hard as "
    "they are written, soft by lemmas."
)

Part = Literal["dev", "test"]

_FIGURES = {
    f"{setting} {name}": f"{setting}_{aspect}_f"
    for setting in prolex.SETTINGS
    for name, aspect in (("Fa", "acceptable"), ("Fp", "proficient"))
}
#: Systems of the paper whose output was not published.
_OTHERS = (
    "GPT-4 0-shot", "GPT-4 32-shot", "ChatGPT 0-shot", "ChatGPT 32-shot", "Vicuna-13B D_L", "Vicuna-13B D_LS",
    "Llama-13B D_L", "Llama-13B D_LS", "BERT-LS",
)  # fmt: skip
_DEV = "the paper has figures of the test part alone"


def _gold_file(part: Part) -> str:
    return f"prolex/ProLex_v1.0_{part}.csv"


def _row(name: str, part: Part) -> str:
    return f"{name} (dev)" if part == "dev" else name


def _scored(row: str, gold_file: str, output: str, why: str, data: Path) -> list[Figure]:
    gold = prolex.read_gold(located(data, gold_file))
    result = prolex.ProLex(gold).score(prolex.read_predictions(located(data, output), gold), resamples=0).figures
    return compared(row, {}, {name: 100 * result[f"{figure}@10"] for name, figure in _FIGURES.items()}, why)


def _system(name: str, part: Part, output: str) -> Row:
    row, gold_file = _row(f"systems: {name}", part), _gold_file(part)
    why = _DEV if part == "dev" else ""
    return Row(row, (gold_file, output), partial(_scored, row, gold_file, output, why), part)


@cache
def _screen() -> Screen:
    return Screen()


def _reranked(part: Part, output: str) -> Row:
    """Return ParaLS's row with its lists in the judge's order; they have ten words, and the first five count."""
    row, gold_file = _row("systems: ParaLS, reranked", part), _gold_file(part)

    def figures(data: Path) -> list[Figure]:
        gold = prolex.read_gold(located(data, gold_file))
        predictions = prolex.read_predictions(located(data, output), gold)
        result = prolex.ProLex(gold, k=5).rerank(predictions, ranking.ByFaithfulness(_screen()))
        measured: dict[str, Value] = {}
        why = {}
        for name, figure in _FIGURES.items():
            change, low, high = result.differences[f"{figure}@5"]
            measured[f"{name} of five"] = 100 * result.after.figures[f"{figure}@5"]
            why[f"{name} of five"] = f"{100 * change:+.2f} [{100 * low:+.2f}, {100 * high:+.2f}] by reranking"
        return compared(row, {}, measured, why)

    return Row(row, (gold_file, output), figures, part, slow=True)


def _ranking(name: str, part: Part, make: Callable[[], ranking.Ranker], *, slow: bool) -> Row:
    """Return a row of the ranking setting (section 5.1): all substitutes that people judged, in a ranker's order."""
    row, gold_file = _row(f"ranking: {name}", part), _gold_file(part)

    def figures(data: Path) -> list[Figure]:
        result = prolex.ProLex(prolex.read_gold(located(data, gold_file))).rank(make())
        return [
            Figure(
                row,
                name,
                None,
                100 * value,
                "[{:.1f}, {:.1f}]".format(*(100 * end for end in result.intervals[name][1:])),
            )
            for name, value in result.figures.items()
        ]

    return Row(row, (gold_file,), figures, part, slow=slow)


def _order(part: Part, output: str) -> Row:
    """Return how often ParaLS's own order and the judge's have an acceptable substitute before another of its list."""
    row, gold_file = _row("systems: ParaLS, its own order and the judge's", part), _gold_file(part)

    def figures(data: Path) -> list[Figure]:
        gold = prolex.read_gold(located(data, gold_file))
        cases = prolex.ProLex(gold).cases(prolex.read_predictions(located(data, output), gold))
        judged = ranking.ByFaithfulness(_screen()).scores(cases)
        own = {key: -float(place) for case in cases for place, key in enumerate(case.keys)}
        measured: dict[str, Value] = {}
        for name, scores in (("ParaLS", own), ("judge", judged)):
            areas = []
            for case in cases:
                by = [[scores[key] for key, label in zip(case.keys, case.labels, strict=True) if
                       (label == "acceptable") == right] for right in (True, False)]  # fmt: skip
                areas.append(auc(*by))
            measured[f"AUC within lists: {name}"] = fmean(area for area in areas if not isnan(area))
        labels = Counter(label for case in cases for label in case.labels)
        measured["substitutes that nobody judged, per cent"] = 100 * labels["unjudged"] / labels.total()
        return compared(row, {}, measured, "what nobody judged counts as wrong")

    return Row(row, (gold_file, output), figures, part, slow=True)


def _not_easier(part: Part, output: str) -> Row:
    """Return ParaLS's row without the substitutes that are easier than their targets."""
    row, gold_file = _row("systems: ParaLS, not easier", part), _gold_file(part)

    def figures(data: Path) -> list[Figure]:
        levels = load_levels()
        gold = prolex.read_gold(located(data, gold_file))
        predictions = prolex.read_predictions(located(data, output), gold)
        kept = {
            number: [s for s in substitutes if not levels.is_easier(gold[number].word, s)]
            for number, substitutes in predictions.items()
        }
        result = prolex.ProLex(gold).score(kept, resamples=0).figures
        measured = {name: 100 * result[f"{figure}@10"] for name, figure in _FIGURES.items()}
        return compared(row, {}, measured, f"by the levels of {levels.name}")

    return Row(row, (gold_file, output), figures, part)


def _statistics(part: Part) -> Row:
    row, gold_file = _row("data: statistics", part), _gold_file(part)

    def figures(data: Path) -> list[Figure]:
        gold = prolex.read_gold(located(data, gold_file)).values()
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
        return compared(row, {}, measured)

    return Row(row, (gold_file,), figures, part)


def kappa(first: Sequence[object], second: Sequence[object]) -> float:
    """Compute Cohen's κ of two annotations of the same items (Cohen 1960).

    >>> round(kappa([1, 1, 0, 0], [1, 1, 0, 1]), 2)
    0.5
    """
    counts = Counter(first), Counter(second)
    total = len(first)
    agreed = sum(a == b for a, b in zip(first, second, strict=True)) / total
    chance = sum(counts[0][label] * counts[1][label] for label in counts[0]) / total**2
    return (agreed - chance) / (1 - chance) if chance < 1 else 1.0


def _levels(part: Part) -> Row:
    """Return the row of the proficient substitutes by open levels, against those of the data."""
    row, gold_file = _row("levels: proficient or not", part), _gold_file(part)

    def figures(data: Path) -> list[Figure]:
        levels = load_levels()
        gold = prolex.read_gold(located(data, gold_file))
        rated = prolex.read_gold(located(data, gold_file), levels)
        published = [s in target.proficient for target in gold.values() for s in target.acceptable]
        ours = [s in target.proficient for target in rated.values() for s in target.acceptable]
        measured: dict[str, Value] = {
            "κ": kappa(published, ours),
            "agreement, per cent": 100 * sum(a == b for a, b in zip(published, ours, strict=True)) / len(published),
        }
        why = f"{levels.name} against the published columns, which come from a service that reads the sentence"
        return compared(row, {}, measured, why)

    return Row(row, (gold_file,), figures, part)


def _target_levels() -> Row:
    """Return the row of the targets' levels: the test part has them as numbers from 0 (A1) to 6 (unknown)."""
    row, gold_file = "levels: of targets", _gold_file("test")

    def figures(data: Path) -> list[Figure]:
        levels = load_levels()
        published: list[str] = []
        ours: list[str] = []
        for _, record in read_csv(located(data, gold_file), ("target word", "t_words_cefr")):
            number = record["t_words_cefr"].strip().removesuffix(".0")
            published.append(LEVELS[int(number)] if number.isdigit() and int(number) < len(LEVELS) else "unknown")
            level = levels.level(record["target word"])
            ours.append("unknown" if level is None else LEVELS[level - 1])
        counts, own = Counter(published), Counter(ours)
        measured: dict[str, Value] = {f"published as {name}": counts[name] for name in (*LEVELS, "unknown")}
        measured |= {f"{levels.name}: {name}": own[name] for name in (*LEVELS, "unknown")}
        return compared(row, {}, {**measured, "κ of the two": kappa(published, ours)})

    return Row(row, (gold_file,), figures, "test")


def _made_like_swords() -> Row:
    """Return the row of D_S: what SWORDS becomes without easier substitutes, against the published set."""
    row = "data: D_S from SWORDS (dev)"
    files = ("swords/swords-v1.1_dev.json.gz", "prolex/ProLex_train_D_LS.csv")

    def figures(data: Path) -> list[Figure]:
        levels = load_levels()
        path = located(data, files[0])
        made = {_key(lesson): set(lesson.substitutes) for lesson in from_swords(path, levels)}
        whole = {_key(lesson): set(lesson.substitutes) for lesson in from_swords(path, None)}
        published = {}
        with open(located(data, files[1]), encoding="utf-8", newline="") as file:
            for record in csv.DictReader(file):
                found = record["target_words"], " ".join(record["original_sentences"].split())
                if found in whole:
                    published[found] = set(ast.literal_eval(record["substitutes"]))
        pairs = [(s in published.get(key, ()), s in made.get(key, ())) for key, all_ in whole.items() for s in all_]
        measured: dict[str, Value] = {
            "targets": len(made),
            "targets as published": len(published),
            "substitutes": sum(map(len, made.values())),
            "acceptable ones that both keep or both leave out, per cent": 100
            * sum(a == b for a, b in pairs)
            / len(pairs),
            "κ of the two": kappa([a for a, _ in pairs], [b for _, b in pairs]),
        }
        return compared(row, {}, measured, f"usim generate --format prolex, by the levels of {levels.name}")

    return Row(row, files, figures, "dev")


def _key(lesson: Lesson) -> tuple[str, str]:
    text, start, end, _ = lesson.place
    return text[start:end], " ".join(text.split())


def _annotators() -> Row:
    """Return the row of κ, for a file of the user's: a column an annotator, a line a substitute."""
    row, name = "κ: of annotators", "outputs/annotators.csv"

    def figures(data: Path) -> list[Figure]:
        path = located(data, name)
        if not path.exists():
            why = f"what single annotators said was not published; put it into {name}, a column an annotator"
            return [Figure(row, "κ", None, None, why)]
        labels = [list(record.values()) for _, record in read_csv(path, ())]
        pairs = list(combinations(zip(*labels, strict=True), 2))
        if not pairs:
            raise InputError("labels of two annotators or more are needed, a column each under a header", path=path)
        return [Figure(row, "κ", None, fmean(kappa(a, b) for a, b in pairs), f"mean over {len(pairs)} pairs (Cohen)")]

    return Row(row, (), figures)


def _rows(part: Part) -> list[Row]:
    output = f"prolex-parals-{part}/lspro.out.embed.0.02.oot"
    return [
        _statistics(part),
        _levels(part),
        _system("ParaLS", part, output),
        _not_easier(part, output),
        _reranked(part, output),
        _order(part, output),
        _ranking("judge", part, lambda: ranking.ByFaithfulness(_screen()), slow=True),
        _ranking("RANDOM", part, lambda: ranking.Shuffled(0), slow=False),
        *(_system(name, part, f"outputs/{name.replace(' ', '-')}-{part}.csv") for name in _OTHERS),
    ]


ROWS = {row.name: row for row in [*_rows("test"), _target_levels(), _annotators(), *_rows("dev"), _made_like_swords()]}
