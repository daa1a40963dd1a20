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
from functools import lru_cache
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
#: So many passages are compared with all others at once.
_ROWS = 512

#: How many passages of either side a block of the search takes; of equally good blocks the first is taken.
_STEPS = ((1, 1), (1, 2), (2, 1), (2, 2), (1, 3), (3, 1), (1, 0), (-2, -2), (0, 1))
#: The one of them that is two passages on either side that change places.
_CROSSED = (-2, -2)


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
    for a, b, is_moved in _absorbed(_search(*sides), *sides):
        yield PassageLink(
            range(rows.start + a.start, rows.start + a.stop),
            range(columns.start + b.start, columns.start + b.stop),
            is_moved,
        )


def _search(before: Sequence[ReadPassage], after: Sequence[ReadPassage]) -> list[PassageLink]:
    """Return the best blocks of passages, in order."""

    @lru_cache(maxsize=4096)
    def best(i: int, j: int) -> tuple[Floats, Floats]:
        """Return for each word of both passages its best cosine with a word of the other one."""
        table = before[i].vectors.astype(np.float32) @ after[j].vectors.astype(np.float32).T
        return table.max(axis=1), table.max(axis=0)

    @lru_cache(maxsize=4096)
    def gain(i: int, j: int, a: int, b: int) -> float:
        """Return the score of the block of ``a`` passages from ``i`` on and ``b`` from ``j`` on."""
        rows, columns = range(i, i + a), range(j, j + b)
        score = says = 0.0
        for own, words in (
            *((before[i], [best(i, j)[0] for j in columns]) for i in rows),
            *((after[j], [best(i, j)[1] for i in rows]) for j in columns),
        ):
            score += float((np.maximum.reduce(words) - LEVEL) @ own.weights)
            says += own.weight
        return score - (a + b - 2) * (MERGE + MERGE_SHARE * says)

    def gain_of_step(i: int, j: int, step: tuple[int, int]) -> float:
        if step == _CROSSED:
            first, last = gain(i, j + 1, 1, 1), gain(i + 1, j, 1, 1)
            return first + last - CROSSING if min(first, last) > 0 else -np.inf
        return gain(i, j, *step) if all(step) else 0.0

    low, high = _band(_chain(before, after), len(before), len(after))
    scores = {(0, 0): 0.0}
    steps: dict[tuple[int, int], tuple[int, int]] = {}
    for i in range(len(before) + 1):
        for j in range(low[i], high[i] + 1):
            for step in _STEPS:
                start = i - abs(step[0]), j - abs(step[1])
                if start in scores:
                    score = scores[start] + gain_of_step(*start, step)
                    if score > scores.get((i, j), -np.inf):
                        scores[i, j], steps[i, j] = score, step
    links: list[PassageLink] = []
    i, j = len(before), len(after)
    while i or j:
        step = steps[i, j]
        i, j = i - abs(step[0]), j - abs(step[1])
        if step == _CROSSED:
            links.append(PassageLink(range(i, i + 1), range(j + 1, j + 2), True))
            links.append(PassageLink(range(i + 1, i + 2), range(j, j + 1), True))
        else:
            links.append(PassageLink(range(i, i + step[0]), range(j, j + step[1])))
    return links[::-1]


def _chain(before: Sequence[ReadPassage], after: Sequence[ReadPassage]) -> list[tuple[int, int]]:
    """Return the heaviest chain, in order, of passages that are each other's nearest by their mean vectors."""
    own, others = (np.stack([passage.mean for passage in side]) for side in (before, after))
    to_after, to_before = _nearest(own, others), _nearest(others, own)
    mutual = [i for i in range(len(before)) if to_before[to_after[i]] == i]
    if not mutual:
        return []
    columns = to_after[mutual]
    worth = (own[mutual] * others[columns]).sum(axis=1).astype(np.float64) ** 4
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


def _nearest(own: Floats, others: Floats) -> npt.NDArray[np.intp]:
    starts = range(0, len(own), _ROWS)
    return np.concatenate([(own[at : at + _ROWS] @ others.T).argmax(axis=1) for at in starts])


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
