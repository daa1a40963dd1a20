"""AMR in penman notation with alignments, as units and edges (:mod:`usim.ucca.frameworks.anchored`).

::

    # ::id 1
    # ::tok The boy does n't want to go .
    (w / want-01~e.4
       :polarity -~e.3
       :ARG0 (b / boy~e.1)
       :ARG1 (g / go-02~e.6
          :ARG0 b))

A file holds graphs, each with its comments (``# ::key value``) before it. The tokens are those of ``::tok``, or of
``::snt``, between blanks. Alignments are *surface alignments*, ``~e.N`` (or ``~N``) after a concept, a constant or a
role, with ``N`` from 0; or in a comment ``# ::alignments 4-1 3-1.1 1-1.2 6-1.3``, each a token and the address of a
node: ``1`` is the top, ``1.2`` its second role as written, ``1.2.r`` that role itself (the ISI aligner's format, which
LDC's corpora have).

Roles stay as they are written (``ARG0-of``). A constant (``-``, ``"Paris"``, ``3``) is a node of its own; a word that
is aligned to a role belongs to the node below it. A variable that is mentioned again is a reentrancy: of its edges, the
one nearest to the top is primary and the others are remote.

Reading needs the package ``penman`` (``pip install penman``).
"""

from __future__ import annotations

import os
import re
from collections import Counter
from collections.abc import Iterator
from itertools import chain
from typing import Any, NamedTuple

from usim.errors import FormatError, GraphError, InputError
from usim.text.files import read_lines
from usim.ucca._graph import Graph
from usim.ucca.frameworks.anchored import AnchoredEdge, graph_of_anchored

_SURFACE = re.compile(r"~(?:[A-Za-z]+\.)?(\d+(?:,\d+)*)$")
_COMMENT = re.compile(r"#\s*::(\S+)[ \t]*(.*)")
_KEY = re.compile(r"[ \t]+::(?=[A-Za-z])")  # several keys may stand in one line: # ::id 1 ::date …
_ISI = re.compile(r"(\d+)-(\d+(?:\.\d+)*)(\.r)?")


class AmrBlock(NamedTuple):
    """The lines of one graph in a file: the number of the first after the comments, the comments by key, the rest."""

    line: int
    comments: dict[str, str]
    notation: str

    @property
    def tokens(self) -> list[str]:
        """The words that alignments count."""
        return self.comments.get("tok", self.comments.get("snt", "")).split()


def amr_blocks(path: str | os.PathLike[str]) -> Iterator[AmrBlock]:
    """Read the graphs of a file without looking into them: what stands between empty lines.

    Raises:
        InputError: the file cannot be opened or is not UTF-8, or a line is too long.
    """
    first, comments, notation = 0, dict[str, str](), list[str]()
    for number, raw in chain(read_lines(path), [(0, "")]):
        line = raw.rstrip()
        if notation and (not line or line.startswith("#")):  # the next graph may follow without an empty line
            yield AmrBlock(first, comments, "\n".join(notation))
            first, comments, notation = 0, {}, []
        if line.startswith("#"):
            if match := _COMMENT.match(line):
                parts = [line[match.start(1) :]] if match[1] in ("snt", "tok") else _KEY.split(line[match.start(1) :])
                for part in parts:
                    key, _, value = part.partition(" ")
                    comments[key] = value.strip()
        elif line:
            first = first or number
            notation.append(line)


def parse_amr(block: AmrBlock, *, path: str | os.PathLike[str] | None = None) -> Graph:
    """Return the graph of a block of a file; ``path`` is named in errors.

    Raises:
        InputError: ``penman`` is not installed.
        FormatError: the block is not in penman notation, has no tokens or no alignments, or is aligned to what does not
            exist; with the file and the line.

    >>> block = AmrBlock(1, {"tok": "Dogs do n't bark"}, "(b / bark-01~e.3 :polarity -~e.2 :ARG0 (d / dog~e.0))")
    >>> print(parse_amr(block))
    [top [ARG0 Dogs] ... [polarity n't] bark] do
    """
    try:
        from penman import iterparse
        from penman.exceptions import DecodeError
    except ImportError as e:
        raise InputError("AMR needs one more package: pip install penman", path=path) from e
    try:
        trees = list(iterparse(block.notation))
        if len(trees) != 1:
            raise ValueError(f"{len(trees)} graphs in one place: an empty line must stand between two")
        return _graph(block, trees[0])
    except DecodeError as e:
        line = block.line + (e.lineno or 1) - 1
        raise FormatError(f"not penman notation: {e.message}", path=path, line=line, text=e.text) from e
    except RecursionError as e:
        raise FormatError("not an AMR graph: nested too deeply", path=path, line=block.line) from e
    except GraphError as e:
        raise FormatError(f"not an AMR graph: {e.message}", path=path, line=block.line, text=e.text) from e
    except ValueError as e:
        raise FormatError(f"not an AMR graph: {e}", path=path, line=block.line) from e


def _graph(block: AmrBlock, tree: Any) -> Graph:
    tokens = block.tokens
    if not tokens:
        raise ValueError("no tokens: a comment '# ::tok …' or '# ::snt …' must have the sentence")
    nodes = _Nodes(tree)
    anchors = nodes.anchors
    for alignment in block.comments.get("alignments", "").split():
        match = _ISI.fullmatch(alignment)
        node = nodes.addresses.get(match[2]) if match else None
        if match is None or (node is None and match[2] not in nodes.reentrancies):
            raise ValueError(
                f"an alignment {alignment!r}: it must be TOKEN-ADDRESS, e.g. 3-1.2, of a node that is there"
            )
        if node is not None:
            anchors[node].add(int(match[1]))
    wrong = sorted({t for own in anchors for t in own if t >= len(tokens)})
    if wrong:
        raise ValueError(f"an alignment to token {wrong[0]}: there are {len(tokens)}, counted from 0")
    if not any(anchors):
        raise ValueError("no alignments: concepts need ~e.N, or a comment '# ::alignments …' must have them")
    edges = nodes.edges + [AnchoredEdge(u, nodes.variables[v], role) for u, role, v in nodes.mentions]
    return graph_of_anchored(tokens, anchors, edges, [0], id=block.comments.get("id", ""), names=nodes.names)


class _Nodes:
    """The nodes of an AMR, in the order in which they are written.

    Attributes:
        names: variables and constants.
        anchors: for each node the tokens that it, or the role above it, is aligned to.
        edges: from nodes to those written below them.
        variables: the nodes of variables.
        mentions: the reentrancies: a node, a role, and a variable that is mentioned without its concept.
        addresses: the nodes by their addresses; ``reentrancies`` has the addresses of mentions.
    """

    def __init__(self, tree: Any) -> None:
        self.names: list[str] = []
        self.anchors: list[set[int]] = []
        self.edges: list[AnchoredEdge] = []
        self.variables: dict[str, int] = {}
        self.mentions: list[tuple[int, str, str]] = []
        self.addresses: dict[str, int] = {}
        self.reentrancies: set[str] = set()
        introduced = Counter(variable for variable, _ in tree.nodes())
        for variable, count in introduced.items():
            if count > 1:
                raise ValueError(f"a variable with two concepts: {variable!r}")
        stack: list[tuple[int, str, Any, str]] = [(-1, "", tree.node, "1")]
        while stack:
            parent, role, target, place = stack.pop()
            name, aligned = _read_alignments(role)
            if isinstance(target, tuple):
                variable, branches = target
                node = self.variables[variable] = self._add(str(variable), place)
                below = [branch for branch in branches if branch[0] != "/"]
                for label, concept in branches:
                    if label == "/" and concept is not None:
                        self.anchors[node] |= _read_alignments(str(concept))[1]
                stack += [(node, *below[k - 1], f"{place}.{k}") for k in range(len(below), 0, -1)]
            else:
                text, own = _read_alignments("" if target is None else str(target))
                if text in introduced:
                    self.mentions.append((parent, name, text))
                    self.reentrancies.add(place)
                    continue
                if re.fullmatch(r"[a-z]\d*", text):
                    raise ValueError(f"a variable without a concept: {text!r}")
                node = self._add(text, place)
                self.anchors[node] |= own
            self.anchors[node] |= aligned
            if parent >= 0:
                self.edges.append(AnchoredEdge(parent, node, name))

    def _add(self, name: str, place: str) -> int:
        self.names.append(f"{name}@{place}" if name in self.variables or not name else name)
        self.anchors.append(set())
        self.addresses[place] = len(self.anchors) - 1
        return len(self.anchors) - 1


def _read_alignments(text: str) -> tuple[str, set[int]]:
    """Return a role, concept or constant without its alignment and colon, and the tokens that it is aligned to.

    >>> _read_alignments(":ARG1~e.4"), _read_alignments('"Paris"~e.5,6')
    (('ARG1', {4}), ('"Paris"', {5, 6}))
    """
    match = _SURFACE.search(text)
    tokens = {int(number) for number in match[1].split(",")} if match else set()
    return text[: match.start() if match else None].removeprefix(":") or "edge", tokens
