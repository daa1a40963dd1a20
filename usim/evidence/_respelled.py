"""Changed words that are only written in another way: phrases of one meaning, words joined or cut, misspellings."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING, NamedTuple

from rapidfuzz.distance import JaroWinkler, Levenshtein

from usim.evidence._places import Group, pair_off, stretches
from usim.lexicon import NEGATIVE_PREFIXES, SHORT_FORMS, WordInfo, have_opposite_prefixes
from usim.lexicon.phrases import EQUIVALENTS, find_phrases

if TYPE_CHECKING:
    from usim.evidence._comparison import Comparison

#: The least similarity of a misspelling and the word that was meant.
_SPELLING = 0.55
#: At most so many words are written as one.
_JOINED = 4

#: Tokens of the source, and tokens of the output.
Tokens = tuple[set[int], set[int]]


class Respelled(NamedTuple):
    """The changed words that are only written in another way.

    Attributes:
        equivalents: phrases that say the same by the table of equivalents: the changed tokens of either.
        joined: words that are written as one word on one side and as several on the other, perhaps with a wrong letter.
        words: pairs of similar words of which one does not exist: misspellings, and forms that no word has.
        mended: in how many of these the word of the source does not exist.
        tokens: all tokens of either side that take part.
    """

    equivalents: list[Group]
    joined: list[Group]
    words: list[tuple[int, int]]
    mended: int
    tokens: Tokens


def find_respelled(changes: Comparison) -> Respelled:
    """Return the changed words that are only written in another way; each token takes part at most once."""
    used: Tokens = (set(), set())
    equivalents = _disjoint(_equivalents(changes), used)
    joined = _disjoint(_joined(changes), used)
    words = _misspellings(changes, used)
    tokens = used[0] | {i for i, _ in words}, used[1] | {j for _, j in words}
    mended = sum(not _is_known(changes.source.entries[i]) for i, _ in words)
    return Respelled(equivalents, joined, words, mended, tokens)


def _disjoint(candidates: Iterable[Group], used: Tokens) -> list[Group]:
    """Return the candidates whose tokens no earlier one has used, and mark theirs as used."""
    chosen = []
    for candidate in candidates:
        if all(taken.isdisjoint(places) for taken, places in zip(used, candidate, strict=True)):
            for taken, places in zip(used, candidate, strict=True):
                taken.update(places)
            chosen.append(candidate)
    return chosen


def _equivalents(changes: Comparison) -> list[Group]:
    left = _changed_phrases(changes.source.words, changes.kept_source)
    right = _changed_phrases(changes.output.words, changes.kept_output) if left else {}
    return [
        Group(at, to)
        for (text, at), names in sorted(left.items(), key=lambda item: -len(item[0][0]))
        for (other, to), other_names in right.items()
        if not names.isdisjoint(other_names) and text != other and changes.are_at_one_place(at[0], to[0])
    ]


def _changed_phrases(words: Sequence[str], kept: set[int]) -> dict[tuple[tuple[str, ...], tuple[int, ...]], set[str]]:
    """Return the meanings of each phrase of the table that has changed words, by the phrase and the places of these."""
    meanings: dict[tuple[tuple[str, ...], tuple[int, ...]], set[str]] = {}
    for phrase in find_phrases(words, EQUIVALENTS):
        if places := tuple(i for i in phrase.places if i not in kept):
            meanings.setdefault((phrase.text, places), set()).add(phrase.name)
    return meanings


def _joined(changes: Comparison) -> list[Group]:
    a, b = changes.source.words, changes.output.words
    candidates = []
    for group in changes.groups:
        candidates += [Group(run, (j,)) for run, j in _written_as_one(a, group.source, b, group.output)]
        candidates += [Group((i,), run) for run, i in _written_as_one(b, group.output, a, group.source)]
    full = {SHORT_FORMS.get(b[j], b[j]): j for j in changes.new}
    in_full = ((i, full.get(SHORT_FORMS.get(a[i], a[i]))) for i in changes.gone)
    return candidates + [Group((i,), (j,)) for i, j in in_full if j is not None]


def _written_as_one(
    words: Sequence[str], places: Sequence[int], other_words: Sequence[str], other_places: Sequence[int]
) -> list[tuple[tuple[int, ...], int]]:
    """Return the neighbouring words that are written as one word of the other side."""
    runs = [run for run in stretches(places) if len(run) > 1]
    letters = [(k, _letters(other_words[k])) for k in other_places] if runs else []
    return [
        (run[start:end], k)
        for run in runs
        for start in range(len(run) - 1)
        for end in range(start + 2, min(start + _JOINED, len(run)) + 1)
        for together in (_letters("".join(words[t] for t in run[start:end])),)
        for k, word in letters
        if _are_same_letters(together, word)
    ]


def _letters(text: str) -> str:
    return "".join(c for c in text if c.isalnum())


def _are_same_letters(together: str, word: str) -> bool:
    """Return whether words written together are a word, with at most a slip in a long one."""
    return len(word) > 1 and (
        together == word or (len(word) > 5 and Levenshtein.normalized_similarity(together, word) >= 0.85)
    )


def _misspellings(changes: Comparison, used: Tokens) -> list[tuple[int, int]]:
    a, b = changes.source.entries, changes.output.entries
    pairs: list[tuple[int, int]] = []
    for group in changes.groups:
        left = [i for i in group.source if i not in used[0] and _can_be_misspelt(a[i])]
        right = [j for j in group.output if j not in used[1] and _can_be_misspelt(b[j])] if left else []
        pairs += pair_off(left, right, lambda i, j: _are_one_word(a[i], b[j]))[0]
    return pairs


def _can_be_misspelt(e: WordInfo) -> bool:
    return e.is_word and not e.digits


def _are_one_word(a: WordInfo, b: WordInfo) -> bool:
    """Return whether one of two words is taken for a misspelling of the other."""
    x, y = a.form, b.form
    is_known, is_other_known = _is_known(a), _is_known(b)
    if (is_known and is_other_known) or differ_by_negative_prefix(x, y) or have_opposite_prefixes(x, y):
        return False
    if is_known == is_other_known:  # both are unknown: perhaps names
        return len(x) > 3 and Levenshtein.normalized_similarity(x, y) >= 0.8
    if len(x) < 3 or len(y) < 2:
        return False
    alike = Levenshtein.normalized_similarity(x, y)
    return alike >= _SPELLING or (alike >= 0.45 and x[0] == y[0] and JaroWinkler.similarity(x, y) >= 0.8)


def _is_known(e: WordInfo) -> bool:
    return bool(e.is_function or e.word.known or e.quantity or e.modal)


def differ_by_negative_prefix(x: str, y: str) -> bool:
    """Return whether one word is the other with a negative prefix, even if misspelt."""
    short, long = (x, y) if len(x) < len(y) else (y, x)
    if len(short) < 5:
        return False
    return any(
        long.startswith(prefix)
        and not short.startswith(prefix)
        and Levenshtein.normalized_similarity(long[len(prefix) :], short) >= 0.8
        for prefix in NEGATIVE_PREFIXES
    )
