"""Conditions that no *if* begins: *had he known*, *should you need help*."""

from __future__ import annotations

from collections.abc import Iterator

from usim.evidence._sentence import SentenceView
from usim.lexicon.phrases import Phrase
from usim.lexicon.tables import COMPARING

#: What stands before its subject in a condition.
_INVERTED = frozenset(("had", "were", "should"))
_NOT = ("not", "n't", "n’t")
#: From this share of its uses on, a word may be a verb.
_VERB_SHARE = 0.2


def conditions(view: SentenceView) -> Iterator[Phrase]:
    """Yield the conditions of a text that no *if* begins, as if their first words said so."""
    for i, word in enumerate(view.words[:-1]):
        if word in _INVERTED and _is_inverted(view, i):
            name = "even" if i and view.words[i - 1] == "even" else "if"
            yield Phrase(i, i + 1, (word,), "condition", name, is_own=True)


def _is_inverted(view: SentenceView, i: int) -> bool:
    """Return whether *had*, *were* or *should* and its subject can be nothing but a condition."""
    words, word = view.words, view.words[i]
    start = max((k + 1 for k in range(i) if words[k] in COMPARING["ends of sentences"]), default=0)
    first = next(k for k in range(start, i + 1) if view.entries[k].is_word)
    end, stop = _before_mark(view, i, "ends of clauses"), _before_mark(view, i, "ends of sentences")
    is_first = i - (i > 0 and words[i - 1] == "even") == first
    # "You should work", but "should work stop": before a subject without an article only where a sentence begins.
    entry = view.entries[i + 1]
    is_one = entry.quantity == "any" or entry.form in COMPARING["nobody in particular"]
    has_subject = entry.is_article or entry.person or is_one or i + 1 in view.names
    if not (has_subject or (is_first and (view.may_be_participant(i + 1) or entry.quantity))):
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


def _may_be_verb(view: SentenceView, i: int) -> bool:
    return view.entries[i].is_auxiliary or view.entries[i].word.parts.get("v", 0.0) > _VERB_SHARE


def _before_mark(view: SentenceView, i: int, marks: str) -> int:
    """Return one past the last word of the clause or sentence of a word: the place of its mark."""
    ends = (k for k in range(i + 1, len(view.words)) if view.words[k] in COMPARING[marks])
    return next(ends, len(view.words))
