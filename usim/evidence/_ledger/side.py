"""A text of a pair, as the ledger reads it: its facts, its phrases, its sentences, the counterparts of its words."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence, Set
from itertools import accumulate, chain, takewhile
from typing import NamedTuple

from usim.evidence._conditions import conditions
from usim.evidence._sentence import SentenceView
from usim.lexicon.phrases import Phrase
from usim.lexicon.tables import COMPARING

#: So many content words stand for a clause.
_LONGEST_CLAUSE = 10

#: A sentence was not reworded if its counterpart has such a share of its content words.
_WORDED_ALIKE = 0.6
#: So many content words of two sentences are few.
_FEW = 3

Places = tuple[int, ...]


class Found(NamedTuple):
    """A fact as a rule finds it: its kind, its tokens in the source and in the output, and what is known of it.

    A fact of one text alone, or that is no more the same, is certain where a careful rule says so.
    """

    kind: str
    source: Places
    output: Places
    is_certain: bool = False
    is_kept: bool = False

    @property
    def turned(self) -> Found:
        """The same fact with the source for the output."""
        return self._replace(source=self.output, output=self.source)


class Side:
    """A text of a pair.

    Args:
        view: the text.
        links: for each token the tokens of the other text that may stand for it.
        is_soft: whether those that are like it in meaning alone are among them.

    Attributes:
        cues: the phrases that commit it to something, and the conditions that no *if* begins.
        sentence: the number of the sentence of each token.
        changed: the words that the other text lacks in their places, but for other forms of one word.
        moved: the content words that it has in other places, in some form.
    """

    def __init__(self, view: SentenceView, links: Mapping[int, frozenset[int]], *, is_soft: bool) -> None:
        self.view, self.links, self.is_soft = view, links, is_soft
        self.changed = self.moved = frozenset[int]()
        dates = {i for value, places in view.values if value.kind == "date" for i in places}
        begun = {condition.start: condition for condition in conditions(view)}
        cues = (cue for cue in view.cues if cue.text != ("may",) or cue.start not in dates)
        others = (cue for cue in cues if cue.kind != "condition" or cue.start not in begun)
        self.cues = sorted((*others, *begun.values()), key=lambda cue: cue.start)
        ends = (word in COMPARING["ends of sentences"] for word in view.words)
        self.sentence = list(accumulate(ends, initial=0))[:-1]

    def forms(self, i: int) -> frozenset[int | str]:
        """Return the lemmas of a word; of one that WordNet does not know the word itself."""
        return self.view.entries[i].word.lemmas or frozenset((self.view.words[i],))

    def forms_of(self, places: Iterable[int]) -> set[int | str]:
        """Return the forms of some words, see :meth:`forms`."""
        return set(chain(*map(self.forms, places)))

    def without(self, places: Iterable[int], forms: Set[int | str]) -> list[int]:
        """Return the words that are in none of these forms."""
        return [i for i in places if forms.isdisjoint(self.forms(i))]

    def content_of(self, number: int) -> list[int]:
        """Return the content words of a sentence."""
        return [i for i in self.view.content if self.sentence[i] == number]

    def turns(self, places: Places, *, but: str = "") -> int:
        """Return how many words beside these of their sentence, but for one, may turn it round, as negations do."""
        words = self.view.words
        turning = {cue.start for cue in self.cues if cue.kind == "negation" and cue.is_own and not self.is_within(cue)}
        turning.update(i for i, word in enumerate(words) if word in COMPARING["turning"])
        others = (i for i in turning.difference(places) if words[i] != but)
        return sum(self.sentence[i] == self.sentence[places[0]] for i in others)

    def is_within(self, cue: Phrase) -> bool:
        """Return whether a phrase is a part of a bound or a deadline, as *no* of *no later than*."""
        return any(o.kind in ("bound", "when") and o.start <= cue.start and cue.end <= o.end for o in self.cues)

    def clause(self, cue: Phrase) -> list[int]:
        """Return the content words behind a phrase, up to the next break."""
        found: list[int] = []
        for i in range(cue.end, len(self.view.words)):
            if self.view.words[i] in COMPARING["ends of clauses"] and found:
                break
            if self.view.is_content[i]:
                found.append(i)
        return found[:_LONGEST_CLAUSE]

    def with_noun(self, places: Places) -> Places:
        """Return places without gaps, with the content words directly behind them: *after the final invoice*."""
        if not places:
            return ()
        behind = range(places[-1] + 1, len(self.view.words))
        return (*range(min(places), behind.start), *takewhile(self.view.is_content.__getitem__, behind))

    def to_break(self, places: Places) -> Places:
        """Return places with the words behind them up to the next break, unless content words are among these."""
        behind = range(places[-1] + 1, len(self.view.words)) if places else ()
        own = tuple(takewhile(lambda i: self.view.words[i] not in COMPARING["ends of clauses"], behind))
        return places if any(self.view.is_content[i] for i in own) else (*places, *own)


def shared(a: Side, places: Sequence[int], b: Side, others: Sequence[int]) -> float:
    """Return the share of the words of either side that the other has in some form, the lesser one."""
    gone, new = a.without(places, b.forms_of(others)), b.without(others, a.forms_of(places))
    return min((len(own) - len(lost)) / max(1, len(own)) for own, lost in ((places, gone), (others, new)))


def are_worded_alike(a: Side, i: int, b: Side, j: int) -> bool:
    """Return whether the sentences of two tokens have most of their content words in common, or all but a few.

    In reworded sentences two words that are alike need not be about the same thing.
    """
    own, others = a.content_of(a.sentence[i]), b.content_of(b.sentence[j])
    differing = len(a.without(own, b.forms_of(others))) + len(b.without(others, a.forms_of(own)))
    return differing <= _FEW or shared(a, own, b, others) >= _WORDED_ALIKE


def has_most_of(other: Side, places: Sequence[int], side: Side) -> bool:
    """Return whether a text has most of these words of the other text, in some form."""
    return len(side.without(places, other.forms_of(other.view.content))) <= (1 - _WORDED_ALIKE) * len(places)
