"""The edits that correct a misspelling: a word that is wrong as it is written gives way to one much like it."""

from __future__ import annotations

from collections.abc import Sequence

from rapidfuzz.distance import OSA

from usim.judge.corrections.edits import MOST_WORDS, Edit
from usim.judge.corrections.words import FORMS, UNKNOWN, WordTable

#: A word further away than this share of its letters is no correction of a misspelling; the same of several words.
_FARTHEST, _FARTHEST_OF_SEVERAL = 0.5, 0.3
_NAME = 1 << FORMS.index("NNP")


def is_correction(words: WordTable, source: Sequence[str], target: Sequence[str], edit: Edit) -> bool:
    """Return whether an edit corrects a misspelling.

    Args:
        words: the table of words.
        source, target: the words of both sentences.
        edit: the edit.
    """
    (i, j), (k, m) = edit
    if not (0 < j - i <= MOST_WORDS and 0 < m - k <= MOST_WORDS):
        return False
    if not any(is_misspelt(words, word, starts=place == 0) for place, word in enumerate(source[i:j], i)):
        return False
    if not any(map(_has_letter, target[k:m])):
        return False
    old, new = "".join(source[i:j]).lower(), "".join(target[k:m]).lower()
    is_single = j - i == m - k == 1
    return OSA.normalized_distance(old, new) <= (_FARTHEST if is_single else _FARTHEST_OF_SEVERAL)


def is_misspelt(words: WordTable, word: str, *, starts: bool) -> bool:
    """Return whether a word is wrong as it is written: not in the table, a name in lower case, or a lone letter.

    Args:
        words: the table of words.
        word: the word.
        starts: whether it begins the sentence, where its case says nothing.
    """
    lower = word.lower().replace("’", "'")
    if not lower.replace("'", "").isalpha():
        return False
    entry = words[lower]
    if entry is UNKNOWN:
        return True
    return not starts and word == lower and (entry.forms == _NAME or (len(word) == 1 and word not in "ai"))


def _has_letter(word: str) -> bool:
    return any(c.isalpha() for c in word)
