"""Graphs from brackets, as papers write them: ``[H [A John] [P left] ] [U .]``."""

from __future__ import annotations

from usim.ucca import Edge, Graph, Linkage, Terminal, Unit


def graph_of(text: str, *linkages: tuple[str, str], id: str = "") -> Graph:
    """Return the graph that brackets say.

    ``A|S`` has two categories, ``[A IMPLICIT]`` is an implicit unit, ``[U .]`` a punctuation unit, and a word in no
    brackets of its own belongs to the unit around it. ``[A=x …]`` gives a unit a name: ``[A* x]`` is a remote edge to
    it, and ``[=x …]`` goes on with it after a gap. A linkage has the names of what links and of what is linked.
    """
    terminals: list[Terminal] = []
    units: list[list[int]] = [[]]
    implicit, punct = set(), set()
    edges: list[Edge] = []
    names: dict[str, int] = {}
    remotes: list[tuple[int, str]] = []
    targets: list[str] = []
    stack = [0]
    for token in text.replace("[", " [").replace("]", " ] ").split():
        if token == "]":
            stack.pop()
        elif token.startswith("["):
            label, _, name = token[1:].partition("=")
            if label.endswith("*"):
                remotes.append((stack[-1], label[:-1]))
                stack.append(-1)
            elif not label:
                stack.append(names[name])
            else:
                edges.append(Edge(stack[-1], len(units), tuple(label.split("|"))))
                if name:
                    names[name] = len(units)
                if label == "U":
                    punct.add(len(units))
                stack.append(len(units))
                units.append([])
        elif stack[-1] < 0:
            targets.append(token)
        elif token == "IMPLICIT":
            implicit.add(stack[-1])
        else:
            units[stack[-1]].append(len(terminals))
            terminals.append(Terminal(token, token in ".,!?\"'"))
    edges += [
        Edge(parent, names[name], tuple(label.split("|")), is_remote=True)
        for (parent, label), name in zip(remotes, targets, strict=True)
    ]
    return Graph(
        terminals,
        [Unit(tuple(held), u in implicit, u in punct) for u, held in enumerate(units)],
        edges,
        [Linkage(*(tuple(names[name] for name in ends.split()) for ends in linkage)) for linkage in linkages],
        id=id,
    )
