"""WordNet's examples: a word of a known sense in a sentence, replaced by a synonym that fits the sense or does not."""

from __future__ import annotations

import random
from collections.abc import Iterator
from functools import cache

from judges.pairs.pair import Pair
from judges.pairs.registry import maker
from judges.pairs.sources import Sources
from judges.pairs.words import are_near, lemmas, net, placed
from training.corpora import Example
from training.forms import LETTER, form, lemma
from training.sentence import Sentence
from usim.lexicon import Word
from usim.suggestions import put


@cache
def _parsed(sources: Sources) -> list[tuple[Sentence, int, str, str, Example]]:
    """Return sentence, place, lemma and tag of the word that each example is for."""
    located = []
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
                located.append((sentence, i, base, tag, example))
                break
    return located


def _meant(example: Example, word: Word) -> int | None:
    """Return the synset of the example among the senses of its word."""
    for synset in word.senses:
        if set(example.lemmas) == {text for text, _ in lemmas(synset)}:
            return synset
    return None


@maker("gloss.synonym", faithful=True, weight=3.0)
def fitting(sources: Sources, rng: random.Random) -> Iterator[Pair]:
    """Replace the word of an example by a synonym of the very sense that is used in it."""
    pool = list(_parsed(sources))
    rng.shuffle(pool)
    for sentence, i, base, tag, example in pool:
        synset = _meant(example, net().word(base).only(example.part))
        if synset is None:
            continue
        counts = dict(lemmas(synset))
        options = []
        for text in example.lemmas:
            known = net().word(text).only(example.part)
            usual = counts[text] > 0 or (" " not in text and 0 < len(known.senses) < 3)
            if text != base and text.replace(" ", "").isalpha() and usual:
                options.append((text, known.senses.get(synset, (0, 0.0))[1]))
        if options:
            new, share = rng.choice(options)
            changed = put_phrase(sentence, i, new, tag)
            if changed != sentence.text:
                source, target = rng.sample((sentence.text, changed), 2)
                yield Pair(source, target, round(0.78 + 0.12 * share, 3), "gloss.synonym", sentence.group)


def put_phrase(sentence: Sentence, i: int, new: str, tag: str) -> str:
    """Put in a phrase like :func:`placed`; verbs of several words are inflected at the first."""
    if " " in new and tag.startswith("VB") and tag != "VB":
        token = sentence.tokens[i]
        first, rest = new.split(" ", 1)
        return put(sentence.text, token.start, token.end, f"{form(first, tag)} {rest}").text
    return placed(sentence, i, new, tag)


@maker("gloss.other-sense", faithful=False, weight=2.6)
def misfitting(sources: Sources, rng: random.Random) -> Iterator[Pair]:
    """Replace the word of an example by a synonym of another sense, far from the one meant."""
    pool = list(_parsed(sources))
    rng.shuffle(pool)
    for sentence, i, base, tag, example in pool:
        word = net().word(base).only(example.part)
        meant = _meant(example, word)
        if meant is None:
            continue
        options = []
        for synset in word.senses:
            if synset == meant or are_near(meant, synset):
                continue
            for text, _ in lemmas(synset):
                known = net().word(text).only(example.part)
                usual = known.count > 0 and text.isalpha() and len(text) > 2 and text != base
                if usual and meant not in known.senses and not any(are_near(meant, s) for s in known.usual):
                    options.append(text)
        if options:
            changed = placed(sentence, i, rng.choice(options), tag)
            source, target = rng.sample((sentence.text, changed), 2)
            yield Pair(source, target, 0.1, "gloss.other-sense", sentence.group)
