"""Constructions that say something else with nearly the same words: *stopped to smoke*, *stopped smoking*."""

from __future__ import annotations

from collections.abc import Iterator

from usim.compare._ledger.side import Found, Places, Side
from usim.compare._sentence import SentenceView
from usim.lexicon.tables import COMPARING, classes_of, read_tables

#: The words of the source and of the output that the other text lacks.
Changed = tuple[frozenset[int], frozenset[int]]

#: Verbs that say something else before *to* and before *-ing*.
_TWO_WAYS = classes_of(read_tables("comparing.tsv")["two ways"])
_PERFECT = (("have",), ("has",), ("had",), ("'ve",))


def recast(a: Side, b: Side, changed: Changed) -> Iterator[Found]:
    """Yield the constructions that differ; ``changed`` has the words of either text that the other lacks."""
    yield from _complements(a.view, b.view)
    yield from _evidence(a.view, b.view, changed)
    yield from _causes(a, b)


def _complements(a: SentenceView, b: SentenceView) -> Iterator[Found]:
    """Yield *stop to* and *stop -ing*, *used to* and *be used to*, of one verb in both texts."""
    right = _complements_of(b)
    for (verb, lemma), (name, places) in _complements_of(a).items():
        other = right.get((verb, lemma))
        if other and {name, other[0]} in ({"to", "ing"}, {"habit", "custom"}):
            is_plain = verb == "used" or COMPARING["with a habit given up"].isdisjoint(a.vocabulary)
            yield Found("construction", places, other[1], is_plain)


def _complements_of(view: SentenceView) -> dict[tuple[str, int], tuple[str, Places]]:
    """Return by a verb and the lemma of what follows it, which construction that is, and its places."""
    found: dict[tuple[str, int], tuple[str, Places]] = {}
    words = view.words
    for i, word in enumerate(words[:-1]):
        if word == "used" and words[i + 1] == "to" and i + 2 < len(words):
            before = next(
                (k for k in range(i - 1, max(-1, i - 4), -1) if words[k] in COMPARING["forms of be and get"]), -1
            )
            is_ing = words[i + 2].endswith("ing")
            if (before >= 0) == is_ing:  # otherwise it is an error, or a passive: was used to open it
                start = before if before >= 0 else i
                for lemma in view.entries[i + 2].word.lemmas:
                    found["used", lemma] = ("custom" if is_ing else "habit", tuple(range(start, i + 3)))
        if word in _TWO_WAYS and words[i - 1 : i] not in _PERFECT:
            name, at = ("to", i + 2) if words[i + 1] == "to" else ("ing", i + 1)
            for behind in view.entries[at : at + 1]:
                if behind.form.endswith("ing") == (name == "ing") and behind.word.parts.get("v"):
                    for lemma in behind.word.lemmas:
                        found[_TWO_WAYS[word], lemma] = (name, tuple(range(i, at + 1)))
    return found


def _evidence(a: SentenceView, b: SentenceView, changed: Changed) -> Iterator[Found]:
    """Yield *suggest* that became *prove*, and the reverse, together with a *could* that is gone or new."""
    verbs = [[i for i in own if view.entries[i].evidence] for view, own in zip((a, b), changed, strict=True)]
    if [len(own) for own in verbs] != [1, 1]:
        return
    (i,), (j,) = verbs
    is_shown = not COMPARING["showing verbs"].isdisjoint((a.words[i], b.words[j]))
    if not is_shown and a.entries[i].evidence != b.entries[j].evidence:
        source, target = (
            tuple(sorted({verb, *(k for k in own if view.words[k] in COMPARING["hedging"])}))
            for view, verb, own in ((a, i, changed[0]), (b, j, changed[1]))
        )
        yield Found("possibility", source, target)


def _causes(a: Side, b: Side) -> Iterator[Found]:
    """Yield *is associated with* that became *causes*, and the reverse."""
    left, right = ([cue for cue in side.cues if cue.kind == "effect"] for side in (a, b))
    if len(left) == len(right) == 1 and left[0].name != right[0].name:
        yield Found("construction", left[0].places, right[0].places, is_certain=True)
