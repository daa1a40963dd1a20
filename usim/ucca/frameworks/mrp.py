"""MRP graphs of other frameworks than UCCA: DM, PSD, EDS and PTG, as units and edges.

The format is that of the shared tasks on Cross-Framework Meaning Representation Parsing (MRP 2019 and 2020, Oepen et
al.): a JSON object a line, whose nodes are anchored to the ``input`` by places of characters. The text is cut into
tokens as usim does (:func:`usim.text.tokenise`), and also where an anchor begins or ends inside of a token. A node is
anchored to the tokens that its anchors touch. Labels and properties of nodes take no part: what a word means is seen
from the words.

AMR has no anchors in this format. With alignments it is read from penman notation (:mod:`usim.ucca.frameworks.amr`).
"""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Iterable, Mapping
from itertools import pairwise
from typing import Any

from usim.text import tokenise
from usim.ucca.frameworks.anchored import AnchoredEdge, graph_of_anchored
from usim.ucca.graph import Graph


def from_anchored_mrp(record: Mapping[str, Any], text: str, anchors: Mapping[Any, list[tuple[int, int]]]) -> Graph:
    """Return the graph of an MRP record of an anchored framework; see :func:`usim.ucca.from_mrp`.

    Args:
        record: the MRP graph, a JSON object.
        text: its input.
        anchors: for each node where its anchors begin and end in the text.

    Raises:
        GraphError, KeyError, TypeError, ValueError: it is not a valid graph, or none of its nodes is anchored.
    """
    if anchors and not any(anchors.values()):
        raise ValueError(
            f"{record['framework'].upper()} without anchors: nothing says which words its nodes stand for; AMR with "
            "alignments is read from penman notation, amr:FILE"
        )
    place = {name: number for number, name in enumerate(anchors)}
    spans = _tokens(text, (span for own in anchors.values() for span in own))
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
        [touched(own) for own in anchors.values()],
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
