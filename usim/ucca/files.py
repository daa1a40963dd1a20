"""Graphs in files, whatever their format, and which of them belong together.

A file that cannot be read, a passage without a partner, tokens that differ: each is an error of its own that names the
file. It is yielded among the graphs or pairs, so that one bad file does not stop the others.
"""

from __future__ import annotations

import os
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import islice
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from usim.errors import AlignmentError, FormatError, InputError, UsimError
from usim.text.files import open_binary, parse_json, read_bounded, split_lines
from usim.ucca._graph import Graph
from usim.ucca._mrp import from_mrp
from usim.ucca._xml import LARGEST_XML, parse_xml
from usim.ucca.evaluate import check_tokens

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


@dataclass(frozen=True)
class GraphPair:
    """A gold graph and a graph of the same tokens that is compared with it.

    Attributes:
        gold: the gold graph.
        predicted: the other graph.
        path: the file of the gold graph.
        other: the file of the other graph, or the name of the parser that made it.
    """

    gold: Graph
    predicted: Graph
    path: Path
    other: str


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

    A file that begins with ``<`` is UCCA XML, and another one MRP. MRP graphs of other frameworks are left out.

    Yields:
        The graphs; an error for each file and each line that cannot be read.

    Raises:
        InputError: no such file or folder, or no such files in it.
    """
    if not os.path.isdir(path):
        if os.fspath(path) != "-" and not os.path.exists(path):
            raise InputError("no such file or folder of UCCA XML or MRP graphs", path=path)
        yield from _read_file(Path(path))
        return
    paths = sorted(_files_below(path))
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
    """Read one graph of a file of UCCA XML or MRP.

    Args:
        path: the file; ``-`` is standard input.
        id: of a file with several graphs, the one with this id.

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
    known = ", ".join(list(graphs)[:_SHOWN]) + (", …" if len(graphs) > _SHOWN else "")
    raise InputError(
        f"{len(graphs)} graphs; choose one by its id: {known}" if graphs else "no graph", path=path, text=id
    )


def pair_graphs(
    gold: str | os.PathLike[str], predicted: str | os.PathLike[str], *, sentences: bool = False
) -> Iterator[GraphPair | UsimError]:
    """Pair the passages of two folders or files of graphs.

    Passages belong together if they have the same name: the passage id, or the file's name where the folder has no such
    id or has it twice.

    Args:
        gold: the folder or file of the gold passages, see :func:`read_graphs`.
        predicted: that of the passages to compare with them.
        sentences: whether passages are cut into sentences, both where the gold passage is.

    Yields:
        Pairs in the order of the gold graphs. An error for each file that cannot be read, each passage without a
        partner and each pair with different tokens.

    Raises:
        InputError: there is no such folder or file, or it is empty.
    """
    golds, gold_errors = _read_by_name(gold)
    others, other_errors = _read_by_name(predicted)
    yield from (*gold_errors, *other_errors)
    for name, passage in golds.items():
        if name in others:
            yield from _pairs(passage, others.pop(name), sentences)
        else:
            yield _error(passage, f"no passage with this name in {os.fspath(predicted)}")
    for other in others.values():
        yield _error(other, f"no gold passage with this name in {os.fspath(gold)}")


def pair_parses(
    gold: str | os.PathLike[str], parser: Parser, *, sentences: bool = False
) -> Iterator[GraphPair | UsimError]:
    """Pair the passages of a folder or file of graphs with the graphs that a parser makes of their tokens.

    Yields:
        Pairs in the order of the files; an error for each file that cannot be read or parsed.

    Raises:
        InputError: there is no such folder or file, or it is empty.
    """
    golds, errors = _read_all(gold)
    yield from errors
    parts = (part for passage in golds for part in (_split(passage) if sentences else [passage]))
    while block := list(islice(parts, _BATCH)):
        yield from _parse(block, parser)


def _read_all(path: str | os.PathLike[str]) -> tuple[list[GraphFile], list[UsimError]]:
    graphs: list[GraphFile] = []
    errors: list[UsimError] = []
    for each in read_graphs(path):
        if isinstance(each, GraphFile):
            graphs.append(each)
        else:
            errors.append(each)
    return graphs, errors


def _read_by_name(path: str | os.PathLike[str]) -> tuple[dict[str, GraphFile], list[UsimError]]:
    graphs, errors = _read_all(path)
    counts = Counter(each.graph.id for each in graphs)
    named: dict[str, GraphFile] = {}
    for each in graphs:
        name = each.graph.id if each.graph.id and counts[each.graph.id] == 1 else each.path.stem
        if name in named:
            errors.append(_error(each, f"a passage with the id and the name of that in {named[name]}"))
        else:
            named[name] = each
    return named, errors


def _split(passage: GraphFile) -> list[GraphFile]:
    return [passage._replace(graph=sentence) for sentence in passage.graph.sentences()]


def _parse(block: Sequence[GraphFile], parser: Parser) -> Iterable[GraphPair | UsimError]:
    """Pair passages with their parses; where one of them makes the parser fail, the others are parsed without it."""
    try:
        graphs = parser.parse([p.graph.tokens for p in block], ids=[p.graph.id for p in block])
    except UsimError as e:
        if len(block) == 1:
            e.path = e.path or os.fspath(block[0].path)
            return [e]
        return [result for passage in block for result in _parse([passage], parser)]
    return [_pair(p, g, parser.name) for p, g in zip(block, graphs, strict=True)]


def _pairs(gold: GraphFile, other: GraphFile, sentences: bool) -> list[GraphPair | UsimError]:
    pair = _pair(gold, other.graph, str(other))
    if not sentences or isinstance(pair, UsimError):
        return [pair]
    ends = gold.graph.sentence_ends()
    return [
        GraphPair(part.graph, other.graph.slice(start, end, part.graph.id), pair.path, pair.other)
        for part, start, end in zip(_split(gold), [0, *ends], ends, strict=False)
    ]


def _pair(gold: GraphFile, other: Graph, name: str) -> GraphPair | UsimError:
    try:
        check_tokens(gold.graph, other)
    except AlignmentError as e:
        e.path = name
        e.message += f" {gold}"
        return e
    return GraphPair(gold.graph, other, gold.path, name)


def _error(passage: GraphFile, message: str) -> InputError:
    return InputError(message, path=passage.path, line=passage.line, text=passage.graph.id)
