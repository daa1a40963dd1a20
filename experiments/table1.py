"""Table 1 of the USim paper, beside what usim gets on the same annotation.

    python -m experiments.table1 --annotations DIR [--parser en] [--out DIR]

Choshen & Abend (2018) annotated learner essays and their corrections with UCCA. The files are named by annotator and
essay: ``amittaic`` and ``tree`` are the annotators, 12xx and 13xx the essays of learners, and 100 less is the
correction of each (1297 → 1197, 1301 → 1201). A pair is of the *same* annotator or of *different* ones; *agreement*
compares the annotators on a learner's essay; with ``--parser`` the same essays are parsed as well, from their words
alone (*automatic*). ``borgr*`` are copies and left out.
"""

from __future__ import annotations

import re
import sys
import tarfile
from collections import defaultdict
from collections.abc import Iterable
from pathlib import Path
from typing import Any

from experiments.common.command import Command, Option
from experiments.common.study import Figure, Study
from usim.errors import InputError
from usim.measures import PRESETS, REFERENCE, Preset, Scores, dag_f, dist_sim, usim_score
from usim.parsing import Parser, load
from usim.report.tables import Cell, Table
from usim.ucca import EQUIVALENTS, Counts, Graph, parse_xml, read_xml

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


def read_annotation(path: Path) -> Annotation:
    """Read the graphs by annotator and number, from a folder with the xml files or an archive (``.tar.xz``) of it.

    Raises:
        InputError: the path does not exist, or there is no annotation in it.
        FormatError: a file is not UCCA XML.
    """
    graphs: Annotation = {}
    if path.is_dir():
        for file in sorted(path.rglob("*.xml")):
            if match := _NAME.fullmatch(file.name):
                graphs[match[1], int(match[2])] = read_xml(file)
    else:
        try:
            with tarfile.open(path) as archive:
                for member in archive:
                    match = _NAME.fullmatch(Path(member.name).name)
                    content = archive.extractfile(member) if match else None
                    if match and content:
                        graphs[match[1], int(match[2])] = parse_xml(content.read(), path=f"{path}/{member.name}")
        except (OSError, tarfile.TarError) as e:
            raise InputError(f"neither a folder nor an archive of annotation: {e}", path=path) from e
    if not graphs:
        raise InputError(f"no annotation in it: files like {ANNOTATORS[0]}1297.xml are looked for", path=path)
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


def main_relations(source: Graph, output: Graph, preset: Preset = REFERENCE) -> float:
    """Compute F over scenes, participants and adverbials alone (H, A, D), as another function of the authors does.

    The units are aligned by the preset. A unit of several words whose primary edge is one of the three counts, and
    matches if its partner has an equivalent label; the function is ``token_distance(…, fully_align)`` of the published
    code.
    """
    nodes = usim_score(source, output, preset).nodes
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
    """Parse each learner's essay and its correction from their texts.

    The words of an essay are the same in all its annotations, so there is one pair an essay. Its tokens are the
    parser's own because the annotators did not separate punctuation.
    """
    texts: dict[int, str] = {}
    for annotator in reversed(ANNOTATORS):
        texts |= {n: " ".join(graph.tokens) for (who, n), graph in annotation.items() if who == annotator}
    essays = sorted(n for n in texts if n >= FIRST_LEARNER and n - 100 in texts)
    graphs = iter(parser.parse([texts[n] for essay in essays for n in (essay, essay - 100)]))
    return list(zip(graphs, graphs, strict=True))


def table1(compared: Pairs) -> dict[str, Any]:
    """Compute all figures of the table, in the form of :data:`PAPER`; USim for each preset and each kind of pairs."""
    total = sum((dag_f(a, b, labels="equivalent") for a, b in compared["agreement"]), Counts())
    return {
        "pairs": {kind: len(graphs) for kind, graphs in compared.items()},
        "dag_f": {"f": total.f, "precision": total.precision, "recall": total.recall},
        "dist_sim": {
            row: {kind: dist_sim(graphs, categories).f for kind, graphs in compared.items() if kind != "agreement"}
            for row, categories in CATEGORIES.items()
        },
        "usim": {
            name: {"signature": preset.signature} | {kind: usim_row(graphs, name) for kind, graphs in compared.items()}
            for name, preset in PRESETS.items()
        },
    }


def usim_row(compared: Iterable[tuple[Graph, Graph]], preset: str) -> tuple[float, float, float]:
    """Average over pairs the F from source to output, from output to source, and of both."""
    scores = [usim_score(a, b, PRESETS[preset]) for a, b in compared]
    if not scores:
        return (float("nan"),) * 3
    n = len(scores)
    return sum(s.s2r.f for s in scores) / n, sum(s.r2s.f for s in scores) / n, sum(s.f for s in scores) / n


def run(annotations: Path, parser: str | Parser | None = None) -> Study:
    """Compute the table from the annotation; with a parser, or its name, also for the essays as it parses them."""
    loaded = load(parser) if isinstance(parser, str) else parser
    values = figures(annotations, loaded)
    rows: list[tuple[Cell, ...]] = [
        ("DAG F of the annotators", figure, PAPER["dag_f"][figure], values["dag_f"][figure])
        for figure in PAPER["dag_f"]
    ]
    for row, kinds in values["dist_sim"].items():
        rows += [(f"DistSim {row}", kind, PAPER["dist_sim"][row].get(kind), x) for kind, x in kinds.items()]
    for name in PRESETS:
        for kind, triple in values["usim"][name].items():
            if kind != "signature":
                paper = PAPER["usim"].get(kind, (None,) * 3)
                directions = ("source → output", "output → source", "mean")
                triples = zip(directions, paper, triple, strict=True)
                rows += [(f"USim ({name}) {kind}", direction, there, x) for direction, there, x in triples]
    signatures = {name: values["usim"][name]["signature"] for name in PRESETS}
    signatures |= {"automatic": f"parser:{loaded.name}"} if loaded else {}

    def draw(figure: Figure) -> None:
        axes = figure.subplots()
        kinds = [kind for kind in values["usim"]["default"] if kind != "signature"]
        bars = {"paper": [PAPER["usim"].get(k, (None,) * 3)[2] for k in kinds]}
        bars |= {f"usim, {name}": [values["usim"][name][k][2] for k in kinds] for name in PRESETS}
        width = 0.8 / len(bars)
        for i, (name, heights) in enumerate(bars.items()):
            axes.bar([x + i * width for x in range(len(kinds))], [h or 0.0 for h in heights], width, label=name)
        axes.set_xticks([x + 0.4 - width / 2 for x in range(len(kinds))], kinds)
        axes.set_ylabel("USim, mean of both directions")
        axes.set_ylim(0, 1)
        figure.legend(loc="outside lower center", ncols=len(bars))

    return Study(
        "table1",
        "Table 1 of the USim paper",
        (
            Table(
                "figures",
                f"Faithfulness of valid corrections; pairs: {values['pairs']}",
                ("measure", "figure", "paper", "usim"),
                tuple(rows),
                digits=4,
            ),
        ),
        signatures,
        {"annotations": annotations},
        draw=draw,
    )


def figures(annotations: Path, parser: Parser | None = None) -> dict[str, Any]:
    """Compute the figures of the table, see :func:`table1`; with a parser also for the essays as it parses them."""
    annotation = read_annotation(annotations)
    compared = pairs(annotation)
    if parser is not None:
        compared["automatic"] = parsed_pairs(annotation, parser)
    return table1(compared)


#: The annotation, as :mod:`experiments.presets` takes it, too.
ANNOTATIONS = Option(
    "--annotations", type=Path, required=True, help="the folder of the xml files, or an archive (.tar.xz) of it"
)

main = Command(
    run,
    ANNOTATIONS,
    Option("--parser", help="parse the essays as well: en, onnx:DIR, xml:DIR, …"),
    shared=("out",),
)

if __name__ == "__main__":
    sys.exit(main())
