"""Where a place of a text is, as people say it: the number of its clause, or its heading and the paragraph below it."""

from __future__ import annotations

import re
from bisect import bisect_left, bisect_right
from collections import Counter
from collections.abc import Sequence
from itertools import pairwise
from typing import NamedTuple

from usim.documents._numbering import BULLETS, NUMBERED
from usim.documents._word import WordPlace
from usim.lexicon.topics import MONTHS
from usim.text import Span

#: How a line begins that goes on with what stands above: *12 Elm Road*, *clause 7. It*.
_GOES_ON = re.compile(r"[ \t>*]*(?:\d{1,3}|[a-z]{2,})[ \t]")
_MONTH = rf"(?:{'|'.join(MONTHS)})"
#: A line that begins with a day and no number of a clause: *3 May 2024*.
_DATE = re.compile(rf"[ \t]*\d{{1,2}}[ \t]+{_MONTH}\b", re.IGNORECASE)
#: What stands alone in a letter and is no heading: a date, a salutation, the words before a name.
_OF_LETTER = re.compile(
    rf"(?:\w+,?\s+)?(?:\d{{1,2}}(?:st|nd|rd|th)?\s+{_MONTH}|{_MONTH}\s+\d{{1,2}})\b"
    r"|(?:dear|hi|hello|yours|sincerely|(?:kind|best|warm) (?:regards|wishes))\b",
    re.IGNORECASE,
)
_HASHES = re.compile(r"[ ]{0,3}#{1,6}[ \t]+")
_BOLD = re.compile(r"\*\*|__")
#: What stands below a heading, or above and below it; and around code.
_LINE, _FENCES = re.compile(r"([=~^\"'*+#-])\1{2,}\s*$"), ("```", "~~~")
#: How an item with a bullet begins.
_BULLET = re.compile(rf"[ \t]*[{BULLETS}][ \t]+\S")
#: A row of a table in a text, and what stands below its head.
_ROW, _BELOW_HEAD = re.compile(r"[ \t]*\|"), re.compile(r"[\s|:]*-[\s|:-]*$")
#: What has no number of a clause. Of what is no paragraph of the body, rows alone may have one.
_NO_CLAUSE = re.compile(r"“|(?:paragraph|table row|footnote|endnote) \d+$")
#: An item of a list, whose number is one in other lists, too.
_ITEM = re.compile(r"(?:point|step|item|rule) (?:\d+$|\()", re.IGNORECASE)
_MARGINS = ("header", "footer")
#: The most words of a line that is a heading without a mark, those before a full stop, and what it begins with.
_MOST_WORDS, _MOST_STOPPED, _OPENING = 8, 4, "“‘\"'("
_SHOWN = 40


class Outline:
    """The clauses, paragraphs and headings of a text; paragraphs are counted below their heading.

    >>> text = "# Rent\\n\\nPay early.\\n\\n7.2 Pay on time.\\n(a) By card.\\n\\nThe end.\\n\\n## 8. Pets\\n\\nNone."
    >>> [Outline(text).where(text.index(words)) for words in ("early", "on time", "card", "end", "Pets", "None")]
    ['“Rent”, paragraph 1', 'point 7.2', 'point 7.2 (a)', '“Rent”, paragraph 3', 'point 8', '“8. Pets”, paragraph 1']
    >>> wrapped = Outline("Pay within\\n30 days, see\\nclause 7 here.\\n\\n8 Rent")
    >>> [wrapped.where(at) for at in (0, 12, 24, 42)]
    ['paragraph 1', 'paragraph 1', 'paragraph 1', 'point 8']
    >>> Outline("Article II\\nPay on time.").where(12)
    'Article II'

    Items of a list are named with their heading. Of a place that has several sentences it is said which one is meant.

    >>> text = "# Rent\\n\\n1. Pay.\\n2. Pay early. By card."
    >>> items = Outline(text, sentences=[(2, 6), (11, 15), (19, 29), (30, 38)])
    >>> [items.where(at) + items.sentence((at, at + 8)) for at in (11, 30)]
    ['“Rent”, point 1', '“Rent”, point 2, sentence 2']

    The paragraphs of a Word file are those of its body; what else it has is called by the names of its ``places``.

    >>> word = Outline("Fees\\n\\nA | B\\n\\nPay.", (WordPlace(0, 0), WordPlace(6, 2, "table row 1"), WordPlace(13, 4)))
    >>> [word.where(at) for at in (6, 13)]
    ['“Fees”, table row 1', '“Fees”, paragraph 1']

    Items with bullets belong to what stands above them.

    >>> bullets = Outline("# Tea\\n\\nBring:\\n\\n- milk\\n- sugar\\n\\nAnd pay.\\n\\n7. Stay\\n- long")
    >>> [bullets.where(bullets.text.index(words)) for words in ("sugar", "And", "long")]
    ['“Tea”, paragraph 1, bullet 2', '“Tea”, paragraph 2', '“Tea”, point 7, bullet 1']
    """

    def __init__(self, text: str, places: Sequence[WordPlace] = (), sentences: Sequence[Span] = ()) -> None:
        self.text = text
        self._sentences = sentences
        lines = _lines(text, places)
        self._starts = [line.start for line in lines]
        self._names: list[str] = []
        self._units: list[int] = []  # where the first lines of clauses, paragraphs and headings begin
        heading = clause = above_list = ""
        paragraph = above = bullet = 0
        is_below = False
        for line in lines:
            begins = line.begins or is_below or not self._names
            is_below = bool(line.title)
            paragraph = line.paragraph or paragraph + (begins and not line.beside and not line.is_bullet)
            if line.title:
                clause = ""
                short = line.title if len(line.title) <= _SHOWN else line.title[: _SHOWN - 1] + "…"
                heading, above = f"“{short}”", paragraph
            if line.number:
                name = _called(line.number, clause)
                if heading and not line.title and _ITEM.match(name):
                    name = f"{heading}, {name}"
                clause = clause if _is_inner(line.number) else name
            elif line.title:
                name = heading
            elif line.is_bullet:
                bullet += 1
                name = f"{above_list}, bullet {bullet}".removeprefix(", ")
            elif begins:
                name = line.beside or f"paragraph {paragraph - above}"
                name = f"{heading}, {name}" if heading and line.beside not in _MARGINS else name
            else:
                name = self._names[-1]
            if line.number or line.title or begins or line.is_bullet:
                self._units.append(line.start)
                if not line.is_bullet:
                    above_list, bullet = name, 0
            self._names.append(name)

    def where(self, at: int) -> str:
        """Return where a place is, in characters from 0; empty in a text without words."""
        if not self._names:
            return ""
        return self._names[max(0, bisect_right(self._starts, at) - 1)]

    def sentence(self, span: Span) -> str:
        """Return which sentence of its place a span begins with; empty if it has all of it, or the place is a row."""
        at = bisect_right(self._units, span[0])
        first = self._units[at - 1] if at else 0
        stop = self._units[at] if at < len(self._units) else len(self.text)
        own = self._sentences[bisect_left(self._sentences, (first, 0)) : bisect_left(self._sentences, (stop, 0))]
        meant = [number for number, (start, _) in enumerate(own, 1) if span[0] <= start < span[1]]
        # Only blanks stand between sentences, but a bullet between items, and a mark between cells.
        is_row = any(self.text[end:start].strip() for (_, end), (start, _) in pairwise(own))
        if is_row or "table row" in self.where(span[0]) or not 0 < len(meant) < len(own):
            return ""
        return f", sentence {meant[0]}" if len(meant) == 1 else f", sentences {meant[0]}–{meant[-1]}"


def clause_of(name: str) -> str:
    """Return the number of the clause in the name of a place, without a heading; empty for that of a paragraph.

    >>> [clause_of(name) for name in ("“Fees”, point 2", "Article II", "“Fees”, table row 1", "“Fees”")]
    ['point 2', 'Article II', '', '']
    """
    own = name.rpartition("”, ")[2]
    return "" if own in _MARGINS or _NO_CLAUSE.match(own) else own


class _OutlineLine(NamedTuple):
    """A line with words.

    Attributes:
        start: where it begins in the text.
        begins: whether no line with words stands directly above it.
        number: the number of the clause that begins with it.
        title: its words if it is a heading.
        beside: what it is called if it is no paragraph of the body of a Word file.
        is_bullet: whether it is an item with a bullet and no number.
        paragraph: which paragraph of that body it is, from 1.
    """

    start: int
    begins: bool
    number: re.Match[str] | None
    title: str
    beside: str = ""
    is_bullet: bool = False
    paragraph: int = 0


def _lines(text: str, places: Sequence[WordPlace]) -> list[_OutlineLine]:
    starts = [each.start for each in places]
    paragraphs = sorted({each.number for each in places if not (each.name or _BULLET.match(text, each.start))})
    found: list[_OutlineLine] = []
    lines = ["", *text.split("\n"), ""]
    at = -1
    is_edge = [not line.strip() or bool(_LINE.match(line)) for line in lines]
    is_code, row = False, 0
    for k, line in enumerate(lines):
        was_code, is_code = is_code, is_code != _is_fence(line, is_code or is_edge[k - 1])
        is_plain = not places and not was_code
        is_row = is_plain and bool(_ROW.match(line))
        is_mark = is_row and bool(_BELOW_HEAD.match(line))
        row = row + (not is_mark) if is_row else 0
        if _LINE.match(line):  # a rule, or what stands below a title
            is_mark = is_plain or bool(found and found[-1].title and lines[k - 1].strip())
        if line.strip() and not is_mark:
            place = places[max(0, bisect_right(starts, at) - 1)] if places else WordPlace(at, 0)
            if row:
                place = WordPlace(at, 0, f"table row {row}")
            begins = bool(row) or (is_edge[k - 1] and not was_code)
            number = None if was_code else NUMBERED.match(line)
            if number and (
                not (number["name"] or line[number.end() :].strip())
                or (not begins and _GOES_ON.match(line))
                or _DATE.match(line)
                or (place.name and not place.name.startswith("table"))
            ):
                number = None
            title = ""
            if begins and not (number and _is_inner(number)):
                title = _title(line, is_alone=is_edge[k + 1] and not place.name, is_numbered=bool(number))
            paragraph = 1 + bisect_left(paragraphs, place.number) if places else 0
            is_bullet = not (was_code or place.name or number) and bool(_BULLET.match(line))
            found.append(_OutlineLine(at, begins, number, title, place.name, is_bullet, paragraph))
        at += len(line) + 1
    return _without_items(found, text)


def _is_fence(line: str, may_be_tildes: bool) -> bool:
    """Return whether code begins or ends with a line; below words, tildes are the line below a title."""
    return line.lstrip().startswith(_FENCES if may_be_tildes else _FENCES[0])


def _title(line: str, *, is_alone: bool, is_numbered: bool) -> str:
    """Return the words of a line that is a heading, by its mark or because it is short and stands alone."""
    marks = _HASHES.match(line)
    title = _BOLD.sub("", line[marks.end() :] if marks else line).strip()
    if marks:
        bare = title.rstrip("#")
        return title if bare[-1:].strip() else bare.rstrip()
    words = len(title.split())
    if not is_alone or not 0 < words <= _MOST_WORDS or "|" in title or _OF_LETTER.match(title):
        return ""
    ends = title[-1].isalnum() or (is_numbered and words <= _MOST_STOPPED and title[-1] in ".:")
    return title if ends and (title[0].isalnum() or title[0] in _OPENING) else ""


def _without_items(lines: Sequence[_OutlineLine], text: str) -> list[_OutlineLine]:
    """Return lines whose numbered headings have something below; the items of a list have the next number.

    >>> Outline("1. Tea\\n\\n2. Milk\\n\\n3. Cake\\n\\nEnjoy it.").where(28)
    'paragraph 4'
    """
    depths = [line.number["number"].count(".") if line.number else -1 for line in lines]
    votes = Counter[int]()
    for line, own, following in zip(lines, depths, [*depths[1:], 0], strict=False):
        if own >= 0 and line.title:
            votes[own] += -1 if own == following else 1
    return [
        line if line.number is None or votes[own] >= 0 or _HASHES.match(text, line.start) else line._replace(title="")
        for line, own in zip(lines, depths, strict=True)
    ]


def _is_inner(number: re.Match[str]) -> bool:
    """Return whether a number is one of a part of a clause: *(a)*, *(2)*, *iii)*."""
    return not number["name"] and (number["number"].islower() or "(" in number[0])


def _called(number: re.Match[str], clause: str) -> str:
    if _is_inner(number):
        return f"{clause or 'point'} ({number['number']})"
    return " ".join(f"{number['name'] or 'point '}{number['number']}".split())
