"""The comparison of two texts: its blocks, what was found, and the verdict."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any, get_args

from msgspec import Struct

from usim.judge import Policy, Verdict
from usim.signature import Signature
from usim.text import Span
from usim.text.codec import values_of
from usim.texts._blocks import TextBlock, worst_verdict
from usim.texts._facts import Fact


class TextFinding(Struct, frozen=True):
    """One thing that a reader should look at, or may look at if it is a doubt.

    Attributes:
        kind: what it is: one of :data:`usim.compare.KINDS`, ``left-out``, ``added``, ``code`` or ``unclear``.
        text: a sentence for people.
        verdict: ``review`` or ``drop``, as its block.
        block: the number of its block, from 0.
        before, after: the places that it is about in either text, in characters; where a text has nothing, an empty
            span at the place where it would stand.
    """

    kind: str
    text: str
    verdict: Verdict
    block: int
    before: tuple[Span, ...]
    after: tuple[Span, ...]


@dataclass(frozen=True, repr=False)
class TextComparison:
    """What a change did to a text.

    The verdict is that of the worst block, and the faithfulness is the lowest of all blocks: one changed sentence in
    fifty changes the text. A passage without a counterpart counts as a block, unless the policy allows it.

    Attributes:
        before, after: the texts.
        blocks: in the order of the text after the change; what was left out stands where it stood.
        findings: what to look at, in the same order.
        doubts: what is said otherwise without a sign that it changed, though usim cannot tell: blocks that are not
            kept, without a finding. In the same order.
        verdict, faithfulness: of the whole.
        policy: what was allowed.
        facts: the names and numbers that only one of the texts has, wherever they stand.
        language: of the texts, see :func:`usim.text.language_of_pair`.
        signature: all that is needed to get the same again.
    """

    before: str
    after: str
    blocks: tuple[TextBlock, ...]
    findings: tuple[TextFinding, ...]
    policy: Policy
    doubts: tuple[TextFinding, ...] = ()
    facts: tuple[Fact, ...] = ()
    signature: Signature = field(default_factory=lambda: Signature(""))
    language: str | None = None

    @cached_property
    def verdict(self) -> Verdict:
        """The gravest verdict of a block."""
        return worst_verdict([block.verdict for block in self.blocks])

    @cached_property
    def faithfulness(self) -> float:
        """The least faithfulness of a block; 1 for texts without one."""
        return min((block.faithfulness for block in self.blocks), default=1.0)

    @cached_property
    def counts(self) -> dict[str, int]:
        """How many blocks there are of each verdict and form, how many sentences, findings, and blocks in doubt."""
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
            "findings": len(self.findings),
            "doubts": len({doubt.block for doubt in self.doubts}),
        }

    def to_dict(self) -> dict[str, Any]:
        """Return the comparison as JSON values; spans are places in the texts, in characters, the end exclusive."""
        values = {
            "before": self.before,
            "after": self.after,
            "verdict": self.verdict,
            "faithfulness": self.faithfulness,
            "policy": self.policy,
            "counts": self.counts,
            "findings": self.findings,
            "doubts": self.doubts,
            "facts": self.facts,
            "blocks": [block.to_dict() for block in self.blocks],
            "language": self.language,
            "signature": self.signature,
        }
        plain: dict[str, Any] = values_of(values)
        return plain

    def __repr__(self) -> str:
        found = f"{len(self.blocks)} blocks, {len(self.findings)} findings"
        return f"<TextComparison {self.verdict}, faithfulness {self.faithfulness:.3f}: {found}>"
