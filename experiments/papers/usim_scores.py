"""USim of pairs of sentences, parsed by usim's own parser."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache

import numpy as np

from experiments.common.statistics import Values
from usim.measures import usim_score
from usim.parsing import Parser, load

_BLOCK = 256  # pairs whose graphs are held in memory


@cache
def parser() -> Parser:
    """Return the parser."""
    return load("en")


def usim_scores(pairs: Sequence[tuple[str, str]]) -> Values:
    """Return USim by the default preset of each pair of a source and an output, shape (pairs,)."""
    scores: list[float] = []
    for start in range(0, len(pairs), _BLOCK):
        block = pairs[start : start + _BLOCK]
        sentences = list(dict.fromkeys(sentence for pair in block for sentence in pair))
        graphs = dict(zip(sentences, parser().parse(sentences), strict=True))
        scores += [usim_score(graphs[source], graphs[output]).f for source, output in block]
    return np.array(scores)
