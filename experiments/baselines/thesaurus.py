"""Thesauri: from a word or phrase and its part of speech to its synonyms.

:func:`load` takes ``wordnet`` for the WordNet 3.0 that comes with usim, or the name of a file in one of three forms,
which may be packed (``.gz``):

- TSV: ``word<TAB>part of speech<TAB>synonym<TAB>synonym…``, an entry a line; lines that begin with ``#`` are left out;
- JSON of SWS (Wang et al. 2023, ``get_thesaurus.py``): ``{word: [{"pos": "noun", "Synonyms for": […], …}, …]}``;
- PPDB (Pavlick et al. 2015): ``[NN] ||| word ||| paraphrase ||| …``; the order of the file counts.

Parts of speech are ``noun``, ``verb``, ``adj``, ``adv``, in any of the usual spellings; where there is none, or another
one (``phrase``), the entry holds for all.

>>> thesaurus = table({"intimate": {"ADJ": ["close", "dear"], "VERB": ["suggest"]}}, "mine")
>>> thesaurus.synonyms("Intimate", "ADJ"), thesaurus.synonyms("intimate")
(('close', 'dear'), ('close', 'dear', 'suggest'))
"""

from __future__ import annotations

import os
from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping

from usim.errors import FormatError, InputError
from usim.text.files import Path, fail, read_json, read_text, text_lines

#: Universal parts of speech, by what thesauri call them.
PARTS = {
    **dict.fromkeys(("n", "nn", "nns", "noun", "plural noun"), "NOUN"),
    **dict.fromkeys(("v", "vb", "vbd", "vbg", "vbn", "vbp", "vbz", "vp", "verb"), "VERB"),
    **dict.fromkeys(("a", "s", "jj", "jjr", "jjs", "adj", "adj.", "adjective"), "ADJ"),
    **dict.fromkeys(("r", "rb", "rbr", "rbs", "adv", "adv.", "adverb"), "ADV"),
}
_WORDNET = {"NOUN": "n", "VERB": "v", "ADJ": "a", "ADV": "r"}
#: The forms of a line.
_PPDB = "PPDB has '[X] ||| word ||| paraphrase ||| …'"
_TSV = "an entry must be 'word<TAB>part of speech<TAB>synonym<TAB>synonym…' (the part may be empty)"
_LONGEST = 3  # words of an entry of a wordnet; longer ones are names of plants, people and places


class Thesaurus:
    """Knows synonyms; its name is for signatures, and ``longest`` is the number of words of its longest entry.

    ``look_up`` goes from a word or phrase in small letters and its universal part of speech, None for any, to its
    synonyms, the best first.
    """

    def __init__(self, name: str, longest: int, look_up: Callable[[str, str | None], Iterable[str]]) -> None:
        self.name, self.longest, self._look_up = name, longest, look_up

    def synonyms(self, phrase: str, pos: str | None = None) -> tuple[str, ...]:
        """Return the synonyms of a word or phrase as a universal part of speech (None: any), each once, best first."""
        word = phrase.lower()
        others: dict[str, str] = {}
        for synonym in map(_squeezed, self._look_up(word, pos)):
            if synonym and synonym.lower() != word:
                others.setdefault(synonym.lower(), synonym)
        return tuple(others.values())


def table(entries: Mapping[str, Mapping[str, Iterable[str]]], name: str) -> Thesaurus:
    """Return a thesaurus of entries: word → universal part of speech, ``""`` for any → synonyms."""
    words: dict[str, dict[str, list[str]]] = defaultdict(lambda: defaultdict(list))
    for word, parts in entries.items():
        for part, synonyms in parts.items():
            words[_squeezed(word).lower()][part] += synonyms

    def look_up(word: str, pos: str | None) -> Iterable[str]:
        parts = words.get(word, {})
        return (s for part, group in parts.items() if pos is None or part in ("", pos) for s in group)

    return Thesaurus(name, max((word.count(" ") + 1 for word in words), default=0), look_up)


def _in_wordnet(word: str, pos: str | None) -> Iterator[str]:
    """Yield the words of a word's synsets, by how frequent the sense is, then how often a word has it."""
    from usim.lexicon import WordNet

    net = WordNet.shipped()
    number = net.find(word)
    senses = net.senses(number) if number >= 0 else []
    for synset, _ in sorted(senses, key=lambda sense: -sense[1]):
        if pos is None or net.part(synset) == _WORDNET.get(pos, ""):
            yield from net.words_of(synset)


def both(first: Thesaurus, second: Thesaurus) -> Thesaurus:
    """Return the synonyms of a thesaurus that another, PPDB in SWS, has too, as whatever part of speech."""

    def look_up(word: str, pos: str | None) -> Iterable[str]:
        synonyms = first.synonyms(word, pos)
        agreed = {synonym.lower() for synonym in second.synonyms(word)} if synonyms else set()
        return (synonym for synonym in synonyms if synonym.lower() in agreed)

    return Thesaurus(f"{first.name}&{second.name}", min(first.longest, second.longest), look_up)


def either(first: Thesaurus, second: Thesaurus) -> Thesaurus:
    """Return the synonyms that one of two thesauri has: those of the first, then what the second adds."""

    def look_up(word: str, pos: str | None) -> Iterable[str]:
        return (*first.synonyms(word, pos), *second.synonyms(word, pos))

    return Thesaurus(f"{first.name}+{second.name}", max(first.longest, second.longest), look_up)


def load(path: Path) -> Thesaurus:
    """Return WordNet by the name ``wordnet``, or the thesaurus in a file of one of the forms named above."""
    name = os.fspath(path)
    if name == "wordnet":
        return Thesaurus("wordnet-3.0", _LONGEST, _in_wordnet)
    entries = (_of_json if name.removesuffix(".gz").endswith(".json") else _of_lines)(path)
    if not entries:
        raise InputError("no entry in the thesaurus", path=name)
    return table(entries, os.path.basename(name))


def _of_lines(path: Path) -> dict[str, dict[str, list[str]]]:
    entries: dict[str, dict[str, list[str]]] = defaultdict(lambda: defaultdict(list))
    for number, line in enumerate(text_lines(read_text(path)), 1):
        if not line.strip() or line.startswith("#"):
            continue
        is_ppdb = " ||| " in line
        cells = line.split(" ||| " if is_ppdb else "\t")
        if len(cells) < 3:
            raise FormatError(_PPDB if is_ppdb else _TSV, path=path, line=number, text=line)
        word, part, *synonyms = (cells[1], cells[0].strip("[] "), cells[2]) if is_ppdb else cells
        entries[word][PARTS.get(part.strip().lower(), "")] += synonyms
    return entries


def _of_json(path: Path) -> dict[str, dict[str, list[str]]]:
    entries: dict[str, dict[str, list[str]]] = {}
    for word, senses in read_json(path).items():
        if not isinstance(senses, list) or not all(isinstance(sense, dict) for sense in senses):
            fail("an array of senses is needed", path, word, senses)
        entries[word] = defaultdict(list)
        named = ((sense.get("pos", ""), title, group) for sense in senses for title, group in sense.items())
        for part, synonyms in ((part, group) for part, title, group in named if "Synonyms" in title):
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
