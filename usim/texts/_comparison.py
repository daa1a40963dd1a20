"""The comparison of two texts: its blocks, what was found, and the verdict."""

from __future__ import annotations

import re
from collections import Counter
from dataclasses import dataclass, field
from functools import cached_property
from html import escape
from typing import Any, get_args

from msgspec import Struct

from usim.compare import Reason
from usim.judge import Policy, Verdict
from usim.signature import Signature
from usim.text import Span, printable
from usim.text.codec import values_of
from usim.texts._facts import Fact

#: Verdicts, from the best to the worst.
GRAVITY: dict[Verdict, int] = {"keep": 0, "review": 1, "drop": 2}
_COLOURS: dict[Verdict, str] = {"keep": "#1a7f37", "review": "#9a6700", "drop": "#b3261e"}


def worst_verdict(verdicts: list[Verdict]) -> Verdict:
    """Return the gravest of some verdicts, ``keep`` for none."""
    return max(verdicts, key=lambda verdict: GRAVITY[verdict], default="keep")


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
    """

    before: tuple[Span, ...]
    after: tuple[Span, ...]
    before_span: Span
    after_span: Span
    is_same: bool
    is_moved: bool
    verdict: Verdict
    faithfulness: float
    reasons: tuple[Reason, ...]
    supported: float
    covered: float
    elsewhere: tuple[Span, ...] = ()

    @property
    def form(self) -> str:
        """How many passages it has before and after the change: ``1-1``, ``2-1``, ``0-1``."""
        return f"{len(self.before)}-{len(self.after)}"

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
                {
                    "kind": reason.kind,
                    "text": reason.text,
                    "weight": reason.weight,
                    "shown": reason.is_shown,
                    "before": reason.source_spans,
                    "after": reason.target_spans,
                }
                for reason in self.reasons
            ],
        }


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
        counts = self.counts
        return (
            f"<TextComparison {self.verdict}, faithfulness {self.faithfulness:.3f}: {counts['sentences_before']} and "
            f"{counts['sentences_after']} sentences, {counts['findings']} findings>"
        )

    def _repr_html_(self) -> str:
        """Return the verdict and a table of what was found, for notebooks."""
        head = (
            f'<p><b style="color: {_COLOURS[self.verdict]}">{self.verdict}</b> faithfulness {self.faithfulness:.3f}, '
            f"{len(self.findings)} findings in {self.counts['blocks']} blocks</p>"
        )
        rows = []
        for finding in self.findings:
            block = self.blocks[finding.block]
            sides = [
                _marked(text, span, spans)
                for text, span, spans in (
                    (self.before, block.before_span, finding.before),
                    (self.after, block.after_span, finding.after),
                )
            ]
            cells = "".join(f'<td style="text-align: left; vertical-align: top">{cell}</td>' for cell in sides)
            rows.append(f'<tr><td style="text-align: left">{escape(printable(finding.text))}</td>{cells}</tr>')
        if not rows:
            return head
        return f"{head}<table><tr><th></th><th>before</th><th>after</th></tr>{''.join(rows)}</table>"


def _marked(text: str, span: Span, spans: tuple[Span, ...]) -> str:
    """Return a part of a text as HTML in which some places are marked."""

    def shown(piece: str) -> str:
        return escape(printable(re.sub(r"\s", " ", piece)))

    html, at = "", span[0]
    for start, end in sorted(spans):
        if start >= at and end <= span[1]:
            html += f"{shown(text[at:start])}<mark>{shown(text[start:end])}</mark>"
            at = end
    return html + shown(text[at : span[1]])
