"""A text cut into paragraphs and sentences, whose places in the text stay known.

What marks up a text (bullets, numbers of lists, signs of quotation; in Markdown also headings, emphasis, the targets of
links) is blanked out before anything reads it: each such character becomes a blank, so that no place moves. Code in
Markdown is a passage of its own, which is compared by its letters alone.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property
from itertools import accumulate
from typing import Literal, NamedTuple

from usim.text import Span, sentence_ends, tokenise

Kind = Literal["sentence", "heading", "item", "greeting", "code"]

#: A line that is shorter than this share of a full line ends a passage if the next one begins like a new one.
_SHORT = 0.6
#: A full line has at least so many characters.
_FULL = 60

_LINE = re.compile(r"[^\r\n]*(?:\r\n|\r|\n)?")
_QUOTED = re.compile(r"[^\S\n]*(?:>[^\S\n]?)+")
_BULLET = re.compile(r"\s*(?:[-*+•▪◦–—·]|\(?\d{1,3}[.)]|\(?[a-zA-Z][.)])\s+(?=\S)")
_CHECK_BOX = re.compile(r"\[[ xX]\]\s+")
_RULE = re.compile(r"\s*([-=*_~#.]\s*){3,}$")
_HEADING = re.compile(r"\s{0,3}#{1,6}\s+")
_FENCE = re.compile(r"\s*(`{3,}|~{3,})")
_TABLE = re.compile(r"\s*\|.*\|\s*$")
_TABLE_RULE = re.compile(r"[\s|:+-]+$")
_GREETING = re.compile(
    r"\s*(?:dear|hi|hello|hey|good (?:morning|afternoon|evening)|greetings|to whom it may concern)\b"
    r"(?:[^?]{0,60}[,:!]|[^.?]{0,60})\s*$",
    re.IGNORECASE,
)
_CLOSING = re.compile(
    r"\s*(?:(?:with )?(?:kind|kindest|best|warm|warmest|many)?\s*(?:regards|wishes|thanks|love)|(?:yours )?sincerely"
    r"(?: yours)?|yours(?: truly| faithfully)?|cheers|thank you|respectfully|take care|best)[,.!]?\s*$",
    re.IGNORECASE,
)
_STARTS_LOWER = re.compile(r"\W*[a-z]")
# Markup within a line of Markdown, each group of which is blanked out.
_INLINE = re.compile(
    r"(!?\[)(?=[^\[\]\n]*\][(\[])|(\]\([^()\s]*(?:\s+\"[^\"\n]*\")?\)|\]\[[^\]\n]*\])"  # links and pictures
    r"|(`+)[^`\n]+(`+)"
    r"|(\*{1,3}|~~)(?=\S)|(?<=\S)(\*{1,3}|~~)"
    r"|(?<!\w)(_{1,3})(?=\S)|(?<=\S)(_{1,3})(?!\w)"
    r"|(<!--.*?-->|</?[a-zA-Z][^<>\n]*>)"
)
#: A blank that stands between a word and a mark, where there was markup.
_BEFORE_MARK = re.compile(r" (?=[.,;:!?)\]])")
#: A sentence that is the number of an item alone.
_NUMERAL = re.compile(r"\(?\d{1,3}[.)]")
#: Words whose full stop does not end a sentence where a name or a number follows.
_ABBREVIATIONS = frozenset(
    "inc ltd corp co dept jan feb mar apr jun jul aug sep sept oct nov dec mon tue wed thu fri sat sun "
    "art sec fig figs eq vol pp ch al tel ext min max approx est".split()
)


class Passage(NamedTuple):
    """A sentence of a text, or what stands for one: a heading, an item of a list, a greeting, a block of code.

    Attributes:
        start, end: where it stands, in characters.
        paragraph: the number of its paragraph, from 0.
        kind: what it is.
    """

    start: int
    end: int
    paragraph: int
    kind: Kind = "sentence"


@dataclass(frozen=True)
class CutText:
    """A text and its passages; made by :func:`cut_text`.

    Attributes:
        text: the text as it was given.
        plain: the same with blanks in place of markup; each character stands where it stood.
        passages: its sentences, in order.
    """

    text: str
    plain: str
    passages: tuple[Passage, ...]

    @cached_property
    def keys(self) -> tuple[str, ...]:
        """The words of each passage, one blank apart: what makes two passages the same."""
        return tuple(self._key(self.plain[p.start : p.end], self.text[p.start : p.end]) for p in self.passages)

    @staticmethod
    def _key(plain: str, text: str) -> str:
        key = " ".join(plain.split())
        return key if plain == text else _BEFORE_MARK.sub("", key)

    def plain_of(self, span: Span) -> str:
        """Return a part of the text as it is read, its line ends as blanks."""
        return re.sub(r"\s", " ", self.plain[slice(*span)])

    def span_of(self, first: int, end: int) -> Span:
        """Return where the passages from the first to before the end stand."""
        return self.passages[first].start, self.passages[end - 1].end


def cut_text(text: str, *, is_markdown: bool = False) -> CutText:
    """Cut a text into its passages.

    A blank line ends a paragraph. Within one, a line goes on in the next, as mail programs break lines, unless it is a
    heading, an item of a list, a greeting, or much shorter than the lines around it.

    >>> cut = cut_text("Dear Ms. Hall,\\n\\n- The room is\\n  free. It is large.\\n- Tea is at 4.")
    >>> [(cut.keys[k], passage.kind) for k, passage in enumerate(cut.passages)]  # doctest: +NORMALIZE_WHITESPACE
    [('Dear Ms. Hall,', 'greeting'), ('The room is free.', 'item'), ('It is large.', 'item'),
     ('Tea is at 4.', 'item')]
    """
    plain = list(text)
    passages: list[Passage] = []
    for start, end, paragraph, kind in _pieces(text, plain, is_markdown):
        if kind == "code":
            passages.append(Passage(start, end, paragraph, kind))
            continue
        piece = "".join(plain[start:end])
        passages += (Passage(start + a, start + b, paragraph, kind) for a, b in _sentences(piece))
    return CutText(text, "".join(plain), tuple(passages))


def _sentences(piece: str) -> Iterator[Span]:
    """Yield where the sentences of a piece of running text begin and end."""
    tokens = tokenise(piece)
    words = [token.text for token in tokens]
    first = 0
    for end in sentence_ends(words):
        is_open = words[end - 1] == "." and end > 1 and words[end - 2].lower() in _ABBREVIATIONS
        if is_open and end < len(words) and not _starts_sentence(words[end - 2], words[end]):
            continue
        if end < len(words) and _NUMERAL.fullmatch("".join(words[first:end])):
            continue  # the number of an item belongs to what it numbers
        if any(character.isalnum() for word in words[first:end] for character in word):
            yield tokens[first].start, tokens[end - 1].end
            first = end


def _starts_sentence(abbreviation: str, following: str) -> bool:
    """Return whether a word that follows an abbreviation may begin a sentence: a name or a number hardly does."""
    from usim.lexicon import word_info

    return following[:1].isupper() and word_info(following.lower()).is_function and abbreviation.islower() is False


class _Line(NamedTuple):
    start: int
    end: int
    text: str
    is_new: bool
    kind: Kind


def _pieces(text: str, plain: list[str], is_markdown: bool) -> Iterator[tuple[int, int, int, Kind]]:
    """Yield stretches of running text, and blank markup out: start, end, the number of the paragraph, the kind."""
    paragraph = 0
    lines: list[_Line] = []
    fence, fence_start, fence_end = "", 0, 0

    def blank(start: int, end: int) -> None:
        plain[start:end] = [" " if not c.isspace() else c for c in plain[start:end]]

    for match in _LINE.finditer(text):
        start, stop = match.span()
        if start == stop:
            break
        line = match.group().rstrip("\r\n")
        end = start + len(line)
        if is_markdown and (mark := _FENCE.match(line)) and (not fence or mark[1].startswith(fence)):
            if fence:
                yield fence_start, end, paragraph, "code"
                fence = ""
            else:
                yield from _joined(lines, paragraph)
                lines = []
                fence, fence_start = mark[1], start
            fence_end = end
            continue
        if fence:
            fence_end = end
            continue
        quoted = _QUOTED.match(line)
        at = quoted.end() if quoted else 0
        if quoted:
            blank(start, start + at)
        rest = line[at:]
        if not rest.strip():
            if lines:
                yield from _joined(lines, paragraph)
                lines, paragraph = [], paragraph + 1
            continue
        if _RULE.match(rest) or (is_markdown and _TABLE_RULE.match(rest)):
            blank(start, end)
            yield from _joined(lines, paragraph)
            lines = []
            continue
        kind: Kind = "sentence"
        is_new = False
        if is_markdown and (heading := _HEADING.match(rest)):
            kind, is_new, cut = "heading", True, heading.end()
            blank(start + at, start + at + cut)
        elif is_markdown and _TABLE.match(rest):
            kind, is_new = "item", True
            for place, character in enumerate(rest):
                if character == "|":
                    plain[start + at + place] = " "
        elif bullet := _BULLET.match(rest):
            kind, is_new, cut = "item", True, bullet.end()
            if box := _CHECK_BOX.match(rest, cut):
                cut = box.end()
            blank(start + at, start + at + cut)
        elif _GREETING.match(rest) or _CLOSING.match(rest):
            kind, is_new = "greeting", True
        if is_markdown:
            for markup in _INLINE.finditer(rest):
                for number in range(1, (_INLINE.groups or 0) + 1):
                    if markup[number] is not None:
                        blank(start + at + markup.start(number), start + at + markup.end(number))
        lines.append(_Line(start + at, end, "".join(plain[start + at : end]), is_new, kind))
    if fence:
        yield fence_start, fence_end, paragraph, "code"
    yield from _joined(lines, paragraph)


def _joined(lines: list[_Line], paragraph: int) -> Iterator[tuple[int, int, int, Kind]]:
    """Yield the lines of a paragraph, those that go on in the next one together with it."""
    full = max([_FULL, *(len(line.text) for line in lines)])
    first = 0
    for k in range(1, len(lines) + 1):
        if k < len(lines) and not _is_break(lines[k - 1], lines[k], full):
            continue
        yield lines[first].start, lines[k - 1].end, paragraph, lines[first].kind
        first = k


def _is_break(line: _Line, following: _Line, full: int) -> bool:
    if following.is_new or line.kind in ("heading", "greeting"):
        return True
    end = line.text.rstrip()
    if end.endswith(":"):
        return True
    return len(end) < _SHORT * full and not _STARTS_LOWER.match(following.text) and end[-1:] != ","


def cut_tokens(tokens: tuple[str, ...]) -> CutText:
    """Cut a text into its sentences whose tokens are given, and stand a blank apart."""
    ends = list(accumulate(len(token) + 1 for token in tokens))
    passages, first = [], 0
    for end in sentence_ends(tokens):
        start = ends[first - 1] if first else 0
        passages.append(Passage(start, ends[end - 1] - 1, 0))
        first = end
    text = " ".join(tokens)
    return CutText(text, text, tuple(passages))


#: What may stand between two passages; a text without it has one at most.
_MAY_END = re.compile(r"[.!?…].*?\w|[\r\n]", re.DOTALL)


def may_have_several(text: str) -> bool:
    """Return whether a text may have several passages; a quick look at it."""
    return _MAY_END.search(text) is not None
