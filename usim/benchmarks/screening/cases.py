"""What a system suggests on a benchmark, case by case: the target in its text, and what the gold data say of it.

A suggestion is *acceptable* if the gold data have it, *wrong* if people were asked about it, or about its target, and
rejected it, and *unjudged* if nobody was asked:

=======  ========================================  ==============================  =====================================
..       acceptable                                wrong                           unjudged
=======  ========================================  ==============================  =====================================
SWS      suggested by an annotator for this span   not suggested, for a span that  for a span that nobody wanted to
                                                   annotators wanted to improve    improve
ProLex   lemma of an acceptable substitute         lemma of an unacceptable one    anything else
SWORDS   lemma with more than half of its labels   lemma with half or fewer        lemma without labels
         positive
=======  ========================================  ==============================  =====================================

Lemmas are those that the scorers compare. A substitute that is the target itself is left out. Predictions are plain
values; ``*_without`` takes suggestions out of them, and the scorer scores the rest.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Hashable, Iterable, Mapping
from itertools import accumulate
from typing import Literal, NamedTuple

from usim.benchmarks import prolex, swords, sws
from usim.errors import InputError
from usim.lexicon import FirstWordLemmatiser, Lemmatise, WordNetLemmatiser
from usim.suggestions import prolex as prolex_files
from usim.suggestions import swords as swords_files

Label = Literal["acceptable", "wrong", "unjudged"]
LABELS: tuple[Label, ...] = ("acceptable", "wrong", "unjudged")
#: A suggestion: the key of its target, and the substitute as the system wrote it.
Key = tuple[Hashable, str]


class Place(NamedTuple):
    """A target in its text: the text, the place in characters, and the universal part of speech where it is known."""

    text: str
    start: int
    end: int
    pos: str | None = None


class Case(NamedTuple):
    """A target with what a system suggests for it.

    Attributes:
        record: the place, from 0, of the benchmark's record that the target belongs to: of a sentence of SWS, of a
            target of ProLex and SWORDS.
        target: the key of the target in the predictions; a sentence and a span for SWS.
        text: the sentence, or the longer text that SWORDS has.
        start, end: the target, in characters.
        pos: the target's universal part of speech where the data say it.
        substitutes: each once, in the system's order.
        labels: of each.
    """

    record: int
    target: Hashable
    text: str
    start: int
    end: int
    pos: str | None
    substitutes: tuple[str, ...]
    labels: tuple[Label, ...]

    @property
    def keys(self) -> list[Key]:
        """The keys of the suggestions."""
        return [(self.target, substitute) for substitute in self.substitutes]


#: What the authors of SWS fill lists up with; it is no suggestion unless an annotator made it.
_FILLER = "none"


def sws_cases(gold: sws.Gold, predictions: sws.Predictions) -> list[Case]:
    """Return the cases of Smart Word Suggestions; the text is the words with blanks between them.

    The word *none*, with which published lists are filled up, is not judged where no annotator suggested it.
    """
    cases = []
    for record, (name, sentence) in enumerate(gold.items()):
        begins = [0, *accumulate(len(word) + 1 for word in sentence.words)]
        gold_votes = {target.span: target.suggestions for target in sentence.targets}
        for span, substitutes in predictions.get(name, {}).items():
            place = Place(" ".join(sentence.words), begins[span[0]], begins[span[1]] - 1)

            def label(substitute: str, votes: Mapping[str, int] | None = gold_votes.get(span)) -> Label | None:
                if substitute == _FILLER and _FILLER not in (votes or ()):
                    return None
                if votes is None:
                    return "unjudged"
                return "acceptable" if substitute in votes else "wrong"

            cases.append(_case(record, (name, span), place, substitutes, label))
    return cases


def prolex_cases(
    gold: prolex.Gold, predictions: prolex.Predictions, *, lemmatise: Callable[[str], str] | None = None
) -> list[Case]:
    """Return the cases of ProLex, without targets that have no acceptable substitute: the scorer leaves them out too.

    Raises:
        InputError: a gold sentence does not mark its target with ``**``.
    """
    lemmatise = lemmatise or FirstWordLemmatiser(WordNetLemmatiser.shipped())
    cases = []
    for record, (number, target) in enumerate(gold.items()):
        if not target.acceptable or number not in predictions:
            continue
        place = Place(*prolex_files.unmarked(target.sentence, number))
        labels: dict[str, Label] = {lemmatise(substitute): "wrong" for substitute in target.unacceptable}
        labels |= {lemmatise(substitute): "acceptable" for substitute in target.acceptable}
        target_lemma = lemmatise(place.text[place.start : place.end])

        def label(
            substitute: str, labels: Mapping[str, Label] = labels, target_lemma: str = target_lemma
        ) -> Label | None:
            lemma = lemmatise(substitute)
            if target_lemma in (substitute, lemma) and labels.get(lemma) != "acceptable":
                return None
            return labels.get(lemma, "unjudged")

        cases.append(_case(record, number, place, predictions[number], label))
    return cases


def swords_cases(
    gold: swords.Gold,
    predictions: swords.Predictions,
    targets: Mapping[str, swords_files.Target],
    *,
    lemmatise: Lemmatise | None = None,
) -> list[Case]:
    """Return the cases of SWORDS.

    Args:
        gold: the targets, with the labels of judged substitutes.
        predictions: what a system suggests.
        targets: the contexts, of :func:`usim.suggestions.swords.read_targets` from the same file as the gold data.
        lemmatise: as for :func:`usim.benchmarks.swords.score`.

    Raises:
        InputError: a target has no context.
    """
    lemmatise = lemmatise or WordNetLemmatiser.shipped()
    cases = []
    for record, (name, target) in enumerate(swords.lemmatised_gold(gold, lemmatise).items()):
        if name not in predictions:
            continue
        if name not in targets:
            raise InputError("a target of the gold data has no context", text=name)
        target_lemma = swords.compared_form(target.word, target.pos, lemmatise)
        labels: dict[str, Label | None] = {
            lemma: "acceptable" if share >= swords.THRESHOLDS["a"] else "wrong"
            for lemma, share in swords.positive_shares(target).items()
        }
        labels[target_lemma] = None

        def label(
            substitute: str, pos: str | None = target.pos, labels: Mapping[str, Label | None] = labels
        ) -> Label | None:
            return labels.get(swords.compared_form(substitute, pos, lemmatise), "unjudged")

        substitutes = [substitute for substitute, _ in sorted(predictions[name], key=lambda pair: -pair[1])]
        cases.append(_case(record, name, Place(*targets[name]), substitutes, label))
    return cases


def _case(
    record: int, target: Hashable, place: Place, substitutes: Iterable[str], label_of: Callable[[str], Label | None]
) -> Case:
    labels = {substitute: label for substitute in substitutes if (label := label_of(substitute)) is not None}
    return Case(record, target, *place, tuple(labels), tuple(labels.values()))


def sws_without(predictions: sws.Predictions, dropped: Collection[Key]) -> sws.Predictions:
    """Return the predictions without some suggestions.

    A target that loses its last suggestion goes too: the scorer would still count it as detected. What lists are filled
    up with is no suggestion.
    """
    kept: dict[str, dict[sws.Span, list[str]]] = {name: {} for name in predictions}
    for name, targets in predictions.items():
        for span, substitutes in targets.items():
            rest = _kept((name, span), substitutes, dropped)
            if len(rest) == len(substitutes) or any(substitute != _FILLER for substitute in rest):
                kept[name][span] = rest
    return kept


def prolex_without(predictions: prolex.Predictions, dropped: Collection[Key]) -> prolex.Predictions:
    """Return the predictions without some suggestions."""
    return {number: _kept(number, substitutes, dropped) for number, substitutes in predictions.items()}


def swords_without(predictions: swords.Predictions, dropped: Collection[Key]) -> swords.Predictions:
    """Return the predictions without some suggestions."""
    return {
        name: [(substitute, score) for substitute, score in substitutes if (name, substitute) not in dropped]
        for name, substitutes in predictions.items()
    }


def _kept(target: Hashable, substitutes: Iterable[str], dropped: Collection[Key]) -> list[str]:
    return [substitute for substitute in substitutes if (target, substitute) not in dropped]
