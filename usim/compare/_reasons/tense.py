"""Tense and mood: verbs of another time, questions that became statements."""

from __future__ import annotations

from collections.abc import Iterator

from usim.compare._comparison import Comparison
from usim.compare._reasons.reason import LEAST_WEIGHT, WEIGHTS, HandledTokens, Reason, make_reason
from usim.compare._sentence import SentenceView
from usim.lexicon import exchange_cost
from usim.lexicon.tables import read_tables

#: Factor where the writer does not master the tenses, or the verb now agrees with the others.
DOUBTFUL_FACTOR = 0.5
#: Factor where a word that is on both sides asks for the new time.
CUE_FACTOR = 0.4
#: Words that ask for a time.
_CUES = {time: frozenset(words.split()) for time, words in read_tables("comparing.tsv")["asks for time"].items()}


def is_asked_for(time: str, source: SentenceView, output: SentenceView) -> bool:
    """Return whether a word that both texts have asks for a time."""
    return not _CUES.get(time, frozenset()).isdisjoint(source.vocabulary & output.vocabulary)


def detect_tenses(comparison: Comparison, handled: HandledTokens) -> Iterator[Reason]:
    """Find verbs whose time changed; lighter where the source shows that the writer does not master it."""
    a, b = comparison.source, comparison.target
    is_doubtful = bool(comparison.respelled.words) or "bare" in a.tenses.values() or "bare" in b.tenses.values()
    for i, time in a.tenses.items():
        j = comparison.partner.get(i, -1)
        if j < 0:
            aligned = comparison.to[i]
            if aligned >= 0 and a.entries[i].is_auxiliary and b.entries[aligned].is_auxiliary:
                j = aligned
        new_time = b.tenses.get(j, "")
        if not new_time or time == new_time or (a.entries[i].is_be and not b.entries[j].is_be):
            continue
        weight = exchange_cost("tense", time, new_time)
        times_of_others = {t for k, t in a.tenses.items() if k != i}
        if is_doubtful or new_time in times_of_others:
            weight *= DOUBTFUL_FACTOR
        if is_asked_for(new_time, a, b):
            weight *= CUE_FACTOR
        if weight >= LEAST_WEIGHT:
            case = "tense.unclear" if "bare" in (time, new_time) else "tense"
            yield make_reason(comparison, case, (i,), (j,), weight, before=time, after=new_time)


def detect_question(comparison: Comparison, handled: HandledTokens) -> Iterator[Reason]:
    """Find a question that became a statement, or the other way round."""
    a, b = comparison.source, comparison.target
    if abs(a.asks - b.asks) < 0.5 or {a.asks, b.asks} == {0.5, 1.0}:
        return
    # Where mark and form of a sentence contradict each other, it may be no question.
    weight = WEIGHTS["question" if abs(a.asks - b.asks) == 1 else "question.unsure"]
    old_marks = [i for i in comparison.gone if a.words[i] == "?"]
    new_marks = [j for j in comparison.new if b.words[j] == "?"]
    case = "question.gone" if a.asks > b.asks else "question.new"
    yield make_reason(comparison, case, old_marks, new_marks, weight)
