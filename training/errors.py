"""Put errors into clean sentences, as learners make them, for judges and parsers to learn from."""

from __future__ import annotations

import random
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path

from training.forms import form, lemma
from training.misspell import misspell
from training.sentence import Sentence
from training.tables import Table
from usim.lexicon import WordNet, word_info

_TABLE = Table(Path(__file__).with_suffix(".txt"))
_CONFUSED = _TABLE.words("confused")
_OTHERS: Mapping[str, tuple[str, ...]] = {
    word: tuple(other for group in _CONFUSED for other in group.split() if word in group.split() and other != word)
    for word in sorted({word for group in _CONFUSED for word in group.split()})
}
#: Words that are written apart by mistake, and words that are written together.
_APART = {parts.replace(" ", ""): parts for parts in _TABLE.words("apart")}
_TOGETHER = _TABLE.words("together")
_AGREE: Mapping[str, str] = dict(_TABLE.rows("agreement", 2))

Error = Callable[[str, str, str, random.Random], str | None]


def confused(word: str, tag: str, before: str, rng: random.Random) -> str | None:
    """Take a word for another."""
    return rng.choice(_OTHERS[word]) if word in _OTHERS else None


def agreement(word: str, tag: str, before: str, rng: random.Random) -> str | None:
    """Break the agreement of a verb, an article or a determiner."""
    if word in _AGREE:
        return _AGREE[word]
    if tag == "VBZ":
        return lemma(word, tag)
    return form(word, "VBZ") if tag in ("VBP", "VB") and rng.random() < 0.5 else None


def wrong_form(word: str, tag: str, before: str, rng: random.Random) -> str | None:
    """Take another form of the same word, or one that no word has: *goed*, *childs*, *more easier*."""
    if not word.isalpha() or len(word) < 3:
        return None
    base = lemma(word, tag)
    if tag.startswith("VB"):
        regular = base + ("d" if base.endswith("e") else "ed")
        options = {form(base, t) for t in ("VB", "VBD", "VBG", "VBN", "VBZ")} | {regular, base + "s", base + "ing"}
    elif tag in ("NN", "NNS"):
        options = {base, form(base, "NNS"), base + "s", base + "es"}
    elif tag in ("JJ", "JJR", "JJS", "RB"):
        options = {base, base + "ly", base + "er", base + "est", f"more {word}", word.removesuffix("ly")}
    else:
        return None
    return rng.choice(sorted(options - {word})) if options - {word} else None


def apart(word: str, tag: str, before: str, rng: random.Random) -> str | None:
    """Write a word as two."""
    if word in _APART:
        return _APART[word]
    if len(word) > 7 and rng.random() < 0.3:
        k = rng.randrange(3, len(word) - 3)
        return f"{word[:k]} {word[k:]}"
    return None


def apostrophe(word: str, tag: str, before: str, rng: random.Random) -> str | None:
    """Lose an apostrophe, or put it in the wrong place."""
    for mark in "'’":
        if mark in word:
            bare = word.replace(mark, "")
            return bare if rng.random() < 0.8 else bare[:-2] + mark + bare[-2:]
    if tag == "NNS" and word.endswith("s") and rng.random() < 0.3:
        return f"{word[:-1]}'s"
    return None


def article(word: str, tag: str, before: str, rng: random.Random) -> str | None:
    """Take another article, leave it out, or put one where none belongs."""
    if word in ("a", "an", "the"):
        return rng.choice(("a", "an", "the", ""))
    return f"the {word}" if tag == "NN" and before in ("in", "of", "at", "with", "for") else None


def preposition(word: str, tag: str, before: str, rng: random.Random) -> str | None:
    """Take another preposition, or leave it out."""
    return rng.choice(_PREPOSITIONS[word]) if word in _PREPOSITIONS and tag in ("IN", "TO") else None


_PREPOSITIONS: Mapping[str, tuple[str, ...]] = {
    "in": ("on", "at", ""), "on": ("in", "at", ""), "at": ("in", "on", ""), "to": ("for", "at", ""),
    "for": ("to", "of", ""), "of": ("from", "for", ""), "with": ("by", "of"), "about": ("of", "for", ""),
    "from": ("of", "since"), "by": ("with", "from"), "during": ("in", "on"), "into": ("to", "in"), "since": ("from",),
}  # fmt: skip


def left_out(word: str, tag: str, before: str, rng: random.Random) -> str | None:
    """Leave an auxiliary or another small word out."""
    return "" if word in _LEFT_OUT else None


_LEFT_OUT = frozenset("is are was were be been to of it that will have has had do does am".split())


def repeated(word: str, tag: str, before: str, rng: random.Random) -> str | None:
    """Write a short word twice."""
    return f"{word} {word}" if word.isalpha() and len(word) < 6 else None


#: Errors of grammar and their weights; those of the usual errors sum to 19.4.
_GRAMMAR: tuple[tuple[Error, float], ...] = (
    (article, 12), (preposition, 13), (agreement, 6), (wrong_form, 11), (left_out, 9), (repeated, 2),
)  # fmt: skip
#: The share of sentences in which a mark of punctuation is lost, added or moved, too.
_MARKS = 0.3


def _is_kept(word: str) -> bool:
    """Return whether the meaning hangs on a word: a figure or a negation."""
    return any(c.isdigit() for c in word) or word.endswith(("n't", "n’t")) or word_info(word).negation > 0


class Errors:
    """Puts errors into sentences, most of them misspellings; ``known`` has those of right words that were seen.

    ``british`` has pairs of a British and an American spelling; either is at times taken for the other. With
    ``grammar`` there are more errors of grammar, and of punctuation, and the meaning is kept: names, figures and
    negations stay, and no misspelling is another word.
    """

    def __init__(
        self, known: Mapping[str, Sequence[str]], british: Mapping[str, str], *, grammar: bool = False
    ) -> None:
        self._known = known
        self._other = {**british, **{us: gb for gb, us in sorted(british.items())}}
        self._errors: tuple[tuple[Error, float], ...] = (
            (self._misspelled, 11), (self._misspelled_form, 2.5), (confused, 1.2), (agreement, 1.0), (wrong_form, 1.5),
            (apart, 0.7), (apostrophe, 0.8), (self._regional, 0.2), (article, 0.5), *(_GRAMMAR if grammar else ()),
        )  # fmt: skip
        self._grammar = grammar

    def put(self, sentence: Sentence, rng: random.Random, count: int | None = None) -> str:
        """Return a sentence with so many errors in it, by default one to six by chance and the length."""
        words = _words(sentence)
        if not words:
            return sentence.text
        if count is None:
            count = min(6, 1 + int(rng.expovariate(1) * max(1.0, len(words) / 10)))
        changes: dict[int, str] = {}
        for _ in range(12 * count):
            if len(changes) >= count:
                break
            k = rng.randrange(len(words))
            if k in changes:
                continue
            start, end, word, tag = words[k]
            new = self.of_word(word.lower(), tag, words[k - 1][2].lower() if k else "", rng)
            if new is None:
                continue
            if word[:1].isupper() and (k == 0 or tag.startswith("NNP")) and rng.random() < 0.8:
                new = new[:1].upper() + new[1:]
            changes[k] = new
        text = sentence.text
        for k in sorted(changes, reverse=True):
            start, end, _, _ = words[k]
            text = text[:start] + changes[k] + text[end:]
        text = self._joined(" ".join(text.split()), rng)
        return _marked(text, rng) if self._grammar and rng.random() < _MARKS else text

    def of_word(self, word: str, tag: str, before: str, rng: random.Random) -> str | None:
        """Return a word in lower case with a random error, for which the one before may count; None if none fits."""
        error = rng.choices([e for e, _ in self._errors], [w for _, w in self._errors])[0]
        new = error(word, tag, before, rng)
        if new is None or new == word or (self._grammar and (tag == "NNP" or _is_kept(word) or _is_kept(new))):
            return None
        return new

    def _joined(self, text: str, rng: random.Random) -> str:
        if rng.random() < 0.12:
            for pair in _TOGETHER:
                if f" {pair} " in text:
                    return text.replace(f" {pair} ", f" {pair.replace(' ', '')} ", 1)
        if not self._grammar and rng.random() < 0.06:
            words = text.split()
            places = [k for k in range(1, len(words)) if words[k - 1].isalpha() and words[k].isalpha()]
            if places:
                k = rng.choice(places)
                return " ".join([*words[: k - 1], words[k - 1] + words[k], *words[k + 1 :]])
        return text

    def _misspelled(self, word: str, tag: str, before: str, rng: random.Random) -> str | None:
        if not word.isalpha() or len(word) < 2 or (len(word) < 4 and rng.random() < 0.75):
            return None
        wrong = misspell(word, self._known, rng)
        return None if self._grammar and WordNet.shipped().word(wrong).known else wrong

    def _misspelled_form(self, word: str, tag: str, before: str, rng: random.Random) -> str | None:
        """Misspell another form of the word, so that the known word with the most similar letters is the wrong form."""
        other = wrong_form(word, tag, before, rng)
        return None if other is None or " " in other or len(other) < 4 else misspell(other, self._known, rng)

    def _regional(self, word: str, tag: str, before: str, rng: random.Random) -> str | None:
        return self._other.get(word)


def _marked(text: str, rng: random.Random) -> str:
    """Lose a mark of punctuation, add one, or put a blank before it; or begin in lower case."""
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


def _words(sentence: Sentence) -> list[tuple[int, int, str, str]]:
    """Return the words of a sentence: start, end, text and tag; clitics belong to the word before."""
    words: list[tuple[int, int, str, str]] = []
    for token, tag in zip(sentence.tokens, sentence.tags, strict=True):
        touches = bool(words) and words[-1][1] == token.start
        if touches and token.text.lower() in _ENDS:
            start, _, text, first = words.pop()
            words.append((start, token.end, text + token.text, first))
        else:
            words.append((token.start, token.end, token.text, tag))
    return words


_ENDS = frozenset("n't n’t nt 's ’s 'm ’m 're ’re 've ’ve 'll ’ll 'd ’d not".split())
