"""A target in its text, what a system suggests for it, and what the gold data say of that.

A suggestion is *acceptable* if the gold data have it, *wrong* if people were asked about it, or about its target, and
rejected it, and *unjudged* if nobody was asked; docs/how-to/benchmarks.md has the rule of each benchmark.
Lemmas are those that the scorers compare. A substitute that is the target itself is left out.
"""

from __future__ import annotations

from collections.abc import Hashable, Mapping
from typing import Literal, NamedTuple, TypeVar

from usim.errors import FormatError
from usim.suggestions import Suggestion
from usim.text.codec import read_as
from usim.text.files import Path, fail

T = TypeVar("T")

Label = Literal["acceptable", "wrong", "unjudged"]
LABELS: tuple[Label, ...] = ("acceptable", "wrong", "unjudged")
#: A suggestion: the key of its target, and the substitute as the system wrote it.
Key = tuple[Hashable, str]


class Place(NamedTuple):
    """A target in its text: the text, the place in characters, and the universal part of speech where it is known."""

    text: str
    start: int
    end: int
    pos: str | None = None

    @property
    def word(self) -> str:
        """The target itself."""
        return self.text[self.start : self.end]


class Case(NamedTuple):
    """A target with what a system suggests for it.

    Attributes:
        record: the place, from 0, of the benchmark's record that the target belongs to: of a sentence of SWS, of a
            target of ProLex and SWORDS.
        target: the key of the target in the predictions; a sentence and a span for SWS.
        place: the target in its sentence, or in the longer text that SWORDS has.
        labels: what the gold data say of each substitute, in the system's order.
    """

    record: int
    target: Hashable
    place: Place
    labels: Mapping[str, Label]

    @property
    def keys(self) -> list[Key]:
        """The keys of the suggestions."""
        return [(self.target, substitute) for substitute in self.labels]

    def suggestion(self, substitute: str) -> Suggestion:
        """Return a substitute as a suggestion for the text."""
        about = {"pos": self.place.pos} if self.place.pos else {}
        return Suggestion(substitute, (self.place.start, self.place.end), about=about)


def check_form(fits: bool, name: str, form: str, path: Path) -> None:
    """Refuse a file that has nothing of the form of a benchmark's gold data.

    Raises:
        FormatError: it does not fit; the message says what is expected.
    """
    if not fits:
        raise FormatError(f"this does not look like the gold data of {name}, which are {form}", path=path)


def read_record(value: object, kind: type[T], path: Path, name: str) -> T:
    """Return the value of a record of a file as a type.

    Raises:
        FormatError: it has another shape; the message names the file, the record and the field.
    """
    try:
        return read_as(value, kind)
    except FormatError as e:
        fail(e.message, path, name, value)
