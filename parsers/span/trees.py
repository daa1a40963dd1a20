"""Convert gold graphs to the constituent trees that the parser learns, as :mod:`usim.parsing.trees` describes them.

>>> from usim.ucca import Edge, Graph, Terminal, Unit
>>> g = Graph(
...     map(Terminal, "take it off".split()),
...     [Unit(), Unit(), Unit((0, 2)), Unit((1,))],
...     [Edge(0, 1, ("H",)), Edge(1, 2, ("P",)), Edge(1, 3, ("A",))],
... )
>>> tree = to_tree(g)
>>> tree.spans
{(0, 3): 'H+P', (1, 2): 'A^1'}
>>> to_graph(g.tokens, tree) == g
True
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

from usim.parsing.trees import BARE, Node, Tree, join, words_of
from usim.ucca import Graph


@dataclass(eq=False)
class _Part:
    """A unit on its way into the tree; ``mask`` has a bit for each word."""

    name: str
    mask: int
    parent: _Part | None
    home: _Part | None
    items: list[_Part] = field(default_factory=list)
    is_word: bool = False

    def gap(self) -> int:
        """Return the first word that is missing between the first and the last; -1 if none is."""
        filled = self.mask + (self.mask & -self.mask)  # the carry runs up to the first gap
        return (filled & -filled).bit_length() - 1 if filled & self.mask else -1


def to_tree(graph: Graph, guidelines: int = 1) -> Tree:
    """Turn a graph into its constituent tree.

    Nothing but implicit units, uncertainty, and the place of punctuation is lost: :func:`to_graph` gives the rest back.
    """
    words = words_of(graph.tokens, guidelines)
    index = {t: i for i, t in enumerate(words)}
    masks = [0] * len(graph.units)
    for u in range(len(graph.units) - 1, -1, -1):
        for t in graph.units[u].terminals:
            if t in index:
                masks[u] |= 1 << index[t]
        if u:
            masks[graph.parents[u]] |= masks[u]
    parts: dict[int, _Part] = {0: _Part("", masks[0], None, None)}
    for u in range(len(graph.units)):  # canonical order: parents first
        if u and masks[u]:
            above = parts[graph.parents[u]]
            parts[u] = _Part("|".join(sorted(graph.category(u))), masks[u], above, above)
            above.items.append(parts[u])
        if masks[u] or not u:
            for t in graph.units[u].terminals:
                if t in index:
                    parts[u].items.append(_Part(BARE, 1 << index[t], parts[u], parts[u], is_word=True))
    root = parts[0]
    queue = [root]
    for part in queue:
        _close_gaps(part)
        queue.extend(part.items)
    names: dict[tuple[int, int], list[str]] = {}
    nodes: dict[int, Node] = {id(root): Node(0, len(words), -1)}
    for part in queue[1:]:
        climb, place = 0, part.parent
        while place is not part.home and place is not None:
            climb, place = climb + 1, place.parent
        if part.is_word and not climb:
            continue
        span = ((part.mask & -part.mask).bit_length() - 1, part.mask.bit_length())
        chain = names.setdefault(span, [])
        nodes[id(part)] = Node(*span, len(chain))
        chain.append(f"{part.name}^{climb}" if climb else part.name)
    ordered = sorted(names, key=lambda s: (s[0], -s[1]))
    remotes = tuple(
        (nodes[id(parts[e.parent])], nodes[id(parts[e.child])], "|".join(sorted(e.categories)))
        for e in graph.remotes
        if e.parent in parts and e.child in parts
    )
    return Tree(tuple(words), {s: "+".join(names[s]) for s in ordered}, remotes)


def _close_gaps(above: _Part) -> None:
    """Move into each child of ``above`` the siblings that lie in its gaps, until every child is without gaps."""
    above.items.sort(key=lambda p: p.mask & -p.mask)
    i = 0
    while i < len(above.items):
        part = above.items[i]
        while (gap := part.gap()) >= 0:
            moved = next(p for p in above.items if p.mask >> gap & 1)
            if above.items.index(moved) < i:
                i -= 1
            above.items.remove(moved)
            moved.parent = part
            part.items.append(moved)
            part.mask |= moved.mask
        i += 1


def to_graph(tokens: Sequence[str], tree: Tree, *, id: str = "") -> Graph:
    """Turn a tree over the words of ``tokens`` into a graph."""
    return join(tokens, [(0, len(tokens), tree)], id=id)
