"""A suggestion: words for a place in a text, or a whole new text."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any

from usim.suggestions._place import Edit, Placed, apply, put
from usim.text.differing import differing

#: From a substitute, the text, the span of its target, and the target's universal part of speech where it is known, to
#: the substitute in the target's form.
Inflect = Callable[[str, str, int, int, str | None], str]
_WORD_OR_MARK = re.compile(r"[^\W_]+|[\W_]")


@dataclass(frozen=True, slots=True)
class Suggestion:
    """A proposal for a text.

    Attributes:
        substitute: the words to put in, as the file has them; for a correction of the whole text, that text.
        span: the target, in characters of the text; None where the suggestion is a whole new text.
        edits: the changes to carry out as they are, where the file says them (M2); else None.
        about: other fields of the file, for the output.
    """

    substitute: str
    span: tuple[int, int] | None = None
    edits: tuple[Edit, ...] | None = None
    about: Mapping[str, Any] = field(default_factory=dict)

    def placed(self, text: str, inflect: Inflect | None = None) -> Placed:
        """Put the suggestion into the text.

        Args:
            text: the text of the record.
            inflect: puts a substitute into the form of its target; None to take it as it is. Corrections and edits that
                the file spells out are always taken as they are.

        Raises:
            SuggestionError: the span does not fit the text.
        """
        if self.edits is not None:
            return _literal(text, self.edits)
        if self.span is None:
            return _literal(text, (difference(text, self.substitute),))
        start, end = self.span
        new = self.substitute
        if inflect is not None:
            new = inflect(new, text, start, end, self.about.get("pos"))
        return put(text, start, end, new)


def _literal(text: str, edits: tuple[Edit, ...]) -> Placed:
    effective = tuple(edit for edit in edits if text[edit.start : edit.end] != edit.new)
    changed = apply(text, effective)
    if not effective:
        return Placed(changed, 0, len(changed), ())
    first, last = effective[0], effective[-1]
    return Placed(changed, first.start, len(changed) - (len(text) - last.end), effective)


def difference(text: str, other: str) -> Edit:
    """Return the one edit that turns a text into another, as short as whole words allow.

    >>> difference("She have two cat.", "She has two cats.")
    Edit(start=4, end=16, new='has two cats')
    """
    words, others = (_WORD_OR_MARK.findall(each) for each in (text, other))
    start, stop, _ = differing(words, others)
    first, last = (sum(map(len, same)) for same in (words[:start], words[stop:]))
    return Edit(first, len(text) - last, other[first : len(other) - last])
