"""Graphs as a few bytes, for the cache of parses.

A graph is packed as JSON and zlib: for each terminal the unit that holds it, for each unit its parent. It is read
through the constructor of :class:`~usim.ucca.Graph`, so that damaged bytes are an error and never an invalid graph.

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
from typing import Any

from usim.ucca import Edge, Graph, Linkage, Terminal, Unit

#: The format of cached parses. A new number makes all older ones invalid: give one when packed graphs look different,
#: and when the same parser and model come to give other graphs (another tokeniser, decoder or normalisation).
FORMAT = 2
#: The most bytes of a packed graph once it is unpacked: a text of 65,536 tokens has a tenth of it.
LARGEST_GRAPH = 64 * 2**20


def pack_graph(graph: Graph) -> bytes:
    """Return a graph as bytes; the names of its units and linkages are kept, its own name is not."""
    terminals, units = graph.terminals, graph.units
    holders = [0] * len(terminals)
    for number, unit in enumerate(units):
        for position in unit.terminals:
            holders[position] = number
    primary = graph.primary
    packed: dict[str, Any] = {
        "t": [t.text for t in terminals],
        "h": holders,
        "u": [e.parent for e in primary],
        "c": [e.label for e in primary],
        "n": [_shortened(name) for name in graph.unit_ids],
    }
    # What few graphs have is left out of the others.
    optional: dict[str, list[Any]] = {
        "p": [i for i, t in enumerate(terminals) if t.is_punct],
        "a": [t.paragraph for t in terminals] if any(t.paragraph != 1 for t in terminals) else [],
        "q": [i for i, u in enumerate(units) if u.is_punct],
        "i": [i for i, u in enumerate(units) if u.is_implicit],
        "d": [e.child for e in primary if e.is_uncertain],
        "r": [[e.parent, e.child, e.label, int(e.is_uncertain)] for e in graph.remotes],
        "l": [list(map(list, linkage)) for linkage in graph.linkages],
        "m": [_shortened(name) for name in graph.linkage_ids],
    }
    packed |= {name: values for name, values in optional.items() if values}
    return zlib.compress(json.dumps(packed, ensure_ascii=False, separators=(",", ":")).encode("utf-8", _SURROGATES), 1)


def unpack_graph(data: bytes) -> Graph:
    """Return the graph that :func:`pack_graph` packed.

    Raises:
        ValueError: the bytes are no packed graph.
        GraphError: they describe something that is no valid graph.
    """
    try:
        unpacked = zlib.decompressobj().decompress(data, LARGEST_GRAPH)
        packed = json.loads(unpacked.decode("utf-8", _SURROGATES))
        texts, parents, labels = packed["t"], packed["u"], packed["c"]
        held: list[list[int]] = [[] for _ in range(len(parents) + 1)]
        for position, holder in enumerate(packed["h"]):
            held[holder].append(position)
        punct, marks, implicit, uncertain = (frozenset(packed.get(name, ())) for name in "pqid")
        paragraphs = packed.get("a") or [1] * len(texts)
        terminals = [Terminal(texts[i], i in punct, paragraphs[i]) for i in range(len(texts))]
        units = [Unit(tuple(held[i]), i in implicit, i in marks) for i in range(len(held))]
        edges = [
            Edge(parents[i], i + 1, tuple(labels[i].split("|")), is_uncertain=i + 1 in uncertain)
            for i in reversed(range(len(parents)))  # so that units that nothing tells apart keep their order, and names
        ]
        edges += [
            Edge(parent, child, tuple(label.split("|")), True, bool(unsure))
            for parent, child, label, unsure in packed.get("r", ())
        ]
        linkages = [Linkage(tuple(relations), tuple(arguments)) for relations, arguments in packed.get("l", ())]
        names = [_restored(name) for name in packed["n"]]
        linkage_names = [_restored(name) for name in packed.get("m", ())]
    except (zlib.error, ValueError, LookupError, TypeError, AttributeError, RecursionError) as e:
        raise ValueError(f"not a packed graph: {type(e).__name__}: {e}") from e
    return Graph(terminals, units, edges, linkages, unit_ids=names, linkage_ids=linkage_names)


_SURROGATES = "surrogatepass"  # a text can hold half of a surrogate pair, as JSON can write one


def _shortened(name: str) -> str | int:
    """Return a name of the form ``1.7``, which graphs give by default, as a number."""
    number = name[2:]
    return int(number) if name.startswith("1.") and number.isdecimal() and name == f"1.{int(number)}" else name


def _restored(name: str | int) -> str:
    return f"1.{name}" if isinstance(name, int) else name
