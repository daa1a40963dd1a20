"""Table 1 of the USim paper, beside what usim gets on the same annotation.

    python -m experiments.table1 --annotations DIR [--parser en] [--out DIR] [--format text|json]

Choshen & Abend (2018), "Reference-less Measure of Faithfulness for Grammatical Error Correction", annotated learner
essays and their corrections with UCCA and asked two things: do annotators agree on learner language (DAG F), and does a
correction that keeps the meaning keep the structure (USim, DistSim)? This module asks the same of their annotation.

The files are named by annotator and essay: ``amittaic`` and ``tree`` are the annotators, 12xx and 13xx the essays of
learners, and 100 less is the correction of each (1297 → 1197, 1301 → 1201). A pair is of the *same* annotator or of
*different* ones; *agreement* compares the annotators on a learner's essay. ``borgr*`` are copies: they are left out.

With ``--parser`` the same essays are parsed as well, from their words alone: the *automatic* rows (§4.3 of the paper
asks the same of other corpora, where nobody has annotated anything).
"""

from __future__ import annotations

import argparse
import json
import re
import sys
import tarfile
from collections.abc import Iterable
from pathlib import Path
from typing import TYPE_CHECKING, Any

from experiments._command import write
from experiments._report import Cell, Study, Table
from usim.errors import InputError, UsimError
from usim.measures import PRESETS, dag_f, dist_sim, usim_score
from usim.parsing import Parser, load
from usim.ucca import Counts, Graph, parse_xml, read_xml

if TYPE_CHECKING:
    from matplotlib.figure import Figure

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

Annotation = dict[tuple[str, int], Graph]
Pairs = dict[str, list[tuple[Graph, Graph]]]


def read_annotation(path: Path) -> Annotation:
    """The graphs by annotator and number, from a folder with the xml files or an archive (``.tar.xz``) of it.

    Raises:
        InputError: the path does not exist, or there is no annotation in it.
        FormatError: a file is not UCCA XML.
    """
    found: Annotation = {}
    if path.is_dir():
        for file in sorted(path.rglob("*.xml")):
            if match := _NAME.fullmatch(file.name):
                found[match[1], int(match[2])] = read_xml(file)
    else:
        try:
            with tarfile.open(path) as archive:
                for member in archive:
                    match = _NAME.fullmatch(Path(member.name).name)
                    content = archive.extractfile(member) if match else None
                    if match and content:
                        found[match[1], int(match[2])] = parse_xml(content.read(), path=f"{path}/{member.name}")
        except (OSError, tarfile.TarError) as e:
            raise InputError(f"neither a folder nor an archive of annotation: {e}", path=path) from e
    if not found:
        raise InputError(f"no annotation in it: files like {ANNOTATORS[0]}1297.xml are looked for", path=path)
    return found


def pairs(annotation: Annotation) -> Pairs:
    """The pairs that the table compares: learner and correction of the same and of different annotators; agreement."""
    found: Pairs = {"same": [], "different": [], "agreement": []}
    for (annotator, number), graph in sorted(annotation.items()):
        for other in ANNOTATORS:
            if number >= FIRST_LEARNER and (correction := annotation.get((other, number - 100))):
                found["same" if other == annotator else "different"].append((graph, correction))
    for (annotator, number), graph in sorted(annotation.items()):
        twice = annotation.get((ANNOTATORS[1], number))
        if annotator == ANNOTATORS[0] and number >= FIRST_LEARNER and twice:
            found["agreement"].append((graph, twice))
    return found


def parsed_pairs(annotation: Annotation, parser: Parser) -> list[tuple[Graph, Graph]]:
    """Each learner's essay and its correction, parsed from their texts.

    The words of an essay are the same whoever annotated it, so there is one pair an essay. Its tokens are the parser's
    own: the annotators did not cut punctuation off.
    """
    texts: dict[int, str] = {}
    for annotator in reversed(ANNOTATORS):
        texts |= {n: " ".join(graph.tokens) for (who, n), graph in annotation.items() if who == annotator}
    essays = sorted(n for n in texts if n >= FIRST_LEARNER and n - 100 in texts)
    graphs = iter(parser.parse([texts[n] for essay in essays for n in (essay, essay - 100)]))
    return list(zip(graphs, graphs, strict=True))


def table1(compared: Pairs) -> dict[str, Any]:
    """All figures of the table, in the form of :data:`PAPER`; USim for each preset, and for each kind of pairs."""
    total = sum((dag_f(a, b, labels="equivalent") for a, b in compared["agreement"]), Counts())
    return {
        "pairs": {kind: len(found) for kind, found in compared.items()},
        "dag_f": {"f": total.f, "precision": total.precision, "recall": total.recall},
        "dist_sim": {
            row: {kind: dist_sim(found, categories).f for kind, found in compared.items() if kind != "agreement"}
            for row, categories in CATEGORIES.items()
        },
        "usim": {
            name: {"signature": preset.signature} | {kind: usim_row(found, name) for kind, found in compared.items()}
            for name, preset in PRESETS.items()
        },
    }


def usim_row(compared: Iterable[tuple[Graph, Graph]], preset: str) -> tuple[float, float, float]:
    """The mean over pairs of F from source to output, from output to source, and of both."""
    scores = [usim_score(a, b, PRESETS[preset]) for a, b in compared]
    if not scores:
        return (float("nan"),) * 3
    n = len(scores)
    return sum(s.s2r.f for s in scores) / n, sum(s.r2s.f for s in scores) / n, sum(s.f for s in scores) / n


def study(found: dict[str, Any], settings: dict[str, Any], parser: str | None = None) -> Study:
    """The table as a study, to be written and drawn.

    Args:
        found: what :func:`table1` found.
        settings: what the figures were made from.
        parser: the name of the parser of the automatic rows, if there are any.
    """
    rows: list[tuple[Cell, ...]] = [
        ("DAG F of the annotators", figure, PAPER["dag_f"][figure], found["dag_f"][figure]) for figure in PAPER["dag_f"]
    ]
    for row, kinds in found["dist_sim"].items():
        rows += [(f"DistSim {row}", kind, PAPER["dist_sim"][row].get(kind), x) for kind, x in kinds.items()]
    for name in PRESETS:
        for kind, figures in found["usim"][name].items():
            if kind != "signature":
                paper = PAPER["usim"].get(kind, (None,) * 3)
                directions = ("source → output", "output → source", "mean")
                triples = zip(directions, paper, figures, strict=True)
                rows += [(f"USim ({name}) {kind}", direction, there, x) for direction, there, x in triples]
    signatures = {name: found["usim"][name]["signature"] for name in PRESETS}
    signatures |= {"automatic": f"parser:{parser}"} if parser else {}

    def draw(figure: Figure) -> None:
        axes = figure.subplots()
        kinds = [kind for kind in found["usim"]["default"] if kind != "signature"]
        bars = {"paper": [PAPER["usim"].get(k, (None,) * 3)[2] for k in kinds]}
        bars |= {f"usim, {name}": [found["usim"][name][k][2] for k in kinds] for name in PRESETS}
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
                f"Faithfulness of valid corrections; pairs: {found['pairs']}",
                ("measure", "figure", "paper", "usim"),
                tuple(rows),
                digits=4,
            ),
        ),
        signatures,
        settings,
        draw=draw,
    )


def run(annotations: Path, parser: str | Parser | None = None) -> Study:
    """The table from a folder or archive of the annotation.

    Args:
        annotations: see :func:`read_annotation`.
        parser: who parses the essays for the automatic rows, or its name; None for no such rows.

    Raises:
        InputError: there is no annotation there.
        FormatError: a file is not UCCA XML.
        ParsingError: the parser cannot be loaded.
    """
    loaded = load(parser) if isinstance(parser, str) else parser
    return study(figures(annotations, loaded), {"annotations": annotations}, loaded.name if loaded else None)


def figures(annotations: Path, parser: Parser | None = None) -> dict[str, Any]:
    """The figures of the table, see :func:`table1`; with a parser also those of the essays that it parsed."""
    annotation = read_annotation(annotations)
    compared = pairs(annotation)
    if parser is not None:
        compared["automatic"] = parsed_pairs(annotation, parser)
    return table1(compared)


def as_text(found: dict[str, Any]) -> str:
    """The table, with the paper's figures in a column of their own."""
    lines = [f"{'Table 1':32}{'paper':>22}{'usim':>24}"]

    def line(name: str, paper: Iterable[float], usim: Iterable[float]) -> None:
        there = " ".join(f"{x:.3g}".replace("0.", ".") for x in paper)
        here = " ".join(f"{x:.4f}".replace("0.", ".") for x in usim)
        lines.append(f"{name:32}{there:>22}{here:>24}")

    line("IAA: DAG F, precision, recall", PAPER["dag_f"].values(), found["dag_f"].values())
    for row, kinds in PAPER["dist_sim"].items():
        own = dict(found["dist_sim"][row])
        automatic = own.pop("automatic", None)
        line(f"DistSim {row}: same, different", kinds.values(), own.values())
        if automatic is not None:
            line("  automatic", (), (automatic,))
    for name in PRESETS:
        lines.append(f"USim ({name}): source → output, output → source, mean")
        for kind, figures in found["usim"][name].items():
            if kind != "signature":
                line(f"  {kind}", PAPER["usim"].get(kind, ()), figures)
    lines.append("")
    lines += [f"{name}: {found['usim'][name]['signature']}" for name in PRESETS]
    return "\n".join(lines)


def main(arguments: list[str] | None = None) -> int:
    """The command. Returns the exit status: 0, or 2 for input that cannot be read."""
    parser = argparse.ArgumentParser(prog="experiments.table1", description=__doc__.split("\n", 1)[0])
    parser.add_argument(
        "--annotations", type=Path, required=True, help="the folder of the xml files, or an archive (.tar.xz) of it"
    )
    parser.add_argument("--parser", help="parse the essays as well: en, onnx:DIR, tupa:MODEL, …")
    parser.add_argument("--out", type=Path, metavar="DIR", help="write table, figure and numbers into this folder")
    parser.add_argument("--format", choices=("text", "json"), default="text")
    options = parser.parse_args(arguments)
    try:
        loaded = load(options.parser) if options.parser else None
        found = figures(options.annotations, loaded)
        if options.out:
            settings = {"annotations": options.annotations}
            write(study(found, settings, loaded.name if loaded else None), options.out)
    except UsimError as e:
        print(e, file=sys.stderr)
        return 2
    print(json.dumps({"paper": PAPER, "usim": found}, indent=2) if options.format == "json" else as_text(found))
    return 0


if __name__ == "__main__":
    sys.exit(main())
