"""The changes between two sentences: words replaced, left out, put in, and moved."""

from __future__ import annotations

from dataclasses import dataclass

from usim.compare.comparison import Comparison
from usim.compare.match import lexical_relation


@dataclass(frozen=True)
class Change:
    """The change of the words of one place.

    Attributes:
        kind: ``substituted``, ``deleted``, ``inserted`` or ``moved``.
        source: the tokens of the source, by their places from 0.
        target: the tokens of the changed sentence.
        words: the pairs of content words of which one stands for the other, each with the relation between them: one of
            ``spelling``, ``form`` (of the same word), ``equivalent`` (phrases of one meaning),
            ``synonym``, ``derived``, ``opposite``, ``similar``, ``broader``,
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
    for run in comparison.moved_runs:
        changes.append(Change("moved", tuple(i for i, _ in run), tuple(j for _, j in run)))
    return tuple(changes)
