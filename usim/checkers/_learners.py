"""Errors that learners of English make, found by patterns over words; the table is ``learners.tsv``.

A second source of findings beside a checker: what it proposes is judged like any other replacement.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from functools import cache, lru_cache
from itertools import pairwise
from pathlib import Path
from typing import NamedTuple

from usim.checkers._checker import Finding
from usim.lexicon import word_info
from usim.lexicon.wordnet import verb_lemmas
from usim.suggestions.articles import article

#: The names of the rules: those of the table, and the last.
LEARNER_RULES = tuple(
    f"Learner{rule}" for rule in "Agreement Number Verb Comparison Preposition Article Word Spelling".split()
)
#: The rule that adds words to Harper's suggestions for a misspelling.
SPELLING_RULE = "LearnerSpelling"
#: What the rules are about.
ABOUT = "Errors that learners make."
_TOKEN = re.compile(r"[^\W\d_]+(?:['’][^\W\d_]+)?|\d+(?:[.,]\d+)*|[^\w\s]")
_FORM = re.compile(r"\{(\d+)(?::(\w+))?\}")
#: Past forms that are no participles: the base and the participle.
_PAST = {
    "went": "go gone", "saw": "see seen", "did": "do done", "took": "take taken", "gave": "give given",
    "ate": "eat eaten", "wrote": "write written", "spoke": "speak spoken", "knew": "know known",
    "began": "begin begun", "broke": "break broken", "chose": "choose chosen", "drank": "drink drunk",
    "drove": "drive driven", "fell": "fall fallen", "flew": "fly flown", "forgot": "forget forgotten",
    "grew": "grow grown", "rode": "ride ridden", "sang": "sing sung", "swam": "swim swum", "threw": "throw thrown",
    "wore": "wear worn", "woke": "wake woken", "stole": "steal stolen", "became": "become become",
    "came": "come come", "ran": "run run", "showed": "show shown",
}  # fmt: skip
_PLURALS = {"child": "children", "man": "men", "woman": "women", "person": "people", "foot": "feet", "tooth": "teeth"}
#: Nouns that are mostly not counted, or are the same in the plural, and words that look like a plural.
_NO_COUNT = frozenset(
    "information advice homework furniture equipment knowledge luggage traffic pollution progress housework money "
    "software music news research weather evidence time water food work love help health education technology nature "
    "fish sheep series species means sports people police english school society life fun culture much more less "
    "rest majority number lot half data media men women family team group couple pair audience staff politics "
    "economics mathematics physics noise violence percent million thousand hundred other one that which who way day "
    "this i".split()
)
#: Verbs whose past forms are the same.
_SAME_PAST = frozenset("read put set let cut hit beat hurt cost shut quit spread become come run".split())
_IRREGULAR_ING = {"be": "being", "lie": "lying", "die": "dying", "begin": "beginning", "forget": "forgetting"}
_DOUBLED = re.compile(r"[^aeiou]*[aeiou][bdgklmnprt]")


class _PlacedWord(NamedTuple):
    """A word of a text: where it stands, and as it is in lower case."""

    start: int
    end: int
    form: str


class _PatternPlace(NamedTuple):
    """A place of a pattern: the words and classes that may stand there, and whether none has to."""

    words: frozenset[str]
    classes: frozenset[str]
    may_miss: bool

    def fits(self, words: Sequence[_PlacedWord], i: int) -> bool:
        if "START" in self.classes:
            return i < 0 or words[i].form in self.words or not words[i].form[0].isalnum()
        if not 0 <= i < len(words):
            return False
        form = words[i].form
        return form in self.words or any(name in self.classes for name in _classes(form))


class _Pattern(NamedTuple):
    rule: str
    not_before: _PatternPlace | None
    elements: tuple[_PatternPlace, ...]
    not_behind: _PatternPlace | None
    first: int
    last: int
    replacements: tuple[str, ...]
    message: str


def learner_findings(text: str) -> Iterator[Finding]:
    """Yield what the patterns find in a text: of two at one place the first."""
    words = [_PlacedWord(*match.span(), match[0].lower().replace("’", "'")) for match in _TOKEN.finditer(text)]
    taken = -1
    for i in range(len(words)):
        for pattern in _by_word(words[i].form):
            found = _match(pattern, words, i)
            if found is None or words[found[pattern.first]].start <= taken:
                continue
            start, end = words[found[pattern.first]].start, words[found[pattern.last]].end
            values = [_filled(replacement, words, found) for replacement in pattern.replacements]
            if text[start].isupper():
                values = [value[:1].upper() + value[1:] for value in values]
            values = [value for value in dict.fromkeys(values) if value.lower() != text[start:end].lower()]
            if values:
                taken = end
                rule = f"Learner{pattern.rule.capitalize()}"
                yield Finding(start, end, pattern.message, tuple(values), rule, "GRAMMAR", ABOUT, "Grammar", "grammar")


def _match(pattern: _Pattern, words: Sequence[_PlacedWord], i: int) -> dict[int, int] | None:
    """Return the places of a pattern's elements whose first word is the i-th, or stands behind a start; None if none.

    Places of elements that are missing are left out.
    """
    elements = pattern.elements
    found: dict[int, int] = {}
    at = i
    if "START" in elements[0].classes:
        if not elements[0].fits(words, i - 1):
            return None
        found[0] = i - 1
    for k, element in enumerate(elements):
        if k in found:
            continue
        if element.fits(words, at):
            found[k] = at
            at += 1
        elif not element.may_miss:
            return None
    if any(words[x].end > words[y].start for x, y in pairwise(sorted(p for p in found.values() if p >= 0))):
        return None
    if pattern.not_before is not None and pattern.not_before.fits(words, i - 1):
        return None
    return None if pattern.not_behind is not None and pattern.not_behind.fits(words, at) else found


def _filled(replacement: str, words: Sequence[_PlacedWord], found: dict[int, int]) -> str:
    def form_of(match: re.Match[str]) -> str:
        form = words[found[int(match[1]) - 1]].form
        return "I" if form == "i" else _inflected(form, match[2] or "")

    return _FORM.sub(form_of, replacement)


def _inflected(form: str, wanted: str) -> str:
    if not wanted:
        return form
    if wanted == "a":
        return f"{article(form)} {form}"
    if wanted == "agree":
        return "agreed" if form in ("was", "were") else "agrees" if form == "is" else "agree"
    if wanted == "born":
        return "were" if form == "are" else "was"
    base, participle = _PAST.get(form, f"{_base(form)} {form}").split()
    if wanted in ("third", "plural"):
        return _PLURALS.get(form, "") if wanted == "plural" and form in _PLURALS else _with_s(form)
    if wanted == "single":
        return next((one for one, many in _PLURALS.items() if many == form), "") or _single(form)
    return {"base": base, "participle": participle, "ing": _ing(base)}[wanted]


def _base(form: str) -> str:
    if form in ("has", "had"):
        return "have"
    lemmas = verb_lemmas(form)
    return lemmas[0] if lemmas else form


def _single(form: str) -> str:
    lemmas = [lemma for lemma in _noun_lemmas(form) if lemma != form]
    return lemmas[0] if lemmas else form


def _with_s(form: str) -> str:
    if form == "have":
        return "has"
    if form.endswith(("s", "x", "z", "ch", "sh")) or form in ("go", "do", "echo", "hero", "potato", "tomato"):
        return form + "es"
    return form[:-1] + "ies" if form.endswith("y") and form[-2:-1] not in "aeiou" else form + "s"


def _ing(base: str) -> str:
    if base in _IRREGULAR_ING:
        return _IRREGULAR_ING[base]
    if base.endswith("e") and not base.endswith(("ee", "ye", "oe")):
        return base[:-1] + "ing"
    return base + base[-1] + "ing" if _DOUBLED.fullmatch(base) else base + "ing"


def _noun_lemmas(form: str) -> tuple[str, ...]:
    from usim.lexicon import WordNet

    net = WordNet.shipped()
    return tuple(sorted(net.lemma(n) for n in net.lemmas(form, "n")))


@lru_cache(20000)
def _classes(form: str) -> frozenset[str]:
    """Return the classes of a form that patterns name; only those that it has nearly always."""
    if form[0].isdigit():
        return frozenset(("NUM",))
    info = word_info(form)
    parts = info.word.parts
    verb, noun, adjective = (parts.get(part, 0.0) for part in "vna")
    found = set()
    if form in _PAST:
        found.add("PAST")
    if info.quantity == "#" or (info.counts and form.isalpha() and form not in ("a", "an", "one", "second", "half")):
        found.add("NUM")
    if info.is_function or info.word.is_proper:
        return frozenset(found)
    if verb >= 0.75 and noun <= 0.15:
        if verb_lemmas(form) == (form,) and form not in _SAME_PAST:
            found.add("V")
        elif form.endswith("s") and not form.endswith("ss"):
            found.add("VS")
        elif form.endswith("ed"):
            found.add("ED")
        elif form.endswith("ing"):
            found.add("ING")
    if noun >= 0.3:
        found.add("NOUN")
    if noun >= 0.8 or form in ("email", "photo"):
        lemmas = _noun_lemmas(form)
        if form in lemmas and form not in _NO_COUNT and not form.endswith("s"):
            found.add("N")
        elif form.endswith("s") and form not in lemmas and form not in _NO_COUNT:
            found.add("NS")
    if adjective >= 0.7:
        found.add("ADJ")
        if form.endswith("er") and form not in ("clever", "other", "former", "proper", "eager", "inner", "outer"):
            found.add("ER")
    if form in ("better", "worse"):
        found.add("ER")
    return frozenset(found)


@cache
def _patterns() -> tuple[_Pattern, ...]:
    """Read the table."""
    sets: dict[str, frozenset[str]] = {}
    patterns = []

    def element(written: str) -> _PatternPlace:
        options = [
            word
            for part in written.lstrip("!?").split("|")
            for word in (sets[part[1:]] if part.startswith("$") else [part])
        ]
        classes = frozenset(option for option in options if option.isupper())
        literals = frozenset(options) - classes | (sets["start"] if "START" in classes else frozenset())
        return _PatternPlace(literals, classes, written.startswith("?"))

    for line in Path(__file__).with_name("learners.tsv").read_text(encoding="utf-8").splitlines():
        cells = line.split("\t")
        if line.startswith("#"):
            continue
        if cells[0] == "set":
            sets[cells[1]] = frozenset(cells[2].split())
            continue
        rule, pattern, replacement, message = cells
        parts = pattern.split()
        before = element(parts.pop(0)) if parts[0].startswith("!") else None
        behind = element(parts.pop()) if parts[-1].startswith("!") else None
        first = parts.index("[")
        last = parts.index("]") - 2
        elements = tuple(element(part) for part in parts if part not in ("[", "]"))
        patterns.append(_Pattern(rule, before, elements, behind, first, last, tuple(replacement.split(" / ")), message))
    return tuple(patterns)


@cache
def _by_literal() -> tuple[dict[str, list[_Pattern]], list[_Pattern]]:
    """Return the patterns by the words that their first element behind a start may be; and those of classes alone."""
    by_word: dict[str, list[_Pattern]] = {}
    others = []
    for pattern in _patterns():
        head = pattern.elements["START" in pattern.elements[0].classes]
        for word in head.words:
            by_word.setdefault(word, []).append(pattern)
        if head.classes or head.may_miss:
            others.append(pattern)
    return by_word, others


@lru_cache(20000)
def _by_word(form: str) -> tuple[_Pattern, ...]:
    by_word, others = _by_literal()
    return tuple(by_word.get(form, ())) + tuple(others)
