"""Two texts side by side as one self-contained page of HTML, which can be printed.

Each block is a row: the text before the change, the text after it, and in the margin what was found. Words that are
gone or new are marked in every block, and paragraphs stay paragraphs. The page of ``usim serve`` shows the same rows.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence, Set
from itertools import pairwise
from typing import Any

from usim.report.page import html_page, render
from usim.report.texts import changed_spans, summary_lines, verdict_text
from usim.text import Span, is_foreign
from usim.texts import TextComparison

_BLANK_LINE = re.compile(r"\n[^\S\n]*\n")


def comparison_html(comparison: TextComparison, *, names: tuple[str, str] = ("before", "after")) -> str:
    """Return the page of two texts, which have these names."""
    rows = comparison_rows(comparison, names=names)
    return html_page("compared", f"{names[0]} and {names[1]}", styles=["report"], rows=rows)


def comparison_rows(comparison: TextComparison, *, names: tuple[str, str] = ("before", "after")) -> str:
    """Return the verdict and the rows, without the page around them."""
    lines = [*summary_lines(comparison)]
    if is_foreign(comparison.language):
        lines.insert(0, f"a text seems not to be English ({comparison.language}); usim reads English")
    return render(
        "rows.html",
        comparison=comparison,
        verdict=verdict_text(comparison),
        lines=lines,
        names=names,
        rows=_rows(comparison),
    )


def _rows(comparison: TextComparison) -> Iterator[dict[str, Any]]:
    """Yield each block with its findings and their numbers, the pieces of both sides, and notes."""
    doubtful = {doubt.block for doubt in comparison.doubts}
    texts = (comparison.before, comparison.after)
    starts = [
        _paragraph_starts(text, sorted(span for block in comparison.blocks for span in getattr(block, side)))
        for side, text in zip(("before", "after"), texts, strict=True)
    ]
    for place, block in enumerate(comparison.blocks):
        findings = [(n, finding) for n, finding in enumerate(comparison.findings, 1) if finding.block == place]
        changed = changed_spans(comparison, block)
        sides = []
        for k, (name, tag) in enumerate((("before", "del"), ("after", "ins"))):
            whole = (block.before_span, block.after_span)[k]
            marks = [(span, n) for n, finding in findings for span in getattr(finding, name) if span != whole]
            paragraphs = [
                (part[0] in starts[k], _pieces(texts[k], part, marks, changed[k]))
                for part in _paragraphs(getattr(block, name), starts[k])
            ]
            sides.append((name, tag, paragraphs))
        notes = ["reworded; usim cannot tell whether it says the same"] if place in doubtful else []
        notes += ["moved"] if block.is_moved else []
        if block.elsewhere and not findings:
            notes.append(f"Its content stands in “{texts[1 if block.before else 0][slice(*block.elsewhere[0])]}”")
        yield {"block": block, "findings": findings, "sides": sides, "notes": notes}


def _paragraph_starts(text: str, passages: Sequence[Span]) -> set[int]:
    """Return where paragraphs after the first begin: after a blank line, or each line if none is wrapped."""
    is_wrapped = any("\n" in text[slice(*span)] for span in passages)
    gaps = ((text[left[1] : right[0]], right[0]) for left, right in pairwise(passages))
    return {start for gap, start in gaps if (_BLANK_LINE.search(gap) if is_wrapped else "\n" in gap)}


def _paragraphs(passages: Sequence[Span], starts: Set[int]) -> list[Span]:
    """Join the passages of a block that stand in the same paragraph."""
    parts: list[Span] = []
    for start, end in passages:
        if parts and start not in starts:
            parts[-1] = (parts[-1][0], end)
        else:
            parts.append((start, end))
    return parts


def _pieces(
    text: str, span: Span, marks: Sequence[tuple[Span, int]], changed: Sequence[Span]
) -> Iterator[tuple[str, list[int], bool]]:
    """Yield the pieces of a part of a text, each with the numbers of its findings and whether it changed."""
    places = [*(mark for mark, _ in marks), *changed]
    edges = sorted({*span, *(edge for place in places for edge in place if span[0] <= edge <= span[1])})
    for start, end in pairwise(edges):
        numbers = sorted({number for mark, number in marks if mark[0] <= start and end <= mark[1]})
        yield text[start:end], numbers, any(place[0] <= start and end <= place[1] for place in changed)
