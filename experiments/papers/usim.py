"""The figures of the USim paper (Choshen and Abend 2018): Table 1, the automatic measure, §4.5, and Table 2.

Table 2 of the paper, USim by types of errors, is printed with all its 27 types in the supplementary material; its
figures are those. The paper has them from NUCLE's types on corrections of CoNLL-2014.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from functools import partial
from pathlib import Path

import numpy as np

from experiments import error_types
from experiments.common.corrections import read_corrections
from experiments.common.printed import Figure, Row, Value, figures_of
from experiments.common.statistics import spearman
from experiments.papers import usim_readings as readings
from experiments.papers import usim_references, usim_tupa
from experiments.papers import usim_table_1 as table_1
from experiments.papers.usim_example import CORRECTOR, PRINTED, REFERENCE, SOURCE, TUPA
from experiments.papers.usim_references import JFLEG, scorer, usim_scores
from training.statistics import grouped
from usim.errors import InputError
from usim.measures import DEFAULT, PAPER_PLAIN, PRESETS, usim_score
from usim.scorer import Scorer
from usim.text.files import read_text, text_lines
from usim.ucca.evaluate import Counts

_ESSAYS = ("usim-annotations/amittaic1297.xml", "usim-annotations/tree1297.xml")
_DIRECTIONS = ("s→r", "r→s", "mean")
_OWN_GRAPHS = "the paper has TUPA's graphs, usim those of its own parser"

_LINES = [line.split("\t") for line in Path(__file__).with_name("table_2.tsv").read_text("utf-8").splitlines()[1:]]
#: Table 2 as the supplementary material has it: the mean change of USim by an edit of the type, and how many edits.
TABLE_2 = {type_: (float(printed), int(edits)) for type_, _, printed, edits in _LINES}
#: Which of ERRANT's types are nearest to a type of NUCLE.
NEAREST = {type_: tuple(nearest.split()) for type_, nearest, _, _ in _LINES if nearest}

#: Every fifth of the corrected sentences of W&I+LOCNESS dev is taken.
_STRIDE = 5
_SYSTEMS = 5
#: The least number of edits of a type whose mean says something.
_OFTEN = 50


def _pairs(essay: Path) -> table_1.Pairs:
    return table_1.pairs(table_1.read_annotation(essay.parent))


def _agreement(essay: Path, _: Path) -> list[Figure]:
    return figures_of(table_1.dag_f_of(_pairs(essay)))


def _dist_sim(essay: Path, _: Path) -> list[Figure]:
    cut = "all four printed figures are these, cut off after two digits and not rounded"
    return figures_of(_flat(table_1.dist_sim_of(_pairs(essay))), {"A+D, different": cut})


def _flat(rows: Mapping[str, Mapping[str, float]]) -> dict[str, float]:
    return {f"{row}, {kind}": value for row, kinds in rows.items() for kind, value in kinds.items()}


def _usim(kind: str) -> Row:
    printed = dict(zip(_DIRECTIONS, table_1.PAPER["usim"][kind], strict=True))

    def figures(essay: Path, _: Path) -> list[Figure]:
        pairs = _pairs(essay)[kind]
        if not pairs:
            raise InputError(f"no pairs of the kind {kind!r}", path=essay.parent)
        default = dict(zip(_DIRECTIONS, table_1.usim_row(pairs, "default"), strict=True))
        others = [preset for preset in PRESETS if preset != DEFAULT.name]
        return figures_of(default, readings.OPEN) + [
            Figure(f"mean, {preset}", table_1.usim_row(pairs, preset)[2], readings.OPEN, printed["mean"])
            for preset in others
        ]

    return Row(f"table 1: USim, {kind}", _ESSAYS, figures, printed=printed)


def _usim_agreement(essay: Path, _: Path) -> list[Figure]:
    """Measure the agreement of the annotators on all texts that both annotated, as the authors' script lists them."""
    pairs = table_1.annotated_twice(table_1.read_annotation(essay.parent), first=0)
    return [
        Figure(f"mean, {preset}", table_1.usim_row(pairs, preset)[2], f"{len(pairs)} texts, corrections included")
        for preset in PRESETS
    ]


def _corrected_agreement(essay: Path, _: Path) -> list[Figure]:
    """Measure the DAG F of the annotators on the corrections that both annotated."""
    annotation = table_1.read_annotation(essay.parent)
    corrections = {key: graph for key, graph in annotation.items() if key[1] < table_1.FIRST_LEARNER}
    counts = table_1.dag_counts(table_1.annotated_twice(corrections, first=0))
    why = "printed: similar to that of the essays"
    ordered = sorted(own.f for own in counts)
    return [
        *figures_of({f"F of the text {k}": f for k, f in enumerate(ordered, 1)}),
        Figure("F, together", sum(counts, Counts()).f, why, table_1.PAPER["dag_f"]["f"]),
    ]


def _main_relations(essay: Path, _: Path) -> list[Figure]:
    """Measure the faithfulness of corrections by another function of the authors' code."""
    compared = _pairs(essay)
    why = "token_distance of the published code; usim aligns the words of an essay in another way"
    return [
        Figure(kind, float(np.mean([table_1.main_relations(a, b) for a, b in compared[kind]])), why)
        for kind in ("same", "different")
    ]


def _automatic(essay: Path, _: Path) -> list[Figure]:
    pairs = table_1.parsed_pairs(table_1.read_annotation(essay.parent), scorer().parser)
    return [Figure("mean", table_1.usim_row(pairs, "default")[2], _OWN_GRAPHS)]


def _example() -> list[Figure]:
    scorer = Scorer()
    scored = {"reference": scorer.score(SOURCE, REFERENCE), "corrector": scorer.score(SOURCE, CORRECTOR)}
    why = "the graphs of both are nearly those of the source"
    results = [Figure(name, result.usim.f, why) for name, result in scored.items()]
    for preset in (DEFAULT, PAPER_PLAIN, PRESETS["reference"]):
        for name, printed in PRINTED.items():
            score = usim_score(TUPA.source, getattr(TUPA, name), preset).f
            why = "printed: perhaps of other pairs, as in the rows of TUPA's graphs"
            results.append(Figure(f"{name}, TUPA's graphs, {preset.name}", score, why, printed))
    return results + [
        Figure(f"{name}, judge", result.judgement.faithfulness, "faithfulness, no USim")
        for name, result in scored.items()
    ]


def _means(sources: Sequence[str], outputs: Iterable[Sequence[str]]) -> list[float]:
    return sorted(float(usim_scores(list(zip(sources, texts, strict=True))).mean()) for texts in outputs)


#: A row of many sentences that usim's own parser parses.
_parsed_row = partial(Row, slow=True, judged=True, limited=True)


def _references(source: Path, *_: Path, limit: int | None = None) -> list[Figure]:
    corpus = read_corrections(source.parent, "dev")
    means = _means(corpus.sources[:limit], [texts[:limit] for texts in corpus.references.values()])
    return figures_of({"lowest": means[0], "highest": means[-1]}, _OWN_GRAPHS)


def _systems(source: Path, *paths: Path, limit: int | None = None) -> list[Figure]:
    sources = read_corrections(source.parent, "dev").sources
    outputs = []
    for path in paths[-_SYSTEMS:]:
        texts = [line.strip() for line in text_lines(read_text(path))]
        texts = texts[: len(sources)] if not any(texts[len(sources) :]) else texts
        if len(texts) != len(sources):
            raise InputError(f"{len(texts)} lines for {len(sources)} sources", path=path)
        outputs.append(texts)
    lowest, second, *_, highest = _means(sources[:limit], [texts[:limit] for texts in outputs])
    return figures_of({"the worst": lowest, "the others: lowest": second, "highest": highest}, _OWN_GRAPHS)


def _table_2(
    of: str, file: str, nearest: Mapping[str, tuple[str, ...]], edits: error_types.Edits, stride: int = 1
) -> Row:
    name = f"table 2: {of}" + (", edits after the source" if edits == "after" else "")

    def figures(path: Path, limit: int | None = None) -> list[Figure]:
        corrected, _ = error_types.read_corrected(path)
        drawn = error_types.steps(corrected[::stride][:limit], edits=edits)
        change_of = error_types.changes(drawn, lambda pairs: {"usim": usim_scores(pairs)})["usim"]
        by = grouped(
            (type_, change)
            for step, change in zip(drawn, change_of.tolist(), strict=True)
            for type_, types in nearest.items()
            if step.kind in types
        )
        measured = {type_: (float(np.mean(changes)), len(changes)) for type_, changes in by.items()}
        return table_2_figures(measured, nearest)

    printed = {type_: mean for type_, (mean, _) in TABLE_2.items()}
    return _parsed_row(name, (file,), figures, printed=printed)


def _summary(types: Mapping[str, tuple[float, int]]) -> dict[str, float]:
    """Return what Table 2 is printed for: how far types move USim on average, how many raise it, how far at most."""
    total = sum(count for _, count in types.values())
    often = [abs(change) for change, count in types.values() if count >= _OFTEN]
    return {
        "weighted mean |Δ|": sum(abs(change) * count for change, count in types.values()) / total,
        "share of types that raise USim": sum(change > 0 for change, _ in types.values()) / len(types),
        f"largest |Δ| of a type with {_OFTEN} edits": max(often, default=float("nan")),
    }


def table_2_figures(measured: Mapping[str, tuple[float, int]], nearest: Mapping[str, tuple[str, ...]]) -> list[Figure]:
    """Put the changes of USim and numbers of edits by types beside Table 2, with sums and their rank correlation."""
    results: list[Figure] = []
    for name, (printed, edits) in TABLE_2.items():
        change: Value = None
        why = "no such type in the data"
        if name in measured:
            change, count = measured[name]
            of = "" if nearest[name] == (name,) else f": {', '.join(nearest[name])}"
            why = f"{count} edits (printed: {edits}){of}"
        results.append(Figure(name, change, why, printed))
    if measured:
        own, computed = _summary(measured), _summary(TABLE_2)
        why = "printed: computed from the printed types"
        results += [Figure(name, own[name], why, round(value, 3)) for name, value in computed.items()]
    shared = [name for name in TABLE_2 if name in measured]
    if len(shared) > 2:
        rho = spearman([TABLE_2[name][0] for name in shared], [measured[name][0] for name in shared])
        results.append(Figure("rank correlation", rho, f"Spearman, {len(shared)} types"))
    return results


_ROWS = [
    Row("table 1: DAG F", _ESSAYS, _agreement, printed=table_1.PAPER["dag_f"]),
    Row("table 1: DistSim", _ESSAYS, _dist_sim, printed=_flat(table_1.PAPER["dist_sim"])),
    *map(_usim, ("same", "different", "agreement")),
    Row(
        "table 1: USim, agreement with the corrections",
        _ESSAYS,
        _usim_agreement,
        printed={f"mean, {preset}": table_1.PAPER["usim"]["agreement"][2] for preset in PRESETS},
    ),
    Row(
        "table 1: USim of H, A and D alone",
        _ESSAYS,
        _main_relations,
        printed={kind: table_1.PAPER["usim"][kind][2] for kind in ("same", "different")},
    ),
    Row("§4.2: DAG F of corrections", _ESSAYS, _corrected_agreement),
    Row("readings", _ESSAYS, lambda essay, _: list(readings.measure(essay.parent))),
    Row("automatic", _ESSAYS, _automatic, slow=True, judged=True, printed={"mean": 0.7}),
    Row("§4.5: example", (), _example, judged=True, printed=PRINTED),
    _parsed_row("§4.5: references", JFLEG, _references, printed={"lowest": 0.72, "highest": 0.78}),
    _parsed_row(
        "§4.5: systems",
        (*JFLEG, *(f"jfleg-mle/mle_{k}.txt" for k in range(1, _SYSTEMS + 1))),
        _systems,
        printed={"the worst": 0.19, "the others: lowest": 0.32, "highest": 0.39},
    ),
    *usim_tupa.ROWS,
    *usim_references.ROWS,
    *(
        row
        for edits in ("all", "after")
        for row in (
            _table_2("CoNLL-2014", "conll14/official-2014.combined.m2", {name: (name,) for name in TABLE_2}, edits),
            _table_2("ERRANT's types", "bea-dev/bea-dev.m2", NEAREST, edits, _STRIDE),
        )
    ),
]
ROWS = {row.name: row for row in _ROWS}
