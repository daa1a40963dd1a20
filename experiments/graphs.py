"""Graphs compared by DAG F, USim, smatch++ and the score of MRP, pair by pair and together.

    python -m experiments graphs GOLD PRED [--mtool DIR]

GOLD and PRED are files or folders of UCCA graphs (XML, MRP), paired as ``usim evaluate`` does; or two files of AMR in
PENMAN notation (``.amr``, ``.txt``), the first with the first, of which only smatch++ is measured. smatch++ is that
of ``pip install smatchpp`` with its exact alignment (by hill climbing, even equal graphs of UCCA score about .9); a
UCCA graph is given to it with units and words as its variables and categories as its relations. The score of MRP is
that of the shared task's program (``git clone https://github.com/cfmrp/mtool``), which ``--mtool`` names.
"""

from __future__ import annotations

import json
import re
import subprocess
import sys
import tempfile
from collections.abc import Sequence
from pathlib import Path
from statistics import fmean
from typing import Any

from experiments.common.command import Command, Option
from experiments.common.study import Study
from usim.errors import InputError, UsimError, extra
from usim.measures import DEFAULT, PRESETS, usim_score
from usim.parsing.given import GivenParser
from usim.report.tables import Cell, Row, Table
from usim.text.files import read_text
from usim.ucca import Graph, write_mrp
from usim.ucca.evaluate import Counts, evaluate
from usim.ucca.files import pair_graphs

_AMR = (".amr", ".txt", ".penman")


def penman(graph: Graph) -> str:
    """Return a UCCA graph in PENMAN notation: units and words are variables, categories relations.

    >>> from tests.brackets import graph_of
    >>> penman(graph_of("[A He] [P left]"))
    '(u0 / unit :A (u1 / unit :terminal (t0 / "He")) :P (u2 / unit :terminal (t1 / "left")))'
    """

    def node(unit: int) -> str:
        words = "".join(f" :terminal (t{i} / {_quoted(graph.terminals[i].text)})" for i in graph.units[unit].terminals)
        parts = "".join(
            f" :{'+'.join(edge.categories)}{'-remote' if edge.is_remote else ''} "
            + (f"u{edge.child}" if edge.is_remote else node(edge.child))
            for edge in graph.edges
            if edge.parent == unit
        )
        return f"(u{unit} / unit{words}{parts})"

    return node(0)


def _quoted(text: str) -> str:
    return '"' + re.sub(r'["\\\s()]', "_", text) + '"'


def smatch(gold: Sequence[str], predicted: Sequence[str]) -> dict[str, float]:
    """Return precision, recall and F, in [0, 1], of pairs of graphs in PENMAN notation, over all of them together."""
    library = extra("smatchpp", "scores of graphs need")
    solver = extra("smatchpp.solvers", "scores of graphs need").ILP()
    scores, _ = library.Smatchpp(alignmentsolver=solver).score_corpus(list(gold), list(predicted))
    return {
        name: scores["main"][key]["result"] / 100 for name, key in (("P", "Precision"), ("R", "Recall"), ("F", "F1"))
    }


def mrp(gold: Sequence[Graph], predicted: Sequence[Graph], mtool: Path) -> dict[str, float]:
    """Return precision, recall and F, in [0, 1], of the shared task's own program."""
    if not (mtool / "main.py").exists():
        raise InputError("no main.py in it: git clone https://github.com/cfmrp/mtool", path=mtool)
    with tempfile.TemporaryDirectory() as folder:
        files = [Path(folder, name) for name in ("gold.mrp", "predicted.mrp")]
        for file, graphs in zip(files, (gold, predicted), strict=True):
            write_mrp([_named(graph, number) for number, graph in enumerate(graphs)], file)
        command = [sys.executable, str(mtool / "main.py"), "--read", "mrp", "--score", "mrp", "--framework", "ucca",
                   "--gold", str(files[0]), str(files[1])]  # fmt: skip
        done = subprocess.run(command, capture_output=True, text=True, check=False)
    try:
        scores: dict[str, Any] = json.loads(done.stdout)["all"]
    except (ValueError, KeyError) as e:
        raise InputError(f"it gave no scores: {done.stderr.strip()[-300:]}", path=mtool) from e
    return {name: float(scores[key]) for name, key in (("P", "p"), ("R", "r"), ("F", "f"))}


def _named(graph: Graph, number: int) -> Graph:
    return Graph(graph.terminals, graph.units, graph.edges, graph.linkages, id=f"{number:06}")


def read_penman(path: Path) -> list[str]:
    """Return the graphs of a file in PENMAN notation: between blank lines, without comments."""
    parts = re.split(r"\n\s*\n", re.sub(r"^#.*$", "", read_text(path), flags=re.MULTILINE))
    return [" ".join(part.split()) for part in parts if part.strip()]


def run(gold: Path, predicted: Path, mtool: Path | None = None) -> Study:
    """Compare the graphs of two files or folders, which must be as many."""
    rows: list[Row] = []
    if gold.suffix in _AMR:
        first, second = read_penman(gold), read_penman(predicted)
        if len(first) != len(second) or not first:
            raise InputError(f"{len(second)} graphs for {len(first)} gold ones", path=predicted)
        rows.append(("smatch++", *smatch(first, second).values()))
        count = len(first)
    else:
        pairs = []
        for pair in pair_graphs(gold, GivenParser(predicted)):
            if isinstance(pair, UsimError):
                raise pair
            pairs.append((pair.gold, pair.predicted))
        counts = sum((evaluate(a, b).tables["labelled"]["all"] for a, b in pairs), Counts())
        rows.append(("DAG F, labelled", counts.precision, counts.recall, counts.f))
        for preset in (DEFAULT, PRESETS["reference"]):
            scores = [usim_score(a, b, preset) for a, b in pairs]
            rows.append((f"USim, {preset.name}", *_means(scores)))
        graphs = tuple(zip(*pairs, strict=True))
        rows.append(("smatch++", *smatch(*([penman(g) for g in own] for own in graphs)).values()))
        if mtool is not None:
            rows.append(("MRP", *mrp(*graphs, mtool).values()))
        count = len(pairs)
    table = Table("graphs", f"{count} graphs", ("score", "P", "R", "F"), tuple(rows))
    return Study("graphs", "Scores of graphs side by side", (table,), {}, {"gold": gold, "predicted": predicted})


def _means(scores: Sequence[Any]) -> tuple[Cell, ...]:
    sides = [(own.s2r, own.r2s) for own in scores]
    return (
        *(fmean(getattr(side, part) for both in sides for side in both) for part in ("precision", "recall")),
        fmean(own.f for own in scores),
    )


main = Command(
    run,
    Option("gold", type=Path, metavar="GOLD", help="UCCA graphs, or AMR"),
    Option("predicted", type=Path, metavar="PRED", help="the same, of a parser or of another annotator"),
    Option("--mtool", type=Path, metavar="DIR", help="a clone of cfmrp/mtool"),
    shared=("out",),
)
