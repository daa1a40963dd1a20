"""A parser and a judge together: from pairs of sentences to results.

The one place where verdicts are made. Within a batch of pairs nothing is parsed, analysed or judged twice.
"""

from __future__ import annotations

import warnings
from collections.abc import Iterable, Sequence
from dataclasses import replace
from typing import NamedTuple

from msgspec import structs

from usim.evidence import Analysis, Entry, Restated, Sentence, locate_reasons, restated
from usim.evidence.values import read_alike
from usim.judge._analyser import Analyser, as_it_looks
from usim.judge._base import Judge, Judgement, Policy, Thresholds
from usim.judge._encoder import EncoderInput
from usim.judge._lru import LRUCache
from usim.judge._result import Result
from usim.judge.facts import settle, with_a_reason
from usim.judge.risk import DEFAULT_RISK
from usim.judge.substituted import substituted
from usim.llm import LlmError
from usim.measures import DEFAULT, Preset, usim_score
from usim.parsing import Parser, Reading
from usim.signature import Signature
from usim.text import Context, Span, language_of_pair, token_texts, unseen_differences
from usim.ucca import Graph

#: A sentence as a key of dictionaries.
Key = str | tuple[str, ...]


def sentence_key(sentence: Sentence) -> Key:
    """Return a sentence as something that can be looked up."""
    return sentence if isinstance(sentence, str) else tuple(sentence)


class SubstitutedKey(NamedTuple):
    """The key of a changed sentence whose graph is that of its source with the changed words substituted."""

    source: Key
    output: Key
    # No tuple of tokens is equal to this.
    is_in_place: bool = True


#: Characters of the longest word whose change a judge can keep; the longest words of English have fewer than 50.
LONGEST_WORD = 100


class AnalysisCache(LRUCache[tuple[Key, Context | None], Analysis]):
    """The analyses of the latest sources of earlier batches of pairs, for the next batch; their size is in tokens.

    Vectors depend in their last bits on what is encoded together; :meth:`clear` the cache where the results of a batch
    must depend on nothing but the batch.
    """


class JudgePipeline:
    """Analyses and judges pairs of sentences; :class:`usim.options.Options` makes it from names.

    Args:
        parser: the parser.
        judge: the judge.
        thresholds: where verdicts change; by default the judge's own.
        preset: how graphs are compared.
        policy: what an output may do.
        risk: the share of wrong verdicts that is accepted, where the judge has thresholds for it.
        ask: another judge, mostly a language model, that decides what would be ``review``. Where it fails, that stays.
        reads_context: whether sentences are read together with the text around them, by a judge that reads words.
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
        """What results are made with: parser, preset, judge, thresholds, what is read, and the version."""
        judge = {"judge": self.judge.name, **self.thresholds.signature(self.policy, self.risk)}
        asked = {} if self.ask is None else {"ask": self.ask.name}
        alone = {} if self.reads_context or self.judge.encoder is None else {"context": "no"}
        return Signature.stamped({"parser": self.analyser.parser.name}, self.preset.signature, judge, asked, alone)

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
            pairs: the sentences.
            contexts: the text around both sentences of each pair, for the vectors of their words.
            cache: analyses to use again; holds those of the latest sources afterwards.
            in_place: whether words that are substituted take the places of their targets in the source's graph.

        Raises:
            ParsingError: a sentence cannot be parsed.
        """
        if cache is None:
            cache = AnalysisCache()
        alike = [_read_alike(*pair) for pair in pairs]
        given = [
            (sentence_key(source), sentence_key(read)) for (source, _), (read, _) in zip(pairs, alike, strict=True)
        ]
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
        missing = [
            key_in_context
            for key_in_context in dict.fromkeys((key, context) for pair, context in distinct for key in pair)
            if key_in_context not in analyses
        ]
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
        results = (by_request[request] for request in requests)
        return [
            _as_written(result, output, places) if places else result
            for result, (_, output), (_, places) in zip(results, pairs, alike, strict=True)
        ]

    def judge_graphs(self, source: Graph, output: Graph, texts: tuple[str, str]) -> Result:
        """Judge two sentences by given graphs."""
        graphs = [as_it_looks(Reading(graph)).graph for graph in (source, output)]
        before, after = self.analyser.analyse_graphs(
            [(graph, text, EncoderInput(graph.tokens)) for graph, text in zip(graphs, texts, strict=True)]
        )
        (judged,) = self._judge([(before, after)])
        return judged

    def _read(
        self, pairs: Sequence[tuple[Key, Key]], cache: AnalysisCache, *, in_place: bool
    ) -> tuple[list[tuple[Key, Key | SubstitutedKey]], dict[Key | SubstitutedKey, Reading]]:
        """Return the pairs, substituted sentences by such keys, and the readings of all."""
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

    def _judge(self, pairs: list[tuple[Analysis, Analysis]]) -> list[Result]:
        judgements = [
            self._with_verdict(*pair, judged) for pair, judged in zip(pairs, self.judge.judge(pairs), strict=True)
        ]
        self._restate(pairs, judgements)
        if self.ask is not None:
            judgements = self._with_answers(pairs, judgements, self.ask)
        signature = self.signature
        results = []
        for (source, output), judgement in zip(pairs, judgements, strict=True):
            if judgement.usim.preset != self.preset:
                judgement = replace(judgement, usim_score=usim_score(source.graph, output.graph, self.preset))
            texts = source.text, output.text
            results.append(Result(*texts, judgement.usim.f, judgement, signature, language_of_pair(*texts)))
        return results

    def thresholds_of(self, judgement: Judgement) -> Thresholds:
        """Return the thresholds by which a pair gets its verdict: those of its band, by the policy and the risk."""
        return self.thresholds.at(self.policy, judgement.band, self.risk)

    def _is_likely(self, judgement: Judgement) -> bool:
        """Return whether only the chosen risk keeps a pair from being kept."""
        usual = self.thresholds.at(self.policy, judgement.band, max(self.risk, DEFAULT_RISK))
        own = self.thresholds_of(judgement)
        return judgement.is_answered and usual.keep <= judgement.under(self.policy) < own.keep

    def _restate(self, pairs: Sequence[tuple[Analysis, Analysis]], judgements: list[Judgement]) -> None:
        """Judge outputs that say the same in other words as if they had the words of the source there.

        A judge doubts that *a quarter of an hour* is *fifteen minutes*, or *unless* is *if not*, and such doubts hide
        what else changed. The better of the two judgements counts, and what was restated is no reason.
        """
        if self.judge.encoder is None:
            return
        found: list[tuple[int, Restated]] = []
        for k, (source, output) in enumerate(pairs):
            if judgements[k].verdict != "keep" and (other := restated(source.view, output.view)) is not None:
                found.append((k, other))
        if not found:
            return
        analyses = self.analyser.analyse([other.tokens for _, other in found])
        again = [(pairs[k][0], analysis) for (k, _), analysis in zip(found, analyses, strict=True)]
        for (k, other), pair, judged in zip(found, again, self.judge.judge(again), strict=True):
            judgement = self._with_verdict(*pair, judged)
            own = judgements[k]
            if judgement.faithfulness > own.faithfulness:
                judgements[k] = _of_output(judgement, own, other, *pairs[k])
            else:
                reasons = [
                    reason
                    for reason in own.reasons
                    if not (other.source.issuperset(reason.source) and other.output.issuperset(reason.target))
                ]
                is_likely = self._is_likely(own)
                judgements[k] = replace(own, reasons=with_a_reason(reasons, own.verdict, own.band, is_likely=is_likely))

    def _with_answers(
        self, pairs: Sequence[tuple[Analysis, Analysis]], judgements: list[Judgement], other: Judge
    ) -> list[Judgement]:
        """Return the judgements, those to be reviewed with the verdict of another judge, where it has one."""
        doubtful = [
            k
            for k, judgement in enumerate(judgements)
            # Nobody overrules a fact that certainly changed.
            if judgement.verdict == "review" and not judgement.ledger.against(self.policy)
        ]
        try:
            answers = other.judge([pairs[k] for k in doubtful])
        except LlmError as e:
            warnings.warn(
                f"{other.name} gave no answer, what it was asked about stays to be reviewed: {e}", stacklevel=2
            )
            return judgements
        for k, answer in zip(doubtful, answers, strict=True):
            if answer.is_answered:
                own = judgements[k]
                verdict = other.thresholds.verdict(answer.faithfulness)
                reasons = own.reasons
                if verdict == "keep":
                    reasons = tuple(structs.replace(reason, is_shown=False) for reason in reasons)
                judgements[k] = replace(
                    own,
                    faithfulness=answer.faithfulness,
                    reasons=reasons,
                    verdict=verdict,
                    decided_by=other.name,
                )
        return judgements

    def _with_verdict(self, source: Analysis, output: Analysis, judgement: Judgement) -> Judgement:
        """Return a judgement with its verdict, and with reasons that are marked as shown or not and have their places.

        To be reviewed are: a pair that the judge could not answer for, with a faithfulness between the thresholds; a
        change of a word with more than :data:`LONGEST_WORD` characters; and one to letters of another script that look
        the same.
        """
        thresholds = self.thresholds_of(judgement)
        faithfulness = judgement.under(self.policy) if judgement.is_answered else thresholds.middle
        verdict = thresholds.verdict(faithfulness)
        if not judgement.is_answered or (verdict == "keep" and _long_words(source) != _long_words(output)):
            verdict = "review"
        if verdict == "keep" and unseen_differences(source.text, output.text).is_alike:
            verdict = "review"
        settled, reasons, ledger = settle(
            source, output, judgement, verdict, thresholds, self.policy, is_likely=self._is_likely(judgement)
        )
        if settled != verdict:  # a fact changed, or there is no reason to tell
            verdict = settled
            review = max(thresholds.drop, min(faithfulness, thresholds.middle))
            faithfulness = min(faithfulness, thresholds.drop / 2) if verdict == "drop" else review
        reasons = locate_reasons(reasons, source, output)
        return replace(
            judgement, faithfulness=faithfulness, reasons=reasons, verdict=verdict, decided_by="", ledger=ledger
        )


def _of_output(judgement: Judgement, own: Judgement, other: Restated, source: Analysis, output: Analysis) -> Judgement:
    """Return the judgement of a restated output with the places of the output itself."""

    def placed(places: Iterable[int]) -> tuple[int, ...]:
        return tuple(sorted({other.places[j] for j in places}))

    reasons = [
        structs.replace(reason, target=placed(reason.target), source_spans=(), target_spans=())
        for reason in judgement.reasons
    ]
    entries = [structs.replace(entry, target=placed(entry.target)) for entry in judgement.ledger.entries]
    entries = [structs.replace(entry, new=output.view.written(entry.target)) for entry in entries]
    return replace(
        judgement,
        usim_score=own.usim,
        reasons=locate_reasons(reasons, source, output),
        soft_links=own.soft_links,
        ledger=replace(judgement.ledger, entries=tuple(entries)),
    )


def _read_alike(source: Sentence, output: Sentence) -> tuple[Sentence, list[tuple[Span, Span]]]:
    """Return an output with values written as in the source, see :func:`usim.evidence.values.read_alike`."""
    if isinstance(source, str) and isinstance(output, str):
        return read_alike(source, output)
    tokens = [token for sentence in (source, output) if not isinstance(sentence, str) for token in sentence]
    if any(" " in token for token in tokens):
        return output, []
    text, places = read_alike(_text(sentence_key(source)), _text(sentence_key(output)))
    return (text if isinstance(output, str) else text.split(" ")) if places else output, places


def _as_written(result: Result, output: Sentence, places: Sequence[tuple[Span, Span]]) -> Result:
    """Return the result of an output whose values were read as the source writes them, with places in the output."""

    def place(at: int, end: bool) -> int:
        shift = 0
        for (start, stop), (own_start, own_stop) in places:
            if at >= stop + (not end):
                shift = own_stop - stop
            elif at > start or (at == start and not end):
                return own_stop if end else own_start
        return at + shift

    reasons = tuple(
        structs.replace(
            reason, target_spans=tuple((place(start, False), place(end, True)) for start, end in reason.target_spans)
        )
        for reason in result.judgement.reasons
    )
    text = _text(sentence_key(output))
    spans = Analysis(result.output_graph, None, result.output).spans

    def written(entry: Entry) -> Entry:
        own = [span for j in entry.target if (span := spans[j]) is not None]
        if not own or all(own[-1][1] <= start or stop <= own[0][0] for (start, stop), _ in places):
            return entry
        return structs.replace(entry, new=text[place(own[0][0], False) : place(own[-1][1], True)])

    ledger = replace(result.judgement.ledger, entries=tuple(map(written, result.judgement.ledger.entries)))
    judgement = replace(result.judgement, reasons=reasons, ledger=ledger)
    return replace(result, output=text, judgement=judgement)


def _text(key: Key | SubstitutedKey) -> str:
    sentence = key.output if isinstance(key, SubstitutedKey) else key
    return sentence if isinstance(sentence, str) else " ".join(sentence)


def _long_words(analysis: Analysis) -> list[str]:
    return [word for word in analysis.graph.tokens if len(word) > LONGEST_WORD]
