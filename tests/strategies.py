"""Hypothesis strategies: random UCCA graphs, with all that makes them hard.

``graphs()`` draws valid graphs with discontinuous units, remote edges, implicit units, punctuation, unary chains, several
categories on an edge, linkages and several paragraphs; ``graphs(tokens=...)`` draws them over given tokens, so that two
annotations of the same text can be compared; ``edited_tokens(tokens)`` draws what a corrector might make of a text.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from hypothesis import strategies as st

from usim.ucca import CATEGORIES, Edge, Graph, Linkage, Terminal, Unit
from usim.ucca.yields import reaches

WORDS = tuple("the The a cat cats dog saw seen sat of of in quickly Haus été 猫".split())
MARKS = (".", ",", "?", "(", ")", '"')
_LABELS = sorted(set(CATEGORIES) - {"U"})

Draw = Callable[[st.SearchStrategy[Any]], Any]


def tokens(min_size: int = 0, max_size: int = 12) -> st.SearchStrategy[list[str]]:
    """Texts as lists of tokens, in which words repeat."""
    return st.lists(st.sampled_from(WORDS + MARKS), min_size=min_size, max_size=max_size)


@st.composite
def edited_tokens(draw: Draw, original: Sequence[str], max_edits: int = 4) -> list[str]:
    """The tokens with some of them left out, put in, replaced or moved."""
    words = list(original)
    for _ in range(draw(st.integers(0, max_edits))):
        kind = draw(st.sampled_from(("insert", "delete", "replace", "move")))
        if kind == "insert" or not words:
            words.insert(draw(st.integers(0, len(words))), draw(st.sampled_from(WORDS + MARKS)))
            continue
        at = draw(st.integers(0, len(words) - 1))
        word = words.pop(at)
        if kind == "replace":
            words.insert(at, draw(st.sampled_from([*WORDS, word + "s"])))
        elif kind == "move":
            words.insert(draw(st.integers(0, len(words))), word)
    return words


@st.composite
def graphs(
    draw: Draw,
    tokens: Sequence[str] | st.SearchStrategy[list[str]] | None = None,
    *,
    implicit: bool = True,
) -> Graph:
    """Valid graphs.

    Args:
        draw: given by hypothesis.
        tokens: the text, or a strategy for it; by default :func:`tokens`.
        implicit: whether there may be implicit units.
    """
    if tokens is None:
        words = draw(globals()["tokens"]())
    else:
        words = draw(tokens) if isinstance(tokens, st.SearchStrategy) else list(tokens)
    paragraph = 1
    terminals = []
    for word in words:
        terminals.append(Terminal(word, word in MARKS, paragraph))
        paragraph += draw(st.integers(0, 19)) == 0

    held: list[list[int]] = [[]]
    parents = [-1]
    flags: list[tuple[bool, bool]] = [(False, False)]  # implicit, punctuation
    # Inner units first, each below an earlier one; then every terminal goes to any of them. Nothing keeps the terminals
    # of a unit together, so that units with gaps are common.
    inner = draw(st.integers(0 if not words else 1, min(8, 2 + len(words))))
    for u in range(1, inner + 1):
        held.append([])
        parents.append(draw(st.integers(0, u - 1)))
        flags.append((False, False))
    near = draw(st.booleans())
    last = 0
    for position, terminal in enumerate(terminals):
        if near and draw(st.integers(0, 3)):  # mostly stay with the last unit: graphs like those of real sentences
            home = last
        else:
            home = last = draw(st.integers(0, inner))
        if terminal.is_punct:
            held.append([position])
            parents.append(home)
            flags.append((False, True))
        elif home and draw(st.booleans()):
            held[home].append(position)  # together with others in one unit: an expression that is not analysed
        else:
            held.append([position])
            parents.append(home)
            flags.append((False, False))
    if implicit:
        for _ in range(draw(st.integers(0, 2))):
            held.append([])
            parents.append(draw(st.integers(0, inner)))
            flags.append((True, False))
    # A unit over nothing at all is an implicit one; or it goes, and then perhaps its parent, to the last of them.
    for u in range(inner, 0, -1):
        if not held[u] and u not in parents:
            if implicit:
                flags[u] = (True, False)
            else:
                parents[u] = -1
    kept = [u for u in range(len(held)) if u == 0 or parents[u] >= 0]
    new = {old: position for position, old in enumerate(kept)}
    parents = [new.get(parents[u], -1) for u in kept]
    inner = sum(u <= inner for u in kept) - 1
    units = [Unit(tuple(held[u]), *flags[u]) for u in kept]

    label = st.sampled_from(_LABELS)
    category = st.lists(label, min_size=1, max_size=1) | st.lists(label, min_size=1, max_size=2, unique=True)
    edges = [
        Edge(parents[u], u, ("U",) if unit.is_punct else tuple(draw(category)))
        for u, unit in enumerate(units)
        if parents[u] >= 0
    ]
    if len(units) > 2:
        taken = {(e.parent, e.child) for e in edges}
        empty = sum(unit.is_implicit for unit in units)
        for _ in range(draw(st.integers(0, 3))):
            parent, child = draw(st.integers(0, inner)), draw(st.integers(1, len(units) - 1))
            # Units without words that look the same cannot be told apart, so no edge singles one of them out.
            if units[parent].is_implicit or units[child].is_punct or (empty > 1 and not _spoken(child, units, edges)):
                continue
            below = [{e.child for e in edges if e.parent == u} for u in range(len(units))]
            if (parent, child) not in taken and not reaches(below, child, parent):
                taken.add((parent, child))
                edges.append(Edge(parent, child, tuple(draw(category)), is_remote=True))
    linkages = []
    spoken = [u for u in range(1, len(units)) if units[u].terminals]
    if len(spoken) > 2 and draw(st.integers(0, 4)) == 0:
        linkages.append(Linkage((spoken[0],), (spoken[1], spoken[-1])))
    return Graph(terminals, units, edges, linkages, id=draw(st.sampled_from(("", "a", "120"))))


def _spoken(unit: int, units: Sequence[Unit], edges: Sequence[Edge]) -> bool:
    """Whether a unit has a word, itself or below it."""
    return bool(units[unit].terminals) or any(
        _spoken(e.child, units, edges) for e in edges if e.parent == unit and not e.is_remote
    )


@st.composite
def renamed(draw: Draw, graph: Graph) -> Graph:
    """The same graph with its units in another order."""
    order = draw(st.permutations(range(len(graph.units))))
    new = {old: position for position, old in enumerate(order)}
    return Graph(
        graph.terminals,
        [graph.units[old] for old in order],
        draw(st.permutations([e._replace(parent=new[e.parent], child=new[e.child]) for e in graph.edges])),
        [Linkage(tuple(new[u] for u in k.relations), tuple(new[u] for u in k.arguments)) for k in graph.linkages],
        id="renamed",
    )


@st.composite
def graph_pairs(draw: Draw) -> tuple[Graph, Graph]:
    """The graph of a text and a graph of an edited version of it."""
    words = draw(tokens())
    return draw(graphs(tokens=words)), draw(graphs(tokens=draw(edited_tokens(words))))


@st.composite
def annotation_pairs(draw: Draw) -> tuple[Graph, Graph]:
    """Two graphs of the same text."""
    words = draw(tokens())
    return draw(graphs(tokens=words)), draw(graphs(tokens=words))
