"""Words that differ only in being spelt the British or the American way.

Where British English tells a noun from a verb by its letter (*practice*, *practise*; *licence*, *license*), the words
are no variants: one of them may be wrong.
"""

from __future__ import annotations

import re

from usim.lexicon.tables import classes_of, read_tables

#: Endings and letters by which the spellings of many words differ: the British way becomes the American one.
_RULES = tuple(
    (re.compile(pattern), american)
    for pattern, american in (
        (r"(?<=\w{3})([iy])s(e[srd]?|ers|ing|ations?|ational)$", r"\1z\2"),  # organise, analysing
        (r"(?<=\w{2})our(s|ed|ing|ings|ite|ites|ful|able|ably|less|hood|hoods|al|y|er|ers)?$", r"or\1"),  # favourite
        (r"(?<=\w{2}[tb])re(s?)$", r"er\1"),  # centre
        (r"(?<=\w{2}[tb])red$", "ered"),
        (r"(?<=[aeiouy]\w)(\w*[aeo])ll(ed|ing|ings|ers?|ors?)$", r"\1l\2"),  # travelling
        (r"^(def|off|pret)ence(s|less)?$", r"\1ense\2"),
        (r"(?<=\wl)ogue(s?)$", r"og\1"),  # dialogue
    )
)
#: Words of their own, with the American spelling.
_WORDS = classes_of(read_tables("writing.tsv")["american"])


def are_variants(word: str, other: str) -> bool:
    """Return whether two different words are the British and the American spelling of one; case does not count.

    >>> are_variants("Travelling", "traveling"), are_variants("centre", "center"), are_variants("filling", "filing")
    (True, True, False)
    """
    a, b = word.lower(), other.lower()
    return a != b and _american(a) == _american(b)


def _american(word: str) -> str:
    if word in _WORDS:
        return _WORDS[word]
    for pattern, american in _RULES:
        changed = pattern.sub(american, word)
        if changed != word:
            return changed
    return word
