"""The whole path from two sentences to a score: what most users need.

>>> from usim import Scorer
>>> scorer = Scorer()                                          # loads the parser once
>>> result = scorer.score("He go to school.", "He goes to school.")
>>> result.usim.f
1.0
>>> lost = scorer.score("John saw Mary at home.", "John saw home.")
>>> lost.usim.s2r.recall < lost.usim.s2r.precision
True
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import islice
from typing import Any

from usim._version import __version__
from usim.graph import Graph
from usim.measures import DEFAULT, Preset, UsimScore, usim_score
from usim.parsing import Parser, load

#: A sentence: its text, or its tokens.
Sentence = str | Sequence[str]

_BATCH = 256  # pairs a batch: enough to group sentences of like length, little enough to stay responsive


@dataclass(frozen=True)
class Result:
    """What usim says of one pair of sentences.

    Attributes:
        source: the sentence before the change, as text.
        output: the sentence after the change, as text.
        usim: the USim scores in both directions, with what they were made from.
        source_graph: the parse of the source.
        output_graph: the parse of the output.
        signature: all that is needed to get the same score again.
    """

    source: str
    output: str
    usim: UsimScore
    source_graph: Graph
    output_graph: Graph
    signature: str

    @property
    def score(self) -> float:
        """USim in one number: the mean of the F-scores of the two directions, in [0, 1]."""
        return self.usim.f

    def as_dict(self) -> dict[str, Any]:
        """The result as JSON values."""
        return {"source": self.source, "output": self.output, "score": self.score, "usim": self.usim.as_dict()}


class Scorer:
    """Parses and scores pairs of sentences; holds the loaded parser.

    Args:
        parser: a parser, or the name of one for :func:`usim.parsing.load`.
        preset: how graphs are aligned and compared, see :mod:`usim.measures`.
        threads: how many threads the embedded parser may use.

    Raises:
        ParsingError: the parser cannot be loaded.
    """

    def __init__(self, parser: str | Parser = "en", *, preset: Preset = DEFAULT, threads: int = 1) -> None:
        self.parser: Parser = load(parser, threads=threads) if isinstance(parser, str) else parser
        self.preset = preset

    @cached_property
    def signature(self) -> str:
        """What the scores were made with, e.g. ``usim|parser:en-1.0|…|v:0.1.0``."""
        return f"usim|parser:{self.parser.name}|{self.preset.signature}|v:{__version__}"

    def parse(self, sentences: Sequence[Sentence], *, ids: Sequence[str] | None = None) -> list[Graph]:
        """Parse sentences, in batches; see :meth:`usim.parsing.Parser.parse`."""
        return self.parser.parse(sentences, ids=ids)

    def score(self, source: Sentence, output: Sentence) -> Result:
        """Parse and score one pair."""
        (result,) = self.score_pairs([(source, output)])
        return result

    def score_pairs(self, pairs: Iterable[tuple[Sentence, Sentence]], *, batch: int = _BATCH) -> Iterator[Result]:
        """Parse and score pairs; results come in the order of the pairs.

        Memory holds ``batch`` pairs at a time. Within them, each distinct sentence is parsed once.
        """
        stream = iter(pairs)
        while block := list(islice(stream, batch)):
            keys = [(_key(source), _key(output)) for source, output in block]
            distinct = list(dict.fromkeys(sentence for pair in keys for sentence in pair))
            graphs = dict(zip(distinct, self.parser.parse(distinct), strict=True))
            for source, output in keys:
                yield self.score_graphs(graphs[source], graphs[output], source=_shown(source), output=_shown(output))

    def score_graphs(
        self, source_graph: Graph, output_graph: Graph, *, source: str | None = None, output: str | None = None
    ) -> Result:
        """Score two graphs that are there already; the texts are taken from them where none are given."""
        return Result(
            source_graph.text() if source is None else source,
            output_graph.text() if output is None else output,
            usim_score(source_graph, output_graph, preset=self.preset),
            source_graph,
            output_graph,
            self.signature,
        )


def _key(sentence: Sentence) -> str | tuple[str, ...]:
    return sentence if isinstance(sentence, str) else tuple(sentence)


def _shown(sentence: str | tuple[str, ...]) -> str:
    return sentence if isinstance(sentence, str) else " ".join(sentence)
