"""Thesauri: from a word or phrase and its part of speech to its synonyms.

:func:`load` takes the name of a file, in one of four forms, ``wordnet`` for the WordNet 3.0 that comes with usim, or
``wn:LEXICON`` for a wordnet that the package ``wn`` has (``wn:oewn:2024``). Files may be packed (``.gz``):

- TSV: ``word<TAB>part of speech<TAB>synonym<TAB>synonym…``, an entry a line; lines that begin with ``#`` are left out;
- JSON: ``{word: [synonym, …]}`` or ``{word: {part of speech: [synonym, …]}}``;
- JSON of SWS (Wang et al. 2023, ``get_thesaurus.py``): ``{word: [{"pos": "noun", "Synonyms for": […], …}, …]}``;
- PPDB (Pavlick et al. 2015): ``[NN] ||| word ||| paraphrase ||| …``; the order of the file counts.

Parts of speech are ``noun``, ``verb``, ``adj``, ``adv``, in any of the usual spellings; where there is none, or another
one (``phrase``), the entry holds for all.

>>> thesaurus = Table({"intimate": {"ADJ": ["close", "dear"], "VERB": ["suggest"]}}, "mine")
>>> thesaurus.synonyms("Intimate", "ADJ"), thesaurus.synonyms("intimate")
(('close', 'dear'), ('close', 'dear', 'suggest'))
"""

from __future__ import annotations

import importlib
import os
from collections import defaultdict
from collections.abc import Iterable, Mapping
from functools import cached_property, lru_cache
from typing import TYPE_CHECKING, Any, Protocol

from usim.errors import FormatError, InputError, UsimError
from usim.text import Path, fail, read_json, read_text, text_lines

if TYPE_CHECKING:
    from usim.lexicon import WordNet

#: Universal parts of speech, by what thesauri call them.
PARTS = {
    **dict.fromkeys(("n", "nn", "nns", "noun", "plural noun"), "NOUN"),
    **dict.fromkeys(("v", "vb", "vbd", "vbg", "vbn", "vbp", "vbz", "vp", "verb"), "VERB"),
    **dict.fromkeys(("a", "s", "jj", "jjr", "jjs", "adj", "adj.", "adjective"), "ADJ"),
    **dict.fromkeys(("r", "rb", "rbr", "rbs", "adv", "adv.", "adverb"), "ADV"),
}
#: How WordNet writes them.
_WORDNET = {"NOUN": "n", "VERB": "v", "ADJ": "a", "ADV": "r"}


class Thesaurus(Protocol):
    """Knows synonyms; ``name`` is for signatures, ``longest`` is the number of words of its longest entry."""

    @property
    def name(self) -> str: ...

    @property
    def longest(self) -> int: ...

    def synonyms(self, phrase: str, pos: str | None = None) -> tuple[str, ...]:
        """Return the synonyms of a word or phrase, each once, the best first; empty where there is no entry.

        Args:
            phrase: as it stands in a text, or a lemma; case makes no difference.
            pos: its universal part of speech (``NOUN``, ``VERB``, ``ADJ``, ``ADV``); None for any.
        """
        ...


class Table:
    """A thesaurus that was read from a file: word → universal part of speech, ``""`` for any → synonyms."""

    def __init__(self, entries: Mapping[str, Mapping[str, Iterable[str]]], name: str) -> None:
        self.name = name
        self._entries: dict[str, dict[str, list[str]]] = defaultdict(lambda: defaultdict(list))
        for word, parts in entries.items():
            for part, synonyms in parts.items():
                self._entries[_squeezed(word).lower()][part] += synonyms

    @cached_property
    def longest(self) -> int:
        """The number of words of its longest entry."""
        return max((word.count(" ") + 1 for word in self._entries), default=0)

    def synonyms(self, phrase: str, pos: str | None = None) -> tuple[str, ...]:
        """See :class:`Thesaurus`."""
        word = phrase.lower()
        if word not in self._entries:
            return ()
        parts = self._entries[word]
        synonyms = (s for part, group in parts.items() if pos is None or part in ("", pos) for s in group)
        return _others(word, synonyms)


class Shipped:
    """The synonyms of WordNet 3.0: words of a synset, by how frequent the sense is, then how often the word has it."""

    name = "wordnet-3.0"
    longest = 3  # longer ones are names of plants, people and places

    @cached_property
    def _net(self) -> WordNet:
        from usim.lexicon import WordNet

        return WordNet.shipped()

    def synonyms(self, phrase: str, pos: str | None = None) -> tuple[str, ...]:
        """See :class:`Thesaurus`."""
        word = phrase.lower()
        number = self._net.find(word)
        if number < 0:
            return ()
        senses = sorted(self._net.senses(number), key=lambda sense: -sense[1])
        part = None if pos is None else _WORDNET.get(pos, "")
        synonyms = (
            synonym
            for synset, _ in senses
            if part is None or self._net.part(synset) == part
            for synonym in self._net.words_of(synset)
        )
        return _others(word, synonyms)


class Wn:
    """The synonyms of a wordnet of the package ``wn`` (Goodman and Bond 2021), in its order of senses.

    Args:
        lexicon: its specifier, e.g. ``oewn:2024``; empty for all that is there.

    Raises:
        UsimError: the package is not installed, or does not have the lexicon.
    """

    longest = 3

    def __init__(self, lexicon: str) -> None:
        get = f"python -m wn download {lexicon or 'oewn:2024'}"
        try:
            package: Any = importlib.import_module("wn")
        except ImportError as e:
            raise UsimError(
                f"a wordnet needs the package wn: pip install wn, then {get} "
                "(WordNet 3.0 comes with usim: --thesaurus wordnet)"
            ) from e
        try:
            self._wordnet: Any = package.Wordnet(lexicon or None)
            lexicons = self._wordnet.lexicons()
        except package.Error as e:
            raise UsimError(f"{e}; get it with: {get}", text=lexicon) from e
        if not lexicons:
            raise UsimError(f"wn has no such lexicon; get it with: {get}")
        self.name = "wn:" + "+".join(lexicon.specifier() for lexicon in lexicons)
        self.synonyms = lru_cache(maxsize=4096)(self._synonyms)

    def _synonyms(self, phrase: str, pos: str | None = None) -> tuple[str, ...]:
        """See :class:`Thesaurus`."""
        parts = (None,) if pos is None else ("a", "s") if pos == "ADJ" else (_WORDNET.get(pos, pos),)
        synsets = (synset for part in parts for synset in self._wordnet.synsets(phrase.lower(), pos=part))
        return _others(phrase.lower(), (str(lemma) for synset in synsets for lemma in synset.lemmas()))


class Both:
    """The synonyms that two thesauri agree on, in the order of the first; the second may give them any part of speech.

    SWS takes the synonyms of a thesaurus that are paraphrases in PPDB too.
    """

    def __init__(self, first: Thesaurus, second: Thesaurus) -> None:
        self._first, self._second = first, second
        self.name = f"{first.name}&{second.name}"
        self.longest = min(first.longest, second.longest)

    def synonyms(self, phrase: str, pos: str | None = None) -> tuple[str, ...]:
        """See :class:`Thesaurus`."""
        synonyms = self._first.synonyms(phrase, pos)
        agreed = {synonym.lower() for synonym in self._second.synonyms(phrase)} if synonyms else set()
        return tuple(synonym for synonym in synonyms if synonym.lower() in agreed)


class Either:
    """The synonyms that one of two thesauri has: those of the first, then what the second adds.

    A word has an entry if either has one for it.
    """

    def __init__(self, first: Thesaurus, second: Thesaurus) -> None:
        self._first, self._second = first, second
        self.name = f"{first.name}+{second.name}"
        self.longest = max(first.longest, second.longest)

    def synonyms(self, phrase: str, pos: str | None = None) -> tuple[str, ...]:
        """See :class:`Thesaurus`."""
        return _others(phrase.lower(), (*self._first.synonyms(phrase, pos), *self._second.synonyms(phrase, pos)))


def load(name: Path) -> Thesaurus:
    """Return a thesaurus by its name: a file, ``wordnet``, or ``wn:LEXICON``.

    Raises:
        UsimError: ``wn`` is not installed, or does not have the lexicon; or as for :func:`read`.
    """
    text = os.fspath(name)
    kind, _, lexicon = text.partition(":")
    return Shipped() if text == "wordnet" else Wn(lexicon) if kind == "wn" else read(name)


def read(path: Path) -> Table:
    """Read a thesaurus from a file in one of the forms that the module describes.

    Raises:
        InputError: the file cannot be read, or has no entry.
        FormatError: it is of none of the forms.
    """
    name = os.fspath(path)
    entries = (_of_json if name.removesuffix(".gz").endswith(".json") else _of_lines)(path)
    if not entries:
        raise InputError("no entry in the thesaurus", path=name)
    return Table(entries, os.path.basename(name))


def _of_lines(path: Path) -> dict[str, dict[str, list[str]]]:
    entries: dict[str, dict[str, list[str]]] = defaultdict(lambda: defaultdict(list))
    for number, line in enumerate(text_lines(read_text(path)), 1):
        if not line.strip() or line.startswith("#"):
            continue
        if " ||| " in line:
            cells = line.split(" ||| ")
            if len(cells) < 3:
                raise FormatError("PPDB has '[X] ||| word ||| paraphrase ||| …'", path=path, line=number, text=line)
            part, word, synonyms = cells[0].strip("[] "), cells[1], [cells[2]]
        else:
            cells = line.split("\t")
            if len(cells) < 3:
                problem = "an entry must be 'word<TAB>part of speech<TAB>synonym<TAB>synonym…' (the part may be empty)"
                raise FormatError(problem, path=path, line=number, text=line)
            word, part, *synonyms = cells
        entries[word][PARTS.get(part.strip().lower(), "")] += synonyms
    return entries


def _of_json(path: Path) -> dict[str, dict[str, list[str]]]:
    entries: dict[str, dict[str, list[str]]] = {}
    for word, value in read_json(path).items():
        match value:
            case {**parts} if all(isinstance(synonyms, list) for synonyms in parts.values()):
                groups = list(parts.items())
            case [*senses] if senses and all(isinstance(sense, dict) for sense in senses):
                named = ((sense.get("pos", ""), title, group) for sense in senses for title, group in sense.items())
                groups = [(part, group) for part, title, group in named if "Synonyms" in title]
            case [*_]:
                groups = [("", value)]
            case _:
                fail("an array of synonyms is needed, or an object from parts of speech to such arrays", path, word)
        entries[word] = defaultdict(list)
        for part, synonyms in groups:
            if not isinstance(synonyms, list) or not all(isinstance(synonym, str) for synonym in synonyms):
                fail("synonyms must be an array of strings", path, word, synonyms)
            bare = str(part).split("(")[0].strip()  # without a remark in brackets: noun (1)
            entries[word][PARTS.get(bare.lower(), "")] += [form for synonym in synonyms for form in _forms(synonym)]
    return entries


def _forms(synonym: str) -> list[str]:
    """Return the forms of a synonym with brackets, as SWS reads them: *hand (over)* is *hand* and *hand over*."""
    base, bracket, rest = synonym.partition("(")
    inner, closed, after = rest.partition(")")
    if not bracket or not closed:
        return [synonym]
    short = base + after
    return [short, *(base + option + after for option in inner.split(" or "))]


def _squeezed(text: str) -> str:
    return " ".join(text.split())


def _others(word: str, synonyms: Iterable[str]) -> tuple[str, ...]:
    """Return the synonyms, each once, without the word itself and empty ones."""
    others: dict[str, str] = {}
    for synonym in map(_squeezed, synonyms):
        if synonym and synonym.lower() != word:
            others.setdefault(synonym.lower(), synonym)
    return tuple(others.values())


__all__ = ["PARTS", "Both", "Either", "Shipped", "Table", "Thesaurus", "Wn", "load", "read"]
