"""Pairs of several sentences, judged block by block, so that nothing that changed is lost among what did not.

The pair is as faithful as its worst block, and what has no counterpart counts as lost or added. So faithful sentences
around a changed one make no verdict better.
"""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Iterator, Sequence
from dataclasses import replace
from itertools import pairwise
from typing import NamedTuple

from msgspec import structs

from usim.compare import Analysis, Reason, Sentence, say
from usim.judge import JudgePipeline, Result, TokenEncoder, Verdict
from usim.parsing.given import GivenParser
from usim.text import Span
from usim.texts._align import PassageLink
from usim.texts._comparison import GRAVITY, worst_verdict
from usim.texts._cut import CutText, cut_text, cut_tokens, may_have_several
from usim.texts._links import link_texts
from usim.texts._moves import Elsewhere
from usim.texts._reading import PassageReader

#: From this coverage on, by cosine, what has no counterpart stands elsewhere; from the next one on that is doubtful;
#: at the last one nothing of it does.
ELSEWHERE, DOUBTFUL, NOWHERE = 0.72, 0.56, 0.4
#: A judge that gives a passage beside its neighbours this share or more seems to find its content there. Of invented
#: sentences within rewrites one in eight got as much, of sentences that rewriters merged or spread five in six.
_BESIDE = 0.63
#: The weight of the reason that something is left out or added.
_WEIGHT = 0.9
#: So many characters of a sentence are quoted.
_QUOTED = 80


class Missing(NamedTuple):
    """A passage without a counterpart: how far the other text says it.

    Attributes:
        share: how much of it stands in the other text, in [0, 1].
        faithfulness: on the scale of the judge's thresholds.
        verdict: ``keep`` where all of it stands elsewhere.
        places: the passages of the other text where its content is.
    """

    share: float
    faithfulness: float
    verdict: Verdict
    places: tuple[int, ...] = ()


def missing(passage: str, elsewhere: Elsewhere, pipeline: JudgePipeline) -> Missing:
    """Return how far the other text says a passage that has no counterpart in it."""
    covered, places = elsewhere.find(passage)
    faithfulness = _on_scale(covered, pipeline)
    share = min(1.0, max(0.0, (covered - NOWHERE) / (ELSEWHERE - NOWHERE)))
    verdict: Verdict = "keep" if covered >= ELSEWHERE else "review" if covered >= DOUBTFUL else "drop"
    return Missing(round(share, 3), faithfulness, verdict, tuple(places))


def beside(links: Sequence[PassageLink], place: int) -> list[PassageLink]:
    """Return a link without a counterpart together with those next to it, where its content may stand.

    The alignment of words misses what is said in other words: *They may not be typical* and *who may not be
    representative*. The judge reads both sides, and can tell.
    """
    own = links[place]
    joined = []
    for other in (links[place + step] for step in (-1, 1) if 0 <= place + step < len(links)):
        sides = []
        for mine, theirs in zip(own[:2], other[:2], strict=True):
            if mine and theirs and mine.start != theirs.stop and theirs.start != mine.stop:
                break  # another passage stands between them
            both = [side for side in (mine, theirs) if side]
            if not both:
                break
            sides.append(range(min(side.start for side in both), max(side.stop for side in both)))
        else:
            if not other.is_moved:
                joined.append(PassageLink(sides[0], sides[1]))
    return joined


def softened(found: Missing, judged: Sequence[Result], is_lost: bool, pipeline: JudgePipeline) -> Missing:
    """Return what is known of a passage that seemed to have no counterpart, once it was judged with those beside it.

    What the judge finds there is to be reviewed, never kept: it may lie hidden among what did not change.
    """
    shares = [pair.judgement.covered if is_lost else pair.judgement.supported for pair in judged]
    share = max((share for share in shares if share is not None), default=0.0)
    if share < _BESIDE:
        return found
    faithfulness = max(found.faithfulness, min(share, pipeline.thresholds.middle))
    return found._replace(share=max(found.share, round(share, 3)), faithfulness=faithfulness, verdict="review")


def _on_scale(covered: float, pipeline: JudgePipeline) -> float:
    """Return a coverage as a faithfulness, so that the thresholds of the judge give the same verdict."""
    keep, drop = pipeline.thresholds.keep, pipeline.thresholds.drop
    knots = ((NOWHERE, 0.0), (DOUBTFUL, drop), (ELSEWHERE, keep), (1.0, 1.0))
    covered = min(1.0, max(NOWHERE, covered))
    for (x0, y0), (x1, y1) in pairwise(knots):
        if covered < x1 or x1 == 1.0:
            return round(y0 + (y1 - y0) * (covered - x0) / (x1 - x0), 5)
    return 1.0


def quoted(text: str) -> str:
    """Return the beginning of a passage, on one line, to be quoted."""
    line = " ".join(text.split())
    return line if len(line) <= _QUOTED else f"{line[: _QUOTED - 1].rstrip()}…"


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
    encoder = pipeline.judge.encoder
    if encoder is None or isinstance(pipeline.analyser.parser, GivenParser):
        return list(judged)
    several = [k for k, pair in enumerate(pairs) if any(map(_may_have_several, pair)) and _differ(judged[k])]
    if not several:
        return list(judged)
    split = _Splitter(pipeline, encoder, [(pairs[k], judged[k]) for k in several])
    result = list(judged)
    for k, pair in zip(several, split.judged(), strict=True):
        result[k] = pair
    return result


def _differ(judged: Result) -> bool:
    return judged.source_graph.tokens != judged.output_graph.tokens


def _may_have_several(sentence: Sentence) -> bool:
    return may_have_several(sentence if isinstance(sentence, str) else " ".join(sentence))


def _cut(sentence: Sentence) -> CutText:
    return cut_text(sentence) if isinstance(sentence, str) else cut_tokens(tuple(sentence))


class _Splitter:
    """Pairs that may have several blocks, which are judged together."""

    def __init__(
        self,
        pipeline: JudgePipeline,
        encoder: TokenEncoder,
        pairs: Sequence[tuple[tuple[Sentence, Sentence], Result]],
    ) -> None:
        self._pipeline, self._pairs = pipeline, pairs
        self._reader = PassageReader(encoder)
        self._cuts = [(_cut(source), _cut(output)) for (source, output), _ in pairs]
        self._links = [link_texts(*cuts, self._reader) if all(c.passages for c in cuts) else [] for cuts in self._cuts]

    def judged(self) -> list[Result]:
        """Return the pairs as their blocks say."""
        requests: list[tuple[Sentence, Sentence]] = []
        places: dict[tuple[int, int], int] = {}
        for k, links in enumerate(self._links):
            for n, link in enumerate(links):
                if len(links) > 1 and link.before and link.after and not self._is_same(k, link):
                    places[k, n] = len(requests)
                    requests.append(self._sides(k, link))
        alone = {(k, n): found for k in range(len(self._pairs)) for n, found in self._missing(k)}
        asked: dict[tuple[int, int], range] = {}
        for (k, n), found in alone.items():
            if found.verdict == "drop":
                near = [self._sides(k, link) for link in beside(self._links[k], n)]
                asked[k, n] = range(len(requests), len(requests) + len(near))
                requests += near
        blocks = self._pipeline.judge_pairs(requests) if requests else []
        for (k, n), at in asked.items():
            is_lost = bool(self._links[k][n].before)
            alone[k, n] = softened(alone[k, n], [blocks[place] for place in at], is_lost, self._pipeline)
        return [
            self._whole(
                k,
                {n: blocks[at] for (pair, n), at in places.items() if pair == k},
                {n: found for (pair, n), found in alone.items() if pair == k},
            )
            for k in range(len(self._pairs))
        ]

    def _missing(self, k: int) -> Iterator[tuple[int, Missing]]:
        """Yield the passages of a pair that have no counterpart, greetings aside, by the places of their links."""
        elsewhere: dict[bool, Elsewhere] = {}
        for n, link in enumerate(self._links[k]):
            is_lost = bool(link.before)
            own, other = self._cuts[k] if is_lost else self._cuts[k][::-1]
            place = (link.before or link.after).start
            if (link.before and link.after) or own.passages[place].kind == "greeting":
                continue
            if is_lost not in elsewhere:
                elsewhere[is_lost] = Elsewhere(other.keys, self._reader)
            yield n, missing(own.keys[place], elsewhere[is_lost], self._pipeline)

    def _is_same(self, k: int, link: PassageLink) -> bool:
        before, after = self._cuts[k]
        return [before.keys[i] for i in link.before] == [after.keys[j] for j in link.after]

    def _sides(self, k: int, link: PassageLink) -> tuple[Sentence, Sentence]:
        """Return both sides of a block, as text or as tokens, as the pair has them."""
        (source, output), _ = self._pairs[k]
        sides: list[Sentence] = []
        for sentence, cut, places in zip((source, output), self._cuts[k], (link.before, link.after), strict=True):
            text = cut.plain_of(cut.span_of(places.start, places.stop))
            sides.append(text if isinstance(sentence, str) else tuple(text.split(" ")))
        return sides[0], sides[1]

    def _whole(self, k: int, blocks: dict[int, Result], alone: dict[int, Missing]) -> Result:
        _, whole = self._pairs[k]
        links = self._links[k]
        if len(links) < 2:
            return whole
        cuts, analyses = self._cuts[k], whole.analyses
        policy = self._pipeline.policy
        verdicts: list[Verdict] = []
        # The faithfulness under the policy, and both directions; the least faithful block gives the rest.
        least, supported, covered = 1.0, 1.0, 1.0
        worst = whole.judgement
        reasons: list[tuple[Verdict, Reason]] = []
        for n, link in enumerate(links):
            if n in blocks:
                judgement = blocks[n].judgement
                spans = (
                    cuts[0].span_of(link.before.start, link.before.stop),
                    cuts[1].span_of(link.after.start, link.after.stop),
                )
                reasons += ((judgement.verdict, _moved(r, analyses, spans)) for r in judgement.reasons)
                verdicts.append(judgement.verdict)
                if judgement.faithfulness < least:
                    least, worst = judgement.faithfulness, judgement
                supported = min(supported, _known(judgement.supported))
                covered = min(covered, _known(judgement.covered))
            elif n in alone:
                found, is_lost = alone[n], bool(link.before)
                if is_lost:
                    covered = min(covered, found.faithfulness)
                else:
                    supported = min(supported, found.faithfulness)
                if policy == ("shorten" if is_lost else "expand"):
                    continue
                verdicts.append(found.verdict)
                if found.faithfulness < least:
                    least, worst = found.faithfulness, whole.judgement
                if found.verdict != "keep":
                    reasons.append((found.verdict, _missing_reason(cuts[not is_lost], link, analyses)))
        verdict = worst_verdict(verdicts)
        judgement = replace(
            whole.judgement,
            faithfulness=least,
            supported=None if whole.judgement.supported is None else supported,
            covered=None if whole.judgement.covered is None else covered,
            band=worst.band,
            decided_by=worst.decided_by,
            verdict=verdict,
            reasons=tuple(reason for _, reason in sorted(reasons, key=lambda r: (-GRAVITY[r[0]], -r[1].weight))),
        )
        return replace(whole, judgement=judgement)


def _known(share: float | None) -> float:
    return 1.0 if share is None else share


def _missing_reason(cut: CutText, link: PassageLink, whole: tuple[Analysis, Analysis]) -> Reason:
    is_lost, place = bool(link.before), (link.before or link.after).start
    words = quoted(cut.keys[place])
    case = "scene-lost" if is_lost else "scene-added"
    text = say(case, old=words) if is_lost else say(case, new=words)
    analysis = whole[not is_lost]
    start, end = cut.passages[place][:2]
    tokens, spans = _tokens_in(analysis, [(start, end)])
    if is_lost:
        return Reason(case, text, source=tokens, source_spans=spans, weight=_WEIGHT)
    return Reason(case, text, target=tokens, target_spans=spans, weight=_WEIGHT)


def _moved(reason: Reason, whole: tuple[Analysis, Analysis], spans: tuple[Span, Span]) -> Reason:
    """Return a reason of a block as one of the whole pair."""
    source_spans = shifted(reason.source_spans, spans[0][0])
    target_spans = shifted(reason.target_spans, spans[1][0])
    return structs.replace(
        reason,
        source=_tokens_in(whole[0], source_spans)[0],
        target=_tokens_in(whole[1], target_spans)[0],
        source_spans=source_spans,
        target_spans=target_spans,
    )


def shifted(spans: Sequence[Span], by: int) -> tuple[Span, ...]:
    """Return spans so many characters further on."""
    return tuple((start + by, end + by) for start, end in spans)


def _tokens_in(analysis: Analysis, spans: Sequence[Span]) -> tuple[tuple[int, ...], tuple[Span, ...]]:
    """Return the tokens of a sentence that stand within spans, and where each stands."""
    placed = [(span, place) for place, span in enumerate(analysis.spans) if span is not None]
    starts = [span[0] for span, _ in placed]
    tokens: list[int] = []
    at: list[Span] = []
    for start, end in spans:
        for span, place in placed[bisect_left(starts, start) :]:
            if span[0] >= end:
                break
            tokens.append(place)
            at.append(span)
    return tuple(tokens), tuple(at)
