"""Graphs of other frameworks than UCCA as a :class:`~usim.ucca.Graph`, so that the same measures compare them.

In DM, PSD, EDS, PTG and AMR a node is no phrase: it is *anchored* to words, and says what they mean; its edges say what
part other nodes have in that. :func:`graph_of_anchored` makes units of nodes::

    The boy wants to go          want-01 ─ARG0→ boy              root
     0   1    2   3  4              └────ARG1→ go-02 ─ARG0→ boy    ├ word 0, word 3
                                                                   └─top─ want-01 (2, below it 1 and 4)
    anchors: want-01 2, boy 1, go-02 4                                     ├─ARG0─ boy (1)
                                                                           └─ARG1─ go-02 (4)
                                                                                    └─ARG0─ boy, remote

1. *Units.* Each node is a unit, below one root that is added. The root holds the words that no node is anchored to.
2. *Primary edges.* They form a tree that is found from the tops of the graph, breadth first: each node hangs on the
   first that leads to it. A node that no edge leads to from there (a quantifier, an adjective with its noun as
   argument) hangs on a node that its own edge leads to, by that edge turned round: ``ARG1`` becomes ``ARG1-of``, as in
   AMR. What is still left hangs on the root, like the tops, by an edge ``top``.
3. *Remote edges.* All other edges (reentrancies) are remote; turned round where they would close a circle. Edges
   between the same two nodes are one edge with several categories.
4. *Words.* A word belongs to the node with the fewest words among those anchored to it; of several, to the nearest to
   the root, then to the first. So the yield of a unit is what its node and the nodes below are anchored to.
5. *Chains.* Of nodes over the same words, one below the other (an entity and its name in AMR), the highest is counted.
   The others, and nodes without any words, become implicit units, which no measure counts.

MRP graphs (:func:`from_anchored_mrp`; the shared tasks of 2019 and 2020, Oepen et al.) are JSON objects, whose nodes
are anchored to the ``input`` by places of characters. The text is cut into tokens as usim does, and also where an
anchor begins or ends inside of a token; a node is anchored to the tokens that its anchors touch. Labels and properties
of nodes take no part: what a word means is seen from the words. AMR has no anchors in this format; with alignments it
is read from penman notation (``usim.ucca.frameworks._amr``).
"""

from __future__ import annotations

from bisect import bisect_left
from collections import deque
from collections.abc import Collection, Iterable, Mapping, Sequence
from itertools import pairwise
from typing import Any, NamedTuple

from usim.errors import GraphError
from usim.text import is_punct, tokenise
from usim.ucca._graph import Edge, Graph, Terminal, Unit
from usim.ucca.yields import reaches

#: The label of the edges from the root.
TOP = "top"
#: AMR's roles that end in *-of* and are not turned round.
_WITH_OF = frozenset({"consist-of", "prep-out-of", "prep-on-behalf-of", "subset-of"})


class AnchoredEdge(NamedTuple):
    """An edge between two nodes, given by their places in the list of nodes."""

    source: int
    target: int
    label: str


def inverted(label: str) -> str:
    """Return the label of an edge that is turned round.

    >>> inverted("ARG1"), inverted("ARG1-of"), inverted("consist-of")
    ('ARG1-of', 'ARG1', 'consist-of-of')
    """
    return label[:-3] if label.endswith("-of") and label not in _WITH_OF else f"{label}-of"


def graph_of_anchored(
    tokens: Sequence[str],
    anchors: Sequence[Collection[int]],
    edges: Iterable[AnchoredEdge],
    tops: Sequence[int],
    *,
    id: str = "",
    names: Sequence[str] | None = None,
) -> Graph:
    """Make a graph of nodes that are anchored to words, as the top of this module says.

    Args:
        tokens: the words of the text, in order.
        anchors: for each node the places of its words; may be empty.
        edges: between nodes.
        tops: the nodes that the tree is built from, the first one first.
        id: the name of the graph.
        names: of the nodes.

    Raises:
        GraphError: an edge from a node to itself, or to a node or word that does not exist.

    >>> print(graph_of_anchored(
    ...     "The boy wants to go".split(),
    ...     [{2}, {1}, {4}],
    ...     [AnchoredEdge(0, 1, "ARG0"), AnchoredEdge(0, 2, "ARG1"), AnchoredEdge(2, 1, "ARG0")],
    ...     [0],
    ... ))
    The [top [ARG0 boy] wants ... [ARG1 go [ARG0* boy] ] ] to
    """
    n = len(anchors)
    merged: dict[tuple[int, int], list[str]] = {}
    for source, target, label in edges:
        if source == target:
            raise GraphError(f"an edge {label!r} from a node to itself", text=names[source] if names else str(source))
        if not (0 <= source < n and 0 <= target < n):
            raise GraphError(f"an edge {label!r} to a node that does not exist", text=f"{source} {target}")
        labels = merged.setdefault((source, target), [])
        if label not in labels:
            labels.append(label)
    if any(not 0 <= t < len(tokens) for own in anchors for t in own):
        raise GraphError(f"a node is anchored to a word that does not exist: there are {len(tokens)}")
    tree = _Tree(n, merged, tops, [min(own, default=len(tokens)) for own in anchors])
    held = _words_of(len(tokens), anchors, tree)
    has_words = _join_chains(held, tree)
    units = [Unit(tuple(sorted(held[n])))]  # the root is first here, node v is unit v + 1
    units += [Unit(tuple(sorted(held[v])), is_implicit=not has_words[v]) for v in range(n)]
    drawn = [
        Edge(parent + 1, v + 1, tuple(labels))
        for v, (parent, labels) in enumerate(zip(tree.parents, tree.labels, strict=True))
    ]
    drawn += [Edge(u + 1, v + 1, tuple(labels), is_remote=True) for (u, v), labels in tree.remotes.items()]
    return Graph(
        [Terminal(token, is_punct(token)) for token in tokens],
        units,
        drawn,
        id=id,
        unit_ids=None if names is None else ["root", *names],
    )


class _Tree:
    """The tree that the primary edges form, and the remote edges.

    Attributes:
        order: the nodes, parents first.
        parents: for each node its parent; -1 for the root.
        labels: for each node the labels of the edge from its parent.
        remotes: the labels of all other edges, by their ends.
    """

    def __init__(self, n: int, merged: dict[tuple[int, int], list[str]], tops: Sequence[int], first: list[int]) -> None:
        self.order: list[int] = []
        self.parents = [-1] * n
        self.labels: list[list[str]] = [[] for _ in range(n)]
        self.remotes: dict[tuple[int, int], list[str]] = {}
        outgoing: list[list[int]] = [[] for _ in range(n)]
        incoming: list[list[int]] = [[] for _ in range(n)]
        for u, v in sorted(merged, key=lambda ends: (merged[ends], first[ends[1]], ends)):
            outgoing[u].append(v)
            incoming[v].append(u)
        seen = [False] * n
        used: set[tuple[int, int]] = set()
        queue: deque[int] = deque()

        def hang(v: int, parent: int, labels: list[str]) -> None:
            seen[v] = True
            self.parents[v], self.labels[v] = parent, list(labels)
            self.order.append(v)
            queue.append(v)

        def follow() -> None:
            while queue:
                u = queue.popleft()
                for v in outgoing[u]:
                    if not seen[v]:
                        used.add((u, v))
                        hang(v, u, merged[u, v])

        for v in dict.fromkeys(tops):
            hang(v, -1, [TOP])
        follow()
        turned = 0  # nodes before this place in the order have no unseen node that leads to them
        while len(self.order) < n:
            if turned < len(self.order):
                v = self.order[turned]
                u = next((u for u in incoming[v] if not seen[u]), -1)
                if u < 0:
                    turned += 1
                    continue
                used.add((u, v))
                hang(u, v, [inverted(label) for label in merged[u, v]])
            else:
                left = [v for v in range(n) if not seen[v]]
                free = [v for v in left if not any(not seen[u] for u in incoming[v])] or left
                hang(min(free, key=lambda v: (first[v], v)), -1, [TOP])
            follow()
        below: list[set[int]] = [set() for _ in range(n)]
        for v, parent in enumerate(self.parents):
            if parent >= 0:
                below[parent].add(v)
        for (u, v), labels in merged.items():
            if (u, v) in used:
                continue
            if reaches(below, v, u):
                u, v, labels = v, u, [inverted(label) for label in labels]
            own = self.labels[v] if self.parents[v] == u else self.remotes.setdefault((u, v), [])
            own += [label for label in labels if label not in own]
            below[u].add(v)


def _words_of(count: int, anchors: Sequence[Collection[int]], tree: _Tree) -> list[set[int]]:
    """Return the words of each node; last those of the root."""
    depth = [0] * len(anchors)
    for v in tree.order:
        depth[v] = depth[tree.parents[v]] + 1 if tree.parents[v] >= 0 else 0
    best: list[tuple[int, int, int] | None] = [None] * count
    for v, own in enumerate(anchors):
        for t in own:
            key = (len(own), depth[v], v)
            held_by = best[t]
            if held_by is None or key < held_by:
                best[t] = key
    held: list[set[int]] = [set() for _ in range(len(anchors) + 1)]
    for t, held_by in enumerate(best):
        held[len(anchors) if held_by is None else held_by[2]].add(t)
    return held


def _join_chains(held: list[set[int]], tree: _Tree) -> list[bool]:
    """Give the words of chains of nodes over the same words to the highest; return which nodes have words."""
    yields = [set(own) for own in held]
    for v in reversed(tree.order):
        if tree.parents[v] >= 0:
            yields[tree.parents[v]] |= yields[v]
    joined: dict[int, int] = {}
    for v in tree.order:
        parent = tree.parents[v]
        if parent < 0:
            continue
        parent = tree.parents[v] = joined.get(parent, parent)
        if yields[v] and yields[v] == yields[parent]:
            joined[v] = parent
            held[parent] |= held[v]
            held[v] = set()
    return [bool(yields[v]) and v not in joined for v in range(len(held) - 1)]


# MRP


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
