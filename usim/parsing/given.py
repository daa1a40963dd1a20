"""Graphs from files as a parser: a folder or a file of UCCA XML or MRP.

Another parser, or an annotator, has written its graphs. To score them, the graph of each sentence must be found. *The
text decides, the id helps*: a graph belongs to a sentence only if its tokens are the sentence's, so that a shifted line
or an edited file never gives a wrong score unnoticed.

* Of several graphs with the sentence's text, those are taken that have the sentence's id (the name of the file, the
  passage's id, the ``id`` of an MRP graph). Ids are what the caller gives; the command line numbers lines: ``000001`` …
* If the graphs that are left differ, that is an error.

A text matches tokens if both are the same but for white space, so it does not matter how the other parser cuts words. A
sentence that is given as tokens matches exactly these.

The graphs are read at the first sentence, and kept: some 20 KB each.
"""

from __future__ import annotations

import copy
import os
from collections.abc import Sequence
from functools import cached_property
from pathlib import Path

from usim.errors import ParsingError, UsimError
from usim.text import check_batch, plain
from usim.ucca import Graph, Unit, storable_in_xml
from usim.ucca.files import GraphFile, holds_graphs, read_graphs


class GivenParser:
    """A parser that finds the graph of each sentence among those of a folder or of a file.

    Args:
        path: where the graphs are, see :func:`usim.ucca.files.read_graphs`.

    Attributes:
        name: how they are called in signatures, such as ``xml:graphs`` for a folder and ``mrp:dev.mrp`` for a file.

    Raises:
        ParsingError: there is no such file, or no file of graphs in the folder.
    """

    def __init__(self, path: str | os.PathLike[str]) -> None:
        self.path = os.fspath(path)
        is_folder = os.path.isdir(path)
        if not os.path.exists(path):
            raise ParsingError("no such file or folder", path=path)
        if not (is_folder or os.path.isfile(path)):  # a pipe may never end
            raise ParsingError("neither a file nor a folder", path=path)
        if is_folder and not holds_graphs(path):
            raise ParsingError("no graphs in this folder, neither *.xml nor *.mrp", path=path)
        has_xml = any(Path(path).rglob("*.xml")) if is_folder else self.path.endswith(".xml")
        self.name = f"{'xml' if has_xml else 'mrp'}:{Path(path).resolve().name}"

    def __reduce__(self) -> tuple[type[GivenParser], tuple[str]]:
        return GivenParser, (self.path,)

    @cached_property
    def _graphs(self) -> tuple[dict[str, list[GraphFile]], list[UsimError]]:
        """The graphs by their texts, and the errors of those that cannot be read."""
        by_text: dict[str, list[GraphFile]] = {}
        errors: list[UsimError] = []
        for each in read_graphs(self.path):
            if isinstance(each, UsimError):
                errors.append(each)
            else:
                by_text.setdefault(_key(each.graph.tokens), []).append(each)
        return by_text, errors

    def parse(self, sentences: Sequence[str | Sequence[str]], *, ids: Sequence[str] | None = None) -> list[Graph]:
        """Return the graphs of sentences, in order; each has the id that is given for it, or else its own.

        An empty sentence for which there is no graph gets an empty one.

        Raises:
            ParsingError: a sentence has no graph, or several that differ; where a graph has its id, with that graph's
                text.
        """
        check_batch(sentences, ids)
        names: Sequence[str | None] = [None] * len(sentences) if ids is None else ids
        return [self._find(sentence, name) for sentence, name in zip(sentences, names, strict=True)]

    def _find(self, sentence: str | Sequence[str], id: str | None) -> Graph:
        of_text = self._graphs[0].get(_key(sentence), [])
        fitting = of_text
        if not isinstance(sentence, str):
            tokens = [*map(storable_in_xml, sentence)]
            fitting = [each for each in of_text if [*map(storable_in_xml, each.graph.tokens)] == tokens]
        fitting = [each for each in fitting if _has_id(each, id)] or fitting
        if not fitting:
            if not _key(sentence):
                return Graph([], [Unit()], [], id=id or "")
            raise self._mismatch(sentence, id, of_text)
        first, *duplicates = fitting
        for other in duplicates:
            if other.graph != first.graph:
                what = f"two graphs of the same text that differ, here and in {other}"
                what = f"{what}: give the sentences' ids, or keep one of the graphs"
                raise ParsingError(what, path=first.path, line=first.line, text=_show(sentence))
        graph = first.graph
        if id and graph.id != id:
            graph = copy.copy(graph)
            object.__setattr__(graph, "id", id)
        return graph

    def _mismatch(self, sentence: str | Sequence[str], id: str | None, of_text: Sequence[GraphFile]) -> ParsingError:
        """Return the error for a sentence without a graph; it has the text of the graph with its id."""
        by_text, errors = self._graphs
        graphs = [each for same in by_text.values() for each in same]
        kind = "text" if isinstance(sentence, str) else "tokens"
        message = f"none of the {len(graphs)} graphs has the {kind} of the sentence{f' {id}' if id else ''}"
        for each in ([each for each in graphs if _has_id(each, id)] or of_text)[:1]:
            message += f"; the one in {each} is of {each.graph.text():.80}"
        if errors:
            message += f"; {len(errors)} more could not be read, the first: {errors[0]}"
        return ParsingError(message, path=self.path, text=_show(sentence))


def _has_id(each: GraphFile, id: str | None) -> bool:
    """Return whether a graph, or the file that holds nothing else, has an id for its name."""
    return bool(id) and (each.graph.id == id or (each.line is None and each.path.stem == id))


def _key(sentence: str | Sequence[str]) -> str:
    """Return what a text and its tokens have in common: the characters without white space."""
    return storable_in_xml("".join(plain(_show(sentence)).split()))


def _show(sentence: str | Sequence[str]) -> str:
    return sentence if isinstance(sentence, str) else " ".join(sentence)
