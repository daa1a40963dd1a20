"""The words of a sentence that a thesaurus has an entry for, with their synonyms in the form that the sentence wants.

The longest phrase with an entry is a target; within it nothing else is. A single word is no target if it is one of
:data:`CLOSED`, the words of the closed classes. A word is looked up as it stands, and, where the package
``lemminflect`` is there (``pip install lemminflect``), as its lemma too; its synonyms then get its
form, and its likeliest part of speech decides which synonyms there are. Without that package, synonyms of every part of
speech count.

>>> from usim.benchmarks.baselines.thesaurus import table
>>> thesaurus = table({"walk": {"VERB": ["stroll"]}, "take part": {"": ["participate"]}}, "mine")
>>> finder = Finder(thesaurus)
>>> for target in finder.targets("She walked on and took part .".split()):
...     print(target)
Replaceable(start=1, end=2, pos='VERB', synonyms=('strolled',))
Replaceable(start=4, end=6, pos=None, synonyms=('participated',))
"""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import suppress
from itertools import accumulate
from typing import NamedTuple

from usim.benchmarks.baselines.thesaurus import PARTS, Thesaurus
from usim.errors import UsimError
from usim.lexicon import WordNetLemmatiser
from usim.suggestions import Inflector

#: Words of the closed classes, and forms of the auxiliaries.
CLOSED = frozenset(
    "a an the this that these those each every either neither some any no all both half such another other"
    " i me my mine myself you your yours yourself yourselves he him his himself she her hers herself it its itself"
    " we us our ours ourselves they them their theirs themselves one who whom whose which what whoever whatever"
    " whichever someone somebody something anyone anybody anything everyone everybody everything nobody nothing none"
    " of in on at by for from with about into onto over under between among after before during since until till to up"
    " down off out through across against along around behind below beneath beside besides beyond despite except inside"
    " near outside per than toward towards upon via within without as like"
    " and but or nor so yet if because although though while whereas unless whether once when whenever where wherever"
    " why how that not n't n’t never there here then now very too also just only even still again more most much many"
    " few little less least own same"
    " be am is are was were been being 's ’s 're ’re 'm ’m do does did done doing have has had having 've ’ve 'd ’d can"
    " could will would shall should may might must ought 'll ’ll ca wo sha cannot need dare"
    " zero one two three four five six seven eight nine ten eleven twelve hundred thousand million billion".split()
)
_MOST = 5  # words of a phrase


class Replaceable(NamedTuple):
    """A word or phrase with synonyms: its first word, the word after its last, and its part of speech where known."""

    start: int
    end: int
    pos: str | None
    synonyms: tuple[str, ...]


class Finder:
    """Finds the targets of a sentence.

    Args:
        thesaurus: says what has synonyms.
        inflect: puts synonyms into the form of their targets; by default with lemminflect where it is installed.
        forms: whether to inflect at all; if not, words are only looked up as they stand.
    """

    def __init__(self, thesaurus: Thesaurus, inflect: Inflector | None = None, *, forms: bool = True) -> None:
        self.thesaurus = thesaurus
        self._inflect = inflect
        if inflect is None and forms:
            with suppress(UsimError):
                self._inflect = Inflector()
        self._lemmatise = WordNetLemmatiser.shipped()

    @property
    def signature(self) -> str:
        return f"thesaurus:{self.thesaurus.name}|inflect:{'no' if self._inflect is None else self._inflect.name}"

    def targets(self, words: Sequence[str]) -> list[Replaceable]:
        """Return the targets of a sentence in tokens, from left to right; none overlaps another."""
        text = " ".join(words)
        begins = [0, *accumulate(len(word) + 1 for word in words)]
        targets: list[Replaceable] = []
        place = 0
        while place < len(words):
            sizes = range(min(self.thesaurus.longest, _MOST, len(words) - place), 0, -1)
            candidates = (self._target(words, text, begins, place, place + size) for size in sizes)
            target = next(filter(None, candidates), None)
            targets += [target] if target else []
            place = target.end if target else place + 1
        return targets

    def _target(
        self, words: Sequence[str], text: str, begins: Sequence[int], start: int, end: int
    ) -> Replaceable | None:
        phrase = words[start:end]
        if not all(word[:1].isalpha() for word in phrase) or (len(phrase) == 1 and phrase[0].lower() in CLOSED):
            return None
        pos, synonyms = self._looked_up(text, begins[start], begins[end] - 1)
        return Replaceable(start, end, pos, synonyms) if synonyms else None

    def synonyms(self, words: Sequence[str], start: int, end: int, pos: str | None = None) -> tuple[str, ...]:
        """Return the synonyms of a target that is given, in its form, the best first; empty where there is no entry.

        Args:
            words: the sentence.
            start, end: the target: its first word, and the word after its last.
            pos: its universal part of speech, where it is known; only ``NOUN``, ``VERB``, ``ADJ`` and ``ADV`` count.
        """
        begin = sum(len(word) + 1 for word in words[:start])
        return self._looked_up(" ".join(words), begin, begin + len(" ".join(words[start:end])), pos)[1]

    def _looked_up(
        self, text: str, begin: int, stop: int, pos: str | None = None
    ) -> tuple[str | None, tuple[str, ...]]:
        """Return the part of speech of a target, and its synonyms in its form."""
        phrase = text[begin:stop].split()
        if not phrase:
            return None, ()
        if pos not in PARTS.values():
            pos = self._pos(text, begin, stop) if len(phrase) == 1 else None
        synonyms = self.thesaurus.synonyms(" ".join(phrase), pos)
        if self._inflect is not None:
            for lemma in self._lemmas(phrase, pos):
                synonyms += self.thesaurus.synonyms(lemma, pos)
            inflected = (self._inflect(synonym, text, begin, stop, pos) for synonym in synonyms)
            word = text[begin:stop].lower()
            synonyms = tuple(dict.fromkeys(form for form in inflected if form.lower() != word))
        return pos, synonyms

    def _pos(self, text: str, start: int, end: int) -> str | None:
        if self._inflect is None:
            return None
        parts = [PARTS[tag.lower()] for tag in self._inflect.tags(text, start, end)]
        if "ADJ" in parts and parts[0] == "NOUN" and self._noun_at(text, end + 1):
            return "ADJ"
        return parts[0] if parts else None

    def _noun_at(self, text: str, start: int) -> bool:
        """Return whether the word that begins at a place may be a noun: the word before it is hardly one then."""
        assert self._inflect is not None
        word = text[start:].split(" ", 1)[0]
        if not word[:1].isalpha() or word.lower() in CLOSED:
            return False
        return any(tag.startswith("NN") for tag in self._inflect.tags(text, start, start + len(word)))

    def _lemmas(self, phrase: Sequence[str], pos: str | None) -> list[str]:
        """Return the lemma of a word with a part of speech, or those of a phrase as a verb and as a noun."""
        lowered = [word.lower() for word in phrase]
        if len(phrase) == 1:
            return [lemma for lemma in (self._lemmatise(lowered[0], pos),) if lemma != lowered[0]]
        verb = " ".join((self._lemmatise(lowered[0], "VERB"), *lowered[1:]))
        noun = " ".join((*lowered[:-1], self._lemmatise(lowered[-1], "NOUN")))
        return [lemma for lemma in dict.fromkeys((verb, noun)) if lemma != " ".join(lowered)]
