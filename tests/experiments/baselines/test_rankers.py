"""Rankers by contextual and by static vectors."""

from collections.abc import Sequence
from typing import Any

import numpy as np
import pytest

from experiments.baselines.rankers import by_context, by_vectors
from usim.benchmarks.case import Case, Place

CASE = Case(0, "t", Place("He is quick. She left.", 6, 11), dict.fromkeys(("quiet", "slow going", "fast"), "wrong"))


class Letters:
    """Encodes a token by its first letter and by its place."""

    lower = 27

    def __call__(self, sentences: Sequence[Sequence[str]]) -> list[Any]:
        seen = []
        for tokens in sentences:
            vectors = np.zeros((len(tokens), 30), np.float32)
            for place, token in enumerate(tokens):
                vectors[place, ord(token[0].lower()) % 27] = 1
                vectors[place, 26] = 0.1 * place
            seen.append(vectors)
        return seen


def test_the_cosine_of_target_and_substitute_in_their_sentence() -> None:
    ranker = by_context(Letters(), name="letters")
    scores = ranker.scores([CASE])
    assert scores["t", "quiet"] == pytest.approx(1)
    assert scores["t", "fast"] < 0.1
    assert set(scores) == {("t", "quiet"), ("t", "slow going"), ("t", "fast")}
    assert ranker.signature == "context=letters"


def test_static_vectors() -> None:
    ranker = by_vectors(lambda target, substitute: float(target[0] == substitute[0]), "letters")
    assert ranker.scores([CASE]) == {("t", "quiet"): 1.0, ("t", "slow going"): 0.0, ("t", "fast"): 0.0}
    assert ranker.signature == "vectors=letters"
