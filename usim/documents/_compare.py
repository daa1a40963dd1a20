"""Two versions of a text compared: cut, aligned, judged block by block; and what to look at."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from functools import cache, cached_property
from typing import Any, get_args

from msgspec import Struct, structs

from usim.documents._align import PassageReader
from usim.documents._blocks import LinkedTexts, TextBlock, judge_blocks
from usim.documents._cut import MAX_CHARACTERS, CutText, cut_text
from usim.documents._outline import Outline, clause_of
from usim.documents._word import WordPlace
from usim.errors import InputError
from usim.judge import JudgePipeline
from usim.judge.trained import SHIPPED, load_encoder
from usim.signature import Signature
from usim.text import MAX_TOKENS, Span, check_length, language_of_pair
from usim.text.codec import values_of
from usim.verdicts import Cause, Policy, Verdict
from usim.verdicts.decide import Decision, gravity, of_unread, worst_verdict

#: The members of a comparison in JSON.
_MEMBERS = "before after verdict cause faithfulness policy counts findings doubts blocks language signature".split()
_shipped = cache(load_encoder)


class TextFinding(Struct, frozen=True):
    """One thing that a reader should look at, or may look at if it is a doubt.

    Attributes:
        kind: what it is: one of :data:`usim.evidence.KINDS`, or ``left-out``, ``added``, ``code``, ``reference`` (to
            another clause than before), ``order`` (of the items of a numbered list).
        text: a sentence for people.
        verdict: ``review`` or ``drop``, as its block.
        block: the number of its block, from 0.
        before, after: the places that it is about, in characters; an empty one where a text has nothing.
        where: its clause, or its paragraph and heading, and its sentence, in the text after the change, with the clause
            before it if that is another; of what is left out in the text before.
    """

    kind: str
    text: str
    verdict: Verdict
    block: int
    before: tuple[Span, ...]
    after: tuple[Span, ...]
    where: str = ""


@dataclass(frozen=True, repr=False)
class TextComparison:
    """What a change did to a text.

    The verdict is that of the worst block, and the faithfulness is the lowest of all blocks: one changed sentence in
    fifty changes the text. A passage without a counterpart counts as a block, unless the policy allows it.

    Attributes:
        before, after: the texts.
        blocks: in the order of the text after the change; what was left out stands where it stood.
        policy: what was allowed.
        signature: all that is needed to get the same again.
        language: of the texts, see :func:`usim.text.language_of_pair`.
        places: of texts of Word files where their paragraphs are, as of a :class:`Document`: they are named by these.
        unread: what a file without a text has in its place, such as ``pictures``: it is never kept.
    """

    before: str
    after: str
    blocks: tuple[TextBlock, ...]
    policy: Policy
    signature: Signature = field(default_factory=lambda: Signature(""))
    language: str | None = None
    places: tuple[Sequence[WordPlace], Sequence[WordPlace]] = ((), ())
    unread: tuple[str, ...] = ()

    @cached_property
    def verdict(self) -> Verdict:
        """The gravest verdict of a block."""
        own = [self._unread.verdict] if self._unread else []
        return worst_verdict([*own, *(block.verdict for block in self.blocks)])

    @cached_property
    def cause(self) -> Cause | None:
        """What decided on the worst block; None for texts without one."""
        worst = max(self.blocks, key=lambda block: (gravity(block.verdict), -block.faithfulness), default=None)
        if self._unread and (worst is None or gravity(worst.verdict) < gravity(self._unread.verdict)):
            return self._unread.cause
        return None if worst is None else worst.cause

    @cached_property
    def _unread(self) -> Decision | None:
        return of_unread(self.unread) if self.unread else None

    @cached_property
    def faithfulness(self) -> float:
        """The least faithfulness of a block; 1 for texts without one."""
        return min((block.faithfulness for block in self.blocks), default=1.0)

    @cached_property
    def findings(self) -> tuple[TextFinding, ...]:
        """What to look at, in the order of the blocks."""
        return tuple(self._told(is_doubtful=False))

    @cached_property
    def doubts(self) -> tuple[TextFinding, ...]:
        """What is said otherwise without a sign that it changed, though usim cannot tell."""
        return tuple(self._told(is_doubtful=True))

    @cached_property
    def _outlines(self) -> tuple[Outline, Outline]:
        before = sorted(span for block in self.blocks for span in block.before)
        after = sorted(span for block in self.blocks for span in block.after)
        return Outline(self.before, self.places[0], before), Outline(self.after, self.places[1], after)

    def _told(self, *, is_doubtful: bool) -> Iterator[TextFinding]:
        for number, block in enumerate(self.blocks):
            if block.verdict == "keep" or block.is_doubtful != is_doubtful:
                continue
            shown = [finding for finding in block.findings if finding.is_shown]
            where = self.where(block) if shown else ""
            for finding in shown:
                kind = finding.kind if block.after else "left-out"
                kind = kind if block.before else "added"
                before = finding.source_spans or (block.before_span,)
                after = finding.output_spans or (block.after_span,)
                yield TextFinding(kind, finding.text, block.verdict, number, before, after, where)

    def where(self, block: TextBlock) -> str:
        """Return where a block stands, as of a :class:`TextFinding`."""
        span = block.after_span if block.after else block.before_span
        outline = self._outlines[bool(block.after)]
        place, sentence = outline.where(span[0]), outline.sentence(span)
        clause = clause_of(place)
        if block.before and block.after:
            old = self._outlines[0].where(block.before_span[0])
            if clause_of(old) not in ("", clause):
                heading = place.removesuffix(clause) if clause else ""
                return f"{place}{sentence} (before: {old.removeprefix(heading)})"
        elif block.before:
            return f"{place}{sentence} (before)"
        return place + sentence

    @cached_property
    def counts(self) -> dict[str, int]:
        """How many sentences there are, and blocks: of each verdict and form, with findings (as listed), in doubt."""
        blocks = self.blocks
        verdicts = Counter(block.verdict for block in blocks)
        return {
            "sentences_before": sum(len(block.before) for block in blocks),
            "sentences_after": sum(len(block.after) for block in blocks),
            "blocks": len(blocks),
            "same": sum(block.is_same for block in blocks),
            "moved": sum(block.is_moved for block in blocks),
            "left_out": sum(not block.after for block in blocks),
            "added": sum(not block.before for block in blocks),
            **{verdict: verdicts[verdict] for verdict in get_args(Verdict)},
            "findings": len({finding.block for finding in self.findings}),
            "doubts": sum(block.is_doubtful for block in blocks),
        }

    def to_dict(self) -> dict[str, Any]:
        """Return the comparison as JSON values; spans are places in the texts, in characters, the end exclusive."""
        values: dict[str, Any] = {name: getattr(self, name) for name in _MEMBERS}
        values["blocks"] = [block.to_dict() for block in self.blocks]
        return values_of(values)  # type: ignore[no-any-return]

    def __repr__(self) -> str:
        found = f"{len(self.blocks)} blocks, {len(self.findings)} findings"
        return f"<TextComparison {self.verdict}, faithfulness {self.faithfulness:.3f}: {found}>"


def compare_texts(
    pipeline: JudgePipeline, before: str, after: str, *, is_markdown: bool = False, max_tokens: int = MAX_TOKENS
) -> TextComparison:
    """Compare two versions of a text, whose sentences have at most so many tokens, by the policy of a pipeline.

    Of Markdown, code and links are compared as they are.

    Raises:
        InputError: a text, or a sentence of one, is too long.
        ParsingError: a sentence cannot be parsed.
    """
    cuts = []
    for text, what in ((before, "the text before the change"), (after, "the text after the change")):
        if len(text) > MAX_CHARACTERS:
            most = f"{MAX_CHARACTERS:,} are the most: compare it in parts"
            raise InputError(f"{what} has {len(text):,} characters, and {most}")
        cut = cut_text(text, is_markdown=is_markdown)
        for key, passage in zip(cut.keys, cut.passages, strict=True):
            if len(key) > max_tokens:
                line = text.count("\n", 0, cut.in_text(passage[:2])[0]) + 1
                check_length(key, f"a sentence on line {line} of {what}", max_tokens=max_tokens)
        cuts.append(cut)
    # A judge that reads no words leaves the alignment to the encoder that ships with usim.
    encoder = pipeline.judge.encoder or _shipped(SHIPPED / "en" / "judge")
    texts = LinkedTexts(cuts[0], cuts[1], PassageReader(encoder))
    (blocks,) = judge_blocks(pipeline, [texts], reads_around=True)
    placed = tuple(_in_texts(block, *cuts) for block in blocks)
    language = language_of_pair(before, after)
    return TextComparison(before, after, placed, pipeline.policy, pipeline.signature, language)


def _in_texts(block: TextBlock, before: CutText, after: CutText) -> TextBlock:
    """Return a block with the places of both texts in place of those without markup."""
    if before.places is after.places is None:
        return block

    def placed(cut: CutText, spans: Iterable[Span], passages: Collection[Span]) -> tuple[Span, ...]:
        return tuple((cut.with_marks if span in passages else cut.in_text)(span) for span in spans)

    findings = (
        structs.replace(
            finding,
            source_spans=placed(before, finding.source_spans, (*block.before, block.before_span)),
            output_spans=placed(after, finding.output_spans, (*block.after, block.after_span)),
        )
        for finding in block.findings
    )
    return replace(
        block,
        before=tuple(map(before.with_marks, block.before)),
        after=tuple(map(after.with_marks, block.after)),
        before_span=before.with_marks(block.before_span),
        after_span=after.with_marks(block.after_span),
        elsewhere=tuple(map((after if block.before else before).with_marks, block.elsewhere)),
        findings=tuple(findings),
    )
