"""Reasons: their kinds, weights and tokens, and how they are worded.

A reason has a kind, one of :data:`usim.compare.KINDS`, and a weight in [0, 1]: how sure it is that a reader of the
changed sentence learns something else, from 0.1 (a trace) over 0.5 (doubtful) to 0.9 (a negation, another number). The
weights are set by judgement, not trained. They stand beside the detector of their kind, in the other modules of this
package; the costs of closed classes (quantifiers, modals, connectives, pronouns, directions) in
:mod:`usim.lexicon.closed_classes`. The usual work of correctors gives no reason, or a light one: articles, agreement,
spelling, verb forms, prepositions, punctuation, case. ``docs/explanation/reasons.md`` has an example of each kind.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Any

from usim.compare.comparison import Comparison
from usim.compare.reasons.wording import say
from usim.compare.sentence import SentenceView

#: Lighter reasons of closed classes, words and tenses are left out.
LEAST_WEIGHT = 0.1
_ENDINGS = ("n't", "n’t", "nt")


@dataclass(frozen=True, repr=False)
class Reason:
    """One thing that speaks against a change.

    Attributes:
        kind: what it is, one of :data:`usim.compare.KINDS`.
        text: a sentence for people, see :mod:`usim.compare.reasons.wording`.
        source: the tokens of the source that it is about, by their places from 0.
        target: the tokens of the changed sentence that it is about.
        units: the categories of the units that it is about, with their words, e.g. ``"A: the red car"``.
        weight: how grave, in [0, 1].
        source_spans: where each token of ``source`` begins and ends in the text of the source, in characters from 0,
            the end exclusive; empty as long as no text has been given, see :func:`usim.compare.locate_reasons`.
        target_spans: the same for ``target`` in the changed text.
        is_shown: whether people are told it, see :func:`usim.compare.mark_shown`.
    """

    kind: str
    text: str
    source: tuple[int, ...] = ()
    target: tuple[int, ...] = ()
    units: tuple[str, ...] = ()
    weight: float = 0.5
    source_spans: tuple[tuple[int, int], ...] = ()
    target_spans: tuple[tuple[int, int], ...] = ()
    is_shown: bool = True

    def __repr__(self) -> str:
        return f"<Reason {self.kind} {self.weight:.2f}: {self.text}>"

    def to_dict(self) -> dict[str, Any]:
        """Return the reason as JSON values."""
        return {
            "kind": self.kind,
            "text": self.text,
            "source": list(self.source),
            "target": list(self.target),
            "source_spans": [list(span) for span in self.source_spans],
            "target_spans": [list(span) for span in self.target_spans],
            "units": list(self.units),
            "weight": self.weight,
            "shown": self.is_shown,
        }


class Claimed:
    """The tokens that a detector has dealt with: later detectors leave them alone."""

    def __init__(self) -> None:
        self.source: set[int] = set()
        self.target: set[int] = set()
        #: The verbs of the source whose converse stands in their place, with the roles turned.
        self.converses: set[int] = set()

    def add(self, source: Iterable[int], target: Iterable[int]) -> None:
        """Mark tokens of either side as dealt with."""
        self.source.update(source)
        self.target.update(target)


def make_reason(
    comparison: Comparison, case: str, source: Iterable[int], target: Iterable[int], weight: float, **named: str
) -> Reason:
    """Return a reason about tokens of either side, in words, with the units that hold them.

    Where a word is about one side alone, and one other word has taken its place, the text names both.

    Args:
        comparison: the comparison.
        case: the kind, or a case of it: a key of :data:`usim.compare.reasons.kinds.SENTENCES`.
        source: the tokens of the source that it is about.
        target: those of the changed sentence.
        weight: how grave.
        named: what the sentence names beside the words; ``old`` and ``new`` in place of the words.
    """
    at, to = tuple(sorted(source)), tuple(sorted(target))
    words = {
        "old": words_at(comparison.source, at or _in_the_place_of(comparison, to, 1)),
        "new": words_at(comparison.target, to or _in_the_place_of(comparison, at, 0)),
    }
    units = dict.fromkeys(
        f"{view.categories[u]}: {view.graph.text(u)}"
        for view, places in ((comparison.source, at), (comparison.target, to))
        for u in dict.fromkeys(view.member[i] for i in places)
        if u
    )
    text = say(case, **{**words, **named})
    return Reason(case.partition(".")[0], text, at, to, tuple(units), round_weight(weight))


def _in_the_place_of(comparison: Comparison, places: tuple[int, ...], side: int) -> tuple[int, ...]:
    """Return the only word of the other side in the place of words that are the only ones changed there."""
    for group in comparison.groups:
        own, other = (group.target, group.source) if side else (group.source, group.target)
        if own == places and len(other) == 1:
            return other
    return ()


def words_at(view: SentenceView, places: Sequence[int]) -> str:
    """Return the tokens at these places, a gap marked by an ellipsis; an ending such as *n't* with its word."""
    if not places:
        return ""
    tokens = [view.tokens[i] for i in places]
    if places[0] and tokens[0].lower() in _ENDINGS:
        tokens[0] = view.tokens[places[0] - 1] + tokens[0]
    gaps = (" " if i + 1 == k else " … " for i, k in pairwise(places))
    return tokens[0] + "".join(gap + token for gap, token in zip(gaps, tokens[1:], strict=True))


def round_weight(weight: float) -> float:
    """Return a weight within [0, 1], to three digits."""
    return round(min(1.0, max(0.0, weight)), 3)
