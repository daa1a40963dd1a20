"""MRP graphs of other frameworks than UCCA: DM, PSD, EDS and PTG, as units and edges.

The format is that of the shared tasks on Cross-Framework Meaning Representation Parsing (MRP 2019 and 2020, Oepen et
al.): a JSON object a line, whose nodes are anchored to the ``input`` by places of characters. The text is cut into
tokens as usim does (:func:`usim.text.tokenise`), and also where an anchor begins or ends inside of a token. A node is
anchored to the tokens that its anchors touch. Labels and properties of nodes take no part: what a word means is seen
from the words.

AMR has no anchors in this format. With alignments it is read from penman notation (:mod:`usim.ucca.frameworks.amr`).
"""

from __future__ import annotations

import os
from bisect import bisect_left
from collections.abc import Iterable
from itertools import pairwise
from typing import Any

from usim.errors import FormatError, GraphError
from usim.text import tokenise
from usim.ucca.frameworks.anchored import AnchoredEdge, graph_of_anchored
from usim.ucca.graph import Graph


def from_anchored_mrp(record: Any, *, path: str | os.PathLike[str] | None = None, line: int | None = None) -> Graph:
    """Return the graph of an MRP record (a JSON object) of any anchored framework.

    ``path`` and ``line`` are named in errors.

    Raises:
        FormatError: not an MRP graph, or one without anchors.

    >>> graph = from_anchored_mrp({
    ...     "id": "1", "framework": "dm", "input": "Dogs bark.", "tops": [1],
    ...     "nodes": [{"id": 0, "label": "dog", "anchors": [{"from": 0, "to": 4}]},
    ...               {"id": 1, "label": "bark", "anchors": [{"from": 5, "to": 9}]}],
    ...     "edges": [{"source": 1, "target": 0, "label": "ARG1"}],
    ... })
    >>> print(graph)
    [top [ARG1 Dogs] bark] .
    """
    try:
        return _from_record(record)
    except GraphError as e:
        raise FormatError(f"not a graph: {e.message}", path=path, line=line, text=e.text) from e
    except (KeyError, TypeError, ValueError, IndexError, AttributeError) as e:
        what = f"no {e}" if isinstance(e, KeyError) else str(e)
        raise FormatError(f"not an anchored MRP graph: {what}", path=path, line=line) from e


def _from_record(record: Any) -> Graph:
    text = record["input"]
    if not isinstance(text, str):
        raise TypeError(f"the input must be a string, not {text!r:.40}")
    place: dict[Any, int] = {}
    anchors: list[list[tuple[int, int]]] = []
    for node in record.get("nodes") or ():
        if node["id"] in place:
            raise ValueError(f"two nodes with the id {node['id']!r}")
        place[node["id"]] = len(place)
        own = [(a["from"], a["to"]) for a in node.get("anchors") or ()]
        for start, end in own:
            if not (type(start) is type(end) is int and 0 <= start <= end <= len(text)):
                raise ValueError(f"an anchor {start}:{end} outside of the input")
        anchors.append(own)
    if anchors and not any(anchors):
        name = str(record.get("framework", "graph")).upper()
        raise ValueError(
            f"{name} without anchors: nothing says which words its nodes stand for; AMR with alignments is read from "
            "penman notation, amr:FILE"
        )
    spans = _tokens(text, (span for own in anchors for span in own))
    starts = [start for start, _ in spans]

    def touched(own: list[tuple[int, int]]) -> set[int]:
        # Tokens do not overlap, and no anchor begins or ends inside of one.
        return {t for start, end in own for t in range(bisect_left(starts, start), bisect_left(starts, end))}

    def node_of(name: Any, what: str) -> int:
        if name not in place:
            raise ValueError(f"{what} that does not exist: {name!r}")
        return place[name]

    return graph_of_anchored(
        [text[start:end] for start, end in spans],
        [touched(own) for own in anchors],
        [
            AnchoredEdge(
                node_of(edge["source"], "an edge from a node"),
                node_of(edge["target"], "an edge to a node"),
                str(edge.get("label") or "edge"),
            )
            for edge in record.get("edges") or ()
        ],
        [node_of(name, "a top node") for name in record.get("tops") or ()],
        id=str(record.get("id", "")),
        names=[str(name) for name in place],
    )


def _tokens(text: str, anchors: Iterable[tuple[int, int]]) -> list[tuple[int, int]]:
    """Return where tokens begin and end: as usim cuts them, and where anchors begin and end inside of them."""
    cuts = sorted({place for span in anchors for place in span})
    spans: list[tuple[int, int]] = []
    for token in tokenise(text):
        inside = cuts[bisect_left(cuts, token.start + 1) : bisect_left(cuts, token.end)]
        ends = [token.start, *inside, token.end]
        spans += pairwise(ends)
    return spans
