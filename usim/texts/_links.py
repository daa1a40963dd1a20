"""From two cut texts to their links: the search in order, then passages that moved, and greetings.

Also finds where the content of a passage without a counterpart stands in the other text.
"""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Sequence
from math import log

import numpy as np

from usim.texts._align import PassageLink, align
from usim.texts._cut import CutText
from usim.texts._reading import PassageReader, coverage

#: Two passages without a counterpart are one that moved if each is covered so far by the other, by cosine.
_MOVED = 0.5
#: At most so many passages on either side are looked through for those that moved.
_MOST = 4000
#: A greeting without a counterpart is linked to another one that stands so near in the list of links.
_NEAR = 3
#: Passages that may say what one without a counterpart says: so many by its words, and so many by its meaning.
_BY_WORDS, _BY_MEANING = 6, 3
#: A passage is named as a place of the content of another one if it has such a share of it.
_SHARE = 0.25
#: Lines that :func:`are_parallel` looks at; of fewer than the first number it says nothing.
_FEWEST_LINES, _MOST_LINES = 4, 500
#: A line whose own partner shares less than this share of what another line shares with it seems to belong to that.
_PARTNERS = 0.5
#: From this share of such lines on, files seem not to be parallel.
_STRANGE = 0.3


def link_texts(before: CutText, after: CutText, reader: PassageReader) -> list[PassageLink]:
    """Align two texts; links come in the order of the text after the change, what was left out where it stood."""
    links = align(before.keys, after.keys, reader)
    lost = {link.before.start: k for k, link in enumerate(links) if not link.after}
    added = {link.after.start: k for k, link in enumerate(links) if not link.before}
    for i, j in _moved(lost, added, before, after, reader):
        links[added.pop(j)] = PassageLink(range(i, i + 1), range(j, j + 1), True)
        links[lost.pop(i)] = _NONE
    # A greeting that gave way to another one is linked to it.
    for i, k in lost.items():
        greetings = [n for j, n in added.items() if after.passages[j].kind == "greeting" and abs(n - k) <= _NEAR]
        greetings = [n for n in greetings if not links[n].before]
        if before.passages[i].kind == "greeting" and greetings:
            n = min(greetings, key=lambda n: abs(n - k))
            links[n] = PassageLink(links[k].before, links[n].after)
            links[k] = _NONE
    return [link for link in links if link != _NONE]


_NONE = PassageLink(range(0), range(0))


def _moved(
    lost: Iterable[int], added: Iterable[int], before: CutText, after: CutText, reader: PassageReader
) -> Iterator[tuple[int, int]]:
    """Yield passages without a counterpart that are each other's, the most alike first."""
    rows, columns = list(lost), list(added)
    if not rows or not columns or max(len(rows), len(columns)) > _MOST:
        return
    own, others = reader.read([before.keys[i] for i in rows]), reader.read([after.keys[j] for j in columns])
    means = np.stack([passage.mean for passage in others])
    pairs = []
    for i, passage in zip(rows, own, strict=True):
        for k in np.argsort(-(means @ passage.mean), kind="stable")[:_BY_MEANING].tolist():
            alike = min(coverage(passage, [others[k]])[0], coverage(others[k], [passage])[0])
            if alike >= _MOVED:
                pairs.append((alike, i, columns[k]))
    used: tuple[set[int], set[int]] = (set(), set())
    for _, i, j in sorted(pairs, reverse=True):
        if i not in used[0] and j not in used[1]:
            used[0].add(i)
            used[1].add(j)
            yield i, j


class WordIndex:
    """Finds the texts that share words with another one."""

    def __init__(self, texts: Sequence[str]) -> None:
        self._count = len(texts)
        self._with_word: defaultdict[str, list[int]] = defaultdict(list)
        for k, text in enumerate(texts):
            for word in words_of(text):
                self._with_word[word].append(k)

    def shared(self, text: str) -> Counter[int]:
        """Return how much each of the texts shares with another one, by their places; rare words count more."""
        shares: Counter[int] = Counter()
        for word in sorted(words_of(text)):
            places = self._with_word.get(word, ())
            for k in places:
                shares[k] += log(1 + self._count / len(places))  # type: ignore[assignment]
        return shares


class Elsewhere:
    """Finds where the content of passages stands in the other text.

    Args:
        passages: the words of the passages of the other text.
        reader: what reads them.
    """

    def __init__(self, passages: Sequence[str], reader: PassageReader) -> None:
        self._passages, self._reader, self._index = passages, reader, WordIndex(passages)

    def find(self, passage: str) -> tuple[float, list[int]]:
        """Return how far the words of a passage have counterparts in the other text, by cosine, and in which passages.

        Looked at are the passages that share words with it, and of these those that are nearest in meaning.
        """
        candidates = [k for k, _ in self._index.shared(passage).most_common(_BY_WORDS)]
        near = [k for c in candidates[:2] for k in (c - 1, c + 1) if 0 <= k < len(self._passages)]
        candidates = list(dict.fromkeys([*candidates, *near]))
        if not candidates:
            return 0.0, []
        own, *others = self._reader.read([passage, *(self._passages[k] for k in candidates)])
        order = sorted(range(len(others)), key=lambda k: -float(others[k].mean @ own.mean))[:_BY_MEANING]
        covered, shares = coverage(own, [others[k] for k in order])
        return covered, sorted(candidates[k] for k, share in zip(order, shares, strict=True) if share >= _SHARE)


def are_parallel(before: Sequence[str], after: Sequence[str]) -> bool:
    """Return whether the lines of two files may be parallel: not where many share their words with other lines.

    >>> before = ["Anna lost her key.", "Tom found a coin.", "Rain fell at night.", "Nobody wrote letters."]
    >>> are_parallel(before, before), are_parallel(before, before[::-1])
    (True, False)
    """
    if len(before) < _FEWEST_LINES:
        return True
    index = WordIndex(after[:_MOST_LINES])
    shares = [index.shared(line) for line in before[:_MOST_LINES]]
    strange = sum(bool(own) and own[k] < _PARTNERS * max(own.values()) for k, own in enumerate(shares))
    return strange < _STRANGE * max(sum(map(bool, shares)), _FEWEST_LINES)


def words_of(text: str) -> set[str]:
    """Return the longer words of a passage, without their endings as far as five letters tell words apart."""
    return {word[:5] for word in re.findall(r"[^\W_]+", text.lower()) if len(word) > 3}
