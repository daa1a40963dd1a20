"""Graphs as trees for the terminal."""

from __future__ import annotations

import io

import pytest
from rich.console import Console, RenderableType

from tests.brackets import graph_of
from usim import Scorer
from usim.report.text import explanation, graph_tree


def shown(renderable: RenderableType) -> str:
    """Return what a terminal shows."""
    console = Console(file=(file := io.StringIO()), soft_wrap=True, width=1000)
    console.print(renderable)
    return file.getvalue()


def test_a_tree_of_units_in_the_order_of_the_text() -> None:
    graph = graph_of("[H [A He] [P left] [A IMPLICIT]]")
    assert shown(graph_tree(graph, title="graph")).splitlines() == [
        "graph",
        "└── H  He left",
        "    ├── A  He",
        "    ├── P  left",
        "    └── A  (implicit)",
    ]


@pytest.mark.model
def test_brackets_of_a_text_are_no_markup() -> None:
    result = Scorer(model="en-fast").score("If [/b] comes, we go.", "We go.")
    assert "condition  lost  If [/b] comes" in shown(explanation(result))
