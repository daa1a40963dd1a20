"""UCCA XML, read and written: what the UCCA corpora come in, a file a passage.

Layer 0 has the terminals, layer 1 the units. No entity is ever expanded and nothing outside of the
file is ever opened, see :mod:`usim.text.xml_events`.

What is no part of the annotation is not kept: the attributes ``extra`` (a tagger's output, remarks) and ``uncertain``,
and the ``slot`` and ``layer_name`` of categories.
"""

from __future__ import annotations

import os
import re
from collections.abc import Iterator, Mapping
from xml.etree import ElementTree
from xml.etree.ElementTree import Element

from usim.errors import FormatError, GraphError
from usim.text.files import open_binary, read_bounded, written_whole
from usim.text.xml_events import XmlHandlers, read_events
from usim.ucca._graph import Edge, Graph, Linkage, Terminal, Unit

#: The largest file of UCCA XML that is read, in bytes: a hundred times the largest passage of the corpora.
LARGEST_XML = 2**26
#: Characters that XML 1.0 cannot hold, not even escaped.
_NOT_XML = re.compile("[^\t\n\r\u0020-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")
_LINE = "\n"  # no attribute of XML has this name
#: The types of nodes of each layer of UCCA XML: terminals; units, punctuation units and linkages.
_KINDS = {"0": ("Word", "Punctuation"), "1": ("FN", "PNCT", "LKG")}


def read_xml(path: str | os.PathLike[str]) -> Graph:
    """Read a passage from a file in UCCA XML.

    Raises:
        InputError: the file cannot be opened, or is larger than :data:`LARGEST_XML`.
        FormatError: it is not UCCA XML, or not a valid UCCA graph; with the file and the line.
    """
    with open_binary(path) as file:
        return parse_xml(read_bounded(file, path, limit=LARGEST_XML), path=path)


def parse_xml(data: bytes | bytearray | str, *, path: str | os.PathLike[str] | None = None) -> Graph:
    """Read a passage from a string of UCCA XML; ``path`` is named in errors."""
    try:
        return _graph(_root_of(data))
    except FormatError as e:
        raise FormatError(e.message, path=path, line=e.line, text=e.text) from None
    except GraphError as e:
        raise FormatError(f"not a UCCA graph: {e.message}", path=path, text=e.text) from e


def _root_of(data: bytes | bytearray | str) -> Element:
    """Return the outermost element of XML; each element has the line where it begins as an attribute."""
    builder = ElementTree.TreeBuilder()
    read_events([data], XmlHandlers(lambda tag, own, line: builder.start(tag, own | {_LINE: str(line)}), builder.end))
    return builder.close()


def _wrong(what: str, element: Element, text: str | None = None) -> FormatError:
    return FormatError(what, line=int(element.get(_LINE, "")), text=text)


def _graph(root: Element) -> Graph:
    nodes = _nodes(root)

    def numbers(*kinds: str) -> dict[str, int]:
        return {name: i for i, name in enumerate(name for name, node in nodes.items() if node.get("type") in kinds)}

    terminals, units = numbers(*_KINDS["0"]), numbers("FN", "PNCT")
    if not units:
        raise FormatError("no layer 1: the passage has no units")
    held: list[list[int]] = [[] for _ in units]
    edges: list[Edge] = []
    for name, u in units.items():
        for edge, to, categories in _edges(nodes[name], nodes):
            if to in units:
                edges.append(Edge(u, units[to], categories, _flags(edge).get("remote") == "True"))
            elif to not in terminals:
                raise _wrong("an edge to a linkage", edge, to)
            elif categories != ("Terminal",):
                raise _wrong("an edge to a terminal must be of type Terminal", edge, "|".join(categories))
            else:
                held[u].append(terminals[to])
    linkages = []
    for name in numbers("LKG"):
        ends: dict[str, list[int]] = {"LR": [], "LA": []}
        for edge, to, (kind, *_) in _edges(nodes[name], nodes):
            if kind not in ends or to not in units:
                raise _wrong("an edge of a linkage must be LR or LA, to a unit", edge, f"{kind} {to}")
            ends[kind].append(units[to])
        linkages.append(Linkage(*map(tuple, ends.values())))
    return Graph(
        [_terminal(name, nodes[name]) for name in terminals],
        [
            Unit(tuple(own), _flags(nodes[name]).get("implicit") == "True", nodes[name].get("type") == "PNCT")
            for name, own in zip(units, held, strict=True)
        ],
        edges,
        linkages,
        id=root.get("passageID", ""),
    )


def _nodes(root: Element) -> dict[str, Element]:
    """Return the nodes of both layers by their IDs, each of a kind that its layer has."""
    if root.tag != "root":
        raise _wrong("not UCCA XML: the outermost element must be <root>", root, f"<{root.tag}>")
    nodes: dict[str, Element] = {}
    for layer in root.findall("layer"):
        number = layer.get("layerID", "")
        if number not in _KINDS:
            raise _wrong("an unknown layer: usim reads layers 0 and 1", layer, number)
        for node in layer.findall("node"):
            name, kind = node.get("ID"), node.get("type", "")
            if not name:
                raise _wrong("a node without an ID", node)
            if name in nodes:
                raise _wrong("a second node with the same ID", node, name)
            if kind not in _KINDS[number]:
                raise _wrong(f"a node of layer {number} must be of type {', '.join(_KINDS[number])}", node, kind)
            nodes[name] = node
    return nodes


def _flags(element: Element) -> dict[str, str]:
    """Return what the elements ``attributes`` say of a node or an edge."""
    return {name: value for child in element.findall("attributes") for name, value in child.items()}


def _edges(node: Element, nodes: Mapping[str, Element]) -> Iterator[tuple[Element, str, tuple[str, ...]]]:
    """Yield the edges from a node, each with the ID of the node that it leads to and its categories."""
    for edge in node.findall("edge"):
        to = edge.get("toID", "")
        if to not in nodes:
            raise _wrong("an edge to a node that does not exist", edge, to)
        tags = [category.get("tag", "") for category in edge.findall("category")] or [edge.get("type", "")]
        if not all(tags):
            raise _wrong("an edge without a category", edge, to)
        yield edge, to, tuple(tags)


def _terminal(name: str, node: Element) -> Terminal:
    flags = _flags(node)
    if "text" not in flags:
        raise _wrong(f"terminal {name} has no text", node)
    number = flags.get("paragraph", "1")
    try:
        return Terminal(flags["text"], node.get("type") == "Punctuation", int(number))
    except ValueError:
        raise _wrong("a paragraph that is no number", node, number) from None


def to_xml(graph: Graph) -> str:
    """Return a passage as UCCA XML, readable by usim and by the ``ucca`` toolkit.

    Units are numbered ``1.1``, ``1.2``, … in canonical order. A terminal whose text XML cannot hold (a control
    character) is written with U+FFFD in its place.
    """
    root = Element("root", annotationID="0", passageID=storable_in_xml(graph.id))
    ElementTree.SubElement(root, "attributes")
    words, units = (ElementTree.SubElement(root, "layer", layerID=number) for number in "01")
    for layer in (words, units):
        ElementTree.SubElement(layer, "attributes")
    in_paragraph = 0
    for i, terminal in enumerate(graph.terminals):
        same = i and terminal.paragraph == graph.terminals[i - 1].paragraph
        in_paragraph = in_paragraph + 1 if same else 1
        flags = {"paragraph": str(terminal.paragraph), "paragraph_position": str(in_paragraph)}
        flags["text"] = storable_in_xml(terminal.text)
        _add_node(words, f"0.{i + 1}", "Punctuation" if terminal.is_punct else "Word", flags)
    for u, unit in enumerate(graph.units):
        kind = "PNCT" if unit.is_punct else "FN"
        node = _add_node(units, f"1.{u + 1}", kind, {"implicit": "True"} if unit.is_implicit else {})
        for t in unit.terminals:
            _add_edge(node, f"0.{t + 1}", ("Terminal",))
        for edge in graph.children(u):
            _add_edge(node, f"1.{edge.child + 1}", edge.categories, edge.is_remote)
    for k, linkage in enumerate(graph.linkages, start=len(graph.units) + 1):
        node = _add_node(units, f"1.{k}", "LKG", {})
        for kind, ends in (("LR", linkage.relations), ("LA", linkage.arguments)):
            for u in ends:
                _add_edge(node, f"1.{u + 1}", (kind,))
    ElementTree.indent(root)
    return ElementTree.tostring(root, encoding="unicode") + "\n"


def _add_node(layer: Element, name: str, kind: str, flags: dict[str, str]) -> Element:
    node = ElementTree.SubElement(layer, "node", ID=name, type=kind)
    ElementTree.SubElement(node, "attributes", flags)
    return node


def _add_edge(node: Element, to: str, categories: tuple[str, ...], is_remote: bool = False) -> None:
    edge = ElementTree.SubElement(node, "edge", toID=to, type=storable_in_xml(categories[0]))
    ElementTree.SubElement(edge, "attributes", {"remote": "True"} if is_remote else {})
    for category in categories:
        ElementTree.SubElement(edge, "category", {"tag": storable_in_xml(category)})


def write_xml(graph: Graph, path: str | os.PathLike[str]) -> None:
    """Write a passage to a file in UCCA XML (UTF-8). The file is there whole or not at all."""
    text = to_xml(graph)
    with written_whole(path) as file:
        file.write(text)


def storable_in_xml(text: str) -> str:
    """Return a text with U+FFFD in place of each character that XML cannot hold."""
    return _NOT_XML.sub("\ufffd", text)
