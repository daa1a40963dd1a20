"""Find where an output says the same in other words: *30 minutes* for *half an hour*, *unless* for *if not*.

Equal amounts, phrases of one line of ``restated.tsv``, negations that a word contains or that moved to a verb of
belief, *less* with an opposite, and *will* behind *if* and its like. :func:`restated` puts the
words of the source back in their places, so that a judge sees what else changed.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache
from typing import NamedTuple

from usim.compare._changes import pair_off
from usim.compare._ledger.amounts import Amount, find_amounts
from usim.compare._sentence import SentenceView
from usim.lexicon import relation, word_info
from usim.lexicon.commitments import find_cues
from usim.lexicon.tables import read_tables

_TABLE = "restated.tsv"
_NOT = frozenset(("not", "n't", "n’t"))
_DO = frozenset(("do", "does", "did"))
#: So many words may stand between *if* and its negation.
_REACH = 8
#: *I do not think that it works* says *I think that it does not work*.
_BELIEF = frozenset("think thinks thought believe believes believed suppose supposes supposed expect expects".split())
#: Clauses behind these are about the future without *will*.
_FUTURE = frozenset("if when unless until till before after once as soon".split())
_WILL = frozenset(("will", "'ll", "’ll"))
_SHORT = {"wo": "will", "ca": "can"}
_FIRST_PERSONS = frozenset(("i", "we"))


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


class _Restatement(NamedTuple):
    """Tokens of the output, from ``start`` to ``end``, and those of the source that say it, ``first`` to ``last``."""

    start: int
    end: int
    first: int
    last: int


def restated(source: SentenceView, output: SentenceView) -> Restated | None:
    """Return the output with the words of the source where it says the same in other words; None if it nowhere does."""
    changes: list[_Restatement] = []
    for change in (
        *_amounts(source, output),
        *_conditions(source, output),
        *_opposites(source, output),
        *_less(source, output),
        *_beliefs(source, output),
        *_futures(source, output),
        *_phrases(source, output),
    ):
        if all(change.end <= other.start or other.end <= change.start for other in changes):
            changes.append(change)
    if not changes:
        return None
    tokens, places = list(output.tokens), list(range(len(output.tokens)))
    for start, end, first, last in sorted(changes, reverse=True):
        tokens[start:end] = source.tokens[first:last]
        places[start:end] = [start] * (last - first)
    return Restated(
        tuple(tokens),
        tuple(places),
        frozenset(i for change in changes for i in range(change.first, change.last)),
        frozenset(j for change in changes for j in range(change.start, change.end)),
    )


def _amounts(a: SentenceView, b: SentenceView) -> Iterator[_Restatement]:
    left, right = find_amounts(a), find_amounts(b)
    words = [[[view.words[i] for i in each.places] for each in some] for view, some in ((a, left), (b, right))]
    gone, new = (
        [each for each, own in zip(some, those, strict=True) if own not in others]
        for some, those, others in ((left, words[0], words[1]), (right, words[1], words[0]))
    )
    for x, y in pair_off(gone, new, _is_equal)[0]:
        yield _Restatement(y.places[0], y.places[-1] + 1, x.places[0], x.places[-1] + 1)


def _is_equal(x: Amount, y: Amount) -> bool:
    if x.quantity and y.quantity:
        return x.quantity.equals(y.quantity)
    is_amount = x.number.kind == y.number.kind == "#" and not (x.quantity or y.quantity)
    return is_amount and x.number.same(y.number)


def _conditions(a: SentenceView, b: SentenceView) -> Iterator[_Restatement]:
    """Yield what makes *unless you return it* of *if you do not return it*, and the reverse."""
    for own, other in ((a, b), (b, a)):
        if (
            own.words.count("if") != 1
            or other.words.count("unless") != 1
            or "unless" in own.words
            or "if" in other.words
        ):
            continue
        at, unless = own.words.index("if"), other.words.index("unless")
        negation = next((i for i in range(at + 1, min(len(own.words) - 1, at + _REACH)) if own.words[i] in _NOT), None)
        if negation is None:
            continue
        start = negation - (own.words[negation - 1] in _DO)
        lemmas = set(own.entries[negation + 1].word.lemmas or (own.words[negation + 1],))
        verb = next(
            (
                j
                for j in range(unless + 1, len(other.words))
                if lemmas & {*other.entries[j].word.lemmas, other.words[j]}
            ),
            None,
        )
        if verb is None:
            continue
        if own is a:
            yield _Restatement(unless, unless + 1, at, at + 1)
            yield _Restatement(verb, verb + 1, start, negation + 2)
        else:
            yield _Restatement(at, at + 1, unless, unless + 1)
            yield _Restatement(start, negation + 2, verb, verb + 1)


def _opposites(a: SentenceView, b: SentenceView) -> Iterator[_Restatement]:
    """Yield what makes *not able* of *unable*, or *not unable* of *able*, and the reverse."""
    for own, other in ((a, b), (b, a)):
        for i, word in enumerate(own.words[1:], 1):
            opposite = _opposite().get(word)
            if opposite is None or own.words[i - 1] not in _NOT or other.words.count(opposite) != 1:
                continue
            if opposite in own.words or word in other.words:
                continue
            start, j = i - 1 - (i > 1 and own.words[i - 2] in _DO), other.words.index(opposite)
            if own is a:
                yield _Restatement(j, j + 1, start, i + 1)
            else:
                yield _Restatement(start, i + 1, j, j + 1)


def _less(a: SentenceView, b: SentenceView) -> Iterator[_Restatement]:
    """Yield what makes *less expensive* of *cheaper*, and the reverse."""
    for own, other in ((a, b), (b, a)):
        if own.words.count("less") != 1 or "less" in other.words:
            continue
        at = own.words.index("less")
        for j, word in enumerate(other.words):
            is_more = j > 0 and other.words[j - 1] == "more"
            if not (is_more or word.endswith("er") or word == "worse") or word in own.words:
                continue
            if relation(own.words[at + 1], word).antonym == "direct":
                ranges = (at, at + 2), (j - is_more, j + 1)
                yield _Restatement(*ranges[1], *ranges[0]) if own is a else _Restatement(*ranges[0], *ranges[1])
                break


def _beliefs(a: SentenceView, b: SentenceView) -> Iterator[_Restatement]:
    """Yield what makes *I do not think that it works* of *I think that it does not work*, and the reverse."""
    for own, other in ((a, b), (b, a)):
        at = [[i for i, word in enumerate(view.words) if word in _BELIEF] for view in (own, other)]
        no = [[i for i, word in enumerate(view.words) if word in _NOT] for view in (own, other)]
        if [len(places) for places in (*at, *no)] != [1, 1, 1, 1]:
            continue
        (verb,), (other_verb,), (outer,), (inner,) = *at, *no
        if verb != outer + 1 or own.words[outer - 1] not in _DO or other_verb > inner:
            continue
        is_do = other.words[inner - 1] in _DO and inner + 1 < len(other.words)
        denied = inner - 1, inner + 1 + is_do
        word = other.words[inner + is_do] if is_do else _SHORT.get(other.words[inner - 1], other.words[inner - 1])
        lemmas = {word, *word_info(word).word.lemmas} if is_do else {word}
        same = (i for i in range(verb + 1, len(own.words)) if lemmas & {own.words[i], *own.entries[i].word.lemmas})
        affirmed = next(same, None)
        if affirmed is None:
            continue
        for ranges in (
            ((outer - 1, verb + 1), (other_verb, other_verb + 1)),
            ((affirmed, affirmed + 1), denied),
        ):
            yield _Restatement(*ranges[1], *ranges[0]) if own is a else _Restatement(*ranges[0], *ranges[1])


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
                yield _Restatement(j, j + 1, i, i + 2)
                break


def _phrases(a: SentenceView, b: SentenceView) -> Iterator[_Restatement]:
    left, right = ([cue for cue in find_cues(view.words, _TABLE) if cue.kind == "same"] for view in (a, b))
    for x in left:
        others = [y for y in right if y.name == x.name]
        if len(others) != 1 or sum(each.name == x.name for each in left) != 1:
            continue
        (y,) = others
        if b.words[y.start : y.end] == a.words[x.start : x.end]:
            continue
        if x.name == "shall" and (_asks_or_promises(a, x.start) or _asks_or_promises(b, y.start)):
            continue
        yield _Restatement(y.start, y.end, x.start, x.end)


def _asks_or_promises(view: SentenceView, at: int) -> bool:
    return at == 0 or not _FIRST_PERSONS.isdisjoint(view.words[max(0, at - 1) : at + 2])


@cache
def _opposite() -> dict[str, str]:
    rows = read_tables(_TABLE)["opposite"].values()
    pairs = [pair.split() for words in rows for pair in words.split(", ")]
    return {word: opposite for x, y in pairs for word, opposite in ((x, y), (y, x))}
