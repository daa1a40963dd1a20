"""Facts of two texts that have no equal: which of them gave way to which."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import NamedTuple

import numpy as np
from rapidfuzz.distance import Indel

from usim.compare._ledger.side import Found, Places, Side
from usim.compare._sentence import SentenceView
from usim.measures import assignment

#: From this many letters and this similarity of letters on, a word may be another spelling of another.
_SAME_LETTERS = 4
_SAME_SPELLING = 0.75
#: Facts without counterparts around them are so many tokens apart.
_FARTHEST = 1000


class FactAt(NamedTuple):
    """A fact of one text: its tokens, and whether its loss would be certain."""

    places: Places
    is_hard: bool


def settle(a: Side, b: Side, kind: str, gone: Sequence[FactAt], new: Sequence[FactAt]) -> Iterator[Found]:
    """Yield what became of facts without an equal: changed where both texts have one, the nearest ones together.

    Of words that one text may only have misspelt nothing is certain.
    """
    gone, new = (
        [fact._replace(is_hard=fact.is_hard and not _is_respelled(view, fact.places, other)) for fact in facts]
        for facts, view, other in ((gone, a.view, b.view), (new, b.view, a.view))
    )
    couples: list[tuple[FactAt, FactAt]] = []
    if gone and new:
        distances = np.array(
            [[min(_distance(a, x.places, y.places), _distance(b, y.places, x.places)) for y in new] for x in gone]
        )
        rows, columns = assignment(distances)
        couples = [(gone[i], new[j]) for i, j in zip(rows.tolist(), columns.tolist(), strict=True)]
    nothing = FactAt((), is_hard=True)
    couples += [(x, nothing) for x in gone if all(x is not old for old, _ in couples)]
    couples += [(nothing, y) for y in new if all(y is not other for _, other in couples)]
    for x, y in couples:
        yield Found(kind, x.places, y.places, is_certain=x.is_hard and y.is_hard)


def _is_respelled(view: SentenceView, places: Places, other: SentenceView) -> bool:
    """Return whether a word has another much like it in the other text, and is a number or one is in no dictionary."""
    return any(
        not other.entries[j].is_function
        and (view.entries[i].counts or not (view.entries[i].word.known and other.entries[j].word.known))
        and view.words[i] != other.words[j]
        and view.words[i].isalpha()
        and len(view.words[i]) >= _SAME_LETTERS
        and Indel.normalized_similarity(view.words[i], other.words[j]) >= _SAME_SPELLING
        for i in places
        for j in range(len(other.words))
    )


def _distance(side: Side, places: Places, others: Places) -> float:
    """Return how far a fact is from one of the other text, by the counterparts of the words around it."""
    near = range(max(0, places[0] - 3), min(len(side.view.words), places[-1] + 4))
    return min((abs(j - others[0]) for i in near for j in side.links.get(i, ())), default=_FARTHEST)
