"""Precision, recall and F from counts that can be added up over passages."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class Counts:
    """Counts of matched, predicted and gold items; added up, they give a micro average.

    Attributes:
        matched: the number of items that both have.
        predicted: the number of items in the prediction (or the guess, the first annotation).
        gold: the number of items in the gold standard (or the reference, the second annotation).

    >>> (Counts(1, 2, 2) + Counts(1, 1, 2)).f
    0.5714285714285715
    """

    matched: int = 0
    predicted: int = 0
    gold: int = 0

    @property
    def precision(self) -> float:
        """Matched / predicted; 1 if nothing was predicted."""
        return self.matched / self.predicted if self.predicted else 1.0

    @property
    def recall(self) -> float:
        """Matched / gold; 1 if there is nothing in the gold graph."""
        return self.matched / self.gold if self.gold else 1.0

    @property
    def f(self) -> float:
        """The harmonic mean of both; 0 if either is 0."""
        p, r = self.precision, self.recall
        return 2.0 * p * r / (p + r) if p and r else 0.0

    def __add__(self, other: Counts) -> Counts:
        return Counts(self.matched + other.matched, self.predicted + other.predicted, self.gold + other.gold)

    def to_dict(self) -> dict[str, float]:
        """Return the scores and the counts, as JSON values."""
        return {
            "precision": self.precision,
            "recall": self.recall,
            "f": self.f,
            "matched": self.matched,
            "predicted": self.predicted,
            "gold": self.gold,
        }
