"""Numbers, names and pronouns: others in their place, or the same written otherwise."""

from __future__ import annotations

import random
import re
from collections.abc import Iterator
from functools import cache
from pathlib import Path

from judges.pairs.numerals import in_words
from judges.pairs.registry import Change, Sources, edit
from training.sentence import Sentence
from training.statistics import grouped
from training.tables import Table
from usim.lexicon.topics import MONTHS, WEEKDAYS

_NUMBERS = [in_words(value) for value in range(13)]
_ROUND = {str(value): in_words(value) for value in (*range(13, 20), *range(20, 100, 10))}
_IN_WORDS = {str(value): word for value, word in enumerate(_NUMBERS) if value > 1} | _ROUND
_IN_WORDS |= {"100": "a hundred", "1,000": "a thousand"}
_IN_FIGURES = {word: figure for figure, word in _IN_WORDS.items()}
_ORDINALS = "first second third fourth fifth sixth seventh eighth ninth tenth".split()
_ORDINAL_FIGURES = "1st 2nd 3rd 4th 5th 6th 7th 8th 9th 10th".split()
_SCALES = "hundred thousand million billion hundreds thousands millions billions".split()


@edit("number.changed", faithful=False, weight=2.0)
def change_number(sentence: Sentence, rng: random.Random, sources: Sources) -> Iterator[Change]:
    """Replace a number by another one."""
    for i in sentence.shuffled(rng):
        word = sentence.words[i]
        new = _other_number(word, rng)
        if new is None or word == "one" or (word in _ORDINALS and rng.random() < 0.6):
            continue
        if word == "second" and sentence.tags[i - 1 if i else 0] in ("DT", "JJ"):
            continue
        if not sentence.is_whole(i) and not word[0].isdigit():
            continue
        label = 0.04
        if word.isdecimal() and new.isdecimal() and len(word) == 4 and abs(int(word) - int(new)) <= 2:
            label = 0.08
        new = _like(sentence.tokens[i].text, new)
        yield Change(sentence.overwrite(i, i + 1, new), label)


def _like(old: str, new: str) -> str:
    return new.capitalize() if old[:1].isupper() and old[1:].islower() else new


def _other_number(word: str, rng: random.Random) -> str | None:
    if word.isdecimal() and len(word) < 10:
        value = int(word)
        if len(word) == 4 and 1000 < value < 2100:
            return str(value + rng.choice((-1, 1)) * rng.choice((1, 2, 3, 5, 7, 10, 12, 20, 30, 100)))
        if value <= 12:
            return str(rng.choice([n for n in range(2, 13) if n != value]))
        if rng.random() < 0.3:
            return str(value * 10) if rng.random() < 0.5 or value % 10 else str(value // 10)
        return str(max(2, value + rng.choice((-1, 1)) * rng.randint(1, max(2, value // 2))))
    if re.fullmatch(r"\d{1,3}(,\d{3})+", word):
        value = int(word.replace(",", ""))
        return f"{max(1000, int(value * rng.choice((0.1, 0.5, 2, 3, 10, 1.5)))):,}"
    if re.fullmatch(r"\d+\.\d+", word):
        return f"{float(word) * rng.choice((0.5, 2, 3, 1.5)):.{len(word.split('.')[1])}f}"
    if re.fullmatch(r"\d{2,4}s", word):
        return f"{int(word[:-1]) + rng.choice((-30, -20, -10, 10, 20))}s"
    for group in (_NUMBERS[2:], list(_ROUND.values()), _ORDINALS, _SCALES[:4], _SCALES[4:]):
        if word in group:
            return str(rng.choice([w for w in group if w != word]))
    return None


@edit("number.written", faithful=True, weight=1.0)
def rewrite_number(sentence: Sentence, rng: random.Random, sources: Sources) -> Iterator[Change]:
    """Write figures for number words, or number words for figures."""
    for i in sentence.shuffled(rng):
        word = sentence.words[i]
        new = _IN_WORDS.get(word) or _IN_FIGURES.get(word)
        after = sentence.words[i + 1] if i + 1 < len(sentence) else ""
        before = sentence.words[i - 1] if i else ""
        if word in _ORDINALS and before in ("the", "his", "her", "their", "my") and sentence.is_whole(i):
            new = _ORDINAL_FIGURES[_ORDINALS.index(word)]
        elif (
            not after.isalpha()
            or before[-1:].isdigit()
            or before in ("$", "£", "no", "june", "july", ".", ":")
            or (word in ("100", "1,000") and sentence.tags[i - 1 if i else 0] not in ("IN", "VBD", "VB", "VBZ", "VBP"))
            or (after in ("pm", "am", "per", "times") and word.isdecimal())
        ):
            continue
        if new is None or not sentence.is_whole(i) or before.lower() in _MONTHS or after.lower() in _MONTHS:
            continue
        yield Change(sentence.put(i, i + 1, new), 0.98)


_MONTHS = frozenset((*MONTHS, "jan", "feb"))


@edit("date.written", faithful=True, weight=0.5)
def rewrite_date(sentence: Sentence, rng: random.Random, sources: Sources) -> Iterator[Change]:
    """Write dates and amounts in another form: *7 July 1967*, *July 7, 1967*."""
    months = "|".join(month.capitalize() for month in sorted(_MONTHS) if len(month) > 3 or month == "may")
    rules = (
        (rf"\b(\d{{1,2}}) ({months}),? (\d{{4}})", r"\2 \1, \3"),
        (rf"\b({months}) (\d{{1,2}}), (\d{{4}})(,?)", r"\2 \1 \3\4"),
        (rf"\b({months}) (\d{{1,2}})\b(?!,? \d)", r"\2 \1"),
        (rf"\b(\d{{1,2}}) ({months})\b(?!,? \d)", r"\2 \1"),
        (
            r"\$(\d[\d,.]*\d|\d)(?: (million|billion|thousand))?(?! ?\d)",
            lambda m: f"{m[1]} {m[2] + ' ' if m[2] else ''}dollars",
        ),
        (r"(\d)%", r"\1 percent"),
        (r"(\d) (?:percent|per cent)", r"\1%"),
        (r"\b(\d),(\d{3})\b(?!,)", r"\1\2"),
    )
    options = [re.sub(pattern, new, sentence.text, count=1) for pattern, new in rules]
    if rewritten := [o for o in options if o != sentence.text]:
        yield Change(rng.choice(rewritten), 0.98)


# -- names -----------------------------------------------------------------------------------------------------------


def names(sentence: Sentence) -> list[tuple[int, int]]:
    """Return the runs of capitalised words within the sentence: (begin, end) in tokens."""
    runs: list[tuple[int, int]] = []
    i = 0
    tokens, tags = sentence.tokens, sentence.tags
    while i < len(tokens):
        text = tokens[i].text
        name = text[0].isupper() and text.isalpha() and tags[i] in ("NNP", "NNPS", "NN", "NNS") and len(text) > 1
        if i == 0 and (tags[0] != "NNP" or (len(tokens) > 1 and tags[1] in ("NN", "NNS"))):
            name = False
        if not name or text in _NO_NAMES:
            i += 1
            continue
        j = i + 1
        while (
            j < len(tokens)
            and tokens[j].text[0].isupper()
            and tokens[j].text.isalpha()
            and (sentence.text[tokens[j - 1].end : tokens[j].start] == " ")
        ):
            j += 1
        runs.append((i, j))
        i = j
    return runs


_NO_NAMES = frozenset("Mr Mrs Ms Dr TV OK I English Internet God".split()) | {
    name.capitalize() for name in (*WEEKDAYS, *MONTHS)
}
_OF_A_LIST = frozenset("and or , & ( ) with the 's of in - / :".split())
_PLACE = frozenset("in at from to near".split())


@cache
def _pools(sources: Sources) -> dict[str, list[str]]:
    """Return names by place (after a preposition of place, or elsewhere) and number of words."""
    return grouped((_place(s, i, j), s.slice(i, j)) for s in sources.sentences for i, j in names(s))


def _place(sentence: Sentence, i: int, j: int) -> str:
    before = sentence.words[i - 1] if i else ""
    if before in _PLACE:
        where = "place"
    elif j < len(sentence) and sentence.tags[j] in ("VBD", "VBZ", "POS"):
        where = "actor"
    else:
        where = "other" if before not in ("the", "a", "an") else "thing"
    return f"{where}{min(j - i, 3)}"


@edit("name.replaced", faithful=False, weight=1.6)
def replace_name(sentence: Sentence, rng: random.Random, sources: Sources) -> Iterator[Change]:
    """Replace a name by one of another sentence."""
    places = names(sentence)
    if not places:
        return
    i, j = rng.choice(places)
    pool = _pools(sources).get(_place(sentence, i, j), [])
    old = sentence.slice(i, j)
    for _ in range(5):
        new = rng.choice(pool) if pool else old
        if not set(new.split()) & set(old.split()) and new not in sentence.text:
            yield Change(sentence.overwrite(i, j, new), 0.05)


@edit("name.swapped", faithful=False, weight=0.8)
def swap_names(sentence: Sentence, rng: random.Random, sources: Sources) -> Iterator[Change]:
    """Let two names change places; not those of a list, nor one name and its parts."""
    places = names(sentence)
    pairs = [
        (a, b)
        for a in places
        for b in places
        if a[1] <= b[0]
        and not all(
            w in _OF_A_LIST or t.startswith("NNP")
            for w, t in zip(sentence.words[a[1] : b[0]], sentence.tags[a[1] : b[0]], strict=True)
        )
        and not set(sentence.words[a[0] : a[1]]) & set(sentence.words[b[0] : b[1]])
    ]
    if pairs:
        (i, j), (k, m) = rng.choice(pairs)
        between = sentence.text[sentence.tokens[j - 1].end : sentence.tokens[k].start]
        yield Change(sentence.overwrite(i, m, sentence.slice(k, m) + between + sentence.slice(i, j)), 0.07)


@edit("name.shortened", faithful=True, weight=0.3)
def shorten_name(sentence: Sentence, rng: random.Random, sources: Sources) -> Iterator[Change]:
    """Leave out the first name of a person."""
    places = [i for i, j in names(sentence) if i and j - i == 2 and sentence.tags[j : j + 1] == ("VBD",)]
    if places:
        first = sentence.tokens[rng.choice(places)]
        yield Change(sentence.text[: first.start] + sentence.text[first.end :].lstrip(), 0.85)


# -- pronouns --------------------------------------------------------------------------------------------------------

_SAME_AGREEMENT = Table(Path(__file__).with_suffix(".txt")).choices("pronouns")


@edit("pronoun.changed", faithful=False, weight=1.5)
def pronoun(sentence: Sentence, rng: random.Random, sources: Sources) -> Iterator[Change]:
    """Replace a pronoun by that of another person."""
    for i in sentence.shuffled(rng):
        word, tag = sentence.words[i], sentence.tags[i]
        if tag not in ("PRP", "PRP$") or not sentence.is_whole(i):
            continue
        after = sentence.words[i + 1] if i + 1 < len(sentence) else ""
        if word == "her":
            options: tuple[tuple[str, float], ...] = (("him", 0.1), ("me", 0.06))
            if tag == "PRP$":
                options = (("his", 0.1), ("my", 0.06), ("their", 0.1))
        elif word == "i":
            options = (("we", 0.25), ("they", 0.05), ("you", 0.05))
            if after in ("am", "was"):
                new, label = rng.choice(options)
                be = "are" if after == "am" else "were"
                yield Change(sentence.put(i, i + 2, f"{new} {be}"), label)
            if after.startswith("'"):
                continue
        else:
            options = _SAME_AGREEMENT.get(word, ())
        if not options:
            continue
        new, label = rng.choice(options)
        if i == 0:
            new = new.capitalize() if word == "i" else _like(sentence.tokens[i].text, new)
        yield Change(sentence.overwrite(i, i + 1, new), label)
