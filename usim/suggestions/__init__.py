"""Suggestions of a writing assistant or a correction system: read from files, and put into sentences as a writer would.

- :mod:`usim.suggestions.place`: puts a substitute into a sentence, with :mod:`~usim.suggestions.articles` and
  :mod:`~usim.suggestions.case`;
- :mod:`usim.suggestions.inflect`: puts a lemma into the form of the word that it replaces;
- :func:`usim.text.sentence_around`: finds the sentence around a place in a longer text;
- :mod:`usim.suggestions.records`: the values that readers yield; and a module for each format, :data:`FORMATS`.

>>> from usim.suggestions import put
>>> put("She is an intimate friend.", 10, 18, "close").text
'She is a close friend.'
"""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator

from usim.errors import InputError
from usim.suggestions import jsonl, m2, prolex, sws, tsv
from usim.suggestions.inflect import Inflector
from usim.suggestions.place import Edit, Placed, apply, check_span, put
from usim.suggestions.records import BadRecord, Inflect, Part, Record, Suggestion, bad_record, difference
from usim.text import Path, sentence_around, sentence_spans, unpacked_name

__all__ = [
    "FORMATS",
    "BadRecord",
    "Edit",
    "Inflect",
    "Inflector",
    "Part",
    "Placed",
    "Record",
    "Suggestion",
    "apply",
    "bad_record",
    "check_span",
    "difference",
    "format_of",
    "put",
    "read",
    "sentence_around",
    "sentence_spans",
]

#: The formats that need nothing but the file itself, by name. Predictions for SWORDS need its data: see
#: :mod:`usim.suggestions.swords`; so do some for ProLex: see :mod:`usim.suggestions.prolex`.
FORMATS: dict[str, Callable[[Path], Iterator[Part]]] = {
    "jsonl": jsonl.read,
    "tsv": tsv.read,
    "sws": sws.read,
    "m2": m2.read,
    "prolex": prolex.read,
}
_OF_ENDING = {".jsonl": "jsonl", ".ndjson": "jsonl", ".tsv": "tsv", ".json": "sws", ".m2": "m2", ".csv": "prolex"}


def format_of(path: Path) -> str:
    """Return the format of a file by the ending of its name.

    Raises:
        InputError: the ending does not say it; standard input has none.

    >>> format_of("dev.m2"), format_of("output.JSONL.gz")
    ('m2', 'jsonl')
    """
    name = os.fspath(path)
    ending = os.path.splitext(unpacked_name(name.lower()))[1]
    if ending not in _OF_ENDING:
        raise InputError(f"its name does not say the format; name one of {', '.join(FORMATS)}", path=name)
    return _OF_ENDING[ending]


def read(path: Path, format: str | None = None) -> Iterator[Part]:
    """Read the parts of a file of suggestions, in order: records, bad records, and the text between them.

    Args:
        path: the file; ``-`` is standard input, names in ``.gz`` and ``.zst`` are unpacked.
        format: one of :data:`FORMATS`; by default that of the file's ending.

    Raises:
        InputError: no such format; the file cannot be read (as soon as the first part is asked for).
        FormatError: the header of the file lacks what the format needs.
    """
    name = format_of(path) if format is None else format
    if name not in FORMATS:
        raise InputError(f"no such format; there are {', '.join(FORMATS)}", text=name)
    return FORMATS[name](path)
