"""Conditions that no *if* begins: *had he known*, *should you need help*, *pay early and you get a discount*."""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

from usim.evidence._sentence import SentenceView
from usim.lexicon.tables import COMPARING

#: What stands before its subject in a condition, and how it is written behind it.
_INVERTED = {"had": ("had", "'d", "’d"), "were": ("were", "was"), "should": ("should",)}
_NOT = ("not", "n't", "n’t")
#: A subject has so many words at most, and its verb stands so near.
_LONGEST_SUBJECT, _NEAR_VERB = 8, 5
#: From this share of its uses on, a word may be a verb.
_VERB_SHARE = 0.2
#: Two clauses are one from this share of shared words on.
_SAME_CLAUSE = 0.5


class Condition(NamedTuple):
    """A condition without *if*.

    Attributes:
        start: its first token.
        name: its class: ``if``, ``even``, or ``unless`` where the rest is so otherwise, *pay or we leave*.
        stop: one past the link behind an order; 0 for others.
    """

    start: int
    name: str
    stop: int = 0


def conditions(view: SentenceView, other: SentenceView) -> Iterator[Condition]:
    """Yield the conditions of a text that no *if* begins.

    What could as well be something else (*they were the owners*, *sit down and we talk*) is one where the other text
    of the pair says it with *if*.
    """
    begun = _ifs(other)
    for i, word in enumerate(view.words[:-1]):
        if word in _INVERTED:
            if _is_inverted(view, i) or any(_is_same(view, i, other, k) for k in begun):
                yield Condition(i, "even" if i and view.words[i - 1] == "even" else "if")
        elif begun and view.entries[i].is_plain_verb and _is_first(view, i):
            link = _link(view, i)
            if any(_is_order(view, range(i, link), other, k) for k in begun):
                yield Condition(i, "unless" if view.words[link] == "or" else "if", link + 1)


def _ifs(view: SentenceView) -> list[int]:
    """Return the last tokens of what begins the other conditions of a text."""
    begun = [cue.end - 1 for cue in view.cues if cue.kind == "condition" and cue.is_own]
    return begun + [i for i, word in enumerate(view.words[:-1]) if word in _INVERTED and _is_inverted(view, i)]


def _is_inverted(view: SentenceView, i: int) -> bool:
    """Return whether *had*, *were* or *should* and its subject can be nothing but a condition."""
    words, word, first, end, stop = view.words, view.words[i], _first(view, i), _end(view, i), _stop(view, i)
    is_first = i - (i > 0 and words[i - 1] == "even") == first
    # "You should work", but "should work stop": before a subject without an article only where a sentence begins.
    is_noun = view.may_be_participant(i + 1) or view.entries[i + 1].quantity
    if not (_begins_subject(view, i + 1) or (is_first and is_noun)):
        return False
    if word != "were" and not any(_may_be_verb(view, k) for k in range(i + 2, end)):
        return False
    is_pronoun, is_question = words[i + 1] in COMPARING["persons"], words[stop : stop + 1] == ("?",)
    is_but_for = words[i + 1] == "it" and any(not_ in words[i + 2 : i + 3] for not_ in _NOT)
    is_clause = is_first or (words[i - 1] in COMPARING["before conditions"] and (is_pronoun or word == "should"))
    if is_clause and end < stop - 1:
        # "Had you known, would you have come?", but "Were you there, or was he there?"
        main, is_asked = words[end:stop], words[end + 1] in COMPARING["begin questions"]
    else:
        # "I would travel were I rich", but "so were we", "which way should we go".
        main, is_asked = words[first:i], words[first] in COMPARING["begin questions"]
        verb = next((k for k in range(i - 1, first - 1, -1) if _may_be_verb(view, k)), i)
        is_subject = is_but_for or word == "should" or (is_pronoun and words[i + 1] != "you")
        if verb == i or not is_subject or not COMPARING["before inversions"].isdisjoint(words[verb:i]):
            return False
    is_unreal = word == "should" or is_but_for or not COMPARING["unreal"].isdisjoint(main)
    return is_unreal and is_asked >= is_question


def _begins_subject(view: SentenceView, i: int) -> bool:
    entry = view.entries[i]
    is_one = entry.quantity == "any" or entry.form in COMPARING["nobody in particular"]
    return bool(entry.is_article or entry.person or is_one or i in view.names)


def _is_same(view: SentenceView, i: int, other: SentenceView, k: int) -> bool:
    """Return whether another text says behind *if* what a text says with its verb before the subject."""
    own, others = view.words[i + 1 : i + 2 + _LONGEST_SUBJECT], other.words[k + 1 : k + 2 + _LONGEST_SUBJECT]
    lengths = [n for n in range(1, len(others)) if own[:n] == others[:n]]
    is_plain = view.words[i] == "should" and (_begins_subject(view, i + 1) or 2 in lengths)
    if not (lengths and is_plain) and not any(others[n] in _INVERTED[view.words[i]] for n in lengths):
        return False
    asks = [side.words[_stop(side, at) :][:1] == ("?",) for side, at in ((view, i), (other, k))]
    return asks[0] <= asks[1]


def _link(view: SentenceView, i: int) -> int:
    """Return the *and* or *or* between an order and a clause with a subject; 0 if there is none."""
    for k in range(i + 1, _stop(view, i)):
        if view.words[k] in ("and", "or"):
            subject = k + 1 + (view.words[k + 1 : k + 2] == ("else",))
            near = range(subject + 1, min(subject + _NEAR_VERB, len(view.words)))
            if near and view.may_be_participant(subject) | view.entries[subject].is_article:
                return k if any(_may_be_verb(view, m) for m in near) else 0
    return 0


def _is_order(view: SentenceView, order: range, other: SentenceView, k: int) -> bool:
    """Return whether another text says behind *if* what an order says."""
    clause = other.entries[k + 1 : _end(other, k)]
    content = [view.entries[i] for i in order if view.is_content[i]]
    said = sum(any(e.form == x.form or not e.word.lemmas.isdisjoint(x.word.lemmas) for x in clause) for e in content)
    return said > 0 and said >= _SAME_CLAUSE * len(content)


def _may_be_verb(view: SentenceView, i: int) -> bool:
    return view.entries[i].is_auxiliary or view.entries[i].word.parts.get("v", 0.0) > _VERB_SHARE


def _is_first(view: SentenceView, i: int) -> bool:
    """Return whether a word is the first one of its sentence."""
    before = next((k for k in range(i - 1, -1, -1) if view.entries[k].is_word), -1)
    return before < 0 or not COMPARING["ends of sentences"].isdisjoint(view.words[before + 1 : i])


def _first(view: SentenceView, i: int) -> int:
    """Return the first word of the sentence of a token."""
    start = i
    while start and view.words[start - 1] not in COMPARING["ends of sentences"]:
        start -= 1
    return next(k for k in range(start, i + 1) if view.entries[k].is_word)


def _stop(view: SentenceView, i: int) -> int:
    """Return one past the last word of the sentence of a token: the place of its mark."""
    ends = (k for k in range(i, len(view.words)) if view.words[k] in COMPARING["ends of sentences"])
    return next(ends, len(view.words))


def _end(view: SentenceView, i: int) -> int:
    """Return one past the last word of the clause of a token: the place of a mark."""
    ends = (k for k in range(i + 1, len(view.words)) if view.words[k] in COMPARING["ends of clauses"])
    return next(ends, len(view.words))
