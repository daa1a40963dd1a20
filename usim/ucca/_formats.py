"""UCCA XML and MRP JSON, read and written.

*UCCA XML* is what the UCCA corpora come in: one file a passage, layer 0 with the terminals, layer 1 with the units.
*MRP JSON* is the common format of the CoNLL shared tasks on meaning representation parsing (Oepen et al. 2019, 2020):
one graph a line, tokens as character ranges of the input text.

Errors of both readers name the place of what they cannot read. XML is read with a plain event parser that refuses
document type declarations altogether, so that no entity is ever expanded and nothing outside of the file is ever
opened.

The ``extra`` attributes of UCCA XML (a tagger's output, remarks), and the ``slot`` and ``layer_name`` of its
categories, are not kept, because they are no part of the annotation.
"""

from __future__ import annotations

import json
import os
import re
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from typing import Any, NamedTuple
from xml.parsers import expat

from usim.errors import FormatError, GraphError, InputError
from usim.text.files import parse_json, read_bounded, read_lines, written_whole
from usim.ucca._graph import Edge, Graph, Linkage, Terminal, Unit

#: The largest number of a paragraph that is read: files and texts are made from these numbers.
HIGHEST_PARAGRAPH = 1_000_000
#: The largest file of UCCA XML that is read, in bytes: a hundred times the largest passage of the corpora.
LARGEST_XML = 2**26
#: Characters that XML 1.0 cannot hold, not even escaped.
_NOT_XML = re.compile("[^\t\n\r\u0020-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")
#: The types of nodes of each layer of UCCA XML: terminals; units, punctuation units and linkages.
_KINDS = {"0": ("Word", "Punctuation"), "1": ("FN", "PNCT", "LKG")}

# -- UCCA XML --------------------------------------------------------------------------------------------------------


def read_xml(path: str | os.PathLike[str]) -> Graph:
    """Read a passage from a file in UCCA XML.

    Raises:
        InputError: the file cannot be opened, or is larger than :data:`LARGEST_XML`.
        FormatError: it is not UCCA XML, or not a valid UCCA graph; with the file and the line.
    """
    return parse_xml(_read_bytes(path), path=path)


def parse_xml(data: bytes | str, *, path: str | os.PathLike[str] | None = None) -> Graph:
    """Read a passage from a string of UCCA XML; ``path`` is named in errors."""
    root = _read_elements(data, path)
    try:
        return _from_xml(root)
    except FormatError as e:
        raise FormatError(e.message, path=path, line=e.line, text=e.text) from None
    except GraphError as e:
        raise FormatError(f"not a UCCA graph: {e.message}", path=path, text=e.text) from e


def read_xml_tokens(path: str | os.PathLike[str]) -> tuple[str, list[str]]:
    """Read the passage id and the tokens of a file in UCCA XML, and no more of it.

    Ten times as fast as :func:`read_xml`, which checks the file when its graph is asked for.
    """
    root = _read_elements(_read_bytes(path), path, last_layer="0")
    layers = (layer for layer in root.every("layer") if layer.attributes.get("layerID") == "0")
    flags = (node.flags for layer in layers for node in layer.every("node"))
    return root.attributes.get("passageID", ""), [of_node["text"] for of_node in flags if "text" in of_node]


def _read_bytes(path: str | os.PathLike[str]) -> bytes:
    try:
        with open(path, "rb") as file:
            return read_bounded(file, path, limit=LARGEST_XML)
    except OSError as e:
        raise InputError(e.strerror or str(e), path=path) from e


class _Element(NamedTuple):
    """An element of XML, and the line where it begins."""

    tag: str
    attributes: dict[str, str]
    line: int
    children: list[_Element]

    def every(self, tag: str) -> list[_Element]:
        """Return the children with a tag."""
        return [child for child in self.children if child.tag == tag]

    @property
    def flags(self) -> dict[str, str]:
        """What the elements ``attributes`` say of a node or an edge."""
        return {name: value for child in self.every("attributes") for name, value in child.attributes.items()}


class _EnoughError(Exception):
    """Stops the XML parser after the last layer that is wanted."""


def _read_elements(
    data: bytes | str, path: str | os.PathLike[str] | None, *, last_layer: str | None = None
) -> _Element:
    """Return the outermost element of XML; without what comes after a layer, if one is given."""
    parser = expat.ParserCreate()
    document = _Element("", {}, 0, [])
    stack = [document]

    def start(tag: str, attributes: dict[str, str]) -> None:
        element = _Element(tag, attributes, parser.CurrentLineNumber, [])
        stack[-1].children.append(element)
        stack.append(element)

    def end(tag: str) -> None:
        if stack.pop().attributes.get("layerID", "") == last_layer:
            raise _EnoughError

    def doctype(name: str, *_: object) -> None:
        what = "a document type declaration is not allowed in UCCA XML"
        raise FormatError(what, path=path, line=parser.CurrentLineNumber, text=name)

    parser.StartElementHandler, parser.EndElementHandler, parser.StartDoctypeDeclHandler = start, end, doctype
    try:
        with suppress(_EnoughError):
            parser.Parse(data, True)
    except expat.ExpatError as e:
        what = f"not well-formed XML: {expat.ErrorString(e.code)} (column {e.offset + 1})"
        raise FormatError(what, path=path, line=e.lineno) from e
    except (UnicodeError, LookupError) as e:
        raise FormatError(f"cannot be decoded: {e}", path=path, line=parser.CurrentLineNumber) from e
    return document.children[0]


def _from_xml(root: _Element) -> Graph:
    nodes = _nodes(root)

    def numbers(*kinds: str) -> dict[str, int]:
        names = [name for name, node in nodes.items() if node.attributes["type"] in kinds]
        return {name: i for i, name in enumerate(names)}

    terminals, units, linkages = numbers(*_KINDS["0"]), numbers("FN", "PNCT"), numbers("LKG")
    if not units:
        raise FormatError("no layer 1: the passage has no units")
    texts = [_terminal(name, nodes[name]) for name in terminals]
    held: list[list[int]] = [[] for _ in units]
    edges: list[Edge] = []
    for name, u in units.items():
        for edge, to, categories in _edges(nodes[name], nodes):
            if to in terminals:
                if categories != ("Terminal",):
                    what = "an edge to a terminal must be of type Terminal"
                    raise FormatError(what, line=edge.line, text="|".join(categories))
                held[u].append(terminals[to])
            elif to not in units:
                raise FormatError("an edge to a linkage", line=edge.line, text=to)
            elif not categories:
                raise FormatError("an edge without a category", line=edge.line, text=to)
            else:
                remote, uncertain = (edge.flags.get(flag) == "True" for flag in ("remote", "uncertain"))
                edges.append(Edge(u, units[to], categories, remote, uncertain))
    linked = []
    for name in linkages:
        ends: dict[str, list[int]] = {"LR": [], "LA": []}
        for edge, to, categories in _edges(nodes[name], nodes):
            kind = (*categories, "")[0]
            if kind not in ends or to not in units:
                what = "an edge of a linkage must be LR or LA, to a unit"
                raise FormatError(what, line=edge.line, text=f"{kind} {to}")
            ends[kind].append(units[to])
        linked.append(Linkage(tuple(ends["LR"]), tuple(ends["LA"])))
    return Graph(
        texts,
        [
            Unit(tuple(own), nodes[name].flags.get("implicit") == "True", nodes[name].attributes["type"] == "PNCT")
            for name, own in zip(units, held, strict=True)
        ],
        edges,
        linked,
        id=root.attributes.get("passageID", ""),
        unit_ids=tuple(units),
        linkage_ids=tuple(linkages),
    )


def _nodes(root: _Element) -> dict[str, _Element]:
    """Return the nodes of both layers by their IDs, each of a kind that its layer has."""
    if root.tag != "root":
        raise FormatError("not UCCA XML: the outermost element must be <root>", line=root.line, text=f"<{root.tag}>")
    nodes: dict[str, _Element] = {}
    for layer in root.every("layer"):
        number = layer.attributes.get("layerID", "")
        if number not in _KINDS:
            raise FormatError("an unknown layer: usim reads layers 0 and 1", line=layer.line, text=number)
        for node in layer.every("node"):
            name, kind = node.attributes.get("ID"), node.attributes.get("type", "")
            if not name:
                raise FormatError("a node without an ID", line=node.line)
            if name in nodes:
                raise FormatError("a second node with the same ID", line=node.line, text=name)
            if kind not in _KINDS[number]:
                what = f"a node of layer {number} must be of type {', '.join(_KINDS[number])}"
                raise FormatError(what, line=node.line, text=kind)
            nodes[name] = node
    return nodes


def _edges(node: _Element, nodes: Mapping[str, _Element]) -> Iterator[tuple[_Element, str, tuple[str, ...]]]:
    """Yield the edges from a node, each with the ID of the node that it leads to and its categories."""
    for edge in node.every("edge"):
        to = edge.attributes.get("toID", "")
        if to not in nodes:
            raise FormatError("an edge to a node that does not exist", line=edge.line, text=to)
        for category in edge.every("category"):
            if not category.attributes.get("tag"):
                raise FormatError("a category without a tag", line=category.line)
        categories = tuple(category.attributes["tag"] for category in edge.every("category"))
        yield edge, to, categories or tuple(filter(None, [edge.attributes.get("type")]))


def _terminal(name: str, node: _Element) -> Terminal:
    flags = node.flags
    if "text" not in flags:
        raise FormatError(f"terminal {name} has no text", line=node.line)
    number = flags.get("paragraph", "1")
    try:
        paragraph = int(number)
    except ValueError:
        raise FormatError("a paragraph that is no number", line=node.line, text=number) from None
    if abs(paragraph) > HIGHEST_PARAGRAPH:
        raise FormatError(f"a paragraph above {HIGHEST_PARAGRAPH}", line=node.line, text=number)
    return Terminal(flags["text"], node.attributes["type"] == "Punctuation", paragraph)


def to_xml(graph: Graph) -> str:
    """Return a passage as UCCA XML, readable by usim and by the ``ucca`` toolkit.

    Units are numbered ``1.1``, ``1.2``, … in canonical order. A terminal whose text XML cannot hold (a control
    character) is written with U+FFFD in its place.
    """
    out = [
        f'<root annotationID="0" passageID={_quote(graph.id)}>',
        "  <attributes />",
        '  <layer layerID="0">',
        "    <attributes />",
    ]
    in_paragraph = 0
    for i, terminal in enumerate(graph.terminals):
        same = i and terminal.paragraph == graph.terminals[i - 1].paragraph
        in_paragraph = in_paragraph + 1 if same else 1
        kind = "Punctuation" if terminal.is_punct else "Word"
        out += [
            f'    <node ID="0.{i + 1}" type="{kind}">',
            f'      <attributes paragraph="{terminal.paragraph}" paragraph_position="{in_paragraph}"'
            f" text={_quote(terminal.text)} />",
            "    </node>",
        ]
    out += ["  </layer>", '  <layer layerID="1">', "    <attributes />"]
    for u, unit in enumerate(graph.units):
        out.append(f'    <node ID="1.{u + 1}" type="{"PNCT" if unit.is_punct else "FN"}">')
        out.append('      <attributes implicit="True" />' if unit.is_implicit else "      <attributes />")
        for t in unit.terminals:
            out += _xml_edge(f"0.{t + 1}", ("Terminal",), {})
        for edge in graph.children(u):
            flags = {"remote": edge.is_remote, "uncertain": edge.is_uncertain}
            out += _xml_edge(f"1.{edge.child + 1}", edge.categories, flags)
        out.append("    </node>")
    for k, linkage in enumerate(graph.linkages, start=len(graph.units) + 1):
        out += [f'    <node ID="1.{k}" type="LKG">', "      <attributes />"]
        for kind, ends in (("LR", linkage.relations), ("LA", linkage.arguments)):
            for u in ends:
                out += _xml_edge(f"1.{u + 1}", (kind,), {})
        out.append("    </node>")
    out += ["  </layer>", "</root>", ""]
    return "\n".join(out)


def write_xml(graph: Graph, path: str | os.PathLike[str]) -> None:
    """Write a passage to a file in UCCA XML (UTF-8). The file is there whole or not at all."""
    text = to_xml(graph)
    with written_whole(path) as file:
        file.write(text)


def _xml_edge(to: str, categories: tuple[str, ...], flags: dict[str, bool]) -> Iterator[str]:
    yield f'      <edge toID="{to}" type={_quote(categories[0])}>'
    marked = "".join(f' {name}="True"' for name, is_set in flags.items() if is_set)
    yield f"        <attributes{marked} />"
    yield from (f"        <category tag={_quote(c)} />" for c in categories)
    yield "      </edge>"


def storable_in_xml(text: str) -> str:
    """Return a text with U+FFFD in place of each character that XML cannot hold."""
    return _NOT_XML.sub("\ufffd", text)


def _quote(text: str) -> str:
    from xml.sax.saxutils import quoteattr  # brings urllib.request and an HTTP client

    return quoteattr(storable_in_xml(text), {"\n": "&#10;", "\r": "&#13;", "\t": "&#9;"})


# -- MRP JSON --------------------------------------------------------------------------------------------------------


#: The labels of the edges of a linkage.
_LINKAGE_LABELS = frozenset(("LR", "LA"))
_MOST_NEWLINES = 100  # between two paragraphs
_SURROGATE = re.compile("[\ud800-\udfff]")
_SURROGATE_PAIR = re.compile("[\ud800-\udbff][\udc00-\udfff]")


def to_mrp(graph: Graph, *, text: str | None = None) -> dict[str, Any]:
    """Return a passage as an MRP graph (a JSON object), which :func:`from_mrp` turns into an equal passage.

    Each token has an anchor of its own. What MRP cannot express otherwise, or a reader would misread, becomes a node
    property:

    * ``implicit``: ``true`` or ``false``;
    * ``punctuation``: for each token of the unit ``U`` (punctuation) or ``w`` (a word);
    * ``type``: ``PNCT``, ``FN`` or ``LKG``, as in UCCA XML;
    * ``paragraph``: for each token of the unit the number of its paragraph.

    An edge with several categories is written as one edge a category; where two edges join the same units, each has
    the attribute ``edge`` with a number of its own.

    Args:
        graph: the passage.
        text: the text that the tokens come from; by default the tokens, separated by blanks, a line a paragraph. The
            tokens must stand in it in order.

    Raises:
        FormatError: a token is not in ``text``, or two empty tokens are at one place in it.
    """
    text, spans = _default_text(graph) if text is None else (text, _places(graph, text))
    anchors = [{"from": start, "to": end} for start, end in spans]
    paragraphs = _paragraphs(text, spans)
    nodes: list[dict[str, Any]] = []
    for u, unit in enumerate(graph.units):
        node: dict[str, Any] = {"id": u}
        if unit.terminals:
            node["anchors"] = [anchors[t] for t in unit.terminals]
        properties = {}
        children = graph.children(u)
        if unit.is_implicit:
            properties["implicit"] = "true"
        elif u and not unit.terminals and not children:
            properties["implicit"] = "false"
        marks = "".join("U" if graph.terminals[t].is_punct else "w" for t in unit.terminals)
        if marks and (marks != "U" * len(marks) if unit.is_punct else "U" in marks):
            properties["punctuation"] = marks
        if any(graph.terminals[t].paragraph != paragraphs[t] for t in unit.terminals):
            properties["paragraph"] = " ".join(str(graph.terminals[t].paragraph) for t in unit.terminals)
        labels_of_linkages = any(not _LINKAGE_LABELS.isdisjoint(edge.categories) for edge in children)
        looks_like_mark = bool(u and unit.terminals and not children) and graph.category(u) == ("U",)
        if labels_of_linkages or unit.is_punct != looks_like_mark:
            properties["type"] = "PNCT" if unit.is_punct else "FN"
        if properties:
            node["properties"], node["values"] = list(properties), list(properties.values())
        nodes.append(node)
    edges: list[dict[str, Any]] = []
    parallel = Counter((e.parent, e.child, e.is_remote, e.is_uncertain) for e in graph.edges)
    for number, edge in enumerate(graph.edges):
        flags: dict[str, Any] = {}
        if edge.is_remote:
            flags["remote"] = True
        if edge.is_uncertain:
            flags["uncertain"] = True
        if parallel[edge.parent, edge.child, edge.is_remote, edge.is_uncertain] > 1:
            flags["edge"] = number
        for category in edge.categories:
            entry: dict[str, Any] = {"source": edge.parent, "target": edge.child, "label": category}
            if flags:
                entry["attributes"], entry["values"] = list(flags), list(flags.values())
            edges.append(entry)
    for k, linkage in enumerate(graph.linkages, start=len(nodes)):
        is_plain = bool(linkage.relations or linkage.arguments)
        nodes.append({"id": k} if is_plain else {"id": k, "properties": ["type"], "values": ["LKG"]})
        edges += [{"source": k, "target": u, "label": "LR"} for u in linkage.relations]
        edges += [{"source": k, "target": u, "label": "LA"} for u in linkage.arguments]
    return {
        "id": graph.id,
        "flavor": 1,
        "framework": "ucca",
        "version": 1.1,
        "input": text,
        "tops": [0],
        "nodes": nodes,
        "edges": edges,
    }


def _default_text(graph: Graph) -> tuple[str, list[tuple[int, int]]]:
    """Return the tokens as a text, a line a paragraph, and where each token stands in it."""
    pieces: list[str] = []
    spans: list[tuple[int, int]] = []
    position, paragraph = 0, 1
    for i, terminal in enumerate(graph.terminals):
        newlines = min(terminal.paragraph - paragraph, _MOST_NEWLINES)
        space = "\n" * newlines or " " * bool(i)
        pieces += space, terminal.text
        start = position + len(space)
        position = start + len(terminal.text)
        spans.append((start, position))
        paragraph = terminal.paragraph
    return "".join(pieces), spans


def _places(graph: Graph, text: str) -> list[tuple[int, int]]:
    """Return where each token stands in a text that the tokens come from."""
    spans: list[tuple[int, int]] = []
    position = 0
    for terminal in graph.terminals:
        start = text.find(terminal.text, position)
        if start < 0:
            raise FormatError("a token is not in the text", text=terminal.text)
        position = start + len(terminal.text)
        if spans and spans[-1] == (start, position):
            raise FormatError("two empty tokens at one place in the text", text=text)
        spans.append((start, position))
    return spans


def _paragraphs(text: str, spans: Sequence[tuple[int, int]]) -> list[int]:
    """Return the paragraph of each token, from the line breaks between tokens."""
    paragraphs: list[int] = []
    paragraph, position = 1, 0
    for start, end in spans:
        paragraph += text.count("\n", position, start)
        position = max(position, end)
        paragraphs.append(paragraph)
    return paragraphs


def mrp_line(graph: Graph, *, text: str | None = None) -> str:
    """Return a passage as a line of MRP JSON, without the end of the line; see :func:`to_mrp`.

    Characters beyond ASCII are written as they are, unless there is half of a surrogate pair among them, which no
    encoding holds: then they are escaped.

    Raises:
        FormatError: as :func:`to_mrp`; or there are two halves next to each other, which JSON reads as one character.
    """
    line = json.dumps(to_mrp(graph, text=text), ensure_ascii=False)
    if not _SURROGATE.search(line):
        return line
    if pair := _SURROGATE_PAIR.search(line):
        raise FormatError("two halves of a surrogate pair next to each other cannot be written", text=pair[0])
    return json.dumps(to_mrp(graph, text=text))


def from_mrp(record: Any, *, path: str | os.PathLike[str] | None = None, line: int | None = None) -> Graph:
    """Return the passage of an MRP graph (a JSON object); ``path`` and ``line`` are named in errors.

    Raises:
        FormatError: not an MRP graph of UCCA, or not a valid one.
    """
    try:
        framework = record.get("framework", "ucca") if isinstance(record, dict) else "ucca"
        if framework != "ucca":
            raise ValueError(f"the framework is {framework!r}")
        return _from_mrp(record, _string(record["input"], "the input"), _anchors(record))
    except GraphError as e:
        raise FormatError(f"not a UCCA graph: {e.message}", path=path, line=line, text=e.text) from e
    except (KeyError, TypeError, ValueError, IndexError, AttributeError) as e:
        what = f"no {e}" if isinstance(e, KeyError) else str(e)
        raise FormatError(f"not an MRP graph of UCCA: {what}", path=path, line=line) from e


def _anchors(record: Any) -> dict[Any, list[tuple[int, int]]]:
    """Return for each node of an MRP graph where its anchors are in the input."""
    anchors: dict[Any, list[tuple[int, int]]] = {}
    for node in record.get("nodes") or ():
        if node["id"] in anchors:
            raise ValueError(f"two nodes with the id {node['id']!r}")
        own = anchors[node["id"]] = [(a["from"], a["to"]) for a in node.get("anchors") or ()]
        for start, end in own:
            if not (type(start) is type(end) is int and 0 <= start <= end <= len(record["input"])):
                raise ValueError(f"an anchor {start!r}:{end!r} outside of the input")
    return anchors


def _from_mrp(record: Any, text: str, anchored: Mapping[Any, list[tuple[int, int]]]) -> Graph:
    properties: dict[Any, dict[str, Any]] = {
        node["id"]: dict(zip(node.get("properties") or (), node.get("values") or (), strict=True))
        for node in record["nodes"]
    }
    spans = sorted({span for own in anchored.values() for span in own})
    position = {span: i for i, span in enumerate(spans)}
    linkages, merged = _mrp_edges(record["edges"], properties)
    into_u = {key.target for key, labels in merged.items() if labels == ["U"] and not key.is_remote}
    parents = {key.source for key in merged}
    tops = record.get("tops") or ()

    is_punct = [False] * len(spans)
    paragraphs = _paragraphs(text, spans)
    units: dict[Any, Unit] = {}
    for name, own in anchored.items():
        if name in linkages:
            continue
        held = tuple(sorted(position[span] for span in own))
        is_leaf = name not in parents
        values = properties[name]
        kind = values.get("type")
        is_mark = kind == "PNCT" if kind else name in into_u and bool(held) and is_leaf
        for t, mark in zip(held, values.get("punctuation") or ("U" if is_mark else "w") * len(held), strict=True):
            is_punct[t] = mark == "U"
        if "paragraph" in values:
            for t, number in zip(held, _string(values["paragraph"], "a paragraph").split(), strict=True):
                paragraphs[t] = int(number)
                if abs(paragraphs[t]) > HIGHEST_PARAGRAPH:
                    raise ValueError(f"a paragraph above {HIGHEST_PARAGRAPH}")
        implicit = values.get("implicit", not held and is_leaf and name not in tops) in ("true", True)
        units[name] = Unit(held, implicit, is_mark)
    index = {name: i for i, name in enumerate(units)}
    return Graph(
        [Terminal(text[s:e], mark, p) for (s, e), mark, p in zip(spans, is_punct, paragraphs, strict=True)],
        units.values(),
        [
            Edge(index[key.source], index[key.target], tuple(labels), key.is_remote, key.is_uncertain)
            for key, labels in merged.items()
        ],
        [
            Linkage(tuple(index[u] for u in ends["LR"]), tuple(index[u] for u in ends["LA"]))
            for ends in linkages.values()
        ],
        id=str(record.get("id", "")),
        unit_ids=[str(name) for name in units],
    )


class _EdgeKey(NamedTuple):
    """What MRP edges share that are categories of one edge of UCCA."""

    source: Any
    target: Any
    is_remote: bool
    is_uncertain: bool
    number: Any


def _mrp_edges(
    edges: Any, properties: Mapping[Any, Mapping[str, Any]]
) -> tuple[dict[Any, dict[str, list[Any]]], dict[_EdgeKey, list[str]]]:
    """Return the ends of each linkage, by label, and the labels of each edge between units."""
    linkages: dict[Any, dict[str, list[Any]]] = {
        name: {"LR": [], "LA": []} for name, values in properties.items() if values.get("type") == "LKG"
    }
    merged: dict[_EdgeKey, list[str]] = {}
    for edge in edges:
        label = _string(edge["label"], "a label")
        for end in ("source", "target"):
            if edge[end] not in properties:
                raise ValueError(f"an edge to a node that does not exist: {edge[end]!r}")
        if label in _LINKAGE_LABELS and properties[edge["source"]].get("type") not in ("FN", "PNCT"):
            linkages.setdefault(edge["source"], {"LR": [], "LA": []})
    for edge in edges:
        if edge["source"] in linkages:
            linkages[edge["source"]][edge["label"]].append(edge["target"])
            continue
        flags = dict(zip(edge.get("attributes") or (), edge.get("values") or (), strict=True))
        is_remote, is_uncertain = bool(flags.get("remote")), bool(flags.get("uncertain"))
        key = _EdgeKey(edge["source"], edge["target"], is_remote, is_uncertain, flags.get("edge"))
        merged.setdefault(key, []).append(edge["label"])
    return linkages, merged


def _string(value: Any, what: str) -> str:
    if not isinstance(value, str):
        raise TypeError(f"{what} must be a string, not {value!r:.40}")
    return value


def read_mrp(path: str | os.PathLike[str]) -> Iterator[Graph]:
    """Read the graphs of an MRP file, one a line; empty lines are skipped.

    Raises:
        InputError: the file cannot be opened or is not UTF-8, or a line is longer than
            :data:`usim.text.files.LONGEST_LINE`.
        FormatError: a line is not an MRP graph of UCCA; with the file and the line.
    """
    for number, line in read_lines(path):
        if not line.strip():
            continue
        try:
            record = parse_json(line)
        except ValueError as e:
            raise FormatError(f"not JSON: {e}", path=path, line=number) from e
        yield from_mrp(record, path=path, line=number)


def write_mrp(graphs: Iterable[Graph], path: str | os.PathLike[str]) -> None:
    """Write graphs to an MRP file, one a line. The file is there whole or not at all."""
    with written_whole(path) as file:
        for graph in graphs:
            file.write(mrp_line(graph) + "\n")
