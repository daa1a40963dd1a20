"""The protocol of judges: how likely people would say that the meaning of a sentence is preserved in another."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Protocol

from usim.evidence import Analysis
from usim.judge._encoder import TokenEncoder
from usim.verdicts import Opinion, Thresholds


class Judge(Protocol):
    """The protocol of judges of pairs of sentences.

    Attributes:
        name: for signatures.
        thresholds: what verdicts on its opinions need, unless the user sets others.
        encoder: makes the token vectors that the judge reads; None for a judge that reads none.
    """

    name: str
    thresholds: Thresholds
    encoder: TokenEncoder | None

    def judge(self, pairs: Sequence[tuple[Analysis, Analysis]]) -> list[Opinion]:
        """Return an opinion of each pair of a source and its changed version, in order.

        Sentences of the same tokens have probability 1. The opinion of a pair does not depend on the others.
        """
        ...
