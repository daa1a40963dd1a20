"""The ledger of a pair: the facts of either text, matched, with what became of them."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import replace
from functools import cache
from operator import attrgetter
from typing import NamedTuple

from msgspec import structs
from rapidfuzz.distance import Indel

from usim.compare._ledger.amounts import Amount, is_exact, same_amount, written_digits
from usim.compare._ledger.entry import Entry, Ledger, Status
from usim.compare._ledger.recast import TELLING, recast
from usim.compare._ledger.side import Side
from usim.compare._reasons.amounts import half_of_number
from usim.compare._sentence import SentenceView
from usim.lexicon import word_info
from usim.lexicon.commitments import Cue, cue_words
from usim.lexicon.quantities import MEASURES
from usim.lexicon.topics import CALENDAR_CLASSES, half_of_day

#: Names that begin with the same letters may be forms of one: *Lindberg*, *Lindbergs*.
_SAME_LETTERS = 4
#: From this similarity of letters on, a word may be another spelling of another.
_SAME_SPELLING = 0.75
#: Endings of words that are made from the name of a place.
_OF_PLACES = ("ish", "an", "ese", "ic", "ch", "i", "ans", "s")
_LONGEST_SHORT_FORM = 5
#: Classes of bounds, of dates and of ways that cannot both be true of one thing.
_CONFLICTS = {
    "bound": ({"least", "most"}, {"over", "under"}, {"least", "under"}, {"most", "over"}),
    "when": ({"before", "after"},),
    "way": ({"from", "to"},),
}
#: Words that name no person, place or thing where they stand in capitals.
_TITLES = frozenset("mr mrs ms dr prof sir madam dear hi hello hey i mum dad".split())
#: Words for several days of the week.
_WEEKS = re.compile(r"\b(?:week-?(?:end|day)|workday|working day|quarter)", re.IGNORECASE)
#: What a bound behind its number begins with.
_BEHIND = frozenset("or and at minimum maximum".split())
#: Words that turn round what is said, as a negation does.
_TURNING = frozenset("only fail fails failed failing otherwise unless less smaller larger longer".split())
_BEFORE = frozenset("before prior ahead beforehand earlier".split())

Places = tuple[int, ...]
#: A token of the source, one of the output that is like it, and their cosine.
SoftLink = tuple[int, int, float]


class FactAt(NamedTuple):
    """A fact of one text: its tokens, and whether its loss would be certain."""

    places: Places
    is_hard: bool


def build_ledger(
    source: SentenceView,
    target: SentenceView,
    alignment: Iterable[tuple[int, int]],
    soft: Iterable[SoftLink] | None = None,
) -> Ledger:
    """Return the facts of two texts, matched.

    Args:
        source, target: the texts.
        alignment: the tokens of the source with those of the target that stand for them.
        soft: further tokens that are most alike, each with their cosine (:attr:`usim.judge.Judgement.soft_links`);
            None where that is not known: then no loss of a clause is certain.
    """
    links = {(int(i), int(j)) for i, j in alignment} | {(i, j) for i, j, _ in soft or ()}
    is_soft = soft is not None
    a, b = Side(source, _grouped(links), is_soft), Side(target, _grouped((j, i) for i, j in links), is_soft)
    changed = _changed(source, target)
    entries = [entry for find in _KINDS for entry in find(a, b)]
    for kind, at, to, is_certain in recast(a, b, changed):
        status: Status = "changed" if at and to else "lost" if at else "added"
        entries.append(_entry(a, b, kind, status, at, to, is_certain=is_certain))
    confirmed = (_confirmed(a, b, entry, changed) for entry in entries)
    ledger = Ledger(tuple(sorted(_distinct(confirmed), key=_order)))
    known = [{i for entry in ledger.findings for i in places(entry)} for places in _SIDES]
    is_all = bool(ledger.findings) and changed[0] <= known[0] and changed[1] <= known[1]
    return replace(ledger, is_all=is_all and not _is_turned_round(a.view, b.view))


#: What is certainly lost where nothing else of the texts changed: no other words of theirs can say it then.
_TELLING_ALONE = frozenset(("condition", "exception", "attribution", "possibility", "focus", "intent"))
#: What is certainly another then: small numbers, too, which are said in many ways otherwise.
_CHANGED_ALONE = frozenset(("number", "date", "time", "possibility"))
_COMPARING = frozenset("than as before after".split())
_SIDES = attrgetter("source"), attrgetter("target")
#: Words of these kinds whose loss says little: *could* is also a past form, *even* gives weight.
_LITTLE = frozenset(("could", "even"))


def _changed(a: SentenceView, b: SentenceView) -> tuple[frozenset[int], frozenset[int]]:
    """Return the words of either text that the other lacks in their places, but for other forms of one word."""
    gone: list[int] = []
    new: list[int] = []
    for edit in Indel.opcodes(a.words, b.words):
        if edit.tag != "equal":
            gone += (i for i in range(edit.src_start, edit.src_end) if _is_word(a.words[i]))
            new += (j for j in range(edit.dest_start, edit.dest_end) if _is_word(b.words[j]))
    lemmas = {lemma for i in gone for lemma in _lemmas(a, i)} & {lemma for j in new for lemma in _lemmas(b, j)}
    return (
        frozenset(i for i in gone if lemmas.isdisjoint(_lemmas(a, i))),
        frozenset(j for j in new if lemmas.isdisjoint(_lemmas(b, j))),
    )


def _is_turned_round(a: SentenceView, b: SentenceView) -> bool:
    """Return whether a comparison has its words in another order: *half as much as* says *twice as much* then."""
    if _COMPARING.isdisjoint(a.vocabulary & b.vocabulary):
        return False
    common = a.vocabulary & b.vocabulary
    left, right = ([view.words[i] for i in view.content if view.words[i] in common] for view in (a, b))
    return left != right


def _covers(entry: Entry, changed: tuple[frozenset[int], frozenset[int]]) -> bool:
    """Return whether an entry is about all words that changed."""
    return any(changed) and changed[0].issubset(entry.source) and changed[1].issubset(entry.target)


def _confirmed(a: Side, b: Side, entry: Entry, changed: tuple[frozenset[int], frozenset[int]]) -> Entry:
    """Return an entry; of certainty, where it is about all that changed.

    Where all that changed is one stretch, which begins with a condition or an exception, that is the whole of it.
    """
    kinds = _CHANGED_ALONE if entry.status == "changed" else _TELLING_ALONE if entry.status != "kept" else frozenset()
    if entry.kind not in kinds:
        return entry
    if entry.kind in _HARD and entry.status in ("lost", "added"):
        side, places, own = (a, entry.source, changed[0]) if entry.source else (b, entry.target, changed[1])
        stretch = range(places[0], max(own, default=-1) + 1)
        if any(changed) and own == {i for i in stretch if _is_word(side.view.words[i])}:
            whole = tuple(range(places[0], max(stretch.stop, places[-1] + 1)))
            at = (whole, ()) if entry.source else ((), whole)
            entry = _entry(a, b, entry.kind, entry.status, *at)
    if not _covers(entry, changed):
        return entry
    first = (entry.old or entry.new).lower().split()[0]
    return entry if first in _LITTLE else structs.replace(entry, is_certain=True)


def _is_word(token: str) -> bool:
    return any(map(str.isalnum, token)) and token not in ("to", "that", "and", "both")


def may_differ(source: SentenceView, target: SentenceView) -> bool:
    """Return whether some word of one text alone may make a fact certain, which is quickly seen; most edits have none.

    Texts of the same words in another order may differ in the bounds and directions of their facts.
    """
    if source.vocabulary == target.vocabulary:
        return source.words != target.words
    changed = source.vocabulary ^ target.vocabulary
    if not TELLING.isdisjoint(source.vocabulary | target.vocabulary):
        return True
    names = {view.words[i] for view in (source, target) for i in view.names}
    return any(word in names or _is_telling(word) for word in changed)


def _is_telling(word: str) -> bool:
    """Return whether a form may be part of a certain fact."""
    entry = word_info(word)
    kinds = entry.counts or entry.negation or entry.modal or entry.quantity or entry.opposed or entry.evidence
    return bool(kinds or word in MEASURES or half_of_day(word) or word in CALENDAR_CLASSES or word in _told_by())


@cache
def _told_by() -> frozenset[str]:
    """Return the words of the phrases that make a fact certain."""
    return cue_words("bound", "when", "way", "condition", "negation")


def _order(entry: Entry) -> tuple[bool, Places, Places, str]:
    return not entry.source, entry.source, entry.target, entry.kind


def _distinct(entries: Iterable[Entry]) -> Iterator[Entry]:
    """Yield the entries, those of certainty first, without guesses about words that a certain entry is about."""
    known: tuple[set[int], set[int]] = (set(), set())
    for entry in sorted(entries, key=lambda entry: not entry.is_certain):
        is_known = known[0].issuperset(entry.source) and known[1].issuperset(entry.target)
        if entry.is_certain or entry.status == "kept" or not is_known:
            yield entry
        if entry.is_certain and entry.status != "kept":
            known[0].update(entry.source)
            known[1].update(entry.target)


def _grouped(links: Iterable[tuple[int, int]]) -> dict[int, frozenset[int]]:
    grouped: dict[int, set[int]] = {}
    for i, j in links:
        grouped.setdefault(i, set()).add(j)
    return {i: frozenset(others) for i, others in grouped.items()}


def _entry(
    a: Side, b: Side, kind: str, status: Status, source: Places, target: Places, *, is_certain: bool = False
) -> Entry:
    return Entry(kind, status, a.view.written(source), b.view.written(target), source, target, is_certain)


def _settle(a: Side, b: Side, kind: str, gone: Sequence[FactAt], new: Sequence[FactAt]) -> Iterator[Entry]:
    """Yield what became of facts without an equal: changed where both texts have one, the nearest ones together.

    Of words that one text may only have misspelt nothing is certain.
    """
    gone, new = (
        [fact._replace(is_hard=fact.is_hard and not _is_respelled(view, fact.places, other)) for fact in facts]
        for facts, view, other in ((gone, a.view, b.view), (new, b.view, a.view))
    )
    pairs = _assign(a, [fact.places for fact in gone], [fact.places for fact in new])
    for i, j in pairs:
        is_certain = gone[i].is_hard and new[j].is_hard
        yield _entry(a, b, kind, "changed", gone[i].places, new[j].places, is_certain=is_certain)
    lost, added = {i for i, _ in pairs}, {j for _, j in pairs}
    for i, fact in enumerate(gone):
        if i not in lost:
            yield _entry(a, b, kind, "lost", fact.places, (), is_certain=fact.is_hard)
    for j, fact in enumerate(new):
        if j not in added:
            yield _entry(a, b, kind, "added", (), fact.places, is_certain=fact.is_hard)


def _is_respelled(view: SentenceView, places: Places, other: SentenceView) -> bool:
    """Return whether a word has another much like it in the other text, and one of the two is in no dictionary."""
    return any(
        not (view.entries[i].word.known and other.entries[j].word.known)
        and view.words[i] != other.words[j]
        and view.words[i].isalpha()
        and len(view.words[i]) >= _SAME_LETTERS
        and Indel.normalized_similarity(view.words[i], other.words[j]) >= _SAME_SPELLING
        for i in places
        for j in range(len(other.words))
    )


def _assign(a: Side, gone: Sequence[Places], new: Sequence[Places]) -> list[tuple[int, int]]:
    """Return which of the first facts gave way to which of the second: the assignment with most counterparts."""
    if not gone or not new:
        return []
    if len(gone) == len(new) == 1:
        return [(0, 0)]
    from scipy.optimize import linear_sum_assignment  # slow to import, and few pairs need it

    cost = [[_distance(a, source, target) for target in new] for source in gone]
    rows, columns = linear_sum_assignment(cost)
    return [(int(i), int(j)) for i, j in zip(rows, columns, strict=True)]


def _distance(a: Side, source: Places, target: Places) -> float:
    """Return how far facts are from each other, by the counterparts of the words around the first one."""
    near = range(max(0, source[0] - 3), min(len(a.view.words), source[-1] + 4))
    places = [j for i in near for j in a.links.get(i, ())]
    return min((abs(j - target[0]) for j in places), default=len(a.view.words))


# -- numbers, units, times, dates ------------------------------------------------------------------------------------


def _numbers(a: Side, b: Side) -> Iterator[Entry]:
    left, right = a.amounts, b.amounts
    pairs = _equal(left, right, lambda x, y: _is_same_as_written(a.view, b.view, x, y))
    pairs += _equal(
        [x for x in left if all(x is not p for p, _ in pairs)], [y for y in right if all(y is not q for _, q in pairs)],
        same_amount,
    )  # fmt: skip
    for x, y in pairs:
        if (other := _other_meaning(a.view, b.view, x, y)) is None:
            yield _entry(a, b, x.kind if x.kind == y.kind else "number", "kept", x.places, y.places)
        else:
            yield _entry(a, b, other, "changed", x.places, y.places, is_certain=True)
    gone = [x for x in left if all(x is not p for p, _ in pairs) and not _is_said(a.view, x, right, b.digits)]
    new = [y for y in right if all(y is not q for _, q in pairs) and not _is_said(b.view, y, left, a.digits)]
    facts = [
        [FactAt(amount.places, is_exact(view, amount)) for amount in amounts]
        for view, amounts in ((a.view, gone), (b.view, new))
    ]
    yield from _settle(a, b, "number", *facts)


def _equal(
    left: Sequence[Amount], right: Sequence[Amount], same: Callable[[Amount, Amount], bool]
) -> list[tuple[Amount, Amount]]:
    rest, pairs = list(right), []
    for x in left:
        y = next((y for y in rest if same(x, y)), None)
        if y is not None:
            rest.remove(y)
            pairs.append((x, y))
    return pairs


def _is_same_as_written(a: SentenceView, b: SentenceView, x: Amount, y: Amount) -> bool:
    return same_amount(x, y) and _other_meaning(a, b, x, y) is None


def _other_meaning(a: SentenceView, b: SentenceView, x: Amount, y: Amount) -> str | None:
    """Return what of two equal numbers differs: the ``unit`` or the half of the day (``time``); None if nothing."""
    if x.quantity and y.quantity and not x.quantity.equals(y.quantity):
        measures = x.quantity.measure, y.quantity.measure
        is_clear = not any(measure.is_ambiguous for measure in measures) and x.number.value == y.number.value
        is_counted = not {a.words[x.places[0]], b.words[y.places[0]]} & {"a", "an"}
        return "unit" if is_clear and is_counted and measures[0].name != measures[1].name else None
    if x.number.kind == "time" and y.number.kind == "time":
        halves = {half_of_number(a, x.number), half_of_number(b, y.number)} - {""}
        return "time" if len(halves) > 1 else None
    return None


def _is_said(view: SentenceView, amount: Amount, others: Sequence[Amount], written: set[str]) -> bool:
    """Return whether the other text has an amount in some way: the same digits, or an equal that stands for several."""
    digits = written_digits(view, amount.places)
    return bool(digits and digits <= written) or any(same_amount(amount, other) for other in others)


def _days(a: Side, b: Side) -> Iterator[Entry]:
    left, right = a.days, b.days
    names = {day.name for day in left}, {day.name for day in right}
    rest = list(right)
    for day in left:
        other = next((o for o in rest if o.name == day.name), None)
        if other is not None:
            rest.remove(other)
            yield _entry(a, b, "date", "kept", (day.place,), (other.place,))
    for group in dict.fromkeys(day.group for day in (*left, *right)):
        gone, new = (
            [
                FactAt((day.place,), group in ("weekday", "month") and not _WEEKS.search(other.text))
                for day in days
                if day.group == group and day.name not in others and day.name not in other.text.lower()
            ]
            for days, others, other in ((left, names[1], b.view), (right, names[0], a.view))
        )
        yield from _settle(a, b, "date", gone, new)


# -- names -----------------------------------------------------------------------------------------------------------


def _names(a: Side, b: Side) -> Iterator[Entry]:
    left, right = _names_of(a.view), _names_of(b.view)
    gone, new = [], []
    rest = list(right)
    for name in left:
        other = next((o for o in rest if _same_name(a.view, name, b.view, o)), None)
        if other is not None:
            rest.remove(other)
            yield _entry(a, b, "name", "kept", name, other)
        elif not _is_mentioned(a.view, name, b.view):
            gone.append(FactAt(name, _is_surely_a_name(a.view, name)))
    new = [FactAt(name, _is_surely_a_name(b.view, name)) for name in rest if not _is_mentioned(b.view, name, a.view)]
    yield from _settle(a, b, "name", gone, new)


def _names_of(view: SentenceView) -> list[Places]:
    """Return the names of a text, each with the places of its words."""
    names: list[Places] = []
    for i in sorted(view.names):
        word = view.words[i]
        if not view.tokens[i][0].isupper() or len(word) < 3 or view.entries[i].is_function or word in _TITLES:
            continue
        if view.is_date(i) or word in MEASURES:
            continue
        if names and names[-1][-1] == i - 1:
            names[-1] = (*names[-1], i)
        else:
            names.append((i,))
    return names


def _is_surely_a_name(view: SentenceView, name: Places) -> bool:
    """Return whether words in capitals are a name, and not a misspelt word at the head of a sentence."""
    first = name[0]
    is_head = first == 0 or not view.entries[first - 1].is_word
    words = [view.entries[i].word for i in name]
    return (len(name) > 1 or not is_head or words[0].is_proper) and any(w.is_proper or not w.known for w in words)


def _same_name(a: SentenceView, name: Places, b: SentenceView, other: Places) -> bool:
    return bool({a.words[i] for i in name} & {b.words[j] for j in other})


def _is_mentioned(view: SentenceView, name: Places, other: SentenceView) -> bool:
    """Return whether some word of a name stands in another text, in some form."""
    capitals = [w for w, token in zip(other.words, other.tokens, strict=True) if token[0].isupper()]
    for i in name:
        word = view.words[i]
        if any(w[:_SAME_LETTERS] == word[:_SAME_LETTERS] for w in other.words):
            return True
        if view.entries[i].word.known and not other.lemmas.isdisjoint(view.entries[i].word.lemmas):
            return True
        # Denmark, Danish; United Nations, UN
        if any(w[0] == word[0] and (w.endswith(_OF_PLACES) or word.endswith(_OF_PLACES)) for w in capitals):
            return True
        if any(1 < len(t) <= _LONGEST_SHORT_FORM and t.isupper() and t.lower()[0] == word[0] for t in other.tokens):
            return True
        if view.tokens[i].isupper():
            return True
    return False


# -- what is said of a number, a date or a name ---------------------------------------------------------------------


def _anchored(a: Side, b: Side) -> Iterator[Entry]:
    """Yield the bounds of numbers and the directions of dates and names that both texts have once."""
    for kind, find in (("bound", _amount_keys), ("when", _time_keys), ("way", _name_keys)):
        left, right = find(a), find(b)
        for key in left.keys() & right.keys():
            if len(left[key]) > 1 or len(right[key]) > 1:
                continue
            cue, other = _governing(a, kind, left[key][0]), _governing(b, kind, right[key][0])
            if cue is None or other is None:
                continue
            places = (*cue.places, *left[key][0]), (*other.places, *right[key][0])
            is_plain = not any(_is_turned(side, at) for side, at in zip((a, b), places, strict=True))
            if cue.name == other.name:
                yield _entry(a, b, kind, "kept", *map(_sorted, places))
            elif {cue.name, other.name} in _CONFLICTS[kind]:
                yield _entry(a, b, kind, "changed", *map(_sorted, places), is_certain=is_plain)


def _sorted(places: Places) -> Places:
    return tuple(sorted(set(places)))


def _is_turned(side: Side, places: Places) -> bool:
    """Return whether a negation in the sentence, or a time before another, may turn round what a bound says."""
    sentence = side.sentence[places[0]]
    if not _BEFORE.isdisjoint(side.view.words[max(places) + 1 : max(places) + 4]):
        return True
    return any(
        side.sentence[cue.start] == sentence
        and cue.start not in places
        and ((cue.kind == "negation" and cue.is_own) or side.view.words[cue.start] in _TURNING)
        for cue in side.cues
    )


def _governing(side: Side, kind: str, places: Places) -> Cue | None:
    """Return the phrase of a kind that stands right before tokens, or right behind them (*or more*)."""
    for cue in side.cues:
        is_behind = kind == "bound" and cue.start == places[-1] + 1 and side.view.words[cue.start] in _BEHIND
        if cue.kind == kind and (cue.end == places[0] or is_behind):
            return cue
    return None


def _amount_keys(side: Side) -> dict[object, list[Places]]:
    keys: dict[object, list[Places]] = {}
    for amount in side.amounts:
        keys.setdefault(amount.number.value, []).append(amount.places)
    return keys


def _time_keys(side: Side) -> dict[object, list[Places]]:
    view = side.view
    keys: dict[object, list[Places]] = {}
    for day in side.days:
        if day.group not in ("weekday", "month"):
            continue
        start = day.place
        while start and (
            view.entries[start - 1].digits or view.words[start - 1] in ("the", "of", "next", "this", "last")
        ):
            start -= 1
        keys.setdefault(day.name, []).append(tuple(range(start, day.place + 1)))
    for amount in side.amounts:
        if amount.kind == "time" or 1000 < amount.number.value < 2100:
            keys.setdefault(amount.number.value, []).append(amount.places)
    return keys


def _name_keys(side: Side) -> dict[object, list[Places]]:
    view = side.view
    keys: dict[object, list[Places]] = {}
    for name in _names_of(view):
        keys.setdefault(view.words[name[0]], []).append(name)
    return keys


# -- what is said of a word that both texts have once -----------------------------------------------------------------

#: Classes of quantifiers and of modality that cannot both be true of one thing.
_QUANTIFIERS = (
    {"all", "some"}, {"all", "most"}, {"all", "few"}, {"all", "many"}, {"all", "several"}, {"all", "half"},
    {"most", "few"}, {"most", "some"}, {"many", "few"}, {"more", "few"}, {"more", "less"}, {"always", "sometimes"},
    {"always", "rarely"}, {"often", "rarely"}, {"usually", "always"}, {"usually", "rarely"},
)  # fmt: skip
_MODALS = (
    {"may", "must"}, {"may", "will"}, {"may", "certainly"}, {"should", "will"}, {"can", "must"}, {"should", "can"},
    {"must", "should"}, {"probably", "certainly"},
)  # fmt: skip
#: Words that may stand between a quantifier or a modal and what it is about.
_BETWEEN = frozenset("of the its their our your his her my these those be been have has had also then a an not".split())


def _counted(a: Side, b: Side) -> Iterator[Entry]:
    """Yield the quantifiers and modals of words that both texts have once, in any form."""
    for kind, conflicts in (("quantifier", _QUANTIFIERS), ("modality", _MODALS)):
        left, right = _by_lemma(a.view, kind), _by_lemma(b.view, kind)
        for lemma in left.keys() & right.keys():
            (i, name, at), (j, other, to) = left[lemma], right[lemma]
            if not (_has_once(a.view, lemma) and _has_once(b.view, lemma)):
                continue
            places = tuple(range(i, at + 1)), tuple(range(j, to + 1))
            if name == other:
                yield _entry(a, b, kind, "kept", *places)
            elif {name, other} in conflicts:
                is_plain = not (
                    _is_turned(a, places[0]) or _is_turned(b, places[1]) or _is_turned_round(a.view, b.view)
                )
                yield _entry(a, b, kind, "changed", *places, is_certain=is_plain)


def _by_lemma(view: SentenceView, kind: str) -> dict[int | str, tuple[int, str, int]]:
    """Return the words of a kind by the lemma of the word that they are about: place, class, place of that word."""
    found: dict[int | str, tuple[int, str, int]] = {}
    for i, entry in enumerate(view.entries):
        name = entry.quantity if kind == "quantifier" else entry.modal
        if not name or (kind == "modality" and entry.form == "may" and view.is_date(i)):
            continue
        at = _next_word(view, i + 1)
        if at > 0 and view.is_content[at]:
            for lemma in _lemmas(view, at):
                found.setdefault(lemma, (i, name, at))
    return found


def _lemmas(view: SentenceView, i: int) -> Sequence[int | str]:
    """Return the lemmas of a word; of one that WordNet does not know the word itself."""
    return tuple(view.entries[i].word.lemmas) or (view.words[i],)


def _has_once(view: SentenceView, lemma: int | str) -> bool:
    return sum(lemma in _lemmas(view, i) for i in range(len(view.words))) == 1


def _conditions(a: Side, b: Side) -> Iterator[Entry]:
    """Yield conditions of one clause in both texts: *if* that became *unless* or *even if*, and the reverse."""
    left, right = ([cue for cue in side.cues if cue.kind == "condition" and cue.is_own] for side in (a, b))
    for cue in left:
        clause = a.clause(cue)
        # A text may say what happens if it rains and what unless it rains.
        for other in sorted(right, key=lambda other: other.name != cue.name):
            new_clause = b.clause(other)
            if _shared(a.view, clause, b.view, new_clause) < _SAME_CLAUSE:
                continue
            places = tuple(range(cue.start, clause[-1] + 1)), tuple(range(other.start, new_clause[-1] + 1))
            if not places[0] or not places[1]:
                continue
            if cue.name == other.name:
                yield _entry(a, b, "condition", "kept", *places)
            else:
                is_plain = "unless" in (cue.name, other.name)
                is_plain = is_plain and not (_is_turned(a, cue.places) or _is_turned(b, other.places))
                yield _entry(a, b, "condition", "changed", *places, is_certain=is_plain)
            break


def _shared(a: SentenceView, clause: Sequence[int], b: SentenceView, other: Sequence[int]) -> float:
    """Return the share of the content words of either clause that the other has in some form, the lesser one."""
    left, right = (
        [set(view.entries[i].word.lemmas) | {view.words[i]} for i in places]
        for view, places in ((a, clause), (b, other))
    )
    if not left or not right:
        return 0.0
    return min(sum(any(x & y for y in ys) for x in xs) / len(xs) for xs, ys in ((left, right), (right, left)))


#: Two clauses are one from this share of shared words on.
_SAME_CLAUSE = 0.5
#: Two sentences are nearly one from this share of shared words on.
_SAME_SENTENCE = 0.8


def _denied(a: Side, b: Side) -> Iterator[Entry]:
    """Yield words that one text denies and the other affirms, where no word of its sentence may deny them as well.

    It is certain where little else of the sentence changed: in a reworded one too much can turn round what it says.
    """
    for side, other in ((a, b), (b, a)):
        for cue in side.cues:
            if cue.kind != "negation" or cue.name != "not" or not cue.is_own or _is_within(cue, side.cues):
                continue
            host = _next_word(side.view, cue.end)
            if host < 0 or not side.view.is_content[host]:
                continue
            lemmas = set(side.view.entries[host].word.lemmas)
            partners = [j for j, entry in enumerate(other.view.entries) if lemmas & set(entry.word.lemmas)]
            if len(partners) != 1:
                continue
            place = partners[0]
            number = other.sentence[place]
            cues = [c for c in other.cues if c.kind == "negation" and other.sentence[c.start] == number]
            places: tuple[Places, Places] = tuple(range(cue.start, host + 1)), (place,)
            if any(c.is_own for c in cues):
                continue
            of_both = (
                side.content_of(side.sentence[host]),
                other.content_of(number),
            )
            is_plain = not cues and _shared(side.view, of_both[0], other.view, of_both[1]) >= _SAME_SENTENCE
            is_plain = is_plain and not _has_prefix(other.view)
            yield _entry(a, b, "negation", "changed", *(places if side is a else places[::-1]), is_certain=is_plain)


def _is_within(cue: Cue, cues: Iterable[Cue]) -> bool:
    """Return whether a phrase is a part of a bound or a deadline, as *no* of *no later than*."""
    return any(o.kind in ("bound", "when") and o.start <= cue.start and cue.end <= o.end for o in cues)


def _next_word(view: SentenceView, start: int) -> int:
    """Return the next word that a quantifier, a modal or a negation can be about; -1 for none near."""
    near = range(start, min(start + 4, len(view.words)))
    return next((t for t in near if view.words[t] not in _BETWEEN), -1)


def _has_prefix(view: SentenceView) -> bool:
    """Return whether a text has a word with a negative prefix or ending."""
    return any(
        (word.startswith(("un", "non", "dis", "in", "im", "ir", "il", "mis")) and view.is_content[i])
        or word.endswith("less")
        for i, word in enumerate(view.words)
    )


def _said(a: Side, b: Side) -> Iterator[Entry]:
    """Yield what the phrases of either text commit it to, each with the phrase of its kind that is about the same.

    A condition or an exception is certainly gone where the other text has no such phrase at all, and a counterpart of
    hardly any of its words.
    """
    for kind in _SAID:
        left, right = (_clauses(side, kind) for side in (a, b))
        pairs = _paired(a, b, left, right)
        for x, y in pairs:
            yield _entry(a, b, kind, "kept" if x[0].name == y[0].name else "changed", x[1], y[1])
        alone: tuple[tuple[list[tuple[Cue, Places]], Side, Side, Status], ...] = (
            (left, a, b, "lost"),
            (right, b, a, "added"),
        )
        for clauses, side, other, status in alone:
            for cue, places in clauses:
                if any(places in (x[1], y[1]) and (x if side is a else y)[0] is cue for x, y in pairs):
                    continue
                vague = [
                    sum(c.kind == kind and (not c.is_own or c.name != cue.name) for c in x.cues) for x in (side, other)
                ]
                if vague[1] > vague[0] and kind not in _HARD:
                    continue  # some other word of the text may say so
                own = places if kind in _HARD else tuple(range(cue.start, cue.end))
                at = (own, ()) if side is a else ((), own)
                is_certain = side is a and cue.name in _HARD_CLASSES and _is_alone(side, other, cue)
                yield _entry(a, b, kind, status, *at, is_certain=is_certain)


def _clauses(side: Side, kind: str) -> list[tuple[Cue, Places]]:
    """Return the phrases of a kind that a text has of its own, each with the places of its clause."""
    found = []
    for cue in side.cues:
        if cue.kind == kind and cue.is_own:
            clause = [i for i in side.clause(cue) if i >= cue.end]
            end = max(clause, default=cue.end - 1) + 1
            while end < len(side.view.words) and side.view.words[end] in _SIGNS:
                end += 1
            found.append((cue, tuple(range(cue.start, end))))
    return found


def _paired(
    a: Side, b: Side, left: Sequence[tuple[Cue, Places]], right: Sequence[tuple[Cue, Places]]
) -> list[tuple[tuple[Cue, Places], tuple[Cue, Places]]]:
    """Return which clauses are about the same: equal ones first, then those with most counterparts, each once."""
    scored = sorted(
        (a.view.written(x[1]) != b.view.written(y[1]), -_meeting(a, x[1], y[1]), k, m)
        for k, x in enumerate(left)
        for m, y in enumerate(right)
    )
    pairs, used = [], (set[int](), set[int]())
    for differs, score, k, m in scored:
        if k not in used[0] and m not in used[1] and (score < 0 or not differs or len(left) == len(right) == 1):
            used[0].add(k)
            used[1].add(m)
            pairs.append((left[k], right[m]))
    return pairs


def _meeting(a: Side, source: Places, target: Places) -> int:
    return sum(not a.links.get(i, frozenset()).isdisjoint(target) for i in source if a.view.is_content[i])


def _is_alone(side: Side, other: Side, cue: Cue) -> bool:
    """Return whether hardly any word of a clause has a counterpart, and no phrase of its kind is in the other text."""
    words = [i for i in side.clause(cue) if i >= cue.end]
    if not side.is_soft or len(words) < _LEAST_WORDS or not _CONDITIONAL.isdisjoint(other.view.words):
        return False
    if any(c.kind == cue.kind and c.is_own for c in other.cues):
        return False
    lemmas = other.view.lemmas
    said = sum(bool(i in side.links or not lemmas.isdisjoint(side.view.entries[i].word.lemmas)) for i in words)
    return said <= _MOST_SAID * len(words)


#: What phrases alone say; of the hard ones the loss can be certain.
_SAID = ("condition", "exception", "cause", "attribution", "possibility", "intent", "focus", "attitude")
_HARD = frozenset(("condition", "exception"))
#: Words that may make a condition or an exception of what follows.
_CONDITIONAL = frozenset(
    "where when whenever should once who whose whoever whether anyone those but only without".split()
)
_SIGNS = frozenset(("%", "°", "c", "€", "$", "£"))
_HARD_CLASSES = frozenset(("if", "unless", "except"))
#: A clause is gone if it has so many content words, and no more than such a share of them has a counterpart.
_LEAST_WORDS, _MOST_SAID = 2, 0.34

_KINDS = (_numbers, _days, _names, _anchored, _counted, _conditions, _denied, _said)
