"""Graphs of other frameworks: MRP with anchors, AMR with alignments."""

import json
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from usim.errors import FormatError, GraphError, InputError, ParsingError
from usim.measures import DEFAULT, usim_score
from usim.measures._usim import ALL_EDGES
from usim.parsing import load
from usim.ucca import Graph, from_mrp, read_mrp
from usim.ucca.frameworks import AnchoredEdge, amr_blocks, graph_of_anchored, parse_amr
from usim.ucca.frameworks._amr import AmrBlock

WANT = Path(__file__).with_name("want.amr").read_text("utf-8")


def anchored(text: str, nodes: dict[int, str], edges: list[tuple[int, int, str]], **more: Any) -> dict[str, Any]:
    """An MRP record; each node is anchored to the first occurrence of a stretch of the text, "" to nothing."""

    def anchors(stretch: str) -> dict[str, Any]:
        start = text.index(stretch)
        return {"anchors": [{"from": start, "to": start + len(stretch)}]} if stretch else {}

    return {
        "id": "1", "framework": "dm", "input": text, "tops": [min(nodes)],
        "nodes": [{"id": id, "label": "x", **anchors(stretch)} for id, stretch in nodes.items()],
        "edges": [{"source": u, "target": v, "label": label} for u, v, label in edges],
        **more,
    }  # fmt: skip


DOGS = anchored(
    "Big dogs want to bark.",
    {0: "want", 1: "dogs", 2: "bark", 3: "Big"},
    [(0, 1, "ARG1"), (0, 2, "ARG2"), (2, 1, "ARG1"), (3, 1, "ARG1")],
)


def score(a: Graph, b: Graph) -> float:
    return usim_score(a, b, ALL_EDGES).f


class TestUnits:
    def test_dm(self) -> None:
        graph = from_mrp(DOGS)
        assert graph.tokens == ("Big", "dogs", "want", "to", "bark", ".")
        # *Big* has no edge into it: it hangs on its argument, by the edge turned round.
        assert str(graph) == "[top [ARG1 [ARG1-of Big] dogs] want ... [ARG2 bark [ARG1* Big dogs] ] ] to ... ."
        assert [graph.text(e.child) for e in graph.remotes] == ["Big dogs"]

    def test_words_belong_to_the_smallest_anchor(self) -> None:
        # As in EDS: a quantifier is anchored to the whole phrase, its noun to a word.
        nodes = {0: "barks", 1: "dog", 2: "the old dog", 3: "old"}
        record = anchored("the old dog barks", nodes, [(0, 1, "ARG1"), (2, 1, "BV"), (3, 1, "ARG1")], framework="eds")
        assert str(from_mrp(record)) == "[top [ARG1 [BV-of the] [ARG1-of old] dog] barks]"

    def test_a_node_without_words_is_implicit(self) -> None:
        record = anchored("Go home", {0: "Go", 1: "", 2: "home"}, [(0, 1, "ACT"), (0, 2, "DIR3")], framework="ptg")
        graph = from_mrp(record)
        assert str(graph) == "[top Go [DIR3 home] [ACT IMPLICIT] ]"
        assert score(graph, graph) == 1.0

    def test_anchors_inside_of_tokens_cut_them(self) -> None:
        nodes = {0: "facts", 1: "well", 2: "known"}
        graph = from_mrp(anchored("well-known facts", nodes, [(0, 2, "RSTR"), (2, 1, "EXT")]))
        assert graph.tokens == ("well", "-", "known", "facts")

    @pytest.mark.parametrize(
        ("anchors", "edges", "brackets"),
        [
            pytest.param([{0}, set(), set(), {1}, {2}], [(0, 1, "op1"), (1, 2, "name"), (2, 3, "op1"), (2, 4, "op2")],
                         "[top a [op1 [op1 b] [op2 c] [name IMPLICIT] ] ]", id="of a chain the highest counts"),
            pytest.param([{0}, {1, 2}], [(0, 1, "x"), (1, 0, "y"), (0, 1, "z")], "[top a [x|z|y-of b c] ]",
                         id="a circle is opened"),
            pytest.param([{0}, {1}, {2}], [(0, 1, "x"), (1, 2, "y"), (2, 0, "z")], "[top a [x b [y c] ] [z-of* c] ]",
                         id="a longer circle is opened"),
            pytest.param([{0}, {1}, {2}], [(1, 2, "x"), (2, 1, "y")], "[top a] [top b [x|y-of c] ]",
                         id="parts that nothing joins hang on the root"),
        ],
    )  # fmt: skip
    def test_shapes(self, anchors: list[set[int]], edges: list[tuple[int, int, str]], brackets: str) -> None:
        graph = graph_of_anchored("a b c".split(), anchors, [AnchoredEdge(*edge) for edge in edges], [0])
        assert str(graph) == brackets

    @pytest.mark.parametrize(
        ("edge", "anchors", "message"),
        [
            (AnchoredEdge(0, 0, "x"), [{0}], "an edge 'x' from a node to itself"),
            (AnchoredEdge(0, 1, "x"), [{0}], "an edge 'x' to a node that does not exist"),
            (AnchoredEdge(0, 1, "x"), [{0}, {3}], "anchored to a word that does not exist: there are 1"),
        ],
    )
    def test_what_is_no_graph(self, edge: AnchoredEdge, anchors: list[set[int]], message: str) -> None:
        with pytest.raises(GraphError, match=message):
            graph_of_anchored(["a"], anchors, [edge], [0])


class TestMeasures:
    @pytest.mark.parametrize("place", range(4))
    def test_a_changed_label_lowers(self, place: int) -> None:
        edges = [dict(edge) for edge in DOGS["edges"]]
        edges[place]["label"] = "ARG3"
        assert score(from_mrp(DOGS), from_mrp({**DOGS, "edges": edges})) < 1.0 == score(*[from_mrp(DOGS)] * 2)

    def test_a_changed_role_or_a_negation_that_is_gone_lowers(self) -> None:
        want = parse_amr(block(WANT))
        for old, new in ((":ARG0 (b", ":ARG2 (b"), (":ARG4", ":ARG3"), (":ARG0 b", ":ARG2 b")):
            other = parse_amr(block(WANT.replace(old, new)))
            assert score(want, other) < 1.0 == score(want, want)
        assert usim_score(want, other, DEFAULT).f == 1.0  # without remote edges a reentrancy is not seen
        positive = WANT.replace("   :polarity -~e.3\n", "").replace("does n't", "does indeed")
        scored = usim_score(want, parse_amr(block(positive)), ALL_EDGES)
        assert [e.label for e in scored.unmatched_source] == ["polarity"]
        assert scored.f < 1.0


def read_amr(path: Path) -> list[Graph]:
    return [parse_amr(block, path=path) for block in amr_blocks(path)]


def block(text: str) -> AmrBlock:
    lines = text.splitlines()
    tokens = next(line for line in lines if "::tok" in line).partition("::tok ")[2]
    return AmrBlock(3, {"tok": tokens}, "\n".join(line for line in lines if not line.startswith("#")))


class TestAmr:
    def test_units(self, tmp_path: Path) -> None:
        path = tmp_path / "a.amr"
        path.write_text(WANT)
        (graph,) = read_amr(path)
        assert graph.id == "want"
        assert str(graph) == (
            "The [top [ARG0 boy] ... [polarity n't] want ... [ARG1 go [ARG4 to [name Paris [op1 IMPLICIT] ] ]"
            " [ARG0* boy] ] ] does ... to ... ."
        )
        by_role = {graph.category(u)[0]: graph.text(u) for u in range(1, len(graph.units)) if graph.yields[u]}
        assert by_role == {
            "top": "boy ... n't want ... go to Paris", "ARG0": "boy", "polarity": "n't", "ARG1": "go to Paris",
            "ARG4": "to Paris", "name": "Paris",
        }  # fmt: skip
        assert [(e.label, graph.text(e.child)) for e in graph.remotes] == [("ARG0", "boy")]

    def test_isi_alignments_are_the_same_as_surface_alignments(self, tmp_path: Path) -> None:
        isi = (
            "# ::id want\n# ::tok The boy does n't want to go to Paris .\n"
            "# ::alignments 4-1 3-1.1 1-1.2 6-1.3 7-1.3.2.r 8-1.3.2.1.1\n"
            '(w / want-01 :polarity - :ARG0 (b / boy) :ARG1 (g / go-02 :ARG0 b :ARG4 (c / city :name (n / name :op1 "Paris"))))\n'
        )
        path = tmp_path / "both.amr"
        path.write_text(f"{WANT}\n\n{isi}")
        surface, other = read_amr(path)
        # A role of an address belongs to the node below, as with surface alignments.
        assert other == surface

    @pytest.mark.parametrize(
        ("text", "line", "message"),
        [
            ("# ::tok a\n(a / b~e.0", 2, "not penman notation"),
            ("# ::tok a\n\n(a / b~e.0)\n\n# ::tok a\n(a / b~e.1)\n", 6, "an alignment to token 1: there are 1"),
            ("(a / b~e.0)\n", 1, "no tokens"),
            ("# ::tok a\n(a / b)\n", 2, "no alignments"),
            ("# ::tok a\n# ::alignments 0-1|0\n(a / b)\n", 3, "an alignment '0-1|0': it must be TOKEN-ADDRESS"),
            ("# ::tok a\n# ::alignments 0-1.4\n(a / b)\n", 3, "an alignment '0-1.4'"),
            ("# ::tok a\n(a / b~e.0 :ARG0 (a / c))\n", 2, "a variable with two concepts: 'a'"),
            ("# ::tok a\n(a / b~e.0 :ARG0 x)\n", 2, "a variable without a concept: 'x'"),
            ("# ::tok a\n(a / b~e.0 :ARG0 a)\n", 2, "from a node to itself"),
        ],
    )
    def test_bad_files_are_named_with_the_line(self, tmp_path: Path, text: str, line: int, message: str) -> None:
        path = tmp_path / "bad.amr"
        path.write_text(text)
        with pytest.raises(FormatError, match=message.replace("|", r"\|")) as e:
            read_amr(path)
        assert e.value.path == str(path)
        assert e.value.line == line


class TestMrp:
    @pytest.mark.parametrize(
        ("change", "message"),
        [
            ({"input": None}, "the input must be a string"),
            ({"tops": [9]}, "a top node that does not exist: 9"),
            ({"edges": [{"source": 0, "target": 9, "label": "x"}]}, "an edge to a node that does not exist: 9"),
            ({"nodes": [{"id": 0, "anchors": [{"from": 0, "to": 99}]}]}, "an anchor 0:99 outside of the input"),
            ({"nodes": [{"id": 0}], "tops": [0], "edges": []}, "DM without anchors"),
            ({"nodes": [{"id": 0}, {"id": 0}]}, "two nodes with the id 0"),
        ],
    )
    def test_bad_files_are_named_with_the_line(self, tmp_path: Path, change: dict[str, Any], message: str) -> None:
        path = tmp_path / "bad.mrp"
        path.write_text(json.dumps(DOGS) + "\n" + json.dumps({**DOGS, **change}) + "\n")
        with pytest.raises(FormatError, match=message) as e:
            list(read_mrp(path))
        assert (e.value.path, e.value.line) == (str(path), 2)


class TestScoring:
    def test_frameworks_of_a_file(self, tmp_path: Path) -> None:
        path = tmp_path / "all.mrp"
        eds = {**DOGS, "framework": "eds", "edges": []}
        path.write_text(json.dumps(DOGS) + "\n")
        assert load(f"mrp:{path}").parse(["Big dogs want to bark."]) == [from_mrp(DOGS)]
        path.write_text(json.dumps(DOGS) + "\n" + json.dumps(eds) + "\n")
        assert load(f"eds:{path}").parse(["Big dogs want to bark."]) == [from_mrp(eds)]
        with pytest.raises(ParsingError, match=r"several frameworks \(dm, eds\): name one, as in dm:FILE"):
            load(f"mrp:{path}").parse(["Big dogs want to bark."])

    def test_no_such_file(self, tmp_path: Path) -> None:
        for scheme in ("amr", "eds"):
            with pytest.raises(ParsingError, match=f"not a file: {scheme}:FILE takes a file of"):
                load(f"{scheme}:{tmp_path / 'none'}")


def test_presets_for_graphs_count_remote_edges() -> None:
    assert replace(DEFAULT, name="all-edges", edges="all") == ALL_EDGES


def test_penman_is_asked_for(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(__import__("sys").modules, "penman", None)
    with pytest.raises(InputError, match="AMR needs one more package: pip install penman"):
        parse_amr(block(WANT))
