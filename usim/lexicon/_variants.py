"""Words that differ only in being spelt the British or the American way.

Where British English tells a noun from a verb by its letter (*practice*, *practise*; *licence*, *license*), the words
are no variants: one of them may be wrong.
"""

from __future__ import annotations

import re
from functools import lru_cache

from usim.lexicon.tables import classes_of, read_tables

#: Endings and letters by which the spellings of many words differ: the British way becomes the American one.
_RULES = [
    (re.compile(pattern), american)
    for american, patterns in read_tables("writing.tsv")["american rule"].items()
    for pattern in patterns.split()
]
#: Words of their own, with the American spelling.
_WORDS = classes_of(read_tables("writing.tsv")["american"])


def are_variants(word: str, other: str) -> bool:
    """Return whether two different words are the British and the American spelling of one; case does not count.

    >>> are_variants("Travelling", "traveling"), are_variants("centre", "center"), are_variants("filling", "filing")
    (True, True, False)
    """
    a, b = word.lower(), other.lower()
    return a != b and _american(a) == _american(b)


@lru_cache(20000)
def _american(word: str) -> str:
    if word in _WORDS:
        return _WORDS[word]
    for pattern, american in _RULES:
        changed = pattern.sub(american, word)
        if changed != word:
            return changed
    return word
