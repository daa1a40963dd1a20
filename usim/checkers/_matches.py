"""Matches of a checker in LanguageTool's form, and their replacements screened."""

from __future__ import annotations

import re
from bisect import bisect_left
from collections import Counter
from collections.abc import Mapping, Sequence
from functools import partial
from itertools import takewhile
from typing import Any

from usim.checkers._annotated import AnnotatedText, Offsets
from usim.errors import InputError
from usim.screen import Screened
from usim.suggestions import Edit, Suggestion
from usim.suggestions.articles import article
from usim.text import Span, check_length, foreign_sentences, sentence_around

#: A match as LanguageTool's protocol has it, with offsets in UTF-16 units.
Match = dict[str, Any]

_ARTICLE = re.compile(r"\b(an?)\s+$", re.IGNORECASE)


def proposals(text: AnnotatedText, matches: Sequence[Match], most: int) -> list[list[Suggestion]]:
    """Return what is to be screened of each match: its first ``most`` replacements, if it fits the text.

    The suggestions are for the text that is read. From the first one on with which its sentence is longer than may be
    judged (:func:`usim.text.check_length`), those of a match are left out.
    """
    suggestions: list[list[Suggestion]] = []
    for match, span in zip(matches, spans(text, matches), strict=True):
        values = [each["value"] for each in match["replacements"][:most]]
        # As they are: an editor puts in nothing else.
        suggestions.append(
            []
            if span is None
            else [
                Suggestion(value, span, (Edit(*span, value),))
                for value in takewhile(partial(_is_short, text.plain, span), values)
            ]
        )
    return suggestions


def _is_short(text: str, span: Span, value: str) -> bool:
    """Return whether a sentence may be judged, before and after a value is put into it."""
    start, end = sentence_around(text, *span)
    try:
        check_length(text[start:end])
        check_length(text[start : span[0]] + value + text[span[1] : end])
    except InputError:
        return False
    return True


def spans(text: AnnotatedText, matches: Sequence[Match]) -> list[Span | None]:
    """Return where matches stand in the text that is read, in characters; None for those that do not fit it."""
    offsets = Offsets(text.sent)
    places: list[Span | None] = []
    for match in matches:
        start, end = (offsets.to_characters(match["offset"] + n) for n in (0, match["length"]))
        places.append(None if start is None or end is None else text.span_read(start, end))
    return places


def article_before(text: str, edit: Edit) -> Edit | None:
    """Return the edit that makes the article before a word that is put in fit that word; None where no article is."""
    before = _ARTICLE.search(text, max(0, edit.start - 4), edit.start)
    if before is None or not edit.new[:1].isalpha():
        return None
    wanted = article(edit.new + text[edit.end :])
    return Edit(*before.span(1), wanted.capitalize() if before[1][0].isupper() else wanted)


def screened_matches(
    text: AnnotatedText, matches: Sequence[Match], screened: Sequence[Sequence[Screened]]
) -> list[Match]:
    """Return matches with their replacements screened; ``screened`` has the first ones of each match.

    Replacements to drop are taken out, the others ordered by faithfulness, the highest first. Each has
    ``faithfulness``, ``verdict`` and ``reasons``, and behind *a* or *an* the ``article`` that it takes; those taken out
    stand in the match's member ``usim``. A match stays even if all of its replacements go.
    """
    answers = []
    for match, span, of_match in zip(matches, spans(text, matches), screened, strict=True):
        replacements = match["replacements"]
        judged = [{**replacements[k], **_figures(text.plain, span, each)} for k, each in enumerate(of_match)]
        judged.sort(key=lambda each: -each["faithfulness"])
        kept = [each for each in judged if each["verdict"] != "drop"]
        dropped = [each for each in judged if each["verdict"] == "drop"]
        about = {"dropped": dropped, "notScreened": len(replacements) - len(judged)}
        answers.append({**match, "replacements": kept, "usim": about})
    return answers


def is_screened(answer: Mapping[str, Any]) -> bool:
    """Return whether the answer of a checker is about English, the one language that can be screened."""
    code = answer["language"].get("code")
    return not isinstance(code, str) or code.lower().partition("-")[0] == "en"


def in_english(text: AnnotatedText, matches: Sequence[Match]) -> tuple[list[Match], Counter[str]]:
    """Return the matches that stand in no sentence of another language, and the number of such sentences by language.

    A checker of English finds fault with every word of them. Ask only where nobody has said which language it is.
    """
    foreign = foreign_sentences(text.plain)
    if not foreign:
        return list(matches), Counter()
    ends = sorted(end for _, end in foreign)
    starts = {end: start for start, end in foreign}
    kept = []
    for match, span in zip(matches, spans(text, matches), strict=True):
        place = None if span is None else bisect_left(ends, span[1])
        if span is None or place is None or place == len(ends) or starts[ends[place]] > span[0]:
            kept.append(match)
    return kept, Counter(foreign.values())


def not_checked(text: str, answer: Mapping[str, Any]) -> list[Span]:
    """Return the parts of a text that a checker left out because they take too long, in characters."""
    warnings = answer.get("warnings")
    places = warnings.get("notChecked", []) if isinstance(warnings, Mapping) else []
    if not places:
        return []
    offsets = Offsets(text)
    characters = ((offsets.to_characters(start), offsets.to_characters(end)) for start, end in places)
    return [(start, end) for start, end in characters if start is not None and end is not None]


def passed_on(matches: Sequence[Match]) -> list[Match]:
    """Return matches as they are, each of which says that nothing was screened."""
    return [{**match, "usim": {"dropped": [], "notScreened": len(match["replacements"])}} for match in matches]


def _figures(text: str, span: Span | None, screened: Screened) -> dict[str, Any]:
    values = screened.to_dict()
    before = None if span is None else article_before(text, Edit(*span, screened.substitute))
    figures = {name: values[name] for name in ("faithfulness", "verdict", "reasons")}
    return figures if before is None else {**figures, "article": before.new}
