"""Forms of words, by the package lemminflect.

>>> form("go", "VBD"), form("woman", "NNS"), lemma("running", "VBG"), lemma("better", "JJR")
('went', 'women', 'run', 'good')
"""

from __future__ import annotations

from functools import lru_cache
from pathlib import Path

import lemminflect

from training.tables import Table

_PART = {"NN": "NOUN", "VB": "VERB", "JJ": "ADJ", "RB": "ADV"}
#: WordNet's letter for a part of speech.
LETTER = {"NN": "n", "VB": "v", "JJ": "a", "RB": "r"}
#: The usual form of words that have several.
_USUAL = {(word, tag): usual for word, tag, usual in Table(Path(__file__).with_suffix(".txt")).rows("usual", 3)}


@lru_cache(65536)
def readings(word: str) -> frozenset[str]:
    """Return the tags of verbs that a word in lower case can have by the dictionary."""
    tags = set()
    for base in lemminflect.getAllLemmas(word, upos="VERB").get("VERB", ()):
        for tag, forms in lemminflect.getAllInflections(base, upos="VERB").items():
            if word in forms:
                tags.add(tag)
    return frozenset(tags)


@lru_cache(65536)
def lemma(word: str, tag: str) -> str:
    """Return the lemma of a form with a tag; the word in lower case where there is none."""
    part = _PART.get(tag[:2])
    if part is None:
        return word.lower()
    lemmas = lemminflect.getLemma(word.lower(), upos=part)
    return str(lemmas[0]) if lemmas else word.lower()


@lru_cache(65536)
def form(base: str, tag: str) -> str:
    """Return the form of a lemma, whose first word is a verb or whose last is a noun; itself if there is none."""
    if " " in base:
        first, rest = base.split(" ", 1)
        if tag.startswith("VB"):
            return f"{form(first, tag)} {rest}"
        start, last = base.rsplit(" ", 1)
        return f"{start} {form(last, tag)}"
    usual = _USUAL.get((base, tag))
    if usual:
        return usual
    forms = lemminflect.getInflection(base, tag=tag)
    return str(forms[0]) if forms else base


def is_plural(word: str, tag: str) -> bool:
    """Return whether the head of a subject asks for a plural verb."""
    return tag in ("NNS", "NNPS") or word.lower() in ("we", "they", "you", "these", "those", "us", "them", "both")
