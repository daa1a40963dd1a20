"""How a time relates to what happens: *since May* and *in May*, *for two years* and *two years ago*."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator
from itertools import product

from usim.evidence._ledger.anchored import is_dated
from usim.evidence._ledger.side import Found, Places, Side
from usim.evidence.values import Value, compare_values
from usim.lexicon.tables import COMPARING, classes_of, read_tables

#: What words before a date or a time, and before a span of time, say of what happens.
_OF_DATES, _OF_SPANS = (classes_of(read_tables("comparing.tsv")[name]) for name in ("beside date", "beside span"))
_PERFECT = frozenset(("have", "has", "'ve", "’ve"))
_SPANS = frozenset(("time", "months"))


def in_time(a: Side, b: Side) -> Iterator[Found]:
    """Yield times that relate in another way to what happens, where the rest of the sentence has the same words.

    What is said of a date in its place is found with its value. *Before two years* is an error for *two years ago*, and
    *since two years* one for *for two years*.
    """
    in_place = [f for f in compare_values(a.view.text, b.view.text).findings if f.source and f.output and f.is_certain]
    left, right = list(_related(a)), list(_related(b))
    # What has been closed since May closed in May.
    is_state = any(side.view.entries[i].is_be for side in (a, b) for i in side.changed)
    # "Until Friday at noon" is "until noon on Friday".
    may_be_same = is_state or Counter(name for name, *_ in left) == Counter(name for name, *_ in right)
    for (name, x, source), (other, y, target) in product(left, right):
        if not x.is_same(y) or _rest(a, source) != _rest(b, target):
            continue
        if name == other:
            if name in ("ago", "for") and a.view.words[source[0]] != b.view.words[target[0]]:
                yield Found("date", source, target, is_kept=True)
        elif (
            not may_be_same
            # "By noon on Monday" is "by Monday noon".
            and other not in _beside(left, source)
            and name not in _beside(right, target)
            and not {"at", "ago"}.isdisjoint((name, other))
            and not any(set(source).intersection(a.view.places_in(found.source)) for found in in_place)
        ):
            yield Found("date", source, target, is_certain=True)


def _beside(related: Iterable[tuple[str, Value, Places]], places: Places) -> set[str]:
    """Return the relations of the times that stand directly before or behind another one."""
    return {name for name, _, own in related if own[-1] + 1 == places[0] or places[-1] + 1 == own[0]}


def _rest(side: Side, places: Places) -> Counter[str]:
    """Return the content words of the sentence of a time beside it."""
    return Counter(side.view.words[i] for i in side.content_of(side.sentence[places[0]]) if i not in places)


def _related(side: Side) -> Iterator[tuple[str, Value, Places]]:
    """Yield the times of a text, each with its relation and the places of its words."""
    words = side.view.words
    for value, places in side.values:
        first, behind = places[0], words[places[-1] + 1 : places[-1] + 2]
        if is_dated(value) and words[first] in _OF_DATES:  # a part of the value
            yield _OF_DATES[words[first]], value, places
            continue
        before = words[first - 1] if first else ""
        if is_dated(value) and before in _OF_DATES:
            yield _OF_DATES[before], value, (first - 1, *places)
        elif any(q.unit and q.unit.dimension in _SPANS for q in value.quantities):
            # Of "I have lived here two years ago" nobody knows which of both words is the error.
            if behind == ("ago",) and before not in _OF_SPANS and _PERFECT.isdisjoint(words):
                yield "ago", value, (*places, places[-1] + 1)
            elif before in _OF_SPANS and (before != "before" or not COMPARING["ends of clauses"].isdisjoint(behind)):
                yield _OF_SPANS[before], value, (first - 1, *places)
