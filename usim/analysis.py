"""Sentences as the judge sees them: the graph, and a vector for each token, from one run of the parser's encoder.

The vectors always come from a model that comes with usim, as the judge was trained on them. With that model as the
parser they cost nothing more than the parse; beside another parser it runs for the vectors alone.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from usim.graph import Graph
from usim.parsing import Parser, load
from usim.parsing.embedded import EmbeddedParser

#: A sentence: its text, or its tokens.
Sentence = str | Sequence[str]
Vectors = npt.NDArray[np.float32]


@dataclass(frozen=True, eq=False)
class Analysis:
    """A sentence, parsed and read.

    Attributes:
        graph: its graph; its tokens are ``graph.tokens``.
        vectors: a vector for each token in its context, (tokens, width); None where the judge needs none.
        text: the sentence as it was given; tokens that were given are joined by blanks.
    """

    graph: Graph
    vectors: Vectors | None
    text: str

    @property
    def tokens(self) -> tuple[str, ...]:
        """The tokens of the sentence."""
        return self.graph.tokens


class Analyser:
    """Makes an :class:`Analysis` of each sentence.

    Args:
        parser: who makes the graphs, or its name for :func:`usim.parsing.load`.
        vectors: whether token vectors are wanted.
        threads: how many threads the encoder may use.

    Raises:
        ParsingError: the parser cannot be loaded.
    """

    def __init__(self, parser: str | Parser = "en", *, vectors: bool = True, threads: int = 1) -> None:
        self.parser: Parser = load(parser, threads=threads) if isinstance(parser, str) else parser
        self._encoder: EmbeddedParser | None = None
        if vectors:
            own = isinstance(self.parser, EmbeddedParser)
            self._encoder = self.parser if own else EmbeddedParser("en", threads=threads)  # type: ignore[assignment]

    def analyse(self, sentences: Sequence[Sentence], *, ids: Sequence[str] | None = None) -> list[Analysis]:
        """The analyses of sentences, in their order; like sentences are parsed once for each time they are given.

        Raises:
            ParsingError: a sentence cannot be parsed, see :meth:`usim.parsing.Parser.parse`.
        """
        texts = [s if isinstance(s, str) else " ".join(s) for s in sentences]
        if self._encoder is None or self._encoder is not self.parser:
            return self.of_graphs(self.parser.parse(sentences, ids=ids), texts)
        both = self._encoder.parse_with_vectors(sentences, ids=ids)
        return [Analysis(graph, vectors, text) for (graph, vectors), text in zip(both, texts, strict=True)]

    def of_graphs(self, graphs: Sequence[Graph], texts: Sequence[str] | None = None) -> list[Analysis]:
        """The analyses of sentences whose graphs are there already; the texts are by default the graphs' tokens."""
        given = [graph.text() for graph in graphs] if texts is None else texts
        vectors: list[Vectors | None] = [None] * len(graphs)
        if self._encoder is not None:
            vectors = [made for _, made in self._encoder.parse_with_vectors([graph.tokens for graph in graphs])]
        return [Analysis(*parts) for parts in zip(graphs, vectors, given, strict=True)]
