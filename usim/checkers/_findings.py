"""What a checker finds in a text, with its suggestions screened; and the text with those that are kept."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

from usim.checkers._annotated import AnnotatedText
from usim.checkers._matches import Match, article_before, in_english, is_screened, not_checked, proposals, spans
from usim.checkers._request import Checker, CheckRequest
from usim.errors import InputError
from usim.screen import Screen, Screened
from usim.suggestions import Edit, apply
from usim.text import Span, foreign_sentences, sentence_spans


@dataclass(frozen=True, slots=True)
class Finding:
    """What a checker finds fault with.

    Attributes:
        start, end: where it stands, in characters of the text.
        message: what the checker says.
        rule, category: the names of the rule and of its group.
        screened: what the checker suggests, the most faithful first. Those for which there was no room are left out.
        left_out: how many these are.
    """

    start: int
    end: int
    message: str
    rule: str
    category: str
    screened: tuple[Screened, ...]
    left_out: int

    @property
    def best(self) -> Screened | None:
        """The most faithful suggestion if it is kept."""
        return self.screened[0] if self.screened and self.screened[0].verdict == "keep" else None

    def to_dict(self, *, dropped: bool = True) -> dict[str, Any]:
        """Return the finding as JSON values, with or without the suggestions to drop."""
        return {
            "start": self.start,
            "end": self.end,
            "message": self.message,
            "rule": self.rule,
            "category": self.category,
            "suggestions": [each.to_dict() for each in self.screened if dropped or each.verdict != "drop"],
        }


@dataclass(frozen=True, slots=True)
class Checked:
    """What a checker answered about a text in English.

    Attributes:
        matches: what it finds fault with, but for what stands in sentences of another language.
        foreign: how many such sentences there are, by language; none where somebody has said that the text is English.
        not_checked: the parts that it left out because they take too long, in characters.
    """

    matches: list[Match]
    foreign: Counter[str]
    not_checked: list[Span]


async def check_text(checker: Checker, request: CheckRequest) -> Checked:
    """Have a plain text checked.

    Raises:
        InputError: the text is in another language than English, or the request is wrong.
        CheckerError: the checker cannot answer.
    """
    text = request.text.plain
    # Somebody who names the language knows it.
    is_auto = request.language == "auto"
    if is_auto and (foreign := foreign_sentences(text)) and len(foreign) == len(sentence_spans(text)):
        languages = ", ".join(sorted(set(foreign.values())))
        message = f"the text is in another language ({languages}), and usim knows English alone"
        raise InputError(f"{message}; if it is English, say so: --language en-US")
    answer = await checker.check(request)
    if not is_screened(answer):
        code = answer["language"].get("code")
        raise InputError(f"the text is in another language ({code}), and usim knows English alone")
    matches, left_alone = (
        in_english(request.text, answer["matches"]) if is_auto else (answer["matches"], Counter[str]())
    )
    return Checked(matches, left_alone, not_checked(text, answer))


def findings(text: str, matches: Sequence[Match], screen: Screen, *, most: int = 8) -> Iterator[Finding]:
    """Screen what a checker suggests for a text, the first ``most`` suggestions of each match.

    Raises:
        ParsingError: a sentence cannot be parsed.
    """
    annotated = AnnotatedText([(text, None)])
    places = spans(annotated, matches)
    suggestions = proposals(annotated, matches, most)
    screened = screen.screen_texts((text, of_match) for of_match in suggestions)
    for match, place, of_match in zip(matches, places, screened, strict=True):
        if place is not None:
            rule = match["rule"]
            ranked = tuple(sorted(of_match, key=lambda screened: -screened.faithfulness))
            category = (rule.get("category") or {}).get("id", "")
            left_out = len(match["replacements"]) - len(ranked)
            yield Finding(*place, match["message"], rule["id"], category, ranked, left_out)


def best_edits(text: str, findings: Sequence[Finding]) -> tuple[Edit, ...]:
    """Return the best suggestions that are kept as edits of a text, in order; of two that overlap, the more faithful.

    The article before a word that is put in is that of the new word: *a eccelent film* becomes *an excellent film*.
    """
    chosen: list[Edit] = []
    best = [(finding, finding.best) for finding in findings if finding.best is not None]
    for finding, suggestion in sorted(best, key=lambda pair: -pair[1].faithfulness):
        edit = Edit(finding.start, finding.end, suggestion.substitute)
        if all(edit.end < other.start or other.end < edit.start for other in chosen):
            chosen.append(edit)
    return _with_articles(text, sorted(chosen))


def _with_articles(text: str, edits: Sequence[Edit]) -> tuple[Edit, ...]:
    """Return edits in which the article before a word that is put in fits that word."""
    fitting: list[Edit] = []
    for edit in edits:
        before = article_before(text, edit)
        if before is not None:
            start, end, wanted = before
            if fitting and fitting[-1][:2] == (start, end) and fitting[-1].new.lower() in ("a", "an"):
                fitting.pop()
            if text[start:end].lower() != wanted.lower() and (not fitting or fitting[-1].end <= start):
                edit = Edit(start, edit.end, wanted + text[end : edit.start] + edit.new)
        fitting.append(edit)
    return tuple(fitting)


def fixed(text: str, findings: Sequence[Finding]) -> tuple[str, int]:
    """Put the best suggestions that are kept into a text, see :func:`best_edits`.

    Returns:
        the text, and how many suggestions are in it.
    """
    edits = best_edits(text, findings)
    return apply(text, edits), len(edits)
