"""The alignment of the passages of two texts: blocks of some passages on either side that say the same.

Blocks are found by dynamic programming over 1-1, 1-2, 2-1, 2-2, 1-3, 3-1, 0-1 and 1-0 (Gale & Church 1993, section 3),
with the soft alignment of words as the similarity: a word counts by the one most like it in the block's other side, and
what it says by its rarity. Two passages that change places next to each other are two blocks. The search is banded: it
stays near a chain of passages that are each other's nearest (as in Vecalign, Thompson & Koehn 2019, and Bertalign, Liu
& Zhu 2022), so time and memory grow linearly. Passages with the same words are not searched at all where they are in
order.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from difflib import SequenceMatcher
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from usim.texts._reading import PassageReader, ReadPassage, coverage

Floats = npt.NDArray[np.float32]

#: A word whose best counterpart has this cosine counts neither for a block nor against it. The words of sentences that
#: have nothing to do with each other find counterparts of .3 to .4, those of reworded ones .6 to .8.
LEVEL = 0.38
#: What each passage beyond one on each side costs a block: in words that say all they can and have perfect partners,
#: and as a share of what the block says.
MERGE, MERGE_SHARE = 0.08, 0.02
#: What a change of places costs two passages beside each other.
CROSSING = 0.3
#: A passage without a counterpart joins the block beside it if so much of it is said there, by cosine.
ABSORBED = 0.62
#: The search goes so many passages beyond the chain on either side.
BAND = 10
#: Passages of the same words are an anchor of the chain if they say so much together.
_ANCHOR = 2.0
#: So many passages are compared with all others at once.
_ROWS = 512

#: How many passages of either side a block of the search takes.
STEPS = ((1, 1), (1, 2), (2, 1), (2, 2), (1, 3), (3, 1), (1, 0), (0, 1))
_ADDED, _CROSSED = STEPS.index((0, 1)), len(STEPS)
_MOST = 3


class PassageLink(NamedTuple):
    """Passages of both texts that belong together; one side may have none.

    Attributes:
        before, after: from the first passage to before the end, by their places in the texts.
        is_moved: whether the passages stand elsewhere in the order of the other text.
    """

    before: range
    after: range
    is_moved: bool = False


def align(before: Sequence[str], after: Sequence[str], reader: PassageReader) -> list[PassageLink]:
    """Align the passages of two texts; links come in the order of the text after the change.

    Args:
        before, after: the words of the passages.
        reader: what reads them.
    """
    links: list[PassageLink] = []
    i = j = 0
    for a, b, size in (*_same(before, after), (len(before), len(after), 0)):
        links += _gap(before, after, range(i, a), range(j, b), reader)
        links += (PassageLink(range(a + k, a + k + 1), range(b + k, b + k + 1)) for k in range(size))
        i, j = a + size, b + size
    return links


def _same(before: Sequence[str], after: Sequence[str]) -> Iterator[tuple[int, int, int]]:
    """Yield runs of passages with the same words, in order: where they begin on either side, and how many there are.

    A short run in the middle, such as *Yes.*, may stand there by chance.
    """
    for a, b, size in SequenceMatcher(None, before, after, autojunk=False).get_matching_blocks():
        is_edge = a == b == 0 or (a + size == len(before) and b + size == len(after))
        if size and (is_edge or sum(map(_letters, before[a : a + size])) >= _LETTERS):
            yield a, b, size


#: Letters and digits of passages of the same words that are an anchor: some four words.
_LETTERS = 20


def _letters(text: str) -> int:
    return sum(map(str.isalnum, text))


def _gap(
    before: Sequence[str], after: Sequence[str], rows: range, columns: range, reader: PassageReader
) -> Iterator[PassageLink]:
    """Yield the links of passages between two anchors."""
    if not rows or not columns:
        yield from (PassageLink(range(i, i + 1), range(columns.start, columns.start)) for i in rows)
        yield from (PassageLink(range(rows.stop, rows.stop), range(j, j + 1)) for j in columns)
        return
    sides = [reader.read(texts[of.start : of.stop]) for texts, of in ((before, rows), (after, columns))]
    for a, b, is_moved in _absorbed(_Search(*sides).links(), *sides):
        yield PassageLink(
            range(rows.start + a.start, rows.start + a.stop),
            range(columns.start + b.start, columns.start + b.stop),
            is_moved,
        )


class _Search:
    """The banded search between two lists of passages."""

    def __init__(self, before: Sequence[ReadPassage], after: Sequence[ReadPassage]) -> None:
        self._before, self._after = before, after
        self._low, self._high = _band(_chain(before, after), len(before), len(after))
        self._starts = np.cumsum([0, *(len(passage.weights) for passage in after)])
        self._weights = np.concatenate([passage.weights for passage in after])
        self._totals = np.cumsum([0.0, *(passage.weight for passage in after)])

    def links(self) -> list[PassageLink]:
        """Return the best blocks, in order."""
        n, m = len(self._before), len(self._after)
        # The best score with so many passages before the change, for each number of passages after it.
        scores = np.full((_MOST + 1, m + 1), -np.inf, np.float32)
        scores[0, 0] = 0.0
        steps = np.full((n + 1, m + 1), _ADDED, np.int8)
        _close(scores[0], steps[0], 0, self._high[0])
        cells: list[_Cells] = []
        for i in range(1, n + 1):
            low, high = self._low[i], self._high[i]
            cells = [*cells[-(_MOST - 1) :], self._cells(i - 1)]
            score = scores[i % len(scores)]
            score[:] = -np.inf
            for step, (a, b) in enumerate(STEPS):
                if not 0 < a <= i:
                    continue
                if b:
                    gains, ends = self._gains(cells[-a:], b)
                else:
                    gains, ends = np.zeros(high - low + 1, np.float32), np.arange(low, high + 1)
                _offer(score, steps[i], ends, scores[(i - a) % len(scores)][ends - b] + gains, step)
            if i > 1:
                gains, ends = self._crossed(*cells[-2:])
                _offer(score, steps[i], ends, scores[(i - 2) % len(scores)][ends - 2] + gains, _CROSSED)
            score[:low], score[high + 1 :] = -np.inf, -np.inf
            _close(score, steps[i], low, high)
        return _back(steps)

    def _cells(self, i: int) -> _Cells:
        """Return how well a passage before the change and those of its band say each other's words."""
        # A block that ends in a later row of the band begins here, so the band is that of the next rows.
        low = self._low[i]
        high = max(self._high[i : i + _MOST + 1])
        passage, start = self._before[i], self._starts[low]
        vectors = np.concatenate([passage.vectors[:0], *(each.vectors for each in self._after[low:high])])
        table = passage.vectors.astype(np.float32) @ vectors.astype(np.float32).T
        best = np.zeros((0, len(table)), np.float32)
        if high > low:
            best = np.maximum.reduceat(table, self._starts[low:high] - start, axis=1).T
        said = []
        for size in range(1, _MOST + 1):
            windows = [best[k : len(best) - size + 1 + k] for k in range(size)]
            window = np.maximum.reduce(windows) if len(best) >= size else best[:0]
            said.append(((window - LEVEL) @ passage.weights).astype(np.float32))
        return _Cells(low, high, said, table.max(axis=0), passage.weight)

    def _gains(self, cells: Sequence[_Cells], b: int) -> tuple[Floats, npt.NDArray[np.intp]]:
        """Return the scores of blocks of these passages and ``b`` after the change, and where they end there."""
        low, high = max(cell.low for cell in cells), min(cell.high for cell in cells)
        ends = np.arange(low + b, high + 1)
        if not len(ends):
            return np.zeros(0, np.float32), ends
        # Each passage before the change by the passages after it ...
        gains = sum(cell.said[b - 1][ends - b - cell.low] for cell in cells)
        # ... and the words of these by the passages before it.
        start, stop = self._starts[low], self._starts[high]
        words = [cell.of_words[start - self._starts[cell.low] :][: stop - start] for cell in cells]
        by_word = (np.maximum.reduce(words) - LEVEL) * self._weights[start:stop]
        sums = np.cumsum([0.0, *np.add.reduceat(by_word, self._starts[low:high] - start)])
        gains = gains + sums[ends - low] - sums[ends - b - low]
        merged = len(cells) + b - 2
        says = self._totals[ends] - self._totals[ends - b] + sum(cell.weight for cell in cells)
        gains -= merged * (MERGE + MERGE_SHARE * says)
        return gains.astype(np.float32), ends

    def _crossed(self, first: _Cells, last: _Cells) -> tuple[Floats, npt.NDArray[np.intp]]:
        """Return the scores of two passages that have changed places, each a link by itself, and where they end."""
        gains, ends = self._gains([first], 1)
        gains_last, ends_last = self._gains([last], 1)
        both, at, at_last = np.intersect1d(ends, ends_last + 1, assume_unique=True, return_indices=True)
        good = (gains[at] > 0) & (gains_last[at_last] > 0)
        return (gains[at] + gains_last[at_last] - CROSSING)[good], both[good]


class _Cells(NamedTuple):
    """What a passage before the change says of those of its band after it, and they of it.

    Attributes:
        low, high: the band, from the first passage to before the end.
        said: for windows of one, two and three passages, by their first one: how much of the passage they say.
        of_words: for each word of the band its best cosine with a word of the passage.
        weight: how much the passage says.
    """

    low: int
    high: int
    said: list[Floats]
    of_words: Floats
    weight: float


def _offer(score: Floats, steps: npt.NDArray[np.int8], ends: npt.NDArray[np.intp], new: Floats, step: int) -> None:
    """Take scores that are better than those so far."""
    better = new > score[ends]
    score[ends[better]] = new[better]
    steps[ends[better]] = step


def _close(score: Floats, steps: npt.NDArray[np.int8], low: int, high: int) -> None:
    """Let passages after the change be without a counterpart, which costs nothing."""
    best = np.maximum.accumulate(score[low : high + 1])
    steps[low : high + 1][best > score[low : high + 1]] = _ADDED
    score[low : high + 1] = best


def _back(steps: npt.NDArray[np.int8]) -> list[PassageLink]:
    """Return the links of the best path."""
    links: list[PassageLink] = []
    i, j = (size - 1 for size in steps.shape)
    while i or j:
        step = int(steps[i, j])
        if step == _CROSSED:
            links.append(PassageLink(range(i - 2, i - 1), range(j - 1, j), True))
            links.append(PassageLink(range(i - 1, i), range(j - 2, j - 1), True))
            i, j = i - 2, j - 2
            continue
        a, b = STEPS[step]
        links.append(PassageLink(range(i - a, i), range(j - b, j)))
        i, j = i - a, j - b
    return links[::-1]


def _chain(before: Sequence[ReadPassage], after: Sequence[ReadPassage]) -> list[tuple[int, int]]:
    """Return the heaviest chain, in order, of passages that are each other's nearest by their mean vectors."""
    means = np.stack([passage.mean for passage in after])
    to_after = np.zeros(len(before), np.intp)
    best_before = np.full(len(after), -np.inf, np.float32)
    to_before = np.zeros(len(after), np.intp)
    cosines = np.zeros(len(before), np.float32)
    for at in range(0, len(before), _ROWS):
        table = np.stack([passage.mean for passage in before[at : at + _ROWS]]) @ means.T
        to_after[at : at + _ROWS] = table.argmax(axis=1)
        cosines[at : at + _ROWS] = table.max(axis=1)
        rows = table.argmax(axis=0)
        highest = table[rows, np.arange(len(after))]
        better = highest > best_before
        to_before[better], best_before[better] = rows[better] + at, highest[better]
    mutual = [i for i in range(len(before)) if to_before[to_after[i]] == i]
    if not mutual:
        return []
    columns, worth = to_after[mutual], cosines[mutual].astype(np.float64) ** 4
    total = np.zeros(len(mutual))
    previous = np.full(len(mutual), -1, np.intp)
    for k in range(len(mutual)):
        earlier = np.where(columns[:k] < columns[k], total[:k], 0.0)
        if k and earlier.max() > 0:
            previous[k] = int(earlier.argmax())
            total[k] = earlier[previous[k]]
        total[k] += worth[k]
    chain = []
    k = int(total.argmax())
    while k >= 0:
        chain.append((mutual[k], int(columns[k])))
        k = int(previous[k])
    return chain[::-1]


def _band(chain: Sequence[tuple[int, int]], n: int, m: int) -> tuple[list[int], list[int]]:
    """Return for each number of passages before the change the least and the greatest number after it."""
    points = [(0, 0), *((i + 0.5, j + 0.5) for i, j in chain), (n, m)]
    at = np.interp(np.arange(n + 1), [i for i, _ in points], [j for _, j in points])
    rows = np.arange(n + 1)
    low = np.floor(at[np.maximum(rows - BAND, 0)]).astype(int) - BAND
    high = np.ceil(at[np.minimum(rows + BAND, n)]).astype(int) + BAND
    low, high = np.clip(low, 0, m), np.clip(high, 0, m)
    low[0], high[n] = 0, m
    return low.tolist(), high.tolist()


def _absorbed(
    links: Sequence[PassageLink], before: Sequence[ReadPassage], after: Sequence[ReadPassage]
) -> list[PassageLink]:
    """Let passages without a counterpart join the block beside them that says what they say.

    Where one side is cut into many more passages than the other, blocks grow beyond three passages so.
    """
    result = list(links)
    k = 0
    while k < len(result):
        link, best, choice = result[k], ABSORBED, None
        if not (link.before and link.after):
            own = before[link.before.start] if link.before else after[link.after.start]
            for first in (k - 1, k):
                beside = result[first : first + 2] if first >= 0 else []
                other = next((each for each in beside if each is not link), link)
                both = joined(link, other)
                if both is None or not (other.before and other.after):
                    continue
                others = [after[j] for j in other.after] if link.before else [before[i] for i in other.before]
                share, _ = coverage(own, others)
                if share > best:
                    best, choice = share, (first, both)
        if choice is None:
            k += 1
        else:
            result[choice[0] : choice[0] + 2] = [choice[1]]
            k = max(choice[0] - 1, 0)
    return result


def joined(link: PassageLink, other: PassageLink) -> PassageLink | None:
    """Return two links as one; None if one of them moved, or other passages stand between them."""
    sides = []
    for mine, theirs in zip(link[:2], other[:2], strict=True):
        if mine and theirs and mine.start != theirs.stop and theirs.start != mine.stop:
            return None
        places = [*mine, *theirs]
        if not places:
            return None
        sides.append(range(min(places), max(places) + 1))
    return None if link.is_moved or other.is_moved else PassageLink(sides[0], sides[1])
