"""What verbs claim: facts that are now only thought, said, tried or wished; verbs of another time; questions."""

from __future__ import annotations

from collections.abc import Iterator

from usim.evidence._comparison import Comparison
from usim.evidence._finders.finding import LEAST_WEIGHT, WEIGHTS, Finding, HandledTokens, make_finding
from usim.evidence._sentence import SentenceView
from usim.lexicon import exchange_cost
from usim.lexicon.tables import COMPARING, read_tables
from usim.lexicon.topics import stance

#: Factor where the writer does not master the tenses, or the verb now agrees with the others.
DOUBTFUL_FACTOR = 0.5
#: Factor where a word that is on both sides asks for the new time.
CUE_FACTOR = 0.4
#: How a question begins that asks somebody to do something.
_REQUESTS = {(verb, "you") for verb in ("could", "can", "would", "will")}
#: Words that ask for a time.
_CUES = {time: frozenset(words.split()) for time, words in read_tables("comparing.tsv")["asks for time"].items()}


def detect_stances(comparison: Comparison, handled: HandledTokens) -> Iterator[Finding]:
    """Find verbs of knowing, saying, trying and wishing lost, added or exchanged."""
    a, b = comparison.source, comparison.output
    for m in comparison.matches:
        if m.spelling or m.equivalent or handled.has(m):
            continue
        x, y = stance(a.words[m.source]), stance(b.words[m.output])
        are_synonyms = m.relation.synonym and min(m.relation.share_a, m.relation.share_b) > 0.1
        if None in (x, y) or x == y or are_synonyms or not (_embeds(a, m.source) and _embeds(b, m.output)):
            continue
        weight = exchange_cost("stance", x, y)
        yield make_finding(comparison, "claim", (m.source,), (m.output,), weight)
        handled.add((m.source,), (m.output,))
    for view, other_view, places, taken, case in (
        (a, b, comparison.lost, handled.source, "claim.gone"),
        (b, a, comparison.added, handled.output, "claim.new"),
    ):
        for i in places:
            kind = stance(view.words[i])
            if kind is None or i in taken or not _embeds(view, i):
                continue
            weight = exchange_cost("stance", kind, None)
            if not weight or not other_view.lemmas.isdisjoint(view.entries[i].word.lemmas):
                continue
            at, to = ((i,), ()) if view is a else ((), (i,))
            yield make_finding(comparison, case, at, to, weight)
            taken.add(i)


def _embeds(view: SentenceView, i: int) -> bool:
    """Return whether a verb has another verb or a clause behind it."""
    following = view.entries[i + 1 : i + 5]
    for k, e in enumerate(following, i + 1):
        if e.form in COMPARING["before embedded verbs"] or k in view.verbs or e.form.endswith("ing"):
            return True
        if e.person and k == i + 1:
            return True
        if not e.is_word:
            return False
    return False


def is_asked_for(time: str, source: SentenceView, output: SentenceView) -> bool:
    """Return whether a word that both texts have asks for a time."""
    return not _CUES.get(time, frozenset()).isdisjoint(source.vocabulary & output.vocabulary)


def detect_tenses(comparison: Comparison, handled: HandledTokens) -> Iterator[Finding]:
    """Find verbs whose time changed; lighter where the source shows that the writer does not master it."""
    a, b = comparison.source, comparison.output
    is_doubtful = bool(comparison.respelled.words) or "bare" in a.tenses.values() or "bare" in b.tenses.values()
    for i, time in a.tenses.items():
        j, aligned = comparison.partner.get(i, -1), comparison.to[i]
        if j < 0 <= aligned and a.entries[i].is_auxiliary and b.entries[aligned].is_auxiliary:
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
            yield make_finding(comparison, case, (i,), (j,), weight, before=time, after=new_time)


def detect_question(comparison: Comparison, handled: HandledTokens) -> Iterator[Finding]:
    """Find a question that became a statement, or the other way round."""
    a, b = comparison.source, comparison.output
    if abs(a.asks - b.asks) < 0.5 or {a.asks, b.asks} == {0.5, 1.0}:
        return
    asked, told = (a, b) if a.words[:2] in _REQUESTS else (b, a)
    is_told = "please" in told.words[:1] or "please" in asked.vocabulary & told.vocabulary or 0 in told.verbs
    if asked.words[:2] in _REQUESTS and is_told:
        return  # *Could you send it?* asks for the same as *Please send it.*
    # Where mark and form of a sentence contradict each other, it may be no question.
    weight = WEIGHTS["question" if abs(a.asks - b.asks) == 1 else "question.unsure"]
    old_marks = [i for i in comparison.gone if a.words[i] == "?"]
    new_marks = [j for j in comparison.new if b.words[j] == "?"]
    case = "question.gone" if a.asks > b.asks else "question.new"
    yield make_finding(comparison, case, old_marks, new_marks, weight)
