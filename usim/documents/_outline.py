"""Where a place of a text is, as people say it: the number of its clause, or of its paragraph, and its heading."""

from __future__ import annotations

import re
from bisect import bisect_left, bisect_right
from collections.abc import Sequence

from usim.documents._numbering import DIGITS
from usim.documents._word import WordPlace

#: The number in front of a clause, perhaps after what marks a quotation, a heading or an item.
_NUMBER = re.compile(
    rf"[ \t>#*•-]{{0,20}}(?:((?:(?:clause|section|article|§)[ \t])?{DIGITS}|\(?[a-z]{{1,4}}\))"
    rf"[.):]?[ \t]+(?=\S)|((?:clause|section|article|part|§)[ \t](?:{DIGITS}|[ivxlc]{{1,7}}))(?:\b|$))",
    re.IGNORECASE,
)
#: Numbers and names of clauses that are none of the line: *30 days*; and where a line was wrapped *12 Elm Road*,
#: *clause 7 of the contract*.
_IS_TEXT = re.compile(r"[ \t>*]*\d{1,3}[ \t]+[a-z]")
_IS_WRAPPED = re.compile(r"[ \t>*]*(?:\d{1,3}[ \t]|[a-z]+[ \t][\divxlc.]+[,;]?[ \t][a-z])")
_HASHES = re.compile(r"[ ]{0,3}#{1,6}[ \t]+")
#: What has no number of a clause. Of what is no paragraph of the body, rows alone may have one.
_NO_CLAUSE = re.compile(r"\b(?:paragraph|table row|footnote|endnote) \d+$")
_MARGINS = ("header", "footer")
#: The most words of a line that is a heading without a mark.
_MOST_WORDS = 8
_SHOWN = 40


class Outline:
    """The clauses, paragraphs and headings of a text.

    >>> outline = Outline("# Rent\\n\\nPay early.\\n\\n7.2 Pay on time.\\n(a) By card.\\n\\nThe end.")
    >>> [outline.where(outline.text.index(words)) for words in ("early", "on time", "card", "end")]
    ['“Rent”, paragraph 2', 'point 7.2', 'point 7.2 (a)', '“Rent”, paragraph 4']
    >>> wrapped = Outline("Pay within\\n30 days, see\\nclause 7 here.\\n\\n8 Rent")
    >>> [wrapped.where(at) for at in (0, 12, 24, 42)]
    ['paragraph 1', 'paragraph 1', 'paragraph 1', 'point 8']
    >>> Outline("Article II\\nPay on time.").where(12)
    'Article II'

    The paragraphs of a Word file are those of its body; what else it has is called by the names of its ``places``.

    >>> word = Outline("Fees\\n\\nA | B\\n\\nPay.", (WordPlace(0, 0), WordPlace(6, 2, "table row 1"), WordPlace(13, 4)))
    >>> [word.where(at) for at in (6, 13)]
    ['“Fees”, table row 1', '“Fees”, paragraph 2']
    """

    def __init__(self, text: str, places: Sequence[WordPlace] = ()) -> None:
        self.text = text
        starts, paragraphs = [each.start for each in places], sorted({each.number for each in places if not each.name})
        self._starts: list[int] = []
        self._names: list[str] = []
        heading = clause = beside = ""
        paragraph = at = 0
        is_blank = True
        lines = text.split("\n")
        for k, line in enumerate(lines):
            if line.strip():
                paragraph += is_blank
                if places:
                    _, of_file, beside = places[max(0, bisect_right(starts, at) - 1)]
                    paragraph = 1 + bisect_left(paragraphs, of_file)
                is_text = _IS_TEXT.match(line) or (not is_blank and _IS_WRAPPED.match(line))
                number = None if is_text or (beside and not beside.startswith("table")) else _NUMBER.match(line)
                is_alone = is_blank and (k + 1 == len(lines) or not lines[k + 1].strip())
                if number:
                    own = number[1] or number[2]
                    if any(c.isdigit() for c in own) or number[2]:
                        clause = own
                    elif clause:
                        own = f"{clause} {own}"
                    name = own if own[0].isupper() else f"point {own}"
                elif is_blank or not self._names:
                    if marks := _HASHES.match(line):
                        heading = line[marks.end() :].strip()
                    elif (
                        is_alone
                        and not beside
                        and "|" not in line
                        and len(line.split()) <= _MOST_WORDS
                        and line.strip()[-1].isalnum()
                    ):
                        heading = line.strip()
                    short = heading if len(heading) <= _SHOWN else heading[: _SHOWN - 1] + "…"
                    name = beside or f"paragraph {paragraph}"
                    name = f"“{short}”, {name}" if heading and beside not in _MARGINS else name
                else:
                    name = self._names[-1]
                self._starts.append(at)
                self._names.append(name)
            is_blank = not line.strip()
            at += len(line) + 1

    def where(self, at: int) -> str:
        """Return where a place is, in characters from 0; empty in a text without words."""
        if not self._names:
            return ""
        return self._names[max(0, bisect_right(self._starts, at) - 1)]


def is_clause(name: str) -> bool:
    """Return whether the name of a place is the number of a clause, rather than of a paragraph."""
    return bool(name) and name not in _MARGINS and not _NO_CLAUSE.search(name)
