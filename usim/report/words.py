"""A judgement as plain text: the verdict in a sentence, the findings, the figures."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import TYPE_CHECKING

from usim.evidence import Finding
from usim.measures import UsimScore
from usim.text import aligned, printable
from usim.verdicts import Judgement, Verdict
from usim.verdicts.nouns import needs_text

if TYPE_CHECKING:
    from usim.screen import SuggestionResult

#: Verdicts, the gravest first: what each says of a text after a change, and its colour.
SAID: dict[Verdict, str] = {
    "drop": "changes the meaning",
    "review": "may change the meaning",
    "keep": "keeps the meaning",
}
COLOURS: dict[Verdict, str] = {"keep": "green", "review": "yellow", "drop": "red"}
#: What decided, in words, where it was not the faithfulness.
_CAUSES = {
    "finding": "a certain finding",
    "policy": "the policy",
    "model": "the judge that was asked",
    "vague": "what the judge does not know",
    "unreadable": "what usim cannot read",
    "unanswered": "nothing",
}
_SHOWN = 3  # findings that a line has room for


def verdict_lines(judgement: Judgement, notes: Iterable[str] = ()) -> Iterator[str]:
    """Yield the verdict with its sentence, the findings that are shown, notes, the faithfulness, and what decided."""
    sentence = f"The output {SAID[judgement.verdict]}." if judgement.is_answered else "The judge gave no answer."
    if judgement.verdict == "keep" and judgement.shown:
        sentence = "The output probably keeps the meaning, but look at this:"
    yield f"{judgement.verdict}: {sentence}"
    for finding in judgement.shown:
        yield f"  • {one_line(finding.text)}"
    for note in notes:
        yield f"  note: {one_line(note)}"
    cause, needs = judgement.cause, ""
    if judgement.thresholds is not None and cause is not None:
        parts = (*compared(judgement), needs_text(judgement.thresholds, cause.band))
        needs = f"; {': '.join(parts)}"
    if judgement.is_answered:
        yield f"faithfulness {judgement.faithfulness:.3f}, from 0 (changed) to 1 (kept){needs}"
    if cause is not None and cause.outlook is not None:
        yield str(cause.outlook)
    if cause is not None and cause.by != "probability":
        yield f"decided by {_CAUSES[cause.by]}: {one_line(cause.text)}"


def compared(judgement: Judgement) -> tuple[str, ...]:
    """Return the probability that was compared with what verdicts need, where it is not the faithfulness, as notes."""
    cause = judgement.cause
    if cause is None or cause.compared in (None, judgement.faithfulness):
        return ()
    who = "the judge that was asked says" if cause.by == "model" else "the sentence that decided has"
    return (f"{who} {cause.compared:.3f}",)


def bounds(judgement: Judgement) -> tuple[str, str]:
    """Return from which faithfulness on *keep* was given and below which *drop*, for a table."""
    cause = judgement.cause
    keep, drop = (cause.keep, cause.drop) if cause else (1.0, 0.0)
    return f"{keep:.3f}" if keep < 1 else "–", f"{drop:.3f}" if drop else "–"


def decided(judgement: Judgement) -> tuple[str, ...]:
    """Return what decided, where it was not the faithfulness, as notes."""
    cause = judgement.cause
    by = () if cause is None or cause.by == "probability" else (f"decided by {_CAUSES[cause.by]}",)
    return (*by, *compared(judgement))


def why(findings: Iterable[Finding], notes: Iterable[str] = ()) -> str:
    """Return findings in one line, the first three and how many more there are; and notes."""
    texts = [one_line(finding.text) for finding in findings]
    more = [f"{len(texts) - _SHOWN} more"] if len(texts) > _SHOWN else []
    return "; ".join([*texts[:_SHOWN], *more, *(f"note: {one_line(note)}" for note in notes)])


def why_so(judgement: Judgement, notes: Iterable[str] = ()) -> str:
    """Return findings and notes in one line, and what decided, where it was not the faithfulness."""
    return "; ".join(filter(None, (why(judgement.shown, notes), *decided(judgement))))


def suggestion_text(screened: SuggestionResult) -> str:
    """Return a suggestion in one line: what is put in, and the findings against it with notes."""
    findings = why_so(screened.judgement, screened.notes)
    return "   ".join(filter(None, (one_line(screened.substitute) or "(nothing)", findings)))


def figure_lines(score: UsimScore) -> Iterator[str]:
    """Yield a table of USim: recall, precision and F of both directions, and their mean."""
    rows = [["USim", "recall", "precision", "F"]]
    for name, way in (("source → output", score.s2r), ("output → source", score.r2s)):
        rows.append([name, *(f"{figure:.3f}" for figure in (way.recall, way.precision, way.f))])
    yield from aligned([*rows, ["mean", "", "", f"{score.f:.3f}"]], right=range(1, 4))


def one_line(text: str) -> str:
    """Return a text as a terminal can show it, on one line."""
    return printable(" ".join(text.split()))
