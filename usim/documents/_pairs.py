"""Pairs of several sentences: judged as wholes where one network reads them so, and block by block.

Nothing that changed may be lost among what did not: a pair is as faithful as the worst of its parts.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import NamedTuple

from msgspec import structs

from usim.documents._align import PassageReader
from usim.documents._blocks import LinkedTexts, TextBlock, judge_blocks, placed
from usim.documents._cut import cut_text
from usim.evidence import Analysis, Finding, Sentence, say
from usim.judge import JudgePipeline
from usim.judge.inputs import LONGEST_READ
from usim.parsing.given import GivenParser
from usim.text import Span
from usim.verdicts import Judgement, Policy, Result
from usim.verdicts.decide import gravity
from usim.verdicts.nouns import BANDS, MISSPELT, REWORDED

#: The share of the characters of a passage from which on it is unsaid as a whole.
_MOST = 0.4
#: The bands in which a block knows more than what is said of the text around it: one place changed, or mended errors.
_SINGLE = {*BANDS, MISSPELT} - {*REWORDED, "edits"}


def judge_in_blocks(
    pipeline: JudgePipeline, pairs: Sequence[tuple[Sentence, Sentence]], judged: Sequence[Result]
) -> list[Result]:
    """Return pairs that were judged as wholes, with graphs and USim of the whole, judged as their blocks say.

    What one network has read as a whole has the probability that it says; of longer texts that is said of runs of
    passages. Pairs of one block are returned as they are. So are all if the judge reads no words, or the parser knows
    only the graphs of whole pairs.
    """
    result = list(judged)
    encoder = pipeline.judge.encoder
    if encoder is None or isinstance(pipeline.analyser.parser, GivenParser):
        return result
    reader = PassageReader(encoder)
    texts: dict[int, LinkedTexts] = {}
    readings: dict[int, list[_ReadRun]] = {}
    for k, (pair, whole) in enumerate(zip(pairs, judged, strict=True)):
        if whole.source_graph.tokens != whole.output_graph.tokens:
            before, after = (cut_text(side if isinstance(side, str) else " ".join(side)) for side in pair)
            if before.passages and after.passages and len(before.passages) + len(after.passages) > 2:
                linked = LinkedTexts(before, after, reader)
                if len(linked.links) == 1:
                    continue
                read = _readings(linked, whole, pipeline)
                if not (whole.judgement.opinion.is_whole and read[0].is_enough):
                    texts[k], readings[k] = linked, read
                    linked.leave_out(one.run for one in read if one.is_enough)
    for k, blocks in zip(texts, judge_blocks(pipeline, list(texts.values())), strict=True):
        result[k] = _of_blocks(judged[k], [*_by_runs(readings[k], blocks, pipeline)], pipeline.policy)
    return result


class _ReadRun(NamedTuple):
    """A run of links that one network has read as a whole: where it stands in both texts, and what is said of it.

    Attributes:
        unsaid: the passages without a counterpart most of which the network finds unsaid.
        is_enough: whether blocks would tell no more. They do where each sentence has one of its own, or is unsaid;
            where sentences were merged and split, they find what is not there.
    """

    run: range
    before: Span
    after: Span
    judgement: Judgement
    unsaid: frozenset[Span]
    is_enough: bool


def _readings(texts: LinkedTexts, whole: Result, pipeline: JudgePipeline) -> list[_ReadRun]:
    """Return what networks have read as a whole: a pair of texts, or the runs of long ones."""
    if whole.judgement.opinion.is_whole:
        judged = {range(len(texts.links)): whole.judgement}
        spans = {run: ((0, len(texts.before.plain)), (0, len(texts.after.plain))) for run in judged}
    elif max(len(graph.tokens) for graph in (whole.source_graph, whole.output_graph)) <= LONGEST_READ:
        return []  # the kind of change is not read
    else:
        sides = {run: texts.sides(run) for run in texts.runs(LONGEST_READ)}
        spans = {run: (texts.before.span_of(a), texts.after.span_of(b)) for run, (a, b) in sides.items()}
        pairs = [(texts.before.sentence_at(a), texts.after.sentence_at(b)) for a, b in spans.values()]
        judged = {}
        for run, result in zip(spans, pipeline.judge_pairs(pairs), strict=True):
            findings = tuple(placed(finding, *spans[run]) for finding in result.judgement.findings)
            judged[run] = replace(result.judgement, findings=findings)
    return [
        _read_run(texts, run, *spans[run], judgement) for run, judgement in judged.items() if judgement.opinion.is_whole
    ]


def _read_run(texts: LinkedTexts, run: range, before: Span, after: Span, judgement: Judgement) -> _ReadRun:
    links = texts.links[run.start : run.stop]
    findings = [finding for finding in judgement.findings if finding.kind == "unsaid"]
    lost = [span for finding in findings for span in finding.source_spans]
    added = [span for finding in findings for span in finding.output_spans]
    lone = [(texts.before.passages[k], lost) for link in links if not link.after for k in link.before]
    lone += [(texts.after.passages[k], added) for link in links if not link.before for k in link.after]
    unsaid = frozenset(
        (start, end)
        for (start, end, _), words in lone
        if sum(b - a for a, b in words if start <= a < end) >= _MOST * (end - start)
    )
    is_each = all(len(link.before) == len(link.after) == 1 for link in links)
    return _ReadRun(run, before, after, judgement, unsaid, not (is_each or unsaid))


def _by_runs(readings: Sequence[_ReadRun], blocks: Sequence[TextBlock], pipeline: JudgePipeline) -> Iterator[TextBlock]:
    """Yield a block for each run that was read as a whole, with what its blocks find; and all other blocks."""
    others = list(blocks)
    for _, before, after, judgement, unsaid, is_enough in readings:
        # What is unsaid, single changes and corrections are known better by themselves.
        inside = [
            block
            for block in others
            if not is_enough and _stands_in(block, before, after)
            if not (unsaid.intersection(block.before + block.after) or (block.cause and block.cause.band in _SINGLE))
        ]
        others = [block for block in others if block not in inside]
        opinion, verdict, cause, findings = judgement.opinion, judgement.verdict, judgement.cause, judgement.findings
        if not is_enough:
            findings = tuple(finding for block in inside for finding in block.findings)
            verdict, cause = pipeline.decide(opinion, findings)
        yield TextBlock(
            (before,), (after,), before, after, verdict=verdict, cause=cause, faithfulness=judgement.faithfulness,
            findings=findings, supported=opinion.supported or 0.0, covered=opinion.covered or 0.0,
            decided_by=judgement.decided_by,
        )  # fmt: skip
    yield from others


def _stands_in(block: TextBlock, before: Span, after: Span) -> bool:
    """Return whether a block stands in a run: all of it, and what stands on one side alone."""
    sides = [(spans, span) for spans, span in ((block.before, before), (block.after, after)) if spans]
    return all(span[0] <= start < span[1] for spans, span in sides for start, _ in spans)


def _of_blocks(whole: Result, blocks: Sequence[TextBlock], policy: Policy) -> Result:
    """Return a pair, judged as its worst block: the verdict is the gravest, and the faithfulness the least of all."""
    own, analyses = whole.judgement, whole.analyses
    least = min(block.faithfulness for block in blocks)
    worst = max(blocks, key=lambda block: (gravity(block.verdict), -block.faithfulness))
    findings = [(gravity(block.verdict), finding) for block in blocks for finding in block.findings]
    if worst.verdict != "keep" and not any(finding.is_shown for _, finding in findings):
        # The whole is open though no block of it is: what is told of the whole is told.
        case = "reworded.part.unlikely" if worst.verdict == "drop" else "reworded.part"
        told = [finding for finding in own.findings if finding.is_shown] or [Finding("reworded", say(case))]
        findings += [(gravity(worst.verdict), finding) for finding in told]
    findings.sort(key=lambda r: (-r[0], not r[1].is_certain, -r[1].weight))
    # That a sentence was reworded is said once, however many were.
    distinct: dict[str | int, Finding] = {}
    for k, (_, finding) in enumerate(findings):
        distinct.setdefault(finding.kind if finding.kind == "reworded" else k, finding)
    supported = None if own.supported is None else min(block.supported for block in blocks)
    covered = None if own.covered is None else min(block.covered for block in blocks)
    opinion = replace(
        own.opinion,
        same=least if policy == "same" else own.opinion.same,
        supported=least if policy == "shorten" else supported,
        covered=least if policy == "expand" else covered,
    )
    judgement = replace(
        own,
        faithfulness=least,
        opinion=opinion,
        decided_by=worst.decided_by,
        verdict=worst.verdict,
        cause=worst.cause,
        findings=tuple(_in_whole(finding, *analyses) for finding in distinct.values()),
    )
    return replace(whole, judgement=judgement)


def _in_whole(finding: Finding, source: Analysis, output: Analysis) -> Finding:
    """Return a finding of a block with the tokens of the whole pair that begin within its places."""
    at, to = _tokens_in(source, finding.source_spans), _tokens_in(output, finding.output_spans)
    return structs.replace(
        finding, source=tuple(at), output=tuple(to), source_spans=tuple(at.values()), output_spans=tuple(to.values())
    )


def _tokens_in(analysis: Analysis, spans: Sequence[Span]) -> dict[int, Span]:
    tokens = [(place, span) for place, span in enumerate(analysis.spans) if span is not None]
    return {place: span for start, end in spans for place, span in tokens if start <= span[0] < end}
