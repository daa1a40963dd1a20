"""The short edits between two sentences: words of one place that gave way to others."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import NamedTuple

from rapidfuzz.distance import Levenshtein

#: A longer stretch of changed words, on either side, is no correction of a word.
MOST_WORDS = 3
#: Endings that the tokeniser cuts off, and that writers see as a part of the word before.
_CLITICS = frozenset("n't n’t nt 's ’s 'm ’m 're ’re 've ’ve 'll ’ll 'd ’d".split())
_WORD = re.compile(r"\w")


class WrittenWord(NamedTuple):
    """A word as it is written: its text, and its tokens as a range."""

    text: str
    start: int
    end: int


class Edit(NamedTuple):
    """Words of the source that gave way to words of the target, as ranges; one of them may be empty."""

    source: tuple[int, int]
    target: tuple[int, int]


def written_words(tokens: Sequence[str]) -> list[WrittenWord]:
    """Return the words of a sentence; a clitic belongs to the word before it.

    >>> [word.text for word in written_words(["He", "does", "n't", "see", "it", "."])]
    ['He', "doesn't", 'see', 'it', '.']
    """
    words: list[WrittenWord] = []
    for k, token in enumerate(tokens):
        if words and token.lower() in _CLITICS and _WORD.search(words[-1].text):
            before = words.pop()
            words.append(WrittenWord(before.text + token, before.start, k + 1))
        else:
            words.append(WrittenWord(token, k, k + 1))
    return words


def find_edits(source: Sequence[str], target: Sequence[str]) -> list[Edit]:
    """Return the edits that turn one list of words into the other, in order; case does not count.

    >>> find_edits("I seen alot of it".split(), "I saw a lot of it".split())
    [Edit(source=(1, 3), target=(1, 4))]
    """
    a, b = [word.lower() for word in source], [word.lower() for word in target]
    edits: list[Edit] = []
    for code in Levenshtein.opcodes(a, b):
        if code.tag == "equal":
            continue
        if edits and edits[-1].source[1] == code.src_start and edits[-1].target[1] == code.dest_start:
            edits[-1] = Edit((edits[-1].source[0], code.src_end), (edits[-1].target[0], code.dest_end))
        else:
            edits.append(Edit((code.src_start, code.src_end), (code.dest_start, code.dest_end)))
    return [part for edit in edits for part in _parts(edit)]


def _parts(edit: Edit) -> list[Edit]:
    """Return an edit of as many words on both sides as edits of a word each; any other as it is."""
    (i, j), (k, m) = edit.source, edit.target
    if j - i != m - k:
        return [edit]
    return [Edit((i + n, i + n + 1), (k + n, k + n + 1)) for n in range(j - i)]
