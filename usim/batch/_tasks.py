"""What is done with the records of a batch."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Literal

from usim.errors import FormatError
from usim.options import Options
from usim.records import Columns
from usim.records.tables import checked_names, suggestion_columns


@dataclass(frozen=True)
class Task(Options):
    """What is to be done with each record; all that its result depends on, see :class:`usim.options.Options`, too.

    Attributes:
        kind: ``score`` pairs, ``screen`` suggestions for a text, ``compare`` two versions of a text.
        names: of the fields of a pair; by default ``source`` and ``output``, of two texts ``before`` and ``after``.
        with_file: whether results name their file.
    """

    kind: Literal["score", "screen", "compare"] = "score"
    names: tuple[str, str] | None = field(default=None, kw_only=True)
    with_file: bool = field(default=False, kw_only=True)

    @property
    def fields(self) -> tuple[str, str]:
        """The fields of a pair, or of two texts."""
        return self.names or (("before", "after") if self.kind == "compare" else ("source", "output"))

    def columns(self, cells: Sequence[str]) -> Columns:
        """Return the columns of a table by its first row.

        Raises:
            FormatError: it names others than are needed.
        """
        if self.kind == "screen":
            return suggestion_columns(cells)
        names = checked_names(cells)
        if not set(self.fields) <= set(names):
            source, output = self.fields
            hint = (
                "suggestions are for --task screen" if "sentence" in names else "name them by --columns SOURCE,OUTPUT"
            )
            message = f"no columns {source!r} and {output!r} in the first row; {hint}"
            raise FormatError(message, text=", ".join(names))
        return Columns(names)
