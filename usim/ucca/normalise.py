"""Normalisation before evaluation: notational variants of one analysis made alike.

UCCA lets an annotator write some things in several ways: a center alone inside a center, a scene that holds nothing but
scenes, function words high or low in the tree. ``ucca.evaluation`` removes such differences before it counts, and the
figures that UCCA papers print are figures after it (Hershcovich et al. 2017, *A Transition-Based Directed Acyclic Graph
Parser for UCCA*; the rules are those of ``ucca.normalization``, version 1.3.11). :meth:`View.normalise` has the same
effect, rule by rule:

1. Units of punctuation are taken out (with the units that they leave empty) and each mark is attached anew, to the
   lowest unit that holds the words on both of its sides.
2. Top down, each unit is changed in this order:

   ==================  =========================================================================================
   separate scenes     what a scene at the top, or beside parallel scenes, holds apart from H, U, L and G becomes an H
   flatten centers     the only C of a C, or a C that is the only child, takes its parent's place
   flatten functions   the parts of an F become its parent's; an F that is the only child takes its parent's place
   flatten A           an A that is the only child takes its parent's place; implicit ones without a scene go
   flatten scenes      the parts of an H are moved up if all of them may stand at the top (H L F G U R N)
   ==================  =========================================================================================

3. Punctuation is attached anew once more.

:func:`move_common_functions` then moves those F that both passages have, yield by yield, under the root.

*Order matters.* The rules change the graph while it is walked, so the outcome depends on the order of nodes, which the
toolkit takes from their numbers in the file. A view numbers units in canonical order, as usim writes them to files (for
the English corpora the counts are the same), and new units as the toolkit does. It keeps these habits of the toolkit,
which the published figures contain:

- The neighbour to the left of a mark at the beginning of the text is looked for at the end of the text.
- A destroyed root stays where punctuation without a home is put; its edges are no longer counted.
- When a rule removes the unit that it was applied to, the rules that follow are applied to the parent.
- When the only child is a remote center, the edges into its parent become remote, and no empty parent is removed.
- Terminals of punctuation directly in a unit stay there.

Where the toolkit stops with an error (a unit destroyed twice, an only child without a primary parent) or never stops (a
part of a scene that is also an H, by its second category, is separated again and again), the step is left out. The
toolkit's rule for the attribute ``Coordinated_Main_Rel.`` is left out too: the UCCA corpora have no such attribute.

After normalisation a unit may have two primary parents, so that the outcome is no :class:`~usim.ucca.Graph`.
"""

from __future__ import annotations

from bisect import insort_right
from dataclasses import dataclass, field
from itertools import count
from operator import attrgetter

from usim.ucca._graph import Graph

#: What may stand at the top of a passage.
_TOP = frozenset({"H", "L", "F", "G", "U", "R", "LR", "LA", "N"})
#: What a scene leaves behind when it is separated.
_BESIDE_SCENES = frozenset({"H", "U", "L", "G"})


@dataclass(eq=False, slots=True)
class ViewNode:
    """A unit, a punctuation unit, a linkage or a terminal of a :class:`GraphView`.

    Attributes:
        kind: ``FN``, ``PNCT``, ``LKG``, or ``T`` for a terminal.
        key: layer and number: the order of nodes.
        out: the edges to the children, in the order of the children.
        into: the edges from the parents, in the order of the parents.
    """

    kind: str
    key: tuple[int, int]
    implicit: bool = False
    punct: bool = False
    out: list[ViewLink] = field(default_factory=list)
    into: list[ViewLink] = field(default_factory=list)

    def tagged(self, tag: str) -> list[ViewNode]:
        """Return the children over edges with a category, one for each edge."""
        return [e.child for e in self.out if tag in e.tags]

    @property
    def primary(self) -> ViewLink | None:
        """The first primary edge from a unit."""
        return next((e for e in self.into if not e.remote and e.parent.kind == "FN"), None)

    @property
    def parent(self) -> ViewNode | None:
        """The primary parent."""
        edge = self.primary
        return edge.parent if edge else None

    def is_scene(self) -> bool:
        """Return whether there is a P or an S among the edges to the children."""
        return any("P" in e.tags or "S" in e.tags for e in self.out)

    def reaches(self, other: ViewNode) -> bool:
        """Return whether ``other`` is this node or below it, over primary and remote edges."""
        seen = {other}
        stack = [other]
        while stack:  # upwards: a node has few ancestors, and may have many descendants
            node = stack.pop()
            if node is self:
                return True
            for edge in node.into:
                if edge.parent not in seen:
                    seen.add(edge.parent)
                    stack.append(edge.parent)
        return False


@dataclass(eq=False, slots=True)
class ViewLink:
    """An edge of a :class:`GraphView`; compared by identity, as two edges may join the same nodes."""

    parent: ViewNode
    child: ViewNode
    tags: tuple[str, ...]
    remote: bool = False


_BY_KEY = attrgetter("key")
_BY_CHILD = attrgetter("child.key")
_BY_PARENT = attrgetter("parent.key")


class GraphView:
    """A passage that can be changed, in canonical order, as if it had been written to a file and read again."""

    def __init__(self, graph: Graph) -> None:
        self.terminals = [ViewNode("T", (0, i), punct=t.is_punct) for i, t in enumerate(graph.terminals, start=1)]
        units = [
            ViewNode("PNCT" if unit.is_punct else "FN", (1, number), implicit=unit.is_implicit)
            for number, unit in enumerate(graph.units, start=1)
        ]
        self.root = units[0]
        self._separated: set[ViewNode] = set()
        linkages = [ViewNode("LKG", (1, number)) for number, _ in enumerate(graph.linkages, start=len(units) + 1)]
        self._alive = dict.fromkeys((*units, *linkages))
        for node, unit in zip(units, graph.units, strict=True):
            for t in unit.terminals:
                self.link(node, self.terminals[t], ("Terminal",))
        for edge in graph.edges:
            self.link(units[edge.parent], units[edge.child], edge.categories, edge.is_remote)
        for node, linkage in zip(linkages, graph.linkages, strict=True):
            for tag, ends in (("LR", linkage.relations), ("LA", linkage.arguments)):
                for u in ends:
                    self.link(node, units[u], (tag,))

    # -- what is there -----------------------------------------------------------------------------------------------

    @property
    def nodes(self) -> list[ViewNode]:
        """The units and linkages, in order."""
        return sorted(self._alive, key=_BY_KEY)

    def yields(self) -> dict[ViewNode, int]:
        """Return the words below each node over primary edges, as a bit set (bit *i* is terminal *i*)."""
        covered = dict.fromkeys(self._alive, 0)
        for i, terminal in enumerate(self.terminals):
            stack = [] if terminal.punct else [terminal]
            while stack:
                for edge in stack.pop().into:
                    is_above = edge.parent.kind != "PNCT" and (not edge.remote or edge.parent.kind == "LKG")
                    if is_above and not covered[edge.parent] >> i & 1:
                        covered[edge.parent] |= 1 << i
                        stack.append(edge.parent)
        return covered

    # -- small changes -----------------------------------------------------------------------------------------------

    def link(self, parent: ViewNode, child: ViewNode, tags: tuple[str, ...], remote: bool = False) -> None:
        """Add an edge; it comes after those that join the same nodes."""
        edge = ViewLink(parent, child, tags, remote)
        insort_right(parent.out, edge, key=_BY_CHILD)
        insort_right(child.into, edge, key=_BY_PARENT)

    def _add(self, kind: str, parent: ViewNode, tag: str) -> ViewNode:
        taken = {node.key[1] for node in self._alive}
        number = next(number for number in count(len(taken) + 1) if number not in taken)
        node = ViewNode(kind, (1, number))
        self._alive[node] = None
        self.link(parent, node, (tag,))
        return node

    def _copy(
        self, edge: ViewLink, *, parent: ViewNode | None = None, child: ViewNode | None = None, tag: str = ""
    ) -> bool:
        """Add an edge like this one between other nodes, unless it would close a cycle; return whether it was added."""
        parent, child = parent or edge.parent, child or edge.child
        if child.reaches(parent):
            return False
        self.link(parent, child, (tag,) if tag else edge.tags, edge.remote)
        return True

    def _drop(self, node: ViewNode) -> None:
        """Take a node out, with its edges."""
        for edge in (*node.out, *node.into):
            _unlink(edge)
        self._alive.pop(node, None)

    def _prune(self, node: ViewNode | None) -> None:
        """Take out a unit that has become empty, then its parent if that has, and so on; never one without a parent."""
        while node is not None and not node.out and not node.implicit:
            parent = node.parent
            if parent is None:
                break
            self._drop(node)
            node = parent

    def _destroy(self, node: ViewNode) -> ViewNode | None:
        """Take out a node and the units above that become empty; returns the primary parent that it had."""
        parent = node.parent
        self._drop(node)
        self._prune(parent)
        return parent

    def _destroy_edge(self, edge: ViewLink) -> None:
        _unlink(edge)
        self._prune(edge.parent)

    # -- normalisation -----------------------------------------------------------------------------------------------

    def normalise(self) -> None:
        """Apply the rules of this module's text."""
        self._reattach_punctuation()
        visited: set[ViewNode] = set()
        path: list[ViewNode] = []
        # The outermost frame lists the heads as if something led to them.
        frames = [[ViewLink(node, node, ()) for node in self.nodes if not node.into]]
        while frames:
            frame, i = frames[-1], 0
            while i < len(frame):  # the list changes meanwhile: after a removed edge the next one is skipped
                edge = frame[i]
                i += 1
                node = edge.child
                if node.kind == "T":
                    continue
                if node in path:
                    self._destroy_edge(edge)
                elif node not in visited:
                    visited.add(node)
                    path.append(node)
                    frames.append(node.out)
                    self._normalise_unit(node)
                    break
            else:
                if path:
                    path.pop()
                frames.pop()
        self._reattach_punctuation()

    def _normalise_unit(self, unit: ViewNode) -> None:
        if unit.kind != "FN":
            return
        self._separate_scenes(unit)
        for rule in (self._flatten_centers, self._flatten_functions, self._flatten_participants):
            remaining = rule(unit)
            if remaining is None:
                return
            unit = remaining
        self._flatten_scenes(unit)

    def _separate_scenes(self, node: ViewNode) -> None:
        is_top = node in self._alive and not node.into
        if node in self._separated:
            return
        if not ((node.is_scene() or node.tagged("A")) and (is_top or node.tagged("H"))):
            return
        edges = list(node.out)
        scene = self._add("FN", node, "H")
        self._separated.add(scene)
        for edge in edges:
            if edge.tags[0] not in _BESIDE_SCENES and self._copy(edge, parent=scene):
                self._destroy_edge(edge)

    def _flatten_centers(self, node: ViewNode) -> ViewNode | None:
        centers = node.tagged("C")
        if len(centers) != 1:
            return node
        edge = node.primary
        if edge is not None and edge.tags[0] == "C" and len(edge.parent.tagged("C")) == 1:
            for incoming in tuple(node.into):
                if incoming.remote:
                    self._copy(incoming, child=centers[0])
            for outgoing in tuple(node.out):
                self._copy(outgoing, parent=edge.parent)
            return self._destroy(node)
        if len(node.out) == 1:
            for incoming in tuple(node.into):
                incoming.remote = incoming.remote or node.out[0].remote
                self._copy(incoming, child=centers[0])
            return self._destroy(node)
        return node

    def _flatten_functions(self, node: ViewNode) -> ViewNode | None:
        if not node.into:
            return node
        for child in node.tagged("F"):
            if child.kind == "FN" and len(child.out) > len(child.tagged("Terminal")):
                for edge in tuple(child.out):
                    self._copy(edge, parent=node, tag="F" if edge.tags[0] == "C" else edge.tags[0])
                self._destroy(child)
        functions = node.tagged("F")
        if len(functions) == len(node.out) == 1:
            return self._replace(node, functions[0])
        return node

    def _flatten_participants(self, node: ViewNode) -> ViewNode | None:
        participants = node.tagged("A")
        if len(participants) == len(node.out) == 1:
            edge = participants[0].primary
            if edge is not None and len(edge.tags) == 1:
                return self._replace(node, participants[0])
        if participants and not node.is_scene():
            for child in participants:
                if child.implicit and child in self._alive:
                    self._destroy(child)
        return node

    def _flatten_scenes(self, node: ViewNode) -> None:
        for scene in node.tagged("H"):
            if all(_TOP.intersection(edge.tags) for edge in scene.out):
                for edge in tuple(scene.out):
                    self._copy(edge, parent=node)
                    self._destroy_edge(edge)

    def _replace(self, node: ViewNode, child: ViewNode) -> ViewNode | None:
        """Let the only child take the place of its parent."""
        for edge in tuple(node.into):
            self._copy(edge, child=child)
        return self._destroy(node)

    # -- punctuation -------------------------------------------------------------------------------------------------

    def _reattach_punctuation(self) -> None:
        for node in self.nodes:
            if node.kind == "PNCT":
                self._destroy(node)
        for terminal in self.terminals:
            if terminal.punct and not terminal.into:
                mark = self._add("PNCT", self._home(terminal), "U")
                self.link(mark, terminal, ("Terminal",))

    def _home(self, terminal: ViewNode) -> ViewNode:
        """Return the lowest unit that holds the nearest words on both sides of a terminal; the root if none does."""
        position = terminal.key[1] - 1
        # To the left of the first terminal, the search goes on at the last one, and back to the first.
        n = len(self.terminals)
        sides = range(position - 1, -n - 1, -1), range(position + 1, n)
        nearest = (next((self.terminals[i] for i in side if not self.terminals[i].punct), None) for side in sides)
        words = [word for word in nearest if word is not None]
        level = words[:1]
        while level:
            for node in level:
                is_high = bool(words[1:]) or not node.tagged("Terminal")
                if node.kind == "FN" and is_high and all(map(node.reaches, words[1:])):
                    return node
            level = list(dict.fromkeys(edge.parent for node in level for edge in node.into))
        return self.root


def move_common_functions(a: GraphView, b: GraphView) -> None:
    """Move the F that two passages have in common, i.e. over the same words, under their roots.

    Of several F over the same words in one passage, the last is moved. Where the root was destroyed in normalisation,
    the first unit without a parent stands for it.
    """
    functions = []
    for view in (a, b):
        covered = view.yields()
        by_yield: dict[int, ViewNode] = {}
        for node in view.nodes:
            edge = node.primary
            if node.kind == "FN" and edge is not None and edge.tags[0] == "F":
                by_yield[covered[node]] = node
        functions.append(by_yield)
    for mask in sorted(functions[0].keys() & functions[1].keys()):
        for view, by_yield in zip((a, b), functions, strict=True):
            unit = by_yield[mask]
            parent = unit.parent
            if parent is None:
                continue
            _unlink(next(e for e in parent.out if e.child is unit))
            heads = [node for node in view.nodes if not node.into]
            if heads:
                view.link(heads[0], unit, ("F",))


def _unlink(edge: ViewLink) -> None:
    edge.parent.out.remove(edge)
    edge.child.into.remove(edge)
