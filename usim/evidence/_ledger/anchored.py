"""What phrases say of a number, a date, a name or a word that both texts have: matched by what they are about."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import product

from usim.evidence._ledger.side import Found, Places, Side, are_worded_alike
from usim.evidence._ledger.values import names_of
from usim.evidence._sentence import SentenceView
from usim.evidence.values import Value
from usim.lexicon.phrases import Phrase, conflicts
from usim.lexicon.tables import COMPARING
from usim.lexicon.topics import are_converse
from usim.lexicon.units import COMMON_UNITS, SPANS, unit_readings

#: So many words may stand between a phrase and what it is about.
_REACH = 4
#: The kinds of phrases that are about the content word behind them.
_OF_WORDS = frozenset(("order", "quantifier", "modality"))
#: Kinds that say something of many words, so that in a reworded sentence the same word may be about another thing.
_LOOSE = frozenset(("quantifier", "modality"))
#: Kinds that a time before another one may turn round.
_OF_TIMES = frozenset(("bound", "when", "order"))


#: What a phrase says: the phrase, its places and those of what it is about, and the place that counts of these.
Said = tuple[Phrase, Places, int]


def anchored(a: Side, b: Side) -> Iterator[Found]:
    """Yield what both texts say of one thing: kept where it is of one class, changed where only one can be true."""
    pairs = [(x, y) for x, y in product(_said(a), _said(b)) if x[0].kind == y[0].kind and y[2] in a.links.get(x[2], ())]
    is_kept = {id(said) for x, y in pairs if x[0].name == y[0].name for said in (x, y)}
    for x, y in pairs:
        (cue, places, _), (other, output, _) = x, y
        if cue.name == other.name:
            yield Found(cue.kind, places, output, is_kept=True)
        elif {cue.name, other.name} in conflicts(cue.kind) and is_kept.isdisjoint((id(x), id(y))):
            yield Found(cue.kind, places, output, is_certain=_is_plain(a, x, b, y))


def _is_plain(a: Side, x: Said, b: Side, y: Said) -> bool:
    """Return whether no negation of one text alone, time before another, or rewording may turn round what is said."""
    if {x[0].name, y[0].name} == {"both", "either"} and COMPARING["binding"].isdisjoint(a.view.vocabulary):
        return False
    if x[0].kind in _LOOSE and not are_worded_alike(a, x[2], b, y[2]):
        return False
    for side, (cue, places, _) in ((a, x), (b, y)):
        behind = side.view.words[places[-1] + 1 : places[-1] + 4]
        if cue.kind in _OF_TIMES and not COMPARING["before another time"].isdisjoint(behind):
            return False
    if x[0].kind == "way" and _are_turned(a, x[1], b, y[1]):
        return False
    if x[0].kind == "modality":
        return a.turns(x[0].places) == b.turns(y[0].places) == 0  # "may … nobody" is "must not"
    # "Only after it" is "not before it".
    turns = a.turns(x[0].places, but="only"), b.turns(y[0].places, but="only")
    return turns[0] == turns[1] or {x[0].name, y[0].name} == {"least", "most"}


def _are_turned(a: Side, source: Places, b: Side, output: Places) -> bool:
    """Return whether a verb of the sentences of both phrases gave way to its converse: *sell to*, *buy from*."""
    changed = (
        [side.view.words[i] for i in side.changed if side.sentence[i] == side.sentence[places[0]]]
        for side, places in ((a, source), (b, output))
    )
    return any(are_converse(old, new) for old, new in product(*changed))


def _said(side: Side) -> Iterator[Said]:
    """Yield what the phrases of a text say of numbers, dates, names and words."""
    view = side.view
    things: list[tuple[tuple[str, ...], Places, int]] = []
    for value, places in side.view.values:
        kinds = ("when",) * is_dated(value) + ("bound", "way") * bool(value.quantities or value.kind == "time")
        counting = (i for i in places if view.entries[i].counts)
        things.append((kinds, places, next(counting, places[-1])))
    things += [(("way",), name, name[-1]) for name in names_of(view)]
    dated = set()
    for kinds, places, core in things:
        for cue in side.cues:
            is_behind = (
                cue.kind == "bound"
                and core < cue.start <= places[-1] + 1
                and view.words[cue.start] in COMPARING["begin bounds behind numbers"]
            )
            if cue.kind in kinds and cue.is_own and (places[0] <= cue.end <= core or is_behind):
                dated.add(cue.start)
                yield cue, tuple(sorted({*cue.places, *places})), core
    modal = {cue.end for cue in side.cues if cue.kind == "modality"}
    for cue in side.cues:
        if cue.kind == "modality" and cue.start in modal:
            continue  # "might have to" is no "must"
        if cue.kind in _OF_WORDS and cue.is_own and cue.start not in dated:
            at = _word_behind(side, cue)
            if at is None:
                continue
            between = view.entries[cue.end : at]
            if cue.kind == "modality" and any(entry.is_article or entry.person for entry in between):
                continue  # "should it rain", "may I ask" bind nobody
            if cue.name == "few" and _is_distance_in_time(view, at):
                cue = cue._replace(name="some")  # "few years ago" is "a few years ago" with an error
            # The auxiliaries between belong to it: "may be delivered".
            auxiliaries = (i for i, entry in enumerate(between, cue.end) if entry.is_auxiliary)
            yield cue, (*cue.places, *auxiliaries, at), at


def is_dated(value: Value) -> bool:
    """Return whether a value is a time, a day or, by its digits, a year."""
    years = (1000 < q.number < 2100 and q.unit is None for q in value.quantities)
    return value.kind in ("time", "date", "weekday") or any(years)


def _is_distance_in_time(view: SentenceView, at: int) -> bool:
    """Return whether a unit of time says how far away something is: *years ago*, *weeks later*."""
    word, behind = view.words[at], view.words[at + 1 : at + 2]
    is_span = word in COMMON_UNITS and any(unit.dimension in SPANS for unit in unit_readings(word))
    return is_span and not COMPARING["behind distances"].isdisjoint(behind)


def _word_behind(side: Side, cue: Phrase) -> int | None:
    """Return the next content word behind a phrase in its clause."""
    for i in range(cue.end, min(cue.end + _REACH, len(side.view.words))):
        is_end = side.view.words[i] in COMPARING["ends of what is said"]
        if is_end or (cue.kind == "order" and side.view.entries[i].counts):
            return None
        if side.view.is_content[i]:
            return i
    return None
