"""UCCA graphs: the value that flows through usim.

A :class:`Graph` is one passage of the foundational layer of UCCA (Abend & Rappoport 2013): a sequence of *terminals*
(the tokens of the text), *units* (the nodes), and *edges* from unit to unit that carry one or more *categories*.

::

    After graduation , John moved to Paris
      0        1      2  3     4    5  6        terminals

    unit 0 (root)
      ├─L─ unit 1 ── terminal 0                 a unit holds its own terminals directly:
      ├─H─ unit 2                               there is no node type for a token
      │     ├─P─ unit 3 ── terminal 1
      │     └─A─ unit 5 (remote: John)          a second parent for a unit that stands elsewhere
      ├─U─ unit 4 ── terminal 2
      └─H─ ...

Each unit but the root has exactly one *primary* parent, so that the primary edges form a tree over the terminals; the
other edges are *remote*. The *yield* of a unit is the set of terminals under it through primary edges. An *implicit*
unit stands for a participant that the text does not mention; its yield is empty. *Linkages* connect a linker to the
scenes that it links (version 1 of the guidelines); they lie outside of the tree and outside of all measures.

Units are numbered in one canonical order (depth first; siblings by their first terminal), whatever order or identifiers
the input had. So two graphs are equal (``==``) exactly if they annotate the same tokens in the same way: renaming or
reordering nodes changes nothing.

Yields are bit sets in Python integers: bit *i* is terminal *i*. Their memory grows with the square of the text, so a
passage has at most :data:`MOST_TERMINALS` terminals.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from hashlib import sha256
from importlib import import_module
from itertools import chain, pairwise
from typing import TYPE_CHECKING, Any, NamedTuple, TypeVar

from usim.errors import GraphError
from usim.ucca.yields import bit_set, bits

if TYPE_CHECKING:
    import networkx as nx

T = TypeVar("T")

#: Marks that can end a sentence (``ucca.textutil``).
_SENTENCE_END = frozenset(".?!")
#: A description of a unit and of what is below it that is longer, in characters, is replaced by its digest.
_LONGEST_SHAPE = 4096
_QUOTES = frozenset("'\"`»«")
#: The most terminals of a graph: the yields of so many units of one terminal each take 270 MB.
MOST_TERMINALS = 65_536


class Terminal(NamedTuple):
    """A token of the text; ``paragraph`` counts from 1."""

    text: str
    is_punct: bool = False
    paragraph: int = 1


class Unit(NamedTuple):
    """A node: the positions of the terminals that it holds directly, and what kind of unit it is.

    ``is_punct`` marks the units that stand for punctuation (``PNCT`` in UCCA XML); ``is_implicit`` the units that the
    text does not mention.
    """

    terminals: tuple[int, ...] = ()
    is_implicit: bool = False
    is_punct: bool = False


class Edge(NamedTuple):
    """An edge from a parent unit to a child unit, both given by their number in the graph."""

    parent: int
    child: int
    categories: tuple[str, ...]
    is_remote: bool = False

    @property
    def label(self) -> str:
        """The categories in one string, e.g. ``A`` or ``A|S``."""
        return "|".join(self.categories)


class Linkage(NamedTuple):
    """A linkage of version 1 of the guidelines: the units that link, and the scenes that they link."""

    relations: tuple[int, ...]
    arguments: tuple[int, ...]


class FoundUnit(NamedTuple):
    """A unit with what it says: its number in the graph, its categories (none of the root), and its text."""

    number: int
    categories: tuple[str, ...]
    text: str

    def __str__(self) -> str:
        return f"{'|'.join(self.categories) or 'root'}: {self.text or '(implicit)'}"


@dataclass(frozen=True, repr=False)
class Graph:
    """One UCCA passage: terminals, units, edges. Immutable, validated, in canonical order.

    Args:
        terminals: the tokens in text order.
        units: the nodes; exactly one of them must be without a primary parent, it becomes the root (unit 0).
        edges: parent and child are indexes into ``units`` as given here. After construction, ``units`` and
            ``edges`` are renumbered canonically (see the module's text).
        linkages: linkages between units.
        id: the passage's name.

    Raises:
        GraphError: for an edge to nowhere, a cycle (of primary or remote edges), a unit with no primary parent or
            with several, a terminal that is in no unit or in several, an edge without a category.

    >>> g = Graph(
    ...     [Terminal("John"), Terminal("left"), Terminal(".", is_punct=True)],
    ...     [Unit(), Unit(), Unit((0,)), Unit((1,)), Unit((2,), is_punct=True)],
    ...     [Edge(0, 1, ("H",)), Edge(1, 2, ("A",)), Edge(1, 3, ("P",)), Edge(0, 4, ("U",))],
    ... )
    >>> print(g)
    [H [A John] [P left] ] [U .]
    >>> [g.text(u) for u in range(len(g.units))]
    ['John left .', 'John left', 'John', 'left', '.']
    """

    terminals: tuple[Terminal, ...]
    units: tuple[Unit, ...]
    edges: tuple[Edge, ...]
    linkages: tuple[Linkage, ...] = ()
    id: str = field(default="", compare=False)
    #: For each unit the set of its terminals through primary edges, as a bit set (bit *i* is terminal *i*).
    yields: Sequence[int] = field(default=(), compare=False)

    def __init__(
        self,
        terminals: Iterable[Terminal],
        units: Iterable[Unit],
        edges: Iterable[Edge],
        linkages: Iterable[Linkage] = (),
        id: str = "",
    ) -> None:
        terminals, units, edges = tuple(terminals), tuple(units), tuple(edges)
        order, new, yields, edges = _canonical(terminals, units, edges)
        self.__dict__.update(
            terminals=terminals,
            units=tuple([_in_order(units[old]) for old in order]),
            edges=edges,
            linkages=tuple(sorted(_renumbered(linkage, new) for linkage in linkages)),
            id=id,
            yields=tuple(yields[old] for old in order),
        )

    def kept(self, compute: Callable[[Graph], T]) -> T:
        """Return what a function computes of the graph: computed on first use, and kept for as long as the graph lives.

        What is kept does not travel with a pickled graph.
        """
        kept: dict[Callable[[Graph], Any], Any] = self.__dict__.setdefault("_kept", {})
        if compute not in kept:
            kept[compute] = compute(self)
        value: T = kept[compute]
        return value

    def __getstate__(self) -> dict[str, Any]:
        return {name: value for name, value in self.__dict__.items() if name != "_kept"}

    # -- structure ---------------------------------------------------------------------------------------------------

    @cached_property
    def punctuation(self) -> int:
        """The set of terminals that are punctuation or stand in a punctuation unit, as a bit set."""
        marked = bit_set(position for position, terminal in enumerate(self.terminals) if terminal.is_punct)
        return marked | bit_set(t for unit in self.units if unit.is_punct for t in unit.terminals)

    @cached_property
    def parents(self) -> tuple[int, ...]:
        """For each unit the number of its primary parent; -1 for the root."""
        return (-1, *(edge.parent for edge in self.primary))

    @cached_property
    def primary(self) -> tuple[Edge, ...]:
        """The primary edges, ordered by their child: the edge into unit ``u`` is ``primary[u - 1]``."""
        return tuple(sorted((e for e in self.edges if not e.is_remote), key=lambda e: e.child))

    @cached_property
    def remotes(self) -> tuple[Edge, ...]:
        """The remote edges."""
        return tuple(e for e in self.edges if e.is_remote)

    def children(self, unit: int, *, remote: bool = True) -> tuple[Edge, ...]:
        """Return the edges from ``unit``, in canonical order; without the remote ones if ``remote`` is false."""
        edges = self._outgoing[unit]
        return edges if remote else tuple(e for e in edges if not e.is_remote)

    @cached_property
    def _outgoing(self) -> tuple[tuple[Edge, ...], ...]:
        outgoing: list[list[Edge]] = [[] for _ in self.units]
        for edge in self.edges:
            outgoing[edge.parent].append(edge)
        return tuple(map(tuple, outgoing))

    def category(self, unit: int) -> tuple[str, ...]:
        """Return the categories of the primary edge into ``unit``; empty for the root."""
        return self.primary[unit - 1].categories if unit else ()

    def positions(self, unit: int) -> list[int]:
        """Return the terminals in the yield of ``unit``, in text order."""
        return list(bits(self.yields[unit]))

    def is_scene(self, unit: int) -> bool:
        """Return whether ``unit`` has a main relation: a child (primary or remote) that is a Process or a State."""
        return any("P" in e.categories or "S" in e.categories for e in self.children(unit))

    # -- text --------------------------------------------------------------------------------------------------------

    @cached_property
    def tokens(self) -> tuple[str, ...]:
        """The texts of the terminals."""
        return tuple(t.text for t in self.terminals)

    def text(self, unit: int = 0) -> str:
        """Return the tokens of a unit's yield, separated by blanks; ``...`` where the yield has a gap."""
        parts, last = [], None
        for position in self.positions(unit):
            if last is not None and position != last + 1:
                parts.append("...")
            parts.append(self.terminals[position].text)
            last = position
        return " ".join(parts)

    def find(self, *, category: str | None = None, text: str | None = None) -> list[FoundUnit]:
        """Return the units of a category, such as ``A``, with a text, whatever its case, or both; else all."""
        units = [FoundUnit(unit, self.category(unit), self.text(unit)) for unit in range(len(self.units))]
        units = [unit for unit in units if category in (None, *unit.categories)]
        return [unit for unit in units if text is None or text.casefold() == unit.text.casefold()]

    def __str__(self) -> str:
        """Return the graph in brackets, as UCCA papers write it.

        A remote unit is written where it is used, marked with ``*``; an implicit one is ``[A IMPLICIT]``; ``...`` says
        that a unit goes on after the brackets that follow.
        """
        inside = [""] * len(self.units)
        for unit in range(len(self.units) - 1, -1, -1):  # children come after their parents
            items = [] if self.yields[unit] or not unit else ["IMPLICIT"]
            parts = [(t, 1 << t, self.terminals[t].text) for t in self.units[unit].terminals]
            tail = []
            for edge in self.children(unit):
                mask, inner = self.yields[edge.child], inside[edge.child]
                if edge.is_remote:
                    tail.append(f"[{edge.label}* {self.text(edge.child) or 'IMPLICIT'}]")
                elif mask:
                    end = " ]" if inner.endswith("]") else "]"
                    parts.append(((mask & -mask).bit_length() - 1, mask, f"[{edge.label} {inner}{end}"))
                else:
                    tail.append(f"[{edge.label} {inner}]")
            remaining = self.yields[unit]
            for _, mask, item in sorted(parts):
                items.append(item)
                remaining &= ~mask
                following = remaining >> mask.bit_length()
                if following and not following & 1:
                    items.append("...")
            inside[unit] = " ".join(items + tail)
        return inside[0]

    def __repr__(self) -> str:
        name = f" {self.id!r}" if self.id else ""
        return f"<Graph{name}: {len(self.terminals)} terminals, {len(self.units)} units, {len(self.edges)} edges>"

    def _repr_html_(self) -> str:
        # By name: drawing is above the graph, which must not depend on it.
        html: str = import_module("usim.draw").graph_html(self)
        return html

    # -- views -------------------------------------------------------------------------------------------------------

    def to_networkx(self) -> nx.MultiDiGraph:
        """Return the graph as a :class:`networkx.MultiDiGraph`.

        Units are nodes ``0 .. n-1`` with the attributes ``yield`` (tuple of positions), ``text``, ``implicit`` and
        ``punct``; terminals are nodes ``("terminal", position)``. Edges have ``categories`` and ``remote``;
        the edges from a unit to its own terminals have the category ``Terminal``.
        """
        import networkx as nx

        g = nx.MultiDiGraph(id=self.id, tokens=self.tokens)
        for u, unit in enumerate(self.units):
            covered = {"yield": tuple(self.positions(u))}
            g.add_node(u, **covered, text=self.text(u), implicit=unit.is_implicit, punct=unit.is_punct)
        for position, (text, is_punct, paragraph) in enumerate(self.terminals):
            g.add_node(("terminal", position), text=text, punct=is_punct, paragraph=paragraph)
        for edge in self.edges:
            g.add_edge(edge.parent, edge.child, categories=edge.categories, remote=edge.is_remote)
        for u, unit in enumerate(self.units):
            for position in unit.terminals:
                g.add_edge(u, ("terminal", position), categories=("Terminal",), remote=False)
        return g

    # -- sentences ---------------------------------------------------------------------------------------------------

    def sentence_ends(self) -> list[int]:
        """Return where the sentences of the passage end: positions one past the last terminal of each.

        A sentence ends with a full stop, question or exclamation mark that closes a top-level scene, and with a
        paragraph (the rule of ``ucca.textutil.break2sentences``, so that both see the same sentences).
        """
        n = len(self.terminals)
        if not n:
            return []
        scene_starts, scene_ends = set(), set()
        for u in self._top_scenes():
            mask = self.yields[u]
            scene_starts.add((mask & -mask).bit_length() if mask else -1)
            scene_ends.add(mask.bit_length() if mask else -1)
        marks: list[int] = []
        for end, terminal in enumerate(self.terminals, start=1):
            closes = terminal.text in _SENTENCE_END and (
                end in scene_ends or (end - 1 in scene_ends and end not in scene_starts)
            )
            if not closes and marks and marks[-1] == end - 1 and terminal.is_punct:
                # A bracket or a second mark belongs to the sentence before it; a quotation mark that repeats the
                # last token opens the next.
                closes = not (terminal.text in _QUOTES and terminal.text == self.terminals[end - 2].text)
            if closes:
                marks.append(end)
        paragraphs = [i for i in range(1, n) if self.terminals[i].paragraph != self.terminals[i - 1].paragraph]
        ends = sorted({*marks, *paragraphs, n})
        return [a for a, b in pairwise(ends) if not all(t.is_punct for t in self.terminals[a - 1 : b - 1])] + ends[-1:]

    def _top_scenes(self) -> list[int]:
        """Return the scenes that lie in no other scene; the root does not count as the surrounding one."""
        inside = [False] * len(self.units)
        tops = []
        for u in range(len(self.units)):  # canonical order: parents first
            parent = self.parents[u]
            inside[u] = parent > 0 and (inside[parent] or self.is_scene(parent))
            if not self.units[u].is_punct and self.is_scene(u) and not inside[u]:
                tops.append(u)
        return tops

    def sentences(self) -> list[Graph]:
        """Cut the passage into its sentences, each a graph of its own, named ``id000``, ``id001``, …

        A unit that spans sentences is cut with them. A remote edge to a unit of another sentence becomes an implicit
        unit (``ucca.convert.split2sentences``).
        """
        spans = pairwise([0, *self.sentence_ends()])
        return [self.slice(start, end, f"{self.id}{i:03d}") for i, (start, end) in enumerate(spans)]

    def slice(self, start: int, end: int, id: str = "") -> Graph:
        """Return the part of the graph over the terminals ``start .. end-1``."""
        if not 0 <= start <= end <= len(self.terminals):
            raise GraphError(f"no terminals {start} to {end} in a graph of {len(self.terminals)}")
        window = ((1 << end) - 1) & ~((1 << start) - 1)
        included = [bool(self.yields[u] & window) for u in range(len(self.units))]
        included[0] = True
        for u in range(1, len(self.units)):  # implicit units, and units of such, go with their parent
            parent = self.parents[u]
            included[u] = included[u] or (not self.yields[u] and included[parent])
        for u in range(len(self.units) - 1, 0, -1):  # punctuation alone does not bring its parent along
            if included[u] and self.yields[u] & window and not self.units[u].is_punct:
                children = [e.child for e in self.children(u, remote=False)]
                own = bit_set(self.units[u].terminals) & window
                if not own and all(self.units[c].is_punct or not included[c] or not self.yields[c] for c in children):
                    included[u] = False
        new_number: dict[int, int] = {}
        units: list[Unit] = []
        for u in range(len(self.units)):
            if included[u]:
                new_number[u] = len(units)
                positions = tuple(t - start for t in self.units[u].terminals if start <= t < end)
                units.append(self.units[u]._replace(terminals=positions))
        edges: list[Edge] = []
        for edge in self.edges:
            if edge.parent in new_number and edge.child in new_number:
                edges.append(edge._replace(parent=new_number[edge.parent], child=new_number[edge.child]))
            elif edge.parent in new_number and edge.is_remote:
                edges.append(edge._replace(parent=new_number[edge.parent], child=len(units), is_remote=False))
                units.append(Unit(is_implicit=True))
            elif edge.child in new_number and not edge.is_remote:
                edges.append(edge._replace(parent=0, child=new_number[edge.child]))
        linkages = [
            Linkage(tuple(new_number[u] for u in k.relations), tuple(new_number[u] for u in k.arguments))
            for k in self.linkages
            if all(u in new_number for u in (*k.relations, *k.arguments))
        ]
        first = self.terminals[start].paragraph - 1 if start < end else 0
        terminals = [t._replace(paragraph=t.paragraph - first) for t in self.terminals[start:end]]
        return Graph(terminals, units, edges, linkages, id=id)

    def replaced(self, start: int, count: int, terminals: Sequence[Terminal]) -> Graph:
        """Return the graph with other terminals in the place of some, in the same structure.

        Args:
            start, count: the terminals that go; one of them, or as many as come.
            terminals: those that come; in the place of a single terminal, all of them go into its unit.

        Raises:
            GraphError: there are no such terminals, or they do not match.
        """
        end, more = start + count, len(terminals) - count
        if not (0 <= start < end <= len(self.terminals) and terminals and (count == 1 or not more)):
            raise GraphError(f"{len(terminals)} terminals cannot stand in the place of terminals {start} to {end}")
        together = (*self.terminals[:start], *terminals, *self.terminals[end:])
        units: Sequence[Unit] = self.units
        if more:
            places = [range(t, t + 1) for t in range(start)] + [range(start, end + more)]
            places += [range(t, t + 1) for t in range(end + more, len(together))]
            moved = [tuple(chain.from_iterable(places[t] for t in unit.terminals)) for unit in units]
            units = [unit._replace(terminals=own) for unit, own in zip(units, moved, strict=True)]
        return Graph(together, units, self.edges, self.linkages, self.id)


def _in_order(unit: Unit) -> Unit:
    return unit if len(unit.terminals) < 2 else unit._replace(terminals=tuple(sorted(unit.terminals)))


def _renumbered(linkage: Linkage, new: Sequence[int]) -> Linkage:
    for u in (*linkage.relations, *linkage.arguments):
        if not 0 <= u < len(new):
            raise GraphError(f"a linkage to unit {u}, which does not exist")
    return Linkage(*(tuple(sorted(new[u] for u in units)) for units in linkage))


def _canonical(
    terminals: tuple[Terminal, ...], units: tuple[Unit, ...], edges: tuple[Edge, ...]
) -> tuple[list[int], list[int], Sequence[int], tuple[Edge, ...]]:
    """Check the graph; return the units in canonical order, their new numbers, yields (by old number), and new edges.

    Errors count units from 1, in the order in which they are given.
    """
    n = len(units)
    if not n:
        raise GraphError("a graph needs a root unit")
    if len(terminals) > MOST_TERMINALS:
        raise GraphError(f"{len(terminals)} terminals, and {MOST_TERMINALS} are the most: cut the passage")
    parents = [-1] * n
    outgoing: list[list[Edge]] = [[] for _ in range(n)]
    has_remotes = False
    for edge in edges:
        if not (0 <= edge.parent < n and 0 <= edge.child < n):
            raise GraphError(f"an edge {edge.label} from unit {edge.parent} to unit {edge.child}: there are {n} units")
        if not edge.categories or not all(edge.categories):
            raise GraphError(f"an edge without a category from unit {edge.parent + 1} to {edge.child + 1}")
        if edge.is_remote:
            has_remotes = True
        elif parents[edge.child] >= 0:
            raise GraphError(
                f"unit {edge.child + 1} has two primary parents, {parents[edge.child] + 1} and "
                f"{edge.parent + 1}: mark one of the edges as remote (or break the cycle)"
            )
        else:
            parents[edge.child] = edge.parent
        outgoing[edge.parent].append(edge)
    roots = [u for u in range(n) if parents[u] < 0]
    if not roots:
        raise GraphError("a cycle: no unit is without a parent, so there is no root")
    if len(roots) > 1:
        root, lost, *_ = (u + 1 for u in roots)
        raise GraphError(f"unit {lost} has no primary parent, and the root is {root}: it cannot be reached")

    # Units that are not visited lie on a cycle.
    order = [roots[0]]
    for u in order:
        order.extend(e.child for e in outgoing[u] if not e.is_remote)
    if len(order) < n:
        lost = min(set(range(n)).difference(order))
        raise GraphError(f"a cycle: unit {lost + 1} is its own ancestor and cannot be reached from the root")
    is_held = bytearray(len(terminals))
    for u in reversed(order):
        for t in units[u].terminals:
            if not 0 <= t < len(terminals):
                raise GraphError(f"unit {u + 1} holds terminal {t}: there are {len(terminals)} terminals")
            if is_held[t]:
                raise GraphError(f"terminal {t} is in two units, one of them {u + 1}", text=terminals[t].text)
            is_held[t] = True
        if units[u].terminals and units[u].is_implicit:
            raise GraphError(f"unit {u + 1} is implicit and holds terminals")
    if not all(is_held):
        t = is_held.index(0)
        raise GraphError(f"terminal {t} is unreachable: no unit holds it", text=terminals[t].text)
    yields = [bit_set(unit.terminals) for unit in units]
    for u in reversed(order[1:]):
        yields[parents[u]] |= yields[u]
    if has_remotes:
        order = _top_down(outgoing, order)

    # Canonical order: depth first, siblings by yield; shapes decide between units of empty yield only.
    shapes = [""] * n
    for u in () if all(yields) else reversed(order):
        parts = sorted(f"{e.label}{int(e.is_remote)}{shapes[e.child]}" for e in outgoing[u])
        text = f"({yields[u]:x},{int(units[u].is_implicit)},{''.join(parts)})"
        # Remote edges let a shape contain another one many times over.
        is_long = len(text) > _LONGEST_SHAPE
        shapes[u] = sha256(text.encode("utf-8", "surrogatepass")).hexdigest() if is_long else text

    def place(e: Edge) -> tuple[int, tuple[str, ...], str]:
        mask = yields[e.child]
        # Two primary siblings never share a terminal, so the first decides wherever there is one.
        first = (mask & -mask).bit_length() if mask else len(terminals) + 1
        return first, e.categories, "" if mask else shapes[e.child]

    final: list[int] = []
    stack = [roots[0]]
    while stack:
        u = stack.pop()
        final.append(u)
        below = [e for e in outgoing[u] if not e.is_remote]
        if len(below) > 1:
            below.sort(key=place, reverse=True)
        stack.extend(e.child for e in below)
    new = [0] * n
    for position, old in enumerate(final):
        new[old] = position
    renumbered = sorted(
        (Edge(new[e.parent], new[e.child], e.categories, e.is_remote) for e in edges),
        key=lambda e: (e.parent, e.is_remote, e.child, e.categories),
    )
    for a, b in pairwise(renumbered):
        if a == b:
            raise GraphError(f"the edge {a.label} from unit {final[a.parent] + 1} to {final[a.child] + 1} twice")
    return final, new, yields, tuple(renumbered)


def _top_down(outgoing: list[list[Edge]], order: list[int]) -> list[int]:
    """Return the units parents first, over primary and remote edges together (Kahn's algorithm).

    Raises:
        GraphError: a unit is its own descendant.
    """
    incoming = [0] * len(outgoing)
    for edges in outgoing:
        for e in edges:
            incoming[e.child] += 1
    ready = [u for u in order if not incoming[u]]
    for u in ready:
        for e in outgoing[u]:
            incoming[e.child] -= 1
            if not incoming[e.child]:
                ready.append(e.child)
    if len(ready) < len(outgoing):
        u = next(u for u in order if incoming[u])
        raise GraphError(f"a cycle through a remote edge: unit {u + 1} is its own descendant")
    return ready
