"""A text cut into paragraphs and sentences, whose places in the text stay known.

What marks up a text (bullets, numbers of lists and clauses, signs of quotation) is left out before anything reads it.
Markdown is read without its markup. A block of code in it is a passage of its own, which is compared by its letters
alone.
"""

from __future__ import annotations

import re
from array import array
from bisect import bisect_right
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from functools import cached_property
from itertools import groupby, pairwise
from operator import itemgetter
from textwrap import shorten
from typing import Literal, NamedTuple

from usim.documents._markdown import PlainMarkdown
from usim.documents._numbering import BULLETS, LABEL, heads, number_of
from usim.lexicon import word_info
from usim.text import Span, sentence_ends, tokenise

Kind = Literal["sentence", "heading", "item", "greeting", "code"]

#: The longest text, in characters: some 10,000 sentences.
MAX_CHARACTERS = 1_000_000
#: Characters of a passage that are quoted.
_LONGEST_QUOTE = 80
#: A line that is shorter than this share of a full line ends a passage if the next one begins like a new one.
_SHORT = 0.6
#: A full line has at least so many characters.
_FULL = 60
#: A line also ends a passage if the first word of the next one had room on it and may begin a sentence. Lines that were
#: wrapped by hand have some room; a paragraph most of whose lines have more is not wrapped, so any word may.
_SLACK = 10

_LINE = re.compile(r"([^\r\n]*)(?:\r\n|\r|\n)?")
_QUOTED = re.compile(r"[^\S\n]*(?:>[^\S\n]?)+")
_BULLET = re.compile(rf"\s*(?:[{BULLETS}]|{LABEL}|\(?(?:\d{{1,3}}|[a-zA-Z]|[ivx]{{2,5}}|[IVX]{{2,5}})[.)])\s+(?=\S)")
#: Marks of Markdown directly before words and behind them, and by what each is closed.
_OPEN, _CLOSE = "`*_~![", re.compile(r"[`*_~]*(?:\]\([^()\n]*\))?[`*_~]*")
_CLOSED_BY = str.maketrans("[", "]", "!")
_RULE = re.compile(r"\s*([-=*_~#.]\s*){3,}$")
_GREETING = re.compile(
    r"\s*(?:dear|hi|hello|hey|good (?:morning|afternoon|evening)|greetings|to whom it may concern)\b"
    r"(?:[^?]{0,60}[,:!]|[^.?]{0,60})\s*$",
    re.IGNORECASE,
)
_CLOSING = re.compile(
    r"\s*(?:(?:with\s+)?(?:(?:kind|kindest|best|warm|warmest|many)\s*)?(?:regards|wishes|thanks|love)"
    r"|(?:yours )?sincerely(?: yours)?|yours(?: truly| faithfully)?|cheers|thank you|respectfully|take care|best)"
    r"[,.!]?\s*$",
    re.IGNORECASE,
)
#: A few words, or a question, without anything that allows, forbids, counts or limits.
_HEADING = re.compile(
    r"(?!.*(?:\d|\b(?:no|not|never|none|nothing|only|must|may|shall|cannot|without|except|unless|if|all|any|every|each|i|he|she|we|they)\b))"
    r"(?:[a-z][\w'’-]*(?: [\w'’&/()-]+){0,5}:?|(?:How|What|When|Where|Which|Who|Why)\b[^.!?]{1,60}\?)",
    re.IGNORECASE,
)
_STARTS_LOWER = re.compile(r"\W*[a-z]")
#: A sentence that is the number of an item alone.
_NUMERAL = re.compile(r"\(?\d{1,3}[.)]")
#: Words whose full stop does not end a sentence where a name or a number follows.
_ABBREVIATIONS = frozenset(
    "inc ltd corp co dept jan feb mar apr jun jul aug sep sept oct nov dec mon tue wed thu fri sat sun "
    "art sec fig figs eq vol pp ch al tel ext min max approx est".split()
)


class Passage(NamedTuple):
    """A sentence of a text, or what stands for one (``kind``), and where it begins and ends, in characters."""

    start: int
    end: int
    kind: Kind = "sentence"


@dataclass(frozen=True)
class CutText:
    """A text and its passages in order.

    Attributes:
        text: the text.
        plain: the text without markup; all other places are places in it.
        places: of each character of ``plain`` where it begins in the text, and where it ends; None if it stands at the
            same place.
        code: where code stands, spans and blocks.
        links: where links begin, each with its address.
        items: the numbers of items that Markdown counts, by where their passages begin.
        pieces: the headings, paragraphs, items, rows and blocks of code that passages are parts of.
    """

    text: str
    plain: str
    passages: tuple[Passage, ...]
    places: tuple[array[int], array[int]] | None = None
    code: tuple[Span, ...] = ()
    links: tuple[tuple[int, str], ...] = ()
    items: Mapping[int, str] = field(default_factory=dict)
    pieces: tuple[Passage, ...] = ()

    @cached_property
    def keys(self) -> tuple[str, ...]:
        """The words of each passage, one blank apart: what makes two passages the same; code is as it is."""
        texts = ((self.plain[start:end], kind) for start, end, kind in self.passages)
        return tuple(text if kind == "code" else " ".join(text.split()) for text, kind in texts)

    @cached_property
    def addresses(self) -> tuple[tuple[str, ...], ...]:
        """The addresses that the links of each passage lead to."""
        return tuple(tuple(a for at, a in self.links if start <= at < end) for start, end, _ in self.passages)

    @cached_property
    def numbers(self) -> tuple[str, ...]:
        """The number of the clause that begins with each passage; empty where none does."""
        return tuple(
            self.items.get(passage.start) or number_of(self.text, self.in_text(passage[:2])[0], key)
            for passage, key in zip(self.passages, self.keys, strict=True)
        )

    @cached_property
    def words(self) -> list[set[str]]:
        """The longer words of each passage, see :func:`words_of`."""
        return list(map(words_of, self.keys))

    def is_heading(self, k: int) -> bool:
        """Return whether a passage is a heading that claims nothing: few words that stand alone, without a full stop.

        >>> cut = cut_text("Opening hours\\n\\nWe open at 8.\\n\\nNo refunds\\n\\nAsk us.")
        >>> [cut.is_heading(k) for k in range(4)]
        [True, False, False, False]
        """
        start, end, kind = self.passages[k]
        piece = self.pieces[bisect_right(self.pieces, start, key=itemgetter(0)) - 1]
        is_whole = not (self.plain[piece.start : start] + self.plain[end : piece.end]).strip()
        return kind in ("heading", "sentence") and is_whole and bool(_HEADING.fullmatch(self.keys[k]))

    def span_of(self, places: range) -> Span:
        """Return where passages stand, from the first to the last."""
        return self.passages[places.start].start, self.passages[places.stop - 1].end

    def in_text(self, span: Span) -> Span:
        """Return where a place of ``plain`` is in the text."""
        if self.places is None:
            return span
        starts, ends = self.places
        start = starts[span[0]] if span[0] < len(starts) else len(self.text)
        return start, max(start, ends[span[1] - 1]) if span[0] < span[1] else start

    def with_marks(self, span: Span) -> Span:
        """Return where a place of ``plain`` is in the text, with the marks of Markdown that open and close around it.

        >>> cut = cut_text("- `x` is **new**", is_markdown=True)
        >>> cut.text[slice(*cut.in_text(cut.passages[0][:2]))], cut.text[slice(*cut.with_marks(cut.passages[0][:2]))]
        ('x` is **new', '`x` is **new**')
        """
        start, end = self.in_text(span)
        if self.places is None or start == end:
            return start, end
        before = self.places[1][span[0] - 1] if span[0] else 0
        between, tail = self.text[before:start], _CLOSE.match(self.text, end)
        opening, closing = between[len(between.rstrip(_OPEN)) :], tail[0] if tail else ""
        inside = self.text[start:end]
        # What opens here and closes in another passage, or the other way round, belongs to neither.
        if not set(opening.translate(_CLOSED_BY)) <= set(inside + closing):
            opening = ""
        if not set(closing.partition("(")[0]) <= set((opening + inside).translate(_CLOSED_BY)):
            closing = ""
        return start - len(opening), end + len(closing)

    def quoted(self, span: Span) -> str:
        """Return the beginning of a passage, on one line, to be quoted."""
        return shorten(self.plain[slice(*span)], _LONGEST_QUOTE, placeholder="…")

    def sentence(self, places: range) -> str:
        """Return passages as they are judged, with blanks for line ends."""
        return self.sentence_at(self.span_of(places))

    def sentence_at(self, span: Span) -> str:
        """Return a place of ``plain`` as it is judged."""
        return re.sub(r"\s", " ", self.plain[slice(*span)])


def cut_text(text: str, *, is_markdown: bool = False) -> CutText:
    """Cut a text into its passages.

    A blank line ends a paragraph. Within one, a line goes on in the next, as mail programs break lines, unless it is a
    heading, an item of a list, a greeting, or much shorter than the lines around it.

    >>> cut = cut_text("Dear Ms. Hall,\\n\\n- The room is\\n  free. It is large.\\n- Tea is at 4.")
    >>> [(cut.keys[k], passage.kind) for k, passage in enumerate(cut.passages)]  # doctest: +NORMALIZE_WHITESPACE
    [('Dear Ms. Hall,', 'greeting'), ('The room is free.', 'item'), ('It is large.', 'item'),
     ('Tea is at 4.', 'item')]
    """
    places, code, links = None, list[Span](), list[tuple[int, str]]()
    pieces: list[Passage] = []
    marks: list[Span] = []
    counted: dict[int, str] = {}
    if is_markdown:
        markdown = PlainMarkdown(text)
        plain, code, places = markdown.text, markdown.code, (markdown.starts, markdown.ends)
        characters = list(plain)
        links = markdown.links
        for start, end, block, number in markdown.pieces:
            bullet = None if block == "code" else _BULLET.match(plain, start, end)
            head = bullet.end() if bullet else start
            is_greeting = block == "sentence" and _is_greeting(plain[head:end])
            pieces.append(Passage(head, end, "greeting" if is_greeting else block))
            marks.append((start, head))
            counted[head] = number
    else:
        lines = [_without_markup(found.start(), found[1]) for found in _LINE.finditer(text)]
        characters = list(text)
        for line in lines:
            characters[line.start : line.end] = line.text
        plain, pieces = "".join(characters), list(_pieces(lines))
    passages: list[Passage] = []
    items: dict[int, str] = {}
    for start, end, kind in pieces:
        spans = [(0, end - start)] if kind == "code" else list(_sentences(plain[start:end]))
        passages += (Passage(start + first, start + last, kind) for first, last in spans)
        if spans and counted.get(start):
            items[start + spans[0][0]] = counted[start]
    numbers = heads(["" if kind == "code" else plain[start:end] for start, end, kind in passages])
    for k, head in enumerate(numbers):
        start, end, kind = passages[k]
        passages[k] = Passage(start + head, end, kind)
        marks.append((start, start + head))
    for start, end in marks:
        characters[start:end] = " " * (end - start)
    plain = "".join(characters)
    return CutText(text, plain, tuple(passages), places, tuple(code), tuple(links), items, tuple(pieces))


def _sentences(piece: str) -> Iterator[Span]:
    """Yield where the sentences of a piece of running text begin and end."""
    tokens = tokenise(piece)
    words = [token.text for token in tokens]
    first = seen = 0
    has_word = False
    for end in sentence_ends(words):
        is_open = words[end - 1] == "." and end > 1 and words[end - 2].lower() in _ABBREVIATIONS
        if is_open and end < len(words) and not _starts_sentence(words[end - 2], words[end]):
            continue
        if end < min(len(words), first + 5) and _NUMERAL.fullmatch("".join(words[first:end])):
            continue  # the number of an item belongs to what it numbers
        has_word = has_word or any(any(map(str.isalnum, word)) for word in words[seen:end])
        seen = end
        if has_word:
            yield tokens[first].start, tokens[end - 1].end
            first, has_word = end, False


def _starts_sentence(abbreviation: str, following: str) -> bool:
    """Return whether a word that follows an abbreviation may begin a sentence: a name or a number hardly does."""
    is_function = word_info(following.lower()).is_function
    return following[:1].isupper() and is_function and not abbreviation.islower()


class _Line(NamedTuple):
    start: int
    end: int
    text: str
    kind: Kind


def _without_markup(start: int, line: str) -> _Line:
    """Return a line with blanks in place of markup, and what it is; of lines that divide a text only blanks."""
    if quoted_as := _QUOTED.match(line):
        line = " " * quoted_as.end() + line[quoted_as.end() :]
    kind: Kind = "sentence"
    if _RULE.match(line):
        line = " " * len(line)
    elif head := _BULLET.match(line):
        kind, line = "item", " " * head.end() + line[head.end() :]
    elif _is_greeting(line):
        kind = "greeting"
    return _Line(start, start + len(line), line, kind)


def _is_greeting(line: str) -> bool:
    return bool(_GREETING.match(line) or _CLOSING.match(line))


def _pieces(lines: Iterable[_Line]) -> Iterator[Passage]:
    """Yield stretches of running text: the lines of a paragraph, those that go on in the next together."""
    groups = groupby(lines, key=lambda line: bool(line.text.strip()))
    for paragraph in (list(group) for has_words, group in groups if has_words):
        width = max(len(line.text.strip()) for line in paragraph)
        firsts = [" ".join(line.text.split()[:1]) for line in paragraph[1:]]
        rooms = [width - len(line.text.strip()) - len(word) for line, word in zip(paragraph, firsts, strict=False)]
        is_wrapped = 2 * sum(room > _SLACK for room in rooms) < len(rooms)
        first = paragraph[0]
        for (line, following), word, room in zip(pairwise(paragraph), firsts, rooms, strict=True):
            room += max(0, _FULL - width)
            has_room = room > 0 and not (is_wrapped and (word == "I" or not _starts_sentence("", word)))
            if _is_break(line, following, is_short=has_room or len(line.text.strip()) < _SHORT * max(_FULL, width)):
                yield Passage(first.start, line.end, first.kind)
                first = following
        yield Passage(first.start, paragraph[-1].end, first.kind)


def _is_break(line: _Line, following: _Line, *, is_short: bool) -> bool:
    """Return whether a line ends a passage; what does not fill a line ends one, unless the next goes on."""
    if following.kind != "sentence" or line.kind == "greeting":
        return True
    text = line.text.strip()
    goes_on = text.endswith(",") or _STARTS_LOWER.match(following.text)
    return text.endswith(":") or (is_short and not goes_on)


def words_of(text: str) -> set[str]:
    """Return the longer words of a text, without their endings as far as five letters tell words apart."""
    return {word[:5] for word in re.findall(r"[^\W_]+", text.lower()) if len(word) > 3}
