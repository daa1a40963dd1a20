"""Two texts compared, for the terminal: the blocks that matter, word by word, with the findings; and as a page.

On the page each block is a row: the text before the change, the text after it, and in the margin what was found. Words
that are gone or new are marked, and paragraphs stay paragraphs. The page of ``usim serve`` shows the same rows.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence, Set
from difflib import SequenceMatcher
from itertools import groupby, pairwise
from typing import Any

from rich.text import Text

from usim.documents import TextBlock, TextComparison, TextFinding
from usim.report.page import html_page, render
from usim.report.words import CAUSES, one_line
from usim.text import Span, Token, is_foreign, tokenise

#: Verdicts on a text as sentences.
VERDICTS = {
    "keep": "The text after the change says the same.",
    "review": "The text after the change may say something else.",
    "drop": "The text after the change says something else.",
}
#: The same if nothing was found, but usim is in doubt about some blocks.
DOUBTFUL = "No change of meaning was found, but usim cannot tell whether all of it says the same."
STYLES = {"keep": "green", "review": "yellow", "drop": "red"}
#: The style of words that are gone or new, and the marks around them where there are no colours.
_MARKS = {"gone": ("red strike", "[-{}-]"), "new": ("green", "{{+{}+}}")}
#: If a smaller share of the words of a block is the same, both sides are shown whole.
_DIFFERS = 0.5
#: How many findings of a block are shown.
_SHOWN = 4
_BLANK_LINE = re.compile(r"\n[^\S\n]*\n")
_COUNTS = {"same": "unchanged", "moved": "moved", "left_out": "left out", "added": "added"}


def verdict_text(comparison: TextComparison) -> str:
    """Return the verdict on a text as a sentence."""
    return VERDICTS[comparison.verdict] if comparison.findings or not comparison.doubts else DOUBTFUL


def comparison_text(
    comparison: TextComparison, names: tuple[str, str], *, shows_doubts: bool = False
) -> Iterator[Text]:
    """Yield the verdict, and each block that people should look at, with its findings; other blocks are folded.

    Words that are gone stand in ``[-…-]``, new ones in ``{+…+}``. With ``shows_doubts`` doubtful blocks are shown, too.
    """
    yield Text(f"{comparison.verdict}: {verdict_text(comparison)}", style=f"bold {STYLES[comparison.verdict]}")
    shown: dict[int, list[TextFinding]] = {}
    for finding in (*comparison.findings, *(comparison.doubts if shows_doubts else ())):
        shown.setdefault(finding.block, []).append(finding)
    for is_shown, group in groupby(enumerate(comparison.blocks), key=lambda numbered: numbered[0] in shown):
        if is_shown:
            for number, block in group:
                yield from _block(comparison, block, shown[number], names)
        else:
            yield _folded([block for _, block in group])
    yield Text()
    yield from map(Text, summary_lines(comparison))


def summary_lines(comparison: TextComparison) -> Iterator[str]:
    """Yield the faithfulness, what decided, and the counts of sentences and blocks."""
    yield f"faithfulness {comparison.faithfulness:.3f}, that of the worst block, from 0 (changed) to 1 (kept)"
    if comparison.cause is not None:
        yield f"decided by {CAUSES[comparison.cause.by]} of the worst block: {one_line(comparison.cause.text)}"
    counts = comparison.counts
    parts = [f"{counts['sentences_before']} sentences before, {counts['sentences_after']} after"]
    parts += [f"{counts[name]} {what}" for name, what in _COUNTS.items() if counts[name]]
    verdicts = ", ".join(f"{counts[verdict]} {verdict}" for verdict in STYLES)
    doubts = f" ({counts['doubts']} reworded, without a finding)" if counts["doubts"] else ""
    yield f"{', '.join(parts)}; blocks: {verdicts}{doubts}"


def changed_spans(comparison: TextComparison, block: TextBlock) -> tuple[list[Span], list[Span]]:
    """Return the places of the words of a block that are gone, and of those that are new, in their texts."""
    spans = (block.before_span, block.after_span)
    tokens, matcher = _words(comparison.before[slice(*spans[0])], comparison.after[slice(*spans[1])])
    changed: tuple[list[Span], list[Span]] = ([], [])
    for what, a, b, c, d in matcher.get_opcodes():
        for side, own, first, end, (start, _) in zip(changed, tokens, (a, c), (b, d), spans, strict=True):
            if what != "equal" and first < end:
                side.append((start + own[first].start, start + own[end - 1].end))
    return changed


def _words(before: str, after: str) -> tuple[list[list[Token]], SequenceMatcher[str]]:
    tokens = [tokenise(before), tokenise(after)]
    old, new = ([token.text for token in side] for side in tokens)
    return tokens, SequenceMatcher(None, old, new, autojunk=False)


def _folded(blocks: Sequence[TextBlock]) -> Text:
    kept = sum(block.verdict == "keep" for block in blocks)
    same, moved = sum(block.is_same for block in blocks), sum(block.is_moved for block in blocks)
    parts = [f"{count} {what}" for count, what in ((same, "unchanged"), (moved, "moved")) if count]
    more = f" ({', '.join(parts)})" if parts else ""
    line = [f"{kept} block{'' if kept == 1 else 's'} kept{more}"] if kept else []
    if kept < len(blocks):
        line.append(f"{len(blocks) - kept} reworded, of which usim cannot tell")
    return Text(f"\n  … {', '.join(line)}", style="dim")


def _block(
    comparison: TextComparison,
    block: TextBlock,
    findings: Sequence[TextFinding],
    names: tuple[str, str],
) -> Iterator[Text]:
    texts, places = [], []
    for name, side in zip(names, ("before", "after"), strict=True):
        text, start = getattr(comparison, side), getattr(block, f"{side}_span")[0]
        places.append(one_line(f"{name}:{text.count(chr(10), 0, start) + 1}"))
        texts.append(" ".join(text[start:end] for start, end in getattr(block, side)))
    verdict = (block.verdict, STYLES[block.verdict])
    moved = ", moved" if block.is_moved else ""
    yield Text.assemble("\n", ("  ".join(places), "bold"), "  ", verdict, f" {block.faithfulness:.3f}{moved}")
    yield from _difference(texts[0], texts[1])
    lines = [one_line(finding.text) for finding in findings[:_SHOWN]]
    lines += [f"{len(findings) - _SHOWN} more"] if len(findings) > _SHOWN else []
    yield from (Text(f"    • {line}") for line in lines)


def _difference(before: str, after: str) -> Iterator[Text]:
    """Yield the words of a block: what is gone and new within the others, or both sides if little is the same."""

    def marked(kind: str, words: str) -> tuple[str, str]:
        style, marks = _MARKS[kind]
        return marks.format(one_line(words)), style

    (old, new), matcher = _words(before, after)
    if before and after and matcher.ratio() < _DIFFERS:
        yield Text.assemble("  ", marked("gone", before))
        yield Text.assemble("  ", marked("new", after))
        return
    line = Text("  ")
    for what, a, b, c, d in matcher.get_opcodes():
        side, place = (new, c) if c < d else (old, a)
        if len(line) > 2 and place > 0 and side[place].start > side[place - 1].end:
            line.append(" ")
        if what == "equal":
            line.append(one_line(after[new[c].start : new[d - 1].end]))
            continue
        if a < b:
            line.append(*marked("gone", before[old[a].start : old[b - 1].end]))
        if c < d:
            line.append(*marked("new", after[new[c].start : new[d - 1].end]))
    yield line


def comparison_html(comparison: TextComparison, *, names: tuple[str, str] = ("before", "after")) -> str:
    """Return the page of two texts, which have these names."""
    rows = comparison_rows(comparison, names=names)
    return html_page("compared", f"{names[0]} and {names[1]}", rows=rows)


def comparison_rows(comparison: TextComparison, *, names: tuple[str, str] = ("before", "after")) -> str:
    """Return the verdict and the rows, without the page around them."""
    lines = [*summary_lines(comparison)]
    if is_foreign(comparison.language):
        lines.insert(0, f"a text seems not to be English ({comparison.language}); usim reads English")
    about = {"comparison": comparison, "verdict": verdict_text(comparison), "lines": lines, "names": names}
    return render("rows.html", **about, rows=_rows(comparison))


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
