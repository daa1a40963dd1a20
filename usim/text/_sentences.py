"""The sentence around a place in a longer text, which is parsed when words change there, and the words around it."""

from __future__ import annotations

import re
from bisect import bisect_right
from dataclasses import dataclass
from functools import lru_cache
from itertools import pairwise
from operator import itemgetter

from usim.text._tokens import sentence_ends, tokenise

Span = tuple[int, int]

#: The greatest number of word pieces that are read on each side of a sentence; whole tokens only.
CONTEXT_PIECES = 30
#: A token has one piece or more, so no more tokens than that are needed, and hardly ever this many characters.
_CHARACTERS = 40 * CONTEXT_PIECES
_BLANK_LINE = re.compile(r"\n[^\S\n]*\n")


@lru_cache(maxsize=64)
def sentence_spans(text: str) -> tuple[Span, ...]:
    """Return where the sentences of a text begin and end, in characters, without the white space between them.

    A blank line ends a sentence, so that a heading is one of its own.

    >>> sentence_spans("Title\\n\\nHe came. She went.")
    ((0, 5), (7, 15), (16, 25))
    """
    spans: list[Span] = []
    for position, stop in paragraph_spans(text):
        tokens = tokenise(text[position:stop])
        ends = sentence_ends([token.text for token in tokens])
        spans += ((position + tokens[a].start, position + tokens[b - 1].end) for a, b in pairwise([0, *ends]))
    return tuple(spans)


def paragraph_spans(text: str) -> list[Span]:
    """Return where the parts of a text between blank lines begin and end, in characters; empty ones are left out.

    >>> paragraph_spans("Title\\n\\nHe came.\\nShe went.")
    [(0, 5), (7, 25)]
    """
    ends = [(blank.start(), blank.end()) for blank in _BLANK_LINE.finditer(text)]
    starts = [0, *(end for _, end in ends)]
    stops = [*(start for start, _ in ends), len(text)]
    return [span for span in zip(starts, stops, strict=True) if span[0] < span[1]]


def sentence_around(text: str, start: int, end: int) -> Span:
    """Return the span of the sentence that holds ``text[start:end]``, or of all sentences that it reaches into.

    White space between two sentences belongs to the one before it. A text without words is its own sentence.

    >>> text = "He came. An intimate friend. She went."
    >>> begin, stop = sentence_around(text, 12, 20)
    >>> text[begin:stop]
    'An intimate friend.'
    """
    spans = sentence_spans(text)
    if not spans:
        return 0, len(text)
    first = max(bisect_right(spans, start, key=itemgetter(0)) - 1, 0)
    last = max(bisect_right(spans, max(start, end - 1), key=itemgetter(0)) - 1, first)
    return min(spans[first][0], start), max(spans[last][1], end)


@dataclass(frozen=True, slots=True)
class Context:
    """The nearest tokens on both sides of a sentence, from :func:`context_between` or :func:`context_of`.

    Raises:
        TypeError: a side is no tuple of strings, such as a text, which would be read letter by letter.
    """

    left: tuple[str, ...]
    right: tuple[str, ...]

    def __post_init__(self) -> None:
        for side in (self.left, self.right):
            if not isinstance(side, tuple) or not all(isinstance(token, str) for token in side):
                raise TypeError(f"{side!r:.60} is not a tuple of tokens: use context_of(text, start, end)")


@lru_cache(maxsize=64)
def context_between(before: str, after: str) -> Context | None:
    """Return the tokens beside a sentence, up to :data:`CONTEXT_PIECES` on each side; None if there are none.

    >>> context_between("He came.", "She went.")
    Context(left=('He', 'came', '.'), right=('She', 'went', '.'))
    """
    left = [token.text for token in tokenise(before[-_CHARACTERS:])]
    right = [token.text for token in tokenise(after[:_CHARACTERS])]
    # The cut may have gone through a word: drop the token beside it.
    left, right = left[len(before) > _CHARACTERS :], right[: len(right) - (len(after) > _CHARACTERS)]
    if not left and not right:
        return None
    return Context(tuple(left[-CONTEXT_PIECES:]), tuple(right[:CONTEXT_PIECES]))


def context_of(text: str, start: int, end: int) -> Context | None:
    """Return what stands around ``text[start:end]``, see :func:`context_between`.

    >>> context_of("He came. It rained. She went.", 9, 19)
    Context(left=('He', 'came', '.'), right=('She', 'went', '.'))
    >>> context_of(" It rained.", 1, 11) is None
    True
    """
    return context_between(text[max(0, start - _CHARACTERS - 1) : start], text[end : end + _CHARACTERS + 1])
