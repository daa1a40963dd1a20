"""Drawings: what is in the SVG, and that it stands in a page without touching anything else there."""

from __future__ import annotations

import re
from xml.etree import ElementTree

from tests.report.test_text import chain
from usim.ucca import Edge, Graph, Terminal, Unit
from usim.ucca.drawing import draw_graph, draw_pair, inline_svg

SVG = "{http://www.w3.org/2000/svg}"


def graph_of(*words: str) -> Graph:
    units = [Unit(), *(Unit((k,)) for k in range(len(words)))]
    return Graph([Terminal(word) for word in words], units, [Edge(0, k + 1, ("A",)) for k in range(len(words))])


def texts(drawing: str, kind: str | None) -> list[str | None]:
    return [text.text for text in ElementTree.fromstring(drawing).iter(f"{SVG}text") if text.get("class") == kind]


def test_a_graph_has_its_words_labels_and_units() -> None:
    graph = graph_of("a<b", "&", "c\x07")
    drawing = draw_graph(graph, [graph.edges[1]])
    assert texts(drawing, None) == ["a<b", "&", "c\ufffd"]
    assert texts(drawing, "label") == ["A", "A"]
    assert texts(drawing, "label lost") == ["A"]
    assert len(list(ElementTree.fromstring(drawing).iter(f"{SVG}circle"))) == 4


def test_a_pair_has_the_words_of_both_and_the_alignment() -> None:
    drawing = draw_pair(graph_of("a", "b"), graph_of("a", "c"), [(0, 0), (1, 1)])
    assert texts(drawing, None) == ["a", "b", "a", "c"]
    kinds = [line.get("class") for line in ElementTree.fromstring(drawing).iter(f"{SVG}line")]
    assert (kinds.count("leaf"), kinds.count("leaf changed")) == (1, 1)


def test_all_rules_of_an_inline_drawing_are_its_own() -> None:
    drawing = inline_svg(draw_graph(graph_of("a")))
    root = ElementTree.fromstring(drawing)
    assert root.get("class") == "usim"
    style = root.findtext(f"{SVG}style")
    assert style is not None
    selectors = re.findall(r"([^{}]+)\{", style)
    assert len(selectors) == 10
    assert all(selector.strip().startswith("svg.usim ") for selector in selectors)


def test_in_a_notebook_a_small_graph_is_drawn_and_a_large_one_is_written() -> None:
    assert graph_of("a", "b")._repr_html_().startswith("<svg ")
    assert graph_of(*"<" * 201)._repr_html_().startswith("<pre>[A &lt;] [A &lt;]")


def test_a_chain_of_5000_units_is_drawn() -> None:
    assert texts(draw_graph(chain(5000)), "label") == ["H"] * 5000
