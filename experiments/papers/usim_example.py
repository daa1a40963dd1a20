"""The worked example of the USim paper (Choshen and Abend 2018, §4.5): a sentence, a good correction and a poor one.

The poor one is the output of a corrector that was stopped early in its training (Sakaguchi et al. 2017), for a sentence
of JFLEG dev. The paper prints USim .71 for the reference and .33 for the corrector.

The authors' repository (``borgr/assess_learner_language``, folder ``data/jfleg/dev/xmls``) has the graphs that TUPA
made of these sentences; ``usim_example.txt`` has them in brackets. So the measure can be looked at without the parser.
"""

from __future__ import annotations

import re
from pathlib import Path
from typing import NamedTuple

from usim.ucca import Edge, Graph, Terminal, Unit

SOURCE = "the good student must know how to understand and work hard to get the iede ."
REFERENCE = "A good student must be able to understand and work hard to get the idea ."
CORRECTOR = "The good student must know how to understand and work hard to get on ."

#: The figures that the paper prints.
PRINTED = {"reference": 0.71, "corrector": 0.33}


_TOKENS = re.compile(r"\[[A-Z]+\*\w+\]|\[[A-Z]+(?::\w+)?|\]|[^\s\[\]]+")


class Example(NamedTuple):
    """The graphs of the three sentences."""

    source: Graph
    reference: Graph
    corrector: Graph


def graph_of(brackets: str) -> Graph:
    """Read a graph in brackets.

    ``[A:s the student]`` is a participant that is called *s*, and ``[A*s]`` a remote edge to it. A unit of the category
    U is punctuation. All brackets stand under one root.

    >>> print(graph_of("[H [A:s [E the] [C student]] [P left]] [L to] [H [A*s] [P sleep]]"))
    [H [A [E the] [C student] ] [P left] ] [L to] [H [P sleep] [A* the student] ]
    """
    terminals: list[Terminal] = []
    held: list[list[int]] = [[]]
    categories = [""]
    edges: list[Edge] = []
    names: dict[str, int] = {}
    remotes: list[tuple[int, str, str]] = []
    open_units = [0]
    for token in _TOKENS.findall(brackets):
        if match := re.fullmatch(r"\[([A-Z]+)\*(\w+)\]", token):
            remotes.append((open_units[-1], match[2], match[1]))
        elif match := re.fullmatch(r"\[([A-Z]+)(?::(\w+))?", token):
            held.append([])
            categories.append(match[1])
            edges.append(Edge(open_units[-1], len(held) - 1, (match[1],)))
            open_units.append(len(held) - 1)
            if match[2]:
                names[match[2]] = open_units[-1]
        elif token == "]":
            open_units.pop()
        else:
            held[open_units[-1]].append(len(terminals))
            terminals.append(Terminal(token, categories[open_units[-1]] == "U"))
    edges += [Edge(parent, names[name], (category,), is_remote=True) for parent, name, category in remotes]
    units = [Unit(tuple(own), is_punct=category == "U") for own, category in zip(held, categories, strict=True)]
    return Graph(terminals, units, edges)


_GRAPHS = Path(__file__).with_name("usim_example.txt").read_text("utf-8").splitlines()
#: The graphs of TUPA in the authors' repository (sentence 196 of ``dev.src``, ``dev.ref3`` and ``mle_1.txt``, from 0).
TUPA = Example(*map(graph_of, _GRAPHS))
