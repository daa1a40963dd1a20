"""Two versions of a text compared: cut, aligned, judged block by block."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from functools import cache
from itertools import islice

from msgspec import structs

from usim.errors import InputError
from usim.judge import JudgePipeline, Policy, Result, TokenEncoder
from usim.judge.trained import SHIPPED, load_encoder
from usim.text import MAX_TOKENS, Context, Span, check_length, context_of, language_of_pair, token_texts
from usim.texts._align import PassageLink
from usim.texts._comparison import TextBlock, TextComparison, TextFinding
from usim.texts._cut import cut_text
from usim.texts._facts import facts_of_one
from usim.texts._links import link_texts
from usim.texts._moves import Elsewhere
from usim.texts._pairs import ELSEWHERE, NOWHERE, Missing, beside, missing, quoted, shifted, softened
from usim.texts._reading import PassageReader, coverage
from usim.texts._told import is_said_around, names_fact

#: The longest text, in characters: some 10,000 sentences.
MAX_CHARACTERS = 1_000_000
#: Blocks that are judged together.
_TOGETHER = 64
_GREETS = frozenset("dear hi hello hey good morning afternoon evening greetings all everyone team sir madam".split())

#: Called with the number of blocks that have been judged and that of all.
Watch = Callable[[int, int], object]


def check_text(text: str, what: str) -> None:
    """Check that a text is short enough to be compared.

    Raises:
        InputError: it is longer than :data:`MAX_CHARACTERS`.
    """
    if len(text) > MAX_CHARACTERS:
        raise InputError(
            f"{what} has {len(text):,} characters, and {MAX_CHARACTERS:,} are the most: compare it in parts"
        )


@cache
def _shipped_encoder() -> TokenEncoder:
    """Load the encoder for judges that read no words, once for all texts."""
    return load_encoder(SHIPPED / "en" / "judge")


class TextComparer:
    """Compares texts by a pipeline.

    Args:
        pipeline: what parses and judges.
        max_tokens: the most tokens of a sentence, and of a block.
    """

    def __init__(self, pipeline: JudgePipeline, *, max_tokens: int = MAX_TOKENS) -> None:
        self._pipeline, self._max_tokens = pipeline, max_tokens
        # A judge that reads no words leaves the alignment to the encoder that ships with usim.
        self._encoder = pipeline.judge.encoder or _shipped_encoder()

    def compare(
        self,
        before: str,
        after: str,
        *,
        is_markdown: bool = False,
        watch: Watch | None = None,
    ) -> TextComparison:
        """Compare two versions of a text, by the policy of the pipeline.

        Args:
            before, after: the texts.
            is_markdown: whether the texts are Markdown, whose code and links are left alone.
            watch: called when blocks have been judged.

        Raises:
            InputError: a text, or a sentence of one, is too long.
            ParsingError: a sentence cannot be parsed.
        """
        for text, what in ((before, "the text before the change"), (after, "the text after the change")):
            check_text(text, what)
        return _Run(self._pipeline, before, after, is_markdown, watch).comparison(
            PassageReader(self._encoder), self._max_tokens
        )


class _Run:
    """One comparison."""

    def __init__(
        self,
        pipeline: JudgePipeline,
        before: str,
        after: str,
        is_markdown: bool,
        watch: Watch | None,
    ) -> None:
        self._pipeline, self._watch = pipeline, watch
        self._policy: Policy = pipeline.policy
        self._before, self._after = (cut_text(text, is_markdown=is_markdown) for text in (before, after))

    def comparison(self, reader: PassageReader, max_tokens: int) -> TextComparison:
        """Return what the change did."""
        for cut, what in ((self._before, "before"), (self._after, "after")):
            for key, passage in zip(cut.keys, cut.passages, strict=True):
                if len(key) > max_tokens:
                    line = cut.text.count("\n", 0, passage.start) + 1
                    check_length(key, f"a sentence on line {line} of the text {what} the change", max_tokens=max_tokens)
        links = link_texts(self._before, self._after, reader)
        judged = self._judged(links, max_tokens)
        alone = self._missing(links, reader, max_tokens)
        blocks: list[TextBlock] = []
        with_facts: set[int] = set()
        at_before = at_after = 0
        for place, link in enumerate(links):
            before_span = self._before.span_of(link.before.start, link.before.stop) if link.before else (at_before,) * 2
            after_span = self._after.span_of(link.after.start, link.after.stop) if link.after else (at_after,) * 2
            spans = (before_span, after_span)
            if not (link.before and link.after):
                blocks.append(self._alone(link, spans, alone[place]))
            elif self._is_same(link):
                blocks.append(self._block(link, spans, True, None, reader))
            else:
                pair = next(judged)
                if pair is not None and pair.judgement.verdict != "keep" and names_fact(pair.judgement, self._policy):
                    with_facts.add(len(blocks))
                blocks.append(self._block(link, spans, False, pair, reader))
                if len(blocks) - 1 not in with_facts:
                    blocks[-1] = self._softened(blocks[-1])
            at_after = max(at_after, after_span[1])
            if not link.is_moved:
                at_before = max(at_before, before_span[1])
        findings: list[TextFinding] = []
        doubts: list[TextFinding] = []
        for number, block in enumerate(blocks):
            told = findings if number in with_facts or self._is_telling(block) else doubts
            told += self._findings(number, block)
        before, after = self._before.text, self._after.text
        return TextComparison(
            before,
            after,
            tuple(blocks),
            tuple(findings),
            self._policy,
            tuple(doubts),
            tuple(facts_of_one(self._before, self._after)),
            self._pipeline.signature,
            language_of_pair(before, after),
        )

    def _is_same(self, link: PassageLink) -> bool:
        return [self._before.keys[i] for i in link.before] == [self._after.keys[j] for j in link.after]

    def _has_code(self, link: PassageLink) -> bool:
        return any(self._before.passages[i].kind == "code" for i in link.before) or any(
            self._after.passages[j].kind == "code" for j in link.after
        )

    def _greets_alike(self, link: PassageLink) -> bool:
        """Return whether a greeting gave way to another one with the same names."""
        sides = []
        for cut, places in ((self._before, link.before), (self._after, link.after)):
            if len(places) != 1 or cut.passages[places[0]].kind != "greeting":
                return False
            words = re.findall(r"\w+", cut.keys[places[0]])
            sides.append({word for word in words[1:] if word[0].isupper() and word.lower() not in _GREETS})
        return sides[0] == sides[1]

    def _judged(self, links: Sequence[PassageLink], max_tokens: int) -> Iterator[Result | None]:
        """Yield what the judge says of the blocks whose sides differ; None where there is nothing to judge."""
        differing = [link for link in links if link.before and link.after and not self._is_same(link)]
        stream = iter(differing)
        done = 0
        while some := list(islice(stream, _TOGETHER)):
            to_judge = [link for link in some if not (self._has_code(link) or self._greets_alike(link))]
            pairs, contexts = self._requests(to_judge)
            for pair in pairs:
                for side, what in zip(pair, ("before", "after"), strict=True):
                    check_length(side, f"a passage of the text {what} the change", max_tokens=max_tokens)
            judged = iter(self._pipeline.judge_pairs(pairs, contexts) if pairs else [])
            for link in some:
                yield None if self._has_code(link) or self._greets_alike(link) else next(judged)
            done += len(some)
            if self._watch is not None:
                self._watch(done, len(differing))

    def _spans(self, link: PassageLink) -> tuple[tuple[Span, ...], tuple[Span, ...]]:
        return (
            tuple(self._before.passages[i][:2] for i in link.before),
            tuple(self._after.passages[j][:2] for j in link.after),
        )

    def _block(
        self, link: PassageLink, spans: tuple[Span, Span], is_same: bool, judged: Result | None, reader: PassageReader
    ) -> TextBlock:
        """Return a block that has two sides."""
        own = self._spans(link)
        if is_same or (judged is None and not self._has_code(link)):
            return TextBlock(*own, *spans, is_same, link.is_moved, "keep", 1.0, (), 1.0, 1.0)
        if judged is None:
            middle = self._pipeline.thresholds.middle
            return TextBlock(*own, *spans, False, link.is_moved, "review", middle, (), 0.5, 0.5)
        judgement = judged.judgement
        reasons = tuple(
            structs.replace(
                reason,
                source_spans=shifted(reason.source_spans, spans[0][0]),
                target_spans=shifted(reason.target_spans, spans[1][0]),
            )
            for reason in judgement.reasons
        )
        supported, covered = judgement.supported, judgement.covered
        if supported is None or covered is None:  # a judge that does not tell the directions apart
            supported, covered = self._coverage(link, reader)
        return TextBlock(
            *own, *spans, False, link.is_moved, judgement.verdict, judgement.faithfulness, reasons, supported, covered
        )

    def _softened(self, block: TextBlock) -> TextBlock:
        """Return a block that is to be reviewed, not dropped, if all that is new in it stands in the text around."""
        if block.verdict == "drop" and self._is_said_around(block):
            return replace(block, verdict="review", faithfulness=self._pipeline.thresholds.middle)
        return block

    def _coverage(self, link: PassageLink, reader: PassageReader) -> tuple[float, float]:
        """Return how much of either side of a block stands on the other: of the after side, of the before side."""
        before = reader.read([self._before.keys[i] for i in link.before])
        after = reader.read([self._after.keys[j] for j in link.after])
        shares = []
        for own, others in ((after, before), (before, after)):
            total = sum(passage.weight for passage in own)
            cosine = sum(coverage(passage, others)[0] * passage.weight for passage in own) / total
            shares.append(round(min(1.0, max(0.0, (cosine - NOWHERE) / (ELSEWHERE - NOWHERE))), 3))
        return shares[0], shares[1]

    def _missing(self, links: Sequence[PassageLink], reader: PassageReader, max_tokens: int) -> dict[int, Missing]:
        """Return how far the other text says each passage that has no counterpart, by the place of its link."""
        elsewhere = (Elsewhere(self._after.keys, reader), Elsewhere(self._before.keys, reader))
        result: dict[int, Missing] = {}
        for place, link in enumerate(links):
            if link.before and link.after:
                continue
            is_lost = bool(link.before)
            own = self._before if is_lost else self._after
            passage = (link.before or link.after).start
            found = Missing(0.0, 1.0, "keep")
            if own.passages[passage].kind != "greeting":
                found = missing(own.keys[passage], elsewhere[not is_lost], self._pipeline)
            if self._policy == ("shorten" if is_lost else "expand"):
                found = found._replace(faithfulness=1.0, verdict="keep")
            elif found.verdict == "drop" and self._pipeline.judge.encoder is not None:
                # A judge that reads no words sees the neighbours kept, and calls the whole covered.
                near = [link for link in beside(links, place) if self._is_short(link, max_tokens)]
                judged = self._pipeline.judge_pairs(*self._requests(near)) if near else []
                found = softened(found, judged, is_lost, self._pipeline)
            result[place] = found
        return result

    def _is_short(self, link: PassageLink, max_tokens: int) -> bool:
        """Return whether both sides of a block are short enough to be judged, and none has code."""
        sides = ((self._before, link.before), (self._after, link.after))
        return not self._has_code(link) and all(
            len(token_texts(cut.plain_of(cut.span_of(places.start, places.stop)))) <= max_tokens
            for cut, places in sides
        )

    def _requests(self, links: Sequence[PassageLink]) -> tuple[list[tuple[str, str]], list[Context | None]]:
        """Return both sides of blocks, and the text around each."""
        pairs: list[tuple[str, str]] = []
        contexts: list[Context | None] = []
        for link in links:
            span = self._before.span_of(link.before.start, link.before.stop)
            after_span = self._after.span_of(link.after.start, link.after.stop)
            pairs.append((self._before.plain_of(span), self._after.plain_of(after_span)))
            contexts.append(context_of(self._before.plain, *span))
        return pairs, contexts

    def _alone(self, link: PassageLink, spans: tuple[Span, Span], found: Missing) -> TextBlock:
        """Return a block of a passage that has no counterpart."""
        is_lost = bool(link.before)
        other = self._after if is_lost else self._before
        places = tuple(other.passages[k][:2] for k in found.places) if found.share else ()
        shares = (1.0, found.share) if is_lost else (found.share, 1.0)
        return TextBlock(
            *self._spans(link), *spans, False, False, found.verdict, found.faithfulness, (), *shares, places
        )

    def _is_telling(self, block: TextBlock) -> bool:
        """Return whether a block that is not kept probably says something else, though no fact is named."""
        if not block.reasons or block.verdict == "drop":
            return True
        return block.faithfulness < self._pipeline.thresholds.middle and not self._is_said_around(block)

    def _is_said_around(self, block: TextBlock) -> bool:
        texts = self._before.plain, self._after.plain
        return is_said_around(block.reasons, texts, (block.before_span, block.after_span))

    def _findings(self, number: int, block: TextBlock) -> Iterator[TextFinding]:
        """Yield what is to be said about a block."""
        if block.verdict == "keep":
            return
        if not (block.before and block.after):
            is_lost = bool(block.before)
            text, span = (self._before.plain, block.before_span) if is_lost else (self._after.plain, block.after_span)
            words = f"“{quoted(text[slice(*span)])}”"
            said = f"The sentence {words} is left out" if is_lost else f"The sentence {words} is added"
            if block.elsewhere and block.verdict == "review":
                other = self._after.plain if is_lost else self._before.plain
                said += f"; something like it stands in “{quoted(other[slice(*block.elsewhere[0])])}”"
            yield TextFinding(
                "left-out" if is_lost else "added",
                said,
                block.verdict,
                number,
                (block.before_span,),
                (block.after_span,),
            )
            return
        shown = [reason for reason in block.reasons if reason.is_shown]
        for reason in shown:
            yield TextFinding(
                reason.kind,
                reason.text,
                block.verdict,
                number,
                reason.source_spans or (block.before_span,),
                reason.target_spans or (block.after_span,),
            )
        if not shown:
            is_code = any(p.kind == "code" and p[:2] in block.before for p in self._before.passages)
            kind, text = (
                ("code", "The code changed")
                if is_code
                else ("unclear", "Much is said in other words, and usim cannot tell whether it still says the same")
            )
            yield TextFinding(kind, text, block.verdict, number, (block.before_span,), (block.after_span,))
