"""The short edits between two sentences, words of one place that gave way to others, and those that correct a word."""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import lru_cache
from itertools import groupby
from typing import NamedTuple

from rapidfuzz.distance import OSA, Levenshtein

from usim.lexicon import word_info
from usim.lexicon.terms import are_other_terms
from usim.spelling.words import NAME, UNKNOWN, WordTable

#: A longer stretch of changed words, on either side, is no correction of a word.
MOST_WORDS = 3
#: Endings that the tokeniser cuts off, and that writers see as a part of the word before.
_CLITICS = frozenset("n't n’t nt 's ’s 'm ’m 're ’re 've ’ve 'll ’ll 'd ’d".split())
_WORD = re.compile(r"\w")
#: A word further away than this share of its letters is no correction of a misspelling; the same of several words.
_FARTHEST, _FARTHEST_OF_SEVERAL = 0.5, 0.3
#: What a word costs that was put in or left out, what one costs that is cut into several, and what is never done.
_ALONE, _APART, _NEVER = 0.6, 0.05, 99.0
#: The words of both sides that are compared at once: those of one edit.
_STEPS = ((1, 1), (1, 0), (0, 1), (1, 2), (2, 1), (1, 3), (3, 1))
#: Of longer stretches no edits are told apart: the product of the numbers of words.
_MOST_COMPARED = 900
#: A word with so many letters that WordNet has is hardly a misspelling.
_LONG = 6


class WrittenWord(NamedTuple):
    """A word as it is written: its text, and its tokens as a range."""

    text: str
    start: int
    end: int


class WordEdit(NamedTuple):
    """Words of the source that gave way to words of the output, as ranges; one of them may be empty."""

    source: tuple[int, int]
    output: tuple[int, int]


def written_words(tokens: Sequence[str]) -> list[WrittenWord]:
    """Return the words of a sentence; a clitic belongs to the word before it.

    >>> [word.text for word in written_words(["He", "does", "n't", "see", "it", "."])]
    ['He', "doesn't", 'see', 'it', '.']
    """
    words: list[WrittenWord] = []
    for k, token in enumerate(tokens):
        is_clitic = words and token.lower() in _CLITICS and _WORD.search(words[-1].text)
        before = words.pop() if is_clitic else WrittenWord("", k, k)
        words.append(WrittenWord(before.text + token, before.start, k + 1))
    return words


def find_edits(source: Sequence[str], output: Sequence[str]) -> list[WordEdit]:
    """Return the edits that turn one list of words into the other, in order of the source.

    Neither case nor punctuation counts. Of words that changed side by side, each edit has those that are like each
    other by their letters, one word on either side, or up to three on one of them; what is left was put in or left out.

    >>> find_edits("I seen alot of it".split(), "I saw a lot of it".split())
    [WordEdit(source=(1, 2), output=(1, 2)), WordEdit(source=(2, 3), output=(2, 4))]
    >>> find_edits("Unfortunatly it rained .".split(), "Unfortunately , it rained .".split())
    [WordEdit(source=(0, 1), output=(0, 1))]
    """
    at, to = ([k for k, word in enumerate(words) if _WORD.search(word)] for words in (source, output))
    a, b = [source[k].lower() for k in at], [output[k].lower() for k in to]
    return [
        WordEdit(_range(at, i + p, i + q, len(source)), _range(to, k + r, k + s, len(output)))
        for i, j, k, m in _stretches(a, b)
        for (p, q), (r, s) in _told_apart(a[i:j], b[k:m])
        if a[i + p : i + q] != b[k + r : k + s]
    ]


def _stretches(a: Sequence[str], b: Sequence[str]) -> list[tuple[int, int, int, int]]:
    """Return where two lists differ, neighbouring differences together: the range in either."""
    runs = groupby(Levenshtein.opcodes(a, b), lambda code: code.tag == "equal")
    differing = [list(run) for is_equal, run in runs if not is_equal]
    return [(run[0].src_start, run[-1].src_end, run[0].dest_start, run[-1].dest_end) for run in differing]


def _range(places: Sequence[int], start: int, end: int, length: int) -> tuple[int, int]:
    """Return the range of all words between some that count, which may be none."""
    if start < end:
        return places[start], places[end - 1] + 1
    return (places[start],) * 2 if start < len(places) else (length,) * 2


def _told_apart(a: Sequence[str], b: Sequence[str]) -> list[WordEdit]:
    """Cut a stretch of changed words into edits: the cheapest way from one side to the other."""
    n, m = len(a), len(b)
    if n * m > _MOST_COMPARED:
        return [WordEdit((0, n), (0, m))]
    best: dict[tuple[int, int], tuple[float, WordEdit | None]] = {(0, 0): (0.0, None)}
    for i in range(n + 1):
        for j in range(m + 1):
            for p, q in _STEPS:
                if p > i or q > j or (i, j) == (0, 0):
                    continue
                cost = best[i - p, j - q][0] + _cost(a[i - p : i], b[j - q : j])
                if (i, j) not in best or cost < best[i, j][0]:
                    best[i, j] = (cost, WordEdit((i - p, i), (j - q, j)))
    edits: list[WordEdit] = []
    place = (n, m)
    while (edit := best[place][1]) is not None:
        edits.append(edit)
        place = (edit.source[0], edit.output[0])
    return edits[::-1]


@lru_cache(4096)
def _distance(old: str, new: str) -> float:
    return OSA.normalized_distance(old, new)


def _cost(old: Sequence[str], new: Sequence[str]) -> float:
    """Return what it costs to take some words for others: little if they are alike by their letters."""
    if not old or not new:
        return _ALONE
    distance = _distance("".join(old), "".join(new))
    if len(old) == len(new):
        return distance if distance <= _FARTHEST else 2 * _ALONE
    return distance + _APART if distance <= _FARTHEST_OF_SEVERAL else _NEVER


def is_correction(words: WordTable, source: Sequence[str], output: Sequence[str], edit: WordEdit) -> bool:
    """Return whether an edit between the words of two sentences corrects a misspelling.

    One that leaves the word as it is, with another beside it or as a possessive, does not.
    """
    (i, j), (k, m) = edit
    if not (0 < j - i <= MOST_WORDS and 0 < m - k <= MOST_WORDS):
        return False
    if not any(is_misspelt(words, word, starts=place == 0) for place, word in enumerate(source[i:j], i)):
        return False
    old_words, new_words = words_in(source[i:j]), words_in(output[k:m])
    if not any(map(has_letter, new_words)):
        return False
    own = old_words[0]
    if len(old_words) == 1 and not {own, f"{own}'s", f"{own}’s"}.isdisjoint(new_words):
        return False
    is_single = len(old_words) == len(new_words) == 1
    # HIV is no misspelling of HPV.
    written = [word for word in (*source[i:j], *output[k:m]) if has_letter(word)]
    are_acronyms = all(word.isupper() and len(word) > 1 for word in written)
    if is_single and (are_other_terms(old_words[0], new_words[0]) or are_acronyms):
        return False
    if is_single and _is_rare_word(words, old_words[0]) and words[new_words[0]] is not UNKNOWN:
        return False
    distance = _distance("".join(old_words), "".join(new_words))
    return distance <= (_FARTHEST if is_single else _FARTHEST_OF_SEVERAL)


def _is_rare_word(words: WordTable, word: str) -> bool:
    """Return whether a long word is in WordNet, as no name, though the table of words lacks it."""
    known = word_info(word).word
    return words[word] is UNKNOWN and len(word) >= _LONG and known.known and not known.is_proper


def words_in(texts: Sequence[str]) -> list[str]:
    """Return the words among some words and marks, in lower case."""
    return [text.lower() for text in texts if _WORD.search(text)]


def is_misspelt(words: WordTable, word: str, *, starts: bool) -> bool:
    """Return whether a word is wrong as it is written: not in the table, a name in lower case, or a lone letter.

    At the start of a sentence its case says nothing.
    """
    lower = word.lower().replace("’", "'")
    if not lower.replace("'", "").isalpha():
        return False
    entry = words[lower]
    if entry is UNKNOWN:
        return True
    return not starts and word == lower and (entry.forms == NAME or (len(word) == 1 and word not in "ai"))


def has_letter(word: str) -> bool:
    """Return whether a word has a letter."""
    return any(c.isalpha() for c in word)
