"""Words in context to find substitutes for: content words and phrasal verbs of sentences that anyone may use."""

from __future__ import annotations

import gzip
import hashlib
import json
import random
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path

from judges.pairs.words import net
from training.corpora import Example, from_graphs, is_usable, read_examples, split
from training.forms import LETTER, lemma
from training.sentence import Sentence
from training.tagging import BE, DO, HAVE, MODALS

#: The tags of words that can be a target. Comparatives are left out: their substitutes may need ``more``.
_TAGS = frozenset("NN NNS VB VBD VBZ VBP VBN VBG JJ RB".split())
_AUXILIARIES = BE | HAVE | DO | MODALS
#: An example of WordNet needs so many words, or it says too little.
_SHORTEST = 5


@dataclass(frozen=True)
class Target:
    """A word, or a verb with its particle, in a text.

    Attributes:
        context: the text.
        start, end: the offsets of the target in it, in characters.
        lemma: its lemma.
        tag: the Penn Treebank tag of its first word.
        source: the corpus.
        group: targets of one group stay together in a split.
    """

    context: str
    start: int
    end: int
    lemma: str
    tag: str
    source: str
    group: str

    @property
    def text(self) -> str:
        """Return the target as it is written."""
        return self.context[self.start : self.end]

    @property
    def part(self) -> str:
        """Return WordNet's letter for the part of speech."""
        return LETTER[self.tag[:2]]


def targets(
    rng: random.Random,
    *,
    graphs: Iterable[tuple[str, Path]] = (),
    wordnet: Path | None = None,
    swords: Path | None = None,
    texts: Iterable[Path] = (),
    each: int = 2,
) -> list[Target]:
    """Return the targets of all sources, in an order that mixes the sources.

    Args:
        rng: draws the targets of a sentence and the order.
        graphs: names and folders of UCCA XML.
        wordnet: the folder of WordNet's database files.
        swords: SWORDS' development set, of which only the contexts are read, never the substitutes or judgements.
        texts: plain texts.
        each: how many targets to take from a sentence at most; from an example of WordNet the word that it is for.
    """
    found: list[Target] = []
    for name, folder in graphs:
        for sentence in from_graphs(folder, name):
            found += some(sentence, name, rng, each)
    for path in texts:
        for sentence in split(path.read_text(encoding="utf-8"), path.stem):
            found += some(sentence, path.stem, rng, each)
    if wordnet is not None:
        found += _of_examples(read_examples(wordnet))
    if swords is not None:
        found += _of_contexts(swords, rng, each)
    distinct = {(t.context, t.start): t for t in found}
    mixed = list(distinct.values())
    rng.shuffle(mixed)
    return mixed


def some(sentence: Sentence, source: str, rng: random.Random, count: int) -> list[Target]:
    """Return up to ``count`` targets of a sentence."""
    chosen: list[Target] = []
    for i in sentence.shuffled(rng):
        target = _at(sentence, i, source)
        if target is not None:
            chosen.append(target)
        if len(chosen) == count:
            break
    return chosen


def _at(sentence: Sentence, i: int, source: str) -> Target | None:
    """Return the token as a target; None where it is no content word that WordNet knows."""
    tag, word = sentence.tags[i], sentence.words[i]
    if tag not in _TAGS or not word.isalpha() or len(word) < 3 or word in _AUXILIARIES or not sentence.is_whole(i):
        return None
    if i and sentence.tokens[i].text[0].isupper():
        return None
    base = lemma(word, tag)
    known = net().word(base).only(LETTER[tag[:2]])
    if not known.known or known.is_proper or (tag == "RB" and word in ("not", "n't", "n’t", "also", "very", "too")):
        return None
    end = sentence.tokens[i].end
    following = sentence.words[i + 1] if i + 1 < len(sentence) else ""
    if tag.startswith("VB") and following.isalpha() and net().has(f"{base} {following}", "v"):
        base, end = f"{base} {following}", sentence.tokens[i + 1].end
    elif tag == "NN" and following.isalpha() and net().has(f"{base} {following}", "n"):
        return None  # half of a compound
    return Target(sentence.text, sentence.tokens[i].start, end, base, tag, source, sentence.group)


def _of_examples(examples: Iterable[Example]) -> Iterator[Target]:
    """Yield the word that each of WordNet's examples is for."""
    for example in {e.text: e for e in examples}.values():
        text = example.text
        if len(text.split()) < _SHORTEST:
            continue
        if text[0].isalpha() and not text.endswith((".", "!", "?")):
            text = text[0].upper() + text[1:] + "."
        sentence = Sentence.of(text, "wordnet: " + example.text)
        if not is_usable(sentence):
            continue
        for i in range(len(sentence)):
            if LETTER.get(sentence.tags[i][:2]) != example.part:
                continue
            target = _at(sentence, i, "wordnet")
            if target is not None and target.lemma in example.lemmas:
                yield target
                break


def _of_contexts(path: Path, rng: random.Random, count: int) -> Iterator[Target]:
    """Yield targets of SWORDS' contexts, which are several sentences long and stay whole."""
    with gzip.open(path, "rt", encoding="utf-8") as file:
        contexts = json.load(file)["contexts"]
    for name in sorted(contexts):
        text = " ".join(contexts[name]["context"].split())
        yield from some(Sentence.of(text, name), "swords", rng, 3 * count)


def digest(items: Iterable[Target]) -> str:
    """Return a checksum of targets in their order."""
    total = hashlib.sha256()
    for item in items:
        total.update(f"{item.context}\t{item.start}\t{item.end}\n".encode())
    return total.hexdigest()
