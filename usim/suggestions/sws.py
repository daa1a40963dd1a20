"""Predictions for Smart Word Suggestions, as the published scorer takes them (Wang et al. 2023).

::

    {"17": {"input_words": ["An", "intimate", "friend"], "substitute_topk": [[["intimate", 1, 2], ["close", "cosy"]]]}}

Each sentence is a record; a target is ``[[text, first word, word after the last], [suggestion, …]]``. The text of the
record is the words with blanks between. Where all suggestions of a target are dropped, the target goes with them,
since a target without suggestions would still say that its words ought to be improved.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator
from itertools import accumulate
from typing import Any

from usim.errors import FormatError
from usim.suggestions import json_text
from usim.suggestions.json_members import members
from usim.suggestions.records import Part, Record, RecordError, Suggestion
from usim.text import Path


def read(path: Path) -> Iterator[Part]:
    """Read a file of predictions part by part.

    What follows a fault in the JSON itself cannot be read, and is one bad record.

    Raises:
        InputError: the file cannot be opened or read.
        FormatError: it holds gold data.
    """
    try:
        yield from members(path, _record)
    except FormatError as e:
        raise FormatError(e.message, path=path, line=e.line) from e


def _are_strings(value: object) -> bool:
    return isinstance(value, list) and all(isinstance(item, str) for item in value)


_GOLD = "gold data, not the suggestions of a system; to score a system: {}"


def _record(name: str, value: Any, raw: str, line: int) -> Record:
    if name in ("contexts", "targets") and isinstance(value, dict):
        raise FormatError(_GOLD.format("usim swords GOLD PRED --screen"), line=line)
    if isinstance(value, dict) and "input_words" not in value and ("substitutes" in value or "annotations" in value):
        raise FormatError(_GOLD.format("usim sws GOLD PRED --screen"), line=line)
    if not isinstance(value, dict):
        raise RecordError("an object is needed", value)
    words, targets = value.get("input_words"), value.get("substitute_topk")
    if not isinstance(words, list) or not _are_strings(words):
        raise RecordError("'input_words' must be an array of strings", words)
    if not isinstance(targets, list):
        raise RecordError("'substitute_topk' must be an array", targets)
    begins = [0, *accumulate(len(word) + 1 for word in words)]
    suggestions: list[Suggestion] = []
    places: list[tuple[int, int]] = []
    for number, target in enumerate(targets):
        first, last, substitutes = _target(target, words)
        span = begins[first], begins[last - 1] + len(words[last - 1])
        suggestions += [Suggestion(text, span, about={"words": [first, last]}) for text in substitutes]
        places += [(number, place) for place in range(len(substitutes))]

    def without(dropped: frozenset[int]) -> str:
        gone: defaultdict[int, set[int]] = defaultdict(set)
        for place in dropped:
            gone[places[place][0]].add(places[place][1])
        kept, empty = raw, set()
        for number in sorted(gone, reverse=True):
            start = json_text.member(kept, "substitute_topk").start
            if len(gone[number]) == len(targets[number][1]):
                empty.add(number)
            else:
                inner = json_text.elements(kept, json_text.elements(kept, start)[number][0])[1][0]
                kept = json_text.without(kept, inner, gone[number])
        return json_text.without(kept, json_text.member(kept, "substitute_topk").start, empty) if empty else kept

    return Record(name, line, " ".join(words), tuple(suggestions), raw, without)


def _target(target: object, words: list[str]) -> tuple[int, int, list[str]]:
    """Return a target's first word, the word after its last, and its suggestions."""
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
    return first, last, substitutes
