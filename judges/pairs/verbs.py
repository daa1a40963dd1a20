"""Finite verbs: where they are in a sentence, and what is done to them: negation, tense, modality."""

from __future__ import annotations

import random
from collections.abc import Iterator
from typing import NamedTuple

from judges.pairs.pair import Change
from judges.pairs.registry import edit
from judges.pairs.sources import Sources
from training.forms import form, lemma
from training.sentence import Sentence
from training.tagging import BE, DO, HAVE

_NEGATIONS = frozenset("not n't n’t never no nor neither nothing nobody none hardly".split())
_NT = {"can": "can't", "will": "won't", "shall": "shan't", "may": "may not", "might": "might not", "am": "am not"}
_SUBJECT_TAGS = frozenset("NN NNS NNP NNPS PRP".split())
_SUBJECT_WORDS = frozenset("who which that this these those there it".split())
_HELPERS = {"VBZ": "does", "VBP": "do", "VBD": "did"}
_CLITICS = {"'s": "is", "'re": "are", "'m": "am", "'ll": "will", "'ve": "have", "'d": "would"}


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


@edit("negation.added", faithful=False, weight=2.2)
def negate(sentence: Sentence, rng: random.Random, sources: Sources) -> Change | None:
    """Add *not*, *n't*, *never* or *hardly* at a finite verb."""
    verb = _pick(sentence, rng)
    if verb is None:
        return None
    i = verb.place
    word = sentence.tokens[i].text
    if _NEGATIONS & set(sentence.words[max(0, i - 3) : i + 4]):
        return None
    contract = rng.random() < 0.4
    how = rng.random()
    if how < 0.15:
        new = f"{word} never" if verb.auxiliary else f"never {word}"
        if not sentence.is_whole(i):
            return None
        return Change(sentence.put(i, i + 1, new), 0.02, "negation.never")
    if how < 0.2 and sentence.is_whole(i) and verb.lemma != "be":
        new = f"{word} hardly" if verb.auxiliary else f"hardly {word}"
        return Change(sentence.put(i, i + 1, new), 0.1, "negation.hardly")
    if verb.auxiliary:
        if not sentence.is_whole(i):
            full = _CLITICS.get(sentence.words[i])
            return Change(sentence.insert(i + 1, "not"), 0.02, "negation.not") if full else None
        low = word.lower()
        new = _NT.get(low, f"{low}n't") if contract and low not in ("would've",) else f"{low} not"
        new = "cannot" if low == "can" and not contract else new
        return Change(sentence.put(i, i + 1, new), 0.02, "negation.not")
    if i and sentence.tags[i - 1] == "RB":
        return None
    new = _HELPERS[verb.tag] + ("n't" if contract else " not")
    return Change(sentence.put(i, i + 1, f"{new} {verb.lemma}"), 0.02, "negation.not")


@edit("negation.removed", faithful=False, weight=0.8)
def affirm(sentence: Sentence, rng: random.Random, sources: Sources) -> Change | None:
    """Remove a negation, with the *do* that it needed."""
    words, tags = sentence.words, sentence.tags
    for i in sentence.shuffled(rng):
        if words[i] in ("not", "n't", "n’t") and i and tags[i - 1] in ("VBD", "VBZ", "VBP", "MD"):
            helper = words[i - 1]
            if helper in DO and i + 1 < len(words) and tags[i + 1] == "VB":
                tag = {"did": "VBD", "does": "VBZ", "do": "VBP"}[helper]
                return Change(sentence.put(i - 1, i + 2, form(words[i + 1], tag)), 0.02, "negation.removed")
            full = {"ca": "can", "wo": "will", "sha": "shall"}.get(helper, helper)
            return Change(sentence.put(i - 1, i + 1, full), 0.02, "negation.removed")
        if words[i] == "not" and i and words[i - 1] == "can":
            return Change(sentence.put(i - 1, i + 1, "can"), 0.02, "negation.removed")
        if words[i] == "never" and 0 < i < len(words) - 1 and tags[i + 1].startswith("VB"):
            new = rng.choice(("always", "often", ""))
            return Change(sentence.put(i, i + 1, new), 0.03, "negation.never-removed")
        if words[i] == "no" and i + 1 < len(words) and tags[i + 1] in ("NN", "NNS") and words[i + 1] not in ("one",):
            new = rng.choice(("some", "the")) if tags[i + 1] == "NN" else rng.choice(("some", "many", "several"))
            return Change(sentence.put(i, i + 1, new), 0.04, "negation.no-removed")
        if words[i] == "without" and i + 1 < len(words) and tags[i + 1] != "VBG":
            return Change(sentence.put(i, i + 1, "with"), 0.03, "negation.without")
    return None


@edit("tense.shifted", faithful=False, weight=1.2)
def shift_tense(sentence: Sentence, rng: random.Random, sources: Sources) -> Change | None:
    """Change time or claim: *will*, *would have*, *used to*, the past for the present."""
    verb = _pick(sentence, rng)
    if verb is None or not sentence.is_whole(verb.place):
        return None
    i, word = verb.place, sentence.words[verb.place]
    if verb.tag == "MD":
        following = sentence.tags[i + 1] if i + 1 < len(sentence) else ""
        if word != "will" or following != "VB":
            return None
        base = sentence.words[i + 1]
        past = "was" if base == "be" and sentence.tags[i - 1] in ("NN", "NNP") else form(base, "VBD")
        if base == "be" and past != "was" and sentence.words[i - 1] in ("he", "she", "it", "i", "this", "that"):
            past = "was"
        return Change(sentence.put(i, i + 2, past), 0.1, "tense.future-past")
    if verb.auxiliary and verb.lemma != "be":
        return None
    how = rng.random()
    if verb.tag == "VBD" or word in ("was", "were"):
        if how < 0.5:
            return Change(sentence.put(i, i + 1, f"will {verb.lemma}"), 0.12, "tense.past-future")
        if how < 0.8:
            unreal = f"would have {form(verb.lemma, 'VBN') if verb.lemma != 'be' else 'been'}"
            return Change(sentence.put(i, i + 1, unreal), 0.15, "tense.past-unreal")
        before = sentence.words[i - 1]
        singular = word == "was" or sentence.tags[i - 1] in ("NN", "NNP") or before in ("he", "she", "it")
        be = "am" if before == "i" else "is" if singular else "are"
        return Change(sentence.put(i, i + 1, f"{be} going to {verb.lemma}"), 0.12, "tense.past-future")
    if how < 0.45:
        return Change(sentence.put(i, i + 1, f"will {verb.lemma}"), 0.3, "tense.present-future")
    past = ("were" if word == "are" else "was") if verb.lemma == "be" else form(verb.lemma, "VBD")
    if how < 0.8:
        return Change(sentence.put(i, i + 1, past), 0.3, "tense.present-past")
    return Change(sentence.put(i, i + 1, f"used to {verb.lemma}"), 0.12, "tense.used-to")


@edit("tense.aspect", faithful=True, weight=0.8)
def aspect(sentence: Sentence, rng: random.Random, sources: Sources) -> Change | None:
    """Exchange progressive and simple, perfect and past, which mostly say the same."""
    words, tags = sentence.words, sentence.tags
    for i in sentence.shuffled(rng):
        if i + 1 >= len(words) or not sentence.is_whole(i):
            continue
        if words[i] in ("is", "are", "was", "were") and tags[i + 1] == "VBG" and words[i + 1] != "going":
            base = lemma(words[i + 1], "VBG")
            tag = {"is": "VBZ", "are": "VBP"}.get(words[i], "VBD")
            return Change(sentence.put(i, i + 2, form(base, tag)), 0.78, "tense.progressive")
        if words[i] in ("has", "have") and tags[i + 1] == "VBN" and words[i + 1] != "been":
            base = lemma(words[i + 1], "VBN")
            return Change(sentence.put(i, i + 2, form(base, "VBD")), 0.78, "tense.perfect")
        if words[i] == "had" and tags[i + 1] == "VBN" and words[i + 1] != "been":
            base = lemma(words[i + 1], "VBN")
            return Change(sentence.put(i, i + 2, form(base, "VBD")), 0.85, "tense.pluperfect")
    return None


_STRENGTHS = {
    "must": (("may", 0.06), ("might", 0.06), ("can", 0.1), ("should", 0.4), ("need not", 0.02)),
    "should": (("may", 0.12), ("must", 0.4), ("might", 0.1), ("can", 0.25), ("will", 0.2)),
    "may": (("must", 0.05), ("will", 0.12), ("should", 0.15), ("cannot", 0.02)),
    "might": (("must", 0.05), ("will", 0.1), ("should", 0.12), ("could not", 0.03)),
    "can": (("must", 0.06), ("should", 0.2), ("may", 0.5), ("had to", 0.1)),
    "could": (("must", 0.1), ("had to", 0.08), ("should", 0.2), ("would", 0.35)),
    "will": (("may", 0.15), ("might", 0.12), ("must", 0.15), ("should", 0.25), ("can", 0.3)),
    "would": (("must", 0.1), ("might", 0.3), ("should", 0.25), ("had to", 0.1)),
}


#: What is put before a verb in the present and in the past, with the label; before another verb than *be*.
_PRESENT = (("must", 0.15), ("may", 0.2), ("might", 0.18), ("should", 0.15), ("can", 0.4))
_PRESENT_DEEDS = (("want to", 0.12), ("refuse to", 0.02), ("have to", 0.2), ("try to", 0.25))
_PAST = (("might have", 0.15), ("must have", 0.35), ("should have", 0.08), ("could have", 0.12))
_PAST_DEEDS = (
    ("wanted to", 0.1), ("had to", 0.35), ("refused to", 0.02), ("tried to", 0.25), ("failed to", 0.02),
    ("hoped to", 0.08), ("could", 0.35), ("forgot to", 0.02), ("planned to", 0.12), ("pretended to", 0.05),
)  # fmt: skip


@edit("modality.changed", faithful=False, weight=1.6)
def modality(sentence: Sentence, rng: random.Random, sources: Sources) -> Change | None:
    """Replace a modal verb, or add one."""
    words, tags = sentence.words, sentence.tags
    modals = [i for i in range(1, len(words)) if words[i] in _STRENGTHS and tags[i] == "MD" and sentence.is_whole(i)]
    modals = [i for i in modals if i + 1 < len(words) and words[i + 1] not in ("not", "n't", "have", "never")]
    if modals:
        i = rng.choice(modals)
        new, label = rng.choice(_STRENGTHS[words[i]])
        return Change(sentence.put(i, i + 1, new), label, "modality.other")
    if rng.random() < 0.6:
        return None
    verb = _pick(sentence, rng)
    if verb is None or (verb.auxiliary and verb.lemma != "be") or not sentence.is_whole(verb.place):
        return None
    if verb.lemma in ("have", "want", "need", "seem"):
        return None
    i = verb.place
    is_be = verb.lemma == "be"
    if verb.tag in ("VBZ", "VBP") or words[i] in ("is", "are"):
        third = verb.tag == "VBZ" or words[i] == "is"
        new, label = rng.choice(_PRESENT if is_be else (*_PRESENT, *_PRESENT_DEEDS))
        first, _, rest = new.partition(" ")
        new = f"{form(first, 'VBZ')} {rest}" if rest and third else new
        return Change(sentence.put(i, i + 1, f"{new} {verb.lemma}"), label, "modality.added")
    if not is_be and rng.random() < 0.5:
        new, label = rng.choice(_PAST_DEEDS)
        return Change(sentence.put(i, i + 1, f"{new} {verb.lemma}"), label, "modality.added")
    new, label = rng.choice(_PAST)
    participle = "been" if is_be else form(verb.lemma, "VBN")
    return Change(sentence.put(i, i + 1, f"{new} {participle}"), label, "modality.added")


@edit("adverb.moved", faithful=True, weight=0.8)
def move_adverb(sentence: Sentence, rng: random.Random, sources: Sources) -> Change | None:
    """Move an adverb of manner or time from before its verb to the front or to the end."""
    words, tags = sentence.words, sentence.tags
    if sentence.end == len(words) or any(w in words for w in ("because", "that", "which", "who", "if", "and", "but")):
        return None
    for i in sentence.shuffled(rng):
        if not (words[i].endswith("ly") and tags[i] == "RB" and 0 < i < sentence.end - 2) or not sentence.is_whole(i):
            continue
        if words[i] in ("only", "early", "nearly", "really", "hardly", "mostly", "mainly", "especially", "highly"):
            continue
        if tags[i - 1] not in ("PRP", "NNP", "NN", "NNS", "VBD", "VBZ", "MD") or ";" in words or tags[0] == "IN":
            continue
        if tags[i + 1] not in ("VBD", "VBZ", "VBP", "VB") or words[i + 1] in BE | HAVE:
            continue
        rest = sentence.put(i, i + 1, "")
        if rng.random() < 0.5:
            first = rest[:1].lower() if tags[0] not in ("NNP", "NNPS") and words[0] != "i" else rest[:1]
            return Change(f"{words[i].capitalize()}, {first}{rest[1:]}", 0.93, "adverb.fronted")
        close = len(rest) - len(rest.rstrip(".!?"))
        return Change(f"{rest[: len(rest) - close]} {words[i]}{rest[len(rest) - close :]}", 0.93, "adverb.last")
    return None


@edit("question.made", faithful=False, weight=0.6)
def ask(sentence: Sentence, rng: random.Random, sources: Sources) -> Change | None:
    """Turn a statement about a pronoun into a question."""
    words, tags = sentence.words, sentence.tags
    if not sentence.text.endswith(".") or not 3 < len(words) <= 20 or "," in words:
        return None
    if words[0] not in ("he", "she", "it", "we", "they", "you", "i") or not sentence.is_whole(1):
        return None
    subject = "I" if words[0] == "i" else words[0]
    if tags[1] == "MD" or words[1] in ("is", "are", "was", "were"):
        opened, rest = f"{words[1].capitalize()} {subject} ", sentence.tokens[2].start
    elif tags[1] in _HELPERS and words[1] not in BE | HAVE | DO:
        opened = f"{_HELPERS[tags[1]].capitalize()} {subject} {lemma(words[1], tags[1])}"
        rest = sentence.tokens[1].end
    else:
        return None
    return Change(f"{opened}{sentence.text[rest:-1]}?", 0.12, "question.made")
