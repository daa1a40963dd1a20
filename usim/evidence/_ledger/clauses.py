"""What phrases, clauses and constructions of either text commit it to: conditions, negations, causes, certainty."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import product, takewhile

from usim.evidence._ledger.side import Found, Places, Side, are_worded_alike, has_most_of, shared
from usim.evidence._reasons.claims import is_asked_for
from usim.evidence._sentence import SentenceView
from usim.lexicon import relation
from usim.lexicon.phrases import Phrase
from usim.lexicon.tables import COMPARING, classes_of, read_tables
from usim.ucca.yields import bits

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
#: They stand behind the auxiliary that they are written with.
_SHORT_NOT = frozenset(("n't", "n’t", "nt"))
#: Two sentences are nearly one from this share of shared words on.
_SAME_SENTENCE = 0.8
#: Words of law of which two stand together and say one thing.
_DOUBLETS = classes_of(read_tables("comparing.tsv")["doublet"])
_CENTRES = frozenset(("C", "P", "S"))
#: They join the members of a list.
_JOINING = frozenset(("and", "or", "nor"))
#: The modals that say what must, should, may or can be done.
_BINDING_MODALS = frozenset(("must", "need", "shall", "should", "may", "can"))

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
            cues = [c for c in other.cues if c.kind == "negation" and other.sentence[c.start] == number]
            if any(c.is_own for c in cues):
                continue
            if _is_only(side, other):
                cues = []  # "only with it" is the opposite of "without it"
                places = sorted((*places, *(j for j in other.changed if other.view.words[j] == "only")))
            start = cue.start - (words[cue.start] in _SHORT_NOT and cue.start > 0)
            own, others = side.content_of(side.sentence[host]), other.content_of(number)
            is_first = not start or side.sentence[start - 1] < side.sentence[start]
            is_notice = is_first and words[start] == "no" and len(own) <= _NOTICE
            is_permitted = is_notice and any(other.view.words[j] in COMPARING["permitting"] for j in others)
            is_plain = not cues and shared(side, own, other, others) >= _SAME_SENTENCE
            found = Found("negation", tuple(range(start, host + 1)), tuple(places), is_certain=is_plain or is_permitted)
            yield found if side is a else found.turned


def _is_only(side: Side, other: Side) -> bool:
    """Return whether a negation gave way to *only*, and nothing else changed: *without it*, *only with it*."""
    denied = [side.view.entries[i] for i in side.changed if not side.view.entries[i].is_auxiliary]
    is_one = len(denied) == 1 and denied[0].negation > 0
    return is_one and {"only"} <= {other.view.words[j] for j in other.changed} <= {"only", "with"}


def intended(a: Side, b: Side) -> Iterator[Found]:
    """Yield verbs of which one text says that it is done, and the other that it will be.

    Where another verb or a word asks for the other time, it may be a correction.
    """
    for (i, time), (j, new_time) in product(a.view.tenses.items(), b.view.tenses.items()):
        if a.view.entries[i].word.lemmas.isdisjoint(b.view.entries[j].word.lemmas):
            continue
        is_turned = "future" in (time, new_time) and not {"past", "perfect"}.isdisjoint((time, new_time))
        asked = [
            own in (view.tenses[k] for k in view.tenses if k != place) or is_asked_for(own, a.view, b.view)
            for own, view, place in ((new_time, a.view, i), (time, b.view, j))
        ]
        if is_turned and not any(asked):
            yield Found("intent", _with_auxiliaries(a.view, i), _with_auxiliaries(b.view, j))


def _with_auxiliaries(view: SentenceView, verb: int) -> Places:
    start = verb
    while start and (view.entries[start - 1].is_auxiliary or view.entries[start - 1].negation):
        start -= 1
    return tuple(range(start, verb + 1))


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
            is_certain = not is_kept and _is_turned_round(a, x, b, y)
            yield Found(kind, x[1], y[1], is_kept=is_kept, is_certain=is_certain)
        for clauses, side, other in ((left, a, b), (right, b, a)):
            known = [pair[side is b] for pair in pairs]
            for cue, places in clauses:
                if (cue, places) in known:
                    continue
                if cue.name == "even" and any(c.text == _behind(side, cue, c) for c in other.cues):
                    continue  # "no matter whether" is "whether"
                vague = [
                    sum(c.kind == kind and (not c.is_own or c.name != cue.name) for c in x.cues) for x in (side, other)
                ]
                if vague[1] > vague[0] and kind not in LIMITING:
                    continue  # some other word of the text may say so
                own = places if kind in LIMITING else tuple(range(cue.start, cue.end))
                is_certain = side is a and cue.name in _CERTAIN and _is_alone(side, other, cue)
                found = Found(kind, own, (), is_certain=is_certain)
                yield found if side is a else found.turned


def _behind(side: Side, cue: Phrase, other: Phrase) -> tuple[str, ...]:
    """Return as many words behind a phrase, *of* aside, as a vague one of its kind has; none for others."""
    start = cue.end + (side.view.words[cue.end : cue.end + 1] == ("of",))
    return () if other.is_own or other.kind != cue.kind else side.view.words[start : start + len(other.text)]


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
    denials = [_denials(side, places) for side, (_, places) in ((a, x), (b, y))]
    return sum(denials) == 1 and denials[x[0].name == "if"] == 0 and _are_equal(a, x, b, y)


def _denials(side: Side, places: Places) -> int:
    denying = (cue for cue in side.cues if cue.kind == "negation" and (cue.is_own or cue.text in _FAILING))
    return sum(cue.start in places for cue in denying)


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
    pairs, used = [], (set[int](), set[int]())
    for differs, score, k, m in sorted(scored):
        if k not in used[0] and m not in used[1] and (score < 0 or not differs or len(left) == len(right) == 1):
            used[0].add(k)
            used[1].add(m)
            pairs.append((left[k], right[m]))
    return pairs


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
            if actor and not _is_said(side, actor, other):
                is_certain = are_worded_alike(side, verb, other, done[0])
                found = Found("actor", tuple(sorted(actor)), (), is_certain=is_certain)
                yield found if side is a else found.turned


def _is_said(side: Side, actor: Sequence[int], other: Side) -> bool:
    """Return whether the other text names an actor, or may mean him by a pronoun, or he is nobody in particular."""
    view, persons = side.view, {entry.person for entry in other.view.entries if entry.person}
    new = persons.difference(entry.person for entry in view.entries)  # they may stand for nouns
    for i in actor:
        entry, person = view.entries[i], view.entries[i].person
        if person is not None and (person not in ("he", "she") or person in persons):
            return True
        if new or view.words[i] in other.view.vocabulary or view.words[i] in COMPARING["nobody in particular"]:
            return True
        if not (person or entry.word.known or i in view.names):  # a misspelling
            return True
        is_linked = any(other.view.is_content[j] for j in side.links.get(i, ()))
        if is_linked or not (person or entry.word.lemmas.isdisjoint(other.view.lemmas)):
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
        source, target = (
            tuple(sorted({verb, *(k for k in side.changed if side.view.words[k] in COMPARING["hedging"])}))
            for side, verb in ((a, i), (b, j))
        )
        yield Found("possibility", source, target)


def causes(a: Side, b: Side) -> Iterator[Found]:
    """Yield *is associated with* that became *causes*, and the reverse."""
    left, right = ([cue for cue in side.cues if cue.kind == "effect"] for side in (a, b))
    if len(left) == len(right) == 1 and left[0].name != right[0].name:
        yield Found("construction", left[0].places, right[0].places, is_certain=True)


def relatives(a: Side, b: Side) -> Iterator[Found]:
    """Yield a relative clause of equal texts that is about another noun."""
    (words, at), (others, to) = _around_relative(a.view), _around_relative(b.view)
    if at < 1 or to < 1 or at == to or [a.view.words[i] for i in words] != [b.view.words[j] for j in others]:
        return
    i, j = words[at - 1], others[to - 1]
    yield Found("relative", (i,), (j,), a.view.is_content[i] and b.view.is_content[j])


def _around_relative(view: SentenceView) -> tuple[list[int], int]:
    """Return the words but for the only relative pronoun, and how many stand before it."""
    at = [i for i, word in enumerate(view.words) if word in COMPARING["relative pronouns"]]
    if len(at) != 1:
        return [], 0
    words = [i for i, entry in enumerate(view.entries) if entry.is_word and i != at[0]]
    return words, sum(i < at[0] for i in words)


def compounds(a: Side, b: Side) -> Iterator[Found]:
    """Yield a word with hyphens of which only a part is left, and the reverse: *sister-in-law*, *sister*."""
    for side, other in ((a, b), (b, a)):
        gone, new = ([i for i in own.changed if not own.view.entries[i].is_article] for own in (side, other))
        whole = side.view.whole(tuple(sorted(gone))) if gone and not new else ()
        words = side.view.words
        parts = [i for i in whole if i not in gone and side.view.entries[i].is_word and words.count(words[i]) == 1]
        is_one = len(side.view.whole(whole[:1])) == len(whole) > 1
        if is_one and len(parts) == 1 and all(len(words[i]) > 1 for i in gone):
            places = tuple(j for j, word in enumerate(other.view.words) if word == words[parts[0]])
            if len(places) == 1 and len(other.view.whole(places)) == 1:
                found = Found("construction", whole, places, is_certain=True)
                yield found if side is a else found.turned


def members(a: Side, b: Side) -> Iterator[Found]:
    """Yield the members of a list that one text lacks, where what is listed binds.

    It binds in the scope of a duty, a right, a ban, a liability, a condition or an exception. No other content differs,
    or the other text lists all other members, and no more. A member that another one may include, or that the text
    names elsewhere, may still be meant. Of an ``alternative`` the longer text says something else and not more: what
    must be done or is excepted, *repair or replace*.
    """
    for side, other in ((a, b), (b, a)):
        view, left_out = side.view, _left_out(side, other)
        for link, beside in _links(view):
            lost = left_out or _unsaid(side, other, link)
            if not lost or _may_be_meant(side, lost, other):
                continue
            is_all = bool(left_out) and not other.changed
            places = side.changed.union(range(lost[0], lost[-1])) if is_all else range(lost[0], lost[-1] + 1)
            heads, kept = _members_of(view, link, beside, lost)
            if not kept or not (left_out or _lists_only(other, kept, side)):
                continue
            scope = _scope(side, {*heads, *kept}, lost)
            scope -= {"can"} if view.words[link] == "and" else set()  # what one can do is no right yet
            if not scope or any(_are_related(view.words[i], view.words[k]) for i, k in product(heads, kept)):
                continue
            if left_out or not _may_be_said(side, lost, other):
                kind = "alternative" if _is_alternative(view.words[link], scope) else "member"
                found = Found(kind, tuple(sorted(places)), (), is_certain=True)
                yield found if side is a else found.turned
                break


def _links(view: SentenceView) -> Iterator[tuple[int, Sequence[list[int]]]]:
    """Yield the words that join members, each with the content words before it, the last one first, and behind it."""
    for link in (i for i, word in enumerate(view.words) if word in _JOINING):
        yield link, ([i for i in reversed(view.content) if i < link], [i for i in view.content if i > link])


def _before(view: SentenceView, first: int) -> int:
    """Return the place before the articles, numbers, pronouns and prepositions that lead to a word; -1 for none."""
    led = (e.is_article or e.quantity or e.person or e.is_preposition for e in view.entries[first - 1 :: -1] if first)
    return first - 1 - sum(1 for _ in takewhile(bool, led))


def _unsaid(side: Side, other: Side, link: int) -> list[int]:
    """Return the content words of the list of a link that the other text has in no form."""
    view, said = side.view, other.forms_of(other.view.content)
    top = view.parents[view.holder[link]]
    return [i for i in side.without(view.content, said) if _child(view, top, i)] if side.is_soft else []


def _may_be_said(side: Side, lost: Sequence[int], other: Side) -> bool:
    """Return whether the other text may say one of these words in other words; to look for these takes long."""
    view, words = side.view, other.view.words
    rest = [i for i in view.content if i not in lost]
    own = side.forms_of(rest)
    new = other.without(other.view.content, own)
    new = [j for j in new if not any(_are_related(view.words[i], words[j]) for i in rest)]
    return any(j in side.alike.get(i, ()) or _are_related(view.words[i], words[j]) for i, j in product(lost, new))


def _lists_only(other: Side, kept: Sequence[int], side: Side) -> bool:
    """Return whether the other text has a list of these members, in the same words, and may list no more."""
    words, wanted = other.view.words, side.forms_of(kept)
    if not wanted.isdisjoint(side.forms_of(i for i in side.view.content if i not in kept)):
        return False  # it may be another list of these words
    for _, beside in _links(other.view):
        first, last = ([*takewhile(lambda j: not wanted.isdisjoint(other.forms(j)), places)] for places in beside)
        listed = other.forms_of((*first, *last))
        if not first or not last or any(listed.isdisjoint(side.forms(i)) for i in kept):
            continue
        start, end = _before(other.view, first[-1]), last[-1] + 1
        clause = takewhile(lambda j: words[j] not in COMPARING["ends of clauses"], range(end, len(words)))
        following = next((j for j in clause if other.view.is_content[j]), None)
        is_new = following is not None and side.forms_of(side.view.content).isdisjoint(other.forms(following))
        behind = words[end + (words[end : end + 1] == (",",)) :][:1]
        return not (is_new or set(behind) & _JOINING or (start >= 0 and words[start] in (",", *_JOINING)))
    return False


def _left_out(side: Side, other: Side) -> list[int]:
    """Return the content words that the other text lacks, in order.

    There are none where it has a word that may say them, or as many links and commas: then no member went.
    """
    view, rest = side.view, [other.forms(j) for j in other.view.content]
    lost = []
    for i in view.content:
        same = next((forms for forms in rest if not forms.isdisjoint(side.forms(i))), None)
        if same is None:
            lost.append(i)
        else:
            rest.remove(same)
    new = (e for e, word in zip(other.view.entries, other.view.words, strict=True) if word not in view.vocabulary)
    is_new = any(e.is_word and not (e.is_article or e.is_be or e.modal) for e in new)
    joined, others = (sum(word == "," or word in _JOINING for word in own.view.words) for own in (side, other))
    return [] if rest or is_new or joined <= others else lost


def _may_be_meant(side: Side, lost: Sequence[int], other: Side) -> bool:
    """Return whether more than the words beside a link were left out, or one stands elsewhere, or they say little."""
    view, entries = side.view, [side.view.entries[i] for i in lost]
    is_cut = any(i not in lost and view.is_content[i] for i in range(lost[0], lost[-1]))
    is_elsewhere = any(not other.view.lemmas.isdisjoint(e.word.lemmas) for e in entries)
    beside = {view.words[max(_before(view, lost[0]), 0)], *view.words[lost[-1] + 1 : lost[-1] + 2]}
    return beside.isdisjoint((",", *_JOINING)) or is_cut or is_elsewhere or all(e.is_light for e in entries)


def _members_of(view: SentenceView, link: int, beside: Sequence[list[int]], lost: list[int]) -> tuple[list[int], ...]:
    """Return the last words of the lost members of the list of a link, and the content words of the others.

    There are none of either if the lost words are no members of it.
    """
    top, category = view.parents[view.holder[link]], view.categories[view.holder[link]]
    of = {i: _child(view, top, i) for i in view.content}
    near = [next((of[i] for i in places if of[i]), 0) for places in beside]
    # Of scenes the nearest two are members, where the second has no subject of its own; of other lists all units alike.
    if category == "L" and link + 1 in view.verbs:
        of = {i: own for i, own in of.items() if own in near}
    elif category == "N":
        of = {i: own for i, own in of.items() if own and view.categories[own] in {view.categories[u] for u in near}}
    else:
        return [], []
    gone = {of[i]: i for i in lost if i in of}
    kept = [i for i in of if i not in lost]
    # What belongs to all members stands behind the last one, or before the first scene.
    is_shared = all(i > lost[-1] or category == "L" for i in kept if of[i] in gone)
    is_shared &= all(_head(view, member) in lost for member in {of[i] for i in kept}.intersection(gone))
    is_last = all(i > max(gone.values(), default=i) for i in lost if i not in of)
    kept = [i for i in kept if of[i] not in gone]
    return ([*gone.values(), lost[-1]], kept) if gone and is_shared and is_last else ([], [])


def _child(view: SentenceView, top: int, i: int) -> int:
    """Return the child of a unit that holds a token; 0 if none does."""
    unit = view.holder[i]
    while unit and view.parents[unit] != top:
        unit = view.parents[unit]
    return unit


def _head(view: SentenceView, unit: int) -> int:
    """Return the first content word of the centre or the main relation of a unit; of one without any the first one."""
    inner = unit
    while centres := [e.child for e in view.graph.children(inner, remote=False) if e.categories[0] in _CENTRES]:
        inner = centres[0]
    return next((i for u in (inner, unit) for i in bits(view.graph.yields[u]) if view.is_content[i]), -1)


def _are_related(old: str, new: str) -> bool:
    """Return whether one of two words may include the other, or both are written together though one says it all."""
    between = relation(old, new)
    if old in _DOUBLETS and _DOUBLETS[old] == _DOUBLETS.get(new):
        return True
    ways = between.same_lemma, between.synonym, between.derived, between.similar, between.hypernym
    return between.known and any(ways)


def _scope(side: Side, members: set[int], lost: Sequence[int]) -> set[str]:
    """Return in the scope of what members stand: classes of modals, ``not``, kinds of clauses, or ``binding``."""
    view, units = side.view, set[int]()
    for unit in {view.holder[i] for i in members}:
        while unit:
            units.add(unit)
            unit = view.parents[unit]
    words = [(i, modal) for i, modal in view.modals if modal in _BINDING_MODALS]
    words += [(i, "not") for i in view.negators]
    words += [(i, "binding") for i, word in enumerate(view.words) if word in COMPARING["binding"]]
    found = {
        name for i, name in words
        if not lost[0] <= i <= lost[-1] and not units.isdisjoint((view.parents[view.holder[i]], view.scene[i]))
    }  # fmt: skip
    first = min(view.verbs, default=0)
    if view.entries[first].is_plain_verb and min(view.participant_words, default=first) >= first:
        found.add("must")  # an order
    clauses = ((kind, places) for kind in LIMITING for _, places in _clauses(side, kind))
    return found | {kind for kind, places in clauses if not members.isdisjoint(places)}


def _is_alternative(link: str, scope: set[str]) -> bool:
    """Return whether a list says no more with a member than without it, but something else."""
    if "exception" in scope:
        return True
    if link == "and":
        return bool(scope & {"condition", "not"})
    return not scope & {"condition", "not", "may", "can"} and bool(scope & _BINDING_MODALS)
