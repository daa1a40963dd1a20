"""The tables of SWORDS (Lee et al. 2021), from the files that its authors published.

The rows of the part ``dev`` are the same systems on the dev targets, for which the paper prints nothing. What GPT-3 and
Wordtune answered was published for 43 of the dev targets only; their rows are about these.

What BERT-K, BERT-M and BERT-LS proposed was not published: their rows are measured on files of the user's,
``outputs/BERT-K-test.json`` and so on in the folder of the data, as ``python -m experiments baseline`` writes them.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace
from functools import cache, partial
from pathlib import Path

from experiments.common.printed import Figure, Part, Row, Value, figures_of, printed, reranked
from experiments.papers import ranking
from experiments.papers.swords_data import SUBSETS, agreement_row, data_rows
from experiments.papers.swords_systems import annotated, read_coinco, read_rogets
from usim import Screen
from usim.benchmarks import swords
from usim.benchmarks.result import FigureComparison

Measure = Callable[..., list[Figure]]

#: Heading of a column of Table 4 → figure of :func:`usim.benchmarks.swords.score`.
_GENERATION = {
    "lenient Fa": "lenient_a_f@10",
    "lenient Fc": "lenient_c_f@10",
    "strict Fa": "strict_a_f@10",
    "strict Fc": "strict_c_f@10",
}
#: The same for Table 7: F, precision and recall of the first ten.
_PRECISION = {
    f"{view} {measure}{kind}@10": f"{view}_{kind}_{measure.lower()}@10"
    for view in ("lenient", "strict")
    for kind in "ac"
    for measure in ("F", "P", "R")
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
_GAP = {"GAP": "gap_rat"}
#: Systems whose output was not published; ``python -m experiments baseline`` makes them with a model of the user's.
_BERTS = ("BERT-K", "BERT-M", "BERT-LS")
#: A later system (Wada, Baldwin, Matsumoto and Lau 2022, Unsupervised Lexical Substitution with Decontextualised
#: Embeddings, COLING); its printed figures are those of its own paper.
_WADA = "Wada et al. 2022"
_TIES = "equal votes: the published code takes them in another order in each run (docs/papers/swords.md)"
_BERT = "the paper reranks by contextual vectors of BERT, usim by the judge"


_DATA = {"coinco": read_coinco, "rogets": read_rogets}


def _gold_file(part: Part) -> str:
    return f"swords/swords-v1.1_{part}.json.gz"


def read_output(
    part: Part, system: str | None, gold: Path, output: Path
) -> tuple[swords.Swords, swords.Predictions, str]:
    """Read gold data and a system's output; where few dev targets were answered, the rows are about these."""
    benchmark = swords.Swords.open(gold)
    read = _DATA.get(system)
    predictions: swords.Predictions = read(output, gold) if read else benchmark.read_predictions(output)
    if part == "test" or len(predictions) >= len(benchmark.gold) // 2:
        return benchmark, predictions, ""
    answered = replace(benchmark, gold={target: benchmark.gold[target] for target in predictions})
    return answered, predictions, f"with the answers that were published, to {len(predictions)} targets"


def _score(
    part: Part, system: str | None, why: str, columns: Mapping[str, str], gold: Path, output: Path
) -> list[Figure]:
    benchmark, predictions, answers = read_output(part, system, gold, output)
    result = benchmark.score(predictions, resamples=0).figures
    return figures_of({heading: result[figure] for heading, figure in columns.items()}, answers or why)


def _system_rows(name: str, part: Part, output: str, system: str | None = None, why: str = "") -> list[Row]:
    """Return a system's rows in Tables 4, 7 and 8, and these reranked; ``why`` says why figures may differ.

    ``system`` is the data that the output is (:data:`_DATA`): they have lemmas, judged in the form of their targets.
    """
    files = _gold_file(part), output

    @cache
    def compare(gold: Path, output: Path) -> tuple[FigureComparison, str]:
        benchmark, predictions, answers = read_output(part, system, gold, output)
        ranker = ranking.by_faithfulness(_screen(None, system is not None))
        return ranking.rerank(benchmark, predictions, ranker), answers

    def rerank(columns: Mapping[str, str], gold: Path, output: Path) -> list[Figure]:
        result, answers = compare(gold, output)
        return reranked(result, columns, f"; {answers or why or _BERT}")

    return [
        *_in_tables(name, files, partial(_score, part, system, why), part),
        *(replace(row, slow=True, judged=True) for row in _in_tables(f"{name} †", files, rerank, part)),
    ]


def _in_tables(name: str, files: tuple[str, ...], measure: Measure, part: Part) -> list[Row]:
    """Return a system's row in each table, measured from the columns of the table and the files."""
    return [Row(f"{table}: {name}", files, partial(measure, columns), part) for table, columns in _TABLES.items()]


def _people_rows(name: str, part: Part, *files: str) -> list[Row]:
    """Return the rows of people who judged the targets: HUMANS are others than those of the gold data, ORACLE the same.

    They are two systems: the substitutes that they took to be acceptable for Fa, Pa and Ra, the conceivable for others.
    """

    def figures(columns: Mapping[str, str], *paths: Path) -> list[Figure]:
        gold, *_, other = [swords.Swords.open(path).gold for path in (*paths, paths[-1])]
        by = {kind: swords.Swords(gold).score(annotated(other, kind), resamples=0).figures for kind in "ac"}
        measured: dict[str, Value] = {
            heading: by["a" if heading[-1] == "a" or "a@" in heading else "c"][figure]
            for heading, figure in columns.items()
        }
        return figures_of(measured, _TIES)

    return _in_tables(name, files, figures, part)


def _humans_gap(gold: Path, other: Path) -> list[Figure]:
    """Measure people's row in Table 6: the ranking of the re-annotation."""
    result = swords.Swords.open(gold).score(annotated(swords.Swords.open(other).gold, "all"), resamples=0).figures
    return [Figure("GAP", result["gap_rat"], _TIES)]


def _coinco_gap(path: Path, limit: int | None = None) -> list[Figure]:
    """Measure the ranking setting on CoInCo, beside what later systems published."""
    benchmark = swords.Swords.open(path)
    benchmark = first(replace(benchmark, gold=pooled(benchmark.gold)), limit)
    gap = ranking.rank_swords(benchmark, ranking.by_faithfulness(_screen(None, True)), resamples=0).figures["gap"] / 100
    published = dict.fromkeys(printed("swords")["later: GAP on CoInCo"])
    why = {"judge": "of all single words that were given for the target's lemma anywhere"}
    return figures_of({"judge": gap, **published}, why | dict.fromkeys(published, "needs the output of the system"))


def pooled(gold: swords.Gold) -> swords.Gold:
    """Return gold data with the candidates of the ranking setting: what was given for a target's lemma anywhere.

    CoInCo has only substitutes that people gave. Those of other sentences with the same lemma and
    part of speech are the wrong ones; phrases are left out (Thater et al. 2010, Melamud et al. 2015).
    """
    keys = {name: (swords.compared_form(target.word, target.pos), target.pos) for name, target in gold.items()}
    candidates: dict[tuple[str, str | None], dict[str, tuple[str, ...]]] = {}
    for name, target in gold.items():
        single = {substitute: ("FALSE_IMPLICIT",) for substitute in target.labels if " " not in substitute}
        candidates.setdefault(keys[name], {}).update(single)
    return {
        name: target._replace(
            labels=candidates[keys[name]] | {s: given for s, given in target.labels.items() if " " not in s}
        )
        for name, target in gold.items()
    }


@cache
def _screen(judge: str | None, inflect: bool) -> Screen:
    return Screen(judge=judge, inflect=inflect)


def _ranking_row(
    name: str, part: Part, make: Callable[[], ranking.Ranker], *, slow: bool = False, why: str = ""
) -> Row:
    def figures(gold: Path, limit: int | None = None) -> list[Figure]:
        result = ranking.rank_swords(first(swords.Swords.open(gold), limit), make())
        _, low, high = result.intervals["gap_rat"]
        between = f"[{low:.2f}, {high:.2f}]"
        return [Figure("GAP", result.figures["gap_rat"], f"{between}; {why}" if why else between)]

    judged = slow and name != "USim"
    return Row(f"table 6: {name}", (_gold_file(part),), figures, part, slow=slow, judged=judged, limited=slow)


def first(benchmark: swords.Swords, limit: int | None) -> swords.Swords:
    """Return a benchmark with its first targets alone; None for all."""
    return benchmark if limit is None else replace(benchmark, gold=dict(list(benchmark.gold.items())[:limit]))


def _rows(part: Part) -> list[Row]:
    gold, coinco = _gold_file(part), f"swords/coinco_{part}.json.gz"
    answers = f"swords/swords-v0.8_{'dev-valid' if part == 'dev' else 'test'}"
    own = {name: f"outputs/{name.replace(' ', '-')}" for name in (*_BERTS, _WADA)}
    rows = [
        *_system_rows("COINCO", part, coinco, "coinco", _TIES),
        *_system_rows("THESAURUS", part, "swords/rogets.pkl", "rogets"),
        *_system_rows("GPT-3", part, f"{answers}_gpt3.out.json.gz"),
        *_system_rows("WORDTUNE", part, f"{answers}_wordtuneclues.out.json.gz"),
        *_people_rows("ORACLE", part, gold),
        *(row for name, file in own.items() for row in _system_rows(name, part, f"{file}-{part}.json")),
        _ranking_row("judge", part, lambda: ranking.by_faithfulness(_screen(None, True)), slow=True),
        _ranking_row("USim", part, lambda: ranking.by_faithfulness(_screen("usim", True)), slow=True),
        _ranking_row("RANDOM", part, lambda: ranking.shuffled(0), why="one order drawn with seed 0"),
        *(
            Row(f"table 6: {n}", (gold, f"{own[n]}-ranking-{part}.json"), partial(_score, "test", None, "", _GAP), part)
            for n in ("BERT-LS", _WADA)
        ),
    ]
    if part == "test":
        later = Row("later: GAP on CoInCo", (coinco,), _coinco_gap, "test", slow=True, judged=True, limited=True)
        gap = Row("table 6: HUMANS", SUBSETS, _humans_gap, "test")
        rows = [*_people_rows("HUMANS", part, *SUBSETS), *rows, gap, later]
    return rows


_ALL = [*_rows("test"), *_rows("dev"), *data_rows(), agreement_row("test"), agreement_row("dev")]
ROWS = {row.name: row for row in sorted(_ALL, key=lambda row: row.name.partition(":")[0])}
