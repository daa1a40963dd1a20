"""Pairs of several sentences, judged block by block, so that nothing that changed is lost among what did not.

The pair is as faithful as its worst block. So faithful sentences around a changed one make no verdict better.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from msgspec import structs

from usim.compare import Analysis, Reason, Sentence
from usim.judge import JudgePipeline, Result
from usim.parsing.given import GivenParser
from usim.text import MAX_TOKENS, Span
from usim.texts._blocks import GRAVITY, BlockJudge, TextBlock, worst_verdict
from usim.texts._cut import cut_text, cut_tokens


def judge_in_blocks(
    pipeline: JudgePipeline,
    pairs: Sequence[tuple[Sentence, Sentence]],
    judged: Sequence[Result],
    *,
    max_tokens: int = MAX_TOKENS,
) -> list[Result]:
    """Return judged pairs; those that have several blocks as their blocks say.

    Graphs and USim are those of the whole pair. Pairs of single sentences are returned as they are.

    Args:
        pipeline: what judges; with a judge that reads no words, or a parser that knows the graphs of whole pairs alone,
            all pairs are returned as they are.
        pairs: the sentences.
        judged: the same pairs, judged as wholes.
        max_tokens: the most tokens of one side of a block.
    """
    encoder = pipeline.judge.encoder
    if encoder is None or isinstance(pipeline.analyser.parser, GivenParser):
        return list(judged)
    judge = BlockJudge(pipeline, encoder, max_tokens=max_tokens)
    texts = {}
    for k, (pair, whole) in enumerate(zip(pairs, judged, strict=True)):
        if whole.source_graph.tokens != whole.output_graph.tokens:
            before, after = (cut_text(side) if isinstance(side, str) else cut_tokens(tuple(side)) for side in pair)
            if before.passages and after.passages and len(before.passages) + len(after.passages) > 2:
                linked = judge.link(before, after)
                if len(linked.links) > 1:
                    texts[k] = linked
    result = list(judged)
    for k, blocks in zip(texts, judge.judge(list(texts.values())), strict=True):
        result[k] = _of_blocks(judged[k], blocks)
    return result


def _of_blocks(whole: Result, blocks: Sequence[TextBlock]) -> Result:
    """Return a pair, judged as its worst block."""
    own, analyses = whole.judgement, whole.analyses
    least = min(blocks, key=lambda block: block.faithfulness)
    reasons = [(GRAVITY[block.verdict], reason) for block in blocks for reason in block.reasons]
    reasons.sort(key=lambda r: (-r[0], -r[1].weight))
    # That a sentence was reworded is said once, however many were.
    distinct: dict[str | int, Reason] = {}
    for k, (_, reason) in enumerate(reasons):
        distinct.setdefault(reason.kind if reason.kind == "reworded" else k, reason)
    judgement = replace(
        own,
        faithfulness=least.faithfulness,
        supported=None if own.supported is None else min(block.supported for block in blocks),
        covered=None if own.covered is None else min(block.covered for block in blocks),
        decided_by=least.decided_by,
        verdict=worst_verdict([block.verdict for block in blocks]),
        reasons=tuple(_in_whole(reason, *analyses) for reason in distinct.values()),
    )
    return replace(whole, judgement=judgement)


def _in_whole(reason: Reason, source: Analysis, output: Analysis) -> Reason:
    """Return a reason of a block with its tokens in the whole pair."""
    at, at_spans = _tokens_in(source, reason.source_spans)
    to, to_spans = _tokens_in(output, reason.target_spans)
    return structs.replace(reason, source=at, target=to, source_spans=at_spans, target_spans=to_spans)


def _tokens_in(analysis: Analysis, spans: Sequence[Span]) -> tuple[tuple[int, ...], tuple[Span, ...]]:
    """Return the tokens of a sentence that begin within spans, and where each stands."""
    tokens = [
        (place, span)
        for start, end in spans
        for place, span in enumerate(analysis.spans)
        if span is not None and start <= span[0] < end
    ]
    return tuple(place for place, _ in tokens), tuple(span for _, span in tokens)
