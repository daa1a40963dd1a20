"""Facts that are matched by their values: numbers, units, times, dates and names."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import product, zip_longest

from rapidfuzz.distance import Indel

from usim.evidence._ledger.side import Found, Places, Side
from usim.evidence._places import pair_off, stretches
from usim.evidence._sentence import SentenceView
from usim.evidence.values import compare_values
from usim.lexicon.tables import COMPARING
from usim.lexicon.units import COMMON_UNITS

#: From this similarity of letters on, a word may be another spelling of another.
_SAME_SPELLING = 0.75
#: Words with so many letters may be spelt wrongly, and names that begin with so many equal ones may be forms of one:
#: *Lindberg*, *Lindbergs*.
_SAME_LETTERS = 4
#: Endings of words that are made from the name of a place.
_OF_PLACES = ("ish", "an", "ese", "ic", "ch", "i", "ans", "s")


def _is_respelled(view: SentenceView, places: Places, other: SentenceView) -> bool:
    """Return whether a word has another much like it in the other text, and is a number or one is in no dictionary."""
    words = [e for e in (view.entries[i] for i in places) if e.form.isalpha() and len(e.form) >= _SAME_LETTERS]
    return any(
        (word.counts or not (word.word.known and entry.word.known))
        and word.form != entry.form
        and Indel.normalized_similarity(word.form, entry.form) >= _SAME_SPELLING
        for word, entry in product(words, (entry for entry in other.entries if not entry.is_function))
    )


#: What readers are told of the kinds of values that have no sentence of their own.
_KIND_OF_VALUE = {
    "ordinal": "number", "decade": "date", "weekday": "date", "rhythm": "date", "link": "code", "acronym": "code",
    "factor": "number", "range": "sign",
}  # fmt: skip


def exact(a: Side, b: Side) -> Iterator[Found]:
    """Yield the values that changed, are gone, are new or were exchanged, see :mod:`usim.evidence.values`."""
    compared = compare_values(a.view.text, b.view.text)
    for old, new in compared.equal:
        places = a.view.places_in(old.span), b.view.places_in(new.span)
        # *Nine* beside *9 a.m.* is a number and a time: either order of the texts tells one of both.
        kind = max(_KIND_OF_VALUE.get(value.kind, value.kind) for value in (old, new))
        yield Found(kind, *places, is_kept=True)
    for found in compared.findings:
        places = a.view.places_in(found.source), b.view.places_in(found.output)
        if all(places) and found.kind == "bound":
            places = _with_lead(a, places[0]), _with_lead(b, places[1])
        if any(places):
            yield Found(_KIND_OF_VALUE.get(found.kind, found.kind), *places, is_certain=found.is_certain)


def _with_lead(side: Side, places: Places) -> Places:
    """Return the places of a value with what leads to it and the other text lacks: *after nine* for *around nine*."""
    before = places[0] - 1
    return (before, *places) if before in side.changed and side.view.entries[before].is_function else places


def names(a: Side, b: Side) -> Iterator[Found]:
    """Yield what became of names; of a word that one text may only have misspelt nothing is certain."""

    def share_a_word(name: Places, other: Places) -> bool:
        return not {a.view.words[i] for i in name}.isdisjoint(b.view.words[j] for j in other)

    pairs, left, right = pair_off(names_of(a.view), names_of(b.view), share_a_word)
    for name, other in ((_whole(a.view, name), _whole(b.view, other)) for name, other in pairs):
        is_other = _is_of_another_place(a.view, name, b.view) or _is_of_another_place(b.view, other, a.view)
        yield Found("name", name, other, is_certain=is_other, is_kept=not is_other)
    gone, new = (
        [(name, _is_surely_a_name(own, name)) for name in names if not _is_mentioned(own, name, others)]
        for names, own, others in ((left, a.view, b.view), (right, b.view, a.view))
    )
    for (x, is_sure), (y, is_other_sure) in zip_longest(gone, new, fillvalue=((), True)):
        is_respelled = _is_respelled(a.view, x, b.view) or _is_respelled(b.view, y, a.view)
        yield Found("name", x, y, is_certain=is_sure and is_other_sure and not is_respelled)


def names_of(view: SentenceView) -> list[Places]:
    """Return the names of a text, each with the places of its words."""

    def is_name(i: int) -> bool:
        word = view.words[i]
        is_other = (
            word in COMPARING["no names"] or word in COMMON_UNITS or view.is_date(i) or view.entries[i].is_function
        )
        return view.tokens[i][0].isupper() and len(word) > 2 and not is_other

    return stretches([i for i in sorted(view.names) if is_name(i)])


def _whole(view: SentenceView, name: Places) -> Places:
    """Return a name with the words before it that make it the name of another place: *North Korea*."""
    first = name[0]
    while first and view.tokens[first - 1].istitle() and view.words[first - 1] in COMPARING["other places"]:
        first -= 1
    return (*range(first, name[0]), *name)


def _is_of_another_place(view: SentenceView, name: Places, other: SentenceView) -> bool:
    """Return whether a word before a name makes it another place's, and another text lacks its forms: *north*, *N*."""
    words = {view.words[i] for i in name[:-1]} & COMPARING["other places"]
    return any(not any(w == word[0] or w.startswith(word.removesuffix("ern")) for w in other.words) for word in words)


def _is_surely_a_name(view: SentenceView, name: Places) -> bool:
    """Return whether words in capitals are a name, and not a misspelt word at the head of a sentence."""
    first = name[0]
    is_head = first == 0 or not view.entries[first - 1].is_word
    words = [view.entries[i].word for i in name]
    return (len(name) > 1 or not is_head or words[0].is_proper) and any(w.is_proper or not w.known for w in words)


def _is_mentioned(view: SentenceView, name: Places, other: SentenceView) -> bool:
    """Return whether some word of a name stands in another text, in some form."""
    capitals = [w for w, token in zip(other.words, other.tokens, strict=True) if token[0].isupper()]
    for word, token in ((view.words[i], view.tokens[i]) for i in name):
        if token.isupper() or any(w[:_SAME_LETTERS] == word[:_SAME_LETTERS] for w in other.words):
            return True
        if any(w[0] == word[0] and (w.endswith(_OF_PLACES) or word.endswith(_OF_PLACES)) for w in capitals):
            return True  # Denmark, Danish
    return False
