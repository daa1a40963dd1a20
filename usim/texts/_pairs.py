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
from usim.text import Span
from usim.texts._align import PassageReader
from usim.texts._blocks import GRAVITY, LinkedTexts, TextBlock, judge_blocks, worst_verdict
from usim.texts._cut import cut_text


def judge_in_blocks(
    pipeline: JudgePipeline, pairs: Sequence[tuple[Sentence, Sentence]], judged: Sequence[Result]
) -> list[Result]:
    """Return judged pairs; those that have several blocks as their blocks say.

    Graphs and USim are those of the whole pair. Pairs of single sentences are returned as they are.

    Args:
        pipeline: what judges; with a judge that reads no words, or a parser that knows the graphs of whole pairs alone,
            all pairs are returned as they are.
        pairs: the sentences.
        judged: the same pairs, judged as wholes.
    """
    result = list(judged)
    encoder = pipeline.judge.encoder
    if encoder is None or isinstance(pipeline.analyser.parser, GivenParser):
        return result
    reader = PassageReader(encoder)
    texts = {}
    for k, (pair, whole) in enumerate(zip(pairs, judged, strict=True)):
        if whole.source_graph.tokens != whole.output_graph.tokens:
            before, after = (cut_text(side if isinstance(side, str) else " ".join(side)) for side in pair)
            if before.passages and after.passages and len(before.passages) + len(after.passages) > 2:
                linked = LinkedTexts(before, after, reader)
                if len(linked.links) > 1:
                    texts[k] = linked
    for k, blocks in zip(texts, judge_blocks(pipeline, list(texts.values())), strict=True):
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
    """Return a reason of a block with the tokens of the whole pair that begin within its places."""
    at, to = _tokens_in(source, reason.source_spans), _tokens_in(output, reason.target_spans)
    return structs.replace(
        reason, source=tuple(at), target=tuple(to), source_spans=tuple(at.values()), target_spans=tuple(to.values())
    )


def _tokens_in(analysis: Analysis, spans: Sequence[Span]) -> dict[int, Span]:
    return {
        place: span
        for start, end in spans
        for place, span in enumerate(analysis.spans)
        if span is not None and start <= span[0] < end
    }
