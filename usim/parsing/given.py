"""Graphs from files as a parser: ``xml:DIR`` and ``mrp:FILE``.

Another parser, or an annotator, has written its graphs to a folder of UCCA XML or to a file of MRP JSON. To score
them, the graph of each sentence must be found. *The text decides, the id helps*: a graph
belongs to a sentence only if its tokens are the sentence's, so that a shifted line or an edited file never gives a
wrong score unnoticed.

* The graph that has the sentence's id (the name of the file, the passage's id, the ``id`` of an MRP graph) is looked at
  first. Ids are what the caller gives; the command line numbers lines: ``000001``, ``000002``, …
* If there is none, or its tokens are others, a graph with the sentence's text is looked for, whatever its id.
* If graphs that differ have the same text, only an id can tell them apart; without one that is an error.

A text matches tokens if both are the same but for white space, so it does not matter how the other parser cuts words. A
sentence that is given as tokens matches exactly these.

A folder is read once for its texts, at the first sentence that its id does not settle, and never if the ids settle all;
graphs are made when they are asked for and not kept. So memory holds one graph, and the texts.
"""

from __future__ import annotations

import copy
import os
from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import partial
from pathlib import Path
from typing import Any, NamedTuple

from usim.errors import FormatError, InputError, ParsingError
from usim.text import check_batch, plain
from usim.text.files import parse_json, split_lines
from usim.ucca import Graph, Unit, from_mrp, read_xml, read_xml_tokens, storable_in_xml


class GraphEntry(NamedTuple):
    """A graph that has not been read yet: its file, and line in a file of several; its id and text; what reads it."""

    path: str
    line: int | None
    id: str
    text: str
    read: Callable[[], Graph]

    def __str__(self) -> str:
        return self.path if self.line is None else f"{self.path}:{self.line}"


#: The graphs of a folder or of a file, in a fixed order; an error for what cannot be read.
Entries = Iterator[GraphEntry | FormatError | InputError]


class GivenParser:
    """A parser that finds the graph of each sentence among the graphs of a folder or of a file.

    Args:
        path: where the graphs are.
        name: how they are called in signatures.
        entries: lists them.
        by_name: those whose files have an id for a name, as far as that is known without reading them.
    """

    def __init__(
        self,
        path: str | os.PathLike[str],
        name: str,
        entries: Callable[[], Entries],
        by_name: Mapping[str, Sequence[GraphEntry]] | None = None,
    ) -> None:
        self.path = os.fspath(path)
        self.name = name
        self._entries = entries
        self._by_name = by_name or {}
        self._by_text: dict[str, list[GraphEntry]] | None = None
        self._by_id: dict[str, list[GraphEntry]] = {}
        self._unreadable: list[FormatError | InputError] = []

    def parse(self, sentences: Sequence[str | Sequence[str]], *, ids: Sequence[str] | None = None) -> list[Graph]:
        """Return the graphs of sentences, in order; each has the id that is given for it, or else its own.

        An empty sentence for which there is no graph gets an empty one.

        Raises:
            ParsingError: a sentence has no graph, or several that differ; where a graph has its id, with that graph's
                text.
            FormatError: the graph of a sentence cannot be read.
        """
        check_batch(sentences, ids)
        names: Sequence[str | None] = [None] * len(sentences) if ids is None else ids
        return [self._find(sentence, name) for sentence, name in zip(sentences, names, strict=True)]

    def _find(self, sentence: str | Sequence[str], id: str | None) -> Graph:
        named = list(self._by_name.get(id, ())) if id else []
        fitting = self._fitting(named, sentence)
        if not fitting:
            by_text = self._index()
            if id:
                places = {str(entry) for entry in named}
                named += [entry for entry in self._by_id.get(id, ()) if str(entry) not in places]
                fitting = self._fitting(named, sentence)
            fitting = fitting or self._fitting(by_text.get(_key(sentence), []), sentence)
        if not fitting:
            if not _key(sentence):
                return Graph([], [Unit()], [], id=id or "")
            raise self._mismatch(sentence, id, named)
        (entry, graph), *duplicates = fitting
        for elsewhere, other in duplicates:
            if other != graph:
                raise ParsingError(
                    f"two graphs of the same text that differ, here and in {elsewhere}: give the sentences' ids, or "
                    "keep one of the graphs",
                    path=entry.path,
                    line=entry.line,
                    text=_show(sentence),
                )
        if id and graph.id != id:
            graph = copy.copy(graph)
            object.__setattr__(graph, "id", id)
        return graph

    def _fitting(self, entries: Sequence[GraphEntry], sentence: str | Sequence[str]) -> list[tuple[GraphEntry, Graph]]:
        """Return the graphs of entries, of those that have the tokens of the sentence."""
        graphs = [(entry, entry.read()) for entry in entries]
        if isinstance(sentence, str):
            return [(entry, graph) for entry, graph in graphs if _key(graph.tokens) == _key(sentence)]
        tokens = [*map(storable_in_xml, sentence)]
        return [(entry, graph) for entry, graph in graphs if [*map(storable_in_xml, graph.tokens)] == tokens]

    def _index(self) -> dict[str, list[GraphEntry]]:
        if self._by_text is None:
            by_text: dict[str, list[GraphEntry]] = {}
            self._by_id, self._unreadable = {}, []
            for entry in self._entries():
                if isinstance(entry, GraphEntry):
                    by_text.setdefault(entry.text, []).append(entry)
                    self._by_id.setdefault(entry.id, []).append(entry)
                else:
                    self._unreadable.append(entry)
            self._by_text = by_text  # only now: a file that cannot be opened must not leave half an index
        return self._by_text

    def _mismatch(self, sentence: str | Sequence[str], id: str | None, named: Sequence[GraphEntry]) -> ParsingError:
        """Return the error for a sentence without a graph: what the graph with its id says instead."""
        index = self._index()
        count = sum(map(len, index.values()))
        what = f"the sentence {id}" if id else "the sentence"
        notes = ""
        if self._unreadable:
            notes = f" ({len(self._unreadable)} more could not be read, the first: {self._unreadable[0]})"
        part = "text" if isinstance(sentence, str) else "tokens"
        meant = named or index.get(_key(sentence))  # the latter for tokens: the same text, cut into other tokens
        if not meant:
            message = f"none of the {count} graphs{notes} has the {part} of {what}"
            return ParsingError(message, path=self.path, text=_show(sentence))
        entry = meant[0]
        lead = f"this is not the graph of {what}, but of {entry.read().text()!r}"
        tail = f"none of the {count} graphs in {self.path}{notes} has its {part}"
        return ParsingError(f"{lead}; {tail}", path=entry.path, line=entry.line, text=_show(sentence))


def xml_folder(path: str) -> GivenParser:
    """Return the parser ``xml:DIR``: a folder of UCCA XML, a passage a file, and those in it.

    The ids of a graph are the name of its file without ``.xml``, and its passage id.

    Raises:
        ParsingError: no such folder, or it has no XML files.
    """
    if not os.path.isdir(path):
        raise ParsingError("not a folder: xml:DIR takes a folder of UCCA XML files", path=path)
    files = sorted(map(str, Path(path).rglob("*.xml")))
    if not files:
        raise ParsingError("no .xml files in this folder", path=path)
    by_name: dict[str, list[GraphEntry]] = {}
    for file in files:
        name = Path(file).stem
        by_name.setdefault(name, []).append(GraphEntry(file, None, name, "", partial(read_xml, file)))
    return GivenParser(path, f"xml:{Path(path).resolve().name}", partial(_xml_entries, files), by_name)


def _xml_entries(files: Sequence[str]) -> Entries:
    for file in files:
        try:
            id, tokens = read_xml_tokens(file)
            yield GraphEntry(file, None, id, _key(tokens), partial(read_xml, file))
        except (FormatError, InputError) as e:
            yield e


def mrp_file(path: str) -> GivenParser:
    """Return the parser ``mrp:FILE``: a file of MRP JSON, a graph a line; graphs of other frameworks are left out.

    Raises:
        ParsingError: no such file.
    """
    if not os.path.isfile(path):
        raise ParsingError("not a file: mrp:FILE takes a file of MRP graphs, one a line", path=path)
    return GivenParser(path, f"mrp:{Path(path).name}", partial(_mrp_entries, path))


def _mrp_entries(path: str) -> Entries:
    offset = 0
    try:
        with open(path, "rb") as file:
            for number, line, is_too_long in split_lines(file):
                read = partial(_mrp_at, path, number, offset)
                offset = file.tell()
                try:
                    if is_too_long:
                        raise FormatError("a line that is too long", path=path, line=number)
                    if line.strip():
                        record = _mrp_record(line, path, number)
                        if record.get("framework", "ucca") == "ucca":
                            yield GraphEntry(path, number, str(record.get("id", "")), _text_of(record), read)
                except FormatError as e:
                    yield e
                except (KeyError, TypeError, ValueError, AttributeError) as e:
                    yield FormatError(f"not an MRP graph of UCCA or of another framework: {e}", path=path, line=number)
    except OSError as e:
        raise InputError(e.strerror or str(e), path=path) from e


def _mrp_at(path: str, number: int, offset: int) -> Graph:
    """Return the graph of a line, which begins at this byte."""
    try:
        with open(path, "rb") as file:
            file.seek(offset)
            line = file.readline()
    except OSError as e:
        raise InputError(e.strerror or str(e), path=path) from e
    return from_mrp(_mrp_record(line, path, number), path=path, line=number)


def _mrp_record(line: bytes, path: str, number: int) -> Any:
    try:
        return parse_json(line)
    except ValueError as e:
        raise FormatError(f"not JSON: {e}", path=path, line=number) from e


def _text_of(record: Any) -> str:
    """Return the text of the anchors of an MRP record, as texts are compared."""
    text = record["input"]
    spans = {(a["from"], a["to"]) for node in record["nodes"] for a in node.get("anchors") or ()}
    return _key([text[start:end] for start, end in sorted(spans)])


def _key(sentence: str | Sequence[str]) -> str:
    """Return what a text and its tokens have in common: the characters without white space."""
    text = sentence if isinstance(sentence, str) else " ".join(sentence)
    return storable_in_xml("".join(plain(text).split()))


def _show(sentence: str | Sequence[str]) -> str:
    return sentence if isinstance(sentence, str) else " ".join(sentence)
