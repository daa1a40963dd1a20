"""Constructions that say something else with nearly the same words: *stopped to smoke*, *stopped smoking*."""

from __future__ import annotations

from collections.abc import Iterator

from usim.compare._ledger.side import Side
from usim.compare._sentence import SentenceView
from usim.lexicon import relation
from usim.lexicon.tables import COMPARING

Places = tuple[int, ...]
#: The kind of a fact, its words in the source and in the output, and whether it certainly changed.
Found = tuple[str, Places, Places, bool]

#: The words of the source and of the output that the other text lacks.
Changed = tuple[frozenset[int], frozenset[int]]

#: Verbs that say something else before *to* and before *-ing*.
_TWO_WAYS = {
    # "Please stop to ask" and "they have stopped to ask" are mostly errors.
    "stop": frozenset(("stopped",)),
    "remember": frozenset("remember remembers remembered remembering".split()),
    "forget": frozenset("forget forgets forgot forgotten forgetting".split()),
}
_PERFECT = (("have",), ("has",), ("had",), ("'ve",))
#: Beside these words learners mean that somebody does it no longer: *I stopped to smoke two years ago*.
_SINCE = COMPARING["with a habit given up"]
_BE = COMPARING["forms of be and get"]
_RELATIVES = frozenset("who whom whose which".split())
_CONTRASTS = frozenset("but whereas while".split())
_JOINING = frozenset("and both also too as well".split())
_PLURALS = COMPARING["plurals"]
#: Verbs that link a subject with what it is: one more or less says little.
_LINKING = COMPARING["linking verbs"]
#: Verbs that say that something is certain, and are often chosen for their sound.
_SHOWING = COMPARING["showing verbs"]
_HEDGES = frozenset("could may might can".split())


def recast(a: Side, b: Side, changed: Changed) -> Iterator[Found]:
    """Yield the constructions that differ.

    Args:
        a, b: the source and the output.
        changed: the words of either that the other lacks, but for other forms of one word.
    """
    yield from _complements(a.view, b.view)
    yield from _relatives(a.view, b.view)
    yield from _evidence(a.view, b.view, changed)
    gone, new = changed
    if places := _contrast(a.view, gone, b.view, new):
        yield "contrast", places, (), True
    if places := _contrast(b.view, new, a.view, gone):
        yield "contrast", (), places, True


def _complements(a: SentenceView, b: SentenceView) -> Iterator[Found]:
    """Yield *stop to* and *stop -ing*, *used to* and *be used to*, of one verb in both texts."""
    right = _complements_of(b)
    for (verb, lemma), (name, places) in _complements_of(a).items():
        other = right.get((verb, lemma))
        if other and {name, other[0]} in ({"to", "ing"}, {"habit", "custom"}):
            is_plain = verb == "used" or _SINCE.isdisjoint(a.vocabulary)
            yield "construction", places, other[1], is_plain


def _complements_of(view: SentenceView) -> dict[tuple[str, int], tuple[str, Places]]:
    """Return by a verb and the lemma of what follows it, which construction that is, and its places."""
    found: dict[tuple[str, int], tuple[str, Places]] = {}
    words = view.words
    for i, word in enumerate(words[:-1]):
        heads = [head for head, forms in _TWO_WAYS.items() if word in forms and words[i - 1 : i] not in _PERFECT]
        if word == "used" and words[i + 1] == "to" and i + 2 < len(words):
            before = next((k for k in range(i - 1, max(-1, i - 4), -1) if words[k] in _BE), -1)
            is_ing = words[i + 2].endswith("ing")
            if (before >= 0) == is_ing:  # otherwise it is an error, or a passive: was used to open it
                start = before if before >= 0 else i
                for lemma in view.entries[i + 2].word.lemmas:
                    found["used", lemma] = ("custom" if is_ing else "habit", tuple(range(start, i + 3)))
        for head in heads:
            name, at = ("to", i + 2) if words[i + 1] == "to" else ("ing", i + 1)
            if (
                at < len(words)
                and words[at].endswith("ing") == (name == "ing")
                and view.entries[at].word.parts.get("v")
            ):
                for lemma in view.entries[at].word.lemmas:
                    found[head, lemma] = (name, tuple(range(i, at + 1)))
    return found


def _relatives(a: SentenceView, b: SentenceView) -> Iterator[Found]:
    """Yield a relative clause of equal texts that is about another noun, or that is about all of them now."""
    (words, at, commas), (others, to, new_commas) = _around_relative(a), _around_relative(b)
    if at < 1 or to < 1 or [a.words[i] for i in words] != [b.words[j] for j in others]:
        return
    heads = words[at - 1], others[to - 1]
    if at != to:
        is_noun = all(view.is_content[i] for view, i in zip((a, b), heads, strict=True))
        yield "relative", (heads[0],), (heads[1],), is_noun
    elif commas != new_commas and 0 in (commas, new_commas):
        # Correctors take away commas that say so by mistake.
        yield "restrictive", (heads[0],), (heads[1],), new_commas == 2 and _is_of_many(a, heads[0])


def _around_relative(view: SentenceView) -> tuple[list[int], int, int]:
    """Return the words but for the only relative pronoun, how many stand before it, and how many commas it has.

    The clause has two commas if one stands before it and one behind it, or the sentence ends with it.
    """
    at = [i for i, word in enumerate(view.words) if word in _RELATIVES]
    if len(at) != 1:
        return [], 0, 0
    words = [i for i, entry in enumerate(view.entries) if entry.is_word and i != at[0]]
    before = view.words[at[0] - 1] == "," if at[0] else False
    behind = "," in view.words[at[0] :]
    return words, sum(i < at[0] for i in words), before + (before and behind)


def _is_of_many(view: SentenceView, head: int) -> bool:
    """Return whether a noun is a plural of which a clause may tell some from others: *students*, *the students*."""
    start = head
    while start and (view.is_content[start - 1] or view.entries[start - 1].is_article):
        start -= 1
    phrase = range(start, head + 1)
    if any(i in view.names or (view.tokens[i][0].isupper() and i) for i in phrase):
        return False
    before = view.entries[start - 1] if start else None
    is_owned = before is not None and (before.person or before.form in ("'s", "’s", "s'", "'", "these", "my", "our"))
    is_plural = view.words[head] in _PLURALS or (view.words[head].endswith("s") and not view.words[head].endswith("ss"))
    return is_plural and not is_owned and not (before is not None and (before.counts or before.digits))


def _evidence(a: SentenceView, b: SentenceView, changed: Changed) -> Iterator[Found]:
    """Yield *suggest* that became *prove*, and the reverse, together with a *could* that is gone or new."""
    verbs = [[i for i in own if view.entries[i].evidence] for view, own in zip((a, b), changed, strict=True)]
    if [len(own) for own in verbs] != [1, 1]:
        return
    (i,), (j,) = verbs
    if _SHOWING.isdisjoint((a.words[i], b.words[j])) and a.entries[i].evidence != b.entries[j].evidence:
        source, target = (
            tuple(sorted({verb, *(k for k in own if view.words[k] in _HEDGES)}))
            for view, verb, own in ((a, i, changed[0]), (b, j, changed[1]))
        )
        yield "possibility", source, target, False


def _contrast(source: SentenceView, gone: frozenset[int], target: SentenceView, new: frozenset[int]) -> Places | None:
    """Return the words of a contrast that the target lacks: *but fell in Asia* of *rose in Europe and Asia*."""
    links = [i for i in gone if source.words[i] in _CONTRASTS]
    verbs = [i for i in gone if source.is_content[i] and i not in links]
    if len(verbs) != 1 or len(links) > 1 or not _JOINING.issuperset(target.words[j] for j in new):
        return None
    verb, joins = verbs[0], "and" in target.vocabulary
    parts = source.entries[verb].word.parts
    if not joins or parts.get("v", 0.0) < 0.3 or source.words[verb] in _LINKING or source.entries[verb].is_light:
        return None
    is_opposed = any(
        relation(source.words[verb], source.words[i]).antonym for i in source.content if i != verb and i in source.verbs
    )
    if not is_opposed and (not links or verb != links[0] + 1):
        return None
    end = verb
    while end + 1 < len(source.words) and source.entries[end + 1].is_word:
        end += 1
    return tuple(range(min([verb, *links]), end + 1))
