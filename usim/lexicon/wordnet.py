"""The words of WordNet 3.0 and the relations between them, from a file that comes with usim.

The file is read at first use. Words stay in one block of bytes and are found by bisection, relations in flat arrays:
150,000 words take a few megabytes, and only words that are looked up become objects.

The file has for each word its *senses* (a word in a synset) by part of speech, most frequent first, and how often each
was tagged in WordNet's own texts; between synsets the relations of :data:`PAIRS`, with those of instances counted as
those of classes; for each synset its depth and its information content (Resnik 1995).

The data is WordNet 3.0 (Fellbaum 1998), © Princeton University, licence beside the file.
``python -m training.word_data`` makes it.
"""

from __future__ import annotations

import lzma
from array import array
from bisect import bisect_left, bisect_right
from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import cache, cached_property, lru_cache, partial
from pathlib import Path
from typing import Any

import numpy as np

from usim.lexicon.tables import read_tables

#: The file that comes with usim.
SHIPPED = Path(__file__).with_name("wordnet-3.0.xz")
#: Parts of speech: noun, verb, adjective (satellites too), adverb.
PARTS = ("n", "v", "a", "r")
#: The relations: between synsets ``hypernym`` (from below to above), ``similar``, ``entails`` (causes too), ``part``
#: (of any kind, from the whole to the part), ``see`` (also-see, verb groups, attributes); between senses ``antonym``
#: and ``derived`` (pertainyms and participles too).
PAIRS = ("hypernym", "similar", "entails", "part", "see", "antonym", "derived")
#: Information content is kept in steps of a sixteenth.
IC_STEPS = 16

#: How WordNet takes inflectional endings off: ending → what stands in its place (morphy(7WN)).
_ENDINGS = {
    part: [tuple(rule.split("=")) for rule in rules.split()]
    for part, rules in read_tables("writing.tsv")["endings"].items()
}
_ENDS = tuple({old for rules in _ENDINGS.values() for old, _ in rules})
# Rarer senses are left out of the search through the hierarchy: they would relate every word to every other.
_RANKS = 5
_SHARE = 0.02
# In a text, antonyms of rarer senses are not opposites.
_ANTONYM_SHARE = 0.05


class WordNet:
    """WordNet, unpacked; :meth:`shipped` returns the one that comes with usim.

    Args:
        data: the content of the file, as ``training/word_data.py`` makes it, decompressed.
    """

    def __init__(self, data: bytes) -> None:
        blocks = _blocks(data)
        self._text, self._exceptions_text = next(blocks), next(blocks)
        self._ends = array("i", np.flatnonzero(np.frombuffer(self._text, np.uint8) == 10).astype(np.int32).tobytes())
        self._starts = _numbers(next(blocks), are_steps=True)
        self._senses, self._counts = _numbers(next(blocks)), _numbers(next(blocks))
        self._proper = next(blocks)
        self._part_ends = _numbers(next(blocks), are_steps=True)
        self._depths, self._ic = next(blocks), next(blocks)
        self._pairs = {name: (_numbers(next(blocks), are_steps=True), _numbers(next(blocks))) for name in PAIRS}
        self._numbers = range(len(self))
        # A bound for processes that run for days. A form is looked up once for each part of speech.
        self._word = lru_cache(40_000)(partial(Word, self))
        self._found, self._parts = lru_cache(40_000)(self._find), lru_cache(40_000)(self._parts_of)

    @staticmethod
    @cache
    def shipped() -> WordNet:
        """Return WordNet 3.0, from the file that comes with usim."""
        return WordNet(lzma.decompress(SHIPPED.read_bytes()))

    def __len__(self) -> int:
        return len(self._ends)

    # -- words -------------------------------------------------------------------------------------------------------

    def find(self, lemma: str) -> int:
        """Return the number of a lemma, in lower case, with blanks for underscores; -1 if WordNet has none."""
        return self._found(lemma)

    def _find(self, lemma: str) -> int:
        encoded = lemma.encode("utf-8", "surrogatepass")  # half a surrogate pair is no word, and no error
        number = bisect_left(self._numbers, encoded, key=self._encoded)
        return number if number < len(self) and self._encoded(number) == encoded else -1

    def _encoded(self, number: int) -> bytes:
        return self._text[self._ends[number - 1] + 1 if number else 0 : self._ends[number]]

    def lemma(self, number: int) -> str:
        """Return the lemma with a number."""
        return self._encoded(number).decode()

    def word(self, form: str) -> Word:
        """Return what WordNet knows about a form; case makes no difference."""
        return self._word(form.lower())

    def lemmas(self, form: str, part: str) -> tuple[int, ...]:
        """Return the numbers of the lemmas that a form in lower case can have as a part of speech (morphy)."""
        irregular = self.exceptions.get(part, {}).get(form)
        if irregular is not None:
            return self.known((form, *irregular), part)
        numbers = self.known((form,), part)
        stripped = strip_endings((form,), part) if form.endswith(_ENDS) else []
        if part == "v" and " " in form:  # the verb of a phrase is its first word
            verb, rest = form.split(" ", 1)
            stripped += [f"{self.lemma(lemma)} {rest}" for lemma in self.lemmas(verb, "v")]
        return numbers + tuple(n for n in self.known(stripped, part) if n not in numbers)

    def known(self, forms: Iterable[str], part: str) -> tuple[int, ...]:
        """Return the numbers of the forms that are lemmas of a part of speech, each once."""
        numbers = map(self.find, dict.fromkeys(forms))
        return tuple(number for number in numbers if number >= 0 and part in self._parts(number))

    def _parts_of(self, lemma: int) -> frozenset[str]:
        return frozenset(self.part(synset) for synset, _ in self.senses(lemma))

    @cached_property
    def exceptions(self) -> Mapping[str, Mapping[str, tuple[str, ...]]]:
        """Part of speech → irregular form → its lemmas."""
        exceptions: dict[str, dict[str, tuple[str, ...]]] = {part: {} for part in PARTS}
        for part, block in zip(PARTS, self._exceptions_text.decode().split("\n\n"), strict=True):
            for line in block.splitlines():
                form, *lemmas = line.split()
                exceptions[part][form.replace("_", " ")] = tuple(lemma.replace("_", " ") for lemma in lemmas)
        return exceptions

    # -- senses and synsets ------------------------------------------------------------------------------------------

    def senses(self, lemma: int) -> list[tuple[int, int]]:
        """Return the synsets of a lemma with their tag counts, by part of speech, the most frequent first."""
        start, end = self._starts[lemma], self._starts[lemma + 1]
        return list(zip(self._senses[start:end], self._counts[start:end], strict=True))

    def sense_numbers(self, lemma: int) -> range:
        """Return the numbers of the senses of a lemma; relations between senses use these."""
        return range(self._starts[lemma], self._starts[lemma + 1])

    def lemma_of(self, sense: int) -> int:
        """Return the lemma that a sense belongs to."""
        return bisect_right(self._starts, sense) - 1

    def synset_of(self, sense: int) -> int:
        """Return the synset that a sense belongs to."""
        return self._senses[sense]

    def words_of(self, synset: int) -> list[str]:
        """Return the lemmas of a synset without proper names, the one most often tagged with it first."""
        synsets, senses = self._senses_by_synset
        low, high = np.searchsorted(synsets, (synset, synset + 1))
        counted = sorted((-self._counts[sense], self.lemma_of(sense)) for sense in senses[low:high].tolist())
        return [self.lemma(lemma) for _, lemma in counted if not self.is_proper(lemma)]

    @cached_property
    def _senses_by_synset(self) -> tuple[Any, Any]:
        synsets = np.frombuffer(self._senses, np.int32)
        order = np.argsort(synsets, kind="stable").astype(np.int32)
        return synsets[order], order

    def part(self, synset: int) -> str:
        """Return the part of speech of a synset."""
        return PARTS[bisect_right(self._part_ends, synset)]

    def is_proper(self, lemma: int) -> bool:
        """Return whether WordNet writes the lemma only with a capital."""
        return bool(self._proper[lemma])

    def depth(self, synset: int) -> int:
        """Return how many steps a synset lies below the nearest root."""
        return self._depths[synset]

    def information(self, synset: int) -> float:
        """Return the information content of a synset, in nats."""
        return self._ic[synset] / IC_STEPS

    def related(self, relation: str, of: int) -> Sequence[int]:
        """Return the synsets or senses in a relation of :data:`PAIRS` to a synset or sense."""
        sources, targets = self._pairs[relation]
        start = end = bisect_left(sources, of)
        while end < len(sources) and sources[end] == of:  # few are related to many
            end += 1
        return targets[start:end]

    @cached_property
    def opposite_synsets(self) -> Mapping[int, Sequence[int]]:
        """Synset → the synsets of the antonyms of its words."""
        opposites: dict[int, list[int]] = {}
        for sense, antonym in zip(*self._pairs["antonym"], strict=True):
            opposites.setdefault(self.synset_of(sense), []).append(self.synset_of(antonym))
        return opposites


class Word:
    """A form and all that WordNet has about the lemmas that it may be a form of.

    Attributes:
        lemmas: the numbers of its lemmas.
        senses: synset → its rank among the senses of its lemma and part of speech, from 1, and its share of all that
            was tagged of the form's lemmas, each sense counted once more than it was tagged.
        count: how often its lemmas were tagged.
        parts: the share of each part of speech.
    """

    __slots__ = ("__dict__", "_net", "count", "form", "lemmas", "parts", "senses")

    def __init__(self, net: WordNet, form: str, parts: tuple[str, ...] = PARTS) -> None:
        self._net = net
        self.form = form
        lemmas: set[int] = set()
        self.senses: dict[int, tuple[int, float]] = {}
        mass: dict[int, tuple[int, int]] = {}
        self.count = 0
        for part in parts:
            for lemma in net.lemmas(form, part):
                lemmas.add(lemma)
                senses = (sense for sense in net.senses(lemma) if net.part(sense[0]) == part)
                for rank, (synset, count) in enumerate(senses, 1):
                    self.count += count
                    old = mass.get(synset, (rank, 0))
                    mass[synset] = (min(old[0], rank), old[1] + count + 1)
        total = sum(m for _, m in mass.values())
        self.parts: dict[str, float] = {}
        for synset, (rank, m) in mass.items():
            self.senses[synset] = (rank, m / total)
            part = net.part(synset)
            self.parts[part] = self.parts.get(part, 0.0) + m / total
        self.lemmas = frozenset(lemmas)

    @property
    def known(self) -> bool:
        """Whether WordNet has it."""
        return bool(self.lemmas)

    @cached_property
    def is_proper(self) -> bool:
        """Whether all that it can be is written with a capital."""
        return bool(self.lemmas) and all(map(self._net.is_proper, self.lemmas))

    def overlap(self, other: Word) -> float:
        """Return in which share of their uses two words are of the same parts of speech, in [0, 1]."""
        return sum(min(share, other.parts.get(part, 0.0)) for part, share in self.parts.items())

    def only(self, part: str) -> Word:
        """Return the same form with only the senses of one part of speech."""
        return self._net._word(self.form, (part,))

    @cached_property
    def usual(self) -> frozenset[int]:
        """Its synsets without those that it is rarely used in."""
        return frozenset(s for s, (rank, share) in self.senses.items() if share >= _ANTONYM_SHARE or rank == 1)

    @cached_property
    def above(self) -> Mapping[int, tuple[int, int]]:
        """For each synset above the usual senses: the steps from the nearest of them (0: it is one), and that one."""
        steps_and_sense: dict[int, tuple[int, int]] = {}
        senses = self.senses.items()
        level = [(s, s) for s, (rank, share) in senses if rank <= _RANKS and (share >= _SHARE or rank == 1)]
        steps = 0
        while level:
            following: list[tuple[int, int]] = []
            for synset, origin in level:
                if synset not in steps_and_sense:
                    steps_and_sense[synset] = (steps, origin)
                    following += [(high, origin) for high in self._net.related("hypernym", synset)]
            level = following
            steps += 1
        return steps_and_sense

    @cached_property
    def antonyms(self) -> Mapping[int, float]:
        """Lemma → share of the sense that it is the opposite of."""
        net = self._net
        shares: dict[int, float] = {}
        for sense in (sense for lemma in self.lemmas for sense in net.sense_numbers(lemma)):
            share = self.senses.get(net.synset_of(sense), (0, 0.0))[1]
            for number in map(net.lemma_of, net.related("antonym", sense)):
                if share > shares.get(number, 0.0):
                    shares[number] = share
        return shares

    @cached_property
    def opposed_synsets(self) -> frozenset[int]:
        """The synsets of opposites of the word's usual senses, through what is similar to them too."""
        net = self._net
        synsets: set[int] = set()
        for synset in self.usual:
            for near in (synset, *net.related("similar", synset)):
                for opposite in net.opposite_synsets.get(near, ()):
                    synsets.add(opposite)
                    synsets.update(net.related("similar", opposite))
        return frozenset(synsets)

    @cached_property
    def similar(self) -> frozenset[int]:
        """The synsets similar to its usual senses."""
        return frozenset(near for synset in self.usual for near in self._net.related("similar", synset))

    @cached_property
    def derived(self) -> frozenset[int]:
        """The lemmas that are derived from it or that it is derived from."""
        return self._lemmas_by("derived", self.lemmas)

    @cached_property
    def opposed_by_derivation(self) -> frozenset[int]:
        """The antonyms of the lemmas in :attr:`derived`."""
        return self._lemmas_by("antonym", self.derived)

    def _lemmas_by(self, relation: str, lemmas: Iterable[int]) -> frozenset[int]:
        net = self._net
        senses = (sense for lemma in lemmas for sense in net.sense_numbers(lemma))
        return frozenset(net.lemma_of(other) for sense in senses for other in net.related(relation, sense))

    @cached_property
    def linked(self) -> Mapping[str, frozenset[int]]:
        """For each of some relations the synsets that it leads to from any of its senses."""
        related = self._net.related
        return {
            relation: frozenset(other for synset in self.senses for other in related(relation, synset))
            for relation in ("similar", "see", "entails", "part")
        }


@lru_cache(20000)
def verb_lemmas(form: str) -> tuple[str, ...]:
    """Return the lemmas that a form in lower case can have as a verb, sorted."""
    net = WordNet.shipped()
    return tuple(sorted(net.lemma(n) for n in net.lemmas(form, "v")))


def strip_endings(forms: Iterable[str], part: str) -> list[str]:
    """Return what may be left of forms when an inflectional ending of a part of speech is taken off or replaced."""
    return [form[: -len(old)] + new for form in forms for old, new in _ENDINGS[part] if form.endswith(old)]


# -- the file --------------------------------------------------------------------------------------------------------


def _blocks(data: bytes) -> Iterator[bytes]:
    """Yield the blocks of the file, each of which stands behind its length."""
    at = 0
    while at < len(data):
        start = at + 4
        at = start + int.from_bytes(data[at:start], "little")
        yield data[start:at]


def _numbers(block: bytes, *, are_steps: bool = False) -> array[int]:
    """Return the numbers of a block, which has the first byte of each, the second of each, and the third."""
    numbers = np.zeros((len(block) // 3, 4), np.uint8)
    numbers[:, :3] = np.frombuffer(block, np.uint8).reshape(3, -1).T
    values = numbers.view("<i4").reshape(-1)
    return array("i", (np.cumsum(values) if are_steps else values).astype(np.int32).tobytes())
