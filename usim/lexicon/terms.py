"""Words that look alike and are two terms: *lessor* and *lessee*, *nitrate* and *nitrite*, two drugs."""

from __future__ import annotations

from functools import lru_cache
from itertools import permutations

from rapidfuzz.distance import OSA, Levenshtein

from usim.lexicon._closed_classes import word_info
from usim.lexicon._relations import relation
from usim.lexicon._variants import are_variants
from usim.lexicon.tables import read_tables

_TABLES = read_tables("terms.tsv")
_GROUPS: dict[str, set[str]] = {}
for _kind, _words in _TABLES["other"].items():
    for _word in _words.split():
        _GROUPS.setdefault(_word, set()).add(_kind)
_DRUGS = frozenset(word for words in _TABLES["drug"].values() for word in words.split())
_ENDINGS, _BEGINNINGS = ([forms.split() for forms in _TABLES[table].values()] for table in ("ending", "beginning"))
#: Drugs with two names.
_ONE_DRUG = frozenset(frozenset(pair.split("/")) for pair in _TABLES["one drug"][""].split())
#: Letters that two words with other endings have in common at the least, and those with other beginnings.
_STEM, _REST = 3, 4
#: Two rare words of the dictionary that are so much alike by their letters are two terms. Where so few slips part them,
#: one may be the other misspelt: *dairy* and *diary*.
_RARE, _ALIKE, _SLIPS = 0.9, 0.55, 2
_LONG = 5


@lru_cache(8192)
def are_other_terms(old: str, new: str) -> bool:
    """Return whether two words in lower case are two terms, and neither is a misspelling or a form of the other.

    >>> are_other_terms("lessor", "lessee"), are_other_terms("clonidine", "clonazepam")
    (True, True)
    >>> are_other_terms("intramuscularly", "intravenously")
    True
    >>> are_other_terms("definate", "definite"), are_other_terms("colour", "color")
    (False, False)
    """
    if old == new or are_variants(old, new):
        return False
    if not _groups(old).isdisjoint(_groups(new)):
        return True
    if old in _DRUGS and new in _DRUGS:
        return frozenset((old, new)) not in _ONE_DRUG
    known = [_is_known(word) for word in (old, new)]
    if _have_other_beginnings(old, new) and (all(known) or not any(known)):
        return True
    if _have_other_endings(old, new, known):
        return True
    return all(known) and _are_rare_alike(old, new)


def _groups(word: str) -> set[str]:
    """Return the groups of a word, or of what it is an adverb of: *intravenously*."""
    return _GROUPS.get(word) or _GROUPS.get(word.removesuffix("ly"), set())


def _is_known(word: str) -> bool:
    return word in _DRUGS or any(word_info(w).word.known for w in (word, word.replace("sulf", "sulph")))


def _have_other_beginnings(old: str, new: str) -> bool:
    return any(
        old.startswith(x) and new.startswith(y) and old[len(x) :] == new[len(y) :] and len(old) - len(x) >= _REST
        for forms in _BEGINNINGS
        for x, y in permutations(forms, 2)
    )


def _have_other_endings(old: str, new: str, known: list[bool]) -> bool:
    """Return whether two words differ in endings with a meaning; of parties one need not be in the dictionary."""
    for x, y in (pair for forms in _ENDINGS for pair in permutations(forms, 2)):
        stem = old[: len(old) - len(x)]
        if not (old == stem + x and new == stem + y) or len(stem) < _STEM:
            continue
        if {x, y} == {"or", "er"}:
            return False
        if all(known) or ("ee" in (x, y) and any(known)) or {x, y} == {"or", "ee"}:
            return not relation(old, new).synonym
    return False


def _are_rare_alike(old: str, new: str) -> bool:
    x, y = word_info(old), word_info(new)
    are_rare = min(x.informativeness, y.informativeness) >= _RARE and not (x.word.is_proper or y.word.is_proper)
    if not are_rare or min(len(old), len(new)) < _LONG:
        return False
    if OSA.distance(old, new) <= _SLIPS or Levenshtein.normalized_similarity(old, new) < _ALIKE:
        return False
    r = relation(old, new)
    is_longer = old.startswith(new) or new.startswith(old)  # pension, pensionable
    return not (is_longer or r.same_lemma or r.synonym or r.similar or r.derived or r.hypernym)
