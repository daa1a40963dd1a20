"""A text of a pair, as the ledger reads it: its phrases, its sentences, and the counterparts of its words."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from functools import cached_property

from usim.compare._sentence import SentenceView
from usim.lexicon.commitments import Cue, find_cues

#: A sentence ends behind these marks; a clause at these.
_ENDS = frozenset(".?!;")
_BREAKS = frozenset(".?!;:,()–—")
#: So many content words stand for a clause.
_LONGEST_CLAUSE = 10


class Side:
    """A text of a pair.

    Args:
        view: the text.
        links: for each token the tokens of the other text that may stand for it.
        cosines: for each token how like its best counterpart is, in [-1, 1].
    """

    def __init__(self, view: SentenceView, links: Mapping[int, frozenset[int]], cosines: list[float]) -> None:
        self.view, self.links, self.cosines = view, links, cosines

    @cached_property
    def cues(self) -> list[Cue]:
        """The phrases that commit it to something."""
        return find_cues(self.view.words)

    @cached_property
    def sentence(self) -> list[int]:
        """The number of the sentence of each token."""
        numbers, number = [], 0
        for word in self.view.words:
            numbers.append(number)
            number += word in _ENDS
        return numbers

    def clause(self, cue: Cue) -> list[int]:
        """Return the content words behind a phrase, up to the next break; those before it where there are none."""
        behind = self._content(range(cue.end, len(self.view.words)))
        return behind or self._content(range(cue.start - 1, -1, -1))

    def _content(self, places: Iterable[int]) -> list[int]:
        found: list[int] = []
        for i in places:
            if self.view.words[i] in _BREAKS and found:
                break
            if self.view.is_content[i]:
                found.append(i)
        return found[:_LONGEST_CLAUSE]

    def window(self, other: Side, places: Iterable[int]) -> set[int]:
        """Return the tokens of the sentences of the other text that have counterparts of these; all if none has."""
        sentences = {other.sentence[j] for i in places for j in self.links.get(i, ())}
        return {j for j, number in enumerate(other.sentence) if not sentences or number in sentences}
