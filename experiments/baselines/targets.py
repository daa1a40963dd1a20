"""The words of a sentence that a thesaurus has an entry for, with their synonyms in the form that the sentence wants.

:class:`Finder` finds them, and :class:`RuleBased` proposes them as a system (Wang et al. 2023).

The longest phrase with an entry is a target; within it nothing else is. A single word is no target if it is one of
:data:`CLOSED`, the words of the closed classes. A word is looked up as it stands, and, where the package
``lemminflect`` is there (``pip install lemminflect``), as its lemma too; its synonyms then get its
form, and its likeliest part of speech decides which synonyms there are. Without that package, synonyms of every part of
speech count.

>>> from experiments.baselines.thesaurus import table
>>> thesaurus = table({"walk": {"VERB": ["stroll"]}, "take part": {"": ["participate"]}}, "mine")
>>> finder = Finder(thesaurus)
>>> for target in finder.targets("She walked on and took part .".split()):
...     print(target)
Replaceable(start=1, end=2, pos='VERB', synonyms=('strolled',))
Replaceable(start=4, end=6, pos=None, synonyms=('participated',))
"""

from __future__ import annotations

import random
from collections.abc import Iterable, Sequence
from contextlib import suppress
from dataclasses import KW_ONLY, dataclass
from typing import NamedTuple

from experiments.baselines.given import Candidate, GivenTarget
from experiments.baselines.thesaurus import PARTS, Thesaurus, both, either, load
from experiments.common.command import Option
from usim.errors import OptionError, UsimError
from usim.lexicon import WordNetLemmatiser
from usim.lexicon.tables import WRITING
from usim.suggestions import Inflector
from usim.text import Span

#: Words of the closed classes, and forms of the auxiliaries.
CLOSED = WRITING["closed classes"]
_MOST = 5  # words of a phrase
OPTIONS = (
    Option("--thesaurus", metavar="NAME", help="wordnet, or a file: TSV, JSON or PPDB (docs/how-to/benchmarks.md)"),
    Option("--and", dest="other", metavar="NAME", help="a second thesaurus: take the synonyms that both have"),
    Option("--or", dest="union", metavar="NAME", help="a second thesaurus: take those that one of the two has"),
    Option("--no-inflect", action="store_true", help="look words up, and take synonyms, only as they stand"),
)


class Replaceable(NamedTuple):
    """A word or phrase with synonyms: its first word, the word after its last, and its part of speech where known."""

    start: int
    end: int
    pos: str | None
    synonyms: tuple[str, ...]


class Finder:
    """Finds the targets of a sentence, and their synonyms in a thesaurus, if possible in the targets' ``forms``."""

    def __init__(self, thesaurus: Thesaurus, *, forms: bool = True) -> None:
        self.thesaurus = thesaurus
        self._inflect: Inflector | None = None
        if forms:
            with suppress(UsimError):
                self._inflect = Inflector()
        self._lemmatise = WordNetLemmatiser()

    @property
    def signature(self) -> str:
        return f"thesaurus:{self.thesaurus.name}|inflect:{'no' if self._inflect is None else self._inflect.name}"

    def targets(self, words: Sequence[str]) -> list[Replaceable]:
        """Return the targets of a sentence in tokens, from left to right; none overlaps another."""
        targets: list[Replaceable] = []
        place = 0
        while place < len(words):
            sizes = range(min(self.thesaurus.longest, _MOST, len(words) - place), 0, -1)
            candidates = (self._target(words, place, place + size) for size in sizes)
            target = next(filter(None, candidates), None)
            targets += [target] if target else []
            place = target.end if target else place + 1
        return targets

    def _target(self, words: Sequence[str], start: int, end: int) -> Replaceable | None:
        phrase = words[start:end]
        if not all(word[:1].isalpha() for word in phrase) or (len(phrase) == 1 and phrase[0].lower() in CLOSED):
            return None
        pos, synonyms = self._looked_up(words, start, end)
        return Replaceable(start, end, pos, synonyms) if synonyms else None

    def synonyms(self, words: Sequence[str], start: int, end: int, pos: str | None = None) -> tuple[str, ...]:
        """Return the synonyms of a target (``NOUN``, ``VERB``, ``ADJ``, ``ADV`` or any) in its form, the best first."""
        return self._looked_up(words, start, end, pos)[1]

    def _looked_up(
        self, words: Sequence[str], start: int, end: int, pos: str | None = None
    ) -> tuple[str | None, tuple[str, ...]]:
        """Return the part of speech of a target, and its synonyms in its form."""
        text, begin = " ".join(words), sum(len(word) + 1 for word in words[:start])
        stop = begin + len(" ".join(words[start:end]))
        phrase = text[begin:stop].split()
        if not phrase:
            return None, ()
        if pos not in PARTS.values():
            pos = self._inflect.part(text, begin, stop) if self._inflect and len(phrase) == 1 else None
        synonyms = self.thesaurus.synonyms(" ".join(phrase), pos)
        if self._inflect is not None:
            for lemma in self._lemmas(phrase, pos):
                synonyms += self.thesaurus.synonyms(lemma, pos)
            inflected = (self._inflect(synonym, text, begin, stop, pos) for synonym in synonyms)
            word = text[begin:stop].lower()
            synonyms = tuple(dict.fromkeys(form for form in inflected if form.lower() != word))
        return pos, synonyms

    def _lemmas(self, phrase: Sequence[str], pos: str | None) -> list[str]:
        """Return the lemma of a word with a part of speech, or those of a phrase as a verb and as a noun."""
        lowered = [word.lower() for word in phrase]
        if len(phrase) == 1:
            return [lemma for lemma in (self._lemmatise(lowered[0], pos),) if lemma != lowered[0]]
        verb = " ".join((self._lemmatise(lowered[0], "VERB"), *lowered[1:]))
        noun = " ".join((*lowered[:-1], self._lemmatise(lowered[-1], "NOUN")))
        return [lemma for lemma in dict.fromkeys((verb, noun)) if lemma != " ".join(lowered)]


def make_finder(thesaurus: str | None, other: str | None, union: str | None, no_inflect: bool) -> Finder:
    """Return what finds words with synonyms, from the values of :data:`OPTIONS`."""
    if thesaurus is None:
        raise OptionError("a thesaurus is needed: give --thesaurus", option="thesaurus")
    if other is not None and union is not None:
        raise OptionError("--and and --or take the second thesaurus in two ways: give one of them", option="or")
    first = load(thesaurus)
    if other is not None:
        first = both(first, load(other))
    if union is not None:
        first = either(first, load(union))
    return Finder(first, forms=not no_inflect)


@dataclass(frozen=True)
class RuleBased:
    """Proposes at most ``k`` synonyms of a thesaurus for every word and phrase that has some: all could be better.

    That is the rule-based system of Smart Word Suggestions. The published one (``predict_with_rules.py``) takes
    Merriam-Webster's thesaurus, keeps synonyms that PPDB has as paraphrases of the word
    (:func:`experiments.baselines.thesaurus.both`), tags parts of speech with NLTK, shuffles the synonyms and fills
    up to ten with the word *none*. Here synonyms stay in the order of the thesaurus unless a seed shuffles them, by the
    words of the sentence alone; inflected words are found by their lemmas too, and nothing is filled up.
    """

    finder: Finder
    _: KW_ONLY
    k: int = 10
    seed: int | None = None

    @property
    def signature(self) -> str:
        """Everything that is needed to get the same suggestions again."""
        order = "" if self.seed is None else f"|seed:{self.seed}"
        return f"rules|{self.finder.signature}|k:{self.k}{order}"

    def __call__(self, words: Sequence[str]) -> dict[Span, tuple[str, ...]]:
        """Return the spans of a sentence that could be better, each with suggestions, the best first."""
        draw = random.Random(f"{self.seed}:{' '.join(words)}")
        return {(target.start, target.end): self._first(target.synonyms, draw) for target in self.finder.targets(words)}

    def substitutes(self, target: GivenTarget) -> list[Candidate]:
        """Return the synonyms of a target that is given; the score of the n-th is 1/n."""
        synonyms = self.finder.synonyms(target.words, target.start, target.end, target.pos)
        draw = random.Random(f"{self.seed}:{target.start}:{' '.join(target.words)}")
        return [Candidate(synonym, 1 / place) for place, synonym in enumerate(self._first(synonyms, draw), 1)]

    def _first(self, synonyms: Iterable[str], draw: random.Random) -> tuple[str, ...]:
        order = list(synonyms)
        if self.seed is not None:
            draw.shuffle(order)
        return tuple(order[: self.k])
