"""The tasks of a batch: how a record is read, and what its result is.

Everything goes by chunks, and the results of a chunk depend on nothing but the chunk and the task.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any, Literal

from usim.errors import FormatError, InputError, UsimError
from usim.options import Options
from usim.records import FORMATS, BadRecord, Columns, Format, Line, Record, RecordError, read_pair
from usim.records.tables import checked_names, record_id, suggestion_columns
from usim.scorer import Scorer
from usim.screen import Screen
from usim.text import Context, check_length

#: A record's result: its fields.
Outcome = dict[str, Any]


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


#: A pair of sentences, and what stands around both.
_Pair = tuple[str, str, Context | None]


class PairRunner:
    """Scores pairs of a source and an output; ``signature`` says with what."""

    def __init__(self, task: Task) -> None:
        self._task = task
        self._scorer = Scorer(options=task)
        self.signature = self._scorer.signature

    def item(self, fields: dict[str, Any], form: Format, line: Line) -> _Pair:
        """Return the item of a record for :meth:`results`; remove the fields that the output does not repeat.

        Raises:
            UsimError: the record is bad.
        """
        names = self._task.fields
        if form is FORMATS["m2"] and names[1] not in fields:
            if names[1] == "output":
                raise RecordError("M2 has annotators in place of an output: --columns source,0 names the first")
            fields[names[1]] = fields.get(names[0])  # an annotator without an edit leaves a sentence as it is
        texts, context = read_pair(fields, names)
        for name, text in zip(names, texts, strict=True):
            if self._task.kind == "score":
                check_length(text, repr(name), max_tokens=self._task.max_tokens)
            fields.pop(name, None)
        return texts[0], texts[1], context

    def results(self, items: Sequence[_Pair]) -> list[Outcome | UsimError]:
        """Return the results of items, in order, or why there is none."""
        self._scorer.sources.clear()  # the last bits of vectors may depend on what is read together
        return [result.to_dict() for result in self._scorer.score_pairs(items, batch=max(1, len(items)))]


class TextRunner(PairRunner):
    """Compares two versions of texts."""

    def results(self, items: Sequence[_Pair]) -> list[Outcome | UsimError]:
        """Return the results of items, as :meth:`PairRunner.results` does."""
        results: list[Outcome | UsimError] = []
        for before, after, _ in items:
            try:
                results.append(self._scorer.compare_texts(before, after).to_dict())
            except InputError as e:  # one sentence is too long
                results.append(e)
        return results


class SuggestionRunner:
    """Screens suggestions for texts; as a :class:`PairRunner`."""

    def __init__(self, task: Task) -> None:
        self._screen = Screen(options=task)
        self.signature = self._screen.signature

    def item(self, fields: dict[str, Any], form: Format, line: Line) -> Record:
        """Return the item of a record, as :meth:`PairRunner.item` does."""
        return form.record(fields, record_id(fields, line), line)

    def results(self, items: Sequence[Record]) -> list[Outcome | UsimError]:
        """Return the results of items, as :meth:`PairRunner.results` does."""
        self._screen.sources.clear()
        results: list[Outcome | UsimError] = []
        for part, screened in self._screen.screen_records(items):
            if isinstance(part, Record):
                both = zip(screened, part.suggestions, strict=True)
                results.append({"suggestions": [{**result.to_dict(), **given.about} for result, given in both]})
            elif isinstance(part, BadRecord):
                results.append(part.error)
        return results
