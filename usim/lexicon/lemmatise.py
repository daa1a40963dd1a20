"""Lemmas: what the benchmarks compare instead of word forms.

SWORDS lemmatises with WordNet's own rules (``morphy``): a form that is in the exception list of its part of speech has
the lemmas given there; otherwise its endings are taken off, and what is left counts if WordNet has it. The rules and
the choice of the shortest lemma follow the WordNet lemmatiser of NLTK 3, which the SWORDS scorer uses. Only single
words ever change, as WordNet writes phrases with underscores.

The words and exceptions of WordNet 3.0 (Fellbaum 1998; Princeton University, licence beside the file) come with usim;
:meth:`WordNetLemmatiser.from_folder` reads any other version.

>>> lemmatise = WordNetLemmatiser.shipped()
>>> lemmatise("geese", "NOUN"), lemmatise("worse", "ADJ"), lemmatise("leaves", "VERB"), lemmatise("ran off", "VERB")
('goose', 'bad', 'leave', 'ran off')
"""

from __future__ import annotations

import importlib
import lzma
import os
from collections.abc import Callable, Iterable, Mapping
from functools import cache
from pathlib import Path

from usim.errors import InputError, UsimError

#: A lemmatiser: from a word or phrase and its universal part of speech (``NOUN``, ``VERB``, ``ADJ``, ``ADV``) to its
#: lemma. A part of speech of None says that it is not known.
Lemmatise = Callable[[str, str | None], str]

_PARTS = ("noun", "verb", "adj", "adv")
_OF_UNIVERSAL = {"NOUN": "noun", "VERB": "verb", "ADJ": "adj", "ADV": "adv"}
_ENDINGS = {
    "noun": (
        ("s", ""),
        ("ses", "s"),
        ("ves", "f"),
        ("xes", "x"),
        ("zes", "z"),
        ("ches", "ch"),
        ("shes", "sh"),
        ("men", "man"),
        ("ies", "y"),
    ),
    "verb": (("s", ""), ("ies", "y"), ("es", "e"), ("es", ""), ("ed", "e"), ("ed", ""), ("ing", "e"), ("ing", "")),
    "adj": (("er", ""), ("est", ""), ("er", "e"), ("est", "e")),
    "adv": (),
}
_SHIPPED = Path(__file__).with_name("wordnet-3.0-lemmas.txt.xz")


class WordNetLemmatiser:
    """WordNet's morphy, choosing the shortest lemma.

    Args:
        words: part of speech (``noun``, ``verb``, ``adj``, ``adv``) → the single words that WordNet has.
        exceptions: part of speech → irregular form → its lemmas.
        name: what a signature calls it.
    """

    def __init__(
        self, words: Mapping[str, Iterable[str]], exceptions: Mapping[str, Mapping[str, tuple[str, ...]]], name: str
    ) -> None:
        self.name = name
        self._words = {part: frozenset(words.get(part, ())) for part in _PARTS}
        self._exceptions = {part: dict(exceptions.get(part, {})) for part in _PARTS}

    @staticmethod
    @cache
    def shipped() -> WordNetLemmatiser:
        """The lemmatiser for WordNet 3.0, from the file that comes with usim."""
        return _unpack(lzma.decompress(_SHIPPED.read_bytes()).decode(), "wordnet-3.0")

    @classmethod
    def from_folder(cls, folder: str | os.PathLike[str]) -> WordNetLemmatiser:
        """The lemmatiser for the WordNet whose database files (``index.noun``, ``noun.exc``, …) are in a folder.

        Raises:
            InputError: a file is missing.
        """
        return _unpack(_pack(folder), f"wordnet@{os.path.basename(os.path.normpath(folder))}")

    def __call__(self, word: str, pos: str | None = None) -> str:
        """The lemma of a word, or the word itself where WordNet knows none.

        Parts of speech other than nouns, verbs, adjectives and adverbs are treated as nouns. Where the part of speech
        is not known, all four are tried, and the shortest of their lemmas is chosen, the first in the alphabet among
        equals.
        """
        if pos is None:
            lemmas = {lemma for part in _PARTS for lemma in self.lemmas(word, part)}
            return min(lemmas, key=lambda lemma: (len(lemma), lemma), default=word)
        return min(self.lemmas(word, _OF_UNIVERSAL.get(pos, "noun")), key=len, default=word)

    def lemmas(self, word: str, part: str) -> list[str]:
        """All lemmas of a word as a ``noun``, ``verb``, ``adj`` or ``adv``, in the order in which they are found."""
        known = self._words[part]
        irregular = self._exceptions[part].get(word)
        if irregular is not None:
            return [lemma for lemma in dict.fromkeys((word, *irregular)) if lemma in known]
        forms = _stripped((word,), part)
        found = [lemma for lemma in dict.fromkeys((word, *forms)) if lemma in known]
        while not found and forms:
            forms = _stripped(forms, part)
            found = [lemma for lemma in dict.fromkeys(forms) if lemma in known]
        return found


def _stripped(forms: Iterable[str], part: str) -> list[str]:
    return [form[: -len(old)] + new for form in forms for old, new in _ENDINGS[part] if form.endswith(old)]


def _pack(folder: str | os.PathLike[str]) -> str:
    """The words and exceptions of a WordNet as one text: for each part of speech its words, then its exceptions.

    The file that comes with usim is this, packed: ``lzma.compress(_pack(folder).encode(), preset=9)``.
    """
    blocks = []
    for part in _PARTS:
        try:
            index = Path(folder, f"index.{part}").read_text("utf-8")
            exceptions = Path(folder, f"{part}.exc").read_text("utf-8")
        except (OSError, UnicodeDecodeError) as e:
            raise InputError(
                f"no WordNet database file ({getattr(e, 'strerror', None) or e}); name the folder that has index.noun",
                path=getattr(e, "filename", None) or folder,
            ) from e
        # The licence at the head of an index file is set off by two spaces.
        words = sorted({line.split(" ", 1)[0] for line in index.splitlines() if line and not line.startswith(" ")})
        single = [word for word in words if "_" not in word]
        blocks.append("\n".join(single) + "\n\n" + "\n".join(e for e in exceptions.splitlines() if e) + "\n")
    return "\n".join(blocks)


def _unpack(text: str, name: str) -> WordNetLemmatiser:
    blocks = text.split("\n\n")
    words = {part: blocks[2 * i].splitlines() for i, part in enumerate(_PARTS)}
    exceptions = {
        part: {form: tuple(lemmas) for form, *lemmas in map(str.split, blocks[2 * i + 1].splitlines())}
        for i, part in enumerate(_PARTS)
    }
    return WordNetLemmatiser(words, exceptions, name)


class FirstWordLemmatiser:
    """The lemma of the first word of a phrase, by WordNet: the soft setting of ProLex without spaCy."""

    def __init__(self, lemmatise: WordNetLemmatiser) -> None:
        self.name = f"{lemmatise.name}+first-word"
        self._lemmatise = lemmatise

    def __call__(self, phrase: str, pos: str | None = None) -> str:
        words = phrase.replace("-", " ").split()
        return self._lemmatise(words[0].lower(), pos) if words else ""


class SpacyFirstWordLemmatiser:
    """The lemma of the first token of a phrase, by a spaCy pipeline: the soft setting of ProLex as published.

    Args:
        model: the name of the pipeline; the published scorer uses ``en_core_web_sm``.

    Raises:
        UsimError: spaCy or the pipeline is not installed.
    """

    def __init__(self, model: str = "en_core_web_sm") -> None:
        try:
            spacy = importlib.import_module("spacy")
        except ImportError as e:
            raise UsimError(
                "the spaCy lemmatiser needs spaCy: pip install 'usim-faithfulness[spacy]', "
                f"then python -m spacy download {model}"
            ) from e
        try:
            self._pipeline = spacy.load(model)
        except OSError as e:
            raise UsimError(f"spaCy has no pipeline {model!r}: python -m spacy download {model}") from e
        self.name = f"spacy-{spacy.__version__}+{model}-{self._pipeline.meta.get('version', '?')}+first-word"

    def __call__(self, phrase: str, pos: str | None = None) -> str:
        document = self._pipeline(phrase)
        return str(document[0].lemma_) if len(document) else ""
