"""Learners' language: errors put into clean text, and learners' own sentences with their corrections."""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator
from functools import cache
from pathlib import Path

from rapidfuzz.distance import Levenshtein

from judges.pairs.pair import Pair
from judges.pairs.registry import maker
from judges.pairs.sources import Sources
from judges.pairs.tables import Table
from judges.pairs.words import by_frequency, content, placed
from training.corpora import LONGEST, SHORTEST, written
from training.forms import LETTER, form, lemma
from training.sentence import Sentence
from usim.lexicon import relation
from usim.suggestions import apply

_TABLE = Table(Path(__file__).with_suffix(".txt"))
_PREPOSITIONS = {
    word: tuple("" if other == "-" else other for other in others.split(", "))
    for word, others in _TABLE.rows("prepositions", 2)
}
_ARTICLES = {"a": ("", "the", "an", "one"), "an": ("", "a"), "the": ("", "", "a")}
_AGREEMENT = {"is": "are", "are": "is", "was": "were", "were": "was", "has": "have", "have": "has", "does": "do"}
_MISSPELT = dict(_TABLE.rows("misspelt", 2))
_LEFT_OUT = frozenset("is are was were be been to of it that will have has had do does am".split())

Error = Callable[[Sentence, int, random.Random], str | None]


def _article(s: Sentence, i: int, rng: random.Random) -> str | None:
    options = _ARTICLES.get(s.words[i])
    if options:
        return rng.choice(options)
    if s.tags[i] in ("NN", "NNS", "JJ") and (i == 0 or s.tags[i - 1] in ("IN", "VB", "VBD", "VBZ", "VBP")):
        return f"the {s.tokens[i].text}" if i else None
    return None


def _preposition(s: Sentence, i: int, rng: random.Random) -> str | None:
    options = _PREPOSITIONS.get(s.words[i])
    if not options or s.tags[i] not in ("IN", "TO") or (s.words[i] == "to" and s.tags[i + 1 : i + 2] == ("VB",)):
        return None
    return rng.choice(options)


def _agreement(s: Sentence, i: int, rng: random.Random) -> str | None:
    word, tag = s.words[i], s.tags[i]
    if word in _AGREEMENT:
        return _AGREEMENT[word]
    if tag == "VBZ" and word.isalpha():
        return lemma(word, tag)
    if tag == "VBP" and word.isalpha() and i and s.tags[i - 1] in ("PRP", "NNS"):
        return form(word, "VBZ")
    return None


def _verb_form(s: Sentence, i: int, rng: random.Random) -> str | None:
    tag, word = s.tags[i], s.words[i]
    if not tag.startswith("VB") or not word.isalpha() or len(word) < 3:
        return None
    base = lemma(word, tag)
    before = s.words[i - 1] if i else ""
    options = {
        "VBD": (base, base + "ed" if not base.endswith("e") else base + "d"),
        "VBN": (base, form(base, "VBD")),
        "VBG": (base, f"to {base}") if before not in ("is", "are", "was", "were") else (base,),
        "VB": (form(base, "VBG"), form(base, "VBZ"), f"to {base}", form(base, "VBD")),
        "VBZ": (base,),
        "VBP": (form(base, "VBG"),),
    }.get(tag)
    return rng.choice(options) if options else None


def _number(s: Sentence, i: int, rng: random.Random) -> str | None:
    word, tag = s.words[i], s.tags[i]
    if not word.isalpha() or s.tokens[i].text[0].isupper():
        return None
    if tag == "NNS":
        return lemma(word, tag)
    if tag == "NN" and s.words[i - 1 if i else 0] not in ("a", "an", "one"):
        return form(word, "NNS")
    return None


def _spelling(s: Sentence, i: int, rng: random.Random) -> str | None:
    word = s.tokens[i].text
    if word.lower() in _MISSPELT and rng.random() < 0.7:
        return _MISSPELT[word.lower()]
    if len(word) < 4 or not word.isalpha() or s.tags[i] == "NNP" or (word[0].isupper() and i):
        return None
    k = rng.randrange(1, len(word) - 1)
    how = rng.random()
    if how < 0.25:
        return word[:k] + word[k + 1] + word[k] + word[k + 2 :]
    if how < 0.5:
        return word[:k] + word[k + 1 :]
    if how < 0.65:
        return word[:k] + word[k] + word[k:]
    vowels = [p for p in range(1, len(word)) if word[p] in "aeiou"]
    if vowels:
        p = rng.choice(vowels)
        return word[:p] + rng.choice("aeiou".replace(word[p], "")) + word[p + 1 :]
    return word[:k] + word[k + 1 :]


def _case(s: Sentence, i: int, rng: random.Random) -> str | None:
    word = s.tokens[i].text
    if word == "I" or (word[0].isupper() and word[1:].islower()):
        return word.lower()
    if s.tags[i] in ("NN", "NNS") and rng.random() < 0.3:
        return word.capitalize()
    return None


def _doubled(s: Sentence, i: int, rng: random.Random) -> str | None:
    return f"{s.tokens[i].text} {s.words[i]}" if s.words[i].isalpha() and len(s.words[i]) < 6 else None


def _left_out(s: Sentence, i: int, rng: random.Random) -> str | None:
    after = s.words[i + 1] if i + 1 < len(s) else ""
    return "" if s.words[i] in _LEFT_OUT and after not in ("not", "n't") else None


def _adjective(s: Sentence, i: int, rng: random.Random) -> str | None:
    word, tag = s.words[i], s.tags[i]
    if tag == "RB" and word.endswith("ly") and len(word) > 5:
        return word[:-2]
    if tag == "JJR" and not word.startswith("more"):
        return f"more {word}"
    if tag == "JJ" and i and s.tags[i - 1] in ("VBZ", "VBD") and s.tags[i + 1 : i + 2] == ("NN",):
        return None
    return None


_ERRORS: tuple[tuple[Error, float], ...] = (
    (_article, 3.0), (_preposition, 2.2), (_agreement, 1.5), (_verb_form, 1.8), (_number, 1.3), (_spelling, 3.0),
    (_case, 1.0), (_doubled, 0.3), (_left_out, 1.2), (_adjective, 0.7),
)  # fmt: skip


def noisy(text: str, rng: random.Random, errors: int | None = None) -> str:
    """Return a text with errors as learners make them; unchanged where none are possible."""
    if errors is None:
        errors = max(1, min(6, round(rng.expovariate(1) * len(text.split()) / 9)))
    for _ in range(errors):
        text = _with_error(text, rng)
    return text


def _with_error(text: str, rng: random.Random) -> str:
    if rng.random() < 0.12:
        return _mark(text, rng)
    sentence = Sentence.of(text)
    if rng.random() < 0.06:
        return _moved(sentence, rng)
    for _ in range(5):
        error = rng.choices([e for e, _ in _ERRORS], [w for _, w in _ERRORS])[0]
        for i in sentence.shuffled(rng):
            if not sentence.is_whole(i):
                continue
            new = error(sentence, i, rng)
            if new is None or new == sentence.tokens[i].text:
                continue
            token = sentence.tokens[i]
            if new and i == 0 and error is not _case:
                new = new[0].upper() + new[1:]
            start, end = token.start, token.end
            if not new:  # with the blank after it
                end += text[end : end + 1] == " "
            return (text[:start] + new + text[end:]).strip()
    return text


def _mark(text: str, rng: random.Random) -> str:
    """Lose a mark of punctuation, add one, or put a blank before it."""
    commas = [k for k, c in enumerate(text) if c == ","]
    how = rng.random()
    if commas and how < 0.5:
        k = rng.choice(commas)
        return text[:k] + text[k + 1 :] if rng.random() < 0.7 else f"{text[:k]} ,{text[k + 1 :]}"
    if how < 0.7 and text.endswith("."):
        return text[:-1] + rng.choice(("", " .", ",", ".."))
    blanks = [k for k, c in enumerate(text) if c == " "]
    if blanks and how < 0.9:
        k = rng.choice(blanks)
        return f"{text[:k]},{text[k:]}" if text[k - 1].isalpha() else text
    return text[:1].lower() + text[1:]


def _moved(sentence: Sentence, rng: random.Random) -> str:
    """Move an adverb or adjective behind its word."""
    tags, tokens, text = sentence.tags, sentence.tokens, sentence.text
    for i in sentence.shuffled(rng):
        if (
            i + 1 < len(tags)
            and tags[i] in ("RB", "JJ")
            and tags[i + 1][:2] in ("VB", "NN")
            and (
                sentence.is_whole(i)
                and sentence.is_whole(i + 1)
                and i
                and sentence.words[i] not in ("not", "only", "never")
            )
        ):
            one, two = tokens[i], tokens[i + 1]
            return f"{text[: one.start]}{two.text} {one.text}{text[two.end :]}"
    return text


@maker("learner.errors", faithful=True, weight=6.0, noise=False)
def errors(sources: Sources, rng: random.Random) -> Iterator[Pair]:
    """Put errors into a clean sentence; mostly the sentence with errors is the source."""
    pool = list(sources.sentences)
    rng.shuffle(pool)
    for sentence in pool:
        count = min(8, max(1, round(rng.expovariate(1) * len(sentence) / 7)))
        erroneous = noisy(sentence.text, rng, count)
        if erroneous == sentence.text:
            continue
        label = max(0.95, 0.99 - 0.005 * count)
        if rng.random() < 0.8:
            yield Pair(erroneous, sentence.text, label, "learner.errors", sentence.group)
        elif rng.random() < 0.5:
            yield Pair(sentence.text, erroneous, label - 0.02, "learner.errors-made", sentence.group)
        else:
            other = noisy(sentence.text, rng)
            yield Pair(erroneous, other, label - 0.02, "learner.errors-both", sentence.group)


@maker("learner.jfleg", faithful=True, weight=3.0, noise=False)
def jfleg(sources: Sources, rng: random.Random) -> Iterator[Pair]:
    """Pair a learner's sentence with fluent corrections of it, and these with one another."""
    pool = [c for c in sources.corrected if not c.tokenised]
    rng.shuffle(pool)
    for item in pool:
        texts = [t for t in item.references if _fits(t)]
        for text in texts:
            if _fits(item.source) and text != item.source:
                yield Pair(item.source, text, 0.965, "learner.jfleg", item.source)
        pairs = [(a, b) for a in texts for b in texts if a != b]
        rng.shuffle(pairs)
        for a, b in pairs[:2]:
            yield Pair(a, b, 0.965, "learner.jfleg-references", item.source)


@maker("learner.m2", faithful=True, weight=4.0, noise=False)
def corrected(sources: Sources, rng: random.Random) -> Iterator[Pair]:
    """Pair a learner's sentence with the sentence after some or all of its edits."""
    pool = [c for c in sources.corrected if c.edits and _fits(c.source)]
    rng.shuffle(pool)
    for item in pool:
        seen = {item.source}
        for _ in range(2):
            some = rng.random() < 0.5
            one = [e for e in item.edits if some and rng.random() < 0.4]
            two = [e for e in item.edits if e in one or not some or rng.random() < 0.6]
            source, target = (written(apply(item.tokenised, edits)) for edits in (one, two))
            if source != target and target not in seen:
                seen.add(target)
                yield Pair(source, target, 0.975, "learner.m2", item.source)


@cache
def _vocabulary() -> dict[tuple[str, str], list[str]]:
    """Return common words by part of speech and first letter."""
    vocabulary: dict[tuple[str, str], list[str]] = {}
    for (part, _), words in by_frequency().items():
        for word in words:
            if len(word) > 3:
                vocabulary.setdefault((part, word[0]), []).append(word)
    return vocabulary


def resembling(base: str, part: str) -> list[str]:
    """Return common words that are spelled nearly like another but have another meaning."""
    most = 1 if len(base) < 6 else 2
    near = [
        word
        for word in _vocabulary().get((part, base[0]), ())
        if word != base
        and abs(len(word) - len(base)) <= most
        and Levenshtein.distance(word, base, score_cutoff=most) <= most
    ]
    known = ((word, relation(base, word)) for word in near)
    return [w for w, r in known if not (r.synonym or r.derived or r.same_lemma or r.similar) and r.path < 0.25]


@maker("learner.misread", faithful=False, weight=1.5, noise=False)
def misread(sources: Sources, rng: random.Random) -> Iterator[Pair]:
    """Correct a misspelt word to another word than was meant, and other errors as they should be."""
    pool = list(sources.sentences)
    rng.shuffle(pool)
    for sentence in pool:
        for i, base, tag, _ in content(sentence, rng, "nva"):
            options = resembling(base, LETTER[tag[:2]])
            if len(base) < 4 or not options:
                continue
            wrong = placed(sentence, i, rng.choice(options), tag)
            token = sentence.tokens[i]
            spelt = next((s for s in (_spelling(sentence, i, rng) for _ in range(4)) if s), token.text)
            source = sentence.text[: token.start] + spelt + sentence.text[token.end :]
            if rng.random() < 0.6:
                source = noisy(source, rng)
            yield Pair(source, wrong, 0.1, "learner.misread", sentence.group)
            break


def _fits(text: str) -> bool:
    return SHORTEST <= len(text.split()) <= LONGEST
