"""What the makers make: pairs of sentences with the probability that people call the meaning preserved."""

from __future__ import annotations

from typing import NamedTuple


class Pair(NamedTuple):
    """A pair of sentences.

    Attributes:
        label: the probability that people would say that the target preserves the source's meaning, in [0, 1].
        kind: what was done, ``family.detail``.
        group: the sentence that the pair comes from; pairs of one group belong on one side of a split.
    """

    source: str
    target: str
    label: float
    kind: str
    group: str


class Change(NamedTuple):
    """A sentence changed: the new text, the label of old and new, and what was done."""

    text: str
    label: float
    kind: str
