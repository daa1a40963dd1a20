"""Token alignment of long texts, in memory that grows with their length.

:mod:`usim.measures.align` anchors equal words along a longest common subsequence and matches the rest by minimum cost.
Done directly, both steps need a table of all words of one text by all words of the other. Texts whose tables would be
too large are aligned here:

- :func:`matching_blocks` cuts both texts where a longest common subsequence passes through the middle of one of them
  (Hirschberg 1975, "A linear space algorithm for computing maximal common subsequences"), until the parts are small
  enough. The blocks lie along a longest common subsequence of the whole texts, as they do without cutting.
- :func:`matched_nearby` looks only at words that are near enough to each other to be worth a link, and solves the same
  problem of minimum cost on these (``scipy.sparse.csgraph.min_weight_full_bipartite_matching``).

So nothing is approximated: the subsequence is as long, and the cost as low, as without these limits. Where several
alignments are equally good, another one may be chosen than in a small table.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Sequence

import numpy as np
import numpy.typing as npt
from rapidfuzz.distance import Indel

from usim.measures.arrays import FloatArray, IntArray

#: A table of so many bits (128 MB) is made to find a longest common subsequence; larger ones are cut.
_SUBSEQUENCE_CELLS = 1 << 30
#: Words that make up less than this share of a text get their bit sets when they are needed.
_RARE = 1_000
#: So many pairs of words are weighed at a time.
_BATCH = 1 << 18


def matching_blocks(a: Sequence[str], b: Sequence[str], limit: int = _SUBSEQUENCE_CELLS) -> list[list[int]]:
    """Return equal stretches along a longest common subsequence: start in ``a``, start in ``b``, length.

    The last block is the empty one at the end of both texts.
    """
    if len(a) * len(b) <= limit:
        return [list(block) for block in Indel.opcodes(a, b).as_matching_blocks()]
    blocks: list[list[int]] = []
    _collect_blocks(a, b, 0, 0, limit, blocks)
    return [*blocks, [len(a), len(b), 0]]


def _collect_blocks(
    a: Sequence[str], b: Sequence[str], start_a: int, start_b: int, limit: int, blocks: list[list[int]]
) -> None:
    """Append the blocks of a part of two texts, which begins at the given positions."""
    if len(a) * len(b) > limit and len(a) > 1:
        middle = len(a) // 2
        before = _prefix_lengths(a[:middle], b)
        after = _prefix_lengths(a[middle:][::-1], b[::-1])[::-1]
        cut = int((before + after).argmax())
        _collect_blocks(a[:middle], b[:cut], start_a, start_b, limit, blocks)
        _collect_blocks(a[middle:], b[cut:], start_a + middle, start_b + cut, limit, blocks)
        return
    for block in Indel.opcodes(a, b).as_matching_blocks():
        i, j, size = start_a + block.a, start_b + block.b, block.size
        if blocks and (blocks[-1][0] + blocks[-1][2], blocks[-1][1] + blocks[-1][2]) == (i, j):
            blocks[-1][2] += size
        elif size:
            blocks.append([i, j, size])


def _prefix_lengths(a: Sequence[str], b: Sequence[str]) -> IntArray:
    """Return the length of a longest common subsequence of ``a`` with each prefix of ``b``: int64 (len(b) + 1,).

    Bit-parallel (Hyyrö 2004, "Bit-parallel LCS-length computation revisited"): in ``row``, bit *j* is 0 where the
    length grows from the prefix of *j* words to that of *j* + 1.
    """
    m = len(b)
    counts = Counter(a)
    places: dict[str, list[int]] = {}
    for j, word in enumerate(b):
        if word in counts:
            places.setdefault(word, []).append(j)
    sets = {word: _bit_set(places[word], m) for word in places if counts[word] * _RARE > len(a)}
    everywhere = (1 << m) - 1
    row = everywhere
    for word in a:
        if word in places:
            common = row & (sets[word] if word in sets else _bit_set(places[word], m))
            row = (row + common | row - common) & everywhere
    grows = np.unpackbits(
        np.frombuffer((~row & everywhere).to_bytes(m // 8 + 1, "little"), np.uint8), bitorder="little"
    )
    return np.concatenate(([0], np.cumsum(grows[:m], dtype=np.int64)))


def _bit_set(positions: list[int], size: int) -> int:
    octets = bytearray(size // 8 + 1)
    for position in positions:
        octets[position >> 3] |= 1 << (position & 7)
    return int.from_bytes(octets, "little")


def matched_nearby(
    places: FloatArray,
    positions: npt.NDArray[np.int64],
    reach: int,
    cost: Callable[[IntArray, IntArray], FloatArray],
    alone: float,
) -> list[tuple[int, int]]:
    """Match the words of two texts at minimum cost.

    Args:
        places: float64 (n,), ascending; where in the second text each word of the first is expected.
        positions: int64 (m,), ascending; where each word of the second text is.
        reach: words farther from their place than this are not worth a link.
        cost: gives the costs of pairs: indexes into ``places`` and into ``positions``, (k,) each.
        alone: the cost of leaving a word of the first text without a partner.

    Returns:
        the pairs that cost less than ``alone``, as indexes.
    """
    from scipy.sparse import csr_array
    from scipy.sparse.csgraph import min_weight_full_bipartite_matching

    n, m = len(places), len(positions)
    first = np.searchsorted(positions, places - reach)
    counts = np.searchsorted(positions, places + reach, side="right") - first
    ends = np.cumsum(counts)
    links: list[tuple[IntArray, IntArray, FloatArray]] = []
    start = 0
    while start < n:
        done = int(ends[start - 1]) if start else 0
        stop = max(start + 1, int(np.searchsorted(ends, done + _BATCH, side="right")))
        rows = np.repeat(np.arange(start, stop), counts[start:stop])
        columns = np.arange(len(rows)) + np.repeat(
            first[start:stop] - (ends[start:stop] - counts[start:stop] - done), counts[start:stop]
        )
        costs = cost(rows, columns)
        worth = costs < alone
        links.append((rows[worth], columns[worth], costs[worth]))
        start = stop
    # Each word of the first text may also take a partner of its own that stands for none. Costs of 0 are no entries.
    rows = np.concatenate([*(k[0] for k in links), np.arange(n)])
    columns = np.concatenate([*(k[1] for k in links), m + np.arange(n)])
    costs = np.concatenate([*(k[2] for k in links), np.full(n, alone)]) + 1
    graph = csr_array((costs, (rows, columns)), shape=(n, m + n))
    chosen = zip(*(side.tolist() for side in min_weight_full_bipartite_matching(graph)), strict=True)
    return [(row, column) for row, column in chosen if column < m]
