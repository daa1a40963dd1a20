"""Names and numbers of two whole texts: which of them stand in only one."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Literal

from msgspec import Struct

from usim.lexicon import Number, find_numbers, word_info
from usim.text import Span, tokenise
from usim.texts._cut import CutText

Side = Literal["before", "after"]


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
    side: Side
    span: Span


def facts_of_one(before: CutText, after: CutText) -> Iterator[Fact]:
    """Yield the names and numbers that only one of two texts has, those of the text before the change first.

    A number is the same if its value is: *eight* is *8*. A name is a word with a capital within a sentence.
    """
    sides = _facts(before, "before"), _facts(after, "after")
    for (numbers, names, _), (others, _, words) in (sides, sides[::-1]):
        told = [number for number, _ in others]
        for number, fact in numbers:
            if not any(number.same(each) for each in told):
                told.append(number)
                yield fact
        yield from (fact for form, fact in names.items() if form not in words)


def _facts(cut: CutText, side: Side) -> tuple[list[tuple[Number, Fact]], dict[str, Fact], set[str]]:
    """Return the numbers of a text, its names by their forms in lower case, and all its words."""
    numbers: list[tuple[Number, Fact]] = []
    names: dict[str, Fact] = {}
    words: set[str] = set()
    for start, end, kind in cut.passages:
        if kind == "code":
            continue
        tokens = tokenise(cut.plain[start:end])
        for number in find_numbers([token.text for token in tokens]):
            span = start + tokens[number.start].start, start + tokens[number.end - 1].end
            numbers.append((number, Fact("number", " ".join(cut.plain[slice(*span)].split()), side, span)))
        for place, token in enumerate(tokens):
            form = token.text.lower()
            words.add(form)
            is_name = place > 0 and token.text[0].isupper() and token.text[-1].isalpha()
            if is_name and not word_info(form).is_function:
                names.setdefault(form, Fact("name", token.text, side, (start + token.start, start + token.end)))
    return numbers, names, words
