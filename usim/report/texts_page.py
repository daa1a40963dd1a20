"""Two texts side by side as one self-contained page of HTML, which can be printed.

Each block is a row: the text before the change, the text after it, and in the margin what was found. Words that are
gone or new are marked in every block, and paragraphs stay paragraphs. The page of ``usim serve`` shows the same rows.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence, Set
from difflib import SequenceMatcher
from html import escape
from itertools import pairwise

from usim.report.page import html_page
from usim.report.texts import counts_line, fact_lines, language_note, verdict_text
from usim.text import Span, printable, tokenise
from usim.texts import TextBlock, TextComparison, TextFinding

_BLANK_LINE = re.compile(r"\n[^\S\n]*\n")


def comparison_html(comparison: TextComparison, *, names: tuple[str, str] = ("before", "after")) -> str:
    """Return the page of two texts.

    Args:
        comparison: of the texts.
        names: the names of the texts.
    """
    rows = comparison_rows(comparison, names=names)
    return html_page("compared", f"{names[0]} and {names[1]}", styles=["report"], rows=rows)


def comparison_rows(comparison: TextComparison, *, names: tuple[str, str] = ("before", "after")) -> str:
    """Return the verdict and the rows, without the page around them."""
    return "\n".join(_lines(comparison, names))


def _lines(comparison: TextComparison, names: tuple[str, str]) -> Iterator[str]:
    verdict, number = comparison.verdict, len(comparison.findings)
    yield f'<div class="card answer {verdict}">'
    yield f'<h2 id="text-verdict"><span class="verdict {verdict}">{verdict_text(comparison)}</span></h2>'
    faithfulness = f"{comparison.faithfulness:.3f}"
    yield (
        f'<p class="quiet">Faithfulness {faithfulness}, that of the worst block, from 0 (changed) to 1 (kept). '
        f"{escape(counts_line(comparison))}.</p>"
    )
    lines = [*filter(None, [language_note(comparison)]), *fact_lines(comparison)]
    yield from (f'<p class="quiet">{escape(line[0].upper() + line[1:])}.</p>' for line in lines)
    yield "</div>"
    found = f"{number} finding{'' if number == 1 else 's'}" if number else "No findings."
    yield '<div class="bar walk">'
    if number:
        yield (
            '<button type="button" data-step="-1">Previous <kbd>k</kbd></button>'
            '<button type="button" data-step="1">Next <kbd>j</kbd></button>'
            '<label class="only"><input type="checkbox" id="only-findings"> Only what was found</label>'
        )
    yield f'<span class="place" role="status">{found}</span></div>'
    yield f'<p class="sides" aria-hidden="true"><b>{_shown(names[0])}</b><b>{_shown(names[1])}</b></p>'
    yield '<ol class="blocks">'
    doubtful = {doubt.block for doubt in comparison.doubts}
    starts = (
        _paragraph_starts(comparison.before, sorted(span for block in comparison.blocks for span in block.before)),
        _paragraph_starts(comparison.after, sorted(span for block in comparison.blocks for span in block.after)),
    )
    for place, block in enumerate(comparison.blocks):
        findings = [(n, finding) for n, finding in enumerate(comparison.findings, 1) if finding.block == place]
        yield _row(comparison, place, block, findings, place in doubtful, starts)
    yield "</ol>"


def _row(
    comparison: TextComparison,
    place: int,
    block: TextBlock,
    findings: Sequence[tuple[int, TextFinding]],
    is_doubtful: bool,
    starts: tuple[Set[int], Set[int]],
) -> str:
    sides = []
    for name, tag, text, span, spans, changed, own_starts in zip(
        ("before", "after"),
        ("del", "ins"),
        (comparison.before, comparison.after),
        (block.before_span, block.after_span),
        (block.before, block.after),
        _changed(comparison, block),
        starts,
        strict=True,
    ):
        marks = [(mark, number) for number, finding in findings for mark in getattr(finding, name) if mark != span]
        paragraphs = ""
        for part in _paragraphs(spans, own_starts):
            begins = ' class="begins"' if part[0] in own_starts else ""
            paragraphs += f'<p lang="en"{begins}>{_marked(text, part, marks, changed, tag)}</p>'
        words = paragraphs or '<p><span class="nothing">—</span></p>'
        sides.append(f'<div class="side {name}"><span class="name">{name}</span> {words}</div>')
    notes = [
        f'<li class="finding {finding.verdict}" tabindex="0" data-finding="{number}">'
        f'<span class="verdict {finding.verdict}">{_shown(finding.text)}</span></li>'
        for number, finding in findings
    ]
    if is_doubtful:
        notes.append('<li class="quiet">reworded; usim cannot tell whether it says the same</li>')
    if block.is_moved:
        notes.append('<li class="quiet">moved</li>')
    if block.elsewhere and not findings:
        other = comparison.after if block.before else comparison.before
        notes.append(f'<li class="quiet">Its content stands in “{_shown(other[slice(*block.elsewhere[0])])}”</li>')
    margin = f'<ul class="notes">{"".join(notes)}</ul>' if notes else ""
    same = " same" if block.is_same else ""
    return (
        f'<li class="block {block.verdict}{same}{" found" if findings else ""}" id="block-{place + 1}">'
        f"{sides[0]}{sides[1]}{margin}</li>"
    )


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


def _changed(comparison: TextComparison, block: TextBlock) -> tuple[list[Span], list[Span]]:
    """Return the places of the words of a block that are gone, and of those that are new."""
    spans = (block.before_span, block.after_span)
    texts = (comparison.before, comparison.after)
    old, new = (tokenise(text[slice(*span)]) for text, span in zip(texts, spans, strict=True))
    words = ([token.text for token in old], [token.text for token in new])
    changed: tuple[list[Span], list[Span]] = ([], [])
    for what, a, b, c, d in SequenceMatcher(None, *words, autojunk=False).get_opcodes():
        for side, tokens, first, end, (start, _) in zip(changed, (old, new), (a, c), (b, d), spans, strict=True):
            if what != "equal" and first < end:
                side.append((start + tokens[first].start, start + tokens[end - 1].end))
    return changed


def _marked(text: str, span: Span, marks: Sequence[tuple[Span, int]], changed: Sequence[Span], tag: str) -> str:
    """Return a part of a text with the places of findings, each with its numbers, and the changed words marked."""
    places = [*(mark for mark, _ in marks), *changed]
    edges = sorted({*span, *(edge for place in places for edge in place if span[0] <= edge <= span[1])})
    html = ""
    for start, end in pairwise(edges):
        piece = _shown(text[start:end])
        numbers = sorted({number for mark, number in marks if mark[0] <= start and end <= mark[1]})
        if numbers:
            piece = f'<mark data-notes="{" ".join(map(str, numbers))}">{piece}</mark>'
        is_changed = any(place[0] <= start and end <= place[1] for place in changed)
        html += f"<{tag}>{piece}</{tag}>" if is_changed else piece
    return html


def _shown(text: str) -> str:
    return escape(printable(text.replace("\r\n", "\n").replace("\n", " ").replace("\t", " ")))
