"""Text to tokens, and tokens to sentences.

Tokens follow the habits of the UCCA corpora of English, which are nearly those of the Penn Treebank: clitics and
punctuation stand alone (``do n't``, ``John 's``), hyphens split words (``well - known``), numbers, addresses and a few
abbreviations stay whole. A token is always a slice of the text, so that its place is known and nothing of the text is
lost but white space.

>>> [t.text for t in tokenise("I don't know Mr. Smith's e-mail (yet).")]
['I', 'do', "n't", 'know', 'Mr.', 'Smith', "'s", 'e', '-', 'mail', '(', 'yet', ')', '.']
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Sequence
from functools import lru_cache
from typing import NamedTuple

#: Abbreviations that keep their full stop. The corpora split the others, and initials: ``Louis B . Mayer``, ``Bros .``
_ABBREVIATIONS = frozenset(
    "mr mrs ms dr prof rev gen col capt lt gov sen rep hon dept est fig pp approx appt apt ave blvd".split()
)
#: Longer stretches without white space are not remembered.
_REMEMBERED = 40
#: Words after which a full stop that stands alone is hardly the end of a sentence.
_GOES_ON = _ABBREVIATIONS | frozenset("st sgt jr sr bros vs no vol cf ca mt ft".split())

_TOKEN = re.compile(
    r"""
      (?:https?://|www\.)[^\s<>"]*[^\s<>"'.,;:!?)\]}…]      # addresses of pages
    | [\w.+-]+@\w[\w-]*(?:\.\w[\w-]*)+                      # addresses of people
    | (?:[^\W\d_]\.){2,}(?!\w)                              # U.S.  e.g.
    | [#@]\w[\w-]*                                         # tags and handles
    | \d+(?:[.,:/]\d+)+(?:st|nd|rd|th|s)?(?!\w)            # 1,000.5  10:30
    | \w+(?:\.(?:com|org|net|edu|gov|co\.uk))(?!\w)            # names of sites
    | \w+(?:['\u2019\u02bc]\w+)*                           # words, with their clitics
    | ['\u2019](?:s|re|ve|ll|d|m|em|\d\ds?)(?!\w)           # a clitic apart, '90s
    | [:;=8][-o']?[)(\]\[DPpO/\\|](?!\w)                    # :-)
    | ([^\w\s])\1*                                         # marks; a run of one mark is one token
    """,
    re.VERBOSE | re.IGNORECASE,
)
_NEGATED = re.compile(
    r"(?i)(do|does|did|is|are|was|were|have|has|had|could|should|would|might|must|need|ought|dare|sha|wo|ca|ai)"
    r"(n['\u2019\u02bc]?t)$"
)
_CLITIC = re.compile(r"(?i)(.+)(['\u2019\u02bc](?:s|re|ve|ll|d|m|em))$")

_END = re.compile(r"[.?!…]+$")
_CLOSING = frozenset("'\"”’»)]}")


class Token(NamedTuple):
    """A token and its place: ``text[start:end]`` of the text that it comes from, in characters."""

    text: str
    start: int
    end: int


def tokenise(text: str) -> list[Token]:
    """The tokens of a text; an empty list for an empty text or one of white space alone."""
    tokens: list[Token] = []
    for match in _TOKEN.finditer(text):
        start, end = match.span()
        word = match.group()
        if word == "." and tokens and tokens[-1].end == start and tokens[-1].text.lower() in _ABBREVIATIONS:
            before = tokens.pop()
            tokens.append(Token(text[before.start : end], before.start, end))
            continue
        clitic = _clitic(word)
        if clitic:
            tokens.append(Token(word[:clitic], start, start + clitic))
            start, word = start + clitic, word[clitic:]
        tokens.append(Token(word, start, end))
    return tokens


def token_texts(text: str) -> list[str]:
    """The tokens of a text without their places, which is several times as fast.

    No token goes over white space, so what a stretch without any gives is remembered.

    >>> token_texts("I don't know (yet).")
    ['I', 'do', "n't", 'know', '(', 'yet', ')', '.']
    """
    texts: list[str] = []
    for stretch in text.split():
        texts += _texts(stretch) if len(stretch) <= _REMEMBERED else [t.text for t in tokenise(stretch)]
    return texts


@lru_cache(maxsize=1 << 16)
def _texts(stretch: str) -> tuple[str, ...]:
    return tuple(t.text for t in tokenise(stretch))


@lru_cache(maxsize=1 << 16)
def _clitic(word: str) -> int:
    """Where the clitic of a word begins; 0 if it has none."""
    if word.lower() == "cannot":
        return 3
    match = _NEGATED.match(word) or _CLITIC.match(word)
    return match.start(2) if match else 0


@lru_cache(maxsize=1 << 16)
def is_punct(token: str) -> bool:
    """Whether a token is punctuation: every character is of a Unicode category P (as ``is_punct`` of spaCy)."""
    return bool(token) and all(unicodedata.category(c)[0] == "P" for c in token)


def sentence_ends(tokens: Sequence[str]) -> list[int]:
    """Where sentences end: positions one past the last token of each; empty for no tokens.

    A sentence ends after a full stop, question or exclamation mark (with the quotation marks and brackets that close
    after it), unless what follows goes on in lower case.

    >>> sentence_ends("He said : ' Go ! ' She went .".split())
    [7, 10]
    """
    ends: list[int] = []
    i, n = 0, len(tokens)
    while i < n:
        i += 1
        if not _END.match(tokens[i - 1]) or (tokens[i - 1] == "." and i > 1 and _goes_on(tokens[i - 2])):
            continue
        while i < n and (tokens[i] in _CLOSING or _END.match(tokens[i])):
            if tokens[i] in "'\"" and _opens(tokens, i):
                break
            i += 1
        if i < n and not tokens[i][0].islower() and any(not is_punct(t) for t in tokens[ends[-1] if ends else 0 : i]):
            ends.append(i)
    if n:
        ends.append(n)
    return ends


def _goes_on(word: str) -> bool:
    """Whether the full stop after ``word`` marks an abbreviation or an initial."""
    return word.lower() in _GOES_ON or (len(word) == 1 and word.isupper() and word != "I")


def _opens(tokens: Sequence[str], i: int) -> bool:
    """Whether the straight quotation mark at ``i`` opens a quotation: the marks before it are balanced."""
    return sum(t == tokens[i] for t in tokens[:i]) % 2 == 0
