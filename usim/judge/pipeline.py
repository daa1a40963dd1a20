"""A parser and a judge together: from pairs of sentences to analyses and judgements.

:class:`usim.scorer.Scorer` and :class:`usim.screen.Screen` share it. Within a batch of pairs nothing is parsed,
analysed or judged twice. To keep the analysis of a source for the next batch, the caller holds an
:class:`AnalysisCache`.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace
from typing import NamedTuple

from usim.compare import Analysis, Sentence, locate_reasons, mark_shown
from usim.judge.analyser import Analyser
from usim.judge.base import Judge, Judgement, Thresholds, judge_together
from usim.judge.latest import Latest
from usim.judge.load import DEFAULT_JUDGE, resolve_judge
from usim.measures import DEFAULT, Preset, UsimScore, usim_score
from usim.parsing import Parser
from usim.signature import Signature
from usim.text import Context
from usim.ucca import Graph

#: A sentence as a key of dictionaries.
Key = str | tuple[str, ...]


def sentence_key(sentence: Sentence) -> Key:
    """Return a sentence as something that can be looked up."""
    return sentence if isinstance(sentence, str) else tuple(sentence)


#: Characters of the longest word whose change a judge can keep; the longest words of English have fewer than 50.
LONGEST_WORD = 100


class JudgedPair(NamedTuple):
    """A pair of sentences: both analyses, the judgement, and USim by the preset of the pipeline."""

    source: Analysis
    output: Analysis
    judgement: Judgement
    usim: UsimScore


class AnalysisCache(Latest[tuple[Key, Context | None], Analysis]):
    """The analyses of the latest sources of earlier batches of pairs, for the next batch; their size is in tokens.

    Changes are mostly proposed for one sentence after another, so a batch often begins with the source that the batch
    before ended with. Vectors depend in their last bits on what is encoded together; :meth:`clear` the cache where the
    results of a batch must depend on nothing but the batch.
    """


class JudgePipeline:
    """Analyses and judges pairs of sentences.

    Args:
        parser: the parser, or its name for :func:`usim.parsing.load`.
        judge: the judge, or its name for :func:`usim.judge.load_judge`.
        thresholds: where verdicts change; by default the judge's own.
        preset: how graphs are compared.
        threads: how many threads a parser that is named may use.

    Raises:
        ParsingError: the parser or the judge cannot be loaded.
        OptionError: there is no judge of that name.
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
        self.judge = resolve_judge(judge, thresholds, preset)
        self.analyser = Analyser(parser, self.judge.encoder, threads=threads)
        self.preset = preset

    @property
    def signature(self) -> Signature:
        """The part of a signature that names the parser, the preset, the judge and its thresholds."""
        thresholds = self.judge.thresholds
        judge = {"judge": self.judge.name, "keep": thresholds.keep, "drop": thresholds.drop}
        return Signature.of({"parser": self.analyser.parser.name}, self.preset.signature, judge)

    def judge_pairs(
        self,
        pairs: Sequence[tuple[Sentence, Sentence]],
        contexts: Sequence[Context | None] | None = None,
        *,
        cache: AnalysisCache | None = None,
    ) -> list[JudgedPair]:
        """Judge pairs of a source and its changed version; results come in the order of the pairs.

        Each distinct sentence is parsed once, and analysed once in each context; each distinct pair is judged once in
        each context.

        Args:
            pairs: the sentences.
            contexts: the text around both sentences of each pair, for the vectors of their words.
            cache: analyses to use again; holds those of the latest sources afterwards.

        Raises:
            ParsingError: a sentence cannot be parsed.
        """
        if cache is None:
            cache = AnalysisCache()
        keys = [(sentence_key(source), sentence_key(output)) for source, output in pairs]
        graphs = self._parse(dict.fromkeys(sentence for pair in keys for sentence in pair), cache)
        around = [None] * len(keys) if contexts is None else contexts
        # Both sentences are read in the context, or neither.
        requests = [
            (pair, context if context and self.analyser.reads_context(*(graphs[key] for key in pair)) else None)
            for pair, context in zip(keys, around, strict=True)
        ]
        distinct = list(dict.fromkeys(requests))
        analyses = dict(cache.values)
        missing = [
            key_in_context
            for key_in_context in dict.fromkeys((key, context) for pair, context in distinct for key in pair)
            if key_in_context not in analyses
        ]
        new = self.analyser.analyse_graphs(
            [graphs[key] for key, _ in missing],
            [key if isinstance(key, str) else " ".join(key) for key, _ in missing],
            [context for _, context in missing],
        )
        analyses.update(zip(missing, new, strict=True))
        judged = self._judge([(analyses[a, context], analyses[b, context]) for (a, b), context in distinct])
        by_request = dict(zip(distinct, judged, strict=True))
        for (source, _), context in requests:
            analysis = analyses[source, context]
            cache.keep((source, context), analysis, len(analysis.graph.tokens))
        return [by_request[request] for request in requests]

    def judge_graphs(self, source: Graph, output: Graph, texts: tuple[str, str] | None = None) -> JudgedPair:
        """Judge two sentences by given graphs; their texts are by default the tokens of the graphs."""
        before, after = self.analyser.analyse_graphs([source, output], texts)
        (judged,) = self._judge([(before, after)])
        return judged

    def judge_list(self, judged: Sequence[JudgedPair]) -> list[JudgedPair]:
        """Return pairs that were judged by themselves, judged together: those of the suggestions for one place."""
        pairs = [(pair.source, pair.output) for pair in judged]
        together = judge_together(self.judge, pairs, [pair.judgement for pair in judged])
        return [
            pair if judgement is pair.judgement else pair._replace(judgement=_located(*pair[:2], judgement))
            for pair, judgement in zip(judged, together, strict=True)
        ]

    def _parse(self, sentences: Iterable[Key], cache: AnalysisCache) -> dict[Key, Graph]:
        """Return the graphs of distinct sentences and of those in the cache, which are not parsed again."""
        graphs = {sentence: analysis.graph for (sentence, _), analysis in cache.values.items()}
        new = [sentence for sentence in sentences if sentence not in graphs]
        return graphs | dict(zip(new, self.analyser.parser.parse(new), strict=True))

    def _judge(self, pairs: list[tuple[Analysis, Analysis]]) -> list[JudgedPair]:
        return [
            JudgedPair(source, output, _located(source, output, judgement), self._usim(source, output, judgement))
            for (source, output), judgement in zip(pairs, self.judge.judge(pairs), strict=True)
        ]

    def _usim(self, source: Analysis, output: Analysis, judgement: Judgement) -> UsimScore:
        if judgement.usim.preset == self.preset:
            return judgement.usim
        return usim_score(source.graph, output.graph, self.preset)


def _located(source: Analysis, output: Analysis, judgement: Judgement) -> Judgement:
    """Return a judgement whose reasons have the places of their words in the texts, and are marked as shown or not.

    Of a word with more than :data:`LONGEST_WORD` characters only the beginning is read, so a change of one is to be
    reviewed.
    """
    if judgement.verdict == "keep" and _long_words(source) != _long_words(output):
        judgement = replace(judgement, verdict="review")
    if not judgement.reasons:
        return judgement
    pairs = judgement.usim.token_alignment.pairs
    marked = mark_shown(judgement.reasons, pairs, is_kept=judgement.verdict == "keep")
    return replace(judgement, reasons=locate_reasons(marked, source, output))


def _long_words(analysis: Analysis) -> list[str]:
    return [word for word in analysis.graph.tokens if len(word) > LONGEST_WORD]
