"""Graphs as trees for the terminal."""

from __future__ import annotations

import io

import pytest
from rich.console import Console

from usim import Scorer
from usim.report.text import explanation, graph_tree
from usim.ucca import Edge, Graph, Terminal, Unit


def lines(graph: Graph) -> list[str]:
    console = Console(file=io.StringIO(), soft_wrap=True, width=1000)
    console.print(graph_tree(graph, title="graph"))
    assert isinstance(console.file, io.StringIO)
    return console.file.getvalue().splitlines()


def test_a_tree_of_units_in_the_order_of_the_text() -> None:
    units = [Unit(), Unit(), Unit((0,)), Unit((1,)), Unit(is_implicit=True)]
    edges = [Edge(0, 1, ("H",)), Edge(1, 2, ("A",)), Edge(1, 3, ("P",)), Edge(1, 4, ("A",))]
    graph = Graph([Terminal("He"), Terminal("left")], units, edges)
    assert lines(graph) == [
        "graph",
        "└── H  He left",
        "    ├── A  He",
        "    ├── P  left",
        "    └── A  (implicit)",
    ]


@pytest.mark.model
def test_brackets_of_a_text_are_no_markup() -> None:
    result = Scorer(model="en-fast").score("If [/b] comes, we go.", "We go.")
    console = Console(file=io.StringIO(), soft_wrap=True, width=1000)
    console.print(explanation(result))
    assert isinstance(console.file, io.StringIO)
    assert "condition  lost  If [/b] comes" in console.file.getvalue()
