"""The short edits between two sentences, words of one place that gave way to others, and those that correct a word."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import NamedTuple

from rapidfuzz.distance import OSA, Levenshtein

from usim.judge.corrections.words import FORMS, UNKNOWN, WordTable

#: A longer stretch of changed words, on either side, is no correction of a word.
MOST_WORDS = 3
#: Endings that the tokeniser cuts off, and that writers see as a part of the word before.
_CLITICS = frozenset("n't n’t nt 's ’s 'm ’m 're ’re 've ’ve 'll ’ll 'd ’d".split())
_WORD = re.compile(r"\w")
#: A word further away than this share of its letters is no correction of a misspelling; the same of several words.
_FARTHEST, _FARTHEST_OF_SEVERAL = 0.5, 0.3
_NAME = 1 << FORMS.index("NNP")


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
    # An edit of as many words on both sides is one of each word.
    return [part for edit in edits for part in _parts(*edit)]


def _parts(source: tuple[int, int], target: tuple[int, int]) -> list[Edit]:
    (i, j), (k, m) = source, target
    if j - i != m - k:
        return [Edit(source, target)]
    return [Edit((i + n, i + n + 1), (k + n, k + n + 1)) for n in range(j - i)]


def is_correction(words: WordTable, source: Sequence[str], target: Sequence[str], edit: Edit) -> bool:
    """Return whether an edit between the words of two sentences corrects a misspelling."""
    (i, j), (k, m) = edit
    if not (0 < j - i <= MOST_WORDS and 0 < m - k <= MOST_WORDS):
        return False
    if not any(is_misspelt(words, word, starts=place == 0) for place, word in enumerate(source[i:j], i)):
        return False
    if not any(map(has_letter, target[k:m])):
        return False
    old, new = "".join(source[i:j]).lower(), "".join(target[k:m]).lower()
    is_single = j - i == m - k == 1
    return OSA.normalized_distance(old, new) <= (_FARTHEST if is_single else _FARTHEST_OF_SEVERAL)


def is_misspelt(words: WordTable, word: str, *, starts: bool) -> bool:
    """Return whether a word is wrong as it is written: not in the table, a name in lower case, or a lone letter.

    At the start of a sentence its case says nothing.
    """
    lower = word.lower().replace("’", "'")
    if not lower.replace("'", "").isalpha():
        return False
    entry = words[lower]
    if entry is UNKNOWN:
        return True
    return not starts and word == lower and (entry.forms == _NAME or (len(word) == 1 and word not in "ai"))


def has_letter(word: str) -> bool:
    """Return whether a word has a letter."""
    return any(c.isalpha() for c in word)
