"""Rankers of a system's substitutes, and the three benchmarks before and after reranking.

A system proposes good substitutes in a bad order as often as bad ones. SWORDS therefore scores systems a second time
with their lists reranked (the rows with a dagger, Lee et al. 2021, section 5.2), and scores rankers alone on the
substitutes that people judged (:func:`rank_judged`, Table 6). What is in a list stays in it; only the order changes.

- :class:`ByFaithfulness`: the judge's, or USim's, faithfulness of the change;
- :class:`ByContext`: the cosine of the contextual vectors of target and substitute;
- :class:`ByVectors`: the cosine of their static vectors;
- :class:`Shuffled`: chance.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from functools import partial
from itertools import islice
from typing import NamedTuple, Protocol, Unpack

import numpy as np
import numpy.typing as npt

from usim.benchmarks import prolex, swords, sws
from usim.benchmarks.result import Bootstrap, Comparison, Figure, Ratio, Result, Tally, compare
from usim.benchmarks.screening import Case, Key, Screening, opinions, prolex_cases, swords_cases, sws_cases
from usim.errors import OptionError, SuggestionError
from usim.lexicon import Lemmatise
from usim.suggestions import Inflector, Suggestion
from usim.suggestions.swords import Target as Context
from usim.text import token_spans, token_texts

_BLOCK = 256  # changed sentences that are encoded together

Scores = Mapping[Key, float]


class Ranker(Protocol):
    """Gives substitutes scores; the higher, the better."""

    @property
    def signature(self) -> str:
        """Everything that is needed to get the same scores again, without a colon or a bar."""
        ...

    def scores(self, cases: Sequence[Case]) -> dict[Key, float]:
        """Return the scores of the substitutes of all cases; those that cannot be ranked are left out."""
        ...


class ByFaithfulness:
    """Ranks by the faithfulness of the change.

    Args:
        screen: judges the substitutes; a :class:`usim.screen.Screen`.
    """

    def __init__(self, screen: Screening) -> None:
        self._screen = screen

    @property
    def signature(self) -> str:
        """The signature of the screen."""
        parts = (part for part in self._screen.signature.split("|") if part != "usim" and not part.startswith("v:"))
        return ",".join(part.replace(":", "=", 1) for part in parts)

    def scores(self, cases: Sequence[Case]) -> dict[Key, float]:
        """Return the faithfulness of each substitute, in [0, 1]."""
        return {key: opinion.faithfulness for key, opinion in opinions(cases, self._screen).items()}


class Encoder(Protocol):
    """Makes a vector for each token of a sentence; its first ``lower`` numbers are compared."""

    @property
    def lower(self) -> int: ...

    def __call__(self, sentences: Sequence[Sequence[str]]) -> Sequence[npt.NDArray[np.float32]]: ...


class _Changed(NamedTuple):
    key: Key
    tokens: list[str]
    first: int
    last: int


class ByContext:
    """Ranks by the cosine of two contextual vectors: of the target, and of the substitute in its place.

    Each is the mean of the vectors of its tokens. Of a judge's encoder, the layers are compared that it shares with the
    model that it was trained from; the paper takes the last layer of BERT.

    Args:
        encoder: of a judge that reads words, or :class:`usim.benchmarks.contextual.TransformerVectors`.
        inflect: puts lemmas into the form of their targets; None to take them as they are.
        name: of the encoder, for signatures.
    """

    def __init__(self, encoder: Encoder | None, inflect: Inflector | None = None, name: str = "") -> None:
        if encoder is None:
            raise OptionError("this judge reads no words and has no vectors of them; take another", option="judge")
        self._encoder = encoder
        self._inflect = inflect
        self._name = name

    @property
    def signature(self) -> str:
        """The encoder, and what inflects substitutes."""
        inflect = "" if self._inflect is None else f",inflect={self._inflect.name}"
        return f"context={self._name or 'encoder'}{inflect}"

    def scores(self, cases: Sequence[Case]) -> dict[Key, float]:
        """Return the cosine for each substitute, in [-1, 1]; empty substitutes are left out."""
        scores: dict[Key, float] = {}
        changes = (change for case in cases for change in self._changes(case))
        before: dict[Hashable, npt.NDArray[np.float64]] = {}
        while block := list(islice(changes, _BLOCK)):
            for change, vectors in zip(block, self._encoder([change.tokens for change in block]), strict=True):
                vector = vectors[change.first : change.last, : self._encoder.lower].mean(axis=0, dtype=np.float64)
                vector /= np.linalg.norm(vector) or 1
                target, substitute = change.key
                if substitute == "":
                    before[target] = vector
                else:
                    scores[change.key] = float(vector @ before[target])
        return scores

    def _changes(self, case: Case) -> Iterator[_Changed]:
        """Return the sentence as it is, named by an empty substitute, and then with each substitute."""
        words = case.text[case.start : case.end]
        about = {"pos": case.pos} if case.pos else {}
        for substitute in ["", *case.substitutes]:
            suggestion = Suggestion(substitute or words, (case.start, case.end), about=about)
            try:
                placed = suggestion.placed(case.text, self._inflect if substitute else None)
            except SuggestionError:  # the target cuts a word
                return
            _, (start, end) = placed.around(case.text)
            sentence = placed.text[start:end]
            tokens = token_texts(sentence)
            places = [
                place
                for place, span in enumerate(token_spans(sentence, tokens))
                if span is not None and span[0] < placed.end - start and span[1] > placed.start - start
            ]
            if places:
                yield _Changed((case.target, substitute), tokens, places[0], places[-1] + 1)
            elif not substitute:
                return


class ByVectors:
    """Ranks by the cosine of static vectors of the target and the substitute.

    Args:
        similarity: of two words or phrases, in [-1, 1].
        name: of the vectors, for signatures.
    """

    def __init__(self, similarity: Callable[[str, str], float], name: str) -> None:
        self._similarity = similarity
        self._name = name

    @property
    def signature(self) -> str:
        """The name of the vectors."""
        return f"vectors={self._name}"

    def scores(self, cases: Sequence[Case]) -> dict[Key, float]:
        """Return the similarity of each substitute to its target."""
        return {
            (case.target, substitute): self._similarity(case.text[case.start : case.end], substitute)
            for case in cases
            for substitute in case.substitutes
        }


class Shuffled:
    """Ranks by chance.

    Args:
        seed: the same seed gives the same order.
    """

    def __init__(self, seed: int = 0) -> None:
        self._seed = seed

    @property
    def signature(self) -> str:
        """The seed."""
        return f"random={self._seed}"

    def scores(self, cases: Sequence[Case]) -> dict[Key, float]:
        """Return numbers in [0, 1)."""
        rng = np.random.default_rng(self._seed)
        return {key: float(rng.random()) for case in cases for key in case.keys}


# Reranking


def rerank_sws(
    gold: sws.Gold,
    predictions: sws.Predictions,
    ranker: Ranker,
    *,
    definition: sws.Definition = sws.SCRIPT,
    parts: Mapping[str, object] | None = None,
    **bootstrap: Unpack[Bootstrap],
) -> Comparison:
    """Score a system on Smart Word Suggestions before and after its lists are reranked.

    Args:
        gold, predictions, definition, parts: as for :func:`usim.benchmarks.screening.screen_sws`.
        ranker: gives the order.
        bootstrap: settings of the intervals over sentences, see :class:`~usim.benchmarks.result.Bootstrap`.

    Raises:
        InputError: no sentence, or predictions for a sentence that is not in the gold data.
    """
    before = sws.tally(gold, predictions, definition=definition, parts=parts or {})
    scores = ranker.scores(sws_cases(gold, predictions))
    reranked = {
        name: {span: ranked((name, span), substitutes, scores) for span, substitutes in targets.items()}
        for name, targets in predictions.items()
    }
    after = sws.tally(gold, reranked, definition=definition, parts=parts or {})
    return _compared(before, after, ranker, bootstrap)


def rerank_prolex(
    gold: prolex.Gold,
    predictions: prolex.Predictions,
    ranker: Ranker,
    *,
    k: int = 10,
    lemmatise: Callable[[str], str] | None = None,
    parts: Mapping[str, object] | None = None,
    **bootstrap: Unpack[Bootstrap],
) -> Comparison:
    """Score a system on ProLex before and after its lists are reranked.

    With lists that are no longer than k, the figures cannot change: take a k below their length.

    Args:
        gold, predictions, k, lemmatise, parts: as for :func:`usim.benchmarks.prolex.score`.
        ranker, bootstrap: as for :func:`rerank_sws`; the intervals are over targets.

    Raises:
        InputError: no target, predictions for a target that is not in the gold data, or a sentence without its target.
    """
    tally = partial(prolex.tally, gold, k=k, lemmatise=lemmatise, parts=parts)
    scores = ranker.scores(prolex_cases(gold, predictions, lemmatise=lemmatise))
    reranked = {number: ranked(number, substitutes, scores) for number, substitutes in predictions.items()}
    return _compared(tally(predictions), tally(reranked), ranker, bootstrap)


def rerank_swords(
    gold: swords.Gold,
    predictions: swords.Predictions,
    contexts: Mapping[str, Context],
    ranker: Ranker,
    *,
    ks: Iterable[int] = (10, 1),
    lemmatise: Lemmatise | None = None,
    **bootstrap: Unpack[Bootstrap],
) -> Comparison:
    """Score a system on SWORDS before and after its lists are reranked (the rows with a dagger of Table 4).

    Args:
        gold, predictions, contexts, ks, lemmatise: as for :func:`usim.benchmarks.screening.screen_swords`.
        ranker, bootstrap: as for :func:`rerank_sws`; the intervals are over targets.

    Raises:
        InputError: nothing to score, predictions for a target that is not in the gold data, a target without context.
    """
    before = swords.tally(gold, predictions, ks=tuple(ks), lemmatise=lemmatise)
    reranked = _reranked(gold, predictions, contexts, ranker, lemmatise)
    return _compared(before, swords.tally(gold, reranked, ks=tuple(ks), lemmatise=lemmatise), ranker, bootstrap)


def rank_judged(
    gold: swords.Gold,
    contexts: Mapping[str, Context],
    ranker: Ranker,
    *,
    lemmatise: Lemmatise | None = None,
    **bootstrap: Unpack[Bootstrap],
) -> Result:
    """Score a ranker on all substitutes that people judged: the ranking setting of SWORDS (Table 6).

    Args:
        gold, contexts, lemmatise: as for :func:`usim.benchmarks.screening.screen_swords`.
        ranker: gives the order; what it cannot rank stays last.
        bootstrap: settings of the intervals over targets, see :class:`~usim.benchmarks.result.Bootstrap`.

    Returns:
        the figures ``gap`` and ``gap_rat`` in per cent. Table 6 has ``gap_rat``.

    Raises:
        InputError: nothing to rank, or a target without context.
    """
    judged = {
        name: [
            (substitute, 0.0)
            for substitute, labels in target.labels.items()
            if any(label != "UNSURE" for label in labels)
        ]
        for name, target in gold.items()
    }
    tally = swords.tally(gold, _reranked(gold, judged, contexts, ranker, lemmatise), lemmatise=lemmatise)
    figures = {name: tally.figures[name] for name in ("gap", "gap_rat")}
    parts = {"set": "judged", "rank": ranker.signature, "lemma": tally.parts["lemma"]}
    return replace(tally, figures=figures, parts=parts).result(**bootstrap)


def rank_prolex(
    gold: prolex.Gold,
    ranker: Ranker,
    *,
    lemmatise: Callable[[str], str] | None = None,
    parts: Mapping[str, object] | None = None,
    **bootstrap: Unpack[Bootstrap],
) -> Result:
    """Score a ranker on all substitutes of ProLex that people judged: the ranking setting of section 5.1.

    Args:
        gold, lemmatise, parts: as for :func:`usim.benchmarks.prolex.score`.
        ranker: gives the order; what it cannot rank stays last.
        bootstrap: settings of the intervals over targets, see :class:`~usim.benchmarks.result.Bootstrap`.

    Returns:
        the figures ``gap_acceptable`` and ``gap_proficient`` in [0, 1]: generalised average precision, where each such
        substitute has the weight 1; the mean over the targets with one.

    Raises:
        InputError: nothing to rank, or a sentence without its target.
    """
    judged = {number: (*target.acceptable, *target.unacceptable) for number, target in gold.items()}
    scores = ranker.scores(prolex_cases(gold, judged, lemmatise=lemmatise))
    records: list[dict[str, float]] = []
    for number, target in gold.items():
        order = ranked(number, dict.fromkeys(judged[number]), scores)
        records.append({})
        for aspect in prolex.ASPECTS:
            gap = swords.generalised_average_precision(dict.fromkeys(getattr(target, aspect), 1.0), order)
            if not np.isnan(gap):
                records[-1] |= {aspect: gap, f"{aspect} ranked": 1}
    figures: dict[str, Figure] = {f"gap_{aspect}": Ratio(aspect, f"{aspect} ranked") for aspect in prolex.ASPECTS}
    signed = {**(parts or {}), "set": "judged", "rank": ranker.signature}
    return Tally("prolex", records, figures, signed).result(**bootstrap)


def ranked(target: Hashable, substitutes: Iterable[str], scores: Scores) -> list[str]:
    """Return the substitutes of a target, best first; equal ones in their order, those without a score last.

    >>> ranked("t", ["a", "b", "c", "d"], {("t", "b"): 0.5, ("t", "c"): 0.9, ("t", "d"): 0.5})
    ['c', 'b', 'd', 'a']
    """
    return sorted(substitutes, key=lambda substitute: -scores.get((target, substitute), -np.inf))


def _reranked(
    gold: swords.Gold,
    predictions: swords.Predictions,
    contexts: Mapping[str, Context],
    ranker: Ranker,
    lemmatise: Lemmatise | None,
) -> dict[str, list[tuple[str, float]]]:
    scores = ranker.scores(swords_cases(gold, predictions, contexts, lemmatise=lemmatise))
    reranked = {}
    for name, pairs in predictions.items():
        substitutes = [substitute for substitute, _ in sorted(pairs, key=lambda pair: -pair[1])]
        reranked[name] = [(s, -float(place)) for place, s in enumerate(ranked(name, substitutes, scores))]
    return reranked


def _compared(before: Tally, after: Tally, ranker: Ranker, bootstrap: Bootstrap) -> Comparison:
    return compare(before, replace(after, parts={**after.parts, "rank": ranker.signature}), **bootstrap)


__all__ = [
    "ByContext",
    "ByFaithfulness",
    "ByVectors",
    "Encoder",
    "Ranker",
    "Shuffled",
    "rank_judged",
    "rank_prolex",
    "ranked",
    "rerank_prolex",
    "rerank_swords",
    "rerank_sws",
]
