"""Two texts compared, for the terminal: the blocks that matter, word by word, with the findings."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from difflib import SequenceMatcher

from rich.text import Text

from usim.report.words import one_line
from usim.text import Span, Token, is_foreign, tokenise
from usim.texts import TextBlock, TextComparison, TextFinding

#: Verdicts on a text as sentences.
VERDICTS = {
    "keep": "The text after the change says the same.",
    "review": "The text after the change may say something else.",
    "drop": "The text after the change says something else.",
}
STYLES = {"keep": "green", "review": "yellow", "drop": "red"}
#: The style of words that are gone or new, and the marks around them.
_MARKS = {"gone": ("red strike", "[-{}-]"), "new": ("green", "{{+{}+}}")}
#: If a smaller share of the words of a block is the same, both sides are shown whole.
_DIFFERS = 0.5
#: How many findings of a block are shown.
_SHOWN = 4


#: The same if nothing was found, but usim is in doubt about some blocks.
DOUBTFUL = "No change of meaning was found, but usim cannot tell whether all of it says the same."


def verdict_text(comparison: TextComparison) -> str:
    """Return the verdict on a text as a sentence."""
    return VERDICTS[comparison.verdict] if comparison.findings or not comparison.doubts else DOUBTFUL


def comparison_text(
    comparison: TextComparison, names: tuple[str, str], *, shows_doubts: bool = False
) -> Iterator[Text]:
    """Yield the verdict, and each block that people should look at, with its findings.

    Other blocks are folded. Words that are gone stand in ``[-…-]``, new ones in ``{+…+}``.

    Args:
        comparison: of two texts.
        names: what the texts are called.
        shows_doubts: whether blocks that usim cannot judge are shown, too.
    """
    yield Text(f"{comparison.verdict}: {verdict_text(comparison)}", style=f"bold {STYLES[comparison.verdict]}")
    folded: list[TextBlock] = []
    for number, block in enumerate(comparison.blocks):
        told = [*comparison.findings, *(comparison.doubts if shows_doubts else ())]
        findings = [finding for finding in told if finding.block == number]
        if not findings:
            folded.append(block)
            continue
        if folded:
            yield _folded(folded)
            folded = []
        yield from _block(comparison, block, findings, names)
    if folded:
        yield _folded(folded)
    yield Text(f"\nfaithfulness {comparison.faithfulness:.3f}, that of the worst block, from 0 (changed) to 1 (kept)")
    yield from map(Text, fact_lines(comparison))
    yield Text(counts_line(comparison))


def language_note(comparison: TextComparison) -> str:
    """Return a sentence that warns of texts that are not English; an empty one where they seem to be."""
    if not is_foreign(comparison.language):
        return ""
    return f"a text seems not to be English ({comparison.language}); usim reads English, and the result means little"


def fact_lines(comparison: TextComparison) -> Iterator[str]:
    """Yield the numbers and the names that only one of the texts has, each kind on a line."""
    for kind, name in (("number", "numbers"), ("name", "names")):
        sides = {
            side: [one_line(fact.text) for fact in comparison.facts if (fact.kind, fact.side) == (kind, side)]
            for side in ("before", "after")
        }
        parts = [f"only {side}: {', '.join(texts)}" for side, texts in sides.items() if texts]
        if parts:
            yield f"{name} {'; '.join(parts)}"


def counts_line(comparison: TextComparison) -> str:
    """Return how many sentences there are, and what happened to them, in a line."""
    counts = comparison.counts
    parts = [f"{counts['sentences_before']} sentences before, {counts['sentences_after']} after"]
    for name, noun in (
        ("same", "unchanged"), ("moved", "moved"), ("left_out", "left out"), ("added", "added"),
    ):  # fmt: skip
        if counts[name]:
            parts.append(f"{counts[name]} {noun}")
    verdicts = ", ".join(f"{counts[verdict]} {verdict}" for verdict in STYLES)
    doubts = f" ({counts['doubts']} reworded, without a finding)" if counts["doubts"] else ""
    return f"{', '.join(parts)}; blocks: {verdicts}{doubts}"


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
    for name, text, span, spans in zip(
        names,
        (comparison.before, comparison.after),
        (block.before_span, block.after_span),
        (block.before, block.after),
        strict=True,
    ):
        places.append(one_line(f"{name}:{text.count(chr(10), 0, span[0]) + 1}"))
        texts.append(" ".join(text[start:end] for start, end in spans))
    verdict = (block.verdict, STYLES[block.verdict])
    moved = ", moved" if block.is_moved else ""
    yield Text.assemble("\n", ("  ".join(places), "bold"), "  ", verdict, f" {block.faithfulness:.3f}{moved}")
    yield from _difference(texts[0], texts[1])
    for finding in findings[:_SHOWN]:
        yield Text(f"    • {one_line(finding.text)}")
    if len(findings) > _SHOWN:
        yield Text(f"    • {len(findings) - _SHOWN} more")


def _difference(before: str, after: str) -> Iterator[Text]:
    """Yield the words of a block: what is gone and new within the others, or both sides if little is the same."""
    tokens = [tokenise(before), tokenise(after)]
    words = [[token.text for token in side] for side in tokens]
    matcher = SequenceMatcher(None, words[0], words[1], autojunk=False)
    if before and after and matcher.ratio() < _DIFFERS:
        yield Text.assemble("  ", _marked("gone", before))
        yield Text.assemble("  ", _marked("new", after))
        return
    line = Text("  ")
    for what, a, b, c, d in matcher.get_opcodes():
        old, new = _slice(before, tokens[0], (a, b)), _slice(after, tokens[1], (c, d))
        side, place = (tokens[1], c) if c < d else (tokens[0], a)
        if len(line) > 2 and place > 0 and side[place].start > side[place - 1].end:
            line.append(" ")
        if what == "equal":
            line.append(new)
            continue
        for kind, piece in (("gone", old), ("new", new)):
            if piece:
                line.append(*_marked(kind, piece))
    yield line


def _slice(text: str, tokens: Sequence[Token], span: Span) -> str:
    a, b = span
    return one_line(text[tokens[a].start : tokens[b - 1].end]) if a < b else ""


def _marked(kind: str, words: str) -> tuple[str, str]:
    """Return words that are gone or new with marks around them, and their style."""
    style, marks = _MARKS[kind]
    return marks.format(one_line(words)), style
