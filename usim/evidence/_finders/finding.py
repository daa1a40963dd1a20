"""Findings: their kinds, weights and tokens, and how they are worded.

A finding has a kind, one of :data:`usim.evidence.KINDS`, and a weight in [0, 1]: how sure it is that a reader of the
changed sentence learns something else, from 0.1 (a trace) over 0.5 (doubtful) to 0.9 (a negation, another number). The
weights are set by judgement, not trained. They stand in ``kinds.tsv``; the costs of closed classes (quantifiers,
modals, connectives, pronouns, directions, prepositions), of tenses and of verbs of stance in
``usim/lexicon/closed_classes.tsv``. The usual work of correctors gives no finding, or a light
one: articles, agreement, spelling, verb forms, prepositions, punctuation, case.
``docs/explanation/findings.md`` has an example of each kind.
"""

from __future__ import annotations

import csv
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from types import MappingProxyType

from msgspec import Struct

from usim.evidence._comparison import Comparison
from usim.evidence._matching import Match
from usim.evidence._sentence import SentenceView
from usim.text import Span
from usim.text.codec import Share

# A line for each kind, and for each case of a kind that has another sentence or another weight.
with (Path(__file__).parent / "kinds.tsv").open(encoding="utf-8", newline="") as _file:
    _ROWS = list(csv.DictReader(_file, delimiter="\t", quoting=csv.QUOTE_NONE))

#: The kinds of findings, each in a line.
KINDS: Mapping[str, str] = MappingProxyType({row["case"]: row["about"] for row in _ROWS if row["about"]})
#: The kinds that are features of a comparison. A new kind is none, so that it needs no training; to have judges learn
#: it, enter ``yes`` in its row and raise the schema of the features.
FEATURE_KINDS = tuple(row["case"] for row in _ROWS if row["feature"])
#: What each kind says, and each case that a kind has under a name of its own. ``{old}`` and ``{new}`` are the words of
#: either sentence in quotation marks, ``{change}`` says what became of them; other names are given by the detector.
SENTENCES: Mapping[str, str] = MappingProxyType({row["case"]: row["sentence"] for row in _ROWS if row["sentence"]})
#: The weight of each kind and each case for which it is not computed; of what is added, see what is lost.
WEIGHTS: Mapping[str, float] = MappingProxyType({row["case"]: float(row["weight"]) for row in _ROWS if row["weight"]})
#: The kinds that anybody can check, and that are told of a text that was reworded here and there.
CLEAR = frozenset(row["case"] for row in _ROWS if "clear" in row["rules"])
#: The kinds that are told of a text that was reworded as a whole.
IN_REWORDED = frozenset(row["case"] for row in _ROWS if "reworded" in row["rules"])
#: The kinds of facts that limit a claim: what it depends on, whom it leaves out, how certain it is, and who says it. No
#: policy allows their loss, and where nothing else of the texts changed it is certain: no other words can say it then.
LIMITS = frozenset(row["case"].partition(".")[2] for row in _ROWS if "limit" in row["rules"])
#: Lighter findings of closed classes, words and tenses are left out, and no lighter one is told.
LEAST_WEIGHT = 0.1
#: A finding is told if its weight is at least this share of the gravest one's.
SHOWN_SHARE = 0.5
#: Kinds that people are not told, as no writer speaks like that.
HIDDEN = frozenset(("category",))
_ENDINGS = ("n't", "n’t", "nt")


class Finding(Struct, frozen=True, rename={"is_shown": "shown", "is_certain": "certain", "is_alone": "alone"}):
    """One thing that speaks against a change.

    Attributes:
        kind: what it is, one of :data:`usim.evidence.KINDS`.
        text: a sentence for people, see :func:`usim.evidence.say`.
        source: the tokens of the source that it is about, by their places from 0.
        output: the tokens of the changed sentence that it is about.
        source_spans: where each token of ``source`` begins and ends in the text of the source, in characters from 0,
            the end exclusive; empty as long as no text has been given.
        output_spans: the same for ``output`` in the changed text.
        units: the categories of the units that it is about, with their words, e.g. ``"A: the red car"``.
        weight: how grave, in [0, 1].
        is_shown: whether people are told it, as :func:`usim.evidence.show` says beside a verdict; before there is one
            whether they can be told it, as :func:`usim.evidence.gather` says.
        is_certain: whether a careful rule says so: then the change is never kept.
        is_alone: whether it is all that changed.
        allowed_by: the policy that allows it, if it is certain; empty for none.
    """

    kind: str
    text: str
    source: tuple[int, ...] = ()
    output: tuple[int, ...] = ()
    source_spans: tuple[Span, ...] = ()
    output_spans: tuple[Span, ...] = ()
    units: tuple[str, ...] = ()
    weight: Share = 0.5
    is_shown: bool = True
    is_certain: bool = False
    is_alone: bool = False
    allowed_by: str = ""

    @property
    def is_clear(self) -> bool:
        """Whether it is of a kind that anybody can check, such as a number."""
        return self.kind in CLEAR

    def is_within(self, source: frozenset[int] | set[int], output: frozenset[int] | set[int]) -> bool:
        """Return whether it is about some of these tokens of both texts, and about no others."""
        return bool(self.source or self.output) and source.issuperset(self.source) and output.issuperset(self.output)

    def __repr__(self) -> str:
        return f"<Finding {self.kind} {self.weight:.2f}: {self.text}>"


class HandledTokens:
    """The tokens that a detector has handled; later detectors skip them."""

    def __init__(self) -> None:
        self.source: set[int] = set()
        self.output: set[int] = set()
        #: Verbs of the source that were replaced by their converse with swapped arguments (*buy from*, *sell to*).
        self.converses: set[int] = set()

    def add(self, source: Iterable[int], output: Iterable[int]) -> None:
        """Mark tokens of either side as handled."""
        self.source.update(source)
        self.output.update(output)

    def are_new(self, source: Iterable[int], output: Iterable[int]) -> bool:
        """Return whether none of some tokens of either side has been handled."""
        return self.source.isdisjoint(source) and self.output.isdisjoint(output)

    def has(self, match: Match) -> bool:
        """Return whether either word of a match has been handled."""
        return match.source in self.source or match.output in self.output


def make_finding(
    comparison: Comparison,
    case: str,
    source: Iterable[int],
    output: Iterable[int],
    weight: float | None = None,
    **named: str,
) -> Finding:
    """Return a finding about tokens of either side, in words, with the units that hold them.

    The weight is by default that of the case. ``named`` is what the sentence names beside the words; ``old`` and
    ``new`` in place of the words.
    """
    at, to = tuple(sorted(source)), tuple(sorted(output))
    words = {"old": words_at(comparison.source, at), "new": words_at(comparison.output, to)}
    units = dict.fromkeys(
        f"{view.categories[u]}: {view.graph.text(u)}"
        for view, places in ((comparison.source, at), (comparison.output, to))
        for u in dict.fromkeys(view.member[i] for i in places)
        if u
    )
    text = say(case, **{**words, **named})
    weight = WEIGHTS[case] if weight is None else round_weight(weight)
    return Finding(case.partition(".")[0], text, at, to, units=tuple(units), weight=weight)


def are_of_one_class(a: SentenceView, i: int, b: SentenceView, j: int) -> bool:
    """Return whether two words, where they stand, are both verbs, both link words, or both something else."""
    return _word_class(a, i) == _word_class(b, j)


def _word_class(view: SentenceView, i: int) -> str:
    entry = view.entries[i]
    if i in view.verbs or entry.modal:
        return "verb"
    return "link" if entry.links or entry.is_preposition or entry.negation else "other"


def words_at(view: SentenceView, places: Sequence[int]) -> str:
    """Return the words at these places as written, a gap marked by an ellipsis; *n't* and *award-* in whole words."""
    if not places:
        return ""
    if places[0] and view.tokens[places[0]].lower() in _ENDINGS:
        places = (places[0] - 1, *places)
    return view.written(view.whole(places))


def round_weight(weight: float) -> float:
    """Return a weight within [0, 1], to three digits."""
    return round(min(1.0, max(0.0, weight)), 3)


def say(case: str, old: str = "", new: str = "", **more: str) -> str:
    """Return the sentence of a kind, or of a case of it, about words of the source and of the output, empty for none.

    ``more`` is what else the sentence names.

    >>> say("opposite", "happy", "sad")
    '“happy” became “sad”, the opposite'
    >>> say("number", "", "three")
    'The number changed: “three” is new'
    """
    sentence = SENTENCES.get(case) or SENTENCES[case.partition(".")[0]]
    return sentence.format(old=quote(old or new), new=quote(new or old), change=_change(old, new), **more)


def quote(words: str) -> str:
    """Return words in quotation marks."""
    return f"“{words}”"


def _change(old: str, new: str) -> str:
    if not new:
        return f"{quote(old)} is gone"
    if not old:
        return f"{quote(new)} is new"
    return quote(old) if old.lower() == new.lower() else f"{quote(old)} became {quote(new)}"
