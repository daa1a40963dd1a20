"""The findings of a checker with their replacements screened; and the text with those that are kept."""

from __future__ import annotations

import re
from bisect import bisect_left
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import replace
from functools import partial
from itertools import takewhile

from usim.checkers._checker import SPELLING, Checked, Checker, CheckRequest, Fault
from usim.errors import InputError
from usim.judge import shipped_corrections
from usim.screen import Screen
from usim.suggestions import Edit, Suggestion
from usim.suggestions.articles import article
from usim.text import check_length, foreign_sentences, sentence_around, sentence_spans

_ARTICLE = re.compile(r"\b(an?)\s+$", re.IGNORECASE)

_NAMES = r"(?:[^\W\d_a-z][\w’'.-]*[ \t]+){0,3}"
#: What stands before names: *Dear Mrs*, *Dr*, with first names.
_ADDRESSED = re.compile(rf"\b(?:Dear|Hi|Hello|Mr|Mrs|Ms|Miss|Dr|Prof|Professor)\b\.?[ \t]+{_NAMES}$")
#: A line of names alone, behind a line that ends with a comma: *Kind regards,*.
_SIGNATURE = re.compile(rf"^[^\n]{{3,30}},[ \t]*\n\s*^({_NAMES}[^\W\d_a-z][\w’'.-]*)[ \t]*$", re.MULTILINE)


def check_text(checker: Checker, request: CheckRequest) -> Checked:
    """Have a plain text in English checked; sentences of another language are left alone.

    Raises:
        InputError: the text is in another language than English, or the request is wrong.
        CheckerError: the checker cannot answer.
    """
    text = request.text
    # Somebody who names the language knows it.
    is_auto = request.language == "auto"
    if is_auto and (foreign := foreign_sentences(text)) and len(foreign) == len(sentence_spans(text)):
        languages = ", ".join(sorted(set(foreign.values())))
        message = f"the text is in another language ({languages}), and usim knows English alone"
        raise InputError(f"{message}; if it is English, say so: --language en-US")
    checked = checker.check(request)
    if not is_screened(checked):
        raise InputError(f"the text is in another language ({checked.language}), and usim knows English alone")
    return only_mistakes(text, in_english(text, checked) if is_auto else checked)


def only_mistakes(text: str, checked: Checked) -> Checked:
    """Leave out what is no mistake: layout, names that are no known words, and what a word cannot mean.

    Layout is what exchanges blanks for blanks. Names stand behind *Dear* and titles, and in the signature of a letter.
    """
    signed = {place for match in _SIGNATURE.finditer(text) for place in range(*match.span(1))}

    def is_layout(finding: Fault) -> bool:
        return not "".join((text[finding.start : finding.end], *finding.replacements)).strip()

    def is_name(finding: Fault) -> bool:
        if not (finding.category == SPELLING and text[finding.start : finding.end].istitle()):
            return False
        is_signed = finding.start in signed and finding.end - 1 in signed
        return is_signed or _ADDRESSED.search(text, max(0, finding.start - 60), finding.start) is not None

    findings = [
        _in_degree(text, finding) for finding in checked.findings if not (is_layout(finding) or is_name(finding))
    ]
    return replace(checked, findings=findings)


def _in_degree(text: str, finding: Fault) -> Fault:
    """Return a finding whose replacements have the degree of a comparative or superlative that is misspelt."""
    written = text[finding.start : finding.end]
    if not (written.isalpha() and written.lower().endswith(("er", "est"))):
        return finding
    known = {word.lower(): word for word in finding.replacements}
    words = shipped_corrections().in_degree(written.lower(), list(known))
    cased = [known.get(word) or (word.capitalize() if written[0].isupper() else word) for word in words]
    return replace(finding, replacements=tuple(cased))


def is_screened(checked: Checked) -> bool:
    """Return whether a checker took the text for English, the one language that can be screened."""
    return checked.language is None or checked.language.lower().partition("-")[0] == "en"


def in_english(text: str, checked: Checked) -> Checked:
    """Leave out the findings in sentences of another language, and count such sentences.

    A checker of English finds fault with every word of them. Ask only where nobody has said which language it is.
    """
    foreign = sorted(foreign_sentences(text).items())
    ends = [end for (_, end), _ in foreign]

    def is_kept(finding: Fault) -> bool:
        place = bisect_left(ends, finding.end)
        return place == len(ends) or foreign[place][0][0] > finding.start

    kept = list(filter(is_kept, checked.findings))
    return replace(checked, findings=kept, foreign=Counter(language for _, language in foreign))


def proposals(text: str, findings: Sequence[Fault], most: int = 8) -> list[list[Suggestion]]:
    """Return what is to be screened of each finding: its first ``most`` replacements.

    From the first one on with which its sentence is too long to be judged they are left out.
    """
    # The replacements are screened as they are: an editor puts in nothing else.
    return [
        [
            Suggestion(value, (finding.start, finding.end), (Edit(finding.start, finding.end, value),))
            for value in takewhile(partial(_is_short, text, finding), finding.replacements[:most])
        ]
        for finding in findings
    ]


def _is_short(text: str, finding: Fault, value: str) -> bool:
    """Return whether the sentence of a finding may be judged, before and after a value is put into it."""
    start, end = sentence_around(text, finding.start, finding.end)
    try:
        check_length(text[start:end])
        check_length(text[start : finding.start] + value + text[finding.end : end])
    except InputError:
        return False
    return True


def screened_findings(text: str, findings: Sequence[Fault], screen: Screen) -> Iterator[Fault]:
    """Screen what a checker suggests for a text; raise a ParsingError if a sentence cannot be parsed."""
    suggestions = proposals(text, findings)
    screened = screen.screen_texts((text, of_finding) for of_finding in suggestions)
    for finding, of_finding in zip(findings, screened, strict=True):
        yield replace(finding, screened=tuple(sorted(of_finding, key=lambda screened: -screened.faithfulness)))


def best_edits(text: str, findings: Sequence[Fault]) -> tuple[Edit, ...]:
    """Return the best suggestions that are kept as edits of a text, in order; of two that overlap, the more faithful.

    The article before a word that is put in is that of the new word: *a eccelent film* becomes *an excellent film*.
    """
    chosen: list[Edit] = []
    best = [(finding, finding.best) for finding in findings if finding.best is not None]
    for finding, suggestion in sorted(best, key=lambda pair: -pair[1].faithfulness):
        edit = Edit(finding.start, finding.end, suggestion.substitute)
        place = bisect_left(chosen, edit)
        if all(edit.end < other.start or other.end < edit.start for other in chosen[max(0, place - 1) : place + 1]):
            chosen.insert(place, edit)
    fitting: list[Edit] = []
    for edit in chosen:
        if (before := article_before(text, edit)) is not None:
            start, end, wanted = before
            if fitting and fitting[-1][:2] == (start, end) and fitting[-1].new.lower() in ("a", "an"):
                fitting.pop()
            if text[start:end].lower() != wanted.lower() and (not fitting or fitting[-1].end <= start):
                edit = Edit(start, edit.end, wanted + text[end : edit.start] + edit.new)
        fitting.append(edit)
    return tuple(fitting)


def article_before(text: str, edit: Edit) -> Edit | None:
    """Return the edit that makes the article before a word that is put in fit that word; None where no article is."""
    before = _ARTICLE.search(text, max(0, edit.start - 4), edit.start)
    if before is None or not edit.new[:1].isalpha():
        return None
    wanted = article(edit.new + text[edit.end :])
    return Edit(*before.span(1), wanted.capitalize() if before[1][0].isupper() else wanted)
