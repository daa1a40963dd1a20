"""Graphs that someone else made, as a parser: which graph belongs to which sentence, and what is said where none does."""

import json
import pickle
from collections.abc import Callable
from pathlib import Path

import pytest

from tests.brackets import graph_of
from tests.command import usim_here
from tests.support.graphs import written
from usim.errors import ParsingError
from usim.parsing import Parser, load
from usim.text.files import LONGEST_LINE
from usim.ucca import Edge, Graph, Terminal, Unit, to_mrp, write_mrp, write_xml

Bring = Callable[[list[Graph]], str]


def flat(text: str, *, category: str = "A", id: str = "") -> Graph:
    """A scene with every word a unit of its own, and perhaps a full stop after it."""
    scene = " ".join(f"[{category} {word}]" for word in text.removesuffix(" .").split())
    return graph_of(f"[H {scene}]" + " [U .]" * text.endswith(" ."), id=id)


CATS = flat("Cats don't sleep .", id="000001")
DOGS = flat("Dogs bark .", id="000002")
BIRDS = flat("Birds sing in the morning .", id="000003")


@pytest.fixture(params=["xml", "mrp"])
def bring(request: pytest.FixtureRequest, tmp_path: Path) -> Bring:
    """Writes graphs in one of the formats, and gives the name of the parser that reads them."""

    def name(graphs: list[Graph]) -> str:
        if request.param == "mrp":
            write_mrp(graphs, tmp_path / "graphs.mrp")
            return f"mrp:{tmp_path / 'graphs.mrp'}"
        return f"xml:{written(tmp_path / 'graphs', {graph.id or str(i): graph for i, graph in enumerate(graphs)})}"

    return name


# -- matching --------------------------------------------------------------------------------------------------------

ALL = [CATS, DOGS, BIRDS]
OTHER_DOGS = flat("Dogs bark .", category="C", id="000009")


@pytest.mark.parametrize(
    ("given", "sentences", "ids", "expected"),
    [
        pytest.param(ALL, ["Cats don't sleep.", "Dogs bark.", "Birds sing in the morning."], ["000001", "000002", "000003"], ALL,
                     id="the line number finds the graph"),
        *(pytest.param(ALL, ["Birds sing in the morning.", "Cats don't sleep."], ids, [BIRDS, CATS],
                       id=f"with the ids {ids} the text decides") for ids in (None, ["000001", "000002"], ["a", "b"])),
        # The graphs have "don't" as one token, usim's tokeniser makes two of it.
        pytest.param([CATS], ["  Cats don't\tsleep ."], None, [CATS], id="a text matches however it is cut"),
        pytest.param([CATS], [CATS.tokens], None, [CATS], id="tokens match exactly"),
        # Two annotators, or one sentence in two places: nothing but the id can say which graph is meant.
        pytest.param([DOGS, OTHER_DOGS], ["Dogs bark."] * 2, ["000009", "000002"], [OTHER_DOGS, DOGS], id="one sentence twice"),
        pytest.param([DOGS, flat("Dogs bark .", id="000009")], ["Dogs bark."], None, [DOGS], id="the same graph twice"),
        pytest.param([CATS], [" "], ["000004"], [Graph([], [Unit()], [])], id="an empty sentence"),
    ],
)  # fmt: skip
def test_which_graph_belongs_to_which_sentence(
    bring: Bring, given: list[Graph], sentences: list[str], ids: list[str] | None, expected: list[Graph]
) -> None:
    parser = load(bring(given))
    assert isinstance(parser, Parser)
    assert parser.name in ("xml:graphs", "mrp:graphs.mrp")
    for same in (parser, pickle.loads(pickle.dumps(parser))):
        graphs = same.parse(sentences, ids=ids)
        assert graphs == expected
        assert [graph.id for graph in graphs] == (ids or [graph.id for graph in expected])


@pytest.mark.parametrize(
    ("given", "sentences", "ids", "message"),
    [
        ([CATS], [["Cats", "do", "n't", "sleep", "."]], None, "has the tokens of the sentence; .* is of Cats don't sleep ."),
        ([DOGS, OTHER_DOGS], ["Dogs bark."], None, "two graphs of the same text that differ"),
        ([flat("Dogs bark", id="1")], ["Dogs bark loudly"], ["1"], "has the text of the sentence 1; the one in .* is of Dogs bark: 'Dogs bark loudly'"),
        ([CATS], ["a", "b"], ["1"], "1 ids for 2 sentences"),
        ([CATS, DOGS], ["Quixotic"], ["7"], "none of the 2 graphs has the text of the sentence 7: 'Quixotic'"),
    ],
)  # fmt: skip
def test_what_has_no_graph(
    bring: Bring, given: list[Graph], sentences: list[str], ids: list[str] | None, message: str
) -> None:
    with pytest.raises(ParsingError, match=message):
        load(bring(given)).parse(sentences, ids=ids)


def test_the_passage_id_counts_as_well_as_the_name_of_the_file(tmp_path: Path) -> None:
    graphs = {"x": DOGS, "y": flat("Dogs bark .", category="C", id="dogs")}
    parser = load(f"xml:{written(tmp_path / 'graphs', graphs)}")
    by_name, by_id = parser.parse(["Dogs bark."] * 2, ids=["x", "dogs"])
    assert (by_name.category(2), by_id.category(2)) == (("A",), ("C",))


def test_folders_in_the_folder_are_searched(tmp_path: Path) -> None:
    """So that the graphs of sources and of outputs can be in one place; both have a 000001.xml."""
    for name, graph in (("source", CATS), ("output", DOGS)):
        written(tmp_path / name, {"000001": graph})
    parser = load(f"xml:{tmp_path}")
    assert parser.parse(["Dogs bark.", "Cats don't sleep."], ids=["000001", "000001"]) == [DOGS, CATS]


def test_what_xml_cannot_hold_still_matches(tmp_path: Path) -> None:
    graph = Graph([Terminal("a\x01b")], [Unit(), Unit((0,))], [Edge(0, 1, ("H",))], id="1")
    write_xml(graph, tmp_path / "1.xml")
    (by_text,), (by_tokens,) = (load(f"xml:{tmp_path}").parse([s]) for s in ("a\x01b", ["a\x01b"]))
    assert by_text.tokens == by_tokens.tokens == ("a\ufffdb",)


def test_graphs_of_other_frameworks_are_left_out_of_an_mrp_file(tmp_path: Path) -> None:
    other = {**to_mrp(DOGS), "framework": "eds"}
    path = tmp_path / "all.mrp"
    path.write_text(f"{json.dumps(other)}\n\n{json.dumps(to_mrp(DOGS))}\n")
    assert load(f"mrp:{path}").parse(["Dogs bark."]) == [DOGS]


def test_a_path_needs_no_prefix_and_a_folder_may_hold_both_formats(tmp_path: Path) -> None:
    write_xml(CATS, tmp_path / "cats.xml")
    write_mrp([DOGS, BIRDS], tmp_path / "others.mrp")
    (tmp_path / "notes.txt").write_text("no graphs")
    assert load(tmp_path).parse(["Birds sing in the morning.", "Cats don't sleep."]) == [BIRDS, CATS]
    assert load(f"{tmp_path}/others.mrp").parse(["Dogs bark."]) == [DOGS]
    assert load(tmp_path / "cats.xml").name == "xml:cats.xml"


# -- errors ----------------------------------------------------------------------------------------------------------


def test_a_graph_of_another_sentence_is_an_error_that_names_its_text(tmp_path: Path) -> None:
    write_xml(BIRDS, tmp_path / "000001.xml")
    write_xml(DOGS, tmp_path / "000002.xml")
    with pytest.raises(ParsingError) as e:
        load(f"xml:{tmp_path}").parse(["Birds sang in the early morning."], ids=["000001"])
    assert e.value.path == str(tmp_path)
    assert e.value.text == "Birds sang in the early morning."
    assert e.value.message == (
        f"none of the 2 graphs has the text of the sentence 000001; the one in {tmp_path / '000001.xml'} is of "
        f"{BIRDS.text()}"
    )


def test_what_cannot_be_read_is_named(tmp_path: Path) -> None:
    write_xml(CATS, tmp_path / "000001.xml")
    (tmp_path / "000002.xml").write_text('<root>\n<layer layerID="0">')
    parser = load(f"xml:{tmp_path}")
    assert parser.parse(["Cats don't sleep."]) == [CATS]
    said = r"none of the 1 graphs has .*; 1 more could not be read, the first: .*000002\.xml"
    with pytest.raises(ParsingError, match=said):
        parser.parse(["Dogs bark."])


def test_broken_lines_of_an_mrp_file_do_not_hide_the_others(tmp_path: Path) -> None:
    path, too_long = tmp_path / "some.mrp", '{"input": "' + "x" * LONGEST_LINE + '"}'
    for line, says in (("{", "not JSON"), ("[]", "not an MRP graph of UCCA"), (too_long, "a line that is too long")):
        path.write_text(f"{line}\n{json.dumps(to_mrp(DOGS))}\n")
        parser = load(f"mrp:{path}")
        assert parser.parse(["Dogs bark."]) == [DOGS]
        with pytest.raises(ParsingError, match=rf"1 more could not be read, the first: .*some\.mrp:1: {says}"):
            parser.parse(["Quixotic"])


@pytest.mark.parametrize(
    ("name", "says"),
    [
        ("xml:", "no such file or folder"),
        ("xml:{}/nowhere", "no such file or folder"),
        ("mrp:{}", "no graphs in this folder"),
        ("{}/nowhere.mrp", "no such file or folder"),
        ("onnx:{}", "no such model"),  # the embedded parser with another folder
    ],
)
def test_what_cannot_be_loaded(tmp_path: Path, name: str, says: str) -> None:
    with pytest.raises(ParsingError, match=says):
        load(name.format(tmp_path))


def test_given_graphs_follow_their_own_guidelines(bring: Bring) -> None:
    with pytest.raises(ParsingError, match="leave the choice out"):
        load(bring([CATS]), guidelines=2)


# -- the command line ------------------------------------------------------------------------------------------------


@pytest.mark.model
def test_parse_and_score_with_given_graphs(bring: Bring, tmp_path: Path) -> None:
    parser = bring([CATS, DOGS])
    text = tmp_path / "text"
    text.write_text("Cats don't sleep.\nDogs bark.\n")
    parsed = usim_here("parse", text, "--parser", parser)
    assert (parsed.returncode, parsed.stdout.splitlines()) == (0, [str(CATS), str(DOGS)])
    scored = usim_here("score", text, text, "--parser", parser, "--format", "json")
    summary = json.loads(scored.stdout)["summary"]
    assert (scored.returncode, summary["usim"]["mean"]) == (0, 1.0)
    assert f"parser:{load(parser).name}" in summary["signature"]
