"""A parser and a judge at work together: pairs of sentences in, analyses and judgements out.

What :class:`usim.scorer.Scorer` and :class:`usim.screen.Screen` have in common: which judge is meant, thresholds of
the user's own, and that no sentence is analysed twice that need not be.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import NamedTuple

from usim.compare import Analysis, Sentence
from usim.judge.analyser import Analyser
from usim.judge.base import Judge, Judgement, Thresholds
from usim.judge.load import DEFAULT_JUDGE, chosen
from usim.measures import DEFAULT, Preset, UsimScore, usim_score
from usim.parsing import Parser
from usim.text import Context
from usim.ucca import Graph

#: A sentence as a key of dictionaries.
Key = str | tuple[str, ...]


def key(sentence: Sentence) -> Key:
    """A sentence as something that can be looked up."""
    return sentence if isinstance(sentence, str) else tuple(sentence)


class Judged(NamedTuple):
    """A pair of sentences: both analyses, the judgement, and USim by the preset that was asked for."""

    source: Analysis
    output: Analysis
    judgement: Judgement
    usim: UsimScore


class Judging:
    """Analyses and judges pairs of sentences.

    Args:
        parser: who makes the graphs, or its name for :func:`usim.parsing.load`.
        judge: who judges, or its name for :func:`usim.judge.load_judge`.
        thresholds: where verdicts change; by default the judge's own.
        preset: how graphs are compared.
        threads: how many threads the encoder may use.

    Raises:
        ParsingError: the parser cannot be loaded.
        ValueError: there is no judge of that name.
    """

    def __init__(
        self,
        parser: str | Parser = "en",
        judge: str | Judge = DEFAULT_JUDGE,
        *,
        thresholds: Thresholds | None = None,
        preset: Preset = DEFAULT,
        threads: int = 1,
    ) -> None:
        self.judge = chosen(judge, thresholds, preset)
        self.analyser = Analyser(parser, vectors=self.judge.needs_vectors, threads=threads)
        self.preset = preset
        self._last: dict[tuple[Key, Context | None], Analysis] = {}

    @property
    def signature(self) -> str:
        """The parser, the preset, the judge and its thresholds, as fields of a signature."""
        limits = self.judge.thresholds
        judge = f"judge:{self.judge.name}|keep:{limits.keep}|drop:{limits.drop}"
        return f"parser:{self.analyser.parser.name}|{self.preset.signature}|{judge}"

    def pairs(
        self, pairs: Sequence[tuple[Sentence, Sentence]], contexts: Sequence[Context | None] | None = None
    ) -> list[Judged]:
        """What there is to say of pairs of a source and its changed version, in their order.

        Each distinct sentence is parsed once, and read once in each context; each distinct pair is judged once in each
        context. The last source is remembered for the next call.

        Args:
            pairs: the sentences.
            contexts: what stands around both sentences of each pair, for the vectors of their words.

        Raises:
            ParsingError: a sentence cannot be parsed.
        """
        keys = [(key(source), key(output)) for source, output in pairs]
        graphs = self._graphs(dict.fromkeys(one for pair in keys for one in pair))
        around = [None] * len(keys) if contexts is None else contexts
        # Both sentences are read in the context, or neither.
        wanted = [
            (pair, context if context and self.analyser.reads_context(*(graphs[one] for one in pair)) else None)
            for pair, context in zip(keys, around, strict=True)
        ]
        once = list(dict.fromkeys(wanted))
        analyses = dict(self._last)
        new = [
            one
            for one in dict.fromkeys((one, context) for pair, context in once for one in pair)
            if one not in analyses
        ]
        made = self.analyser.of_graphs(
            [graphs[one] for one, _ in new],
            [one if isinstance(one, str) else " ".join(one) for one, _ in new],
            [context for _, context in new],
        )
        analyses.update(zip(new, made, strict=True))
        judged = self._judged([(analyses[a, context], analyses[b, context]) for (a, b), context in once])
        found = dict(zip(once, judged, strict=True))
        if wanted:
            (source, _), context = wanted[-1]
            self._last = {(source, context): analyses[source, context]}
        return [found[one] for one in wanted]

    def _graphs(self, sentences: Iterable[Key]) -> dict[Key, Graph]:
        """The graphs of distinct sentences; that of the last source is known."""
        graphs = {one: analysis.graph for (one, _), analysis in self._last.items()}
        new = [one for one in sentences if one not in graphs]
        return graphs | dict(zip(new, self.analyser.parser.parse(new), strict=True))

    def forget(self) -> None:
        """Remember nothing of earlier calls: what comes next depends on nothing but what is asked then."""
        self._last = {}

    def graphs(self, source: Graph, output: Graph) -> Judged:
        """What there is to say of two graphs that are there already."""
        before, after = self.analyser.of_graphs([source, output])
        (found,) = self._judged([(before, after)])
        return found

    def _judged(self, pairs: list[tuple[Analysis, Analysis]]) -> list[Judged]:
        return [
            Judged(source, output, judgement, self._usim(source, output, judgement))
            for (source, output), judgement in zip(pairs, self.judge.judge(pairs), strict=True)
        ]

    def _usim(self, source: Analysis, output: Analysis, judgement: Judgement) -> UsimScore:
        if judgement.usim.preset == self.preset:
            return judgement.usim
        return usim_score(source.graph, output.graph, self.preset)
