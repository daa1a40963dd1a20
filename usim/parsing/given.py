"""Graphs from files as a parser: ``xml:DIR``, ``xml-lenient:DIR``, ``mrp:FILE`` and ``amr:FILE``.

Another parser, or an annotator, has written its graphs to a folder of UCCA XML, to a file of MRP JSON or to one of AMR
in penman notation. To score them, the graph of each sentence must be found. *The text decides, the id helps*: a graph
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
from abc import ABC, abstractmethod
from collections.abc import Iterator, Sequence
from difflib import SequenceMatcher
from pathlib import Path
from typing import Any, NamedTuple

from usim.errors import FormatError, InputError, ParsingError
from usim.text import check_batch, parse_json, split_lines, tokenise
from usim.ucca import ANCHORED, Graph, Unit, from_mrp, read_xml, read_xml_tokens, storable_in_xml

_NEAR = 60  # per cent of characters in common, from which a graph is worth showing as the nearest
_SHOWN = 3  # differences that an error shows


class Place(NamedTuple):
    """Where a graph stands: the file, and in an MRP file the line (from 1) and its offset in bytes."""

    path: str
    line: int | None = None
    offset: int = 0

    def __str__(self) -> str:
        return self.path if self.line is None else f"{self.path}:{self.line}"


class Entry(NamedTuple):
    """What the index holds of a graph that has not been read yet."""

    place: Place
    id: str
    text: str


class GivenParser(ABC):
    """A parser that finds the graph of each sentence among the graphs of a folder or of a file.

    Args:
        path: where the graphs are.
        name: how they are called in signatures.
    """

    def __init__(self, path: str | os.PathLike[str], name: str) -> None:
        self.path = os.fspath(path)
        self.name = name
        self._by_text: dict[str, list[Place]] | None = None
        self._by_id: dict[str, list[Place]] = {}
        self._unreadable: list[FormatError | InputError] = []

    def _named(self, id: str) -> Sequence[Place]:
        """Return the places of graphs that have an id, as far as that can be known without reading them."""
        return ()

    @abstractmethod
    def _entries(self) -> Iterator[Entry | FormatError | InputError]:
        """Yield all graphs in a fixed order; an error for what cannot be read."""

    @abstractmethod
    def _read(self, place: Place) -> Graph:
        """Return the graph at a place."""

    def parse(self, sentences: Sequence[str | Sequence[str]], *, ids: Sequence[str] | None = None) -> list[Graph]:
        """Return the graphs of sentences, in order; each has the id that is given for it, or else its own.

        An empty sentence for which there is no graph gets an empty one.

        Raises:
            ParsingError: a sentence has no graph, or several that differ; with the file that comes nearest and the
                tokens that differ.
            FormatError: the graph of a sentence cannot be read.
        """
        check_batch(sentences, ids)
        names: Sequence[str | None] = [None] * len(sentences) if ids is None else ids
        return [self._find(sentence, name) for sentence, name in zip(sentences, names, strict=True)]

    def _find(self, sentence: str | Sequence[str], id: str | None) -> Graph:
        named = list(self._named(id)) if id else []
        fitting = self._fitting(named, sentence)
        if not fitting:
            by_text = self._index()
            if id:
                named += [place for place in self._by_id.get(id, ()) if place not in named]
                fitting = self._fitting(named, sentence)
            fitting = fitting or self._fitting(by_text.get(_key(sentence), []), sentence)
        if not fitting:
            if not _key(sentence):
                return Graph([], [Unit()], [], id=id or "")
            raise self._mismatch(sentence, id, named)
        (place, graph), *duplicates = fitting
        for other_place, other in duplicates:
            if other != graph:
                raise ParsingError(
                    f"two graphs of the same text that differ, here and in {other_place}: give the sentences' ids, or "
                    "keep one of the graphs",
                    path=place.path,
                    line=place.line,
                    text=_show(sentence),
                )
        if id and graph.id != id:
            graph = copy.copy(graph)
            object.__setattr__(graph, "id", id)
        return graph

    def _fitting(self, places: Sequence[Place], sentence: str | Sequence[str]) -> list[tuple[Place, Graph]]:
        """Return the graphs at places, of those that have the tokens of the sentence."""
        graphs = [(place, self._read(place)) for place in places]
        if isinstance(sentence, str):
            return [(place, graph) for place, graph in graphs if _key(graph.tokens) == _key(sentence)]
        tokens = [*map(storable_in_xml, sentence)]
        return [(place, graph) for place, graph in graphs if [*map(storable_in_xml, graph.tokens)] == tokens]

    def _index(self) -> dict[str, list[Place]]:
        if self._by_text is None:
            by_text: dict[str, list[Place]] = {}
            self._by_id, self._unreadable = {}, []
            for entry in self._entries():
                if isinstance(entry, Entry):
                    by_text.setdefault(entry.text, []).append(entry.place)
                    self._by_id.setdefault(entry.id, []).append(entry.place)
                else:
                    self._unreadable.append(entry)
            self._by_text = by_text  # only now: a file that cannot be opened must not leave half an index
        return self._by_text

    def _mismatch(self, sentence: str | Sequence[str], id: str | None, named: Sequence[Place]) -> ParsingError:
        """Return the error for a sentence without a graph: which one may be meant, and how it differs."""
        from rapidfuzz import fuzz, process

        index = self._index()
        count = sum(map(len, index.values()))
        what = f"the sentence {id}" if id else "the sentence"
        notes = ""
        if self._unreadable:
            notes = f" ({len(self._unreadable)} more could not be read, the first: {self._unreadable[0]})"
        if named:
            place, lead = named[0], f"this is not the graph of {what}"
        else:
            nearest = process.extractOne(_key(sentence), index.keys(), scorer=fuzz.ratio, score_cutoff=_NEAR)
            if nearest is None:
                message = f"none of the {count} graphs{notes} has the text of {what}"
                return ParsingError(message, path=self.path, text=_show(sentence))
            place = index[nearest[0]][0]
            lead = f"this is the nearest to {what}"
        tail = f"none of the {count} graphs in {self.path}{notes} has its text"
        differences = _differences(sentence, self._read(place))
        return ParsingError(f"{lead}: {differences}; {tail}", path=place.path, line=place.line, text=_show(sentence))


class XmlFolder(GivenParser):
    """The parser ``xml:DIR`` or ``xml-lenient:DIR``: a folder of UCCA XML, a passage a file, and the folders in it.

    The ids of a graph are the name of its file without ``.xml``, and its passage id.

    Args:
        path: the folder.
        lenient: as for :func:`usim.ucca.read_xml`.

    Raises:
        ParsingError: no such folder, or it has no XML files.
    """

    def __init__(self, path: str | os.PathLike[str], *, lenient: bool = False) -> None:
        super().__init__(path, f"{'xml-lenient' if lenient else 'xml'}:{Path(path).resolve().name}")
        self._lenient = lenient
        if not os.path.isdir(path):
            raise ParsingError("not a folder: xml:DIR takes a folder of UCCA XML files", path=path)
        self._files = sorted(map(str, Path(path).rglob("*.xml")))
        if not self._files:
            raise ParsingError("no .xml files in this folder", path=path)
        self._by_name: dict[str, list[Place]] = {}
        for file in self._files:
            self._by_name.setdefault(Path(file).stem, []).append(Place(file))

    def _named(self, id: str) -> Sequence[Place]:
        return self._by_name.get(id, ())

    def _entries(self) -> Iterator[Entry | FormatError | InputError]:
        for file in self._files:
            try:
                id, tokens = read_xml_tokens(file)
                yield Entry(Place(file), id, _key(tokens))
            except (FormatError, InputError) as e:
                yield e

    def _read(self, place: Place) -> Graph:
        return read_xml(place.path, lenient=self._lenient)


class MrpFile(GivenParser):
    """The parser ``mrp:FILE``, or that of a framework such as ``eds:FILE``: a file of MRP JSON, a graph a line.

    Graphs of one framework are taken, others are left out.

    Args:
        path: the file.
        framework: ``ucca`` or one of :data:`usim.ucca.ANCHORED`; by default UCCA where the file has it, or else the
            only framework that it has.

    Raises:
        ParsingError: no such file.
    """

    def __init__(self, path: str | os.PathLike[str], framework: str | None = None) -> None:
        scheme = framework or "mrp"
        super().__init__(path, f"{scheme}:{Path(path).name}")
        self._framework = framework
        if not os.path.isfile(path):
            raise ParsingError(f"not a file: {scheme}:FILE takes a file of MRP graphs, one a line", path=path)

    def _entries(self) -> Iterator[Entry | FormatError | InputError]:
        entries = list(self._lines())  # only the whole file tells which frameworks it has
        frameworks = sorted({framework for framework, _ in entries if framework})
        if self._framework is None and len(frameworks) > 1 and "ucca" not in frameworks:
            what = f"graphs of several frameworks ({', '.join(frameworks)}): name one, as in {frameworks[0]}:FILE"
            raise ParsingError(what, path=self.path)
        chosen = self._framework or ("ucca" if "ucca" in frameworks else "".join(frameworks))
        yield from (entry for framework, entry in entries if framework in (chosen, ""))

    def _lines(self) -> Iterator[tuple[str, Entry | FormatError]]:
        """Yield the framework and the entry of each line; an empty framework for what cannot be read."""
        offset = 0
        try:
            with open(self.path, "rb") as file:
                for number, line, is_too_long in split_lines(file):
                    place = Place(self.path, number, offset)
                    offset = file.tell()
                    try:
                        if is_too_long:
                            raise FormatError("a line that is too long", path=self.path, line=number)
                        if line.strip():
                            record = self._record(line, place)
                            framework = record.get("framework", "ucca")
                            if framework in ("ucca", *ANCHORED):
                                text = _text_of(record, framework)
                                yield framework, Entry(place, str(record.get("id", "")), text)
                    except FormatError as e:
                        yield "", e
                    except (KeyError, TypeError, ValueError, AttributeError) as e:
                        what = f"not an MRP graph of UCCA or of another framework: {e}"
                        yield "", FormatError(what, path=self.path, line=number)
        except OSError as e:
            raise InputError(e.strerror or str(e), path=self.path) from e

    def _read(self, place: Place) -> Graph:
        try:
            with open(self.path, "rb") as file:
                file.seek(place.offset)
                line = file.readline()
        except OSError as e:
            raise InputError(e.strerror or str(e), path=self.path) from e
        return from_mrp(self._record(line, place), path=self.path, line=place.line)

    def _record(self, line: bytes, place: Place) -> Any:
        try:
            return parse_json(line)
        except ValueError as e:
            raise FormatError(f"not JSON: {e}", path=self.path, line=place.line) from e


def _text_of(record: Any, framework: str) -> str:
    """Return the text of an MRP record as texts are compared: in UCCA that of its anchors, else all of it."""
    text = record["input"]
    if framework != "ucca":
        return _key(text)
    spans = {(a["from"], a["to"]) for node in record["nodes"] for a in node.get("anchors") or ()}
    return _key([text[start:end] for start, end in sorted(spans)])


class AmrFile(GivenParser):
    """The parser ``amr:FILE``: a file of AMR in penman notation, with alignments (:mod:`usim.ucca.frameworks.amr`).

    Raises:
        ParsingError: no such file.
    """

    def __init__(self, path: str | os.PathLike[str]) -> None:
        super().__init__(path, f"amr:{Path(path).name}")
        self._graphs: dict[int | None, Graph] = {}
        if not os.path.isfile(path):
            raise ParsingError("not a file: amr:FILE takes a file of AMR graphs in penman notation", path=path)

    def _entries(self) -> Iterator[Entry | FormatError | InputError]:
        from usim.ucca.frameworks import amr_blocks, parse_amr

        for block in amr_blocks(self.path):
            try:
                self._graphs[block.line] = parse_amr(block, path=self.path)
                yield Entry(Place(self.path, block.line), block.comments.get("id", ""), _key(block.tokens))
            except FormatError as e:
                yield e

    def _read(self, place: Place) -> Graph:
        return self._graphs[place.line]


def _key(sentence: str | Sequence[str]) -> str:
    """Return what a text and its tokens have in common: the characters without white space."""
    text = sentence if isinstance(sentence, str) else " ".join(sentence)
    return storable_in_xml("".join(text.split()))


def _show(sentence: str | Sequence[str]) -> str:
    return sentence if isinstance(sentence, str) else " ".join(sentence)


def _differences(sentence: str | Sequence[str], graph: Graph) -> str:
    """Return where the tokens of a sentence and those of a graph differ, in words.

    >>> from usim.ucca import Terminal
    >>> graph = Graph([Terminal("a"), Terminal("cat")], [Unit((0, 1))], [])
    >>> _differences("a dog", graph)
    "token 2 is 'cat' in the graph and 'dog' in the sentence"
    """
    sentence_tokens = [token.text for token in tokenise(sentence)] if isinstance(sentence, str) else list(sentence)
    graph_tokens = graph.tokens
    parts = []
    for kind, i, j, m, n in SequenceMatcher(None, graph_tokens, sentence_tokens, autojunk=False).get_opcodes():
        in_graph, in_sentence = " ".join(graph_tokens[i:j]), " ".join(sentence_tokens[m:n])
        if kind == "equal" or (isinstance(sentence, str) and _key(in_graph) == _key(in_sentence)):
            continue
        where, verb = (f"token {i + 1}", "is") if j <= i + 1 else (f"tokens {i + 1} to {j}", "are")
        if kind == "delete":
            parts.append(f"{where}, {in_graph!r}, {verb} not in the sentence")
        elif kind == "insert":
            parts.append(
                f"the sentence has {in_sentence!r} before {where}"
                if i < len(graph_tokens)
                else f"{in_sentence!r} is missing at the end"
            )
        else:
            parts.append(f"{where} {verb} {in_graph!r} in the graph and {in_sentence!r} in the sentence")
    more = f"; and {len(parts) - _SHOWN} more differences" if len(parts) > _SHOWN else ""
    return "; ".join(parts[:_SHOWN]) + more
