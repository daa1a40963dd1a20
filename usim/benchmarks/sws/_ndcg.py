"""NDCG of ranked suggestions, and the definitions by which suggestions are scored.

Wang et al. (2023) have NDCG three times, and not the same three times: the published script has gains over
log2(position + 1) for as many positions as the system filled; the worked example (appendix D) has the same for five
positions; the formula of section 6.2 sums gains that are cumulated already. Without rounding the example is
4.3235 / 5.1925 = .8326, which is what the script gives (4.4 and 5.1, as printed, come of rounded terms); the formula
would give .8442.

>>> votes = {"a": 3, "b": 2, "c": 1, "d": 1}
>>> made = ["b", "a", "none", "c", "none"]
>>> [round(Ndcg(m=5).at(m).of(made, votes), 4) for m in (1, 2, 3, 4, 5)]
[0.6667, 0.9134, 0.8175, 0.8326, 0.8326]
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace


@dataclass(frozen=True)
class Ndcg:
    """Normalised discounted cumulative gain (Järvelin and Kekäläinen 2002) of ranked suggestions.

    A suggestion gains its votes, and position i divides them by log2(i + 1).

    Args:
        m: how many positions count; None for as many as the system filled.
        repeats: whether a suggestion that is made twice gains twice.
        pad: where ``m`` is None, a shorter list counts as filled up to this length with a suggestion that nobody made,
            as the published systems' lists are with the word *none* (10); 0 for lists as they are. With ``m`` positions
            a shorter list always counts as filled up to m.
    """

    m: int | None = 5
    repeats: bool = False
    pad: int = 0

    @property
    def signature(self) -> str:
        filled = f"made/{self.pad}" if self.pad else "made"
        places = f"m={filled},ideal={filled}" if self.m is None else f"m={self.m},ideal=m"
        return f"votes/log2,{places}"

    def at(self, m: int) -> Ndcg:
        """Return the same NDCG over m positions."""
        return replace(self, m=m, pad=0)

    def dcg(self, gains: Sequence[float]) -> float:
        """Sum the discounted gains of the positions that count."""
        return sum(gain / math.log2(position + 1) for position, gain in enumerate(gains[: self.m], 1))

    def gains(self, suggestions: Sequence[str], votes: Mapping[str, int]) -> list[float]:
        """Return the gain of each suggestion, in order."""
        return [
            float(votes.get(suggestion, 0)) if self.repeats or suggestion not in suggestions[:place] else 0.0
            for place, suggestion in enumerate(suggestions)
        ]

    def of(self, suggestions: Sequence[str], votes: Mapping[str, int]) -> float:
        """Return the gain of suggestions, best first, relative to the ideal ranking; 0 without suggestions."""
        ideal = sorted(map(float, votes.values()), reverse=True)
        if self.m is None:
            ideal = ideal[: max(len(suggestions), self.pad)]
        best = self.dcg(ideal)
        return self.dcg(self.gains(suggestions, votes)) / best if best else 0.0


@dataclass(frozen=True)
class Definition:
    """How suggestions are scored where the paper and the published script differ."""

    name: str
    ndcg: Ndcg
    pooled: bool

    @property
    def signature(self) -> dict[str, object]:
        accuracy = "pooled" if self.pooled else "by-sentence"
        return {"def": self.name, "ndcg": self.ndcg.signature, "acc": accuracy}


#: What the published scorer does, and what the tables of the paper have: accuracy is pooled over detected targets, so
#: that precision of detection times accuracy is precision end to end, as it is for the seven systems of the tables.
SCRIPT = Definition("script", Ndcg(m=None, repeats=True), pooled=True)
#: What the text of the paper describes: accuracy by sentence, NDCG as in the worked example. Not what its tables have.
PAPER = Definition("paper", Ndcg(m=5), pooled=False)
DEFINITIONS = {definition.name: definition for definition in (SCRIPT, PAPER)}
