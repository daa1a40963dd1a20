"""Read sentences to train on: annotated ones, plain text, sayings, the contexts and examples of published sets."""

from __future__ import annotations

import hashlib
import re
from collections.abc import Iterable, Iterator
from dataclasses import replace
from pathlib import Path
from typing import NamedTuple

from training.detokenise import detokenise
from training.sentence import Sentence
from usim.suggestions import Edit
from usim.text import sentence_spans
from usim.text.files import read_json
from usim.ucca import read_xml

#: Lengths of sentences that are used, in tokens.
SHORTEST, LONGEST = 4, 45


class Corrected(NamedTuple):
    """A learner's sentence, its tokens with blanks between, and the edits of these that correct it."""

    source: str
    tokenised: str
    edits: tuple[Edit, ...]


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


def split(text: str, topic: str = "") -> Iterator[Sentence]:
    """Return the usable sentences of a text."""
    for start, end in sentence_spans(text):
        sentence = Sentence.of(text[start:end], topic=topic)
        if SHORTEST <= len(sentence) <= LONGEST and is_usable(sentence):
            yield sentence


def swords(path: Path) -> Iterator[str]:
    """Read the contexts of SWORDS, in the order of their keys."""
    contexts = read_json(path)["contexts"]
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


def as_text(tokenised: str) -> str:
    """Return the text of tokens that are separated by blanks."""
    return detokenise(tokenised.split())[0]


def read_examples(folder: str | Path) -> Iterator[str]:
    """Read the examples of four and more words from WordNet's database files (Debian: ``wordnet-base``)."""
    for name in ("noun", "verb", "adj", "adv"):
        for line in (Path(folder) / f"data.{name}").read_text(encoding="utf-8").splitlines():
            if line.startswith(" ") or "|" not in line:
                continue
            for text in re.findall(r'"([^"]+)"', line.split("|", 1)[1]):
                if len(text.split()) >= 4 and not re.search(r"--|[()_]", text):
                    yield text.strip()


#: The most of WordNet's examples that are used as sentences, so that they do not outnumber the others.
_EXAMPLES = 6000


def from_examples(examples: Iterable[str]) -> Iterator[Sentence]:
    """Return WordNet's examples that are whole sentences: they begin like one and have a finite verb."""
    numbered = []
    for text in dict.fromkeys(examples):
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


def parse_missing(sentences: Iterable[Sentence]) -> Iterator[Sentence]:
    """Return the sentences; those without a graph get one from usim's own parser."""
    from usim.parsing import load

    parser = load()
    for sentence in sentences:
        if sentence.graph is None:
            (graph,) = parser.parse([[token.text for token in sentence.tokens]])
            sentence = replace(sentence, graph=graph)
        yield sentence
