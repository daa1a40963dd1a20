"""Predictions for SWORDS, with the contexts of its data (Lee et al. 2021).

The predictions are one JSON object, target id → ``[[substitute, score], …]``, or have that under ``substitutes``; the
data say what text and place a target id stands for.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any, NamedTuple

from usim.suggestions import json_text
from usim.suggestions.json_members import members
from usim.suggestions.records import Part, Record, RecordError, Suggestion
from usim.text import Path, fail, member, read_json


class Target(NamedTuple):
    """A target in its context: the text, its place in characters, its universal part of speech."""

    text: str
    start: int
    end: int
    pos: str | None


def read_targets(path: Path) -> dict[str, Target]:
    """Read the targets of a data set in the SWORDS format (``contexts`` and ``targets``), packed or not.

    Raises:
        InputError, FormatError: the file cannot be read, or is not of that form.
    """
    data = read_json(path)
    contexts = member(data, "contexts", path, "the whole file", dict)
    in_context: dict[str, Target] = {}
    for name, target in member(data, "targets", path, "the whole file", dict).items():
        context = contexts.get(member(target, "context_id", path, name, str))
        if context is None:
            fail("its context is not among the contexts", path, name)
        text = member(context, "context", path, name, str)
        word, start = member(target, "target", path, name, str), member(target, "offset", path, name, int)
        if start < 0 or text[start : start + len(word)] != word:
            fail(f"the target is not at offset {start} of its context", path, name, word)
        pos = target.get("pos")
        in_context[name] = Target(text, start, start + len(word), pos if isinstance(pos, str) else None)
    return in_context


def read(path: Path, targets: Mapping[str, Target]) -> Iterator[Part]:
    """Read a file of predictions part by part.

    Args:
        path: the predictions.
        targets: what the target ids stand for, of :func:`read_targets`.

    Raises:
        InputError: the file cannot be opened or read.
    """

    def record(name: str, value: Any, raw: str, line: int) -> Record:
        target = targets.get(name)
        if target is None:
            raise RecordError("this target is not in the data; are these the same data?")
        suggestions = tuple(_suggestion(item, target) for item in _list(value))
        return Record(name, line, target.text, suggestions, raw, lambda dropped: json_text.without(raw, 0, dropped))

    return members(path, record, within="substitutes")


def _list(value: object) -> list[Any]:
    if not isinstance(value, list):
        raise RecordError("an array of [substitute, score] is needed", value)
    return value


def _suggestion(item: object, target: Target) -> Suggestion:
    match item:
        case [str(text), int(score) | float(score)]:
            about = {"score": score} | ({"pos": target.pos} if target.pos else {})
            return Suggestion(text, (target.start, target.end), about=about)
        case _:
            raise RecordError("a substitute must be [text, score]", item)
