"""Predictions for Smart Word Suggestions, as the published scorer takes them (Wang et al. 2023).

::

    {"17": {"input_words": ["An", "intimate", "friend"], "substitute_topk": [[["intimate", 1, 2], ["close", "cosy"]]]}}

Each sentence is a record, whose text is the words with blanks between; a target is ``[[text, first word, word after the
last], [suggestion, …]]``. A target without suggestions would still say that its words ought to be improved, so it goes
with the last of them.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from itertools import accumulate
from typing import Any

from msgspec import Struct

from usim.errors import FormatError
from usim.records._record import Line, Record, RecordError, read_value
from usim.records.tables import json_fields
from usim.suggestions import Suggestion
from usim.text import Span
from usim.text.files import Path, read_json

_GOLD = "gold data, not the suggestions of a system; to score a system: {}"


class _SwsSentence(Struct):
    input_words: list[str]
    substitute_topk: list[Any]


class _SwsTarget(Struct, array_like=True, forbid_unknown_fields=True):
    """A target: its text, its first word and the word after its last; and the suggestions."""

    place: tuple[str, int, int]
    substitutes: list[str]


def members(path: Path) -> Iterator[Line]:
    """Yield the members of a file that is one JSON object, written anew on a line each, and what stands between."""
    yield Line(0, "{")
    for number, (name, value) in enumerate(read_json(path).items(), 1):
        yield Line(0, ",\n" if number > 1 else "\n")
        yield Line(number, f"{json.dumps(name)}: {json.dumps(value)}", name=name)
    yield Line(0, "\n}\n")


def fields(line: Line) -> dict[str, Any]:
    """Return the members of a sentence; raise a FormatError where the file holds gold data."""
    value = _value(line)
    if line.name in ("contexts", "targets") and isinstance(value, dict):
        raise FormatError(_GOLD.format("usim swords GOLD PRED --screen"), line=line.number)
    if not isinstance(value, dict):
        raise RecordError("an object is needed", value)
    if "input_words" not in value and ("substitutes" in value or "annotations" in value):
        raise FormatError(_GOLD.format("usim sws GOLD PRED --screen"), line=line.number)
    return {**value, "id": line.name}


def _value(line: Line) -> Any:
    return json_fields(line._replace(raw=f"{{{line.raw}}}"))[str(line.name)]


def record(fields: dict[str, Any], id_: str | int, line: Line) -> Record:
    given = read_value(fields, _SwsSentence)
    words, targets = given.input_words, given.substitute_topk
    begins = [0, *accumulate(len(word) + 1 for word in words)]
    suggestions: list[Suggestion] = []
    for target in targets:
        (first, last), substitutes = read_target(target, words)
        span = begins[first], begins[last - 1] + len(words[last - 1])
        suggestions += [Suggestion(text, span, about={"words": [first, last]}) for text in substitutes]

    def without(dropped: frozenset[int]) -> str:
        places = iter(range(len(suggestions)))
        kept = [[place, [s for s in old if next(places) not in dropped], old] for place, old in targets]
        left = [[place, new] for place, new, old in kept if new or not old]
        value = _value(line) | {"substitute_topk": left}
        return f"{json.dumps(line.name)}: {json.dumps(value)}"

    return Record(id_, line.number, " ".join(words), tuple(suggestions), line.raw, without)


def read_target(target: object, words: Sequence[str]) -> tuple[Span, list[str]]:
    """Return the first word of a target, the word after its last, and its suggestions; else raise a RecordError."""
    try:
        given = read_value(target, _SwsTarget)
    except RecordError as e:
        raise RecordError("a target must be [[text, start, end], [suggestion, …]]", target) from e
    text, first, last = given.place
    if not 0 <= first < last <= len(words):
        raise RecordError(f"a span must lie within the {len(words)} words of the sentence", target)
    there = " ".join(words[first:last])
    if "".join(text.split()).casefold() != "".join(there.split()).casefold():
        raise RecordError(f"the words {first} to {last} are {there!r}, not the text of the target", target)
    return (first, last), given.substitutes
