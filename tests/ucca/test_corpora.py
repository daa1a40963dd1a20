"""Every file of the shared corpora, beside the ``ucca`` toolkit as oracle."""

import json
import warnings
import xml.etree.ElementTree as ET
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from usim.ucca import Edge, Graph, Linkage, Terminal, Unit, from_mrp, parse_xml, read_xml, to_mrp, to_xml

with warnings.catch_warnings():
    warnings.simplefilter("ignore")
    convert = pytest.importorskip("ucca.convert", reason="the oracle: pip install --no-deps ucca")

CORPORA = ["ucca-wiki-dev", "ucca-ewt-dev", "usim-annotations"]


def files(folder: Path) -> list[Path]:
    paths = sorted(folder.glob("*.xml"))
    assert paths
    return paths


@pytest.mark.data
@pytest.mark.parametrize("name", CORPORA)
def test_read_write_read(corpus: Callable[[str], Path], name: str) -> None:
    for path in files(corpus(name)):
        graph = read_xml(path)
        assert parse_xml(to_xml(graph)) == graph, path
        without_linkages = Graph(graph.terminals, graph.units, graph.edges)
        assert from_mrp(json.loads(json.dumps(to_mrp(graph)))) == without_linkages, path


@pytest.mark.data
@pytest.mark.slow
@pytest.mark.parametrize("name", CORPORA)
def test_agrees_with_the_toolkit(corpus: Callable[[str], Path], name: str) -> None:
    """Each file as it is; what usim writes is read by the toolkit on a part of them, as it takes its time."""
    for k, path in enumerate(files(corpus(name))):
        graph = read_xml(path)
        compare(graph, convert.from_standard(ET.parse(path).getroot()))
        if k % 20 == 0:
            compare(parse_xml(to_xml(graph)), convert.from_standard(ET.fromstring(to_xml(graph))))


def compare(graph: Graph, passage: Any) -> None:
    """Terminals, units, edges of every kind, categories and linkages are the same."""
    nodes = passage.layer("1").all
    units = [n for n in nodes if n.tag != "LKG"]
    number = {n.ID: i for i, n in enumerate(units)}
    linked = [n for n in nodes if n.tag == "LKG"]
    assert graph == Graph(
        [Terminal(t.text, t.punct, t.paragraph) for t in passage.layer("0").all],
        [
            Unit(tuple(t.position - 1 for t in n.terminals), bool(n.attrib.get("implicit")), n.tag == "PNCT")
            for n in units
        ],
        [
            Edge(number[n.ID], number[e.child.ID], tuple(c.tag for c in e.categories), bool(e.attrib.get("remote")))
            for n in units
            for e in n
            if e.child.ID in number
        ],
        [Linkage((number[n.relation.ID],), tuple(number[a.ID] for a in n.arguments)) for n in linked],
    )


@pytest.mark.data
@pytest.mark.parametrize(("name", "every"), [("ucca-wiki-dev", 10), ("ucca-ewt-dev", 2), ("usim-annotations", 13)])
def test_sentences_are_those_of_the_toolkit(corpus: Callable[[str], Path], name: str, every: int) -> None:
    for path in files(corpus(name))[::every]:
        text = path.read_text(encoding="utf-8")
        sentences = parse_xml(text).sentences()
        expected = convert.split2sentences(convert.from_standard(ET.fromstring(text)))
        assert [s.tokens for s in sentences] == [tuple(t.text for t in p.layer("0").all) for p in expected]
        for sentence, other in zip(sentences, expected, strict=True):
            assert sentence == parse_xml(ET.tostring(convert.to_standard(other)))
