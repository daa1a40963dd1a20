"""WordNet's examples: sentences with a word of a known sense, and so synonyms that fit it or do not.

The folder is that of the database files (``data.noun`` …; Debian: ``wordnet-base``).
"""

from __future__ import annotations

import random
import re
from collections.abc import Iterator
from functools import cache
from pathlib import Path

from judging.pairs.forms import LETTER, form, lemma
from judging.pairs.pair import Pair
from judging.pairs.registry import maker
from judging.pairs.sentence import Sentence
from judging.pairs.sources import Example, Sources
from judging.pairs.words import lemmas, net, placed
from usim.suggestions import put

_FILES = {"noun": "n", "verb": "v", "adj": "a", "adv": "r"}


def read(folder: str | Path) -> Iterator[Example]:
    """The examples of four and more words."""
    for name, part in _FILES.items():
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


@cache
def _parsed(sources: Sources) -> list[tuple[Sentence, int, str, str, Example]]:
    """Sentence, place, lemma and tag of the word that each example is for."""
    found = []
    for example in sources.examples:
        text = example.text
        if len(text.split()) >= 6 and text[0].isalpha() and not text.endswith((".", "!", "?")):
            text = text[0].upper() + text[1:] + "."
        sentence = Sentence.of(text, "wordnet: " + example.text)
        for i in range(len(sentence)):
            tag = sentence.tags[i]
            letter = LETTER.get(tag[:2])
            if letter != example.part or not sentence.is_whole(i):
                continue
            base = lemma(sentence.words[i], tag)
            if base in example.lemmas and tag not in ("JJR", "JJS", "RBR", "RBS", "NNP"):
                found.append((sentence, i, base, tag, example))
                break
    return found


@maker("gloss.synonym", faithful=True, weight=3.0)
def fitting(sources: Sources, rng: random.Random) -> Iterator[Pair]:
    """Synonyms of the very sense."""
    pool = list(_parsed(sources))
    rng.shuffle(pool)
    for sentence, i, base, tag, example in pool:
        options = [
            w
            for w in example.lemmas
            if w.lower() != base
            and w.islower()
            and (net().word(w).count > 0 or " " in w)
            and w.replace(" ", "").isalpha()
        ]
        if options:
            new = rng.choice(options)
            made = put_phrase(sentence, i, new, tag)
            if made != sentence.text:
                source, target = rng.sample((sentence.text, made), 2)
                yield Pair(source, target, 0.85, "gloss.synonym", sentence.group)


def put_phrase(sentence: Sentence, i: int, new: str, tag: str) -> str:
    """As :func:`placed`; verbs of several words are inflected at the first."""
    if " " in new and tag.startswith("VB") and tag != "VB":
        token = sentence.tokens[i]
        first, rest = new.split(" ", 1)
        return put(sentence.text, token.start, token.end, f"{form(first, tag)} {rest}").text
    return placed(sentence, i, new, tag)


@maker("gloss.other-sense", faithful=False, weight=2.6)
def misfitting(sources: Sources, rng: random.Random) -> Iterator[Pair]:
    """Synonyms of another sense of the word."""
    pool = list(_parsed(sources))
    rng.shuffle(pool)
    for sentence, i, base, tag, example in pool:
        part = example.part
        here = set(example.lemmas)
        word = net().word(base).only(part)
        options: set[str] = set()
        near = (
            {t for w in here for s in net().word(w).only(part).usual for t, _ in lemmas(s)} if len(here) > 1 else set()
        )
        for synset in word.senses:
            members = [t for t, _ in lemmas(synset)]
            if here & set(members) - {base} or (len(here) == 1 and synset not in word.usual):
                continue
            options.update(t for t in members if t != base and t not in near and net().word(t).count > 1)
        options = {o for o in options if o.isalpha() and len(o) > 2}
        if options and len(here) > 1:
            made = placed(sentence, i, rng.choice(sorted(options)), tag)
            source, target = rng.sample((sentence.text, made), 2)
            yield Pair(source, target, 0.12, "gloss.other-sense", sentence.group)
