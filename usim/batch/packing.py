"""Graphs as a few bytes, for the cache of parses.

A graph is packed as JSON and zlib: what the constructor of :class:`~usim.ucca.Graph` takes, so that damaged bytes are
an error and never an invalid graph. MRP, which says the same for other programs, takes half as many bytes again, and is
read in nearly three times the time.

>>> from usim.ucca import Edge, Graph, Terminal, Unit
>>> graph = Graph(
...     [Terminal("John"), Terminal("left")],
...     [Unit(), Unit(), Unit((0,)), Unit((1,))],
...     [Edge(0, 1, ("H",)), Edge(1, 2, ("A",)), Edge(1, 3, ("P",))],
... )
>>> unpack_graph(pack_graph(graph)) == graph
True
"""

from __future__ import annotations

import json
import zlib

from usim.ucca import Edge, Graph, Linkage, Terminal, Unit

#: The format of cached parses. A new number makes all older ones invalid: give one when packed graphs look different,
#: and when the same parser and model come to give other graphs (another tokeniser, decoder or normalisation).
FORMAT = 3
#: The most bytes of a packed graph once it is unpacked: a text of 65,536 tokens has a tenth of it.
LARGEST_GRAPH = 64 * 2**20


_SURROGATES = "surrogatepass"  # a text can hold half of a surrogate pair, as JSON can write one


def pack_graph(graph: Graph) -> bytes:
    """Return a graph as bytes; the names of its units and linkages are kept, its own name is not."""
    values = (
        [(t.text, int(t.is_punct), t.paragraph) for t in graph.terminals],
        [(u.terminals, int(u.is_implicit), int(u.is_punct)) for u in graph.units],
        [(e.parent, e.child, e.label, int(e.is_remote), int(e.is_uncertain)) for e in graph.edges],
        graph.linkages,
        graph.unit_ids,
        graph.linkage_ids,
    )
    return zlib.compress(json.dumps(values, ensure_ascii=False, separators=(",", ":")).encode("utf-8", _SURROGATES), 1)


def unpack_graph(data: bytes) -> Graph:
    """Return the graph that :func:`pack_graph` packed.

    Raises:
        ValueError: the bytes are no packed graph.
        GraphError: they describe something that is no valid graph.
    """
    try:
        unpacked = zlib.decompressobj().decompress(data, LARGEST_GRAPH)
        terminals, units, edges, linkages, names, linkage_names = json.loads(unpacked.decode("utf-8", _SURROGATES))
        # From the last edge on, so that units that nothing tells apart keep their order, and their names.
        edges = [Edge(i, j, tuple(c.split("|")), bool(remote), bool(unsure)) for i, j, c, remote, unsure in edges[::-1]]
        return Graph(
            [Terminal(text, bool(is_punct), paragraph) for text, is_punct, paragraph in terminals],
            [Unit(tuple(held), bool(is_implicit), bool(is_punct)) for held, is_implicit, is_punct in units],
            edges,
            [Linkage(tuple(relations), tuple(arguments)) for relations, arguments in linkages],
            unit_ids=names,
            linkage_ids=linkage_names,
        )
    except (zlib.error, ValueError, LookupError, TypeError, AttributeError, RecursionError) as e:
        raise ValueError(f"not a packed graph: {type(e).__name__}: {e}") from e
