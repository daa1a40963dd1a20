"""The whole path from two sentences to a score and a judgement: what most users need.

>>> from usim import Scorer
>>> scorer = Scorer()                                          # loads the parser once
>>> result = scorer.score("He go to school.", "He goes to school.")
>>> result.usim.f
1.0
>>> lost = scorer.score("John saw Mary at home.", "John saw home.")
>>> lost.usim.s2r.recall < lost.usim.s2r.precision
True
>>> result.judgement.verdict
'keep'
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import islice
from typing import Any

from usim._version import __version__
from usim.compare import Sentence
from usim.judge import DEFAULT_JUDGE, AnalysisCache, Judge, JudgedPair, Judgement, JudgePipeline, Thresholds
from usim.measures import DEFAULT, Preset, UsimScore
from usim.parsing import Parser, load
from usim.ucca import Graph

_BATCH = 256  # pairs a batch: enough to group sentences of like length, little enough to stay responsive


@dataclass(frozen=True)
class Result:
    """What usim says of one pair of sentences.

    Attributes:
        source: the sentence before the change, as text.
        output: the sentence after the change, as text.
        usim: the USim scores in both directions, with what they were made from.
        judgement: how faithful the output is, what to do, and why.
        source_graph: the parse of the source.
        output_graph: the parse of the output.
        signature: all that is needed to get the same score again.
    """

    source: str
    output: str
    usim: UsimScore
    judgement: Judgement
    source_graph: Graph
    output_graph: Graph
    signature: str

    @property
    def score(self) -> float:
        """USim in one number: the mean of the F-scores of the two directions, in [0, 1]."""
        return self.usim.f

    def to_dict(self) -> dict[str, Any]:
        """The result as JSON values; ``score`` is USim in one number, ``usim`` all of it."""
        judgement = self.judgement.to_dict()
        return {
            "source": self.source,
            "output": self.output,
            "score": self.score,
            "faithfulness": judgement["faithfulness"],
            "verdict": judgement["verdict"],
            "reasons": judgement["reasons"],
            "usim": self.usim.to_dict(),
        }


class Scorer:
    """Parses, scores and judges pairs of sentences; holds the loaded parser.

    Args:
        parser: a parser, or the name of one for :func:`usim.parsing.load`.
        judge: a judge, or the name of one for :func:`usim.judge.load_judge`; ``usim`` for USim alone.
        thresholds: where verdicts change; by default the judge's own.
        preset: how graphs are aligned and compared, see :mod:`usim.measures.usim`.
        threads: how many threads the embedded parser may use.

    Raises:
        ParsingError: the parser cannot be loaded.
        ValueError: there is no judge of that name.
    """

    def __init__(
        self,
        parser: str | Parser = "en",
        *,
        judge: str | Judge = DEFAULT_JUDGE,
        thresholds: Thresholds | None = None,
        preset: Preset = DEFAULT,
        threads: int = 1,
    ) -> None:
        self.parser: Parser = load(parser, threads=threads) if isinstance(parser, str) else parser
        self.preset = preset
        self._pipeline = JudgePipeline(self.parser, judge, thresholds=thresholds, preset=preset, threads=threads)
        self.sources = AnalysisCache()

    @property
    def judge(self) -> Judge:
        """The judge, with the thresholds that it goes by here."""
        return self._pipeline.judge

    @cached_property
    def signature(self) -> str:
        """What the scores were made with, e.g. ``usim|parser:en-1.0|…|judge:usim|keep:0.9|drop:0.5|v:0.1.0``."""
        return f"usim|{self._pipeline.signature}|v:{__version__}"

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
            for (source, output), judged in zip(
                block, self._pipeline.judge_pairs(block, cache=self.sources), strict=True
            ):
                yield self._result(judged, _shown(source), _shown(output))

    def score_graphs(
        self, source_graph: Graph, output_graph: Graph, *, source: str | None = None, output: str | None = None
    ) -> Result:
        """Score two graphs that are there already; the texts are taken from them where none are given.

        A judge that reads vectors of the words gets them from the tokens of the graphs.
        """
        judged = self._pipeline.judge_graphs(source_graph, output_graph)
        return self._result(
            judged,
            source_graph.text() if source is None else source,
            output_graph.text() if output is None else output,
        )

    def _result(self, judged: JudgedPair, source: str, output: str) -> Result:
        return Result(
            source,
            output,
            judged.usim,
            judged.judgement,
            judged.source.graph,
            judged.output.graph,
            self.signature,
        )


def _shown(sentence: Sentence) -> str:
    return sentence if isinstance(sentence, str) else " ".join(sentence)
