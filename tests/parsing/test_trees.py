"""Graph to constituent tree and back."""

import random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from parsers.span.trees import to_graph, to_tree
from tests.brackets import graph_of
from tests.strategies import WORDS, graphs
from usim.parsing.trees import Node, Tree, join, parse_label, words_of
from usim.ucca import Graph, read_xml

# -- worked examples -------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("text", "spans"),
    [
        pytest.param("[H [A [E the] [C cat]] [P slept]]", {(0, 3): "H", (0, 2): "A", (0, 1): "E", (1, 2): "C", (2, 3): "P"}, id="a scene"),
        pytest.param("[H [P go]]", {(0, 1): "H+P"}, id="a unary chain is one label"),
        pytest.param("[A New York]", {(0, 2): "A"}, id="words without units of their own have no span"),
        pytest.param("[H [P=p take] [A it] [=p off]]", {(0, 3): "H+P", (1, 2): "A^1"}, id="what stands in a gap climbs back"),
        # "it" belongs to the scene, in the gap of P, which is itself in the gap of that gap's owner.
        pytest.param("[H [D=d w] [A [P=p take]] [F it] [=p off] [=d z]]",
                     {(0, 5): "H+D", (1, 4): "A^1+P", (2, 3): "F^3"}, id="a unit in two gaps climbs two levels"),
        pytest.param("[H=h a] b [=h c]", {(0, 3): "H", (1, 2): "*^1"}, id="a bare word in a gap is wrapped"),
        pytest.param("[A=a a] [D=d b] [=a c] [=d d]", {(0, 4): "A", (1, 4): "D^1", (2, 3): "*^1"}, id="units that cross each other"),
    ],
)  # fmt: skip
def test_a_graph_is_spans_with_labels(text: str, spans: dict[tuple[int, int], str]) -> None:
    g = graph_of(text)
    tree = to_tree(g)
    assert tree.spans == spans
    assert to_graph(g.tokens, tree) == g


def test_several_categories_are_sorted() -> None:
    assert to_tree(graph_of("[H [S|A mine]]")).spans == {(0, 1): "H+A|S"}


def test_a_remote_edge_names_its_nodes() -> None:
    g = graph_of("[H [A=John John] [P wants] [A [P out] [A* John]]]")
    tree = to_tree(g)
    assert tree.remotes == ((Node(2, 3, 0), Node(0, 1, 0), "A"),)
    assert to_graph(g.tokens, tree) == g


def test_punctuation_hangs_on_the_lowest_unit_around_it() -> None:
    tokens = "red , green , we like .".split()
    words = words_of(tokens)
    assert words == [0, 2, 4, 5]
    tree = Tree(tuple(words), {(0, 4): "H", (0, 2): "A", (0, 1): "C", (1, 2): "C", (2, 3): "A", (3, 4): "P"})
    assert str(to_graph(tokens, tree)) == "[H [A [C red] [U ,] [C green] ] [U ,] [A we] [P like] ] [U .]"


def test_the_guidelines_differ_in_what_they_read_as_words() -> None:
    assert words_of(["5", "%", "&", "!"], guidelines=1) == [0]
    assert words_of(["5", "%", "&", "!"], guidelines=2) == [0, 1, 2]


def test_a_word_of_category_u_becomes_punctuation() -> None:
    g = to_graph(["$", "5"], Tree((0, 1), {(0, 1): "U", (1, 2): "A"}))
    assert [t.is_punct for t in g.terminals] == [True, False]
    assert g.punctuation == 0b01


def test_implicit_units_are_dropped_with_their_edges() -> None:
    assert to_tree(graph_of("[P go [A* you]] [A=you IMPLICIT]")) == Tree((0,), {(0, 1): "P"})


# -- any tree gives a graph ------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("tokens", "spans", "brackets"),
    [
        pytest.param("a b", {(0, 2): "H", (0, 1): "A^7"}, "[A a] [H b]", id="what would climb beyond the root stays under it"),
        pytest.param("a", {(0, 1): "H+A^1"}, "[A a]", id="a unit that everything has climbed out of is dropped"),
        pytest.param("", {}, "", id="no tokens"),
    ],
)  # fmt: skip
def test_odd_labels(tokens: str, spans: dict[tuple[int, int], str], brackets: str) -> None:
    words = tokens.split()
    assert str(to_graph(words, Tree(tuple(range(len(words))), spans))) == brackets


def test_a_remote_edge_that_closes_a_cycle_is_left_out() -> None:
    spans = {(0, 2): "H", (0, 1): "A", (1, 2): "P"}
    loop = (
        (Node(0, 1, 0), Node(1, 2, 0), "A"),
        (Node(1, 2, 0), Node(0, 1, 0), "A"),
        (Node(0, 1, 0), Node(0, 2, 0), "A"),
    )
    g = to_graph(["a", "b"], Tree((0, 1), spans, loop))
    assert [(g.text(e.parent), g.text(e.child)) for e in g.remotes] == [("a", "b")]


def test_trees_are_joined_under_one_root() -> None:
    tree = Tree((0,), {(0, 1): "H"})
    g = join(["a", ".", "b", "!"], [(0, 2, tree), (2, 4, tree)])
    assert str(g) == "[H a] [U .] [H b] [U !]"


@pytest.mark.parametrize(
    ("label", "steps"), [("A", [(("A",), 0)]), ("A|S^2+P", [(("A", "S"), 2), (("P",), 0)]), ("*^1", [(("*",), 1)])]
)
def test_labels(label: str, steps: list[tuple[tuple[str, ...], int]]) -> None:
    assert list(parse_label(label)) == steps


#: Graphs over words, with units that are discontinuous, cross each other, or hold words beside other units.
over_words = graphs(st.lists(st.sampled_from(WORDS), max_size=9), implicit=False)


@given(over_words)
def test_there_and_back_is_the_same_graph(g: Graph) -> None:
    edges = [edge._replace(categories=tuple(sorted(edge.categories))) for edge in g.edges]
    plain = [terminal._replace(paragraph=1) for terminal in g.terminals]
    assert to_graph(g.tokens, to_tree(g)) == Graph(plain, g.units, edges)


@given(over_words)
def test_spans_nest_and_come_parents_first(g: Graph) -> None:
    spans = list(to_tree(g).spans)
    assert spans == sorted(spans, key=lambda s: (s[0], -s[1]))
    for a, b in spans:
        assert all(b <= i or j <= a or (a <= i and j <= b) or (i <= a and b <= j) for i, j in spans)


_LABELS = ["A", "H+A", "A|S", "C^1", "A^3+P", "*^1", "*", "*^2+A", "U", "H^1+*"]


@given(st.integers(0, 2**32), st.integers(0, 12))
def test_any_tree_gives_a_valid_graph_of_its_tokens(seed: int, n: int) -> None:
    rng = random.Random(seed)
    tokens = [rng.choice(["word", ",", "x", "."]) for _ in range(n)]
    words = words_of(tokens)
    spans: dict[tuple[int, int], str] = {}

    def split(i: int, j: int) -> None:
        if rng.random() < 0.7:
            spans[i, j] = rng.choice(_LABELS)
        if j - i > 1:
            k = rng.randrange(i + 1, j)
            split(i, k)
            split(k, j)

    if words:
        split(0, len(words))
    nodes = [Node(i, j, d) for (i, j), label in spans.items() for d in range(label.count("+") + 1)]
    nodes.append(Node(0, len(words), -1))
    remotes = tuple((rng.choice(nodes), rng.choice(nodes), rng.choice("AC")) for _ in range(4))
    g = to_graph(tokens, Tree(tuple(words), spans, remotes), id="x")
    assert list(g.tokens) == tokens
    assert g.id == "x"
    assert all(g.yields[u] for u in range(1, len(g.units)))


# -- the corpora -----------------------------------------------------------------------------------------------------


def _edges(g: Graph) -> set[tuple[int, int, tuple[str, ...], bool]]:
    words = ((1 << len(g.terminals)) - 1) & ~g.punctuation
    return {
        (g.yields[e.parent] & words, g.yields[e.child] & words, tuple(sorted(e.categories)), e.is_remote)
        for e in g.edges
        if g.yields[e.child] & words and not g.units[e.child].is_punct
    }


@pytest.mark.data
@pytest.mark.parametrize(("name", "guidelines", "least"), [("ucca-wiki-dev", 1, 0.998), ("ucca-ewt-dev", 2, 1.0)])
def test_the_corpora_survive_the_conversion(corpus, name: str, guidelines: int, least: float) -> None:
    both = gold = 0
    for path in sorted(corpus(name).glob("*.xml")):
        for g in read_xml(path).sentences():
            before, after = _edges(g), _edges(to_graph(g.tokens, to_tree(g, guidelines)))
            both += len(before & after)
            gold += len(before)
    assert both / gold >= least
