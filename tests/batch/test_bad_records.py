"""Bad records of many kinds at known lines: each is reported with its line, and no other record is touched."""

from __future__ import annotations

import random
from collections.abc import Sequence
from pathlib import Path
from typing import Any, NamedTuple

import pytest

from tests.batch.common import lines
from tests.batch.slow_parser import WordParser
from usim.batch import Task, run
from usim.text.files import DEEPEST_JSON

_PARSER = WordParser(refused="evil")
_DEEP = DEEPEST_JSON + 1


def _pair(source: bytes, output: bytes = b'"a"', more: bytes = b"") -> bytes:
    return b'{"id": 1, "source": ' + source + b', "output": ' + output + more + b"}"


def _suggestion(start: bytes, end: bytes, more: bytes = b"", substitutes: bytes = b'["new"]') -> bytes:
    values = (start, end, substitutes, more)
    return b'{"sentence": "the old man", "start": %s, "end": %s, "substitutes": %s%s}' % values


class Kind(NamedTuple):
    """A task, the name of a file for it, its first line if it has a header, and good and bad records by their names."""

    task: Task
    name: str
    first: bytes | None
    good: Sequence[bytes]
    bad: dict[str, bytes]


PAIRS = Kind(
    Task(parser=_PARSER, judge="usim"),
    "pairs.jsonl",
    None,
    [
        b'{"id": "a", "source": "the old man", "output": "the new man"}',
        b'{"source": "e-mail me", "output": "me", "source2": null}',
        b'{"source": "a", "output": "a", "x": NaN, "y": 1e999}',
        b'{"source": "", "output": "", "line": 3}',
        '{"source": "été \\ud800", "output": "a\\u2028b", "x": {"y": [1.5, true]}}'.encode(),
        b'{"source": "a", "output": "b"}\r',
        b'{"source": "a", "output": "b", "deep": ' + b"[" * 99 + b"]" * 99 + b"}",
    ],
    {
        "half an object": b"{",
        "an array": b"[1]",
        "two objects": b'{"source": "a", "output": "b"} {"source": "a", "output": "b"}',
        "a control character": b'{"source": "a\x01", "output": "b"}',
        "no output": b'{"source": "a"}',
        "an output that is null": _pair(b'"a"', b"null"),
        "a source that is a number": _pair(b"3"),
        "tokens with a number": _pair(b'["a", 1]'),
        "no UTF-8": _pair(b'"\xff"'),
        "UTF-16": '{"source": "a", "output": "b"}'.encode("utf-16-le"),
        "a number of 5,000 digits": _pair(b'"a"', more=b', "x": ' + b"9" * 5000),
        "too many words": _pair(b'"' + b"a " * 100_000 + b'"'),
        "a word without end": _pair(b'"' + b"a" * 1_000_000 + b'"'),
        "too many tokens in few words": _pair(b'"' + b"a,b;" * 900 + b'"'),
        "a sentence that the parser refuses": _pair(b'"an evil word"'),
        "brackets without end": b"[" * 100_000,
        "an extra field that is too deep": _pair(b'"a"', more=b', "x": ' + b"[" * _DEEP + b"]" * _DEEP),
    },
)
TABLE = Kind(
    Task(parser=_PARSER, judge="usim"),
    "pairs.tsv",
    b"id\tsource\toutput",
    [b"1\tthe old man\tthe new man", b"\t\t", "2\tété\t'\"".encode()],
    {"a cell too few": b"1\tthe old man", "a cell too many": b"1\ta\tb\tc", "no UTF-8 in a table": b"1\ta\t\xe9"},
)
SUGGESTIONS = Kind(
    Task("screen", parser=_PARSER, judge="usim"),
    "suggestions.jsonl",
    None,
    [
        _suggestion(b"4", b"7"),
        _suggestion(b"0", b"3", b', "id": "x"', b'["a", ""]'),
        _suggestion(b"4", b"7", b"", b"[]"),
    ],
    {
        "a target before the beginning": _suggestion(b"-4", b"7"),
        "a target that ends before it begins": _suggestion(b"7", b"4"),
        "a place that is no whole number": _suggestion(b"4.0", b"7"),
        "a place beyond all numbers": _suggestion(b"1e999", b"7"),
        "substitutes that are no array": _suggestion(b"4", b"7", substitutes=b'"new"'),
        "a sentence that is a number": b'{"sentence": 1, "start": 0, "end": 1, "substitutes": []}',
        "a suggestion that is a book": _suggestion(b"4", b"7", substitutes=b'["' + b"a " * 100_000 + b'"]'),
    },
)
#: What is said of some of them.
REASONS = {
    "half an object": "not JSON",
    "an array": "a JSON object is needed",
    "no output": "no field 'output'",
    "an output that is null": "'output' is null",
    "a source that is a number": "'source' is no text",
    "tokens with a number": "'source' is no text",
    "no UTF-8": "not UTF-8; convert",
    "too many words": "'source' has 100000 tokens or more",
    "a word without end": "tokens or more, and 2000 are the most",
    "too many tokens in few words": "'source' has 3600 tokens",
    "a sentence that the parser refuses": "ValueError: evil is refused",
    "brackets without end": f"nested more than {DEEPEST_JSON} levels deep",
}


@pytest.mark.parametrize("kind", [PAIRS, TABLE, SUGGESTIONS], ids=lambda kind: kind.name)
def test_bad_records_among_good_ones(tmp_path: Path, kind: Kind) -> None:
    rng = random.Random(1)
    mixed: list[tuple[bytes, str | None]] = [] if kind.first is None else [(kind.first, None)]
    for name in rng.sample(list(kind.bad), len(kind.bad)):
        mixed += [(rng.choice(kind.good), None) for _ in range(rng.randint(0, 2))]
        mixed.append((kind.bad[name], name))
    mixed.append((kind.good[0], None))
    output, errors = results_of(tmp_path, kind, [raw for raw, _ in mixed])
    # With blank lines in the place of the bad records there is no file of errors, not even an old one.
    assert results_of(tmp_path, kind, [b"" if name else raw for raw, name in mixed]) == (output, [])
    names = {number: name for number, (_, name) in enumerate(mixed, 1) if name is not None}
    assert [error["line"] for error in errors] == list(names)
    assert {str(tmp_path / kind.name)} == {error["file"] for error in errors}
    for error in errors:
        name = names[error["line"]]
        assert error["reason"], name
        assert REASONS.get(name, "") in error["reason"]
        assert "Error:" not in error["reason"] or "refuses" in name, error
        assert len(error["text"]) <= 200
        assert name != "tokens with a number" or error["id"] == 1


def results_of(folder: Path, kind: Kind, raw: list[bytes]) -> tuple[bytes, list[dict[str, Any]]]:
    path, out, errors = folder / kind.name, folder / "out.jsonl", folder / "out.jsonl.errors.jsonl"
    path.write_bytes(b"\n".join(raw) + b"\n")
    run(path, out, kind.task, chunk=5)
    return out.read_bytes(), lines(errors) if errors.exists() else []
