"""Errors that learners of English make, found by patterns over words; the table is ``learners.tsv``.

A second source of findings beside a checker: what it proposes is judged like any other replacement.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from functools import cache, lru_cache
from pathlib import Path
from typing import NamedTuple

from usim.checkers._checker import Fault
from usim.lexicon import WordNet, word_info
from usim.lexicon.wordnet import verb_lemmas
from usim.suggestions.articles import article

#: The names of the rules: those of the table, and the last.
LEARNER_RULES = tuple(
    f"Learner{rule}" for rule in "Agreement Number Verb Comparison Preposition Article Word Spelling".split()
)
#: The rule that adds words to Harper's suggestions for a misspelling.
SPELLING_RULE = "LearnerSpelling"
_TOKEN = re.compile(r"[^\W\d_]+(?:['’][^\W\d_]+)?|\d+(?:[.,]\d+)*|[^\w\s]")
_FORM = re.compile(r"\{(\d+)(?::(\w+))?\}")
_DOUBLED = re.compile(r"[^aeiou]*[aeiou][bdgklmnprt]")


class _PlacedWord(NamedTuple):
    """A word of a text: where it stands, and as it is in lower case."""

    start: int
    end: int
    form: str


class _PatternElement(NamedTuple):
    """A word of a pattern: the words and classes that may stand there.

    Its sign is ``?`` where none has to, ``!`` where none may; ``is_behind`` says whether it is the word behind which
    the pattern begins, and no part of it.
    """

    options: frozenset[str]
    sign: str
    is_behind: bool

    def fits(self, words: Sequence[_PlacedWord], i: int) -> bool:
        if not 0 <= i < len(words):
            return i < 0 and "START" in self.options
        form = words[i].form
        return form in self.options or not self.options.isdisjoint(_classes(form))


class _Pattern(NamedTuple):
    """A line of the table; ``first`` and ``last`` count the elements that are replaced, without those with ``!``."""

    rule: str
    elements: tuple[_PatternElement, ...]
    first: int
    last: int
    replacements: tuple[str, ...]
    message: str


class _PatternTable(NamedTuple):
    """The patterns by the words that they may begin with (``""``: by a class), sets of words, irregular forms."""

    by_word: dict[str, list[_Pattern]]
    sets: dict[str, frozenset[str]]
    forms: dict[str, dict[str, str]]


def learner_findings(text: str) -> Iterator[Fault]:
    """Yield what the patterns find in a text: of two at one place the first."""
    words = [_PlacedWord(*match.span(), match[0].lower().replace("’", "'")) for match in _TOKEN.finditer(text)]
    by_word = _table().by_word
    taken = -1
    for i, word in enumerate(words):
        for pattern in (*by_word.get(word.form, ()), *by_word[""]):
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
                yield Fault(start, end, pattern.message, tuple(values), rule, "GRAMMAR", "grammar")


def _match(pattern: _Pattern, words: Sequence[_PlacedWord], i: int) -> dict[int, int] | None:
    """Return the places of a pattern's elements where it begins with the i-th word; None if it does not.

    Elements with ``!`` are not counted, and those that are missing are left out.
    """
    found: dict[int, int] = {}
    number, at = 0, i
    for element in pattern.elements:
        place = i - 1 if element.is_behind else at
        if element.fits(words, place) == (element.sign == "!"):
            if element.sign != "?":
                return None
        elif element.sign != "!":
            found[number] = place
            at += not element.is_behind
        number += element.sign != "!"
    return found


def _filled(replacement: str, words: Sequence[_PlacedWord], found: dict[int, int]) -> str:
    def form_of(match: re.Match[str]) -> str:
        form = words[found[int(match[1]) - 1]].form
        return "I" if form == "i" else _inflected(form, match[2]) if match[2] else form

    return _FORM.sub(form_of, replacement)


def _inflected(form: str, wanted: str) -> str:
    """Return a form of a word, see the head of the table."""
    forms = _table().forms
    if wanted == "ing":
        form = _inflected(form, "base")
    if form in forms.get(wanted, ()):
        return forms[wanted][form]
    if wanted == "a":
        return f"{article(form)} {form}"
    if wanted == "ing":
        is_cut = form.endswith("e") and not form.endswith(("ee", "ye", "oe"))
        return (form[:-1] if is_cut else form + form[-1] if _DOUBLED.fullmatch(form) else form) + "ing"
    if wanted in ("third", "plural"):
        if form.endswith(("s", "x", "z", "ch", "sh")):
            return form + "es"
        return form[:-1] + "ies" if form.endswith("y") and form[-2:-1] not in "aeiou" else form + "s"
    if wanted == "participle":
        return form
    lemmas = verb_lemmas(form) if wanted == "base" else [each for each in _noun_lemmas(form) if each != form]
    return lemmas[0] if lemmas else form


def _noun_lemmas(form: str) -> tuple[str, ...]:
    net = WordNet.shipped()
    return tuple(sorted(net.lemma(n) for n in net.lemmas(form, "n")))


@lru_cache(20000)
def _classes(form: str) -> frozenset[str]:
    """Return the classes of a form that patterns name; only those that it has nearly always."""
    if form[0].isdigit():
        return frozenset(("NUM",))
    if not form[0].isalpha():
        return frozenset(("START",))
    info = word_info(form)
    sets = _table().sets
    verb, noun, adjective = (info.word.parts.get(part, 0.0) for part in "vna")
    found = set()
    if form in _table().forms["participle"]:
        found.add("PAST")
    if info.quantity == "#" or (info.counts and form.isalpha() and form not in ("a", "an", "one", "second", "half")):
        found.add("NUM")
    if info.is_function or info.word.is_proper:
        return frozenset(found)
    if verb >= 0.75 and noun <= 0.15:
        if verb_lemmas(form) == (form,) and form not in sets["same-past"]:
            found.add("V")
        elif form.endswith("s") and not form.endswith("ss"):
            found.add("VS")
        elif form.endswith("ed"):
            found.add("ED")
        elif form.endswith("ing"):
            found.add("ING")
    if noun >= 0.3:
        found.add("NOUN")
    if (noun >= 0.8 or form in ("email", "photo")) and form not in sets["uncounted"]:
        is_lemma = form in _noun_lemmas(form)
        if form.endswith("s") != is_lemma:
            found.add("N" if is_lemma else "NS")
    if adjective >= 0.7:
        found.add("ADJ")
        if form.endswith("er") and form not in sets["no-comparative"]:
            found.add("ER")
    if form in ("better", "worse"):
        found.add("ER")
    return frozenset(found)


@cache
def _table() -> _PatternTable:
    table = _PatternTable({"": []}, {}, {})
    for line in Path(__file__).with_name("learners.tsv").read_text(encoding="utf-8").splitlines():
        if line.startswith("#"):
            continue
        kind, *cells = line.split("\t")
        if kind == "set":
            table.sets[cells[0]] = frozenset(cells[1].split())
        elif kind == "form":
            table.forms[cells[0]] = dict(pair.split(">") for pair in cells[1].split())
        else:
            _add(table, kind, *cells)
    return table


def _add(table: _PatternTable, rule: str, written: str, replacement: str, message: str) -> None:
    """Add a pattern to the table, by the words that the first element that is a part of it may be."""
    parts = written.split()
    counted = [part for part in parts if not part.startswith("!")]
    first, last = counted.index("["), counted.index("]") - 2
    elements: list[_PatternElement] = []
    for part in parts:
        if part in ("[", "]"):
            continue
        sign, names = (part[0], part[1:]) if part[0] in "!?" else ("", part)
        options = {word for name in names.split("|") for word in (table.sets[name[1:]] if name[0] == "$" else [name])}
        is_behind = not elements and (sign == "!" or "START" in options)
        elements.append(_PatternElement(frozenset(options), sign, is_behind))
    pattern = _Pattern(rule, tuple(elements), first, last, tuple(replacement.split(" / ")), message)
    head = next(element for element in elements if not element.is_behind)
    words = {option for option in head.options if not option.isupper()}
    for word in {*words, *({""} if head.options - words or head.sign else ())}:
        table.by_word.setdefault(word, []).append(pattern)
