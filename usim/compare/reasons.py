"""What happened to the words: the changes between two sentences, and why the meaning may have moved.

:func:`changes_between` lists what was put in the place of what, :func:`reasons_between` what speaks against a change,
:func:`features` gives figures for a judge that is trained. All three read the same comparison, made once a pair.

A reason has a kind, one of :data:`KINDS`, and a weight in [0, 1]: how sure it is that a reader of the changed sentence
learns something else, from 0.1 (a trace) over 0.5 (doubtful) to 0.9 (a negation, another number). The weights are set
by sense, not trained; ``docs/explanation/reasons.md`` has an example of each kind. What correctors do all day gives no
reason, or a light one: articles, agreement, spelling, verb forms, prepositions, punctuation, case.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from types import MappingProxyType
from typing import TYPE_CHECKING, Any

import numpy as np
import numpy.typing as npt

from usim.compare.comparison import Comparison, Match, negated
from usim.compare.features import BY_CATEGORY, MORE, TOKENS, USIM, VECTORS, WORDS, figures, more_figures
from usim.compare.sentence import SentenceView
from usim.lexicon import relation
from usim.lexicon.closed_classes import (
    NEGATIVE_PREFIXES,
    entry,
    link_cost,
    modal_cost,
    person_cost,
    quantity_cost,
)
from usim.ucca import bits

if TYPE_CHECKING:
    pass

#: The kinds of reasons, each in a line.
KINDS: Mapping[str, str] = MappingProxyType(
    {
        "participant-lost": "someone or something that takes part is no longer mentioned",
        "participant-added": "someone or something takes part that was not mentioned before",
        "roles-swapped": "two participants have changed places: who does it, and to whom",
        "scene-lost": "something that happens or holds is no longer said",
        "scene-added": "something happens or holds that was not said before",
        "adverbial-lost": "how, when, where or how much it happens is no longer said",
        "adverbial-added": "how, when, where or how much it happens was not said before",
        "modifier-lost": "what told a thing from others of its kind is gone",
        "modifier-added": "a thing is told from others of its kind that was not before",
        "negation": "what was denied is said, or the other way round, or something else is denied",
        "number": "another number, a number more or less",
        "name": "another name, a name more or less",
        "quantifier": "another quantity or frequency in words",
        "modality": "another degree of certainty, duty or ability",
        "tense": "another time of the verb",
        "pronoun": "another person",
        "direction": "a comparison, an order or a direction is turned round",
        "question": "a question became a statement, or the other way round",
        "connective": "clauses are linked in another way",
        "opposite": "a word gave way to its opposite",
        "sense": "a word gave way to one that can mean the same but need not: looser, narrower, or a neighbour",
        "unrelated": "a word gave way to one that has nothing to do with it",
        "category": "a unit has another role in its scene",
        "attachment": "a unit belongs to something else",
        "scope": "a word such as only or not is about something else",
    }
)

_ORDER = {kind: k for k, kind in enumerate(KINDS)}


@dataclass(frozen=True)
class Reason:
    """One thing that speaks against a change.

    Attributes:
        kind: what it is, one of :data:`KINDS`.
        text: in words, for people.
        source: the tokens of the source that it is about, by their places from 0.
        target: the tokens of the changed sentence that it is about.
        units: the categories of the units that it is about, with their words, e.g. ``"A: the red car"``.
        weight: how grave, in [0, 1].
    """

    kind: str
    text: str
    source: tuple[int, ...] = ()
    target: tuple[int, ...] = ()
    units: tuple[str, ...] = ()
    weight: float = 0.5

    def to_dict(self) -> dict[str, Any]:
        """The reason as JSON values."""
        return {
            "kind": self.kind,
            "text": self.text,
            "source": list(self.source),
            "target": list(self.target),
            "units": list(self.units),
            "weight": self.weight,
        }


@dataclass(frozen=True)
class Change:
    """What happened to the words of one place.

    Attributes:
        kind: ``substituted``, ``deleted``, ``inserted`` or ``moved``.
        source: the tokens of the source, by their places from 0.
        target: the tokens of the changed sentence.
        words: the pairs of content words of which one stands for the other, each with what holds between them: one of
            ``spelling``, ``form`` (of the same word), ``synonym``, ``derived``, ``opposite``, ``similar``, ``broader``,
            ``narrower``, ``sibling``, ``related``, ``unrelated``, ``unknown``.
    """

    kind: str
    source: tuple[int, ...]
    target: tuple[int, ...]
    words: tuple[tuple[int, int, str], ...] = ()


def find_changes(comparison: Comparison) -> tuple[Change, ...]:
    """Return the changes between two sentences: first those of words, in the order of the source, then moves.

    Equal sentences have none; a word of which only the case differs is not changed.
    """
    changes = []
    for group in comparison.groups:
        kind = "deleted" if not group.target else "inserted" if not group.source else "substituted"
        inside = set(group.source)
        words = tuple((m.source, m.target, lexical_relation(m)) for m in comparison.matches if m.source in inside)
        changes.append(Change(kind, group.source, group.target, words))
    for run in _moves(comparison):
        changes.append(Change("moved", tuple(i for i, _ in run), tuple(j for _, j in run)))
    return tuple(changes)


def lexical_relation(match: Match) -> str:
    """What holds between two words that stand for each other, in a word; see :class:`Change`."""
    r = match.relation
    if match.spelling:
        return "spelling"
    if not r.known:
        return "unknown"
    if r.same_lemma:
        return "form"
    if r.antonym == "direct" and r.antonym_share >= 0.02:
        return "opposite"
    if r.synonym:
        return "synonym"
    if r.derived:
        return "derived"
    if r.antonym:
        return "opposite"
    if r.similar:
        return "similar"
    if r.hypernym:
        return "broader" if r.hypernym > 0 else "narrower"
    if r.sibling:
        return "sibling"
    return "related" if r.entails or r.part or r.lin >= 0.5 else "unrelated"


def find_reasons(comparison: Comparison) -> tuple[Reason, ...]:
    """Return what speaks against a change, the gravest first; ties in the order of :data:`KINDS` and of the tokens."""
    found: list[Reason] = []
    if not comparison.is_same:
        taken = _Taken()
        for detector in _DETECTORS:
            found += detector(comparison, taken)
    found.sort(key=lambda r: (-r.weight, _ORDER[r.kind], r.source, r.target))
    return tuple(found)


class _Taken:
    """The tokens that a reason has been found for: others do not speak about them again."""

    def __init__(self) -> None:
        self.source: set[int] = set()
        self.target: set[int] = set()

    def add(self, source: Iterable[int], target: Iterable[int]) -> None:
        self.source.update(source)
        self.target.update(target)


# -- figures ---------------------------------------------------------------------------------------------------------

#: The names of what :func:`features` gives, in its order. New ones are put at the end.
FEATURE_NAMES: tuple[str, ...] = (
    *USIM,
    *BY_CATEGORY,
    *TOKENS,
    *WORDS,
    *VECTORS,
    "reasons",
    "reasons_max",
    "reasons_second",
    "reasons_sum",
    "reasons_or",
    *(f"max_{kind}" for kind in KINDS),
    *(f"count_{kind}" for kind in KINDS),
    *MORE,
)


def compute_features(comparison: Comparison, reasons: Sequence[Reason] | None = None) -> npt.NDArray[np.float64]:
    """Return the features of a pair, (len(:data:`FEATURE_NAMES`),), float64, all finite.

    What a feature is, by its name: :mod:`usim.compare.features`; ``max_KIND`` is the weight of the gravest reason of a
    kind and ``count_KIND`` their number; ``reasons_or`` is 1 - Π (1 - weight) over all reasons.

    Args:
        comparison: the comparison of the two sentences.
        reasons: those of :func:`find_reasons`, where they are at hand.
    """
    diff = comparison
    if reasons is None:
        reasons = find_reasons(comparison)
    relations = [lexical_relation(m) for m in diff.matches]
    costs = [cost for _, cost in word_costs(diff)]
    values = figures(diff, costs, relations)
    greatest, count = [0.0] * len(KINDS), [0.0] * len(KINDS)
    spared = 1.0
    for reason in reasons:
        k = _ORDER[reason.kind]
        greatest[k] = max(greatest[k], reason.weight)
        count[k] += 1
        spared *= 1 - reason.weight
    values += [
        float(len(reasons)),
        reasons[0].weight if reasons else 0.0,
        reasons[1].weight if len(reasons) > 1 else 0.0,
        sum(reason.weight for reason in reasons),
        1 - spared,
        *greatest,
        *count,
        *more_figures(diff, relations),
    ]
    return np.array(values, np.float64)


# -- small words -----------------------------------------------------------------------------------------------------


def _negation(diff: Comparison, taken: _Taken) -> list[Reason]:
    a, b = diff.source, diff.target
    flips = [m for m in diff.matches if not m.spelling and _prefixed(a.words[m.source], b.words[m.target])]
    for m in flips:
        taken.add((m.source,), (m.target,))
    gone = [i for i in a.negators if i not in diff.kept_source]
    new = [j for j in b.negators if j not in diff.kept_target]
    taken.add(a.negators, b.negators)
    if not (gone or new or flips):
        return []
    balance = len(_apart_from(a, gone)) - len(_apart_from(b, new))
    if (balance + len(flips)) % 2 == 0:
        return []
    at, to = gone + [m.source for m in flips], new + [m.target for m in flips]
    opposites = [m for m in diff.matches if lexical_relation(m) == "opposite" and m not in flips]
    if len(opposites) == 1:  # not cheap, dear
        m = opposites[0]
        taken.add((m.source,), (m.target,))
        return [_reason(diff, "negation", "said by its opposite", [*at, m.source], [*to, m.target], 0.3)]
    weight = max([a.entries[i].negation for i in gone] + [b.entries[j].negation for j in new] + [float(bool(flips))])
    verb = "removed" if balance > 0 else "added" if balance < 0 else "changed"
    return [_reason(diff, "negation", f"negation {verb}", at, to, 0.9 * weight)]


def _apart_from(reading: SentenceView, negators: Sequence[int]) -> list[int]:
    """Negators less those that only say again what another one in their scene says (*don't know nothing*)."""
    found: list[int] = []
    for i in negators:
        scene = reading.scene[i]
        others = [k for k in reading.negators if k != i and reading.scene[k] == scene]
        if all(k in negators and k not in found for k in others):
            found.append(i)
    return found


def _prefixed(x: str, y: str) -> bool:
    """Whether one word is the other with a negative prefix, or with -less for -ful."""
    if x.endswith("less") != y.endswith("less"):
        short, long = (x, y) if y.endswith("less") else (y, x)
        return short in (long[:-4], long[:-4] + "ful")
    if len(x) == len(y):
        return False
    short, long = (x, y) if len(x) < len(y) else (y, x)
    if len(short) < 4:
        return False
    for prefix in NEGATIVE_PREFIXES:
        if long.startswith(prefix) and not short.startswith(prefix):
            rest = long[len(prefix) :]
            if rest == short or (len(rest) > 4 and relation(rest, short).same_lemma):
                return True
    unknown = not relation(short, short).known or not relation(long, long).known
    return unknown and negated(x, y)


def _numbers(diff: Comparison, taken: _Taken) -> list[Reason]:
    a, b = diff.source, diff.target
    mine, theirs = list(a.numbers), list(b.numbers)
    for number in mine:
        taken.source.update(range(number.start, number.end))
    for number in theirs:
        taken.target.update(range(number.start, number.end))
    for number in list(mine):
        for other in theirs:
            if number.same(other):
                mine.remove(number)
                theirs.remove(other)
                break
    found = []
    for number in list(mine):
        if not theirs:
            break
        other = min(theirs, key=lambda o: _apart(diff, number.start, o.start))
        mine.remove(number)
        theirs.remove(other)
        weight = 0.8 if 1.0 in (number.value, other.value) else 0.9
        places = range(number.start, number.end), range(other.start, other.end)
        found.append(_reason(diff, "number", "another number", *places, weight))
    for number in mine:
        weight = 0.6 if number.value != 1 else 0.15
        found.append(_reason(diff, "number", "number lost", range(number.start, number.end), (), weight))
    for number in theirs:
        weight = 0.6 if number.value != 1 else 0.15
        found.append(_reason(diff, "number", "number added", (), range(number.start, number.end), weight))
    return found


def _apart(diff: Comparison, i: int, j: int) -> int:
    return abs((diff.to[i] if diff.to[i] >= 0 else i) - j)


def _names(diff: Comparison, taken: _Taken) -> list[Reason]:
    a, b = diff.source, diff.target
    gone = [i for i in a.names if i not in diff.kept_source and i not in taken.source]
    new = [j for j in b.names if j not in diff.kept_target and j not in taken.target]
    if not gone and not new:
        return []
    stands = {m.source: m for m in diff.matches}
    stood = {m.target: m for m in diff.matches}
    found = []
    done: set[int] = set()
    for i in sorted(gone):
        m = stands.get(i)
        if m is None:
            continue  # lost: a participant or a modifier, as other words
        taken.add((i,), (m.target,))
        done.add(m.target)
        weight = _name_cost(diff, m)
        if weight:
            found.append(_reason(diff, "name", "another name", (i,), (m.target,), weight))
    for j in sorted(new):
        if j in done or j not in stood:
            continue
        m = stood[j]
        taken.add((m.source,), (j,))
        weight = _name_cost(diff, m)
        if weight:
            found.append(_reason(diff, "name", "another name", (m.source,), (j,), weight))
    return found


def _name_cost(diff: Comparison, m: Match) -> float:
    a, b = diff.source, diff.target
    x, y = a.words[m.source], b.words[m.target]
    r = m.relation
    if r.known and (r.same_lemma or r.synonym or r.derived):
        return 0.0
    both = m.source in a.names and m.target in b.names
    if m.chars >= 0.7 and not (r.known and both):
        return 0.1
    if x[0] == y[0] and (x.rstrip(".") in y or y.rstrip(".") in x):
        return 0.1
    if both:
        return 0.85
    if r.known:
        return 0.5 if not (r.hypernym or r.similar) else 0.3
    return 0.5


Classes = Sequence[tuple[int, Any]]


def _unbalanced(
    diff: Comparison, mine: Classes, theirs: Classes, same: Callable[[Any, Any], bool]
) -> tuple[list[tuple[int, Any]], list[tuple[int, Any]]]:
    """What is left of two bags of classes when equal ones are taken away; misspellings do not count."""
    off_source, off_target = diff.off
    left = [(i, c) for i, c in mine if i not in diff.kept_source and i not in off_source]
    right = [(j, c) for j, c in theirs if j not in diff.kept_target and j not in off_target]
    for one in list(left):
        for other in right:
            if same(one[1], other[1]):
                left.remove(one)
                right.remove(other)
                break
    return left, right


def _couples(
    diff: Comparison, left: list[tuple[int, Any]], right: list[tuple[int, Any]]
) -> list[tuple[tuple[int, Any] | None, tuple[int, Any] | None]]:
    """The classes that are left, each with the one that stands in its place: aligned, or in the same changed words."""
    if not left or not right:
        return [*((one, None) for one in left), *((None, other) for other in right)]
    place: dict[int, int] = {}
    for k, group in enumerate(diff.groups):
        place.update(dict.fromkeys(group.target, k))
    of_source = {i: k for k, group in enumerate(diff.groups) for i in group.source}
    found: list[tuple[tuple[int, Any] | None, tuple[int, Any] | None]] = []
    right = list(right)
    for one in left:
        near = [o for o in right if diff.to[one[0]] == o[0]] or [
            o for o in right if place.get(o[0]) == of_source.get(one[0])
        ]
        if near:
            found.append((one, near[0]))
            right.remove(near[0])
        else:
            found.append((one, None))
    return found + [(None, other) for other in right]


def _classes(
    kind: str,
    noun: str,
    of: Callable[[SentenceView], Classes],
    cost: Callable[[Any, Any], float],
    same: Callable[[Any, Any], bool] = lambda x, y: bool(x == y),
) -> Callable[[Comparison, _Taken], list[Reason]]:
    """A detector for words of a class whose exchange, loss and addition have costs."""

    def detect(diff: Comparison, taken: _Taken) -> list[Reason]:
        left, right = _unbalanced(diff, of(diff.source), of(diff.target), same)
        found = []
        for one, other in _couples(diff, left, right):
            at = () if one is None else (one[0],)
            to = () if other is None else (other[0],)
            if not (taken.source.isdisjoint(at) and taken.target.isdisjoint(to)):
                continue
            weight = cost(None if one is None else one[1], None if other is None else other[1])
            if weight and (one is None or other is None):
                reading, place = (diff.target, other) if one is None else (diff.source, one)
                assert place is not None
                if any(same(c, place[1]) and 0 < abs(t - place[0]) <= 3 for t, c in of(reading)):
                    continue  # said twice: each and every
            what = f"another {noun}" if at and to else f"{noun} lost" if at else f"{noun} added"
            if weight >= _LEAST:
                found.append(_reason(diff, kind, what, at, to, weight))
            if weight:
                taken.add(at, to)
        return found

    return detect


_LEAST = 0.1

_quantifiers = _classes(
    "quantifier",
    "quantity",
    lambda r: [(i, e.quantity) for i, e in enumerate(r.entries) if e.quantity],
    quantity_cost,
)
_modality = _classes("modality", "modality", lambda r: r.modals, modal_cost)
_connectives = _classes(
    "connective",
    "connective",
    lambda r: [(i, e.links) for i, e in enumerate(r.entries) if e.links],
    link_cost,
    lambda x, y: bool(x & y),
)


def _pronouns(diff: Comparison, taken: _Taken) -> list[Reason]:
    a, b = diff.source, diff.target
    left, right = _unbalanced(
        diff,
        [(i, e.person) for i, e in enumerate(a.entries) if e.person],
        [(j, e.person) for j, e in enumerate(b.entries) if e.person],
        lambda x, y: bool(x == y),
    )
    found = []
    for one, other in _couples(diff, left, right):
        if one is not None and other is not None:
            weight = person_cost(one[1], other[1])
            if weight >= _LEAST:
                found.append(_reason(diff, "pronoun", "another person", (one[0],), (other[0],), weight))
                taken.add((one[0],), (other[0],))
        elif one is not None and one[1] in _PERSONS:
            found.append(_reason(diff, "pronoun", "pronoun lost", (one[0],), (), 0.2))
        elif other is not None and other[1] in _PERSONS:
            found.append(_reason(diff, "pronoun", "pronoun added", (), (other[0],), 0.2))
    return found


_PERSONS = frozenset(("i", "we", "you", "he", "she", "they"))


def _directions(diff: Comparison, taken: _Taken) -> list[Reason]:
    a, b = diff.source, diff.target
    found = []
    new = [j for j in diff.new if b.entries[j].opposed and j not in taken.target]
    for i in diff.gone:
        if i in taken.source:
            continue
        against = a.entries[i].opposed
        for j in new if against else ():
            weight = against.get(b.words[j])
            if weight and (diff.to[i] == j or _same_place(diff, i, j)):
                found.append(_reason(diff, "direction", "turned round", (i,), (j,), weight))
                taken.add((i,), (j,))
                new.remove(j)
                break
    return found


def _same_place(diff: Comparison, i: int, j: int) -> bool:
    return any(i in group.source and j in group.target for group in diff.groups)


def _question(diff: Comparison, taken: _Taken) -> list[Reason]:
    mine, theirs = diff.source.asks, diff.target.asks
    if abs(mine - theirs) < 0.5 or {mine, theirs} == {0.5, 1.0}:
        return []
    weight = 0.7 if abs(mine - theirs) == 1 else 0.25
    marks = [i for i in diff.gone if diff.source.words[i] == "?"], [j for j in diff.new if diff.target.words[j] == "?"]
    what = "the question is gone" if mine > theirs else "a question now"
    return [_reason(diff, "question", what, *marks, weight)]


def _tenses(diff: Comparison, taken: _Taken) -> list[Reason]:
    """Verbs whose time changed; lighter where the source shows that the writer does not master it."""
    a, b = diff.source, diff.target
    doubtful = bool(diff.respelled) or "bare" in a.tenses.values() or "bare" in b.tenses.values()
    found = []
    for i, time in a.tenses.items():
        j = diff.partner.get(i, -1)
        if j < 0 and diff.to[i] >= 0 and a.entries[i].is_auxiliary and b.entries[diff.to[i]].is_auxiliary:
            j = diff.to[i]
        other = b.tenses.get(j, "")
        if not other or time == other or (a.entries[i].is_be and not b.entries[j].is_be):
            continue
        weight = _TENSE_COSTS.get(frozenset((time, other)), 0.0)
        others = {t for k, t in a.tenses.items() if k != i}
        if doubtful or other in others:  # made to agree with the other verbs
            weight *= 0.5
        if any(word in cues and word in b.words for cues in (_CUES.get(other, ()),) for word in a.words):
            weight *= 0.4
        if weight >= _LEAST:
            found.append(_reason(diff, "tense", f"{time} became {other}", (i,), (j,), weight))
    return found


_CUES = {
    "past": ("yesterday", "ago", "last", "formerly", "once"),
    "future": ("tomorrow", "next", "soon"),
    "perfect": ("since", "already", "yet", "recently"),
    "present": ("now", "nowadays", "today", "currently", "usually", "every"),
}
_TENSE_COSTS = {
    frozenset(("past", "present")): 0.4,
    frozenset(("past", "future")): 0.55,
    frozenset(("present", "future")): 0.4,
    frozenset(("perfect", "future")): 0.5,
    frozenset(("perfect", "present")): 0.25,
    frozenset(("past", "perfect")): 0.15,
    frozenset(("past", "bare")): 0.15,
    frozenset(("future", "bare")): 0.3,
}


# -- content words ---------------------------------------------------------------------------------------------------


def _words(diff: Comparison, taken: _Taken) -> list[Reason]:
    found = []
    for m, (kind, weight) in zip(diff.matches, word_costs(diff), strict=True):
        if m.source in taken.source or m.target in taken.target:
            continue
        if weight >= _LEAST:
            found.append(_reason(diff, kind, _WORD_TEXTS[kind], (m.source,), (m.target,), weight))
    return found


_WORD_TEXTS = {
    "opposite": "the opposite",
    "sense": "may mean something else",
    "unrelated": "something unrelated",
    "modality": "another certainty",
}


def word_costs(diff: Comparison) -> list[tuple[str, float]]:
    """For each pair of content words the kind of reason that it would give, and its weight: 0 for forms, spellings."""
    return [_word_cost(diff, m) for m in diff.matches]


def _word_cost(diff: Comparison, m: Match) -> tuple[str, float]:
    what, r = lexical_relation(m), m.relation
    if what in ("spelling", "form"):
        return "sense", 0.0
    x, y = diff.source.entries[m.source], diff.target.entries[m.target]
    if x.is_light and y.is_light:  # come, go; take, give: which of them is said is often a matter of idiom
        return ("opposite", 0.35) if what == "opposite" else ("sense", 0.15)
    if x.evidence and y.evidence and x.evidence != y.evidence:  # suggest, prove
        return "modality", 0.55
    if what == "opposite":
        return "opposite", 0.9 if r.antonym == "direct" else 0.65
    if what in ("unrelated", "unknown"):
        weight = 0.75 - 0.3 * r.lin
        if what == "unknown":  # a word that nobody knows is worse in the changed sentence
            weight = 0.65 if x.word.known and not y.word.known else 0.5
        if m.chars >= 0.75 or _same_stem(x.form, y.form):  # real words are misspelt too
            weight = min(weight, 0.35)
        elif m.chars >= 0.6:
            weight = min(weight, 0.5)
        elif x.is_light or y.is_light:
            weight = min(weight, 0.45)
        elif x.is_degree and y.is_degree:
            weight = 0.2
        weight *= _by_vectors(diff, m)
        return ("unrelated" if weight >= 0.5 else "sense"), weight
    if what == "synonym":
        weight = 0.02 + (0.1 if r.derived else 0.4) * (1.0 - min(r.share_a, r.share_b) ** 0.5)
    elif what == "broader":
        weight = min(0.15 + 0.05 * r.hypernym, 0.4)
    elif what == "narrower":
        weight = min(0.35 - 0.05 * r.hypernym, 0.6)
    else:
        weight = {"derived": 0.1, "similar": 0.3, "sibling": 0.5, "related": 0.5}[what]
    return "sense", weight * _by_vectors(diff, m)


def _same_stem(x: str, y: str) -> bool:
    """Whether two words share a stretch of five letters or more that is two thirds of the shorter."""
    short, long = sorted((x, y), key=len)
    size = max(5, -(-2 * len(short) // 3))
    return any(short[k : k + size] in long for k in range(len(short) - size + 1))


def _by_vectors(diff: Comparison, m: Match) -> float:
    """How a weight is changed by what the encoder says of the words, and of those beside them.

    A tenth for each 0.1 that the cosine of the words is off a usual 0.7, and a seventh for each 0.1 that the cosines of
    the nearest kept words with themselves are off a usual 0.95; from 0.6 to 1.3.
    """
    if diff.cosines is None:
        return 1.0
    change = 0.7 - m.cosine
    near = [
        diff.cosine(i, m.target + i - m.source)
        for i in (m.source - 2, m.source - 1, m.source + 1, m.source + 2)
        if i in diff.kept_source and diff.to[i] == m.target + i - m.source
    ]
    if near:
        change += 1.5 * (0.95 - sum(near) / len(near))
    return min(1.3, max(0.6, 1.0 + change))


# -- units -----------------------------------------------------------------------------------------------------------


def _units(diff: Comparison, taken: _Taken) -> list[Reason]:
    return [
        *_lost(diff, diff.source, diff.lost, taken.source, "lost"),
        *_lost(diff, diff.target, diff.added, taken.target, "added"),
    ]


def _lost(diff: Comparison, reading: SentenceView, positions: list[int], taken: set[int], verb: str) -> list[Reason]:
    """Reasons for content words that nothing stands for, unit by unit: the largest that nothing is left of."""
    side = int(verb == "added")
    other_words = (diff.source if side else diff.target).words
    rephrased = diff.rephrased[side]
    found = []
    left = []
    for i in positions:
        if i in taken:
            continue
        other = diff.stand_in(side, i)
        if other is None:
            left.append(i)
        else:
            pair = (i, other) if verb == "lost" else (other, i)
            found.append(_reason(diff, "sense", _WORD_TEXTS["sense"], pair[:1], pair[1:], 0.3))
    if not left:
        return found
    graph = reading.graph
    mask = 0
    for i in positions:
        mask |= 1 << i
    content = 0
    for i in reading.content:
        content |= 1 << i
    units: dict[int, list[int]] = {}
    for i in left:
        u = reading.holder[i]
        while reading.parents[u] > 0 and not graph.yields[reading.parents[u]] & content & ~mask:
            u = reading.parents[u]
        units.setdefault(u, []).append(i)
    for u, inside in units.items():
        category = reading.categories[u]
        says = max(float(reading.weights[i]) for i in inside)
        beside = graph.children(reading.parents[u], remote=False) if u else ()
        whole = any(edge.categories[0] == "N" for edge in beside)  # one of several that are listed
        if all(reading.entries[i].is_light or reading.entries[i].is_degree for i in inside):
            kind, weight = ("adverbial" if category in ("D", "T") else "modifier"), 0.15
        elif category == "E" and len(inside) == 1:
            kind, weight = "modifier", 0.2 + 0.4 * says
        elif reading.is_scene[u] or category == "H":
            kind, weight = "scene", 0.45 + 0.4 * says
        elif category in ("P", "S") or (category == "C" and whole and reading.categories[reading.parents[u]] in "PS"):
            kind, weight = "scene", 0.3 + 0.4 * says
        elif category == "A":
            kind, weight = "participant", 0.35 + 0.4 * says
        elif category in ("D", "T", "G"):
            kind, weight = "adverbial", 0.25 + 0.4 * says
        elif category == "C" and whole:
            kind, weight = "participant", 0.25 + 0.4 * says
        else:
            kind, weight = "modifier", 0.2 + 0.4 * says
        if not rephrased.isdisjoint(inside):
            weight *= 0.7
        if all(_said_elsewhere(reading, other_words, i) for i in inside):
            weight *= 0.4
        weight *= _missed(diff, side, inside)
        words = graph.text(u) if len(reading.words) else ""
        places = tuple(inside)
        at, to = (places, ()) if verb == "lost" else ((), places)
        found.append(
            Reason(
                f"{kind}-{verb}",
                f"{verb}: {_words_of(reading, places)}",
                at,
                to,
                (f"{category}: {words}",),
                _round(weight),
            )
        )
    return found


def _missed(diff: Comparison, side: int, inside: Sequence[int]) -> float:
    """How a weight is changed by what the encoder says of lost words: how near the other sentence comes to them.

    Half a tenth for each 0.1 that the best cosine is off a usual 0.6, and a quarter for each 0.1 that the cosine of the
    sentences' content is off 0.93, so that a word counts for less in a long sentence; from 0.6 to 1.3.
    """
    a, b = diff.source.means, diff.target.means
    if diff.cosines is None or a is None or b is None:
        return 1.0
    places = list(inside)
    cosines = diff.cosines[:, places] if side else diff.cosines[places].T
    best = float(cosines.max(axis=0).min())
    return min(1.3, max(0.6, 1.0 + 0.5 * (0.6 - best) + 2.5 * (0.93 - float(a[1] @ b[1]))))


def _said_elsewhere(reading: SentenceView, other: Sequence[str], i: int) -> bool:
    """Whether a lost word is in the other sentence for all that, or a word beside it says the same or more."""
    word = reading.words[i]
    if word in other:
        return True
    lemmas = reading.entries[i].word.lemmas
    if lemmas and any(not lemmas.isdisjoint(entry(o).word.lemmas) for o in other if len(o) > 2):
        return True
    for k in range(max(0, i - 4), min(len(reading.words), i + 5)):
        if k != i and reading.is_content[k] and reading.words[k] in other:
            r = relation(word, reading.words[k])
            if (r.synonym and min(r.share_a, r.share_b) >= 0.05) or r.derived or r.similar:
                return True
    return False


# -- roles, scope, attachment ------------------------------------------------------------------------------------------


def _swapped(diff: Comparison, taken: _Taken) -> list[Reason]:
    """Two participants that have changed places around a verb, a preposition or a link that has kept its own.

    An active sentence made passive changes the order and not the roles, and the other way round; so both are compared.
    """
    a, b = diff.source, diff.target
    if diff.in_order and not (a.passives or b.passives or any(a.entries[i].person for i in diff.gone)):
        return []
    who = _participants(diff)
    if len(who) < 2:
        return []
    crossing = [(one, other) for x, one in enumerate(who) for other in who[x + 1 :] if other[1] < one[1]]
    if not crossing and not a.passives and not b.passives:
        return []
    pivots = [
        (i, j)
        for i, j in sorted(diff.partner.items())
        if (i in a.verbs and a.is_content[i]) or a.entries[i].is_preposition or a.entries[i].links
    ]
    for (i, j), (k, m) in crossing:
        for p, q in pivots:
            if _exchanged(diff, i, j, k, m, p, q):
                return [_changed_places(diff, (i, k), (j, m), 0.85)]
    for p, q in pivots:
        if p in a.verbs and (p in a.passives) != (q in b.passives):
            for x, (i, j) in enumerate(who):
                for k, m in who[x + 1 :]:
                    if i < p < k and j < q < m and _turned(diff, i, j, k, m, p, q):
                        return [_changed_places(diff, (i, k), (j, m), 0.8)]
    return []


def _changed_places(diff: Comparison, at: tuple[int, int], to: tuple[int, int], weight: float) -> Reason:
    who, whom = (diff.source.tokens[i] for i in at)
    text = f"{who} and {whom} have changed places"
    return replace(_reason(diff, "roles-swapped", "", at, to, weight), text=text)


def _participants(diff: Comparison) -> list[tuple[int, int]]:
    """The nouns, names and pronouns of the source, each with what stands for it in the target."""
    a, b = diff.source, diff.target
    found = []
    for i, j in diff.partner.items():
        e = a.entries[i]
        if i in a.verbs or (e.is_function and not e.person):
            continue
        if e.person or not e.word.known or e.word.parts.get("n", 0.0) >= 0.2 or i in a.names:
            found.append((i, j))
    left = [(i, a.entries[i].person) for i in diff.gone if a.entries[i].person]
    right = [(j, b.entries[j].person) for j in diff.new if b.entries[j].person]
    for i, person in left:
        for j, other in right:
            if person == other:
                found.append((i, j))
                right.remove((j, other))
                break
    return sorted(found)


def _exchanged(diff: Comparison, i: int, j: int, k: int, m: int, p: int, q: int) -> bool:
    """Whether ``i … p … k`` became ``m … q … j`` (i to j, k to m, p to q) with the roles of i and k exchanged."""
    a, b = diff.source, diff.target
    e = a.entries[p]
    if not (i < p < k and m < q < j):
        # if x, y → if y, x
        return bool(
            e.links
            and not e.links & {"and", "or", "but"}
            and p < i
            and q < m
            and p == _clause_start(a, i)
            and q == _clause_start(b, m)
            and "," in a.words[i:k]
            and "," in b.words[m:j]
        )
    here, there = a.governors, b.governors
    if p in a.verbs:
        return (
            not here[i]
            and not there[m]
            and here[k] == there[j]
            and (p in a.passives) == (q in b.passives)
            and not _cut(a, i, k, p)
            and not _cut(b, m, j, q)
        )
    if e.is_preposition and e.form not in ("with", "like"):
        return (
            here[k] == e.form == there[j]
            and here[i] == there[m] != e.form
            and not _cut(a, i, k, p)
            and not _cut(b, m, j, q)
            and (i not in a.verbs)
        )
    return bool(e.links and not e.links & {"and", "or", "but"}) and _near(a, p, k) and _near(b, q, j)


def _turned(diff: Comparison, i: int, j: int, k: int, m: int, p: int, q: int) -> bool:
    """Whether the voice changed though who stands before and behind the verb did not."""
    a, b = diff.source, diff.target
    passive = p in a.passives
    if a.governors[i] or b.governors[j]:
        return False
    if _cut(a, i, k, p) or _cut(b, j, m, q):
        return False
    by, bare = (a.governors[k], b.governors[m]) if passive else (b.governors[m], a.governors[k])
    return by == "by" and not bare


def _cut(reading: SentenceView, i: int, k: int, p: int) -> bool:
    """Whether another verb, a link or a mark stands between two words, so that they are not of one clause."""
    for t in range(i + 1, k):
        e = reading.entries[t]
        if t != p and ((e.links and t != p) or not e.is_word or (t in reading.verbs and e.is_content)):
            return True
    return False


def _near(reading: SentenceView, p: int, k: int) -> bool:
    """Whether a word is the first of its kind behind a link."""
    return all(not reading.is_content[t] or t in reading.verbs for t in range(p + 1, k))


def _clause_start(reading: SentenceView, i: int) -> int:
    """The last link before a token in the same clause, -1 if there is none."""
    for t in range(i - 1, -1, -1):
        if reading.words[t] == ",":
            return -1
        if reading.entries[t].links:
            return t
    return -1


def _scopes(diff: Comparison, taken: _Taken) -> list[Reason]:
    """Words such as *not*, *only* and *often* that are kept and are about another word."""
    a, b = diff.source, diff.target
    found = []
    back: dict[int, int] = {}
    moved = set(diff.moved)
    for i, j in diff.kept:
        e = a.entries[i]
        if not e.is_focus or (e.modal and (i, j) not in moved):
            continue
        back = back or {y: x for x, y in diff.partner.items()}
        if (i, j) in moved and a.scene[i] and b.scene[j]:
            # Another verb has it now.
            here, there = a.heads.get(a.scene[i], frozenset()), b.heads.get(b.scene[j], frozenset())
            mapped = {diff.partner[h] for h in here if h in diff.partner}
            if mapped and there and mapped.isdisjoint(there) and there & back.keys():
                found.append(_reason(diff, "scope", "about something else", (i, *here), (j, *there), 0.6))
                continue
        if not (e.negation or e.quantity in ("only", "almost") or e.form in ("even", "just")):
            continue
        host, other = _host(a, i), _host(b, j)
        if host < 0 or other < 0 or diff.partner.get(host, other) == other or other not in back:
            continue
        if not (back[other] < i or diff.partner[host] < j) and (host > i + 1 or other > j + 1):
            continue
        if e.negation or (host in a.verbs) == (other in b.verbs):
            weight = 0.6
        else:  # only eats fish, eats only fish: only before a verb may be about what follows
            verb, word = (host, back[other]) if host in a.verbs else (back[other], host)
            weight = 0.25 if word > verb and e.quantity == "only" else 0.5
        found.append(_reason(diff, "scope", "about something else", (i, host), (j, other), weight))
    return found


def _host(reading: SentenceView, i: int) -> int:
    """The word that a *not* or *only* is about: the next content word or quantifier, -1 for none in the clause."""
    for t in range(i + 1, len(reading.words)):
        e = reading.entries[t]
        if reading.is_content[t] or e.person or e.quantity in ("all", "most", "both", "many"):
            return t
        if not e.is_word:
            return -1
    return -1


def _attachments(diff: Comparison, taken: _Taken) -> list[Reason]:
    """Units that were moved and belong to another head."""
    a, b = diff.source, diff.target
    found = []
    back = set(diff.partner.values())
    for run in _moves(diff):
        inside, outside = {i for i, _ in run}, {j for _, j in run}
        if not any(a.is_content[i] for i in inside):
            continue
        there = _heads(b, outside)
        mapped = {diff.partner[h] for h in _heads(a, inside) if h in diff.partner}
        if not (mapped and there & back):
            continue
        weight = 0.0
        if not mapped & there:
            # Where nothing else was touched, a move was meant; correctors move what they mend.
            weight = 0.4 if diff.lost or diff.added or diff.respelled else 0.55
        elif mapped != there:
            weight = 0.3
        if weight:
            found.append(_reason(diff, "attachment", "belongs to something else", inside, outside, weight))
    return found


def _moves(diff: Comparison) -> list[list[tuple[int, int]]]:
    """The kept words that were moved, neighbours together."""
    runs: list[list[tuple[int, int]]] = []
    for i, j in diff.moved:
        if runs and runs[-1][-1] == (i - 1, j - 1):
            runs[-1].append((i, j))
        else:
            runs.append([(i, j)])
    return runs


def _heads(reading: SentenceView, inside: set[int]) -> set[int]:
    """The content words of the head of what a run of words belongs to: the center or main relation beside it."""
    graph = reading.graph
    mask = 0
    for t in inside:
        mask |= 1 << t
    content = 0
    for t in reading.content:
        content |= 1 << t
    u = reading.holder[max(inside, key=lambda t: (reading.is_content[t], -t))]
    while u and not graph.yields[u] & content & ~mask:
        u = reading.parents[u]
    if u and not reading.is_scene[u]:
        above = reading.scene[min(inside)]
        if reading.categories[u] not in ("A", "E", "C", "H") and reading.heads.get(above):
            return set(reading.heads[above])
    for wanted in (("C",), ("P", "S")):
        for edge in graph.children(u, remote=False):
            if edge.categories[0] in wanted:
                heads = set(bits(graph.yields[edge.child] & content & ~mask))
                if heads:
                    return heads
    return set()


def _categories(diff: Comparison, taken: _Taken) -> list[Reason]:
    """Units of the same words that are in another category, where the difference says something."""
    a, b = diff.source, diff.target
    to = None
    found = []
    if diff.score.s2r.recall == 1:
        return []
    for edge in diff.score.unmatched_source:
        category = edge.categories[0]
        if edge.is_remote or category not in ("A", "P", "S", "D", "T", "H"):
            continue
        covered = a.graph.yields[edge.child]
        places = tuple(bits(covered))
        if not places or any(i not in diff.kept_source for i in places):
            continue
        if not any(a.is_content[i] for i in places):
            continue
        if to is None:
            to = diff.score.nodes.to_output
        partner = int(to[edge.child])
        if partner <= 0 or b.categories[partner] == category:
            continue
        there = tuple(bits(b.graph.yields[partner]))
        if {diff.to[i] for i in places} != set(there):
            continue
        other = b.categories[partner]
        units = (f"{category}: {a.graph.text(edge.child)}", f"{other}: {b.graph.text(partner)}")
        text = f"{category} became {other}: {_words_of(a, places)}"
        found.append(Reason("category", text, places, there, units, 0.15))
    return found


_DETECTORS: tuple[Callable[[Comparison, _Taken], list[Reason]], ...] = (
    _negation,
    _numbers,
    _names,
    _directions,
    _quantifiers,
    _modality,
    _connectives,
    _pronouns,
    _question,
    _words,
    _tenses,
    _units,
    _swapped,
    _scopes,
    _attachments,
    _categories,
)


# -- wording ---------------------------------------------------------------------------------------------------------


def _reason(
    diff: Comparison, kind: str, what: str, source: Iterable[int], target: Iterable[int], weight: float
) -> Reason:
    at, to = tuple(sorted(source)), tuple(sorted(target))
    here, there = _words_of(diff.source, at), _words_of(diff.target, to)
    words = f"{here} → {there}" if here and there else here or there
    units = dict.fromkeys(
        f"{reading.categories[u]}: {reading.graph.text(u)}"
        for reading, places in ((diff.source, at), (diff.target, to))
        for u in dict.fromkeys(reading.member[i] for i in places)
        if u
    )
    return Reason(kind, f"{what}: {words}" if words else what, at, to, tuple(units), _round(weight))


def _words_of(reading: SentenceView, places: Sequence[int]) -> str:
    return " ".join(reading.tokens[i] for i in places)


def _round(weight: float) -> float:
    return round(min(1.0, max(0.0, weight)), 3)
