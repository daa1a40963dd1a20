"""What a system suggests on a benchmark, case by case: the target in its text, and what the gold data say of it.

A suggestion is *acceptable* if the gold data have it, *wrong* if people were asked about it, or about its target, and
did not want it, and *unjudged* if nobody was asked:

=======  ========================================  ==============================  =====================================
..       acceptable                                wrong                           unjudged
=======  ========================================  ==============================  =====================================
SWS      suggested by an annotator for this span   not suggested, for a span that  for a span that nobody wanted to
                                                   annotators wanted to improve    improve
ProLex   lemma of an acceptable substitute         lemma of an unacceptable one    anything else
SWORDS   lemma with more than half of its labels   lemma with half or fewer        lemma without labels
         positive
=======  ========================================  ==============================  =====================================

These are the lemmas that the scorers compare. A substitute that is the target itself is no case. Predictions are plain
values; ``*_without`` takes suggestions out of them, and the scorer scores what is left.
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
        """The suggestions, each by its key."""
        return [(self.target, substitute) for substitute in self.substitutes]


def sws_cases(gold: sws.Gold, predictions: sws.Predictions) -> list[Case]:
    """The cases of Smart Word Suggestions; the text is the words with blanks between."""
    cases = []
    for record, (name, sentence) in enumerate(gold.items()):
        begins = [0, *accumulate(len(word) + 1 for word in sentence.words)]
        wanted = {target.span: target.suggestions for target in sentence.targets}
        for span, made in predictions.get(name, {}).items():
            start, end = begins[span[0]], begins[span[1]] - 1

            def label(substitute: str, votes: Mapping[str, int] | None = wanted.get(span)) -> Label:
                if votes is None:
                    return "unjudged"
                return "acceptable" if substitute in votes else "wrong"

            cases.append(_case(record, (name, span), " ".join(sentence.words), start, end, None, made, label))
    return cases


def prolex_cases(
    gold: prolex.Gold, predictions: prolex.Predictions, *, lemmatise: Callable[[str], str] | None = None
) -> list[Case]:
    """The cases of ProLex; targets without an acceptable substitute are left out, as the scorer leaves them out.

    Raises:
        InputError: a gold sentence does not mark its target with ``**``.
    """
    lemmatise = lemmatise or FirstWordLemmatiser(WordNetLemmatiser.shipped())
    cases = []
    for record, (number, target) in enumerate(gold.items()):
        if not target.acceptable or number not in predictions:
            continue
        good = {lemmatise(substitute) for substitute in target.acceptable}
        bad = {lemmatise(substitute) for substitute in target.unacceptable} - good
        text, start, end = prolex_files.unmarked(target.sentence, number)
        own = lemmatise(text[start:end])

        def label(
            substitute: str, good: Collection[str] = good, bad: Collection[str] = bad, own: str = own
        ) -> Label | None:
            lemma = lemmatise(substitute)
            if lemma in good:
                return "acceptable"
            if substitute == own or lemma == own:
                return None
            return "wrong" if lemma in bad else "unjudged"

        cases.append(_case(record, number, text, start, end, None, predictions[number], label))
    return cases


def swords_cases(
    gold: swords.Gold,
    predictions: swords.Predictions,
    targets: Mapping[str, swords_files.Target],
    *,
    lemmatise: Lemmatise | None = None,
) -> list[Case]:
    """The cases of SWORDS.

    Args:
        gold: what was judged.
        predictions: what a system suggests.
        targets: the contexts, of :func:`usim.suggestions.swords.read_targets` from the same file as the gold data.
        lemmatise: as for :func:`usim.benchmarks.swords.score`.

    Raises:
        InputError: a target has no context.
    """
    lemmatise = lemmatise or WordNetLemmatiser.shipped()
    compared = swords.lemmatised_gold(gold, lemmatise)
    cases = []
    for record, (name, target) in enumerate(compared.items()):
        if name not in predictions:
            continue
        if name not in targets:
            raise InputError("a target of the gold data has no context", text=name)
        context = targets[name]
        shares = swords.positive_shares(target)
        own = swords.compared_form(target.word, target.pos, lemmatise)

        def label(
            substitute: str, pos: str | None = target.pos, own: str = own, shares: Mapping[str, float] = shares
        ) -> Label | None:
            lemma = swords.compared_form(substitute, pos, lemmatise)
            if lemma == own:
                return None
            if lemma not in shares:
                return "unjudged"
            return "acceptable" if shares[lemma] >= swords.THRESHOLDS["a"] else "wrong"

        made = [substitute for substitute, _ in sorted(predictions[name], key=lambda pair: -pair[1])]
        cases.append(_case(record, name, context.text, context.start, context.end, context.pos, made, label))
    return cases


def _case(
    record: int,
    target: Hashable,
    text: str,
    start: int,
    end: int,
    pos: str | None,
    made: Iterable[str],
    label: Callable[[str], Label | None],
) -> Case:
    labelled = [(substitute, found) for substitute in dict.fromkeys(made) if (found := label(substitute))]
    substitutes = tuple(substitute for substitute, _ in labelled)
    return Case(record, target, text, start, end, pos, substitutes, tuple(found for _, found in labelled))


def sws_without(predictions: sws.Predictions, dropped: Collection[Key]) -> sws.Predictions:
    """The predictions less some suggestions; a target that loses its last one goes, as it would still count as one."""
    left: dict[str, dict[sws.Span, list[str]]] = {}
    for name, targets in predictions.items():
        left[name] = {}
        for span, made in targets.items():
            kept = _kept((name, span), made, dropped)
            if kept or not made:
                left[name][span] = kept
    return left


def prolex_without(predictions: prolex.Predictions, dropped: Collection[Key]) -> prolex.Predictions:
    """The predictions less some suggestions."""
    return {number: _kept(number, made, dropped) for number, made in predictions.items()}


def swords_without(predictions: swords.Predictions, dropped: Collection[Key]) -> swords.Predictions:
    """The predictions less some suggestions."""
    return {
        name: [(substitute, score) for substitute, score in made if (name, substitute) not in dropped]
        for name, made in predictions.items()
    }


def _kept(target: Hashable, made: Iterable[str], dropped: Collection[Key]) -> list[str]:
    return [substitute for substitute in made if (target, substitute) not in dropped]
