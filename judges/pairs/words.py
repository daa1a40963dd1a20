"""One word for another, by what WordNet says of the two; for ``steps``."""

from __future__ import annotations

import random
from collections import defaultdict
from collections.abc import Iterator
from functools import cache
from math import log2

from judges.pairs.registry import Change, Sources, edit
from training.forms import LETTER, form, lemma
from training.sentence import Sentence
from training.statistics import grouped
from usim.lexicon import Word, WordNet, WordRelation

_TAGS = frozenset("NN NNS VB VBD VBZ VBP VBN VBG JJ RB".split())
#: Words that are not replaced, as they mean little or too many things.
_LIGHT = frozenset(
    "be have do make take get give go come put let become seem keep start begin want use say know see look "
    "thing way lot time year day one other such more most same own many much few also not very so well as just "
    "even still only then there here never always too first last next new kind sort number part people man "
    "person today tomorrow yesterday home tonight".split()
)


net = WordNet.shipped


def content(sentence: Sentence, rng: random.Random, parts: str = "nvar") -> Iterator[tuple[int, str, str, str, Word]]:
    """Yield content words in any order: place, lemma, tag, part of speech, and WordNet's entry for that part."""
    for i in sentence.shuffled(rng):
        tag, text = sentence.tags[i], sentence.tokens[i].text
        part = LETTER.get(tag[:2], "")
        if tag not in _TAGS or part not in parts or not text.isalpha() or len(text) < 3:
            continue
        if (i and text[0].isupper()) or not sentence.is_whole(i):
            continue
        base = lemma(text, tag)
        if base in _LIGHT or (tag == "RB" and not base.endswith("ly")):
            continue
        if i and sentence.words[i - 1] in ("'s", "n't") and not tag.startswith("NN"):
            continue
        known = net().word(base).only(part)
        # What WordNet mostly has as another part of speech was perhaps not tagged well.
        if known.known and net().word(base).parts.get(part, 0.0) > 0.3 and not known.is_proper:
            yield i, base, tag, part, known


def put_lemma(sentence: Sentence, i: int, new: str, tag: str) -> str:
    """Return the text with a lemma, inflected by the tag, in the place of a token."""
    inflected = new if tag in ("JJ", "RB", "NN", "VB") else form(new, tag)
    return sentence.put(i, i + 1, inflected)


def lemmas(synset: int) -> list[tuple[str, int]]:
    """Return the lemmas of a synset and how often each was tagged in it; no names."""
    return _members().get(synset, [])


@cache
def _members() -> dict[int, list[tuple[str, int]]]:
    numbers = (number for number in range(len(net())) if not net().is_proper(number))
    return grouped((synset, (net().lemma(n), count)) for n in numbers for synset, count in net().senses(n))


def dominant(word: Word) -> tuple[int, float]:
    """Return the synset that a word is mostly used in, and its share."""
    synset, (_, share) = max(word.senses.items(), key=lambda s: s[1][1])
    return synset, share


def _usual(text: str, part: str, synset: int) -> bool:
    word = net().word(text).only(part)
    is_form = len(net().word(text).lemmas) > 1
    return not is_form and word.count and word.senses.get(synset, (9, 0.0))[1] >= 0.3 and text.isalpha()


@cache
def is_person(base: str) -> bool:
    """Return whether a noun is mostly used for people."""
    word = net().word(base).only("n")
    if not word.known:
        return False
    person = dominant(net().word("person").only("n"))[0]
    level = {dominant(word)[0]}
    for _ in range(12):
        if person in level:
            return True
        level = {high for low in level for high in net().related("hypernym", low)}
    return False


@edit("word.antonym", faithful=False, alone=True)
def antonym(sentence: Sentence, rng: random.Random, sources: Sources) -> Iterator[Change]:
    """Replace a word by an opposite."""
    for i, base, tag, part, word in content(sentence, rng):
        opposites = [net().lemma(other) for other, share in word.antonyms.items() if share >= 0.25]
        options = [o for o in opposites if o != base and (_is_opposite(o, base, part) or o.startswith(_PREFIXES))]
        if options:
            yield Change(put_lemma(sentence, i, rng.choice(options), tag), 0.05, f"word.antonym-{part}")


_PREFIXES = ("un", "in", "im", "dis")


def _relation(word: str, other: str, part: str) -> WordRelation:
    return WordRelation(net().word(word).only(part), net().word(other).only(part))


def _is_opposite(text: str, base: str, part: str) -> bool:
    """Return whether a common word is an opposite of a word in a usual sense of both."""
    word = net().word(text)
    return _relation(text, base, part).antonym_share >= 0.2 and len(word.lemmas) == 1 and word.count > 0


@edit("word.sibling", faithful=False, alone=True)
def sibling(sentence: Sentence, rng: random.Random, sources: Sources) -> Iterator[Change]:
    """Replace a word by another one under the same more general word: a cat for a dog."""
    for i, base, tag, part, word in content(sentence, rng, "nv"):
        synset, share = dominant(word)
        if share < 0.5:
            continue
        options = [
            text
            for above in net().related("hypernym", synset)
            if net().depth(above) >= (4 if part == "n" else 0)
            for below in _below().get(above, ())
            if below != synset
            for text, count in lemmas(below)
            if count and _usual(text, part, below)
        ]
        options = [o for o in dict.fromkeys(options) if not _relation(base, o, part).synonym and o != base]
        if not options or len(options) > 120:
            continue
        new = rng.choice(options)
        label = 0.12 if part == "n" else 0.2
        if _relation(base, new, part).lin > 0.9:
            label += 0.08
        yield Change(put_lemma(sentence, i, new, tag), label, f"word.sibling-{part}")


@cache
def _below() -> dict[int, list[int]]:
    return grouped((above, synset) for synset in _members() for above in net().related("hypernym", synset))


@edit("word.special", faithful=False, both_ways=False, alone=True)
def special(sentence: Sentence, rng: random.Random, sources: Sources) -> Iterator[Change]:
    """Replace a noun by a more special one."""
    for i, base, tag, _, word in content(sentence, rng, "n"):
        synset, share = dominant(word)
        if share < 0.5:
            continue
        options = [
            text
            for other in _below().get(synset, ())
            for text, count in lemmas(other)
            if count and _usual(text, "n", other) and text not in base and base not in text
        ]
        if options:
            yield Change(put_lemma(sentence, i, rng.choice(options), tag), 0.25)


@cache
def _above(synset: int) -> frozenset[int]:
    """Return the synset and those one and two steps above it, without those that hold nearly everything."""
    parents = set(net().related("hypernym", synset))
    grandparents = {high for low in parents for high in net().related("hypernym", low)}
    least = 5 if net().part(synset) == "n" else 1
    higher = (s for s in parents | grandparents if net().depth(s) >= least)
    return frozenset({synset, *higher, *net().related("similar", synset)})


def are_near(first: int, second: int) -> bool:
    """Return whether two senses are so close that a word of the first may do for the second."""
    linked = second in net().related("see", first) or first in net().related("see", second)
    return linked or not _above(first).isdisjoint(_above(second))


@edit("word.other-sense", faithful=False, alone=True)
def other_sense(sentence: Sentence, rng: random.Random, sources: Sources) -> Iterator[Change]:
    """Replace a word by a synonym of another sense than the one that it is mostly used in."""
    for i, base, tag, part, word in content(sentence, rng):
        main, share = dominant(word)
        if share < 0.6 or len(word.senses) < 2:
            continue
        options = []
        for synset, (rank, other) in word.senses.items():
            if synset == main or other > 0.12 or rank < 2:
                continue
            for text, _ in lemmas(synset):
                if text == base or not net().word(text).count or len(text) < 3 or " " in text:
                    continue
                known = net().word(text).only(part)
                if main in known.senses or synset not in known.usual:
                    continue
                between = _relation(base, text, part)
                near = any(are_near(main, s) for s in known.usual)
                if not near and not between.similar and dominant(known)[0] == synset:
                    options.append(text)
        if options:
            yield Change(put_lemma(sentence, i, rng.choice(options), tag), 0.14, f"word.other-sense-{part}")


@cache
def by_frequency() -> dict[tuple[str, int], list[str]]:
    """Return common lemmas by part of speech and by the logarithm of their frequency."""
    by_class: dict[tuple[str, int], list[str]] = defaultdict(list)
    for number in range(len(net())):
        text = net().lemma(number)
        if net().is_proper(number) or not text.isalpha() or len(text) < 3 or text in _LIGHT:
            continue
        if sum(count for _, count in net().senses(number)) < 2:
            continue
        word = net().word(text)
        # No forms of other words: following, helded.
        if word.count < 2 or len(word.lemmas) > 1:
            continue
        part = max(word.parts, key=lambda p: word.parts[p])
        if word.parts[part] > 0.7:
            by_class[part, int(log2(word.count))].append(text)
    return dict(by_class)


@edit("word.random", faithful=False, alone=True)
def random_word(sentence: Sentence, rng: random.Random, sources: Sources) -> Iterator[Change]:
    """Replace a word by an unrelated one of the same part of speech and about the same frequency."""
    for i, base, tag, part, _ in content(sentence, rng):
        pool = by_frequency().get((part, int(log2(max(2, net().word(base).count)))), [])
        for _ in range(6):
            new = rng.choice(pool) if pool else base
            between = _relation(base, new, part)
            if new != base and not (between.synonym or between.similar or between.derived) and between.path < 0.2:
                yield Change(put_lemma(sentence, i, new, tag), 0.03, f"word.random-{part}")
