"""Graphs changed at random, to see that two programs count alike on graphs that no annotator would draw.

Every change keeps the graph valid. The same seed gives the same graph. No edge has H as its second category: on some such
graphs the toolkit's normalisation never ends.
"""

from __future__ import annotations

import random

from usim.errors import GraphError
from usim.ucca import Edge, Graph, Linkage, Terminal, Unit

#: The categories that normalisation looks at come more often than they do in corpora.
CATEGORIES = "H H H A A A C C C F F F P S D E N L R G U T Q".split()


def random_graph(rng: random.Random, n: int) -> Graph:
    """A tree over ``n`` tokens, changed many times, with up to two linkages."""
    terminals = [Terminal(f"w{i}", rng.random() < 0.2) for i in range(n)]
    units = [Unit()]
    edges = []
    for i in range(n):
        is_punct = terminals[i].is_punct != (rng.random() < 0.05)
        edges.append(Edge(0, len(units), ("U",) if is_punct else (rng.choice(CATEGORIES),)))
        units.append(Unit((i,), is_punct=is_punct))
    graph = corrupted(Graph(terminals, units, edges, id="random"), rng, changes=4 * n)
    linkages = [Linkage((rng.randrange(len(graph.units)),), (rng.randrange(len(graph.units)),)) for _ in range(2)]
    return Graph(graph.terminals, graph.units, graph.edges, linkages[: rng.randrange(3)], graph.id)


def corrupted(graph: Graph, rng: random.Random, changes: int) -> Graph:
    """The graph after as many random changes; those that would make it invalid are not made."""
    for _ in range(changes):
        terminals, units, edges = list(graph.terminals), list(graph.units), list(graph.edges)
        rng.choice(_CHANGES)(rng, terminals, units, edges)
        try:
            graph = Graph(terminals, units, edges, graph.linkages, graph.id)
        except GraphError:
            continue
    return graph


def _relabel(rng: random.Random, terminals: list[Terminal], units: list[Unit], edges: list[Edge]) -> None:
    i = rng.randrange(len(edges))
    tags = {rng.choice(CATEGORIES)}
    if rng.random() < 0.2:
        tags |= {rng.choice(CATEGORIES)}
    ordered = sorted(rng.sample(sorted(tags), len(tags)), key=lambda tag: tag != "H")
    edges[i] = edges[i]._replace(categories=tuple(ordered))


def _reattach(rng: random.Random, terminals: list[Terminal], units: list[Unit], edges: list[Edge]) -> None:
    i = rng.randrange(len(edges))
    edges[i] = edges[i]._replace(parent=_parent(rng, units))


def _add_remote(rng: random.Random, terminals: list[Terminal], units: list[Unit], edges: list[Edge]) -> None:
    edges.append(Edge(_parent(rng, units), rng.randrange(len(units)), (rng.choice(CATEGORIES),), is_remote=True))


def _drop_remote(rng: random.Random, terminals: list[Terminal], units: list[Unit], edges: list[Edge]) -> None:
    remotes = [e for e in edges if e.is_remote]
    if remotes:
        edges.remove(rng.choice(remotes))


def _wrap(rng: random.Random, terminals: list[Terminal], units: list[Unit], edges: list[Edge]) -> None:
    """A new unit between a unit and some of its children."""
    parent = _parent(rng, units)
    below = [i for i, e in enumerate(edges) if e.parent == parent]
    if not below:
        return
    for i in rng.sample(below, rng.choice([1, 1, len(below), rng.randint(1, len(below))])):
        edges[i] = edges[i]._replace(parent=len(units))
    if rng.random() < 0.2:  # the terminals too
        terminal_parent = units[parent]
        units[parent] = Unit()
        units.append(terminal_parent)
    else:
        units.append(Unit())
    edges.append(Edge(parent, len(units) - 1, (rng.choice(CATEGORIES),)))


def _splice(rng: random.Random, terminals: list[Terminal], units: list[Unit], edges: list[Edge]) -> None:
    """The parts of a unit become its parent's; the unit becomes an empty, implicit one."""
    into = rng.choice([e for e in edges if not e.is_remote])
    for i, e in enumerate(edges):
        if e.parent == into.child:
            edges[i] = e._replace(parent=into.parent)
    if not (units[into.child].is_punct or units[into.parent].is_punct):
        held = units[into.parent].terminals + units[into.child].terminals
        units[into.parent] = units[into.parent]._replace(terminals=held)
        units[into.child] = Unit(is_implicit=True)


def _add_implicit(rng: random.Random, terminals: list[Terminal], units: list[Unit], edges: list[Edge]) -> None:
    edges.append(Edge(_parent(rng, units), len(units), (rng.choice(CATEGORIES),)))
    units.append(Unit(is_implicit=rng.random() < 0.8))


def _move_terminal(rng: random.Random, terminals: list[Terminal], units: list[Unit], edges: list[Edge]) -> None:
    a, b = rng.randrange(len(units)), _parent(rng, units)
    if units[a].terminals and not units[b].is_implicit:
        t = rng.choice(units[a].terminals)
        units[a] = units[a]._replace(terminals=tuple(x for x in units[a].terminals if x != t))
        units[b] = units[b]._replace(terminals=(*units[b].terminals, t))


def _parent(rng: random.Random, units: list[Unit]) -> int:
    return rng.choice([u for u, unit in enumerate(units) if not unit.is_punct])


_CHANGES = [
    _relabel, _relabel, _reattach, _add_remote, _drop_remote, _wrap, _wrap, _splice, _add_implicit, _move_terminal,
]  # fmt: skip
