"""The tables of SWORDS (Lee et al. 2021), from the files that its authors published.

The rows of the part ``dev`` are the same systems on the dev targets, for which the paper prints nothing. What GPT-3 and
Wordtune answered was published for 43 of the dev targets only; their rows are about these.

What BERT-K, BERT-M and BERT-LS proposed was not published: their rows are measured on files of the user's,
``outputs/BERT-K-test.json`` and so on in the folder of the data, as ``usim baseline`` writes them.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Mapping
from functools import cache, partial
from pathlib import Path
from typing import Literal

from experiments.papers.figure import Figure, Row, Value, figures_of, located, printed
from experiments.papers.swords_data import SUBSETS, agreement_row, data_rows
from usim import Screen
from usim.benchmarks import ranking, swords
from usim.benchmarks.baselines.vectors import read_vectors
from usim.benchmarks.swords.systems import annotated, read_coinco, read_rogets

PAPER = (
    "Lee, Donahue, Jia, Iyabor and Liang (2021), Swords: A Benchmark for Lexical Substitution with Improved Data "
    "Coverage and Quality, NAACL. F1 of the first ten substitutes, in per cent: Fa of the acceptable, Fc of the "
    "conceivable ones."
)

Part = Literal["dev", "test"]
Gold = Mapping[str, swords.SwordsTarget]
System = Callable[[Path, Gold], swords.Predictions]

#: Heading of a column of Table 4 → figure of :func:`usim.benchmarks.swords.score`.
_GENERATION = {
    "lenient Fa": "lenient_a_f@10",
    "lenient Fc": "lenient_c_f@10",
    "strict Fa": "strict_a_f@10",
    "strict Fc": "strict_c_f@10",
}
#: The same for Table 7: precision and recall of the first ten.
_PRECISION = {
    f"{view} {measure}{kind}@10": f"{view}_{kind}_{measure.lower()}@10"
    for view in ("lenient", "strict")
    for kind in "ac"
    for measure in "PR"
}
#: The same for Table 8, the measures of SemEval-2007. BEST is ``best``'s precision, OOT is ``oot``'s recall: the two
#: differ where a system has no answer for a target.
_SEMEVAL = {
    "BEST": "best_p",
    "BEST mode": "best_mode_p",
    "OOT": "oot_r",
    "OOT mode": "oot_mode_r",
    "strict Pc@1": "strict_c_p@1",
}
_TABLES = {"table 4": _GENERATION, "table 7": _PRECISION, "table 8": _SEMEVAL}
_SHUFFLES = 40
#: Systems whose output was not published; ``usim baseline`` makes them with a model of the user's.
_BERTS = ("BERT-K", "BERT-M", "BERT-LS")
#: A later system (Wada, Baldwin, Matsumoto and Lau 2022, Unsupervised Lexical Substitution with Decontextualised
#: Embeddings, COLING); its printed figures are those of its own paper.
_WADA = "Wada et al. 2022"
_TIES = "equal votes: the published code takes them in another order in each run (row 'HUMANS, ties shuffled')"
_BERT = "the paper reranks by contextual vectors of BERT, usim by the judge"
_UNANSWERED = "with the answers that were published, to {} targets"


def _gold_file(part: Part) -> str:
    return f"swords/swords-v1.1_{part}.json.gz"


def _answers(file: str) -> System:
    return lambda data, gold: swords.read_answers(located(data, file), gold)[0]


def _system_rows(
    name: str, part: Part, files: tuple[str, ...], system: System, *, why: str = "", lemmas: bool = False
) -> list[Row]:
    """Return a system's rows in Tables 4, 7 and 8, and that in Table 4 reranked.

    Args:
        why: what can make its figures differ from the printed ones.
        lemmas: whether it proposes lemmas, which are judged in the form of their targets.
    """
    gold_file = _gold_file(part)
    needed = (gold_file, *files)

    def read(data: Path) -> tuple[Gold, swords.Predictions, str]:
        gold: Gold = swords.read_gold(located(data, gold_file))
        predictions = system(data, gold)
        if part == "dev" and len(predictions) < len(gold) // 2:
            gold = {target: gold[target] for target in predictions}
            return gold, predictions, _UNANSWERED.format(len(gold))
        return gold, predictions, why

    def score(columns: Mapping[str, str], data: Path) -> list[Figure]:
        gold, predictions, why = read(data)
        result = swords.Swords(gold).score(predictions, resamples=0).figures
        return [Figure(heading, result[figure], why) for heading, figure in columns.items()]

    def rerank(data: Path) -> list[Figure]:
        gold, predictions, why = read(data)
        benchmark = swords.Swords(gold, located(data, gold_file), ks=(10,))
        result = benchmark.rerank(predictions, ranking.by_faithfulness(_screen(None, lemmas)))
        figures = []
        for heading, figure in _GENERATION.items():
            change, low, high = result.differences[figure]
            changed = f"{change:+.2f} [{low:+.2f}, {high:+.2f}] by reranking; {why or _BERT}"
            figures.append(Figure(heading, result.after.figures[figure], changed))
        return figures

    reranked = Row(_titled(f"table 4: {name} †", part), needed, rerank, part, slow=True, judged=True)
    return [*_in_tables(name, needed, score, part), reranked]


def _titled(name: str, part: Part) -> str:
    return f"{name} (dev)" if part == "dev" else name


def _in_tables(
    name: str, files: tuple[str, ...], figures: Callable[[Mapping[str, str], Path], list[Figure]], part: Part
) -> list[Row]:
    """Return a system's row in each table, from the columns of the table."""
    return [
        Row(_titled(f"{table}: {name}", part), files, partial(figures, columns), part)
        for table, columns in _TABLES.items()
    ]


def _own_rows(name: str, part: Part) -> list[Row]:
    """Return the rows of a system whose output was not published, for a file of the user's."""
    output = f"outputs/{name.replace(' ', '-')}-{part}.json"
    return _system_rows(name, part, (output,), lambda data, gold: swords.read_predictions(located(data, output), gold))


def _people_rows(name: str, gold_file: str, annotation_file: str, part: Part) -> list[Row]:
    """Return the rows of people who judged the targets: HUMANS are others than those of the gold data, ORACLE the same.

    They are two systems: the substitutes that they took to be acceptable for Fa, Pa and Ra, the conceivable for others.
    """
    needed = tuple(dict.fromkeys((gold_file, annotation_file)))

    def read(data: Path) -> tuple[Gold, Gold]:
        return swords.read_gold(located(data, gold_file)), swords.read_gold(located(data, annotation_file))

    def measure(gold: Gold, other: Gold, columns: Mapping[str, str]) -> dict[str, Value]:
        by = {kind: swords.Swords(gold).score(annotated(other, kind), resamples=0).figures for kind in "ac"}
        return {
            heading: by["a" if heading[-1] == "a" or "a@" in heading else "c"][figure]
            for heading, figure in columns.items()
        }

    def figures(columns: Mapping[str, str], data: Path) -> list[Figure]:
        return figures_of(measure(*read(data), columns), _TIES)

    def shuffled(data: Path) -> list[Figure]:
        gold, other = read(data)
        drawn = [measure(gold, _shuffled(other, seed), _LENIENT) for seed in range(_SHUFFLES)]
        return [
            Figure(f"{heading}: {which.__name__} of {_SHUFFLES}", which(values[heading] for values in drawn))
            for heading in _LENIENT
            for which in (min, max)
        ]

    ties = Row(_titled(f"table 4: {name}, ties shuffled", part), needed, shuffled, part, slow=True)
    return [*_in_tables(name, needed, figures, part), ties]


_LENIENT = {heading: figure for heading, figure in _GENERATION.items() if heading.startswith("lenient")}


def _shuffled(annotation: Gold, seed: int) -> Gold:
    """Return an annotation with the substitutes of each target in another order."""
    drawn = random.Random(seed)
    shuffled = {}
    for name, target in annotation.items():
        items = list(target.labels.items())
        drawn.shuffle(items)
        shuffled[name] = target._replace(labels=dict(items))
    return shuffled


def _humans_gap(data: Path) -> list[Figure]:
    """Measure people's row in Table 6: the ranking of the re-annotation."""
    gold, other = (swords.read_gold(located(data, file)) for file in SUBSETS)
    result = swords.Swords(gold).score(annotated(other, "all"), resamples=0).figures
    return [Figure("GAP", result["gap_rat"], _TIES)]


def _other_benchmark(name: str, file: str) -> Row:
    """Return the row of the ranking setting on an earlier benchmark in the form of SWORDS, beside published systems."""
    row = f"later: GAP on {name}"

    def figures(data: Path) -> list[Figure]:
        benchmark = swords.Swords.open(located(data, file))
        rankers = {"judge": ranking.by_faithfulness(_screen(None, True)), "contextual vectors": _by_context()}
        measured: dict[str, Value] = {
            ranker: benchmark.rank(make, resamples=0).figures["gap"] / 100 for ranker, make in rankers.items()
        }
        return figures_of(measured | dict.fromkeys(printed("swords")[row]))

    return Row(row, (file,), figures, "test", slow=True, judged=True)


def _given_ranking(name: str, part: Part) -> Row:
    """Return the row of a ranker whose scores were not published, for a file of the user's with all substitutes."""
    files = (_gold_file(part), f"outputs/{name.replace(' ', '-')}-ranking-{part}.json")

    def figures(data: Path) -> list[Figure]:
        gold = swords.read_gold(located(data, files[0]))
        predictions = swords.read_predictions(located(data, files[1]), gold)
        return [Figure("GAP", swords.Swords(gold).score(predictions, resamples=0).figures["gap_rat"])]

    return Row(_titled(f"table 6: {name}", part), files, figures, part)


@cache
def _screen(judge: str | None, inflect: bool) -> Screen:
    return Screen(judge=judge, inflect=inflect)


def _by_context() -> ranking.Ranker:
    screen = _screen(None, True)
    return ranking.by_context(screen.judge.encoder, screen.options.load_inflector(), screen.judge.name)


def _by_vectors(data: Path) -> ranking.Ranker:
    vectors = read_vectors(located(data, "vectors/glove.txt"))
    return ranking.by_vectors(vectors.similarity, vectors.name)


def _ranking_row(
    name: str,
    part: Part,
    make: Callable[[Path], ranking.Ranker],
    *files: str,
    asks: Literal["", "parser", "judge"] = "",
    why: str = "",
) -> Row:
    gold_file = _gold_file(part)

    def figures(data: Path) -> list[Figure]:
        result = swords.Swords.open(located(data, gold_file)).rank(make(data))
        _, low, high = result.intervals["gap_rat"]
        between = f"[{low:.2f}, {high:.2f}]"
        return [Figure("GAP", result.figures["gap_rat"], f"{between}; {why}" if why else between)]

    row = _titled(f"table 6: {name}", part)
    return Row(row, (gold_file, *files), figures, part, slow=bool(asks), judged=asks == "judge")


def _rows(part: Part) -> list[Row]:
    gold_file = _gold_file(part)
    valid = "dev-valid" if part == "dev" else "test"
    gpt3, wordtune = (f"swords/swords-v0.8_{valid}_{end}.out.json.gz" for end in ("gpt3", "wordtuneclues"))
    coinco = f"swords/coinco_{part}.json.gz"
    rows = [
        *_system_rows(
            "COINCO",
            part,
            (coinco,),
            lambda data, gold: read_coinco(located(data, coinco), located(data, gold_file)),
            why=_TIES,
            lemmas=True,
        ),
        *_system_rows(
            "THESAURUS",
            part,
            ("swords/rogets.pkl",),
            lambda data, gold: read_rogets(located(data, "swords/rogets.pkl"), located(data, gold_file)),
            lemmas=True,
        ),
        *_system_rows("GPT-3", part, (gpt3,), _answers(gpt3)),
        *_system_rows("WORDTUNE", part, (wordtune,), _answers(wordtune)),
        *_people_rows("ORACLE", gold_file, gold_file, part),
        *(row for name in (*_BERTS, _WADA) for row in _own_rows(name, part)),
        _ranking_row("judge", part, lambda data: ranking.by_faithfulness(_screen(None, True)), asks="judge"),
        _ranking_row("USim", part, lambda data: ranking.by_faithfulness(_screen("usim", True)), asks="parser"),
        _ranking_row(
            "contextual vectors",
            part,
            lambda data: _by_context(),
            asks="judge",
            why="the judge's encoder; the paper has BERT's",
        ),
        _ranking_row("GloVe", part, _by_vectors, "vectors/glove.txt", why="a file of yours, as vectors/glove.txt"),
        _ranking_row("RANDOM", part, lambda data: ranking.shuffled(0), why="one order drawn with seed 0"),
        *(_given_ranking(name, part) for name in ("BERT-LS", _WADA)),
    ]
    if part == "test":
        others = [
            _other_benchmark(name, file)
            for name, file in (("SemEval-2007", "swords/semeval07_test.json.gz"), ("CoInCo", coinco))
        ]
        gap = Row("table 6: HUMANS", SUBSETS, _humans_gap, "test")
        rows = [*_people_rows("HUMANS", *SUBSETS, part), *rows, gap, *others]
    return rows


_ALL = [*_rows("test"), *_rows("dev"), *data_rows(), agreement_row("test"), agreement_row("dev")]
ROWS = {row.name: row for row in sorted(_ALL, key=lambda row: row.name.partition(":")[0])}
