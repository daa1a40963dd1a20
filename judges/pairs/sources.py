"""The sentences that pairs are made of.

Of files that the judge is also measured on (JFLEG dev, W&I+LOCNESS dev) only half is read: the sentences whose source
has an even SHA-1; the other half stays unseen.
"""

from __future__ import annotations

import hashlib
import re
from collections import defaultdict
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field, replace
from functools import cached_property
from pathlib import Path
from typing import NamedTuple

from judges.pairs.sentence import Sentence
from training.detokenise import detokenise
from usim.suggestions import Record, apply, m2
from usim.suggestions.place import Edit
from usim.text import sentence_ends, tokenise
from usim.ucca import read_xml

#: Lengths of sentences that are used, in tokens.
SHORTEST, LONGEST = 4, 45


def is_ours(source: str) -> bool:
    """Whether a sentence of a data set that is also measured on may be used: the SHA-1 of its text is even.

    >>> [is_ours(text) for text in ("one", "two", "three", "four")]
    [False, True, False, False]
    """
    return hashlib.sha1(source.strip().encode()).digest()[-1] % 2 == 0


class Corrected(NamedTuple):
    """A learner's sentence with its corrections; of M2 also the edits, as sets of changes of the tokenised text."""

    source: str
    references: tuple[str, ...]
    tokenised: str = ""
    edits: tuple[Edit, ...] = ()


class Example(NamedTuple):
    """An example of WordNet's: its text, the lemmas of its synset, and the part of speech (n, v, a, r)."""

    text: str
    lemmas: tuple[str, ...]
    part: str


@dataclass(frozen=True, eq=False)
class Sources:
    """All that the makers draw from.

    Attributes:
        sentences: clean sentences.
        corrected: learners' sentences with corrections.
        examples: WordNet's examples, see :mod:`judges.pairs.glosses`.
    """

    sentences: tuple[Sentence, ...]
    corrected: tuple[Corrected, ...] = ()
    examples: tuple[Example, ...] = field(default=(), repr=False)

    @cached_property
    def graphs(self) -> tuple[Sentence, ...]:
        """The sentences that have a graph."""
        return tuple(s for s in self.sentences if s.graph is not None)

    @cached_property
    def by_topic(self) -> dict[str, list[Sentence]]:
        """The sentences of each document."""
        found: dict[str, list[Sentence]] = defaultdict(list)
        for sentence in self.sentences:
            found[sentence.topic].append(sentence)
        return dict(found)


def from_graphs(folder: str | Path, name: str) -> Iterator[Sentence]:
    """The sentences of a folder of UCCA XML that have a usable length; a topic for each document."""
    paths = sorted(Path(folder).glob("*.xml"))
    if not paths:
        raise SystemExit(f"{folder}: no XML files")
    for path in paths:
        topic = f"{name}-{path.stem[:-3] if len(path.stem) > 6 else path.stem}"
        for graph in read_xml(path).sentences():
            if SHORTEST <= len(graph.terminals) <= LONGEST:
                sentence = Sentence.of_graph(graph, topic)
                if is_usable(sentence):
                    yield sentence


def from_text(path: str | Path) -> Iterator[Sentence]:
    """The sentences of a text file, a sentence or more a line."""
    for number, line in enumerate(Path(path).read_text(encoding="utf-8").splitlines()):
        yield from split(line, f"{Path(path).stem}-{number // 20}")


def split(text: str, topic: str = "") -> Iterator[Sentence]:
    """The usable sentences of a text."""
    tokens = tokenise(text)
    begin = 0
    for end in sentence_ends([t.text for t in tokens]):
        part = text[tokens[begin].start : tokens[end - 1].end]
        begin = end
        sentence = Sentence.of(part, topic=topic)
        if SHORTEST <= len(sentence) <= LONGEST and is_usable(sentence):
            yield sentence


def is_usable(sentence: Sentence) -> bool:
    """Whether the sentence is one of words, beginning with a capital or a figure."""
    text = sentence.text
    letters = sum(c.isalpha() or c == " " for c in text)
    first = text.lstrip("\"'“‘(")[:1]
    plain = letters >= 0.8 * len(text) and not re.search(r"https?:|www\.|@|[^\x00-\u024f\u2010-\u201f…€]", text)
    balanced = text.count('"') % 2 == 0 and text.count("(") == text.count(")")
    return plain and balanced and (first.isupper() or first.isdigit()) and not text.isupper()


def jfleg(folder: str | Path) -> Iterator[Corrected]:
    """Our half of JFLEG: ``dev.src`` and ``dev.ref0`` to ``dev.ref3``."""
    root = Path(folder)
    columns = [(root / name).read_text(encoding="utf-8").splitlines() for name in ("dev.src", *_REFERENCES)]
    for source, *references in zip(*columns, strict=True):
        if is_ours(source) and source.strip():
            kept = tuple(dict.fromkeys(_written(r) for r in references if r.strip()))
            yield Corrected(_written(source), kept)


_REFERENCES = ("dev.ref0", "dev.ref1", "dev.ref2", "dev.ref3")


def corrected_m2(path: str | Path) -> Iterator[Corrected]:
    """Our half of an M2 file; of each sentence the correction of its first annotator."""
    for record in m2.read(path):
        if not isinstance(record, Record) or not is_ours(record.text):
            continue
        edits = _edits(record)
        reference = (_written(apply(record.text, edits)),) if edits else ()
        yield Corrected(_written(record.text), reference, record.text, edits)


def _edits(record: Record) -> tuple[Edit, ...]:
    """The edits of the first annotator, one a group: what touches stays together."""
    whole = [s for s in record.suggestions if s.span is None and str(s.about.get("annotator")) == "0"]
    return whole[0].edits or () if whole else ()


def _written(tokenised: str) -> str:
    return detokenise(tokenised.split())[0]


def written(tokenised: str) -> str:
    """The text of tokens separated by blanks."""
    return _written(tokenised)


#: How many of WordNet's examples are used as sentences, so that they do not outnumber the others.
_EXAMPLES = 6000


def from_examples(examples: Iterable[Example]) -> Iterator[Sentence]:
    """WordNet's examples that are whole sentences: they begin like one, and have a finite verb."""
    found = []
    for text in dict.fromkeys(example.text for example in examples):
        begins = text.split()[0].lower() in _BEGINNINGS or (text[0].isupper() and text.endswith("."))
        if not begins or len(text.split()) < 5:
            continue
        whole = text[0].upper() + text[1:]
        whole = whole if whole.endswith((".", "!", "?")) else whole + "."
        sentence = Sentence.of(whole, "wordnet: " + text)
        finite = {"VBD", "VBZ", "VBP", "MD"} & set(sentence.tags)
        if finite and is_usable(sentence) and len(sentence) <= LONGEST:
            found.append((hashlib.sha1(text.encode()).digest(), sentence))
    yield from (sentence for _, sentence in sorted(found, key=lambda f: f[0])[:_EXAMPLES])


_BEGINNINGS = frozenset(
    "the a an i you he she it we they this that these those my your his her its our their there many some all most no"
    " every".split()
)


def parsed(sentences: Iterable[Sentence]) -> Iterator[Sentence]:
    """The sentences, those without a graph with the one that usim's own parser gives them."""
    from usim.parsing import load

    parser = load()
    for sentence in sentences:
        if sentence.graph is not None:
            yield sentence
            continue
        graph = parser.parse([[token.text for token in sentence.tokens]])[0]
        yield replace(sentence, graph=graph)


def clean(corrected: Iterable[Corrected]) -> Iterator[Sentence]:
    """Corrected sentences as clean ones, those that needed no correction too; those of a source share their group."""
    for item in corrected:
        for text in item.references[:1] if item.references else (item.source,):
            sentence = replace(Sentence.of(text, item.source), learner=item.source if text != item.source else "")
            if SHORTEST <= len(sentence) <= LONGEST and is_usable(sentence):
                yield sentence
