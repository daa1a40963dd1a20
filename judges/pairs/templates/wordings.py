"""Wordings of meanings, read from a table and filled with the words that a frame has drawn."""

from __future__ import annotations

from judges.pairs.tables import Line, Table
from judges.pairs.templates.lexicon import Person, a, done, ing, more, most, past, third

_FORMS = {"past": past, "done": done, "ing": ing, "third": third, "a": a, "more": more, "most": most}


class _Phrase(str):
    """A phrase that can be formatted as one of its forms: ``{verb:past}``."""

    def __format__(self, spec: str) -> str:
        return _FORMS[spec](str(self)) if spec else str(self)


class Wordings(Table):
    """A table whose entries are wordings with places to fill, ``{x} {verb:past} {y}``.

    The names of the places are those of the arguments; ``{x.he}`` is the pronoun of a person. A section has the
    wordings of one meaning, or those of several with blank lines between them.
    """

    def __call__(self, section: str, **words: Person | str | int) -> list[str]:
        """Return the wordings of a section, filled.

        Raises:
            TableError: a wording has a place for which there is no word, or an unknown form.
        """
        return [wording for meaning in self.meanings(section, **words) for wording in meaning]

    def meanings(self, section: str, **words: Person | str | int) -> list[list[str]]:
        """Return the wordings of each meaning of a section, filled.

        Raises:
            TableError: a wording has a place for which there is no word, or an unknown form.
        """
        phrases = {name: _Phrase(word) if isinstance(word, str) else word for name, word in words.items()}
        return [[_fill(line, phrases) for line in group] for group in self.line_groups(section)]


def _fill(line: Line, phrases: dict[str, Person | _Phrase | int]) -> str:
    try:
        return line.text.format_map(phrases)
    except (KeyError, ValueError, AttributeError, TypeError) as error:
        raise line.error(f"cannot be filled ({error})") from error
