"""The clean sentences that corrections are made from, all of them free to use."""

from __future__ import annotations

import hashlib
import tarfile
from collections.abc import Iterator
from pathlib import Path
from tempfile import TemporaryDirectory

from training.corpora import LONGEST, SHORTEST, from_graphs, is_usable, read_examples, split, swords
from training.corpora import fortunes as read_fortunes
from training.sentence import Sentence

#: How many of WordNet's examples are used at most.
_EXAMPLES = 12000
#: How many of WordNet's examples and of the fortunes are used together, those with the lowest keys.
_OTHERS = 14000


def read_sentences(data: Path, wordnet: Path | None = None, fortunes: Path | None = None) -> list[Sentence]:
    """Return clean sentences, each once, in an order that depends on nothing but their text.

    Args:
        data: the folder with ``ucca-wiki-train.tar.xz``, ``ucca-ewt-train.tar.xz`` and ``swords-v1.1_dev.json.gz``.
        wordnet: a folder of WordNet's database files (Debian: ``wordnet-base``), for its examples.
        fortunes: a folder of fortunes (Debian: ``fortunes``, ``fortunes-min``).
    """
    sentences: dict[str, Sentence] = {}
    with TemporaryDirectory() as folder:
        for name in ("wiki", "ewt"):
            with tarfile.open(data / f"ucca-{name}-train.tar.xz") as archive:
                archive.extractall(folder, filter="data")
            for sentence in from_graphs(Path(folder, f"ucca-{name}-train"), name):
                sentences.setdefault(sentence.text, sentence)
    for text in swords(data / "swords-v1.1_dev.json.gz"):
        for sentence in split(text, "swords"):
            sentences.setdefault(sentence.text, sentence)
    others: dict[str, Sentence] = {}
    if wordnet is not None:
        others.update((sentence.text, sentence) for sentence in _examples(wordnet))
    if fortunes is not None:
        for sentence in (sentence for text in read_fortunes(fortunes) for sentence in split(text, "fortunes")):
            if len(sentence) >= SHORTEST + 2:
                others.setdefault(sentence.text, sentence)
    unseen = sorted((text for text in others if text not in sentences), key=key_of)
    sentences.update((text, others[text]) for text in unseen[:_OTHERS])
    return sorted(sentences.values(), key=lambda s: key_of(s.text))


def key_of(text: str) -> str:
    """Return the key of a sentence: what decides its place and its part."""
    return hashlib.sha1(text.encode()).hexdigest()


def _examples(folder: Path) -> Iterator[Sentence]:
    texts = sorted(
        {text for text in read_examples(folder) if 5 <= len(text.split()) <= LONGEST}, key=lambda text: key_of(text)
    )
    for text in texts[:_EXAMPLES]:
        whole = text[0].upper() + text[1:]
        sentence = Sentence.of(whole if whole[-1] in ".!?" else f"{whole}.", topic="wordnet")
        if is_usable(sentence):
            yield sentence
