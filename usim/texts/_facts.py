"""Names and numbers of two whole texts: which of them stand in only one."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Literal, NamedTuple

from msgspec import Struct

from usim.lexicon import Number, find_numbers, word_info
from usim.text import Span, tokenise
from usim.texts._cut import CutText


class Fact(Struct, frozen=True):
    """A name or a number that only one of two texts has.

    Attributes:
        kind: ``number``, dates and times among them, or ``name``.
        text: as it stands there, without markup and with one blank for white space.
        side: the text that has it.
        span: where it stands first, in characters.
    """

    kind: Literal["number", "name"]
    text: str
    side: Literal["before", "after"]
    span: Span


class _Facts(NamedTuple):
    numbers: list[tuple[Number, str, Span]]
    names: dict[str, tuple[str, Span]]
    words: frozenset[str]


def facts_of_one(before: CutText, after: CutText) -> Iterator[Fact]:
    """Yield the names and numbers that only one of two texts has, those of the text before the change first.

    A number is the same if its value is: *eight* is *8*. A name is a word with a capital within a sentence.
    """
    sides = _facts(before), _facts(after)
    side: Literal["before", "after"]
    for side, own, other in (("before", *sides), ("after", *sides[::-1])):
        told: list[Number] = []
        for number, text, span in own.numbers:
            if not any(number.same(each) for each in (*told, *(each for each, *_ in other.numbers))):
                told.append(number)
                yield Fact("number", text, side, span)
        for form, (text, span) in own.names.items():
            if form not in other.words:
                yield Fact("name", text, side, span)


def _facts(cut: CutText) -> _Facts:
    numbers: list[tuple[Number, str, Span]] = []
    names: dict[str, tuple[str, Span]] = {}
    words: set[str] = set()
    for passage in cut.passages:
        if passage.kind == "code":
            continue
        tokens = tokenise(cut.plain[passage.start : passage.end])
        for number in find_numbers([token.text for token in tokens]):
            start, end = tokens[number.start].start, tokens[number.end - 1].end
            span = passage.start + start, passage.start + end
            numbers.append((number, " ".join(cut.plain[slice(*span)].split()), span))
        for place, token in enumerate(tokens):
            form = token.text.lower()
            words.add(form)
            is_name = place > 0 and token.text[0].isupper() and token.text[-1].isalpha()
            if is_name and not word_info(form).is_function:
                names.setdefault(form, (token.text, (passage.start + token.start, passage.start + token.end)))
    return _Facts(numbers, names, frozenset(words))
