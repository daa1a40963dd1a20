"""Predictions for Smart Word Suggestions, as the published scorer takes them (Wang et al. 2023).

::

    {"17": {"input_words": ["An", "intimate", "friend"], "substitute_topk": [[["intimate", 1, 2], ["close", "cosy"]]]}}

Each sentence is a record; a target is ``[[text, first word, word after the last], [suggestion, …]]``. The text of the
record is the words with blanks between. Where all suggestions of a target are dropped, the target goes with them,
since a target without suggestions would still say that its words ought to be improved.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Sequence
from itertools import accumulate
from typing import Any

from usim.errors import FormatError
from usim.records._lines import Line, Watch, encoding_error
from usim.records._record import Record, RecordError
from usim.records.tables import Columns, json_fields
from usim.suggestions import Suggestion
from usim.text import Span
from usim.text.files import Path, open_binary, read_bounded

_DECODER = json.JSONDecoder()
_BLANK = re.compile(r"[ \t\r\n]*")
_GOLD = "gold data, not the suggestions of a system; to score a system: {}"


def members(path: Path, watch: Watch | None = None) -> Iterator[Line]:
    """Yield the members of a file that is one JSON object, and what stands between them.

    A fault in the JSON itself makes one bad record of the rest, because nothing shows where the next one would begin.
    """
    with open_binary(path, watch) as file:
        content = read_bounded(file, path).decode("utf-8", "surrogateescape")
    place, done = _skip(content, len(content) - len(content.removeprefix("\ufeff"))), 0
    number, counted = 1, 0  # the line, and up to where line ends are counted
    seen: set[str] = set()
    try:
        if content[place : place + 1] != "{":
            raise json.JSONDecodeError("an object is needed", content, place)
        place = _skip(content, place + 1)
        mark = content[place : place + 1]
        while mark != "}":
            begin = place
            key, place = _DECODER.raw_decode(content, place)
            place = _skip(content, place)
            if not isinstance(key, str) or content[place : place + 1] != ":":
                raise json.JSONDecodeError("a key and ':' are needed", content, place)
            _, place = _DECODER.raw_decode(content, _skip(content, place + 1))
            raw = content[begin:place]
            error = "a second record of this name" if key in seen else encoding_error(raw)
            seen.add(key)
            yield Line(0, content[done:begin])
            number, counted, done = number + content.count("\n", counted, begin), begin, place
            yield Line(number, raw, error, name=key)
            place = _skip(content, place)
            mark = content[place : place + 1]
            if mark == ",":
                place = _skip(content, place + 1)
            elif mark != "}":
                raise json.JSONDecodeError("',' or '}' is needed", content, place)
        if _skip(content, place + 1) < len(content):
            raise json.JSONDecodeError("more after its end", content, place + 1)
        yield Line(0, content[done:])
    except (ValueError, RecursionError) as e:
        if isinstance(e, json.JSONDecodeError):
            place = e.pos
        reason = e.msg if isinstance(e, json.JSONDecodeError) else "nested too deeply, or a number without end"
        line = content.count("\n", 0, place) + 1
        yield Line(line, content[done:], f"not JSON ({reason}); nothing can be read from here on")


def _skip(text: str, place: int) -> int:
    match = _BLANK.match(text, place)
    return match.end() if match else place


def fields(line: Line, columns: Columns) -> dict[str, Any]:
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
    return json_fields(line._replace(raw=f"{{{line.raw}}}"), Columns())[str(line.name)]


def record(fields: dict[str, Any], id_: str | int, line: Line, columns: Columns) -> Record:
    """Return a sentence with its suggestions."""
    words: Any = fields.get("input_words")
    targets = fields.get("substitute_topk")
    if not _are_strings(words):
        raise RecordError("'input_words' must be an array of strings", words)
    if not isinstance(targets, list):
        raise RecordError("'substitute_topk' must be an array", targets)
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
        return f"{json.dumps(line.name)}: {json.dumps(value, ensure_ascii=line.raw.isascii())}"

    return Record(id_, line.number, " ".join(words), tuple(suggestions), line.raw, without)


def _are_strings(value: object) -> bool:
    return isinstance(value, list) and all(isinstance(item, str) for item in value)


def read_target(target: object, words: Sequence[str]) -> tuple[Span, list[str]]:
    """Return the first word of a target, the word after its last, and its suggestions; else raise a RecordError."""
    match target:
        case [[str(text), first, last], list(names)] if type(first) is type(last) is int and _are_strings(names):
            substitutes: list[str] = names
        case _:
            raise RecordError("a target must be [[text, start, end], [suggestion, …]]", target)
    if not 0 <= first < last <= len(words):
        raise RecordError(f"a span must lie within the {len(words)} words of the sentence", target)
    there = " ".join(words[first:last])
    if "".join(text.split()).casefold() != "".join(there.split()).casefold():
        raise RecordError(f"the words {first} to {last} are {there!r}, not the text of the target", target)
    return (first, last), substitutes
