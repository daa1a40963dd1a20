"""Rankers of substitutes by vectors, beside those of :mod:`usim.benchmarks.ranking`."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterator, Sequence
from itertools import islice
from typing import NamedTuple, Protocol

import numpy as np
import numpy.typing as npt

from usim.benchmarks.case import Case, Key
from usim.benchmarks.ranking import Ranker
from usim.errors import SuggestionError
from usim.suggestions import Inflector
from usim.text import token_spans, token_texts

_BLOCK = 256  # changed sentences that are encoded together


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


def by_context(encoder: Encoder, inflect: Inflector | None = None, name: str = "encoder") -> Ranker:
    """Rank by the cosine of two contextual vectors: of the target, and of the substitute in its place.

    Each is the mean of the vectors of its tokens. Of a judge's encoder, the layers are compared that it shares with the
    model that it was trained from; the paper takes the last layer of BERT. Empty substitutes are left out.

    Args:
        encoder: of a judge that reads words, or anything else that encodes tokens.
        inflect: puts lemmas into the form of their targets; None to take them as they are.
        name: of the encoder, for signatures.
    """

    def scores(cases: Sequence[Case]) -> dict[Key, float]:
        scores: dict[Key, float] = {}
        changes = (change for case in cases for change in _changes(case, inflect))
        before: dict[Hashable, npt.NDArray[np.float64]] = {}
        while block := list(islice(changes, _BLOCK)):
            for change, vectors in zip(block, encoder([change.tokens for change in block]), strict=True):
                vector = vectors[change.first : change.last, : encoder.lower].mean(axis=0, dtype=np.float64)
                vector /= np.linalg.norm(vector) or 1
                target, substitute = change.key
                if substitute == "":
                    before[target] = vector
                else:
                    scores[change.key] = float(vector @ before[target])
        return scores

    return Ranker(f"context={name}" + ("" if inflect is None else f",inflect={inflect.name}"), scores)


def _changes(case: Case, inflect: Inflector | None) -> Iterator[_Changed]:
    """Yield the sentence as it is, named by an empty substitute, and then with each substitute."""
    text = case.place.text
    for substitute in ["", *case.labels]:
        suggestion = case.suggestion(substitute or case.place.word)
        try:
            placed = suggestion.placed(text, inflect if substitute else None)
        except SuggestionError:  # the target cuts a word
            return
        _, (start, end) = placed.around(text)
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


def by_vectors(similarity: Callable[[str, str], float], name: str) -> Ranker:
    """Rank by a cosine of the target and the substitute, in [-1, 1]; ``name`` is that of the vectors."""

    def scores(cases: Sequence[Case]) -> dict[Key, float]:
        return {key: similarity(case.place.word, key[1]) for case in cases for key in case.keys}

    return Ranker(f"vectors={name}", scores)
