"""What the search in order cannot find: passages that moved, and passages whose content stands elsewhere."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Sequence
from math import log

import numpy as np

from usim.texts._align import PassageLink
from usim.texts._reading import PassageReader, ReadPassage, coverage

#: Two passages without a counterpart are one that moved if each is covered so far by the other, by cosine.
MOVED = 0.5
#: Passages that may say what one without a counterpart says: so many by its words, and so many by its meaning.
_BY_WORDS, _BY_MEANING = 6, 3
#: A passage is named as a place of the content of another one if it has such a share of it.
_SHARE = 0.25
#: At most so many passages on either side are looked through for those that moved.
_MOST = 4000


def with_moves(
    links: Sequence[PassageLink], before: Sequence[str], after: Sequence[str], reader: PassageReader
) -> list[PassageLink]:
    """Return links in which passages that moved are linked; first those that are most alike."""
    lost = [link.before.start for link in links if link.before and not link.after]
    added = [link.after.start for link in links if link.after and not link.before]
    if not lost or not added or max(len(lost), len(added)) > _MOST:
        return list(links)
    pairs = _alike(lost, added, reader.read([before[i] for i in lost]), reader.read([after[j] for j in added]))
    partner: dict[int, int] = {}
    taken: set[int] = set()
    for _, i, j in sorted(pairs, reverse=True):
        if i not in partner and j not in taken:
            partner[i] = j
            taken.add(j)
    sources = {j: i for i, j in partner.items()}
    result: list[PassageLink] = []
    for link in links:
        if link.before and not link.after and link.before.start in partner:
            continue
        if link.after and not link.before and link.after.start in sources:
            i = sources[link.after.start]
            link = PassageLink(range(i, i + 1), link.after, True)
        result.append(link)
    return result


def _alike(
    lost: Sequence[int], added: Sequence[int], before: Sequence[ReadPassage], after: Sequence[ReadPassage]
) -> list[tuple[float, int, int]]:
    """Return pairs of passages that say each other's words, with how far."""
    means = np.stack([passage.mean for passage in after])
    pairs = []
    for i, passage in zip(lost, before, strict=True):
        for k in np.argsort(-(means @ passage.mean), kind="stable")[:_BY_MEANING].tolist():
            alike = min(coverage(passage, [after[k]])[0], coverage(after[k], [passage])[0])
            if alike >= MOVED:
                pairs.append((alike, i, added[k]))
    return pairs


class Elsewhere:
    """Finds where the content of passages stands in the other text.

    Args:
        passages: the words of the passages of the other text.
        reader: what reads them.
    """

    def __init__(self, passages: Sequence[str], reader: PassageReader) -> None:
        self._passages, self._reader = passages, reader
        self._with_word: defaultdict[str, list[int]] = defaultdict(list)
        for k, text in enumerate(passages):
            for word in words_of(text):
                self._with_word[word].append(k)

    def find(self, passage: str) -> tuple[float, list[int]]:
        """Return how far the words of a passage have counterparts in the other text, by cosine, and in which passages.

        Looked at are the passages that share words with it, and those that are nearest in meaning to these.
        """
        votes: Counter[int] = Counter()
        for word in words_of(passage):
            places = self._with_word.get(word, ())
            for k in places:
                votes[k] += log(1 + len(self._passages) / len(places))  # type: ignore[assignment]
        candidates = [k for k, _ in votes.most_common(_BY_WORDS)]
        near = [k for c in candidates[:2] for k in (c - 1, c + 1) if 0 <= k < len(self._passages)]
        candidates = list(dict.fromkeys([*candidates, *near]))
        if not candidates:
            return 0.0, []
        own, *others = self._reader.read([passage, *(self._passages[k] for k in candidates)])
        order = sorted(range(len(others)), key=lambda k: -float(others[k].mean @ own.mean))[:_BY_MEANING]
        covered, shares = coverage(own, [others[k] for k in order])
        places = sorted(candidates[k] for k, share in zip(order, shares, strict=True) if share >= _SHARE)
        return covered, places


def words_of(text: str) -> set[str]:
    """Return the longer words of a passage, without their endings as far as five letters tell words apart."""
    return {word[:5] for word in "".join(c if c.isalnum() else " " for c in text.lower()).split() if len(word) > 3}
