"""Read sentences to train on.

Of files that the judge is also measured on (JFLEG dev, W&I+LOCNESS dev) only half is read: the sentences whose source
has an even SHA-1. The other half stays unseen.
"""

from __future__ import annotations

import gzip
import hashlib
import json
import re
from collections.abc import Iterable, Iterator
from dataclasses import replace
from pathlib import Path
from typing import NamedTuple

from training.detokenise import detokenise
from training.sentence import Sentence
from usim.records import Record, read_suggestions
from usim.suggestions import Edit, apply
from usim.text import sentence_ends, tokenise
from usim.ucca import read_xml

#: Lengths of sentences that are used, in tokens.
SHORTEST, LONGEST = 4, 45


def is_ours(source: str) -> bool:
    """Return whether a sentence of a data set that is also measured on may be used: the SHA-1 of its text is even.

    >>> [is_ours(text) for text in ("one", "two", "three", "four")]
    [False, True, False, False]
    """
    return hashlib.sha1(source.strip().encode()).digest()[-1] % 2 == 0


class Corrected(NamedTuple):
    """A learner's sentence with its corrections; from M2 also the edits of the tokenised text."""

    source: str
    references: tuple[str, ...]
    tokenised: str = ""
    edits: tuple[Edit, ...] = ()


class Example(NamedTuple):
    """An example of WordNet: its text, the lemmas of its synset, and the part of speech (n, v, a, r)."""

    text: str
    lemmas: tuple[str, ...]
    part: str


def from_graphs(folder: str | Path, name: str) -> Iterator[Sentence]:
    """Read the sentences of a folder of UCCA XML that have a usable length; each document is a topic."""
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
    """Read the sentences of a text file with one or more sentences a line."""
    for number, line in enumerate(Path(path).read_text(encoding="utf-8").splitlines()):
        yield from split(line, f"{Path(path).stem}-{number // 20}")


def split(text: str, topic: str = "") -> Iterator[Sentence]:
    """Return the usable sentences of a text."""
    tokens = tokenise(text)
    begin = 0
    for end in sentence_ends([t.text for t in tokens]):
        part = text[tokens[begin].start : tokens[end - 1].end]
        begin = end
        sentence = Sentence.of(part, topic=topic)
        if SHORTEST <= len(sentence) <= LONGEST and is_usable(sentence):
            yield sentence


def swords(path: Path) -> Iterator[str]:
    """Read the contexts of SWORDS, in the order of their keys."""
    with gzip.open(path, "rt", encoding="utf-8") as file:
        contexts = json.load(file)["contexts"]
    for key in sorted(contexts):
        yield " ".join(contexts[key]["context"].split())


def fortunes(folder: Path) -> Iterator[str]:
    """Read the sayings in the files of a folder (Debian: ``fortunes``), which lines with a percent sign separate."""
    for path in sorted(p for p in folder.iterdir() if p.is_file() and "." not in p.name):
        for text in re.split(r"\n%\n", path.read_text(encoding="utf-8", errors="replace")):
            if text.strip() and not ("\b" in text or "\ufffd" in text or re.search(r"[|_=<>{}\\*]{2}", text)):
                yield " ".join(text.split())


def is_usable(sentence: Sentence) -> bool:
    """Return whether the sentence consists of words and begins with a capital or a figure."""
    text = sentence.text
    letters = sum(c.isalpha() or c == " " for c in text)
    first = text.lstrip("\"'“‘(")[:1]
    plain = letters >= 0.8 * len(text) and not re.search(r"https?:|www\.|@|[^\x00-\u024f\u2010-\u201f…€]", text)
    balanced = text.count('"') % 2 == 0 and text.count("(") == text.count(")")
    return plain and balanced and (first.isupper() or first.isdigit()) and not text.isupper()


def jfleg(folder: str | Path) -> Iterator[Corrected]:
    """Read the half of JFLEG that may be used: ``dev.src`` and ``dev.ref0`` to ``dev.ref3``."""
    root = Path(folder)
    columns = [(root / name).read_text(encoding="utf-8").splitlines() for name in ("dev.src", *_REFERENCES)]
    for source, *references in zip(*columns, strict=True):
        if is_ours(source) and source.strip():
            kept = tuple(dict.fromkeys(written(r) for r in references if r.strip()))
            yield Corrected(written(source), kept)


_REFERENCES = ("dev.ref0", "dev.ref1", "dev.ref2", "dev.ref3")


def corrected_m2(path: str | Path) -> Iterator[Corrected]:
    """Read the half of an M2 file that may be used, with the first annotator's correction of each sentence."""
    for record in read_suggestions(path, "m2"):
        if not isinstance(record, Record) or not is_ours(record.text):
            continue
        edits = _edits(record)
        reference = (written(apply(record.text, edits)),) if edits else ()
        yield Corrected(written(record.text), reference, record.text, edits)


def _edits(record: Record) -> tuple[Edit, ...]:
    """Return the edits of the first annotator; edits that touch are one."""
    whole = [s for s in record.suggestions if s.span is None and str(s.about.get("annotator")) == "0"]
    return whole[0].edits or () if whole else ()


def written(tokenised: str) -> str:
    """Return the text of tokens that are separated by blanks."""
    return detokenise(tokenised.split())[0]


_WORDNET_FILES = {"noun": "n", "verb": "v", "adj": "a", "adv": "r"}


def read_examples(folder: str | Path) -> Iterator[Example]:
    """Read the examples of four and more words from WordNet's database files (Debian: ``wordnet-base``)."""
    for name, part in _WORDNET_FILES.items():
        for line in (Path(folder) / f"data.{name}").read_text(encoding="utf-8").splitlines():
            if line.startswith(" ") or "|" not in line:
                continue
            fields, gloss = line.split("|", 1)
            parts = fields.split()
            count = int(parts[3], 16)
            words = tuple(re.sub(r"\(\w+\)$", "", w).replace("_", " ") for w in parts[4 : 4 + 2 * count : 2])
            for text in re.findall(r'"([^"]+)"', gloss):
                if len(text.split()) >= 4 and not re.search(r"--|[()_]", text):
                    yield Example(text.strip(), words, part)


#: How many of WordNet's examples are used as sentences, so that they do not outnumber the others.
_EXAMPLES = 6000


def from_examples(examples: Iterable[Example]) -> Iterator[Sentence]:
    """Return WordNet's examples that are whole sentences: they begin like one and have a finite verb."""
    numbered = []
    for text in dict.fromkeys(example.text for example in examples):
        begins = text.split()[0].lower() in _BEGINNINGS or (text[0].isupper() and text.endswith("."))
        if not begins or len(text.split()) < 5:
            continue
        whole = text[0].upper() + text[1:]
        whole = whole if whole.endswith((".", "!", "?")) else whole + "."
        sentence = Sentence.of(whole, "wordnet: " + text)
        finite = {"VBD", "VBZ", "VBP", "MD"} & set(sentence.tags)
        if finite and is_usable(sentence) and len(sentence) <= LONGEST:
            numbered.append((hashlib.sha1(text.encode()).digest(), sentence))
    yield from (sentence for _, sentence in sorted(numbered, key=lambda item: item[0])[:_EXAMPLES])


_BEGINNINGS = frozenset(
    "the a an i you he she it we they this that these those my your his her its our their there many some all most no"
    " every".split()
)


def parsed(sentences: Iterable[Sentence]) -> Iterator[Sentence]:
    """Return the sentences; those without a graph get one from usim's own parser."""
    from usim.parsing import load

    parser = load()
    for sentence in sentences:
        if sentence.graph is not None:
            yield sentence
            continue
        graph = parser.parse([[token.text for token in sentence.tokens]])[0]
        yield replace(sentence, graph=graph)


def clean(corrected: Iterable[Corrected]) -> Iterator[Sentence]:
    """Return corrected sentences, and those that needed no correction; sentences of one source share their group."""
    for item in corrected:
        for text in item.references[:1] if item.references else (item.source,):
            sentence = replace(Sentence.of(text, item.source), learner=item.source if text != item.source else "")
            if SHORTEST <= len(sentence) <= LONGEST and is_usable(sentence):
                yield sentence
