"""usim in spaCy: UCCA graphs of documents, and what usim says about two of them.

    import spacy

    nlp = spacy.load("en_core_web_sm")
    nlp.add_pipe("usim")                                     # or with config={"parser": "en-fast"}
    source, output = nlp.pipe(["He has two cats.", "He has three cats."])
    output._.ucca                                            # its graph, over the document's own tokens
    output._.usim(source).judgement.verdict                  # as usim.Scorer says

The tokens are those of the document; white space is left out. A component is a part of a pipeline like any other: it
works in batches, with several processes, and its graphs are saved with the documents. The library is not a dependency
of usim: ``pip install spacy``.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator
from functools import cache
from itertools import islice
from pathlib import Path
from typing import Any

from usim.judge import DEFAULT_JUDGE
from usim.scorer import Result, Scorer
from usim.ucca import Graph, from_mrp, to_mrp

try:
    from spacy.language import Language
    from spacy.tokens import Doc
except ImportError as e:
    raise ImportError(f"this module needs the library spaCy: {e}; pip install spacy") from e

#: Where a document holds its graph, as MRP in JSON, so that it is saved with the document.
_KEY = "usim.ucca"


class UsimComponent:
    """A component that gives each document its UCCA graph.

    Args:
        parser: the name of a parser, see :func:`usim.parsing.load`.
        judge: the name of a judge, see :func:`usim.judge.load_judge`.
        threads: how many threads the parser may use.

    Raises:
        ParsingError, OptionError: there is no such parser or judge.
    """

    def __init__(self, parser: str = "en", judge: str = DEFAULT_JUDGE, threads: int = 1) -> None:
        self._settings = (parser, judge, threads)
        _scorer_of(*self._settings)
        if not Doc.has_extension("ucca"):
            Doc.set_extension("ucca", getter=graph_of)
            Doc.set_extension("usim", method=compare)

    def __call__(self, doc: Doc) -> Doc:
        """Parse a document."""
        (parsed,) = self.pipe([doc])
        return parsed

    def pipe(self, stream: Iterable[Doc], batch_size: int = 64) -> Iterator[Doc]:
        """Parse documents in batches."""
        docs = iter(stream)
        while batch := list(islice(docs, batch_size)):
            graphs = _scorer_of(*self._settings).parse([words_of(doc) for doc in batch])
            for doc, graph in zip(batch, graphs, strict=True):
                doc.user_data[_KEY] = json.dumps({"graph": to_mrp(graph), "settings": self._settings})
                yield doc

    def to_bytes(self, **options: Any) -> bytes:
        """Return nothing: a component has only its settings, which the pipeline saves."""
        return b""

    def to_disk(self, path: str | Path, **options: Any) -> None:
        """Write nothing, see :meth:`to_bytes`."""

    def from_disk(self, data: bytes | str | Path, **options: Any) -> UsimComponent:
        """Read nothing, see :meth:`to_bytes`."""
        return self

    from_bytes = from_disk


@Language.factory("usim", default_config={"parser": "en", "judge": DEFAULT_JUDGE, "threads": 1}, assigns=["doc._.ucca"])  # type: ignore[untyped-decorator]
def make_usim(nlp: Language, name: str, parser: str, judge: str, threads: int) -> UsimComponent:
    """Make the component; ``nlp.add_pipe("usim")`` calls it."""
    return UsimComponent(parser, judge, threads)


@cache
def _scorer_of(parser: str, judge: str, threads: int) -> Scorer:
    """Return the scorer of this process for a component's settings: documents hold no model."""
    return Scorer(parser, judge=judge, threads=threads)


def words_of(doc: Doc) -> list[str]:
    """Return the tokens of a document without white space."""
    return [token.text for token in doc if not token.is_space]


def graph_of(doc: Doc) -> Graph:
    """Return the graph of a document that went through the component.

    Raises:
        ValueError: it did not.
    """
    return _store(doc)[0]


def compare(doc: Doc, source: Doc) -> Result:
    """Return what usim says about a document and the one that it was made from.

    Raises:
        ValueError: one of them did not go through the component.
    """
    graph, settings = _store(doc)
    return _scorer_of(*settings).score_graphs(graph_of(source), graph, source=source.text, output=doc.text)


def _store(doc: Doc) -> tuple[Graph, tuple[str, str, int]]:
    stored = doc.user_data.get(_KEY)
    if stored is None:
        raise ValueError('the document has no graph: nlp.add_pipe("usim") before it is made')
    values = json.loads(stored)
    parser, judge, threads = values["settings"]
    return from_mrp(values["graph"]), (parser, judge, threads)
