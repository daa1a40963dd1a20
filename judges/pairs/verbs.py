"""Find finite verbs, and change their negation and modality; for ``steps`` and ``ends``."""

from __future__ import annotations

import random
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

from judges.pairs.registry import Change, Sources, edit
from training.forms import form, lemma
from training.sentence import Sentence
from training.tables import Table
from training.tagging import BE, DO, HAVE

_NEGATIONS = frozenset("not n't n’t never no nor neither nothing nobody none hardly".split())
_NT = {"can": "can't", "will": "won't", "shall": "shan't", "may": "may not", "might": "might not", "am": "am not"}
_SUBJECT_TAGS = frozenset("NN NNS NNP NNPS PRP".split())
_SUBJECT_WORDS = frozenset("who which that this these those there it".split())
_HELPERS = {"VBZ": "does", "VBP": "do", "VBD": "did"}
_CLITICS = frozenset("'s 're 'm 'll 've 'd".split())


class Finite(NamedTuple):
    """A finite verb: its token, its lemma, its tag; ``auxiliary``: it is an auxiliary or a form of *be*."""

    place: int
    lemma: str
    tag: str
    auxiliary: bool


def finites(sentence: Sentence) -> Iterator[Finite]:
    """Yield the finite verbs that follow their subject."""
    words, tags = sentence.words, sentence.tags
    for i in range(1, len(sentence)):
        word, tag = words[i], tags[i]
        before = i - 1
        while before and tags[before] == "RB":
            before -= 1
        if tags[before] not in _SUBJECT_TAGS and words[before] not in _SUBJECT_WORDS:
            continue
        if words[before] in ("me", "him", "us", "them", "her") and tag != "MD":
            continue
        if tag == "MD":
            yield Finite(i, word, tag, True)
        elif word in ("is", "are", "was", "were", "am"):
            yield Finite(i, "be", tag, True)
        elif word in ("has", "have", "had", "do", "does", "did"):
            following = next((t for w, t in zip(words[i + 1 :], tags[i + 1 :], strict=True) if t != "RB"), "")
            helps = following in ("VBN", "VB") and not (word in DO and following != "VB")
            yield Finite(i, lemma(word, "VB"), tag, helps)
        elif tag in ("VBZ", "VBP", "VBD") and word[0].isalpha() and sentence.is_whole(i):
            # What may be a participle that modifies the noun before it: the book written by her.
            if tag == "VBD" and form(lemma(word, tag), "VBN") == word and words[i + 1 : i + 2] == ("by",):
                continue
            if tag == "VBP" and tags[before] in ("NN", "NNP"):
                continue
            yield Finite(i, lemma(word, tag), tag, False)


def _pick(sentence: Sentence, rng: random.Random) -> Finite | None:
    verbs = list(finites(sentence))
    return rng.choice(verbs) if verbs else None


@edit("negation.added", faithful=False, alone=True)
def negate(sentence: Sentence, rng: random.Random, sources: Sources) -> Iterator[Change]:
    """Add *not*, *n't*, *never* or *hardly* at a finite verb."""
    verb = _pick(sentence, rng)
    if verb is None or _NEGATIONS & set(sentence.words[max(0, verb.place - 3) : verb.place + 4]):
        return
    i, is_whole = verb.place, sentence.is_whole(verb.place)
    word = sentence.tokens[i].text
    contract = rng.random() < 0.4
    how = rng.random()
    if how < 0.15:
        if is_whole:
            new = f"{word} never" if verb.auxiliary else f"never {word}"
            yield Change(sentence.put(i, i + 1, new), 0.02, "negation.never")
    elif how < 0.2 and is_whole and verb.lemma != "be":
        new = f"{word} hardly" if verb.auxiliary else f"hardly {word}"
        yield Change(sentence.put(i, i + 1, new), 0.1, "negation.hardly")
    elif verb.auxiliary and is_whole:
        low = word.lower()
        new = _NT.get(low, f"{low}n't") if contract and low != "would've" else f"{low} not"
        new = "cannot" if low == "can" and not contract else new
        yield Change(sentence.put(i, i + 1, new), 0.02, "negation.not")
    elif verb.auxiliary:
        if sentence.words[i] in _CLITICS:
            yield Change(sentence.insert(i + 1, "not"), 0.02, "negation.not")
    elif sentence.tags[i - 1] != "RB":
        new = _HELPERS[verb.tag] + ("n't" if contract else " not")
        yield Change(sentence.put(i, i + 1, f"{new} {verb.lemma}"), 0.02, "negation.not")


@edit("negation.removed", faithful=False, alone=True)
def affirm(sentence: Sentence, rng: random.Random, sources: Sources) -> Iterator[Change]:
    """Remove a negation, with the *do* that it needed."""
    words, tags = sentence.words, sentence.tags
    for i in sentence.shuffled(rng):
        if words[i] in ("not", "n't", "n’t") and i and tags[i - 1] in ("VBD", "VBZ", "VBP", "MD"):
            helper = words[i - 1]
            if helper in DO and i + 1 < len(words) and tags[i + 1] == "VB":
                tag = {"did": "VBD", "does": "VBZ", "do": "VBP"}[helper]
                yield Change(sentence.put(i - 1, i + 2, form(words[i + 1], tag)), 0.02)
            full = {"ca": "can", "wo": "will", "sha": "shall"}.get(helper, helper)
            yield Change(sentence.put(i - 1, i + 1, full), 0.02)
        if words[i] == "not" and i and words[i - 1] == "can":
            yield Change(sentence.put(i - 1, i + 1, "can"), 0.02)
        if words[i] == "never" and 0 < i < len(words) - 1 and tags[i + 1].startswith("VB"):
            new = rng.choice(("always", "often", ""))
            yield Change(sentence.put(i, i + 1, new), 0.03, "negation.never-removed")
        if words[i] == "no" and i + 1 < len(words) and tags[i + 1] in ("NN", "NNS") and words[i + 1] not in ("one",):
            new = rng.choice(("some", "the")) if tags[i + 1] == "NN" else rng.choice(("some", "many", "several"))
            yield Change(sentence.put(i, i + 1, new), 0.04, "negation.no-removed")
        if words[i] == "without" and i + 1 < len(words) and tags[i + 1] != "VBG":
            yield Change(sentence.put(i, i + 1, "with"), 0.03, "negation.without")


_TABLE = Table(Path(__file__).with_suffix(".txt"))
_STRENGTHS = _TABLE.choices("strengths")
#: Words that are put before a verb in the present and in the past, except *be*, each with the label of the pair.
_PRESENT, _PRESENT_DEEDS, _PAST, _PAST_DEEDS = _TABLE.choices("added").values()


@edit("modality.changed", faithful=False, alone=True)
def modality(sentence: Sentence, rng: random.Random, sources: Sources) -> Iterator[Change]:
    """Replace a modal verb, or add one."""
    words, tags = sentence.words, sentence.tags
    modals = [i for i in range(1, len(words)) if words[i] in _STRENGTHS and tags[i] == "MD" and sentence.is_whole(i)]
    modals = [i for i in modals if i + 1 < len(words) and words[i + 1] not in ("not", "n't", "have", "never")]
    if modals:
        i = rng.choice(modals)
        new, label = rng.choice(_STRENGTHS[words[i]])
        yield Change(sentence.put(i, i + 1, new), label, "modality.other")
        return
    verb = _pick(sentence, rng) if rng.random() >= 0.6 else None
    if verb is None or not sentence.is_whole(verb.place) or verb.lemma in ("have", "want", "need", "seem"):
        return
    i, is_be = verb.place, verb.lemma == "be"
    if verb.auxiliary and not is_be:
        return
    if verb.tag in ("VBZ", "VBP") or words[i] in ("is", "are"):
        third = verb.tag == "VBZ" or words[i] == "is"
        new, label = rng.choice(_PRESENT if is_be else (*_PRESENT, *_PRESENT_DEEDS))
        first, _, rest = new.partition(" ")
        new = f"{form(first, 'VBZ')} {rest} {verb.lemma}" if rest and third else f"{new} {verb.lemma}"
    elif not is_be and rng.random() < 0.5:
        new, label = rng.choice(_PAST_DEEDS)
        new = f"{new} {verb.lemma}"
    else:
        new, label = rng.choice(_PAST)
        new = f"{new} {form(verb.lemma, 'VBN')}"
    yield Change(sentence.put(i, i + 1, new), label, "modality.added")


@edit("question.made", faithful=False, alone=True)
def ask(sentence: Sentence, rng: random.Random, sources: Sources) -> Iterator[Change]:
    """Turn a statement about a pronoun into a question."""
    words, tags = sentence.words, sentence.tags
    if not sentence.text.endswith(".") or not 3 < len(words) <= 20 or "," in words:
        return
    if words[0] not in ("he", "she", "it", "we", "they", "you", "i") or not sentence.is_whole(1):
        return
    subject = "I" if words[0] == "i" else words[0]
    if tags[1] == "MD" or words[1] in ("is", "are", "was", "were"):
        opened, rest = f"{words[1].capitalize()} {subject} ", sentence.tokens[2].start
    elif tags[1] in _HELPERS and words[1] not in BE | HAVE | DO:
        opened = f"{_HELPERS[tags[1]].capitalize()} {subject} {lemma(words[1], tags[1])}"
        rest = sentence.tokens[1].end
    else:
        return
    yield Change(f"{opened}{sentence.text[rest:-1]}?", 0.12)
