"""Read the sentences that a system is run on, and write its predictions as ``usim sws`` takes them."""

from __future__ import annotations

import json
import os
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import IO

from usim.benchmarks.sws import Span
from usim.errors import InputError
from usim.text import Path, fail, read_json, read_text, text_lines, tokenise


def read_sentences(path: Path) -> Iterator[tuple[str, tuple[str, ...]]]:
    """Yield the sentences of a file with their names, as words.

    Args:
        path: data or predictions of Smart Word Suggestions (``.json``: the words are ``sentence_split`` or
            ``input_words``), or a text with a sentence a line, which is tokenised and named by its number from 1; ``-``
            is a text on standard input. Names in ``.gz`` are unpacked.

    Raises:
        InputError, FormatError: the file cannot be read, is not of that form, or has no sentence.
    """
    name = os.fspath(path)
    if not name.removesuffix(".gz").endswith(".json"):
        lines = text_lines(read_text(path))
        if not any(line.strip() for line in lines):
            raise InputError("no sentence in the file", path=path)
        for number, line in enumerate(lines, 1):
            if line.strip():
                yield str(number), tuple(token.text for token in tokenise(line))
        return
    records = read_json(path)
    if not records:
        raise InputError("no sentence in the file", path=path)
    for key, record in records.items():
        words = record.get("sentence_split", record.get("input_words")) if isinstance(record, dict) else None
        if not isinstance(words, list) or not all(isinstance(word, str) for word in words):
            fail("an array of words is needed as 'sentence_split' or 'input_words'", path, key, words)
        yield key, tuple(words)


def write_predictions(
    file: IO[str], predictions: Iterable[tuple[str, Sequence[str], Mapping[Span, Sequence[str]]]]
) -> None:
    """Write predictions as they come, a sentence a line.

    Args:
        file: the file to write to.
        predictions: the name of each sentence, its words, and span → suggestions.
    """
    file.write("{")
    for number, (name, words, spans) in enumerate(predictions):
        targets = [
            [[" ".join(words[start:end]), start, end], list(suggestions)] for (start, end), suggestions in spans.items()
        ]
        record = {"input_words": list(words), "substitute_topk": targets}
        file.write(",\n" if number else "\n")
        file.write(f"{json.dumps(name, ensure_ascii=False)}: {json.dumps(record, ensure_ascii=False)}")
    file.write("\n}\n")
