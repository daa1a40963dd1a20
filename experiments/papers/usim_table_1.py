"""Table 1 of the USim paper, on the annotation behind it.

Choshen & Abend (2018) annotated learner essays and their corrections with UCCA. The files are named by annotator and
essay: ``amittaic`` and ``tree`` are the annotators, 12xx and 13xx the essays of learners, and 100 less is the
correction of each (1297 → 1197, 1301 → 1201). A pair is of the *same* annotator or of *different* ones; *agreement*
compares the annotators on a learner's essay. ``borgr*`` are copies and left out.
"""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Any

from usim.errors import InputError
from usim.measures import PRESETS, REFERENCE, Scores, usim_score
from usim.parsing import Parser
from usim.ucca import EQUIVALENTS, Graph, read_xml
from usim.ucca.evaluate import Counts, evaluate

ANNOTATORS = ("amittaic", "tree")
FIRST_LEARNER = 1297  # below are the corrections, from 1197
_NAME = re.compile(rf"({'|'.join(ANNOTATORS)})(1[123]\d\d)\.xml")

#: The paper's figures. USim: source to output, output to source, their mean.
PAPER: dict[str, Any] = {
    "dag_f": {"f": 0.845, "precision": 0.834, "recall": 0.857},
    "dist_sim": {"A+D": {"same": 0.97, "different": 0.96}, "Scenes": {"same": 0.96, "different": 0.93}},
    "usim": {"same": (0.92, 0.91, 0.92), "different": (0.85, 0.83, 0.84), "agreement": (0.85, 0.81, 0.83)},
}
CATEGORIES = {"A+D": ("A", "D"), "Scenes": ("H",)}

#: The categories that one of the authors' functions counts alone.
_MAIN = ("H", "A", "D")

Annotation = dict[tuple[str, int], Graph]
Pairs = dict[str, list[tuple[Graph, Graph]]]


def read_annotation(folder: Path) -> Annotation:
    """Read the graphs of a folder's XML files by annotator and number; raise an InputError where there are none."""
    graphs: Annotation = {}
    for file in sorted(folder.rglob("*.xml")):
        if match := _NAME.fullmatch(file.name):
            graphs[match[1], int(match[2])] = read_xml(file)
    if not graphs:
        raise InputError(f"no annotation in it: files like {ANNOTATORS[0]}1297.xml are looked for", path=folder)
    return graphs


def pairs(annotation: Annotation) -> Pairs:
    """Pair learners' essays with corrections by the same and by different annotators, and with each other."""
    compared: Pairs = {"same": [], "different": [], "agreement": []}
    for (annotator, number), graph in sorted(annotation.items()):
        for other in ANNOTATORS:
            if number >= FIRST_LEARNER and (correction := annotation.get((other, number - 100))):
                compared["same" if other == annotator else "different"].append((graph, correction))
    compared["agreement"] = annotated_twice(annotation)
    return compared


def annotated_twice(annotation: Annotation, first: int = FIRST_LEARNER) -> list[tuple[Graph, Graph]]:
    """Return the graphs by both annotators of each text from a number on; ``first=0`` takes the corrections, too."""
    numbers = sorted(number for who, number in annotation if who == ANNOTATORS[0] and number >= first)
    return [
        (annotation[ANNOTATORS[0], number], annotation[ANNOTATORS[1], number])
        for number in numbers
        if (ANNOTATORS[1], number) in annotation
    ]


def main_relations(source: Graph, output: Graph) -> float:
    """Compute F over scenes, participants and adverbials alone (H, A, D), as another function of the authors does.

    The units are aligned by the preset *reference*. A unit of several words whose primary edge is one of the three
    counts, and matches if its partner has an equivalent label; the function is ``token_distance(…, fully_align)`` of
    the published code.
    """
    nodes = usim_score(source, output, REFERENCE).nodes
    shares = []
    for own, other, partners in ((source, output, nodes.to_output), (output, source, nodes.to_source)):
        wanted = [
            edge.child for edge in own.primary if edge.categories[0] in _MAIN and own.yields[edge.child].bit_count() > 1
        ]
        labels, other_labels = (_labels(graph) for graph in (own, other))
        matched = sum(bool(labels[u] & other_labels[int(partners[u])]) for u in wanted if partners[u] >= 0)
        shares.append(matched / len(wanted) if wanted else 0.0)
    return Scores.of(*shares).f


def _labels(graph: Graph) -> dict[int, set[str]]:
    """Return the categories of all edges into each unit, with those that are equivalent to them."""
    labels: dict[int, set[str]] = defaultdict(set)
    for edge in graph.edges:
        for category in edge.categories:
            labels[edge.child] |= {category}.union(*(pair for pair in EQUIVALENTS if category in pair))
    return labels


def parsed_pairs(annotation: Annotation, parser: Parser) -> list[tuple[Graph, Graph]]:
    """Parse each learner's essay and its correction, one pair an essay, into tokens of the parser's own."""
    texts: dict[int, str] = {}
    for annotator in reversed(ANNOTATORS):
        texts |= {n: " ".join(graph.tokens) for (who, n), graph in annotation.items() if who == annotator}
    essays = sorted(n for n in texts if n >= FIRST_LEARNER and n - 100 in texts)
    graphs = iter(parser.parse([texts[n] for essay in essays for n in (essay, essay - 100)]))
    return list(zip(graphs, graphs, strict=True))


def dag_counts(pairs: Iterable[tuple[Graph, Graph]]) -> list[Counts]:
    """Return what DAG F counts of each text that both annotated."""
    return [evaluate(b, a, normalise=False).tables["weak"]["all"] for a, b in pairs]


def dag_f_of(compared: Pairs) -> dict[str, float]:
    """Return the DAG F of the annotators with its precision and recall, over all their essays together."""
    total = sum(dag_counts(compared["agreement"]), Counts())
    return {"f": total.f, "precision": total.precision, "recall": total.recall}


def dist_sim(pairs: Iterable[tuple[Graph, Graph]], categories: Sequence[str] = ("A", "D")) -> Scores:
    """Compute DistSim: whether categories occur as often in the outputs as in the sources, over all pairs together.

    Each occurrence in one graph stands for one in the other, wherever it is. If ``c(source)`` and ``c(output)`` are how
    often a category occurs, recall is ``Σ min(c(source), c(output)) / Σ c(source)``, summed over the categories and the
    pairs; precision has ``c(output)`` in the denominator. Units of more than one terminal are counted, by the first
    category of their primary edge. The paper prints DistSim as the mean of ``|c(source) − c(output)|``; it is computed
    as this overlap, which is what fits its Table 1, where 1 is the best. That table has ``("A", "D")`` and, for scenes,
    ``("H",)``. Scores are 1 where neither side has any such unit.
    """
    common = in_source = in_output = 0
    for source, output in pairs:
        source_counts, output_counts = (_category_counts(graph) for graph in (source, output))
        for category in categories:
            common += min(source_counts[category], output_counts[category])
            in_source += source_counts[category]
            in_output += output_counts[category]
    if not in_source and not in_output:
        return Scores.of(1.0, 1.0)
    return Scores.of(common / in_source if in_source else 0.0, common / in_output if in_output else 0.0)


def _category_counts(graph: Graph) -> Counter[str]:
    return Counter(
        edge.categories[0]
        for edge in graph.primary
        if graph.yields[edge.child].bit_count() > 1 and not graph.units[edge.child].is_punct
    )


def dist_sim_of(compared: Pairs) -> dict[str, dict[str, float]]:
    """Return DistSim by categories, of corrections by the same and by different annotators."""
    return {
        row: {kind: dist_sim(compared[kind], categories).f for kind in ("same", "different")}
        for row, categories in CATEGORIES.items()
    }


def usim_row(compared: Iterable[tuple[Graph, Graph]], preset: str) -> tuple[float, float, float]:
    """Average over pairs the F from source to output, from output to source, and of both."""
    scores = [usim_score(a, b, PRESETS[preset]) for a, b in compared]
    if not scores:
        return (float("nan"),) * 3
    n = len(scores)
    return sum(s.s2r.f for s in scores) / n, sum(s.r2s.f for s in scores) / n, sum(s.f for s in scores) / n
