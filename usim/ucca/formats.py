"""UCCA XML and MRP JSON, read and written.

*UCCA XML* is what the UCCA corpora come in: one file a passage, layer 0 with the terminals, layer 1 with the units.
*MRP JSON* is the common format of the CoNLL shared tasks on meaning representation parsing (Oepen et al. 2019, 2020):
one graph a line, tokens as character ranges of the input text.

Both readers give the place of whatever they cannot read. XML is read with a plain event parser that refuses document
type declarations altogether, so that no entity is ever expanded and nothing outside of the file is ever opened.

Not kept, as they are no part of the annotation: the ``extra`` attributes of UCCA XML (a tagger's output, remarks) and
the ``slot`` and ``layer_name`` of its categories.
"""

from __future__ import annotations

import json
import os
import re
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any
from xml.parsers import expat
from xml.sax.saxutils import quoteattr

from usim.errors import FormatError, GraphError, InputError
from usim.text import written_whole
from usim.ucca.graph import Edge, Graph, Linkage, Terminal, Unit

#: Characters that XML 1.0 cannot hold, not even escaped.
_NOT_XML = re.compile("[^\t\n\r\u0020-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")

# -- UCCA XML --------------------------------------------------------------------------------------------------------


def read_xml(path: str | os.PathLike[str]) -> Graph:
    """Read a passage from a file in UCCA XML.

    Raises:
        InputError: the file cannot be opened.
        FormatError: it is not UCCA XML, or not a valid UCCA graph; with the file and the line.
    """
    try:
        data = Path(path).read_bytes()
    except OSError as e:
        raise InputError(e.strerror or str(e), path=path) from e
    return parse_xml(data, path=path)


def parse_xml(data: bytes | str, *, path: str | os.PathLike[str] | None = None) -> Graph:
    """Read a passage from a string of UCCA XML; ``path`` is named in errors."""
    return _XmlReader(path).read(data)


class _XmlReader:
    """Collects nodes and edges from the events of an XML parser, then makes the graph."""

    def __init__(self, path: str | os.PathLike[str] | None) -> None:
        self.path = path
        self.parser = expat.ParserCreate()
        self.parser.StartElementHandler = self.start
        self.parser.EndElementHandler = self.end
        self.parser.StartDoctypeDeclHandler = self.doctype
        self.stack: list[str] = []
        self.id = ""
        self.layer: str | None = None
        self.node: dict[str, Any] | None = None
        self.edge: dict[str, Any] | None = None
        self.nodes: dict[str, dict[str, Any]] = {}

    def error(self, message: str, text: str | None = None, line: int | None = None) -> FormatError:
        return FormatError(message, path=self.path, line=line or self.parser.CurrentLineNumber, text=text)

    def read(self, data: bytes | str) -> Graph:
        try:
            self.parser.Parse(data, True)
        except expat.ExpatError as e:
            raise FormatError(
                f"not well-formed XML: {expat.ErrorString(e.code)} (column {e.offset + 1})",
                path=self.path,
                line=e.lineno,
            ) from e
        except (UnicodeError, LookupError) as e:
            raise self.error(f"cannot be decoded: {e}") from e
        return self.graph()

    def doctype(self, name: str, *_: object) -> None:
        raise self.error("a document type declaration is not allowed in UCCA XML", name)

    def start(self, tag: str, attributes: dict[str, str]) -> None:
        depth = len(self.stack)
        self.stack.append(tag)
        if depth == 0:
            if tag != "root":
                raise self.error("not UCCA XML: the outermost element must be <root>", f"<{tag}>")
            self.id = attributes.get("passageID", "")
        elif tag == "layer" and depth == 1:
            self.layer = attributes.get("layerID")
            if self.layer not in ("0", "1"):
                raise self.error("an unknown layer: usim reads layers 0 and 1", self.layer or "")
        elif tag == "node" and depth == 2 and self.layer is not None:
            name = attributes.get("ID")
            kind = attributes.get("type", "")
            if not name:
                raise self.error("a node without an ID")
            if name in self.nodes:
                raise self.error("a second node with the same ID", name)
            kinds = ("Word", "Punctuation") if self.layer == "0" else ("FN", "PNCT", "LKG")
            if kind not in kinds:
                raise self.error(f"a node of layer {self.layer} must be of type {', '.join(kinds)}", kind)
            self.node = {"kind": kind, "line": self.parser.CurrentLineNumber, "edges": [], "attributes": {}}
            self.nodes[name] = self.node
        elif tag == "edge" and depth == 3 and self.node is not None:
            self.edge = {
                "to": attributes.get("toID"),
                "type": attributes.get("type"),
                "line": self.parser.CurrentLineNumber,
                "categories": [],
                "attributes": {},
            }
            self.node["edges"].append(self.edge)
        elif tag == "category" and self.edge is not None:
            if not attributes.get("tag"):
                raise self.error("a category without a tag")
            self.edge["categories"].append(attributes["tag"])
        elif tag == "attributes":
            if self.edge is not None and depth == 4:
                self.edge["attributes"] = attributes
            elif self.node is not None and depth == 3:
                self.node["attributes"] = attributes

    def end(self, tag: str) -> None:
        self.stack.pop()
        depth = len(self.stack)
        if tag == "layer" and depth == 1:
            self.layer = None
        elif tag == "node" and depth == 2:
            self.node = None
        elif tag == "edge" and depth == 3:
            self.edge = None

    def graph(self) -> Graph:
        terminals: dict[str, int] = {}
        texts: list[Terminal] = []
        units: dict[str, int] = {}
        linkages: list[str] = []
        for name, node in self.nodes.items():
            if node["kind"] in ("Word", "Punctuation"):
                terminals[name] = len(texts)
                texts.append(self.terminal(name, node))
            elif node["kind"] == "LKG":
                linkages.append(name)
            else:
                units[name] = len(units)
        held: list[list[int]] = [[] for _ in units]
        edges: list[Edge] = []
        for name, u in units.items():
            for edge in self.nodes[name]["edges"]:
                to = self.target(edge)
                categories = tuple(edge["categories"]) or ((edge["type"],) if edge["type"] else ())
                if to in terminals:
                    if categories != ("Terminal",):
                        raise self.error(
                            "an edge to a terminal must be of type Terminal", "|".join(categories), edge["line"]
                        )
                    held[u].append(terminals[to])
                elif to in units:
                    if not categories:
                        raise self.error("an edge without a category", to, edge["line"])
                    flags = edge["attributes"]
                    edges.append(
                        Edge(u, units[to], categories, flags.get("remote") == "True", flags.get("uncertain") == "True")
                    )
                else:
                    raise self.error("an edge to a linkage", to, edge["line"])
        linked = [self.linkage(name, units) for name in linkages]
        if not units:
            raise self.error("no layer 1: the passage has no units")
        try:
            return Graph(
                texts,
                [
                    Unit(
                        tuple(held[u]),
                        self.nodes[n]["attributes"].get("implicit") == "True",
                        self.nodes[n]["kind"] == "PNCT",
                    )
                    for n, u in units.items()
                ],
                edges,
                linked,
                id=self.id,
                unit_ids=tuple(units),
                linkage_ids=linkages,
            )
        except GraphError as e:
            raise FormatError(f"not a UCCA graph: {e.message}", path=self.path, text=e.text) from e

    def terminal(self, name: str, node: dict[str, Any]) -> Terminal:
        text = node["attributes"].get("text")
        if text is None:
            raise self.error(f"terminal {name} has no text", line=node["line"])
        try:
            paragraph = int(node["attributes"].get("paragraph", 1))
        except ValueError:
            raise self.error("a paragraph that is no number", node["attributes"]["paragraph"], node["line"]) from None
        return Terminal(text, node["kind"] == "Punctuation", paragraph)

    def target(self, edge: dict[str, Any]) -> str:
        to = edge["to"]
        if to not in self.nodes:
            raise self.error("an edge to a node that does not exist", to or "", edge["line"])
        return str(to)

    def linkage(self, name: str, units: dict[str, int]) -> Linkage:
        ends: dict[str, list[int]] = {"LR": [], "LA": []}
        for edge in self.nodes[name]["edges"]:
            to = self.target(edge)
            kind = (edge["categories"] or [edge["type"]])[0]
            if kind not in ends or to not in units:
                raise self.error("an edge of a linkage must be LR or LA, to a unit", f"{kind} {to}", edge["line"])
            ends[kind].append(units[to])
        return Linkage(tuple(ends["LR"]), tuple(ends["LA"]))


def to_xml(graph: Graph) -> str:
    """A passage as UCCA XML, readable by usim and by the ``ucca`` toolkit.

    Units are numbered ``1.1``, ``1.2``, … in canonical order. A terminal whose text XML cannot hold (a control
    character) is written with U+FFFD in its place.
    """
    out = [
        f'<root annotationID="0" passageID={_quoted(graph.id)}>',
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
            f" text={_quoted(terminal.text)} />",
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
    yield f'      <edge toID="{to}" type={_quoted(categories[0])}>'
    marked = "".join(f' {name}="True"' for name, is_set in flags.items() if is_set)
    yield f"        <attributes{marked} />"
    yield from (f"        <category tag={_quoted(c)} />" for c in categories)
    yield "      </edge>"


def _quoted(text: str) -> str:
    return quoteattr(_NOT_XML.sub("\ufffd", text), {"\n": "&#10;", "\r": "&#13;", "\t": "&#9;"})


# -- MRP JSON --------------------------------------------------------------------------------------------------------


def to_mrp(graph: Graph, *, text: str | None = None) -> dict[str, Any]:
    """A passage as an MRP graph (a JSON object).

    Args:
        graph: the passage.
        text: the text that the tokens come from; by default the tokens, separated by blanks, a line a paragraph. The
            tokens must stand in it in order.

    Anchors are one a token. What MRP has no word for is a node property: ``implicit``, and ``punctuation`` for a unit
    that holds punctuation without being one, or the other way round.

    Raises:
        FormatError: a token is not in ``text``.
    """
    if text is None:
        text = ""
        for i, t in enumerate(graph.terminals):
            gap = t.paragraph - graph.terminals[i - 1].paragraph if i else t.paragraph - 1
            text += ("\n" * gap or " " * bool(i)) + t.text
    anchors = []
    position = 0
    for terminal in graph.terminals:
        start = text.find(terminal.text, position)
        if start < 0:
            raise FormatError("a token is not in the text", text=terminal.text)
        position = start + len(terminal.text)
        anchors.append({"from": start, "to": position})
    nodes: list[dict[str, Any]] = []
    for u, unit in enumerate(graph.units):
        node: dict[str, Any] = {"id": u}
        if unit.terminals:
            node["anchors"] = [anchors[t] for t in unit.terminals]
        properties = {}
        if unit.is_implicit:
            properties["implicit"] = "true"
        marks = "".join("U" if graph.terminals[t].is_punct else "w" for t in unit.terminals)
        if marks and (marks != "U" * len(marks) if unit.is_punct else "U" in marks):
            properties["punctuation"] = marks
        if unit.is_punct != (bool(u) and graph.category(u) == ("U",)):
            properties["type"] = "PNCT" if unit.is_punct else "FN"
        if properties:
            node["properties"], node["values"] = list(properties), list(properties.values())
        nodes.append(node)
    edges: list[dict[str, Any]] = []
    for edge in graph.edges:
        flags = [n for n, is_set in (("remote", edge.is_remote), ("uncertain", edge.is_uncertain)) if is_set]
        for category in edge.categories:
            entry: dict[str, Any] = {"source": edge.parent, "target": edge.child, "label": category}
            if flags:
                entry["attributes"], entry["values"] = flags, [True] * len(flags)
            edges.append(entry)
    for k, linkage in enumerate(graph.linkages, start=len(nodes)):
        nodes.append({"id": k})
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


def from_mrp(record: Any, *, path: str | os.PathLike[str] | None = None, line: int | None = None) -> Graph:
    """A passage from an MRP graph (a JSON object); ``path`` and ``line`` are named in errors.

    Raises:
        FormatError: not an MRP graph of UCCA, or not a valid UCCA graph.
    """
    try:
        return _from_mrp(record)
    except GraphError as e:
        raise FormatError(f"not a UCCA graph: {e.message}", path=path, line=line, text=e.text) from e
    except (KeyError, TypeError, ValueError, IndexError, AttributeError) as e:
        what = f"no {e}" if isinstance(e, KeyError) else str(e)
        raise FormatError(f"not an MRP graph of UCCA: {what}", path=path, line=line) from e


def _from_mrp(record: Any) -> Graph:
    if record.get("framework", "ucca") != "ucca":
        raise ValueError(f"the framework is {record['framework']!r}")
    text: str = record["input"]
    index: dict[Any, int] = {}
    anchored: list[list[tuple[int, int]]] = []
    properties: list[dict[str, Any]] = []
    for node in record["nodes"]:
        if node["id"] in index:
            raise ValueError(f"two nodes with the id {node['id']!r}")
        index[node["id"]] = len(anchored)
        anchored.append([(a["from"], a["to"]) for a in node.get("anchors") or ()])
        properties.append(dict(zip(node.get("properties") or (), node.get("values") or (), strict=True)))
    spans = sorted({span for spans in anchored for span in spans})
    for start, end in spans:
        if not 0 <= start <= end <= len(text):
            raise ValueError(f"an anchor {start}:{end} outside of the input")
    position = {span: i for i, span in enumerate(spans)}
    linked = {e["source"] for e in record["edges"] if e["label"] in ("LR", "LA")}
    merged: dict[tuple[Any, Any, bool, bool], list[str]] = {}
    ends: dict[Any, dict[str, list[Any]]] = {}
    for e in record["edges"]:
        for name in ("source", "target"):
            if e[name] not in index:
                raise ValueError(f"an edge to a node that does not exist: {e[name]!r}")
        if e["source"] in linked:
            ends.setdefault(e["source"], {"LR": [], "LA": []})[e["label"]].append(e["target"])
            continue
        flags = dict(zip(e.get("attributes") or (), e.get("values") or (), strict=True))
        key = (e["source"], e["target"], bool(flags.get("remote")), bool(flags.get("uncertain")))
        merged.setdefault(key, []).append(e["label"])
    into_u = {target for (_, target, remote, _), labels in merged.items() if labels == ["U"] and not remote}
    parents = {source for source, *_ in merged}

    is_punct = [False] * len(spans)
    new: dict[Any, int] = {}
    units: list[Unit] = []
    names: list[str] = []
    for name, i in index.items():
        if name in linked:
            continue
        new[name] = len(units)
        held = tuple(sorted(position[s] for s in anchored[i]))
        kind = properties[i].get("type")
        punct = kind == "PNCT" if kind else name in into_u and bool(held) and name not in parents
        marks = properties[i].get("punctuation") or ("U" if punct else "w") * len(held)
        for t, mark in zip(held, marks, strict=True):
            is_punct[t] = mark == "U"
        implicit = properties[i].get("implicit") in ("true", True) or (
            not held and name not in parents and name not in (record.get("tops") or ())
        )
        units.append(Unit(held, implicit, punct))
        names.append(str(name))
    terminals, paragraph, last = [], 1, 0
    for (start, end), punct in zip(spans, is_punct, strict=True):
        paragraph += text.count("\n", last, start)
        last = start
        terminals.append(Terminal(text[start:end], punct, paragraph))
    return Graph(
        terminals,
        units,
        [Edge(new[s], new[t], tuple(labels), remote, unsure) for (s, t, remote, unsure), labels in merged.items()],
        [Linkage(tuple(new[u] for u in k["LR"]), tuple(new[u] for u in k["LA"])) for k in ends.values()],
        id=str(record.get("id", "")),
        unit_ids=names,
    )


def read_mrp(path: str | os.PathLike[str]) -> Iterator[Graph]:
    """Read the graphs of an MRP file, one a line; empty lines are skipped.

    Raises:
        InputError: the file cannot be opened or is not UTF-8.
        FormatError: a line is not an MRP graph of UCCA; with the file and the line.
    """
    try:
        with open(path, encoding="utf-8") as file:
            for number, line in enumerate(file, start=1):
                if not line.strip():
                    continue
                try:
                    record = json.loads(line)
                except (json.JSONDecodeError, RecursionError) as e:
                    raise FormatError(f"not JSON: {e}", path=path, line=number) from e
                yield from_mrp(record, path=path, line=number)
    except OSError as e:
        raise InputError(e.strerror or str(e), path=path) from e
    except UnicodeDecodeError as e:
        raise InputError(f"not UTF-8: {e}", path=path) from e


def write_mrp(graphs: Iterable[Graph], path: str | os.PathLike[str]) -> None:
    """Write graphs to an MRP file, one a line. The file is there whole or not at all."""
    with written_whole(path) as file:
        for graph in graphs:
            file.write(json.dumps(to_mrp(graph), ensure_ascii=False) + "\n")
