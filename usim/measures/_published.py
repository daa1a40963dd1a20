"""The alignment of words of the published USim code (``scripts/distances/align.py`` of ``ucca``).

Both passages are cut where they have sentence ends in common, and the words of each part are matched at least cost:
edit distance plus the distance in place over the longer part; the shorter part is filled up with empty words that cost
nothing. Of several matchings of one cost, the code takes that of its package ``munkres``: since version 3 the one that
SciPy finds, which is taken here; earlier versions find others.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

import numpy as np
from rapidfuzz.distance import Levenshtein
from rapidfuzz.process import cdist

from usim.ucca import Graph

_SIGNS = re.compile(r"[\W_]+")


def published_links(a: Sequence[str], b: Sequence[str]) -> list[tuple[int, int]]:
    """Return the pairs of positions of two parts that the published code aligns.

    >>> published_links(["he", "goes"], ["so", "he", "goed"])
    [(0, 1), (1, 2)]
    """
    if not a or not b:
        return []
    longer, shorter = (a, b) if len(a) > len(b) else (b, a)
    n, m = len(longer), len(shorter)
    cost = np.zeros((n, n))
    cost[:, :m] = cdist(longer, shorter, scorer=Levenshtein.distance, dtype=np.float64)
    cost[:, :m] += np.abs(np.subtract.outer(np.arange(n), np.arange(m))) / n
    from scipy.optimize import linear_sum_assignment  # takes longer to import than most sentences to compare

    columns = linear_sum_assignment(cost)[1].tolist()
    return sorted((i, j) if longer is a else (j, i) for i, j in enumerate(columns) if j < m)


def common_parts(source: Graph, output: Graph) -> list[tuple[slice, slice]]:
    """Cut two passages where sentences end with the same word in both, as the published code does.

    A full stop begins the part after it, and those at the end may be in no part.
    """
    ends, other_ends = _ends(source), _ends(output)
    kept: list[tuple[int, int]] = []
    i = j = 0
    while i < len(ends) and j < len(other_ends):
        (end, word), (other_end, other_word) = ends[i], other_ends[j]
        next_end, next_word = ends[min(i + 1, len(ends) - 1)]
        next_other_end, next_other_word = other_ends[min(j + 1, len(other_ends) - 1)]
        if word == other_word:
            kept.append((end, other_end))
        elif next_word == other_word:  # one of them has a sentence more
            i += 1
            kept.append((next_end, other_end))
        elif word == next_other_word:
            j += 1
            kept.append((end, next_other_end))
        i += 1
        j += 1
    lengths = len(source.terminals), len(output.terminals)
    if not all(lengths):
        return []
    last, other_last = kept[-1] if kept else (-1, -1)
    reaches = last == ends[-1][0], other_last == other_ends[-1][0]
    if not any(reaches):
        kept.append(lengths)
    elif not all(reaches):
        kept[-1] = (last, lengths[1]) if reaches[0] else (ends[-1][0], other_last)
    starts = [(0, 0), *kept]
    return [(slice(s[0], e[0]), slice(s[1], e[1])) for s, e in zip(starts, kept, strict=False)]


def _ends(graph: Graph) -> list[tuple[int, str]]:
    """Return the ends of sentences with their last words: of a mark without letters, the place and word before it."""
    ends = []
    for end in graph.sentence_ends():
        end -= not _SIGNS.sub("", graph.terminals[end - 1].text)
        ends.append((end, _SIGNS.sub("", graph.terminals[end - 1].text)))
    return ends
