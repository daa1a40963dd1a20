"""From sentences to analyses: a graph each, and a vector for each token in its context.

The vectors come from the judge's own encoder: an encoder that is trained to parse loses some of its knowledge of words.
"""

from __future__ import annotations

from collections.abc import Sequence

from usim.evidence import Analysis, Sentence
from usim.judge._encoder import EncoderInput, TokenEncoder
from usim.lexicon import word_info
from usim.parsing import Parser, Reading
from usim.parsing.embedded import EmbeddedParser, TreeCache
from usim.text import plain
from usim.text.differing import differing
from usim.ucca import Graph

#: The trees of the latest sentences are kept up to so many tokens.
_TOKENS_KEPT = 16_384


class Analyser:
    """Makes an :class:`usim.evidence.Analysis` of each sentence: its graph, and token vectors by the encoder."""

    def __init__(self, parser: Parser, encoder: TokenEncoder | None) -> None:
        self.parser = parser
        self.encoder = encoder
        # A text of several sentences is judged as a whole and in blocks.
        self._trees = TreeCache(_TOKENS_KEPT)

    def read(self, sentences: Sequence[Sentence]) -> list[Reading]:
        """Parse sentences; if the parser has the encoder's trunk, the readings have its vectors."""
        if isinstance(self.parser, EmbeddedParser):
            has_layers = self.encoder is not None and self.parser.trunk is self.encoder.trunk
            readings = self.parser.read(sentences, has_layers=has_layers, cache=self._trees)
        else:
            readings = [Reading(graph) for graph in self.parser.parse(sentences)]
        return [as_it_looks(reading) for reading in readings]

    def analyse(self, sentences: Sequence[Sentence]) -> list[Analysis]:
        """Return the analyses of sentences, in order; raise what :meth:`usim.parsing.Parser.parse` raises."""
        texts = [given if isinstance(given, str) else " ".join(given) for given in sentences]
        return self.analyse_graphs(
            [
                (graph, text, EncoderInput(graph.tokens, parts=parts))
                for (graph, parts), text in zip(self.read(sentences), texts, strict=True)
            ]
        )

    def analyse_graphs(self, sentences: Sequence[tuple[Graph, str, EncoderInput]]) -> list[Analysis]:
        """Return the analyses of sentences, each given as its graph, its text and the input of the encoder."""
        if self.encoder is None:
            return [Analysis(graph, None, text) for graph, text, _ in sentences]
        lower, width = self.encoder.lower, self.encoder.width
        packed = self.encoder.packed([given for _, _, given in sentences])
        return [
            Analysis(graph, vectors.columns(0, lower).unpacked(), text, vectors.columns(lower, width))
            for (graph, text, _), vectors in zip(sentences, packed, strict=True)
        ]

    def reads_context(self, source: Graph, output: Graph) -> bool:
        """Return whether both sentences are read with the text around them.

        They are if content words changed, whose meaning the text may tell, if there is an encoder, and if it has room.
        """
        encoder, both = self.encoder, (source.tokens, output.tokens)
        return encoder is not None and _says_other_words(*both) and all(map(encoder.has_room, both))


def _says_other_words(source: Sequence[str], output: Sequence[str]) -> bool:
    """Return whether content words changed, or their order; other forms of the same words do not count."""
    start, end, stop = differing(source, output)
    old, new = (
        [entry.word.lemmas or {form} for form in map(str.lower, words) if (entry := word_info(form)).is_content]
        for words in (source[start:end], output[start:stop])
    )
    return len(old) != len(new) or any(map(set.isdisjoint, map(set, old), map(set, new)))


def as_it_looks(reading: Reading) -> Reading:
    """Return a reading with the words of its graph as they look, see :func:`usim.text.plain`.

    The parser has read nothing of words that were written otherwise.
    """
    graph = reading.graph
    for place, terminal in enumerate(graph.terminals):
        text = terminal.text if terminal.text.isascii() else plain(terminal.text) or terminal.text
        if text != terminal.text:
            graph = graph.replaced(place, 1, [terminal._replace(text=text)])
    return reading if graph is reading.graph else Reading(graph)
