"""What a UCCA graph is, and what it refuses to be."""

import pytest

from tests.brackets import graph_of
from tests.support.graphs import chain, picked_up
from usim.errors import GraphError
from usim.ucca import Edge, Graph, Linkage, Terminal, Unit
from usim.ucca.yields import bits

# "John and Mary went home ." with John as a remote participant of a second scene, and a gap in "picked ... up".
WORDS = [Terminal(w) for w in "John picked her up and smiled".split()] + [Terminal(".", is_punct=True)]


class TestStructure:
    def test_yields_edges_scenes_and_punctuation(self) -> None:
        g = picked_up()
        assert g.positions(1) == [0, 1, 2, 3]  # by primary edges alone
        assert g.text(3) == "picked ... up"
        assert [e.child for e in g.primary] == list(range(1, len(g.units)))
        assert (g.parents[0], g.category(0)) == (-1, ())
        (edge,) = g.remotes
        assert (g.text(edge.parent), g.text(edge.child), edge.label) == ("smiled", "John", "A")
        scenes = [g.text(u) for u in range(len(g.units)) if g.is_scene(u)]  # those with a process or a state
        assert scenes == [g.text(u) for u in range(len(g.units)) if g.category(u) == ("H",)]
        assert scenes == ["John picked her up", "smiled"]
        assert list(bits(g.punctuation)) == [6]

    def test_units_are_found_by_category_and_text(self) -> None:
        g = picked_up()
        assert {unit.text for unit in g.find(category="A")} == {"John", "her"}
        (unit,) = g.find(text="PICKED ... up")
        assert (unit.number, str(unit)) == (3, "P: picked ... up")
        assert len(g.find()) == len(g.units)
        assert g.find(category="A", text="smiled") == []

    def test_brackets_show_gaps_remotes_and_implicit_units(self) -> None:
        assert str(picked_up()) == "[H [A John] [P picked ... up] [A her] ] [L and] [H [P smiled] [A* John] ] [U .]"
        assert str(graph_of("[H [P Go] [A IMPLICIT]]")) == "[H [P Go] [A IMPLICIT] ]"

    def test_an_empty_passage_is_a_root(self) -> None:
        g = Graph([], [Unit()], [])
        assert (g.yields, str(g), g.sentences(), g.text()) == ((0,), "", [], "")

    def test_a_graph_cannot_be_changed(self) -> None:
        with pytest.raises(AttributeError):
            picked_up().id = "other"  # type: ignore[misc]

    def test_networkx_view(self) -> None:
        g = picked_up().to_networkx()
        assert g.nodes[0]["text"] == "John picked her up and smiled ."
        assert g.number_of_edges() == 9 + 7
        remote = [d for _, _, d in g.edges(data=True) if d["remote"]]
        assert [d["categories"] for d in remote] == [("A",)]


class TestDepth:
    """Units below one another, deeper than Python's recursion goes."""

    def test_a_chain_of_units_in_brackets(self) -> None:
        assert str(chain(3)) == "[H [H [H end] ] ]"
        assert str(chain(5000)).count("[H") == 5000

    def test_a_chain_of_implicit_units(self) -> None:
        def implicit(depth: int) -> Graph:
            units = [Unit((0,)), *[Unit(is_implicit=True)] * (depth + 1)]
            edges = [*(Edge(u, u + 1, ("A",)) for u in range(depth)), Edge(0, depth + 1, ("A",))]
            return Graph([Terminal("a")], units, edges)

        assert str(implicit(2)) == "a [A IMPLICIT] [A IMPLICIT [A IMPLICIT]]"
        assert len(implicit(5000).units) == 5002

    def test_many_ways_over_remote_edges(self) -> None:
        """Each unit has the next two below it, so the number of ways from the root doubles every two units."""
        n = 200
        units = [Unit((0,)), *(Unit(is_implicit=True) for _ in range(n))]
        edges = [Edge(u, u + 1, ("A",)) for u in range(n - 1)]
        edges += [Edge(u, u + 2, ("A",), is_remote=True) for u in range(1, n - 2)]
        g = Graph([Terminal("a")], units, [*edges, Edge(0, n, ("A",))])
        assert len(g.units) == n + 1


class TestEquality:
    def test_the_order_of_nodes_does_not_matter(self) -> None:
        a = Graph(WORDS[:2], [Unit(), Unit((0,)), Unit((1,))], [Edge(0, 1, ("A",)), Edge(0, 2, ("P",))])
        edges = [Edge(1, 0, ("P",)), Edge(1, 2, ("A",))]
        b = Graph(WORDS[:2], [Unit((1,)), Unit(), Unit((0,))], edges, id="b")
        assert a == b
        assert hash(a) == hash(b)

    @pytest.mark.parametrize(
        "edges",
        [
            [Edge(0, 1, ("A",)), Edge(0, 2, ("S",))],
            [Edge(0, 1, ("A",)), Edge(0, 2, ("P",)), Edge(2, 1, ("A",), is_remote=True)],
        ],
    )
    def test_categories_and_edges_do(self, edges: list[Edge]) -> None:
        units = [Unit(), Unit((0,)), Unit((1,))]
        assert Graph(WORDS[:2], units, edges) != Graph(WORDS[:2], units, [Edge(0, 1, ("A",)), Edge(0, 2, ("P",))])

    def test_implicit_siblings_are_ordered_by_what_they_are(self) -> None:
        units = [Unit((0,)), Unit(is_implicit=True), Unit(is_implicit=True)]
        first = Graph(WORDS[:1], units, [Edge(0, 1, ("A",)), Edge(0, 2, ("P",))])
        second = Graph(WORDS[:1], units, [Edge(0, 1, ("P",)), Edge(0, 2, ("A",))])
        assert first == second


class TestValidation:
    """A clear error for whatever is no UCCA graph."""

    @pytest.mark.parametrize(
        ("units", "edges", "message"),
        [
            ([], [], "needs a root"),
            ([Unit((0, 1)), Unit()], [Edge(0, 5, ("A",))], "to unit 5: there are 2 units"),
            ([Unit((0, 1)), Unit()], [Edge(0, 1, ())], "without a category"),
            ([Unit((0, 1)), Unit()], [Edge(0, 1, ("",))], "without a category"),
            ([Unit((0, 1)), Unit()], [], "no primary parent"),
            ([Unit((0,))], [], "terminal 1 is unreachable"),
            ([Unit((0, 1, 2))], [], "holds terminal 2: there are 2 terminals"),
            ([Unit((0, 1)), Unit((1,))], [Edge(0, 1, ("A",))], "terminal 1 is in two units"),
            ([Unit(), Unit((0, 1), is_implicit=True)], [Edge(0, 1, ("A",))], "implicit and holds terminals"),
            ([Unit((0, 1)), Unit(), Unit()], [Edge(1, 2, ("A",)), Edge(2, 1, ("A",))], "cycle"),
            ([Unit((0, 1)), Unit()], [Edge(1, 0, ("A",)), Edge(0, 1, ("A",))], "cycle"),
            ([Unit((0, 1)), Unit(), Unit()], [Edge(0, 1, ("A",)), Edge(0, 2, ("A",)), Edge(1, 2, ("A",))], "two primary parents"),
            ([Unit((0, 1)), Unit()], [Edge(0, 1, ("A",)), Edge(1, 0, ("A",), is_remote=True)], "cycle through a remote edge"),
            ([Unit((0, 1)), Unit()], [Edge(0, 1, ("A",)), Edge(1, 1, ("A",), is_remote=True)], "cycle through a remote edge"),
            ([Unit(), Unit((0, 1)), Unit()],
             [Edge(0, 1, ("A",)), Edge(0, 2, ("A",)), Edge(2, 1, ("P",), True), Edge(2, 1, ("P",), True)], "twice"),
        ],
    )  # fmt: skip
    def test_refused(self, units: list[Unit], edges: list[Edge], message: str) -> None:
        with pytest.raises(GraphError, match=message):
            Graph(WORDS[:2], units, edges)

    def test_linkages_must_fit(self) -> None:
        with pytest.raises(GraphError, match="linkage to unit 9"):
            Graph(WORDS[:1], [Unit((0,))], [], [Linkage((9,), ())])


class TestSentences:
    def passage(self) -> Graph:
        return graph_of("[H [A=he He] [P left]] [U .] [H [A She] [P said] [A bye] [A* he]] [U .]", id="p")

    def test_a_full_stop_that_closes_a_scene_ends_a_sentence(self) -> None:
        assert self.passage().sentence_ends() == [3, 7]

    def test_a_remote_unit_of_another_sentence_becomes_implicit(self) -> None:
        first, second = self.passage().sentences()
        assert (first.id, second.id) == ("p000", "p001")
        assert str(first) == "[H [A He] [P left] ] [U .]"
        assert str(second) == "[H [A She] [P said] [A bye] [A IMPLICIT] ] [U .]"

    def test_a_paragraph_ends_a_sentence(self) -> None:
        words = [Terminal("Title"), Terminal("Text", paragraph=2)]
        g = Graph(words, [Unit(), Unit((0,)), Unit((1,))], [Edge(0, 1, ("H",)), Edge(0, 2, ("H",))])
        assert [s.tokens for s in g.sentences()] == [("Title",), ("Text",)]
        assert [s.terminals[0].paragraph for s in g.sentences()] == [1, 1]

    def test_slices_must_lie_inside(self) -> None:
        with pytest.raises(GraphError, match="no terminals 3 to 9"):
            self.passage().slice(3, 9)
        g = picked_up()  # linkages are cut with their units
        assert (g.slice(0, 7).linkages, g.slice(4, 7).linkages) == (g.linkages, ())


def test_a_graph_of_too_many_terminals() -> None:
    n = 65_537
    with pytest.raises(GraphError, match="65537 terminals, and 65536 are the most"):
        Graph([Terminal("a")] * n, [Unit(tuple(range(n)))], [])
