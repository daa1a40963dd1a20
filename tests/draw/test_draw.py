"""Drawings: what is in the SVG, that nothing in it lies on anything else, and that it stands in a page on its own."""

from __future__ import annotations

import re
from itertools import combinations
from xml.etree import ElementTree

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests import brackets
from tests.strategies import edited_tokens, graphs, tokens
from tests.support.graphs import chain
from usim.draw import Caption, Note, draw_graph, draw_pair
from usim.draw._layout import columns_of, text_width
from usim.measures import align_graphs
from usim.ucca import Edge, Graph, Terminal, Unit

SVG = "{http://www.w3.org/2000/svg}"
Box = tuple[float, float, float, float]


def graph_of(*words: str) -> Graph:
    return brackets.graph_of(" ".join(f"[A {word}]" for word in words))


def groups(drawing: str, kind: str) -> list[ElementTree.Element]:
    """The groups of a kind, without the samples of the legend."""
    root = ElementTree.fromstring(drawing)
    return [g for g in root.iter(f"{SVG}g") if kind in g.get("class", "").split() and g.get("data-side")]


def texts(drawing: str, kind: str) -> list[str | None]:
    return [group.findtext(f"{SVG}text") for group in groups(drawing, kind) if group.find(f"{SVG}text") is not None]


def boxes(drawing: str) -> list[Box]:
    """The boxes of all labels and words, with the lines of text of caption and legend."""
    root = ElementTree.fromstring(drawing)
    placed = []
    for rect in root.iter(f"{SVG}rect"):
        if rect.get("class") in ("box", "hit"):
            x, y, width, height = (float(rect.get(name, "0")) for name in ("x", "y", "width", "height"))
            placed.append((x, y, x + width, y + height))
    for text in root.findall(f"{SVG}text"):
        x, y = float(text.get("x", "0")), float(text.get("y", "0"))
        if "start" in text.get("class", ""):
            placed.append((x, y - 10, x + text_width("".join(text.itertext()), 12), y + 3))
    return placed


def assert_apart(drawing: str) -> None:
    root = ElementTree.fromstring(drawing)
    width, height = float(root.get("width", "0")), float(root.get("height", "0"))
    placed = boxes(drawing)
    for left, top, right, bottom in placed:
        assert left >= 0
        assert top >= 0
        assert right <= width + 1
        assert bottom <= height + 1
    for (l1, t1, r1, b1), (l2, t2, r2, b2) in combinations(placed, 2):
        assert min(r1, r2) <= max(l1, l2) + 0.2 or min(b1, b2) <= max(t1, t2) + 0.2


@st.composite
def pairs(draw: st.DrawFn) -> tuple[Graph, Graph]:
    source = draw(tokens(max_size=14))
    output = draw(edited_tokens(source))
    return draw(graphs(tokens=source)), draw(graphs(tokens=output))


@given(pairs(), st.sampled_from([120.0, 320.0, 1080.0]))
def test_labels_of_a_pair_do_not_lie_on_one_another(pair: tuple[Graph, Graph], width: float) -> None:
    notes = [Note(f"note {t}", (t,), ()) for t in range(min(2, len(pair[0].terminals)))]
    caption = Caption("review", "faithfulness 0.500, USim 0.500")
    aligned = align_graphs(*pair).pairs
    drawing = draw_pair(*pair, aligned, notes=notes, caption=caption, width=width)
    assert_apart(drawing)
    assert drawing == draw_pair(*pair, aligned, notes=notes, caption=caption, width=width)


@given(pairs())
def test_each_unit_word_and_remote_edge_is_drawn(pair: tuple[Graph, Graph]) -> None:
    drawing = draw_pair(*pair, align_graphs(*pair).pairs, width=200)
    for side, graph in zip(("source", "output"), pair, strict=True):
        units = [g for g in groups(drawing, "unit") if g.get("data-side") == side]
        assert {int(g.get("data-unit", "")) for g in units} >= set(range(1, len(graph.units) * bool(graph.terminals)))
        words = [g for g in groups(drawing, "token") if g.get("data-side") == side]
        assert [int(g.get("data-word", "")) for g in words] == list(range(len(graph.terminals)))
        remotes = [g for g in groups(drawing, "remote") if g.get("data-side") == side]
        assert len(remotes) == len(graph.remotes) * bool(graph.terminals)


@given(pairs())
def test_the_legend_names_each_category_that_is_used_and_no_other(pair: tuple[Graph, Graph]) -> None:
    root = ElementTree.fromstring(draw_pair(*pair, align_graphs(*pair).pairs))
    used = {category for graph in pair for edge in graph.edges for category in edge.categories}
    signs = [text[0] for text in root.findall(f"{SVG}text") if "key" in text.get("class", "").split()]
    named = ["".join(sign.itertext()) for sign in signs if "of-" in sign.get("class", "")]
    assert set(named) == used
    assert len(named) == len(used)


@given(pairs())
def test_each_word_has_one_column_and_words_that_stay_in_order_share_theirs(pair: tuple[Graph, Graph]) -> None:
    lengths = [len(graph.terminals) for graph in pair]
    columns = columns_of(lengths, align_graphs(*pair).pairs)
    for side, length in enumerate(lengths):
        assert [column[side] for column in columns if column[side] >= 0] == list(range(length))


def test_words_that_stay_in_order_are_joined_by_upright_lines() -> None:
    source, output = graph_of("a", "cat", "sat"), graph_of("a", "very", "black", "cat", "sat", "down")
    drawing = draw_pair(source, output, [(0, 0), (1, 3), (2, 4)])
    ways = re.findall(r'class="align[^"]*"[^>]* d="M([\d.]+) \S+ \S+ ([\d.]+) ', drawing)
    assert len(ways) == 3
    assert all(start == end for start, end in ways)


def test_words_that_are_most_alike_are_joined_by_dashed_lines() -> None:
    source, output = graph_of("a", "lorry", "stopped"), graph_of("a", "truck", "halted")
    drawing = draw_pair(source, output, [(0, 0), (2, 1)], soft=[(1, 1), (2, 2)])
    assert re.findall(r'class="soft" data-source="(.)" data-output="(.)"', drawing) == [("1", "1"), ("2", "2")]
    assert "most alike in meaning, not aligned" in drawing
    assert 'class="soft"' not in draw_pair(source, output, [(0, 0), (2, 1)])


def test_a_graph_has_its_words_labels_and_units() -> None:
    graph = graph_of("a<b", "&", "c\x07")
    drawing = draw_graph(graph)
    assert texts(drawing, "token") == ["a<b", "&", "c\ufffd"]
    assert texts(drawing, "unit") == ["root", "A", "A", "A"]
    pair = draw_pair(graph, graph, [], [graph.edges[1]])
    assert [group.get("data-unit") for group in groups(pair, "lost")] == ["2"]


def test_a_unit_without_words_stands_beside_its_parent_as_a_remote_edge_does() -> None:
    drawing = draw_graph(brackets.graph_of("[H [A=x He] [P came]] [H [A* x] [P left] [A [C IMPLICIT] [E IMPLICIT]]]"))
    assert texts(drawing, "remote") == ["A* He"]
    assert texts(drawing, "implicit") == ["A implicit", "C implicit", "E implicit"]


def test_what_is_written_cannot_leave_its_place() -> None:
    evil = '"><script>&\x1b</style>'
    graph = Graph([Terminal(evil)], [Unit(), Unit((0,))], [Edge(0, 1, (evil,))])
    notes, caption = [Note(evil, (0,), (0,))], Caption(evil, evil)
    root = ElementTree.fromstring(draw_pair(graph, graph, [(0, 0)], notes=notes, caption=caption))
    assert {element.tag.removeprefix(SVG) for element in root.iter()} <= {
        "svg", "title", "desc", "style", "rect", "g", "path", "text", "tspan",
    }  # fmt: skip
    assert texts(ElementTree.tostring(root, encoding="unicode"), "token") == [evil.replace("\x1b", "\ufffd")] * 2


def test_a_pair_has_verdict_findings_and_the_alignment() -> None:
    notes = [Note("another letter: b → c", (1,), (1,))]
    caption = Caption("drop", "faithfulness 0.100, USim 0.900")
    drawing = draw_pair(graph_of("a", "b"), graph_of("a", "c"), [(0, 0), (1, 1)], notes=notes, caption=caption)
    assert texts(drawing, "token") == ["a", "b", "a", "c"]
    assert [group.get("data-notes") for group in groups(drawing, "token")] == ["", "1", "", "1"]
    assert [group.get("data-notes") for group in groups(drawing, "unit")] == ["", "", "1", "", "", "1"]
    root = ElementTree.fromstring(drawing)
    assert "drop, faithfulness 0.100, USim 0.900" in ["".join(text.itertext()) for text in root.iter(f"{SVG}text")]
    assert "another letter: b → c" in [text.text for text in root.findall(f"{SVG}text")]
    kinds = [path.get("class") for path in root.iter(f"{SVG}path") if path.get("data-source")]
    assert kinds == ["align", "align changed"]


def test_a_note_belongs_to_the_units_that_hold_its_words() -> None:
    graph = brackets.graph_of("[A [E his] [C car]] [P broke]")
    drawing = draw_pair(graph, graph, [], notes=[Note("another person", (0,))])
    of_source = {g.get("data-words"): g.get("data-notes") for g in groups(drawing, "unit")[:5]}
    assert of_source == {"0 1 2": "", "0 1": "", "0": "1", "1": "", "2": ""}


def test_a_drawing_is_named_and_described() -> None:
    root = ElementTree.fromstring(draw_pair(graph_of("a"), graph_of("b"), [], caption=Caption("drop", "0")))
    assert root.get("role") == "img"
    assert root[0].text == "a → b"
    assert root.findtext(f"{SVG}desc") == "drop, 0. source: [A a] output: [A b]"
    assert all(group.find(f"{SVG}title") is not None for group in root.iter(f"{SVG}g") if group.get("data-side"))


def test_long_sentences_are_wrapped() -> None:
    words = [f"word{k}" for k in range(30)]
    drawing = draw_pair(graph_of(*words), graph_of(*words[1:], words[0]), [(k, (k - 1) % 30) for k in range(30)],
                        width=400)  # fmt: skip
    root = ElementTree.fromstring(drawing)
    assert float(root.get("width", "0")) < 450
    joined = re.findall(r'class="align" data-source="(\d+)"', drawing)
    assert joined == [str(k) for k in range(1, 30)]  # the word that moved stands in another row than its partner
    assert texts(drawing, "token").count("word0") == 2
    assert "onward" in drawing


@pytest.mark.parametrize("style", [True, False])
def test_all_rules_of_a_drawing_are_its_own(style: bool) -> None:
    drawing = draw_pair(graph_of("a"), graph_of("a"), [], style=style)
    root = ElementTree.fromstring(drawing)
    assert root.get("class") == "usim"
    assert " style=" not in drawing
    sheet = root.findtext(f"{SVG}style") or ""
    assert bool(sheet) == style
    selectors = [part.strip() for rule in re.findall(r"([^{}]+)\{", sheet) for part in rule.split(",")]
    assert all(re.match(r"svg\.usim( |$)|@media ", selector) for selector in selectors)
    assert "prefers-color-scheme: dark" in sheet or not style


def test_in_a_notebook_a_small_graph_is_drawn_and_a_large_one_is_written() -> None:
    assert graph_of("a", "b")._repr_html_().startswith("<svg ")
    assert graph_of(*"<" * 201)._repr_html_().startswith("<pre>[A &lt;] [A &lt;]")


def test_a_chain_of_5000_units_and_a_graph_without_words_are_drawn() -> None:
    assert texts(draw_graph(chain(5000)), "unit") == ["root", *["H"] * 5000]
    empty = graph_of()
    assert draw_pair(empty, graph_of("a"), []).startswith("<svg ")
    assert draw_graph(empty).startswith("<svg ")
