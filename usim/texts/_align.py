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

from usim.texts._reading import PassageReader, ReadPassage

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
_CROSSED = len(STEPS)
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
        self._totals = np.array([passage.weight for passage in after], np.float32)

    def links(self) -> list[PassageLink]:
        """Return the best blocks, in order."""
        rows, n = [_Row(0, self._high[0])], len(self._before)
        rows[0].score[0] = 0.0
        rows[0].close()
        # What the last rows say of each passage after the change: by its words, and by the row's words.
        recent: list[_Cells] = []
        for i in range(1, n + 1):
            low, high = self._low[i], self._high[i]
            recent = [*recent[-(_MOST - 1) :], self._cells(i - 1)]
            row = _Row(low, high)
            for step in range(len(STEPS)):
                if STEPS[step][0]:
                    self._extend(row, rows, recent, i, step)
            self._cross(row, rows, recent, i)
            row.close()
            rows.append(row)
        return self._back(rows)

    def _cells(self, i: int) -> _Cells:
        """Return how well a passage before the change and those of its band say each other's words."""
        # A block that ends in a later row of the band begins here, so the band is that of the next rows.
        low = self._low[i]
        high = max(self._high[k] for k in range(i, min(i + _MOST, len(self._before)) + 1))
        passage, start, stop = self._before[i], self._starts[low], self._starts[high]
        vectors = np.concatenate([self._after[j].vectors for j in range(low, high)] or [passage.vectors[:0]])
        table = passage.vectors.astype(np.float32) @ vectors.astype(np.float32).T
        own = np.full((high - low, len(passage.weights)), -1.0, np.float32)
        if stop > start:
            own = np.maximum.reduceat(table, self._starts[low:high] - start, axis=1).T
        windows = [own]
        for size in range(2, _MOST + 1):
            wider = windows[-1].copy()
            if len(own) >= size:
                wider[size - 1 :] = np.maximum(windows[-1][size - 1 :], own[: len(own) - size + 1])
            windows.append(wider)
        said = [((window - LEVEL) @ passage.weights).astype(np.float32) for window in windows]
        return _Cells(low, said, table.max(axis=0), passage.weight)

    def _extend(self, row: _Row, rows: Sequence[_Row], recent: Sequence[_Cells], i: int, step: int) -> None:
        """Try blocks of one form that end in this row."""
        a, b = STEPS[step]
        if a > i:
            return
        earlier = rows[i - a]
        if b == 0:
            places = np.arange(max(row.low, earlier.low), min(row.high, earlier.high) + 1)
            row.offer(places, earlier.score[places - earlier.low], step)
            return
        scores, places = self._block(recent, i, a, b)
        places_before = places - b
        fits = (places >= row.low) & (places <= row.high)
        fits &= (places_before >= earlier.low) & (places_before <= earlier.high)
        places, scores = places[fits], scores[fits]
        row.offer(places, earlier.score[places - b - earlier.low] + scores, step)

    def _block(
        self, recent: Sequence[_Cells], i: int, a: int, b: int, *, at: int = 0
    ) -> tuple[Floats, npt.NDArray[np.intp]]:
        """Return the scores of blocks of the last ``a`` rows and ``b`` passages, and where they end after the change.

        With ``at`` the rows end so many rows before the last.
        """
        cells = recent[len(recent) - at - a : len(recent) - at]
        low = max(cell.low for cell in cells)
        high = min(cell.low + len(cell.said[0]) for cell in cells)
        ends = np.arange(low + b, high + 1)
        if not len(ends):
            return np.zeros(0, np.float32), ends
        # Each passage before the change by the passages after it ...
        score = np.zeros(len(ends), np.float32)
        for cell in cells:
            score += cell.said[b - 1][ends - 1 - cell.low]
        # ... and the words of these by the passages before it.
        start, stop = self._starts[low], self._starts[high]
        best = np.full(stop - start, -1.0, np.float32)
        for cell in cells:
            offset = start - self._starts[cell.low]
            best = np.maximum(best, cell.of_words[offset : offset + stop - start])
        by_passage = np.add.reduceat((best - LEVEL) * self._weights[start:stop], self._starts[low:high] - start)
        sums = np.concatenate([[0.0], np.cumsum(by_passage)])
        totals = np.concatenate([[0.0], np.cumsum(self._totals[low:high])])
        score += (sums[ends - low] - sums[ends - low - b]).astype(np.float32)
        merged = a + b - 2
        if merged:
            says = totals[ends - low] - totals[ends - low - b] + sum(cell.weight for cell in cells)
            score -= (merged * (MERGE + MERGE_SHARE * says)).astype(np.float32)
        return score, ends

    def _cross(self, row: _Row, rows: Sequence[_Row], recent: Sequence[_Cells], i: int) -> None:
        """Try two passages that have changed places: the last with the first, the first with the last."""
        if i < 2:
            return
        earlier = rows[i - 2]
        last, ends_last = self._block(recent, i, 1, 1)
        first, ends_first = self._block(recent, i, 1, 1, at=1)
        ends = np.intersect1d(ends_last + 1, ends_first)
        ends = ends[(ends >= row.low) & (ends <= row.high) & (ends - 2 >= earlier.low) & (ends - 2 <= earlier.high)]
        if len(ends):
            both = last[ends - 1 - ends_last[0]], first[ends - ends_first[0]]
            # Each of the two must be a link by itself.
            good = (both[0] > 0) & (both[1] > 0)
            ends, scores = ends[good], (both[0] + both[1] - CROSSING)[good]
            row.offer(ends, earlier.score[ends - 2 - earlier.low] + scores, _CROSSED)

    def _back(self, rows: Sequence[_Row]) -> list[PassageLink]:
        links: list[PassageLink] = []
        i, j = len(self._before), len(self._after)
        while i or j:
            step = int(rows[i].step[j - rows[i].low])
            if step == _CROSSED:
                links.append(PassageLink(range(i - 2, i - 1), range(j - 1, j), True))
                links.append(PassageLink(range(i - 1, i), range(j - 2, j - 1), True))
                i, j = i - 2, j - 2
                continue
            a, b = STEPS[step]
            links.append(PassageLink(range(i - a, i), range(j - b, j)))
            i, j = i - a, j - b
        return links[::-1]


class _Cells(NamedTuple):
    """What a passage before the change says of those of its band after it, and they of it.

    Attributes:
        low: the first passage of the band.
        said: for windows of one, two and three passages, by their last one: how much of the passage they say.
        of_words: for each word of the band its best cosine with a word of the passage.
        weight: how much the passage says.
    """

    low: int
    said: list[Floats]
    of_words: Floats
    weight: float


class _Row:
    """The best scores with so many passages before the change, for each number of passages after it in the band."""

    def __init__(self, low: int, high: int) -> None:
        self.low, self.high = low, high
        self.score = np.full(high - low + 1, -np.inf, np.float32)
        self.step = np.full(high - low + 1, -1, np.int8)

    def offer(self, places: npt.NDArray[np.intp], scores: Floats, step: int) -> None:
        """Take scores that are better than those so far."""
        at = places - self.low
        better = scores > self.score[at]
        self.score[at[better]] = scores[better]
        self.step[at[better]] = step

    def close(self) -> None:
        """Let passages after the change be without a counterpart, which costs nothing."""
        alone = len(STEPS) - 1
        for k in range(1, len(self.score)):
            if self.score[k - 1] > self.score[k]:
                self.score[k], self.step[k] = self.score[k - 1], alone


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
    from usim.texts._reading import coverage

    result = list(links)
    k = 0
    while k < len(result):
        link = result[k]
        if link.before and link.after:
            k += 1
            continue
        own, others = (before, after) if link.before else (after, before)
        places = link.before or link.after
        best, at = ABSORBED, -1
        for neighbour in (k - 1, k + 1):
            if not 0 <= neighbour < len(result) or result[neighbour].is_moved:
                continue
            beside = result[neighbour]
            facing = beside.after if link.before else beside.before
            if not beside.before or not beside.after:
                continue
            covered = min(coverage(own[p], [others[q] for q in facing])[0] for p in places)
            if covered > best:
                best, at = covered, neighbour
        if at < 0:
            k += 1
            continue
        beside, first = result[at], min(at, k)
        merged = PassageLink(
            range(
                min(x.before.start for x in (beside, link) if x.before),
                max(x.before.stop for x in (beside, link) if x.before),
            ),
            range(
                min(x.after.start for x in (beside, link) if x.after),
                max(x.after.stop for x in (beside, link) if x.after),
            ),
        )
        result[first : first + 2] = [merged]
        k = max(first - 1, 0)
    return result
