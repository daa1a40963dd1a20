"""Names and numbers of two whole texts: which of them stand in only one."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Literal

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


def facts_of_one(before: CutText, after: CutText) -> Iterator[Fact]:
    """Yield the names and numbers that only one of two texts has, those of the text before the change first.

    A number is the same if its value is: *eight* is *8*. A name is a word with a capital within a sentence.
    """
    side: Literal["before", "after"]
    sides = _facts(before), _facts(after)
    for side, (numbers, names, _), (others, _, words) in (("before", *sides), ("after", *sides[::-1])):
        told = [number for number, _, _ in others]
        for number, text, span in numbers:
            if not any(number.same(each) for each in told):
                told.append(number)
                yield Fact("number", text, side, span)
        for form, (text, span) in names.items():
            if form not in words:
                yield Fact("name", text, side, span)


def _facts(cut: CutText) -> tuple[list[tuple[Number, str, Span]], dict[str, tuple[str, Span]], set[str]]:
    """Return the numbers and the names of a text, as they stand there and where, and all its words."""
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
    return numbers, names, words
