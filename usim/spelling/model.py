"""The model of corrections: how likely a word that is wrong where it stands was corrected to the one that was meant."""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import cached_property, lru_cache
from pathlib import Path
from typing import NamedTuple

import numpy as np
import numpy.typing as npt
from rapidfuzz.distance import OSA

from usim.errors import ParsingError
from usim.lexicon import WordNet, relation, word_info
from usim.spelling.edits import WordEdit, WrittenWord, find_edits, is_correction, is_misspelt, words_in, written_words
from usim.spelling.features import BE_OR_HAVE, NAMES, TO_VERB, Tables, edit_features, is_same_word
from usim.spelling.spelling import Channel, Confusions
from usim.spelling.trees import Trees
from usim.spelling.words import UNKNOWN, WordTable
from usim.text.checksums import check_digests, model_settings

Floats = npt.NDArray[np.float32]

#: The files of a model.
WORDS_FILE, TABLES_FILE, TREES_FILE = "words.npz", "tables.npz", "trees.npz"
#: The contexts are kept as whole numbers of this size.
CONTEXT_STEP = 1 / 16
#: A word that was meant with this probability is as likely as not.
EVEN = 0.5
#: More edits between two sentences are left to the judge of meaning.
_MOST_EDITS = 32
#: How far above :data:`EVEN` a form of the likeliest word comes, at the most twice; a less probable one stays below.
_FORM, _LEAST_FORM = 0.1, 0.25
#: Below this probability the other words are looked at; where one has so many times the odds, a correction is doubtful,
#: as it is in a form that cannot stand there.
_LIKELY, _MUCH_LIKELIER, _DOUBTFUL = 0.7, 8.0, 0.45
#: What a misspelling is known to mean was meant, unless another word has so many times its odds. So many letters from
#: it nobody takes one for the other; below that the other word is meant from this probability on.
_SURER, _APART, _SURE = 3.0, 2, 0.9
#: A word may replace another that is so many steps more general or special.
_STEPS = 2
#: Verbs behind *have* and *be*, and behind *to* and its like, are in none of these forms.
_NOT_BEHIND = ((BE_OR_HAVE, frozenset(("VB", "VBZ", "VBD"))), (TO_VERB, frozenset(("VBD", "VBN", "VBZ"))))


class Correction(NamedTuple):
    """A word that is wrong where it stands, and what it was corrected to.

    Attributes:
        source, output: the tokens of either sentence.
        probability: that this was meant, in [0, 1].
        better: where it is improbable, the word that was meant more likely; empty if there is none.
        is_known: whether people are known to mean ``better`` by the misspelling; ``new`` where that is empty.
    """

    source: tuple[int, ...]
    output: tuple[int, ...]
    old: str
    new: str
    probability: float
    better: str = ""
    is_known: bool = False

    @property
    def is_other(self) -> bool:
        """Whether people are known to mean another word by the misspelling."""
        return self.is_known and bool(self.better)

    @property
    def is_surely_other(self) -> bool:
        """Whether nobody takes the word that was put in for the one that was meant."""
        return self.is_other and OSA.distance(self.better, self.new) >= _APART


class Corrections(NamedTuple):
    """The corrections of words that are wrong where they stand, in order, and whether there is no other change."""

    corrected: tuple[Correction, ...]
    is_all: bool


_NONE = Corrections((), False)


class CorrectionModel:
    """Tells right corrections from wrong ones; its files are read when the first sentence with a change is seen.

    Raises:
        ParsingError: the settings are missing or damaged, or of another version of usim.
    """

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        # Several changes of a sentence come one after the other.
        self._source_words = lru_cache(64)(written_words)
        try:
            settings, _ = model_settings(folder)
            self.name = str(settings["name"])
            self._slope, self._shift = map(float, settings["calibration"])
            self._digests = {name: str(settings["sha256"][name]) for name in (WORDS_FILE, TABLES_FILE, TREES_FILE)}
            names = tuple(settings["features"])
        except (OSError, ValueError, KeyError, TypeError) as e:
            raise ParsingError(f"no usable model of corrections: {type(e).__name__}: {e}", path=folder) from e
        if names != NAMES:
            raise ParsingError("this model of corrections was trained with another version of usim", path=folder)

    def __reduce__(self) -> tuple[type[CorrectionModel], tuple[Path]]:
        return CorrectionModel, (self._folder,)

    @cached_property
    def _loaded(self) -> tuple[Tables, Trees, dict[str, str]]:
        check_digests(self._folder, self._digests)
        words = WordTable(self._folder / WORDS_FILE)
        try:
            with np.load(self._folder / TABLES_FILE) as arrays:
                contexts = arrays["contexts"].astype(np.float32) * np.float32(CONTEXT_STEP)
                channel = Channel(Confusions(*(arrays[name] for name in Confusions._fields)))
                misspellings = read_misspellings(arrays["misspellings"])
            with np.load(self._folder / TREES_FILE) as arrays:
                trees = Trees.of(arrays)
        except (OSError, ValueError, KeyError, MemoryError) as e:
            raise ParsingError(f"no usable model of corrections: {type(e).__name__}: {e}", path=self._folder) from e
        return Tables(words, channel, contexts), trees, misspellings

    @property
    def words(self) -> WordTable:
        """Its table of words."""
        return self._loaded[0].words

    @property
    def _misspellings(self) -> dict[str, str]:
        return self._loaded[2]

    def __call__(self, source: Sequence[str], output: Sequence[str]) -> Corrections:
        """Return the corrections between the tokens of two sentences."""
        old_words, new_words = self._source_words(tuple(source)), written_words(output)
        old, new = [word.text for word in old_words], [word.text for word in new_words]
        # To find the edits of a sentence that was reworded takes long.
        words = None if old == new else self._loaded[0].words
        if words is None or not any(is_misspelt(words, word, starts=k == 0) for k, word in enumerate(old)):
            return _NONE
        edits = find_edits(old, new)
        if not edits or len(edits) > _MOST_EDITS:
            return _NONE
        corrected: list[Correction] = []
        for edit in edits:
            if is_correction(words, old, new, edit):
                (i, j), (k, m) = edit
                probability = self.probability(old, new, edit, len(edits))
                better = ""
                is_unfit = self._is_unfit(new, edit)
                if _letters(old[i:j]) == _letters(new[k:m]) and not is_unfit:  # of "alot" only a blank was missing
                    probability = max(probability, _as_form(probability))
                elif probability < _LIKELY or is_unfit:
                    probability, better = self._among_others(old, new, edit, len(edits), probability)
                meant = self._known_other(old, new, edit, len(edits), probability)
                at, to = _places(old_words[i:j]), _places(new_words[k:m])
                written, offered = (" ".join(words).replace(" - ", "-") for words in (old[i:j], new[k:m]))
                is_known = bool(meant) or (not better and self._misspellings.get(written.lower()) == offered.lower())
                corrected.append(Correction(at, to, written, offered, probability, meant or better, is_known))
        return Corrections(tuple(corrected), _is_all(source, output, corrected))

    def words_for(self, written: str) -> list[str]:
        """Return the words that a misspelling in lower case may stand for, the most probable first; none for a word."""
        tables = self._loaded[0]
        rivals = tables.rivals(written) if tables.words[written] is UNKNOWN else ()
        return [rival.word for rival in sorted(rivals, key=lambda rival: -rival.weight)]

    def in_degree(self, written: str, offered: Sequence[str]) -> list[str]:
        """Return words offered for a misspelling in lower case; a comparative or superlative keeps its degree.

        The form that was meant comes first, and other forms of its adjective, which say less or more, are left out:
        *earlier* alone of *early* and *earlier* for *earlyer*.
        """
        degree, stem = _degree_and_stem(written)
        meant = self._degrees.get((degree, stem), ()) if self.words[written] is UNKNOWN else ()
        # What drops the "y" of "lazy" is as likely another word, such as "lazer".
        is_whole = written[-len(degree) - 1] in "eiy"
        forms = [form for form in meant if is_whole or _undoubled(form) == _undoubled(written)]
        if not forms:
            return list(offered)
        others = [word for word in offered if _degree_and_stem(word.removesuffix("'s"))[1] != stem]
        return forms + others

    @cached_property
    def _degrees(self) -> dict[tuple[str, str], list[str]]:
        """Ending and stem → the comparatives or superlatives that have them."""
        degrees: dict[tuple[str, str], list[str]] = {}
        for word in self.words.above(0.0):
            degree, stem = _degree_and_stem(word)
            if degree and not self.words[word].tags.isdisjoint(("JJR", "JJS")):
                degrees.setdefault((degree, stem), []).append(word)
        return degrees

    def _among_others(
        self, source: Sequence[str], output: Sequence[str], edit: WordEdit, edits: int, probability: float
    ) -> tuple[float, str]:
        """Return the probability of what an edit puts in, and the word that it should have put in; empty if none.

        Another form of the likeliest word says the same, and is as likely as not what was meant, unless it is very
        improbable, or cannot stand there.
        """
        (i, j), (k, m) = edit
        old, new = (" ".join(words_in(words)) for words in (source[i:j], output[k:m]))
        best, meant = EVEN, ""
        for rival in self._loaded[0].rivals(old):
            if not is_same_word(rival.word, new):
                with_word = [*output[:k], rival.word, *output[m:]]
                found = self.probability(source, with_word, WordEdit((i, j), (k, k + 1)), edits)
                best, meant = max((best, meant), (found, rival.word))
        if meant and self._is_unfit(output, edit) and not self._is_unfit([*output[:k], meant, *output[m:]], edit):
            return min(probability, _DOUBTFUL), meant
        net = WordNet.shipped()
        if meant and not net.word(new).lemmas.isdisjoint(net.word(meant).lemmas):
            is_likely = probability > _LEAST_FORM
            return (max(probability, _as_form(probability)), "") if is_likely else (_LEAST_FORM, meant)
        if probability < EVEN:
            return probability, meant
        return (_DOUBTFUL, meant) if odds(best) > _MUCH_LIKELIER * odds(probability) else (probability, "")

    def _known_other(
        self, source: Sequence[str], output: Sequence[str], edit: WordEdit, edits: int, probability: float
    ) -> str:
        """Return what people are known to mean by a misspelling, if an unrelated word took its place; empty if none.

        The other word must not be much more probable there; nor very probable if it is one letter from what is known:
        a writer may take one for the other, as in *it efects me*.
        """
        (i, j), (k, m) = edit
        old, new = (words_in(words) for words in (source[i:j], output[k:m]))
        meant = self._misspellings.get(" ".join(old), "")
        if not meant or len(new) != 1 or word_info(new[0]).is_function:
            return ""
        if is_related(meant, new[0]) or (probability >= _SURE and OSA.distance(meant, new[0]) < _APART):
            return ""
        there = self.probability(source, [*output[:k], meant, *output[m:]], WordEdit((i, j), (k, k + 1)), edits)
        return meant if odds(probability) < _SURER * odds(there) else ""

    def _is_unfit(self, output: Sequence[str], edit: WordEdit) -> bool:
        """Return whether a word is in a form that cannot stand there: *have receive*, *the children's are*."""
        k = edit.output[0]
        before, word, after = (output[at].lower() if 0 <= at < len(output) else "" for at in (k - 1, k, k + 1))
        if word.endswith(("'s", "’s")) and after in BE_OR_HAVE:
            return True
        forms = self._loaded[0].words[word].tags
        if word.endswith("ed"):  # the table has most participles as past forms alone
            forms |= {"VBN"}
        return bool(forms) and any(before in heads and forms <= wrong for heads, wrong in _NOT_BEHIND)

    def probability(self, source: Sequence[str], output: Sequence[str], edit: WordEdit, edits: int = 1) -> float:
        """Return how likely an edit puts in what was meant, in [0, 1], rounded to five digits.

        The words of both sentences are those of :func:`written_words`; ``edits`` is the number of edits between them.
        """
        tables, trees, _ = self._loaded
        logit = self._slope * float(trees(edit_features(tables, source, output, edit, edits)[None])[0]) + self._shift
        return round(float(1 / (1 + np.exp(-min(max(logit, -30.0), 30.0)))), 5)


def read_misspellings(letters: npt.NDArray[np.uint8]) -> dict[str, str]:
    """Return misspellings with what is meant by them, from a line for each: *recieve receive*."""
    pairs = (line.partition(" ") for line in letters.tobytes().decode().splitlines())
    return {written: meant for written, _, meant in pairs}


def is_related(word: str, other: str) -> bool:
    """Return whether a word may stand for another in a free correction."""
    found = relation(word, other)
    is_one = found.same_lemma or found.synonym or found.similar or found.derived or found.entails
    return is_same_word(word, other) or is_one or 0 < abs(found.hypernym) <= _STEPS


def odds(probability: float) -> float:
    """Return the odds of a probability, which is kept away from 0 and 1."""
    kept = min(max(probability, 1e-5), 1 - 1e-5)
    return kept / (1 - kept)


def _is_all(source: Sequence[str], output: Sequence[str], corrected: Sequence[Correction]) -> bool:
    """Return whether corrections turn the tokens of one sentence into those of the other; case does not count."""
    starts = {correction.source[0]: correction for correction in corrected}
    gone = {place for correction in corrected for place in correction.source}
    after: list[str] = []
    for place, token in enumerate(source):
        if place in starts:
            after += (output[k] for k in starts[place].output)
        elif place not in gone:
            after.append(token)
    return [token.lower() for token in after] == [token.lower() for token in output]


def _degree_and_stem(word: str) -> tuple[str, str]:
    """Return the ending of a comparative or superlative, if there is one, and the stem without what spelling alters.

    >>> _degree_and_stem("earlyer"), _degree_and_stem("biggest"), _degree_and_stem("big")
    (('er', 'earl'), ('est', 'big'), ('', 'big'))
    """
    degree = next((ending for ending in ("er", "est") if word.endswith(ending) and len(word) > len(ending) + 1), "")
    return degree, _undoubled(word.removesuffix(degree).rstrip("eiy"))


def _as_form(probability: float) -> float:
    """Return how likely another form of the word that was meant is right, which says the same."""
    return round(EVEN + _FORM * probability, 5)


def _letters(words: Sequence[str]) -> str:
    return "".join(filter(str.isalpha, "".join(words))).lower()


def _undoubled(word: str) -> str:
    return re.sub(r"(.)\1", r"\1", word)


def _places(words: Sequence[WrittenWord]) -> tuple[int, ...]:
    return tuple(range(words[0].start, words[-1].end))
