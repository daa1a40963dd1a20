"""Find where an output says the same in other words: *unless* for *if not*, *cheaper* for *less expensive*.

Phrases of one line of ``restated.tsv``, negations that a word contains, *less* with an opposite, *will*
behind *if* and its like, and short forms such as *BP*. :func:`restated` puts the words
of the source back in their places, so that a judge sees what else changed.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from itertools import pairwise
from typing import NamedTuple

from usim.evidence._sentence import SentenceView
from usim.lexicon import relation
from usim.lexicon.phrases import RESTATED, find_cues
from usim.lexicon.tables import COMPARING, read_tables

#: So many words may stand between *if* and its negation.
_REACH = 8
_PAIRS = [pair.split() for row in read_tables(RESTATED)["opposite"].values() for pair in row.split(", ")]
#: What a word with *not* before it says in one word.
_OPPOSITES = {word: opposite for x, y in _PAIRS for word, opposite in ((x, y), (y, x))}
#: Clauses behind these are about the future without *will*.
_FUTURE = frozenset("if when unless until till before after once as soon".split())
_WILL = frozenset(("will", "'ll", "’ll"))
#: Letters of the longest short form, such as *UNESCO*, and words that have no letter in one.
_LONGEST_SHORT_FORM = 6
_LEFT_OUT = frozenset("of the and for in on to a".split())


class Restated(NamedTuple):
    """An output with words of its source put back.

    Attributes:
        tokens: its tokens.
        places: for each of them, the token of the output that it stands for.
        source: the tokens of the source that were put back.
        output: the tokens of the output that they stand for.
    """

    tokens: tuple[str, ...]
    places: tuple[int, ...]
    source: frozenset[int]
    output: frozenset[int]


#: Neighbouring tokens of the source, and those of the output that say the same.
_Restatement = tuple[range, range]


def restated(source: SentenceView, output: SentenceView) -> Restated | None:
    """Return the output with the words of the source where it says the same in other words; None if it nowhere does."""
    changes: list[_Restatement] = []
    for change in (
        *_both_ways(_conditions, source, output),
        *_both_ways(_opposites, source, output),
        *_futures(source, output),
        *_both_ways(_short_forms, source, output),
        *_phrases(source, output),
    ):
        if all(set(change[1]).isdisjoint(other) for _, other in changes):
            changes.append(change)
    if not changes:
        return None
    tokens, places = list(output.tokens), list(range(len(output.tokens)))
    for own, other in sorted(changes, key=lambda change: change[1].start, reverse=True):
        tokens[other.start : other.stop] = source.tokens[own.start : own.stop]
        places[other.start : other.stop] = [other.start] * len(own)
    sides = (frozenset(i for change in changes for i in change[side]) for side in (0, 1))
    return Restated(tuple(tokens), tuple(places), *sides)


def _both_ways(
    find: Callable[[SentenceView, SentenceView], Iterator[_Restatement]], source: SentenceView, output: SentenceView
) -> Iterator[_Restatement]:
    yield from find(source, output)
    yield from ((own, other) for other, own in find(output, source))


def _conditions(a: SentenceView, b: SentenceView) -> Iterator[_Restatement]:
    """Yield what makes *if you do not return it* of *unless you return it*."""
    if [view.words.count(word) for view in (a, b) for word in ("if", "unless")] != [1, 0, 0, 1]:
        return
    at, unless = a.words.index("if"), b.words.index("unless")
    negation = next(
        (i for i in range(at + 1, min(len(a.words) - 1, at + _REACH)) if a.words[i] in COMPARING["not"]), -1
    )
    forms = {*a.entries[negation + 1].word.lemmas, a.words[negation + 1]}
    behind = range(unless + 1, len(b.words))
    verb = next((j for j in behind if forms & {*b.entries[j].word.lemmas, b.words[j]}), -1)
    if negation >= 0 and verb >= 0:
        yield range(at, at + 1), range(unless, unless + 1)
        start = negation - (a.words[negation - 1] in COMPARING["forms of do"])
        yield range(start, negation + 2), range(verb, verb + 1)


def _opposites(a: SentenceView, b: SentenceView) -> Iterator[_Restatement]:
    """Yield what makes *not able* of *unable*, *not unable* of *able*, and *less expensive* of *cheaper*."""
    for i, (before, word) in enumerate(pairwise(a.words)):
        is_less = before == "less"
        if word in b.words or not (is_less or before in COMPARING["not"]):
            continue
        found = [
            j
            for j, other in enumerate(b.words)
            if other not in a.words and (_is_opposite_of_less(b, j, word) if is_less else _OPPOSITES.get(word) == other)
        ]
        if len(found) == 1:
            start = i - (not is_less and i > 0 and a.words[i - 1] in COMPARING["forms of do"])
            is_more = is_less and b.words[found[0] - 1 : found[0]] == ("more",)
            yield range(start, i + 2), range(found[0] - is_more, found[0] + 1)


def _is_opposite_of_less(view: SentenceView, j: int, word: str) -> bool:
    """Return whether a word in the comparative is the opposite of another."""
    is_comparative = view.words[j].endswith("er") or view.words[j] == "worse" or view.words[j - 1 : j] == ("more",)
    return is_comparative and relation(word, view.words[j]).antonym == "direct"


def _futures(a: SentenceView, b: SentenceView) -> Iterator[_Restatement]:
    """Yield what makes *if it will rain* of *if it rains*, which is its correction."""
    for i, word in enumerate(a.words[:-1]):
        before = a.words[max(0, i - 4) : i]
        starts = [start for start in before if start in _FUTURE]
        if word not in _WILL or not starts or "," in before:
            continue
        lemmas = {a.words[i + 1], *a.entries[i + 1].word.lemmas}
        for j in range(1, len(b.words)):
            near = b.words[max(0, j - 3) : j]
            if starts[-1] in near and _WILL.isdisjoint(near) and lemmas & {b.words[j], *b.entries[j].word.lemmas}:
                yield range(i, i + 2), range(j, j + 1)
                break


def _short_forms(a: SentenceView, b: SentenceView) -> Iterator[_Restatement]:
    """Yield what makes *blood pressure* of *BP*: capital letters that begin the words, small ones of which may miss."""
    for j, short in enumerate(b.tokens):
        if (
            not (2 <= len(short) <= _LONGEST_SHORT_FORM and short.isalpha() and short.isupper())
            or b.words[j] in a.vocabulary
        ):
            continue
        for i, word in enumerate(a.words):
            if word[0] == short[0].lower() and word not in b.vocabulary:
                end = _spelt_out(short.lower(), a.words, i)
                if end:
                    yield range(i, end), range(j, j + 1)
                    return


def _spelt_out(letters: str, words: Sequence[str], start: int) -> int:
    """Return where the words end whose first letters these are, or 0; *of* and its like need none."""
    at = start
    for letter in letters:
        while at > start and at < len(words) and words[at][0] != letter and words[at] in _LEFT_OUT:
            at += 1
        if at == len(words) or words[at][0] != letter:
            return 0
        at += 1
    return at


def _phrases(a: SentenceView, b: SentenceView) -> Iterator[_Restatement]:
    left, right = ([cue for cue in find_cues(view.words, RESTATED) if cue.kind == "same"] for view in (a, b))
    for x in left:
        others = [y for y in right if y.name == x.name]
        if len(others) != 1 or sum(each.name == x.name for each in left) != 1:
            continue
        (y,) = others
        if b.words[y.start : y.end] == a.words[x.start : x.end]:
            continue
        if x.name == "shall" and (_asks_or_promises(a, x.start) or _asks_or_promises(b, y.start)):
            continue
        yield range(x.start, x.end), range(y.start, y.end)


def _asks_or_promises(view: SentenceView, at: int) -> bool:
    return at == 0 or not COMPARING["first persons"].isdisjoint(view.words[max(0, at - 1) : at + 2])
