"""Put lemmas into the form of the words that they replace: *walked* → *stroll* becomes *strolled*.

The forms of words come from the package ``lemminflect`` (extra ``inflect``). This module decides which of its forms a
target has, judged by the words around it, and which word of a phrase is inflected.

>>> inflect = Inflector()
>>> text = "She walked home and saw two mice."
>>> [inflect(lemma, text, 4, 10) for lemma in ("stroll", "go", "make one's way", "saunter slowly")]
['strolled', 'went', "made one's way", 'sauntered slowly']
>>> [inflect(lemma, text, 28, 32) for lemma in ("animal", "child", "pet of hers")]
['animals', 'children', 'pets of hers']
"""

from __future__ import annotations

import re
from functools import lru_cache

from usim.errors import extra
from usim.lexicon.tables import WRITING
from usim.suggestions._place import check_span
from usim.text import sentence_around

_PARTS = {"NN": "NOUN", "VB": "VERB", "JJ": "ADJ", "RB": "ADV"}
#: Tags of lemmas.
_BASE = frozenset({"NN", "VB", "VBP", "JJ", "RB"})
#: Of equally likely tags, the earlier is taken.
_ORDER = ("VBD", "VBN", "NN", "NNS", "VBZ", "VBG", "JJR", "JJS", "RBR", "RBS", "VBP", "VB", "JJ", "RB")

_PREPOSITION = WRITING["prepositions"]
#: The tags that the word before a target asks for.
_ASKED_FOR = (
    (WRITING["before verbs"], ("VB",)),
    (WRITING["forms of have"], ("VBN",)),
    # A word that the dictionary has as an adjective is likelier one than a participle: she was tired.
    (WRITING["before participles"], ("JJ", "RB", "VBN")),
    (WRITING["before nouns"] | _PREPOSITION, ("JJR", "JJS", "NN", "NNS", "VBN")),
    (WRITING["subjects"], ("VBD", "VBZ", "VBP", "JJ")),
)
#: What may stand between an auxiliary and its participle, beside adverbs in -ly.
_NOT = WRITING["between auxiliary and participle"]
#: Words as the sets above have them, and marks.
_WORD = re.compile(r"n['’]t(?!\w)|['’](?:s|re|ve|ll|d|m)(?!\w)|(?:(?!n['’]t)[\w-])+|[^\w\s]", re.IGNORECASE)

_FOLLOWING = re.compile(r" ([^\W\d_][\w-]*)")


class Inflector:
    """Puts lemmas into the form of their targets; raises an InputError if lemminflect is not installed."""

    def __init__(self) -> None:
        self._package = extra("lemminflect", "putting lemmas into the form of their targets needs", of="inflect")
        self.name = f"lemminflect-{self._package.__version__}"
        self._forms = lru_cache(maxsize=4096)(self._looked_up)
        self._readings = lru_cache(maxsize=4096)(self._read)

    def __call__(self, substitute: str, text: str, start: int, end: int, pos: str | None = None) -> str:
        """Return a substitute in the form of the target ``text[start:end]``; itself where no form of it is known.

        Args:
            substitute: a lemma, or a phrase whose head is one; a word that may already have the target's form stays as
                it is (*went*; also *found*, which is the past of *find* more often than a lemma).
            text: the sentence, or a longer text.
            start, end: the target, in characters.
            pos: the target's universal part of speech (``NOUN``, ``VERB``, ``ADJ``, ``ADV``), where it is known.

        Raises:
            SuggestionError: the span does not fit the text.
        """
        check_span(text, start, end)
        words = substitute.split()
        # Where no reading of the substitute fits the part of speech, it is ignored: she was tired → exhausted.
        for tag in dict.fromkeys((*self.tags(text, start, end, pos), *self.tags(text, start, end))):
            form = self._inflected(words, tag, text[start:end])
            if form is not None:
                return form
        return substitute

    def tags(self, text: str, start: int, end: int, pos: str | None = None) -> list[str]:
        """Return the Penn Treebank tags that the target may have, the likeliest first; none for an unknown form.

        >>> Inflector().tags("He has walked far.", 7, 13)
        ['VBN', 'VBD']
        """
        target = text[start:end].split()
        if not target:
            return []
        readings = dict(self._readings(target[0].lower()))
        if len(target) > 1:
            # The head of a verb phrase is its first word, that of a noun phrase mostly its last.
            last = self._readings(target[-1].lower())
            readings = {tag: lemma for tag, lemma in readings.items() if tag.startswith("VB")}
            readings |= {tag: lemma for tag, lemma in last.items() if tag.startswith("NN")}
            if target[0].lower() in ("more", "most") and len(target) == 2:
                degree = "R" if target[0].lower() == "more" else "S"
                readings = {tag + degree: lemma for tag, lemma in last.items() if tag in ("JJ", "RB")} or readings
        if pos is not None:
            part = "VERB" if pos == "AUX" else pos
            readings = {tag: lemma for tag, lemma in readings.items() if _PARTS[tag[:2]] == part}
        before = _word_before(text, start, end)
        preferred = next((tags for words, tags in _ASKED_FOR if before in words), ())

        def order(tag: str) -> tuple[int, bool, int]:
            # An inflected form is likelier than one that is also a lemma: felt, found, left.
            is_lemma = tag in _BASE or readings[tag] in (target[0].lower(), target[-1].lower())
            place = preferred.index(tag) if tag in preferred else len(preferred)
            return place, is_lemma, _ORDER.index(tag)

        return sorted(readings, key=order)

    def part(self, text: str, start: int, end: int) -> str | None:
        """Return the likeliest universal part of speech of a word; before a noun, one that may be an adjective is one.

        >>> Inflector().part("A light came.", 2, 7), Inflector().part("A light car came.", 2, 7)
        ('NOUN', 'ADJ')
        """
        parts = [_PARTS[tag[:2]] for tag in self.tags(text, start, end)]
        following = _FOLLOWING.match(text, end)
        if parts[:1] == ["NOUN"] and "ADJ" in parts and following is not None:
            is_closed = following[1].lower() in WRITING["closed classes"]
            if not is_closed and any(tag.startswith("NN") for tag in self.tags(text, *following.span(1))):
                return "ADJ"
        return parts[0] if parts else None

    def _read(self, word: str) -> dict[str, str]:
        """Return the tags that a word form may have, each with its lemma."""
        readings: dict[str, str] = {}
        if word == "people":
            return {"NNS": "person"}
        for part, lemmas in self._package.getAllLemmas(word).items():
            for lemma in lemmas:
                for tag, forms in self._forms(lemma, part).items():
                    if word in forms and tag in _ORDER:
                        readings.setdefault(tag, lemma)
        return readings

    def _looked_up(self, lemma: str, part: str) -> dict[str, tuple[str, ...]]:
        """Return tag → forms of a lemma; empty where the dictionary does not have it."""
        by_tag = dict(self._package.getAllInflections(lemma, "VERB" if part == "AUX" else part))
        if "VBD" in by_tag:
            # The dictionary leaves out a participle that equals the past tense.
            by_tag.setdefault("VBN", by_tag["VBD"])
        if lemma == "person":
            by_tag["NNS"] = ("people",)
        # The dictionary has the lemma as a plural of many nouns (mass nouns, animals): take it only without another.
        return {tag: tuple(f for f in forms if f != lemma or tag in _BASE) or forms for tag, forms in by_tag.items()}

    def _inflected(self, words: list[str], tag: str, target: str) -> str | None:
        """Return the phrase with its head in the form of a tag; None without a head of that part of speech."""
        part = _PARTS[tag[:2]]
        place = self._head(words, part)
        if place is None:
            return None
        if tag in ("JJR", "JJS", "RBR", "RBS"):
            return self._compared(words, tag)
        inner = words[place]
        has_form = tag in self._readings(inner.lower()) and tag not in _BASE
        if has_form or (tag in _BASE and inner.lower() != "be"):
            form = inner
        else:
            forms = self._forms(inner.lower(), part).get(tag) or self._package.getInflection(inner.lower(), tag)
            if not forms:
                return None
            # Of *be* it is the target itself or, of *am* and *are*, the usual one.
            form = target.lower() if target.lower() in forms else "are" if "are" in forms else forms[0]
            form = form.capitalize() if inner[:1].isupper() else form
        return " ".join((*words[:place], form, *words[place + 1 :]))

    def _compared(self, words: list[str], tag: str) -> str:
        """Return the comparative or superlative of a phrase: that of its first word, or one with more or most."""
        if tag in self._readings(words[0].lower()) or words[0].lower() in ("more", "most", "less", "least"):
            return " ".join(words)
        forms = self._forms(words[0].lower(), _PARTS[tag[:2]]).get(tag)
        if forms:
            return " ".join((forms[0], *words[1:]))
        return " ".join(("more" if tag[-1] == "R" else "most", *words))

    def _head(self, words: list[str], part: str) -> int | None:
        """Return the place of the word that is inflected when a phrase has a part of speech."""
        if part == "NOUN":
            until = next((i for i, word in enumerate(words) if i and word.lower() in _PREPOSITION | {"to"}), len(words))
            return until - 1 if until and self._is(words[until - 1], part) else None
        for place, word in enumerate(words):
            if self._is(word, part):
                return place
            if part == "VERB" and not (word.endswith("ly") or word.lower() in _NOT):
                return None
        return None

    def _is(self, word: str, part: str) -> bool:
        """Return whether a word has a part of speech, in any form; an unknown word may be a noun or a verb."""
        tags, forms = self._readings(word.lower()), self._forms(word.lower(), part)
        if not tags and not forms:
            return word.isalpha() and part in ("NOUN", "VERB")
        return bool(forms) or any(_PARTS[tag[:2]] == part for tag in tags)


def _word_before(text: str, start: int, end: int) -> str:
    """Return the word before a target in its sentence, without adverbs between the two; empty if there is none."""
    begin, _ = sentence_around(text, start, end)
    words = (word.lower() for word in reversed(_WORD.findall(text[begin:start])))
    return next((word for word in words if word not in _NOT and not word.endswith("ly")), "")
