"""Reading and writing UCCA XML and MRP JSON; what is no such file is refused with its place."""

import json
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.strategies import graphs
from tests.support.graphs import picked_up
from usim.errors import FormatError, InputError
from usim.ucca import (
    Edge,
    Graph,
    Terminal,
    Unit,
    from_mrp,
    mrp_line,
    parse_xml,
    read_xml,
    to_mrp,
    to_xml,
    write_mrp,
    write_xml,
)
from usim.ucca import _xml as xml
from usim.ucca.files import read_graph

SMALL = Path(__file__).with_name("small.xml").read_text("utf-8")


class TestXml:
    def test_reads_what_is_there(self) -> None:
        g = parse_xml(SMALL)
        assert g.id == "7"
        assert g == Graph(
            [Terminal("Go"), Terminal("!", is_punct=True)],
            [Unit(), Unit(), Unit((0,)), Unit(is_implicit=True), Unit((1,), is_punct=True)],
            [Edge(0, 1, ("H",)), Edge(1, 2, ("P", "S")), Edge(1, 3, ("A",)), Edge(0, 4, ("U",))],
        )

    @given(graphs())
    def test_write_read_is_the_same_graph(self, graph: Graph) -> None:
        again = parse_xml(to_xml(graph))
        assert again == graph
        assert again.id == graph.id

    def test_awkward_characters(self) -> None:
        g = Graph([Terminal("\"<&>'\n\t"), Terminal("\x00🙂\ud800")], [Unit((0, 1))], [], id='<"&')
        again = parse_xml(to_xml(g).encode())
        assert again.tokens == ("\"<&>'\n\t", "\ufffd🙂\ufffd")
        assert again.id == '<"&'

    def test_a_file_is_written_whole(self, tmp_path: Path) -> None:
        write_xml(picked_up(), tmp_path / "a.xml")
        assert read_xml(tmp_path / "a.xml") == picked_up()  # with its linkages
        assert [p.name for p in tmp_path.iterdir()] == ["a.xml"]

    @pytest.mark.parametrize(
        ("old", "new", "message"),
        [
            ("</root>", "", r"bad\.xml:24: not well-formed XML: no element found"),
            ("<layer ", "<layer <", r"bad\.xml:3: not well-formed XML"),
            ("root", "passage", r"bad\.xml:1: .*outermost element must be <root>: '<passage>'"),
            ('layerID="1"', 'layerID="2"', r"bad\.xml:8: an unknown layer.*'2'"),
            ('toID="1.3"', 'toID="1.9"', r"bad\.xml:16: an edge to a node that does not exist: '1.9'"),
            ('toID="1.3"', 'toID="1.1"', r"bad\.xml: not a UCCA graph: .*cycle"),
            ('toID="1.3"', 'toID="1.4"', r"bad\.xml: not a UCCA graph: unit 4 has two primary parents"),
            ('toID="0.2"', 'toID="0.1"', r"bad\.xml: not a UCCA graph: terminal 0 is in two units"),
            ('<edge toID="0.1" type="Terminal"><attributes /></edge>', "", r"terminal 0 is unreachable"),
            ('<edge toID="0.1" type="Terminal">', '<edge toID="0.1" type="A">', r"bad\.xml:19: .*must be of type Terminal: 'A'"),
            ('type="H"', "", r"bad\.xml:12: an edge without a category"),
            ('tag="U"', "", r"bad\.xml:13: an edge without a category"),
            ('type="PNCT"', 'type="XX"', r"bad\.xml:20: a node of layer 1 must be of type FN, PNCT, LKG: 'XX'"),
            ('<node ID="1.5"', '<node ID="1.4"', r"bad\.xml:21: a second node with the same ID: '1\.4'"),
            ('text="Go"', "", r"bad\.xml:5: terminal 0\.1 has no text"),
            ('paragraph="1" paragraph_position="1"', 'paragraph="x"', r"bad\.xml:5: a paragraph that is no number: 'x'"),
            ('paragraph="1" paragraph_position="1"', f'paragraph="{"9" * 5000}"', r"bad\.xml:5: a paragraph that is no number"),
            ('ID="0.1"', "", r"bad\.xml:5: a node without an ID"),
        ],
    )  # fmt: skip
    def test_malformed(self, tmp_path: Path, old: str, new: str, message: str) -> None:
        assert old in SMALL
        path = tmp_path / "bad.xml"
        path.write_text(SMALL.replace(old, new, 1) if old != "root" else SMALL.replace(old, new), encoding="utf-8")
        with pytest.raises(FormatError, match=message):
            read_xml(path)

    @pytest.mark.parametrize("data", [
        "", "   ", "{}", "\x00", "<root/>", "<root><layer layerID='0'/></root>", b"\xff\xfe\x00",
        b"<?xml version='1.0' encoding='no-such'?><root/>", b"<root>\xc3</root>",
    ])  # fmt: skip
    def test_no_passage(self, data: str | bytes) -> None:
        with pytest.raises(FormatError):
            parse_xml(data)

    @pytest.mark.parametrize(
        "declaration",
        [
            '<!DOCTYPE root [<!ENTITY a "aaaaaaaaaa"><!ENTITY b "&a;&a;&a;&a;&a;&a;&a;&a;">]>',
            '<!DOCTYPE root [<!ENTITY x SYSTEM "file:///etc/passwd">]>',
            '<!DOCTYPE root SYSTEM "http://localhost:9/evil.dtd">',
        ],
    )
    def test_hostile_declarations_are_refused_before_they_do_anything(self, declaration: str) -> None:
        with pytest.raises(FormatError, match="line 2: a document type declaration is not allowed"):
            parse_xml(f"<?xml version='1.0'?>\n{declaration}\n{SMALL.replace('Go', '&b;')}")

    @pytest.mark.parametrize(
        "name", ["utf-7", "big5", "shift_jis", "hex", "rot13", "idna", "punycode", "undefined", "no"]
    )
    def test_an_encoding_that_cannot_be_read_is_an_error_of_its_file(self, name: str, tmp_path: Path) -> None:
        (tmp_path / "a.xml").write_bytes(f"<?xml version='1.0' encoding='{name}'?><root/>".encode())
        with pytest.raises(FormatError, match=r"a\.xml.*(cannot be decoded|not well-formed)"):
            read_xml(tmp_path / "a.xml")

    def test_nesting_is_bounded(self) -> None:
        with pytest.raises(FormatError, match="nested more than 256 levels deep"):
            parse_xml("<root>" * 5000)


class TestMrp:
    def test_edges_of_the_shared_task_of_2019(self) -> None:
        """They call the attributes of an edge properties."""
        graph = Graph(
            [Terminal("Go")],
            [Unit(), Unit((0,)), Unit()],
            [Edge(0, 1, ("P",)), Edge(0, 2, ("H",)), Edge(2, 1, ("A",), True)],
        )
        record = to_mrp(graph)
        remote = next(edge for edge in record["edges"] if "attributes" in edge)
        remote["properties"] = remote.pop("attributes")
        assert from_mrp(record) == from_mrp(to_mrp(graph))
        assert [edge.is_remote for edge in from_mrp(record).edges].count(True) == 1

    def test_example(self) -> None:
        record = to_mrp(parse_xml(SMALL))
        assert record["input"] == "Go !"
        assert record["nodes"][2] == {"id": 2, "anchors": [{"from": 0, "to": 2}]}
        assert {"source": 1, "target": 2, "label": "P"} in record["edges"]
        assert {"source": 1, "target": 2, "label": "S"} in record["edges"]

    @given(graphs() | graphs(st.lists(st.text(max_size=3), max_size=6)))
    def test_write_read_is_the_same_graph_but_for_linkages(self, graph: Graph) -> None:
        again = from_mrp(json.loads(mrp_line(graph)))
        assert again == Graph(graph.terminals, graph.units, graph.edges)
        assert again.id == graph.id

    @pytest.mark.parametrize(
        "graph",
        [
            Graph(  # a unit of punctuation that has children
                [Terminal("!", True), Terminal("?", True)],
                [Unit(), Unit((0,), is_punct=True), Unit((1,), is_punct=True)],
                [Edge(0, 1, ("U",)), Edge(1, 2, ("U",))],
            ),
            Graph([Terminal("a\nb"), Terminal("\n"), Terminal("c", paragraph=2)], [Unit((0, 1, 2))], []),
            Graph([Terminal(""), Terminal(""), Terminal("a"), Terminal("")], [Unit((0, 1, 2, 3))], []),
            Graph([Terminal("a\ud800"), Terminal("\udc80b")], [Unit((0, 1))], [], id="\udcff"),
            Graph([Terminal("a")], [Unit(), Unit((0,), is_punct=True)], [Edge(0, 1, ("A", "U"))]),
            Graph([Terminal("a"), Terminal("-", True)], [Unit(), Unit((0, 1))], [Edge(0, 1, ("A",))]),
        ],
        ids=lambda graph: str(graph).encode("ascii", "backslashreplace").decode().replace("\n", "|"),
    )
    def test_whatever_is_odd_comes_back_equal(self, graph: Graph, tmp_path: Path) -> None:
        write_mrp([graph], tmp_path / "a.mrp")
        assert read_graph(tmp_path / "a.mrp") == graph
        assert len(mrp_line(graph)) < 2000

    @pytest.mark.parametrize(
        ("tokens", "text", "message"),
        [(["", ""], "a", "two empty tokens"), (["Go", "!"], "Stop!", "not in the text: 'Go'")],
    )
    def test_what_cannot_be_written_is_refused(self, tokens: list[str], text: str | None, message: str) -> None:
        with pytest.raises(FormatError, match=message):
            mrp_line(Graph([*map(Terminal, tokens)], [Unit(tuple(range(len(tokens))))], []), text=text)

    def test_anchors_point_into_the_text_that_the_tokens_come_from(self) -> None:
        record = to_mrp(parse_xml(SMALL), text="  Go!")
        anchors = [node["anchors"] for node in record["nodes"] if "anchors" in node]
        assert anchors == [[{"from": 2, "to": 4}], [{"from": 4, "to": 5}]]
        assert from_mrp(record) == parse_xml(SMALL)

    def test_graphs_of_others_need_no_marks_of_ours(self) -> None:
        """As in the shared task's files: leaves without children or anchors are implicit, U leads to punctuation."""
        g = from_mrp(
            {
                "id": "x", "framework": "ucca", "input": "Go!", "tops": [0],
                "nodes": [{"id": 0}, {"id": 1}, {"id": 2, "anchors": [{"from": 0, "to": 2}]},
                          {"id": 3, "anchors": [{"from": 2, "to": 3}]}, {"id": 4}],
                "edges": [{"source": 0, "target": 1, "label": "H"}, {"source": 1, "target": 2, "label": "P"},
                          {"source": 0, "target": 3, "label": "U"}, {"source": 1, "target": 4, "label": "A"}],
            }
        )  # fmt: skip
        assert str(g) == "[H [P Go] [A IMPLICIT] ] [U !]"
        assert g.terminals[1].is_punct

    @pytest.mark.parametrize(
        ("line", "message"),
        [
            ("{", r"bad\.mrp:2: not JSON"),
            ("[" * 201, r"bad\.mrp:2: not JSON: nested more than 200 levels deep"),
            ("9" * 5000, r"bad\.mrp:2: not JSON"),
            ('{"input": 1, "nodes": [], "edges": []}', "the input must be a string, not 1"),
            ('{"input": "a", "nodes": [{"id": 0}, {"id": 1, "anchors": [{"from": 0, "to": 1}]}], '
             '"edges": [{"source": 0, "target": 1, "label": 7}]}', r"bad\.mrp:2: .*a label must be a string, not 7"),
            ('{"input": "a", "nodes": [{"id": 0, "anchors": [{"from": 0, "to": true}]}], "edges": []}', "an anchor 0:True"),
            ("[]", r"bad\.mrp:2: not an MRP graph"),
            ('{"nodes": []}', r"bad\.mrp:2: not an MRP graph of UCCA: no 'input'"),
            ('{"framework": "amr"}', r"bad\.mrp: no graph"),
            ('{"input": "a", "nodes": [{"id": 0}, {"id": 0}], "edges": []}', "two nodes with the id 0"),
            ('{"input": "a", "nodes": [{"id": 0, "anchors": [{"from": 0, "to": 9}]}], "edges": []}', "an anchor 0:9 outside"),
            ('{"input": "a", "nodes": [{"id": 0}], "edges": [{"source": 0, "target": 4, "label": "A"}]}', "does not exist: 4"),
            ('{"input": "", "nodes": [], "edges": []}', r"bad\.mrp:2: not a UCCA graph: a graph needs a root"),
        ],
    )  # fmt: skip
    def test_malformed(self, tmp_path: Path, line: str, message: str) -> None:
        path = tmp_path / "bad.mrp"
        path.write_text(f"\n{line}\n", encoding="utf-8")
        with pytest.raises((FormatError, InputError), match=message):
            read_graph(path)

    def test_unreadable(self, tmp_path: Path) -> None:
        with pytest.raises(InputError, match=r"none\.mrp"):
            read_graph(tmp_path / "none.mrp")
        (tmp_path / "latin.mrp").write_bytes(b"\xe9\n")
        with pytest.raises(FormatError, match=r"latin\.mrp:1: not JSON: 'utf-8' codec can't decode"):
            read_graph(tmp_path / "latin.mrp")
        with pytest.raises(FormatError, match="the framework is 'amr'"):
            from_mrp({"framework": "amr"})


def test_a_file_of_xml_that_is_missing_or_too_large(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    with pytest.raises(InputError, match=r"none\.xml: cannot be read"):
        read_xml(tmp_path / "none.xml")
    monkeypatch.setattr(xml, "LARGEST_XML", 2**20)
    path = tmp_path / "huge.xml"
    path.write_bytes(b" " * (2**20 + 1))
    with pytest.raises(InputError, match="a file of more than 1048576 bytes"):
        read_xml(path)
