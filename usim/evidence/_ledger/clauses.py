"""What phrases, clauses and constructions of either text commit it to: conditions, negations, causes, certainty."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import product, takewhile

from usim.evidence._ledger.side import Found, Places, Side, are_worded_alike, has_most_of, shared
from usim.evidence._sentence import SentenceView
from usim.lexicon.phrases import Phrase
from usim.lexicon.tables import COMPARING, classes_of, read_tables

#: What phrases alone say; of the hard ones the loss can be certain.
_SAID = ("condition", "exception", "cause", "attribution", "possibility", "intent", "focus", "attitude")
LIMITING = frozenset(("condition", "exception"))
_CERTAIN = frozenset(("if", "unless", "except"))
#: A clause is gone if no more than such a share of its content words has a counterpart; of a condition it has so many.
_LEAST_WORDS, _MOST_SAID = 2, 0.34
#: Verbs that say something else before *to* and before *-ing*.
_TWO_WAYS = classes_of(read_tables("comparing.tsv")["two ways"])
#: Verbs that deny the one behind them, as the table of phrases has them.
_FAILING = (("fail",), ("refuse",), ("neglect",), ("omit",))
_PERFECT = (("have",), ("has",), ("had",), ("'ve",))
#: Two clauses are one from this share of shared words on.
_SAME_CLAUSE = 0.5
#: A notice has so many content words at most.
_NOTICE = 2
#: Auxiliaries that a negation alone asks for.
_DO = frozenset(("do", "does", "did"))
#: They stand behind the auxiliary that they are written with.
_SHORT_NOT = frozenset(("n't", "n’t", "nt"))
#: Two sentences are nearly one from this share of shared words on.
_SAME_SENTENCE = 0.8

#: A phrase, and the places of its clause.
Clause = tuple[Phrase, Places]


def denied(a: Side, b: Side) -> Iterator[Found]:
    """Yield words that one text denies and the other affirms, where no word of its sentence may deny them as well.

    It is certain where little else of the sentence changed: in a reworded one too much can turn round what it says. Of
    a notice (*no smoking*) it is certain where the other text permits it.
    """
    for side, other in ((a, b), (b, a)):
        words = side.view.words
        for cue in side.cues:
            if cue.kind != "negation" or cue.name != "not" or not cue.is_own or side.is_within(cue):
                continue
            near = range(cue.end, min(cue.end + 4, len(words)))
            host = next((t for t in near if words[t] not in COMPARING["between negation and word"]), -1)
            if host < 0 or not side.view.is_content[host]:
                continue
            lemmas = side.view.entries[host].word.lemmas
            places = [j for j, entry in enumerate(other.view.entries) if not lemmas.isdisjoint(entry.word.lemmas)]
            if len(places) != 1:
                continue
            number = other.sentence[places[0]]
            cues = _denials(other, number)
            if any(c.is_own for c in cues) or _asks(side, side.sentence[cue.start]):
                continue
            if _is_only(side, other):
                cues = []  # "only with it" is the opposite of "without it"
                places = sorted((*places, *(j for j in other.changed if other.view.words[j] == "only")))
            is_led = cue.start > 0 and (words[cue.start] in _SHORT_NOT or words[cue.start - 1] in _DO)
            start = cue.start - is_led
            own, others = side.content_of(side.sentence[host]), other.content_of(number)
            is_first = not start or side.sentence[start - 1] < side.sentence[start]
            is_notice = is_first and words[start] == "no" and len(own) <= _NOTICE
            is_permitted = is_notice and any(other.view.words[j] in COMPARING["permitting"] for j in others)
            is_plain = not cues and shared(side, own, other, others) >= _SAME_SENTENCE
            found = Found("negation", tuple(range(start, host + 1)), tuple(places), is_certain=is_plain or is_permitted)
            yield found if side is a else found.turned


def _denials(side: Side, number: int) -> list[Phrase]:
    """Return the phrases of a sentence that deny something."""
    return [c for c in side.cues if c.kind == "negation" and side.sentence[c.start] == number]


def _asks(side: Side, number: int) -> bool:
    """Return whether a sentence denies twice, with *without*, and so asks for something: *not without consent*."""
    denials = [c for c in _denials(side, number) if c.is_own]
    return len(denials) == 2 and sum("without" in c.text for c in denials) == 1


def _is_only(side: Side, other: Side) -> bool:
    """Return whether a negation gave way to *only*, and nothing else changed: *without it*, *only with it*."""
    denied = [side.view.entries[i] for i in side.changed if not side.view.entries[i].is_auxiliary]
    is_one = len(denied) == 1 and denied[0].negation > 0
    return is_one and {"only"} <= {other.view.words[j] for j in other.changed} <= {"only", "with"}


def said(a: Side, b: Side) -> Iterator[Found]:
    """Yield what the phrases of either text commit it to, each with the phrase of its kind that is about the same.

    A condition or an exception is certainly gone where the other text has no such phrase at all, and a counterpart of
    hardly any of its words.
    """
    for kind in _SAID:
        left, right = (_clauses(side, kind) for side in (a, b))
        pairs = _paired(a, b, left, right)
        for x, y in pairs:
            is_kept = x[0].name == y[0].name or _is_turned_back(a, x, b, y)
            yield Found(kind, x[1], y[1], is_certain=not is_kept and _is_turned_round(a, x, b, y), is_kept=is_kept)
        for clauses, side, other in ((left, a, b), (right, b, a)):
            known = [pair[side is b] for pair in pairs]
            for cue, places in clauses:
                if (cue, places) in known:
                    continue
                start = cue.end + (side.view.words[cue.end : cue.end + 1] == ("of",))
                vaguely = [c.text for c in other.cues if c.kind == kind and not c.is_own] if cue.name == "even" else []
                if any(side.view.words[start : start + len(text)] == text for text in vaguely):
                    continue  # "no matter whether" is "whether"
                vague = [
                    sum(c.kind == kind and (not c.is_own or c.name != cue.name) for c in x.cues) for x in (side, other)
                ]
                if vague[1] > vague[0] and kind not in LIMITING:
                    continue  # some other word of the text may say so
                is_certain = side is a and cue.name in _CERTAIN and _is_alone(side, other, cue)
                found = Found(kind, places if kind in LIMITING else cue.places, (), is_certain=is_certain)
                yield found if side is a else found.turned


def _is_turned_round(a: Side, x: Clause, b: Side, y: Clause) -> bool:
    """Return whether an *if* of one clause became *unless*, or the reverse, and no negation turns it back."""
    if "unless" not in (x[0].name, y[0].name):
        return False
    if any(c.name == "verb" and not side.changed.isdisjoint(c.places) for side in (a, b) for c in side.cues):
        return False  # "keep it unless" may be "leave it out if"
    # "Only if you pay" is no "unless".
    if a.turns(x[0].places, but="only") or b.turns(y[0].places, but="only"):
        return False
    return _are_equal(a, x, b, y)


def _is_turned_back(a: Side, x: Clause, b: Side, y: Clause) -> bool:
    """Return whether *if* with a negation became *unless*, or the reverse: *if you do not pay*, *unless you pay*."""
    if {x[0].name, y[0].name} != {"if", "unless"}:
        return False
    denials = [
        sum(c.kind == "negation" and (c.is_own or c.text in _FAILING) and c.start in places for c in side.cues)
        for side, (_, places) in ((a, x), (b, y))
    ]
    return sum(denials) == 1 and denials[x[0].name == "if"] == 0 and _are_equal(a, x, b, y)


def _are_equal(a: Side, x: Clause, b: Side, y: Clause) -> bool:
    return shared(a, a.clause(x[0]), b, b.clause(y[0])) >= _SAME_CLAUSE


def _clauses(side: Side, kind: str) -> list[Clause]:
    """Return the phrases of a kind that a text has of its own, each with the places of its clause."""
    found = []
    for cue in side.cues:
        if cue.kind == kind and cue.is_own:
            end = max((cue.end - 1, *side.clause(cue))) + 1
            while end < len(side.view.words) and side.view.words[end] in COMPARING["signs of units"]:
                end += 1
            found.append((cue, tuple(range(cue.start, end))))
    return found


def _paired(a: Side, b: Side, left: Sequence[Clause], right: Sequence[Clause]) -> list[tuple[Clause, Clause]]:
    """Return which clauses are about the same: equal ones first, then those with most counterparts, each once."""
    scored = []
    for (k, x), (m, y) in product(enumerate(left), enumerate(right)):
        content = {j for j in y[1] if b.view.is_content[j]}
        meeting = sum(len(content & a.links.get(i, frozenset())) for i in x[1] if a.view.is_content[i])
        scored.append((a.view.written(x[1]) != b.view.written(y[1]), -meeting, k, m))
    pairs: dict[int, int] = {}  # a text has few such phrases
    for differs, score, k, m in sorted(scored):
        is_about_same = score < 0 or not differs or len(left) == len(right) == 1
        if is_about_same and k not in pairs and m not in pairs.values():
            pairs[k] = m
    return [(left[k], right[m]) for k, m in pairs.items()]


def _is_alone(side: Side, other: Side, cue: Phrase) -> bool:
    """Return whether hardly any word of a clause has a counterpart, and no phrase of its kind is in the other text.

    The other text has most words beside the clause: in a reworded sentence other words may say it.
    """
    words = side.clause(cue)
    beside = [i for i in side.content_of(side.sentence[cue.start]) if i not in words]
    least = 1 if cue.kind == "exception" else _LEAST_WORDS
    new = {other.view.words[j] for j in other.changed}
    if not side.is_soft or len(words) < least or not COMPARING["conditional"].isdisjoint(new):
        return False
    if any(c.kind == cue.kind and c.is_own for c in other.cues) or not has_most_of(other, beside, side):
        return False
    lemmas = other.view.lemmas
    # What is like a word that the other text has anyway is no counterpart.
    linked = {i for i, places in side.links.items() if not other.changed.isdisjoint(places)}
    said = [i for i in words if i in linked or not lemmas.isdisjoint(side.view.entries[i].word.lemmas)]
    return len(said) <= _MOST_SAID * len(words)


def complements(a: Side, b: Side) -> Iterator[Found]:
    """Yield *stop to* and *stop -ing*, *used to* and *be used to*, of one verb in both texts."""
    right = _complements_of(b.view)
    for (verb, lemma), (name, places) in _complements_of(a.view).items():
        other = right.get((verb, lemma))
        if other and {name, other[0]} in ({"to", "ing"}, {"habit", "custom"}):
            is_plain = verb == "used" or COMPARING["with a habit given up"].isdisjoint(a.view.vocabulary)
            yield Found("construction", places, other[1], is_plain)


def _complements_of(view: SentenceView) -> dict[tuple[str, int], tuple[str, Places]]:
    """Return by a verb and the lemma of what follows it, which construction that is, and its places."""
    found: dict[tuple[str, int], tuple[str, Places]] = {}
    words = view.words
    for i, word in enumerate(words[:-1]):
        if word == "used" and words[i + 1] == "to" and i + 2 < len(words):
            near = takewhile(lambda k: not view.entries[k].person, range(i - 1, max(-1, i - 4), -1))
            before = next((k for k in near if words[k] in COMPARING["forms of be and get"]), -1)
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


def actors(a: Side, b: Side) -> Iterator[Found]:
    """Yield who does something in one text, where the other has it in the passive and nobody who does it.

    The one who does it is the last participant of the scene before its process. Where that is nobody in particular
    (*they say*, *we*), or somebody whom the other text may mean by a pronoun, nothing is lost.
    """
    for side, other in ((a, b), (b, a)):
        view, passives = side.view, other.view.passives
        for verb in sorted(view.verbs - view.passives):
            lemmas = view.entries[verb].word.lemmas
            done = [j for j in passives if not lemmas.isdisjoint(other.view.entries[j].word.lemmas)]
            if len(done) != 1 or not view.is_content[verb] or "by" in other.view.words[done[0] :]:
                continue
            inside = [i for i in view.participant_words if view.scene[i] == view.scene[verb] and i < verb]
            actor = [i for i in inside if view.member[i] == view.member[max(inside)] and not view.governors[i]]
            if actor and not _may_mean_actor(side, actor, other):
                is_certain = are_worded_alike(side, verb, other, done[0])
                found = Found("actor", tuple(sorted(actor)), (), is_certain=is_certain)
                yield found if side is a else found.turned


def _may_mean_actor(side: Side, actor: Sequence[int], other: Side) -> bool:
    """Return whether the other text names an actor, or may mean him by a pronoun, or he is nobody in particular."""
    view, persons = side.view, {entry.person for entry in other.view.entries if entry.person}
    new = persons.difference(entry.person for entry in view.entries)  # they may stand for nouns
    for i in actor:
        entry, person = view.entries[i], view.entries[i].person
        is_nobody = entry.form in COMPARING["nobody in particular"]
        if person is not None and (person not in ("he", "she") or person in persons):
            return True
        if new or is_nobody or entry.form in other.view.vocabulary:
            return True
        is_linked = any(other.view.is_content[j] for j in side.links.get(i, ()))
        is_said = not entry.word.lemmas.isdisjoint(other.view.lemmas)
        is_misspelt = not (entry.word.known or i in view.names)
        if is_linked or (not person and (is_said or is_misspelt)):
            return True
    return False


def evidence(a: Side, b: Side) -> Iterator[Found]:
    """Yield *suggest* that became *prove*, and the reverse, together with a *could* that is gone or new."""
    verbs = [[i for i in side.changed if side.view.entries[i].evidence] for side in (a, b)]
    if [len(own) for own in verbs] != [1, 1]:
        return
    (i,), (j,) = verbs
    is_shown = not COMPARING["showing verbs"].isdisjoint((a.view.words[i], b.view.words[j]))
    if not is_shown and a.view.entries[i].evidence != b.view.entries[j].evidence:
        source, output = (
            tuple(sorted({verb, *(k for k in side.changed if side.view.words[k] in COMPARING["hedging"])}))
            for side, verb in ((a, i), (b, j))
        )
        yield Found("possibility", source, output)


def causes(a: Side, b: Side) -> Iterator[Found]:
    """Yield *is associated with* that became *causes*, and the reverse."""
    left, right = ([cue for cue in side.cues if cue.kind == "effect"] for side in (a, b))
    if len(left) == len(right) == 1 and left[0].name != right[0].name:
        yield Found("construction", left[0].places, right[0].places, is_certain=True)
