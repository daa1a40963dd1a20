"""Graphs as MRP JSON and back: the common format of the CoNLL shared tasks on meaning representation parsing.

One graph a line, tokens as character ranges of the input text (Oepen et al. 2019, 2020). As in the files of the shared
tasks, linkages are left out. Paragraphs are where lines of the input end.
"""

from __future__ import annotations

import os
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from usim.errors import FormatError, GraphError
from usim.text.codec import json_text
from usim.text.files import written_whole
from usim.ucca._graph import Edge, Graph, Terminal, Unit

_MOST_NEWLINES = 100  # between two paragraphs


def to_mrp(graph: Graph, *, text: str | None = None) -> dict[str, Any]:
    """Return a passage as an MRP graph (a JSON object), which :func:`from_mrp` turns into an equal passage.

    Each token has an anchor of its own. An edge with several categories is written as one edge a category. What a
    reader could not know becomes a property of a node:

    * ``implicit``: ``true``;
    * ``type``: ``PNCT`` or ``FN``, as in UCCA XML, where the category U does not say it;
    * ``punctuation``: for each token of the unit ``U`` (punctuation) or ``w`` (a word), where they are not as the unit.

    The tokens must stand in the text in order; by default it is the tokens, separated by blanks, a line a paragraph.

    Raises:
        FormatError: a token is not in ``text``, or two empty tokens are at one place in it.
    """
    text, spans = _default_text(graph) if text is None else (text, _places(graph, text))
    anchors = [{"from": start, "to": end} for start, end in spans]
    nodes: list[dict[str, Any]] = []
    for u, unit in enumerate(graph.units):
        node: dict[str, Any] = {"id": u}
        if unit.terminals:
            node["anchors"] = [anchors[t] for t in unit.terminals]
        properties = {"implicit": "true"} if unit.is_implicit else {}
        marks = "".join("U" if graph.terminals[t].is_punct else "w" for t in unit.terminals)
        if marks and (marks != "U" * len(marks) if unit.is_punct else "U" in marks):
            properties["punctuation"] = marks
        looks_like_mark = bool(u and unit.terminals and not graph.children(u)) and graph.category(u) == ("U",)
        if unit.is_punct != looks_like_mark:
            properties["type"] = "PNCT" if unit.is_punct else "FN"
        if properties:
            node["properties"], node["values"] = list(properties), list(properties.values())
        nodes.append(node)
    flags = {False: {}, True: {"attributes": ["remote"], "values": [True]}}
    edges = [
        {"source": edge.parent, "target": edge.child, "label": category, **flags[edge.is_remote]}
        for edge in graph.edges
        for category in edge.categories
    ]
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
    text, spans = "", []
    paragraph = 1
    for i, terminal in enumerate(graph.terminals):
        newlines = min(terminal.paragraph - paragraph, _MOST_NEWLINES)
        text += "\n" * newlines or " " * bool(i)
        spans.append((len(text), len(text) + len(terminal.text)))
        text += terminal.text
        paragraph = terminal.paragraph
    return text, spans


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
    """Return a passage as a line of MRP JSON, with its end; arguments and errors are those of :func:`to_mrp`."""
    return json_text(to_mrp(graph, text=text))


def write_mrp(graphs: Iterable[Graph], path: str | os.PathLike[str]) -> None:
    """Write graphs to an MRP file, one a line. The file is there whole or not at all."""
    with written_whole(path) as file:
        file.writelines(map(mrp_line, graphs))


def from_mrp(record: Any, *, path: str | os.PathLike[str] | None = None, line: int | None = None) -> Graph:
    """Return the passage of an MRP graph (a JSON object); ``path`` and ``line`` are named in errors.

    Raises:
        FormatError: not an MRP graph of UCCA, or not a valid one.
    """
    try:
        if (framework := record.get("framework", "ucca")) != "ucca":
            raise ValueError(f"the framework is {framework!r}")
        return _graph(record, _string(record["input"], "the input"))
    except GraphError as e:
        raise FormatError(f"not a UCCA graph: {e.message}", path=path, line=line, text=e.text) from e
    except (KeyError, TypeError, ValueError, AttributeError) as e:
        what = f"no {e}" if isinstance(e, KeyError) else str(e)
        raise FormatError(f"not an MRP graph of UCCA: {what}", path=path, line=line) from e


def _graph(record: Any, text: str) -> Graph:
    anchored: dict[Any, list[tuple[int, int]]] = {}  # for each node where its tokens are in the input
    properties: dict[Any, dict[str, Any]] = {}
    for node in record["nodes"]:
        name = node["id"]
        if name in anchored:
            raise ValueError(f"two nodes with the id {name!r}")
        anchored[name] = [(a["from"], a["to"]) for a in node.get("anchors") or ()]
        properties[name] = dict(zip(node.get("properties") or (), node.get("values") or (), strict=True))
        for start, end in anchored[name]:
            if not (type(start) is type(end) is int and 0 <= start <= end <= len(text)):
                raise ValueError(f"an anchor {start!r}:{end!r} outside of the input")
    spans = sorted({span for own in anchored.values() for span in own})
    position = {span: i for i, span in enumerate(spans)}
    labels = _labels(record["edges"], anchored)
    parents = {parent for parent, _, _ in labels}
    into = {child: own for (_, child, is_remote), own in labels.items() if not is_remote}
    is_punct = [False] * len(spans)
    units = []
    for name, own in anchored.items():
        held = tuple(sorted(position[span] for span in own))
        values, is_leaf = properties[name], name not in parents
        kind = values.get("type")
        is_mark = kind == "PNCT" if kind else into.get(name) == ["U"] and bool(held) and is_leaf
        for t, mark in zip(held, values.get("punctuation") or ("U" if is_mark else "w") * len(held), strict=True):
            is_punct[t] = mark == "U"
        implicit = values.get("implicit") in ("true", True) or (not held and is_leaf and name in into)
        units.append(Unit(held, implicit, is_mark))
    index = {name: i for i, name in enumerate(anchored)}
    return Graph(
        [
            Terminal(text[s:e], mark, p)
            for (s, e), mark, p in zip(spans, is_punct, _paragraphs(text, spans), strict=True)
        ],
        units,
        [Edge(index[parent], index[child], tuple(own), remote) for (parent, child, remote), own in labels.items()],
        id=str(record.get("id", "")),
    )


def _labels(edges: Any, nodes: Mapping[Any, object]) -> dict[tuple[Any, Any, bool], list[str]]:
    """Return the labels of the edges from one node to another, which are categories of one edge of UCCA."""
    labels: dict[tuple[Any, Any, bool], list[str]] = {}
    for edge in edges:
        for end in (edge["source"], edge["target"]):
            if end not in nodes:
                raise ValueError(f"an edge to a node that does not exist: {end!r}")
        names = edge.get("attributes", edge.get("properties"))  # as of version 1.1, and before
        flags = dict(zip(names or (), edge.get("values") or (), strict=True))
        key = edge["source"], edge["target"], bool(flags.get("remote"))
        labels.setdefault(key, []).append(_string(edge["label"], "a label"))
    return labels


def _string(value: Any, what: str) -> str:
    if not isinstance(value, str):
        raise TypeError(f"{what} must be a string, not {value!r:.40}")
    return value
