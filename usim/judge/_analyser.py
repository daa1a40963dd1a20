"""From sentences to analyses: a graph each, and a vector for each token in its context.

The vectors come from the judge's own encoder: training a parser costs its encoder some of what it knows about words.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Sequence

from usim.compare import Analysis, PackedVectors, Sentence
from usim.judge._encoder import TokenEncoder
from usim.parsing import Parser, Reading, ReadPart
from usim.text import Context, plain
from usim.ucca import Graph


class Analyser:
    """Makes an :class:`usim.compare.Analysis` of each sentence.

    Args:
        parser: what makes the graphs.
        encoder: what makes the token vectors, the judge's own; None for no vectors.
    """

    def __init__(self, parser: Parser, encoder: TokenEncoder | None) -> None:
        self.parser = parser
        self.encoder = encoder

    def read(self, sentences: Sequence[Sentence]) -> list[Reading]:
        """Parse sentences; the readings of a parser with the encoder's trunk say what it has read."""
        trunk = getattr(self.parser, "trunk", None)
        if self.encoder is not None and trunk is self.encoder.trunk:
            readings: list[Reading] = self.parser.read(sentences)  # type: ignore[attr-defined]
            return readings
        return [Reading(graph) for graph in self.parser.parse(sentences)]

    def analyse(self, sentences: Sequence[Sentence]) -> list[Analysis]:
        """Return the analyses of sentences, in order; raise what :meth:`usim.parsing.Parser.parse` raises."""
        texts = [s if isinstance(s, str) else " ".join(s) for s in sentences]
        readings = self.read(sentences)
        return self.analyse_graphs([r.graph for r in readings], texts, readings=[r.parts for r in readings])

    def analyse_graphs(
        self,
        graphs: Sequence[Graph],
        texts: Sequence[str] | None = None,
        contexts: Sequence[Context | None] | None = None,
        sources: Sequence[Sequence[str] | None] | None = None,
        readings: Sequence[Sequence[ReadPart]] | None = None,
    ) -> list[Analysis]:
        """Return the analyses of sentences that have graphs already.

        Args:
            graphs: the graphs.
            texts: the sentences; by default the graphs' tokens.
            contexts, sources, readings: see :meth:`TokenEncoder.packed`.
        """
        looked = [_as_it_looks(graph) for graph in graphs]
        if readings is not None:
            # The parser has read other words.
            readings = [own if a is b else () for own, a, b in zip(readings, graphs, looked, strict=True)]
        graphs = looked
        if texts is None:
            texts = [graph.text() for graph in graphs]
        if self.encoder is None:
            return [Analysis(graph, None, text) for graph, text in zip(graphs, texts, strict=True)]
        packed = deque(self.encoder.packed([graph.tokens for graph in graphs], contexts, sources, readings))
        return [self._analysis(graph, text, packed.popleft()) for graph, text in zip(graphs, texts, strict=True)]

    def _analysis(self, graph: Graph, text: str, vectors: PackedVectors) -> Analysis:
        assert self.encoder is not None
        lower, width = self.encoder.lower, self.encoder.width
        return Analysis(graph, vectors.columns(0, lower).unpacked(), text, vectors.columns(lower, width))

    def reads_context(self, *graphs: Graph) -> bool:
        """Return whether each of these sentences can be read with context: if there are vectors, and room."""
        return self.encoder is not None and all(self.encoder.has_room(graph.tokens) for graph in graphs)


def _as_it_looks(graph: Graph) -> Graph:
    """Return a graph with its words as they look, see :func:`usim.text.plain`; those of a text are so already."""
    for place, terminal in enumerate(graph.terminals):
        text = terminal.text if terminal.text.isascii() else plain(terminal.text) or terminal.text
        if text != terminal.text:
            graph = graph.replaced(place, 1, [terminal._replace(text=text)])
    return graph
