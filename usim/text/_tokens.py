"""Tokens of a text, and where its sentences end.

Tokens follow the habits of the UCCA corpora of English, which are nearly those of the Penn Treebank: clitics and
punctuation stand alone (``do n't``, ``John 's``), hyphens split words (``well - known``), numbers, addresses and a few
abbreviations stay whole. A token is a slice of the text as it looks (:mod:`usim.text._plain`), and has its place in the
text as it is written; nothing is lost but white space and what is not seen.

>>> [t.text for t in tokenise("I don't know Mr. Smith's e-mail (yet).")]
['I', 'do', "n't", 'know', 'Mr.', 'Smith', "'s", 'e', '-', 'mail', '(', 'yet', ')', '.']
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable, Iterator, Sequence
from functools import lru_cache
from itertools import accumulate
from typing import NamedTuple

from usim.text._plain import plain, plain_places

#: Abbreviations that keep their full stop. The corpora split the others, and initials: ``Louis B . Mayer``, ``Bros .``
_ABBREVIATIONS = frozenset(
    "mr mrs ms dr prof rev gen col capt lt gov sen rep hon dept est fig pp approx appt apt ave blvd".split()
)
#: Words after which a full stop as a token of its own rarely ends a sentence.
_GOES_ON = _ABBREVIATIONS | frozenset("st sgt jr sr bros vs no vol cf ca mt ft".split())

_TOKEN = re.compile(
    r"""
      (?P<page>(?:https?://|www\.)[^\s<>"]*[^\s<>"'.,;:!?)\]}…])    # addresses of web pages
    | [#@]\w[\w-]*                                         # tags and handles
    | (?:(?<![^\W\d_])[vV])?\d+(?:[.,:/]\d+)+[^\W\d_]*(?!\w)  # 1,000.5  10:30  2.5k  v2.0.1
    | (?<![\w.])\.\d+[^\W\d_]*(?!\w)                      # .5  .5mg
    | \w+(?:\.(?:com|org|net|edu|gov|co\.uk))(?!\w)            # names of web sites
    | \w+(?:['\u2019\u02bc]\w+)*                           # words, with their clitics
    | ['\u2019](?:s|re|ve|ll|d|m|em|\d\ds?)(?!\w)           # a clitic apart, '90s
    | [:;=8][-o']?[)(\]\[DPpO/\\|](?!\w)                    # :-)
    | (?P<mark>[^\w\s])(?P=mark)*                           # marks; a run of one mark is one token
    """,
    re.VERBOSE | re.IGNORECASE,
)
# E-mail addresses and initials (U.S.  e.g.) are searched first, see _addresses_and_initials.
_LOCAL_PART = re.compile(r"[\w.+-]+")
_DOMAIN = re.compile(r"@\w[\w-]*(?:\.\w[\w-]*)+")
_WORD_CHARACTER = re.compile(r"\w")
_INITIALS = re.compile(r"(?:[^\W\d_]\.){2,}")
_NEGATED = re.compile(
    r"(?i)(do|does|did|is|are|was|were|have|has|had|could|should|would|might|must|need|ought|dare|sha|wo|ca|ai)"
    r"(n['\u2019\u02bc]?t)$"
)
_CLITIC = re.compile(r"(?i)(.+)(['\u2019\u02bc](?:s|re|ve|ll|d|m|em))$")

_BLANKS = re.compile(r"\s*")
#: A token is looked for within so many characters, and beyond them only right after white space.
_NEAR = 200

_END = re.compile(r"[.?!…]+$")
_CLOSING = frozenset("'\"”’»)]}")
#: Short forms that may end a sentence, and what stands behind them with a capital inside of one: days, months, zones.
_HALVES = frozenset(("a.m.", "p.m."))
_BEHIND_HALVES = frozenset(
    "monday tuesday wednesday thursday friday saturday sunday january february march april may june july august "
    "september october november december central eastern pacific mountain greenwich".split()
)
#: How a phrase begins that says when in front of a sentence, and its most words: *On Monday at 8 p.m. Ann came*.
_BEFORE_TIMES, _MOST_WHEN = frozenset("about after around at before between by from on since until".split()), 5


class Token(NamedTuple):
    """A token and its place, in characters: it is ``text[start:end]`` of the text that it comes from, as that looks."""

    text: str
    start: int
    end: int


def tokenise(text: str) -> list[Token]:
    """Cut a text into tokens, none for white space alone; the time that it takes grows linearly with the text."""
    if text.isascii():
        return _cut(text)
    looks, starts, ends = plain_places(text)
    return [Token(token.text, starts[token.start], ends[token.end - 1]) for token in _cut(looks)]


def _cut(text: str) -> list[Token]:
    tokens: list[Token] = []
    for start, end in _spans(text):
        word = text[start:end]
        if word == "." and tokens and tokens[-1].end == start and tokens[-1].text.lower() in _ABBREVIATIONS:
            before = tokens.pop()
            tokens.append(Token(text[before.start : end], before.start, end))
            continue
        if clitic := _clitic(word):
            tokens.append(Token(word[:clitic], start, start + clitic))
            start, word = start + clitic, word[clitic:]
        tokens.append(Token(word, start, end))
    return tokens


def _spans(text: str) -> Iterator[tuple[int, int]]:
    """Find where tokens begin and end, before clitics and abbreviations are looked at."""
    ends = _addresses_and_initials(text)
    if not ends:
        yield from (match.span() for match in _TOKEN.finditer(text))
        return
    position = 0
    while match := _TOKEN.search(text, position):
        start, position = match.span()
        if match.lastgroup != "page":
            position = ends.get(start, position)
        yield start, position


def _addresses_and_initials(text: str) -> dict[int, int]:
    """Find where e-mail addresses and initials end, for each place where a token may begin with them.

    They are no alternatives of the pattern for tokens, which would try them at each token of a long stretch such as
    ``a-a-a-a``, each time up to the end of the stretch.
    """
    ends: dict[int, int] = {}
    if text.count(".") > 1:
        for match in _INITIALS.finditer(text):
            start, end = match.span()
            if not _WORD_CHARACTER.match(text, end):
                ends.update(dict.fromkeys(range(start, end - 3, 2), end))  # at least two letters are left
    for match in _LOCAL_PART.finditer(text) if "@" in text else ():
        if domain := _DOMAIN.match(text, match.end()):
            ends.update(dict.fromkeys(range(*match.span()), domain.end()))
    return ends


def token_texts(text: str) -> list[str]:
    """Cut a text into tokens without their places.

    >>> token_texts("I don't know (yet).")
    ['I', 'do', "n't", 'know', '(', 'yet', ')', '.']
    """
    return [token.text for token in _cut(plain(text))]


def token_spans(text: str, tokens: Iterable[str]) -> tuple[tuple[int, int] | None, ...]:
    """Find where tokens stand in a text, in order: the start and the end of each in characters, the end exclusive.

    Tokens of :func:`tokenise` are found where they were cut out, and given tokens in the text that joins them by
    blanks. Other tokens are looked for within 200 characters after the one before; None stands for one that is not
    there.

    >>> token_spans("I don't.", ["I", "do", "n't", "."])
    ((0, 1), (2, 4), (4, 7), (7, 8))
    """
    spans: list[tuple[int, int] | None] = []
    position = 0
    looks, starts, ends = plain_places(text)
    for given in tokens:
        # A mark that begins a token may look otherwise by itself than behind a letter: look for it as it is, too.
        places: dict[int, str] = {}
        for token in dict.fromkeys((plain(given), given)):
            start = looks.find(token, position, position + _NEAR + len(token))
            if start < 0 and looks.startswith(token, _end_of_blanks(looks, position)):
                start = _end_of_blanks(looks, position)
            if start >= 0:
                places.setdefault(start, token)
        if not places:
            spans.append(None)
            continue
        start, token = min(places.items())
        position = start + len(token)
        first = starts[start] if start < len(looks) else len(text)
        spans.append((first, ends[position - 1] if token else first))
    return tuple(spans)


def _end_of_blanks(text: str, position: int) -> int:
    match = _BLANKS.match(text, position)
    return match.end() if match else position


@lru_cache(maxsize=1 << 16)
def _clitic(word: str) -> int:
    """Return where the clitic of a word begins; 0 if it has none."""
    if word.lower() == "cannot":
        return 3
    match = _NEGATED.match(word) or _CLITIC.match(word)
    return match.start(2) if match else 0


@lru_cache(maxsize=1 << 16)
def is_punct(token: str) -> bool:
    """Return whether a token is punctuation: all its characters are of a Unicode category P, as spaCy has it."""
    return bool(token) and all(unicodedata.category(c)[0] == "P" for c in token)


#: What begins no sentence: *Open ./notes.txt*.
_INSIDE = frozenset("/\\_")


def sentence_ends(tokens: Sequence[str]) -> list[int]:
    """Return the positions one past the last token of each sentence; the time grows linearly with the tokens.

    A sentence ends after a full stop, question or exclamation mark (with the quotation marks and brackets that close
    after it), unless what follows goes on in lower case; after *a.m.* if a new one begins.

    >>> sentence_ends("He said : ' Go ! ' She went .".split())
    [7, 10]
    """
    ends: list[int] = []
    i, n = 0, len(tokens)
    quotes = {mark: [*accumulate((token == mark for token in tokens), initial=0)] for mark in ("'", '"')}
    has_word, seen = False, 0  # whether the sentence has a word so far, and how many tokens were searched for one
    while i < n:
        i += 1
        if not (_END.match(tokens[i - 1]) or _ends_with_time(tokens, ends[-1] if ends else 0, i)):
            continue
        if tokens[i - 1] == "." and i > 1 and _goes_on(tokens[i - 2]):
            continue
        while i < n and (tokens[i] in _CLOSING or _END.match(tokens[i])):
            if tokens[i] in quotes and quotes[tokens[i]][i] % 2 == 0:
                break  # it opens a quotation, as those before it are balanced
            i += 1
        while seen < i and not has_word:
            has_word = not is_punct(tokens[seen])
            seen += 1
        if i < n and has_word and not tokens[i][:1].islower() and tokens[i] not in _INSIDE:
            ends.append(i)
            has_word, seen = False, i
    if n:
        ends.append(n)
    return ends


def _ends_with_time(tokens: Sequence[str], start: int, i: int) -> bool:
    """Return whether a sentence that begins at ``start`` ends with a time of day, and another one begins at ``i``.

    *Be here by 7 a.m. It* is two; *at 7 a.m. Monday* goes on, and so does *At 7 a.m. Ann*, which has said nothing yet.
    """
    if i == len(tokens) or tokens[i - 1].lower() not in _HALVES or tokens[i].lower() in _BEHIND_HALVES:
        return False
    says_when = i - start <= _MOST_WHEN and tokens[start].lower() in _BEFORE_TIMES
    return tokens[i].istitle() and not says_when


def _goes_on(word: str) -> bool:
    """Return whether the full stop after ``word`` marks an abbreviation or an initial."""
    return word.lower() in _GOES_ON or (len(word) == 1 and word.isupper() and word != "I")
