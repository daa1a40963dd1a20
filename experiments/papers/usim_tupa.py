"""The figures of the USim paper on the graphs that its authors had TUPA make (§4.3 and §4.5).

Their script pairs files by name, which goes wrong in both experiments. For §4.5 the number of the source is the first
run of digits in the name of the output: ``mle_5.txt99.xml`` is compared with ``dev.src5.xml``, and ``dev.ref142.xml``
(sentence 42 of the first other reference) with ``dev.src142.xml``. For §4.3 the sentences of an essay and of its
correction are paired by position, also behind a sentence that the correction divides. Each experiment has a row with
their pairs and one with the right pairs.
"""

from __future__ import annotations

import re
import xml.etree.ElementTree as ET
from collections.abc import Callable, Mapping, Sequence
from itertools import chain
from pathlib import Path

import numpy as np
from scipy.sparse import coo_array
from scipy.sparse.csgraph import connected_components

from experiments.common.printed import Figure, Row
from usim.measures import DEFAULT, PAPER_PLAIN, REFERENCE, Preset, align_tokens, usim_score
from usim.ucca import Edge, Graph, Linkage, Unit, parse_xml

_PRESETS = (DEFAULT, PAPER_PLAIN, REFERENCE)
_OUTPUTS = (*(f"dev.ref{k}" for k in range(4)), *(f"mle_{k}.txt" for k in range(1, 6)))
_ESSAYS = (2, 3, 5, 6, 7, 8, 10)

Pairs = list[tuple[Graph, Graph]]

#: Returns the number of the source of an output: given the name of its file without ``.xml``, its own number, and how
#: many sources there are.
Source = Callable[[str, int, int], int]


def source_by_authors(name: str, own: int, sources: int) -> int:
    """Return the source with which the authors' script compares an output, by the name of the output's file.

    The script takes the first run of digits, without its first digit where there is no such source.

    >>> [source_by_authors(name, 0, 754) for name in ("mle_5.txt99", "dev.ref142", "dev.ref1142", "dev.ref0142")]
    [5, 142, 142, 142]
    """
    number = re.findall(r"\d+", name)[0]
    return int(number if str(int(number)) == number and int(number) < sources else number[1:])


def _read(paths: Sequence[Path]) -> tuple[list[Graph], int]:
    """Read graphs; return them with the number of those that have a word without a unit."""
    graphs = [read_torn(path) for path in paths]
    return [graph for graph, _ in graphs], sum(is_torn for _, is_torn in graphs)


def read_torn(path: Path) -> tuple[Graph, bool]:
    """Read a graph, and give words that no unit holds to its root, which adds no edge; return whether there are any."""
    passage = ET.fromstring(path.read_text(encoding="utf-8"))
    words, nodes = (passage.findall(f"layer[@layerID='{layer}']/node") for layer in "01")
    edges = [edge for node in nodes for edge in node.findall("edge")]
    below = {edge.get("toID") for edge in edges if edge.find("attributes[@remote='True']") is None}
    lost = [word.get("ID", "") for word in words if word.get("ID") not in below]
    root = next((node for node in nodes if node.get("ID") not in below and node.get("type") == "FN"), None)
    for word in lost if root is not None else ():
        ET.SubElement(root, "edge", toID=word, type="Terminal")
    return parse_xml(ET.tostring(passage), path=path), bool(lost)


def _mean(pairs: Pairs, preset: Preset) -> float:
    return float(np.mean([usim_score(source, output, preset).f for source, output in pairs]))


# -- §4.5 ------------------------------------------------------------------------------------------------------------


def _systems(source_of: Source, why: str) -> Callable[[Path], list[Figure]]:
    def figures(graph: Path) -> list[Figure]:
        folder = graph.parent
        total = len(list(folder.glob("dev.src*.xml")))
        sources, torn = _read([folder / f"dev.src{k}.xml" for k in range(total)])
        means: dict[str, dict[str, float]] = {kind: {} for kind in _OUTPUTS}
        wrong = 0
        for kind in _OUTPUTS:
            outputs, own_torn = _read([folder / f"{kind}{k}.xml" for k in range(total)])
            torn += own_torn
            places = [source_of(f"{kind}{k}", k, total) for k in range(total)]
            wrong += sum(place != k for k, place in enumerate(places))
            pairs = [(sources[place], output) for place, output in zip(places, outputs, strict=True)]
            means[kind] = {preset.name: _mean(pairs, preset) for preset in _PRESETS}
        pairs_of = f"{wrong} of {len(_OUTPUTS) * total} outputs meet a wrong source"
        of_graphs = f"{torn} of {(len(_OUTPUTS) + 1) * total} graphs have a word without a unit"
        return [
            Figure(f"{name}, {preset.name}", value, f"{why}; {pairs_of}; {of_graphs}", printed)
            for preset in _PRESETS
            for name, (value, printed) in _extremes({kind: own[preset.name] for kind, own in means.items()}).items()
        ]

    return figures


def _extremes(means: Mapping[str, float]) -> dict[str, tuple[float, float]]:
    """Return what is printed of the means of references and systems: name → measured and printed figure."""
    references, systems = (sorted(mean for kind, mean in means.items() if kind.startswith(of)) for of in ("d", "m"))
    return {
        "references: lowest": (references[0], 0.72),
        "references: highest": (references[-1], 0.78),
        "systems: the worst": (systems[0], 0.19),
        "systems, the others: lowest": (systems[1], 0.32),
        "systems: highest": (systems[-1], 0.39),
    }


# -- §4.3 ------------------------------------------------------------------------------------------------------------


def _essays(paired: Callable[[list[Graph], list[Graph]], Pairs], why: str) -> Callable[[Path], list[Figure]]:
    def figures(graph: Path) -> list[Figure]:
        pairs: Pairs = []
        for essay in _ESSAYS:
            learner, correction = (
                _read(sorted(graph.parent.glob(name)))[0]
                for name in (f"{essay}[0-9][0-9][0-9].xml", f"{essay}_corrected*.xml")
            )
            pairs += paired(learner, correction)
        return [Figure(f"mean, {preset.name}", _mean(pairs, preset), why, 0.7) for preset in _PRESETS]

    return figures


def by_position(sources: list[Graph], outputs: list[Graph]) -> Pairs:
    """Pair sentences by their numbers; those that one side has more are left out."""
    return list(zip(sources, outputs, strict=False))


def by_words(sources: list[Graph], outputs: list[Graph]) -> Pairs:
    """Pair the sentences of two versions of an essay by their words.

    A sentence belongs to another if at least half of the words of the shorter one are aligned to it in the alignment of
    the essays. Sentences that belong together become one graph; sentences without any counterpart are left out.
    """
    sides = sources, outputs
    aligned = align_tokens(*([token for graph in graphs for token in graph.tokens] for graphs in sides))
    owner = [np.repeat(np.arange(len(graphs)), [len(graph.tokens) for graph in graphs]) for graphs in sides]
    shared = np.zeros((len(sources), len(outputs)))
    np.add.at(shared, (owner[0][aligned.source], owner[1][aligned.output]), 1)
    lengths = [np.array([len(graph.tokens) for graph in graphs]) for graphs in sides]
    i, j = (shared >= np.minimum.outer(*lengths) / 2).nonzero()
    total = len(sources) + len(outputs)
    links = coo_array((np.ones(len(i)), (i, len(sources) + j)), shape=(total, total))
    count, group = connected_components(links, directed=False)
    pairs: Pairs = []
    for k in range(count):
        own = [
            [graph for graph, of in zip(graphs, groups, strict=True) if of == k]
            for graphs, groups in zip(sides, (group[: len(sources)], group[len(sources) :]), strict=True)
        ]
        if all(own):
            pairs.append((joined(own[0]), joined(own[1])))
    return pairs


def joined(graphs: Sequence[Graph]) -> Graph:
    """Join the graphs of sentences in one, under one root.

    >>> from tests.brackets import graph_of
    >>> print(joined([graph_of("[H [A He] [P left]] [U .]"), graph_of("[H [P Sleep]] [U !]")]))
    [H [A He] [P left] ] [U .] [H [P Sleep] ] [U !]
    """
    if len(graphs) == 1:
        return graphs[0]
    units: list[Unit] = [Unit()]
    edges: list[Edge] = []
    linkages: list[Linkage] = []
    held: list[int] = []
    words = 0
    for graph in graphs:
        new = [0, *range(len(units), len(units) + len(graph.units) - 1)]
        moved = [unit._replace(terminals=tuple(words + i for i in unit.terminals)) for unit in graph.units]
        held += moved[0].terminals
        units += moved[1:]
        edges += [edge._replace(parent=new[edge.parent], child=new[edge.child]) for edge in graph.edges]
        linkages += [Linkage(*(tuple(new[unit] for unit in of) for of in linkage)) for linkage in graph.linkages]
        words += len(graph.terminals)
    units[0] = Unit(tuple(held))
    return Graph(chain.from_iterable(graph.terminals for graph in graphs), units, edges, linkages)


_ESSAYS_ROW = "§4.3: TUPA's graphs of the essays", "usim-tupa-essays/2000.xml"
_SYSTEMS_ROW = "§4.5: TUPA's graphs", "jfleg-tupa/dev.src0.xml"
_BY_AUTHORS, _RIGHTLY = "as the authors paired them", "paired rightly"
ROWS = [
    Row(f"{section}, {how}", (file,), measure, slow=True)
    for (section, file), how, measure in (
        (_ESSAYS_ROW, _BY_AUTHORS, _essays(by_position, "paired by position, as the authors did")),
        (_ESSAYS_ROW, _RIGHTLY, _essays(by_words, "paired by their words; the printed figure is of other pairs")),
        (_SYSTEMS_ROW, _BY_AUTHORS, _systems(source_by_authors, "paired by the first digits of the name")),
        (_SYSTEMS_ROW, _RIGHTLY, _systems(lambda name, own, sources: own, "the printed figures are of other pairs")),
    )
]
