"""The sentence around a place in a longer text: what has to be parsed when a few words of the text change."""

from __future__ import annotations

import re
from bisect import bisect_right
from functools import lru_cache

from usim.text._tokens import sentence_ends, tokenise

Span = tuple[int, int]

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
        first = 0
        for end in sentence_ends([token.text for token in tokens]):
            spans.append((position + tokens[first].start, position + tokens[end - 1].end))
            first = end
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
    begins = [begin for begin, _ in spans]
    first = max(bisect_right(begins, start) - 1, 0)
    last = max(bisect_right(begins, max(start, end - 1)) - 1, first)
    return min(spans[first][0], start), max(spans[last][1], end)
