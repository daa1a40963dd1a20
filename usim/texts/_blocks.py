"""Two texts judged block by block: what belongs together as a pair, what has no counterpart by what the other one says.

Whole texts (:mod:`usim.texts._compare`) and pairs of several sentences (:mod:`usim.texts._pairs`) are judged here.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Any, NamedTuple

import numpy as np
from msgspec import structs

from usim.compare import Reason, Sentence, say
from usim.judge import Judgement, JudgePipeline, TokenEncoder, Verdict
from usim.judge.risk import REWORDED
from usim.text import MAX_TOKENS, Span, check_length, context_of, token_texts
from usim.texts._align import PassageLink, joined
from usim.texts._cut import CutText, Passage, quoted
from usim.texts._links import Elsewhere, link_texts
from usim.texts._reading import PassageReader

#: From this coverage on, by cosine, what has no counterpart stands elsewhere; from the next one on that is doubtful;
#: at the last one nothing of it does.
ELSEWHERE, DOUBTFUL, NOWHERE = 0.72, 0.56, 0.4
#: A judge that gives a passage beside its neighbours this share or more seems to find its content there. Chosen on the
#: texts to develop on (`python -m experiments texts --part develop`): invented sentences mostly get less.
_BESIDE = 0.75
#: The weight of the reason that something is left out or added.
_WEIGHT = 0.9
#: Blocks that are judged together.
_TOGETHER = 64
#: Words of greetings that begin with a capital and are no names.
_GREETS = frozenset("dear hi hello hey good morning afternoon evening greetings all everyone team sir madam".split())
#: Verdicts, from the best to the worst.
GRAVITY: dict[Verdict, int] = {"keep": 0, "review": 1, "drop": 2}


def worst_verdict(verdicts: Sequence[Verdict]) -> Verdict:
    """Return the gravest of some verdicts, ``keep`` for none."""
    return max(verdicts, key=lambda verdict: GRAVITY[verdict], default="keep")


@dataclass(frozen=True)
class TextBlock:
    """Passages of both texts that belong together, or one that has no counterpart.

    Attributes:
        before, after: where the passages stand, in characters; empty on the side that has none.
        before_span, after_span: from the first to the last of them; where there are none an empty span at the place
            where they would stand.
        is_same: whether both sides have the same words.
        is_moved: whether it stands elsewhere in the order of the other text.
        verdict, faithfulness: as of a pair of sentences; by the policy for a passage without a counterpart.
        reasons: what speaks against it, the gravest first, with places in the texts.
        supported: how much of what stands after the change stands before it, in [0, 1].
        covered: how much of what stands before the change stands after it, in [0, 1].
        elsewhere: where the other text has the content of a passage without a counterpart.
        decided_by: the name of the judge that was asked because the first one was in doubt; empty where none was.
    """

    before: tuple[Span, ...]
    after: tuple[Span, ...]
    before_span: Span
    after_span: Span
    is_same: bool = False
    is_moved: bool = False
    verdict: Verdict = "keep"
    faithfulness: float = 1.0
    reasons: tuple[Reason, ...] = ()
    supported: float = 1.0
    covered: float = 1.0
    elsewhere: tuple[Span, ...] = ()
    decided_by: str = ""

    @property
    def form(self) -> str:
        """How many passages it has before and after the change: ``1-1``, ``2-1``, ``0-1``."""
        return f"{len(self.before)}-{len(self.after)}"

    @property
    def is_alone(self) -> bool:
        """Whether it has no counterpart."""
        return not (self.before and self.after)

    def to_dict(self) -> dict[str, Any]:
        """Return the block as JSON values; spans of reasons are places in the texts."""
        return {
            "before": self.before,
            "after": self.after,
            "type": self.form,
            "same": self.is_same,
            "moved": self.is_moved,
            "verdict": self.verdict,
            "faithfulness": self.faithfulness,
            "supported": self.supported,
            "covered": self.covered,
            "elsewhere": self.elsewhere,
            "reasons": [
                {"kind": reason.kind, "text": reason.text, "weight": reason.weight, "shown": reason.is_shown,
                 "before": reason.source_spans, "after": reason.target_spans}
                for reason in self.reasons
            ],
        }  # fmt: skip


class LinkedTexts(NamedTuple):
    """Two texts with their links."""

    before: CutText
    after: CutText
    links: list[PassageLink]

    def passages(self, link: PassageLink) -> list[Passage]:
        """Return the passages of both texts that are linked."""
        return [*(self.before.passages[k] for k in link.before), *(self.after.passages[k] for k in link.after)]

    def keys(self, link: PassageLink) -> tuple[list[str], list[str]]:
        """Return the words of the passages of both texts that are linked."""
        return [self.before.keys[k] for k in link.before], [self.after.keys[k] for k in link.after]

    def sides(self, link: PassageLink) -> tuple[Sentence, Sentence]:
        """Return both sides of a block as they are judged."""
        return self.before.sentence(link.before), self.after.sentence(link.after)


class BlockJudge:
    """Links two texts, and judges their blocks under the policy of a pipeline.

    Args:
        pipeline: what parses and judges.
        encoder: what reads the passages to link them.
        max_tokens: the most tokens of one side of a block.
        reads_around: whether blocks are judged together with the text around them.
    """

    def __init__(
        self,
        pipeline: JudgePipeline,
        encoder: TokenEncoder,
        *,
        max_tokens: int = MAX_TOKENS,
        reads_around: bool = False,
    ) -> None:
        self._pipeline, self._max_tokens, self._reads_around = pipeline, max_tokens, reads_around
        self._reader = PassageReader(encoder)

    def link(self, before: CutText, after: CutText) -> LinkedTexts:
        """Return two texts, linked."""
        return LinkedTexts(before, after, link_texts(before, after, self._reader))

    def judge(self, texts: Sequence[LinkedTexts]) -> Iterator[tuple[TextBlock, ...]]:
        """Yield the blocks of each of these texts; they are judged together."""
        started = [list(self._started(each)) for each in texts]
        asked = [(each, link) for each, own in zip(texts, started, strict=True) for _, links in own for link in links]
        judgements = self._judgements(asked)
        for own in started:
            answers = [[next(judgements) for _ in links] for _, links in own]
            blocks = [self._finished(block, some) for (block, _), some in zip(own, answers, strict=True)]
            is_reworded = [
                bool(some) and not block.is_alone and some[0].band in REWORDED
                for block, some in zip(blocks, answers, strict=True)
            ]
            thresholds = self._pipeline.thresholds
            for k, block in enumerate(blocks):
                # What seems to be gone or new beside a reworded passage may be said in it.
                if block.verdict == "drop" and block.is_alone and any(is_reworded[max(0, k - 1) : k + 2]):
                    blocks[k] = _reviewed(block, thresholds.drop, thresholds.middle)
            yield tuple(blocks)

    def _judgements(self, asked: Sequence[tuple[LinkedTexts, PassageLink]]) -> Iterator[Judgement]:
        pairs = [texts.sides(link) for texts, link in asked]
        for pair in pairs:
            for sentence, when in zip(pair, ("before", "after"), strict=True):
                check_length(sentence, f"a passage of the text {when} the change", max_tokens=self._max_tokens)
        contexts = [
            context_of(texts.before.plain, *texts.before.span_of(link.before)) if self._reads_around else None
            for texts, link in asked
        ]
        for at in range(0, len(pairs), _TOGETHER):
            some = slice(at, at + _TOGETHER)
            yield from (result.judgement for result in self._pipeline.judge_pairs(pairs[some], contexts[some]))

    def _started(self, texts: LinkedTexts) -> Iterator[tuple[TextBlock, list[PassageLink]]]:
        """Yield each block with what is known of it, and what the judge has to be asked to know the rest."""
        readers = Elsewhere(texts.after.keys, self._reader), Elsewhere(texts.before.keys, self._reader)
        at_before = at_after = 0
        for place, link in enumerate(texts.links):
            before_span = texts.before.span_of(link.before) if link.before else (at_before, at_before)
            after_span = texts.after.span_of(link.after) if link.after else (at_after, at_after)
            before = tuple(texts.before.passages[k][:2] for k in link.before)
            after = tuple(texts.after.passages[k][:2] for k in link.after)
            block = TextBlock(before, after, before_span, after_span, is_moved=link.is_moved)
            keys = texts.keys(link)
            if block.is_alone:
                yield self._alone(texts, place, block, readers[not link.before])
            elif keys[0] == keys[1]:
                yield replace(block, is_same=True), []
            elif _has_code(texts, link):
                middle = self._pipeline.thresholds.middle
                yield replace(block, verdict="review", faithfulness=middle, supported=0.5, covered=0.5), []
            else:
                yield block, [] if _greets_alike(texts, link) else [link]
            at_after = max(at_after, after_span[1])
            if not link.is_moved:
                at_before = max(at_before, before_span[1])

    def _finished(self, block: TextBlock, judgements: Sequence[Judgement]) -> TextBlock:
        """Return a block with what the judge says of it, or of a lone passage beside its neighbours."""
        if not judgements:
            return block
        if block.is_alone:
            shares = [judged.covered if block.before else judged.supported for judged in judgements]
            share = max((share for share in shares if share is not None), default=0.0)
            return _reviewed(block, share, self._pipeline.thresholds.middle) if share >= _BESIDE else block
        (judged,) = judgements
        supported, covered = judged.supported, judged.covered
        if supported is None or covered is None:  # a judge that does not tell the directions apart
            supported, covered = judged.usim.r2s.precision, judged.usim.s2r.recall
        reasons = tuple(
            structs.replace(
                reason,
                source_spans=_shifted(reason.source_spans, block.before_span[0]),
                target_spans=_shifted(reason.target_spans, block.after_span[0]),
            )
            for reason in judged.reasons
        )
        return replace(
            block,
            verdict=judged.verdict,
            faithfulness=judged.faithfulness,
            reasons=reasons,
            supported=supported,
            covered=covered,
            decided_by=judged.decided_by,
        )

    def _alone(
        self, texts: LinkedTexts, place: int, block: TextBlock, elsewhere: Elsewhere
    ) -> tuple[TextBlock, list[PassageLink]]:
        """Return the block of a passage without a counterpart, with its verdict by how far the other text says it.

        What seems to be gone or new is judged beside its neighbours: the alignment of words misses what is said in
        other words, such as *They may not be typical* and *who may not be representative*. The judge can tell.
        """
        link, thresholds = texts.links[place], self._pipeline.thresholds
        own, other = (texts.before, texts.after) if link.before else (texts.after, texts.before)
        passage = (link.before or link.after).start
        if own.passages[passage].kind == "greeting":
            return block, []
        coverage, places = elsewhere.find(own.keys[passage])
        knots = (0.0, thresholds.drop, thresholds.keep, 1.0)
        faithfulness = round(float(np.interp(coverage, (NOWHERE, DOUBTFUL, ELSEWHERE, 1.0), knots)), 5)
        share = round(min(1.0, max(0.0, (coverage - NOWHERE) / (ELSEWHERE - NOWHERE))), 3)
        verdict = thresholds.verdict(faithfulness)
        if self._pipeline.policy == ("shorten" if link.before else "expand"):
            verdict, faithfulness = "keep", 1.0
        words = quoted(own.plain[slice(*own.passages[passage][:2])])
        if link.before:
            reason = Reason("scene-lost", say("scene-lost", words), source_spans=block.before, weight=_WEIGHT)
        else:
            reason = Reason("scene-added", say("scene-added", "", words), target_spans=block.after, weight=_WEIGHT)
        block = replace(
            block,
            verdict=verdict,
            faithfulness=faithfulness,
            reasons=(reason,) if verdict != "keep" else (),
            elsewhere=tuple(other.passages[k][:2] for k in places) if share else (),
            supported=1.0 if link.before else share,
            covered=share if link.before else 1.0,
        )
        # A judge that reads no words sees the neighbours kept, and calls the whole covered.
        if verdict != "drop" or self._pipeline.judge.encoder is None:
            return block, []
        near = [joined(link, each) for each in texts.links[max(0, place - 1) : place + 2] if each is not link]
        return block, [each for each in near if each is not None and self._is_judged(texts, each)]

    def _is_judged(self, texts: LinkedTexts, link: PassageLink) -> bool:
        """Return whether both sides of a block are short enough to be judged, and none has code."""
        lengths = [len(token_texts(side) if isinstance(side, str) else side) for side in texts.sides(link)]
        return max(lengths) <= self._max_tokens and not _has_code(texts, link)


def _has_code(texts: LinkedTexts, link: PassageLink) -> bool:
    return any(passage.kind == "code" for passage in texts.passages(link))


def _greets_alike(texts: LinkedTexts, link: PassageLink) -> bool:
    """Return whether a greeting gave way to another one with the same names."""
    if [passage.kind for passage in texts.passages(link)] != ["greeting"] * 2:
        return False
    words = (re.findall(r"\w+", key)[1:] for (key,) in texts.keys(link))
    before, after = ({word for word in side if word[0].isupper() and word.lower() not in _GREETS} for side in words)
    return before == after


def _reviewed(block: TextBlock, share: float, middle: float) -> TextBlock:
    """Return the block of a lone passage whose content is found beside it, or may be, in such a share.

    It is to be reviewed, never kept: what is missing may lie hidden among what did not change.
    """
    share = max(min(block.supported, block.covered), round(share, 3))
    return replace(
        block,
        verdict="review",
        faithfulness=max(block.faithfulness, min(share, middle)),
        supported=1.0 if block.before else share,
        covered=share if block.before else 1.0,
    )


def _shifted(spans: Sequence[Span], by: int) -> tuple[Span, ...]:
    return tuple((start + by, end + by) for start, end in spans)
