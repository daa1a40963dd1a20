"""Graphs in files, whatever their format, and gold graphs beside those of a parser.

A file that cannot be read, or that a parser has no graph for, is an error of its own that names the file. It is yielded
among the graphs or pairs, so that one bad file does not stop the others.
"""

from __future__ import annotations

import os
from collections.abc import Iterator, Sequence
from itertools import pairwise
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from usim.errors import FormatError, InputError, UsimError
from usim.text.files import open_binary, parse_json, read_bounded, split_lines
from usim.ucca._graph import Graph
from usim.ucca._mrp import from_mrp
from usim.ucca._xml import LARGEST_XML, parse_xml

if TYPE_CHECKING:
    from usim.parsing import Parser

_BATCH = 64
_SHOWN = 5  # ids in an error
_ENDINGS = (".xml", ".mrp")
_BOM = b"\xef\xbb\xbf"


class GraphFile(NamedTuple):
    """A graph, and the file that it was read from; of a file of several also the line."""

    graph: Graph
    path: Path
    line: int | None = None

    def __str__(self) -> str:
        return f"{self.path}" if self.line is None else f"{self.path}:{self.line}"


class GraphPair(NamedTuple):
    """A gold graph, the graph that a parser has for its tokens, and the file of the gold graph."""

    gold: Graph
    predicted: Graph
    path: Path


def holds_graphs(path: str | os.PathLike[str]) -> bool:
    """Return whether a path is one of graphs: a folder of ``*.xml`` or ``*.mrp`` files, or a file of such a name.

    >>> holds_graphs("gold.mrp"), holds_graphs("text.txt")
    (True, False)
    """
    return os.fspath(path).endswith(_ENDINGS) or any(_files_below(path))


def _files_below(folder: str | os.PathLike[str]) -> Iterator[Path]:
    return (path for path in Path(folder).rglob("*") if path.suffix in _ENDINGS and path.is_file())


def read_graphs(path: str | os.PathLike[str]) -> Iterator[GraphFile | UsimError]:
    """Yield the graphs of a file, or of all ``*.xml`` and ``*.mrp`` files in a folder and below it, by name.

    A file that begins with ``<`` is UCCA XML, and another one MRP. MRP graphs of other frameworks are left out. For
    each file and each line that cannot be read there is an error.

    Raises:
        InputError: no such file or folder, or no such files in it.
    """
    if os.fspath(path) != "-" and not os.path.exists(path):
        raise InputError("no such file or folder of UCCA XML or MRP graphs", path=path)
    paths = sorted(_files_below(path)) if os.path.isdir(path) else [Path(path)]
    if not paths:
        raise InputError("no graphs in this folder: there is neither UCCA XML (*.xml) nor MRP (*.mrp)", path=path)
    for file in paths:
        yield from _read_file(file)


def _read_file(path: Path) -> Iterator[GraphFile | UsimError]:
    try:
        with open_binary(path) as file:
            is_xml = False
            for number, line, is_too_long in split_lines(file):
                line = line.removeprefix(_BOM) if number == 1 else line
                if not line.strip():
                    continue
                if is_xml := line.lstrip().startswith(b"<"):
                    break
                try:
                    if is_too_long:
                        raise FormatError("a line that is too long", path=path, line=number)
                    record = parse_json(line)
                    if not isinstance(record, dict) or record.get("framework", "ucca") == "ucca":
                        yield GraphFile(from_mrp(record, path=path, line=number), path, number)
                except UsimError as e:
                    yield e
                except ValueError as e:
                    yield FormatError(f"not JSON: {e}", path=path, line=number)
            if is_xml:
                data = b"\n" * (number - 1) + line + read_bounded(file, path, limit=LARGEST_XML)
                yield GraphFile(parse_xml(data, path=path), path)
    except UsimError as e:
        yield e


def read_graph(path: str | os.PathLike[str], id: str | None = None) -> Graph:
    """Read the graph of a file of UCCA XML or MRP, of several the one with an id; ``-`` is standard input.

    Raises:
        InputError: the file is not there, has no graph with this id, or has several and ``id`` is not given.
        FormatError: a graph cannot be read.
    """
    graphs: dict[str, Graph] = {}
    for each in read_graphs(path):
        if isinstance(each, UsimError):
            raise each
        graphs.setdefault(each.graph.id, each.graph)
    if id is None and len(graphs) == 1:
        return next(iter(graphs.values()))
    if id in graphs:
        return graphs[id]
    known = ", ".join(list(graphs)[:_SHOWN]) + ", …" * (len(graphs) > _SHOWN)
    problem = f"{len(graphs)} graphs; choose one by its id (--id): {known}" if graphs else "no graph"
    raise InputError(problem, path=path, text=id)


def pair_graphs(
    gold: str | os.PathLike[str], parser: Parser, *, sentences: bool = False, whole: bool = False
) -> Iterator[GraphPair | UsimError]:
    """Pair the passages of a folder or file of graphs with the graphs that a parser has for their tokens.

    Pairs come in the order of the files; for each file that cannot be read or parsed there is an error.

    Args:
        gold: the folder or file of the gold passages, see :func:`read_graphs`.
        sentences: whether passages are cut into sentences where the gold graph ends them.
        whole: whether the parser gets whole passages, whose graphs are cut afterwards.

    Raises:
        InputError: there is no such folder or file, or it is empty.
    """
    passages: list[GraphFile] = []
    for each in read_graphs(gold):
        if isinstance(each, UsimError):
            yield each
        elif sentences and not whole:
            passages += [each._replace(graph=sentence) for sentence in each.graph.sentences()]
        else:
            passages.append(each)
    for start in range(0, len(passages), _BATCH):
        for pair in _parse(passages[start : start + _BATCH], parser):
            yield from _cut(pair) if sentences and whole and isinstance(pair, GraphPair) else [pair]


def _parse(block: Sequence[GraphFile], parser: Parser) -> list[GraphPair | UsimError]:
    """Pair passages with their parses; where one of them makes the parser fail, the others are parsed without it."""
    try:
        graphs = parser.parse([p.graph.tokens for p in block], ids=[p.graph.id for p in block])
    except UsimError as e:
        if len(block) == 1:
            e.path = e.path or os.fspath(block[0].path)
            return [e]
        return [result for passage in block for result in _parse([passage], parser)]
    return [GraphPair(p.graph, graph, p.path) for p, graph in zip(block, graphs, strict=True)]


def _cut(pair: GraphPair) -> Iterator[GraphPair]:
    """Yield the sentences of two passages, cut where the gold passage is."""
    spans = pairwise([0, *pair.gold.sentence_ends()])
    for sentence, (start, end) in zip(pair.gold.sentences(), spans, strict=True):
        yield GraphPair(sentence, pair.predicted.slice(start, end, sentence.id), pair.path)
