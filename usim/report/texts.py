"""Two texts compared, as a report that one hands on: a sentence, counts, and the findings, the gravest first.

On the page both texts follow side by side, with what was found in the margin.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence, Set
from difflib import SequenceMatcher
from itertools import pairwise
from textwrap import shorten
from typing import Any, NamedTuple

from rich.text import Text

from usim.documents import TextBlock, TextComparison, TextFinding
from usim.report.page import html_page, render
from usim.report.words import COLOURS, SAID, one_line
from usim.text import Span, counted, is_foreign, printable, tokenise
from usim.verdicts import Verdict

_SIDES = ("before", "after")
#: The style of words that are gone or new, and the marks around them where there are no colours.
_MARKS = (("red strike", "[-{}-]"), ("green", "{{+{}+}}"))
#: What lists, on the command line, all that is undecided.
HINT = "--all lists them"
#: Texts of so many blocks have hardly anything in common if fewer than this share of them stand on both sides.
_SEVERAL, _LINKED = 10, 0.1
_PLACES = 20  # places of what is not shown
_SHOWN = 300  # characters of a text all of which is left out or added
#: What numbers an item: *1.*, *4.2*, *(a)*, *Step 3:*.
_ITEM = re.compile(r"(?:\w{3,9} )?\(?\w{1,4}(?:\.\w{1,4})*[.):]|\w{1,4}(?:\.\w{1,4})+")
_BLANK_LINE = re.compile(r"\n[^\S\n]*\n")


def verdict_text(comparison: TextComparison) -> str:
    """Return what is to be done about a text, as a sentence: what to check, or read, if anything."""
    verdicts = Counter(finding.verdict for finding in listed_findings(comparison))
    drops, reviews = verdicts["drop"], verdicts["review"]
    if drops and reviews:
        return f"Check {counted(drops, 'change')} of meaning and {counted(reviews, 'possible one')}."
    if drops or reviews:
        return f"Check {counted(drops or reviews, 'change' if drops else 'possible change')} of meaning."
    if comparison.verdict == "keep":
        return "Nothing to check: the text after the change says the same."
    if comparison.unread and comparison.cause:
        return f"{comparison.cause.text}; look at both versions yourself."
    return "No change of meaning was found; read what is undecided."


def has_lines(name: str) -> bool:
    """Return whether people see the lines of a file with this name, as they see none of a Word file."""
    return not name.lower().endswith(".docx")


class ListedFinding(NamedTuple):
    """A block that people should look at, as a report lists it.

    Attributes:
        block, verdict: the number of the block, from 0, and its verdict.
        kind: of its gravest finding.
        where: its place, by the clauses of the text after the change; of what is left out, of the one before.
        line: the line of the text after the change.
        before, after: both wordings, on a line; empty on the side that has none. Of a whole text its beginning.
        why: what was found; empty where usim can only tell that it cannot decide.
    """

    block: int
    verdict: Verdict
    kind: str
    where: str
    line: int
    before: str
    after: str
    why: str


def listed_findings(comparison: TextComparison, *, with_doubts: bool = False) -> list[ListedFinding]:
    """Return what to look at, the gravest first, else in order; ``with_doubts`` also what usim cannot tell.

    Of that the likeliest change comes first. Of a text all of which is left out or added that is said once, with its
    beginning.
    """
    if _is_whole(comparison):
        first = comparison.findings[0]
        before, after = (shorten(text, _SHOWN, placeholder=" …") for text in (comparison.before, comparison.after))
        why = f"The whole text is {'left out' if before else 'added'}"
        return [ListedFinding(first.block, comparison.verdict, first.kind, "the text", 1, before, after, why)]
    found: dict[int, list[TextFinding]] = {}
    for finding in (*comparison.findings, *(comparison.doubts if with_doubts else ())):
        found.setdefault(finding.block, []).append(finding)
    listed = []
    for place, findings in found.items():
        block = comparison.blocks[place]
        line = comparison.after.count("\n", 0, block.after_span[0]) + 1
        before, after = (
            one_line(" ".join(text[slice(*span)] for span in spans))
            for text, spans in ((comparison.before, block.before), (comparison.after, block.after))
        )
        first = findings[0]
        # Of what is undecided it says nothing more that usim cannot tell.
        is_told = not block.is_doubtful or any(each.kind != "reworded" or "“" in each.text for each in findings)
        why = _together(one_line(finding.text) for finding in findings) if is_told else ""
        listed.append(ListedFinding(place, block.verdict, first.kind, first.where, line, before, after, why))
    verdicts = list(SAID)

    def order(each: ListedFinding) -> tuple[bool, bool, float, int]:
        block = comparison.blocks[each.block]
        if not block.is_doubtful:
            return False, False, verdicts.index(each.verdict), each.block
        return True, not (block.before and block.after), block.faithfulness, each.block  # lone headings come last

    return sorted(listed, key=order)


def _together(findings: Iterable[str]) -> str:
    """Return what was found of a block, as sentences if it is several; those that begin alike are one.

    >>> _together(["The links changed: “if” is gone", "“red” became “blue”", "The links changed: “so” is gone"])
    'The links changed: “if” is gone, “so” is gone. “red” became “blue”.'
    """
    said: dict[str, list[str]] = {}
    for text in dict.fromkeys(findings):
        beginning, quote, rest = text.partition("“")
        said.setdefault(beginning or text, []).append(f"{quote}{rest}" if beginning else "")
    sentences = [beginning + ", ".join(rests) for beginning, rests in said.items()]
    return " ".join(f"{sentence}." for sentence in sentences) if len(sentences) > 1 else "".join(sentences)


def _is_whole(comparison: TextComparison) -> bool:
    """Return whether all of a text is left out or added, and something was found."""
    return bool(comparison.findings) and not (comparison.before.strip() and comparison.after.strip())


def _wordings(
    comparison: TextComparison, finding: ListedFinding, changed: Sequence[Sequence[Span]]
) -> list[list[tuple[str, bool]]]:
    """Return the pieces of both wordings of a finding, and whether each changed; none on a side that has none."""
    if _is_whole(comparison):
        return [[(words, True)] if words else [] for words in (finding.before, finding.after)]
    block = comparison.blocks[finding.block]
    sides = (comparison.before, block.before), (comparison.after, block.after)
    return [list(_line_pieces(*side, own)) for side, own in zip(sides, changed, strict=True)]


def said_of(comparison: TextComparison, finding: ListedFinding) -> str:
    """Return what a finding is called to people."""
    return "undecided" if comparison.blocks[finding.block].is_doubtful else SAID[finding.verdict]


def summary(comparison: TextComparison, *, hint: str = "") -> str:
    """Return how many blocks, beside those to check, are reworded, undecided, unchanged, and rightly left out or added.

    It calls them passages, and is empty where there are none. ``hint`` says where what is undecided is listed. Of texts
    that have hardly anything in common it says that.
    """
    if _is_whole(comparison):
        return ""
    found, doubts = ({finding.block for finding in of} for of in (comparison.findings, comparison.doubts))
    listed = found | doubts
    linked = sum(bool(block.before and block.after) for block in comparison.blocks)
    if len(comparison.blocks) >= _SEVERAL and linked < _LINKED * len(comparison.blocks):
        return "The two texts have hardly anything in common"
    rest = [b for place, b in enumerate(comparison.blocks) if place not in listed]
    same, gone, new = sum(b.is_same for b in rest), sum(not b.after for b in rest), sum(not b.before for b in rest)
    rightly = "which changes nothing" if comparison.policy == "same" else "as the policy allows"
    counts = {
        "reworded without a change of meaning": len(rest) - same - gone - new,
        f"undecided ({hint})" if hint else "undecided": len(doubts),
        "unchanged": same,
        f"left out, {rightly}": gone,
        f"added, {rightly}": new,
    }
    said = ", ".join(f"{number} {what}" for what, number in counts.items() if number)
    return f"{'The other' if found else 'All'} passages: {said}" if said else ""


def overview(comparison: TextComparison, *, hint: str = "") -> str:
    """Return the verdict and the counts as sentences; see :func:`summary`."""
    counts = summary(comparison, hint=hint)
    return f"{verdict_text(comparison)}{counts and f' {counts}.'}"


def comparison_text(
    comparison: TextComparison, names: tuple[str, str], *, shows_doubts: bool = False
) -> Iterator[Text]:
    """Yield the verdict, the counts, and each finding with both wordings.

    Words that are gone stand in ``[-…-]``, new ones in ``{+…+}``. At the end are the places of what is undecided. With
    ``shows_doubts`` this is shown, too, and the places are those of what was reworded without a change of meaning.
    """
    yield Text(f"{comparison.verdict}: {verdict_text(comparison)}", style=f"bold {COLOURS[comparison.verdict]}")
    if counts := summary(comparison, hint="" if shows_doubts else HINT):
        yield Text(f"{counts}.")
    listed = listed_findings(comparison, with_doubts=True)
    doubts = [finding for finding in listed if comparison.blocks[finding.block].is_doubtful]
    for number, finding in enumerate(listed if shows_doubts else listed[: len(listed) - len(doubts)], 1):
        block = comparison.blocks[finding.block]
        said = said_of(comparison, finding)
        line = finding.line if block.after else comparison.before.count("\n", 0, block.before_span[0]) + 1
        name = names[bool(block.after)]
        place = one_line(f"{name}:{line}" if has_lines(name) else name)
        yield Text.assemble(
            f"\n{number}. ", (finding.where or "the text", "bold"), f" ({place}): ", (said, COLOURS[finding.verdict])
        )
        wordings = _wordings(comparison, finding, changed_spans(comparison, block))
        for name, (style, marks), pieces in zip(_SIDES, _MARKS, wordings, strict=True):
            shown = Text(f"   {name}:".ljust(11))
            for piece, is_changed in pieces:
                words = printable(piece)
                shown.append(marks.format(words) if is_changed else words, style if is_changed else "")
            yield shown if pieces else shown.append("nothing", "dim")
        if finding.why:
            yield Text(f"   why:    {finding.why}")
    if shows_doubts:
        kept = (b for b in comparison.blocks if b.verdict == "keep" and b.before and b.after and not b.is_same)
        said, most, where = "Reworded without a change of meaning", None, [comparison.where(block) for block in kept]
    else:
        said, most, where = "Undecided, the likeliest change first", _PLACES, [finding.where for finding in doubts]
    places = list(dict.fromkeys(one_line(place) or "the text" for place in where))
    if places:
        more = f"; and {len(places[most:])} more" if most and places[most:] else ""
        yield Text(f"\n{said}: {'; '.join(places[:most])}{more}.")


def _line_pieces(text: str, spans: Sequence[Span], changed: Sequence[Span]) -> Iterator[tuple[str, bool]]:
    """Yield the pieces of some sentences on a line, with blanks between them, and whether each changed."""
    for k, span in enumerate(spans):
        if k:
            yield " ", False
        for piece, _, is_changed in _pieces(text, span, (), changed):
            yield re.sub(r"\s+", " ", piece), is_changed


def changed_spans(comparison: TextComparison, block: TextBlock) -> tuple[list[Span], list[Span]]:
    """Return the places of the words of a block that are gone, and of those that are new, in their texts.

    Sentences that stand on both sides are none of these, nor are words of which only the order changed.
    """
    texts = (comparison.before, comparison.after)
    sides = block.before, block.after
    words = [[text[slice(*span)].split() for span in spans] for text, spans in zip(texts, sides, strict=True)]
    tokens = []
    for text, spans, own, other in zip(texts, sides, words, reversed(words), strict=True):
        changed = [span for span, said in zip(spans, own, strict=True) if said not in other]
        places = ((at + token.start, at + token.end) for at, end in changed for token in tokenise(text[at:end]))
        tokens.append([(text[slice(*place)], place) for place in places])
    old, new = ([word for word, _ in side] for side in tokens)
    if sorted(word.lower() for word in old) == sorted(word.lower() for word in new):
        return [], []
    result: tuple[list[Span], list[Span]] = ([], [])
    for what, a, b, c, d in SequenceMatcher(None, old, new, autojunk=False).get_opcodes():
        if what != "equal":
            for own_spans, side, first, end in zip(result, tokens, (a, c), (b, d), strict=True):
                if first < end:
                    own_spans.append((side[first][1][0], side[end - 1][1][1]))
    return result


def comparison_html(comparison: TextComparison, *, names: tuple[str, str] = ("before", "after")) -> str:
    """Return the page of two texts, which have these names."""
    rows = comparison_rows(comparison, names=names)
    return html_page("compared", f"{names[0]} and {names[1]}", rows=rows)


def comparison_rows(comparison: TextComparison, *, names: tuple[str, str] = ("before", "after")) -> str:
    """Return the verdict and the rows, without the page around them."""
    lines = [counts] if (counts := summary(comparison)) else []
    if is_foreign(comparison.language):
        lines.insert(0, f"a text seems not to be English ({comparison.language}); usim reads English")
    about = {"comparison": comparison, "verdict": verdict_text(comparison), "lines": lines, "names": names}
    changes = [changed_spans(comparison, block) for block in comparison.blocks]
    listed = []
    for each in listed_findings(comparison):
        lines_of = _wordings(comparison, each, changes[each.block])
        listed.append((each, SAID[each.verdict], list(zip(names, ("del", "ins"), lines_of, strict=True))))
    return render("rows.html", **about, listed=listed, rows=_rows(comparison, changes))


def _rows(comparison: TextComparison, changes: Sequence[tuple[list[Span], list[Span]]]) -> Iterator[dict[str, Any]]:
    """Yield each block with its findings and their numbers, the pieces of both sides, and notes."""
    doubts = {each.block: each.why for each in listed_findings(comparison, with_doubts=True)}
    texts = (comparison.before, comparison.after)
    passages = [sorted(span for block in comparison.blocks for span in getattr(block, side)) for side in _SIDES]
    starts = list(map(_paragraph_starts, texts, passages))
    numbers = list(map(_numbers, texts, passages))
    for place, (block, changed) in enumerate(zip(comparison.blocks, changes, strict=True)):
        findings = [(n, finding) for n, finding in enumerate(comparison.findings, 1) if finding.block == place]
        sides = []
        for k, (name, tag) in enumerate(zip(_SIDES, ("del", "ins"), strict=True)):
            whole = (block.before_span, block.after_span)[k]
            marks = [(span, n) for n, finding in findings for span in getattr(finding, name) if span != whole]
            paragraphs = [
                (part[0] in starts[k], [*numbers[k].get(part[0], ()), *_pieces(texts[k], part, marks, changed[k])])
                for part in _paragraphs(getattr(block, name), starts[k])
            ]
            sides.append((name, tag, paragraphs))
        is_undecided = block.is_doubtful and place in doubts
        notes = [": ".join(filter(None, ("undecided", doubts[place])))] if is_undecided else []
        notes += ["moved"] if block.is_moved else []
        if block.elsewhere and not findings:
            notes.append(f"Its content stands in “{texts[1 if block.before else 0][slice(*block.elsewhere[0])]}”")
        yield {"block": block, "findings": findings, "sides": sides, "notes": notes}


def _paragraph_starts(text: str, passages: Sequence[Span]) -> set[int]:
    """Return where paragraphs after the first begin: after a blank line, or each line if none is wrapped."""
    is_wrapped = any("\n" in text[slice(*span)] for span in passages)
    gaps = ((text[left[1] : right[0]], right[0]) for left, right in pairwise(passages))
    return {start for gap, start in gaps if (_BLANK_LINE.search(gap) if is_wrapped else "\n" in gap)}


def _numbers(text: str, passages: Sequence[Span]) -> dict[int, list[tuple[str, list[int], bool]]]:
    """Return a piece for the number in front of each passage that begins a numbered item."""
    ends = [0, *(end for _, end in passages)]
    gaps = {start: text[end:start].rpartition("\n")[2].strip() for end, (start, _) in zip(ends, passages, strict=False)}
    return {start: [(f"{gap} ", [], False)] for start, gap in gaps.items() if _ITEM.fullmatch(gap)}


def _paragraphs(passages: Sequence[Span], starts: Set[int]) -> list[Span]:
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
