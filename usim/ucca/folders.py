"""Folders of passages, and which of them belong together: what :mod:`usim.ucca.evaluate` compares.

A file that cannot be read, a passage without a partner, tokens that differ: each is an error of its own that names the
file. It is yielded among the pairs, so that one bad file does not stop the others.
"""

from __future__ import annotations

import os
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import islice
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from usim.errors import AlignmentError, InputError, UsimError
from usim.ucca._formats import read_xml
from usim.ucca._graph import Graph
from usim.ucca.evaluate import check_tokens

if TYPE_CHECKING:
    from usim.parsing import Parser

_BATCH = 64


class GraphFile(NamedTuple):
    """A passage and the file that it was read from."""

    path: Path
    graph: Graph


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


def read_folder(folder: str | os.PathLike[str]) -> tuple[list[GraphFile], list[UsimError]]:
    """Read the files ``*.xml`` of a folder; return the passages by file name, and the errors of unreadable files.

    Raises:
        InputError: no such folder, or no such files in it.
    """
    root = Path(folder)
    if not root.is_dir():
        raise InputError("not a folder: give a folder of UCCA XML files (*.xml)", path=folder)
    paths = sorted(root.glob("*.xml"))
    if not paths:
        raise InputError("no UCCA XML files (*.xml) in this folder", path=folder)
    passages: list[GraphFile] = []
    errors: list[UsimError] = []
    for path in paths:
        try:
            passages.append(GraphFile(path, read_xml(path)))
        except UsimError as e:
            errors.append(e)
    return passages, errors


def split(passage: GraphFile) -> list[GraphFile]:
    """Cut a passage into its sentences, see :meth:`usim.ucca.Graph.sentences`."""
    return [GraphFile(passage.path, _as_written(sentence)) for sentence in passage.graph.sentences()]


def pair_folders(
    gold: str | os.PathLike[str], predicted: str | os.PathLike[str], *, sentences: bool = False
) -> Iterator[GraphPair | UsimError]:
    """Pair the passages of two folders of UCCA XML.

    Passages belong together if they have the same passage id; those that are left, if their files have the same name.

    Args:
        gold: the folder of the gold passages.
        predicted: the folder of the passages to compare with them.
        sentences: whether passages are cut into sentences, both where the gold passage is. ``predicted`` may also hold
            the sentences as passages of their own, named as :meth:`~usim.ucca.Graph.sentences` names them.

    Yields:
        Pairs in the order of the gold files. An error for each file that cannot be read, each passage without a
        partner and each pair with different tokens.

    Raises:
        InputError: a folder cannot be read or is empty.
    """
    golds, gold_errors = read_folder(gold)
    others, other_errors = read_folder(predicted)
    yield from gold_errors
    yield from other_errors
    unreadable = {Path(e.path).name for e in (*gold_errors, *other_errors) if e.path is not None}
    partner_of = _match(golds, others)
    paired = set(partner_of.values())
    for i, passage in enumerate(golds):
        if i in partner_of:
            yield from _whole(passage, others[partner_of[i]], sentences)
            continue
        parts = split(passage) if sentences else []
        partners = _match(parts, others) if parts else {}
        if partners:
            paired.update(partners.values())
            for k, part in enumerate(parts):
                yield from _whole(part, others[partners[k]], False) if k in partners else [_alone(part, predicted)]
        elif passage.path.name not in unreadable:
            yield _alone(passage, predicted)
    for j, other in enumerate(others):
        if j not in paired and other.path.name not in unreadable:
            yield InputError(
                f"no gold passage with this passage id, and no file of this name in {os.fspath(gold)}",
                path=other.path,
                text=other.graph.id,
            )


def pair_parses(
    gold: str | os.PathLike[str], parser: Parser, *, sentences: bool = False
) -> Iterator[GraphPair | UsimError]:
    """Pair the passages of a folder of UCCA XML with the graphs that a parser makes of their tokens.

    Yields:
        Pairs in the order of the files; an error for each file that cannot be read or parsed.

    Raises:
        InputError: the folder cannot be read or is empty.
    """
    golds, errors = read_folder(gold)
    yield from errors
    parts = (part for passage in golds for part in (split(passage) if sentences else [passage]))
    while block := list(islice(parts, _BATCH)):
        yield from _parse(block, parser)


def _parse(block: Sequence[GraphFile], parser: Parser) -> Iterable[GraphPair | UsimError]:
    """Pair passages with their parses; where one of them makes the parser fail, the others are parsed without it."""
    try:
        graphs = parser.parse([p.graph.tokens for p in block], ids=[p.graph.id for p in block])
    except UsimError as e:
        if len(block) == 1:
            e.path = e.path or os.fspath(block[0].path)
            return [e]
        return [result for passage in block for result in _parse([passage], parser)]
    return [_pair(p, GraphFile(p.path, _as_written(g)), parser.name) for p, g in zip(block, graphs, strict=True)]


def _match(golds: Sequence[GraphFile], others: Sequence[GraphFile]) -> dict[int, int]:
    """Pair gold passages with others by passage id, then by file name; return places in the two lists."""
    ids, other_ids = (Counter(p.graph.id for p in passages) for passages in (golds, others))
    by_id = {p.graph.id: j for j, p in enumerate(others) if p.graph.id and other_ids[p.graph.id] == 1}
    by_ids = {i: by_id[p.graph.id] for i, p in enumerate(golds) if p.graph.id in by_id and ids[p.graph.id] == 1}
    paired = set(by_ids.values())
    by_name = {p.path.name: j for j, p in enumerate(others) if j not in paired}
    names = Counter(p.path.name for p in golds)
    return by_ids | {
        i: by_name[p.path.name]
        for i, p in enumerate(golds)
        if i not in by_ids and p.path.name in by_name and names[p.path.name] == 1
    }


def _whole(gold: GraphFile, other: GraphFile, sentences: bool) -> list[GraphPair | UsimError]:
    pair = _pair(gold, other, os.fspath(other.path))
    if not sentences or isinstance(pair, UsimError):
        return [pair]
    ends = gold.graph.sentence_ends()
    return [
        GraphPair(part.graph, _as_written(other.graph.slice(start, end, part.graph.id)), pair.path, pair.other)
        for part, start, end in zip(split(gold), [0, *ends], ends, strict=False)
    ]


def _pair(gold: GraphFile, other: GraphFile, name: str) -> GraphPair | UsimError:
    try:
        check_tokens(gold.graph, other.graph)
    except AlignmentError as e:
        e.path = name
        e.message += f" {gold.path}"
        return e
    return GraphPair(gold.graph, other.graph, gold.path, name)


def _alone(gold: GraphFile, predicted: str | os.PathLike[str]) -> InputError:
    return InputError(
        f"no passage with this passage id, and no file of this name in {os.fspath(predicted)}",
        path=gold.path,
        text=gold.graph.id,
    )


def _as_written(graph: Graph) -> Graph:
    """Return the graph with its units named in canonical order, as they are when it is written to a file."""
    return Graph(graph.terminals, graph.units, graph.edges, graph.linkages, graph.id)
