"""A parser, a judge, the evidence and the decision together: from pairs of sentences to results.

Within a batch of pairs nothing is parsed, analysed, compared or judged twice.
"""

from __future__ import annotations

import warnings
from collections.abc import Iterable, Sequence
from dataclasses import replace
from typing import NamedTuple

from msgspec import structs

from usim.evidence import Analysis, Comparison, Evidence, Fact, Finding, Sentence, compare, gather, show
from usim.evidence.values import read_alike
from usim.judge._analyser import Analyser, as_it_looks
from usim.judge._base import Judge
from usim.judge._encoder import EncoderInput
from usim.judge.substituted import substituted
from usim.measures import DEFAULT, Preset, usim_score
from usim.parsing import Parser, Reading
from usim.servers.llm import LlmError
from usim.signature import Signature
from usim.text import Context, Span, language_of_pair, token_texts
from usim.text.lru import LRUCache
from usim.ucca import Graph
from usim.verdicts import Judgement, Opinion, Policy, Result, Thresholds
from usim.verdicts.decide import Answer, Decision, decide, needed
from usim.verdicts.nouns import CORRECTED, REWORDED
from usim.verdicts.thresholds import DEFAULT_RISK

#: A sentence as a key of dictionaries.
Key = str | tuple[str, ...]


def sentence_key(sentence: Sentence) -> Key:
    """Return a sentence as a key of dictionaries."""
    return sentence if isinstance(sentence, str) else tuple(sentence)


class SubstitutedKey(NamedTuple):
    """The key of a changed sentence whose graph is that of its source with the changed words substituted."""

    source: Key
    output: Key
    # No tuple of tokens equals this key.
    is_in_place: bool = True


class AnalysisCache(LRUCache[tuple[Key, Context | None], Analysis]):
    """The analyses of the latest sources of earlier batches of pairs, for the next batch; their size is in tokens.

    The last bits of vectors depend on what is encoded together. So :meth:`clear` the cache if the results of a batch
    must depend on nothing but the batch.
    """


class JudgePipeline:
    """Analyses and judges pairs of sentences; :class:`usim.options.Options` makes it from names.

    Args:
        thresholds: where verdicts change; by default the judge's own.
        risk: the accepted share of wrong verdicts, if the judge has thresholds for it.
        ask: another judge, mostly a language model, that decides pairs that would be ``review``. If it fails, they are.
        reads_context: whether a judge that reads words reads sentences together with the text around them.
    """

    def __init__(
        self,
        parser: Parser,
        judge: Judge,
        *,
        thresholds: Thresholds | None = None,
        preset: Preset = DEFAULT,
        policy: Policy = "same",
        risk: float = DEFAULT_RISK,
        ask: Judge | None = None,
        reads_context: bool = True,
    ) -> None:
        self.analyser = Analyser(parser, judge.encoder)
        self.judge = judge
        self.thresholds = thresholds or judge.thresholds
        self.policy, self.risk = policy, risk
        self.ask = ask
        self.preset = preset
        self.reads_context = reads_context and judge.encoder is not None

    @property
    def signature(self) -> Signature:
        """What results depend on: parser, preset, judge, thresholds, context, and the version."""
        return self._signature(is_parsed=True)

    def _signature(self, *, is_parsed: bool) -> Signature:
        parser = {"parser": self.analyser.parser.name} if is_parsed else {}
        judge = {"judge": self.judge.name, **self.thresholds.signature(self.policy, self.risk)}
        asked = {} if self.ask is None else {"ask": self.ask.name}
        alone = {} if self.reads_context or self.judge.encoder is None else {"context": "no"}
        return Signature.stamped(parser, self.preset.signature, judge, asked, alone)

    def judge_pairs(
        self,
        pairs: Sequence[tuple[Sentence, Sentence]],
        contexts: Sequence[Context | None] | None = None,
        *,
        cache: AnalysisCache | None = None,
        in_place: bool = False,
    ) -> list[Result]:
        """Judge pairs of a source and its changed version; results come in the order of the pairs.

        Args:
            contexts: the text around both sentences of each pair, for the vectors of their words.
            cache: analyses to use again; afterwards it has those of the latest sources.
            in_place: whether substitutes take the places of their targets in the source's graph.

        Raises:
            ParsingError: a sentence cannot be parsed.
        """
        if cache is None:
            cache = AnalysisCache()
        alike = [_read_alike(*pair) for pair in pairs]
        sentences = zip((source for source, _ in pairs), (read for read, _ in alike), strict=True)
        given = [(sentence_key(source), sentence_key(read)) for source, read in sentences]
        keys, readings = self._read(given, cache, in_place=in_place)
        around = contexts if contexts and self.reads_context else [None] * len(keys)
        # Both sentences are read in the context, or neither.
        requests = [
            (pair, context if context and self.analyser.reads_context(*(readings[key].graph for key in pair)) else None)
            for pair, context in zip(keys, around, strict=True)
        ]
        distinct = list(dict.fromkeys(requests))
        analyses: dict[tuple[Key | SubstitutedKey, Context | None], Analysis] = {}
        analyses.update(cache.items())
        needed_keys = dict.fromkeys((key, context) for pair, context in distinct for key in pair)
        missing = [key for key in needed_keys if key not in analyses]
        unread = []
        for key, context in missing:
            graph, parts = readings[key]
            within = readings[key.source].graph.tokens if isinstance(key, SubstitutedKey) else None
            unread.append((graph, _text(key), EncoderInput(graph.tokens, context, within, parts)))
        analyses.update(zip(missing, self.analyser.analyse_graphs(unread), strict=True))
        judged = self._judge([(analyses[a, context], analyses[b, context]) for (a, b), context in distinct])
        by_request = dict(zip(distinct, judged, strict=True))
        for (source, _), context in requests:
            analysis = analyses[source, context]
            cache.keep((source, context), analysis, len(analysis.graph.tokens))
        judged_as_read = zip((by_request[request] for request in requests), pairs, alike, strict=True)
        return [as_written(result, output, places) for result, (_, output), (_, places) in judged_as_read]

    def judge_graphs(self, source: Graph, output: Graph, texts: tuple[str, str]) -> Result:
        """Judge two sentences whose graphs are given; the signature names no parser."""
        graphs = [as_it_looks(Reading(graph)).graph for graph in (source, output)]
        given = [(graph, text, EncoderInput(graph.tokens)) for graph, text in zip(graphs, texts, strict=True)]
        before, after = self.analyser.analyse_graphs(given)
        (judged,) = self._judge([(before, after)], is_parsed=False)
        return judged

    def _read(
        self, pairs: Sequence[tuple[Key, Key]], cache: AnalysisCache, *, in_place: bool
    ) -> tuple[list[tuple[Key, Key | SubstitutedKey]], dict[Key | SubstitutedKey, Reading]]:
        """Return the pairs, with a :class:`SubstitutedKey` for each substituted sentence, and the readings of all."""
        readings: dict[Key | SubstitutedKey, Reading] = {}
        readings.update((sentence, Reading(analysis.graph)) for (sentence, _), analysis in cache.items())
        if not in_place:
            self._parse((sentence for pair in pairs for sentence in pair), readings)
            return list(pairs), readings
        self._parse((source for source, _ in pairs), readings)
        named: dict[tuple[Key, Key], Key | SubstitutedKey] = {}
        for source, output in dict.fromkeys(pairs):
            tokens = token_texts(output) if isinstance(output, str) else output
            graph = substituted(readings[source].graph, tokens)
            named[source, output] = output if graph is None else SubstitutedKey(source, output)
            if graph is not None:
                readings[SubstitutedKey(source, output)] = readings[source]._replace(graph=graph)
        self._parse((output for output in named.values() if not isinstance(output, SubstitutedKey)), readings)
        return [(source, named[source, output]) for source, output in pairs], readings

    def _parse(self, sentences: Iterable[Key], readings: dict[Key | SubstitutedKey, Reading]) -> None:
        """Add the readings of the sentences that have none yet."""
        new = [sentence for sentence in dict.fromkeys(sentences) if sentence not in readings]
        readings.update(zip(new, self.analyser.read(new), strict=True))

    def _judge(self, pairs: list[tuple[Analysis, Analysis]], *, is_parsed: bool = True) -> list[Result]:
        seen = []
        for (source, output), opinion in zip(pairs, self.judge.judge(pairs), strict=True):
            comparison = opinion.comparison or compare(source, output)
            is_reworded = opinion.band in REWORDED
            evidence = gather(
                source, output, comparison, opinion.soft_links,
                found=opinion.findings, is_reworded=is_reworded,
            )  # fmt: skip
            seen.append(_Seen(source, output, opinion, comparison, evidence))
        decisions = self._with_answers(seen, [self.decide(each.opinion, each.evidence.findings) for each in seen])
        signature = self._signature(is_parsed=is_parsed)
        return [self._result(each, *decided, signature) for each, decided in zip(seen, decisions, strict=True)]

    def decide(
        self, opinion: Opinion, findings: Sequence[Finding], *, among: int = 1, answer: Answer | None = None
    ) -> Decision:
        """Decide on a pair by the policy and the thresholds of its band, see :func:`usim.verdicts.decide.decide`."""
        thresholds = self.thresholds.at(self.policy, opinion.band, self.risk)
        looser = self.thresholds.looser(self.policy, opinion.band, self.risk)
        return decide(opinion, findings, self.policy, thresholds, among=among, answer=answer, looser=looser)

    def _with_answers(self, seen: Sequence[_Seen], decisions: Sequence[Decision]) -> list[tuple[Decision, str]]:
        """Return the decisions, open ones by the answers of the other judge if it has one, and who decided."""
        decided = [(decision, "") for decision in decisions]
        if self.ask is None:
            return decided
        open_ones = [k for k, decision in enumerate(decisions) if decision.is_open]
        try:
            answers = self.ask.judge([(seen[k].source, seen[k].output) for k in open_ones])
        except LlmError as e:
            warnings.warn(f"{self.ask.name} gave no answer, so its pairs stay to be reviewed: {e}", stacklevel=2)
            return decided
        for k, opinion in zip(open_ones, answers, strict=True):
            if opinion.is_answered:
                answer = Answer(self.ask.name, opinion.same, self.ask.thresholds)
                own = seen[k]
                decided[k] = self.decide(own.opinion, own.evidence.findings, answer=answer), answer.name
        return decided

    def _result(self, seen: _Seen, decision: Decision, decided_by: str, signature: Signature) -> Result:
        source, output, opinion, comparison, evidence = seen
        faithfulness = opinion.under(self.policy)
        usual = self.thresholds.at(self.policy, opinion.band, max(self.risk, DEFAULT_RISK))
        keep = needed(opinion, evidence.findings, self.policy, usual).keep
        findings = show(
            evidence.findings,
            source,
            output,
            comparison,
            verdict=decision.verdict,
            policy=self.policy,
            is_reworded=opinion.band in REWORDED,
            is_corrected=opinion.band in CORRECTED,
            is_likely=opinion.is_answered and keep <= faithfulness < decision.cause.keep,
            is_unlikely=decision.verdict == "drop" or (opinion.is_answered and faithfulness < self.thresholds.middle),
        )
        score = comparison.score
        if score.preset != self.preset:
            score = usim_score(source.graph, output.graph, self.preset)
        judgement = Judgement(
            faithfulness,
            findings,
            score,
            opinion=replace(opinion, comparison=None, findings=None),
            verdict=decision.verdict,
            cause=decision.cause,
            decided_by=decided_by,
            ledger=evidence.ledger,
        )
        texts = source.text, output.text
        return Result(*texts, score.f, judgement, signature, language_of_pair(*texts))


class _Seen(NamedTuple):
    """A pair with the opinion of a judge, and the evidence."""

    source: Analysis
    output: Analysis
    opinion: Opinion
    comparison: Comparison
    evidence: Evidence


def _read_alike(source: Sentence, output: Sentence) -> tuple[Sentence, list[tuple[Span, Span]]]:
    """Return an output with values written as in the source, see :func:`usim.evidence.values.read_alike`."""
    if isinstance(source, str) and isinstance(output, str):
        return read_alike(source, output)
    tokens = [token for sentence in (source, output) if not isinstance(sentence, str) for token in sentence]
    if any(" " in token for token in tokens):
        return output, []
    text, places = read_alike(_text(sentence_key(source)), _text(sentence_key(output)))
    return (text if isinstance(output, str) else text.split(" ")) if places else output, places


def as_written(result: Result, output: Sentence, places: Sequence[tuple[Span, Span]]) -> Result:
    """Return a result with the output as it was written, if its values were read as the source writes them."""
    if not places:
        return result

    def place(at: int, end: bool) -> int:
        shift = 0
        for (start, stop), (own_start, own_stop) in places:
            if at >= stop + (not end):
                shift = own_stop - stop
            elif at > start or (at == start and not end):
                return own_stop if end else own_start
        return at + shift

    findings = tuple(
        structs.replace(
            finding, output_spans=tuple((place(start, False), place(end, True)) for start, end in finding.output_spans)
        )
        for finding in result.judgement.findings
    )
    text = _text(sentence_key(output))
    spans = Analysis(result.output_graph, None, result.output).spans

    def written(entry: Fact) -> Fact:
        own = [span for j in entry.output if (span := spans[j]) is not None]
        if not own or all(own[-1][1] <= start or stop <= own[0][0] for (start, stop), _ in places):
            return entry
        return structs.replace(entry, new=text[place(own[0][0], False) : place(own[-1][1], True)])

    ledger = replace(result.judgement.ledger, entries=tuple(map(written, result.judgement.ledger.entries)))
    judgement = replace(result.judgement, findings=findings, ledger=ledger)
    return replace(result, output=text, judgement=judgement)


def _text(key: Key | SubstitutedKey) -> str:
    sentence = key.output if isinstance(key, SubstitutedKey) else key
    return sentence if isinstance(sentence, str) else " ".join(sentence)
